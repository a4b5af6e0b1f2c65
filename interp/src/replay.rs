//! Runs a recorded schedule again and tells what happened.

use crate::race::Race;
use crate::step::{Config, StepResult};
use crate::trace::TraceStep;
use crate::value::Tid;
use frontend::ir::{FuncId, Program, Span};

/// One step of a schedule: who, and the answers to the choices of that step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduleStep {
    pub thread: Tid,
    pub answers: Vec<u64>,
}

#[derive(Clone, Debug)]
pub struct Replay {
    /// Of the last step done; `Err` if the schedule does not fit the program.
    pub result: Result<StepResult, String>,
    /// With `races`: the first race.
    pub race: Option<Race>,
    /// After the last step: is it a deadlock?
    pub deadlock: bool,
    pub trace: Vec<TraceStep>,
    /// Values that inputs had, in the order of creation: (name, value as text, span).
    pub inputs: Vec<(String, String, Span)>,
    /// Functions without a body that were called.
    pub assumed: Vec<(FuncId, Span)>,
}

/// Replays a schedule; `races` switches the race monitor on (the replay stops at the first race).
pub fn replay(
    program: &Program,
    config: &Config,
    schedule: &[ScheduleStep],
    races: bool,
) -> Replay {
    todo!("{program:?}{config:?}{schedule:?}{races}")
}

/// How a run to completion came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The entry function returned this bit pattern (or nothing), or `exit` (None).
    Finished(Option<u64>),
    Deadlock,
    /// Every thread ended or was cut; why the last one was.
    Cut(StepResult),
    /// `Violation`, `Unsupported` or `Refused`.
    Failed(StepResult),
    OutOfSteps,
}

/// Runs round-robin until the end, taking the first answer to every choice.
pub fn run(program: &Program, config: &Config, max_steps: u64) -> Outcome {
    todo!("{program:?}{config:?}{max_steps}")
}
