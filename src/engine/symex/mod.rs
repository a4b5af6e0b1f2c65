//! Symbolic execution: the paths of the crate `reach`'s system as an engine.
//!
//! Depths grow until no path is cut. An error on a path is an execution with inputs, which the
//! interpreter replays before it is told. SAFE is said if no path was cut and nothing on the way is not
//! modelled. For programs whose inputs have too many values for the explorer.

#[cfg(test)]
mod tests;

use super::shown;
use crate::contract::{
    Answer, Coverage, Engine, Goal, MemoryModel, Property, Query, Reason, Remark, Verdict,
};
use interp::ViolationKind;
use ir::Span;
use reach::ask::{Budget, Stop};
use reach::build::{self, Refusal};
use reach::options::Cover;
use reach::paths::{Found, Options, Paths, Seen, Stats};
use reach::por::Por;
use reach::system::{Flaw, System};

/// Steps of the shortest paths that are looked at first.
const FIRST_DEPTH: usize = 64;
/// More are not worth waiting for.
const MAX_DEPTH: usize = 1 << 20;

#[derive(Clone, Copy, Debug)]
pub struct Symex {
    pub por: Por,
    pub cover: Cover,
    /// Paths are cut after so many steps; without, when time is up.
    pub depth: Option<usize>,
}

impl Default for Symex {
    fn default() -> Symex {
        Symex { por: Por::Quasi, cover: Cover::Subsume, depth: None }
    }
}

pub const COVERAGE: Coverage = &[(MemoryModel::Sc, &[Property::UnreachCall, Property::NoDeadlock])];

impl Engine for Symex {
    fn check(&self, query: Query<'_>) -> Verdict {
        if let Some(verdict) = query.uncovered(COVERAGE) {
            return verdict;
        }
        let Query { program, property, settings, limits } = query;
        let deadlocks = property == Property::NoDeadlock;
        let config = build::Config {
            errors: !deadlocks,
            malloc_may_fail: settings.malloc_may_fail,
            ends: deadlocks,
        };
        let budget = Budget { deadline: limits.deadline, permit: limits.permit.clone() };
        match build::build(program, config, &budget) {
            Err(_) if limits.exceeded() => Verdict::new(property, Answer::Unknown(Reason::Time)),
            Err(Refusal { what, span, .. }) => {
                Verdict::new(property, Answer::Unknown(Reason::Unsupported { what, span }))
            }
            Ok(system) => self.walk(query, system, budget),
        }
    }
}

impl Symex {
    fn walk(&self, query: Query<'_>, mut system: System, budget: Budget) -> Verdict {
        log::trace!("{}", system.dump());
        let bodiless = system.bodiless.clone();
        let deadlocks = query.property == Property::NoDeadlock;
        let options = Options { por: self.por, cover: self.cover, deadlocks };
        let mut paths = Paths::new(&mut system, options, budget);
        let mut depth = self.depth.unwrap_or(FIRST_DEPTH);
        let seen = loop {
            let seen = paths.run(depth);
            let deeper = matches!(&seen, Ok(seen) if seen.found.is_none() && !seen.cut.is_empty());
            if !deeper || self.depth.is_some() || depth >= MAX_DEPTH {
                break seen;
            }
            depth *= 2;
        };
        let stats = paths.stats;
        let answer = match seen {
            Ok(seen) => self.judged(query, seen),
            Err(Stop::Late) => Answer::Unknown(Reason::Time),
            Err(Stop::GaveUp(why)) => Answer::Unknown(Reason::Other(why.into())),
            Err(Stop::Solver(why)) => Answer::Unknown(Reason::Internal(why)),
        };
        let mut verdict = Verdict::new(query.property, answer);
        let functions = &query.program.functions;
        let assumed = bodiless.iter();
        let assumed = assumed.map(|(f, span)| Remark::assumed(&functions[f.index()], *span));
        verdict.assumptions = Remark::sorted(assumed);
        verdict.stats = numbers(&system, stats, depth).map(|(n, v)| (n.into(), v)).to_vec();
        verdict
    }

    fn judged(&self, query: Query<'_>, seen: Seen) -> Answer {
        if let Some((found, turns)) = seen.found {
            let goal = match found {
                Found::Error(flaw) => {
                    Goal::Violation { kind: ViolationKind::UnreachCall, span: flaw.span }
                }
                Found::Deadlock => Goal::Deadlock,
            };
            return shown::shown(query, &turns, &goal, seen.exact);
        }
        if let Some(Flaw { what, span }) = seen.doubt {
            return Answer::Unknown(Reason::Unsupported { what, span });
        }
        if seen.cut.is_empty() {
            return Answer::Safe;
        }
        let cut = |span: Span| Remark { text: "paths are cut here".into(), span };
        Answer::Bounded { cut: seen.cut.into_keys().map(cut).collect() }
    }
}

fn numbers(system: &System, stats: Stats, depth: usize) -> [(&'static str, u64); 8] {
    [
        ("threads", system.threads.len() as u64),
        ("actions", system.actions.len() as u64),
        ("depth", depth as u64),
        ("paths", stats.paths),
        ("steps", stats.steps),
        ("steps pruned by reduction", stats.pruned),
        ("states seen before", stats.covered),
        ("solver questions", stats.questions),
    ]
}
