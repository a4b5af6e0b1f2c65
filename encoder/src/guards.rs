//! What one guard says about another: sound, incomplete, cheap tests.
//!
//! A guard is a chain of conjuncts, and so are its prefixes, which are guards of earlier events. Of
//! each guard we remember all parts of that chain as numbers in order; another guard is then looked
//! up part by part: a conjunction holds if both sides do, a negated one if one side is refuted, and
//! two equalities of one term with different constants refute each other.
//!
//! Terms never change, so an answer holds for ever and is kept.
//! Cost: the parts looked at, at most `FUEL`, each by binary search; a hash lookup when asked again.

use crate::term::{Op, Pool, Term};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Parts of a guard that are remembered, the latest ones.
const PARTS: usize = 512;
/// Parts of a question that are looked at.
const FUEL: u32 = 200;

/// Remembers what it was asked.
#[derive(Clone, Debug, Default)]
pub struct Guards {
    parts: Vec<Term>,
    equal: Vec<(Term, Term)>, // a term and the constant that it is
    of: FxHashMap<Term, GuardParts>,
    entailed: FxHashMap<(Term, Term), bool>,
    excluded: FxHashMap<(Term, Term), bool>,
}

/// The parts of one guard.
#[derive(Clone, Debug)]
struct GuardParts {
    parts: Range<usize>,
    equal: Range<usize>,
}

impl Guards {
    /// Does `a` imply `b`? When in doubt, no.
    pub(crate) fn entails(&mut self, pool: &Pool, a: Term, b: Term) -> bool {
        if a == b || pool.is_true(b) || pool.is_false(a) {
            return true;
        }
        if pool.is_true(a) || pool.is_false(b) {
            return false;
        }
        if let Some(&known) = self.entailed.get(&(a, b)) {
            return known;
        }
        let answer = self.ask(pool, a).holds(b);
        self.entailed.insert((a, b), answer);
        answer
    }

    /// Can they not both hold? When in doubt, no.
    pub fn excludes(&mut self, pool: &Pool, a: Term, b: Term) -> bool {
        if pool.is_false(a) || pool.is_false(b) {
            return true;
        }
        if pool.is_true(a) || pool.is_true(b) || a == b {
            return false;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.excluded.get(&key) {
            return known;
        }
        let answer = self.ask(pool, a).fails(b) || self.ask(pool, b).fails(a);
        self.excluded.insert(key, answer);
        answer
    }

    fn ask<'a>(&'a mut self, pool: &'a Pool, guard: Term) -> AssumedGuard<'a> {
        if !self.of.contains_key(&guard) {
            let parts = self.collect(pool, guard);
            self.of.insert(guard, parts);
        }
        let GuardParts { parts, equal } = self.of[&guard].clone();
        AssumedGuard { pool, parts: &self.parts[parts], equal: &self.equal[equal], fuel: FUEL }
    }

    fn collect(&mut self, pool: &Pool, guard: Term) -> GuardParts {
        let (start, equal) = (self.parts.len(), self.equal.len());
        let mut stack = vec![guard];
        while let Some(t) = stack.pop() {
            self.parts.push(t);
            match pool.op(t) {
                Op::And(a, b) => stack.extend([a, b]),
                Op::Eq(a, b) if pool.constant(b).is_some() => self.equal.push((a, b)),
                _ => {}
            }
            if self.parts.len() - start >= PARTS {
                break;
            }
        }
        self.parts[start..].sort_unstable();
        self.equal[equal..].sort_unstable();
        GuardParts { parts: start..self.parts.len(), equal: equal..self.equal.len() }
    }
}

/// The parts of a guard that is supposed to hold.
struct AssumedGuard<'a> {
    pool: &'a Pool,
    parts: &'a [Term],
    equal: &'a [(Term, Term)],
    fuel: u32,
}

impl AssumedGuard<'_> {
    fn has(&self, t: Term) -> bool {
        self.parts.binary_search(&t).is_ok()
    }

    fn spend(&mut self) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0
    }

    fn holds(&mut self, t: Term) -> bool {
        if self.has(t) {
            return true;
        }
        if !self.spend() {
            return false;
        }
        match self.pool.op(t) {
            Op::Bool(b) => b,
            // The later side first: it is what a longer guard adds.
            Op::And(a, b) => self.holds(b) && self.holds(a),
            Op::Not(a) => self.fails(a),
            _ => false,
        }
    }

    fn fails(&mut self, t: Term) -> bool {
        if !self.spend() {
            return false;
        }
        match self.pool.op(t) {
            Op::Bool(b) => !b,
            Op::And(a, b) => self.has_negation(t) || self.fails(b) || self.fails(a),
            Op::Not(a) => self.holds(a),
            Op::Eq(a, b) => self.has_negation(t) || self.differs(a, b),
            _ => self.has_negation(t),
        }
    }

    fn has_negation(&self, t: Term) -> bool {
        self.pool.negation(t).is_some_and(|n| self.has(n))
    }

    /// Is `a` known to be another constant than `b`?
    fn differs(&self, a: Term, b: Term) -> bool {
        let from = self.equal.partition_point(|&(x, _)| x < a);
        let mut same = self.equal[from..].iter().take_while(|&&(x, _)| x == a);
        self.pool.constant(b).is_some() && same.any(|&(_, k)| k != b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;
    use crate::eval::Evaluator;
    use obmc_testing::Dice;

    #[test]
    fn prefixes_branches_and_constants() {
        let (mut p, mut g) = (Pool::new(), Guards::default());
        let [a, b, c] = [(); 3].map(|()| p.fresh(Sort::Bool));
        let (ab, na) = (p.and(a, b), p.not(a));
        let abc = p.and(ab, c);
        assert!(g.entails(&p, abc, ab) && g.entails(&p, abc, c) && !g.entails(&p, ab, abc));
        let nac = p.and(na, c);
        assert!(g.excludes(&p, ab, nac) && !g.excludes(&p, ab, c));
        let either = p.or(na, c);
        assert!(g.entails(&p, abc, either) && g.entails(&p, nac, either));
        assert!(!g.entails(&p, ab, either));
        let v = p.fresh(Sort::Bits(8));
        let [one, two] = [1, 2].map(|k| p.bits(k, 8));
        let (v1, v2) = (p.eq(v, one), p.eq(v, two));
        let (v1, v2n) = (p.and(a, v1), p.not(v2));
        assert!(g.excludes(&p, v1, v2) && g.entails(&p, v1, v2n));
    }

    /// Whatever is answered with yes holds for all values.
    #[test]
    fn answers_are_sound() {
        for seed in 0..200 {
            let mut random = Dice::new(seed);
            let (mut p, mut g) = (Pool::new(), Guards::default());
            let mut terms: Vec<Term> = (0..3).map(|_| p.fresh(Sort::Bool)).collect();
            for _ in 0..12 {
                let a = terms[random.index(terms.len())];
                let b = terms[random.index(terms.len())];
                terms.push(match random.below(3) {
                    0 => p.not(a),
                    1 => p.and(a, b),
                    _ => p.or(a, b),
                });
            }
            for &a in &terms {
                for &b in &terms {
                    let (entails, excludes) = (g.entails(&p, a, b), g.excludes(&p, a, b));
                    for values in 0..8u64 {
                        let mut e = Evaluator::new(&p, |v| values >> v.0 & 1);
                        let (x, y) = (e.holds(a), e.holds(b));
                        assert!(!entails || !x || y);
                        assert!(!excludes || !x || !y);
                    }
                }
            }
        }
    }
}
