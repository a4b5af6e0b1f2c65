//! Constructors that simplify. Each rule keeps the value; `tests` compare with `eval` at random.
//!
//! - `bits.rs`: bit-vectors and floats: constants fold, neutral operands vanish, extensions and
//!   extracts meet

mod bits;

use crate::term::{BitOp, Op, Pool, Sort, Term, mask};
use smallvec::{SmallVec, smallvec};

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
        // (x & c) | (x & !c) is x: two paths that meet again.
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
    pub fn conjuncts(&self, t: Term) -> SmallVec<[Term; 16]> {
        let mut out = SmallVec::new();
        let mut stack: SmallVec<[Term; 16]> = smallvec![t];
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

#[cfg(test)]
mod tests;
