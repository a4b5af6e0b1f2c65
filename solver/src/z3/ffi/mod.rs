//! The door to Z3: every unsafe line of this backend is here.
//!
//! A `Context` makes terms and owns them until it goes. A `Solver` owns Z3's solver and the safe
//! `Propagator` that its callbacks are for. A callback is three steps: pointer to `&mut`, a safe
//! method, done. A panic or an error of that method stops at the door: it is kept, the search is
//! interrupted, later callbacks do nothing, and every call from then on gives it back.
//!
//! Invariant: Z3 calls back only inside of calls that take `&mut Solver`, so no other code looks at
//! the propagator at that time; and the propagator outlives Z3's solver.
//!
//! - `context.rs`: terms and who keeps them
//! - `library.rs`: Z3's functions, looked up in the shared library when the first context is made;
//!   `functions.in` is their table, held against z3-sys by `examples/z3_signatures.rs`
//! - `model.rs`: models and the values in them

#![allow(unsafe_code)]

mod context;
mod library;
mod model;
mod solver;

use crate::SolverError;
pub use context::{Ast, Context, Sort};
pub use model::Z3Assignment;
pub use solver::{Core, Propagator, PropagatorSearch, Setting, Settings, Solver, SolverAnswer};
use std::ffi::{CStr, c_char};

pub type Result<T> = std::result::Result<T, SolverError>;

/// Some messages go on for pages.
fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

fn nothing(call: &'static str) -> SolverError {
    SolverError::Call { call, what: "gave nothing".into() }
}

/// SAFETY: needs null or a C string.
unsafe fn text(s: *const c_char) -> String {
    if s.is_null() {
        return String::new();
    }
    // SAFETY: as said above.
    unsafe { CStr::from_ptr(s) }.to_string_lossy().into_owned()
}
