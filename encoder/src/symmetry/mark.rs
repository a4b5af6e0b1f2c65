//! What the members of a group are ordered by.
//!
//! The best mark is where the order of the threads is decided: the first exchange (a node that
//! reads and writes one cell: a lock, a compare-and-swap). If later tries exclude it, as in a loop
//! around a compare-and-swap, the one that succeeds is the mark.

use super::places::Starts;
use super::{NodeIndex, chain};
use crate::guards::Guards;
use crate::order::StaticOrder;
use crate::term::Term;
use crate::{CellId, Encoding, EventId, EventKind, NodeId, ThreadId};

/// Tries of one exchange that are looked at.
const TRIES: usize = 64;

/// In every member the same.
#[derive(Debug)]
enum MemberMark {
    /// The node at this position.
    At(usize),
    /// Whichever is enabled of some writes that exclude each other: position, number in its node.
    Among(Vec<(usize, usize)>),
}

/// Orders the members. False if there is nothing to order them by.
pub fn order(
    encoding: &mut Encoding,
    index: &NodeIndex,
    threads: &[ThreadId],
    starts: Starts,
) -> bool {
    match choose(encoding, index, threads[0], starts) {
        Some(MemberMark::At(position)) => order_nodes(encoding, index, threads, position),
        Some(MemberMark::Among(writes)) => order_successes(encoding, index, threads, &writes),
        None => return false,
    }
    true
}

fn choose(
    encoding: &Encoding,
    index: &NodeIndex,
    thread: ThreadId,
    starts: Starts,
) -> Option<MemberMark> {
    let nodes = &encoding.threads[thread.index()].nodes;
    let first = nodes.iter().position(|&n| !index.events(n).is_empty())?;
    if starts == Starts::Apart {
        return Some(MemberMark::At(first));
    }
    let tries = tries(encoding, index, nodes);
    let event = |&(p, i): &(usize, usize)| &encoding.events[index.events(nodes[p])[i].index()];
    let Some(begin) = tries.first() else {
        let writes = |n: NodeId| index.events(n).iter().any(|&e| is(encoding, e, EventKind::Write));
        return Some(MemberMark::At(nodes.iter().position(|&n| writes(n)).unwrap_or(first)));
    };
    let certain = event(begin).guard == encoding.nodes[nodes[begin.0].index()].guard;
    Some(if tries.len() == 1 && certain {
        MemberMark::At(begin.0)
    } else {
        MemberMark::Among(tries)
    })
}

/// The first exchange of a cell and those of the same cell that exclude it and each other.
fn tries(encoding: &Encoding, index: &NodeIndex, nodes: &[NodeId]) -> Vec<(usize, usize)> {
    let mut guards = Guards::default();
    let mut cell: Option<CellId> = None;
    let (mut tries, mut enabled): (Vec<(usize, usize)>, Vec<Term>) = (Vec::new(), Vec::new());
    for (position, &node) in nodes.iter().enumerate() {
        for (i, &e) in index.events(node).iter().enumerate() {
            let event = &encoding.events[e.index()];
            if !is_exchange(encoding, index, e) || cell.is_some_and(|c| c != event.cell) {
                continue;
            }
            let apart = |&g: &Term| guards.excludes(&encoding.pool, g, event.guard);
            if tries.len() == TRIES || !enabled.iter().all(apart) {
                return tries;
            }
            cell = Some(event.cell);
            tries.push((position, i));
            enabled.push(event.guard);
        }
    }
    tries
}

fn is(encoding: &Encoding, e: EventId, kind: EventKind) -> bool {
    encoding.events[e.index()].kind == kind
}

/// A write whose node reads the cell, too.
fn is_exchange(encoding: &Encoding, index: &NodeIndex, e: EventId) -> bool {
    let event = &encoding.events[e.index()];
    let reads = |&r: &EventId| {
        is(encoding, r, EventKind::Read) && encoding.events[r.index()].cell == event.cell
    };
    event.kind == EventKind::Write && index.events(event.node).iter().any(reads)
}

/// By the node at one position: edges, and facts if what comes after it says that it happens.
fn order_nodes(encoding: &mut Encoding, index: &NodeIndex, threads: &[ThreadId], position: usize) {
    let marks: Vec<NodeId> =
        threads.iter().map(|t| encoding.threads[t.index()].nodes[position]).collect();
    if decisive(encoding, index, &marks) {
        let guards: Vec<Term> = marks.iter().map(|n| encoding.nodes[n.index()].guard).collect();
        in_turn(encoding, &guards);
    }
    encoding.edges.extend(marks.windows(2).map(|pair| (pair[0], pair[1])));
}

/// Nothing that comes after a mark happens without it.
fn decisive(encoding: &Encoding, index: &NodeIndex, marks: &[NodeId]) -> bool {
    let order = StaticOrder::new(encoding);
    let mut guards = Guards::default();
    let mut implied = |mark: NodeId| {
        let guard = encoding.nodes[mark.index()].guard;
        let after = |n: NodeId| order.reaches(mark, n);
        encoding.waits.iter().all(|&(_, from, _)| !after(from))
            && (0..encoding.nodes.len()).map(NodeId::new).filter(|&n| after(n)).all(|n| {
                let mut events = index.events(n).iter().map(|e| encoding.events[e.index()].guard);
                events.all(|g| guards.entails(&encoding.pool, g, guard))
            })
    };
    marks.iter().all(|&mark| implied(mark))
}

/// By the write that is enabled, if one is.
fn order_successes(
    encoding: &mut Encoding,
    index: &NodeIndex,
    threads: &[ThreadId],
    writes: &[(usize, usize)],
) {
    let of = |t: &ThreadId| -> Vec<EventId> {
        let nodes = &encoding.threads[t.index()].nodes;
        writes.iter().map(|&(position, i)| index.events(nodes[position])[i]).collect()
    };
    let marks: Vec<Vec<EventId>> = threads.iter().map(of).collect();
    let Encoding { pool, events, waits, .. } = &mut *encoding;
    for pair in marks.windows(2) {
        for from in pair[0].iter().map(|e| &events[e.index()]) {
            for to in pair[1].iter().map(|e| &events[e.index()]) {
                let both = pool.and(from.guard, to.guard);
                if !pool.is_false(both) {
                    waits.push((both, from.node, to.node));
                }
            }
        }
    }
    let guards = |m: &Vec<EventId>| m.iter().map(|e| events[e.index()].guard).collect::<Vec<_>>();
    let some: Vec<Term> = marks.iter().map(|m| pool.or_all(guards(m))).collect();
    in_turn(encoding, &some);
    chain::state_values(encoding, index, &marks);
}

/// Each of these holds only if the one before does.
fn in_turn(encoding: &mut Encoding, terms: &[Term]) {
    for pair in terms.windows(2) {
        let fact = encoding.pool.implies_term(pair[1], pair[0]);
        if !encoding.pool.is_true(fact) {
            encoding.facts.push(fact);
        }
    }
}
