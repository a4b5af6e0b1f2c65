//! GNU's builtins on floating numbers: constants, and questions that comparisons answer.

use super::call::Args;
use super::{Result, Unit, Value};
use ir::Span;
use ir::types::Type;
use lang_c::ast;

impl Unit<'_> {
    pub(crate) fn float_value(&mut self, value: f32) -> Value {
        let ty = self.link.types.intern(Type::Float);
        Value::Scalar { op: self.bits(u64::from(value.to_bits()), ty), ty }
    }

    /// Questions about floating numbers that comparisons answer.
    pub(crate) fn float_test(&mut self, name: &str, args: Args, at: Span) -> Result<Option<Value>> {
        use ast::BinaryOperator as B;
        let operator = match name {
            "isnan" | "isinf" | "isinf_sign" | "isfinite" | "finite" => B::Equals,
            "isgreater" => B::Greater,
            "isgreaterequal" => B::GreaterOrEqual,
            "isless" => B::Less,
            "islessequal" => B::LessOrEqual,
            "islessgreater" | "isunordered" => B::LogicalOr,
            "isnormal" | "fpclassify" => return self.float_class(name, args, at),
            _ => return Ok(None),
        };
        let double = self.link.types.intern(Type::Double);
        let mut values = Vec::new();
        for arg in args {
            let value = self.expr(arg)?;
            values.push(self.convert(value, double)?);
        }
        self.at = at;
        let infinity = self.double(f64::INFINITY);
        let minus = self.double(f64::NEG_INFINITY);
        Ok(Some(match (name, &values[..]) {
            ("isnan", &[x]) => self.operate(&B::NotEquals, x, x)?,
            ("isinf" | "isinf_sign", &[x]) => {
                let plus = self.operate(&B::Equals, x, infinity)?;
                let minus = self.operate(&B::Equals, x, minus)?;
                self.operate(&B::Minus, plus, minus)?
            }
            ("isfinite" | "finite", &[x]) => {
                let below = self.operate(&B::Less, x, infinity)?;
                let above = self.operate(&B::Greater, x, minus)?;
                self.operate(&B::BitwiseAnd, below, above)?
            }
            ("islessgreater", &[a, b]) => {
                let below = self.operate(&B::Less, a, b)?;
                let above = self.operate(&B::Greater, a, b)?;
                self.operate(&B::BitwiseOr, below, above)?
            }
            ("isunordered", &[a, b]) => {
                let first = self.operate(&B::NotEquals, a, a)?;
                let second = self.operate(&B::NotEquals, b, b)?;
                self.operate(&B::BitwiseOr, first, second)?
            }
            (_, &[a, b]) => self.operate(&operator, a, b)?,
            _ => return Err(self.error(format!("wrong number of arguments: {}", values.len()))),
        }))
    }

    /// What a number is, by comparisons with the smallest one that has all its digits. Of `fpclassify` the
    /// numbers for the five classes come first; a number is in one of them.
    fn float_class(&mut self, name: &str, args: Args, at: Span) -> Result<Option<Value>> {
        use ast::BinaryOperator as B;
        let mut values = Vec::new();
        for arg in args {
            values.push(self.expr(arg)?);
        }
        self.at = at;
        let expected = if name == "isnormal" { 1 } else { 6 };
        let Some(&Value::Scalar { op, ty }) = values.last().filter(|_| values.len() == expected)
        else {
            return Err(self.error(format!("wrong number of arguments: {}", values.len())));
        };
        let least = match self.link.types.get(self.link.types.strip_atomic(ty)) {
            Type::Float => f64::from(f32::MIN_POSITIVE),
            Type::Double => f64::MIN_POSITIVE,
            _ => return Ok(None),
        };
        let double = self.link.types.intern(Type::Double);
        let x = self.convert(Value::Scalar { op, ty }, double)?;
        let [zero, infinity, least] = [0.0, f64::INFINITY, least].map(|it| self.double(it));
        let negative = self.operate(&B::Minus, zero, x)?;
        let both = |unit: &mut Self, operator: B, limit: Value| {
            let one = unit.operate(&operator, x, limit)?;
            let other = unit.operate(&operator, negative, limit)?;
            unit.operate(&B::BitwiseOr, one, other)
        };
        let infinite = both(self, B::Equals, infinity)?;
        let large = both(self, B::GreaterOrEqual, least)?;
        let normal = self.operate(&B::Minus, large, infinite)?;
        if name == "isnormal" {
            return Ok(Some(normal));
        }
        let nan = self.operate(&B::NotEquals, x, x)?;
        let none = self.operate(&B::Equals, x, zero)?;
        let any = both(self, B::Greater, zero)?;
        let small = self.operate(&B::Minus, any, large)?;
        let mut class = self.operate(&B::Multiply, nan, values[0])?;
        for (is_so, number) in [infinite, normal, small, none].into_iter().zip(&values[1..]) {
            let part = self.operate(&B::Multiply, is_so, *number)?;
            class = self.operate(&B::Plus, class, part)?;
        }
        Ok(Some(class))
    }

    pub fn double(&mut self, value: f64) -> Value {
        let ty = self.link.types.intern(Type::Double);
        Value::Scalar { op: self.bits(value.to_bits(), ty), ty }
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::value;

    #[test]
    fn questions_about_floats() {
        for (e, answer) in [
            ("__builtin_isnan(__builtin_nan(\"\"))", 1),
            ("__builtin_isnan(1.0f)", 0),
            ("__builtin_isinf(-__builtin_inf()) != 0", 1),
            ("__builtin_isinf(__builtin_nan(\"\"))", 0),
            ("__builtin_isfinite(__builtin_inff())", 0),
            ("__builtin_isfinite(3.0)", 1),
            ("__builtin_isfinite(__builtin_nan(\"\"))", 0),
            ("__builtin_isless(1.0, 2.0f)", 1),
            ("__builtin_islessgreater(1.0, 2.0f)", 1),
            ("__builtin_islessgreater(__builtin_nan(\"\"), 2.0f)", 0),
            ("__builtin_isunordered(1.0, __builtin_nan(\"\"))", 1),
            ("__builtin_isunordered(1.0, 2)", 0),
            ("__builtin_isnormal(1e-320)", 0),
            ("__builtin_isnormal(-1.0)", 1),
            ("__builtin_isnormal(1e-40f)", 0),
            ("__builtin_isnormal(1e-40)", 1),
            ("__builtin_isnormal(-__builtin_inf())", 0),
            ("__builtin_fpclassify(10, 11, 12, 13, 14, __builtin_nan(\"\"))", 10),
            ("__builtin_fpclassify(10, 11, 12, 13, 14, -__builtin_inf())", 11),
            ("__builtin_fpclassify(10, 11, 12, 13, 14, -2.5f)", 12),
            ("__builtin_fpclassify(10, 11, 12, 13, 14, -1e-320)", 13),
            ("__builtin_fpclassify(10, 11, 12, 13, 14, 1e-40f)", 13),
            ("__builtin_fpclassify(10, 11, 12, 13, 14, -0.0)", 14),
        ] {
            assert_eq!(value("", e), answer, "{e}");
        }
    }
}
