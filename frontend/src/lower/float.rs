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
        ] {
            assert_eq!(value("", e), answer, "{e}");
        }
    }
}
