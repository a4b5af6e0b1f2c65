//! Who of the portfolio works when, for how long, and what makes an engine superfluous: as data.
//!
//! The explorer is exact and quick where the states are few; the symbolic engine sees through many
//! schedules and large inputs but needs bounds; it cannot prove a loop for which there is none. So they
//! share the time, beginning with a moment for the explorer, which gets more when it is near its end, and
//! less while it is far from it. When both have had a first turn, the
//! modular proof is tried: it mostly takes below half a second, and so long is its first turn, and it proves
//! loops without a bound for any number of threads. Where there are loops, abstraction and refinement come next: they prove what
//! relates the steps of a few threads, with one precision for all states, or with lazy labels. Where inputs
//! have more values than can be tried, paths are followed with inputs as terms. Random schedules find what
//! is far away for every systematic search. The last is the explorer with small bounds, for shallow violations of programs with endless loops that the
//! symbolic engine finds hard. Under other memory models the explorer proves what has few states, where there
//! are loops. Where counters grow for ever, it has few states with their low bits. What values alone exclude, whatever the
//! order is, is proven of each thread by itself.

use super::table::{
    BMC, CHANCE, EXPLORE_ALL, EXPLORE_MACHINES, EXPLORE_REDUCED, EXPLORE_SHALLOW, FLOW, MODULAR,
    PATHS, PROVE, PROVE_LAZILY, Row,
};
use crate::contract::Property;
use std::time::Duration;

/// An engine of the portfolio.
#[derive(Debug)]
pub struct Member {
    pub engine: &'static Row,
    /// The length of its first turn.
    pub first: Duration,
    /// Of the time after the first turns, in relation to the others. Not zero.
    pub share: u32,
    /// What makes its answer worthless: it is not asked then.
    pub unless: &'static [Circumstance],
    /// Does its share follow what it says about its end?
    pub outlook: Outlook,
}

/// What a guess of how far an engine is means for its share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    Ignored,
    Counts,
}

/// States before which a guess is worth nothing.
const TOO_FEW: u64 = 1_000;
/// An engine that has to do at most so many times what it has done is near its end.
const NEAR: u64 = 4;
/// Beyond so many times it is far from it.
const FAR: u64 = 1_000;

impl Member {
    /// Its share in quarters. `states`: so far, and in the end by its own guess.
    pub fn quarters(&self, states: Option<(u64, u64)>) -> u32 {
        match states.filter(|&(now, _)| self.outlook == Outlook::Counts && now >= TOO_FEW) {
            Some((now, end)) if end / NEAR <= now => self.share * 16,
            Some((now, end)) if end / FAR > now => self.share,
            _ => self.share * 4,
        }
    }
}

/// What a member should know before it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Circumstance {
    /// The user has given bounds and wants an answer within them.
    BoundsGiven,
    /// No loop has to be cut off.
    NoLoops,
    /// No number grows in a way that its low bits could stand for.
    NoCounters,
    /// There are no inputs, or few values of them: the explorer tries them all.
    FewInputs,
    /// Another engine has met an invalid access, so a proof must not assume that there is none.
    InvalidAccess,
}

/// Who must have met an invalid access to make a proof worthless that assumes that there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MetBy {
    AnyMember,
    /// The member whose answer is the best one so far.
    BestAnswer,
}

impl MetBy {
    pub fn of(property: Property) -> MetBy {
        match property {
            // An invalid access that only another engine sees is mostly none before the race.
            Property::NoDataRace => MetBy::BestAnswer,
            _ => MetBy::AnyMember,
        }
    }
}

/// What `--engine auto` does.
pub const AUTO: &[Member] = &[
    Member {
        engine: &EXPLORE_ALL,
        first: Duration::from_millis(150),
        share: 4,
        unless: &[],
        outlook: Outlook::Counts,
    },
    Member {
        engine: &BMC,
        first: Duration::from_millis(300),
        share: 4,
        unless: &[],
        outlook: Outlook::Ignored,
    },
    Member {
        engine: &EXPLORE_MACHINES,
        first: Duration::from_millis(150),
        share: 4,
        unless: &[Circumstance::BoundsGiven, Circumstance::NoLoops],
        outlook: Outlook::Ignored,
    },
    Member {
        engine: &FLOW,
        first: Duration::from_millis(100),
        share: 2,
        unless: &[Circumstance::BoundsGiven, Circumstance::NoLoops],
        outlook: Outlook::Ignored,
    },
    Member {
        engine: &MODULAR,
        first: Duration::from_millis(500),
        share: 4,
        unless: &[Circumstance::BoundsGiven, Circumstance::InvalidAccess],
        outlook: Outlook::Ignored,
    },
    Member {
        engine: &EXPLORE_REDUCED,
        first: Duration::from_millis(150),
        share: 4,
        unless: &[Circumstance::BoundsGiven, Circumstance::NoLoops, Circumstance::NoCounters],
        outlook: Outlook::Ignored,
    },
    Member {
        engine: &PROVE,
        first: Duration::from_millis(150),
        share: 3,
        unless: &[Circumstance::BoundsGiven, Circumstance::NoLoops],
        outlook: Outlook::Ignored,
    },
    Member {
        engine: &PROVE_LAZILY,
        first: Duration::from_millis(100),
        share: 2,
        unless: &[Circumstance::BoundsGiven, Circumstance::NoLoops],
        outlook: Outlook::Ignored,
    },
    Member {
        engine: &PATHS,
        first: Duration::from_millis(100),
        share: 3,
        unless: &[Circumstance::BoundsGiven, Circumstance::FewInputs],
        outlook: Outlook::Ignored,
    },
    Member {
        engine: &CHANCE,
        first: Duration::from_millis(50),
        share: 1,
        unless: &[Circumstance::BoundsGiven],
        outlook: Outlook::Ignored,
    },
    Member {
        engine: &EXPLORE_SHALLOW,
        first: Duration::from_millis(50),
        share: 1,
        unless: &[Circumstance::BoundsGiven, Circumstance::NoLoops],
        outlook: Outlook::Ignored,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_near_its_end_gets_more() {
        let explorer = &AUTO[0];
        let quarters = |now, end| explorer.quarters(Some((now, end)));
        let usual = explorer.quarters(None);
        assert!(quarters(5_000, 10_000) > usual);
        assert_eq!(quarters(5_000, 100_000), usual);
        assert!(quarters(5_000, 100_000_000) < usual);
        assert_eq!(quarters(50, 60), usual);
        assert_eq!(AUTO[1].quarters(Some((5_000, 10_000))), AUTO[1].share * 4);
    }
}
