//! The engines. Each is one folder that knows the contract (`crate::contract`) and no other engine.
//! `systems.rs` is for those that look at systems (`reach`); `judged.rs` for their tests: random programs
//! with the explorer as the judge.
//!
//! - `bmc`: the symbolic engine: all executions within a bound as one formula
//! - `explore`: the explorer: tries all interleavings and all inputs, remembers the states it has
//!   seen
//! - `modular`: thread-modular proofs: SAFE for any number of threads and iterations of loops, or
//!   nothing
//! - `prove`: proofs without bounds: abstract reachability of a fixed number of threads (`reach`)
//! - `symex`: symbolic execution of the same systems: paths one by one, inputs as terms
//! - `values`: proofs under weaker memory models: which values can flow from writes to reads

pub mod bmc;
pub mod explore;
#[cfg(test)]
mod judged;
pub mod modular;
pub mod prove;
pub mod symex;
mod systems;
pub mod values;
