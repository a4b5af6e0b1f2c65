//! The same execution in the program as it was written.
//!
//! An engine's schedule belongs to a program that our passes have made smaller: loads that nobody
//! needs are gone, loops that only wait are one step. A compiler's program has all of that. So the
//! schedule is walked in both forms side by side: whenever a thread does something in the one that
//! others can notice, it is stepped in the other until it has done the same, and may do more on the
//! way (loads that were found useless, locals that live in registers over there).
//!
//! That the violation shows up at the end is the proof that the walk was right.

use crate::engine::explore::confirm::Goal;
use frontend::ir::{FuncId, Span};
use frontend::types::Scalar;
use interp::{
    About, Access, Choice, ChoiceKind, Domain, Inputs, Interp, Observer, Recorded, ScheduleStep,
    State, StepResult, Tid, Value,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::VecDeque;

/// Steps of one thread in search of one deed.
const PATIENCE: usize = 200_000;

/// Something that others can notice. By line and column, since two forms of a program may number
/// their files differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Deed {
    Reads(u32, u32),
    Writes(u32, u32),
    Starts,
    Joins,
    Ends,
}

impl Deed {
    fn is_read(self) -> bool {
        matches!(self, Deed::Reads(..))
    }
}

#[derive(Default)]
struct Done {
    deeds: Vec<Deed>,
    born: Vec<(u64, Span)>,
    narrowed: Vec<(u64, Domain)>,
}

impl Observer for Done {
    fn access(&mut self, _: &State, _: Tid, access: &Access, _: Scalar, _: Value) {
        let deed = if access.write { Deed::Writes } else { Deed::Reads };
        self.deeds.push(deed(access.span.line, access.span.column));
    }

    fn spawn(&mut self, _: &State, _: Tid, _: Tid, _: FuncId, _: Span) {
        self.deeds.push(Deed::Starts);
    }

    fn join(&mut self, _: Tid, _: Tid, _: Span) {
        self.deeds.push(Deed::Joins);
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

/// A schedule of `written` that does what `schedule` does in `given`.
pub fn walk(
    given: &Interp<'_>,
    schedule: &[ScheduleStep],
    written: &Interp<'_>,
    goal: &Goal,
) -> Result<Vec<ScheduleStep>, String> {
    let (deeds, inputs, allocations) = deeds(given, schedule)?;
    let answers = RefCell::new(Answers { inputs, allocations, ..Answers::default() });
    let mut walker = Walker {
        interp: written,
        state: written.initial(),
        answers,
        steps: Vec::new(),
        violated: false,
    };
    for (thread, wanted) in deeds {
        walker.until(thread, &wanted)?;
    }
    match goal {
        Goal::Violation { .. } => {
            let last = schedule.last().map_or(Tid::FIRST, |step| step.thread);
            walker.violate(last)?;
        }
        Goal::Deadlock => walker.run_dry()?,
        Goal::Race(..) => {}
    }
    Ok(walker.steps)
}

type Deeds = Vec<(Tid, Vec<Deed>)>;
/// Values of symbols, by thread and place, in order of birth.
type Values = FxHashMap<(Tid, u32, u32), VecDeque<u64>>;

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
        if state.status_of(step.thread).is_none() {
            return Err("the schedule names a thread that does not exist".into());
        }
        let mut done = Done::default();
        let list = Recorded::new(step.answers.iter().copied());
        let mut inputs = Listen { list, allocations: &mut allocations };
        let result = interp.step(&mut state, step.thread, &mut inputs, &mut done);
        if let StepResult::Refused { .. } | StepResult::Unsupported { .. } = result {
            return Err(format!("the schedule does not fit: {result:?}"));
        }
        born.extend(done.born.iter().map(|&(serial, span)| (step.thread, serial, span)));
        domains.extend(done.narrowed);
        if !done.deeds.is_empty() && result != StepResult::Blocked {
            deeds.push((step.thread, done.deeds));
        }
    }
    let mut values = Values::default();
    for (thread, serial, span) in born {
        let bits = domains.get(&serial).map_or(0, |d| nearest_to_zero(d) as u64);
        values.entry((thread, span.line, span.column)).or_default().push_back(bits);
    }
    Ok((deeds, values, allocations))
}

/// Small numbers are easier to read, and what was never written is mostly zero.
fn nearest_to_zero(domain: &Domain) -> i128 {
    let ends = domain.intervals().iter().map(|&(lo, hi)| 0.clamp(lo, hi));
    ends.min_by_key(|v: &i128| v.unsigned_abs()).unwrap_or(0)
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
    /// The violation came with the last deed: the step that shows it may also do something.
    violated: bool,
}

#[derive(Clone, Default)]
struct Answers {
    inputs: Values,
    allocations: VecDeque<u64>,
    /// By serial.
    symbols: FxHashMap<u64, u64>,
    given: Vec<u64>,
}

impl Walker<'_> {
    /// Steps a thread until it has done these deeds, perhaps in several steps.
    fn until(&mut self, thread: Tid, wanted: &[Deed]) -> Result<(), String> {
        let mut left = wanted;
        for _ in 0..PATIENCE {
            let before = (self.state.clone(), self.answers.borrow().clone());
            let (result, deeds) = self.step(thread);
            match result {
                StepResult::Ran | StepResult::Ended | StepResult::ProcessEnded => {}
                StepResult::Stopped { .. } => {}
                StepResult::Violation(_) => {
                    self.violated = true;
                    return Ok(());
                }
                other => return Err(format!("thread {} stops: {other:?}", thread.0)),
            }
            let rest = consume(left, &deeds);
            if rest.len() < left.len() {
                left = rest;
            } else if !deeds.is_empty() && left.len() < wanted.len() {
                // It has done part of it and goes on with something else.
                if left.iter().all(|d| d.is_read()) {
                    (self.state, *self.answers.borrow_mut()) = before;
                    self.steps.pop();
                    return Ok(());
                }
            }
            if left.is_empty() {
                return Ok(());
            }
            if self.state.status_of(thread) != Some(interp::Status::Running) {
                return Err(format!("thread {} is at its end before {left:?}", thread.0));
            }
        }
        Err(format!("thread {} does not come to {left:?}", thread.0))
    }

    fn violate(&mut self, thread: Tid) -> Result<(), String> {
        for _ in 0..PATIENCE {
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
        let threads: Vec<Tid> = self.state.running().collect();
        for thread in threads {
            for _ in 0..PATIENCE {
                match self.step(thread).0 {
                    StepResult::Ran => {}
                    StepResult::Blocked => break,
                    other => return Err(format!("thread {} stops: {other:?}", thread.0)),
                }
            }
        }
        match self.interp.deadlocked(&self.state) {
            true => Ok(()),
            false => Err("the deadlock is not reached".into()),
        }
    }

    fn step(&mut self, thread: Tid) -> (StepResult, Vec<Deed>) {
        let mut inputs = Given(&self.answers);
        let mut watch = (Done::default(), Watch(&self.answers));
        let result = self.interp.step(&mut self.state, thread, &mut inputs, &mut watch);
        let answers = std::mem::take(&mut self.answers.borrow_mut().given);
        if result == StepResult::Blocked {
            return (result, Vec::new());
        }
        self.steps.push(ScheduleStep { thread, answers });
        (result, watch.0.deeds)
    }
}

/// What is left of `wanted` after these deeds.
fn consume<'w>(wanted: &'w [Deed], deeds: &[Deed]) -> &'w [Deed] {
    let mut left = wanted;
    for deed in deeds {
        if let Some(at) = left.iter().position(|d| d == deed)
            && left[..at].iter().all(|d| d.is_read())
        {
            left = &left[at + 1..];
        }
    }
    left
}

struct Watch<'a>(&'a RefCell<Answers>);

impl Observer for Watch<'_> {
    fn symbol(&mut self, thread: Tid, about: &About, domain: &Domain) {
        let mut answers = self.0.borrow_mut();
        let key = (thread, about.span.line, about.span.column);
        let next = answers.inputs.get_mut(&key).and_then(VecDeque::pop_front);
        let value = next.unwrap_or_else(|| nearest_to_zero(domain) as u64);
        answers.symbols.insert(about.serial, value);
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
                parts.iter().position(|part| part.contains_bits(bits)).unwrap_or(0) as u64
            }
        };
        answers.given.push(answer);
        Some(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeds_are_consumed_in_order_and_only_reads_are_skipped() {
        let (r1, r2, w) = (Deed::Reads(1, 1), Deed::Reads(1, 5), Deed::Writes(2, 1));
        assert_eq!(consume(&[r1, r2, w], &[r1]), [r2, w]);
        assert_eq!(consume(&[r1, r2, w], &[w]), []);
        assert_eq!(consume(&[w, r1], &[r1]), [w, r1]);
        assert_eq!(consume(&[r1, w], &[Deed::Reads(9, 9), r1, w]), []);
    }
}
