//! C's conversions (C11 6.3) and the small emitters that everything else is made of. Emitters fold
//! constants, so that constant expressions come out as constant operands.

use super::{Result, Unit, Value};
use ir::fold;
use ir::types::{Rank, Scalar, Type, TypeId};
use ir::*;

impl Unit<'_> {
    pub(crate) fn type_of_value(&mut self, value: Value) -> TypeId {
        match value {
            Value::Scalar { ty, .. } | Value::Wide { ty, .. } | Value::Memory { ty, .. } => {
                self.link.types.plain(ty)
            }
            Value::Void => self.link.types.intern(Type::Void),
        }
    }

    pub(crate) fn int_type(&mut self) -> TypeId {
        self.link.types.intern(Type::Int { rank: Rank::Int, signed: true })
    }

    pub fn size_type(&mut self) -> TypeId {
        let signed = false;
        let rank = match self.link.types.machine {
            ir::types::Machine::Ilp32 => Rank::Int,
            ir::types::Machine::Lp64 => Rank::Long,
        };
        self.link.types.intern(Type::Int { rank, signed })
    }

    pub(crate) fn ptrdiff_type(&mut self) -> TypeId {
        let signed = true;
        let rank = match self.link.types.machine {
            ir::types::Machine::Ilp32 => Rank::Int,
            ir::types::Machine::Lp64 => Rank::Long,
        };
        self.link.types.intern(Type::Int { rank, signed })
    }

    pub(crate) fn void_pointer(&mut self) -> TypeId {
        let void = self.link.types.intern(Type::Void);
        self.link.types.intern(Type::Pointer(void))
    }

    pub(crate) fn pointer_to(&mut self, ty: TypeId) -> TypeId {
        self.link.types.intern(Type::Pointer(ty))
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.link.types.get(self.link.types.strip_atomic(ty)) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    pub(crate) fn is_void(&self, ty: TypeId) -> bool {
        *self.link.types.get(ty) == Type::Void
    }

    /// The scalar operand of a value, or an error that says what was needed.
    pub fn scalar(&mut self, value: Value, what: &str) -> Result<(Operand, TypeId, Scalar)> {
        match value {
            Value::Scalar { op, ty } => match self.link.types.scalar(ty) {
                Some(scalar) => Ok((op, self.link.types.strip_atomic(ty), scalar)),
                None => Err(self.error(format!("{what} must be a scalar"))),
            },
            Value::Wide { ty, .. } | Value::Memory { ty, .. } if self.is_wide(ty) => {
                let name = self.link.types.name(ty);
                let int = self.int_type();
                match self.unsupported_value(&format!("arithmetic on `{name}`"), int) {
                    Value::Scalar { op, ty } => Ok((op, ty, Scalar::I32)),
                    _ => Err(self.error(format!("{what} must be a scalar"))),
                }
            }
            Value::Wide { ty, .. } | Value::Memory { ty, .. } => {
                let name = self.link.types.name(ty);
                Err(self.error(format!("{what} must be a scalar, not `{name}`")))
            }
            Value::Void => Err(self.error(format!("{what} has no value"))),
        }
    }

    /// Arithmetic types that no register holds.
    pub(crate) fn is_wide(&self, ty: TypeId) -> bool {
        let ty = self.link.types.strip_atomic(ty);
        matches!(
            self.link.types.get(ty),
            Type::LongDouble | Type::Int { rank: Rank::Int128, .. } | Type::Opaque { .. }
        )
    }

    /// A value that is not modelled.
    pub(crate) fn is_opaque(&self, value: Value) -> bool {
        matches!(value, Value::Memory { ty, .. } if self.is_wide(ty))
    }

    /// Reaching this is UNKNOWN; the rest of the expression sees an arbitrary value.
    pub(crate) fn unsupported_value(&mut self, what: &str, ty: TypeId) -> Value {
        self.emit(InstKind::Unsupported { what: what.to_owned() });
        match self.link.types.scalar(ty) {
            Some(scalar) => Value::Scalar { op: self.assign(scalar, Rvalue::Undef(scalar)), ty },
            None if self.is_void(ty) => Value::Void,
            None => Value::Memory { addr: self.temp_slot(ty), ty },
        }
    }

    /// As if by assignment or cast.
    pub fn convert(&mut self, value: Value, to: TypeId) -> Result<Value> {
        let target = self.link.types.strip_atomic(to);
        if self.is_void(target) {
            return Ok(Value::Void);
        }
        let value = self.widened(value);
        if self.is_int128(target) && !self.is_opaque(value) {
            return self.extend_to(value, target);
        }
        if let Value::Wide { .. } = value {
            return self.narrow_to(value, target);
        }
        let from = self.type_of_value(value);
        if let Value::Memory { ty, .. } = value
            && self.link.types.strip_atomic(ty) == target
        {
            return Ok(value);
        }
        if self.is_wide(target) || self.is_wide(from) {
            if *self.link.types.get(target) == Type::LongDouble
                && let Some(constant) = self.extended_of_constant(value)
            {
                return Ok(constant);
            }
            let (a, b) = (self.link.types.name(from), self.link.types.name(to));
            return Ok(self.unsupported_value(&format!("conversion from `{a}` to `{b}`"), target));
        }
        let Some(scalar) = self.link.types.scalar(target) else {
            let (a, b) = (self.link.types.name(from), self.link.types.name(to));
            return Err(self.error(format!("cannot convert `{a}` to `{b}`")));
        };
        let (op, from_ty, from) = self.scalar(value, "this operand")?;
        if *self.link.types.get(target) == Type::Bool {
            if *self.link.types.get(from_ty) == Type::Bool {
                return Ok(Value::Scalar { op, ty: target });
            }
            let truth = self.truth(op, from);
            let op = self.cast(Scalar::I32, Scalar::U8, truth);
            return Ok(Value::Scalar { op, ty: target });
        }
        self.note_purpose(op, from_ty, target);
        self.note_view(from_ty, target);
        let op = self.cast(from, scalar, op);
        Ok(Value::Scalar { op, ty: target })
    }

    /// A call that gives `void *`, and what that is meant to point to.
    fn note_purpose(&mut self, op: Operand, from: TypeId, to: TypeId) {
        let points_to_void = |ty| self.pointee(ty).map(|to| self.is_void(to));
        if points_to_void(from) != Some(true) || points_to_void(to) != Some(false) {
            return;
        }
        let insts = self.f.blocks.get(self.f.current.index()).map(|block| &block.insts);
        if let Some(InstKind::Call { dst: Some(dst), .. }) =
            insts.and_then(|insts| insts.last()).map(|inst| &inst.kind)
            && op == Operand::Reg(*dst)
        {
            self.f.regs[dst.index()].of = Some(to);
        }
    }

    /// `op != 0` as an `int`.
    pub fn truth(&mut self, op: Operand, ty: Scalar) -> Operand {
        let zero = self.scalar_const(0, ty);
        self.binary(BinOp::Ne, ty, op, zero, false)
    }

    /// C11 6.3.1.1: small integers become `int`.
    pub fn promote(&mut self, value: Value) -> Result<Value> {
        let value = self.widened(value);
        if let Value::Wide { .. } = value {
            return Ok(value);
        }
        let (op, ty, _) = self.scalar(value, "this operand")?;
        let promoted = self.promoted_type(ty);
        self.convert(Value::Scalar { op, ty }, promoted)
    }

    pub(crate) fn promoted_type(&mut self, ty: TypeId) -> TypeId {
        match *self.link.types.get(ty) {
            Type::Bool => self.int_type(),
            Type::Int { rank, .. } if rank < Rank::Int => self.int_type(),
            _ => ty,
        }
    }

    /// C11 6.3.1.8: the common type of two arithmetic operands.
    pub(crate) fn common_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let rank = |ty: &Type| match ty {
            Type::LongDouble => 3,
            Type::Double => 2,
            Type::Float => 1,
            _ => 0,
        };
        let (ta, tb) = (self.link.types.get(a), self.link.types.get(b));
        if rank(ta).max(rank(tb)) > 0 {
            return if rank(ta) >= rank(tb) { a } else { b };
        }
        let (&Type::Int { rank: ra, signed: sa }, &Type::Int { rank: rb, signed: sb }) = (ta, tb)
        else {
            return a;
        };
        if sa == sb {
            return if ra >= rb { a } else { b };
        }
        let (u, urank, s, srank) = if sa { (b, rb, a, ra) } else { (a, ra, b, rb) };
        if urank >= srank {
            u
        } else if self.link.types.rank_bytes(srank) > self.link.types.rank_bytes(urank) {
            s
        } else {
            self.link.types.intern(Type::Int { rank: srank, signed: false })
        }
    }

    /// Default argument promotions (C11 6.5.2.2).
    pub(crate) fn promote_argument(&mut self, value: Value) -> Result<Value> {
        if !matches!(value, Value::Scalar { .. }) {
            return Ok(value);
        }
        let value = self.promote(value)?;
        let float = self.link.types.intern(Type::Float);
        let double = self.link.types.intern(Type::Double);
        if self.type_of_value(value) == float { self.convert(value, double) } else { Ok(value) }
    }

    pub fn emit(&mut self, kind: InstKind) {
        let at = self.at;
        self.f.emit(kind, at);
    }

    /// A temporary that holds `value`.
    pub fn assign(&mut self, ty: Scalar, value: Rvalue) -> Operand {
        let dst = self.f.temp(ty, self.at);
        self.emit(InstKind::Assign { dst, value });
        Operand::Reg(dst)
    }

    pub fn set(&mut self, dst: Reg, op: Operand) {
        self.emit(InstKind::Assign { dst, value: Rvalue::Use(op) });
    }

    /// Constant arithmetic that overflows stays an instruction, so that no-overflow sees it.
    pub fn binary(
        &mut self,
        op: BinOp,
        ty: Scalar,
        a: Operand,
        b: Operand,
        checked: bool,
    ) -> Operand {
        let result = if op.is_comparison() { Scalar::I32 } else { ty };
        if let (Operand::Const { bits: x, .. }, Operand::Const { bits: y, ty: y_ty }) = (a, b)
            && let Some(folded) = fold::binary(self.link.types.machine, op, ty, x, y_ty, y)
            && !(checked && folded.overflow)
        {
            return Operand::Const { bits: folded.bits, ty: result };
        }
        self.assign(result, Rvalue::Binary { op, ty, a, b, checked })
    }

    pub fn unary(&mut self, op: UnOp, ty: Scalar, a: Operand, checked: bool) -> Operand {
        if let Operand::Const { bits: x, .. } = a
            && let Some(folded) = fold::unary(self.link.types.machine, op, ty, x)
            && !(checked && folded.overflow)
        {
            return Operand::Const { bits: folded.bits, ty };
        }
        self.assign(ty, Rvalue::Unary { op, ty, a, checked })
    }

    pub fn cast(&mut self, from: Scalar, to: Scalar, a: Operand) -> Operand {
        if from == to {
            return a;
        }
        if let Operand::Const { bits, .. } = a
            && let Some(bits) = fold::cast(self.link.types.machine, from, to, bits)
        {
            return Operand::Const { bits, ty: to };
        }
        self.assign(to, Rvalue::Cast { from, to, a })
    }

    pub fn load(&mut self, addr: Operand, ty: Scalar, order: MemoryOrder) -> Operand {
        let dst = self.f.temp(ty, self.at);
        self.emit(InstKind::Load { dst, addr, ty, order });
        Operand::Reg(dst)
    }

    pub fn store(&mut self, addr: Operand, value: Operand, ty: Scalar, order: MemoryOrder) {
        self.emit(InstKind::Store { addr, value, ty, order });
    }

    /// `addr + offset` within the same object, folded where the object is known.
    pub fn offset(&mut self, addr: Operand, offset: u64) -> Operand {
        let index = self.scalar_const(offset, Scalar::U64);
        self.pointer_add(addr, index, 1)
    }

    /// `base + index * scale`; `index` is a pointer-wide integer.
    pub fn pointer_add(&mut self, base: Operand, index: Operand, scale: u64) -> Operand {
        if let Operand::Const { bits, .. } = index {
            let width = self.link.types.machine.pointer_bits();
            let wide = Scalar::Int { bits: width, signed: true };
            let delta = fold::number(self.link.types.machine, wide, bits) * i128::from(scale);
            if delta == 0 {
                return base;
            }
            if let Some(folded) = self.fold_address(base, delta) {
                return folded;
            }
            let index = self.scalar_const(delta as u64, wide);
            return self.assign(Scalar::Ptr, Rvalue::PtrAdd { base, index, scale: 1 });
        }
        self.assign(Scalar::Ptr, Rvalue::PtrAdd { base, index, scale })
    }

    /// Only inside the object: anything else must stay visible to the engines.
    fn fold_address(&mut self, base: Operand, delta: i128) -> Option<Operand> {
        match base {
            Operand::Object { object, offset } => {
                let to = i128::from(offset) + delta;
                let size = i128::from(self.link.objects[object.index()].size);
                (0..=size).contains(&to).then_some(Operand::Object { object, offset: to as i64 })
            }
            Operand::Slot { slot, offset } => {
                let to = i128::from(offset) + delta;
                let size = i128::from(self.f.slots[slot.index()].size);
                (0..=size).contains(&to).then_some(Operand::Slot { slot, offset: to as i64 })
            }
            Operand::Const { bits, ty } => {
                let to = (i128::from(bits) + delta) as u64;
                Some(self.scalar_const(to, ty))
            }
            Operand::Reg(_) | Operand::Function(_) => None,
        }
    }

    /// A slot without a name in the current scope.
    pub(crate) fn temp_slot(&mut self, ty: TypeId) -> Operand {
        let info = self.unnamed_slot(ty);
        Operand::Slot { slot: self.f.temporary(info), offset: 0 }
    }

    pub(crate) fn unnamed_slot(&self, ty: TypeId) -> SlotInfo {
        let size = self.link.types.size(ty).unwrap_or(0);
        let align = self.link.types.align(ty);
        SlotInfo { name: None, ty, size, align, span: self.at }
    }

    pub(crate) fn if_else<T>(
        &mut self,
        cond: Operand,
        then: impl FnOnce(&mut Self) -> T,
        otherwise: impl FnOnce(&mut Self) -> T,
    ) -> (T, T) {
        let (yes, no, end) = (self.f.new_block(), self.f.new_block(), self.f.new_block());
        let at = self.at;
        self.f.end(Terminator::Branch { cond, then: yes, otherwise: no }, at);
        self.f.continue_at(yes);
        let a = then(self);
        self.f.goto(end, at);
        self.f.continue_at(no);
        let b = otherwise(self);
        self.f.goto(end, at);
        self.f.continue_at(end);
        (a, b)
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{ILP32, LP64, error, has, ir, type_on, value, values};

    #[test]
    fn usual_arithmetic_conversions() {
        let vars = "char c; short s; unsigned u; int i; long l; unsigned long ul; long long ll; \
                    unsigned long long ull; float g; double d; _Bool b; unsigned short us;";
        for (e, lp64, ilp32) in [
            ("c + c", "int", "int"),
            ("us + us", "int", "int"),
            ("b + b", "int", "int"),
            ("i + u", "unsigned int", "unsigned int"),
            ("u + l", "long", "unsigned long"),
            ("l + ul", "unsigned long", "unsigned long"),
            ("ul + ll", "unsigned long long", "long long"),
            ("u + ll", "long long", "long long"),
            ("ll + ull", "unsigned long long", "unsigned long long"),
            ("i + g", "float", "float"),
            ("ull + g", "float", "float"),
            ("g + d", "double", "double"),
            ("-c", "int", "int"),
            ("+s", "int", "int"),
            ("~us", "int", "int"),
            ("!d", "int", "int"),
            ("c << ll", "int", "int"),
            ("u >> ll", "unsigned int", "unsigned int"),
            ("ll < d", "int", "int"),
            ("c++", "char", "char"),
            ("(c = 1000)", "char", "char"),
        ] {
            assert_eq!(type_on(LP64, vars, e), lp64, "{e}");
            assert_eq!(type_on(ILP32, vars, e), ilp32, "{e}");
        }
    }

    #[test]
    fn conversion_to_bool_asks_for_nonzero() {
        has(&ir("_Bool f(double d) { return d; }"), &["ne f64 d.0, 0.0", "cast i32 to u8"]);
        has(&ir("_Bool f(int *p) { return p; }"), &["ne ptr p.0, null"]);
        has(&ir("_Bool f(_Bool b) { return b; }"), &["return b.0"]);
        assert_eq!(value("", "(_Bool)0.5"), 1);
        assert_eq!(value("", "(_Bool)256"), 1);
        has(&ir("double f(_Bool b) { return b; }"), &["cast u8 to f64 b.0"]);
    }

    #[test]
    fn casts_extend_by_the_sign_of_the_source() {
        assert_eq!(value("", "(unsigned char)-1"), 255);
        assert_eq!(value("", "(signed char)255"), -1);
        assert_eq!(value("", "(unsigned)-1"), 4294967295);
        assert_eq!(value("", "-1 < 1u"), 0);
        assert_eq!(value("", "-1L < 1u"), 1);
        assert_eq!(values("", "-1L < 1u"), (1, 0));
        assert_eq!(value("", "(int)-2.9"), -2);
        assert_eq!(value("", "(char)(unsigned char)200"), -56);
        has(&ir("long f(unsigned u) { return u; }"), &["cast u32 to i64 u.0"]);
    }

    #[test]
    fn nothing_is_folded_that_an_engine_must_see() {
        has(&ir("int f(void) { return 2147483647 + 1; }"), &["add i32 2147483647, 1 checked"]);
        has(&ir("int f(void) { return 1 / 0; }"), &["div i32 1, 0 checked"]);
        has(&ir("int a[3]; int *f(void) { return a + 4; }"), &["ptradd @a, 16 * 1"]);
        has(&ir("int a[3]; int *f(void) { return a + 3; }"), &["return @a+12"]);
    }

    #[test]
    fn variadic_arguments_are_promoted() {
        let text = "void g(int, ...); void f(char c, float x, short *p) { g(c, c, x, p); }";
        has(&ir(text), &["cast i8 to i32 c.0", "cast i8 to i32 c.0", "cast f32 to f64", "call g("]);
    }

    #[test]
    fn wide_types_are_not_modelled_but_no_error() {
        has(&ir("int f(long double x) { return x > 1; }"), &["unsupported"]);
        has(&ir("long double f(__int128 x) { return x; }"), &["unsupported"]);
        has(&ir("double f(__int128 x) { return x; }"), &["call __obmc_wide_to_double("]);
        let e = error("struct s { int x; } a; int f(void) { return a; }");
        assert_eq!(e, "1:38: this operand must be a scalar, not `struct s`");
    }
}
