//! The same execution in the program before unrolling.
//!
//! Unrolling puts the inside of library models into the user's functions, where a trace would show
//! it, and gives one loop many copies. So a schedule of the unrolled program is walked once more in
//! the original, side by side: whenever a thread touches memory, starts, joins or ends in the one,
//! it is stepped in the other until it has done the same there. Between two such deeds the original
//! may take more steps (calls, returns, jumps) or make loads that the unrolled one has found useless.
//!
//! That the violation shows up in the original, too, also tells that unrolling did no harm.

use super::round::Unrolled;
use crate::engine::Violation;
use crate::engine::explore::confirm::{self, Goal};
use frontend::ir::{FuncId, Span};
use frontend::types::Scalar;
use interp::{
    About, Access, Choice, ChoiceKind, Domain, Inputs, Interp, Observer, RaceMonitor, Recorded,
    ScheduleStep, State, StepResult, Tid, Value,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::VecDeque;

/// Steps without a deed.
const PATIENCE: usize = 1_000_000;

/// Something that others can notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Deed {
    Reads(Span),
    Writes(Span),
    Starts(Span),
    Joins(Span),
    Ends,
}

/// What a step did.
#[derive(Default)]
struct Done {
    deeds: Vec<Deed>,
    /// Where symbols were born.
    born: Vec<(u64, Span)>,
    /// What is known about symbols now.
    narrowed: Vec<(u64, Domain)>,
}

impl Observer for Done {
    fn access(&mut self, _: &State, _: Tid, access: &Access, _: Scalar, _: Value) {
        let deed = if access.write { Deed::Writes } else { Deed::Reads };
        self.deeds.push(deed(access.span));
    }

    fn spawn(&mut self, _: &State, _: Tid, _: Tid, _: FuncId, span: Span) {
        self.deeds.push(Deed::Starts(span));
    }

    fn join(&mut self, _: Tid, _: Tid, span: Span) {
        self.deeds.push(Deed::Joins(span));
    }

    fn thread_end(&mut self, _: &State, _: Tid, _: Value, _: Span) {
        self.deeds.push(Deed::Ends);
    }

    fn symbol(&mut self, _: Tid, about: &About, domain: &Domain) {
        self.born.push((about.serial, about.span));
        self.narrowed.push((about.serial, domain.clone()));
    }

    fn narrowed(&mut self, _: Tid, about: &About, domain: &Domain) {
        self.narrowed.push((about.serial, domain.clone()));
    }
}

/// The violation as the original program shows it.
pub fn retell(
    unrolled: Unrolled<'_>,
    interp: &Interp<'_>,
    schedule: &[ScheduleStep],
    goal: &Goal,
) -> Result<Violation, String> {
    let original = Interp::new(unrolled.original, interp.config.clone()).map_err(|e| e.what)?;
    let (deeds, inputs, allocations) = deeds(interp, schedule)?;
    let mut walker = Walker {
        interp: &original,
        state: original.initial(),
        answers: RefCell::new(Answers { inputs, allocations, ..Answers::default() }),
        steps: Vec::new(),
        monitor: RaceMonitor::new(),
    };
    for (thread, wanted) in deeds {
        walker.until(thread, &wanted)?;
    }
    let last = schedule.last().map_or(Tid::FIRST, |step| step.thread);
    match goal {
        Goal::Race(..) => walker.race(last)?,
        _ => walker.violate(last)?,
    }
    confirm::tell(&original, &walker.steps, goal)
}

/// The steps of the unrolled program that somebody can notice.
type Deeds = Vec<(Tid, Vec<Deed>)>;
/// Values of symbols, by thread and place, in order of birth.
type Values = FxHashMap<(Tid, Span), VecDeque<u64>>;

fn deeds(
    interp: &Interp<'_>,
    schedule: &[ScheduleStep],
) -> Result<(Deeds, Values, VecDeque<u64>), String> {
    let mut state = interp.initial();
    let mut deeds = Deeds::new();
    let mut born: Vec<(Tid, u64, Span)> = Vec::new();
    let mut domains: FxHashMap<u64, Domain> = FxHashMap::default();
    let mut allocations = VecDeque::new();
    for step in schedule {
        let mut done = Done::default();
        let list = Recorded::new(step.answers.iter().copied());
        let mut inputs = Listen { list, allocations: &mut allocations };
        interp.step(&mut state, step.thread, &mut inputs, &mut done);
        born.extend(done.born.iter().map(|&(serial, span)| (step.thread, serial, span)));
        domains.extend(done.narrowed);
        if !done.deeds.is_empty() {
            deeds.push((step.thread, done.deeds));
        }
    }
    let mut values = Values::default();
    for (thread, serial, span) in born {
        let bits = domains.get(&serial).and_then(|d| d.nth(0)).unwrap_or(0);
        values.entry((thread, span)).or_default().push_back(bits);
    }
    Ok((deeds, values, allocations))
}

/// Recorded answers; keeps those about allocations.
struct Listen<'a> {
    list: Recorded,
    allocations: &'a mut VecDeque<u64>,
}

impl Inputs for Listen<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        let answer = self.list.choose(choice)?;
        if matches!(choice.kind, ChoiceKind::AllocFails) {
            self.allocations.push_back(answer);
        }
        Some(answer)
    }
}

struct Walker<'a> {
    interp: &'a Interp<'a>,
    state: State,
    answers: RefCell<Answers>,
    steps: Vec<ScheduleStep>,
    monitor: RaceMonitor,
}

#[derive(Default)]
struct Answers {
    inputs: Values,
    allocations: VecDeque<u64>,
    /// By serial.
    symbols: FxHashMap<u64, u64>,
    given: Vec<u64>,
}

impl Walker<'_> {
    /// Steps a thread until it has done these deeds.
    fn until(&mut self, thread: Tid, wanted: &[Deed]) -> Result<(), String> {
        for _ in 0..PATIENCE {
            let (result, deeds) = self.step(thread);
            match result {
                StepResult::Ran | StepResult::Ended => {}
                other => return Err(format!("thread {} stops: {other:?}", thread.0)),
            }
            if contains(&deeds, wanted) {
                return Ok(());
            }
            if deeds.iter().any(|d| !matches!(d, Deed::Reads(_))) {
                return Err(format!("thread {} did {deeds:?} instead of {wanted:?}", thread.0));
            }
        }
        Err(format!("thread {} does not come to {wanted:?}", thread.0))
    }

    fn violate(&mut self, thread: Tid) -> Result<(), String> {
        for _ in 0..PATIENCE {
            match self.step(thread).0 {
                StepResult::Ran => {}
                StepResult::Violation(_) => return Ok(()),
                other => return Err(format!("thread {} stops: {other:?}", thread.0)),
            }
        }
        Err("the violation is not reached".into())
    }

    /// The end of an object is no deed: it may still be missing.
    fn race(&mut self, thread: Tid) -> Result<(), String> {
        for _ in 0..PATIENCE {
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

    fn step(&mut self, thread: Tid) -> (StepResult, Vec<Deed>) {
        let mut inputs = Given(&self.answers);
        let mut watch = (Done::default(), (Watch(&self.answers), &mut self.monitor));
        let result = self.interp.step(&mut self.state, thread, &mut inputs, &mut watch);
        let answers = std::mem::take(&mut self.answers.borrow_mut().given);
        if result != StepResult::Blocked {
            self.steps.push(ScheduleStep { thread, answers });
        }
        (result, watch.0.deeds)
    }
}

/// Are these among the deeds, in this order, with nothing but loads between?
fn contains(deeds: &[Deed], wanted: &[Deed]) -> bool {
    let mut wanted = wanted.iter().peekable();
    for deed in deeds {
        if wanted.peek() == Some(&deed) {
            wanted.next();
        } else if !matches!(deed, Deed::Reads(_)) {
            return false;
        }
    }
    wanted.peek().is_none()
}

struct Watch<'a>(&'a RefCell<Answers>);

impl Observer for Watch<'_> {
    fn symbol(&mut self, thread: Tid, about: &About, _: &Domain) {
        let mut answers = self.0.borrow_mut();
        let next = answers.inputs.get_mut(&(thread, about.span)).and_then(VecDeque::pop_front);
        answers.symbols.insert(about.serial, next.unwrap_or(0));
    }
}

struct Given<'a>(&'a RefCell<Answers>);

impl Inputs for Given<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        let mut answers = self.0.borrow_mut();
        let bits = |about: &About| answers.symbols.get(&about.serial).copied().unwrap_or(0);
        let answer = match &choice.kind {
            ChoiceKind::AllocFails => answers.allocations.pop_front().unwrap_or(0),
            ChoiceKind::Value { symbol, .. } => bits(symbol),
            ChoiceKind::Split { symbol, parts } => {
                let bits = bits(symbol);
                parts.iter().position(|part| part.contains_bits(bits))? as u64
            }
        };
        answers.given.push(answer);
        Some(answer)
    }
}
