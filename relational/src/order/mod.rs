//! What a model orders early: graphs for `theory`, which propagates while a solver still guesses.
//!
//! The model judges complete guesses only. Long before, parts of its axioms are known: edges that hold
//! whenever their events are executed, when a read has its source, when two writes are ordered. They are put
//! into graphs in which no cycle may be:
//!
//! - for each location of a coherent model (`location.rs`): its accesses, in program order of each
//!   thread, or in happens-before where the model agrees with that; and one in which races are apart;
//! - for each axiom `acyclic r` (`lane.rs`): the edges of `r` that two or three events decide
//!   (`small.rs`).
//!
//! `theory` adds what follows for the order of writes and for reads before overwriting writes.
//!
//! Invariant: an execution that the model allows has no cycle in any graph, for some order of the writes that
//! are not executed. So no execution is lost; whatever the graphs miss, the model finds in the end.

mod lane;
mod location;
mod small;
#[cfg(test)]
mod tests;

use crate::universe::{EventOwner, GuessIndex, Universe};
use cat::{Model, Says};
use small::{Classes, Oracle};
use theory::{Cell, Lit, Node, Theory};

/// The one that has made the universe.
pub trait Host {
    /// A literal that is true if and only if both are.
    fn both(&mut self, a: Lit, b: Lit) -> Lit;
    /// Is the second event executed whenever the first is?
    fn implies(&self, a: usize, b: usize) -> bool;
}

/// The graphs of a model for all executions of the universe.
pub fn theory(model: &Model, universe: &Universe, host: &mut dyn Host) -> Theory {
    let classes = Classes::new(universe);
    let index = GuessIndex::new(universe);
    let parts = model.parts();
    let order = parts.iter().copied().find(|part| part.says != Says::Acyclic);
    let mut oracle = order.map(|part| Oracle::new(&classes, model, part));
    let atomic_only = order.is_some_and(|part| part.says == Says::CoherentWhereAtomic);
    let coherent = match (model.is_coherent(), atomic_only) {
        (true, _) => Coherent::Everywhere,
        (_, true) => Coherent::WhereAtomic,
        _ => Coherent::Nowhere,
    };
    let (theory, atomic) = (Theory::default(), model.is_atomic());
    let mut graphs = Graphs { universe, index: &index, host, theory, cells: 0, coherent, atomic };
    let spared = order.is_some_and(|part| model.flags_spare(part));
    location::add(&mut graphs, oracle.as_mut(), spared);
    for &part in parts.iter().filter(|part| part.says == Says::Acyclic) {
        lane::add(&mut graphs, &mut Oracle::new(&classes, model, part));
    }
    graphs.theory
}

/// Of which locations the accesses are coherent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Coherent {
    Everywhere,
    /// Of a plain one, reads see what is ordered before them.
    WhereAtomic,
    Nowhere,
}

/// Graphs under construction.
struct Graphs<'a> {
    universe: &'a Universe,
    index: &'a GuessIndex,
    host: &'a mut dyn Host,
    theory: Theory,
    cells: u32,
    coherent: Coherent,
    atomic: bool,
}

impl Graphs<'_> {
    /// A location of one graph.
    fn cell(&mut self) -> Cell {
        self.cells += 1;
        Cell(self.cells - 1)
    }

    /// An edge for good, or while the literal holds.
    fn edge(&mut self, when: Option<Lit>, from: Node, to: Node) {
        match when {
            None => self.theory.add_edge(from, to),
            Some(lit) => self.theory.add_before(lit, from, to),
        }
    }

    /// When both are executed.
    fn executed(&mut self, a: usize, b: usize) -> Option<Lit> {
        let [first, second] = [a, b].map(|e| self.universe.events[e].guard);
        if second.is_none() || self.host.implies(a, b) {
            return first;
        }
        if first.is_none() || self.host.implies(b, a) {
            return second;
        }
        self.and(first, second)
    }

    fn and(&mut self, a: Option<Lit>, b: Option<Lit>) -> Option<Lit> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => Some(self.host.both(a, b)),
            (Some(lit), _) | (_, Some(lit)) => Some(lit),
            (None, None) => None,
        }
    }

    /// The events of each thread.
    fn threads(&self) -> Vec<Vec<usize>> {
        let mut threads: Vec<Vec<usize>> = Vec::new();
        for (e, event) in self.universe.events.iter().enumerate() {
            if let EventOwner::Thread(t) = event.place {
                let t = t as usize;
                threads.resize_with(threads.len().max(t + 1), Vec::new);
                threads[t].push(e);
            }
        }
        threads
    }

    fn is(&self, e: usize, set: &str) -> bool {
        self.universe.events[e].sets.contains(&set)
    }
}
