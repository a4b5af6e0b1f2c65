//! Sleep sets: threads whose next transition need not be tried here.
//!
//! After all that can follow thread `t` from a state was explored, a sibling branch that starts with
//! `u` may leave `t` out for as long as everything that it does is independent of what `t` would do:
//! the swapped order was explored already. So a branch carries a set of sleeping threads, each with
//! the footprint of its next transition, and wakes those that conflict with what happens.
//!
//! Waking a thread too early costs time and is never wrong. Only threads with a small number sleep,
//! so that a set is a machine word.

use super::footprint::Footprint;
use interp::Tid;
use std::rc::Rc;

/// Threads by their number; what does not fit is simply not in the set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThreadSet(u32);

impl ThreadSet {
    pub const EMPTY: ThreadSet = ThreadSet(0);
    const CAPACITY: usize = 32;

    pub fn with(self, thread: usize) -> ThreadSet {
        if thread < Self::CAPACITY { ThreadSet(self.0 | 1 << thread) } else { self }
    }

    pub fn contains(self, thread: usize) -> bool {
        thread < Self::CAPACITY && self.0 & (1 << thread) != 0
    }

    pub fn minus(self, other: ThreadSet) -> ThreadSet {
        ThreadSet(self.0 & !other.0)
    }

    pub fn and(self, other: ThreadSet) -> ThreadSet {
        ThreadSet(self.0 & other.0)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The sleeping threads of a branch, with what they would do.
#[derive(Clone, Default, Debug)]
pub struct Sleep(Vec<(usize, Rc<Footprint>)>);

impl Sleep {
    pub fn threads(&self) -> ThreadSet {
        self.0.iter().fold(ThreadSet::EMPTY, |set, &(thread, _)| set.with(thread))
    }

    pub fn add(&mut self, thread: usize, footprint: Rc<Footprint>) {
        if thread < ThreadSet::CAPACITY {
            self.0.push((thread, footprint));
        }
    }

    /// Something happened: threads that conflict with it wake up.
    pub fn wake(&mut self, happened: &Footprint) {
        self.0.retain(|(_, footprint)| footprint.independent(happened));
    }

    pub fn wake_thread(&mut self, thread: usize) {
        self.0.retain(|&(sleeper, _)| sleeper != thread);
    }

    pub fn keep_only(&mut self, threads: ThreadSet) {
        self.0.retain(|&(thread, _)| threads.contains(thread));
    }

    pub fn footprints(&self) -> Vec<(Tid, Rc<Footprint>)> {
        let tid = |&(thread, ref footprint): &(usize, Rc<Footprint>)| {
            (Tid::from_index(thread), footprint.clone())
        };
        self.0.iter().map(tid).collect()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}
