//! Terms and theory to an answer.
//!
//! `Bridge` turns an encoding into facts (terms) and a theory over numbered literals; a `Backend`
//! takes both and answers questions about them. The theory runs inside of the backend's search
//! (`Method::Prop`) or looks at its complete models (`Method::Basic`).
//!
//! - `bridge.rs`: events to nodes, guards to literals, and back
//! - `literals.rs`: numbers for terms
//! - `reference.rs`: the theory's slow reference implementation, held against every clause and
//!   every model at run time (`--self-check`)
//! - `blast`: bit-blasting: terms to a circuit (`aig.rs`, `arith.rs`), the circuit to clauses
//!   (`cnf.rs`)
//! - `cadical`: CaDiCaL with the theory inside (`Method::Prop`) or beside it (`Method::Basic`)
//! - `weak`: encodings under other memory models: events and guesses for `relational`
//! - `z3`: Z3, with the theory inside of its search or judging its models
//!
//! - `permit.rs`: how a search is paused and stopped from outside
//! - `testing`: one test suite for all backends: `backend_suite!(|pool, bridge, method| ...)` in
//!   a test module

pub mod blast;
pub mod bridge;
pub mod cadical;
mod literals;
mod permit;
mod reference;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod weak;
pub mod z3;

pub use bridge::{Bridge, Final};
use encoder::{Pool, Term};
pub use permit::Permit;
pub use reference::BrokenPromise;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

/// How solver and theory work together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// The theory follows every assignment, propagates and explains.
    #[default]
    Prop,
    /// The solver finds complete models; the theory answers each with conflict clauses.
    Basic,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// There is a model: `Backend::value` and `Bridge::schedule` tell.
    Sat,
    Unsat,
    /// The deadline has passed.
    TimeOut,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverError {
    /// A call of the library failed.
    Call { call: &'static str, what: String },
    /// The backend cannot express this term.
    Unsupported(&'static str),
    /// The theory or the bridge panicked inside of a callback, or was caught by its slow reference
    /// implementation; the message.
    Panic(String),
    /// The library gave up.
    GaveUp(String),
}

/// Counters of a backend, in the order in which they are printed.
pub type Counters = Vec<(&'static str, u64)>;

/// A solver with the theory of one bridge inside. It is made with the bridge; what the bridge
/// observes is known to it from the start.
pub trait Backend {
    /// Asserts a Boolean term for good.
    fn assert(&mut self, pool: &Pool, fact: Term) -> Result<(), SolverError>;

    /// Is there a model of the facts, the assumptions (Boolean terms) and the theory?
    fn solve(
        &mut self,
        pool: &Pool,
        assumptions: &[Term],
        deadline: Option<Instant>,
    ) -> Result<Outcome, SolverError>;

    /// After `Sat`: the value of a variable (a term with `Op::Var`). Variables that no fact or
    /// assumption mentions are 0.
    fn value(&mut self, pool: &Pool, var: Term) -> Result<u64, SolverError>;

    /// From now on, a search pauses and ends early (`Outcome::TimeOut`) by this permit; deadlines are
    /// by its clock.
    fn work_by(&mut self, permit: Arc<Permit>);

    /// From now on, conflicts are counted here as they happen, for observers outside.
    fn count_conflicts(&mut self, counter: Arc<AtomicU64>);

    fn bridge(&self) -> &Bridge;

    fn counters(&self) -> Counters;
}
