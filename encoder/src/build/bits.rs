//! Bit-vectors and floats: constants fold, neutral operands vanish, extensions and extracts meet.

use super::DEPTH;
use crate::eval;
use crate::term::{BitOp, Convert, FloatCmp, FloatOp, Op, Pool, Sort, Term, mask};

impl Pool {
    fn fold(&mut self, op: Op, sort: Sort) -> Option<Term> {
        let mut all = true;
        let probe = |pool: &Pool, t: Term| pool.constant(t);
        let value = eval::apply(self, op, sort, |t| {
            probe(self, t).unwrap_or_else(|| {
                all = false;
                0
            })
        })?;
        if !all {
            return None;
        }
        Some(match sort {
            Sort::Bool => self.bool(value == 1),
            Sort::Bits(w) => self.bits(value, w),
        })
    }

    /// Folds constants, else makes the node.
    fn make(&mut self, op: Op, sort: Sort) -> Term {
        self.fold(op, sort).unwrap_or_else(|| self.intern(op, sort))
    }

    pub fn binary(&mut self, op: BitOp, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let sort = Sort::Bits(width);
        if let Some(t) = self.fold(Op::Binary(op, a, b), sort) {
            return t;
        }
        let commutes = matches!(op, BitOp::Add | BitOp::Mul | BitOp::And | BitOp::Or | BitOp::Xor);
        let swap =
            commutes && (self.constant(a).is_some() || (self.constant(b).is_none() && b < a));
        let (a, b) = if swap { (b, a) } else { (a, b) };
        if let Some(k) = self.constant(b) {
            if let Some(t) = self.binary_constant(op, a, k, width) {
                return t;
            }
        }
        if a == b {
            match op {
                BitOp::Sub | BitOp::Xor => return self.bits(0, width),
                BitOp::And | BitOp::Or => return a,
                _ => {}
            }
        }
        self.intern(Op::Binary(op, a, b), sort)
    }

    fn binary_constant(&mut self, op: BitOp, a: Term, k: u64, width: u8) -> Option<Term> {
        use BitOp::*;
        let ones = mask(width);
        match (op, k) {
            (Add | Sub | Or | Xor | Shl | Lshr | Ashr, 0) | (Mul | UDiv | SDiv, 1) => Some(a),
            (Mul | And, 0) | (URem | SRem, 1) => Some(self.bits(0, width)),
            (And, _) if k == ones => Some(a),
            (Or, _) if k == ones => Some(self.bits(ones, width)),
            (Xor, _) if k == ones => Some(self.bit_not(a)),
            (Shl | Lshr, _) if k >= u64::from(width) => Some(self.bits(0, width)),
            (Sub, _) => {
                let k = self.bits(k.wrapping_neg(), width);
                Some(self.binary(Add, a, k))
            }
            (Mul, _) if k.is_power_of_two() => {
                let n = self.bits(u64::from(k.trailing_zeros()), width);
                Some(self.binary(Shl, a, n))
            }
            (UDiv, _) if k.is_power_of_two() => {
                let n = self.bits(u64::from(k.trailing_zeros()), width);
                Some(self.binary(Lshr, a, n))
            }
            (URem, _) if k.is_power_of_two() => {
                let m = self.bits(k - 1, width);
                Some(self.binary(And, a, m))
            }
            (Add | Mul | And | Or | Xor, _) => self.reassociate(op, a, k, width),
            _ => None,
        }
        .or_else(|| self.through_ite(op, a, k, width))
    }

    /// `(x op c) op k` is `x op (c op k)`.
    fn reassociate(&mut self, op: BitOp, a: Term, k: u64, width: u8) -> Option<Term> {
        let Op::Binary(inner, x, c) = self.op(a) else { return None };
        let c = self.constant(c).filter(|_| inner == op)?;
        let k = self.bits(eval::binary(op, width, c, k), width);
        Some(self.binary(op, x, k))
    }

    /// `ite(c, 3, 5) + 1` is `ite(c, 4, 6)`.
    fn through_ite(&mut self, op: BitOp, a: Term, k: u64, width: u8) -> Option<Term> {
        let Op::Ite(c, x, y) = self.op(a) else { return None };
        let (x, y) = (self.constant(x)?, self.constant(y)?);
        let x = self.bits(eval::binary(op, width, x, k), width);
        let y = self.bits(eval::binary(op, width, y, k), width);
        Some(self.ite(c, x, y))
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.binary(BitOp::Add, a, b)
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.binary(BitOp::Sub, a, b)
    }

    pub fn bit_not(&mut self, a: Term) -> Term {
        if let Op::BitNot(x) = self.op(a) {
            return x;
        }
        self.make(Op::BitNot(a), self.sort(a))
    }

    pub fn neg(&mut self, a: Term) -> Term {
        if let Op::Neg(x) = self.op(a) {
            return x;
        }
        self.make(Op::Neg(a), self.sort(a))
    }

    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        if a == b || self.constant(b) == Some(0) || self.constant(a) == Some(mask(self.width(a))) {
            return self.bool(false);
        }
        if self.constant(b) == Some(1) {
            let zero = self.bits(0, self.width(a));
            return self.eq(a, zero);
        }
        if self.constant(a) == Some(0) {
            return self.truth(b);
        }
        if let (Op::ZeroExt(x), Op::ZeroExt(y)) = (self.op(a), self.op(b)) {
            if self.width(x) == self.width(y) {
                return self.ult(x, y);
            }
        }
        self.compare(Op::Ult(a, b))
    }

    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.bool(false);
        }
        let positive = |pool: &Pool, t: Term| match pool.op(t) {
            Op::ZeroExt(_) => true,
            Op::Bits(k) => k >> (pool.width(t) - 1) == 0,
            _ => false,
        };
        if positive(self, a) && positive(self, b) {
            return self.ult(a, b);
        }
        self.compare(Op::Slt(a, b))
    }

    /// A comparison of a constant with an `ite` over constants is its condition.
    fn compare(&mut self, op: Op) -> Term {
        if let Some(t) = self.fold(op, Sort::Bool) {
            return t;
        }
        let (Op::Ult(a, b) | Op::Slt(a, b)) = op else { return self.intern(op, Sort::Bool) };
        let again = |pool: &mut Pool, x: Term, y: Term| match op {
            Op::Ult(..) => pool.ult(x, y),
            _ => pool.slt(x, y),
        };
        for (this, other, left) in [(a, b, true), (b, a, false)] {
            if let (Op::Ite(c, x, y), Some(_)) = (self.op(this), self.constant(other)) {
                if self.constant(x).is_some() && self.is_constant_tree(y, DEPTH) {
                    let (x, y) = if left {
                        (again(self, x, other), again(self, y, other))
                    } else {
                        (again(self, other, x), again(self, other, y))
                    };
                    return self.ite(c, x, y);
                }
            }
        }
        self.intern(op, Sort::Bool)
    }

    fn is_constant_tree(&self, t: Term, depth: u32) -> bool {
        match self.op(t) {
            Op::Bits(_) => true,
            Op::Ite(_, x, y) => {
                depth > 0
                    && self.is_constant_tree(x, depth - 1)
                    && self.is_constant_tree(y, depth - 1)
            }
            _ => false,
        }
    }

    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let t = self.ult(b, a);
        self.not(t)
    }

    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let t = self.slt(b, a);
        self.not(t)
    }

    /// `width` bits from `low` on.
    pub fn extract(&mut self, a: Term, low: u8, width: u8) -> Term {
        let all = self.width(a);
        if low == 0 && width == all {
            return a;
        }
        match self.op(a) {
            Op::Extract { of, low: below } => return self.extract(of, low + below, width),
            Op::ZeroExt(x) | Op::SignExt(x) if low + width <= self.width(x) => {
                return self.extract(x, low, width);
            }
            Op::ZeroExt(x) if low >= self.width(x) => return self.bits(0, width),
            Op::ZeroExt(x) if low == 0 => return self.zero_ext(x, width),
            Op::SignExt(x) if low == 0 => return self.sign_ext(x, width),
            Op::Concat(_, lo) if low + width <= self.width(lo) => {
                return self.extract(lo, low, width);
            }
            Op::Concat(hi, lo) if low >= self.width(lo) => {
                return self.extract(hi, low - self.width(lo), width);
            }
            Op::Ite(c, x, y) if self.constant(x).is_some() || self.constant(y).is_some() => {
                let (x, y) = (self.extract(x, low, width), self.extract(y, low, width));
                return self.ite(c, x, y);
            }
            Op::Binary(op @ (BitOp::And | BitOp::Or | BitOp::Xor), x, y) => {
                let (x, y) = (self.extract(x, low, width), self.extract(y, low, width));
                return self.binary(op, x, y);
            }
            Op::Binary(op @ (BitOp::Add | BitOp::Sub | BitOp::Mul), x, y) if low == 0 => {
                let (x, y) = (self.extract(x, 0, width), self.extract(y, 0, width));
                return self.binary(op, x, y);
            }
            _ => {}
        }
        self.make(Op::Extract { of: a, low }, Sort::Bits(width))
    }

    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        if self.constant(high) == Some(0) {
            return self.zero_ext(low, width);
        }
        if let (Op::Extract { of: a, low: h }, Op::Extract { of: b, low: l }) =
            (self.op(high), self.op(low))
        {
            if a == b && h == l + self.width(low) {
                return self.extract(a, l, width);
            }
        }
        self.make(Op::Concat(high, low), Sort::Bits(width))
    }

    pub fn zero_ext(&mut self, a: Term, width: u8) -> Term {
        if width == self.width(a) {
            return a;
        }
        match self.op(a) {
            Op::ZeroExt(x) => return self.zero_ext(x, width),
            Op::Ite(c, x, y) if self.constant(x).is_some() || self.constant(y).is_some() => {
                let (x, y) = (self.zero_ext(x, width), self.zero_ext(y, width));
                return self.ite(c, x, y);
            }
            _ => {}
        }
        self.make(Op::ZeroExt(a), Sort::Bits(width))
    }

    pub fn sign_ext(&mut self, a: Term, width: u8) -> Term {
        if width == self.width(a) {
            return a;
        }
        match self.op(a) {
            Op::ZeroExt(x) => return self.zero_ext(x, width),
            Op::SignExt(x) => return self.sign_ext(x, width),
            Op::Ite(c, x, y) if self.constant(x).is_some() || self.constant(y).is_some() => {
                let (x, y) = (self.sign_ext(x, width), self.sign_ext(y, width));
                return self.ite(c, x, y);
            }
            _ => {}
        }
        self.make(Op::SignExt(a), Sort::Bits(width))
    }

    pub fn float(&mut self, op: FloatOp, a: Term, b: Term) -> Term {
        self.make(Op::Float(op, a, b), self.sort(a))
    }

    pub fn float_cmp(&mut self, op: FloatCmp, a: Term, b: Term) -> Term {
        self.make(Op::FloatCmp(op, a, b), Sort::Bool)
    }

    pub fn convert(&mut self, op: Convert, a: Term, width: u8) -> Term {
        if op == Convert::FloatToFloat && self.width(a) == width {
            return a;
        }
        self.make(Op::Convert(op, a), Sort::Bits(width))
    }
}
