//! Who of the portfolio works when, for how long, and what engines tell each other: as data.
//!
//! The explorer is exact and quick where the states are few; the symbolic engine sees through many
//! schedules and large inputs but needs bounds; it cannot prove a loop for which there is none. So they
//! take turns that grow, beginning with a moment for the explorer. When both have had a first turn, the
//! modular proof is tried, once: it takes milliseconds, and it is the only one that can prove loops
//! without a bound over many states.

use super::table::{BMC, EXPLORE, MODULAR, Row};
use std::time::Duration;

/// An engine of the portfolio.
#[derive(Debug)]
pub struct Member {
    pub engine: &'static Row,
    pub turns: Turns,
    /// What makes its answer worthless: it is not asked any more.
    pub unless: &'static [News],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turns {
    /// A turn begins afresh, so with a factor of 5 all the turns before one cost a quarter of it.
    Growing { first: Duration, factor: u32 },
    /// One, when those before it in the list have had their first.
    Once,
}

/// What a member may hear before its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// The user has given bounds and wants an answer within them.
    BoundsGiven,
    /// Another engine has met an invalid access, so a proof must not assume that there is none.
    InvalidAccess,
}

const FACTOR: u32 = 5;

/// What `--engine auto` does.
pub const AUTO: &[Member] = &[
    Member {
        engine: &EXPLORE,
        turns: Turns::Growing { first: Duration::from_millis(100), factor: FACTOR },
        unless: &[],
    },
    Member {
        engine: &BMC,
        turns: Turns::Growing { first: Duration::from_millis(600), factor: FACTOR },
        unless: &[],
    },
    Member {
        engine: &MODULAR,
        turns: Turns::Once,
        unless: &[News::BoundsGiven, News::InvalidAccess],
    },
];
