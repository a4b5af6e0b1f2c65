//! A path of the search, walked once more from the start and told.

use super::super::walk::{Act, MachineKind, MachineRules, MachineViolation, Stepped};
use super::machine::{BufferEntry, BufferRules, Machine};
use crate::contract::Violation;
use crate::contract::confirm::Tape;
use interp::{StepResult, Tid, Trace, TraceEvent, TraceStep};
use ir::Span;

/// Needs: `found` by a search with the same rules.
pub fn confirm(rules: BufferRules<'_>, found: &MachineViolation) -> Result<Violation, String> {
    let interp = rules.interp;
    let mut machine = Machine::new(interp.initial());
    let mut trace = Trace::new(interp);
    let mut steps: Vec<TraceStep> = Vec::new();
    let mut last = StepResult::Ran;
    for (at, step) in found.moves.iter().enumerate() {
        match step.act {
            Act::Flush(thread, entry) => {
                steps.append(&mut trace.steps);
                steps.extend(visible(rules, &machine, thread, entry, at));
                rules.flush(&mut machine, thread, entry);
            }
            Act::Step(thread) => {
                trace.begin_step();
                let mut tape = Tape { answers: &step.answers, used: 0 };
                let mut events = Default::default();
                let told = trace.steps.len();
                match rules.step(&mut machine, thread, &mut tape, &mut events, &mut trace) {
                    Stepped::Result(result) => last = result,
                    Stepped::MustEmpty => return Err(format!("step {at} does not replay")),
                }
                trace.steps[told..].iter_mut().for_each(|step| step.at = at);
            }
        }
    }
    steps.append(&mut trace.steps);
    trace.steps = steps;
    let mut trace = trace.finished();
    for step in &mut trace {
        // The last store that was done need not be the one that is seen.
        if let TraceEvent::Read { from, .. } = &mut step.event {
            *from = None;
        }
    }
    let at = found.moves.len();
    let (kind, message, thread, span) = match (&found.what, &last) {
        (MachineKind::Violation(wanted), StepResult::Violation(v)) if wanted == v => {
            (v.kind.name(), v.what.clone(), v.thread, v.span)
        }
        (MachineKind::Deadlock, _) if interp.deadlocked(&machine.state) => {
            let first = machine.state.running().next().unwrap_or(Tid::FIRST);
            let span = interp.user_place(&machine.state, first).1;
            ("no-deadlock", "every thread that is left waits for ever".into(), first, span)
        }
        _ => return Err("a path with store buffers replays differently".into()),
    };
    let (function, place) = interp.user_place(&machine.state, thread);
    let span = if place == Span::NONE { span } else { place };
    let event = TraceEvent::Wrong(message.clone());
    trace.push(TraceStep { thread, span, function, event, at });
    Ok(Violation { kind, message, span, other: None, trace, run: None, weak: None })
}

/// What is told where a store leaves its buffer.
fn visible(
    rules: BufferRules<'_>,
    machine: &Machine,
    thread: Tid,
    entry: usize,
    at: usize,
) -> Option<TraceStep> {
    let BufferEntry::Store { object, offset, bits, .. } = *machine.buffer(thread).get(entry)?
    else {
        return None;
    };
    let place = rules.interp.location(&machine.state, object, offset);
    let value = format!("{bits} is now visible to all");
    let event = TraceEvent::Write { place, value, access: None };
    Some(TraceStep { thread, span: Span::NONE, function: String::new(), event, at })
}
