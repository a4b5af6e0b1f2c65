//! Does a known execution fit a guide?
//!
//! No search: the schedule is run once more with the values that its inputs get in the end, and the
//! guide is read along it.

use super::inside::Inside;
use super::pass::Matcher;
use crate::contract::Goal;
use interp::{Chosen, Next, ScheduleStep, Tid, Trace};

/// Needs: a schedule of the matcher's program that shows the goal, and its values.
pub fn fits(
    matcher: &Matcher<'_>,
    schedule: &[ScheduleStep],
    goal: &Goal,
    mut values: Chosen,
) -> bool {
    let interp = matcher.interp;
    let (mut state, mut progress) = (interp.initial(), matcher.start());
    for &ScheduleStep { thread, .. } in schedule {
        if state.status_of(thread).is_none() {
            return false;
        }
        let line = matcher.line(interp.user_place(&state, thread).1);
        matcher.arrive(&mut state, thread, line, &mut progress, &mut None);
        let mut trace = Trace::new(interp);
        trace.begin_step();
        let atomic = matches!(interp.next(&state, thread), Next::Atomic { .. });
        let mut inside = Inside::new(matcher);
        let mut watch = (&mut trace, atomic.then_some(&mut inside));
        interp.step(&mut state, thread, &mut values, &mut watch);
        let told = (&trace, &inside.glimpses[..]);
        matcher.events(&mut state, thread, told, &mut progress, &mut None);
        matcher.arrive(&mut state, thread, line, &mut progress, &mut None);
    }
    let last = schedule.last().map_or(Tid::FIRST, |step| step.thread);
    let meant = match *goal {
        Goal::Violation { at, .. } => matcher.is_violation(&state, last, at.span, &progress),
        Goal::Race(a, b) => matcher.is_race([a.span, b.span]),
        Goal::Deadlock | Goal::Livelock => true,
    };
    meant && matcher.all_passed(&progress)
}
