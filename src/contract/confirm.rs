//! Replays what was found, from the initial state, before anybody hears of it.
//!
//! A schedule of single steps is given to the interpreter's `replay`, whose word is final: if it does
//! not show the same violation, that is an error of ours and no verdict.

use super::inputs::{Choices, Sampling};
use super::{Form, Goal, Run, Violation, hang, lifetime};
use interp::{
    Access, Choice, Death, Inputs, Interp, Next, ObjKey, Observer, Race, RaceMonitor, ScheduleStep,
    State, StepResult, Tid, TraceEvent, TraceStep, Value,
};
use ir::types::Scalar;
use ir::{At, Span};

/// The state after a schedule, and what its last step was.
pub struct Executed {
    pub state: State,
    pub result: StepResult,
    pub monitor: Option<RaceMonitor>,
    /// Steps done: less than the schedule's length if a race came up before its end.
    pub steps: usize,
}

impl Executed {
    pub fn race(&self) -> Option<&Race> {
        self.monitor.as_ref()?.race()
    }

    pub fn shows(&self, interp: &Interp<'_>, goal: &Goal) -> bool {
        match goal {
            Goal::Violation { kind, at } => {
                matches!(&self.result, StepResult::Violation(v) if v.kind == *kind && v.id == at.id)
            }
            Goal::Deadlock => interp.deadlocked(&self.state),
            Goal::Livelock => hang::at(interp, &self.state).is_some(),
            Goal::Race(a, b) => self.race().is_some_and(|race| {
                let (x, y) = (race.first.1.id, race.second.1.id);
                (x, y) == (a.id, b.id) || (y, x) == (a.id, b.id)
            }),
        }
    }
}

/// Runs a schedule; `None` if it does not fit the program.
pub fn execute(interp: &Interp<'_>, schedule: &[ScheduleStep], races: bool) -> Option<Executed> {
    let mut state = interp.initial();
    let mut monitor = races.then(|| RaceMonitor::of(interp.program));
    let mut result = StepResult::Ran;
    for (i, step) in schedule.iter().enumerate() {
        if !state.running().any(|thread| thread == step.thread) {
            return None;
        }
        let mut tape = Tape { answers: &step.answers, used: 0 };
        result = match &mut monitor {
            Some(monitor) => interp.step(&mut state, step.thread, &mut tape, monitor),
            None => interp.step(&mut state, step.thread, &mut tape, &mut ()),
        };
        if tape.used != step.answers.len() || cannot_happen(&result, i + 1 == schedule.len()) {
            return None;
        }
        if monitor.as_ref().is_some_and(|monitor| monitor.race().is_some()) {
            return Some(Executed { state, result, monitor, steps: i + 1 });
        }
    }
    Some(Executed { state, result, monitor, steps: schedule.len() })
}

fn cannot_happen(result: &StepResult, last: bool) -> bool {
    match result {
        StepResult::Blocked | StepResult::Unsupported { .. } | StepResult::Refused { .. } => true,
        StepResult::Violation(_) => !last,
        _ => false,
    }
}

/// Answers in order; says how many were used.
pub struct Tape<'a> {
    pub answers: &'a [u64],
    pub used: usize,
}

impl Inputs for Tape<'_> {
    fn choose(&mut self, _: &Choice<'_>) -> Option<u64> {
        let answer = *self.answers.get(self.used)?;
        self.used += 1;
        Some(answer)
    }
}

/// The race between two threads that stand before it after this schedule: the schedule with one
/// step of each, and what it shows.
pub fn racing(
    interp: &Interp<'_>,
    schedule: Vec<ScheduleStep>,
    threads: [Tid; 2],
) -> Result<(Vec<ScheduleStep>, Goal), String> {
    let sampling = Sampling::of(interp.program, Sampling::MAX_DOMAIN);
    let mut schedule = race_schedule(interp, &sampling, schedule, threads)?;
    let goal = race_goal(interp, &mut schedule)?;
    Ok((schedule, goal))
}

/// Lets two threads do one step each so that the monitor sees the race between them.
pub fn race_schedule(
    interp: &Interp<'_>,
    sampling: &Sampling,
    schedule: Vec<ScheduleStep>,
    threads: [Tid; 2],
) -> Result<Vec<ScheduleStep>, String> {
    let before = execute(interp, &schedule, true).ok_or("the path to a race does not replay")?;
    if before.race().is_some() {
        return Ok(schedule[..before.steps].to_vec());
    }
    let [a, b] = threads;
    for order in [[a, b], [b, a]] {
        let mut choices = Choices::new(sampling);
        loop {
            choices.rewind();
            if let Some(last) = racing_steps(interp, &before, order, &mut choices) {
                return Ok(schedule.into_iter().chain(last).collect());
            }
            if !choices.advance() {
                break;
            }
        }
    }
    Err("two conflicting operations are next, but the clocks see no race".into())
}

fn racing_steps(
    interp: &Interp<'_>,
    before: &Executed,
    order: [Tid; 2],
    choices: &mut Choices<'_>,
) -> Option<Vec<ScheduleStep>> {
    let mut state = before.state.clone();
    let mut monitor = before.monitor.clone()?;
    let mut steps = Vec::new();
    for thread in order {
        let asked = choices.asked();
        interp.step(&mut state, thread, choices, &mut monitor);
        let answers = choices.answers().skip(asked).collect();
        steps.push(ScheduleStep { thread, answers });
    }
    monitor.race().is_some().then_some(steps)
}

/// The first race that a schedule shows; the schedule ends with it.
pub fn race_goal(interp: &Interp<'_>, schedule: &mut Vec<ScheduleStep>) -> Result<Goal, String> {
    let executed = execute(interp, schedule, true).ok_or("a race does not replay")?;
    let race = executed.race().ok_or("the clocks see no race")?;
    schedule.truncate(executed.steps);
    Ok(Goal::Race(race.first.1.at(), race.second.1.at()))
}

/// The interpreter's own account of a schedule.
pub fn tell(
    interp: &Interp<'_>,
    schedule: &[ScheduleStep],
    goal: &Goal,
) -> Result<Violation, String> {
    let races = matches!(goal, Goal::Race(..));
    let replay = interp::replay(interp.program, &interp.config, schedule, races);
    let result = replay.result.map_err(|why| format!("a counterexample does not replay: {why}"))?;
    let mut other = None;
    let (kind, message, ends) = match (goal, result, &replay.race) {
        (Goal::Violation { kind, at }, StepResult::Violation(v), _)
            if v.kind == *kind && v.id == at.id =>
        {
            let place = place_of(interp, schedule, v.thread, v.span);
            let what = lifetime::told(interp, schedule, &v.what, place);
            (kind.name(), what.clone(), vec![wrong(interp, schedule, v.thread, place, what)])
        }
        (Goal::Deadlock, ..) if replay.deadlock => {
            let message = "every thread that is left waits for ever".into();
            ("no-deadlock", message, waiting(interp, schedule))
        }
        (Goal::Livelock, ..) => {
            let (message, ends) = spinning(interp, schedule)?;
            ("no-livelock", message, ends)
        }
        (Goal::Race(..), _, Some(race)) => {
            let [first, second] = [&race.first, &race.second]
                .map(|(thread, access)| place_of_access(interp, schedule, *thread, access));
            let message = race_told(race, first);
            other = Some((race.first.0, first));
            let last = wrong(interp, schedule, race.second.0, second, message.clone());
            ("no-data-race", message, vec![last])
        }
        _ => return Err("a counterexample replays differently".into()),
    };
    let span = ends.first().map_or(Span::NONE, |step| step.span);
    let trace = replay.trace.into_iter().chain(ends).collect();
    let run = Run { schedule: schedule.to_vec(), goal: goal.clone(), form: Form::Given };
    Ok(Violation { kind, message, span, other, trace, run: Some(run), weak: None })
}

/// What the trace ends with.
fn wrong(
    interp: &Interp<'_>,
    schedule: &[ScheduleStep],
    thread: Tid,
    span: Span,
    what: String,
) -> TraceStep {
    let executed = execute(interp, schedule, false);
    let function = executed.map(|e| interp.user_place(&e.state, thread).0).unwrap_or_default();
    let at = schedule.len().saturating_sub(1);
    TraceStep { thread, span, function, event: TraceEvent::Wrong(what), at }
}

/// For readers, what happens inside of a library model happens at its call.
fn place_of(interp: &Interp<'_>, schedule: &[ScheduleStep], thread: Tid, span: Span) -> Span {
    let executed = execute(interp, schedule, false);
    let call = executed.and_then(|e| interp.caller_of_model(&e.state, thread));
    call.map_or(span, |(_, span)| span)
}

/// The same for an access on the way, the last one of its kind.
fn place_of_access(
    interp: &Interp<'_>,
    schedule: &[ScheduleStep],
    thread: Tid,
    access: &Access,
) -> Span {
    let mut state = interp.initial();
    let mut place = access.span;
    for step in schedule {
        let caller = (step.thread == thread).then(|| interp.caller_of_model(&state, thread));
        let mut tape = Tape { answers: &step.answers, used: 0 };
        let mut seen = AccessWatch { access: *access, found: false };
        interp.step(&mut state, step.thread, &mut tape, &mut seen);
        if let (Some(Some((_, call))), true) = (caller, seen.found) {
            place = call;
        }
    }
    place
}

/// Is this access done? (`free` is a plain write of all of the block.)
struct AccessWatch {
    access: Access,
    found: bool,
}

impl Observer for AccessWatch {
    fn access(&mut self, _: &State, _: Tid, access: &Access, _: Scalar, _: Value) {
        self.found |= *access == self.access;
    }

    fn died(&mut self, _: &State, _: Tid, object: ObjKey, size: u64, _: bool, why: Death, at: At) {
        self.found |= why == Death::Freed && Access::whole(object, size, at) == self.access;
    }

    fn undone(&mut self, _: Tid) {
        self.found = false;
    }
}

/// Where each thread is stuck.
fn waiting(interp: &Interp<'_>, schedule: &[ScheduleStep]) -> Vec<TraceStep> {
    let Some(Executed { state, .. }) = execute(interp, schedule, false) else { return Vec::new() };
    let stuck = |thread: Tid| {
        let (function, span) = interp.user_place(&state, thread);
        let told = TraceEvent::Wrong("waits here for ever".into());
        TraceStep { thread, span, function, event: told, at: schedule.len() }
    };
    // Who waits for the end of another thread is not to blame.
    let joins = |thread: &Tid| matches!(interp.next(&state, *thread), Next::Join { .. });
    let mut threads: Vec<Tid> = state.running().collect();
    threads.sort_by_key(joins);
    threads.into_iter().map(stuck).collect()
}

/// Who spins for ever, and what the others do.
fn spinning(
    interp: &Interp<'_>,
    schedule: &[ScheduleStep],
) -> Result<(String, Vec<TraceStep>), String> {
    let executed = execute(interp, schedule, false).ok_or("a livelock does not replay")?;
    let hang = hang::at(interp, &executed.state).ok_or("a thread may go on after all")?;
    Ok((hang.told(), hang.ends(interp, &executed.state, schedule.len())))
}

fn race_told(race: &Race, place_of_first: Span) -> String {
    let verb = |access: &Access| if access.write { "writes" } else { "reads" };
    let (first, second) = (&race.first, &race.second);
    format!(
        "data race: thread {} {} what thread {} {} at line {}, unordered",
        second.0.0,
        verb(&second.1),
        first.0.0,
        verb(&first.1),
        place_of_first.line,
    )
}
