//! What to encode, and what comes out.

use crate::coenabled::CoEnabled;
use crate::event::*;
use crate::term::{Pool, Term};
use crate::weak::Weak;
use ir::Property;
use ir::Span;

/// A program as a set of events. Plain data: passes over it prune and add.
#[derive(Clone, Debug)]
pub struct Encoding {
    pub pool: Pool,
    pub threads: Vec<ThreadSkeleton>,
    pub nodes: Vec<Node>,
    pub cells: Vec<Cell>,
    pub events: Vec<Event>,
    /// The first comes before the second whatever happens; across threads only.
    pub edges: Vec<(NodeId, NodeId)>,
    /// When the term holds, the first comes before the second: a join that may not be executed.
    pub waits: Vec<(Term, NodeId, NodeId)>,
    /// Who may read from whom: (write, read), by ascending read.
    pub rf: Vec<(EventId, EventId)>,
    /// What holds in every execution.
    pub facts: Vec<Term>,
    pub goals: Vec<Goal>,
    /// Instructions that may receive an arbitrary value: inputs, and loads of uninitialised memory.
    pub inputs: Vec<ChosenInput>,
    /// What memory holds at first, where the program does not say.
    pub undefined: Vec<Undefined>,
    /// In the order of each thread.
    pub fences: Vec<Fence>,
    /// Where threads may stop, if races are asked for.
    pub coenabled: Vec<CoEnabled>,
    /// Empty under sequential consistency.
    pub weak: Weak,
}

/// What the solver chose for an instruction: the interpreter asks for it in a replay.
#[derive(Clone, Copy, Debug)]
pub struct ChosenInput {
    pub thread: ThreadId,
    pub at: ProgramPoint,
    /// The value that the instruction's register receives; for an allocation, 1 if it fails.
    pub value: Term,
}

/// What to encode.
#[derive(Clone, Debug)]
pub struct Config {
    pub property: Property,
    pub malloc_may_fail: bool,
    /// A thread does not go on behind an invalid store or free.
    pub undefined_ends: bool,
    /// Give shared variables only the bits that their values need.
    pub narrow: bool,
    /// Nodes at most.
    pub max_events: usize,
    /// For other models than sequential consistency: every access to what others use is an event.
    pub weak: bool,
    /// For those that speak about dependencies: they are told.
    pub dependencies: bool,
    /// For those in which a thread sees its own writes to a location in order, and starts and ends of
    /// threads order what others see: what one thread alone writes is known where it cannot change.
    pub settles: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            property: Property::UnreachCall,
            malloc_may_fail: false,
            undefined_ends: false,
            narrow: true,
            max_events: 1_000_000,
            weak: false,
            dependencies: false,
            settles: false,
        }
    }
}

/// A program that is out of reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unencodable {
    pub what: String,
    pub span: Span,
}
