//! All executions of a test that a model allows.
//!
//! For each combination of runs of the threads: per place all choices of rf and co
//! (`coherence.rs`), then their product, place by place. After each place the model is asked
//! whether an axiom is already violated that only gets worse (`Evaluation::is_hopeless`): a part of
//! rf and co that is inconsistent under monotone axioms has no consistent completion. A complete
//! choice is judged by all axioms.
//!
//! A test with too many executions for that is asked again with its goal in mind: only runs and
//! coherence orders that agree with the condition, until one execution is found. That gives the
//! verdict, but neither states nor counts (`Outcome::complete`).
//!
//! Invariant: every execution that the model allows is visited exactly once; pruning uses only what the
//! model's axioms justify.

use crate::coherence::{Choice, choices};
use crate::condition::{Item, Quantifier, same};
use crate::domain::{Memory, all_runs};
use crate::error::{Error, TOO_MANY_CANDIDATES};
use crate::execution::{Skeleton, skeleton};
use crate::ir::{Arch, Test};
use crate::picture::{Picture, Shown, picture};
use crate::print::state_line;
use crate::trace::{Budget, Kind, Runs, Trace};
use crate::value::{Location, Value};
use cat::{Evaluation, EventSet, Model, Relation};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Instant;

/// Executions and parts of them before only the verdict is asked for.
const COMPLETE: u64 = 40_000;
/// Combinations of runs before the complete enumeration is not even tried.
const TOO_MANY: f64 = 200_000.0;

/// Combinations of shapes of which it is asked whether a flag can be raised.
const MAX_SHAPES: f64 = 200.0;
/// Candidates that are looked at for an explanation.
const EXPLAINED: u64 = 2_000;
/// Executions that are kept for pictures.
const MAX_PICTURES: usize = 300;

/// How much work is done before giving up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub candidates: u64,
    pub deadline: Option<Instant>,
    pub count: Counted,
}

impl Default for Limits {
    fn default() -> Self {
        Self { candidates: 50_000_000, deadline: None, count: Counted::RfCo }
    }
}

/// What makes two executions different.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Counted {
    /// Reads-from or coherence.
    #[default]
    RfCo,
    /// Reads-from.
    Rf,
}

/// What a test does under a model.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Final states: a value for each item that is shown, and in how many executions.
    pub states: BTreeMap<Vec<Value>, u64>,
    pub items: Vec<Item>,
    /// Executions in which the condition holds, and in which it does not.
    pub positive: u64,
    pub negative: u64,
    /// Flags that some execution raises.
    pub flags: BTreeSet<String>,
    /// Which flags there are is not known.
    pub flags_open: bool,
    /// A loop was cut: longer executions are not in the counts.
    pub cut: bool,
    /// All executions were visited: states and counts are those of the test.
    pub complete: bool,
}

impl Outcome {
    pub fn executions(&self) -> u64 {
        self.positive + self.negative
    }

    /// What the test says with this quantifier.
    pub fn verdict(&self, quantifier: Quantifier) -> Verdict {
        match quantifier {
            Quantifier::Exists | Quantifier::NotExists if self.positive > 0 => Verdict::Allowed,
            Quantifier::Exists | Quantifier::NotExists => Verdict::Forbidden,
            Quantifier::ForAll if self.negative == 0 => Verdict::Required,
            Quantifier::ForAll => Verdict::Refuted,
            Quantifier::None => Verdict::States,
        }
    }
}

/// Is the condition reachable (`exists`, `~exists`), or always true (`forall`)?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Allowed,
    Forbidden,
    Required,
    Refuted,
    States,
}

/// Enumerates all executions, or with too many of them decides the verdict.
pub fn run(test: &Test, model: &Model, limits: Limits) -> Result<Outcome, Error> {
    let mut budget = Budget { left: limits.candidates, deadline: limits.deadline };
    let (runs, memory) = all_runs(test, &mut budget)?;
    let combinations = runs.iter().map(|r| r.traces.len() as f64).product::<f64>();
    let mut search = Search::new(test, model, &memory, &runs, Budget { left: COMPLETE, ..budget });
    search.count = limits.count;
    let all = match combinations < TOO_MANY {
        true => search.combine(&mut Vec::new()),
        false => search.budget.spend(COMPLETE + 1),
    };
    match all {
        Ok(()) => {
            search.outcome.complete = true;
            return Ok(search.outcome);
        }
        // Not because of the number of executions.
        Err(error) if error.message != TOO_MANY_CANDIDATES => return Err(error),
        Err(_) => {}
    }
    let found = search.outcome;
    let mut runs = runs;
    let goal = Goal::of(test);
    for (t, runs) in runs.iter_mut().enumerate() {
        runs.traces.retain(|trace| goal.agrees(test, t, trace));
    }
    let mut search = Search::new(test, model, &memory, &runs, budget);
    search.goal = Some(goal);
    let known = match test.quantifier {
        Quantifier::ForAll => found.negative > 0,
        Quantifier::Exists | Quantifier::NotExists => found.positive > 0,
        Quantifier::None => return Err(Error::whole(TOO_MANY_CANDIDATES)),
    };
    if known {
        search.outcome.positive = found.positive;
        search.outcome.negative = found.negative;
    } else {
        search.combine(&mut Vec::new())?;
    }
    let mut outcome = search.outcome;
    outcome.flags = found.flags;
    outcome.flags_open = may_raise_more_flags(test, model, &all_runs(test, &mut { budget })?.0);
    Ok(outcome)
}

/// Can an execution raise a flag? Asked of each combination of shapes of runs.
fn may_raise_more_flags(test: &Test, model: &Model, runs: &[Runs]) -> bool {
    if !model.axioms().iter().any(|a| a.flag) {
        return false;
    }
    let shapes: Vec<Vec<&Trace>> = runs
        .iter()
        .map(|runs| {
            let mut seen = HashSet::new();
            runs.traces.iter().filter(|t| seen.insert((&t.shapes, &t.amo, &t.lxsx))).collect()
        })
        .collect();
    let combinations = shapes.iter().map(|s| s.len() as f64).product::<f64>();
    if combinations > MAX_SHAPES {
        return true;
    }
    (0..combinations as usize).any(|mut number| {
        let mut traces = Vec::new();
        for shapes in &shapes {
            traces.push(shapes[number % shapes.len()]);
            number /= shapes.len();
        }
        let skeleton = skeleton(test, &traces);
        let (mut rf, mut co) = (Relation::empty(skeleton.events), Relation::empty(skeleton.events));
        for place in &skeleton.places {
            for (i, &w) in place.writes.iter().enumerate() {
                place.reads.iter().for_each(|&r| rf.insert(w, r));
                // Nothing comes before the initial write.
                let later = place.writes[1..].iter().filter(|&&other| i == 0 || other != w);
                later.for_each(|&other| co.insert(w, other));
            }
        }
        model.may_raise_a_flag(&skeleton.graph, &rf, &co)
    })
}

/// Why the outcome that a test asks for is forbidden: an axiom and a cycle of the candidate that comes
/// closest (the one with the shortest cycle). `None` if it is not forbidden, or no candidate has it.
pub fn explain(test: &Test, model: &Model, limits: Limits) -> Result<Option<Explanation>, Error> {
    let mut budget = Budget { left: limits.candidates.min(EXPLAINED), deadline: limits.deadline };
    let (mut runs, memory) = all_runs(test, &mut budget)?;
    let goal = Goal::of(test);
    for (t, runs) in runs.iter_mut().enumerate() {
        runs.traces.retain(|trace| goal.agrees(test, t, trace));
    }
    let mut search = Search::new(test, model, &memory, &runs, budget);
    search.goal = Some(goal);
    search.explains = true;
    match search.combine(&mut Vec::new()) {
        Err(error) if !error.is_limit() => Err(error),
        _ if search.outcome.positive > 0 => Ok(None),
        _ => Ok(search.explanation),
    }
}

/// Executions to look at, those that show the condition first. If none does, the candidate that comes
/// closest is the first of all, with what forbids it.
pub fn pictures(test: &Test, model: &Model, limits: Limits) -> Result<Vec<Picture>, Error> {
    let mut budget = Budget { left: limits.candidates, deadline: limits.deadline };
    let (runs, memory) = all_runs(test, &mut budget)?;
    let mut search = Search::new(test, model, &memory, &runs, Budget { left: COMPLETE, ..budget });
    search.draws = true;
    let all = search.combine(&mut Vec::new());
    all.or_else(|error| if error.is_limit() { Ok(()) } else { Err(error) })?;
    let mut found = search.pictures;
    found.sort_by_key(|picture| !picture.positive);
    if search.outcome.positive == 0 {
        let mut goal =
            Search::new(test, model, &memory, &runs, Budget { left: EXPLAINED, ..budget });
        (goal.draws, goal.explains) = (true, true);
        let all = goal.combine(&mut Vec::new());
        all.or_else(|error| if error.is_limit() { Ok(()) } else { Err(error) })?;
        found.splice(0..0, goal.closest);
    }
    Ok(found)
}

/// What the condition asks of registers and memory, as far as it is a conjunction of equations.
struct Goal {
    equations: Vec<(Item, Value)>,
    quantifier: Quantifier,
}

impl Goal {
    fn of(test: &Test) -> Goal {
        let mut equations = Vec::new();
        if test.quantifier != Quantifier::ForAll {
            test.condition.equations(&mut equations);
        }
        Goal { equations, quantifier: test.quantifier }
    }

    fn agrees(&self, test: &Test, thread: usize, trace: &Trace) -> bool {
        self.equations.iter().all(|(item, value)| match item {
            Item::Register(t, name) if *t == thread && trace.fault.is_none() => {
                let index =
                    test.threads[thread].registers.iter().position(|r| r.as_deref() == Some(name));
                index.is_none_or(|i| same(trace.registers[i], *value))
            }
            _ => true,
        })
    }

    fn allows_last(&self, location: Location, last: Value) -> bool {
        let here = |item: &Item| *item == Item::Memory(location);
        self.equations.iter().all(|(item, value)| !here(item) || same(last, *value))
    }

    fn is_reached(&self, outcome: &Outcome) -> bool {
        match self.quantifier {
            Quantifier::ForAll => outcome.negative > 0,
            _ => outcome.positive > 0,
        }
    }
}

/// What the condition mentions, and `locations`.
fn shown(test: &Test) -> Vec<Item> {
    let mut items = test.shown.clone();
    test.condition.items(&mut items);
    items.sort_unstable();
    items.dedup();
    items
}

/// The runs of one thread.
struct Prepared<'r> {
    traces: &'r [Trace],
    /// Runs that differ in values only have the same number.
    shape: Vec<usize>,
    /// All that some run writes.
    writes: HashSet<(Location, Value)>,
}

impl<'r> Prepared<'r> {
    fn new(runs: &'r Runs) -> Self {
        let mut numbers = HashMap::new();
        let shape = runs.traces.iter().map(|t| {
            let next = numbers.len();
            *numbers.entry((&t.shapes, &t.amo, &t.lxsx)).or_insert(next)
        });
        let shape = shape.collect();
        let writes = runs.traces.iter().flat_map(|t| t.accesses(Kind::Write)).collect();
        Self { traces: &runs.traces, shape, writes }
    }
}

struct Search<'a> {
    test: &'a Test,
    model: &'a Model,
    memory: &'a Memory,
    coherent: bool,
    threads: Vec<Prepared<'a>>,
    skeletons: HashMap<Vec<usize>, (Skeleton, Evaluation<'a>)>,
    /// Stop where it is reached; otherwise visit everything.
    goal: Option<Goal>,
    /// Look for the reasons of what is forbidden, instead of skipping it.
    explains: bool,
    explanation: Option<Explanation>,
    /// Keep executions for pictures.
    draws: bool,
    pictures: Vec<Picture>,
    /// The candidate of the explanation.
    closest: Option<Picture>,
    count: Counted,
    /// Of the runs at hand, if only those count.
    seen_rf: HashSet<Vec<(usize, usize)>>,
    budget: Budget,
    outcome: Outcome,
}

impl<'a> Search<'a> {
    fn new(
        test: &'a Test,
        model: &'a Model,
        memory: &'a Memory,
        runs: &'a [Runs],
        budget: Budget,
    ) -> Self {
        let mut outcome = Outcome { items: shown(test), ..Outcome::default() };
        outcome.cut = runs.iter().any(|r| r.cut);
        let threads = runs.iter().map(Prepared::new).collect();
        // A receive that gets nothing comes before no message.
        let coherent = model.is_coherent() && test.arch != Arch::Msg;
        let skeletons = HashMap::new();
        let (goal, explains, explanation) = (None, false, None);
        Self {
            test,
            model,
            memory,
            coherent,
            threads,
            skeletons,
            goal,
            explains,
            explanation,
            draws: false,
            pictures: Vec::new(),
            closest: None,
            count: Counted::RfCo,
            seen_rf: HashSet::new(),
            budget,
            outcome,
        }
    }

    fn is_done(&self) -> bool {
        self.goal.as_ref().is_some_and(|goal| goal.is_reached(&self.outcome))
    }

    /// Chooses a run for each further thread.
    fn combine(&mut self, chosen: &mut Vec<usize>) -> Result<(), Error> {
        if chosen.len() == self.threads.len() {
            return self.execution(chosen);
        }
        for i in 0..self.threads[chosen.len()].traces.len() {
            if self.is_done() {
                return Ok(());
            }
            self.budget.spend(1)?;
            chosen.push(i);
            if self.can_be_justified(chosen) {
                self.combine(chosen)?;
            }
            chosen.pop();
        }
        Ok(())
    }

    fn trace(&self, thread: usize, run: usize) -> &'a Trace {
        &self.threads[thread].traces[run]
    }

    /// Can every read of the chosen runs get its value?
    fn can_be_justified(&self, chosen: &[usize]) -> bool {
        let traces: Vec<&Trace> =
            chosen.iter().enumerate().map(|(t, &i)| self.trace(t, i)).collect();
        let later = &self.threads[chosen.len()..];
        let justified = |access: (Location, Value)| {
            self.memory.initial.get(&access.0) == Some(&access.1)
                || traces.iter().any(|t| t.accesses(Kind::Write).any(|w| w == access))
                || later.iter().any(|p| p.writes.contains(&access))
        };
        traces.iter().all(|t| t.accesses(Kind::Read).all(justified))
    }

    fn execution(&mut self, chosen: &[usize]) -> Result<(), Error> {
        let traces: Vec<&Trace> =
            chosen.iter().enumerate().map(|(t, &i)| self.trace(t, i)).collect();
        let key: Vec<usize> =
            chosen.iter().enumerate().map(|(t, &i)| self.threads[t].shape[i]).collect();
        let (skeleton, mut evaluation) = match self.skeletons.remove(&key) {
            Some(known) => known,
            None => {
                let skeleton = skeleton(self.test, &traces);
                let evaluation = Evaluation::new(self.model, skeleton.graph.clone());
                (skeleton, evaluation)
            }
        };
        let values = skeleton.values(self.memory, &traces);
        self.seen_rf.clear();
        let done = self.places(&skeleton, &mut evaluation, &values, &traces);
        self.skeletons.insert(key, (skeleton, evaluation));
        done
    }

    fn places(
        &mut self,
        skeleton: &Skeleton,
        evaluation: &mut Evaluation<'a>,
        values: &[Value],
        traces: &[&Trace],
    ) -> Result<(), Error> {
        let mut all = Vec::new();
        for place in &skeleton.places {
            let mut found = choices(skeleton, place, values, self.coherent, &mut self.budget)?;
            if let Some(goal) = &self.goal {
                found.retain(|choice| {
                    let last = choice.co.last().map_or(Value::ZERO, |&w| values[w]);
                    let whole = self.memory.layout.cells_of_element(place.location).len() == 1;
                    let symbol = &self.test.symbols[place.location.symbol as usize];
                    !whole || goal.allows_last(place.location, symbol.typed(last))
                });
            }
            if skeleton.places.len() > 1 && !self.explains {
                self.budget.spend(cost(skeleton) * found.len() as u64)?;
                let none = Part::new(skeleton.events);
                found.retain(|choice| {
                    none.with(choice).give(evaluation);
                    !evaluation.is_hopeless()
                });
            }
            if found.is_empty() {
                return Ok(());
            }
            all.push(found);
        }
        all.sort_by_key(Vec::len);
        self.product(evaluation, &all, Part::new(skeleton.events), skeleton, traces, values)
    }

    fn product(
        &mut self,
        evaluation: &mut Evaluation<'a>,
        all: &[Vec<Choice>],
        part: Part,
        skeleton: &Skeleton,
        traces: &[&Trace],
        values: &[Value],
    ) -> Result<(), Error> {
        let Some((first, rest)) = all.split_first() else {
            self.budget.spend(cost(skeleton))?;
            part.give(evaluation);
            if evaluation.is_consistent() {
                return self.allowed(evaluation, &part, skeleton, traces, values);
            }
            if self.explains {
                self.forbidden(evaluation, &part, skeleton, traces, values);
            }
            return Ok(());
        };
        for choice in first {
            if self.is_done() {
                return Ok(());
            }
            let next = part.with(choice);
            if !rest.is_empty() && !part.is_empty && first.len() > 1 && !self.explains {
                self.budget.spend(cost(skeleton))?;
                next.give(evaluation);
                if evaluation.is_hopeless() {
                    continue;
                }
            }
            self.product(evaluation, rest, next, skeleton, traces, values)?;
        }
        Ok(())
    }

    /// An execution that the model allows.
    fn allowed(
        &mut self,
        evaluation: &mut Evaluation<'a>,
        part: &Part,
        skeleton: &Skeleton,
        traces: &[&Trace],
        values: &[Value],
    ) -> Result<(), Error> {
        if let Some(what) = traces.iter().find_map(|t| t.fault.as_ref()) {
            return Err(Error::whole(format!("in an execution that the model allows: {what}")));
        }
        let end = End {
            test: self.test,
            traces,
            memory: self.memory,
            last: part.memory(skeleton, values),
        };
        let value = |item: &Item| end.value(item);
        if self.test.filter.as_ref().is_some_and(|filter| !filter.holds(&value)) {
            return Ok(());
        }
        if self.count == Counted::Rf && !self.seen_rf.insert(part.rf.pairs().collect()) {
            return Ok(());
        }
        let state: Vec<Value> = self.outcome.items.iter().map(value).collect();
        let positive = self.test.condition.holds(&value);
        if self.draws && self.pictures.len() < MAX_PICTURES {
            let shown = Shown { state: state_line(self.test, &self.outcome, &state), positive };
            let run = (traces, values);
            let picture = picture(evaluation, self.model, self.test, skeleton, run, shown);
            self.pictures.push(picture);
        }
        *self.outcome.states.entry(state).or_default() += 1;
        match positive {
            true => self.outcome.positive += 1,
            false => self.outcome.negative += 1,
        }
        self.outcome.flags.extend(evaluation.flags().into_iter().map(str::to_string));
        Ok(())
    }

    /// One that it forbids: if it shows the outcome, which axiom is it?
    fn forbidden(
        &mut self,
        evaluation: &mut Evaluation<'a>,
        part: &Part,
        skeleton: &Skeleton,
        traces: &[&Trace],
        values: &[Value],
    ) {
        let end = End {
            test: self.test,
            traces,
            memory: self.memory,
            last: part.memory(skeleton, values),
        };
        let value = |item: &Item| end.value(item);
        let filtered = self.test.filter.as_ref().is_some_and(|filter| !filter.holds(&value));
        if filtered || !self.test.condition.holds(&value) {
            return;
        }
        let Some(violation) = evaluation.violation() else { return };
        let name = |event: usize| skeleton.describe(self.test, traces, values, event);
        let steps: Vec<String> = violation
            .steps
            .iter()
            .map(|s| match s.relation == "id" {
                true => name(s.from),
                false => format!("{} -{}-> {}", name(s.from), s.relation, name(s.to)),
            })
            .collect();
        let shorter = self.explanation.as_ref().is_none_or(|e| steps.len() < e.steps.len());
        if shorter && self.draws {
            let state: Vec<Value> = self.outcome.items.iter().map(value).collect();
            let state = state_line(self.test, &self.outcome, &state);
            let (shown, run) = (Shown { state, positive: true }, (traces, values));
            self.closest = Some(picture(evaluation, self.model, self.test, skeleton, run, shown));
        }
        if shorter && !steps.is_empty() {
            self.explanation = Some(Explanation { axiom: violation.axiom, steps });
        }
    }
}

/// An axiom and the cycle that violates it, step by step.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub axiom: String,
    pub steps: Vec<String>,
}

impl Explanation {
    pub fn line(&self) -> String {
        self.steps.join("; ")
    }
}

/// The end of an execution.
struct End<'t> {
    test: &'t Test,
    traces: &'t [&'t Trace],
    memory: &'t Memory,
    /// Of the cells that are accessed.
    last: HashMap<Location, Value>,
}

impl End<'_> {
    fn value(&self, item: &Item) -> Value {
        match item {
            Item::Register(thread, name) => register(self.test, self.traces, *thread, name),
            Item::Memory(location) => {
                let value = self.memory.value(*location, |cell| {
                    self.last.get(&cell).copied().unwrap_or_else(|| self.memory.at_first(cell))
                });
                self.test.symbols[location.symbol as usize].typed(value)
            }
        }
    }
}

fn register(test: &Test, traces: &[&Trace], thread: usize, name: &str) -> Value {
    let found = test
        .threads
        .get(thread)
        .and_then(|t| t.registers.iter().position(|r| r.as_deref() == Some(name)));
    found.map_or(Value::ZERO, |i| traces[thread].registers[i])
}

/// What it costs to ask the model about a candidate, in those of a small test.
fn cost(skeleton: &Skeleton) -> u64 {
    let events = skeleton.events as u64;
    1 + events * events / 400
}

/// rf and co of some places.
#[derive(Clone)]
struct Part {
    rf: Relation,
    co: Relation,
    last: EventSet,
    is_empty: bool,
}

impl Part {
    fn new(events: usize) -> Self {
        let (rf, co) = (Relation::empty(events), Relation::empty(events));
        Self { rf, co, last: EventSet::empty(events), is_empty: true }
    }

    fn with(&self, choice: &Choice) -> Part {
        let mut part = Part { is_empty: false, ..self.clone() };
        choice.rf.iter().for_each(|&(w, r)| part.rf.insert(w, r));
        for (i, &a) in choice.co.iter().enumerate() {
            choice.co[i + 1..].iter().for_each(|&b| part.co.insert(a, b));
        }
        choice.co.last().into_iter().for_each(|&w| part.last.insert(w));
        part
    }

    /// What memory holds in the end.
    fn memory(&self, skeleton: &Skeleton, values: &[Value]) -> HashMap<Location, Value> {
        let last = |writes: &[usize]| writes.iter().copied().find(|&w| self.last.contains(w));
        let places = skeleton.places.iter();
        places.map(|p| (p.location, last(&p.writes).map_or(Value::ZERO, |w| values[w]))).collect()
    }

    fn give(&self, evaluation: &mut Evaluation<'_>) {
        evaluation.choose(self.rf.clone(), self.co.clone(), self.last.clone());
    }
}
