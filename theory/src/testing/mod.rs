//! Tools to test the theory with: small languages, a generator, a replayer that asks the reference.
//!
//! - `script`: a run of the theory as lines of text, so a bad run is a file that replays for ever;
//! - `replay`: executes a script and holds every step against `check.rs`;
//! - `record`: makes a script of what a host does;
//! - `generate`: random scripts from a seed;
//! - `shrink`: the shortest script that still fails;
//! - `notation`: `check("w1 -rf-> r1 -po-> w1", Cycle)`;
//! - `graphs`: large seeded graphs for benches.

mod generate;
mod graphs;
mod notation;
mod record;
mod replay;
mod script;
mod shrink;

pub use generate::{Shape, generate};
pub use graphs::{Big, big};
pub use notation::{Expect, check};
pub use record::Recorder;
pub use replay::{Summary, replay};
pub use script::{Script, Step};
pub use shrink::{fails, shrink};
