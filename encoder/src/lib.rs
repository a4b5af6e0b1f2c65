//! From an unrolled program to events, terms and questions.
//!
//! `encode` walks each thread once and gives an `Encoding`: what each thread does to shared memory
//! under which condition, what must come before what, who may read from whom, and the goals. It
//! knows neither the theory nor a solver; `solver` makes a formula of it.
//!
//! - `arith.rs`: the integer arithmetic of `ir::arith` as terms, for walks through IR
//! - `build.rs`: constructors that simplify
//! - `coenabled.rs`: data races: two threads that have halted before accesses that conflict
//! - `encoding.rs`: what to encode, and what comes out
//! - `eval.rs`: what an operator computes: the one definition that folding, models and tests
//!   share
//! - `event.rs`: events: what threads do to shared memory, as plain data
//! - `guards.rs`: what one guard says about another: sound, incomplete, cheap tests
//! - `object.rs`: objects and cells: memory as the encoding sees it
//! - `order.rs`: what comes before what in every execution: program order and the static edges,
//!   closed
//! - `print.rs`: encodings as text, for people who debug them
//! - `reads_from.rs`: who may read from whom: the candidates, before anything clever is done
//!   about them
//! - `substitute.rs`: terms for variables: rebuilds terms with the constructors that simplify
//! - `term.rs`: terms: shared bit-vector and Boolean expressions, the language of all backends
//! - `value.rs`: what a value can be: a sound guess that tells which cells a pointer may reach
//!   and how many bits a shared variable needs
//! - `intervals`: how large a value can be, depending on who reads from whom
//! - `conflict`: the conflict finder: candidates that cannot be chosen together, before the
//!   solver starts
//! - `prune`: static pruning to a fixpoint: fewer candidates, fewer events, simpler terms
//! - `symmetry`: symmetry: of threads that cannot be told apart, one order is enough
//! - `walk`: the walk: each thread once, block by block, with terms for registers and guards for
//!   paths
//! - `weak.rs`: what only other memory models want to know: dependencies, where cells are
//!
//! - `testing`: small encodings for tests: a builder, a generator, and a brute-force judge

pub mod arith;
pub mod build;
pub mod coenabled;
pub mod conflict;
mod encoding;
pub mod eval;
pub mod event;
pub mod guards;
pub mod intervals;
mod object;
pub mod order;
pub mod print;
pub mod prune;
pub mod reads_from;
pub mod substitute;
pub mod symmetry;
pub mod term;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod value;
mod walk;
pub mod weak;

pub use coenabled::{CoEnabled, ConflictingAccess, NextAccess};
pub use encoding::{ChosenInput, Config, Encoding, Unencodable};
pub use event::*;
pub use ir::memory_model::{Guarantee, MemoryModel};
pub use term::{Op, Pool, Sort, Term, Var};
pub use walk::{encode, encode_while};
pub use weak::{Dependency, DependencyKind, Weak};
