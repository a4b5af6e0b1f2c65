//! Symbolic execution: the paths of the crate `reach`'s system as an engine.
//!
//! Depths grow until no path is cut. An error on a path is an execution with inputs, which the
//! interpreter replays before it is told. SAFE is said if no path was cut and nothing on the way is not
//! modelled. For programs whose inputs have too many values for the explorer.

#[cfg(test)]
mod tests;

use super::systems;
use crate::contract::{
    Answer, Coverage, Engine, Goal, MemoryModel, Property, Query, Remark, Verdict,
};
use ir::Span;
use reach::ask::Budget;
use reach::build::Config;
use reach::options::Cover;
use reach::paths::{PathOptions, PathStats, Paths, PathsFound, SeenPaths};
use reach::por::Por;
use reach::system::System;

/// Steps of the shortest paths that are looked at first.
const FIRST_DEPTH: usize = 64;
/// More are not worth waiting for.
const MAX_DEPTH: usize = 1 << 20;

/// Places of an access: on a path most indices are known.
const MOST_PLACES: usize = 1_200;

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
        let config =
            |undefined| Config { most_places: MOST_PLACES, ..systems::config(query, undefined) };
        systems::attempts(query, |undefined| match systems::built(query, config(undefined)) {
            Ok((system, budget)) => self.walk(query, system, budget),
            Err(reason) => Verdict::new(query.property, Answer::Unknown(reason)),
        })
    }
}

impl Symex {
    fn walk(&self, query: Query<'_>, mut system: System, budget: Budget) -> Verdict {
        let deadlocks = query.property == Property::NoDeadlock;
        let options = PathOptions { por: self.por, cover: self.cover, deadlocks };
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
            Ok(seen) => judged(query, seen),
            Err(stop) => systems::stopped(stop),
        };
        systems::verdict(query, &system, answer, numbers(&system, stats, depth))
    }
}

fn judged(query: Query<'_>, seen: SeenPaths) -> Answer {
    if let Some((found, turns)) = seen.found {
        let goal = match found {
            PathsFound::Error(flaw) => systems::violation(&flaw),
            PathsFound::Deadlock => Goal::Deadlock,
        };
        return systems::shown(query, &turns, &goal, seen.exact);
    }
    if let Some(flaw) = seen.doubt {
        return systems::doubt(flaw);
    }
    if seen.cut.is_empty() {
        return Answer::Safe;
    }
    let cut = |span: Span| Remark::new("paths are cut here", span);
    Answer::Bounded { cut: seen.cut.into_keys().map(cut).collect() }
}

fn numbers(system: &System, stats: PathStats, depth: usize) -> [(&'static str, u64); 8] {
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
