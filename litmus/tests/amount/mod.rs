//! How many random litmus tests, and which.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// `OBMC_LITMUS` tests, or as many as usual; those of the seed `OBMC_LITMUS_FROM`, or others each time.
pub fn config(usual: u32) -> ProptestConfig {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u32>().ok();
    let seed = number("OBMC_LITMUS_FROM").map_or(RngSeed::Random, |n| RngSeed::Fixed(n.into()));
    let cases = number("OBMC_LITMUS").unwrap_or(usual);
    ProptestConfig { rng_seed: seed, ..ProptestConfig::with_cases(cases) }
}
