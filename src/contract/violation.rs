//! A violation with the execution that shows it, and what a replay of it must show.

use super::weak_execution::WeakExecution;
use interp::{ScheduleStep, Tid, TraceStep, ViolationKind};
use ir::{At, Span};
use std::sync::Arc;

/// A violation with the execution that shows it, already replayed.
#[derive(Clone, Debug)]
pub struct Violation {
    /// SV-COMP's name of what was violated: `unreach-call`, `valid-deref`, `valid-free`,
    /// `valid-memtrack`, `no-overflow`, `no-data-race`, `no-deadlock`, `no-livelock`.
    pub kind: &'static str,
    /// One sentence: "assertion `x == 2` fails".
    pub message: String,
    pub span: Span,
    /// Where the other side of a race is: its thread and its place.
    pub other: Option<(Tid, Span)>,
    /// The steps a reader can follow, in order. Thread 1 is the first one, then in order of
    /// creation: the same numbers that `pthread_self` gives.
    pub trace: Vec<TraceStep>,
    /// The same as a schedule for the interpreter.
    pub run: Option<Run>,
    /// Or as a graph, under a memory model without schedules.
    pub weak: Option<Arc<WeakExecution>>,
}

/// A violation as the interpreter replays it.
#[derive(Clone, Debug)]
pub struct Run {
    pub schedule: Vec<ScheduleStep>,
    /// What to look for.
    pub goal: Goal,
    pub form: Form,
}

/// The program that a schedule belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The one that the engine was given.
    Given,
    /// One that the engine has unrolled and forgotten.
    Unrolled,
}

/// What a schedule must show at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    Violation {
        kind: ViolationKind,
        at: At,
    },
    Deadlock,
    /// Of threads that spin.
    Livelock,
    /// Between these two accesses, in any order.
    Race(At, At),
}
