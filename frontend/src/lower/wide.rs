//! `__int128`: two registers of 64 bits each, the low half first.
//!
//! No instruction is that wide, so a value is a pair of operands (`Value::Wide`) and each operator a
//! few instructions on them; products and quotients call `models/int128.c`. All emitters fold, so
//! constants stay constants. In memory it is two words.
//!
//! Overflow of the signed type is no instruction's overflow: where it happens, `overflows_if` lets an
//! addition overflow that does nothing else.

use super::{Result, Unit, Value};
use ir::types::{Rank, Scalar, Type, TypeId};
use ir::*;
use lang_c::ast::BinaryOperator as B;

const I64: Scalar = Scalar::Int { bits: 64, signed: true };
const U64: Scalar = Scalar::U64;

/// A value of 128 bits.
#[derive(Clone, Copy)]
pub(super) struct WidePair {
    pub lo: Operand,
    pub hi: Operand,
}

impl Unit<'_> {
    pub(crate) fn is_int128(&self, ty: TypeId) -> bool {
        let ty = self.link.types.strip_atomic(ty);
        matches!(self.link.types.get(ty), Type::Int { rank: Rank::Int128, .. })
    }

    fn is_signed_type(&self, ty: TypeId) -> bool {
        matches!(self.link.types.get(ty), Type::Int { signed: true, .. })
    }

    fn word(&self, bits: u64) -> Operand {
        self.scalar_const(bits, U64)
    }

    /// A value that lies in memory as a pair, if it is one of 128 bits.
    pub fn widened(&mut self, value: Value) -> Value {
        match value {
            Value::Memory { addr, ty } if self.is_int128(ty) => {
                let WidePair { lo, hi } = self.load_pair(addr, MemoryOrder::Plain);
                Value::Wide { lo, hi, ty: self.link.types.strip_atomic(ty) }
            }
            value => value,
        }
    }

    pub(super) fn load_pair(&mut self, addr: Operand, order: MemoryOrder) -> WidePair {
        let above = self.offset(addr, 8);
        WidePair { lo: self.load(addr, U64, order), hi: self.load(above, U64, order) }
    }

    pub(super) fn store_pair(&mut self, addr: Operand, value: WidePair, order: MemoryOrder) {
        let above = self.offset(addr, 8);
        self.store(addr, value.lo, U64, order);
        self.store(above, value.hi, U64, order);
    }

    /// Where a pair lies that must lie somewhere.
    pub fn in_memory(&mut self, value: Value) -> Value {
        let Value::Wide { lo, hi, ty } = value else { return value };
        let addr = self.temp_slot(ty);
        self.store_pair(addr, WidePair { lo, hi }, MemoryOrder::Plain);
        Value::Memory { addr, ty }
    }

    pub(crate) fn extend_to(&mut self, value: Value, ty: TypeId) -> Result<Value> {
        if let Value::Wide { lo, hi, .. } = value {
            return Ok(Value::Wide { lo, hi, ty });
        }
        let (op, _, from) = self.scalar(value, "this operand")?;
        if from.is_float() {
            let WidePair { lo, hi } = self.wide_from_float(op, from);
            return Ok(Value::Wide { lo, hi, ty });
        }
        let lo = self.cast(from, U64, op);
        let hi = match from.is_signed() {
            true => {
                let signed = self.cast(U64, I64, lo);
                let amount = self.scalar_const(63, Scalar::I32);
                let sign = self.binary(BinOp::Shr, I64, signed, amount, false);
                self.cast(I64, U64, sign)
            }
            false => self.word(0),
        };
        Ok(Value::Wide { lo, hi, ty })
    }

    pub(crate) fn narrow_to(&mut self, value: Value, to: TypeId) -> Result<Value> {
        let Value::Wide { lo, hi, ty } = value else { return Ok(value) };
        let op = match (self.link.types.get(to), self.link.types.scalar(to)) {
            (Type::Bool, _) => {
                let truth = self.wide_truth(WidePair { lo, hi });
                self.cast(Scalar::I32, Scalar::U8, truth)
            }
            (_, Some(scalar)) if scalar.is_float() => {
                let signed = self.is_signed_type(ty);
                self.wide_to_float(WidePair { lo, hi }, signed, scalar)
            }
            (_, Some(scalar)) => self.cast(U64, scalar, lo),
            _ => {
                let (a, b) = (self.link.types.name(ty), self.link.types.name(to));
                if matches!(self.link.types.get(to), Type::Record(_)) {
                    return Err(self.error(format!("cannot convert `{a}` to `{b}`")));
                }
                return Ok(self.unsupported_value(&format!("conversion from `{a}` to `{b}`"), to));
            }
        };
        Ok(Value::Scalar { op, ty: to })
    }

    fn wide_from_float(&mut self, op: Operand, from: Scalar) -> WidePair {
        if let Operand::Const { bits, .. } = op {
            let number = match from {
                Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
                _ => f64::from_bits(bits),
            };
            let whole = if number < 0.0 { number as i128 as u128 } else { number as u128 };
            return WidePair { lo: self.word(whole as u64), hi: self.word((whole >> 64) as u64) };
        }
        let op = self.cast(from, Scalar::F64, op);
        let ulong = self.link.types.intern(Type::Int { rank: Rank::LongLong, signed: false });
        let array = self.link.types.intern(Type::Array { elem: ulong, len: Some(2) });
        let result = self.temp_slot(array);
        let callee = Callee::Direct(self.function_named("__obmc_double_to_wide"));
        self.emit(InstKind::Call { dst: None, callee, args: vec![op, result] });
        self.load_pair(result, MemoryOrder::Plain)
    }

    fn wide_to_float(&mut self, a: WidePair, signed: bool, to: Scalar) -> Operand {
        if let Some(number) = constant(a) {
            let bits = match (to, signed) {
                (Scalar::F32, true) => u64::from((number as i128 as f32).to_bits()),
                (Scalar::F32, false) => u64::from((number as f32).to_bits()),
                (_, true) => (number as i128 as f64).to_bits(),
                (_, false) => (number as f64).to_bits(),
            };
            return self.scalar_const(bits, to);
        }
        let mask = if signed { self.sign_mask(a) } else { self.word(0) };
        let WidePair { lo, hi } = self.negated_where(a, mask);
        let negative = self.cast(U64, Scalar::I32, mask);
        let name = match to {
            Scalar::F32 => "__obmc_wide_to_float",
            _ => "__obmc_wide_to_double",
        };
        self.model_result(name, vec![lo, hi, negative], to)
    }

    /// `!= 0`, as an `int`.
    pub(super) fn wide_truth(&mut self, a: WidePair) -> Operand {
        let any = self.binary(BinOp::Or, U64, a.lo, a.hi, false);
        self.truth(any, U64)
    }

    /// `None`: neither operand is of 128 bits.
    pub(crate) fn wide_operate(
        &mut self,
        operator: &B,
        a: Value,
        b: Value,
    ) -> Result<Option<Value>> {
        let (a, b) = (self.widened(a), self.widened(b));
        let wide = |v: Value| matches!(v, Value::Wide { .. });
        if !wide(a) && !wide(b) {
            return Ok(None);
        }
        let shifts = matches!(operator, B::ShiftLeft | B::ShiftRight);
        if shifts || self.is_pointer(a) || self.is_pointer(b) {
            let index = self.ptrdiff_type();
            let a = if !shifts || !wide(a) { self.narrowed(a, index)? } else { a };
            let b = self.narrowed(b, index)?;
            return match a {
                Value::Wide { lo, hi, ty } => {
                    self.wide_shift(operator, WidePair { lo, hi }, b, ty).map(Some)
                }
                a => self.operate(operator, a, b).map(Some),
            };
        }
        let (ta, tb) = (self.type_of_value(a), self.type_of_value(b));
        let (ta, tb) = (self.promoted_type(ta), self.promoted_type(tb));
        let ty = self.common_type(ta, tb);
        let (a, b) = (self.convert(a, ty)?, self.convert(b, ty)?);
        match (a, b) {
            (Value::Wide { lo: al, hi: ah, .. }, Value::Wide { lo: bl, hi: bh, .. }) => {
                let (a, b) = (WidePair { lo: al, hi: ah }, WidePair { lo: bl, hi: bh });
                self.wide_binary(operator, a, b, ty).map(Some)
            }
            _ if self.is_wide(ty) => {
                let name = self.link.types.name(ty);
                Ok(Some(self.unsupported_value(&format!("arithmetic on `{name}`"), ty)))
            }
            _ => self.operate(operator, a, b).map(Some),
        }
    }

    fn is_pointer(&self, value: Value) -> bool {
        matches!(value, Value::Scalar { ty, .. } if self.pointee(ty).is_some())
    }

    fn narrowed(&mut self, value: Value, ty: TypeId) -> Result<Value> {
        match value {
            Value::Wide { .. } => self.narrow_to(value, ty),
            value => Ok(value),
        }
    }

    /// For operands of which no result is lost.
    pub(super) fn wide_exact(&mut self, op: &B, a: Value, b: Value, ty: TypeId) -> Result<Value> {
        let (Value::Wide { lo: al, hi: ah, .. }, Value::Wide { lo: bl, hi: bh, .. }) = (a, b)
        else {
            return Ok(self.unsupported_value("arithmetic on `__int128`", ty));
        };
        let (a, b) = (WidePair { lo: al, hi: ah }, WidePair { lo: bl, hi: bh });
        let pair = match op {
            B::Plus => self.wide_add(a, b, false),
            B::Minus => self.wide_sub(a, b, false),
            _ => self.wide_multiply(a, b, false),
        };
        Ok(Value::Wide { lo: pair.lo, hi: pair.hi, ty })
    }

    fn wide_binary(&mut self, operator: &B, a: WidePair, b: WidePair, ty: TypeId) -> Result<Value> {
        let signed = self.is_signed_type(ty);
        let bitwise = |unit: &mut Self, op| WidePair {
            lo: unit.binary(op, U64, a.lo, b.lo, false),
            hi: unit.binary(op, U64, a.hi, b.hi, false),
        };
        let pair = match operator {
            B::BitwiseAnd => bitwise(self, BinOp::And),
            B::BitwiseOr => bitwise(self, BinOp::Or),
            B::BitwiseXor => bitwise(self, BinOp::Xor),
            B::Plus => self.wide_add(a, b, signed),
            B::Minus => self.wide_sub(a, b, signed),
            B::Multiply => self.wide_multiply(a, b, signed),
            B::Divide => self.wide_divide(a, b, signed).0,
            B::Modulo => self.wide_divide(a, b, signed).1,
            _ => {
                let op = self.wide_compare(operator, a, b, signed);
                return Ok(Value::Scalar { op, ty: self.int_type() });
            }
        };
        Ok(Value::Wide { lo: pair.lo, hi: pair.hi, ty })
    }

    pub(super) fn wide_add(&mut self, a: WidePair, b: WidePair, checked: bool) -> WidePair {
        let lo = self.binary(BinOp::Add, U64, a.lo, b.lo, false);
        let carry = self.binary(BinOp::Lt, U64, lo, a.lo, false);
        let carry = self.cast(Scalar::I32, U64, carry);
        let hi = self.binary(BinOp::Add, U64, a.hi, b.hi, false);
        let hi = self.binary(BinOp::Add, U64, hi, carry, false);
        if checked {
            // Both have a sign that the sum has not.
            let x = self.binary(BinOp::Xor, U64, a.hi, hi, false);
            let y = self.binary(BinOp::Xor, U64, b.hi, hi, false);
            let both = self.binary(BinOp::And, U64, x, y, false);
            self.overflows_if_negative(both);
        }
        WidePair { lo, hi }
    }

    pub(super) fn wide_sub(&mut self, a: WidePair, b: WidePair, checked: bool) -> WidePair {
        let lo = self.binary(BinOp::Sub, U64, a.lo, b.lo, false);
        let borrow = self.binary(BinOp::Lt, U64, a.lo, b.lo, false);
        let borrow = self.cast(Scalar::I32, U64, borrow);
        let hi = self.binary(BinOp::Sub, U64, a.hi, b.hi, false);
        let hi = self.binary(BinOp::Sub, U64, hi, borrow, false);
        if checked {
            let x = self.binary(BinOp::Xor, U64, a.hi, b.hi, false);
            let y = self.binary(BinOp::Xor, U64, a.hi, hi, false);
            let both = self.binary(BinOp::And, U64, x, y, false);
            self.overflows_if_negative(both);
        }
        WidePair { lo, hi }
    }

    fn wide_multiply(&mut self, a: WidePair, b: WidePair, checked: bool) -> WidePair {
        let lo = self.binary(BinOp::Mul, U64, a.lo, b.lo, false);
        let high = self.high_half(a.lo, b.lo);
        let x = self.binary(BinOp::Mul, U64, a.hi, b.lo, false);
        let y = self.binary(BinOp::Mul, U64, a.lo, b.hi, false);
        let hi = self.binary(BinOp::Add, U64, high, x, false);
        let hi = self.binary(BinOp::Add, U64, hi, y, false);
        if checked && !(self.is_extended(a) && self.is_extended(b)) {
            let args = vec![a.lo, a.hi, b.lo, b.hi];
            let flag = self.model_result("__obmc_multiply_overflows", args, Scalar::I32);
            let flag = self.cast(Scalar::I32, U64, flag);
            self.overflows_if(flag);
        }
        WidePair { lo, hi }
    }

    /// Is it known to be a number of 64 bits with a sign?
    fn is_extended(&self, a: WidePair) -> bool {
        let constant = |op| match op {
            Operand::Const { bits, .. } => Some(bits),
            _ => None,
        };
        if let (Some(lo), Some(hi)) = (constant(a.lo), constant(a.hi)) {
            return hi == ((lo as i64) >> 63) as u64;
        }
        let made = |reg: Operand| {
            let insts = self.f.blocks[self.f.current.index()].insts.iter().rev();
            insts.take(16).find_map(|inst| match &inst.kind {
                InstKind::Assign { dst, value } if Operand::Reg(*dst) == reg => Some(value.clone()),
                _ => None,
            })
        };
        let Some(Rvalue::Cast { a: sign, .. }) = made(a.hi) else { return false };
        matches!(made(sign), Some(Rvalue::Binary { op: BinOp::Shr, a: of, b, .. })
            if constant(b) == Some(63)
                && matches!(made(of), Some(Rvalue::Cast { a: lo, .. }) if lo == a.lo))
    }

    fn high_half(&mut self, a: Operand, b: Operand) -> Operand {
        if let (Operand::Const { bits: x, .. }, Operand::Const { bits: y, .. }) = (a, b) {
            return self.word(((u128::from(x) * u128::from(y)) >> 64) as u64);
        }
        self.model_result("__obmc_multiply_high", vec![a, b], U64)
    }

    fn model_result(&mut self, name: &str, args: Vec<Operand>, ret: Scalar) -> Operand {
        let callee = Callee::Direct(self.function_named(name));
        let dst = self.f.temp(ret, self.at);
        self.emit(InstKind::Call { dst: Some(dst), callee, args });
        Operand::Reg(dst)
    }

    /// Quotient and remainder; the latter has the sign of the dividend.
    fn wide_divide(&mut self, a: WidePair, b: WidePair, signed: bool) -> (WidePair, WidePair) {
        if let Some(folded) = self.fold_division(a, b, signed) {
            return folded;
        }
        let (mut x, mut y) = (a, b);
        let (sign_a, sign_b) = (self.sign_mask(a), self.sign_mask(b));
        if signed {
            let least = self.binary(
                BinOp::Xor,
                U64,
                a.hi,
                Operand::Const { bits: 1 << 63, ty: U64 },
                false,
            );
            let least = self.binary(BinOp::Or, U64, least, a.lo, false);
            let ones = self.binary(BinOp::And, U64, b.lo, b.hi, false);
            let ones = self.unary(UnOp::Not, U64, ones, false);
            let either = self.binary(BinOp::Or, U64, least, ones, false);
            let zero = self.word(0);
            let flag = self.binary(BinOp::Eq, U64, either, zero, false);
            let flag = self.cast(Scalar::I32, U64, flag);
            self.overflows_if(flag);
            x = self.negated_where(a, sign_a);
            y = self.negated_where(b, sign_b);
        }
        let ulong = self.link.types.intern(Type::Int { rank: Rank::LongLong, signed: false });
        let array = self.link.types.intern(Type::Array { elem: ulong, len: Some(4) });
        let result = self.temp_slot(array);
        let callee = Callee::Direct(self.function_named("__obmc_divide"));
        let args = vec![x.lo, x.hi, y.lo, y.hi, result];
        self.emit(InstKind::Call { dst: None, callee, args });
        let rest = self.offset(result, 16);
        let (mut quotient, mut remainder) =
            (self.load_pair(result, MemoryOrder::Plain), self.load_pair(rest, MemoryOrder::Plain));
        if signed {
            let sign = self.binary(BinOp::Xor, U64, sign_a, sign_b, false);
            quotient = self.negated_where(quotient, sign);
            remainder = self.negated_where(remainder, sign_a);
        }
        (quotient, remainder)
    }

    fn fold_division(
        &mut self,
        a: WidePair,
        b: WidePair,
        signed: bool,
    ) -> Option<(WidePair, WidePair)> {
        let (x, y) = (constant(a)?, constant(b)?);
        let (q, r) = match signed {
            true => {
                let (q, r) =
                    ((x as i128).checked_div(y as i128)?, (x as i128).checked_rem(y as i128)?);
                (q as u128, r as u128)
            }
            false => (x.checked_div(y)?, x.checked_rem(y)?),
        };
        let pair = |n: u128| WidePair { lo: self.word(n as u64), hi: self.word((n >> 64) as u64) };
        Some((pair(q), pair(r)))
    }

    /// All ones for a negative number, else zero.
    fn sign_mask(&mut self, a: WidePair) -> Operand {
        let high = self.cast(U64, I64, a.hi);
        let amount = self.scalar_const(63, Scalar::I32);
        let mask = self.binary(BinOp::Shr, I64, high, amount, false);
        self.cast(I64, U64, mask)
    }

    /// `(a ^ mask) - mask`
    fn negated_where(&mut self, a: WidePair, mask: Operand) -> WidePair {
        let lo = self.binary(BinOp::Xor, U64, a.lo, mask, false);
        let hi = self.binary(BinOp::Xor, U64, a.hi, mask, false);
        self.wide_sub(WidePair { lo, hi }, WidePair { lo: mask, hi: mask }, false)
    }

    pub(super) fn wide_compare(
        &mut self,
        operator: &B,
        a: WidePair,
        b: WidePair,
        signed: bool,
    ) -> Operand {
        let (a, b, operator) = match operator {
            B::Greater => (b, a, &B::Less),
            B::LessOrEqual => (b, a, &B::GreaterOrEqual),
            _ => (a, b, operator),
        };
        match operator {
            B::Equals | B::NotEquals => {
                let lo = self.binary(BinOp::Xor, U64, a.lo, b.lo, false);
                let hi = self.binary(BinOp::Xor, U64, a.hi, b.hi, false);
                let any = self.binary(BinOp::Or, U64, lo, hi, false);
                let zero = self.word(0);
                let op = if *operator == B::Equals { BinOp::Eq } else { BinOp::Ne };
                self.binary(op, U64, any, zero, false)
            }
            _ => {
                let ty = if signed { I64 } else { U64 };
                let (x, y) = (self.cast(U64, ty, a.hi), self.cast(U64, ty, b.hi));
                let above = self.binary(BinOp::Lt, ty, x, y, false);
                let same = self.binary(BinOp::Eq, ty, x, y, false);
                let below = self.binary(BinOp::Lt, U64, a.lo, b.lo, false);
                let below = self.binary(BinOp::And, Scalar::I32, same, below, false);
                let less = self.binary(BinOp::Or, Scalar::I32, above, below, false);
                match operator {
                    B::Less => less,
                    _ => {
                        let one = self.scalar_const(1, Scalar::I32);
                        self.binary(BinOp::Xor, Scalar::I32, less, one, false)
                    }
                }
            }
        }
    }

    fn wide_shift(&mut self, operator: &B, a: WidePair, by: Value, ty: TypeId) -> Result<Value> {
        let by = self.promote(by)?;
        let (amount, _, scalar) = self.scalar(by, "the right operand")?;
        if !matches!(scalar, Scalar::Int { .. }) {
            return Err(self.error("only integers can be shifted"));
        }
        let signed = self.is_signed_type(ty);
        let left = *operator == B::ShiftLeft;
        let n = self.cast(scalar, U64, amount);
        // Half of an amount is out of range for 64 bits where the whole is for 128.
        let one = self.scalar_const(1, Scalar::I32);
        let half = self.binary(BinOp::Shr, scalar, amount, one, false);
        let zero = self.word(0);
        let nothing = self.binary(BinOp::Shl, U64, zero, half, true);
        let mut result = if left { self.shift_left(a, n) } else { self.shift_right(a, n, signed) };
        if left && signed {
            let back = self.shift_right(result, n, true);
            let lost = self.wide_compare(&B::NotEquals, a, back, true);
            let lost = self.cast(Scalar::I32, U64, lost);
            let sixty_three = self.scalar_const(63, Scalar::I32);
            let negative = self.binary(BinOp::Shr, U64, a.hi, sixty_three, false);
            let flag = self.binary(BinOp::Or, U64, lost, negative, false);
            self.overflows_if(flag);
        }
        result.lo = self.binary(BinOp::Or, U64, result.lo, nothing, false);
        Ok(Value::Wide { lo: result.lo, hi: result.hi, ty })
    }

    /// The amount modulo 64, what is left of 63, and all ones if it is 64 or more (modulo 128).
    fn amounts(&mut self, n: Operand) -> (Operand, Operand, Operand) {
        let sixty_three = self.word(63);
        let m = self.binary(BinOp::And, U64, n, sixty_three, false);
        let rest = self.binary(BinOp::Sub, U64, sixty_three, m, false);
        let six = self.scalar_const(6, Scalar::I32);
        let (one, zero) = (self.word(1), self.word(0));
        let far = self.binary(BinOp::Shr, U64, n, six, false);
        let far = self.binary(BinOp::And, U64, far, one, false);
        (m, rest, self.binary(BinOp::Sub, U64, zero, far, false))
    }

    /// `b` where the mask has ones, else `a`.
    fn choose(&mut self, mask: Operand, a: Operand, b: Operand) -> Operand {
        let not = self.unary(UnOp::Not, U64, mask, false);
        let a = self.binary(BinOp::And, U64, a, not, false);
        let b = self.binary(BinOp::And, U64, b, mask, false);
        self.binary(BinOp::Or, U64, a, b, false)
    }

    fn shift_left(&mut self, a: WidePair, n: Operand) -> WidePair {
        let (m, rest, far) = self.amounts(n);
        let (one, zero) = (self.scalar_const(1, Scalar::I32), self.word(0));
        let lo = self.binary(BinOp::Shl, U64, a.lo, m, false);
        let hi = self.binary(BinOp::Shl, U64, a.hi, m, false);
        let over = self.binary(BinOp::Shr, U64, a.lo, one, false);
        let over = self.binary(BinOp::Shr, U64, over, rest, false);
        let hi = self.binary(BinOp::Or, U64, hi, over, false);
        WidePair { lo: self.choose(far, lo, zero), hi: self.choose(far, hi, lo) }
    }

    fn shift_right(&mut self, a: WidePair, n: Operand, signed: bool) -> WidePair {
        let (m, rest, far) = self.amounts(n);
        let one = self.scalar_const(1, Scalar::I32);
        let ty = if signed { I64 } else { U64 };
        let high = self.cast(U64, ty, a.hi);
        let hi = self.binary(BinOp::Shr, ty, high, m, false);
        let hi = self.cast(ty, U64, hi);
        let fill = if signed { self.sign_mask(a) } else { self.word(0) };
        let lo = self.binary(BinOp::Shr, U64, a.lo, m, false);
        let over = self.binary(BinOp::Shl, U64, a.hi, one, false);
        let over = self.binary(BinOp::Shl, U64, over, rest, false);
        let lo = self.binary(BinOp::Or, U64, lo, over, false);
        WidePair { lo: self.choose(far, lo, hi), hi: self.choose(far, hi, fill) }
    }

    pub(super) fn wide_unary(&mut self, op: UnOp, a: WidePair, ty: TypeId) -> Value {
        let pair = match op {
            UnOp::Not => WidePair {
                lo: self.unary(UnOp::Not, U64, a.lo, false),
                hi: self.unary(UnOp::Not, U64, a.hi, false),
            },
            UnOp::Neg => {
                let zero = WidePair { lo: self.word(0), hi: self.word(0) };
                let signed = self.is_signed_type(ty);
                self.wide_sub(zero, a, signed)
            }
        };
        Value::Wide { lo: pair.lo, hi: pair.hi, ty }
    }

    fn overflows_if_negative(&mut self, word: Operand) {
        let amount = self.scalar_const(63, Scalar::I32);
        let flag = self.binary(BinOp::Shr, U64, word, amount, false);
        self.overflows_if(flag);
    }

    /// An addition that overflows if the flag is 1 and not 0.
    fn overflows_if(&mut self, flag: Operand) {
        if matches!(flag, Operand::Const { bits: 0, .. }) {
            return;
        }
        let most = self.word(i64::MAX as u64);
        let zero = self.word(0);
        let mask = self.binary(BinOp::Sub, U64, zero, flag, false);
        let full = self.binary(BinOp::And, U64, most, mask, false);
        let (full, flag) = (self.cast(U64, I64, full), self.cast(U64, I64, flag));
        self.binary(BinOp::Add, I64, full, flag, true);
    }
}

fn constant(a: WidePair) -> Option<u128> {
    match (a.lo, a.hi) {
        (Operand::Const { bits: lo, .. }, Operand::Const { bits: hi, .. }) => {
            Some(u128::from(hi) << 64 | u128::from(lo))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{has, ir, object, program, value};

    #[test]
    fn constants_stay_constants() {
        let text = "unsigned __int128 x = ((unsigned __int128)5 << 64 | 7) * 3 - 1;";
        assert_eq!(
            object(&program(text), "x"),
            "global unsigned __int128, 16 bytes = [14 00 00 00 00 00 00 00 0f]"
        );
        assert_eq!(value("", "(int)(((__int128)1 << 100) / ((__int128)1 << 97))"), 8);
        assert_eq!(value("", "(__int128)-1 < 0"), 1);
        assert_eq!(value("", "(unsigned __int128)-1 > 0"), 1);
    }

    #[test]
    fn a_pair_of_words_in_memory() {
        let text = "unsigned __int128 x; void f(unsigned long n) { x += n; }";
        has(
            &ir(text),
            &[
                "load u64 @x\n",
                "load u64 @x+8",
                "add u64",
                "lt u64",
                "store u64 @x,",
                "store u64 @x+8",
            ],
        );
        has(
            &ir("__int128 f(long a, long b) { return (__int128)a * b; }"),
            &["call __obmc_multiply_high("],
        );
    }
}
