//! An execution that is given by how far threads go in turn: so many instructions, with these inputs.
//!
//! Engines that look at blocks of instructions at a time know no single steps. Here such blocks
//! become the steps of a schedule, which is then told like any other: by the interpreter's replay.

use super::{Form, Goal, Violation, confirm, lift};
use interp::{
    About, Choice, ChoiceKind, Domain, Inputs, Interp, Observer, ScheduleStep, State, StepResult,
    Tid,
};
use ir::{FuncId, Program, Span};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// One thread goes on, by the engine's number of it.
#[derive(Clone, Debug)]
pub struct ThreadTurn {
    pub thread: usize,
    /// Instructions and ends of blocks.
    pub length: usize,
    /// Values of inputs, in order.
    pub values: Vec<u64>,
    /// Which allocations fail, in order.
    pub fails: Vec<bool>,
    /// The engine's numbers of the threads that are started, in order.
    pub starts: Vec<usize>,
}

/// The violation that turns of an unrolled program show, told in the program as it was.
pub fn confirm(
    original: &Program,
    unrolled: &Program,
    config: interp::Config,
    turns: &[ThreadTurn],
    goal: &Goal,
) -> Result<Violation, String> {
    let config = interp::Config { eager_inputs: true, ..config };
    let interp = Interp::new(unrolled, config).map_err(|e| e.what)?;
    let schedule = schedule(&interp, turns, goal)?;
    match lift::lift(original, &interp, &schedule, goal) {
        Ok(violation) => Ok(violation),
        Err(why) => {
            log::info!("told in the unrolled program, since {why}");
            let mut violation = confirm::tell(&interp, &schedule, goal)?;
            violation.run.iter_mut().for_each(|run| run.form = Form::Unrolled);
            Ok(violation)
        }
    }
}

/// The single steps of all turns, and what is left to do until threads wait.
fn schedule(
    interp: &Interp<'_>,
    turns: &[ThreadTurn],
    goal: &Goal,
) -> Result<Vec<ScheduleStep>, String> {
    let mut walker = TurnWalker {
        interp,
        state: interp.initial(),
        tids: FxHashMap::from_iter([(0, Tid::FIRST)]),
        steps: Vec::new(),
    };
    for turn in turns {
        walker.turn(turn)?;
    }
    if matches!(goal, Goal::Deadlock) {
        walker.wait();
    }
    Ok(walker.steps)
}

struct TurnWalker<'a> {
    interp: &'a Interp<'a>,
    state: State,
    tids: FxHashMap<usize, Tid>,
    steps: Vec<ScheduleStep>,
}

impl TurnWalker<'_> {
    fn turn(&mut self, turn: &ThreadTurn) -> Result<(), String> {
        let Some(&thread) = self.tids.get(&turn.thread) else {
            return Err("a thread goes on that was not started".into());
        };
        let mut values = turn.values.iter().copied().collect();
        let mut fails = turn.fails.iter().copied().collect();
        let mut starts = turn.starts.iter();
        let mut done = 0;
        while done < turn.length {
            let mut heard = TurnEffects::default();
            match self.step(thread, &mut values, &mut fails, &mut heard) {
                StepResult::Ran => {}
                StepResult::Ended
                | StepResult::Violation(_)
                | StepResult::ProcessEnded
                | StepResult::Stopped { .. } => done = turn.length,
                other => return Err(format!("thread {} stops: {other:?}", thread.0)),
            }
            done += heard.instructions;
            for (tid, number) in heard.started.into_iter().zip(&mut starts) {
                self.tids.insert(*number, tid);
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        thread: Tid,
        values: &mut VecDeque<u64>,
        fails: &mut VecDeque<bool>,
        heard: &mut TurnEffects,
    ) -> StepResult {
        let mut tape = TurnTape { values, fails, given: Vec::new() };
        let result = self.interp.step(&mut self.state, thread, &mut tape, heard);
        if result != StepResult::Blocked {
            self.steps.push(ScheduleStep { thread, answers: tape.given });
        }
        result
    }

    /// Lets all threads run to where they wait: what they do before is their own.
    fn wait(&mut self) {
        let mut moved = true;
        while std::mem::take(&mut moved) {
            let running: Vec<Tid> = self.state.running().collect();
            for thread in running {
                let (mut values, mut fails) = Default::default();
                let mut steps_left = 0..10_000;
                while steps_left.next().is_some() {
                    let mut heard = TurnEffects::default();
                    if self.step(thread, &mut values, &mut fails, &mut heard) != StepResult::Ran {
                        break;
                    }
                    moved = true;
                }
            }
        }
    }
}

struct TurnTape<'a> {
    values: &'a mut VecDeque<u64>,
    fails: &'a mut VecDeque<bool>,
    given: Vec<u64>,
}

impl Inputs for TurnTape<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        let answer = match &choice.kind {
            ChoiceKind::AllocFails => u64::from(self.fails.pop_front().unwrap_or(false)),
            ChoiceKind::Value { domain, .. } => {
                let first = choice.answer(0);
                let wanted = self.values.pop_front().filter(|bits| domain.contains_bits(*bits));
                wanted.unwrap_or(first)
            }
            ChoiceKind::Split { .. } => choice.answer(0),
        };
        self.given.push(answer);
        Some(answer)
    }
}

/// What a step did.
#[derive(Default)]
struct TurnEffects {
    instructions: usize,
    started: Vec<Tid>,
}

impl Observer for TurnEffects {
    fn instruction(&mut self, _: &State, _: Tid, _: FuncId, _: Span) {
        self.instructions += 1;
    }

    fn spawn(&mut self, _: &State, _: Tid, child: Tid, _: FuncId, _: Span) {
        self.started.push(child);
    }

    fn symbol(&mut self, _: Tid, _: &About, _: &Domain) {}
}
