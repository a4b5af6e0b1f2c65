//! Tests of the symbolic engine as a whole: `random` compares it with the explorer on random programs,
//! `regressions` on those that once differed.

mod random;
mod regressions;
