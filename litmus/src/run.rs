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

use crate::condition::{Item, Quantifier};
use crate::domain::all_runs;
use crate::error::{Error, TOO_MANY_CANDIDATES};
use crate::execution::skeleton;
use crate::ir::Test;
use crate::picture::Picture;
use crate::search::{Goal, Search};
use crate::trace::{Runs, Trace, WorkBudget};
use crate::value::Value;
use cat::{Model, Relation};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Instant;

/// Executions and parts of them before only the verdict is asked for.
const COMPLETE: u64 = 40_000;
/// Combinations of runs before the complete enumeration is not even tried.
const TOO_MANY: f64 = 200_000.0;

/// Combinations of shapes of which it is asked whether a flag can be raised.
const MAX_SHAPES: f64 = 200.0;
/// Candidates that are looked at for an explanation.
const EXPLAINED: u64 = 2_000;

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
    /// Some variable is accessed in parts: Arm's tests show their states in hexadecimal then.
    pub mixed_sizes: bool,
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
    let mut budget = WorkBudget { left: limits.candidates, deadline: limits.deadline };
    let (runs, memory) = all_runs(test, model, &mut budget)?;
    let combinations = runs.iter().map(|r| r.traces.len() as f64).product::<f64>();
    let mut search =
        Search::new(test, model, &memory, &runs, WorkBudget { left: COMPLETE, ..budget });
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
    outcome.flags_open =
        may_raise_more_flags(test, model, &all_runs(test, model, &mut { budget })?.0);
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
            runs.traces.iter().filter(|t| seen.insert(t.shape())).collect()
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
    let mut budget =
        WorkBudget { left: limits.candidates.min(EXPLAINED), deadline: limits.deadline };
    let (mut runs, memory) = all_runs(test, model, &mut budget)?;
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
    let mut budget = WorkBudget { left: limits.candidates, deadline: limits.deadline };
    let (runs, memory) = all_runs(test, model, &mut budget)?;
    let mut search =
        Search::new(test, model, &memory, &runs, WorkBudget { left: COMPLETE, ..budget });
    search.draws = true;
    let all = search.combine(&mut Vec::new());
    all.or_else(|error| if error.is_limit() { Ok(()) } else { Err(error) })?;
    let mut found = search.pictures;
    found.sort_by_key(|picture| !picture.positive);
    if search.outcome.positive == 0 {
        let mut goal =
            Search::new(test, model, &memory, &runs, WorkBudget { left: EXPLAINED, ..budget });
        (goal.draws, goal.explains) = (true, true);
        let all = goal.combine(&mut Vec::new());
        all.or_else(|error| if error.is_limit() { Ok(()) } else { Err(error) })?;
        found.splice(0..0, goal.closest);
    }
    Ok(found)
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
