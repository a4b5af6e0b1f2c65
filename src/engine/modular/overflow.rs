//! Signed overflow: may the result of a checked operator be outside of its type?
//!
//! As `arith` in the front-end defines it, on intervals: exact numbers are compared with the range of
//! the type. What is not known to be a number may be any.

use super::interval::Interval;
use super::value::Value;
use encoder::{Pool, Term, arith};
use ir::types::{Machine, Scalar};
use ir::{BinOp, Operand, Rvalue, UnOp};

/// Operators whose result C does not define outside of the type, as far as executions may end there
/// (`--undefined ends`): machines agree on shifts.
pub fn is_checked(op: BinOp, ty: Scalar) -> bool {
    ty.is_signed() && !ty.is_float() && matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul)
}

/// That the operator stays inside of its type.
pub fn stays(pool: &mut Pool, op: BinOp, a: Term, b: Term) -> Term {
    let width = pool.width(a);
    let wide = if op == BinOp::Mul { 2 * width } else { width + 1 };
    let (x, y) = (pool.sign_ext(a, wide), pool.sign_ext(b, wide));
    let exact = match op {
        BinOp::Add => pool.add(x, y),
        BinOp::Sub => pool.sub(x, y),
        _ => arith::binary(pool, op, Scalar::Int { bits: 64, signed: true }, x, y),
    };
    let result = pool.extract(exact, 0, width);
    let back = pool.sign_ext(result, wide);
    pool.eq(exact, back)
}

/// `look`: value and type of an operand.
pub fn is_possible(
    machine: Machine,
    value: &Rvalue,
    look: impl Fn(&Operand) -> (Value, Scalar),
) -> bool {
    match value {
        Rvalue::Unary { op: UnOp::Neg, ty, a, checked: true } if ty.is_signed() => {
            let Some(a) = numbers(&look(a).0, *ty, machine) else { return false };
            !a.negated().within(Interval::range(*ty, machine))
        }
        Rvalue::Binary { op, ty, a, b, checked: true } if !ty.is_float() => {
            let (b, right) = look(b);
            let right = if is_shift(*op) { right } else { *ty };
            let a = numbers(&look(a).0, *ty, machine);
            let b = numbers(&b, right, machine);
            a.zip(b).is_some_and(|(a, b)| leaves(*op, *ty, machine, a, b))
        }
        _ => false,
    }
}

/// As numbers of the type; `None` if no execution gets here.
fn numbers(value: &Value, ty: Scalar, machine: Machine) -> Option<Interval> {
    if value.is_bottom() {
        return None;
    }
    let any = Interval::range(ty, machine);
    Some(value.as_number().map_or(any, |n| n.fit(ty, machine)))
}

fn is_shift(op: BinOp) -> bool {
    matches!(op, BinOp::Shl | BinOp::Shr)
}

fn leaves(op: BinOp, ty: Scalar, machine: Machine, a: Interval, b: Interval) -> bool {
    let range = Interval::range(ty, machine);
    let fits = |exact: Option<Interval>| exact.is_some_and(|e| e.within(range));
    let amounts = Interval { lo: 0, hi: i128::from(ty.bits(machine)) - 1 };
    match op {
        BinOp::Shr => !b.within(amounts),
        BinOp::Shl if !ty.is_signed() => !b.within(amounts),
        BinOp::Shl => !b.within(amounts) || a.lo < 0 || !fits(a.times(power_of_two(b))),
        _ if !ty.is_signed() => false,
        BinOp::Div | BinOp::Rem => a.contains(range.lo) && b.contains(-1),
        BinOp::Add | BinOp::Sub | BinOp::Mul => !fits(Interval::binary(op, a, b)),
        _ => false,
    }
}

/// Needs: amounts of a shift.
fn power_of_two(by: Interval) -> Interval {
    Interval { lo: 1 << by.lo.clamp(0, 64), hi: 1 << by.hi.clamp(0, 64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Scalar = Scalar::I32;
    const MAX: i128 = 0x7fff_ffff;

    fn int(op: BinOp, a: (i128, i128), b: (i128, i128)) -> bool {
        let interval = |(lo, hi)| Interval { lo, hi };
        leaves(op, INT, Machine::Lp64, interval(a), interval(b))
    }

    #[test]
    fn only_what_stays_inside_does_not_overflow() {
        assert!(!int(BinOp::Add, (0, MAX - 1), (0, 1)));
        assert!(int(BinOp::Add, (0, MAX), (0, 1)));
        assert!(!int(BinOp::Sub, (0, MAX), (0, MAX)));
        assert!(int(BinOp::Sub, (-2, 0), (0, MAX)));
        assert!(!int(BinOp::Mul, (-10, 10), (-10, 10)));
        assert!(int(BinOp::Mul, (0, 1 << 16), (0, 1 << 16)));
        assert!(!int(BinOp::Div, (-MAX - 1, MAX), (0, 5)));
        assert!(int(BinOp::Rem, (-MAX - 1, MAX), (-1, 5)));
    }

    #[test]
    fn shifts_must_not_lose_bits() {
        assert!(!int(BinOp::Shl, (0, 1), (0, 30)));
        assert!(int(BinOp::Shl, (0, 1), (0, 31)));
        assert!(int(BinOp::Shl, (-1, 1), (0, 1)));
        assert!(!int(BinOp::Shr, (-1, 1), (0, 31)));
        assert!(int(BinOp::Shr, (-1, 1), (0, 32)));
    }
}
