//! What evaluating an expression may do, seen from its text: before it is lowered, and without types.
//!
//! Too much may be said, never too little. Cost: one walk over the expression.

use super::Unit;
use super::scope::Symbol;
use super::sequence::{Part, Wanted};
use analysis::jumps;
use ir::types::Type;
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as Bytes};
use lang_c::visit::{self, Visit};

#[derive(Clone, Copy, Default)]
pub(crate) struct Effects {
    /// It calls a function of the program.
    pub calls: bool,
    /// It reads memory, or calls something else.
    pub touches: bool,
    /// It must not be lowered twice.
    pub once: bool,
}

impl Unit<'_> {
    pub fn effects(&self, (wanted, node): Part) -> Effects {
        if matches!(node.node, Expression::Constant(_) | Expression::StringLiteral(_)) {
            return Effects::default();
        }
        let mut calls = CalledFunctions { defined: &self.defined, found: false, once: false };
        if !matches!(node.node, Expression::Identifier(_)) {
            calls.visit_expression(&node.node, &node.span);
        }
        Effects { calls: calls.found, touches: self.touches(wanted, node), once: calls.once }
    }

    fn touches(&self, wanted: Wanted, node: &Node<Expression>) -> bool {
        use Expression as E;
        use ast::{BinaryOperator as B, MemberOperator, UnaryOperator as U};
        let value = |node| self.touches(Wanted::Value, node);
        match &node.node {
            E::Identifier(id) => wanted != Wanted::Place && self.lies_in_memory(&id.node.name),
            E::Constant(_) | E::StringLiteral(_) => false,
            E::SizeOfTy(_) | E::SizeOfVal(_) | E::AlignOf(_) | E::OffsetOf(_) => false,
            E::Cast(cast) => value(&cast.node.expression),
            E::Member(member) => match member.node.operator.node {
                MemberOperator::Direct => self.touches(wanted, &member.node.expression),
                MemberOperator::Indirect => {
                    wanted != Wanted::Place || value(&member.node.expression)
                }
            },
            E::UnaryOperator(unary) => match unary.node.operator.node {
                U::PostIncrement | U::PostDecrement | U::PreIncrement | U::PreDecrement => {
                    self.may_be_come_back_to() || value(&unary.node.operand)
                }
                U::Address => self.touches(Wanted::Place, &unary.node.operand),
                U::Indirection => wanted != Wanted::Place || value(&unary.node.operand),
                _ => value(&unary.node.operand),
            },
            E::BinaryOperator(binary) => {
                let (lhs, rhs) = (&binary.node.lhs, &binary.node.rhs);
                let is_index = matches!(binary.node.operator.node, B::Index);
                let assigns = is_assignment(&binary.node.operator.node);
                is_index && wanted != Wanted::Place
                    || assigns && self.may_be_come_back_to()
                    || value(lhs)
                    || value(rhs)
            }
            E::Conditional(choice) => {
                let choice = &choice.node;
                value(&choice.condition)
                    || value(&choice.then_expression)
                    || value(&choice.else_expression)
            }
            _ => true,
        }
    }

    /// Is there a `setjmp`? Then variables in registers can be seen after a jump.
    fn may_be_come_back_to(&self) -> bool {
        jumps::SAVES.iter().any(|name| self.link.own.contains(*name))
    }

    fn lies_in_memory(&self, name: &str) -> bool {
        let ty = match self.lookup(name) {
            Some(Symbol::Object { object }) => self.link.objects[object.index()].ty,
            Some(Symbol::Slot { ty, .. }) => *ty,
            _ => return false,
        };
        !matches!(self.link.types.get(ty), Type::Array { .. })
    }
}

/// Functions of the program that an expression calls, and what must not be lowered twice.
struct CalledFunctions<'a> {
    defined: &'a rustc_hash::FxHashSet<String>,
    found: bool,
    once: bool,
}

impl<'ast> Visit<'ast> for CalledFunctions<'_> {
    fn visit_call_expression(&mut self, call: &'ast ast::CallExpression, span: &'ast Bytes) {
        if let Expression::Identifier(id) = &call.callee.node {
            self.found |= self.defined.contains(&id.node.name);
        }
        visit::visit_call_expression(self, call, span);
    }

    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Bytes) {
        self.once |= matches!(expression, Expression::Statement(_));
        visit::visit_expression(self, expression, span);
    }
}

/// Does the expression assign to the variable, with no sequence point before its value?
pub(crate) fn has_side_effect_on(node: &Node<Expression>, name: &str) -> bool {
    use ast::{BinaryOperator as B, UnaryOperator as U};
    let is = |e: &Node<Expression>| matches!(&e.node, Expression::Identifier(id) if id.node.name == name);
    match &node.node {
        Expression::UnaryOperator(unary) => {
            let unary = &unary.node;
            let steps = matches!(
                unary.operator.node,
                U::PostIncrement | U::PostDecrement | U::PreIncrement | U::PreDecrement
            );
            steps && is(&unary.operand) || has_side_effect_on(&unary.operand, name)
        }
        Expression::Cast(cast) => has_side_effect_on(&cast.node.expression, name),
        Expression::BinaryOperator(binary) => {
            let binary = &binary.node;
            let operator = &binary.operator.node;
            if matches!(operator, B::LogicalAnd | B::LogicalOr) {
                return false;
            }
            is_assignment(operator) && is(&binary.lhs)
                || has_side_effect_on(&binary.lhs, name)
                || has_side_effect_on(&binary.rhs, name)
        }
        _ => false,
    }
}

fn is_assignment(operator: &ast::BinaryOperator) -> bool {
    use ast::BinaryOperator as B;
    matches!(
        operator,
        B::Assign
            | B::AssignMultiply
            | B::AssignDivide
            | B::AssignModulo
            | B::AssignPlus
            | B::AssignMinus
            | B::AssignShiftLeft
            | B::AssignShiftRight
            | B::AssignBitwiseAnd
            | B::AssignBitwiseXor
            | B::AssignBitwiseOr
    )
}
