//! Deadlocks: is there an order in which all threads take their locks?
//!
//! Take a state in which every running thread waits. A thread that waits for a lock waits for one that
//! some running thread holds: only functions that lock make it taken, only its holder releases it, it is
//! free at first, and no thread ends with it. That holder waits, too, and not in a join, where no thread
//! holds a lock; so it waits for a lock that comes later in the order, and so on: but the order has an end.
//! So all threads wait in joins, each for one that it has started itself, which is younger: the youngest
//! one cannot. Threads that wait in other ways (conditions, semaphores, barriers, loops that were
//! collapsed), and locks that are not known by name, stop the proof, and so do locks in the user's atomic
//! blocks: what such a block released before it waits is still held.
//!
//! Cost: a set of locks per state, a graph whose nodes are the locks.

use super::interference::Interference;
use super::interval::Interval;
use super::log::{Log, Touch};
use super::question::Unclear;
use super::state::State;
use super::sync::{Lock, LockFamily};
use super::value::Region;
use super::walk::Walk;
use ir::{ObjectKind, Span};
use std::collections::BTreeSet;

impl Walk<'_, '_> {
    /// A reason why threads may wait for each other, as far as one knows.
    pub fn hang(&mut self, why: &'static str) {
        if self.logging {
            self.log.hangs.insert((self.span, why));
        }
    }

    /// The thread waits until a lock is free.
    pub fn wait_for(&mut self, state: &State, lock: Option<Lock>) {
        if !state.atomic.is_empty() {
            self.hang("a lock that is taken inside of an atomic block");
        }
        match lock {
            None => self.hang("a lock that is not known by its name"),
            Some(lock) if self.logging => {
                self.log.lock_order.extend(state.may_hold.iter().map(|held| (*held, lock)));
            }
            Some(_) => {}
        }
    }

    /// The thread waits for another one, or ends.
    pub fn hold_none(&mut self, state: &State, why: &'static str) {
        if !state.may_hold.is_empty() || !state.atomic.is_empty() {
            self.hang(why);
        }
    }
}

/// Why threads may wait for each other for ever, if that is not excluded.
pub fn possible(interference: &Interference<'_>, log: &Log) -> Option<Unclear> {
    let unclear = |why: &str, span: Span| Some(Unclear::new(why, span));
    if let Some((span, why)) = log.hangs.first() {
        return unclear(why, *span);
    }
    if let Some(span) = log.first_stale_id() {
        return unclear("a thread is joined that may be any", span);
    }
    let locks: Vec<Lock> =
        log.locks.iter().copied().filter(|l| l.family != LockFamily::Semaphore).collect();
    if !locks.iter().all(|lock| is_sound(interference, log, *lock)) {
        return unclear("a lock that may be written to or that is not free at first", Span::NONE);
    }
    if has_cycle(&log.lock_order) {
        return unclear("locks that are taken in different orders", Span::NONE);
    }
    None
}

/// Is the lock free at first, and is it taken and released by its functions only?
fn is_sound(interference: &Interference<'_>, log: &Log, lock: Lock) -> bool {
    let apart = |other: &Lock| {
        *other == lock
            || !other.is_met(lock.region, Interval::one(lock.offset), lock.family.bytes())
    };
    let frees =
        |touch: &Touch| !touch.write || touch.by_lock || touch.number == Some(Interval::ZERO);
    let meets = |touch: &Touch| {
        let bytes = i128::from(touch.size);
        let at = touch.offset;
        touch.base.region == lock.region
            && at.lo < lock.offset + deciding_bytes(lock.family)
            && lock.offset < at.hi + bytes
    };
    !interference.is_broken(lock)
        && log.locks.iter().all(apart)
        && is_free_at_first(interference, lock)
        && log.sites.values().flatten().all(|touch| frees(touch) || !meets(touch))
}

/// The bytes from the start that say whether a lock is taken (`frontend/models`).
fn deciding_bytes(family: LockFamily) -> i128 {
    match family {
        LockFamily::ReadWrite => 12,
        LockFamily::Mutex | LockFamily::Spin | LockFamily::Semaphore => 4,
    }
}

/// Only globals are looked at.
fn is_free_at_first(interference: &Interference<'_>, lock: Lock) -> bool {
    let Region::Object(id) = lock.region else { return false };
    let object = &interference.flat.program.objects[id.index()];
    let end = lock.offset + deciding_bytes(lock.family);
    let inside = |at: i128| lock.offset <= at && at < end;
    let zero = |(at, byte): (usize, &u8)| *byte == 0 || !inside(at as i128);
    object.kind == ObjectKind::Global
        && lock.offset >= 0
        && end <= i128::from(object.size)
        && object.bytes.iter().enumerate().all(zero)
        && !object
            .relocations
            .iter()
            .any(|(at, _)| inside(i128::from(*at) + 7) || inside(i128::from(*at)))
}

/// Is there a way from a lock back to it?
fn has_cycle(order: &BTreeSet<(Lock, Lock)>) -> bool {
    let mut left = order.clone();
    loop {
        let waited: BTreeSet<Lock> = left.iter().map(|(_, later)| *later).collect();
        let before = left.len();
        // What no lock comes before is on no cycle.
        left.retain(|(earlier, _)| waited.contains(earlier));
        if left.len() == before {
            return !left.is_empty();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::ObjectId;

    fn lock(n: u32) -> Lock {
        Lock { region: Region::Object(ObjectId(n)), offset: 0, family: LockFamily::Mutex }
    }

    fn order(pairs: &[(u32, u32)]) -> BTreeSet<(Lock, Lock)> {
        pairs.iter().map(|(a, b)| (lock(*a), lock(*b))).collect()
    }

    #[test]
    fn cycles_are_found() {
        assert!(!has_cycle(&order(&[])));
        assert!(!has_cycle(&order(&[(0, 1), (1, 2), (0, 2)])));
        assert!(has_cycle(&order(&[(0, 0)])));
        assert!(has_cycle(&order(&[(3, 0), (0, 1), (1, 2), (2, 0), (2, 4)])));
    }
}
