//! What is known on the ways to one point, as terms.
//!
//! `guard` says which inputs lead here. Two states are merged by their guards, which exclude each
//! other: the ways are those of one thread through a graph without cycles.

use analysis::live::LiveSet;
use encoder::{Pool, Sort, Term};
use ir::Reg;
use std::collections::BTreeMap;

/// How a thread holds a lock, as bits.
pub const FREE: u64 = 0;
pub const READ: u64 = 1;
pub const WRITE: u64 = 2;
pub const HELD_BITS: u8 = 2;

#[derive(Clone, Debug)]
pub struct RelationalState {
    pub guard: Term,
    pub regs: BTreeMap<Reg, Term>,
    /// Guarded and frozen cells, as far as this thread may know them (`RelationalWalk::is_stable`).
    pub cells: Vec<Term>,
    /// How each lock is held by this thread.
    pub held: Vec<Term>,
    /// Other threads may run.
    pub shared: Term,
    /// Atomic blocks around this point: the same on all paths (the interval analysis has seen to it).
    pub depth: u32,
}

impl RelationalState {
    pub fn is_dead(&self, pool: &Pool) -> bool {
        pool.is_false(self.guard)
    }

    pub fn assume(&mut self, pool: &mut Pool, fact: Term) {
        self.guard = pool.and(self.guard, fact);
    }

    /// This one or, where its guard holds, the other one. A register that has no value on one of the
    /// ways may hold anything there.
    pub fn merged(self, pool: &mut Pool, other: RelationalState, live: LiveSet) -> RelationalState {
        let here = other.guard;
        let mut regs = BTreeMap::new();
        for reg in live.iter() {
            let (a, b) = (self.regs.get(reg), other.regs.get(reg));
            let Some(sort) = a.or(b).map(|t| pool.sort(*t)) else { continue };
            let [a, b] = [a, b].map(|t| t.copied().unwrap_or_else(|| pool.fresh(sort)));
            regs.insert(*reg, pool.ite(here, b, a));
        }
        let mut both = |a: Vec<Term>, b: Vec<Term>| -> Vec<Term> {
            a.into_iter().zip(b).map(|(a, b)| pool.ite(here, b, a)).collect()
        };
        let cells = both(self.cells, other.cells);
        let held = both(self.held, other.held);
        RelationalState {
            guard: pool.or(self.guard, here),
            regs,
            cells,
            held,
            shared: pool.ite(here, other.shared, self.shared),
            depth: self.depth,
        }
    }

    pub fn has_mode(&self, pool: &mut Pool, lock: usize, mode: u64) -> Term {
        let mode = pool.bits(mode, HELD_BITS);
        pool.eq(self.held[lock], mode)
    }

    pub fn is_held(&self, pool: &mut Pool, lock: usize) -> Term {
        let free = self.has_mode(pool, lock, FREE);
        pool.not(free)
    }

    pub fn havoc_cell(&mut self, pool: &mut Pool, cell: usize, when: Term) {
        let any = pool.fresh(Sort::Bits(pool.width(self.cells[cell])));
        self.cells[cell] = pool.ite(when, any, self.cells[cell]);
    }
}
