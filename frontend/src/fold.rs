//! Arithmetic on constants: what an instruction computes from known bits.
//!
//! Values are bit patterns in the low bits of a `u64`, the high bits zero. `None` means that the
//! result must not be computed here: division by zero, shifts out of range and conversions out of
//! range are left to the engines, which may have to report them. Everything else agrees with the
//! interpreter bit by bit.

use crate::ir::{BinOp, Operand, Rvalue, UnOp};
use crate::types::{Machine, Scalar};

/// A result, and whether the exact one did not fit: undefined in C where signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Folded {
    pub bits: u64,
    pub overflow: bool,
}

fn exact(bits: u64) -> Option<Folded> {
    Some(Folded { bits, overflow: false })
}

/// The low bits that a value of type `ty` has.
pub fn truncate(machine: Machine, ty: Scalar, bits: u64) -> u64 {
    bits & (u64::MAX >> (64 - ty.bits(machine)))
}

/// The number that the bits of an integer or pointer stand for.
pub fn number(machine: Machine, ty: Scalar, bits: u64) -> i128 {
    let spare = 64 - ty.bits(machine);
    if ty.is_signed() { i128::from((bits << spare) as i64 >> spare) } else { i128::from(bits) }
}

/// An integer result cut to its type.
fn fit(machine: Machine, ty: Scalar, value: i128) -> Folded {
    let bits = truncate(machine, ty, value as u64);
    Folded { bits, overflow: number(machine, ty, bits) != value }
}

/// The value of a right-hand side whose operands `known` can tell, with their types.
pub fn rvalue(
    machine: Machine,
    value: &Rvalue,
    known: impl Fn(&Operand) -> Option<(u64, Scalar)>,
) -> Option<Folded> {
    match value {
        Rvalue::Use(a) => exact(known(a)?.0),
        Rvalue::Undef(_) => None,
        Rvalue::Unary { op, ty, a, .. } => unary(machine, *op, *ty, known(a)?.0),
        Rvalue::Binary { op, ty, a, b, .. } => {
            let (b, b_ty) = known(b)?;
            binary(machine, *op, *ty, known(a)?.0, b_ty, b)
        }
        Rvalue::Cast { from, to, a } => cast(machine, *from, *to, known(a)?.0).and_then(exact),
        Rvalue::PtrAdd { base, index, scale } => {
            let (index, index_ty) = known(index)?;
            let index = number(machine, index_ty, index) as u64;
            let sum = known(base)?.0.wrapping_add(index.wrapping_mul(*scale));
            exact(truncate(machine, Scalar::Ptr, sum))
        }
    }
}

pub fn unary(machine: Machine, op: UnOp, ty: Scalar, a: u64) -> Option<Folded> {
    match (op, ty) {
        (UnOp::Neg, Scalar::F32) => exact(a ^ 1 << 31),
        (UnOp::Neg, Scalar::F64) => exact(a ^ 1 << 63),
        (UnOp::Neg, _) => Some(fit(machine, ty, -number(machine, ty, a))),
        (UnOp::Not, Scalar::F32 | Scalar::F64) => None,
        (UnOp::Not, _) => exact(truncate(machine, ty, !a)),
    }
}

pub fn binary(
    machine: Machine,
    op: BinOp,
    ty: Scalar,
    a: u64,
    b_ty: Scalar,
    b: u64,
) -> Option<Folded> {
    match ty {
        Scalar::F32 => {
            let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            match op {
                BinOp::Add => exact(u64::from((a + b).to_bits())),
                BinOp::Sub => exact(u64::from((a - b).to_bits())),
                BinOp::Mul => exact(u64::from((a * b).to_bits())),
                BinOp::Div => exact(u64::from((a / b).to_bits())),
                _ => exact(u64::from(compare(op, a.partial_cmp(&b))?)),
            }
        }
        Scalar::F64 => {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            match op {
                BinOp::Add => exact((a + b).to_bits()),
                BinOp::Sub => exact((a - b).to_bits()),
                BinOp::Mul => exact((a * b).to_bits()),
                BinOp::Div => exact((a / b).to_bits()),
                _ => exact(u64::from(compare(op, a.partial_cmp(&b))?)),
            }
        }
        Scalar::Int { .. } | Scalar::Ptr => integer(machine, op, ty, a, b_ty, b),
    }
}

fn integer(
    machine: Machine,
    op: BinOp,
    ty: Scalar,
    a: u64,
    b_ty: Scalar,
    b: u64,
) -> Option<Folded> {
    let (x, y) = (number(machine, ty, a), number(machine, ty, b));
    match op {
        BinOp::Add => Some(fit(machine, ty, x + y)),
        BinOp::Sub => Some(fit(machine, ty, x - y)),
        BinOp::Mul => Some(fit(machine, ty, x.wrapping_mul(y))),
        BinOp::Div => Some(fit(machine, ty, x.checked_div(y)?)),
        BinOp::Rem => {
            // INT_MIN % -1 is undefined as INT_MIN / -1 is.
            let quotient = fit(machine, ty, x.checked_div(y)?);
            Some(Folded { overflow: quotient.overflow, ..fit(machine, ty, x.checked_rem(y)?) })
        }
        BinOp::And => exact(a & b),
        BinOp::Or => exact(a | b),
        BinOp::Xor => exact(a ^ b),
        BinOp::Shl | BinOp::Shr => {
            let amount = u32::try_from(number(machine, b_ty, b)).ok()?;
            if amount >= u32::from(ty.bits(machine)) {
                return None;
            }
            match op {
                // C leaves shifting a negative number open, even where the result would fit.
                BinOp::Shl => {
                    let folded = fit(machine, ty, x << amount);
                    Some(Folded { overflow: folded.overflow || x < 0, ..folded })
                }
                _ => exact(truncate(machine, ty, (x >> amount) as u64)),
            }
        }
        _ => exact(u64::from(compare(op, Some(x.cmp(&y)))?)),
    }
}

/// `None` for what is no comparison. Unordered floats are only different.
fn compare(op: BinOp, order: Option<std::cmp::Ordering>) -> Option<bool> {
    let holds = |wanted: fn(std::cmp::Ordering) -> bool| order.is_some_and(wanted);
    match op {
        BinOp::Eq => Some(holds(|o| o.is_eq())),
        BinOp::Ne => Some(!holds(|o| o.is_eq())),
        BinOp::Lt => Some(holds(|o| o.is_lt())),
        BinOp::Le => Some(holds(|o| o.is_le())),
        BinOp::Gt => Some(holds(|o| o.is_gt())),
        BinOp::Ge => Some(holds(|o| o.is_ge())),
        _ => None,
    }
}

pub fn cast(machine: Machine, from: Scalar, to: Scalar, a: u64) -> Option<u64> {
    let real = match from {
        Scalar::F32 => f64::from(f32::from_bits(a as u32)),
        Scalar::F64 => f64::from_bits(a),
        _ => return Some(from_integer(machine, number(machine, from, a), to)),
    };
    match (from, to) {
        (Scalar::F32, Scalar::F32) | (Scalar::F64, Scalar::F64) => Some(a),
        (_, Scalar::F32) => Some(u64::from((real as f32).to_bits())),
        (_, Scalar::F64) => Some(real.to_bits()),
        _ => from_real(machine, real.trunc(), to),
    }
}

fn from_integer(machine: Machine, value: i128, to: Scalar) -> u64 {
    match to {
        Scalar::F32 => u64::from((value as f32).to_bits()),
        Scalar::F64 => (value as f64).to_bits(),
        _ => truncate(machine, to, value as u64),
    }
}

/// Only where the truncated number fits: else C gives no meaning.
fn from_real(machine: Machine, whole: f64, to: Scalar) -> Option<u64> {
    if !(-1e30..=1e30).contains(&whole) {
        return None;
    }
    let folded = fit(machine, to, whole as i128);
    (!folded.overflow).then_some(folded.bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    const M: Machine = Machine::Lp64;
    const I8: Scalar = Scalar::Int { bits: 8, signed: true };
    const I64: Scalar = Scalar::Int { bits: 64, signed: true };

    fn bin(op: BinOp, ty: Scalar, a: u64, b: u64) -> Option<(u64, bool)> {
        binary(M, op, ty, a, ty, b).map(|f| (f.bits, f.overflow))
    }

    #[test]
    fn eight_bits_agree_with_rust_on_all_pairs() {
        for a in i8::MIN..=i8::MAX {
            for b in i8::MIN..=i8::MAX {
                let (x, y) = (u64::from(a as u8), u64::from(b as u8));
                let pair = |(v, o): (i8, bool)| Some((u64::from(v as u8), o));
                assert_eq!(bin(BinOp::Add, I8, x, y), pair(a.overflowing_add(b)));
                assert_eq!(bin(BinOp::Sub, I8, x, y), pair(a.overflowing_sub(b)));
                assert_eq!(bin(BinOp::Mul, I8, x, y), pair(a.overflowing_mul(b)));
                assert_eq!(bin(BinOp::Lt, I8, x, y), Some((u64::from(a < b), false)));
                assert_eq!(bin(BinOp::Ge, Scalar::U8, x, y), Some((u64::from(x >= y), false)));
                if b != 0 {
                    assert_eq!(bin(BinOp::Div, I8, x, y), pair(a.overflowing_div(b)));
                    assert_eq!(bin(BinOp::Rem, I8, x, y), pair(a.overflowing_rem(b)));
                }
            }
        }
    }

    #[test]
    fn what_c_leaves_undefined_is_left_alone() {
        assert_eq!(bin(BinOp::Div, I8, 1, 0), None);
        assert_eq!(bin(BinOp::Rem, Scalar::U64, 1, 0), None);
        assert_eq!(bin(BinOp::Shl, Scalar::I32, 1, 32), None);
        assert_eq!(bin(BinOp::Shr, Scalar::I32, 1, 0xffff_ffff), None);
        assert_eq!(cast(M, Scalar::F64, Scalar::I32, 3e9f64.to_bits()), None);
        assert_eq!(cast(M, Scalar::F64, Scalar::I32, f64::NAN.to_bits()), None);
    }

    #[test]
    fn shifts_extend_by_sign() {
        assert_eq!(bin(BinOp::Shr, I8, 0x80, 7), Some((0xff, false)));
        assert_eq!(bin(BinOp::Shr, Scalar::U8, 0x80, 7), Some((1, false)));
        assert_eq!(bin(BinOp::Shl, Scalar::I32, 1, 31), Some((0x8000_0000, true)));
    }

    #[test]
    fn wide_products_wrap() {
        let big = u64::MAX;
        assert_eq!(bin(BinOp::Mul, Scalar::U64, big, big), Some((1, true)));
        assert_eq!(bin(BinOp::Mul, I64, 1 << 63, big), Some((1 << 63, true)));
    }

    #[test]
    fn conversions() {
        assert_eq!(cast(M, I8, I64, 0x80), Some(0xffff_ffff_ffff_ff80));
        assert_eq!(cast(M, Scalar::U8, I64, 0x80), Some(0x80));
        assert_eq!(cast(M, Scalar::F64, Scalar::I32, (-2.9f64).to_bits()), Some(0xffff_fffe));
        assert_eq!(cast(M, I8, Scalar::F32, 0xff), Some(u64::from((-1f32).to_bits())));
        assert_eq!(cast(Machine::Ilp32, Scalar::U64, Scalar::Ptr, 1 << 32), Some(0));
    }

    #[test]
    fn floats_compare_unordered() {
        let nan = f64::NAN.to_bits();
        assert_eq!(bin(BinOp::Ne, Scalar::F64, nan, nan), Some((1, false)));
        assert_eq!(bin(BinOp::Le, Scalar::F64, nan, nan), Some((0, false)));
        assert_eq!(bin(BinOp::Rem, Scalar::F64, nan, nan), None);
    }
}
