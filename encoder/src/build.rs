//! Constructors that simplify. Each rule keeps the value; `tests` compare with `eval` at random.

use crate::eval;
use crate::term::{BitOp, Convert, FloatCmp, FloatOp, Op, Pool, Sort, Term, mask};

/// How deep a rule looks into a tree of `ite`s over constants.
const DEPTH: u32 = 8;
/// How many conjuncts a rule looks at.
const CONJUNCTS: usize = 64;

/// Booleans.
impl Pool {
    pub fn not(&mut self, a: Term) -> Term {
        match self.op(a) {
            Op::Bool(b) => self.bool(!b),
            Op::Not(b) => b,
            _ => self.intern(Op::Not(a), Sort::Bool),
        }
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        if a == b || self.is_true(b) || self.is_false(a) {
            return a;
        }
        if self.is_true(a) || self.is_false(b) {
            return b;
        }
        if self.opposite(a, b) || self.refutes(a, b) || self.refutes(b, a) {
            return self.bool(false);
        }
        if self.implies(a, b) {
            return a;
        }
        if self.implies(b, a) {
            return b;
        }
        if let Some(t) = self.absorb(a, b).or_else(|| self.absorb(b, a)) {
            return t;
        }
        // Not sorted: guards are built by appending, and stay chains with a common beginning.
        self.intern(Op::And(a, b), Sort::Bool)
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        // (x & c) | (x & !c) is x: two ways that meet again.
        if let Some(t) = self.rejoin(a, b) {
            return t;
        }
        let (na, nb) = (self.not(a), self.not(b));
        let n = self.and(na, nb);
        self.not(n)
    }

    pub fn implies_term(&mut self, a: Term, b: Term) -> Term {
        let n = self.not(a);
        self.or(n, b)
    }

    pub fn and_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let start = self.bool(true);
        terms.into_iter().fold(start, |all, t| self.and(all, t))
    }

    pub fn or_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let start = self.bool(false);
        terms.into_iter().fold(start, |all, t| self.or(all, t))
    }

    /// Is `b` the negation of `a`?
    pub fn opposite(&self, a: Term, b: Term) -> bool {
        self.op(a) == Op::Not(b) || self.op(b) == Op::Not(a)
    }

    /// The conjuncts of a Boolean, the latest first, as far as a rule cares.
    pub fn conjuncts(&self, t: Term) -> Vec<Term> {
        let (mut out, mut stack) = (Vec::new(), vec![t]);
        while let Some(t) = stack.pop() {
            match self.op(t) {
                Op::And(a, b) => stack.extend([a, b]),
                _ => out.push(t),
            }
            if out.len() >= CONJUNCTS {
                break;
            }
        }
        out
    }

    /// A sound, incomplete test: every conjunct of `b` is one of `a`.
    pub fn implies(&self, a: Term, b: Term) -> bool {
        if a == b || self.is_true(b) || self.is_false(a) {
            return true;
        }
        if !matches!(self.op(a), Op::And(..)) {
            return false;
        }
        let have = self.conjuncts(a);
        if have.contains(&b) {
            return true;
        }
        let want = self.conjuncts(b);
        want.len() < CONJUNCTS && want.iter().all(|w| have.contains(w))
    }

    /// A sound, incomplete test: they cannot both hold.
    pub fn excludes(&self, a: Term, b: Term) -> bool {
        let (ca, cb) = (self.conjuncts(a), self.conjuncts(b));
        ca.iter().any(|&x| cb.iter().any(|&y| self.opposite(x, y)))
    }

    /// `a` has the negation of `b` among its conjuncts.
    fn refutes(&self, a: Term, b: Term) -> bool {
        matches!(self.op(a), Op::And(..)) && self.conjuncts(a).iter().any(|&c| self.opposite(c, b))
    }

    /// `a & !(x & y)` where `a` says something about `x`.
    fn absorb(&mut self, a: Term, b: Term) -> Option<Term> {
        let Op::Not(inner) = self.op(b) else { return None };
        let Op::And(x, y) = self.op(inner) else { return None };
        if self.implies(a, x) {
            let n = self.not(y);
            return Some(self.and(a, n));
        }
        if self.implies(a, y) {
            let n = self.not(x);
            return Some(self.and(a, n));
        }
        if self.opposite(a, x) || self.opposite(a, y) || self.refutes(a, x) || self.refutes(a, y) {
            return Some(a);
        }
        None
    }

    fn rejoin(&self, a: Term, b: Term) -> Option<Term> {
        let (Op::And(a1, a2), Op::And(b1, b2)) = (self.op(a), self.op(b)) else { return None };
        (a1 == b1 && self.opposite(a2, b2)).then_some(a1)
    }

    /// 0 or 1 of a width.
    pub fn bool_to_bits(&mut self, b: Term, width: u8) -> Term {
        let (one, zero) = (self.bits(1, width), self.bits(0, width));
        self.ite(b, one, zero)
    }

    /// Is it not zero?
    pub fn truth(&mut self, a: Term) -> Term {
        let zero = self.bits(0, self.width(a));
        let eq = self.eq(a, zero);
        self.not(eq)
    }
}

/// Either sort.
impl Pool {
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        if a == b || self.is_true(c) {
            return a;
        }
        if self.is_false(c) {
            return b;
        }
        if let Op::Not(n) = self.op(c) {
            return self.ite(n, b, a);
        }
        let (a, b) = (self.under(c, true, a), self.under(c, false, b));
        if a == b {
            return a;
        }
        if self.sort(a) == Sort::Bool {
            return self.bool_ite(c, a, b);
        }
        // ite(c, x, ite(d, x, y)) is ite(c | d, x, y).
        if let Op::Ite(d, x, y) = self.op(b) {
            if x == a {
                let either = self.or(c, d);
                return self.ite(either, a, y);
            }
        }
        let sort = self.sort(a);
        self.intern(Op::Ite(c, a, b), sort)
    }

    fn bool_ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        if self.is_true(a) || a == c {
            return self.or(c, b);
        }
        if self.is_false(b) || b == c {
            return self.and(c, a);
        }
        let n = self.not(c);
        if self.is_false(a) {
            return self.and(n, b);
        }
        if self.is_true(b) {
            return self.or(n, a);
        }
        if self.opposite(a, b) {
            return self.eq(c, a);
        }
        self.intern(Op::Ite(c, a, b), Sort::Bool)
    }

    /// What `t` is when `c` is known: looks at the top only.
    fn under(&self, c: Term, value: bool, t: Term) -> Term {
        match self.op(t) {
            Op::Ite(d, x, y) if d == c => {
                if value {
                    x
                } else {
                    y
                }
            }
            _ => t,
        }
    }

    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.bool(true);
        }
        let (a, b) = if self.constant(a).is_some() { (b, a) } else { (a, b) };
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => return self.bool(x == y),
            (None, Some(k)) => {
                if let Some(t) = self.eq_constant(a, k) {
                    return t;
                }
            }
            _ => {}
        }
        if self.sort(a) == Sort::Bool {
            return self.iff(a, b);
        }
        let (a, b) = if self.constant(b).is_none() && b < a { (b, a) } else { (a, b) };
        self.intern(Op::Eq(a, b), Sort::Bool)
    }

    fn iff(&mut self, a: Term, b: Term) -> Term {
        if self.opposite(a, b) {
            return self.bool(false);
        }
        match (self.op(a), self.op(b)) {
            (Op::Not(x), Op::Not(y)) => self.eq(x, y),
            (Op::Not(x), _) => {
                let t = self.eq(x, b);
                self.not(t)
            }
            (_, Op::Not(y)) => {
                let t = self.eq(a, y);
                self.not(t)
            }
            _ => {
                let (a, b) = if b < a { (b, a) } else { (a, b) };
                self.intern(Op::Eq(a, b), Sort::Bool)
            }
        }
    }

    /// `a == k`, through whatever C wrapped around `a`.
    fn eq_constant(&mut self, a: Term, k: u64) -> Option<Term> {
        let width = self.width(a);
        match self.op(a) {
            _ if self.sort(a) == Sort::Bool => Some(if k == 1 { a } else { self.not(a) }),
            Op::Ite(c, x, y) => {
                // Only where a branch is decided at once: no blow-up.
                let x = self.decided(x, k, DEPTH)?;
                let y = self.decided(y, k, DEPTH)?;
                Some(self.ite(c, x, y))
            }
            Op::ZeroExt(x) => Some(if k & !mask(self.width(x)) == 0 {
                let k = self.bits(k, self.width(x));
                self.eq(x, k)
            } else {
                self.bool(false)
            }),
            Op::SignExt(x) => {
                let w = self.width(x);
                let extended = crate::term::signed(k, w) as u64 & mask(width);
                Some(if extended == k {
                    let k = self.bits(k, w);
                    self.eq(x, k)
                } else {
                    self.bool(false)
                })
            }
            Op::BitNot(x) => {
                let k = self.bits(!k, width);
                Some(self.eq(x, k))
            }
            Op::Neg(x) => {
                let k = self.bits(k.wrapping_neg(), width);
                Some(self.eq(x, k))
            }
            Op::Binary(BitOp::Add, x, c) => {
                let c = self.constant(c)?;
                let k = self.bits(k.wrapping_sub(c), width);
                Some(self.eq(x, k))
            }
            Op::Binary(BitOp::Xor, x, c) => {
                let c = self.constant(c)?;
                let k = self.bits(k ^ c, width);
                Some(self.eq(x, k))
            }
            _ => None,
        }
    }

    /// `a == k` if `a` is a tree of `ite`s whose leaves are constants, or simple enough.
    fn decided(&mut self, a: Term, k: u64, depth: u32) -> Option<Term> {
        if let Some(c) = self.constant(a) {
            return Some(self.bool(c == k));
        }
        match self.op(a) {
            // Chains, not trees: one side must be known.
            Op::Ite(c, x, y)
                if depth > 0 && (self.constant(x).is_some() || self.constant(y).is_some()) =>
            {
                let x = self.decided(x, k, depth - 1)?;
                let y = self.decided(y, k, depth - 1)?;
                Some(self.ite(c, x, y))
            }
            Op::ZeroExt(_) | Op::SignExt(_) | Op::Var(_) => {
                let k = self.bits(k, self.width(a));
                Some(self.eq(a, k))
            }
            _ => None,
        }
    }
}

/// Bits.
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

#[cfg(test)]
mod tests;
