//! Arrays of variable length, and the types that are made of them.
//!
//! Such a type is a number (`Type::VariableArray`): its size in bytes is computed where the declarator
//! is reached and stays in a register of the function, as C has it: what the length is made of may
//! change afterwards. Rows of constant length of elements of variable size are of variable size, too.
//! So pointers to rows, `sizeof` and `typedef`s work as for other arrays, with a register in the place
//! of the constant.
//!
//! Invariant: `Builder::sizes` knows all numbers of types that the function being built has; those
//! that were made on the side are forgotten with their code. In the type of a function there are
//! none: a caller has no use for them.

use super::{Result, Unit};
use analysis::lengths::NEGATIVE;
use ir::arith::mask;
use ir::types::{FunctionType, Scalar, Type, TypeId};
use ir::{BinOp, InstKind, Operand, Terminator};

impl Unit<'_> {
    fn size_scalar(&mut self) -> Scalar {
        let size_type = self.size_type();
        self.link.types.scalar(size_type).unwrap_or(Scalar::U64)
    }

    /// The type of an array of `count` elements, `count` being a `size_t`.
    pub(crate) fn variable_array(&mut self, elem: TypeId, count: Operand) -> TypeId {
        let Some(each) = self.bytes_of(elem) else {
            return self.link.types.intern(Type::Array { elem, len: None });
        };
        let scalar = self.size_scalar();
        let size = self.binary(BinOp::Mul, scalar, count, each, false);
        let size = self.all_ones_beyond(each, count, size);
        let bytes = self.f.temp(scalar, self.at);
        self.set(bytes, size);
        let id = self.variable_types;
        self.variable_types += 1;
        self.f.sizes.push((id, bytes));
        self.link.types.intern(Type::VariableArray { elem, id })
    }

    /// An array that no object can be (too many elements, or a negative number of them) has the
    /// greatest size that there is, and not what is left of it behind a wrap.
    fn all_ones_beyond(&mut self, each: Operand, count: Operand, size: Operand) -> Operand {
        let scalar = self.size_scalar();
        let largest = self.scalar_const(mask(scalar.bits(self.link.types.machine) - 1), scalar);
        let zero = self.scalar_const(0, scalar);
        // Elements without a size divide by one instead: that many are none too many.
        let nothing = self.binary(BinOp::Eq, scalar, each, zero, false);
        let nothing = self.cast(Scalar::I32, scalar, nothing);
        let each = self.binary(BinOp::Or, scalar, each, nothing, false);
        let most = self.binary(BinOp::Div, scalar, largest, each, false);
        let beyond = self.binary(BinOp::Gt, scalar, count, most, false);
        let beyond = self.cast(Scalar::I32, scalar, beyond);
        let ones = self.binary(BinOp::Sub, scalar, zero, beyond, false);
        self.binary(BinOp::Or, scalar, size, ones, false)
    }

    /// A declaration with a negative length is undefined (C11 6.7.6.2 paragraph 5).
    pub(crate) fn stop_at_impossible_size(&mut self, size: Operand) {
        let (at, scalar) = (self.at, self.size_scalar());
        let ones = self.scalar_const(mask(scalar.bits(self.link.types.machine)), scalar);
        let cond = self.binary(BinOp::Eq, scalar, size, ones, false);
        let (then, otherwise) = (self.f.new_block(), self.f.new_block());
        self.f.end(Terminator::Branch { cond, then, otherwise }, at);
        self.f.continue_at(then);
        self.emit(InstKind::Unsupported { what: NEGATIVE.into() });
        self.f.goto(otherwise, at);
        self.f.continue_at(otherwise);
    }

    /// The size of a type as a `size_t`, constant or not; `None` if it has none.
    pub(crate) fn bytes_of(&mut self, ty: TypeId) -> Option<Operand> {
        if let Type::VariableArray { id, .. } = *self.link.types.get(ty) {
            return self.f.sizes.iter().find(|s| s.0 == id).map(|s| Operand::Reg(s.1));
        }
        let size = self.link.types.size(ty)?;
        let scalar = self.size_scalar();
        Some(self.scalar_const(size, scalar))
    }

    pub(crate) fn is_variable_array(&self, ty: TypeId) -> bool {
        matches!(self.link.types.get(ty), Type::VariableArray { .. })
    }

    /// Does the function being built know the sizes of all that the type is made of?
    pub(crate) fn knows_sizes(&self, ty: TypeId) -> bool {
        match *self.link.types.get(ty) {
            Type::VariableArray { elem, id } => {
                self.f.sizes.iter().any(|s| s.0 == id) && self.knows_sizes(elem)
            }
            Type::Pointer(inner) | Type::Array { elem: inner, .. } | Type::Atomic(inner) => {
                self.knows_sizes(inner)
            }
            _ => true,
        }
    }

    /// The same type where the size is not known: `int (*)[]` for `int (*)[n]`.
    pub(crate) fn without_sizes(&mut self, ty: TypeId) -> TypeId {
        let without = match self.link.types.get(ty).clone() {
            Type::VariableArray { elem, .. } => {
                Type::Array { elem: self.without_sizes(elem), len: None }
            }
            Type::Array { elem, len } => Type::Array { elem: self.without_sizes(elem), len },
            Type::Pointer(to) => Type::Pointer(self.without_sizes(to)),
            Type::Function(f) => {
                let ret = self.without_sizes(f.ret);
                Type::Function(FunctionType { ret, ..f })
            }
            _ => return ty,
        };
        let without = self.link.types.intern(without);
        self.link.types.qualified(without, ty.qualifiers())
    }

    /// `typeof` and the like, where the type may be one that only evaluating gives.
    pub(crate) fn evaluated_type(
        &mut self,
        node: &lang_c::span::Node<lang_c::ast::Expression>,
    ) -> Result<TypeId> {
        let ty = self.type_of(node)?;
        if self.knows_sizes(ty) {
            return Ok(ty);
        }
        match self.try_place(node)? {
            Some(place) => Ok(place.ty()),
            None => {
                let value = self.expr(node)?;
                Ok(self.type_of_value(value))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{error, has, ir, program};

    #[test]
    fn sizes_are_computed_once_where_they_are_declared() {
        let text = "unsigned long f(int n, int m) { int a[n][m]; n = m = 0; return sizeof a + sizeof a[0] + sizeof a[0][0]; }";
        let ir = ir(text);
        assert_eq!(ir.matches("mul u64").count(), 2, "{ir}");
        has(&ir, &["= alloc"]);
    }

    #[test]
    fn rows_are_scaled_by_a_register() {
        has(
            &ir("int f(int n, int a[n][n], int i) { return a[i][1]; }"),
            &["mul i64", "ptradd a.1, "],
        );
        has(
            &ir("long f(int n, int (*p)[n], int (*q)[n]) { return p - q; }"),
            &["sub i64", "div i64"],
        );
    }

    #[test]
    fn prototypes_need_no_sizes() {
        program(
            "void g(int n, int a[n][n]); void h(int n, int a[n][*]); void f(int (*p)[3]) { g(3, p); h(3, p); }",
        );
        assert!(error("int n; int a[3][n];").contains("the size of this array is not a constant"));
        assert!(error("void f(int n) { int a[n][]; }").contains("incomplete type"));
    }
}
