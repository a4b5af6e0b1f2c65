//! Locks, by the library functions that take and release them (`frontend::library::sync`).
//!
//! A lock is one object: a global's place, or a slot's or block's of which there is only one. What a
//! thread *must* hold excludes others, if no thread breaks the lock: the one that unlocks must hold it, and
//! none may write to it otherwise while other threads run or while it is held. A semaphore is a lock
//! of this kind if it starts with at most one and every thread that posts has waited: there is never more than
//! one to take. Bytes that two kinds of functions take for a lock are none.
//!
//! `Read` holders of a read-write lock exclude writers only.
//!
//! Locks of elements are known by the index, which is a register of the thread (`ElementLock`).

use super::interval::Interval;
use super::value::{Region, Sym, Symbol};
use frontend::library::sync::{self, LockOperation, Standard};
pub use frontend::library::sync::{LAST_OF_CONDITION, LockFamily, LockMode};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Lock {
    pub region: Region,
    pub offset: i128,
    pub family: LockFamily,
}

impl Lock {
    /// May an access of this many bytes, somewhere at these offsets, meet the bytes of the lock?
    pub fn is_met(self, region: Region, at: Interval, size: u64) -> bool {
        region == self.region
            && at.lo < self.offset + i128::from(self.family.bytes())
            && self.offset < at.hi + i128::from(size)
    }
}

/// A lock of an element, by what its thread knows of the index: it is at `scale * symbol + offset`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ElementLock {
    pub symbol: Symbol,
    pub at: ElementLocks,
}

/// Locks at all places `scale * n + offset` of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ElementLocks {
    pub region: Region,
    pub scale: i128,
    pub offset: i128,
    pub family: LockFamily,
}

impl ElementLocks {
    /// May an access of this many bytes meet the bytes of one of them?
    pub fn are_met(self, region: Region, at: Interval, sym: Option<Sym>, size: u64) -> bool {
        let rest = match sym {
            Some(sym) if sym.scale == self.scale => sym.rest,
            _ => at,
        };
        // Between a lock and the next one?
        let step = self.scale.abs();
        let from = (rest.lo - self.offset).rem_euclid(step);
        let length = (rest.hi - rest.lo).saturating_add(i128::from(size));
        let between =
            from >= i128::from(self.family.bytes()) && from.saturating_add(length) <= step;
        region == self.region && !between
    }

    /// Is it one of them?
    pub fn is_one(self, at: Interval, sym: Option<Sym>) -> bool {
        let rest = match sym {
            Some(sym) if sym.scale == self.scale => sym.rest,
            _ => at,
        };
        rest.constant().is_some_and(|at| (at - self.offset) % self.scale == 0)
    }
}

/// What a call does to the lock that its argument points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    Lock(LockMode),
    Try(LockMode),
    Unlock,
    /// The second argument is released and taken again.
    Wait,
    SemWait,
    SemTry,
    SemPost,
    /// Keeps a record of its own and gives some number.
    Record,
    /// The same, of a detached thread.
    Detach,
    /// The same, of a new one.
    BeginDetached,
}

/// A call as one template makes it at one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sync {
    pub call: Call,
    pub family: LockFamily,
    /// The one lock that its argument is, if it is known.
    pub lock: Option<Lock>,
}

/// What the call of a function is, if it is one that POSIX's models share. C11's are inlined.
pub fn call(name: &str) -> Option<(Call, LockFamily)> {
    if let Some((_, call)) = RECORDS.iter().find(|(n, _)| *n == name) {
        return Some((*call, LockFamily::Mutex));
    }
    let found = sync::lock_function(name).filter(|f| f.standard == Standard::Posix)?;
    let call = match (found.family, found.operation) {
        (LockFamily::Semaphore, LockOperation::Acquire(_)) => Call::SemWait,
        (LockFamily::Semaphore, LockOperation::Try(_)) => Call::SemTry,
        (LockFamily::Semaphore, LockOperation::Release) => Call::SemPost,
        (_, LockOperation::Acquire(mode)) => Call::Lock(mode),
        (_, LockOperation::Try(mode)) => Call::Try(mode),
        (_, LockOperation::Release) => Call::Unlock,
        (_, LockOperation::Wait) => Call::Wait,
    };
    Some((call, found.family))
}

/// What models remember of a thread.
const RECORDS: [(&str, Call); 4] = [
    ("pthread_detach", Call::Detach),
    ("__obmc_begin_detached", Call::BeginDetached),
    ("__obmc_is_detached", Call::Record),
    ("__obmc_set_joined", Call::Record),
];

impl Call {
    /// Which argument is the lock.
    pub fn argument(self) -> usize {
        usize::from(self == Call::Wait)
    }
}
