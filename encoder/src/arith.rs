//! The integer arithmetic of `ir::arith` as terms, for walks through IR.
//!
//! Only values: that a division by zero ends the thread, and that an overflow may be an error, is the
//! walker's to say.

use crate::term::{BitOp, Pool, Term};
use ir::BinOp;
use ir::types::Scalar;

/// An operator on integers that is no comparison.
pub fn binary(pool: &mut Pool, op: BinOp, ty: Scalar, a: Term, b: Term) -> Term {
    let signed = ty.is_signed();
    let (op, b) = match op {
        BinOp::Add => (BitOp::Add, b),
        BinOp::Sub => (BitOp::Sub, b),
        BinOp::Mul => (BitOp::Mul, b),
        BinOp::And => (BitOp::And, b),
        BinOp::Or => (BitOp::Or, b),
        BinOp::Xor => (BitOp::Xor, b),
        BinOp::Shl => (BitOp::Shl, shift_amount(pool, a, b)),
        BinOp::Shr if signed => (BitOp::Ashr, shift_amount(pool, a, b)),
        BinOp::Shr => (BitOp::Lshr, shift_amount(pool, a, b)),
        BinOp::Div if signed => (BitOp::SDiv, b),
        BinOp::Div => (BitOp::UDiv, b),
        _ if signed => (BitOp::SRem, b),
        _ => (BitOp::URem, b),
    };
    pool.binary(op, a, b)
}

/// A comparison of integers, as a Boolean.
pub fn compare(pool: &mut Pool, op: BinOp, ty: Scalar, a: Term, b: Term) -> Term {
    let (x, y) = if matches!(op, BinOp::Gt | BinOp::Ge) { (b, a) } else { (a, b) };
    let strict = matches!(op, BinOp::Lt | BinOp::Gt);
    match (op, ty.is_signed(), strict) {
        (BinOp::Eq, ..) => pool.eq(a, b),
        (BinOp::Ne, ..) => {
            let eq = pool.eq(a, b);
            pool.not(eq)
        }
        (_, true, true) => pool.slt(x, y),
        (_, true, false) => pool.sle(x, y),
        (_, false, true) => pool.ult(x, y),
        (_, false, false) => pool.ule(x, y),
    }
}

/// Amounts count modulo the width, below 32 bits modulo 32.
pub(crate) fn shift_amount(pool: &mut Pool, a: Term, b: Term) -> Term {
    let width = pool.width(a);
    let b = resize(pool, b, width, false);
    let modulus = pool.bits(u64::from(width.max(32) - 1), width);
    pool.binary(BitOp::And, b, modulus)
}

/// Cut off, or extended by the sign if there is one.
pub fn resize(pool: &mut Pool, a: Term, width: u8, signed: bool) -> Term {
    if pool.width(a) >= width {
        pool.extract(a, 0, width)
    } else if signed {
        pool.sign_ext(a, width)
    } else {
        pool.zero_ext(a, width)
    }
}
