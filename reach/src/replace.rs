//! Simultaneous substitution: terms for variables, all at once and once only.

use encoder::substitute::rebuild;
use encoder::{Op, Pool, Term};
use rustc_hash::FxHashMap;

/// One substitution and what it has made of the terms seen so far.
#[derive(Clone, Debug, Default)]
pub struct Replace {
    done: FxHashMap<Term, Term>,
}

impl Replace {
    pub fn new(map: impl IntoIterator<Item = (Term, Term)>) -> Replace {
        Replace { done: map.into_iter().collect() }
    }

    /// An explicit stack: terms are deep.
    pub fn apply(&mut self, pool: &mut Pool, term: Term) -> Term {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.done.contains_key(&top) {
                stack.pop();
                continue;
            }
            if matches!(pool.op(top), Op::Var(_) | Op::Bool(_) | Op::Bits(_)) {
                self.done.insert(top, top);
                stack.pop();
                continue;
            }
            let open = stack.len();
            pool.operands(top, |o| {
                if !self.done.contains_key(&o) {
                    stack.push(o);
                }
            });
            if stack.len() == open {
                let mut same = true;
                pool.operands(top, |o| same &= self.done[&o] == o);
                let new = if same { top } else { rebuild(pool, top, |o| self.done[&o]) };
                self.done.insert(top, new);
                stack.pop();
            }
        }
        self.done[&term]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoder::Sort;

    #[test]
    fn what_replaces_is_not_replaced() {
        let mut p = Pool::new();
        let [x, y] = [(); 2].map(|()| p.fresh(Sort::Bits(8)));
        let one = p.bits(1, 8);
        let (x1, sum) = (p.add(x, one), p.add(x, y));
        let mut swap = Replace::new([(x, x1), (y, x)]);
        let want = p.add(x1, x);
        assert_eq!(swap.apply(&mut p, sum), want);
    }
}
