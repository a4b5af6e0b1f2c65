//! C's conversions (C11 6.3) and the small emitters that everything else is made of. Emitters fold
//! constants, so that constant expressions come out as constant operands.

use super::{Result, Unit, Value};
use crate::fold;
use crate::ir::*;
use crate::types::{Rank, Scalar, Type, TypeId};

impl Unit<'_> {
    pub fn type_of_value(&mut self, value: Value) -> TypeId {
        match value {
            Value::Scalar { ty, .. } | Value::Memory { ty, .. } => ty,
            Value::Void => self.link.types.intern(Type::Void),
        }
    }

    pub fn int_type(&mut self) -> TypeId {
        self.link.types.intern(Type::Int { rank: Rank::Int, signed: true })
    }

    pub fn size_type(&mut self) -> TypeId {
        let signed = false;
        let rank = match self.link.types.machine {
            crate::types::Machine::Ilp32 => Rank::Int,
            crate::types::Machine::Lp64 => Rank::Long,
        };
        self.link.types.intern(Type::Int { rank, signed })
    }

    pub fn ptrdiff_type(&mut self) -> TypeId {
        let signed = true;
        let rank = match self.link.types.machine {
            crate::types::Machine::Ilp32 => Rank::Int,
            crate::types::Machine::Lp64 => Rank::Long,
        };
        self.link.types.intern(Type::Int { rank, signed })
    }

    pub fn void_pointer(&mut self) -> TypeId {
        let void = self.link.types.intern(Type::Void);
        self.link.types.intern(Type::Pointer(void))
    }

    pub fn pointer_to(&mut self, ty: TypeId) -> TypeId {
        self.link.types.intern(Type::Pointer(ty))
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.link.types.get(self.link.types.strip_atomic(ty)) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    pub fn is_void(&self, ty: TypeId) -> bool {
        *self.link.types.get(ty) == Type::Void
    }

    /// The scalar operand of a value, or an error that says what was needed.
    pub fn scalar(&mut self, value: Value, what: &str) -> Result<(Operand, TypeId, Scalar)> {
        match value {
            Value::Scalar { op, ty } => match self.link.types.scalar(ty) {
                Some(scalar) => Ok((op, self.link.types.strip_atomic(ty), scalar)),
                None => Err(self.error(format!("{what} must be a scalar"))),
            },
            Value::Memory { ty, .. } if self.is_wide(ty) => {
                let name = self.link.types.name(ty);
                let int = self.int_type();
                match self.unsupported_value(&format!("arithmetic on `{name}`"), int) {
                    Value::Scalar { op, ty } => Ok((op, ty, Scalar::I32)),
                    _ => Err(self.error(format!("{what} must be a scalar"))),
                }
            }
            Value::Memory { ty, .. } => {
                let name = self.link.types.name(ty);
                Err(self.error(format!("{what} must be a scalar, not `{name}`")))
            }
            Value::Void => Err(self.error(format!("{what} has no value"))),
        }
    }

    /// Arithmetic types that no register holds.
    pub fn is_wide(&self, ty: TypeId) -> bool {
        let ty = self.link.types.strip_atomic(ty);
        matches!(
            self.link.types.get(ty),
            Type::LongDouble | Type::Int { rank: Rank::Int128, .. } | Type::Opaque { .. }
        )
    }

    /// Reaching this is UNKNOWN; the rest of the expression sees an arbitrary value.
    pub fn unsupported_value(&mut self, what: &str, ty: TypeId) -> Value {
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
        let from = self.type_of_value(value);
        if let Value::Memory { ty, .. } = value
            && self.link.types.strip_atomic(ty) == target
        {
            return Ok(value);
        }
        if self.is_wide(target) || self.is_wide(from) {
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
        let op = self.cast(from, scalar, op);
        Ok(Value::Scalar { op, ty: target })
    }

    /// `op != 0` as an `int`.
    pub fn truth(&mut self, op: Operand, ty: Scalar) -> Operand {
        let zero = self.scalar_const(0, ty);
        self.binary(BinOp::Ne, ty, op, zero, false)
    }

    /// C11 6.3.1.1: small integers become `int`.
    pub fn promote(&mut self, value: Value) -> Result<Value> {
        let (op, ty, _) = self.scalar(value, "this operand")?;
        let small = match *self.link.types.get(ty) {
            Type::Bool => true,
            Type::Int { rank, .. } => rank < Rank::Int,
            _ => false,
        };
        let value = Value::Scalar { op, ty };
        if !small {
            return Ok(value);
        }
        let int = self.int_type();
        self.convert(value, int)
    }

    /// C11 6.3.1.8: the common type of two arithmetic operands.
    pub fn common_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
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
    pub fn promote_argument(&mut self, value: Value) -> Result<Value> {
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

    pub fn load(&mut self, addr: Operand, ty: Scalar, order: Order) -> Operand {
        let dst = self.f.temp(ty, self.at);
        self.emit(InstKind::Load { dst, addr, ty, order });
        Operand::Reg(dst)
    }

    pub fn store(&mut self, addr: Operand, value: Operand, ty: Scalar, order: Order) {
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
    pub fn temp_slot(&mut self, ty: TypeId) -> Operand {
        let size = self.link.types.size(ty).unwrap_or(0);
        let align = self.link.types.align(ty);
        let slot = self.f.slot(SlotInfo { name: None, ty, size, align, span: self.at });
        Operand::Slot { slot, offset: 0 }
    }

    pub fn if_else<T>(
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
