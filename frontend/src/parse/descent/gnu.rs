//! What GNU adds: attributes, assembly, `typeof`, statements as expressions, and builtins with
//! types as arguments.

use super::Parser;
use super::token::Kind;
use lang_c::ast::*;
use lang_c::span::Node;

impl Parser<'_> {
    /// Any number of `__attribute__((...))`, as one list.
    pub(super) fn attributes(&mut self) -> Option<Vec<Node<Extension>>> {
        let mut list = Vec::new();
        while self.kind() == Kind::Attribute {
            list.extend(self.attribute_specifier()?);
        }
        Some(list)
    }

    pub(super) fn attribute_specifier(&mut self) -> Option<Vec<Node<Extension>>> {
        self.expect(Kind::Attribute)?;
        self.expect(Kind::Open)?;
        self.expect(Kind::Open)?;
        let mut list = Vec::new();
        if self.kind() != Kind::Close {
            list = self.list(Self::attribute)?;
        }
        self.expect(Kind::Close)?;
        self.expect(Kind::Close)?;
        Some(list)
    }

    /// Its name may be any word, `const` too.
    fn attribute(&mut self) -> Option<Node<Extension>> {
        let start = self.start();
        let name = self.word();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return None;
        }
        let name = self.take(name.to_owned());
        let mut arguments = Vec::new();
        if self.kind() == Kind::Open {
            arguments = self.arguments()?;
        }
        Some(self.node(start, Extension::Attribute(Attribute { name, arguments })))
    }

    /// `int x __asm__("y");`
    pub(super) fn asm_label(&mut self) -> Option<Node<Extension>> {
        let start = self.start();
        self.advance();
        self.expect(Kind::Open)?;
        let name = self.string()?;
        self.expect(Kind::Close)?;
        Some(self.node(start, Extension::AsmLabel(name)))
    }

    /// With its semicolon.
    pub(super) fn asm(&mut self) -> Option<Node<AsmStatement>> {
        let start = self.start();
        self.advance();
        let qualifier = self.qualifier();
        self.expect(Kind::Open)?;
        let template = self.string()?;
        let mut asm = GnuExtendedAsmStatement {
            qualifier,
            template,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
        };
        let extended = self.kind() == Kind::Colon;
        if self.eat(Kind::Colon) {
            asm.outputs = self.asm_operands()?;
        }
        if self.eat(Kind::Colon) {
            asm.inputs = self.asm_operands()?;
        }
        if self.eat(Kind::Colon) && self.kind() != Kind::Close {
            asm.clobbers = self.list(Self::string)?;
        }
        self.expect(Kind::Close)?;
        self.expect(Kind::Semicolon)?;
        let statement = match extended {
            true => AsmStatement::GnuExtended(asm),
            false => AsmStatement::GnuBasic(asm.template),
        };
        Some(self.node(start, statement))
    }

    fn asm_operands(&mut self) -> Option<Vec<Node<GnuAsmOperand>>> {
        match self.kind() {
            Kind::Colon | Kind::Close => Some(Vec::new()),
            _ => self.list(Self::asm_operand),
        }
    }

    fn asm_operand(&mut self) -> Option<Node<GnuAsmOperand>> {
        let start = self.start();
        let mut symbolic_name = None;
        if self.eat(Kind::OpenSquare) {
            symbolic_name = Some(self.identifier()?);
            self.expect(Kind::CloseSquare)?;
        }
        let constraints = self.string()?;
        self.expect(Kind::Open)?;
        let variable_name = self.expression()?;
        self.expect(Kind::Close)?;
        Some(self.node(start, GnuAsmOperand { symbolic_name, constraints, variable_name }))
    }

    /// A lone name is an expression for lang-c, even that of a type; the lowering knows.
    pub(super) fn type_of(&mut self) -> Option<Node<TypeOf>> {
        self.advance();
        self.expect(Kind::Open)?;
        let start = self.start();
        let name_alone = self.kind() == Kind::Name && self.kind_ahead(1) == Kind::Close;
        let of = match self.type_starts(0) && !name_alone {
            true => TypeOf::Type(self.type_name()?),
            false => TypeOf::Expression(self.expression()?),
        };
        let of = self.node(start, of);
        self.expect(Kind::Close)?;
        Some(of)
    }

    /// `({ ... })`
    pub(super) fn statement_expression(&mut self) -> Option<Expression> {
        self.advance();
        let start = self.start();
        let body = self.in_scope(Self::compound)?;
        let body = self.node(start, body);
        self.expect(Kind::Close)?;
        Some(Expression::Statement(Box::new(body)))
    }

    pub(super) fn va_arg(&mut self) -> Option<Expression> {
        let start = self.start();
        self.advance();
        self.expect(Kind::Open)?;
        let va_list = Box::new(self.assignment()?);
        self.expect(Kind::Comma)?;
        let type_name = self.type_name()?;
        self.expect(Kind::Close)?;
        let access = self.node(start, VaArgExpression { va_list, type_name });
        Some(Expression::VaArg(Box::new(access)))
    }

    pub(super) fn offset_of(&mut self) -> Option<Expression> {
        let start = self.start();
        self.advance();
        self.expect(Kind::Open)?;
        let type_name = self.type_name()?;
        self.expect(Kind::Comma)?;
        let first = self.start();
        let base = self.identifier()?;
        let mut members = Vec::new();
        while let Some(member) = self.offset_member()? {
            members.push(member);
        }
        let designator = self.node(first, OffsetDesignator { base, members });
        self.expect(Kind::Close)?;
        let offset = self.node(start, OffsetOfExpression { type_name, designator });
        Some(Expression::OffsetOf(Box::new(offset)))
    }

    fn offset_member(&mut self) -> Option<Option<Node<OffsetMember>>> {
        let start = self.start();
        let member = if self.eat(Kind::Dot) {
            OffsetMember::Member(self.identifier()?)
        } else if self.eat(Kind::Arrow) {
            OffsetMember::IndirectMember(self.identifier()?)
        } else if self.eat(Kind::OpenSquare) {
            let index = self.expression()?;
            self.expect(Kind::CloseSquare)?;
            OffsetMember::Index(index)
        } else {
            return Some(None);
        };
        Some(Some(self.node(start, member)))
    }
}
