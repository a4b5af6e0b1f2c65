//! obmc verifies multi-threaded C programs: the library behind the program `obmc`.
//!
//! `options::parse` turns words into checked `Options`, `run` does what they say and returns an
//! `Outcome`, which knows its text and its exit code. Only this crate reads files, clocks or arguments.
//!
//! - `beside.rs`: C's own memory model beside sequential consistency, where accesses are weaker
//! - `consistency.rs`: what a proof takes from sequential consistency
//! - `driver/`: from options to an outcome: preprocess, load, bound, ask an engine, once per
//!   property
//! - `execute.rs`: `obmc run`: one execution in the interpreter, as the tests compare it with a
//!   compiled program
//! - `held.rs`: where a thread may unlock a mutex that it does not hold
//! - `interleaved.rs`: when all executions of a weaker memory model are interleavings
//! - `interrupt.rs`: ctrl-C and SIGTERM: a wish to stop, noticed by the code that waits
//! - `kernel.rs`: the Linux kernel's fences under memory models that do not know them
//! - `litmus.rs`: `obmc litmus`: litmus tests under a memory model, thousands of them in one
//!   process
//! - `load.rs`: from preprocessed text to the program that an engine gets, in one place
//! - `never_made.rs`: locks and their kin that no thread ever initialises
//! - `models.rs`: memory models by name or from a file, for C programs
//! - `one_mutex.rs`: condition variables that are waited for with several mutexes
//! - `preprocess.rs`: files to preprocessed C text
//! - `progress_line.rs`: one line on the terminal that says what is going on, and leaves no trace
//! - `race_list.rs`: a verdict about races gets all of them, without those that are suppressed
//! - `races.rs`: all races of a program in one run, and those that the user lets be
//! - `reread.rs`: where a thread may lock for reading while it holds a read-write lock
//! - `show.rs`: `obmc show`: what was understood of a program
//! - `specification.rs`: properties by name, by list, or by SV-COMP property file
//! - `supervise.rs`: time and memory, and how they are kept
//! - `bench`: `obmc bench`: a whole suite, each task a child process of this program
//! - `compile`: what a build says about a program: a compiler's words, compilation databases
//! - `contract`: the contract of engines: what they are asked, what they answer, and how a
//!   violation is confirmed
//! - `engine`: the engines
//! - `fences`: `obmc fences`: a smallest set of stronger orders and fences that makes a program
//!   safe
//! - `output`: what a check leaves behind besides its text: files, and a run of the real program
//! - `portfolio`: who answers: one engine by name, or several by a policy
//! - `report`: what a run found, for people and for machines
//! - `request`: what was asked for, as plain data: every value is in range and no two contradict
//! - `validate`: `obmc validate`: does a violation witness show what it says?
//! - `witness`: what writers and readers of witnesses share: the YAML format as types, and lines
//!   of input files
//! - `workers.rs`: many items, some at a time: one thread per job takes the next item

pub mod bench;
mod beside;
mod compile;
mod consistency;
pub mod contract;
pub mod driver;
pub mod engine;
mod execute;
mod fences;
mod held;
mod interleaved;
pub mod interrupt;
mod kernel;
pub mod litmus;
pub mod load;
mod models;
mod never_made;
mod one_mutex;
pub mod options;
pub mod output;
pub mod portfolio;
pub mod preprocess;
mod progress_line;
mod race_list;
mod races;
pub mod report;
pub mod request;
mod reread;
mod show;
pub mod specification;
pub mod supervise;
mod turns;
pub mod validate;
pub mod witness;
mod workers;

pub use driver::{Outcome, complete, run};
