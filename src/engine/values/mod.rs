//! Proofs without bounds under weaker memory models: which values can flow from writes to reads, whatever the order.
//!
//! Each thread is followed by itself; where it reads, it goes on with the value of every write to that cell that any
//! thread was found to make (`explore.rs`, `table.rs`). That covers all executions of a model in which values are
//! grounded (`solver::weak::Grounding`): along its order, each write of an execution is found. Only cells of the
//! precision are followed; an error that is reached makes it grow (`precision.rs`): by the cells that the path was
//! guessed with, by all, by the order of accesses (`view.rs`). If it cannot grow, there is no answer. (After Bajczi: abstraction over declarative semantics. The
//! argument is in docs/soundness.md.)
//!
//! Invariant: SAFE, or nothing.
//! Cost: states of single threads; those of different threads are added, not multiplied.
//!
//! - `access.rs`: reads and writes of a thread
//! - `explore.rs`: one attempt: all states of all threads
//! - `handover.rs`: starts and ends of threads, and joins
//! - `memory.rs`: objects and the cells that they are accessed in
//! - `precision.rs`: what is followed, and how that grows
//! - `races.rs`: accesses without an order, where that is undefined behaviour
//! - `state.rs`: a thread somewhere in its function
//! - `step.rs`: what instructions do to it
//! - `table.rs`: all writes, and the reads that may see them
//! - `threads.rs`: threads by where they are started
//! - `value.rs`: values and expressions
//! - `view.rs`: which accesses happen before a thread's next step, and which writes it cannot see any more

mod access;
mod explore;
mod handover;
mod memory;
mod precision;
mod races;
mod state;
mod step;
mod table;
mod threads;
mod value;
mod view;

use crate::contract::{
    Answer, Coverage, Engine, MemoryModel, Property, Query, Reason, Remark, Verdict, unchecked_ends,
};
use analysis::{promote, simplify};
use explore::{Attempt, AttemptStop, FlowProblem, FlowWorld, ProblemKind};
use ir::{Program, Span};
use memory::FlowMemory;
use precision::{FlowPrecision, GuessedCells};
use reach::build::flatten::flatten;
use solver::weak::Grounding;
use std::collections::BTreeMap;
use threads::StartedThreads;

pub struct Values;

pub const COVERAGE: Coverage =
    &[(MemoryModel::Sc, &[Property::UnreachCall]), (MemoryModel::Cat, &[Property::UnreachCall])];

/// Where there is no other engine for endless loops.
pub const WEAKER: Coverage = &[(MemoryModel::Cat, &[Property::UnreachCall])];

impl Engine for Values {
    fn check(&self, query: Query<'_>) -> Verdict {
        if let Some(verdict) = query.uncovered(COVERAGE) {
            return verdict;
        }
        query.limits.progress.begin("values");
        let unknown = |reason| Verdict::new(query.property, Answer::Unknown(reason));
        let Some(grounding) = grounding(query) else {
            let what = "this memory model with this engine".to_string();
            return unknown(Reason::Unsupported { what, span: Span::NONE });
        };
        let Some(program) = prepared(query.program) else {
            return unknown(Reason::Other("the program is too large".into()));
        };
        let world = FlowWorld {
            program: &program,
            limits: query.limits,
            grounding,
            malloc_may_fail: query.settings.malloc_may_fail,
            memory: FlowMemory::default(),
            threads: StartedThreads::new(&program),
            seen: BTreeMap::new(),
        };
        let races = query.settings.weak.as_ref().is_some_and(|m| m.target.has_undefined_races());
        Refinement {
            query,
            world,
            precision: FlowPrecision::default(),
            races,
            attempts: 0,
            states: 0,
        }
        .refine()
    }
}

/// What values are grounded in, if what is known of happens-before holds under the model, too.
fn grounding(query: Query<'_>) -> Option<Grounding> {
    match &query.settings.weak {
        None => Some(Grounding::ProgramOrder),
        Some(model) => {
            Some(model.grounding()).filter(|found| *found != Grounding::Unknown && model.settles())
        }
    }
}

/// Each thread as one graph, with as little in memory as can be.
fn prepared(program: &Program) -> Option<Program> {
    let mut program = flatten(program)?;
    promote::promote(&mut program);
    simplify::simplify(&mut program);
    Some(program)
}

struct Refinement<'a> {
    query: Query<'a>,
    world: FlowWorld<'a>,
    precision: FlowPrecision,
    /// Are they undefined behaviour?
    races: bool,
    attempts: u64,
    states: u64,
}

impl Refinement<'_> {
    fn refine(mut self) -> Verdict {
        loop {
            self.attempts += 1;
            let Refinement { world, precision, races, .. } = &mut self;
            let mut attempt = Attempt::new(world, precision);
            let ended = attempt.run();
            let problem = problem(&attempt, *races);
            let bodiless = std::mem::take(&mut attempt.bodiless);
            self.states += attempt.states() as u64;
            match (ended, problem) {
                (Err(AttemptStop::Again), _) => {}
                (Err(AttemptStop::Late), _) => return self.verdict(Answer::Unknown(Reason::Time)),
                (Err(AttemptStop::Large), _) => {
                    let why = "too many states of single threads".to_string();
                    return self.verdict(Answer::Unknown(Reason::Other(why)));
                }
                (Ok(()), None) => {
                    let functions = &self.query.program.functions;
                    let assumed = bodiless.iter();
                    let assumed =
                        assumed.map(|(f, at)| Remark::assumed(&functions[f.index()], *at));
                    let ends = unchecked_ends(self.world.program);
                    let assumptions = Remark::sorted(assumed.chain(ends));
                    return Verdict { assumptions, ..self.verdict(Answer::Safe) };
                }
                (Ok(()), Some(problem)) => {
                    log::debug!("{problem:?} with {:?}", self.precision);
                    let cells = self.world.memory.ids();
                    if !self.precision.refine(problem.guess, cells) {
                        return self.verdict(Answer::Unknown(reason(problem)));
                    }
                }
            }
        }
    }

    fn verdict(&self, answer: Answer) -> Verdict {
        let stats = [
            ("threads", self.world.threads.len() as u64),
            ("cells", self.world.memory.cells.len() as u64),
            ("tracked cells", self.precision.tracked() as u64),
            ("attempts", self.attempts),
            ("states of threads", self.states),
        ];
        let stats = stats.map(|(name, value)| (name.into(), value)).into();
        Verdict { stats, ..Verdict::new(self.query.property, answer) }
    }
}

/// What keeps the attempt from being a proof: an error rather than what is not modelled.
fn problem(attempt: &Attempt<'_, '_>, races: bool) -> Option<FlowProblem> {
    let race = || {
        let span = races.then(|| attempt.accesses.race(&attempt.world.threads))??;
        let (kind, what) = (ProblemKind::Doubt, "accesses that may race".to_string());
        Some(FlowProblem { kind, what, span, guess: GuessedCells::NONE })
    };
    let worst = attempt.problems.iter().max_by_key(|problem| problem.kind);
    worst.cloned().or_else(race)
}

fn reason(problem: FlowProblem) -> Reason {
    match problem.kind {
        ProblemKind::Error => {
            Reason::Other("values alone do not exclude a violation in any order".into())
        }
        ProblemKind::Doubt => Reason::Unsupported { what: problem.what, span: problem.span },
    }
}
