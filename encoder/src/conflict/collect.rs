//! From drafts to clauses: fair, short, without repetition.
//!
//! A literal that another one of the clause implies is dropped: `rf(w, r)` implies the guards of both.
//! So is a clause that says nothing new: two sources of one read, or events that exclude each
//! other. What is left is a set of literals; a set that contains a known one is subsumed.

use super::{Clause, Draft, Found, Structure};
use crate::guards::Guards;
use crate::{Encoding, EventId, Term};
use rustc_hash::FxHashSet;

pub(super) struct Collector<'a> {
    encoding: &'a Encoding,
    guards: Guards,
    clauses: Vec<Clause>,
    seen: FxHashSet<Vec<u64>>,
    left: usize, // of the budget
    budget: usize,
}

impl<'a> Collector<'a> {
    pub fn new(encoding: &'a Encoding, budget: usize) -> Collector<'a> {
        let (clauses, seen) = (Vec::new(), FxHashSet::default());
        Collector { encoding, guards: Guards::default(), clauses, seen, left: budget, budget }
    }

    /// Takes from `turns` (the drafts of each candidate) in turn, up to a fair part of the budget
    /// among so many structures that are still to come, this one included.
    pub fn add(&mut self, structure: Structure, turns: Vec<Vec<Draft>>, shares: usize) {
        let share = self.left.div_ceil(shares.max(1));
        let most = turns.iter().map(Vec::len).max().unwrap_or(0);
        let mut taken = 0;
        for turn in 0..most {
            for draft in turns.iter().filter_map(|drafts| drafts.get(turn)) {
                if taken == share {
                    self.left -= taken;
                    return;
                }
                if let Some(clause) = self.clause(structure, draft) {
                    if self.seen.insert(key(&clause)) {
                        self.clauses.push(clause);
                        taken += 1;
                    }
                }
            }
        }
        self.left -= taken;
    }

    /// `None` if it says nothing new.
    fn clause(&mut self, structure: Structure, draft: &Draft) -> Option<Clause> {
        let mut rf = draft.rf.clone();
        rf.sort_unstable();
        rf.dedup();
        let pairs: Vec<(EventId, EventId)> =
            rf.iter().map(|&i| self.encoding.rf[i as usize]).collect();
        let shared = |&(_, r): &(EventId, EventId)| pairs.iter().filter(|p| p.1 == r).count() > 1;
        if pairs.iter().any(shared) {
            return None;
        }
        let implied: Vec<Term> =
            pairs.iter().flat_map(|&(w, r)| [w, r]).map(|e| self.guard(e)).collect();
        let mut guards: Vec<Term> = draft.guards.iter().map(|&w| self.guard(w)).collect();
        guards.sort_unstable();
        guards.dedup();
        let pool = &self.encoding.pool;
        let known = &mut self.guards;
        let all = implied.iter().chain(&guards);
        let exclusive = |i: usize, a: Term, known: &mut Guards| {
            all.clone().skip(i + 1).any(|&b| known.excludes(pool, a, b))
        };
        if all.clone().enumerate().any(|(i, &a)| exclusive(i, a, known)) {
            return None;
        }
        guards.retain(|&g| !pool.is_true(g) && !implied.iter().any(|&i| known.entails(pool, i, g)));
        Some(Clause { structure, rf, guards })
    }

    fn guard(&self, e: EventId) -> Term {
        self.encoding.events[e.index()].guard
    }

    /// The clauses that no other one subsumes.
    pub fn finish(mut self) -> Found {
        let mut clauses = std::mem::take(&mut self.clauses);
        clauses.retain(|clause| !self.subsumed(clause));
        clauses.sort_by_key(Clause::len);
        clauses.truncate(self.budget);
        let count = |s: Structure| clauses.iter().filter(|c| c.structure == s).count();
        let by_structure = Structure::ALL.into_iter().map(|s| (s, count(s))).collect();
        Found { clauses, by_structure }
    }

    /// Is a proper part of it a clause?
    fn subsumed(&self, clause: &Clause) -> bool {
        let literals = key(clause);
        let parts = 1..(1u32 << literals.len()) - 1;
        parts.into_iter().any(|part| {
            let chosen = literals.iter().enumerate().filter(|(i, _)| part >> i & 1 == 1);
            self.seen.contains(&chosen.map(|(_, &literal)| literal).collect::<Vec<u64>>())
        })
    }
}

/// The literals, in order.
fn key(clause: &Clause) -> Vec<u64> {
    let rf = clause.rf.iter().map(|&i| u64::from(i));
    rf.chain(clause.guards.iter().map(|g| 1 << 32 | g.index() as u64)).collect()
}
