//! A violation under weak sequential consistency: an execution graph, shown and not replayed.
//!
//! There may be no schedule for it, so there is no order of steps to tell: each thread's deeds are
//! listed in program order, and each read says where its value comes from.

use super::follow::Value;
use crate::engine::{TraceStep, Violation};
use encoder::{Encoding, Event, EventId, Goal, GoalKind, Kind, Node, NodeKind};
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
    for i in order {
        let event = &encoding.events[i];
        let node = &encoding.nodes[event.node.index()];
        if node.kind != NodeKind::Init && value(event.guard) == 1 {
            let source = sources.get(&EventId::new(i)).map(|w| &encoding.events[w.index()]);
            let what = told(encoding, event, source, value);
            trace.push(TraceStep { thread: node.thread.0 + 1, span: event.span, what });
        }
    }
    let what = match &goal.kind {
        GoalKind::Error(what) => what.clone(),
        _ => "the property is violated".into(),
    };
    trace.push(TraceStep { thread: goal.thread.0 + 1, span: goal.span, what: what.clone() });
    let message = format!("{what}, in a weakly consistent execution that may have no schedule");
    Violation { kind: "unreach-call", message, span: goal.span, trace }
}

fn told(encoding: &Encoding, event: &Event, source: Option<&Event>, value: Value<'_>) -> String {
    let cell = &encoding.cells[event.cell.index()].name;
    let bits = value(event.value);
    match event.kind {
        Kind::Write => format!("{cell} = {bits}"),
        Kind::Read => {
            let from = source.map(|w| (&encoding.nodes[w.node.index()], w));
            format!("reads {cell} == {bits}{}", from.map_or(String::new(), origin))
        }
    }
}

fn origin((node, write): (&Node, &Event)) -> String {
    match node.kind {
        NodeKind::Init => ", its initial value".into(),
        _ => format!(", from thread {} at line {}", node.thread.0 + 1, write.span.line),
    }
}
