//! Proofs without bounds: abstract reachability over a program's threads.
//!
//! A program becomes a system of threads, locations and actions; what is reachable in it is explored
//! with an abstraction that is refined until no error is left, or an execution to one is found. See
//! `docs/prove.md`.
//!
//! - `system.rs`: a program as threads of locations and actions over cells
//! - `build`: from a program to a system; `flow.rs`: how values flow between cells; `show.rs`: terms
//!   as text
//! - `ask.rs`: questions to a solver; `replace.rs`: simultaneous substitution; `linear.rs`:
//!   equations between sums in one form
//! - `prec.rs`: what is tracked; `domain`: abstract domains; `graph.rs`: what was reached
//! - `por`: partial order reduction; `coi.rs`: cone of influence
//! - `refine`: predicates from paths that are none
//! - `options.rs`: how a proof is looked for; `answer.rs`: what is found; `cegar.rs`: explore and refine
//! - `impact`: paths with labels that are refined where an error asks for it
//! - `paths.rs`: symbolic execution; `execution.rs`: a path as the program executes it
//! - `certificate.rs`: a proof, checked from scratch; `bounds.rs`: what it says of global variables

pub mod answer;
pub mod ask;
pub mod bounds;
pub mod build;
pub mod cegar;
pub mod certificate;
pub mod coi;
pub mod domain;
pub mod execution;
pub mod flow;
pub mod graph;
pub mod impact;
pub mod linear;
pub mod options;
pub mod paths;
pub mod por;
pub mod prec;
pub mod refine;
pub mod replace;
pub mod show;
pub mod system;
