//! The same execution in the program before unrolling.
//!
//! Unrolling puts the inside of library models into the user's functions, where a trace would show
//! it, and gives one loop many copies. So a schedule of the unrolled program is walked once more in
//! the original, side by side: whenever a thread touches memory, starts, joins or ends in the one,
//! it is stepped in the other until it has done the same there. Between two such actions the original
//! may take more steps (calls, returns, jumps) or make loads that the unrolled one has found useless.
//!
//! That the violation shows up in the original, too, also tells that unrolling did no harm.

use super::lockstep::{Identity, Stepper, VisibleAction, account};
use super::{Goal, Violation, confirm};
use interp::{Interp, RaceMonitor, ScheduleStep, StepResult, Tid};
use ir::Program;

/// Steps without a action.
const MAX_STEPS: usize = 1_000_000;

/// The violation as the original program shows it; the schedule is one of `interp`'s program.
pub fn lift(
    original: &Program,
    interp: &Interp<'_>,
    schedule: &[ScheduleStep],
    goal: &Goal,
) -> Result<Violation, String> {
    let config = interp::Config { eager_inputs: false, ..interp.config.clone() };
    let original = Interp::new(original, config).map_err(|e| e.what)?;
    let (stepper, actions) = Stepper::new(&original, account(interp, schedule, Identity::Number)?);
    let mut walker = LiftWalker { stepper, monitor: RaceMonitor::new() };
    let mut reached = LiftEnd::Action;
    for (thread, wanted) in actions {
        if reached == LiftEnd::Violation {
            return Err("the violation comes too early".into());
        }
        reached = walker.until(thread, &wanted)?;
    }
    let last = schedule.last().map_or(Tid::FIRST, |step| step.thread);
    match goal {
        Goal::Race(..) => walker.race(last)?,
        Goal::Deadlock | Goal::Livelock => walker.wait()?,
        // An atomic block that ends in the violation is one step with its actions.
        _ if reached == LiftEnd::Violation => {}
        _ => walker.violate(last)?,
    }
    confirm::tell(&original, &walker.stepper.steps, goal)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LiftEnd {
    Action,
    Violation,
}

struct LiftWalker<'a> {
    stepper: Stepper<'a>,
    monitor: RaceMonitor,
}

impl LiftWalker<'_> {
    /// Steps a thread until it has done these actions.
    fn until(&mut self, thread: Tid, wanted: &[VisibleAction]) -> Result<LiftEnd, String> {
        for _ in 0..MAX_STEPS {
            let (result, actions) = self.step(thread);
            match result {
                StepResult::Ran | StepResult::Ended => {}
                StepResult::Violation(_) => return Ok(LiftEnd::Violation),
                other => return Err(format!("thread {} stops: {other:?}", thread.0)),
            }
            if contains(&actions, wanted) {
                return Ok(LiftEnd::Action);
            }
            if actions.iter().any(|d| !d.is_read()) {
                return Err(format!("thread {} did {actions:?} instead of {wanted:?}", thread.0));
            }
        }
        Err(format!("thread {} does not come to {wanted:?}", thread.0))
    }

    fn violate(&mut self, thread: Tid) -> Result<(), String> {
        for _ in 0..MAX_STEPS {
            match self.step(thread).0 {
                StepResult::Ran => {}
                StepResult::Violation(_) => return Ok(()),
                other => return Err(format!("thread {} stops: {other:?}", thread.0)),
            }
        }
        Err("the violation is not reached".into())
    }

    /// The end of an object is no action: it may still be missing.
    fn race(&mut self, thread: Tid) -> Result<(), String> {
        for _ in 0..MAX_STEPS {
            if self.monitor.race().is_some() {
                return Ok(());
            }
            match self.step(thread).0 {
                StepResult::Ran => {}
                StepResult::Ended if self.monitor.race().is_some() => return Ok(()),
                other => return Err(format!("thread {} stops: {other:?}", thread.0)),
            }
        }
        Err("the race is not reached".into())
    }

    /// Lets all threads run to where they wait.
    fn wait(&mut self) -> Result<(), String> {
        let mut steps_left = 0..MAX_STEPS;
        let mut moved = true;
        while std::mem::take(&mut moved) {
            let running: Vec<Tid> = self.stepper.state.running().collect();
            for thread in running {
                loop {
                    match self.step(thread).0 {
                        StepResult::Ran if steps_left.next().is_some() => moved = true,
                        StepResult::Blocked => break,
                        other => return Err(format!("thread {} stops: {other:?}", thread.0)),
                    }
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, thread: Tid) -> (StepResult, Vec<VisibleAction>) {
        self.stepper.step(thread, &mut self.monitor)
    }
}

/// Are these among the actions, in this order, with nothing but loads between?
fn contains(actions: &[VisibleAction], wanted: &[VisibleAction]) -> bool {
    let mut wanted = wanted.iter().peekable();
    for action in actions {
        if wanted.peek() == Some(&action) {
            wanted.next();
        } else if !action.is_read() {
            return false;
        }
    }
    wanted.peek().is_none()
}
