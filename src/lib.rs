//! obmc verifies multi-threaded C programs: the library behind the program `obmc`.
//!
//! `options::parse` turns words into checked `Options`, `run` does what they say and returns an
//! `Outcome`, which knows its text and its exit code. Only this crate reads files, clocks or arguments.

pub mod bench;
mod consistency;
pub mod driver;
pub mod engine;
mod execute;
pub mod interrupt;
pub mod limits;
pub mod options;
pub mod output;
pub mod preprocess;
pub mod progress;
pub mod property;
pub mod report;
mod show;
pub mod stats;
mod turns;
pub mod validate;
pub mod witness;

pub use driver::{Outcome, run};
