//! Makes a counterexample small before anybody sees it: few context switches, then few steps.
//!
//! The engine that found it has replayed it. What comes out of here is replayed again, so a mistake here
//! can make a counterexample long, but never wrong. (Inputs need no step of their own: `replay`
//! gives every input the value nearest to 0 that the schedule allows.)
//!
//! - `shrink.rs`: greedy steps towards a counterexample that is easier to follow

mod shrink;

use crate::contract::confirm::{execute, tell};
use crate::contract::{Form, Goal, Minimize, Query, Violation};
use interp::Interp;

/// The same violation, told by a smaller schedule if there is one. Says of a schedule that does not
/// fit `program` that it belongs to an unrolled one.
pub fn minimize(query: Query<'_>, mut violation: Violation) -> Violation {
    let Some(run) = violation.run.as_mut() else { return violation };
    let Ok(interp) = Interp::new(query.program, query.interp_config()) else {
        return violation;
    };
    let races = matches!(run.goal, Goal::Race(..));
    let fits = execute(&interp, &run.schedule, races).is_some_and(|e| e.shows(&interp, &run.goal));
    if !fits {
        run.form = Form::Unrolled;
    }
    if !fits || query.settings.minimize == Minimize::Off {
        return violation;
    }
    let schedule = shrink::shrink(&interp, run.schedule.clone(), &run.goal);
    tell(&interp, &schedule, &run.goal).unwrap_or(violation)
}
