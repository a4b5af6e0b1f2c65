//! Proofs without bounds, by abstraction and refinement: the crate `reach` as an engine.
//!
//! The program becomes a system of threads (`reach::build`), whose abstract reachability graph is
//! explored and refined (`reach::cegar`, or with lazy labels `reach::impact`). SAFE is said if all of it
//! was modelled and no error is left, and the invariant can be checked from scratch (`--self-check`). A path to an error that is one is
//! an execution with inputs, which the interpreter replays before it is told.
//!
//! - `bounds.rs`: what a proof says of global variables, for witnesses

pub mod bounds;
#[cfg(test)]
mod tests;

use super::systems;
use crate::contract::{Answer, Coverage, Engine, MemoryModel, Property, Query, Reason, Verdict};
use reach::answer::{self, Prover, Stats, TOO_MANY_NODES};
use reach::ask::{Budget, Stop};
use reach::cegar::Cegar;
use reach::certificate::{self, BrokenInvariant};
use reach::coi::Coi;
use reach::impact::Impact;
use reach::options::{Labels, Options, Refiner};
use reach::system::{System, Target};

#[derive(Clone, Debug, Default)]
pub struct Prove {
    pub options: Options,
    /// Is the certificate of a proof checked?
    pub self_check: bool,
}

pub const COVERAGE: Coverage = &[(MemoryModel::Sc, &[Property::UnreachCall, Property::NoOverflow])];

impl Engine for Prove {
    fn check(&self, query: Query<'_>) -> Verdict {
        if let Some(verdict) = query.uncovered(COVERAGE) {
            return verdict;
        }
        if query.property == Property::NoOverflow {
            return systems::by_errors(query, |query| self.check(query));
        }
        systems::attempts(query, |undefined| match systems::system(query, undefined) {
            Ok((system, budget)) => self.prove(query, system, &budget),
            Err(reason) => Verdict::new(query.property, Answer::Unknown(reason)),
        })
    }
}

/// Nodes of a graph without reduction that tests wait for.
const MOST_NODES: usize = 5_000;

impl Prove {
    /// With lazy labels, as a portfolio asks it beside the usual ones.
    pub fn lazily(&self) -> Prove {
        let options = Options { refine: Refiner::Wp, ..Options::lazy() };
        Prove { options, self_check: self.self_check }
    }

    fn prove(&self, query: Query<'_>, mut system: System, budget: &Budget) -> Verdict {
        if self.options.coi != Coi::Off {
            system.keep_cone();
        }
        let (found, stats) = self.looked(&mut system, budget);
        let answer = match found {
            Ok(Found { answer: answer::Answer::Safe(proof), checked: true }) => {
                holds(certificate::check(&mut system, &proof, budget))
            }
            Ok(Found { answer, .. }) => told(query, answer),
            Err(stop) => systems::stopped(stop),
        };
        let stats = size(&system).into_iter().chain(counts(stats));
        systems::verdict(query, &system, answer, stats)
    }

    fn looked(&self, system: &mut System, budget: &Budget) -> (Result<Found, Stop>, Stats) {
        let (options, budget) = (self.options.clone(), budget.clone());
        let mut prover: Box<dyn Prover> = match options.labels {
            Labels::Eager => Box::new(Cegar::new(system, options, budget)),
            Labels::Lazy => Box::new(Impact::new(system, options, budget)),
        };
        (self.sought(prover.as_mut()), prover.stats())
    }

    /// The answer, and a proof as a certificate, if it is to be checked and not too large.
    fn sought(&self, prover: &mut dyn Prover) -> Result<Found, Stop> {
        let answer = prover.run()?;
        if !matches!(answer, answer::Answer::Safe(_))
            || !(self.self_check || cfg!(debug_assertions))
        {
            return Ok(Found { answer, checked: false });
        }
        let most = if self.self_check { usize::MAX } else { MOST_NODES };
        match prover.certify(most) {
            Err(TOO_MANY_NODES) => Ok(Found { answer, checked: false }),
            Ok(answer::Answer::Reached { exact: true, target: Target::Error(flaw), .. }) => {
                Err(Stop::Solver(format!("the reduction has lost an error: {}", flaw.what)))
            }
            other => Ok(Found { answer: other?, checked: true }),
        }
    }
}

struct Found {
    answer: answer::Answer,
    /// Its proof, if it is one, is to be checked.
    checked: bool,
}

fn holds(certificate: Result<(), BrokenInvariant>) -> Answer {
    match certificate {
        Ok(()) => Answer::Safe,
        Err(BrokenInvariant::Stop(stop)) => systems::stopped(stop),
        Err(broken) => {
            let why = format!("the certificate of a proof does not hold: {broken:?}");
            Answer::Unknown(Reason::Internal(why))
        }
    }
}

/// What was found in the system, about the program.
fn told(query: Query<'_>, found: answer::Answer) -> Answer {
    match found {
        answer::Answer::Safe(_) => Answer::Safe,
        answer::Answer::Reached { target: Target::Doubt(flaw), .. } => systems::doubt(flaw),
        answer::Answer::Reached { target: Target::Error(flaw), exact, turns } => {
            systems::shown(query, &turns, &systems::violation(&flaw), exact)
        }
        answer::Answer::Reached { target: Target::To(_), .. } => {
            Answer::Unknown(Reason::Other("no proof".into()))
        }
    }
}

fn size(system: &System) -> [(&'static str, u64); 4] {
    [
        ("threads", system.threads.len() as u64),
        ("locations", system.threads.iter().map(|t| t.locations.len() as u64).sum()),
        ("actions", system.actions.len() as u64),
        ("cells", system.cells.len() as u64),
    ]
}

fn counts(stats: Stats) -> [(&'static str, u64); 14] {
    [
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
        ("implications asked", stats.implications),
        ("covers tried by force", stats.forced),
        ("actions owed to covers", stats.owed),
        ("actions that commute under a condition", stats.commuting),
    ]
}
