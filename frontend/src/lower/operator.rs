//! Operators: arithmetic with C's conversions, pointer arithmetic, comparison, assignment.

use super::place::Lvalue;
use super::wide::WidePair;
use super::{Result, Unit, Value};
use ir::types::{Scalar, Type, TypeId};
use ir::*;
use lang_c::ast::{self, BinaryOperator as B, UnaryOperator as U};
use lang_c::span::Node;

/// Why it is not modelled.
const BITS: &str = "arithmetic in the width of a bit-field";

impl Unit<'_> {
    pub(crate) fn unary_expr(
        &mut self,
        node: &Node<ast::UnaryOperatorExpression>,
    ) -> Result<Value> {
        let operand = &node.node.operand;
        match node.node.operator.node {
            U::PostIncrement => self.step(operand, BinOp::Add, Taken::Old),
            U::PostDecrement => self.step(operand, BinOp::Sub, Taken::Old),
            U::PreIncrement => self.step(operand, BinOp::Add, Taken::New),
            U::PreDecrement => self.step(operand, BinOp::Sub, Taken::New),
            U::Address => self.address_of(operand, node),
            U::Indirection => {
                let value = self.expr(operand)?;
                self.mark(node.span);
                let place = self.pointed_to(value, operand)?;
                self.read(place)
            }
            U::Plus => {
                let value = self.expr(operand)?;
                self.promote(value)
            }
            U::Minus => self.arithmetic_unary(UnOp::Neg, operand, node),
            U::Complement => self.arithmetic_unary(UnOp::Not, operand, node),
            U::Negate => self.logical_not(operand, node),
        }
    }

    fn arithmetic_unary(
        &mut self,
        op: UnOp,
        operand: &Node<ast::Expression>,
        node: &Node<ast::UnaryOperatorExpression>,
    ) -> Result<Value> {
        let value = self.expr(operand)?;
        self.mark(node.span);
        if op == UnOp::Neg
            && let Some(constant) = self.negated_constant(value)
        {
            return Ok(constant);
        }
        if self.in_fewer_bits(value, value) {
            let ty = self.type_of_value(value);
            return Ok(self.unsupported_value(BITS, ty));
        }
        let value = self.promote(value)?;
        if let Value::Wide { lo, hi, ty } = value {
            return Ok(self.wide_unary(op, WidePair { lo, hi }, ty));
        }
        let (a, ty, scalar) = self.scalar(value, "this operand")?;
        if scalar == Scalar::Ptr || (op == UnOp::Not && scalar.is_float()) {
            let name = self.link.types.name(ty);
            return Err(self.error(format!("this operator does not apply to `{name}`")));
        }
        let checked = op == UnOp::Neg && scalar.is_signed();
        Ok(Value::Scalar { op: self.unary(op, scalar, a, checked), ty })
    }

    fn logical_not(
        &mut self,
        operand: &Node<ast::Expression>,
        node: &Node<ast::UnaryOperatorExpression>,
    ) -> Result<Value> {
        let value = self.expr(operand)?;
        self.mark(node.span);
        if let Value::Wide { lo, hi, .. } = self.widened(value) {
            let truth = self.wide_truth(WidePair { lo, hi });
            let one = self.scalar_const(1, Scalar::I32);
            let op = self.binary(BinOp::Xor, Scalar::I32, truth, one, false);
            return Ok(Value::Scalar { op, ty: self.int_type() });
        }
        let (op, _, scalar) = self.scalar(value, "the operand of `!`")?;
        let zero = self.scalar_const(0, scalar);
        let op = self.binary(BinOp::Eq, scalar, op, zero, false);
        Ok(Value::Scalar { op, ty: self.int_type() })
    }

    fn address_of(
        &mut self,
        operand: &Node<ast::Expression>,
        node: &Node<ast::UnaryOperatorExpression>,
    ) -> Result<Value> {
        let place = self.place(operand)?;
        self.mark(node.span);
        match place {
            Lvalue::Memory { addr, ty } => Ok(Value::Scalar { op: addr, ty: self.pointer_to(ty) }),
            Lvalue::Bits { .. } => Err(self.error("a bit-field has no address")),
            // Locals whose address is taken were given a slot, so this is no variable's register.
            Lvalue::Register { .. } => Err(self.error("this has no address")),
        }
    }

    pub(crate) fn binary_expr(
        &mut self,
        node: &Node<ast::BinaryOperatorExpression>,
    ) -> Result<Value> {
        let (lhs, rhs) = (&node.node.lhs, &node.node.rhs);
        let operator = &node.node.operator.node;
        if let Some(class) = self.class_test(&node.node)? {
            return Ok(class);
        }
        match operator {
            B::Assign => self.assignment(lhs, rhs, node),
            B::LogicalAnd | B::LogicalOr => self.short_circuit(operator, lhs, rhs),
            B::Index => {
                let place = self.element_place(node)?;
                self.read(place)
            }
            _ => match compound(operator) {
                Some(op) => self.compound_assignment(op, lhs, rhs, node),
                None => {
                    let (a, b) = self.two_values(lhs, rhs)?;
                    self.mark(node.span);
                    self.operate(operator, a, b)
                }
            },
        }
    }

    fn short_circuit(
        &mut self,
        operator: &B,
        lhs: &Node<ast::Expression>,
        rhs: &Node<ast::Expression>,
    ) -> Result<Value> {
        let int = self.int_type();
        let decided = u64::from(*operator == B::LogicalOr);
        let left = self.condition(lhs)?;
        if let Operand::Const { bits, .. } = left {
            if u64::from(bits != 0) == decided {
                // The other side is not evaluated but must be C.
                self.aside(|unit| unit.condition(rhs))?;
                return Ok(Value::Scalar { op: self.bits(decided, int), ty: int });
            }
            let right = self.condition(rhs)?;
            return Ok(Value::Scalar { op: self.truth(right, Scalar::I32), ty: int });
        }
        let result = self.f.temp(Scalar::I32, self.at);
        let decided_op = self.bits(decided, int);
        self.set(result, decided_op);
        let (more, end) = (self.f.new_block(), self.f.new_block());
        let (then, otherwise) = if decided == 1 { (end, more) } else { (more, end) };
        let at = self.at;
        self.f.end(Terminator::Branch { cond: left, then, otherwise }, at);
        self.f.continue_at(more);
        let right = self.condition(rhs)?;
        let right = self.truth(right, Scalar::I32);
        self.set(result, right);
        self.f.goto(end, at);
        self.f.continue_at(end);
        Ok(Value::Scalar { op: Operand::Reg(result), ty: int })
    }

    /// A value to branch on, as an `int` that is 0 or not.
    pub fn condition(&mut self, node: &Node<ast::Expression>) -> Result<Operand> {
        let value = self.expr(node)?;
        self.mark(node.span);
        if let Value::Wide { lo, hi, .. } = self.widened(value) {
            return Ok(self.wide_truth(WidePair { lo, hi }));
        }
        let (op, _, scalar) = self.scalar(value, "a condition")?;
        Ok(if scalar == Scalar::I32 { op } else { self.truth(op, scalar) })
    }

    fn assignment(
        &mut self,
        lhs: &Node<ast::Expression>,
        rhs: &Node<ast::Expression>,
        node: &Node<ast::BinaryOperatorExpression>,
    ) -> Result<Value> {
        let (place, value) = self.place_and_value(lhs, rhs)?;
        self.mark(node.span);
        self.assign_to(place, value)
    }

    /// Converts, stores, and gives the value of the assignment expression.
    pub(crate) fn assign_to(&mut self, place: Lvalue, value: Value) -> Result<Value> {
        self.check_assignable(place)?;
        let value = self.convert(value, place.ty())?;
        self.write(place, value)?;
        Ok(match (place, value) {
            (Lvalue::Bits { bits, .. }, Value::Scalar { op, ty }) => {
                let scalar = self.link.types.scalar(ty).unwrap_or(Scalar::I32);
                let unused = scalar.bits(self.link.types.machine).saturating_sub(bits.width);
                let unused = self.scalar_const(u64::from(unused), Scalar::I32);
                let high = self.binary(BinOp::Shl, scalar, op, unused, false);
                let op = self.binary(BinOp::Shr, scalar, high, unused, false);
                Value::Scalar { op, ty }
            }
            _ => value,
        })
    }

    fn check_assignable(&self, place: Lvalue) -> Result<()> {
        match self.link.types.get(place.ty()) {
            Type::Array { .. } | Type::VariableArray { .. } => {
                Err(self.error("an array cannot be assigned to"))
            }
            Type::Function(_) => Err(self.error("a function cannot be assigned to")),
            Type::Void => Err(self.error("`void` cannot be assigned to")),
            _ => Ok(()),
        }
    }

    fn compound_assignment(
        &mut self,
        op: B,
        lhs: &Node<ast::Expression>,
        rhs: &Node<ast::Expression>,
        node: &Node<ast::BinaryOperatorExpression>,
    ) -> Result<Value> {
        let (place, old, right) = self.updated_and_value(lhs, rhs)?;
        self.mark(node.span);
        let compute = |unit: &mut Self, old| unit.operate(&op, old, right);
        self.update(place, old, compute).map(|(_, new)| new)
    }

    fn step(&mut self, node: &Node<ast::Expression>, op: BinOp, taken: Taken) -> Result<Value> {
        let place = self.place(node)?;
        self.mark(node.span);
        let int = self.int_type();
        let one = Value::Scalar { op: self.bits(1, int), ty: int };
        let operator = if op == BinOp::Add { B::Plus } else { B::Minus };
        let (old, new) = self.update(place, None, |unit, old| unit.operate(&operator, old, one))?;
        Ok(if matches!(taken, Taken::Old) { old } else { new })
    }

    /// Read, compute, write back; one atomic step for an `_Atomic` place. Gives old and new value.
    fn update(
        &mut self,
        place: Lvalue,
        old: Option<Value>,
        compute: impl FnOnce(&mut Self, Value) -> Result<Value>,
    ) -> Result<(Value, Value)> {
        let atomic = self.is_atomic_update(place);
        if atomic {
            self.emit(InstKind::AtomicBegin { kind: AtomicKind::Internal });
        }
        let old = match old {
            Some(old) => old,
            None => self.read_to_update(place)?,
        };
        let new = compute(self, old)?;
        let new = self.assign_to(place, new)?;
        if atomic {
            self.emit(InstKind::AtomicEnd);
        }
        Ok((old, new))
    }

    fn is_atomic_update(&self, place: Lvalue) -> bool {
        matches!(place, Lvalue::Memory { .. })
            && matches!(self.link.types.get(place.ty()), Type::Atomic(_))
    }

    /// What is in a place that will be updated; `None` if that is one step.
    pub(crate) fn old_value(&mut self, place: Lvalue) -> Result<Option<Value>> {
        match self.is_atomic_update(place) {
            true => Ok(None),
            false => self.read_to_update(place).map(Some),
        }
    }

    fn read_to_update(&mut self, place: Lvalue) -> Result<Value> {
        let mut old = self.read(place)?;
        if let (Lvalue::Bits { .. }, Value::Scalar { op, ty }) = (place, old) {
            // What is written back is cut to the width anyway.
            old = Value::Scalar { op, ty: self.link.types.plain(ty) };
        }
        if let (Lvalue::Register { .. }, Value::Scalar { op, ty }) = (place, old) {
            // The register is about to change; the old value must not.
            let scalar = self.link.types.scalar(ty).unwrap_or(Scalar::I32);
            old = Value::Scalar { op: self.assign(scalar, Rvalue::Use(op)), ty };
        }
        Ok(old)
    }

    /// A binary operator on two values, with C's conversions.
    pub(crate) fn operate(&mut self, operator: &B, a: Value, b: Value) -> Result<Value> {
        if let Some(value) = self.wide_operate(operator, a, b)? {
            return Ok(value);
        }
        let cut = match operator {
            B::Plus | B::Minus | B::Multiply => self.in_fewer_bits(a, b),
            B::ShiftLeft => self.in_fewer_bits(a, a),
            _ => false,
        };
        if cut {
            let ty = self.type_of_value(a);
            return Ok(self.unsupported_value(BITS, ty));
        }
        let (a_op, a_ty, a_scalar) = self.scalar(a, "the left operand")?;
        let (b_op, b_ty, b_scalar) = self.scalar(b, "the right operand")?;
        let a = Value::Scalar { op: a_op, ty: self.precise_type(a).unwrap_or(a_ty) };
        let b = Value::Scalar { op: b_op, ty: self.precise_type(b).unwrap_or(b_ty) };
        let pointers = (a_scalar == Scalar::Ptr, b_scalar == Scalar::Ptr);
        match operator {
            B::Plus if pointers.0 != pointers.1 => self.pointer_offset(a, b, false),
            B::Minus if pointers == (true, true) => self.pointer_difference(a, b),
            B::Minus if pointers.0 => self.pointer_offset(a, b, true),
            B::ShiftLeft | B::ShiftRight => self.shift(operator, a, b),
            B::Less
            | B::Greater
            | B::LessOrEqual
            | B::GreaterOrEqual
            | B::Equals
            | B::NotEquals => self.compare(operator, a, b),
            _ => self.arithmetic(operator, a, b),
        }
    }

    /// Of a bit-field that is wider than `int`.
    pub(crate) fn precise_type(&self, value: Value) -> Option<TypeId> {
        match value {
            Value::Scalar { ty, .. } if self.link.types.is_bit_precise(ty) => Some(ty),
            _ => None,
        }
    }

    /// Does gcc compute this in fewer bits than the type has? So it is for bit-fields that are wider
    /// than `int`, beside `int` or their like.
    fn in_fewer_bits(&self, a: Value, b: Value) -> bool {
        let precise = |v| self.precise_type(v).is_some();
        let narrow = |v| match v {
            Value::Scalar { ty, .. } => precise(v) || self.link.types.size(ty) <= Some(4),
            _ => false,
        };
        precise(a) && narrow(b) || precise(b) && narrow(a)
    }

    /// The common type; of fewer bits if gcc has it so.
    pub(crate) fn common_type_of(&mut self, a: Value, b: Value) -> TypeId {
        let (ta, tb) = (self.type_of_value(a), self.type_of_value(b));
        let (ta, tb) = (self.promoted_type(ta), self.promoted_type(tb));
        let integers = matches!(self.link.types.get(ta), Type::Int { .. })
            && matches!(self.link.types.get(tb), Type::Int { .. });
        let precise = (self.precise_type(a).is_some(), self.precise_type(b).is_some());
        match (self.in_fewer_bits(a, b), integers, precise) {
            (true, ..) => {
                let ty = self.common_type(ta, tb);
                self.link.types.bit_precise(ty)
            }
            // Whatever the rank of its declared type, the bit-field has fewer bits.
            (false, true, (true, false)) => tb,
            (false, true, (false, true)) => ta,
            _ => self.common_type(ta, tb),
        }
    }

    /// As `convert`. A negative number would become one of fewer bits than we have.
    pub(crate) fn convert_operand(&mut self, value: Value, ty: TypeId) -> Result<Value> {
        let machine = self.link.types.machine;
        let scalar = |v: TypeId| self.link.types.scalar(v);
        let wraps = |s: Option<Scalar>| matches!(s, Some(Scalar::Int { signed: false, .. }));
        let may_be_negative = match value {
            Value::Scalar { op: Operand::Const { bits, ty }, .. } => {
                fold::number(machine, ty, bits) < 0
            }
            Value::Scalar { ty, .. } => !wraps(scalar(ty)),
            _ => false,
        };
        if may_be_negative && self.link.types.is_bit_precise(ty) && wraps(scalar(ty)) {
            return Ok(self.unsupported_value(BITS, ty));
        }
        self.convert(value, ty)
    }

    fn arithmetic(&mut self, operator: &B, a: Value, b: Value) -> Result<Value> {
        let ty = self.common_type_of(a, b);
        let (a, b) = (self.promote(a)?, self.promote(b)?);
        let (ta, tb) = (self.type_of_value(a), self.type_of_value(b));
        let op = bin_op(operator);
        let (a, b) = (self.convert_operand(a, ty)?, self.convert_operand(b, ty)?);
        let (a, _, scalar) = self.scalar(a, "the left operand")?;
        let (b, _, _) = self.scalar(b, "the right operand")?;
        let bitwise = matches!(op, BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Rem);
        let pointer = ta != ty && self.pointee(ta).is_some() || self.pointee(tb).is_some();
        if pointer || scalar == Scalar::Ptr || (bitwise && scalar.is_float()) {
            let (x, y) = (self.link.types.name(ta), self.link.types.name(tb));
            return Err(self.error(format!("this operator does not apply to `{x}` and `{y}`")));
        }
        let overflowing =
            matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem);
        let checked = overflowing && scalar.is_signed();
        Ok(Value::Scalar { op: self.binary(op, scalar, a, b, checked), ty })
    }

    fn shift(&mut self, operator: &B, a: Value, b: Value) -> Result<Value> {
        let fewer = self.in_fewer_bits(a, a);
        let (a, b) = (self.promote(a)?, self.promote(b)?);
        let (a, ty, scalar) = self.scalar(a, "the left operand")?;
        let ty = if fewer { self.link.types.bit_precise(ty) } else { ty };
        let (b, _, amount) = self.scalar(b, "the right operand")?;
        let integer = |s: Scalar| matches!(s, Scalar::Int { .. });
        if !integer(scalar) || !integer(amount) {
            return Err(self.error("only integers can be shifted"));
        }
        // Any shift amount out of range is undefined, also of unsigned values.
        Ok(Value::Scalar { op: self.binary(bin_op(operator), scalar, a, b, true), ty })
    }

    fn compare(&mut self, operator: &B, a: Value, b: Value) -> Result<Value> {
        let int = self.int_type();
        let (ta, tb) = (self.type_of_value(a), self.type_of_value(b));
        let pointer = self.pointee(ta).is_some() || self.pointee(tb).is_some();
        let (a, b, ty) = if pointer {
            if matches!(operator, B::Equals | B::NotEquals) {
                self.ask_about_literals(a, b);
            }
            let ty = self.void_pointer();
            let both = |unit: &mut Self| Ok((unit.convert(a, ty)?, unit.convert(b, ty)?));
            let (a, b) = self.quietly(true, both)?;
            (a, b, ty)
        } else {
            let ty = self.common_type_of(a, b);
            let (a, b) = (self.promote(a)?, self.promote(b)?);
            (self.convert_operand(a, ty)?, self.convert_operand(b, ty)?, ty)
        };
        let scalar = self.link.types.scalar(ty).unwrap_or(Scalar::I32);
        let (a, _, _) = self.scalar(a, "the left operand")?;
        let (b, _, _) = self.scalar(b, "the right operand")?;
        let ordered = !matches!(operator, B::Equals | B::NotEquals);
        if ordered && (self.is_place_in_memory(a, b) || self.is_place_in_memory(b, a)) {
            return Ok(self.unsupported_value("the order of an address and a number", int));
        }
        Ok(Value::Scalar { op: self.binary(bin_op(operator), scalar, a, b, false), ty: int })
    }

    /// Is this an address, compared with a number that is somewhere in memory? Where objects are is
    /// not for us to say, except that none is in the first or the last page.
    fn is_place_in_memory(&self, address: Operand, number: Operand) -> bool {
        const PAGE: u64 = 4096;
        let (Operand::Reg(reg), Operand::Const { bits, .. }) = (address, number) else {
            return false;
        };
        let last = u64::MAX >> (64 - self.link.types.machine.pointer_bits());
        (PAGE..last - PAGE).contains(&bits) && self.f.is_address(reg)
    }

    /// `pointer + integer` in either order, or `pointer - integer`.
    pub(crate) fn pointer_offset(&mut self, a: Value, b: Value, negate: bool) -> Result<Value> {
        if self.is_opaque(a) || self.is_opaque(b) {
            let int = self.int_type();
            let ty = self.pointer_to(int);
            return Ok(self.unsupported_value("an element of a vector", ty));
        }
        let (a_op, a_ty, _) = self.scalar(a, "this operand")?;
        let (b_op, b_ty, _) = self.scalar(b, "this operand")?;
        let (base, ty, index, index_ty) = match (self.pointee(a_ty), self.pointee(b_ty)) {
            (Some(_), None) => (a_op, a_ty, b_op, b_ty),
            (None, Some(_)) if !negate => (b_op, b_ty, a_op, a_ty),
            _ => {
                let (x, y) = (self.link.types.name(a_ty), self.link.types.name(b_ty));
                return Err(self.error(format!("cannot index or offset `{x}` by `{y}`")));
            }
        };
        let (Type::Bool | Type::Int { .. }) = self.link.types.get(index_ty) else {
            return Err(self.error("an index must be an integer"));
        };
        let ptrdiff = self.ptrdiff_type();
        let index = self.convert(Value::Scalar { op: index, ty: index_ty }, ptrdiff)?;
        let (mut index, _, wide) = self.scalar(index, "an index")?;
        if negate {
            index = self.unary(UnOp::Neg, wide, index, false);
        }
        let op = match self.element_size(ty)? {
            Operand::Const { bits, .. } => self.pointer_add(base, index, bits),
            size => {
                let delta = self.binary(BinOp::Mul, wide, index, size, false);
                self.pointer_add(base, delta, 1)
            }
        };
        Ok(Value::Scalar { op, ty })
    }

    /// As a `ptrdiff_t`.
    fn element_size(&mut self, pointer: TypeId) -> Result<Operand> {
        let (from, to) = (self.size_type(), self.ptrdiff_type());
        let one = self.bits(1, to);
        let Some(pointee) = self.pointee(pointer) else { return Ok(one) };
        if matches!(self.link.types.get(pointee), Type::Function(_)) {
            return Ok(one);
        }
        match self.bytes_of(pointee) {
            Some(op) => {
                let size = self.convert(Value::Scalar { op, ty: from }, to)?;
                Ok(self.operand_of(size).unwrap_or(one))
            }
            None => {
                let name = self.link.types.name(pointee);
                Err(self.error(format!("the size of `{name}` is not known here")))
            }
        }
    }

    fn pointer_difference(&mut self, a: Value, b: Value) -> Result<Value> {
        let (a, a_ty, _) = self.scalar(a, "the left operand")?;
        let (b, _, _) = self.scalar(b, "the right operand")?;
        let size = self.element_size(a_ty)?;
        let ty = self.ptrdiff_type();
        let scalar = self.link.types.scalar(ty).unwrap_or(Scalar::I32);
        let bytes = if let (
            Operand::Object { object: x, offset: i },
            Operand::Object { object: y, offset: j },
        ) = (a, b)
            && x == y
        {
            self.scalar_const((i - j) as u64, scalar)
        } else {
            let a = self.cast(Scalar::Ptr, scalar, a);
            let b = self.cast(Scalar::Ptr, scalar, b);
            self.binary(BinOp::Sub, scalar, a, b, false)
        };
        let size = match size {
            Operand::Const { bits: 0, .. } => self.scalar_const(1, scalar),
            size => size,
        };
        Ok(Value::Scalar { op: self.binary(BinOp::Div, scalar, bytes, size, false), ty })
    }
}

/// Which value a `++` or `--` has.
enum Taken {
    Old,
    New,
}

/// `=` and the compound assignments.
pub(crate) fn assigns(operator: &B) -> bool {
    matches!(operator, B::Assign) || compound(operator).is_some()
}

fn compound(operator: &B) -> Option<B> {
    Some(match operator {
        B::AssignMultiply => B::Multiply,
        B::AssignDivide => B::Divide,
        B::AssignModulo => B::Modulo,
        B::AssignPlus => B::Plus,
        B::AssignMinus => B::Minus,
        B::AssignShiftLeft => B::ShiftLeft,
        B::AssignShiftRight => B::ShiftRight,
        B::AssignBitwiseAnd => B::BitwiseAnd,
        B::AssignBitwiseXor => B::BitwiseXor,
        B::AssignBitwiseOr => B::BitwiseOr,
        _ => return None,
    })
}

fn bin_op(operator: &B) -> BinOp {
    match operator {
        B::Minus => BinOp::Sub,
        B::Multiply => BinOp::Mul,
        B::Divide => BinOp::Div,
        B::Modulo => BinOp::Rem,
        B::ShiftLeft => BinOp::Shl,
        B::ShiftRight => BinOp::Shr,
        B::BitwiseAnd => BinOp::And,
        B::BitwiseOr => BinOp::Or,
        B::BitwiseXor => BinOp::Xor,
        B::Less => BinOp::Lt,
        B::LessOrEqual => BinOp::Le,
        B::Greater => BinOp::Gt,
        B::GreaterOrEqual => BinOp::Ge,
        B::Equals => BinOp::Eq,
        B::NotEquals => BinOp::Ne,
        _ => BinOp::Add,
    }
}

#[cfg(test)]
mod tests;
