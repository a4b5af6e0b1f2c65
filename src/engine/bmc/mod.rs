//! The symbolic engine: all executions within a bound as one formula.
//!
//! A *unwinding* unrolls the program, encodes it and asks a solver: is an error reachable; if not, is
//! something reachable that is not modelled; if not, can a loop go further than its bound? Loops
//! that can and that the user has not bounded get a larger bound, and the next unwinding begins.
//!
//! The parts: `bounds` says how far loops go, `unwinding` asks the questions, `parts` are the doors to
//! encoder and solvers, `follow` turns a model into a schedule and has the interpreter confirm it,
//! `lift` finds the same execution in the program before unrolling, `weak` shows what has no
//! schedule, `proof_core` says what a proof leans on, `count` collects the numbers.
//!
//! Invariant: SAFE needs all three questions denied in one unwinding; UNSAFE a violation that the
//! interpreter has replayed (under sequential consistency).

mod bounds;
mod count;
mod follow;
mod parts;
pub mod proof_core;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod unwinding;
mod weak;

use self::bounds::BoundsPlan;
use self::count::Count;
use self::follow::Unrolled;
use self::unwinding::{Purpose, Unwinding, UnwindingEnd};
use crate::contract::race_mode::races_need_clocks;
use crate::contract::{
    Answer, Coverage, Engine, MemoryModel, ProofCore, Property, Query, Reason, Remark, Verdict,
    unchecked_ends,
};
use analysis::accelerate;
use analysis::unroll::TooLarge;
use encoder::{conflict, prune};
use ir::{Callee, FuncId, InstKind, NamedLoop, Program, Span};
use rustc_hash::FxHashSet;

/// How the engine works; none of it changes an answer.
#[derive(Clone, Debug, Default)]
pub struct Config {
    pub solver: Solver,
    pub method: solver::Method,
    /// Conflict clauses that are looked for before solving; `None` for those that pay
    /// (`parts::that_pay`).
    pub conflicts: Option<conflict::Which>,
    /// What is dropped before solving.
    pub prune: prune::Options,
    /// Shared variables get all their bits, not only those that their values need.
    pub wide: bool,
    /// Are symmetric threads ordered?
    pub symmetry: Symmetry,
    /// Is the solver told how large values can be (`encoder::intervals`)?
    pub intervals: Intervals,
    /// Are iterations without effect accelerated, for proofs?
    pub accelerate: Accelerate,
    /// How CaDiCaL searches.
    pub search: SolverSearch,
    /// Is every clause and every model of the theory held against its slow reference implementation?
    pub self_check: bool,
    /// Does SAFE come with what it leans on (`proof_core.rs`)?
    pub proof_core: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Debug, Default)]
pub enum SolverSearch {
    /// As it likes, but without simplifying in between.
    #[default]
    Plain,
    /// With all that it does by itself.
    Inprocess,
    /// Plain, and first it decides who reads from whom.
    RfFirst,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Debug, Default)]
pub enum Solver {
    Z3,
    #[default]
    Sat,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Debug, Default)]
pub enum Symmetry {
    #[default]
    On,
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Debug, Default)]
pub enum Intervals {
    #[default]
    On,
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Debug, Default)]
pub enum Accelerate {
    #[default]
    On,
    Off,
}

/// The symbolic engine and its settings.
#[derive(Clone, Debug, Default)]
pub struct Bmc(pub Config);

/// Races and deadlocks are states of a linearization, and under wSC there may be none.
pub const COVERAGE: Coverage = &[
    (MemoryModel::Sc, &Property::ALL),
    (MemoryModel::Wsc, &[Property::UnreachCall, Property::ValidMemsafety, Property::NoOverflow]),
    (
        MemoryModel::Cat,
        &[
            Property::UnreachCall,
            Property::NoDataRace,
            Property::NoOverflow,
            Property::ValidMemsafety,
            Property::NoDeadlock,
            Property::Robust,
        ],
    ),
];

/// Bounds tried after one at which something unmodelled was reachable: a violation may still turn up.
const UNWINDINGS_IN_DOUBT: u32 = 2;
/// Unwindings of the accelerated program: if its effects have a bound, it is a small one.
const ACCELERATED_UNWINDINGS: u32 = 3;

impl Engine for Bmc {
    fn check(&self, query: Query<'_>) -> Verdict {
        if let Some(unknown) = query.uncovered(COVERAGE) {
            return unknown;
        }
        let property = query.property;
        if let Some(reason) = weak::not_asked(query) {
            return Verdict::new(property, Answer::Unknown(reason));
        }
        let mut work = Work {
            config: &self.0,
            query,
            plan: BoundsPlan::new(query.settings.bounds.clone()),
            count: Count::new(query.limits),
            assumptions: Vec::new(),
            notes: Vec::new(),
            proof_core: None,
        };
        let answer = work.deepen();
        let Work { mut count, assumptions, notes, proof_core, .. } = work;
        Verdict {
            assumptions: Remark::sorted(assumptions),
            notes: Remark::sorted(notes),
            stats: count.rows(),
            times: count.times,
            proof_core,
            ..Verdict::new(property, answer)
        }
    }
}

/// One check in progress.
struct Work<'a> {
    config: &'a Config,
    query: Query<'a>,
    plan: BoundsPlan,
    count: Count,
    assumptions: Vec<Remark>,
    notes: Vec<Remark>,
    proof_core: Option<ProofCore>,
}

/// What a unwinding without violation has found.
struct Open {
    /// Loops that can go further.
    cut: Vec<NamedLoop>,
    doubt: Option<Reason>,
}

impl Work<'_> {
    fn deepen(&mut self) -> Answer {
        let mut last: Option<Open> = None;
        let mut in_doubt = 0;
        loop {
            let open = match self.unwind_and_check() {
                Ok(open) => open,
                Err(Answer::Unknown(reason)) => return self.give_up(reason, last),
                Err(answer) => return answer,
            };
            in_doubt += u32::from(open.doubt.is_some());
            let growing = open.cut.iter().any(|info| self.plan.grows(info));
            if !growing || in_doubt > UNWINDINGS_IN_DOUBT {
                return conclusion(self.query.program, open);
            }
            if last.is_none() && open.doubt.is_none() && self.proven_accelerated() {
                return Answer::Safe;
            }
            self.plan.grow(open.cut.iter());
            last = Some(open);
        }
    }

    /// Is the program safe, even if iterations without effect are accelerated? (It has more executions
    /// then, so no other answer is worth anything: see `analysis::accelerate`.)
    fn proven_accelerated(&mut self) -> bool {
        // A thread that goes on unwinding for ever waits for no other.
        let allowed = self.query.settings.model.allows(accelerate::ASSUMES);
        let off = self.config.accelerate == Accelerate::Off || !allowed;
        if off || matches!(self.query.property, Property::NoDeadlock | Property::NoLivelock) {
            return false;
        }
        let plan = self.plan.clone();
        let proven = self.prove_accelerated();
        self.plan = plan;
        proven
    }

    fn prove_accelerated(&mut self) -> bool {
        for _ in 0..ACCELERATED_UNWINDINGS {
            let Ok(Some(unrolled)) = self.unroll_accelerated() else { return false };
            match self.check_unwinding(unrolled, Purpose::Proof) {
                Ok(Open { cut, doubt: None }) if cut.is_empty() => return true,
                Ok(Open { cut, doubt: None }) => self.plan.grow(cut.iter()),
                _ => return false,
            }
        }
        false
    }

    /// Unrolls, asks. `Err` is an answer that ends everything.
    fn unwind_and_check(&mut self) -> Result<Open, Answer> {
        let unrolled = self.unroll()?;
        self.check_unwinding(unrolled, Purpose::Answer)
    }

    fn check_unwinding(
        &mut self,
        (program, loops): (Program, Vec<NamedLoop>),
        purpose: Purpose,
    ) -> Result<Open, Answer> {
        self.count.unwinding();
        self.count.bounds(&loops, &self.plan);
        self.assumptions = assumptions(&program);
        if let Some(model) = &self.query.settings.weak {
            self.assumptions.extend(match self.query.property {
                Property::ValidMemsafety => weak::unchecked_starts(&program).into_iter().collect(),
                _ => unchecked_ends(&program),
            });
            self.assumptions.extend(weak::thin_air(model));
        }
        let (config, query) = (self.config, self.query);
        let unrolled = Unrolled { program: &program, original: query.program };
        let unwinding = Unwinding { unrolled, config, query, purpose };
        match unwinding.run(&mut self.count) {
            UnwindingEnd::Violated(violation) => Err(Answer::Unsafe(violation)),
            UnwindingEnd::Stopped(reason) => Err(Answer::Unknown(reason)),
            UnwindingEnd::Open { reached, doubt, undefined, proof_core } => {
                if let Some(Reason::Unsupported { what, span }) = &doubt {
                    self.query.limits.progress.meets(self.query.program, what, *span);
                }
                self.assumptions.extend(undefined);
                self.proof_core = proof_core;
                let doubt = doubt.or_else(|| self.unseen_races());
                let cut = reached.into_iter().map(|id| program.named_loop(id));
                Ok(Open { cut: cut.collect(), doubt })
            }
        }
    }

    /// Races that are no state in which two accesses are next, or no matter of the memory model.
    fn unseen_races(&self) -> Option<Reason> {
        if self.query.property != Property::NoDataRace {
            return None;
        }
        if let Some(model) = &self.query.settings.weak {
            let what = "the memory model does not say what a data race is: it has no `flag ~empty`";
            return (!model.cat.defines_races()).then(|| Reason::Other(what.into()));
        }
        let what = "a race in a program whose atomic accesses do not all synchronise".to_string();
        races_need_clocks(self.query.program)
            .then_some(Reason::Unsupported { what, span: Span::NONE })
    }

    fn unroll(&mut self) -> Result<(Program, Vec<NamedLoop>), Answer> {
        let (bounds, calls) = (self.plan.bounds(), self.plan.calls());
        let program = self.query.program.clone();
        let unrolled = self.count.time("unwind", || {
            analysis::unrolled(program, &bounds, bounds::KNOWN_ITERATIONS, &calls)
        });
        unrolled.map_err(|large| {
            let what = format!("unwinding loop {} that often", large.name);
            Answer::Unknown(Reason::Other(format!("{what} makes the program too large")))
        })
    }

    /// `None` if there is nothing to accelerate.
    fn unroll_accelerated(&mut self) -> Result<Option<(Program, Vec<NamedLoop>)>, TooLarge> {
        let (bounds, calls) = (self.plan.bounds(), self.plan.calls());
        let program = self.query.program.clone();
        self.count.time("unwind", || {
            analysis::unrolled_accelerated(program, &bounds, bounds::KNOWN_ITERATIONS, &calls)
        })
    }

    /// A unwinding did not come to its end: what the unwindings before have shown is still worth
    /// telling.
    fn give_up(&mut self, reason: Reason, last: Option<Open>) -> Answer {
        let Some(last) = last else { return Answer::Unknown(reason) };
        match (last.doubt, reason) {
            (Some(doubt), Reason::Time | Reason::Memory | Reason::Other(_)) => {
                Answer::Unknown(doubt)
            }
            (None, Reason::Other(_)) => {
                Answer::Bounded { cut: cuts(self.query.program, &last.cut) }
            }
            (_, reason) => {
                let text = "no violation within the bounds before the last";
                self.notes.push(Remark::new(text, Span::NONE));
                Answer::Unknown(reason)
            }
        }
    }
}

fn conclusion(program: &Program, open: Open) -> Answer {
    match open.doubt {
        Some(reason) => Answer::Unknown(reason),
        None if open.cut.is_empty() => Answer::Safe,
        None => Answer::Bounded { cut: cuts(program, &open.cut) },
    }
}

fn cuts(program: &Program, loops: &[NamedLoop]) -> Vec<Remark> {
    Remark::sorted(loops.iter().map(|cut| Remark::cut(program, cut)))
}

/// Functions without a body that threads call in blocks that can be entered.
fn assumptions(program: &Program) -> Vec<Remark> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<FuncId> = FxHashSet::default();
    let mut todo = analysis::roots(program);
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        for (callee, span) in calls(program, id) {
            let function = &program.functions[callee.index()];
            if function.has_body() {
                todo.push(callee);
            } else {
                found.push(Remark::assumed(function, span));
            }
        }
    }
    found
}

/// Direct calls in the blocks that can be entered.
fn calls(program: &Program, id: FuncId) -> Vec<(FuncId, Span)> {
    let function = &program.functions[id.index()];
    let mut reached = vec![false; function.blocks.len()];
    let mut stack = vec![0];
    let mut found = Vec::new();
    while let Some(b) = stack.pop() {
        if reached.get(b).is_none_or(|r| *r) {
            continue;
        }
        reached[b] = true;
        let block = &function.blocks[b];
        for inst in &block.insts {
            if let InstKind::Call { callee: Callee::Direct(callee), .. } = inst.kind {
                found.push((callee, inst.span));
            }
        }
        stack.extend(block.end.successors().iter().map(|b| b.index()));
    }
    found
}
