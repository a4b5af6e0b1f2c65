//! What instructions compute, as terms over machine words; what is not a number may be anything.

use super::interval::Interval;
use super::overflow;
use encoder::{Pool, Sort, Term, arith};
use ir::types::{Machine, Scalar};
use ir::{BinOp, Operand, Rvalue, UnOp};

pub struct Computed {
    pub value: Term,
    /// When there is a value: no division by zero, and no overflow if that ends the execution.
    pub defined: Option<Term>,
}

/// What is computed with; nothing for floats, addresses and what is undefined.
pub fn operands(value: &Rvalue) -> [Option<&Operand>; 2] {
    match value {
        Rvalue::Use(a) => [Some(a), None],
        Rvalue::Unary { ty, a, .. } if !ty.is_float() => [Some(a), None],
        Rvalue::Binary { ty, a, b, .. } if !ty.is_float() => [Some(a), Some(b)],
        Rvalue::Cast { from, to, a } if !from.is_float() && !to.is_float() => [Some(a), None],
        _ => [None, None],
    }
}

/// Needs: the terms of `operands`. An overflow of a signed number wraps around, or has no value.
pub fn rvalue(
    pool: &mut Pool,
    machine: Machine,
    value: &Rvalue,
    operands: [Option<Term>; 2],
    overflow_ends: bool,
) -> Computed {
    let mut defined = None;
    let any = |pool: &mut Pool, ty: Scalar| pool.fresh(Sort::Bits(ty.bits(machine)));
    let value = match (value, operands) {
        (Rvalue::Use(_), [Some(a), _]) => a,
        (Rvalue::Unary { op, .. }, [Some(a), _]) => match op {
            UnOp::Not => pool.bit_not(a),
            UnOp::Neg => pool.neg(a),
        },
        (Rvalue::Binary { op, ty, .. }, [Some(a), Some(b)]) if op.is_comparison() => {
            let holds = arith::compare(pool, *op, *ty, a, b);
            pool.bool_to_bits(holds, 32)
        }
        (Rvalue::Binary { op, ty, checked, .. }, [Some(a), Some(b)]) => {
            if overflow_ends && *checked && overflow::is_checked(*op, *ty) && is_small(pool, a) {
                defined = Some(overflow::stays(pool, *op, a, b));
            }
            if matches!(op, BinOp::Div | BinOp::Rem) {
                defined = Some(pool.truth(b));
            }
            arith::binary(pool, *op, *ty, a, b)
        }
        (Rvalue::Cast { from, to, .. }, [Some(a), _]) => {
            arith::resize(pool, a, to.bits(machine), from.is_signed())
        }
        (Rvalue::Binary { op, .. }, _) if op.is_comparison() => any(pool, Scalar::I32),
        (Rvalue::Unary { ty, .. } | Rvalue::Binary { ty, .. } | Rvalue::Undef(ty), _) => {
            any(pool, *ty)
        }
        (Rvalue::Cast { to, .. }, _) => any(pool, *to),
        (Rvalue::PtrAdd { .. } | Rvalue::Use(_), _) => any(pool, Scalar::Ptr),
    };
    Computed { value, defined }
}

/// Is there room for the exact result?
fn is_small(pool: &Pool, a: Term) -> bool {
    pool.width(a) <= 32
}

/// That a value is in the interval, unless all of its type are.
pub fn within(
    pool: &mut Pool,
    machine: Machine,
    value: Term,
    ty: Scalar,
    range: Interval,
) -> Option<Term> {
    if !matches!(ty, Scalar::Int { .. }) {
        return None;
    }
    let range = range.fit(ty, machine);
    if range == Interval::range(ty, machine) {
        return None;
    }
    let width = pool.width(value);
    let [lo, hi] = [range.lo, range.hi].map(|n| pool.bits(n as u64, width));
    let above = arith::compare(pool, BinOp::Ge, ty, value, lo);
    let below = arith::compare(pool, BinOp::Le, ty, value, hi);
    Some(pool.and(above, below))
}
