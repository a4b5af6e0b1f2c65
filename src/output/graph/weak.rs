//! An execution without a schedule as a picture: who reads from whom, in which order writes reach memory, and
//! which read misses which write, as the memory model was asked about it.
//!
//! The trace of such an execution tells accesses thread by thread; here they keep their places in it. An edge may go
//! upwards then: a read that stands below a write of its location and goes up to it has not seen it.

use super::model::{EdgeKind, EventGraph, GraphEdge};
use crate::contract::{TraceStep, WeakAccess, WeakExecution};
use crate::report::order_name;
use cat::Relation;
use ir::MemoryOrder;
use rustc_hash::FxHashMap;

impl EventGraph {
    /// Needs: `entry` as for `of_trace`; the execution of the trace.
    pub fn of_weak(trace: &[TraceStep], entry: &str, weak: &WeakExecution) -> EventGraph {
        let mut graph = EventGraph::of_trace(trace, entry);
        // Each step of such a trace is an event of its own.
        if graph.events.len() != trace.len() {
            return graph;
        }
        for (event, step) in graph.events.iter().zip(trace) {
            let lane = &mut graph.lanes[event.lane];
            if lane.function.is_empty() {
                lane.function.clone_from(&step.function);
            }
        }
        let told = |e: usize| weak.events[e].step.filter(|&step| step < trace.len());
        for event in &weak.events {
            if let (Some(access), Some(step)) = (&event.access, event.step) {
                if step < trace.len() {
                    describe(&mut graph, step, access);
                }
            }
        }
        let found = edges(weak).into_iter();
        let found =
            found.filter_map(|(kind, a, b)| Some(GraphEdge { kind, from: told(a)?, to: told(b)? }));
        graph.edges.extend(found);
        graph
    }
}

/// Where the value comes from is an edge, not words.
fn describe(graph: &mut EventGraph, step: usize, access: &WeakAccess) {
    let event = &mut graph.events[step];
    event.label = format!("{} = {}", access.name, access.value);
    event.value = Some(access.value.clone());
    event.order = (access.order != MemoryOrder::Plain).then(|| order_name(access.order));
}

/// Reads-from, the next write in coherence, and from a read to the write that follows what it saw.
fn edges(weak: &WeakExecution) -> Vec<(EdgeKind, usize, usize)> {
    let empty = Relation::empty(weak.events.len());
    let [rf, co] = ["rf", "co"].map(|name| weak.graph.relations.get(name).unwrap_or(&empty));
    let between =
        |a: usize, b: usize| (0..weak.events.len()).any(|c| co.contains(a, c) && co.contains(c, b));
    let next: FxHashMap<usize, usize> = co.pairs().filter(|&(a, b)| !between(a, b)).collect();
    let mut found: Vec<(EdgeKind, usize, usize)> =
        next.iter().map(|(&a, &b)| (EdgeKind::Ws, a, b)).collect();
    for (write, read) in rf.pairs() {
        found.push((EdgeKind::Rf, write, read));
        // The write of a read-modify-write overwrites what its read saw: that goes without saying.
        let overwritten = next.get(&write).filter(|&&w| !is_update(weak, read, w));
        found.extend(overwritten.map(|&w| (EdgeKind::Fr, read, w)));
    }
    found.sort_unstable();
    found
}

fn is_update(weak: &WeakExecution, read: usize, write: usize) -> bool {
    let relations = ["amo", "lxsx"].map(|name| weak.graph.relations.get(name));
    relations.into_iter().flatten().any(|r| r.contains(read, write))
}
