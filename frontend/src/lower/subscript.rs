//! Subscripts of arrays inside of larger objects.
//!
//! `a[0][4]` of an `int a[2][3]` is undefined (J.2), though it is an access inside of `a`. What is checked is that
//! accesses stay inside of their objects, as valid-deref has it; that they stay inside of the array that they name is an
//! assumption of the verdict, where the subscript is not seen to. An array that is a variable is left together with its
//! object, and so is the last member of one, unless the subscript is negative: nothing is assumed about those.
//!
//! Cost: a look at declarations for each subscript.

use super::place::Lvalue;
use super::{Result, Unit, Value};
use ir::types::{Field, Scalar, Type, TypeId};
use ir::{Operand, Origin};
use lang_c::ast::{BinaryOperator, BinaryOperatorExpression, Expression, MemberOperator};
use lang_c::span::Node;

const ASSUMPTION: &str = "subscripts of arrays inside of larger objects stay inside of the array";

/// Is there more of the same object before an array, and behind it?
struct Neighbours {
    before: bool,
    behind: bool,
}

impl Unit<'_> {
    /// `a[i]`.
    pub(super) fn element_place(
        &mut self,
        node: &Node<BinaryOperatorExpression>,
    ) -> Result<Lvalue> {
        let (base, index) = self.two_values(&node.node.lhs, &node.node.rhs)?;
        self.mark(node.span);
        if self.may_leave(&node.node, index) == Some(true)
            && self.link.ignored.iter().all(|(text, _)| text != ASSUMPTION)
        {
            self.link.ignored.push((ASSUMPTION.to_owned(), self.at));
        }
        let element = self.pointer_offset(base, index, false)?;
        self.pointed_to(element, &node.node.lhs)
    }

    /// `None` if it is no array inside of a larger object.
    fn may_leave(&mut self, node: &BinaryOperatorExpression, index: Value) -> Option<bool> {
        if self.origin != Origin::User {
            return None;
        }
        let neighbours = self.neighbours(&node.lhs)?;
        let ty = self.declared_type(&node.lhs)?;
        let Type::Array { len: Some(len @ 1..), .. } = *self.link.types.get(ty) else {
            return None;
        };
        let Value::Scalar { ty, .. } = index else { return None };
        let signed = self.link.types.scalar(ty)?.is_signed();
        let most = self.most(&node.rhs, index);
        let (below, above) = (signed && most.is_none(), most.is_none_or(|most| most >= len));
        Some(neighbours.before && below || neighbours.behind && above)
    }

    fn neighbours(&mut self, array: &Node<Expression>) -> Option<Neighbours> {
        match &array.node {
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Index => {
                Some(Neighbours { before: true, behind: true })
            }
            Expression::Member(member) => {
                let member = &member.node;
                let variable = matches!(member.expression.node, Expression::Identifier(_))
                    && member.operator.node == MemberOperator::Direct;
                let of = self.declared_type(&member.expression).filter(|_| variable);
                let (first, last) = of
                    .map_or((false, false), |of| self.is_at_edge(of, &member.identifier.node.name));
                Some(Neighbours { before: !first, behind: !last })
            }
            _ => None,
        }
    }

    /// Is it the first member, and is it the last one?
    fn is_at_edge(&self, record: TypeId, member: &str) -> (bool, bool) {
        let Type::Record(record) = *self.link.types.get(record) else { return (false, false) };
        let record = self.link.types.record(record);
        if record.union {
            return (true, false);
        }
        let fields = record.layout.as_ref().map(|layout| &layout.fields);
        let is_it = |field: Option<&Field>| {
            field.is_some_and(|field| field.name.as_deref() == Some(member))
        };
        let (first, last) = fields.map_or((None, None), |f| (f.first(), f.last()));
        (is_it(first), is_it(last))
    }

    /// The largest value that a subscript can be seen to have.
    fn most(&mut self, node: &Node<Expression>, index: Value) -> Option<u64> {
        let Value::Scalar { op, ty } = index else { return None };
        let scalar = self.link.types.scalar(ty)?;
        if let (Operand::Const { bits, .. }, Scalar::Int { bits: width, signed }) = (op, scalar) {
            let negative = signed && bits >> (width - 1) & 1 == 1;
            return (!negative).then_some(bits);
        }
        if let Scalar::Int { bits: width @ (8 | 16), signed: false } = scalar {
            return Some((1 << width) - 1);
        }
        let Expression::BinaryOperator(b) = &node.node else { return None };
        let bound = self.try_constant(&b.node.rhs).ok()??;
        match b.node.operator.node {
            BinaryOperator::BitwiseAnd => u64::try_from(bound).ok(),
            BinaryOperator::Modulo if !scalar.is_signed() => u64::try_from(bound - 1).ok(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ASSUMPTION;
    use crate::lower::testing::program;

    fn assumed(access: &str) -> bool {
        let declared = "struct s { int a[4]; int b; int last[4]; }; struct s one, many[2]; int flat[4], deep[2][4];";
        let text = format!(
            "{declared} int f(struct s *p, int i, unsigned u, unsigned char c) {{ return {access}; }}"
        );
        program(&text).ignored.iter().any(|(what, _)| what == ASSUMPTION)
    }

    #[test]
    fn subscripts_that_may_leave_their_array_inside_of_the_object() {
        for open in [
            "deep[0][i]",
            "deep[0][4]",
            "deep[1][-1]",
            "one.a[i]",
            "p->a[i]",
            "many[i].last[i]",
            "p->last[i]",
            "one.a[u % 5]",
            "one.a[i & 4]",
            "one.a[i % 4]",
            "one.last[i]",
            "one.last[-1]",
        ] {
            assert!(assumed(open), "{open}");
        }
        for closed in [
            "deep[i][3]",
            "flat[i]",
            "one.last[u]",
            "one.last[9]",
            "one.a[3]",
            "p->a[u % 4]",
            "p->a[i & 3]",
            "(&one)->b",
        ] {
            assert!(!assumed(closed), "{closed}");
        }
    }
}
