//! The same execution in the program as it was written.
//!
//! An engine's schedule belongs to a program that our passes have made smaller: loads that no instruction
//! needs are gone, loops that only wait are one step. A compiler's program has all of that. So the
//! schedule is walked in both forms side by side: whenever a thread does something in the one that
//! others can notice, it is stepped in the other until it has done the same, and may do more on the
//! way (loads that were found useless, locals that live in registers over there).
//!
//! That the violation shows up at the end is the proof that the walk was right.

use crate::contract::Goal;
use crate::contract::hang;
use crate::contract::lockstep::{Identity, Stepper, VisibleAction, account};
use interp::{Interp, ScheduleStep, Status, StepResult, Tid};
use rustc_hash::FxHashSet;

/// Steps of one thread in search of one action.
const MAX_STEPS: usize = 200_000;
/// The same, of threads that may have to go on before the violation.
const STEPS_OF_OTHERS: usize = 200;

/// A schedule of `written` that does what `schedule` does in `given`.
pub fn walk(
    given: &Interp<'_>,
    schedule: &[ScheduleStep],
    written: &Interp<'_>,
    goal: &Goal,
) -> Result<Vec<ScheduleStep>, String> {
    let (stepper, actions) = Stepper::new(written, account(given, schedule, Identity::Place)?);
    let mut walker = ReplayWalker { stepper, violated: false };
    for (thread, wanted) in actions {
        walker.until(thread, &wanted)?;
    }
    match goal {
        Goal::Violation { .. } => {
            let last = schedule.last().map_or(Tid::FIRST, |step| step.thread);
            walker.violate(last)?;
        }
        Goal::Deadlock => walker.run_dry()?,
        Goal::Livelock => walker.go_round()?,
        Goal::Race(..) => {}
    }
    Ok(walker.stepper.steps)
}

struct ReplayWalker<'a> {
    stepper: Stepper<'a>,
    /// The violation came with the last action: the step that shows it may also do something.
    violated: bool,
}

impl ReplayWalker<'_> {
    /// Steps a thread until it has done these actions, perhaps in several steps.
    fn until(&mut self, thread: Tid, wanted: &[VisibleAction]) -> Result<(), String> {
        let mut left = wanted;
        for _ in 0..MAX_STEPS {
            let before = self.stepper.mark();
            let (result, actions) = self.step(thread);
            match result {
                StepResult::Ran | StepResult::Ended | StepResult::ProcessEnded => {}
                StepResult::Stopped { .. } => {}
                StepResult::Violation(_) => {
                    self.violated = true;
                    return Ok(());
                }
                other => return Err(format!("thread {} stops: {other:?}", thread.0)),
            }
            let rest = consume(left, &actions);
            if rest.len() < left.len() {
                left = rest;
            } else if !actions.is_empty() && left.len() < wanted.len() {
                // It has done part of it and goes on with something else.
                if left.iter().all(|d| d.is_read()) {
                    self.stepper.back_to(before);
                    return Ok(());
                }
            }
            if left.is_empty() {
                return Ok(());
            }
            if self.stepper.state.status_of(thread) != Some(Status::Running) {
                return Err(format!("thread {} is at its end before {left:?}", thread.0));
            }
        }
        Err(format!("thread {} does not come to {left:?}", thread.0))
    }

    /// What ends with other threads, and what these forget, is no action: they may have to go on first.
    fn violate(&mut self, thread: Tid) -> Result<(), String> {
        let before = self.stepper.mark();
        let Err(why) = self.run_into_it(thread, MAX_STEPS) else { return Ok(()) };
        self.stepper.back_to(before);
        let others: Vec<Tid> = self.stepper.state.running().filter(|&t| t != thread).collect();
        for other in others {
            for _ in 0..STEPS_OF_OTHERS {
                match self.step(other).0 {
                    StepResult::Ran | StepResult::Ended => {}
                    _ => break,
                }
                let before = self.stepper.mark();
                if self.run_into_it(thread, STEPS_OF_OTHERS).is_ok() {
                    return Ok(());
                }
                self.stepper.back_to(before);
                if self.stepper.state.status_of(other) != Some(Status::Running) {
                    break;
                }
            }
        }
        Err(why)
    }

    fn run_into_it(&mut self, thread: Tid, steps: usize) -> Result<(), String> {
        for _ in 0..steps {
            if self.violated {
                return Ok(());
            }
            match self.step(thread).0 {
                StepResult::Ran => {}
                StepResult::Violation(_) => return Ok(()),
                other => return Err(format!("thread {} stops: {other:?}", thread.0)),
            }
        }
        Err("the violation is not reached".into())
    }

    /// Lets every thread go on until it waits.
    fn run_dry(&mut self) -> Result<(), String> {
        let threads: Vec<Tid> = self.stepper.state.running().collect();
        for thread in threads {
            for _ in 0..MAX_STEPS {
                match self.step(thread).0 {
                    StepResult::Ran => {}
                    StepResult::Blocked => break,
                    other => return Err(format!("thread {} stops: {other:?}", thread.0)),
                }
            }
        }
        match self.stepper.interp.deadlocked(&self.stepper.state) {
            true => Ok(()),
            false => Err("the deadlock is not reached".into()),
        }
    }

    /// Lets every thread go on until it waits or has gone around its loop once.
    fn go_round(&mut self) -> Result<(), String> {
        let threads: Vec<Tid> = self.stepper.state.running().collect();
        for thread in threads {
            let mut seen = FxHashSet::default();
            for _ in 0..MAX_STEPS {
                if !seen.insert(self.stepper.interp.digest(&mut self.stepper.state)) {
                    break;
                }
                match self.step(thread).0 {
                    StepResult::Ran => {}
                    StepResult::Blocked => break,
                    other => return Err(format!("thread {} stops: {other:?}", thread.0)),
                }
            }
        }
        match hang::find(self.stepper.interp, &self.stepper.state) {
            Ok(hang::Follows::Livelock(_)) => Ok(()),
            _ => Err("the livelock is not reached".into()),
        }
    }

    fn step(&mut self, thread: Tid) -> (StepResult, Vec<VisibleAction>) {
        self.stepper.step(thread, &mut ())
    }
}

/// What is left of `wanted` after these actions.
fn consume<'w>(wanted: &'w [VisibleAction], actions: &[VisibleAction]) -> &'w [VisibleAction] {
    let mut left = wanted;
    for action in actions {
        if let Some(at) = left.iter().position(|d| d == action)
            && left[..at].iter().all(|d| d.is_read())
        {
            left = &left[at + 1..];
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_consumed_in_order_and_only_reads_are_skipped() {
        let (r1, r2, w) = (
            VisibleAction::Reads((1, 1)),
            VisibleAction::Reads((1, 5)),
            VisibleAction::Writes((2, 1)),
        );
        assert_eq!(consume(&[r1, r2, w], &[r1]), [r2, w]);
        assert_eq!(consume(&[r1, r2, w], &[w]), []);
        assert_eq!(consume(&[w, r1], &[r1]), [w, r1]);
        assert_eq!(consume(&[r1, w], &[VisibleAction::Reads((9, 9)), r1, w]), []);
    }
}
