//! Statements. Those with a body open a scope of their own.

use super::Parser;
use super::token::Kind;
use lang_c::ast::*;
use lang_c::span::Node;

impl Parser<'_> {
    pub(super) fn statement(&mut self) -> Option<Node<Statement>> {
        let start = self.start();
        let statement = match self.kind() {
            Kind::Name if self.kind_ahead(1) == Kind::Colon => self.labeled()?,
            Kind::Case | Kind::Default => self.labeled()?,
            Kind::OpenBrace => self.in_scope(Self::compound)?,
            Kind::If => self.in_scope(Self::if_statement)?,
            Kind::Switch => self.in_scope(Self::switch)?,
            Kind::While => self.in_scope(Self::while_statement)?,
            Kind::Do => self.in_scope(Self::do_while)?,
            Kind::For => self.in_scope(Self::for_statement)?,
            Kind::Asm => Statement::Asm(self.asm()?),
            _ => self.simple()?,
        };
        Some(self.node(start, statement))
    }

    /// Those that end with a semicolon.
    fn simple(&mut self) -> Option<Statement> {
        let statement = match self.kind() {
            Kind::Semicolon => Statement::Expression(None),
            Kind::Goto => {
                self.advance();
                Statement::Goto(self.identifier()?)
            }
            Kind::Continue => self.take(Statement::Continue).node,
            Kind::Break => self.take(Statement::Break).node,
            Kind::Return => {
                self.advance();
                Statement::Return(self.optional_expression(Kind::Semicolon)?)
            }
            _ => Statement::Expression(Some(Box::new(self.expression()?))),
        };
        self.expect(Kind::Semicolon)?;
        Some(statement)
    }

    /// An expression, or nothing before `end`.
    fn optional_expression(&mut self, end: Kind) -> Option<Option<Box<Node<Expression>>>> {
        match self.kind() == end {
            true => Some(None),
            false => Some(Some(Box::new(self.expression()?))),
        }
    }

    pub(super) fn compound(&mut self) -> Option<Statement> {
        self.expect(Kind::OpenBrace)?;
        let mut items = Vec::new();
        while !self.eat(Kind::CloseBrace) {
            let start = self.start();
            let item = if self.kind() == Kind::StaticAssert {
                BlockItem::StaticAssert(self.static_assert()?)
            } else if self.declaration_starts() {
                BlockItem::Declaration(self.declaration()?)
            } else {
                BlockItem::Statement(self.statement()?)
            };
            items.push(self.node(start, item));
        }
        Some(Statement::Compound(items))
    }

    fn labeled(&mut self) -> Option<Statement> {
        let start = self.start();
        let label = match self.kind() {
            Kind::Case => self.case()?,
            Kind::Default => self.take(Label::Default).node,
            _ => Label::Identifier(self.identifier()?),
        };
        let label = self.node(start, label);
        self.expect(Kind::Colon)?;
        let statement = Box::new(self.statement()?);
        Some(Statement::Labeled(self.node(start, LabeledStatement { label, statement })))
    }

    fn case(&mut self) -> Option<Label> {
        self.advance();
        let low = Box::new(self.conditional()?);
        if !self.eat(Kind::Ellipsis) {
            return Some(Label::Case(low));
        }
        let start = low.span.start;
        let high = Box::new(self.conditional()?);
        Some(Label::CaseRange(self.node(start, CaseRange { low, high })))
    }

    fn in_brackets(&mut self) -> Option<Box<Node<Expression>>> {
        self.expect(Kind::Open)?;
        let expression = self.expression()?;
        self.expect(Kind::Close)?;
        Some(Box::new(expression))
    }

    fn if_statement(&mut self) -> Option<Statement> {
        let start = self.start();
        self.advance();
        let condition = self.in_brackets()?;
        let then_statement = Box::new(self.statement()?);
        let mut else_statement = None;
        if self.eat(Kind::Else) {
            else_statement = Some(Box::new(self.statement()?));
        }
        let parts = IfStatement { condition, then_statement, else_statement };
        Some(Statement::If(self.node(start, parts)))
    }

    fn switch(&mut self) -> Option<Statement> {
        let start = self.start();
        self.advance();
        let expression = self.in_brackets()?;
        let statement = Box::new(self.statement()?);
        Some(Statement::Switch(self.node(start, SwitchStatement { expression, statement })))
    }

    fn while_statement(&mut self) -> Option<Statement> {
        let start = self.start();
        self.advance();
        let expression = self.in_brackets()?;
        let statement = Box::new(self.statement()?);
        Some(Statement::While(self.node(start, WhileStatement { expression, statement })))
    }

    fn do_while(&mut self) -> Option<Statement> {
        let start = self.start();
        self.advance();
        let statement = Box::new(self.statement()?);
        self.expect(Kind::While)?;
        let expression = self.in_brackets()?;
        self.expect(Kind::Semicolon)?;
        Some(Statement::DoWhile(self.node(start, DoWhileStatement { statement, expression })))
    }

    fn for_statement(&mut self) -> Option<Statement> {
        let start = self.start();
        self.advance();
        self.expect(Kind::Open)?;
        let initializer = self.for_initializer()?;
        let condition = self.optional_expression(Kind::Semicolon)?;
        self.expect(Kind::Semicolon)?;
        let step = self.optional_expression(Kind::Close)?;
        self.expect(Kind::Close)?;
        let statement = Box::new(self.statement()?);
        let parts = ForStatement { initializer, condition, step, statement };
        Some(Statement::For(self.node(start, parts)))
    }

    /// With its semicolon.
    fn for_initializer(&mut self) -> Option<Node<ForInitializer>> {
        let start = self.start();
        let initializer = if self.eat(Kind::Semicolon) {
            ForInitializer::Empty
        } else if self.declaration_starts() {
            ForInitializer::Declaration(self.declaration()?)
        } else {
            let expression = self.expression()?;
            self.expect(Kind::Semicolon)?;
            ForInitializer::Expression(Box::new(expression))
        };
        Some(self.node(start, initializer))
    }
}
