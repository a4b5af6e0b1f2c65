//! Refinement: why a path to an error is not one, in predicates.
//!
//! - `chc`: candidates from what solves the program's Horn clauses over integers
//! - `houdini.rs`: the strongest invariant made of shapes, where paths give ever new constants
//! - `hull.rs`: all linear equations between cells that hold in given states
//! - `path.rs`: a path as terms over the first state: feasible, or from which step on not
//! - `newton.rs`: predicates along an infeasible path, backwards over unsat cores
//! - `shapes.rs`: which predicates are tried first
//! - `wp.rs`: weakest preconditions of what is wanted

pub mod chc;
pub mod houdini;
pub mod hull;
pub mod newton;
pub mod path;
pub mod shapes;
pub mod wp;
