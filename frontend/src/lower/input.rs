//! `scanf` and `fscanf` with a literal format: what is read is any value of the target's type.
//!
//! The result is how many conversions succeeded, from -1 (end of input) to all of them; only the
//! targets of those are written. Formats with strings, widths or suppressed conversions are left to
//! the model, which says that they are not supported. (`sscanf` has a model that reads the string.)

use super::call::Args;
use super::{Result, Unit, Value};
use ir::types::{Scalar, TypeId};
use ir::*;
use lang_c::ast;

impl Unit<'_> {
    /// `None` if the name or the format is none of ours.
    pub fn scanf(&mut self, name: &str, args: Args, at: Span) -> Result<Option<Value>> {
        let bare = ["__isoc99_", "__isoc23_"].iter().find_map(|p| name.strip_prefix(p));
        let format = match bare.unwrap_or(name) {
            "scanf" => 0,
            "fscanf" => 1,
            _ => return Ok(None),
        };
        let Some(count) = args.get(format).and_then(|a| conversions(&a.node)) else {
            return Ok(None);
        };
        let targets = &args[format + 1..];
        if self.defined.contains(name) || targets.len() != count || !self.are_places(targets)? {
            return Ok(None);
        }
        for stream in &args[..format] {
            let value = self.expr(stream)?;
            let (stream, ..) = self.scalar(value, "a stream")?;
            self.call_model("__obmc_use_stream", vec![stream]);
        }
        let mut places = Vec::new();
        for target in targets {
            let pointer = self.expr(target)?;
            self.mark(target.span);
            places.push(self.deref(pointer)?);
        }
        self.at = at;
        self.call_model("__obmc_may_cancel", Vec::new());
        let int = self.int_type();
        let read = self.any(name, int);
        self.assume_between(read, -1, count as i64);
        for (i, place) in places.into_iter().enumerate() {
            let number = self.bits(i as u64, int);
            let done = self.binary(BinOp::Gt, Scalar::I32, read, number, false);
            let ty = self.link.types.strip_atomic(place.ty());
            let store = |unit: &mut Self| {
                let op = unit.any(name, ty);
                unit.assign_to(place, Value::Scalar { op, ty }).map(|_| ())
            };
            self.if_else(done, store, |_| Ok(())).0?;
        }
        Ok(Some(Value::Scalar { op: read, ty: int }))
    }

    /// Pointers to numbers, each of them? (What others are is said where types are held against the format.)
    fn are_places(&mut self, targets: Args) -> Result<bool> {
        for target in targets {
            let ty = self.aside(|unit| {
                let value = unit.expr(target)?;
                Ok(unit.type_of_value(value))
            })?;
            let to = self.pointee(ty).map(|to| self.link.types.strip_atomic(to));
            if to.and_then(|to| self.link.types.scalar(to)).is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// An input of a scalar type.
    fn any(&mut self, name: &str, ty: TypeId) -> Operand {
        let scalar = self.link.types.scalar(ty).unwrap_or(Scalar::I32);
        let bits = scalar.bits(self.link.types.machine);
        let dst = self.f.temp(scalar, self.at);
        self.emit(InstKind::Nondet { dst, ty: scalar, bits, name: name.to_owned() });
        Operand::Reg(dst)
    }

    fn assume_between(&mut self, value: Operand, low: i64, high: i64) {
        for (op, limit) in [(BinOp::Ge, low), (BinOp::Le, high)] {
            let limit = self.scalar_const(limit as u64, Scalar::I32);
            let holds = self.binary(op, Scalar::I32, value, limit, false);
            self.emit(InstKind::Assume(holds));
        }
    }
}

/// How many plain number or character conversions a literal format has; `None` if it has others.
fn conversions(format: &ast::Expression) -> Option<usize> {
    let ast::Expression::StringLiteral(literal) = format else { return None };
    let text = literal.node.concat();
    let mut rest = text.chars();
    let mut count = 0;
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        let letter = rest.find(|c| !matches!(c, 'h' | 'l' | 'q' | 'j' | 'z' | 't'))?;
        match letter {
            '%' => {}
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'c' | 'f' | 'g' | 'e' | 'p' => count += 1,
            _ => return None,
        }
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{has, ir};

    #[test]
    fn numbers_are_any_values() {
        let text =
            ir("int scanf(const char *, ...); int f(void) { int x; scanf(\"%d\", &x); return x; }");
        assert_eq!(text.matches("nondet").count(), 2, "{text}");
        assert_eq!(text.matches("assume").count(), 2, "{text}");
        assert!(!text.contains("call"), "{text}");
    }

    #[test]
    fn strings_are_left_to_the_model() {
        let reads =
            "int scanf(const char *, ...); int f(void) { char b[9]; return scanf(\"%8s\", b); }";
        has(&ir(reads), &["call scanf"]);
    }
}
