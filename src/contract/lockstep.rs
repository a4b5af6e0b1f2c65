//! One execution in two forms of a program, walked side by side.
//!
//! Passes change what a program looks like, but not what threads do to each other. So a schedule of
//! one form is read as actions that others can notice, and a thread of the other form is stepped until
//! it has done the same, with the same inputs. How strictly actions are compared is the business of
//! those who walk (`bmc/follow`, `output/replay/walk.rs`); the violation at the end is the proof
//! that the walk was right.

use interp::{
    About, Access, Choice, ChoiceKind, Death, Domain, Inputs, Interp, ObjKey, Observer, Recorded,
    ScheduleStep, State, StepResult, Tid, Value,
};
use ir::types::Scalar;
use ir::{At, FuncId, Span};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::VecDeque;

/// What makes two instructions of two forms the same one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identity {
    /// Passes have made one form from the other: the instruction's number.
    Number,
    /// The text was lowered twice, with other sources beside it: line and column, since files may be
    /// numbered differently.
    Place,
}

/// An instruction, by an `Identity`.
pub type Spot = (u32, u32);

impl Identity {
    fn spot(self, at: At) -> Spot {
        match self {
            Identity::Number => (at.id.0, 0),
            Identity::Place => (at.span.line, at.span.column),
        }
    }
}

/// Something that others can notice, by the instruction that does it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VisibleAction {
    Reads(Spot),
    Writes(Spot),
    /// A block is freed. (Locals that end may live in registers in the other form.)
    Frees(Spot),
    Starts,
    Joins,
    Ends,
}

impl VisibleAction {
    pub fn is_read(self) -> bool {
        matches!(self, VisibleAction::Reads(_))
    }
}

/// What a step did.
struct StepEffect {
    identity: Identity,
    actions: Vec<VisibleAction>,
    /// Where symbols were born.
    born: Vec<(u64, At)>,
    /// What is known about symbols now.
    narrowed: Vec<(u64, Domain)>,
}

impl StepEffect {
    fn new(identity: Identity) -> StepEffect {
        StepEffect { identity, actions: Vec::new(), born: Vec::new(), narrowed: Vec::new() }
    }
}

impl Observer for StepEffect {
    fn access(&mut self, _: &State, _: Tid, access: &Access, _: Scalar, _: Value) {
        let action = if access.write { VisibleAction::Writes } else { VisibleAction::Reads };
        self.actions.push(action(self.identity.spot(access.at())));
    }

    fn spawn(&mut self, _: &State, _: Tid, _: Tid, _: FuncId, _: Span) {
        self.actions.push(VisibleAction::Starts);
    }

    fn join(&mut self, _: Tid, _: Tid, _: Span) {
        self.actions.push(VisibleAction::Joins);
    }

    fn thread_end(&mut self, _: &State, _: Tid, _: Value, _: Span) {
        self.actions.push(VisibleAction::Ends);
    }

    fn died(&mut self, _: &State, _: Tid, _: ObjKey, _: u64, _: bool, why: Death, at: At) {
        if why == Death::Freed {
            self.actions.push(VisibleAction::Frees(self.identity.spot(at)));
        }
    }

    fn symbol(&mut self, _: Tid, about: &About, domain: &Domain) {
        self.born.push((about.serial, about.at));
        self.narrowed.push((about.serial, domain.clone()));
    }

    fn narrowed(&mut self, _: Tid, about: &About, domain: &Domain) {
        self.narrowed.push((about.serial, domain.clone()));
    }
}

/// What a schedule does, and the answers that it was given.
pub struct Account {
    /// The steps that somebody can notice.
    pub actions: Vec<(Tid, Vec<VisibleAction>)>,
    answers: RecordedAnswers,
    identity: Identity,
}

/// Needs: a schedule of the interpreter's program.
pub fn account(
    interp: &Interp<'_>,
    schedule: &[ScheduleStep],
    identity: Identity,
) -> Result<Account, String> {
    let mut state = interp.initial();
    let mut actions = Vec::new();
    let mut born: Vec<(Tid, u64, At)> = Vec::new();
    let mut domains: FxHashMap<u64, Domain> = FxHashMap::default();
    let mut answers = RecordedAnswers::default();
    for step in schedule {
        if state.status_of(step.thread).is_none() {
            return Err("the schedule names a thread that does not exist".into());
        }
        let mut done = StepEffect::new(identity);
        let list = Recorded::new(step.answers.iter().copied());
        let mut inputs = AllocationListener { list, allocations: &mut answers.allocations };
        let result = interp.step(&mut state, step.thread, &mut inputs, &mut done);
        if let StepResult::Refused { .. } | StepResult::Unsupported { .. } = result {
            return Err(format!("the schedule does not fit: {result:?}"));
        }
        born.extend(done.born.iter().map(|&(serial, at)| (step.thread, serial, at)));
        domains.extend(done.narrowed);
        if !done.actions.is_empty() && result != StepResult::Blocked {
            actions.push((step.thread, done.actions));
        }
    }
    // The arguments of the first function are older than any step, and the first symbols in any form.
    let entry = &interp.program.functions[interp.program.entry.index()];
    for serial in 0..entry.params.len() as u64 {
        if let Some(domain) = domains.get(&serial) {
            answers.symbols.insert(serial, domain.nearest_to_zero_bits());
        }
    }
    for (thread, serial, at) in born {
        let bits = domains.get(&serial).map_or(0, Domain::nearest_to_zero_bits);
        answers.inputs.entry((thread, identity.spot(at))).or_default().push_back(bits);
    }
    Ok(Account { actions, answers, identity })
}

/// Recorded answers; keeps those about allocations.
struct AllocationListener<'a> {
    list: Recorded,
    allocations: &'a mut VecDeque<u64>,
}

impl Inputs for AllocationListener<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        let answer = self.list.choose(choice)?;
        if matches!(choice.kind, ChoiceKind::AllocFails) {
            self.allocations.push_back(answer);
        }
        Some(answer)
    }
}

#[derive(Clone, Default)]
struct RecordedAnswers {
    /// Values of symbols, by thread and place, in order of birth.
    inputs: FxHashMap<(Tid, Spot), VecDeque<u64>>,
    allocations: VecDeque<u64>,
    /// By serial, once they are born.
    symbols: FxHashMap<u64, u64>,
    /// Those of the running step.
    given: Vec<u64>,
}

/// The other form of the program, stepped with the answers of an account.
pub struct Stepper<'a> {
    pub interp: &'a Interp<'a>,
    pub state: State,
    pub steps: Vec<ScheduleStep>,
    answers: RefCell<RecordedAnswers>,
    identity: Identity,
}

/// Where a stepper was.
pub struct StepperMark {
    state: State,
    answers: RecordedAnswers,
    steps: usize,
}

impl<'a> Stepper<'a> {
    /// Gives the actions back, which are to be done again.
    pub fn new(interp: &'a Interp<'a>, account: Account) -> (Self, Vec<(Tid, Vec<VisibleAction>)>) {
        let Account { actions, answers, identity } = account;
        let (state, answers) = (interp.initial(), RefCell::new(answers));
        (Stepper { interp, state, steps: Vec::new(), answers, identity }, actions)
    }

    /// One step, recorded unless the thread is blocked.
    pub fn step(
        &mut self,
        thread: Tid,
        also: &mut impl Observer,
    ) -> (StepResult, Vec<VisibleAction>) {
        let mut inputs = LockstepAnswers(&self.answers);
        let births = LockstepWatch { answers: &self.answers, identity: self.identity };
        let mut watch = (StepEffect::new(self.identity), (births, also));
        let result = self.interp.step(&mut self.state, thread, &mut inputs, &mut watch);
        let answers = std::mem::take(&mut self.answers.borrow_mut().given);
        if result == StepResult::Blocked {
            return (result, Vec::new());
        }
        self.steps.push(ScheduleStep { thread, answers });
        (result, watch.0.actions)
    }

    pub fn mark(&self) -> StepperMark {
        let answers = self.answers.borrow().clone();
        StepperMark { state: self.state.clone(), answers, steps: self.steps.len() }
    }

    pub fn back_to(&mut self, mark: StepperMark) {
        self.state = mark.state;
        *self.answers.borrow_mut() = mark.answers;
        self.steps.truncate(mark.steps);
    }
}

struct LockstepWatch<'a> {
    answers: &'a RefCell<RecordedAnswers>,
    identity: Identity,
}

impl Observer for LockstepWatch<'_> {
    fn symbol(&mut self, thread: Tid, about: &About, domain: &Domain) {
        let mut answers = self.answers.borrow_mut();
        let key = (thread, self.identity.spot(about.at));
        let next = answers.inputs.get_mut(&key).and_then(VecDeque::pop_front);
        let bits = next.unwrap_or_else(|| domain.nearest_to_zero_bits());
        answers.symbols.insert(about.serial, bits);
    }
}

struct LockstepAnswers<'a>(&'a RefCell<RecordedAnswers>);

impl Inputs for LockstepAnswers<'_> {
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
