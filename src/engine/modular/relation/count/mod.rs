//! How many threads have done something.
//!
//! Each of `n` threads does `active--` once, so `active` never wraps: no thread sees that by itself,
//! since what the others have done so far is a number. Proofs get cells that no program has, *ghosts*,
//! and candidates (`guess.rs`) relate the program's cells to them. There are four kinds.
//!
//! - A *flag*, one for each thread of a template, and its *sum* over all of them. Some stores to a cell
//!   set the flag, others clear it (`find.rs`), and with it the sum changes: whatever the order and
//!   the loops, the sum is that of the flags. It changes only together with the cell, so it has the
//!   cell's guards.
//! - The *passes* of the first thread through an instruction: a start, or a store to a cell. They never
//!   go down, and only the first thread changes them: it always knows them.
//! - The *total* of a template: all threads of it that the execution starts.
//!
//! Only templates are counted whose threads are started by one instruction of the first thread, and by
//! no other template's. So a template has no more threads than its start has passes. What is relied on:
//!
//! 1. A sum is at most the total, and less if this thread's own flag is clear; it is at least one if
//!    this thread's own flag is set. It is at most the passes of the start, as the first thread knows
//!    them. Passes that are never fewer than those of the start (checked at every pass of either) can
//!    stand for the total.
//! 2. Candidates about totals and *fixed* cells, which no thread writes once one was started. The
//!    check is at every start by the first thread, with the passes instead of the totals.
//! 3. Where only the first thread runs, all threads of the template have ended: if each ends with
//!    its flag set (clear), the sum is the number of starts (zero).
//!
//! Numbers are 64 bits wide, so all this is said only of templates whose starts do not go beyond
//! `MANY`, which is a candidate about passes like others.
//!
//! Why 2 is right, although the total is known at the end only: let the total be the number of starts
//! so far. Then all that is assumed holds, and checks hold by induction over the steps, up to the next
//! start. At this start the first thread has checked that the candidate holds for one thread more.
//! Take the total to be that, and go through the execution from its beginning: again all that is
//! assumed holds, the fixed cells being what they were, so all checks hold for this total, too.
//!
//! (Counting abstractions: German and Sistla, Reasoning about systems with many processes, 1992;
//! prophecies: Abadi and Lamport, 1991.)

mod find;
mod guess;

pub use find::start_of;
pub use guess::{at_head, equations, few, guesses};

use super::candidate::Candidate;
use super::ghost::{FlagCount, Ghost};
use super::guards::{CellId, LockId};
use super::houdini::{CandidatePlace, Mark};
use super::state::RelationalState;
use super::walk::RelationalWalk;
use crate::engine::modular::value::TemplateId;
use encoder::Term;
use ir::types::Scalar;
use std::rc::Rc;

/// How ghosts are computed with.
pub const WIDE: Scalar = Scalar::Int { bits: 64, signed: true };
const WIDTH: u8 = 64;
/// No count goes further.
pub const MANY: u64 = 1 << 62;

impl RelationalWalk<'_> {
    /// What a ghost is when a thread starts, if that is known.
    pub fn ghost_at_start(&self, ghost: Ghost) -> Option<u64> {
        let main = self.template == TemplateId::MAIN;
        let known = match ghost {
            Ghost::Flag(tally) => self.view.guards.counts.tallies[tally].template == self.template,
            Ghost::Sum(_) | Ghost::Passes(_) => main,
            Ghost::Total(_) | Ghost::Word(_) | Ghost::Held(_) => false,
        };
        known.then_some(0)
    }

    /// Does this thread always know the cell, since no other thread changes it?
    pub fn always_knows(&self, cell: CellId) -> bool {
        self.template == TemplateId::MAIN && self.view.guards.passes_of(cell).is_some()
    }

    /// A store is done.
    pub fn count_store(&mut self, state: &mut RelationalState) {
        let one = self.pool.bits(1, WIDTH);
        let zero = self.pool.bits(0, WIDTH);
        for tally in &self.view.guards.counts.tallies {
            let (sum, flag) = (state.cells[tally.sum.0], state.cells[tally.flag.0]);
            let new = match () {
                () if tally.sets.contains(&self.site) => one,
                () if tally.clears.contains(&self.site) => zero,
                () => continue,
            };
            let others = self.pool.sub(sum, flag);
            state.cells[tally.sum.0] = self.pool.add(others, new);
            state.cells[tally.flag.0] = new;
        }
        self.pass(state);
    }

    /// The first thread starts another one.
    pub fn count_start(&mut self, state: &mut RelationalState) {
        self.pass(state);
        if self.template != TemplateId::MAIN || self.view.guards.counts.is_empty() {
            return;
        }
        let mut so_far = state.clone();
        for counted in self.view.guards.counts.counted.values() {
            so_far.cells[counted.total.0] = state.cells[counted.started.0];
        }
        let always = self.pool.bool(true);
        self.check_invariant(&so_far, CandidatePlace::Totals, always);
        for counted in self.view.guards.counts.counted.values() {
            let few = self.is_few(counted.started);
            let (started, total) = (state.cells[counted.started.0], state.cells[counted.total.0]);
            let below = self.pool.ule(started, total);
            self.assume_if(state, few, below);
        }
        self.assume_invariant(state, CandidatePlace::Totals, always);
    }

    fn pass(&mut self, state: &mut RelationalState) {
        let counts = &self.view.guards.counts;
        let Some(cell) = counts.passes.get(&self.site) else { return };
        let one = self.pool.bits(1, WIDTH);
        state.cells[cell.0] = self.pool.add(state.cells[cell.0], one);
        let always = self.pool.bool(true);
        self.check_invariant(state, CandidatePlace::Passes, always);
    }

    /// What is true of sums that are new; of all, or of those that the lock guards.
    pub fn assume_sums(&mut self, state: &mut RelationalState, lock: Option<LockId>, when: Term) {
        let guards = self.view.guards;
        for tally in &guards.counts.tallies {
            let of = &guards.cells[tally.sum.0];
            if lock.is_none_or(|lock| of.is_guarded_by(lock)) {
                self.assume_sum(state, tally, lock, when);
            }
        }
    }

    fn assume_sum(
        &mut self,
        state: &mut RelationalState,
        tally: &FlagCount,
        lock: Option<LockId>,
        when: Term,
    ) {
        let Some(counted) = self.view.guards.counts.counted.get(&tally.template) else { return };
        let few = self.is_few(counted.started);
        let when = self.pool.and(when, few);
        let always = self.pool.bool(true);
        let mut bounds = vec![(counted.total, always)];
        if self.template == TemplateId::MAIN {
            bounds.push((counted.started, always));
        }
        bounds.extend(self.bounds(state, counted.started, lock));
        let (sum, flag) = (state.cells[tally.sum.0], state.cells[tally.flag.0]);
        let mine = self.template == tally.template;
        if mine {
            let set = self.pool.truth(flag);
            let one = self.pool.bits(1, WIDTH);
            let counted = self.pool.ule(one, sum);
            let fact = self.pool.implies_term(set, counted);
            self.assume_if(state, when, fact);
        }
        for (bound, holds) in bounds {
            let bound = state.cells[bound.0];
            let below = self.pool.ule(sum, bound);
            let strictly = self.pool.ult(sum, bound);
            let set = self.pool.truth(flag);
            let fact = if mine { self.pool.ite(set, below, strictly) } else { below };
            let when = self.pool.and(when, holds);
            self.assume_if(state, when, fact);
        }
    }

    /// Passes that are never fewer than these, and when that is so. They must be those of this moment,
    /// and not what this thread has seen of them earlier: the lock that was taken just now guards them,
    /// or they are stable.
    fn bounds(
        &mut self,
        state: &RelationalState,
        started: CellId,
        lock: Option<LockId>,
    ) -> Vec<(CellId, Term)> {
        let mut found = Vec::new();
        for cell in self.view.guards.counts.passes.values().filter(|c| **c != started) {
            let few = self.is_few(*cell);
            let below = self.mark_of(&guess::at_most(started, *cell));
            let of = &self.view.guards.cells[cell.0];
            let new = lock.is_some_and(|lock| of.is_guarded_by(lock)) || self.always_knows(*cell);
            let current = if new { self.pool.bool(true) } else { self.is_stable(state, *cell) };
            let both = self.pool.and(few, below);
            found.push((*cell, self.pool.and(both, current)));
        }
        found
    }

    /// Where no other thread runs: all threads of all templates have ended.
    pub fn assume_ended(&mut self, state: &mut RelationalState) {
        let zero = self.pool.bits(0, WIDTH);
        for tally in &self.view.guards.counts.tallies {
            let Some(counted) = self.view.guards.counts.counted.get(&tally.template) else {
                continue;
            };
            let few = self.is_few(counted.started);
            let ends = [
                (guess::is_set(tally.flag), state.cells[counted.started.0]),
                (guess::is_clear(tally.flag), zero),
            ];
            for (candidate, all) in ends {
                let mark = self.mark_at(CandidatePlace::End(tally.template), &candidate);
                let same = self.pool.eq(state.cells[tally.sum.0], all);
                let when = self.pool.and(few, mark);
                self.assume_if(state, when, same);
            }
        }
    }

    /// The passes do not go beyond what is counted.
    fn is_few(&mut self, passes: CellId) -> Term {
        self.mark_of(&guess::few(passes))
    }

    fn mark_of(&mut self, about_passes: &Candidate) -> Term {
        self.mark_at(CandidatePlace::Passes, about_passes)
    }

    /// Is the candidate relied on there?
    fn mark_at(&mut self, place: CandidatePlace, wanted: &Candidate) -> Term {
        let marks = self.marks.at(self.pool, self.view.guards, place);
        let is_it = |(_, candidate): &&(Mark, Rc<Candidate>)| **candidate == *wanted;
        match marks.iter().find(is_it) {
            Some((mark, _)) => mark.term,
            None => self.pool.bool(false),
        }
    }

    fn assume_if(&mut self, state: &mut RelationalState, when: Term, fact: Term) {
        let fact = self.pool.implies_term(when, fact);
        state.assume(self.pool, fact);
    }
}
