//! Permission to work: what a long computation looks at now and then, and what its owner controls it by.
//!
//! The owner may pause the work, let it go on, or revoke the permission for good. The work calls
//! `revoked` every few milliseconds; where it was paused, the call returns once it may go on. So one
//! core is shared by several computations, none of which is ever begun anew.
//!
//! Invariant: the permit has a clock of its own that stands still during pauses, and deadlines are held
//! against it: a computation that was paused for a minute has lost nothing.
//! Cost: an atomic load per look.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const GRANTED: u8 = 0;
const PAUSED: u8 = 1;
const REVOKED: u8 = 2;

/// The default is granted.
#[derive(Debug, Default)]
pub struct Permit {
    /// Its owner may want others to work in between.
    shared: bool,
    word: AtomicU8,
    /// Nanoseconds of all pauses.
    paused: AtomicU64,
    /// The work stands still: it has noticed a pause, or has come to its end.
    idle: Mutex<bool>,
    changed: Condvar,
}

impl Permit {
    /// One that may be paused.
    pub fn shared() -> Permit {
        Permit { shared: true, ..Permit::default() }
    }

    /// May it be paused? Work that cannot look at it for long should then do so in pieces.
    pub fn is_shared(&self) -> bool {
        self.shared
    }

    /// Must the work end? If it was paused, this returns when the pause is over.
    pub fn revoked(&self) -> bool {
        if self.word.load(Ordering::Relaxed) == PAUSED {
            self.sit_out();
        }
        self.word.load(Ordering::Relaxed) == REVOKED
    }

    /// The time, less all pauses.
    pub fn now(&self) -> Instant {
        let now = Instant::now();
        let paused = Duration::from_nanos(self.paused.load(Ordering::Relaxed));
        now.checked_sub(paused).unwrap_or(now)
    }

    pub fn pause(&self) {
        self.change(GRANTED, PAUSED);
    }

    pub fn resume(&self) {
        self.change(PAUSED, GRANTED);
    }

    pub fn revoke(&self) {
        let _idle = self.lock();
        self.word.store(REVOKED, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// By the work, at its end.
    pub fn finish(&self) {
        *self.lock() = true;
    }

    /// After `pause`: does the work stand still?
    pub fn is_idle(&self) -> bool {
        *self.lock()
    }

    fn change(&self, from: u8, to: u8) {
        let _idle = self.lock();
        let _ = self.word.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn sit_out(&self) {
        let mut idle = self.lock();
        let start = Instant::now();
        while self.word.load(Ordering::Relaxed) == PAUSED {
            *idle = true;
            idle = self.changed.wait(idle).unwrap_or_else(PoisonError::into_inner);
        }
        *idle = false;
        let pause = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.paused.fetch_add(pause, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::{scope, sleep, yield_now};

    #[test]
    fn a_pause_stops_work_and_clock() {
        let (permit, steps) = (Permit::default(), AtomicU64::new(0));
        scope(|s| {
            let work = s.spawn(|| {
                let (wall, own) = (Instant::now(), permit.now());
                while !permit.revoked() {
                    steps.fetch_add(1, Ordering::Relaxed);
                }
                permit.finish();
                wall.elapsed().saturating_sub(permit.now().duration_since(own))
            });
            permit.pause();
            while !permit.is_idle() {
                yield_now();
            }
            let before = steps.load(Ordering::Relaxed);
            sleep(Duration::from_millis(20));
            assert_eq!(steps.load(Ordering::Relaxed), before);
            permit.resume();
            while steps.load(Ordering::Relaxed) == before {
                yield_now();
            }
            permit.revoke();
            let difference = work.join().expect("no panic");
            assert!(permit.is_idle());
            assert!(difference >= Duration::from_millis(20), "{difference:?}");
        });
    }

    #[test]
    fn a_revoked_permit_stays_revoked() {
        let permit = Permit::default();
        assert!(!permit.revoked());
        permit.revoke();
        permit.pause();
        permit.resume();
        assert!(permit.revoked());
    }
}
