//! Proofs without bounds, by abstraction and refinement: the crate `reach` as an engine.
//!
//! The program becomes a system of threads (`reach::build`), whose abstract reachability graph is
//! explored and refined (`reach::cegar`). SAFE is said if all of it was modelled and no error is left,
//! and the invariant can be checked from scratch (`--self-check`). A path to an error that is one is
//! an execution with inputs, which the interpreter replays before it is told.

#[cfg(test)]
mod tests;

use super::shown;
use crate::contract::{
    Answer, Coverage, Engine, Goal, MemoryModel, Property, Query, Reason, Remark, Verdict,
};
use interp::ViolationKind;
use reach::ask::{Budget, Stop};
use reach::build::{self, Refusal};
use reach::cegar::{self, Cegar};
use reach::certificate;
use reach::coi::Coi;
use reach::execution::Turn;
use reach::options::Options;
use reach::system::{Flaw, System, Target};

#[derive(Clone, Debug, Default)]
pub struct Prove {
    pub options: Options,
    /// Is the certificate of a proof checked?
    pub self_check: bool,
}

pub const COVERAGE: Coverage = &[(MemoryModel::Sc, &[Property::UnreachCall])];

impl Engine for Prove {
    fn check(&self, query: Query<'_>) -> Verdict {
        if let Some(verdict) = query.uncovered(COVERAGE) {
            return verdict;
        }
        let Query { program, property, settings, limits } = query;
        let config =
            build::Config { errors: true, malloc_may_fail: settings.malloc_may_fail, ends: false };
        let budget = Budget { deadline: limits.deadline, permit: limits.permit.clone() };
        match build::build(program, config, &budget) {
            Err(_) if limits.exceeded() => Verdict::new(property, Answer::Unknown(Reason::Time)),
            Err(Refusal { what, span, .. }) => {
                Verdict::new(property, Answer::Unknown(Reason::Unsupported { what, span }))
            }
            Ok(system) => self.prove(query, system, &budget),
        }
    }
}

impl Prove {
    fn prove(&self, query: Query<'_>, mut system: System, budget: &Budget) -> Verdict {
        let Query { program, property, .. } = query;
        if self.options.coi != Coi::Off {
            system.keep_cone();
        }
        log::trace!("{}", system.dump());
        let bodiless = system.bodiless.clone();
        let size = [
            ("threads", system.threads.len() as u64),
            ("locations", system.threads.iter().map(|t| t.locations.len() as u64).sum()),
            ("actions", system.actions.len() as u64),
            ("cells", system.cells.len() as u64),
        ];
        let mut cegar = Cegar::new(&mut system, self.options.clone(), budget.clone());
        let mut found = cegar.run();
        let stats = cegar.stats;
        let mut checks = self.checks();
        if checks && matches!(found, Ok(cegar::Answer::Safe(_))) {
            let most = if self.self_check { usize::MAX } else { MOST_NODES };
            found = match cegar.certify(most) {
                Err(stop) if stop == cegar::TOO_MANY_NODES => {
                    checks = false;
                    found
                }
                Ok(cegar::Answer::Reached { exact: true, target: Target::Error(flaw), .. }) => {
                    Err(Stop::Solver(format!("the reduction has lost an error: {}", flaw.what)))
                }
                other => other,
            };
        }
        let answer = match found {
            Ok(cegar::Answer::Safe(proof)) if checks => safe(&mut system, &proof, budget),
            Ok(cegar::Answer::Safe(_)) => Answer::Safe,
            Ok(cegar::Answer::Reached { target, exact, turns }) => {
                reached(query, target, &turns, exact)
            }
            Err(Stop::Late) => Answer::Unknown(Reason::Time),
            Err(Stop::GaveUp(why)) => Answer::Unknown(Reason::Other(format!("no proof: {why}"))),
            Err(Stop::Solver(why)) => Answer::Unknown(Reason::Internal(why)),
        };
        let assumed = bodiless.iter();
        let assumed =
            assumed.map(|(f, span)| Remark::assumed(&program.functions[f.index()], *span));
        let mut verdict = Verdict::new(property, answer);
        verdict.assumptions = Remark::sorted(assumed);
        let counts = [
            ("nodes", stats.nodes),
            ("covered", stats.covered),
            ("explored actions", stats.actions),
            ("actions skipped by reduction", stats.skipped),
            ("steps dropped", stats.dropped),
            ("steps forgotten", stats.forgotten),
            ("refinements", stats.refinements),
            ("tracked cells", stats.tracked),
            ("predicates", stats.predicates),
            ("solver questions", stats.questions),
        ];
        verdict.stats = size.into_iter().chain(counts).map(|(n, v)| (n.into(), v)).collect();
        verdict
    }

    fn checks(&self) -> bool {
        self.self_check || cfg!(debug_assertions)
    }
}

/// Nodes of a graph without reduction that tests wait for.
const MOST_NODES: usize = 5_000;

fn safe(system: &mut System, proof: &cegar::Proof, budget: &Budget) -> Answer {
    match certificate::check(system, proof, budget) {
        Ok(()) => Answer::Safe,
        Err(certificate::Broken::Stop(Stop::Late)) => Answer::Unknown(Reason::Time),
        Err(broken) => {
            let why = format!("the certificate of a proof does not hold: {broken:?}");
            Answer::Unknown(Reason::Internal(why))
        }
    }
}

/// An execution of the system: of the program, too, as far as the system is exact.
fn reached(query: Query<'_>, target: Target, turns: &[Turn], exact: bool) -> Answer {
    match target {
        Target::Doubt(Flaw { what, span }) => Answer::Unknown(Reason::Unsupported { what, span }),
        Target::Error(Flaw { span, .. }) => {
            let goal = Goal::Violation { kind: ViolationKind::UnreachCall, span };
            shown::shown(query, turns, &goal, exact)
        }
        Target::To(_) => Answer::Unknown(Reason::Other("no proof".into())),
    }
}
