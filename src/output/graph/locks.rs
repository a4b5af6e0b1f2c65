//! Who holds which lock (`report/locks.rs` tells what a call does to one).
//!
//! A release takes effect after its call has begun, an acquisition before its call has ended; so a
//! release counts from the beginning of the call, an acquisition from the end, and the two are never
//! seen in the wrong order.

use interp::Tid;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct Held {
    names: Vec<String>,
    /// Locks in the order of taking; a recursive one may be there twice.
    by_thread: FxHashMap<Tid, Vec<usize>>,
    releases: FxHashMap<usize, usize>,
}

impl Held {
    fn index(&mut self, lock: &str) -> usize {
        self.names.iter().position(|n| n == lock).unwrap_or_else(|| {
            self.names.push(lock.to_string());
            self.names.len() - 1
        })
    }

    pub fn acquire(&mut self, thread: Tid, lock: &str) {
        let lock = self.index(lock);
        self.by_thread.entry(thread).or_default().push(lock);
    }

    pub fn release(&mut self, thread: Tid, lock: &str) {
        let lock = self.index(lock);
        if let Some(held) = self.by_thread.get_mut(&thread) {
            held.iter().rposition(|&l| l == lock).map(|at| held.remove(at));
        }
    }

    /// An event that releases the lock.
    pub fn released(&mut self, lock: &str, event: usize) {
        let lock = self.index(lock);
        self.releases.insert(lock, event);
    }

    pub fn last_release(&self, lock: &str) -> Option<usize> {
        let lock = self.names.iter().position(|n| n == lock)?;
        self.releases.get(&lock).copied()
    }

    /// Without repetition.
    pub fn of(&self, thread: Tid) -> Vec<usize> {
        let mut held = self.by_thread.get(&thread).cloned().unwrap_or_default();
        held.sort_unstable();
        held.dedup();
        held
    }

    pub fn names(self) -> Vec<String> {
        self.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recursive_lock_is_held_until_its_last_release() {
        let mut held = Held::default();
        let thread = Tid(1);
        held.acquire(thread, "m");
        held.acquire(thread, "m");
        held.release(thread, "m");
        assert_eq!(held.of(thread), [0]);
        held.release(thread, "m");
        held.release(thread, "m");
        assert!(held.of(thread).is_empty());
    }
}
