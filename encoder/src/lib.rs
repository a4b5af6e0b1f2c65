//! From an unrolled program to events, terms and questions.
//!
//! `encode` walks each thread once and gives an `Encoding`: what each thread does to shared memory
//! under which condition, what must come before what, who may read from whom, and the goals. It
//! knows neither the theory nor a solver; `solver` makes a formula of it.

pub mod arith;
pub mod build;
pub mod conflict;
mod encoding;
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

pub use encoding::{Config, Encoding, Input, Unencodable};
pub use event::*;
pub use halt::{Deed, Halt, Touch};
pub use ir::memory_model::{Guarantee, MemoryModel};
pub use term::{Op, Pool, Sort, Term, Var};
pub use walk::encode;
