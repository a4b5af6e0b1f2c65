//! Small encodings for tests: a builder, a generator, and a brute-force judge.
//!
//! - `generate.rs`: random small encodings that look as if a program stood behind them
//! - `large.rs`: large encodings for measuring: threads of loads, stores and locked increments
//! - `source.rs`: from C text to an encoding, as the engine does it
//! - `terms.rs`: random terms with what they are worth, computed twice

mod brute;
mod builder;
mod generate;
mod large;
pub mod source;
#[cfg(test)]
pub(crate) mod terms;

pub use brute::{executions, goals_reached, lines};
pub use builder::Builder;
pub use generate::{Shape, generate};
pub use large::large;
pub use obmc_testing::Dice;
