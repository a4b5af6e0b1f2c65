//! Executes the IR step by step: the definition of its semantics.
//!
//! `Interp::step` is the heart: one thread, one instruction (or one atomic block), with every open
//! question put to `Inputs` and every event told to an `Observer`.

mod access;
pub mod address;
pub mod choice;
mod clock;
pub mod deed;
mod digest;
mod escape;
mod evaluate;
mod exec;
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
pub mod value;

pub use choice::{About, Choice, ChoiceKind, First, Inputs, Recorded, Source};
pub use deed::Deed;
pub use exec::BEHIND_ASSEMBLY;
pub use look::{Seen, Settled};
pub use name::Storage;
pub use observe::{Access, Death, Observer, Stray};
pub use race::{Race, RaceMonitor};
pub use replay::{Chosen, Outcome, Replay, ScheduleStep, replay, run, values};
pub use state::{State, Status};
pub use step::{Config, Cut, Interp, Next, StepResult, Unsupported, Violation, ViolationKind};
pub use symbol::Domain;
pub use trace::{Trace, TraceStep};
pub use value::{ObjKey, Tid, Value};
