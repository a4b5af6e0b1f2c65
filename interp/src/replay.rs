//! Runs a recorded schedule again and tells what happened.
//!
//! Twice: the first run takes the recorded answers and finds out what was decided about every
//! symbol in the end; the second chooses such a value for each as soon as it appears, so that the
//! reader sees numbers throughout. The verdict is the first run's.

use crate::choice::{About, Choice, ChoiceKind, Inputs, Recorded};
use crate::observe::Observer;
use crate::race::{Race, RaceMonitor};
use crate::state::State;
use crate::step::{Config, Interp, StepResult};
use crate::symbol::Domain;
use crate::trace::{Trace, TraceStep};
use crate::value::{Tid, Value};
use ir::{FuncId, Program, Span};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

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
    let run = |eager_inputs, answers: &mut Answers| {
        let config = Config { eager_inputs, ..config.clone() };
        match Interp::new(program, config) {
            Ok(interp) => run_schedule(&interp, schedule, races, answers),
            Err(e) => Replay::failed(e.what),
        }
    };
    let mut facts = Facts::default();
    let first = run(false, &mut Answers::Recorded(&mut facts));
    let mut chosen = facts.choose();
    let second = run(true, &mut Answers::Chosen(&mut chosen));
    if second.agrees_with(&first) {
        return Replay { result: first.result, ..second };
    }
    // Cannot happen as long as deciding late and early mean the same; then with open values.
    first
}

/// The values that a schedule gives to symbols, for a run with `eager_inputs`.
pub fn values(interp: &Interp<'_>, schedule: &[ScheduleStep]) -> Chosen {
    let mut facts = Facts::default();
    run_schedule(interp, schedule, false, &mut Answers::Recorded(&mut facts));
    facts.choose()
}

impl Replay {
    fn failed(what: String) -> Replay {
        Replay {
            result: Err(what),
            race: None,
            deadlock: false,
            trace: vec![],
            inputs: vec![],
            assumed: vec![],
        }
    }

    fn agrees_with(&self, other: &Replay) -> bool {
        // A step that only decides something about an old symbol is none with values known.
        let quiet =
            |r: &Result<StepResult, String>| matches!(r, Ok(StepResult::Ran | StepResult::Blocked));
        (self.result == other.result || quiet(&self.result) && quiet(&other.result))
            && self.race.is_some() == other.race.is_some()
            && self.deadlock == other.deadlock
    }
}

/// Who answers in the two runs.
enum Answers<'a> {
    Recorded(&'a mut Facts),
    Chosen(&'a mut Chosen),
}

fn run_schedule(
    interp: &Interp<'_>,
    schedule: &[ScheduleStep],
    races: bool,
    answers: &mut Answers<'_>,
) -> Replay {
    let mut state = interp.initial();
    let mut trace = Trace::new(interp);
    let mut monitor = RaceMonitor::of(interp.program);
    let mut result = Ok(StepResult::Ran);
    for step in schedule {
        if state.status_of(step.thread).is_none() {
            result =
                Err(format!("the schedule names thread {}, which does not exist", step.thread.0));
            break;
        }
        trace.begin_step();
        let observer = (&mut trace, &mut monitor);
        let done = one_step(interp, &mut state, step, answers, observer);
        let over = match &done {
            StepResult::Violation(_)
            | StepResult::Unsupported { .. }
            | StepResult::ProcessEnded => true,
            StepResult::Refused { .. } => {
                result = Err("the schedule has too few answers".into());
                break;
            }
            _ => false,
        };
        result = Ok(done);
        if over || (races && monitor.race().is_some()) {
            break;
        }
    }
    Replay {
        result,
        race: monitor.race().filter(|_| races).cloned(),
        deadlock: interp.deadlocked(&state),
        trace: trace.finished(),
        inputs: trace.inputs,
        assumed: trace.assumed,
    }
}

fn one_step(
    interp: &Interp<'_>,
    state: &mut State,
    step: &ScheduleStep,
    answers: &mut Answers<'_>,
    observer: (&mut Trace<'_, '_>, &mut RaceMonitor),
) -> StepResult {
    match answers {
        Answers::Recorded(facts) => {
            facts.born_before = state.created;
            let list = Recorded::new(step.answers.iter().copied());
            let mut inputs = Listen { list, allocations: Vec::new() };
            let result =
                interp.step(state, step.thread, &mut inputs, &mut (&mut **facts, observer));
            facts.allocations.extend(inputs.allocations);
            result
        }
        Answers::Chosen(chosen) => {
            let mut observer = observer;
            interp.step(state, step.thread, &mut **chosen, &mut observer)
        }
    }
}

/// What the first run found out.
#[derive(Default)]
struct Facts {
    /// By serial: what each symbol can be in the end.
    domains: FxHashMap<u64, Domain>,
    /// Answers to whether allocations fail.
    allocations: VecDeque<u64>,
    /// Serials from here on are of the running step.
    born_before: u64,
}

impl Facts {
    /// A value for each symbol: the one nearest to 0.
    fn choose(self) -> Chosen {
        let near = |(&serial, domain): (&u64, &Domain)| (serial, domain.nearest_to_zero());
        let values = self.domains.iter().map(near).collect();
        Chosen { values, allocations: self.allocations }
    }
}

impl Observer for Facts {
    fn symbol(&mut self, _: Tid, about: &About, domain: &Domain) {
        self.domains.insert(about.serial, domain.clone());
    }

    fn narrowed(&mut self, _: Tid, about: &About, domain: &Domain) {
        self.domains.insert(about.serial, domain.clone());
    }

    fn undone(&mut self, _: Tid) {
        let first = self.born_before;
        self.domains.retain(|&serial, _| serial < first);
    }
}

/// Gives recorded answers and keeps those about allocations.
struct Listen {
    list: Recorded,
    allocations: Vec<u64>,
}

impl Inputs for Listen {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        let answer = self.list.choose(choice)?;
        if matches!(choice.kind, ChoiceKind::AllocFails) {
            self.allocations.push(answer);
        }
        Some(answer)
    }
}

/// A value for every symbol, known from the start.
pub struct Chosen {
    values: FxHashMap<u64, i128>,
    allocations: VecDeque<u64>,
}

impl Inputs for Chosen {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        let value = |about: &About| self.values.get(&about.serial).copied().unwrap_or(0);
        match &choice.kind {
            ChoiceKind::Value { symbol, .. } => Some(value(symbol) as u64),
            ChoiceKind::Split { symbol, parts } => {
                let value = value(symbol);
                parts.iter().position(|p| p.contains(value)).map(|i| i as u64)
            }
            ChoiceKind::AllocFails => self.allocations.pop_front(),
        }
    }
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

/// How long a thread runs before the next one gets a turn.
const TURN: u64 = 1000;

/// Runs the threads in turns until the end, taking the first answer to every choice.
pub fn run(
    program: &Program,
    config: &Config,
    max_steps: u64,
    observer: &mut impl Observer,
) -> Outcome {
    let interp = match Interp::new(program, config.clone()) {
        Ok(interp) => interp,
        Err(e) => return Outcome::Failed(StepResult::Unsupported { what: e.what, span: e.span }),
    };
    let mut state = interp.initial();
    let (mut steps, mut cut) = (0, None);
    while steps < max_steps {
        let running: Vec<Tid> = state.running().collect();
        let before = steps;
        for thread in running {
            match turn(&interp, &mut state, thread, &mut steps, observer) {
                StepResult::ProcessEnded => {
                    return Outcome::Finished(state.exit_value().and_then(Value::int));
                }
                stop @ StepResult::Stopped { .. } => cut = Some(stop),
                StepResult::Ran | StepResult::Blocked | StepResult::Ended => {}
                failed => return Outcome::Failed(failed),
            }
        }
        if steps == before {
            return cut.map_or(Outcome::Deadlock, Outcome::Cut);
        }
        if state.running().next().is_none() {
            // The last thread has left by `pthread_exit`.
            return cut.map_or(Outcome::Finished(None), Outcome::Cut);
        }
    }
    Outcome::OutOfSteps
}

fn turn(
    interp: &Interp<'_>,
    state: &mut State,
    thread: Tid,
    steps: &mut u64,
    observer: &mut impl Observer,
) -> StepResult {
    for _ in 0..TURN {
        match interp.step(state, thread, &mut crate::choice::First, observer) {
            StepResult::Ran => *steps += 1,
            StepResult::Blocked => return StepResult::Blocked,
            other => {
                *steps += 1;
                return other;
            }
        }
    }
    StepResult::Ran
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;
    use ir::types::{Machine, Scalar};
    use ir::{AtomicKind, BinOp};

    fn step(thread: u32, answers: &[u64]) -> ScheduleStep {
        ScheduleStep { thread: Tid(thread), answers: answers.to_vec() }
    }

    /// `x = nondet(); g0 = x; if (g0 > 5) error();`
    fn guarded() -> Program {
        let mut f = FunctionBuilder::new("main");
        let (x, c) = (f.named("x"), f.reg());
        let (bad, good) = (f.block(), f.block());
        f.nondet(x, Scalar::I32).store(obj(0), reg(x)).load(c, obj(0));
        f.binary(c, BinOp::Gt, reg(c), int(5)).branch(reg(c), bad, good);
        f.at(bad).error().ret(None);
        f.at(good).ret(None);
        program(Machine::Lp64, 1, &[&f])
    }

    #[test]
    fn a_counterexample_is_told_with_values() {
        let schedule: Vec<_> =
            [&[][..], &[], &[], &[0], &[], &[]].iter().map(|a| step(1, a)).collect();
        let replay = replay(&guarded(), &Config::default(), &schedule, false);
        assert!(matches!(replay.result, Ok(StepResult::Violation(_))), "{replay:?}");
        let texts: Vec<_> = replay.trace.iter().map(|s| s.event.to_string()).collect();
        assert_eq!(texts, ["nondet() gives 6", "x = 6", "g0 = 6", "reads g0 == 6"]);
        assert_eq!(replay.inputs[0].1, "6");
    }

    #[test]
    fn a_schedule_that_does_not_fit_is_an_error() {
        let program = guarded();
        let config = Config::default();
        assert!(replay(&program, &config, &[step(2, &[])], false).result.is_err());
        let short: Vec<_> = (0..4).map(|_| step(1, &[])).collect();
        assert!(replay(&program, &config, &short, false).result.is_err());
    }

    /// Two threads that increment g0 under a lock in g1 (or without it).
    fn increments(locked: bool) -> Program {
        let (mut main, mut child) = (FunctionBuilder::new("main"), FunctionBuilder::new("child"));
        let (t, x) = (main.typed(Scalar::U64), main.reg());
        let body = |f: &mut FunctionBuilder, x| {
            use ir::{InstKind, MemoryOrder::*};
            if locked {
                f.begin(AtomicKind::Internal).load_as(x, obj(1), Scalar::I32, Acquire);
                f.binary(x, BinOp::Eq, reg(x), int(0)).inst(InstKind::Wait(reg(x)));
                f.store_as(obj(1), int(1), Scalar::I32, Relaxed).finish();
            }
            f.load(x, obj(0)).binary(x, BinOp::Add, reg(x), int(1)).store(obj(0), reg(x));
            if locked {
                f.store_as(obj(1), int(0), Scalar::I32, Release);
            }
        };
        main.spawn(t, 1, int(0));
        body(&mut main, x);
        main.join(t, reg(t)).load(x, obj(0)).ret(Some(reg(x)));
        let y = child.reg();
        body(&mut child, y);
        child.ret(Some(int(0)));
        program(Machine::Ilp32, 2, &[&main, &child])
    }

    #[test]
    fn races_are_found_in_a_replay_and_locks_prevent_them() {
        let config = Config::default();
        let unlocked: Vec<_> = [1, 1, 1, 1, 2, 2, 2].map(|t| step(t, &[])).into();
        let found = replay(&increments(false), &config, &unlocked, true);
        let race = found.race.expect("a race");
        assert_eq!((race.first.0, race.second.0), (Tid(1), Tid(2)));
        // The second thread is blocked between.
        let locked: Vec<_> = [1, 1, 2, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2].map(|t| step(t, &[])).into();
        let none = replay(&increments(true), &config, &locked, true);
        assert!(none.race.is_none() && none.result == Ok(StepResult::Ended), "{none:?}");
    }

    #[test]
    fn running_to_the_end_gives_the_exit_value() {
        assert_eq!(
            run(&increments(true), &Config::default(), 1000, &mut ()),
            Outcome::Finished(Some(2))
        );
        assert_eq!(run(&increments(true), &Config::default(), 3, &mut ()), Outcome::OutOfSteps);
    }

    #[test]
    fn running_into_a_deadlock_says_so() {
        let mut f = FunctionBuilder::new("main");
        f.inst(ir::InstKind::Wait(int(0))).ret(None);
        let p = program(Machine::Lp64, 0, &[&f]);
        assert_eq!(run(&p, &Config::default(), 1000, &mut ()), Outcome::Deadlock);
    }
}
