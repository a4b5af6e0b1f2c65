//! Terms for variables: rebuilds terms with the constructors that simplify.
//!
//! All variables are replaced at once, also inside of what replaces them. A round of replacements
//! that would never end is broken: one of its variables stays (`kept` tells).
//!
//! Invariant: `done` holds finished terms only, in which no replaced variable occurs.
//! Cost: each term is rebuilt once; an explicit stack, since terms are deep.

use crate::term::{Op, Pool, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of replacements, and what they have made of the terms seen so far.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    map: FxHashMap<Term, Term>, // from variables
    done: FxHashMap<Term, Term>,
    open: FxHashSet<Term>, // on the stack, with operands under way
}

impl Substitution {
    pub fn new(map: FxHashMap<Term, Term>) -> Substitution {
        Substitution { map, ..Substitution::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Was this variable left alone after all? Known once `apply` has seen all replacements.
    pub fn kept(&self, var: Term) -> bool {
        !self.map.contains_key(&var)
    }

    /// Sees all replacements, so that `kept` is settled before the first term is rebuilt.
    pub fn resolve(&mut self, pool: &mut Pool) {
        let mut vars: Vec<Term> = self.map.keys().copied().collect();
        vars.sort_unstable();
        for var in vars {
            self.apply(pool, var);
        }
    }

    /// The term with everything replaced.
    pub fn apply(&mut self, pool: &mut Pool, t: Term) -> Term {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.done.contains_key(&top) {
                self.open.remove(&top);
                stack.pop();
                continue;
            }
            self.open.insert(top);
            let wanted = self.wanted(pool, top);
            if wanted.iter().any(|o| self.open.contains(o)) {
                self.break_round(&mut stack);
            } else if wanted.is_empty() {
                let built = self.build(pool, top);
                self.done.insert(top, built);
            } else {
                stack.extend(wanted);
            }
        }
        self.done[&t]
    }

    /// What must be finished before `t`.
    fn wanted(&self, pool: &Pool, t: Term) -> Vec<Term> {
        let mut wanted = Vec::new();
        match self.map.get(&t) {
            Some(&target) => wanted.push(target),
            None => pool.operands(t, |o| wanted.push(o)),
        }
        wanted.retain(|o| !self.done.contains_key(o));
        wanted
    }

    /// The replacement that was begun last is given up; what depends on it starts anew.
    fn break_round(&mut self, stack: &mut Vec<Term>) {
        while let Some(top) = stack.pop() {
            let was_open = self.open.remove(&top);
            if was_open && self.map.remove(&top).is_some() {
                self.done.insert(top, top);
                return;
            }
        }
    }

    fn build(&mut self, pool: &mut Pool, t: Term) -> Term {
        if let Some(target) = self.map.get(&t) {
            return self.done[target];
        }
        let mut same = true;
        pool.operands(t, |o| same &= self.done[&o] == o);
        if same { t } else { rebuild(pool, t, |o| self.done[&o]) }
    }
}

/// The same operator over other operands.
pub fn rebuild(pool: &mut Pool, t: Term, new: impl Fn(Term) -> Term) -> Term {
    let width = pool.width(t);
    match pool.op(t) {
        Op::Bool(_) | Op::Bits(_) | Op::Var(_) => t,
        Op::Not(a) => pool.not(new(a)),
        Op::And(a, b) => pool.and(new(a), new(b)),
        Op::Ite(c, a, b) => pool.ite(new(c), new(a), new(b)),
        Op::Eq(a, b) => pool.eq(new(a), new(b)),
        Op::Ult(a, b) => pool.ult(new(a), new(b)),
        Op::Slt(a, b) => pool.slt(new(a), new(b)),
        Op::BitNot(a) => pool.bit_not(new(a)),
        Op::Neg(a) => pool.neg(new(a)),
        Op::Binary(op, a, b) => pool.binary(op, new(a), new(b)),
        Op::Extract { of, low } => pool.extract(new(of), low, width),
        Op::Concat(a, b) => pool.concat(new(a), new(b)),
        Op::ZeroExt(a) => pool.zero_ext(new(a), width),
        Op::SignExt(a) => pool.sign_ext(new(a), width),
        Op::Float(op, a, b) => pool.float(op, new(a), new(b)),
        Op::FloatCmp(op, a, b) => pool.float_cmp(op, new(a), new(b)),
        Op::Convert(op, a) => pool.convert(op, new(a), width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn replaces_through_replacements_and_folds() {
        let mut p = Pool::new();
        let [x, y] = [(); 2].map(|()| p.fresh(Sort::Bits(8)));
        let one = p.bits(1, 8);
        let y1 = p.add(y, one);
        let x1 = p.add(x, one);
        let mut s = Substitution::new([(x, y1), (y, one)].into_iter().collect());
        s.resolve(&mut p);
        assert!(!s.kept(x) && !s.kept(y));
        let built = s.apply(&mut p, x1);
        assert_eq!(p.constant(built), Some(3));
    }

    #[test]
    fn a_round_keeps_one_variable() {
        let mut p = Pool::new();
        let [x, y] = [(); 2].map(|()| p.fresh(Sort::Bits(8)));
        let one = p.bits(1, 8);
        let (x1, y1) = (p.add(x, one), p.add(y, one));
        let mut s = Substitution::new([(x, y1), (y, x1)].into_iter().collect());
        s.resolve(&mut p);
        assert_ne!(s.kept(x), s.kept(y));
        let (kept, other) = if s.kept(x) { (x, y) } else { (y, x) };
        let want = p.add(kept, one);
        assert_eq!(s.apply(&mut p, other), want);
        let mut own = Substitution::new([(x, x1)].into_iter().collect());
        own.resolve(&mut p);
        assert!(own.kept(x));
    }
}
