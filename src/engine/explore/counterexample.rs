//! A path of the search as a counterexample: moves (thread, number of steps, answers) become a schedule
//! of single steps, and `contract::confirm` has the last word about it.

use super::search::{FoundKind, FoundViolation};
use super::transition::Move;
use crate::contract::confirm::{Tape, race_goal, race_schedule, tell};
use crate::contract::inputs::Sampling;
use crate::contract::{Goal, Violation};
use interp::{Interp, ScheduleStep, State, StepResult};

/// Needs: `found` by a search over the same interpreter.
pub fn confirm(
    interp: &Interp<'_>,
    sampling: &Sampling,
    found: &FoundViolation,
) -> Result<Violation, String> {
    let mut schedule = schedule_of(interp, &found.moves)?;
    if let FoundKind::Adjacent(pair) = &found.what {
        let threads = pair.map(|(thread, _)| thread);
        schedule = race_schedule(interp, sampling, schedule, threads)?;
    }
    let goal = goal_of(interp, found, &mut schedule)?;
    tell(interp, &schedule, &goal)
}

/// Moves, step by step, each with its own answers.
fn schedule_of(interp: &Interp<'_>, moves: &[Move]) -> Result<Vec<ScheduleStep>, String> {
    let mut state = interp.initial();
    let mut schedule = Vec::new();
    for Move { thread, steps, answers } in moves {
        let mut tape = Tape { answers, used: 0 };
        for _ in 0..*steps {
            let before = tape.used;
            let result = interp.step(&mut state, *thread, &mut tape, &mut ());
            if let StepResult::Blocked | StepResult::Refused { .. } = result {
                return Err(format!("step {} of a path does not replay", schedule.len()));
            }
            let answers = answers[before..tape.used].to_vec();
            schedule.push(ScheduleStep { thread: *thread, answers });
        }
    }
    Ok(schedule)
}

/// Where a path leads.
pub fn state_after<'m>(
    interp: &Interp<'_>,
    moves: impl Iterator<Item = &'m Move>,
) -> Option<State> {
    let mut state = interp.initial();
    for Move { thread, steps, answers } in moves {
        let mut tape = Tape { answers, used: 0 };
        for _ in 0..*steps {
            let result = interp.step(&mut state, *thread, &mut tape, &mut ());
            if let StepResult::Blocked | StepResult::Refused { .. } = result {
                return None;
            }
        }
    }
    Some(state)
}

/// What the full schedule shows; cuts it off behind an early race.
fn goal_of(
    interp: &Interp<'_>,
    found: &FoundViolation,
    schedule: &mut Vec<ScheduleStep>,
) -> Result<Goal, String> {
    match &found.what {
        FoundKind::Violation(v) => Ok(Goal::Violation { kind: v.kind, at: v.at() }),
        FoundKind::Deadlock => Ok(Goal::Deadlock),
        FoundKind::Livelock(way) => {
            schedule.extend(way.iter().cloned());
            Ok(Goal::Livelock)
        }
        FoundKind::Race | FoundKind::Adjacent(_) => race_goal(interp, schedule),
    }
}
