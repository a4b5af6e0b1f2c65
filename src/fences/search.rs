//! The search for a cheapest set of changes: implicit hitting sets.
//!
//! Each execution that must not be is kept. A set of changes that leaves it allowed is made larger until
//! no more change can be added: whatever forbids the execution has one of the changes that are left
//! out. So each execution gives clauses, the cheapest set that hits all clauses is the next guess, and
//! only a guess that forbids all known executions is checked. The first that is safe is a cheapest one,
//! as far as the effect of changes on an execution is estimated right (`graph.rs`).
//! (Chandrasekaran, Karp, Moreno-Centeno, Vempala: Algorithms for implicit hitting set problems, SODA
//! 2011; for fences, Alglave, Kroening, Nimal, Poetzl: Don't sit on the fence, CAV 2014.)

use super::candidate::{self, CandidateChange, ChangeableFile};
use super::graph::{self, Stronger};
use super::hitting;
use crate::contract::WeakExecution;
use std::sync::Arc;

/// Clauses that one look at an execution gives.
const CLAUSES: usize = 3;
/// Guesses that are checked, at most.
const MAX_CHECKS: usize = 200;

/// An execution that must not be.
#[derive(Clone, Debug)]
pub struct Bad {
    pub execution: Arc<WeakExecution>,
    /// The source of each file of the program.
    pub files: Vec<Option<usize>>,
}

/// What a check says about some changes.
pub enum Said {
    Safe,
    /// Up to the bounds of loops.
    Bounded,
    Unsafe(Bad),
    /// Nothing, and why.
    Unknown(String),
}

/// How the search ends.
pub enum FenceAnswer {
    Changes {
        chosen: Vec<usize>,
        bounded: bool,
    },
    /// All changes together do not help.
    Impossible,
    Unknown(String),
}

pub struct FenceSearch<'a> {
    pub sources: &'a [ChangeableFile],
    pub candidates: &'a [CandidateChange],
    pub check: &'a mut dyn FnMut(&[usize]) -> Said,
    bad: Vec<Bad>,
    clauses: Vec<Vec<usize>>,
    pub checks: usize,
}

impl<'a> FenceSearch<'a> {
    pub fn new(
        sources: &'a [ChangeableFile],
        candidates: &'a [CandidateChange],
        check: &'a mut dyn FnMut(&[usize]) -> Said,
    ) -> FenceSearch<'a> {
        FenceSearch { sources, candidates, check, bad: Vec::new(), clauses: Vec::new(), checks: 0 }
    }

    pub fn run(&mut self, first: Bad) -> FenceAnswer {
        self.bad.push(first);
        let costs: Vec<u32> = self.candidates.iter().map(CandidateChange::cost).collect();
        while self.checks < MAX_CHECKS {
            let Some(chosen) = hitting::cheapest(&costs, &self.clauses) else {
                return FenceAnswer::Impossible;
            };
            if let Some(bad) = self.bad.iter().find(|bad| self.allows(bad, &chosen)).cloned() {
                if let Some(end) = self.learn(&bad, &chosen) {
                    return end;
                }
                continue;
            }
            self.checks += 1;
            match (self.check)(&chosen) {
                Said::Safe => return FenceAnswer::Changes { chosen, bounded: false },
                Said::Bounded => return FenceAnswer::Changes { chosen, bounded: true },
                Said::Unknown(why) => return FenceAnswer::Unknown(why),
                Said::Unsafe(bad) => {
                    // Whatever the estimate says, this set is not enough.
                    let known = self.allows(&bad, &chosen);
                    if known {
                        self.bad.push(bad);
                    } else {
                        self.clauses.push(self.others(&chosen));
                    }
                }
            }
        }
        FenceAnswer::Unknown("too many executions to forbid".into())
    }

    fn others(&self, chosen: &[usize]) -> Vec<usize> {
        (0..self.candidates.len()).filter(|c| !chosen.contains(c)).collect()
    }

    fn allows(&self, bad: &Bad, chosen: &[usize]) -> bool {
        let mut stronger = Stronger::default();
        for &number in chosen {
            let change = &self.candidates[number];
            let source = &self.sources[change.file];
            candidate::apply(change, source, &bad.execution, &bad.files, &mut stronger);
        }
        graph::allows(&bad.execution, &stronger)
    }

    /// Clauses of an execution that a set of changes does not forbid.
    fn learn(&mut self, bad: &Bad, chosen: &[usize]) -> Option<FenceAnswer> {
        for turn in 0..CLAUSES {
            let mut order = self.others(chosen);
            order.reverse(); // at one place, the strongest comes first
            let middle = order.len() * turn / CLAUSES;
            order.rotate_left(middle);
            let mut kept = chosen.to_vec();
            for change in order {
                let candidate = &self.candidates[change];
                let implied = kept.iter().any(|&k| self.candidates[k].implies(candidate));
                kept.push(change);
                if !implied && !self.allows(bad, &kept) {
                    kept.pop();
                }
            }
            let clause = self.others(&kept);
            if clause.is_empty() {
                return self.last_resort(chosen);
            }
            if !self.clauses.contains(&clause) {
                self.clauses.push(clause);
            }
        }
        None
    }

    /// By the estimate nothing forbids it. Is that so?
    fn last_resort(&mut self, chosen: &[usize]) -> Option<FenceAnswer> {
        self.checks += 1;
        let all: Vec<usize> = (0..self.candidates.len()).collect();
        match (self.check)(&all) {
            Said::Unsafe(_) => Some(FenceAnswer::Impossible),
            Said::Unknown(why) => Some(FenceAnswer::Unknown(why)),
            Said::Safe | Said::Bounded => {
                self.clauses.push(self.others(chosen));
                self.bad.clear();
                None
            }
        }
    }
}

/// A cheapest set of changes that forbids one execution, by an estimate that more changes never allow it
/// again. `None` if all of them do not.
pub fn forbidding(costs: &[u32], allows: &dyn Fn(&[usize]) -> bool) -> Option<Vec<usize>> {
    let mut clauses: Vec<Vec<usize>> = Vec::new();
    loop {
        let chosen = hitting::cheapest(costs, &clauses)?;
        if !allows(&chosen) {
            return Some(chosen);
        }
        let mut kept = chosen.clone();
        for change in (0..costs.len()).rev().filter(|c| !chosen.contains(c)) {
            kept.push(change);
            if !allows(&kept) {
                kept.pop();
            }
        }
        clauses.push((0..costs.len()).filter(|c| !kept.contains(c)).collect());
    }
}
