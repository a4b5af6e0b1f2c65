//! Where a thread meets others: locks, starts of threads, and moments when no other thread runs.
//!
//! `shared` says that other threads may run. While it holds, a thread knows a guarded cell from the
//! moment at which it takes one of the cell's locks until it has none of them: then no other thread can
//! write it. When it takes a lock, the cells of the lock are new and the lock's invariant holds; when
//! it gives back a lock that it holds for writing, the invariant must hold. A step, if steps are
//! exclusions, is a lock that every access and every atomic block takes. The first thread is alone
//! until it starts another one, and again where all others have been joined.

use super::candidate::{Candidate, Known};
use super::guards::{CellId, Culprit, GuardKind, LockId};
use super::houdini::{CandidatePlace, Wrong};
use super::state::{FREE, HELD_BITS, READ, RelationalState, WRITE};
use super::walk::RelationalWalk;
use crate::engine::modular::log::Touch;
use crate::engine::modular::sync::{Call, LockMode, Sync};
use crate::engine::modular::value::TemplateId;
use encoder::Term;
use ir::types::Scalar;

impl RelationalWalk<'_> {
    /// Is the cell what the state says it is?
    pub fn is_stable(&mut self, state: &RelationalState, cell: CellId) -> Term {
        let GuardKind::Guarded(locks) = &self.view.guards.cells[cell.0].kind else {
            return self.pool.bool(true);
        };
        let alone = self.pool.not(state.shared);
        let held = self.is_any_held(state, locks.iter());
        self.pool.or(alone, held)
    }

    fn is_any_held<'l>(
        &mut self,
        state: &RelationalState,
        locks: impl Iterator<Item = &'l LockId>,
    ) -> Term {
        let none = self.pool.bool(false);
        locks.fold(none, |any, lock| {
            let held = state.is_held(self.pool, lock.0);
            self.pool.or(any, held)
        })
    }

    /// While others run, every writer holds all locks of the cell.
    pub fn check_write(&mut self, state: &RelationalState, cell: CellId) {
        let of = &self.view.guards.cells[cell.0];
        let none = self.pool.bool(false);
        let unguarded = match &of.kind {
            GuardKind::Own => none,
            GuardKind::Frozen | GuardKind::Fixed | GuardKind::Rigid => self.pool.bool(true),
            GuardKind::Guarded(locks) => locks.iter().fold(none, |any, lock| {
                let writing = state.has_mode(self.pool, lock.0, WRITE);
                let not = self.pool.not(writing);
                self.pool.or(any, not)
            }),
        };
        let bad = self.pool.and(state.shared, unguarded);
        let bad = self.pool.and(state.guard, bad);
        if let Some(culprit) = of.culprit() {
            self.check(bad, Wrong::Guard(culprit));
        }
    }

    /// No thread writes to a lock that it holds.
    pub fn check_untaken(&mut self, state: &RelationalState, lock: LockId) {
        let held = state.is_held(self.pool, lock.0);
        self.check_lock(state, lock, held);
    }

    fn check_lock(&mut self, state: &RelationalState, lock: LockId, bad: Term) {
        let bad = self.pool.and(state.guard, bad);
        self.check(bad, Wrong::Guard(Culprit::Exclusion(self.view.guards.exclusions[lock.0])));
    }

    /// Who is joined must have left its locks free.
    pub fn thread_ends(&mut self, state: &RelationalState) {
        for lock in self.view.guards.ids() {
            self.check_untaken(state, lock);
        }
        let always = self.pool.bool(true);
        self.check_invariant(state, CandidatePlace::End(self.template), always);
    }

    /// A new thread: frozen cells are what they were when somebody started it.
    pub fn frozen_at_start(&mut self, state: &mut RelationalState) {
        let always = self.pool.bool(true);
        self.assume_invariant(state, CandidatePlace::Frozen, always);
        self.assume_invariant(state, CandidatePlace::Totals, always);
    }

    /// What a function that locks does; gives its result if that is known.
    pub fn sync(&mut self, state: &mut RelationalState, sync: Sync) -> Option<Term> {
        let lock = self.view.guards.lock(sync.lock)?;
        let zero = self.pool.bits(0, 32);
        let always = self.pool.bool(true);
        let mode = match sync.call {
            Call::Lock(mode) | Call::Try(mode) => mode,
            _ => LockMode::Write,
        };
        match sync.call {
            Call::Lock(_) | Call::SemWait => {
                self.acquire(state, lock, mode, always);
                Some(zero)
            }
            Call::Try(_) | Call::SemTry => {
                let result = self.any(Scalar::I32);
                let taken = self.pool.eq(result, zero);
                self.acquire(state, lock, mode, taken);
                Some(result)
            }
            Call::Unlock | Call::SemPost => {
                self.release(state, lock);
                Some(zero)
            }
            Call::Wait => {
                let writing = state.has_mode(self.pool, lock.0, WRITE);
                let bad = self.pool.not(writing);
                self.check_lock(state, lock, bad);
                self.release(state, lock);
                self.acquire(state, lock, LockMode::Write, always);
                None
            }
            Call::Record | Call::Detach | Call::BeginDetached => None,
        }
    }

    fn acquire(&mut self, state: &mut RelationalState, lock: LockId, mode: LockMode, when: Term) {
        let again = state.is_held(self.pool, lock.0);
        let again = self.pool.and(when, again);
        self.check_lock(state, lock, again);
        let enters = self.pool.and(when, state.shared);
        for (cell, of) in self.view.guards.cells() {
            let GuardKind::Guarded(locks) = &of.kind else { continue };
            if locks.contains(&lock) && !self.always_knows(cell) {
                let known = self.is_any_held(state, locks.iter().filter(|l| **l != lock));
                let unknown = self.pool.not(known);
                let new = self.pool.and(enters, unknown);
                state.havoc_cell(self.pool, cell.0, new);
            }
        }
        self.assume_invariant(state, CandidatePlace::Lock(lock), enters);
        self.assume_sums(state, Some(lock), enters);
        let mode = self.pool.bits(if mode == LockMode::Write { WRITE } else { READ }, HELD_BITS);
        state.held[lock.0] = self.pool.ite(when, mode, state.held[lock.0]);
    }

    fn release(&mut self, state: &mut RelationalState, lock: LockId) {
        let free = state.has_mode(self.pool, lock.0, FREE);
        self.check_lock(state, lock, free);
        let writing = state.has_mode(self.pool, lock.0, WRITE);
        let leaves = self.pool.and(state.shared, writing);
        self.check_invariant(state, CandidatePlace::Lock(lock), leaves);
        state.held[lock.0] = self.pool.bits(FREE, HELD_BITS);
    }

    /// An atomic block begins, or one access outside of any: no other thread makes a step until it ends.
    pub fn begin_step(&mut self, state: &mut RelationalState) {
        state.depth += 1;
        if let (1, Some(step)) = (state.depth, self.view.guards.step()) {
            let always = self.pool.bool(true);
            self.acquire(state, step, LockMode::Write, always);
        }
    }

    /// A step in which nothing was written ends: what held still holds.
    pub fn end_look(&mut self, state: &mut RelationalState) {
        if let (1, Some(step)) = (state.depth, self.view.guards.step()) {
            state.held[step.0] = self.pool.bits(FREE, HELD_BITS);
        }
        state.depth = state.depth.saturating_sub(1);
    }

    pub fn end_step(&mut self, state: &mut RelationalState) {
        if let (1, Some(step)) = (state.depth, self.view.guards.step()) {
            self.release(state, step);
        }
        state.depth = state.depth.saturating_sub(1);
    }

    /// The new thread, and those after it, rely on all invariants but those of locks that this thread
    /// holds for writing.
    pub fn spawn(&mut self, state: &mut RelationalState) {
        self.count_start(state);
        let alone = self.pool.not(state.shared);
        for lock in self.view.guards.ids() {
            let writing = state.has_mode(self.pool, lock.0, WRITE);
            let open = self.pool.not(writing);
            let when = self.pool.and(alone, open);
            self.check_invariant(state, CandidatePlace::Lock(lock), when);
        }
        self.check_invariant(state, CandidatePlace::Frozen, alone);
        state.shared = self.pool.bool(true);
    }

    /// Where no other thread runs any more, locks that this thread does not hold are free: all others have
    /// ended without them.
    pub fn quiet(&mut self, state: &mut RelationalState, touches: &[Touch]) {
        let quiet = !touches.is_empty() && touches.iter().all(|t| t.quiet);
        if self.template != TemplateId::MAIN || !quiet {
            return;
        }
        for (cell, of) in self.view.guards.cells() {
            if of.is_guarded() && !self.always_knows(cell) {
                let stable = self.is_stable(state, cell);
                let new = self.pool.not(stable);
                state.havoc_cell(self.pool, cell.0, new);
            }
        }
        for lock in self.view.guards.ids() {
            let free = state.has_mode(self.pool, lock.0, FREE);
            let when = self.pool.and(state.shared, free);
            self.assume_invariant(state, CandidatePlace::Lock(lock), when);
        }
        let always = self.pool.bool(true);
        self.assume_sums(state, None, always);
        self.assume_ended(state);
        state.shared = self.pool.bool(false);
    }

    pub fn assume_invariant(
        &mut self,
        state: &mut RelationalState,
        place: CandidatePlace,
        when: Term,
    ) {
        for (mark, candidate) in self.marks.at(self.pool, self.view.guards, place) {
            let holds = self.holds(state, &candidate);
            let both = self.pool.and(mark.term, when);
            let fact = self.pool.implies_term(both, holds);
            state.assume(self.pool, fact);
        }
    }

    pub fn check_invariant(&mut self, state: &RelationalState, place: CandidatePlace, when: Term) {
        for (mark, candidate) in self.marks.at(self.pool, self.view.guards, place) {
            let holds = self.holds(state, &candidate);
            let fails = self.pool.not(holds);
            let bad = self.pool.and(when, fails);
            let bad = self.pool.and(state.guard, bad);
            self.check(bad, Wrong::Candidate(mark.id));
        }
    }

    fn holds(&mut self, state: &RelationalState, candidate: &Candidate) -> Term {
        let machine = self.view.interference.flat.program.machine;
        let known = Known { cells: &state.cells, regs: &state.regs };
        candidate.term(self.pool, machine, known)
    }
}
