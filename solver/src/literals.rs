//! Numbers for terms: theory variable `i` stands for the `i`-th term that was asked for.

use encoder::{Op, Pool, Term};
use rustc_hash::FxHashMap;
use theory::Lit;

/// Numbers for terms.
#[derive(Default)]
pub(crate) struct Literals {
    pub terms: Vec<Option<Term>>,
    of: FxHashMap<Term, u32>,
}

impl Literals {
    pub fn lit(&mut self, pool: &Pool, t: Term) -> Lit {
        if let Op::Not(inner) = pool.op(t) {
            return !self.lit(pool, inner);
        }
        let next = self.terms.len() as u32;
        let var = *self.of.entry(t).or_insert(next);
        if var == next {
            self.terms.push(Some(t));
        }
        Lit::positive(var)
    }
}
