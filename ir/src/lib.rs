//! The typed intermediate representation: functions as control-flow graphs of simple instructions.
//!
//! It is the contract between all rooms: `frontend` makes it from C text, `analysis` looks at it and
//! rewrites it, `interp` says what it means, `encoder` makes events of it.
//!
//! - `program.rs`: programs, functions, blocks, instructions; `types.rs`: C types and their layout
//! - `print.rs`, `dot.rs`: for people; `verify.rs`: what every program must satisfy
//! - `cfg.rs`, `walk.rs`, `atomic.rs`: edges and order of blocks, operands of instructions, atomic
//!   blocks
//! - `id.rs`: numbers of instructions and loops that survive passes, and places for people
//! - `kernel.rs`: what the Linux kernel's memory model knows instructions by
//! - `names.rs`: names with letters that parsers do not take
//! - `arith.rs`, `fold.rs`: the one meaning of an operator
//! - `testing.rs`: a text notation and an evaluator, for tests
//! - `property.rs`, `memory_model.rs`: what is asked of a program, and which executions it has

pub mod arith;
pub mod atomic;
pub mod cfg;
pub mod dot;
pub mod fold;
mod id;
mod kernel;
pub mod memory_model;
pub mod names;
pub mod print;
mod program;
mod property;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod types;
pub mod verify;
pub mod walk;

pub use id::*;
pub use kernel::Kernel;
pub use memory_model::MemoryModel;
pub use program::*;
pub use property::{LoadedFor, Property, PropertyKind};
