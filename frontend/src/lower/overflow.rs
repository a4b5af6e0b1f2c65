//! GNU's overflow-checking arithmetic: `__builtin_add_overflow` and its typed relatives.
//!
//! The result is computed in `long long` or `unsigned long long`, whichever holds both operands and
//! the result's type, and overflow there is found by looking at the signs or by dividing back. It
//! overflows as a whole if that does or if the result, once stored, is another number. Where operands
//! and result need both a sign and 64 bits, it is computed in 128 of them.

use super::call::Args;
use super::place::Lvalue;
use super::{Result, Unit, Value};
use ir::fold;
use ir::types::{Rank, Scalar, Type, TypeId};
use ir::*;
use lang_c::ast::BinaryOperator as B;

const I64: Scalar = Scalar::Int { bits: 64, signed: true };

impl Unit<'_> {
    /// `name` without `__builtin_`; `None` if it is none of these.
    pub(crate) fn overflow_builtin(
        &mut self,
        name: &str,
        args: Args,
        at: Span,
    ) -> Result<Option<Value>> {
        let stores = !name.ends_with("_p");
        let Some((op, typed)) = parse_name(name.strip_suffix("_p").unwrap_or(name)) else {
            return Ok(None);
        };
        let [a, b, to] = args else {
            return Err(self.error(format!("{} arguments given, 3 wanted", args.len())));
        };
        let typed = typed.map(|ty| self.link.types.intern(ty));
        let (a, b) = (self.expr(a)?, self.expr(b)?);
        let to = self.expr(to)?;
        self.at = at;
        let (a, b) = match typed {
            Some(ty) => (self.convert(a, ty)?, self.convert(b, ty)?),
            None => (a, b),
        };
        let place = if stores { self.deref(to)? } else { self.scratch_place(to) };
        let bool_ty = self.link.types.intern(Type::Bool);
        let values = [a, b].map(|v| self.signs(v));
        let result = self.type_signs(place.ty());
        let signed = values.iter().chain([&result]).all(|s| s.fits_signed);
        if !signed && !values.iter().chain([&result]).all(|s| s.fits_unsigned) {
            let narrow = [a, b].iter().all(|v| matches!(v, Value::Scalar { .. }))
                && self.link.types.scalar(place.ty()).is_some();
            if narrow {
                return self.overflow_in_128(op, (a, b), values, place).map(Some);
            }
            let what = format!("__builtin_{name} of 128-bit types");
            return Ok(Some(self.unsupported_value(&what, bool_ty)));
        }
        let wide = self.link.types.intern(Type::Int { rank: Rank::LongLong, signed });
        let (a, b) = (self.convert(a, wide)?, self.convert(b, wide)?);
        let (a, _, scalar) = self.scalar(a, "the first operand")?;
        let (b, _, _) = self.scalar(b, "the second operand")?;
        let exact = self.binary(op, scalar, a, b, false);
        let lost = self.wrapped(op, scalar, a, b, exact)?;
        let stored = self.assign_to(place, Value::Scalar { op: exact, ty: wide })?;
        let stored = self.convert(stored, wide)?;
        let (stored, _, _) = self.scalar(stored, "the result")?;
        let differs = self.binary(BinOp::Ne, scalar, stored, exact, false);
        let either = self.binary(BinOp::Or, Scalar::I32, lost, differs, false);
        let int = self.int_type();
        self.convert(Value::Scalar { op: either, ty: int }, bool_ty).map(Some)
    }

    /// A place of the type of a value, for `__builtin_add_overflow_p`.
    fn scratch_place(&mut self, like: Value) -> Lvalue {
        let ty = self.type_of_value(like);
        Lvalue::Memory { addr: self.temp_slot(ty), ty }
    }

    /// No sum, difference or product of two operands of 64 bits is lost in 128, if a product of two
    /// that have no sign is one without.
    fn overflow_in_128(
        &mut self,
        op: BinOp,
        (a, b): (Value, Value),
        signs: [Signs; 2],
        place: Lvalue,
    ) -> Result<Value> {
        let signed = op != BinOp::Mul || !signs.iter().all(|s| s.fits_unsigned);
        let wide = self.link.types.intern(Type::Int { rank: Rank::Int128, signed });
        let operator = match op {
            BinOp::Add => B::Plus,
            BinOp::Sub => B::Minus,
            _ => B::Multiply,
        };
        let (a, b) = (self.convert(a, wide)?, self.convert(b, wide)?);
        let exact = self.wide_exact(&operator, a, b, wide)?;
        let stored = self.assign_to(place, exact)?;
        let stored = self.convert(stored, wide)?;
        let differs = self.operate(&B::NotEquals, stored, exact)?;
        let bool_ty = self.link.types.intern(Type::Bool);
        self.convert(differs, bool_ty)
    }

    /// Which of the two wide types hold all values of this type?
    fn type_signs(&self, ty: TypeId) -> Signs {
        match self.link.types.scalar(ty) {
            Some(Scalar::Int { bits, signed }) => {
                Signs { fits_signed: signed || bits < 64, fits_unsigned: !signed }
            }
            _ => Signs { fits_signed: false, fits_unsigned: false },
        }
    }

    fn signs(&self, value: Value) -> Signs {
        let machine = self.link.types.machine;
        match value {
            Value::Scalar { op: Operand::Const { bits, ty }, .. } if !ty.is_float() => {
                let number = fold::number(machine, ty, bits);
                Signs {
                    fits_signed: i64::try_from(number).is_ok(),
                    fits_unsigned: u64::try_from(number).is_ok(),
                }
            }
            Value::Scalar { ty, .. } => self.type_signs(ty),
            _ => Signs { fits_signed: false, fits_unsigned: false },
        }
    }

    /// Did `result`, computed modulo 2^64, lose something? An `int` that is 0 or 1.
    fn wrapped(
        &mut self,
        op: BinOp,
        ty: Scalar,
        a: Operand,
        b: Operand,
        result: Operand,
    ) -> Result<Operand> {
        let zero = self.scalar_const(0, ty);
        Ok(match (op, ty.is_signed()) {
            (BinOp::Add, false) => self.binary(BinOp::Lt, ty, result, a, false),
            (BinOp::Sub, false) => self.binary(BinOp::Lt, ty, a, b, false),
            // The sum of two numbers of one sign has that sign.
            (BinOp::Add, true) => {
                let x = self.binary(BinOp::Xor, ty, a, result, false);
                let y = self.binary(BinOp::Xor, ty, b, result, false);
                let both = self.binary(BinOp::And, ty, x, y, false);
                self.binary(BinOp::Lt, ty, both, zero, false)
            }
            (BinOp::Sub, true) => {
                let x = self.binary(BinOp::Xor, ty, a, b, false);
                let y = self.binary(BinOp::Xor, ty, a, result, false);
                let both = self.binary(BinOp::And, ty, x, y, false);
                self.binary(BinOp::Lt, ty, both, zero, false)
            }
            _ => self.product_wrapped(ty, a, b, result),
        })
    }

    /// `a != 0 && result / a != b`, but for `a == -1`, where only the least `b` overflows and where
    /// the division could.
    fn product_wrapped(&mut self, ty: Scalar, a: Operand, b: Operand, result: Operand) -> Operand {
        let lost = self.f.temp(Scalar::I32, self.at);
        let zero = self.scalar_const(0, ty);
        let none = self.scalar_const(0, Scalar::I32);
        self.set(lost, none);
        let divide = |unit: &mut Self| {
            let back = unit.binary(BinOp::Div, ty, result, a, false);
            let differs = unit.binary(BinOp::Ne, ty, back, b, false);
            unit.set(lost, differs);
        };
        let minus_one = |unit: &mut Self| {
            let least = unit.scalar_const(1 << 63, ty);
            let is_least = unit.binary(BinOp::Eq, ty, b, least, false);
            unit.set(lost, is_least);
        };
        let not_zero = self.binary(BinOp::Ne, ty, a, zero, false);
        let check = |unit: &mut Self| {
            if ty != I64 {
                return divide(unit);
            }
            let minus = unit.scalar_const(u64::MAX, ty);
            let is_minus = unit.binary(BinOp::Eq, ty, a, minus, false);
            unit.if_else(is_minus, minus_one, divide);
        };
        self.if_else(not_zero, check, |_| ());
        Operand::Reg(lost)
    }
}

#[derive(Clone, Copy)]
struct Signs {
    fits_signed: bool,
    fits_unsigned: bool,
}

/// `add_overflow`, or with the operands' type: `saddl_overflow`, `umulll_overflow`.
fn parse_name(name: &str) -> Option<(BinOp, Option<Type>)> {
    let base = name.strip_suffix("_overflow")?;
    let op = |word: &str| match word {
        "add" => Some(BinOp::Add),
        "sub" => Some(BinOp::Sub),
        "mul" => Some(BinOp::Mul),
        _ => None,
    };
    if let Some(op) = op(base) {
        return Some((op, None));
    }
    let (sign, rest) = base.split_at_checked(1)?;
    let (word, size) = rest.split_at_checked(3)?;
    let rank = match size {
        "" => Rank::Int,
        "l" => Rank::Long,
        "ll" => Rank::LongLong,
        _ => return None,
    };
    let signed = match sign {
        "s" => true,
        "u" => false,
        _ => return None,
    };
    Some((op(word)?, Some(Type::Int { rank, signed })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::testing::{has, hasnt, ir};

    #[test]
    fn typed_and_generic_names() {
        assert!(matches!(parse_name("add_overflow"), Some((BinOp::Add, None))));
        let unsigned_long = Type::Int { rank: Rank::Long, signed: false };
        assert_eq!(parse_name("usubl_overflow"), Some((BinOp::Sub, Some(unsigned_long))));
        let long_long = Type::Int { rank: Rank::LongLong, signed: true };
        assert_eq!(parse_name("smulll_overflow"), Some((BinOp::Mul, Some(long_long))));
        for name in ["overflow", "_overflow", "xadd_overflow", "sadds_overflow", "é_overflow"] {
            assert_eq!(parse_name(name), None, "{name}");
        }
    }

    #[test]
    fn narrow_operands_are_compared_with_what_was_stored() {
        let text = "int f(int a, int b, int *r) { return __builtin_sadd_overflow(a, b, r); }";
        has(
            &ir(text),
            &["add i64", "cast i64 to i32", "store i32 r.2", "cast i32 to i64", "ne i64"],
        );
        hasnt(&ir(text), &["checked", "unsupported"]);
    }

    #[test]
    fn wide_products_are_divided_back() {
        let text = "int f(long a, long b, long *r) { return __builtin_mul_overflow(a, b, r); }";
        let steps = [
            "mul i64 a.0, b.1\n",
            "ne i64 a.0, 0",
            "eq i64 a.0, -1",
            "eq i64 b.1, -9223372036854775808",
        ];
        has(&ir(text), &steps);
        has(&ir(text), &["div i64"]);
        let text = "int f(unsigned long a, unsigned long b, unsigned long *r) \
                    { return __builtin_umull_overflow(a, b, r); }";
        has(&ir(text), &["mul u64", "ne u64", "div u64"]);
        hasnt(&ir(text), &["eq u64"]);
    }

    #[test]
    fn a_constant_goes_with_either_sign() {
        let text =
            "int f(unsigned long a, unsigned long *r) { return __builtin_add_overflow(a, 1, r); }";
        has(&ir(text), &["add u64 a.0, 1", "lt u64"]);
        let text =
            "int f(unsigned long a, long b, long *r) { return __builtin_add_overflow(a, b, r); }";
        has(&ir(text), &["add u64", "lt u64", "store i64 r.2", "xor u64"]);
    }
}
