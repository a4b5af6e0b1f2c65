//! Who of the portfolio works when, for how long, and what makes an engine superfluous: as data.
//!
//! - The explorer is exact and quick where the states are few. It gets more when it is near its end, and less while it
//!   is far from it, or samples inputs. Under other memory models it proves what has few states, where there are loops;
//!   where counters grow for ever, it has few states with their low bits.
//! - The symbolic engine sees through many schedules and large inputs, but needs bounds.
//! - Values alone (`FLOW`) prove of each thread by itself what no order can bring about.
//! - Modular proofs are about loops without a bound and any number of threads. Most take below half a second, and so long
//!   is their first turn.
//! - Abstraction and refinement prove what relates the steps of a few threads in loops, with one precision for all
//!   states, or with lazy labels.
//! - Paths with inputs as terms, where inputs have more values than can be tried.
//! - Random schedules find what is far away for every systematic search.
//! - The explorer with small bounds finds shallow violations of programs with endless loops.

use super::table::{
    BMC, CHANCE, EXPLORE_ALL, EXPLORE_MACHINES, EXPLORE_REDUCED, EXPLORE_SHALLOW, FLOW, MODULAR,
    PATHS, PROVE, PROVE_LAZILY, Row,
};
use crate::contract::Property;
use Circumstance::{BoundsGiven, FewInputs, InvalidAccess, NoCounters, NoLoops};
use std::time::Duration;

/// An engine of the portfolio.
#[derive(Debug)]
pub struct Member {
    pub engine: &'static Row,
    /// A short turn before all first ones, a part of its first one. For those of which mostly one has the answer at
    /// once, and nobody knows which.
    pub probe: Duration,
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
    const fn new(engine: &'static Row, first_ms: u64, share: u32) -> Member {
        let first = Duration::from_millis(first_ms);
        let (probe, unless, outlook) = (Duration::ZERO, &[], Outlook::Ignored);
        Member { engine, probe, first, share, unless, outlook }
    }

    const fn with_probe(self, ms: u64) -> Member {
        Member { probe: Duration::from_millis(ms), ..self }
    }

    const fn unless(self, unless: &'static [Circumstance]) -> Member {
        Member { unless, ..self }
    }

    const fn with_outlook(self) -> Member {
        Member { outlook: Outlook::Counts, ..self }
    }

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

/// What `--engine auto` does: who, the milliseconds of the first turn, the share of what follows. (Of 333 small tasks
/// that explorer or bmc decide, half of those that take the explorer above 30 ms take bmc a quarter of that.)
pub const AUTO: &[Member] = &[
    Member::new(&EXPLORE_ALL, 150, 4).with_probe(30).with_outlook(),
    Member::new(&BMC, 300, 4).with_probe(60),
    Member::new(&EXPLORE_MACHINES, 150, 4).unless(&[BoundsGiven, NoLoops]),
    Member::new(&FLOW, 100, 2).unless(&[BoundsGiven, NoLoops]),
    Member::new(&MODULAR, 500, 4).unless(&[BoundsGiven, InvalidAccess]),
    Member::new(&EXPLORE_REDUCED, 150, 4).unless(&[BoundsGiven, NoLoops, NoCounters]),
    Member::new(&PROVE, 150, 3).unless(&[BoundsGiven, NoLoops]),
    Member::new(&PROVE_LAZILY, 100, 2).unless(&[BoundsGiven, NoLoops]),
    Member::new(&PATHS, 100, 3).unless(&[BoundsGiven, FewInputs]),
    Member::new(&CHANCE, 50, 1).unless(&[BoundsGiven]),
    Member::new(&EXPLORE_SHALLOW, 50, 1).unless(&[BoundsGiven, NoLoops]),
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
