//! Passes over the IR: plain data in, plain data out.

pub mod atomic;
pub mod cfg;
pub mod constants;
pub mod escape;
pub mod inline;
pub mod live;
pub mod loops;
pub mod points_to;
pub mod simplify;
pub mod trip_count;
pub mod unroll;
pub mod walk;
