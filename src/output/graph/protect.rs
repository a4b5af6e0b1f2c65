//! What keeps the accesses of different threads to a variable apart.
//!
//! For every two accesses of which one writes: does starting and joining threads order them, do both
//! threads hold a common lock, are both atomic? The answers are about the execution at hand, and for
//! orders by start and join about every execution that makes these accesses.

use super::model::{EdgeKind, EventGraph, EventKind, GraphEvent};
use std::collections::BTreeSet;

/// Pairs looked at per variable: a picture of more is not read anyway.
const MAX_PAIRS: usize = 500_000;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum By {
    Lock(usize),
    Atomic,
    Threads,
    Nothing,
}

pub fn describe(graph: &mut EventGraph) {
    let clocks = clocks(graph);
    for v in 0..graph.variables.len() {
        if graph.variables[v].shared {
            let found = protection(graph, &clocks, v);
            let partly = found.len() > 1;
            graph.variables[v].protection =
                found.into_iter().map(|by| words(graph, by, partly)).collect();
        }
    }
}

fn protection(graph: &EventGraph, clocks: &[Vec<usize>], variable: usize) -> BTreeSet<By> {
    let accesses: Vec<usize> =
        (0..graph.events.len()).filter(|&i| graph.events[i].variable == Some(variable)).collect();
    let pairs = accesses
        .iter()
        .enumerate()
        .flat_map(|(n, &b)| accesses[..n].iter().map(move |&a| (a, b)))
        .take(MAX_PAIRS);
    let conflicts = pairs.filter(|&(a, b)| conflict(&graph.events[a], &graph.events[b]));
    conflicts.map(|(a, b)| between(graph, clocks, a, b)).collect()
}

fn conflict(a: &GraphEvent, b: &GraphEvent) -> bool {
    a.lane != b.lane && (a.kind == EventKind::Write || b.kind == EventKind::Write)
}

fn between(graph: &EventGraph, clocks: &[Vec<usize>], a: usize, b: usize) -> By {
    let (first, second) = (&graph.events[a], &graph.events[b]);
    if clocks[b][first.lane] > a {
        return By::Threads;
    }
    match first.held.iter().find(|l| second.held.contains(l)) {
        Some(&lock) => By::Lock(lock),
        None if first.order.is_some() && second.order.is_some() => By::Atomic,
        None => By::Nothing,
    }
}

fn words(graph: &EventGraph, by: By, partly: bool) -> String {
    match by {
        By::Nothing if partly => "partly nothing".into(),
        By::Nothing => "nothing".into(),
        By::Lock(lock) => format!("lock {}", graph.locks[lock]),
        By::Atomic => "atomic accesses".into(),
        By::Threads => "start and join".into(),
    }
}

/// Per event and lane: all events of that lane below this number come before it, by program order,
/// start and join alone.
fn clocks(graph: &EventGraph) -> Vec<Vec<usize>> {
    let lanes = graph.lanes.len();
    let mut clocks = vec![vec![0; lanes]; graph.events.len()];
    for edge in &graph.edges {
        if let EdgeKind::Po | EdgeKind::Create | EdgeKind::Join = edge.kind {
            let mut from = clocks[edge.from].clone();
            from[graph.events[edge.from].lane] = edge.from + 1;
            let to = &mut clocks[edge.to];
            to.iter_mut().zip(from).for_each(|(to, from)| *to = (*to).max(from));
        }
    }
    clocks
}
