//! Right-hand sides as terms: the arithmetic of `ir::arith`, symbolically.

use super::Walk;
use super::state::WalkState;
use crate::event::{Fault, GoalKind};
use crate::term::{BitOp, Convert, FloatCmp, FloatOp, Sort, Term};
use crate::{ChosenInput, arith};
use analysis::address_bits::{self, Peek};
use analysis::points_to::{Context, PointsTo};
use ir::Property;
use ir::types::Scalar;
use ir::{BinOp, Rvalue, UnOp};

impl Walk<'_> {
    pub(super) fn rvalue(&mut self, state: &mut WalkState, value: &Rvalue) -> Term {
        for peek in address_bits::peeks(value, self.program.machine) {
            self.peek(state, peek);
        }
        match value {
            Rvalue::Use(a) => self.operand(state, a),
            Rvalue::Undef(ty) => {
                let value = self.result_var(self.bits_of(*ty));
                self.inputs.push(ChosenInput { thread: self.thread, at: self.at, value });
                value
            }
            Rvalue::Unary { op, ty, a, checked } => {
                let a = self.operand(state, a);
                self.unary(state, *op, *ty, a, *checked)
            }
            Rvalue::Binary { op, ty, a, b, checked } => {
                let (a, b) = (self.operand(state, a), self.operand(state, b));
                if *checked && (*op, *ty) == (BinOp::Eq, Scalar::Ptr) {
                    let called = self.pool.eq(a, b);
                    self.chance(state, a, called);
                }
                self.binary(state, *op, *ty, a, b, *checked)
            }
            Rvalue::Cast { from, to, a } => {
                let a = self.operand(state, a);
                self.cast(*from, *to, a)
            }
            Rvalue::PtrAdd { base, index, scale } => self.pointer_add(state, base, index, *scale),
        }
    }

    /// No proof rests on single bits of an address: our layout is one of many.
    fn peek(&mut self, state: &WalkState, peek: Peek) {
        let value = self.operand(state, &peek.operand);
        let objects = &self.value_of(value).objects;
        let function = self.running[self.thread.index()].function;
        let points_to =
            || self.points_to.get_or_init(|| PointsTo::new(self.program, Context::Insensitive));
        if objects.is_empty() || !peek.matters(self.program, points_to(), function) {
            return;
        }
        let width = self.pointer_width();
        let mut is_address = self.pool.bool(false);
        for &(id, _) in objects {
            let size = self.pool.bits(self.space.get(id).size, width);
            let base = self.pool.bits(self.space.address(id, 0), width);
            let offset = self.pool.sub(value, base);
            let inside = self.pool.ule(offset, size);
            is_address = self.pool.or(is_address, inside);
        }
        let guard = self.pool.and(state.guard, is_address);
        self.goal(state, GoalKind::Unsupported(address_bits::WHAT.into()), guard);
    }

    fn unary(
        &mut self,
        state: &mut WalkState,
        op: UnOp,
        ty: Scalar,
        a: Term,
        checked: bool,
    ) -> Term {
        let width = self.pool.width(a);
        match op {
            UnOp::Not => self.pool.bit_not(a),
            UnOp::Neg if ty.is_float() => {
                let sign = self.pool.bits(1 << (width - 1), width);
                self.pool.binary(BitOp::Xor, a, sign)
            }
            UnOp::Neg => {
                if checked && ty.is_signed() {
                    let least = self.pool.bits(1 << (width - 1), width);
                    let bad = self.pool.eq(a, least);
                    self.overflow(state, bad);
                }
                self.pool.neg(a)
            }
        }
    }

    fn binary(
        &mut self,
        state: &mut WalkState,
        op: BinOp,
        ty: Scalar,
        a: Term,
        b: Term,
        checked: bool,
    ) -> Term {
        if op.is_comparison() {
            let holds = self.compare(op, ty, a, b);
            return self.pool.bool_to_bits(holds, 32);
        }
        if ty.is_float() {
            return self.float(state, op, a, b);
        }
        if checked && self.config.property == Property::NoOverflow {
            let bad = self.overflows(op, ty, a, b);
            self.overflow(state, bad);
        }
        if matches!(op, BinOp::Div | BinOp::Rem) {
            // Division by zero ends the thread.
            let divides = self.pool.truth(b);
            state.guard = self.pool.and(state.guard, divides);
        }
        arith::binary(&mut self.pool, op, ty, a, b)
    }

    fn compare(&mut self, op: BinOp, ty: Scalar, a: Term, b: Term) -> Term {
        if !ty.is_float() {
            return arith::compare(&mut self.pool, op, ty, a, b);
        }
        let (x, y) = if matches!(op, BinOp::Gt | BinOp::Ge) { (b, a) } else { (a, b) };
        let pool = &mut self.pool;
        match op {
            BinOp::Eq => pool.float_cmp(FloatCmp::Eq, a, b),
            BinOp::Ne => {
                let eq = pool.float_cmp(FloatCmp::Eq, a, b);
                pool.not(eq)
            }
            BinOp::Lt | BinOp::Gt => pool.float_cmp(FloatCmp::Lt, x, y),
            _ => pool.float_cmp(FloatCmp::Le, x, y),
        }
    }

    fn float(&mut self, state: &mut WalkState, op: BinOp, a: Term, b: Term) -> Term {
        let op = match op {
            BinOp::Add => FloatOp::Add,
            BinOp::Sub => FloatOp::Sub,
            BinOp::Mul => FloatOp::Mul,
            BinOp::Div => FloatOp::Div,
            _ => {
                self.unsupported(state, "the remainder of floating-point numbers".into());
                return a;
            }
        };
        self.pool.float(op, a, b)
    }

    fn cast(&mut self, from: Scalar, to: Scalar, a: Term) -> Term {
        let Sort::Bits(width) = self.bits_of(to) else { return a };
        let convert = match (from.is_float(), to.is_float()) {
            (false, false) => {
                return arith::resize(&mut self.pool, a, width, from.is_signed());
            }
            (true, true) => Convert::FloatToFloat,
            (false, true) if from.is_signed() => Convert::SignedToFloat,
            (false, true) => Convert::UnsignedToFloat,
            (true, false) if to.is_signed() => Convert::FloatToSigned,
            (true, false) => Convert::FloatToUnsigned,
        };
        self.pool.convert(convert, a, width)
    }

    /// With the property: a violation here, where the way ends; otherwise nothing.
    fn overflow(&mut self, state: &mut WalkState, bad: Term) {
        if self.config.property != Property::NoOverflow || self.pool.is_false(bad) {
            return;
        }
        let guard = self.pool.and(state.guard, bad);
        self.goal(state, GoalKind::Error(Fault::Overflow, "signed overflow".into()), guard);
        let good = self.pool.not(bad);
        state.guard = self.pool.and(state.guard, good);
    }

    /// C11 6.5 and 6.5.7, as `ir::arith` reports them.
    fn overflows(&mut self, op: BinOp, ty: Scalar, a: Term, b: Term) -> Term {
        let width = self.pool.width(a);
        match op {
            BinOp::Shl | BinOp::Shr => self.bad_shift(op, ty, a, b),
            _ if !ty.is_signed() => self.pool.bool(false),
            BinOp::Add | BinOp::Sub => {
                let zero = self.pool.bits(0, width);
                let bit_op = if op == BinOp::Add { BitOp::Add } else { BitOp::Sub };
                let result = self.pool.binary(bit_op, a, b);
                let pool = &mut self.pool;
                let [sa, sb, sr] = [a, b, result].map(|t| pool.slt(t, zero));
                let same = pool.eq(sa, sb);
                let alike = if op == BinOp::Add { same } else { pool.not(same) };
                let kept = pool.eq(sa, sr);
                let flipped = pool.not(kept);
                pool.and(alike, flipped)
            }
            BinOp::Mul => self.product_overflows(a, b),
            BinOp::Div | BinOp::Rem => {
                let least = self.pool.bits(1 << (width - 1), width);
                let minus_one = self.pool.bits(u64::MAX, width);
                let (x, y) = (self.pool.eq(a, least), self.pool.eq(b, minus_one));
                self.pool.and(x, y)
            }
            _ => self.pool.bool(false),
        }
    }

    fn product_overflows(&mut self, a: Term, b: Term) -> Term {
        let width = self.pool.width(a);
        let pool = &mut self.pool;
        if width <= 32 {
            let (x, y) = (pool.sign_ext(a, 2 * width), pool.sign_ext(b, 2 * width));
            let wide = pool.binary(BitOp::Mul, x, y);
            let narrow = pool.extract(wide, 0, width);
            let back = pool.sign_ext(narrow, 2 * width);
            let fits = pool.eq(wide, back);
            return pool.not(fits);
        }
        // a * b fits iff a is 0 or (a * b) / a is b; the least number times -1 is apart.
        let zero = pool.bits(0, width);
        let product = pool.binary(BitOp::Mul, a, b);
        let quotient = pool.binary(BitOp::SDiv, product, a);
        let exact = pool.eq(quotient, b);
        let least = pool.bits(1 << (width - 1), width);
        let minus_one = pool.bits(u64::MAX, width);
        let (la, mb) = (pool.eq(b, least), pool.eq(a, minus_one));
        let apart = pool.and(la, mb);
        let a_zero = pool.eq(a, zero);
        let fits = pool.or(a_zero, exact);
        let bad = pool.not(fits);
        pool.or(bad, apart)
    }

    fn bad_shift(&mut self, op: BinOp, ty: Scalar, a: Term, b: Term) -> Term {
        let width = self.pool.width(a);
        let pool = &mut self.pool;
        let limit = pool.bits(u64::from(width), pool.width(b).max(8));
        let wide = pool.zero_ext(b, pool.width(limit));
        // A negative amount is a large number without its sign.
        let good_amount = pool.ult(wide, limit);
        let bad_amount = pool.not(good_amount);
        if op == BinOp::Shr || !ty.is_signed() {
            return bad_amount;
        }
        let amount = arith::shift_amount(&mut self.pool, a, b);
        let pool = &mut self.pool;
        let zero = pool.bits(0, width);
        let negative = pool.slt(a, zero);
        let shifted = pool.binary(BitOp::Shl, a, amount);
        let back = pool.binary(BitOp::Ashr, shifted, amount);
        let kept = pool.eq(back, a);
        let lost = pool.not(kept);
        let bad_value = pool.or(negative, lost);
        pool.or(bad_amount, bad_value)
    }
}
