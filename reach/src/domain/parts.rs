//! A question falls apart where its terms share no variable.
//!
//! What one part says does not depend on the others, so each is asked by itself: it is smaller, and comes
//! again in many states that differ elsewhere.

use crate::system::vars;
use encoder::{Pool, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Facts, and predicates (by number) as they are after a step, that share variables.
#[derive(Clone, Debug, Default)]
pub struct Part {
    pub facts: Vec<Term>,
    pub open: Vec<(usize, Term)>,
}

#[derive(Default)]
pub struct Parts {
    vars: FxHashMap<Term, Rc<[Term]>>,
}

impl Parts {
    pub fn of(&mut self, pool: &Pool, facts: &[Term], open: Vec<(usize, Term)>) -> Vec<Part> {
        let terms: Vec<Term> = facts.iter().copied().chain(open.iter().map(|o| o.1)).collect();
        let part = self.numbers(pool, &terms);
        let mut parts: FxHashMap<usize, Part> = FxHashMap::default();
        for (fact, part) in facts.iter().zip(&part) {
            parts.entry(*part).or_default().facts.push(*fact);
        }
        for (open, part) in open.into_iter().zip(&part[facts.len()..]) {
            parts.entry(*part).or_default().open.push(open);
        }
        let mut parts: Vec<(usize, Part)> = parts.into_iter().collect();
        parts.sort_by_key(|(number, _)| *number);
        parts.into_iter().map(|(_, part)| part).collect()
    }

    /// A number for each term, the same for those of one part.
    fn numbers(&mut self, pool: &Pool, terms: &[Term]) -> Vec<usize> {
        let mut by_var: FxHashMap<Term, usize> = FxHashMap::default();
        let mut number: Vec<usize> = (0..terms.len()).collect();
        for (i, term) in terms.iter().enumerate() {
            for var in self.vars(pool, *term).iter() {
                let j = *by_var.entry(*var).or_insert(i);
                let (a, b) = (root(&number, i), root(&number, j));
                number[a.max(b)] = a.min(b);
            }
        }
        (0..terms.len()).map(|i| root(&number, i)).collect()
    }

    fn vars(&mut self, pool: &Pool, term: Term) -> Rc<[Term]> {
        self.vars.entry(term).or_insert_with(|| vars(pool, term).into()).clone()
    }
}

fn root(number: &[usize], mut at: usize) -> usize {
    while number[at] != at {
        at = number[at];
    }
    at
}
