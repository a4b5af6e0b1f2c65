//! Constant expressions and the types of expressions, by lowering them and looking at the result.
//!
//! What counts as constant is what gcc takes: also arithmetic that overflows (it wraps), and in
//! static initialisers addresses that are moved or converted to an integer as wide.

use super::call::Args;
use super::scope::Symbol;
use super::{Result, Unit, Value};
use ir::fold;
use ir::types::{Scalar, Type, TypeId};
use ir::{BinOp, InstKind, MemoryOrder, ObjectKind, Operand, Origin, Reg, Rvalue};
use lang_c::ast;
use lang_c::span::Node;
use rustc_hash::FxHashMap;

impl Unit<'_> {
    /// Runs `lower` into a block that is thrown away. Of its result only types, constants and
    /// static addresses mean something afterwards.
    pub fn aside<T>(&mut self, lower: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let at = self.at;
        let point = self.f.checkpoint();
        let result = lower(self);
        self.f.roll_back(point);
        if result.is_ok() {
            self.at = at;
        }
        result
    }

    /// Like `aside`, but follows registers to the constants that they hold. `None`: the value is
    /// not constant, or computing it does something.
    pub fn settled(
        &mut self,
        lower: impl FnOnce(&mut Self) -> Result<Value>,
    ) -> Result<Option<Value>> {
        let at = self.at;
        let point = self.f.checkpoint();
        let value = lower(self);
        let pure = self.f.is_pure_since(&point);
        let value = value.map(|value| pure.then(|| self.settle(value)));
        self.overflown = pure && self.has_overflown();
        self.f.roll_back(point);
        if value.is_ok() {
            self.at = at;
        }
        value
    }

    /// Is there a sum, difference, product or quotient of constants that does not fit? Such an operation is left
    /// where a constant would be. (Shifts are as gcc defines them.)
    fn has_overflown(&self) -> bool {
        let shift = |value: &Rvalue| matches!(value, Rvalue::Binary { op: BinOp::Shl, .. });
        let constant = |op: &Operand| matches!(op, Operand::Const { .. });
        self.f.blocks[self.f.current.index()].insts.iter().any(|inst| match &inst.kind {
            InstKind::Assign { value, .. } if !shift(value) => match value {
                Rvalue::Unary { a, checked, .. } => *checked && constant(a),
                Rvalue::Binary { a, b, checked, .. } => *checked && constant(a) && constant(b),
                _ => false,
            },
            _ => false,
        })
    }

    /// Of what has to be a constant: C forbids it (C11 6.6p4), gcc warns.
    pub(crate) fn note_overflow(&mut self) {
        const TEXT: &str =
            "a constant expression that overflows has its value modulo 2^n, as compilers have it";
        let known = self.link.ignored.iter().any(|(other, _)| other == TEXT);
        if std::mem::take(&mut self.overflown) && self.origin == Origin::User && !known {
            self.link.ignored.push((TEXT.to_owned(), self.at));
        }
    }

    fn settle(&self, value: Value) -> Value {
        if !matches!(value, Value::Scalar { op: Operand::Reg(_), .. } | Value::Wide { .. }) {
            return value;
        }
        let mut known = FxHashMap::default();
        for inst in &self.f.blocks[self.f.current.index()].insts {
            let found = match &inst.kind {
                InstKind::Assign { dst, value } => {
                    self.known_rvalue(value, &known).map(|op| (*dst, op))
                }
                InstKind::Load { dst, addr, ty, order: MemoryOrder::Plain } => {
                    let addr = match addr {
                        Operand::Reg(reg) => known.get(reg).copied(),
                        addr => Some(*addr),
                    };
                    addr.and_then(|addr| self.literal_at(addr, *ty)).map(|op| (*dst, op))
                }
                _ => None,
            };
            known.extend(found);
        }
        let look = |op: Operand| match op {
            Operand::Reg(reg) => known.get(&reg).copied().unwrap_or(op),
            op => op,
        };
        match value {
            Value::Scalar { op, ty } => Value::Scalar { op: look(op), ty },
            Value::Wide { lo, hi, ty } => Value::Wide { lo: look(lo), hi: look(hi), ty },
            value => value,
        }
    }

    /// What is read from a string literal: `"abc"[1]` is a constant for compilers.
    fn literal_at(&self, addr: Operand, ty: Scalar) -> Option<Operand> {
        let Operand::Object { object, offset } = addr else { return None };
        let object = &self.link.objects[object.index()];
        let (start, bytes) = (usize::try_from(offset).ok()?, ty.bytes(self.link.types.machine));
        let inside = start as u64 + bytes <= object.size;
        let known = object.kind == ObjectKind::Constant && !object.bytes.is_empty();
        if !known || !object.relocations.is_empty() || !inside {
            return None;
        }
        let byte = |i: usize| u64::from(object.bytes.get(i).copied().unwrap_or(0));
        let bits = (0..bytes as usize).fold(0, |all, i| all | byte(start + i) << (8 * i));
        Some(self.scalar_const(bits, ty))
    }

    fn known_rvalue(&self, value: &Rvalue, known: &FxHashMap<Reg, Operand>) -> Option<Operand> {
        let machine = self.link.types.machine;
        let look = |op: &Operand| match op {
            Operand::Reg(r) => known.get(r).copied(),
            op => Some(*op),
        };
        let constant = |op: &Operand| match look(op)? {
            Operand::Const { bits, ty } => Some((bits, ty)),
            _ => None,
        };
        let ty = match value {
            Rvalue::Use(a) => return look(a),
            Rvalue::Undef(_) => return None,
            Rvalue::Unary { ty, .. } => *ty,
            Rvalue::Binary { op, .. } if op.is_comparison() => Scalar::I32,
            Rvalue::Binary { ty, .. } => *ty,
            Rvalue::Cast { from, to, a } => {
                let same = from.bits(machine) == to.bits(machine) && !to.is_float();
                if let Some(op @ (Operand::Object { .. } | Operand::Function(_))) = look(a)
                    && same
                {
                    return Some(op);
                }
                *to
            }
            Rvalue::PtrAdd { base, index, scale } => {
                if let Some(Operand::Object { object, offset }) = look(base) {
                    let (bits, ty) = constant(index)?;
                    let delta = fold::number(machine, ty, bits) * i128::from(*scale);
                    let offset = i64::try_from(i128::from(offset) + delta).ok()?;
                    return Some(Operand::Object { object, offset });
                }
                Scalar::Ptr
            }
        };
        let folded = fold::rvalue(machine, value, constant)?;
        Some(Operand::Const { bits: folded.bits, ty })
    }

    /// The type of an expression before decay; evaluates nothing.
    /// The parser takes a lone name for an expression, even if a type has it.
    pub fn type_of(&mut self, node: &Node<ast::Expression>) -> Result<TypeId> {
        if let ast::Expression::Identifier(id) = &node.node {
            if let Some(&Symbol::Typedef(ty)) = self.lookup(&id.node.name) {
                return Ok(ty);
            }
        }
        self.aside(|unit| match unit.try_place(node)? {
            Some(place) => Ok(place.ty()),
            None => {
                let value = unit.expr(node)?;
                Ok(unit.type_of_value(value))
            }
        })
    }

    /// GNU's `__builtin_object_size`: of a variable by its name; anything else is "not known", from above
    /// or from below as the second argument asks.
    pub(crate) fn known_size(&mut self, args: Args) -> Result<Value> {
        let from_below = match args.get(1) {
            Some(kind) => self.constant_int(kind)? & 2 != 0,
            None => false,
        };
        let unknown = if from_below { 0 } else { u64::MAX };
        let size = match args.first() {
            Some(arg) => self.size_of_named(arg)?,
            None => None,
        };
        let ty = self.size_type();
        Ok(Value::Scalar { op: self.bits(size.unwrap_or(unknown), ty), ty })
    }

    /// The size of `x` in `&x`, or of an array in `a`.
    fn size_of_named(&mut self, node: &Node<ast::Expression>) -> Result<Option<u64>> {
        let named = |e: &ast::Expression| matches!(e, ast::Expression::Identifier(_));
        let ty = match &node.node {
            ast::Expression::UnaryOperator(unary)
                if unary.node.operator.node == ast::UnaryOperator::Address
                    && named(&unary.node.operand.node) =>
            {
                self.type_of(&unary.node.operand)?
            }
            e if named(e) => self.type_of(node)?,
            _ => return Ok(None),
        };
        let whole = match self.link.types.get(ty) {
            Type::Array { .. } => true,
            Type::Function(_) => false,
            _ => !named(&node.node),
        };
        Ok(self.link.types.size(ty).filter(|_| whole))
    }

    pub(crate) fn try_constant(&mut self, node: &Node<ast::Expression>) -> Result<Option<i128>> {
        let value = self.settled(|unit| unit.expr(node))?;
        Ok(match value {
            Some(Value::Scalar { op: Operand::Const { bits, ty }, .. }) if !ty.is_float() => {
                Some(fold::number(self.link.types.machine, ty, bits))
            }
            Some(Value::Wide {
                lo: Operand::Const { bits: lo, .. },
                hi: Operand::Const { bits: hi, .. },
                ty,
            }) => {
                let signed = matches!(self.link.types.get(ty), Type::Int { signed: true, .. });
                let number = i128::from(hi as i64) << 64 | i128::from(lo);
                (signed || number >= 0).then_some(number)
            }
            _ => None,
        })
    }

    pub(crate) fn constant_int(&mut self, node: &Node<ast::Expression>) -> Result<i128> {
        match self.try_constant(node)? {
            Some(value) => {
                self.note_overflow();
                Ok(value)
            }
            None => {
                self.mark(node.span);
                Err(self.error("this must be an integer constant"))
            }
        }
    }

    pub(crate) fn constant_u64(&mut self, node: &Node<ast::Expression>) -> Result<u64> {
        let value = self.constant_int(node)?;
        u64::try_from(value).map_err(|_| {
            self.mark(node.span);
            self.error("this must not be negative")
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{error, has, hasnt, ir, type_of, value};

    #[test]
    fn what_is_constant() {
        for (e, number) in [
            ("1 << 31", -2147483648),
            ("2147483647 + 1", -2147483648),
            ("-(-2147483647 - 1)", -2147483648),
            ("(1 << 31) >> 31", -1),
            ("sizeof(int) * 8 - 1", 31),
            ("1 ? 2 : 1 / 0", 2),
            ("0 && 1 / 0", 0),
            ("(int)3.9", 3),
            ("\'a\' + 1", 98),
        ] {
            let text = format!("enum {{ A = {e} }};");
            assert_eq!(value(&text, "A"), number, "{e}");
        }
        for e in ["x", "1 / 0", "g()", "(x = 3)", "(g(), 3)", "1.5", "1 << 32", "&x"] {
            let text = format!("int x; int g(void); enum {{ A = {e} }};");
            assert!(
                error(&text).contains("this must be an integer constant"),
                "{e}: {}",
                error(&text)
            );
        }
    }

    #[test]
    fn constants_that_overflow_are_told() {
        let told = |text: &str| {
            let noted = crate::lower::testing::program(text).ignored;
            noted.iter().any(|(what, _)| what.starts_with("a constant expression that overflows"))
        };
        assert!(told("static int x = 2147483647 + 1; int main(void) { return x; }"));
        assert!(told("int main(void) { switch (1) { case 2147483647 * 2: ; } return 0; }"));
        assert!(told("int main(void) { static long x = -(-2147483647 - 1); return 0; }"));
        assert!(!told("static int x = 1 << 31, y = 2147483647u + 1; int main(void) { return x; }"));
        assert!(!told("int main(void) { return sizeof(2147483647 + 1) + (0 && 2147483647 + 1); }"));
    }

    #[test]
    fn an_array_size_that_does_something_is_not_constant() {
        has(&ir("int f(int n) { int a[n = 5]; return n; }"), &["n.0 = 5", "alloca", "return n.0"]);
    }

    #[test]
    fn types_are_found_without_evaluating() {
        let text =
            "int g(void); int f(int n) { __typeof__(g() + n++) x = 1; return sizeof(n++) + x; }";
        hasnt(&ir(text), &["call g", "add i32 n.0, 1 checked", "n.0 ="]);
        assert_eq!(type_of("int a[3];", "a"), "int [3]");
        assert_eq!(type_of("int g(char);", "&g"), "int (*)(char)");
    }
}
