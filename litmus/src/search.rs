//! The search behind `run`: runs of all threads, then rf and co place by place, pruned by the model.

use crate::coherence::{CoherenceChoice, choices};
use crate::condition::{Item, Quantifier, same};
use crate::domain::Memory;
use crate::error::Error;
use crate::execution::{Skeleton, skeleton};
use crate::ir::{Arch, Test};
use crate::picture::{Picture, Shown, picture};
use crate::print::state_line;
use crate::run::{Counted, Explanation, Outcome};
use crate::trace::{ActionKind, Runs, Trace, WorkBudget};
use crate::value::{Location, Value};
use cat::{Evaluation, EventSet, Model, Relation};
use std::collections::{HashMap, HashSet};

/// Executions that are kept for pictures.
const MAX_PICTURES: usize = 300;

/// What the condition asks of registers and memory, as far as it is a conjunction of equations.
pub struct Goal {
    equations: Vec<(Item, Value)>,
    quantifier: Quantifier,
}

impl Goal {
    pub fn of(test: &Test) -> Goal {
        let mut equations = Vec::new();
        if test.quantifier != Quantifier::ForAll {
            test.condition.equations(&mut equations);
        }
        Goal { equations, quantifier: test.quantifier }
    }

    pub fn agrees(&self, test: &Test, thread: usize, trace: &Trace) -> bool {
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
            *numbers.entry(t.shape()).or_insert(next)
        });
        let shape = shape.collect();
        let writes = runs.traces.iter().flat_map(|t| t.accesses(ActionKind::Write)).collect();
        Self { traces: &runs.traces, shape, writes }
    }
}

pub struct Search<'a> {
    pub test: &'a Test,
    pub model: &'a Model,
    pub memory: &'a Memory,
    pub coherent: bool,
    threads: Vec<Prepared<'a>>,
    pub skeletons: HashMap<Vec<usize>, (Skeleton, Evaluation<'a>)>,
    /// Stop where it is reached; otherwise visit everything.
    pub goal: Option<Goal>,
    /// Look for the reasons of what is forbidden, instead of skipping it.
    pub explains: bool,
    pub explanation: Option<Explanation>,
    /// Keep executions for pictures.
    pub draws: bool,
    pub pictures: Vec<Picture>,
    /// The candidate of the explanation.
    pub closest: Option<Picture>,
    pub count: Counted,
    /// Of the runs at hand, if only those count.
    pub seen_rf: HashSet<Vec<(usize, usize)>>,
    pub budget: WorkBudget,
    pub outcome: Outcome,
}

impl<'a> Search<'a> {
    pub fn new(
        test: &'a Test,
        model: &'a Model,
        memory: &'a Memory,
        runs: &'a [Runs],
        budget: WorkBudget,
    ) -> Self {
        let mut outcome = Outcome { items: shown(test), ..Outcome::default() };
        outcome.cut = runs.iter().any(|r| r.cut);
        outcome.mixed_sizes = memory.layout.has_parts();
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
    pub fn combine(&mut self, chosen: &mut Vec<usize>) -> Result<(), Error> {
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
                || traces.iter().any(|t| t.accesses(ActionKind::Write).any(|w| w == access))
                || later.iter().any(|p| p.writes.contains(&access))
        };
        traces.iter().all(|t| t.accesses(ActionKind::Read).all(justified))
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
                let none = PartialRfCo::new(skeleton.events);
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
        self.product(evaluation, &all, PartialRfCo::new(skeleton.events), skeleton, traces, values)
    }

    fn product(
        &mut self,
        evaluation: &mut Evaluation<'a>,
        all: &[Vec<CoherenceChoice>],
        part: PartialRfCo,
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
        part: &PartialRfCo,
        skeleton: &Skeleton,
        traces: &[&Trace],
        values: &[Value],
    ) -> Result<(), Error> {
        if let Some(what) = traces.iter().find_map(|t| t.fault.as_ref()) {
            return Err(Error::whole(format!("in an execution that the model allows: {what}")));
        }
        let end = FinalState {
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
        part: &PartialRfCo,
        skeleton: &Skeleton,
        traces: &[&Trace],
        values: &[Value],
    ) {
        let end = FinalState {
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

/// The end of an execution.
struct FinalState<'t> {
    test: &'t Test,
    traces: &'t [&'t Trace],
    memory: &'t Memory,
    /// Of the cells that are accessed.
    last: HashMap<Location, Value>,
}

impl FinalState<'_> {
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
struct PartialRfCo {
    rf: Relation,
    co: Relation,
    last: EventSet,
    is_empty: bool,
}

impl PartialRfCo {
    fn new(events: usize) -> Self {
        let (rf, co) = (Relation::empty(events), Relation::empty(events));
        Self { rf, co, last: EventSet::empty(events), is_empty: true }
    }

    fn with(&self, choice: &CoherenceChoice) -> PartialRfCo {
        let mut part = PartialRfCo { is_empty: false, ..self.clone() };
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
