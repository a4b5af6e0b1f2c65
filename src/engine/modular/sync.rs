//! Locks, by the names of the library functions that take and release them.
//!
//! A lock is one object: a global's place, or a slot's or block's of which there is only one. What a
//! thread *must* hold excludes others, if nobody breaks the lock: whoever unlocks must hold it, and
//! nobody may write to it otherwise while other threads run or while it is held. A semaphore is a lock
//! of this kind if it starts with at most one and whoever posts has waited: there is never more than
//! one to take. Bytes that two kinds of functions take for a lock are none.
//!
//! `Read` holders of a read-write lock exclude writers only.

use super::interval::Interval;
use super::value::Region;
use ir::types::Machine;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Lock {
    pub region: Region,
    pub offset: i128,
    pub family: Family,
}

impl Lock {
    /// May an access of this many bytes, somewhere at these offsets, meet the bytes of the lock?
    pub fn is_met(self, region: Region, at: Interval, size: u64) -> bool {
        region == self.region
            && at.lo < self.offset + i128::from(self.family.bytes())
            && self.offset < at.hi + i128::from(size)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mode {
    Read,
    Write,
}

/// What a call does to the lock that its argument points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    Lock(Mode),
    Try(Mode),
    Unlock,
    /// The second argument is released and taken again.
    Wait,
    SemWait,
    SemTry,
    SemPost,
    /// Keeps a record of its own and gives some number.
    Record,
    /// The same, of a thread that nobody will join.
    Detach,
    /// The same, of a new one.
    BeginDetached,
}

/// Functions that read and write a lock in the same way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Family {
    Mutex,
    ReadWrite,
    Spin,
    Semaphore,
}

impl Family {
    pub fn of(name: &str) -> Family {
        let begins = |with: &str| name.starts_with(with);
        match () {
            () if begins("sem_") => Family::Semaphore,
            () if begins("pthread_spin_") => Family::Spin,
            () if begins("pthread_rwlock_") => Family::ReadWrite,
            () => Family::Mutex,
        }
    }

    /// Where the last word of the object is, which every operation reads.
    pub fn last_word(self, machine: Machine) -> i128 {
        match (self, machine) {
            (Family::Spin, _) => 0,
            (Family::Semaphore, Machine::Lp64) => 28,
            (Family::Semaphore, Machine::Ilp32) => 12,
            (Family::Mutex, Machine::Lp64) => 36,
            (Family::Mutex, Machine::Ilp32) => 20,
            (Family::ReadWrite, Machine::Lp64) => 52,
            (Family::ReadWrite, Machine::Ilp32) => 28,
        }
    }

    /// How many bytes from the start the models use of a lock, for races with plain accesses.
    pub fn bytes(self) -> u64 {
        match self {
            Family::Semaphore | Family::Spin => 4,
            Family::Mutex | Family::ReadWrite => 20,
        }
    }
}

/// A call as one class makes it at one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sync {
    pub call: Call,
    pub family: Family,
    /// The one lock that its argument is, if it is known.
    pub lock: Option<Lock>,
}

pub fn call(name: &str) -> Option<Call> {
    Some(match name {
        "pthread_mutex_lock" | "pthread_spin_lock" | "pthread_rwlock_wrlock" => {
            Call::Lock(Mode::Write)
        }
        "pthread_rwlock_rdlock" => Call::Lock(Mode::Read),
        "pthread_mutex_trylock"
        | "pthread_mutex_timedlock"
        | "pthread_mutex_clocklock"
        | "pthread_spin_trylock"
        | "pthread_rwlock_trywrlock"
        | "pthread_rwlock_timedwrlock"
        | "pthread_rwlock_clockwrlock" => Call::Try(Mode::Write),
        "pthread_rwlock_tryrdlock"
        | "pthread_rwlock_timedrdlock"
        | "pthread_rwlock_clockrdlock" => Call::Try(Mode::Read),
        "pthread_mutex_unlock" | "pthread_spin_unlock" | "pthread_rwlock_unlock" => Call::Unlock,
        "pthread_cond_wait" | "pthread_cond_timedwait" | "pthread_cond_clockwait" => Call::Wait,
        "sem_wait" => Call::SemWait,
        "sem_trywait" | "sem_timedwait" | "sem_clockwait" => Call::SemTry,
        "sem_post" => Call::SemPost,
        "pthread_detach" => Call::Detach,
        "__obmc_begin_detached" => Call::BeginDetached,
        "__obmc_is_detached" | "__obmc_set_joined" => Call::Record,
        _ => return None,
    })
}

/// The last word of a condition variable.
pub const LAST_OF_CONDITION: i128 = 44;

impl Call {
    /// Which argument is the lock.
    pub fn argument(self) -> usize {
        usize::from(self == Call::Wait)
    }
}
