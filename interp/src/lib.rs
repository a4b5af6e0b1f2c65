//! Executes the IR step by step: the definition of its semantics.
//!
//! `Interp::step` is the heart: one thread, one instruction (or one atomic block), with every open
//! question put to `Inputs` and every event told to an `Observer`.
//!
//! - `access.rs`: loads, stores and frees: from an address to bytes, with all that can be wrong
//!   about it
//! - `address.rs`: the address space: from numbers to objects and back
//! - `choice.rs`: the choices that a step leaves open, and who makes them
//! - `clock.rs`: vector clocks: what a thread knows of the others
//! - `digest.rs`: the identity of a state in 128 bits
//! - `escape.rs`: who can know an object: private objects, dead ones that are still pointed to,
//!   leaks
//! - `evaluate.rs`: rvalues, and what to do when an operand is a symbol
//! - `exec.rs`: executes instructions of one thread
//! - `feed.rs`: bytes that an outsider looks at or replaces
//! - `lifetime.rs`: objects begin and end: slots, heap blocks, arrays of variable length
//! - `liveness.rs`: which registers matter at which point of a function
//! - `look.rs`: variables by the names that C has for them: what an outsider's condition about a
//!   state needs
//! - `memory.rs`: objects: bytes, some of which are not known yet
//! - `name.rs`: Names of objects, addresses and values for readers
//! - `next.rs`: what a thread would do next, without doing it
//! - `observe.rs`: what happens in a step, told to an observer
//! - `position.rs`: where threads stand, for engines that look ahead in the program
//! - `race.rs`: data races by vector clocks, as C11 defines them
//! - `replay.rs`: runs a recorded schedule again and tells what happened
//! - `state.rs`: one state of an execution: threads, memory, symbols
//! - `symbol.rs`: symbols: values that are not decided yet, as sets of integers
//! - `trace.rs`: an execution told to a reader
//! - `trace_event.rs`: what a reader of an execution is told about a step, as data
//! - `value.rs`: what a register holds, and how threads and objects are named

mod access;
pub mod address;
pub mod choice;
mod clock;
mod digest;
mod escape;
mod evaluate;
mod exec;
mod feed;
mod lifetime;
mod liveness;
pub mod look;
mod memory;
mod name;
mod next;
pub mod observe;
pub mod position;
pub mod race;
pub mod replay;
pub mod state;
pub mod step;
pub mod symbol;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod trace;
pub mod trace_event;
pub mod value;

pub use access::is_nowhere;
pub use choice::{About, Choice, ChoiceKind, ChoiceSource, First, Inputs, Recorded};
pub use digest::{ObjectBytes, StaticContents};
pub use exec::BEHIND_ASSEMBLY;
pub use look::{Settled, VariableView};
pub use name::Storage;
pub use observe::{Access, Death, InvalidAccess, Observer};
pub use race::{Race, RaceMonitor};
pub use replay::{Chosen, Outcome, Replay, ScheduleStep, replay, run, values};
pub use state::{State, Status};
pub use step::{Config, Cut, Interp, Next, StepResult, Unsupported, Violation, ViolationKind};
pub use symbol::Domain;
pub use trace::{Trace, TraceStep};
pub use trace_event::TraceEvent;
pub use value::{ObjKey, Tid, Value};
