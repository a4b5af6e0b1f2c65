//! From a model to an execution: the interpreter walks along.
//!
//! The model says in which order the nodes happen, which of them do, and what each input is. Here
//! every thread of the unrolled program is stepped to the place of its next node and over it, in
//! that order, with the model's values as answers. What a node does not touch is invisible, so steps
//! between nodes may happen at any time; they happen as late as possible.
//!
//! The path ends with the last node that the erring thread needs: one that happens, or the atomic
//! block in which it fails. From there that thread runs into the violation. Threads
//! are never stepped beyond their last node, and the process never ends.
//!
//! What comes out is a schedule with recorded answers, and `contract::confirm` has the last word
//! on it. What does not fit is an error of ours and is told with all that is known.
//!
//! - `walker.rs`: the interpreter, led along a model
//! - `answers.rs`: what it is told where it asks
//! - `threads.rs`: executions without a schedule, thread by thread

mod answers;
mod threads;
mod walker;

pub use threads::{ProgramWords, confirm_threads, waiting_blocks};

use self::walker::{ModelWalker, WalkStop};
use crate::contract::{Form, Goal as Wanted, Violation, confirm, lift};
use analysis::address_bits;
use encoder::{Encoding, Fault, Goal, GoalKind, Node, NodeId, Term};
use interp::{Interp, ScheduleStep, ViolationKind};
use ir::{Program, Span};

/// A program in two forms.
#[derive(Clone, Copy)]
pub struct Unrolled<'a> {
    pub program: &'a Program,
    /// As it was before.
    pub original: &'a Program,
}

/// What the model says.
pub struct ModelRun<'a> {
    pub encoding: &'a Encoding,
    pub schedule: &'a [NodeId],
    pub goal: &'a Goal,
}

pub type ValueOf<'a> = &'a mut dyn FnMut(Term) -> u64;

/// The violation that the model shows, replayed; or what does not fit.
pub fn confirm(
    unrolled: Unrolled<'_>,
    config: interp::Config,
    run: &ModelRun<'_>,
    value: ValueOf<'_>,
) -> Result<Violation, Misfit> {
    let interp = Interp::new(unrolled.program, config).map_err(|e| Misfit::Wrong(e.what))?;
    let (schedule, wanted) = follow(&interp, run, value).inspect_err(|_| dump(run, value))?;
    // Readers know the program as it was before; what happens inside of models is none of theirs.
    match lift::lift(unrolled.original, &interp, &schedule, &wanted) {
        Ok(violation) => Ok(violation),
        // A caller's registers lead to memory; inlined calls have none.
        Err(why) if matches!(run.goal.kind, GoalKind::Error(Fault::Leak, _)) => {
            Err(unclear(run.goal).unwrap_or(Misfit::Wrong(why)))
        }
        // What an input of a block that waits will be is not for us to say.
        Err(why) if is_about_waiting(run.goal) => {
            log::info!("the program as it was does not show it, since {why}");
            Err(unclear(run.goal).unwrap_or(Misfit::Wrong(why)))
        }
        Err(why) => {
            log::info!("told in the unrolled program, since {why}");
            let violation = confirm::tell(&interp, &schedule, &wanted);
            let mut violation = violation.map_err(Misfit::Wrong)?;
            violation.run.iter_mut().for_each(|run| run.form = Form::Unrolled);
            Ok(violation)
        }
    }
}

/// Is it a state in which threads wait for ever?
fn is_about_waiting(goal: &Goal) -> bool {
    matches!(goal.kind, GoalKind::Error(Fault::Deadlock | Fault::Livelock, _))
}

/// Why a model shows nothing.
#[derive(Debug)]
pub enum Misfit {
    /// The interpreter cannot say whether it is right: a pointer from nowhere, say.
    Open { what: String, span: Span },
    /// It uses memory as C does not define, which the encoding did not see.
    InvalidAccess { what: String, span: Span },
    /// It is wrong, and that is an error of ours.
    Wrong(String),
}

/// Errors on which the interpreter has the last word, since it knows more: what it then does not
/// find is not known.
pub fn unclear(goal: &Goal) -> Option<Misfit> {
    let what = match goal.kind {
        GoalKind::Error(Fault::ArbitraryAddress, _) => {
            "use of a pointer that is an arbitrary number"
        }
        GoalKind::Error(Fault::Leak, _) => "whether memory is lost at the end of the process",
        // Two atomic blocks that are both next, say, of which only one can run.
        GoalKind::Error(Fault::Race, _) => "a race that no replay shows",
        // A block that asks for an input may get another one.
        GoalKind::Error(Fault::Deadlock, _) => "a deadlock that no replay shows",
        GoalKind::Error(Fault::Livelock, _) => "a livelock that no replay shows",
        _ => return None,
    };
    Some(Misfit::Open { what: what.into(), span: goal.span })
}

/// An execution that looks at bits of an address has others where the interpreter puts objects.
fn other_layout(run: &ModelRun<'_>, value: ValueOf<'_>) -> Option<Misfit> {
    let peeks =
        |kind: &GoalKind| matches!(kind, GoalKind::Unsupported(w) if w == address_bits::WHAT);
    let mut goals = run.encoding.goals.iter().filter(|goal| peeks(&goal.kind));
    let goal = goals.find(|goal| value(goal.guard) == 1)?;
    Some(Misfit::Open { what: address_bits::WHAT.into(), span: goal.span })
}

/// What the interpreter calls the violation.
pub fn violates(goal: &Goal) -> ViolationKind {
    match goal.kind {
        GoalKind::Error(Fault::Overflow, _) => ViolationKind::NoOverflow,
        GoalKind::Error(Fault::Deref | Fault::ArbitraryAddress, _) => ViolationKind::ValidDeref,
        GoalKind::Error(Fault::Free, _) => ViolationKind::ValidFree,
        GoalKind::Error(Fault::Leak, _) => ViolationKind::ValidMemtrack,
        _ => ViolationKind::UnreachCall,
    }
}

/// Walks along. Gives the steps with their answers, the last of which violates, and what it shows.
fn follow(
    interp: &Interp<'_>,
    run: &ModelRun<'_>,
    value: ValueOf<'_>,
) -> Result<(Vec<ScheduleStep>, Wanted), Misfit> {
    let table = run.encoding.inputs.iter().map(|i| ((i.thread, i.at), value(i.value))).collect();
    let mut walker = ModelWalker::new(interp, run.encoding, table, value);
    match walker.walk(run, value) {
        Ok(wanted) => Ok((walker.steps, wanted)),
        Err(why) => Err(match walker.met {
            // Another one than was looked for, but a violation.
            Some(WalkStop::Violation(v)) => {
                log::info!("another violation came first: {why}");
                return Ok((walker.steps, Wanted::Violation { kind: v.kind, at: v.at() }));
            }
            Some(WalkStop::Unmodelled { what, span }) => Misfit::Open { what, span },
            Some(WalkStop::InvalidAccess { what, span }) => Misfit::InvalidAccess { what, span },
            None => unclear(run.goal)
                .or_else(|| other_layout(run, value))
                .unwrap_or_else(|| Misfit::Wrong(format!("a model does not replay: {why}"))),
        }),
    }
}

/// All that the model says, for who has to find out what went wrong.
fn dump(run: &ModelRun<'_>, value: ValueOf<'_>) {
    if !log::log_enabled!(log::Level::Debug) {
        return;
    }
    let ModelRun { encoding, schedule, goal } = run;
    log::debug!("goal {:?} in thread {} at {:?}", goal.kind, goal.thread.0, goal.at);
    for id in *schedule {
        let node = &encoding.nodes[id.index()];
        let happens = if value(node.guard) == 1 { "" } else { " (does not happen)" };
        let Node { thread, kind, at, span, .. } = node;
        log::debug!("thread {} {kind:?} at {at:?} line {}{happens}", thread.0, span.line);
        for event in encoding.events.iter().filter(|e| e.node == *id) {
            if value(event.guard) == 1 {
                let cell = &encoding.cells[event.cell.index()].name;
                log::debug!("    {:?} {cell} == {:#x}", event.kind, value(event.value));
            }
        }
    }
    for input in &encoding.inputs {
        let bits = value(input.value);
        log::debug!("input of thread {} at {:?}: {bits:#x}", input.thread.0, input.at);
    }
}

#[cfg(test)]
mod tests;
