//! Expressions: by precedence from the comma down to names and constants.

use super::Parser;
use super::token::Kind;
use lang_c::ast::*;
use lang_c::span::{Node, Span};

type ExpressionNode = Node<Expression>;

/// An operand, and whether it can stand on the left of an assignment as far as the grammar goes.
struct Operand {
    expression: ExpressionNode,
    unary: bool,
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Option<ExpressionNode> {
        let first = self.assignment()?;
        if self.kind() != Kind::Comma {
            return Some(first);
        }
        let start = first.span.start;
        let mut parts = vec![first];
        while self.eat(Kind::Comma) {
            parts.push(self.assignment()?);
        }
        Some(self.node(start, Expression::Comma(Box::new(parts))))
    }

    pub(super) fn assignment(&mut self) -> Option<ExpressionNode> {
        let left = self.operand()?;
        let Some(operator) = assignment_operator(self.kind()).filter(|_| left.unary) else {
            return self.conditional_from(left.expression);
        };
        let operator = self.take(operator);
        let right = self.assignment()?;
        Some(infix(left.expression, operator, right))
    }

    pub(super) fn conditional(&mut self) -> Option<ExpressionNode> {
        let first = self.operand()?.expression;
        self.conditional_from(first)
    }

    fn conditional_from(&mut self, first: ExpressionNode) -> Option<ExpressionNode> {
        let condition = self.binary_from(first, 0)?;
        if !self.eat(Kind::Question) {
            return Some(condition);
        }
        let start = condition.span.start;
        let then_expression = Box::new(self.expression()?);
        self.expect(Kind::Colon)?;
        let else_expression = Box::new(self.conditional()?);
        let condition = Box::new(condition);
        let parts = ConditionalExpression { condition, then_expression, else_expression };
        let parts = self.node(start, parts);
        Some(self.node(start, Expression::Conditional(Box::new(parts))))
    }

    /// Goes on behind `left` with operators that bind at least as tightly as `least`.
    fn binary_from(&mut self, mut left: ExpressionNode, least: u8) -> Option<ExpressionNode> {
        while let Some((operator, level)) = binary_operator(self.kind()) {
            if level < least {
                break;
            }
            let operator = self.take(operator);
            let right = self.operand()?.expression;
            let right = self.binary_from(right, level + 1)?;
            left = infix(left, operator, right);
        }
        Some(left)
    }

    /// A cast, or what stands under unary operators.
    fn operand(&mut self) -> Option<Operand> {
        if self.kind() != Kind::Open || !self.type_starts(1) {
            return self.unary();
        }
        let start = self.start();
        self.advance();
        let type_name = self.type_name()?;
        self.expect(Kind::Close)?;
        if self.kind() == Kind::OpenBrace {
            let initializer_list = self.braces()?;
            let literal = self.node(start, CompoundLiteral { type_name, initializer_list });
            let literal = self.node(start, Expression::CompoundLiteral(Box::new(literal)));
            return Some(Operand { expression: self.postfix_from(literal)?, unary: true });
        }
        let expression = Box::new(self.operand()?.expression);
        let cast = self.node(start, CastExpression { type_name, expression });
        let expression = self.node(start, Expression::Cast(Box::new(cast)));
        Some(Operand { expression, unary: false })
    }

    fn unary(&mut self) -> Option<Operand> {
        let expression = match self.kind() {
            Kind::Increment => self.prefix(UnaryOperator::PreIncrement),
            Kind::Decrement => self.prefix(UnaryOperator::PreDecrement),
            Kind::And => self.prefix(UnaryOperator::Address),
            Kind::Star => self.prefix(UnaryOperator::Indirection),
            Kind::Plus => self.prefix(UnaryOperator::Plus),
            Kind::Minus => self.prefix(UnaryOperator::Minus),
            Kind::Tilde => self.prefix(UnaryOperator::Complement),
            Kind::Not => self.prefix(UnaryOperator::Negate),
            Kind::Sizeof => self.size(),
            Kind::Alignof => self.alignment(),
            _ => {
                let first = self.primary()?;
                self.postfix_from(first)
            }
        }?;
        Some(Operand { expression, unary: true })
    }

    fn prefix(&mut self, operator: UnaryOperator) -> Option<ExpressionNode> {
        let start = self.start();
        let steps = matches!(operator, UnaryOperator::PreIncrement | UnaryOperator::PreDecrement);
        let operator = self.take(operator);
        let operand = self.operand()?;
        if steps && !operand.unary {
            return None;
        }
        let operand = Box::new(operand.expression);
        let unary = self.node(start, UnaryOperatorExpression { operator, operand });
        Some(self.node(start, Expression::UnaryOperator(Box::new(unary))))
    }

    fn size(&mut self) -> Option<ExpressionNode> {
        let start = self.start();
        self.advance();
        if self.kind() == Kind::Open && self.type_starts(1) {
            let type_name = self.type_in_brackets()?;
            let size = self.node(start, SizeOfTy(type_name));
            return Some(self.node(start, Expression::SizeOfTy(Box::new(size))));
        }
        let operand = self.unary()?.expression;
        let size = self.node(start, SizeOfVal(Box::new(operand)));
        Some(self.node(start, Expression::SizeOfVal(Box::new(size))))
    }

    fn alignment(&mut self) -> Option<ExpressionNode> {
        let start = self.start();
        self.advance();
        let type_name = self.type_in_brackets()?;
        let alignment = self.node(start, AlignOf(Box::new(type_name)));
        Some(self.node(start, Expression::AlignOf(Box::new(alignment))))
    }

    pub(super) fn type_in_brackets(&mut self) -> Option<Node<TypeName>> {
        self.expect(Kind::Open)?;
        let type_name = self.type_name()?;
        self.expect(Kind::Close)?;
        Some(type_name)
    }

    fn primary(&mut self) -> Option<ExpressionNode> {
        let start = self.start();
        let expression = match self.kind() {
            Kind::Name => Expression::Identifier(Box::new(self.identifier()?)),
            Kind::FunctionName => {
                let name = self.word().to_owned();
                Expression::Identifier(Box::new(self.take(Identifier { name })))
            }
            Kind::Number => Expression::Constant(Box::new(self.number()?)),
            Kind::Char => Expression::Constant(Box::new(self.character())),
            Kind::Text => Expression::StringLiteral(Box::new(self.string()?)),
            Kind::Open if self.kind_ahead(1) == Kind::OpenBrace => self.statement_expression()?,
            Kind::Open => {
                self.advance();
                let inside = self.expression()?;
                self.expect(Kind::Close)?;
                inside.node
            }
            Kind::Generic => self.generic()?,
            Kind::OffsetOf => self.offset_of()?,
            Kind::VaArg => self.va_arg()?,
            _ => return None,
        };
        Some(self.node(start, expression))
    }

    fn postfix_from(&mut self, mut left: ExpressionNode) -> Option<ExpressionNode> {
        loop {
            left = match self.kind() {
                Kind::OpenSquare => self.index(left)?,
                Kind::Open => self.call(left)?,
                Kind::Dot => self.member(left, MemberOperator::Direct)?,
                Kind::Arrow => self.member(left, MemberOperator::Indirect)?,
                Kind::Increment => self.postfix(left, UnaryOperator::PostIncrement),
                Kind::Decrement => self.postfix(left, UnaryOperator::PostDecrement),
                _ => return Some(left),
            };
        }
    }

    fn index(&mut self, left: ExpressionNode) -> Option<ExpressionNode> {
        let open = self.start();
        self.advance();
        let index = self.expression()?;
        self.expect(Kind::CloseSquare)?;
        let operator = self.node(open, BinaryOperator::Index);
        let (start, end) = (left.span.start, self.end());
        let mut access = infix(left, operator, index);
        access.span = Span::span(start, end);
        Some(access)
    }

    fn call(&mut self, callee: ExpressionNode) -> Option<ExpressionNode> {
        let start = callee.span.start;
        let arguments = self.arguments()?;
        let call = self.node(start, CallExpression { callee: Box::new(callee), arguments });
        Some(self.node(start, Expression::Call(Box::new(call))))
    }

    /// Expressions in brackets; there may be none.
    pub(super) fn arguments(&mut self) -> Option<Vec<ExpressionNode>> {
        self.expect(Kind::Open)?;
        if self.eat(Kind::Close) {
            return Some(Vec::new());
        }
        let arguments = self.list(Self::assignment)?;
        self.expect(Kind::Close)?;
        Some(arguments)
    }

    fn member(&mut self, left: ExpressionNode, operator: MemberOperator) -> Option<ExpressionNode> {
        let start = left.span.start;
        let operator = self.take(operator);
        let identifier = self.identifier()?;
        let expression = Box::new(left);
        let member = self.node(start, MemberExpression { operator, expression, identifier });
        Some(self.node(start, Expression::Member(Box::new(member))))
    }

    fn postfix(&mut self, left: ExpressionNode, operator: UnaryOperator) -> ExpressionNode {
        let start = left.span.start;
        let operator = self.take(operator);
        let operand = Box::new(left);
        let unary = self.node(start, UnaryOperatorExpression { operator, operand });
        self.node(start, Expression::UnaryOperator(Box::new(unary)))
    }

    fn generic(&mut self) -> Option<Expression> {
        let start = self.start();
        self.advance();
        self.expect(Kind::Open)?;
        let expression = Box::new(self.assignment()?);
        self.expect(Kind::Comma)?;
        let associations = self.list(Self::association)?;
        self.expect(Kind::Close)?;
        let generic = self.node(start, GenericSelection { expression, associations });
        Some(Expression::GenericSelection(Box::new(generic)))
    }

    fn association(&mut self) -> Option<Node<GenericAssociation>> {
        let start = self.start();
        if self.eat(Kind::Default) {
            self.expect(Kind::Colon)?;
            let expression = Box::new(self.assignment()?);
            return Some(self.node(start, GenericAssociation::Default(expression)));
        }
        let type_name = self.type_name()?;
        self.expect(Kind::Colon)?;
        let expression = Box::new(self.assignment()?);
        let typed = self.node(start, GenericAssociationType { type_name, expression });
        Some(self.node(start, GenericAssociation::Type(typed)))
    }
}

fn infix(
    lhs: ExpressionNode,
    operator: Node<BinaryOperator>,
    rhs: ExpressionNode,
) -> ExpressionNode {
    let span = Span::span(lhs.span.start, rhs.span.end);
    let (lhs, rhs) = (Box::new(lhs), Box::new(rhs));
    let binary = Node::new(BinaryOperatorExpression { operator, lhs, rhs }, span);
    Node::new(Expression::BinaryOperator(Box::new(binary)), span)
}

fn assignment_operator(kind: Kind) -> Option<BinaryOperator> {
    Some(match kind {
        Kind::Assign => BinaryOperator::Assign,
        Kind::StarAssign => BinaryOperator::AssignMultiply,
        Kind::SlashAssign => BinaryOperator::AssignDivide,
        Kind::PercentAssign => BinaryOperator::AssignModulo,
        Kind::PlusAssign => BinaryOperator::AssignPlus,
        Kind::MinusAssign => BinaryOperator::AssignMinus,
        Kind::ShiftLeftAssign => BinaryOperator::AssignShiftLeft,
        Kind::ShiftRightAssign => BinaryOperator::AssignShiftRight,
        Kind::AndAssign => BinaryOperator::AssignBitwiseAnd,
        Kind::CaretAssign => BinaryOperator::AssignBitwiseXor,
        Kind::OrAssign => BinaryOperator::AssignBitwiseOr,
        _ => return None,
    })
}

/// The operator and how tightly it binds.
fn binary_operator(kind: Kind) -> Option<(BinaryOperator, u8)> {
    Some(match kind {
        Kind::OrOr => (BinaryOperator::LogicalOr, 0),
        Kind::AndAnd => (BinaryOperator::LogicalAnd, 1),
        Kind::Or => (BinaryOperator::BitwiseOr, 2),
        Kind::Caret => (BinaryOperator::BitwiseXor, 3),
        Kind::And => (BinaryOperator::BitwiseAnd, 4),
        Kind::Equal => (BinaryOperator::Equals, 5),
        Kind::NotEqual => (BinaryOperator::NotEquals, 5),
        Kind::Less => (BinaryOperator::Less, 6),
        Kind::Greater => (BinaryOperator::Greater, 6),
        Kind::LessEqual => (BinaryOperator::LessOrEqual, 6),
        Kind::GreaterEqual => (BinaryOperator::GreaterOrEqual, 6),
        Kind::ShiftLeft => (BinaryOperator::ShiftLeft, 7),
        Kind::ShiftRight => (BinaryOperator::ShiftRight, 7),
        Kind::Plus => (BinaryOperator::Plus, 8),
        Kind::Minus => (BinaryOperator::Minus, 8),
        Kind::Star => (BinaryOperator::Multiply, 9),
        Kind::Slash => (BinaryOperator::Divide, 9),
        Kind::Percent => (BinaryOperator::Modulo, 9),
        _ => return None,
    })
}
