//! The IR's arithmetic on known bits: what `Rvalue::{Unary, Binary, Cast}` compute.
//!
//! A value is the low bits of a `u64`, as wide as its `Scalar`, high bits zero. Everything wraps;
//! shift amounts are taken modulo the width of the operand rounded up to 32 or 64, as x86 does. Only
//! division by zero has no result. The lowering and the passes fold with these functions and the
//! interpreter computes with them, so the two can never disagree.

use crate::ir::{BinOp, UnOp};
use crate::types::{Machine, Scalar};

/// `None`: division by zero.
pub fn binary(machine: Machine, op: BinOp, ty: Scalar, a: u64, b: u64) -> Option<u64> {
    match ty {
        Scalar::F32 => {
            float_binary(op, f64::from(f32_of(a)), f64::from(f32_of(b)), |x| bits32(x as f32))
        }
        Scalar::F64 => float_binary(op, f64::from_bits(a), f64::from_bits(b), f64::to_bits),
        _ => int_binary(op, ty.bits(machine), ty.is_signed(), a, b),
    }
}

pub fn unary(machine: Machine, op: UnOp, ty: Scalar, a: u64) -> u64 {
    match (op, ty) {
        (UnOp::Neg, Scalar::F32) => bits32(-f32_of(a)),
        (UnOp::Neg, Scalar::F64) => (-f64::from_bits(a)).to_bits(),
        (UnOp::Neg, _) => truncate(a.wrapping_neg(), ty.bits(machine)),
        (UnOp::Not, _) => truncate(!a, ty.bits(machine)),
    }
}

pub fn cast(machine: Machine, from: Scalar, to: Scalar, a: u64) -> u64 {
    match (from, to) {
        (Scalar::F32, Scalar::F32) | (Scalar::F64, Scalar::F64) => a,
        (Scalar::F32, Scalar::F64) => f64::from(f32_of(a)).to_bits(),
        (Scalar::F64, Scalar::F32) => bits32(f64::from_bits(a) as f32),
        (Scalar::F32 | Scalar::F64, _) => {
            let value = if from == Scalar::F32 { f64::from(f32_of(a)) } else { f64::from_bits(a) };
            float_to_int(value, to.bits(machine), to.is_signed())
        }
        (_, Scalar::F32) if from.is_signed() => bits32(sign_extend(a, from.bits(machine)) as f32),
        (_, Scalar::F32) => bits32(a as f32),
        (_, Scalar::F64) if from.is_signed() => {
            (sign_extend(a, from.bits(machine)) as f64).to_bits()
        }
        (_, Scalar::F64) => (a as f64).to_bits(),
        _ => {
            let wide = if from.is_signed() { sign_extend(a, from.bits(machine)) as u64 } else { a };
            truncate(wide, to.bits(machine))
        }
    }
}

/// The value as a mathematical integer.
pub fn to_i128(bits: u8, signed: bool, a: u64) -> i128 {
    if signed { i128::from(sign_extend(a, bits)) } else { i128::from(truncate(a, bits)) }
}

pub fn truncate(a: u64, bits: u8) -> u64 {
    if bits >= 64 { a } else { a & ((1 << bits) - 1) }
}

pub fn sign_extend(a: u64, bits: u8) -> i64 {
    if bits >= 64 {
        return a as i64;
    }
    let unused = 64 - u32::from(bits);
    ((a << unused) as i64) >> unused
}

fn int_binary(op: BinOp, bits: u8, signed: bool, a: u64, b: u64) -> Option<u64> {
    let (x, y) = (to_i128(bits, signed, a), to_i128(bits, signed, b));
    let amount = (b as u32) & if bits > 32 { 63 } else { 31 };
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::Div if y == 0 => return None,
        BinOp::Rem if y == 0 => return None,
        BinOp::Div => (x / y) as u64,
        BinOp::Rem => (x % y) as u64,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => a << amount,
        BinOp::Shr => (x >> amount) as u64,
        BinOp::Eq => u64::from(x == y),
        BinOp::Ne => u64::from(x != y),
        BinOp::Lt => u64::from(x < y),
        BinOp::Le => u64::from(x <= y),
        BinOp::Gt => u64::from(x > y),
        BinOp::Ge => u64::from(x >= y),
    };
    Some(if op.is_comparison() { result } else { truncate(result, bits) })
}

/// Single-precision operands are exact as doubles, and one operation on them rounded to double and
/// then to single gives the single-precision result (double has more than twice the digits).
fn float_binary(op: BinOp, x: f64, y: f64, back: impl Fn(f64) -> u64) -> Option<u64> {
    Some(match op {
        BinOp::Add => back(x + y),
        BinOp::Sub => back(x - y),
        BinOp::Mul => back(x * y),
        BinOp::Div => back(x / y),
        BinOp::Eq => u64::from(x == y),
        BinOp::Ne => u64::from(x != y),
        BinOp::Lt => u64::from(x < y),
        BinOp::Le => u64::from(x <= y),
        BinOp::Gt => u64::from(x > y),
        BinOp::Ge => u64::from(x >= y),
        BinOp::Rem | BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => return None,
    })
}

/// Out of range is undefined in C; this is what x86-64 code commonly gives.
fn float_to_int(value: f64, bits: u8, signed: bool) -> u64 {
    let wide = if signed || bits < 64 { value as i64 as u64 } else { value as u64 };
    truncate(wide, bits)
}

fn f32_of(a: u64) -> f32 {
    f32::from_bits(a as u32)
}

fn bits32(x: f32) -> u64 {
    u64::from(x.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LP64: Machine = Machine::Lp64;
    const I8: Scalar = Scalar::Int { bits: 8, signed: true };
    const I64: Scalar = Scalar::Int { bits: 64, signed: true };

    #[test]
    fn integers_wrap_at_their_width() {
        assert_eq!(binary(LP64, BinOp::Add, Scalar::U8, 250, 10), Some(4));
        assert_eq!(binary(LP64, BinOp::Sub, Scalar::I32, 0, 1), Some(0xffff_ffff));
        assert_eq!(binary(LP64, BinOp::Mul, I64, u64::MAX, 3), Some((-3i64) as u64));
        assert_eq!(unary(LP64, UnOp::Neg, I8, 0x80), 0x80);
    }

    #[test]
    fn division_and_shift_follow_the_sign() {
        let minus7 = (-7i32) as u32 as u64;
        assert_eq!(binary(LP64, BinOp::Div, Scalar::I32, minus7, 2), Some((-3i32) as u32 as u64));
        assert_eq!(binary(LP64, BinOp::Rem, Scalar::I32, minus7, 2), Some((-1i32) as u32 as u64));
        assert_eq!(binary(LP64, BinOp::Div, Scalar::U32, minus7, 2), Some(0x7fff_fffc));
        assert_eq!(binary(LP64, BinOp::Shr, Scalar::I32, minus7, 1), Some((-4i32) as u32 as u64));
        assert_eq!(binary(LP64, BinOp::Div, Scalar::I32, 1, 0), None);
        let min = i64::MIN as u64;
        assert_eq!(binary(LP64, BinOp::Div, I64, min, u64::MAX), Some(min));
    }

    #[test]
    fn comparisons_respect_the_type() {
        assert_eq!(binary(LP64, BinOp::Lt, I8, 0xff, 1), Some(1));
        assert_eq!(binary(LP64, BinOp::Lt, Scalar::U8, 0xff, 1), Some(0));
    }

    #[test]
    fn casts_extend_and_truncate() {
        assert_eq!(cast(LP64, I8, Scalar::I32, 0xff), 0xffff_ffff);
        assert_eq!(cast(LP64, Scalar::U8, Scalar::I32, 0xff), 0xff);
        assert_eq!(cast(LP64, I64, I8, 0x1_80), 0x80);
        assert_eq!(
            cast(LP64, Scalar::F64, Scalar::I32, (-2.9f64).to_bits()),
            (-2i32) as u32 as u64
        );
        assert_eq!(cast(LP64, Scalar::I32, Scalar::F64, 0xffff_ffff), (-1f64).to_bits());
        assert_eq!(cast(LP64, Scalar::I32, Scalar::Ptr, 0xffff_ffff), u64::MAX);
    }

    #[test]
    fn single_precision_rounds_once() {
        let (a, b) = (0.1f32, 0.2f32);
        let sum = binary(LP64, BinOp::Add, Scalar::F32, bits32(a), bits32(b));
        assert_eq!(sum, Some(bits32(a + b)));
    }
}
