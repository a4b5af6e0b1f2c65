//! From an unrolled program to events, terms and questions.
//!
//! `encode` walks each thread once and gives an `Encoding`: what each thread does to shared memory
//! under which condition, what must come before what, who may read from whom, and the goals. It
//! knows neither the theory nor a solver; `solver` makes a formula of it.

pub mod arith;
pub mod build;
pub mod conflict;
pub mod eval;
pub mod event;
pub mod guards;
pub mod halt;
mod object;
pub mod order;
pub mod print;
pub mod prune;
pub mod read_from;
pub mod substitute;
pub mod symmetry;
pub mod term;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod value;
mod walk;

use frontend::ir::{Program, Span};

pub use event::*;
pub use halt::{Deed, Halt, Touch};
pub use term::{Op, Pool, Sort, Term, Var};

/// A program as a set of events. Plain data: passes over it prune and add.
#[derive(Clone, Debug)]
pub struct Encoding {
    pub pool: Pool,
    pub threads: Vec<Thread>,
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
    /// Instructions that may receive an arbitrary value: inputs, and loads of what nobody wrote.
    pub inputs: Vec<Input>,
    /// What memory holds at first, where nobody says.
    pub undefined: Vec<Undefined>,
    /// Where threads may stop, if races are asked for.
    pub halts: Vec<Halt>,
}

/// What the solver chose for an instruction: the interpreter asks for it in a replay.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    pub thread: ThreadId,
    pub at: Place,
    /// The value that the instruction's register receives; for an allocation, 1 if it fails.
    pub value: Term,
}

/// What to encode.
#[derive(Clone, Debug)]
pub struct Config {
    pub property: Property,
    pub malloc_may_fail: bool,
    /// Give shared variables only the bits that their values need.
    pub narrow: bool,
    /// Nodes at most.
    pub max_events: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            property: Property::Reachability,
            malloc_may_fail: false,
            narrow: true,
            max_events: 1_000_000,
        }
    }
}

/// What an error is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    /// Reaching an `Error` instruction.
    Reachability,
    /// Overflow of checked arithmetic.
    Overflow,
    /// Conflicting accesses that nothing orders.
    DataRace,
    /// Invalid accesses and frees, lost memory.
    Memory,
    /// Threads that wait for ever.
    Deadlock,
}

/// A program that is out of reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unencodable {
    pub what: String,
    pub span: Span,
}

/// Encodes a program without cycles and calls (`frontend::pass::unrolled`). `Encoding::rf` is still
/// empty.
pub fn encode(program: &Program, config: &Config) -> Result<Encoding, Unencodable> {
    walk::encode(program, config)
}
