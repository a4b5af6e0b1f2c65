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

/// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end` (0 if `end` is 0).
    pub fn below(&mut self, end: u32) -> u32 {
        if end == 0 { 0 } else { (self.next() % u64::from(end)) as u32 }
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }
}
