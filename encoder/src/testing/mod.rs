//! Small encodings for tests: a builder, a generator, and a brute-force judge.

mod brute;
mod builder;
mod generate;
mod large;
pub mod source;
#[cfg(test)]
pub(crate) mod terms;

pub use brute::{goals_reached, lines};
pub use builder::Builder;
pub use generate::{Shape, generate};
pub use large::large;
pub use obmc_testing::Dice;
