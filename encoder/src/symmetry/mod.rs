//! Symmetry: of threads that cannot be told apart, one order is enough.
//!
//! Threads that one parent starts and that do the same (`symmetric.rs`), started and joined where
//! no thread looks (`places.rs`), are a *group*. Every execution has others like it in which they have
//! changed roles; we keep one of them by asking that the *marks* of the threads (`mark.rs`: a lock
//! that is taken, a compare-and-swap that succeeds) come in the order of the threads' numbers. `k`
//! threads under a lock then have one order instead of `k!`.
//!
//! Why this loses nothing. An execution is a value for each variable and a linearization of *all*
//! nodes, enabled or not, that respects program order, edges and the waits whose condition holds,
//! in which each enabled read sees the last enabled write (`testing::goals_reached` says it in code).
//!
//! 1. *Roles.* Let `s` be a permutation of a group. It moves the node at position `p` of `t` to
//!    position `p` of `s(t)`, its events likewise, and the variables of `t` to those of `s(t)`.
//!    `symmetric` checks that a thread's guards and values become those of the other, cell by cell, and
//!    likewise its goals, with their kinds; that its variables are in no other member; and that
//!    whatever else counts (guards and values of all other events, other goals, conditions of waits,
//!    facts) means the same before and after. So an execution stays one, and reaches a goal of each
//!    kind that it reached, once the edges between the group and the rest are kept.
//! 2. *Joins.* All members are joined by one thread, or none is; and between the first join and
//!    the last that thread has no events and nothing that others wait for, so these nodes can be
//!    moved down to the last join. Then all ends come before one node: the same for any roles.
//! 3. *Starts.* Members are numbered in the order in which the parent starts them. If it has no
//!    events from the first start to the last and waits for no other there, these nodes can be moved
//!    up to the first start: the same for any roles, so any marks will do. Else the mark is the first
//!    node with events (those before it can be moved down to it): when the `j`-th mark of a line
//!    comes, at least `j` members have been started, so the `j`-th has.
//! 4. *Marks.* So roles may be given by any rule that tells an order of the members from an
//!    execution. With a static mark it is the order of the marks in the linearization, and that
//!    gives edges. If all events that come after a mark in every linearization imply that it
//!    happens, then all nodes after marks that do not happen (no event of them is enabled) can be
//!    moved to the end of the linearization beforehand; so the marks that happen come first, and
//!    that gives facts. With a mark of several events that exclude each other, members in which one
//!    is enabled come first, in the order of those in the linearization: that gives waits and
//!    facts, and needs that any roles will do.
//!
//! What follows from an order of successes for the values that they hand on is in `chain.rs`.
//!
//! Groups are treated one after the other, and what was added for one is there when the next is
//! looked at. Edges, waits and facts only forbid executions, so a model is still an execution.
//! This holds for linearizations only (`ASSUMES`).
//!
//! Cost: one pass over the pool and the terms of the threads per group; `k r^2` waits for `r` events.

mod chain;
mod mark;
mod places;
mod symmetric;
#[cfg(test)]
mod tests;

use crate::{Encoding, EventId, NodeId, ThreadId};
use ir::memory_model::Guarantee;
use rustc_hash::FxHashMap;

/// The proof above is about linearizations.
pub const ASSUMES: &[Guarantee] = &[Guarantee::Linearization];

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SymmetryStats {
    pub groups: usize,
    /// In groups.
    pub threads: usize,
}

/// Orders interchangeable threads. Needs: no candidates yet. Keeps which kinds of goals are reached.
pub fn order_symmetric_threads(encoding: &mut Encoding) -> SymmetryStats {
    let mut stats = SymmetryStats::default();
    for siblings in siblings(encoding) {
        let index = NodeIndex::new(encoding);
        for threads in symmetric::classes(encoding, &index, siblings) {
            let index = NodeIndex::new(encoding);
            let Some(starts) = places::check(encoding, &index, &threads) else { continue };
            if !symmetric::interchangeable(encoding, &index, &threads) {
                continue;
            }
            if mark::order(encoding, &index, &threads, starts) {
                stats.groups += 1;
                stats.threads += threads.len();
            }
        }
    }
    stats
}

/// Threads of one function that one thread starts, in that order; two at least.
fn siblings(encoding: &Encoding) -> Vec<Vec<ThreadId>> {
    let index = NodeIndex::new(encoding);
    let mut by_start: FxHashMap<_, Vec<(u32, ThreadId)>> = FxHashMap::default();
    for (i, thread) in encoding.threads.iter().enumerate() {
        let Some(start) = thread.spawned_at else { continue };
        if thread.nodes.is_empty() || encoding.pool.is_false(thread.guard) {
            continue;
        }
        let parent = encoding.nodes[start.index()].thread;
        let list = by_start.entry((parent, thread.function)).or_default();
        list.push((index.position(start), ThreadId::new(i)));
    }
    let mut all: Vec<_> = by_start.into_iter().filter(|(_, list)| list.len() > 1).collect();
    all.sort_unstable_by_key(|&(key, _)| key);
    let sorted = all.into_iter().map(|(_, mut list)| {
        list.sort_unstable();
        list.into_iter().map(|(_, thread)| thread).collect()
    });
    sorted.collect()
}

/// Where nodes and events are.
struct NodeIndex {
    events: Vec<Vec<EventId>>, // of each node
    positions: Vec<u32>,       // of each node in its thread
}

impl NodeIndex {
    fn new(encoding: &Encoding) -> NodeIndex {
        let mut events = vec![Vec::new(); encoding.nodes.len()];
        for (i, event) in encoding.events.iter().enumerate() {
            events[event.node.index()].push(EventId::new(i));
        }
        let mut positions = vec![0; encoding.nodes.len()];
        for thread in &encoding.threads {
            for (position, node) in thread.nodes.iter().enumerate() {
                positions[node.index()] = position as u32;
            }
        }
        NodeIndex { events, positions }
    }

    fn events(&self, node: NodeId) -> &[EventId] {
        &self.events[node.index()]
    }

    fn position(&self, node: NodeId) -> u32 {
        self.positions[node.index()]
    }
}
