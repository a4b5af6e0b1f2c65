//! Data races by vector clocks (C11 definition).

use crate::observe::{Access, Observer};
use crate::value::Tid;

/// Feed it as the observer of every step; then look at `race`.
#[derive(Clone, Default, Debug)]
pub struct RaceMonitor {
    race: Option<Race>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    pub first: (Tid, Access),
    pub second: (Tid, Access),
}

impl RaceMonitor {
    pub fn new() -> RaceMonitor {
        RaceMonitor::default()
    }

    /// The first race seen.
    pub fn race(&self) -> Option<&Race> {
        self.race.as_ref()
    }

    /// Equal digests of monitor and state mean equal futures: clock values are replaced by their
    /// ranks, and what can never race again is forgotten, so that loops reach equal digests.
    pub fn digest(&mut self) -> u128 {
        todo!()
    }
}

impl Observer for RaceMonitor {}
