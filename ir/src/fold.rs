//! Arithmetic on constants: what an instruction computes from known bits.
//!
//! The numbers are those of `arith`, so folding agrees with the interpreter bit by bit. `None` means
//! that the result must not be computed here: division by zero, shifts out of range and conversions
//! out of range are left to the engines, which may have to report them.

use crate::arith::{self, Computed};
use crate::types::{Machine, Scalar};
use crate::{BinOp, Operand, Rvalue, UnOp};

/// A result, and whether it is undefined in C (a signed overflow).
pub type Folded = Computed;

fn exact(bits: u64) -> Option<Folded> {
    Some(Folded { bits, overflow: false })
}

/// The low bits that a value of type `ty` has.
pub fn truncate(machine: Machine, ty: Scalar, bits: u64) -> u64 {
    bits & arith::mask(ty.bits(machine))
}

/// The number that the bits of an integer or pointer stand for.
pub fn number(machine: Machine, ty: Scalar, bits: u64) -> i128 {
    arith::number(bits, ty, machine)
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
    let defined = op == UnOp::Neg || !ty.is_float();
    defined.then(|| arith::unary(op, ty, machine, a))
}

pub fn binary(
    machine: Machine,
    op: BinOp,
    ty: Scalar,
    a: u64,
    b_ty: Scalar,
    b: u64,
) -> Option<Folded> {
    use BinOp::{Add, Div, Mul, Shl, Shr, Sub};
    let defined = match op {
        Shl | Shr if ty.is_float() => false,
        Shl | Shr => (0..i128::from(ty.bits(machine))).contains(&number(machine, b_ty, b)),
        Add | Sub | Mul | Div => true,
        _ => op.is_comparison() || !ty.is_float(),
    };
    if !defined {
        return None;
    }
    arith::binary(op, ty, b_ty, machine, a, b).ok()
}

/// Only where the number fits: else C gives no meaning.
pub fn cast(machine: Machine, from: Scalar, to: Scalar, a: u64) -> Option<u64> {
    let bits = arith::cast(from, to, machine, a);
    let real = match from {
        Scalar::F32 => f64::from(f32::from_bits(a as u32)),
        Scalar::F64 => f64::from_bits(a),
        _ => return Some(bits),
    };
    (to.is_float() || number(machine, to, bits) as f64 == real.trunc()).then_some(bits)
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
        assert_eq!(bin(BinOp::Mul, Scalar::U64, big, big), Some((1, false)));
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
