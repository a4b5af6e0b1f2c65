//! obmc verifies multi-threaded C programs: the library behind the program `obmc`.
//!
//! `options::parse` turns words into checked `Options`, `run` does what they say and returns an
//! `Outcome`, which knows its text and its exit code. Only this crate reads files, clocks or arguments.

pub mod bench;
mod consistency;
pub mod contract;
pub mod driver;
pub mod engine;
mod execute;
pub mod interrupt;
pub mod litmus;
pub mod load;
pub mod options;
pub mod output;
pub mod portfolio;
pub mod preprocess;
mod progress_line;
pub mod report;
pub mod request;
mod show;
pub mod specification;
pub mod supervise;
mod turns;
pub mod validate;
pub mod witness;

pub use driver::{Outcome, run};
