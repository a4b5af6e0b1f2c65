//! Keeps the limits: looks at the clock and at the memory every few hundred transitions, and says how
//! far the search is.

use crate::contract::Limits;
use ir::{Program, Span};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WatchdogStop {
    Time,
    Memory,
}

pub struct Watchdog {
    limits: Limits,
    calls: u32,
}

const PERIOD: u32 = 256;
/// A path that never ends keeps a state for each of its steps. Where nobody has said how much memory there is, a search
/// ends at so many bytes of the process, before it takes the machine with it, and leaves the rest to others.
const BY_DEFAULT: u64 = 4 << 30;
/// How often to look for that.
const RARELY: u32 = 16 * PERIOD;

impl Watchdog {
    pub fn new(limits: &Limits) -> Watchdog {
        Watchdog { limits: limits.clone(), calls: 0 }
    }

    /// How many states there will be, as far as the caller can guess.
    pub fn expect(&self, states: Option<u64>) {
        self.limits.progress.expects(states.unwrap_or(0));
    }

    /// An execution gets to what is not modelled.
    pub fn meets(&self, program: &Program, what: &str, span: Span) {
        self.limits.progress.meets(program, what, span);
    }

    /// `tables`: bytes that the caller knows of; the process may well use more. `states`: as many as
    /// the caller has seen.
    pub fn look(&mut self, tables: usize, states: usize) -> Result<(), WatchdogStop> {
        self.calls = self.calls.wrapping_add(1);
        if self.calls % PERIOD != 1 {
            return Ok(());
        }
        self.limits.progress.states(states as u64);
        if self.limits.exceeded() {
            return Err(WatchdogStop::Time);
        }
        let (limit, asked) = match self.limits.memory {
            Some(limit) => (limit, true),
            None => (BY_DEFAULT, self.calls % RARELY == 1),
        };
        match asked && resident().unwrap_or(0).max(tables as u64) > limit {
            true => Err(WatchdogStop::Memory),
            false => Ok(()),
        }
    }
}

/// Bytes of the process in memory, where the system tells.
fn resident() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_passed_deadline_is_seen() {
        let limits = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        assert_eq!(Watchdog::new(&limits).look(0, 0), Err(WatchdogStop::Time));
    }

    #[test]
    fn too_much_memory_is_seen() {
        let limits = Limits { memory: Some(1000), ..Limits::default() };
        assert_eq!(Watchdog::new(&limits).look(1001, 0), Err(WatchdogStop::Memory));
        let limits = Limits { memory: Some(u64::MAX), ..Limits::default() };
        assert_eq!(Watchdog::new(&limits).look(1001, 0), Ok(()));
    }
}
