//! Reads of a cell that others only add to.
//!
//! A *first* write stands before all others of its cell. An *update* reads the cell and
//! writes what it has read plus something else, and no other write comes between its read and its
//! write: both are in one node, or a lock is held (`locks.rs`) that all other updates hold, too, or
//! the static order keeps the others apart. If all writes of a cell are of these two kinds, then the
//! enabled updates add up, in whatever order they happen: a read that comes after some of them and
//! before the others in every execution sees the first value plus what those before it have added.
//! That is a term, and the read is forwarded.
//!
//! Why: go along a linearization of nodes. What an enabled update has read was left by the last
//! enabled write before its read, which is the last one before its write as well. So each enabled
//! update changes the contents of the cell by what it adds, and nothing else does after the first
//! writes. What is added may be any term, over what was read elsewhere, say. Words wrap, and so do
//! sums.
//!
//! Without this a solver tries the orders of the updates one after the other: `n` of them have `n!`.
//!
//! Cost: once per cell and iteration, `u^2` comparisons for `u` updates, at most `MOST` of them.

#[cfg(test)]
mod tests;

use super::forward::mentions;
use super::locks::Locks;
use super::{PruneState, Rule, variable};
use crate::term::{BitOp, Op, Pool, Term};
use crate::{CellId, EventId, EventKind};
use rustc_hash::FxHashMap;

/// Updates of a cell that are looked at.
const MOST: usize = 400;
/// Reads before a write that may be what it adds to.
const REACH: usize = 4;
/// How deep in a value the read is looked for.
const DEPTH: u32 = 8;

/// What is known of cells in this iteration.
#[derive(Default)]
pub(super) struct Sums {
    of: FxHashMap<CellId, Option<CellSum>>,
    locks: Locks,
}

/// The writes of a cell.
#[derive(Clone)]
struct CellSum {
    first: Vec<EventId>, // in their order
    updates: Vec<Update>,
}

#[derive(Clone, Copy)]
pub(super) struct Update {
    pub read: EventId,
    pub write: EventId,
    pub added: Term,
}

impl PruneState<'_> {
    /// What `read` sees, if it is a sum.
    pub(super) fn sum(&mut self, read: EventId, sums: &mut Sums) -> Option<Term> {
        if !self.options.has(Rule::Sum) || !self.filtered[read.index()].is_empty() {
            return None;
        }
        let cell = self.encoding.events[read.index()].cell;
        if !sums.of.contains_key(&cell) {
            let sum = self.updates(cell, &mut sums.locks);
            sums.of.insert(cell, sum);
        }
        let CellSum { first, updates } = sums.of.get(&cell)?.clone()?;
        let mut value = self.first_value(read, &first)?;
        for update in updates {
            if self.before(update.write, read) {
                value = self.plus(read, value, update);
            } else if !self.comes_first(read, update.write) {
                return None;
            }
        }
        Some(value)
    }

    /// The read comes before the write, perhaps in one node.
    fn comes_first(&self, read: EventId, write: EventId) -> bool {
        self.node(read) == self.node(write) || self.before(read, write)
    }

    fn first_value(&mut self, read: EventId, first: &[EventId]) -> Option<Term> {
        if !first.iter().all(|&w| self.before(w, read)) {
            return None;
        }
        let (&start, rest) = first.split_first()?;
        let mut value = self.value(start);
        for &write in rest {
            let (guard, new) = (self.guard(write), self.value(write));
            value = self.encoding.pool.ite(guard, new, value);
        }
        Some(value)
    }

    fn plus(&mut self, read: EventId, value: Term, update: Update) -> Term {
        let guard = self.guard(update.write);
        let certain = self.entails(self.guard(read), guard);
        let pool = &mut self.encoding.pool;
        let added = if certain {
            update.added
        } else {
            let nothing = pool.bits(0, pool.width(value));
            pool.ite(guard, update.added, nothing)
        };
        pool.add(value, added)
    }

    /// The writes of a cell, if each is a first one or an update.
    fn updates(&mut self, cell: CellId, locks: &mut Locks) -> Option<CellSum> {
        let writes: Vec<EventId> = self.writes[cell.index()].all().collect();
        if writes.len() > MOST {
            return None;
        }
        let reads = self.reads_of(cell);
        let (mut first, mut updates) = (Vec::new(), Vec::new());
        for write in writes {
            match self.update(write, &reads) {
                Some(update) => updates.push(update),
                None => first.push(write),
            }
        }
        first.sort_by_key(|&w| self.order.place(self.node(w)));
        let in_line = first.windows(2).all(|pair| self.before(pair[0], pair[1]));
        let certain = first.first().is_some_and(|&w| self.encoding.pool.is_true(self.guard(w)));
        let early = |u: &Update| first.iter().all(|&w| self.before(w, u.read));
        if updates.is_empty() || !in_line || !certain || !updates.iter().all(early) {
            return None;
        }
        self.apart(&updates, locks).then_some(CellSum { first, updates })
    }

    fn reads_of(&self, cell: CellId) -> Vec<EventId> {
        let of_cell = |e: &EventId| self.encoding.events[e.index()].cell == cell;
        self.reads().into_iter().filter(of_cell).collect()
    }

    /// The write as an update of one of these reads.
    fn update(&mut self, write: EventId, reads: &[EventId]) -> Option<Update> {
        let thread = self.encoding.nodes[self.node(write).index()].thread;
        let own = |r: &EventId| {
            self.encoding.nodes[self.node(*r).index()].thread == thread
                && self.comes_first(*r, write)
        };
        let mut near: Vec<EventId> = reads.iter().copied().filter(own).collect();
        near.sort_by_key(|&r| self.order.place(self.node(r)));
        near.into_iter().rev().take(REACH).find_map(|read| {
            let pool = &mut self.encoding.pool;
            let (value, base) = (
                self.encoding.events[write.index()].value,
                self.encoding.events[read.index()].value,
            );
            let added = difference(pool, value, base, DEPTH)?;
            let var = variable(pool, base)?;
            let independent = !mentions(pool, added, var);
            let happens = self.entails(self.guard(write), self.guard(read));
            (independent && happens).then_some(Update { read, write, added })
        })
    }

    /// Does no update write between the read and the write of another?
    fn apart(&mut self, updates: &[Update], locks: &mut Locks) -> bool {
        let single = |u: &Update| self.node(u.read) == self.node(u.write);
        if updates.iter().all(single) {
            return true;
        }
        let alone: Vec<bool> = updates.iter().map(single).collect();
        let held: Vec<Vec<CellId>> = updates.iter().map(|&u| locks.held(self, u)).collect();
        (0..updates.len()).all(|i| {
            (0..i).all(|j| {
                let (a, b) = (updates[i], updates[j]);
                (alone[i] && alone[j])
                    || held[i].iter().any(|lock| held[j].contains(lock)) && !self.same_thread(a, b)
                    || self.before(a.write, b.read)
                    || self.before(b.write, a.read)
                    || self.exclusive(a.write, b.write)
            })
        })
    }

    fn same_thread(&self, a: Update, b: Update) -> bool {
        let thread = |e: EventId| self.encoding.nodes[self.node(e).index()].thread;
        thread(a.write) == thread(b.write)
    }

    /// Events of one kind and cell in a node.
    pub(super) fn event_in(
        &self,
        node: crate::NodeId,
        cell: CellId,
        kind: EventKind,
    ) -> Option<EventId> {
        let here = |e: &EventId| {
            let event = &self.encoding.events[e.index()];
            self.alive(*e) && event.node == node && event.cell == cell && event.kind == kind
        };
        (0..self.alive.len()).map(EventId::new).find(here)
    }
}

/// `d` such that `value = base + d`, if that can be seen.
fn difference(pool: &mut Pool, value: Term, base: Term, depth: u32) -> Option<Term> {
    if value == base {
        return Some(pool.bits(0, pool.width(base)));
    }
    let depth = depth.checked_sub(1)?;
    match pool.op(value) {
        Op::Binary(BitOp::Add, a, b) => match difference(pool, a, base, depth) {
            Some(d) => Some(pool.add(d, b)),
            None => difference(pool, b, base, depth).map(|d| pool.add(a, d)),
        },
        Op::Binary(BitOp::Sub, a, b) => difference(pool, a, base, depth).map(|d| pool.sub(d, b)),
        Op::Ite(c, a, b) => {
            let (a, b) = (difference(pool, a, base, depth)?, difference(pool, b, base, depth)?);
            Some(pool.ite(c, a, b))
        }
        _ => None,
    }
}
