//! Atomic blocks with several locations: they happen one after the other.
//!
//! Each is one read-modify-write of a hidden location, so there is an order of all of them. The user's blocks
//! hold a lock: that update acquires and releases, as does that of the system's futexes. Those of the library
//! synchronise by their own accesses only (a thread that fails to lock a mutex learns nothing of what its
//! owner did before), so their update is relaxed, and the order is said of the accesses: of two blocks the first one's write of a location comes before the second
//! one's, and who reads does not miss the one and does not see the other. A block whose one location others
//! share with such a block is in the order, too.
//!
//! Cost: for two blocks and each location that they share, a fact for each candidate of its reads.

use super::Builder;
use super::guesses::Candidate;
use super::target::{self, SourceAccess};
use encoder::order::StaticOrder;
use encoder::{Encoding, EventId, EventKind, NodeId, NodeKind, Term};
use relational::EventOwner;
use rustc_hash::{FxHashMap, FxHashSet};

/// A block and its update of the hidden location.
#[derive(Clone, Copy, Debug)]
pub(super) struct Locked {
    node: NodeId,
    read: usize,
    write: usize,
}

impl Builder<'_> {
    /// What the block's update orders by itself.
    fn lock_order(&self, node: NodeId) -> ir::MemoryOrder {
        let mut events = self.by_node.get(&node).into_iter().flatten();
        let system = Some(self.encoding.nodes[node.index()].span.file) == self.encoding.weak.system;
        let locks = system || events.any(|e| self.encoding.weak.in_user_block.contains(e));
        if locks { ir::MemoryOrder::AcqRel } else { ir::MemoryOrder::Relaxed }
    }

    /// The read that begins a block.
    pub(super) fn lock(
        &mut self,
        place: EventOwner,
        node: NodeId,
        events: &[EventId],
    ) -> (usize, Term) {
        let guards = events.iter().map(|e| self.encoding.events[e.index()].guard);
        let guards: Vec<Term> = guards.chain([self.encoding.nodes[node.index()].guard]).collect();
        let guard = self.encoding.pool.or_all(guards);
        (self.half(place, node, guard, false), guard)
    }

    /// The write that ends it.
    pub(super) fn unlock(&mut self, place: EventOwner, node: NodeId, read: usize, guard: Term) {
        let write = self.half(place, node, guard, true);
        self.read_modify_write(read, write);
        self.locked.push(Locked { node, read, write });
    }

    fn half(&mut self, place: EventOwner, node: NodeId, guard: Term, write: bool) -> usize {
        let order = self.lock_order(node);
        let access = SourceAccess { write, order, rmw: Some(order) };
        let compiled = target::access(self.model.target, access);
        let location = self.hidden(2 * self.encoding.threads.len());
        self.compiled(place, guard, location, compiled)
    }

    /// The initial write of the hidden location, and who may come behind whom.
    pub(super) fn lock_starts_free(&mut self) {
        if self.locked.is_empty() {
            return;
        }
        let always = self.encoding.pool.bool(true);
        let location = self.hidden(2 * self.encoding.threads.len());
        let initial =
            self.push(EventOwner::Initial, always, Some(location), vec!["M", "W", "IW", "NA"]);
        let locked = self.locked.clone();
        for &Locked { read, write: own, .. } in &locked {
            let writes = locked.iter().map(|block| block.write).filter(|&write| write != own);
            let writes: Vec<usize> = writes.chain([initial]).collect();
            let list = writes.into_iter().map(|write| self.candidate(write, read)).collect();
            self.exactly_one(read, list);
        }
    }

    /// What the order of blocks says about their accesses.
    pub(super) fn serialise(&mut self, candidates: &[Candidate]) {
        let locked = self.locked.clone();
        if locked.is_empty() {
            return;
        }
        let mut sources: FxHashMap<usize, Vec<&Candidate>> = FxHashMap::default();
        candidates.iter().for_each(|c| sources.entry(c.read).or_default().push(c));
        for first in &locked {
            for second in locked.iter().filter(|second| second.write != first.write) {
                if self.coherent && self.universe.same_thread(first.write, second.write) {
                    continue;
                }
                if let Some(order) = self.comes_before(first.write, second.write) {
                    self.in_order(order, first.node, second.node, &sources);
                }
            }
        }
    }

    /// If the order holds, the second block finds what the first one has left.
    fn in_order(
        &mut self,
        order: Term,
        first: NodeId,
        second: NodeId,
        sources: &FxHashMap<usize, Vec<&Candidate>>,
    ) {
        for (x, y) in self.conflicts(first, second) {
            let [a, b] = [x, y].map(|e| self.place[e.index()]);
            let [from, to] = [x, y].map(|e| self.encoding.events[e.index()].kind);
            let guards = [self.guards[a], self.guards[b]];
            match (from, to) {
                (EventKind::Write, EventKind::Write) => {
                    if let Some(wrong) = self.comes_before(b, a) {
                        self.exclude(&[order, guards[0], guards[1], wrong]);
                    }
                }
                (EventKind::Write, EventKind::Read) => {
                    for source in sources.get(&b).into_iter().flatten() {
                        if let Some(missed) = self.comes_before(source.write, a) {
                            self.exclude(&[order, guards[0], source.chosen, missed]);
                        }
                    }
                }
                (EventKind::Read, _) => {
                    for source in sources.get(&a).into_iter().flatten() {
                        let late = match source.write == b {
                            true => Some(self.encoding.pool.bool(true)),
                            false => self.comes_before(b, source.write),
                        };
                        if let Some(late) = late {
                            self.exclude(&[order, guards[1], source.chosen, late]);
                        }
                    }
                }
            }
        }
    }

    /// Accesses of the two blocks to the same location, one of them a write.
    fn conflicts(&self, first: NodeId, second: NodeId) -> Vec<(EventId, EventId)> {
        let of = |node| self.by_node.get(&node).into_iter().flatten().copied();
        let event = |e: EventId| &self.encoding.events[e.index()];
        let conflict = |x: EventId, y: EventId| {
            let writes = event(x).kind == EventKind::Write || event(y).kind == EventKind::Write;
            event(x).cell == event(y).cell && writes && !self.lives.contains(&event(x).cell)
        };
        let placed = |e: &EventId| self.place[e.index()] != usize::MAX && !self.initial.contains(e);
        of(first)
            .filter(placed)
            .flat_map(|x| of(second).filter(placed).map(move |y| (x, y)))
            .filter(|&(x, y)| conflict(x, y))
            .collect()
    }
}

/// Atomic blocks with several locations or of the user, and those that share a location with one. What others
/// change or read only before or behind a block is no location of it: the lock would order more than the block's
/// own accesses do.
pub(super) fn entangled(
    encoding: &Encoding,
    by_node: &FxHashMap<NodeId, Vec<EventId>>,
) -> FxHashSet<NodeId> {
    let user: FxHashSet<NodeId> =
        encoding.weak.in_user_block.iter().map(|e| encoding.events[e.index()].node).collect();
    let order = StaticOrder::new(encoding);
    let mut users: FxHashMap<encoder::CellId, FxHashMap<NodeId, bool>> = FxHashMap::default();
    for event in &encoding.events {
        let writes = users.entry(event.cell).or_default().entry(event.node).or_default();
        *writes |= event.kind == EventKind::Write;
    }
    let meets = |cell: encoder::CellId, node: NodeId| {
        let users = &users[&cell];
        users.iter().any(|(&other, writes)| {
            let ordered = order.reaches(other, node) || order.before(node, other);
            (*writes || users[&node]) && !ordered
        })
    };
    let cells = |node: &NodeId| -> FxHashSet<encoder::CellId> {
        let events = by_node.get(node).into_iter().flatten();
        let cells = events.map(|e| encoding.events[e.index()].cell);
        let lives = &encoding.weak.lives;
        cells.filter(|cell| !lives.contains(cell) && meets(*cell, *node)).collect()
    };
    let is_block = |n: &&NodeId| encoding.nodes[n.index()].kind == NodeKind::Atomic;
    let blocks: Vec<NodeId> = by_node.keys().filter(is_block).copied().collect();
    let several = |n: &&NodeId| user.contains(n) || cells(n).len() > 1;
    let shared: FxHashSet<encoder::CellId> =
        blocks.iter().filter(several).flat_map(cells).collect();
    blocks.into_iter().filter(|n| user.contains(n) || !cells(n).is_disjoint(&shared)).collect()
}
