//! Guessed executions held against a memory model, with clauses for those that it forbids.
//!
//! A solver guesses which events are executed, who reads from whom and in which order writes reach memory;
//! each guess is a literal. Here a complete guess becomes an execution graph, the cat model is evaluated on
//! it, and each violated axiom is explained by the literals that its derivation rests on: not all of them
//! can be true. Like `theory`, the room knows numbers and literals only.
//! (Haas, Meyer, Ponce de León: CAAT: Consistency as a theory, OOPSLA 2022.)
//!
//! Invariant: a conflict holds in every execution of the universe, whatever the rest of the guess is. So
//! a solver that hears all conflicts ends with an execution that the model allows, or with none.
//! Cost: one evaluation per guess, `O(n³/64)` per operator of the model for `n` executed events.
//!
//! - `coherence.rs`: in which order writes reach memory: what is known, what is guessed
//! - `universe.rs`: the events that could be executed, and what could relate them
//! - `explain.rs`: from facts about an execution to literals
//! - `order`: what the model orders before a guess is complete

mod coherence;
mod explain;
pub mod order;
#[cfg(test)]
mod tests;
mod universe;

pub use coherence::{Coherence, When};
pub use theory::Lit;
pub use universe::{EventOwner, KnownEdge, RelationalEvent, Universe};

use cat::{Backdrop, Evaluation, Graph, Model};
use explain::Explainer;
use std::sync::Arc;
use universe::GuessIndex;

/// Conflicts of one axiom that one guess is told.
const PER_AXIOM: usize = 12;

/// A model and all executions that could be guessed.
#[derive(Debug)]
pub struct ModelChecker {
    model: Arc<Model>,
    universe: Universe,
    backdrop: Backdrop,
    index: GuessIndex,
    stats: Stats,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Complete guesses looked at.
    pub guesses: u64,
    pub conflicts: u64,
    pub literals: u64,
}

impl ModelChecker {
    pub fn new(model: Arc<Model>, universe: Universe) -> ModelChecker {
        let all: Vec<usize> = (0..universe.events.len()).collect();
        let backdrop = Backdrop::new(universe.graph(&all, &|_| true));
        let index = GuessIndex::new(&universe);
        ModelChecker { model, universe, backdrop, index, stats: Stats::default() }
    }

    pub fn universe(&self) -> &Universe {
        &self.universe
    }

    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Sets of literals of which not all can be true; none if the guess is an execution of the model that
    /// raises the flags that were asked for. Needs: every literal of the universe has a value.
    pub fn conflicts(&mut self, holds: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        self.stats.guesses += 1;
        let found = self.find(holds);
        self.stats.conflicts += found.len() as u64;
        self.stats.literals += found.iter().map(|c| c.len() as u64).sum::<u64>();
        found
    }

    fn find(&mut self, holds: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let executed = self.universe.executed(holds);
        let cycles = self.universe.coherence.cycles(&self.universe.events, &executed, holds);
        if !cycles.is_empty() {
            return cycles;
        }
        let graph = self.universe.graph(&executed, holds);
        let mut evaluation = Evaluation::new(&self.model, graph);
        let reasons = evaluation.reasons(&mut self.backdrop, &executed, PER_AXIOM);
        let (universe, index) = (&self.universe, &self.index);
        let explainer = Explainer { universe, index, executed: &executed, holds };
        let mut out: Vec<Vec<Lit>> = Vec::new();
        for reason in reasons {
            add(&mut out, explainer.literals(&reason.facts));
        }
        if !out.is_empty() {
            return out;
        }
        for &(a, b, selected) in self.universe.flagged.iter().filter(|(.., lit)| holds(*lit)) {
            let place = |e: usize| executed.iter().position(|&x| x == e);
            let (Some(x), Some(y)) = (place(a), place(b)) else { continue };
            if !evaluation.flagged(x, y) {
                let facts = evaluation.why_not_flagged(&mut self.backdrop, &executed, x, y);
                let mut clause = explainer.literals(&facts);
                clause.push(selected);
                add(&mut out, clause);
            }
        }
        out
    }

    /// The guess as a graph, and the events' numbers in the universe.
    pub fn execution(&self, holds: &dyn Fn(Lit) -> bool) -> (Graph, Vec<usize>) {
        let executed = self.universe.executed(holds);
        (self.universe.graph(&executed, holds), executed)
    }

    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }
}

fn add(clauses: &mut Vec<Vec<Lit>>, mut clause: Vec<Lit>) {
    clause.sort_unstable();
    clause.dedup();
    if !clauses.contains(&clause) {
        clauses.push(clause);
    }
}
