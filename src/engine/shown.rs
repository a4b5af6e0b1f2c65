//! An execution of a system (crate `reach`), shown in the program: for engines that look at systems.

use crate::contract::{Answer, Goal, Query, Reason, turns};
use reach::build::flatten::flatten;
use reach::execution::{Given, Turn};

/// UNSAFE, if the interpreter shows the same. Where the system is weaker than the program it need not.
pub fn shown(query: Query<'_>, path: &[Turn], goal: &Goal, exact: bool) -> Answer {
    let Some(unrolled) = flatten(query.program) else {
        return Answer::Unknown(Reason::Other("the program is too large".into()));
    };
    let path: Vec<turns::Turn> = path.iter().map(turn).collect();
    let config = query.interp_config();
    match turns::confirm(query.program, &unrolled, config, &path, goal) {
        Ok(violation) => Answer::Unsafe(Box::new(violation)),
        Err(why) => {
            log::info!("an execution does not replay: {why}");
            let sure = if exact { "was found, but does not replay" } else { "may be there" };
            Answer::Unknown(Reason::Other(format!("an execution that violates it {sure}")))
        }
    }
}

fn turn(turn: &Turn) -> turns::Turn {
    let (mut values, mut fails) = (Vec::new(), Vec::new());
    for given in &turn.inputs {
        match given {
            Given::Value(value) => values.push(*value),
            Given::Fails(fail) => fails.push(*fail),
        }
    }
    turns::Turn {
        thread: turn.thread.index(),
        length: turn.length,
        values,
        fails,
        starts: turn.starts.iter().map(|t| t.index()).collect(),
    }
}
