//! The steps of a trace for machines: the sentence, and all that it is made of.
//!
//! Only steps that people are told are there, so the numbers of reads-from are those of this list.

use super::diagnostic::Place;
use crate::contract::{TraceEvent, TraceStep};
use serde::Serialize;

#[derive(Serialize, Default, PartialEq, Debug)]
pub struct Step {
    thread: u32,
    /// The user function it happens in.
    function: String,
    place: Option<Place>,
    /// The step as a sentence.
    what: String,
    kind: &'static str,
    /// What is accessed, called or started.
    name: Option<String>,
    value: Option<String>,
    args: Option<Vec<String>>,
    /// The thread that is started or joined.
    child: Option<u32>,
    /// The step of the trace that wrote what is read; `null` for first values.
    read_from: Option<usize>,
    /// The memory order of an atomic access.
    order: Option<&'static str>,
    /// The step of the schedule that did it: steps with one number are indivisible.
    at: usize,
}

pub fn of(trace: &[TraceStep], files: &[String]) -> Vec<Step> {
    let mut told = 0;
    let numbers: Vec<Option<usize>> = trace
        .iter()
        .map(|step| {
            let number = step.event.is_told().then_some(told);
            told += usize::from(number.is_some());
            number
        })
        .collect();
    let told = trace.iter().filter(|step| step.event.is_told());
    told.map(|step| one(step, files, &numbers)).collect()
}

fn one(step: &TraceStep, files: &[String], numbers: &[Option<usize>]) -> Step {
    let mut row = Step {
        thread: step.thread.0,
        function: step.function.clone(),
        place: Place::of(step.span, files),
        what: step.event.to_string(),
        at: step.at,
        ..Step::default()
    };
    let text = |t: &String| Some(t.clone());
    match &step.event {
        TraceEvent::Read { place, value, from, .. } => {
            (row.kind, row.name, row.value) = ("read", text(place), text(value));
            row.read_from = from.and_then(|f| *numbers.get(f)?);
        }
        TraceEvent::Write { place, value, .. } => {
            (row.kind, row.name, row.value) = ("write", text(place), text(value));
        }
        TraceEvent::Assign { name, value } => {
            (row.kind, row.name, row.value) = ("assign", text(name), text(value));
        }
        TraceEvent::Call { name, args, .. } => {
            (row.kind, row.name, row.args) = ("call", text(name), Some(args.clone()));
        }
        TraceEvent::Return { name, value, .. } => {
            (row.kind, row.name, row.value) = ("return", text(name), value.clone());
        }
        TraceEvent::Start { child, name } => {
            (row.kind, row.name, row.child) = ("start", text(name), Some(child.0));
        }
        TraceEvent::Join { child } => (row.kind, row.child) = ("join", Some(child.0)),
        TraceEvent::End { value, .. } => (row.kind, row.value) = ("end", text(value)),
        TraceEvent::Input { name, value } => {
            (row.kind, row.name, row.value) = ("input", text(name), text(value));
        }
        TraceEvent::Free { name } => (row.kind, row.name) = ("free", text(name)),
        TraceEvent::Wrong(_) => row.kind = "wrong",
    }
    let atomic = step.event.access().filter(|access| access.atomic());
    row.order = atomic.map(|access| crate::report::order_name(access.effective_order()));
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::testing::span;
    use interp::Tid;

    #[test]
    fn read_from_counts_told_steps_only() {
        let step = |told| TraceStep {
            thread: Tid(1),
            span: span(3, 1),
            function: "f".into(),
            event: told,
            at: 7,
        };
        let value = || "0".to_string();
        let trace = [
            step(TraceEvent::Return { name: "lock".into(), value: None, library: true }),
            step(TraceEvent::Write { place: "x".into(), value: value(), access: None }),
            step(TraceEvent::Read {
                place: "x".into(),
                value: value(),
                access: None,
                from: Some(1),
            }),
        ];
        let steps = of(&trace, &["a.c".into()]);
        assert_eq!(steps.len(), 2);
        assert_eq!((steps[1].kind, steps[1].read_from, steps[1].at), ("read", Some(0), 7));
        assert_eq!(steps[0].name.as_deref(), Some("x"));
    }
}
