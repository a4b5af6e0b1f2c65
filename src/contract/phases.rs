//! Where the time went: a stopwatch per phase, printed once at the end.

use super::progress::Progress;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A named part of the run; a phase that happens twice (a program read once per property) appears
/// once, with the sum.
#[derive(Clone, Default, Debug)]
pub struct Phases {
    rows: Vec<(&'static str, Duration)>,
}

impl Phases {
    pub fn add(&mut self, name: &'static str, time: Duration) {
        match self.rows.iter_mut().find(|(n, _)| *n == name) {
            Some((_, sum)) => *sum += time,
            None => self.rows.push((name, time)),
        }
    }

    /// In order of first appearance.
    pub fn rows(&self) -> &[(&'static str, Duration)] {
        &self.rows
    }
}

/// Phases that one thread adds to and another reads in the end. Not a message per phase: waking up the
/// reader costs more than a small phase takes.
#[derive(Clone, Default, Debug)]
pub struct SharedPhases(Arc<Mutex<Phases>>);

impl SharedPhases {
    pub fn add(&self, name: &'static str, time: Duration) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(name, time);
    }

    pub fn so_far(&self) -> Phases {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Who tells what is going on, and how long it takes.
#[derive(Clone, Default, Debug)]
pub struct Recorder {
    pub progress: Progress,
    pub phases: SharedPhases,
}

impl Recorder {
    pub fn phase<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        log::info!("{name}");
        self.progress.phase(name);
        timed(|time| self.phases.add(name, time), work)
    }
}

/// Runs `work` and tells `note` how long it took.
pub fn timed<T>(note: impl FnOnce(Duration), work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    note(start.elapsed());
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_is_summed_up() {
        let mut phases = Phases::default();
        for (name, ms) in [("load", 3), ("explore", 5), ("load", 4)] {
            phases.add(name, Duration::from_millis(ms));
        }
        let rows: Vec<_> = phases.rows().iter().map(|(n, t)| (*n, t.as_millis())).collect();
        assert_eq!(rows, [("load", 7), ("explore", 5)]);
    }
}
