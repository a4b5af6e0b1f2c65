//! The engines. Each is one folder that knows the contract (`crate::contract`) and no other engine.
//!
//! - `bmc`: the symbolic engine: all executions within a bound as one formula
//! - `explore`: the explorer: tries all interleavings and all inputs, remembers the states it has
//!   seen
//! - `modular`: thread-modular proofs: SAFE for any number of threads and iterations of loops, or
//!   nothing
//! - `prove`: proofs without bounds: abstract reachability of a fixed number of threads (`reach`)

pub mod bmc;
pub mod explore;
pub mod modular;
pub mod prove;
