//! Passes over the IR: plain data in, plain data out.

pub mod atomic;
pub mod cfg;
pub mod constants;
pub mod inline;
pub mod loops;
pub mod simplify;
pub mod trip_count;
pub mod unroll;
pub mod walk;
