//! Arithmetic on bit patterns, as the IR's types say.
//!
//! Integers are computed exactly in 128 bits and then wrapped, so overflow is "the wrapped result
//! differs". What C leaves undefined and the caller does not check is defined here as: results
//! wrap, shift amounts count modulo the width (modulo 32 below 32 bits) as on x86, `INT_MIN / -1`
//! is `INT_MIN`, floats out of range saturate at 128 bits and then wrap, NaN converts to 0.

use crate::types::{Machine, Scalar};
use crate::{BinOp, UnOp};

/// A result, and whether computing it was undefined behaviour in C for a signed type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Computed {
    pub bits: u64,
    pub overflow: bool,
}

/// Division or remainder by zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DivisionByZero;

pub fn mask(bits: u8) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The number congruent to `v` modulo `2^bits` in the range of the type.
pub fn wrap(v: i128, bits: u8, signed: bool) -> i128 {
    let unused = 128 - u32::from(bits);
    if signed { (v << unused) >> unused } else { ((v as u128) << unused >> unused) as i128 }
}

/// The mathematical value of a bit pattern of an integer or pointer type.
pub fn number(bits: u64, ty: Scalar, machine: Machine) -> i128 {
    wrap(i128::from(bits), ty.bits(machine), ty.is_signed())
}

pub fn unary(op: UnOp, ty: Scalar, machine: Machine, a: u64) -> Computed {
    match (op, ty) {
        (UnOp::Neg, Scalar::F32) => exact(u64::from((-f32::from_bits(a as u32)).to_bits())),
        (UnOp::Neg, Scalar::F64) => exact((-f64::from_bits(a)).to_bits()),
        (UnOp::Neg, _) => fit(-number(a, ty, machine), ty, machine),
        (UnOp::Not, _) => exact(!a & mask(ty.bits(machine))),
    }
}

/// `b` has type `b_ty`, which differs from `ty` only for shifts.
pub fn binary(
    op: BinOp,
    ty: Scalar,
    b_ty: Scalar,
    machine: Machine,
    a: u64,
    b: u64,
) -> Result<Computed, DivisionByZero> {
    match ty {
        Scalar::F32 => Ok(exact(float32(op, f32::from_bits(a as u32), f32::from_bits(b as u32)))),
        Scalar::F64 => Ok(exact(float64(op, f64::from_bits(a), f64::from_bits(b)))),
        _ if matches!(op, BinOp::Shl | BinOp::Shr) => {
            Ok(shift(op, ty, machine, a, number(b, b_ty, machine)))
        }
        _ => integer(op, ty, machine, a, b),
    }
}

fn integer(op: BinOp, ty: Scalar, m: Machine, a: u64, b: u64) -> Result<Computed, DivisionByZero> {
    let (x, y) = (number(a, ty, m), number(b, ty, m));
    Ok(match op {
        BinOp::Add => fit(x + y, ty, m),
        BinOp::Sub => fit(x - y, ty, m),
        BinOp::Mul => fit(x.wrapping_mul(y), ty, m),
        BinOp::Div | BinOp::Rem if y == 0 => return Err(DivisionByZero),
        BinOp::Div => fit(x / y, ty, m),
        // The remainder of INT_MIN by -1 is 0, but C calls it undefined with the quotient.
        BinOp::Rem => Computed { overflow: fit(x / y, ty, m).overflow, ..fit(x % y, ty, m) },
        BinOp::And => exact(a & b),
        BinOp::Or => exact(a | b),
        BinOp::Xor => exact(a ^ b),
        _ => exact(u64::from(ordered(op, x.cmp(&y)))),
    })
}

/// C11 6.5.7: undefined for amounts outside of `0..width`, and for a signed left operand that is
/// negative or whose product does not fit.
fn shift(op: BinOp, ty: Scalar, machine: Machine, a: u64, amount: i128) -> Computed {
    let bits = ty.bits(machine);
    let bad_amount = amount < 0 || amount >= i128::from(bits);
    let modulus = bits.max(32) - 1;
    let n = (amount as u8 & modulus) as u32;
    let x = number(a, ty, machine);
    if op == BinOp::Shr {
        return Computed { overflow: bad_amount, ..truncate(x >> n, ty, machine) };
    }
    let shifted = fit(x << n, ty, machine);
    let bad_value = ty.is_signed() && (x < 0 || shifted.overflow);
    Computed { overflow: bad_amount || bad_value, ..shifted }
}

fn ordered(op: BinOp, order: std::cmp::Ordering) -> bool {
    match op {
        BinOp::Eq => order.is_eq(),
        BinOp::Ne => order.is_ne(),
        BinOp::Lt => order.is_lt(),
        BinOp::Le => order.is_le(),
        BinOp::Gt => order.is_gt(),
        BinOp::Ge => order.is_ge(),
        _ => false,
    }
}

macro_rules! float_op {
    ($name:ident, $float:ty) => {
        fn $name(op: BinOp, x: $float, y: $float) -> u64 {
            let value = match op {
                BinOp::Add => x + y,
                BinOp::Sub => x - y,
                BinOp::Mul => x * y,
                BinOp::Div => x / y,
                BinOp::Rem => x % y,
                BinOp::Eq => return u64::from(x == y),
                BinOp::Ne => return u64::from(x != y),
                BinOp::Lt => return u64::from(x < y),
                BinOp::Le => return u64::from(x <= y),
                BinOp::Gt => return u64::from(x > y),
                BinOp::Ge => return u64::from(x >= y),
                // No such operation on floats; the lowering never makes one.
                BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => x,
            };
            u64::from(value.to_bits())
        }
    };
}

float_op!(float32, f32);
float_op!(float64, f64);

pub fn cast(from: Scalar, to: Scalar, machine: Machine, a: u64) -> u64 {
    let to_float = |x: f64| match to {
        Scalar::F32 => u64::from((x as f32).to_bits()),
        _ => x.to_bits(),
    };
    match (from, to) {
        (Scalar::F32, Scalar::F32) | (Scalar::F64, Scalar::F64) => a,
        (Scalar::F32, _) if to.is_float() => to_float(f64::from(f32::from_bits(a as u32))),
        (Scalar::F64, _) if to.is_float() => to_float(f64::from_bits(a)),
        (Scalar::F32, _) => truncate(f32::from_bits(a as u32) as i128, to, machine).bits,
        (Scalar::F64, _) => truncate(f64::from_bits(a) as i128, to, machine).bits,
        // Directly, so that it is rounded once.
        (_, Scalar::F32) => u64::from((number(a, from, machine) as f32).to_bits()),
        (_, Scalar::F64) => (number(a, from, machine) as f64).to_bits(),
        _ => truncate(number(a, from, machine), to, machine).bits,
    }
}

fn exact(bits: u64) -> Computed {
    Computed { bits, overflow: false }
}

fn truncate(v: i128, ty: Scalar, machine: Machine) -> Computed {
    exact(v as u64 & mask(ty.bits(machine)))
}

/// Wraps; for signed types a wrapped value is an overflow.
fn fit(v: i128, ty: Scalar, machine: Machine) -> Computed {
    let overflow = ty.is_signed() && wrap(v, ty.bits(machine), true) != v;
    Computed { overflow, ..truncate(v, ty, machine) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const M: Machine = Machine::Lp64;

    fn int(bits: u8, signed: bool) -> Scalar {
        Scalar::Int { bits, signed }
    }

    fn op(op: BinOp, ty: Scalar, a: i128, b: i128) -> Computed {
        let bits = |v: i128| v as u64 & mask(ty.bits(M));
        binary(op, ty, ty, M, bits(a), bits(b)).unwrap()
    }

    #[test]
    fn signed_edges_overflow() {
        let i32t = Scalar::I32;
        let min = i128::from(i32::MIN);
        assert_eq!(op(BinOp::Div, i32t, min, -1), Computed { bits: 0x8000_0000, overflow: true });
        assert_eq!(op(BinOp::Rem, i32t, min, -1), Computed { bits: 0, overflow: true });
        assert!(unary(UnOp::Neg, i32t, M, 0x8000_0000).overflow);
        assert!(!unary(UnOp::Neg, Scalar::U32, M, 0x8000_0000).overflow);
        assert!(op(BinOp::Add, i32t, i128::from(i32::MAX), 1).overflow);
        assert!(!op(BinOp::Add, Scalar::U32, 0xffff_ffff, 1).overflow);
        assert!(op(BinOp::Mul, int(64, true), i128::from(i64::MAX), 2).overflow);
        assert_eq!(binary(BinOp::Rem, i32t, i32t, M, 1, 0), Err(DivisionByZero));
    }

    #[test]
    fn shifts_follow_c11() {
        let i32t = Scalar::I32;
        assert!(!op(BinOp::Shl, i32t, 1, 30).overflow);
        assert!(op(BinOp::Shl, i32t, 1, 31).overflow);
        assert!(op(BinOp::Shl, i32t, -1, 1).overflow);
        assert!(op(BinOp::Shl, i32t, 1, 32).overflow);
        assert!(op(BinOp::Shr, i32t, 1, -1).overflow);
        assert!(!op(BinOp::Shl, Scalar::U32, 0xffff_ffff, 31).overflow);
        assert_eq!(op(BinOp::Shl, i32t, 1, 33).bits, 2);
        assert_eq!(op(BinOp::Shr, i32t, -8, 1).bits, 0xffff_fffc);
        assert_eq!(op(BinOp::Shr, Scalar::U32, -8, 1).bits, 0x7fff_fffc);
    }

    #[test]
    fn floats_compute_and_convert() {
        let bits = |x: f64| x.to_bits();
        let f64t = Scalar::F64;
        assert_eq!(
            binary(BinOp::Add, f64t, f64t, M, bits(0.1), bits(0.2)).unwrap().bits,
            bits(0.1 + 0.2)
        );
        assert_eq!(binary(BinOp::Lt, f64t, f64t, M, bits(f64::NAN), bits(1.0)).unwrap().bits, 0);
        assert_eq!(cast(f64t, Scalar::I32, M, bits(-2.9)), 0xffff_fffe);
        assert_eq!(cast(Scalar::I32, Scalar::F32, M, 0xffff_ffff), u64::from((-1f32).to_bits()));
        assert_eq!(cast(Scalar::F32, f64t, M, u64::from(1.5f32.to_bits())), bits(1.5));
        assert_eq!(cast(f64t, Scalar::F32, M, bits(1.5)), u64::from(1.5f32.to_bits()));
        assert_eq!(cast(Scalar::U64, f64t, M, u64::MAX), bits(u64::MAX as f64));
    }

    fn types() -> impl Strategy<Value = Scalar> {
        (prop::sample::select(vec![8u8, 16, 32, 64]), any::<bool>()).prop_map(|(b, s)| int(b, s))
    }

    proptest! {
        #[test]
        fn ring_operations_agree_modulo_the_width(ty in types(), a: u64, b: u64) {
            let bits = ty.bits(M);
            let (a, b) = (a & mask(bits), b & mask(bits));
            for (o, f) in [
                (BinOp::Add, u64::wrapping_add as fn(u64, u64) -> u64),
                (BinOp::Sub, u64::wrapping_sub),
                (BinOp::Mul, u64::wrapping_mul),
            ] {
                let got = binary(o, ty, ty, M, a, b).unwrap();
                prop_assert_eq!(got.bits, f(a, b) & mask(bits));
                let (x, y) = (number(a, ty, M), number(b, ty, M));
                let full = match o { BinOp::Add => x + y, BinOp::Sub => x - y, _ => x.saturating_mul(y) };
                let fits = number(got.bits, ty, M) == full;
                prop_assert_eq!(got.overflow, ty.is_signed() && !fits);
            }
        }

        #[test]
        fn i32_agrees_with_rust(a: i32, b: i32) {
            let (x, y) = (i128::from(a), i128::from(b));
            if b != 0 {
                prop_assert_eq!(op(BinOp::Div, Scalar::I32, x, y).bits, u64::from(a.wrapping_div(b) as u32));
                prop_assert_eq!(op(BinOp::Rem, Scalar::I32, x, y).bits, u64::from(a.wrapping_rem(b) as u32));
            }
            prop_assert_eq!(op(BinOp::Lt, Scalar::I32, x, y).bits, u64::from(a < b));
            prop_assert_eq!(op(BinOp::Ge, Scalar::U32, x, y).bits, u64::from(a as u32 >= b as u32));
            prop_assert_eq!(op(BinOp::Shl, Scalar::I32, x, y).bits, u64::from(a.wrapping_shl(b as u32) as u32));
            prop_assert_eq!(op(BinOp::Shr, Scalar::I32, x, y).bits, u64::from(a.wrapping_shr(b as u32) as u32));
        }

        #[test]
        fn casts_agree_with_rust(a: u64) {
            prop_assert_eq!(cast(int(8, true), int(32, true), M, a & 0xff), u64::from(a as u8 as i8 as i32 as u32));
            prop_assert_eq!(cast(int(8, false), int(64, true), M, a & 0xff), u64::from(a as u8));
            prop_assert_eq!(cast(int(64, true), int(16, true), M, a), u64::from(a as u16));
            prop_assert_eq!(cast(int(32, true), Scalar::Ptr, M, a & 0xffff_ffff), a as i32 as i64 as u64);
        }
    }
}
