//! From drafts to clauses: fair, short, without repetition.
//!
//! A literal that another one of the clause implies is dropped: `rf(w, r)` implies the guards of both.
//! So is a clause that says nothing new: two sources of one read, or events of a thread that exclude
//! each other. What is left is a set of literals; a set that contains a known one is subsumed.

use super::{Clause, ConflictCount, Draft, Structure};
use crate::guards::Guards;
use crate::{Encoding, EventId, Term, ThreadId};
use rustc_hash::FxHashSet;

/// The literals of a clause in order: indices of `rf`, then guards, then `NONE`.
type ClauseKey = [u64; 5];

const NONE: u64 = u64::MAX;
const GUARD: u64 = 1 << 32;

pub(super) struct Collector<'a> {
    encoding: &'a Encoding,
    guards: Guards,
    clauses: Vec<(ClauseKey, Structure)>,
    seen: FxHashSet<ClauseKey>,
    left: usize, // of the budget
}

impl<'a> Collector<'a> {
    pub fn new(encoding: &'a Encoding, budget: usize) -> Collector<'a> {
        let (clauses, seen) = (Vec::new(), FxHashSet::default());
        Collector { encoding, guards: Guards::default(), clauses, seen, left: budget }
    }

    /// A fair part of the budget among so many structures.
    pub fn share(&self, structures: usize) -> usize {
        self.left.div_ceil(structures.max(1))
    }

    /// Takes from `turns` (the drafts of each candidate) in turn, up to `share`.
    pub fn add(&mut self, structure: Structure, turns: Vec<Vec<Draft>>, share: usize) {
        let end = self.clauses.len() + share.min(self.left);
        let start = self.clauses.len();
        let most = turns.iter().map(Vec::len).max().unwrap_or(0);
        for turn in 0..most {
            for draft in turns.iter().filter_map(|drafts| drafts.get(turn)) {
                if self.clauses.len() < end {
                    self.take(structure, draft);
                }
            }
        }
        self.left -= self.clauses.len() - start;
    }

    fn take(&mut self, structure: Structure, draft: &Draft) {
        let pair = |i: u32| self.encoding.rf[i as usize];
        let pairs: Vec<(EventId, EventId)> = draft.rf.iter().flatten().map(|&i| pair(i)).collect();
        let two_sources = |i: usize| pairs[i + 1..].iter().any(|p| p.1 == pairs[i].1);
        if (0..pairs.len()).any(two_sources) {
            return;
        }
        let key = self.key(draft, &pairs);
        if !self.seen.contains(&key) && !self.void(draft, &pairs) {
            self.seen.insert(key);
            self.clauses.push((key, structure));
        }
    }

    fn key(&mut self, draft: &Draft, pairs: &[(EventId, EventId)]) -> ClauseKey {
        let mut key = [NONE; 5];
        let mut next = 0;
        let mut push = |literal: u64| {
            if !key.contains(&literal) {
                key[next] = literal;
                next += 1;
            }
        };
        draft.rf.iter().flatten().for_each(|&i| push(u64::from(i)));
        for &write in draft.writes.iter().flatten() {
            let guard = self.encoding.events[write.index()].guard;
            let mut events = pairs.iter().flat_map(|&(w, r)| [w, r]);
            let pool = &self.encoding.pool;
            let mut implied = |e: EventId| {
                let given = self.encoding.events[e.index()].guard;
                self.guards.entails(pool, given, guard)
            };
            if !events.any(&mut implied) {
                push(GUARD | guard.index() as u64);
            }
        }
        key.sort_unstable();
        key
    }

    /// Do two of its events in one thread exclude each other? Others hardly ever do.
    fn void(&mut self, draft: &Draft, pairs: &[(EventId, EventId)]) -> bool {
        let events = pairs.iter().flat_map(|&(w, r)| [w, r]);
        let events = events.chain(draft.writes.iter().flatten().copied());
        let about = |e: EventId| -> (ThreadId, Term) {
            let event = &self.encoding.events[e.index()];
            (self.encoding.nodes[event.node.index()].thread, event.guard)
        };
        let all: Vec<(ThreadId, Term)> = events.map(about).collect();
        let pool = &self.encoding.pool;
        all.iter().enumerate().any(|(i, a)| {
            let same_thread = all[i + 1..].iter().filter(|b| a.0 == b.0);
            same_thread.into_iter().any(|b| self.guards.excludes(pool, a.1, b.1))
        })
    }

    /// The clauses that no other one subsumes.
    pub fn finish(self) -> ConflictCount {
        let kept = self.clauses.iter().filter(|(key, _)| !self.subsumed(key));
        let mut clauses: Vec<Clause> = kept.map(|(key, s)| self.clause(key, *s)).collect();
        clauses.sort_by_key(Clause::len);
        let count = |s: Structure| clauses.iter().filter(|c| c.structure == s).count();
        let by_structure = Structure::ALL.into_iter().map(|s| (s, count(s))).collect();
        ConflictCount { clauses, by_structure }
    }

    fn clause(&self, key: &ClauseKey, structure: Structure) -> Clause {
        let literals = key.iter().filter(|&&literal| literal != NONE);
        let (rf, guards): (Vec<u64>, Vec<u64>) = literals.partition(|&&literal| literal < GUARD);
        Clause {
            structure,
            rf: rf.into_iter().map(|i| i as u32).collect(),
            guards: guards.into_iter().map(|g| Term::new((g & !GUARD) as usize)).collect(),
        }
    }

    /// Is a proper part of it a clause?
    fn subsumed(&self, key: &ClauseKey) -> bool {
        let length = key.iter().filter(|&&literal| literal != NONE).count();
        (1..(1u32 << length) - 1).any(|part| {
            let mut chosen = *key;
            (0..length).filter(|i| part >> i & 1 == 0).for_each(|i| chosen[i] = NONE);
            chosen.sort_unstable();
            self.seen.contains(&chosen)
        })
    }
}
