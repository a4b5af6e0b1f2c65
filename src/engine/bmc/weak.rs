//! A violation under weak sequential consistency: an execution graph, shown and not replayed.
//!
//! There may be no schedule for it, so there is no order of steps to tell: each thread's told are
//! listed in program order, and each read says where its value comes from.

use super::follow::{Value, violates};
use crate::contract::{TraceEvent, TraceStep, Violation};
use encoder::{Encoding, Event, EventId, Goal, GoalKind, Kind, Node, NodeKind, ThreadId};
use interp::Tid;
use rustc_hash::FxHashMap;

/// `chosen`: the indices of `Encoding::rf` that hold.
pub fn show(encoding: &Encoding, chosen: &[usize], goal: &Goal, value: Value<'_>) -> Violation {
    let sources: FxHashMap<EventId, EventId> =
        chosen.iter().map(|&i| encoding.rf[i]).map(|(write, read)| (read, write)).collect();
    let mut order: Vec<usize> = (0..encoding.events.len()).collect();
    let place = |i: &usize| {
        let event = &encoding.events[*i];
        (encoding.nodes[event.node.index()].thread, event.node, event.kind == Kind::Write)
    };
    order.sort_by_key(place);
    let mut trace = Vec::new();
    let mut step = |thread: ThreadId, span, told| {
        let (thread, function, at) = (Tid(thread.0 + 1), String::new(), trace.len());
        trace.push(TraceStep { thread, span, function, event: told, at });
    };
    for i in order {
        let event = &encoding.events[i];
        let node = &encoding.nodes[event.node.index()];
        if node.kind != NodeKind::Init && value(event.guard) == 1 {
            let source = sources.get(&EventId::new(i)).map(|w| &encoding.events[w.index()]);
            step(node.thread, event.span, told(encoding, event, source, value));
        }
    }
    let what = match &goal.kind {
        GoalKind::Error(_, what) => what.clone(),
        _ => "the property is violated".into(),
    };
    step(goal.thread, goal.span, TraceEvent::Wrong(what.clone()));
    let message = format!("{what}, in a weakly consistent execution that may have no schedule");
    Violation { kind: violates(goal).name(), message, span: goal.span, trace, run: None }
}

fn told(
    encoding: &Encoding,
    event: &Event,
    source: Option<&Event>,
    value: Value<'_>,
) -> TraceEvent {
    let place = encoding.cells[event.cell.index()].name.clone();
    let bits = value(event.value);
    match event.kind {
        Kind::Write => TraceEvent::Write { place, value: bits.to_string(), access: None },
        Kind::Read => {
            let from = source.map(|w| (&encoding.nodes[w.node.index()], w));
            let value = format!("{bits}{}", from.map_or(String::new(), origin));
            TraceEvent::Read { place, value, access: None, from: None }
        }
    }
}

fn origin((node, write): (&Node, &Event)) -> String {
    match node.kind {
        NodeKind::Init => ", its initial value".into(),
        _ => format!(", from thread {} at line {}", node.thread.0 + 1, write.span.line),
    }
}
