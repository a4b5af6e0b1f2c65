//! Types that are carried around and not computed with: `long double`, `_Float128`, decimal floats,
//! `_Complex`, vectors, `_BitInt`.
//!
//! They have a size, so they can be declared, copied and passed. A constant of type `long double` is
//! an object with the bytes of x87's format: 64 bits of mantissa, 15 of exponent and a sign. Whatever
//! else is done to a value is not modelled where it is reached.

use super::literal::HexFloat;
use super::{Unit, Value};
use ir::types::{Scalar, Type, TypeId};
use ir::{InstKind, ObjectKind, Operand};

/// Bits above these are no exponent of the format.
const BIAS: i64 = 16383;

/// A number in x87's format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Extended {
    mantissa: u64,
    exponent: u16,
}

impl Extended {
    const ZERO: Extended = Extended { mantissa: 0, exponent: 0 };

    /// `mantissa * 2^power`, which must need no rounding.
    fn exact(mantissa: u64, power: i64) -> Option<Extended> {
        if mantissa == 0 {
            return Some(Extended::ZERO);
        }
        let shift = i64::from(mantissa.leading_zeros());
        let exponent = power - shift + 63 + BIAS;
        let exponent = u16::try_from(exponent).ok().filter(|e| (1..0x7fff).contains(e))?;
        Some(Extended { mantissa: mantissa << shift, exponent })
    }

    fn of_double(value: f64) -> Option<Extended> {
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
        match exponent {
            0x7ff => None,
            0 => Extended::exact(fraction, -1074),
            _ => Extended::exact(fraction | 1 << 52, exponent - 1075),
        }
    }

    /// Digits with a point and an exponent, rounded to the nearest even.
    fn of_decimal(text: &str) -> Option<Extended> {
        let (digits, power) = match text.split_once(['e', 'E']) {
            Some((digits, power)) => (digits, power.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let power = power.checked_sub(fraction.len() as i64)?;
        if whole.len() + fraction.len() > 2000 || power.abs() > 4900 {
            return None;
        }
        let mut above = Natural::default();
        for digit in whole.bytes().chain(fraction.bytes()) {
            above.times_plus(10, u32::from(digit.checked_sub(b'0')?));
        }
        let mut below = Natural(vec![1]);
        for _ in 0..power.unsigned_abs() {
            if power > 0 { &mut above } else { &mut below }.times_plus(10, 0);
        }
        if above.bits() == 0 {
            return Some(Extended::ZERO);
        }
        Extended::ratio(above, below)
    }

    fn ratio(mut above: Natural, mut below: Natural) -> Option<Extended> {
        let mut power = above.bits() - below.bits();
        if power > 0 { &mut below } else { &mut above }.shift(power.unsigned_abs());
        if above < below {
            above.shift(1);
            power -= 1;
        }
        // Now 1 <= above / below < 2.
        let mut mantissa = 0;
        for _ in 0..64 {
            mantissa <<= 1;
            if above >= below {
                above.minus(&below);
                mantissa |= 1;
            }
            above.shift(1);
        }
        let up = above > below || (above == below && mantissa & 1 == 1);
        match (up, mantissa) {
            (true, u64::MAX) => Extended::exact(1, power + 1),
            _ => Extended::exact(mantissa + u64::from(up), power - 63),
        }
    }
}

/// A natural number of any size, the lowest digit first.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Natural(Vec<u32>);

impl Natural {
    fn times_plus(&mut self, factor: u32, term: u32) {
        let mut carry = u64::from(term);
        for digit in &mut self.0 {
            carry += u64::from(*digit) * u64::from(factor);
            *digit = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn shift(&mut self, bits: u64) {
        let words = (bits / 32) as usize;
        self.0.splice(0..0, std::iter::repeat_n(0, words));
        self.times_plus(1 << (bits % 32), 0);
    }

    fn bits(&self) -> i64 {
        match self.0.iter().rposition(|digit| *digit != 0) {
            Some(last) => last as i64 * 32 + 32 - i64::from(self.0[last].leading_zeros()),
            None => 0,
        }
    }

    /// Less something that is not larger.
    fn minus(&mut self, other: &Natural) {
        let mut borrow = 0;
        for (i, digit) in self.0.iter_mut().enumerate() {
            let taken = i64::from(other.0.get(i).copied().unwrap_or(0)) + borrow;
            let rest = i64::from(*digit) - taken;
            borrow = i64::from(rest < 0);
            *digit = rest as u32;
        }
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Natural) -> Option<std::cmp::Ordering> {
        let digit = |n: &Natural, i: usize| n.0.get(i).copied().unwrap_or(0);
        let longest = self.0.len().max(other.0.len());
        let order = (0..longest).rev().map(|i| digit(self, i).cmp(&digit(other, i)));
        Some(order.into_iter().find(|o| o.is_ne()).unwrap_or(std::cmp::Ordering::Equal))
    }
}

impl Unit<'_> {
    /// A constant of type `long double`; `number` is as `ast::Float` has it.
    pub(crate) fn long_double(&mut self, number: &str, hexadecimal: bool) -> Value {
        let value = if hexadecimal {
            let exactly = HexFloat::of(number).and_then(|number| number.exactly());
            exactly.and_then(|(mantissa, power)| Extended::exact(mantissa, power))
        } else {
            Extended::of_decimal(number)
        };
        match value {
            Some(value) => self.extended_constant(value, false),
            None => {
                let ty = self.link.types.intern(Type::LongDouble);
                self.unsupported_value("a long double constant", ty)
            }
        }
    }

    fn extended_constant(&mut self, value: Extended, negative: bool) -> Value {
        let ty = self.link.types.intern(Type::LongDouble);
        let size = self.link.types.size(ty).unwrap_or(16) as usize;
        let mut bytes = value.mantissa.to_le_bytes().to_vec();
        let sign = if negative { 0x8000 } else { 0 };
        bytes.extend((value.exponent | sign).to_le_bytes());
        bytes.resize(size, 0);
        let object = self.link.constant_object("<long double>".into(), ty, bytes);
        Value::Memory { addr: Operand::Object { object, offset: 0 }, ty }
    }

    /// A constant that is converted to `long double`; `None` for all that is computed.
    pub(crate) fn extended_of_constant(&mut self, value: Value) -> Option<Value> {
        let Value::Scalar { op: Operand::Const { bits, ty }, .. } = value else { return None };
        let (magnitude, negative) = match ty {
            Scalar::F32 => {
                let value = f64::from(f32::from_bits(bits as u32));
                (Extended::of_double(value)?, value.is_sign_negative())
            }
            Scalar::F64 => {
                let value = f64::from_bits(bits);
                (Extended::of_double(value)?, value.is_sign_negative())
            }
            _ => {
                let number = ir::fold::number(self.link.types.machine, ty, bits);
                (Extended::exact(number.unsigned_abs() as u64, 0)?, number < 0)
            }
        };
        Some(self.extended_constant(magnitude, negative))
    }

    /// `-1.5L`
    pub(crate) fn negated_constant(&mut self, value: Value) -> Option<Value> {
        let Value::Memory { addr: Operand::Object { object, offset: 0 }, ty } = value else {
            return None;
        };
        let entry = &self.link.objects[object.index()];
        let constant = entry.kind == ObjectKind::Constant
            && *self.link.types.get(ty) == Type::LongDouble
            && entry.ty == ty;
        let mut bytes = entry.bytes.clone();
        *bytes.get_mut(9).filter(|_| constant)? ^= 0x80;
        let object = self.link.constant_object("<long double>".into(), ty, bytes);
        Some(Value::Memory { addr: Operand::Object { object, offset: 0 }, ty })
    }

    /// The bytes of a constant that lies in memory.
    pub(crate) fn is_constant_object(&self, value: Value) -> bool {
        match value {
            Value::Memory { addr: Operand::Object { object, .. }, ty } => {
                self.is_wide(ty) && self.link.objects[object.index()].kind == ObjectKind::Constant
            }
            _ => false,
        }
    }

    /// `_BitInt(N)` as the x86-64 psABI has it.
    pub(crate) fn bit_int_type(&mut self, bits: u64) -> TypeId {
        let bytes = bits.div_ceil(8);
        let (size, align) = match bytes.next_power_of_two() {
            size @ 0..=8 => (size.max(1), size.max(1)),
            _ => (bytes.next_multiple_of(8), 8),
        };
        self.link.types.intern(Type::Opaque { name: "_BitInt", size, align })
    }

    /// `__real__ z` and `__imag__ z` as places.
    pub(crate) fn complex_part(&mut self) -> super::place::Lvalue {
        self.emit(InstKind::Unsupported { what: "complex numbers".into() });
        let ty = self.link.types.intern(Type::Double);
        super::place::Lvalue::Memory { addr: self.temp_slot(ty), ty }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::testing::{has, ir, object, program};

    fn decimal(text: &str) -> (u64, u16) {
        let value = Extended::of_decimal(text).expect("a number");
        (value.mantissa, value.exponent)
    }

    /// As gcc has them.
    #[test]
    fn decimals_are_rounded_once() {
        assert_eq!(decimal("1"), (1 << 63, 0x3fff));
        assert_eq!(decimal("1.5"), (0xc000_0000_0000_0000, 0x3fff));
        assert_eq!(decimal("0.1"), (0xcccc_cccc_cccc_cccd, 0x3ffb));
        assert_eq!(decimal("3.14159265358979323846"), (0xc90f_daa2_2168_c235, 0x4000));
        assert_eq!(decimal("1e100"), (0x924d_692c_a61b_e758, 0x414b));
        assert_eq!(decimal("0.0"), (0, 0));
        assert_eq!(Extended::of_double(0.5), Extended::of_decimal(".5"));
    }

    #[test]
    fn constants_have_bytes_and_computing_is_not_modelled() {
        let p = program("long double x = -2;");
        assert_eq!(
            object(&p, "x"),
            "global long double, 16 bytes = [00 00 00 00 00 00 00 80 00 c0]"
        );
        program(
            "long double x = 1.5L, y = -0.1L; struct { long double a; int b; } s = { 2.5L, 3 };",
        );
        has(&ir("long double f(long double x) { return x + 1; }"), &["unsupported"]);
    }
}
