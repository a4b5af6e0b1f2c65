//! Candidates with their terms, and which of them are left.

use super::point::Points;
use super::shape::{Candidates, GuessedShape};
use crate::engine::modular::relation::candidate::{Candidate, Known};
use encoder::{Pool, Term};
use ir::types::Machine;
use std::collections::BTreeMap;

/// A candidate with its terms.
pub struct Rule {
    pub candidate: Candidate,
    /// Before a step: of the thread that makes it, of another one.
    pub mine: Term,
    pub others: Term,
    pub holds: bool,
    /// It need not be asked about any more.
    pub settled: bool,
    /// Any of these rules of the same list says more.
    pub bases: Vec<usize>,
}

pub struct Rules {
    /// At all points.
    pub everywhere: Vec<Rule>,
    /// By point.
    pub at: Vec<Vec<Rule>>,
}

impl Rules {
    pub fn new(
        pool: &mut Pool,
        machine: Machine,
        points: &Points,
        candidates: Candidates,
    ) -> Rules {
        let none = BTreeMap::new();
        let mut rule = |GuessedShape { candidate, settled, bases }: GuessedShape,
                        mine: Known<'_>,
                        others: Known<'_>| {
            let mut term = |known| candidate.term(pool, machine, known);
            let (mine, others) = (term(mine), term(others));
            Rule { candidate, mine, others, holds: true, settled, bases }
        };
        let known = Known { cells: &points.cells, regs: &none };
        let everywhere = candidates.everywhere.into_iter();
        let everywhere = everywhere.map(|c| rule(c, known, known)).collect();
        let mut at = Vec::new();
        for (point, candidates) in points.all.iter().zip(candidates.at) {
            let mine = Known { cells: &point.my_cells, regs: &point.mine };
            let others = Known { cells: &point.other_cells, regs: &point.others };
            at.push(candidates.into_iter().map(|c| rule(c, mine, others)).collect());
        }
        Rules { everywhere, at }
    }
}

/// What is left, as what is known from now on.
pub fn settled(rules: &[Rule]) -> Vec<GuessedShape> {
    let known = |rule: &Rule| GuessedShape {
        candidate: rule.candidate.clone(),
        settled: true,
        bases: Vec::new(),
    };
    open(rules).map(|(_, rule)| known(rule)).collect()
}

/// The rules that are left and that no other one makes superfluous.
pub fn open(rules: &[Rule]) -> impl Iterator<Item = (usize, &Rule)> {
    let behind = |r: &Rule| r.bases.iter().any(|base| rules[*base].holds);
    rules.iter().enumerate().filter(move |(_, r)| r.holds && !behind(r))
}
