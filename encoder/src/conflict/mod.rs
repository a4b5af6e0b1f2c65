//! The conflict finder: candidates that cannot be chosen together, before the solver starts.
//!
//! A short cycle of program order, reads-from and what follows from them refutes a few literals, and
//! the theory would find it again and again. So we look for the short ones once and say them as
//! clauses. With `<` for the static order and `w` for writes, `r` for reads:
//!
//! - **overwrite**: `rf(w, r)` and an enabled `w'` with `w < w' < r`;
//! - **rmw**: two atomic updates that are enabled and read from the same write;
//! - **rf-rf**: `rf(w, r)`, `r < w'`, `rf(w', r')`, `r' < w`;
//! - **ws**: `rf(w, r)`, `w < w'`, and `w'` before `r` through another rf;
//! - **fr**: `rf(w, r)`, `w` before `w'` through another rf, and `w'` before `r`, directly or through a
//!   third rf (the latter for cells with few accesses only).
//!
//! A path through an rf from `a` to `b` is a candidate whose write is not before `a` and whose read is
//! not after `b`: in clocks, from a position on and up to a position. `paths.rs` keeps candidates
//! such that these are listed without looking at the others.
//!
//! Each candidate gets its turn: first the first clause of each, then the second, and so on; the
//! structures share the budget; at the end short clauses go before long ones, and what a shorter one
//! says is dropped (`collect.rs`).
//!
//! Invariant: a clause is true in every linearization of nodes, whatever the values are.
//! Cost: bounded per candidate (`REACH`, `TURNS`, `PATHS`). (The rules behind the cycles: He, Sun, Fan:
//! PLDI 2021.)
//!
//! - `which.rs`: which structures are looked for: `on`, `off`, or a list of names

mod collect;
mod paths;
#[cfg(test)]
mod tests;
mod which;

use crate::order::{Lanes, StaticOrder};
use crate::reads_from::lanes;
use crate::{Encoding, EventId, EventKind, NodeId, Term};
use collect::Collector;
use paths::ConflictPaths;
use rustc_hash::FxHashMap;
pub use which::{Structure, Which};

/// Writes per thread that are tried as the third one.
const REACH: usize = 8;
/// Clauses per candidate and structure, at most.
const TURNS: usize = 16;
/// As many updates are paired with one update; they pay best.
const UPDATES: usize = 64;
/// Paths per third write.
const PATHS: usize = 4;
/// Accesses of a cell up to which two paths are combined.
const FEW: usize = 30;

/// Not all of these: candidates (as indices of `Encoding::rf`) and guards.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Clause {
    pub structure: Structure,
    pub rf: Vec<u32>,
    pub guards: Vec<Term>,
}

impl Clause {
    pub fn len(&self) -> usize {
        self.rf.len() + self.guards.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConflictCount {
    /// Short ones first.
    pub clauses: Vec<Clause>,
    /// How many of each, in the order of `Structure::ALL`.
    pub by_structure: Vec<(Structure, usize)>,
}

/// How many clauses are a good measure for so many candidates.
pub fn usual_budget(candidates: usize) -> usize {
    (4 * candidates).max(1000)
}

/// Needs: `order` is that of `encoding`.
pub fn find(
    encoding: &Encoding,
    order: &StaticOrder,
    which: &Which,
    budget: usize,
) -> ConflictCount {
    let mut finder = ConflictFinder::new(encoding, order);
    let mut collector = Collector::new(encoding, budget);
    let chosen: Vec<Structure> = Structure::ALL.into_iter().filter(|&s| which.has(s)).collect();
    for (i, &structure) in chosen.iter().enumerate() {
        let share = collector.share(chosen.len() - i);
        // Some of them are found twice, or say nothing.
        let most = if structure == Structure::Rmw { UPDATES } else { TURNS };
        finder.turns = (3 * share / encoding.rf.len().max(1)).clamp(2, most);
        let turns = (0..encoding.rf.len()).map(|pair| finder.clauses(structure, pair)).collect();
        collector.add(structure, turns, share);
    }
    collector.finish()
}

/// A clause in the making: candidates, and writes whose guards belong to it.
#[derive(Clone, Copy)]
struct Draft {
    rf: [Option<u32>; 3],
    writes: [Option<EventId>; 2],
}

impl Draft {
    fn new(rf: &[u32], writes: &[EventId]) -> Draft {
        let at = |i: usize| rf.get(i).copied();
        Draft {
            rf: [at(0), at(1), at(2)],
            writes: [writes.first().copied(), writes.get(1).copied()],
        }
    }
}

struct ConflictFinder<'a> {
    encoding: &'a Encoding,
    order: &'a StaticOrder,
    paths: ConflictPaths,
    turns: usize,                  // clauses per candidate and structure
    writes: Vec<Lanes>,            // of each cell
    accesses: Vec<usize>,          // of each cell, how many
    updates: Vec<Option<EventId>>, // of each read, the write of its cell in its node
    readers: Vec<Vec<u32>>,        // of each write, its candidates
}

impl<'a> ConflictFinder<'a> {
    fn new(encoding: &'a Encoding, order: &'a StaticOrder) -> ConflictFinder<'a> {
        let mut accesses = vec![0; encoding.cells.len()];
        let mut writers = FxHashMap::default();
        for (i, event) in encoding.events.iter().enumerate() {
            accesses[event.cell.index()] += 1;
            if event.kind == EventKind::Write {
                writers.insert((event.node, event.cell), EventId::new(i));
            }
        }
        let update = |e: &crate::Event| match e.kind {
            EventKind::Read => writers.get(&(e.node, e.cell)).copied(),
            EventKind::Write => None,
        };
        let mut readers = vec![Vec::new(); encoding.events.len()];
        for (i, (write, _)) in encoding.rf.iter().enumerate() {
            readers[write.index()].push(i as u32);
        }
        ConflictFinder {
            paths: ConflictPaths::new(encoding, order),
            turns: TURNS,
            writes: lanes(encoding, order, EventKind::Write),
            accesses,
            updates: encoding.events.iter().map(update).collect(),
            readers,
            encoding,
            order,
        }
    }

    fn node(&self, e: EventId) -> NodeId {
        self.encoding.events[e.index()].node
    }

    fn cell(&self, e: EventId) -> usize {
        self.encoding.events[e.index()].cell.index()
    }

    /// The conflicts of one kind that a candidate is part of, best first.
    fn clauses(&self, structure: Structure, pair: usize) -> Vec<Draft> {
        let mut drafts = Vec::new();
        match structure {
            Structure::Overwrite => self.overwrite(pair, &mut drafts),
            Structure::Rmw => self.rmw(pair, &mut drafts),
            Structure::RfRf => self.rf_rf(pair, &mut drafts),
            Structure::Ws => self.ws(pair, &mut drafts),
            Structure::Fr => self.fr(pair, &mut drafts),
        }
        drafts
    }

    fn overwrite(&self, pair: usize, drafts: &mut Vec<Draft>) {
        let (write, read) = self.encoding.rf[pair];
        for thread in 0..self.order.threads() {
            let from = self.order.first_after(self.node(write), thread);
            let to = self.order.count_before(self.node(read), thread);
            let between = self.writes[self.cell(write)].between(thread, from, to);
            for &(_, other) in between.iter().rev().take(self.turns) {
                drafts.push(Draft::new(&[pair as u32], &[other]));
            }
        }
    }

    fn rmw(&self, pair: usize, drafts: &mut Vec<Draft>) {
        let (write, read) = self.encoding.rf[pair];
        let Some(update) = self.updates[read.index()] else { return };
        let readers = &self.readers[write.index()];
        let after = readers.partition_point(|&other| other as usize <= pair);
        for &other in &readers[after..] {
            if let Some(second) = self.updates[self.encoding.rf[other as usize].1.index()] {
                drafts.push(Draft::new(&[pair as u32, other], &[update, second]));
                if drafts.len() >= self.turns {
                    return;
                }
            }
        }
    }

    fn rf_rf(&self, pair: usize, drafts: &mut Vec<Draft>) {
        let (write, read) = self.encoding.rf[pair];
        for other in self.paths.between(self.order, self.node(read), self.node(write), self.turns) {
            if other as usize != pair {
                drafts.push(Draft::new(&[pair as u32, other], &[]));
            }
        }
    }

    fn ws(&self, pair: usize, drafts: &mut Vec<Draft>) {
        let (write, read) = self.encoding.rf[pair];
        for thread in 0..self.order.threads() {
            let from = self.order.first_after(self.node(write), thread);
            // What comes before the read is `overwrite`'s, what comes after it no conflict.
            let from = from.max(self.order.count_to(self.node(read), thread));
            let to = self.order.first_from(self.node(read), thread);
            let others = self.writes[self.cell(write)].between(thread, from, to);
            for &(_, other) in others.iter().take(REACH) {
                self.through_rf(pair, other, self.node(other), self.node(read), drafts);
            }
        }
    }

    fn fr(&self, pair: usize, drafts: &mut Vec<Draft>) {
        let (write, read) = self.encoding.rf[pair];
        for thread in 0..self.order.threads() {
            let from = self.order.count_to(self.node(write), thread);
            let to = self.order.first_after(self.node(write), thread);
            let to = to.min(self.order.count_before(self.node(read), thread));
            let others = self.writes[self.cell(write)].between(thread, from, to);
            for &(_, other) in others.iter().rev().take(REACH) {
                self.through_rf(pair, other, self.node(write), self.node(other), drafts);
            }
        }
        if self.accesses[self.cell(write)] < FEW {
            self.through_two(pair, drafts);
        }
    }

    /// `pair` conflicts with `other` when a candidate leads from `from` to `to`.
    fn through_rf(
        &self,
        pair: usize,
        other: EventId,
        from: NodeId,
        to: NodeId,
        drafts: &mut Vec<Draft>,
    ) {
        if drafts.len() < self.turns {
            for path in self.paths.between(self.order, from, to, PATHS) {
                drafts.push(Draft::new(&[pair as u32, path], &[other]));
            }
        }
    }

    /// Neither side is static: a candidate leads to the third write, and another one on to the read.
    fn through_two(&self, pair: usize, drafts: &mut Vec<Draft>) {
        let (write, read) = self.encoding.rf[pair];
        let (start, end) = (self.node(write), self.node(read));
        let unordered = |other: NodeId, node: NodeId| {
            other != node && !self.order.before(other, node) && !self.order.before(node, other)
        };
        for other in self.writes[self.cell(write)].all() {
            let node = self.node(other);
            if drafts.len() >= self.turns || !unordered(node, start) || !unordered(node, end) {
                continue;
            }
            let onward = self.paths.between(self.order, node, end, PATHS);
            if onward.is_empty() {
                continue;
            }
            for first in self.paths.between(self.order, start, node, PATHS) {
                for &second in &onward {
                    drafts.push(Draft::new(&[pair as u32, first, second], &[other]));
                }
            }
        }
    }
}
