//! What is found in a system, and who finds it.

use crate::ask::Stop;
use crate::execution::Turn;
use crate::graph::Vector;
use crate::system::Target;
use encoder::Term;

pub enum Answer {
    Safe(Proof),
    /// An execution of the system to an error or a doubt.
    Reached {
        turns: Vec<Turn>,
        target: Target,
        exact: bool,
    },
}

/// An invariant: for each vector of locations a disjunction of conjunctions.
#[derive(Clone, Debug)]
pub struct Proof {
    pub invariant: Vec<(Vector, Vec<Vec<Term>>)>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    pub nodes: u64,
    pub covered: u64,
    pub actions: u64,
    /// Actions that the reduction left out.
    pub skipped: u64,
    /// Steps that were not evaluated, since nothing observes what they write.
    pub dropped: u64,
    /// Steps after which something that they write was forgotten.
    pub forgotten: u64,
    pub refinements: u64,
    pub predicates: u64,
    pub tracked: u64,
    pub questions: u64,
    /// Of labels, that a solver was asked for.
    pub implications: u64,
    /// Covers that were tried to be forced.
    pub forced: u64,
    /// Actions that a node follows because a node that it covers would.
    pub owed: u64,
    /// Pairs of actions that share cells: asked whether they commute, and those that do.
    pub asked_to_commute: u64,
    pub commuting: u64,
}

/// Why the graph without reduction is not there.
pub const TOO_MANY_NODES: Stop = Stop::GaveUp("too many states without reduction");

/// A search for a proof or an error.
pub trait Prover {
    fn run(&mut self) -> Result<Answer, Stop>;

    /// The same answer without reduction: its proof is closed under all actions of all threads. Not
    /// more nodes than this are made.
    fn certify(&mut self, most_nodes: usize) -> Result<Answer, Stop>;

    fn stats(&self) -> Stats;
}
