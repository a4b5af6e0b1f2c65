//! One execution of a program that has no wrong one, for the picture of SAFE.
//!
//! Threads take short turns, so that they meet; a thread that waits gives its turn away. Choices get
//! their first answer. The run ends with the program, or when it is long enough for a picture.

use crate::contract::TraceStep;
use interp::trace::Trace;
use interp::{Config, Interp, StepResult, Tid};
use ir::Program;

/// Steps of a thread before the next one has its turn.
const TURN: usize = 12;
/// Steps at most, most of which are not told.
const MAX_STEPS: usize = 50_000;
/// Steps told at most.
const MAX_TOLD: usize = 2_000;

pub fn run(program: &Program) -> Option<Vec<TraceStep>> {
    let interp = Interp::new(program, Config { eager_inputs: true, ..Config::default() }).ok()?;
    let mut state = interp.initial();
    let mut trace = Trace::new(&interp);
    let mut steps = 0;
    while steps < MAX_STEPS && trace.steps.len() < MAX_TOLD {
        let before = steps;
        let running: Vec<Tid> = state.running().collect();
        for thread in running {
            for _ in 0..TURN {
                trace.begin_step();
                match interp.step(&mut state, thread, &mut interp::First, &mut trace) {
                    StepResult::Ran => steps += 1,
                    StepResult::Blocked => break,
                    StepResult::Ended | StepResult::Stopped { .. } => {
                        steps += 1;
                        break;
                    }
                    _ => return Some(trace.steps),
                }
            }
        }
        if steps == before {
            break;
        }
    }
    Some(trace.steps)
}
