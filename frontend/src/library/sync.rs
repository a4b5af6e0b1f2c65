//! Which library functions lock, unlock, wait and start threads: one table for all who go by names.
//!
//! The models (`frontend/models`) say what these functions do; who needs more than that (a proof that
//! does not look into a lock, a report that says what is held) finds here what kind of call it is.
//! An initialisation or an end of a lock is none of these.

use ir::types::Machine;

/// Who defines a function. The models of the two share nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standard {
    Posix,
    C11,
}

/// Functions that read and write a lock in the same way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LockFamily {
    Mutex,
    ReadWrite,
    Spin,
    Semaphore,
}

impl LockFamily {
    /// Where the last word of POSIX's object is, which every operation reads.
    pub fn last_word(self, machine: Machine) -> i128 {
        match (self, machine) {
            (LockFamily::Spin, _) => 0,
            (LockFamily::Semaphore, Machine::Lp64) => 28,
            (LockFamily::Semaphore, Machine::Ilp32) => 12,
            (LockFamily::Mutex, Machine::Lp64) => 36,
            (LockFamily::Mutex, Machine::Ilp32) => 20,
            (LockFamily::ReadWrite, Machine::Lp64) => 52,
            (LockFamily::ReadWrite, Machine::Ilp32) => 28,
        }
    }

    /// How many bytes from the start the models of POSIX's use, for races with plain accesses.
    pub fn bytes(self) -> u64 {
        match self {
            LockFamily::Semaphore | LockFamily::Spin => 4,
            LockFamily::Mutex | LockFamily::ReadWrite => 20,
        }
    }
}

/// The last word of a condition variable of POSIX.
pub const LAST_OF_CONDITION: i128 = 44;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LockMode {
    Read,
    Write,
}

/// What a call does to the lock or semaphore that one of its arguments points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockOperation {
    /// Waits until it is free.
    Acquire(LockMode),
    /// May come back without it.
    Try(LockMode),
    Release,
    /// A wait for a condition: released at its beginning, held again at its end.
    Wait,
}

impl LockOperation {
    /// Which argument is the lock.
    pub fn argument(self) -> usize {
        usize::from(self == LockOperation::Wait)
    }
}

/// A library function that uses a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LockFunction {
    pub name: &'static str,
    pub standard: Standard,
    pub family: LockFamily,
    pub operation: LockOperation,
}

const LOCK: LockOperation = LockOperation::Acquire(LockMode::Write);
const READ: LockOperation = LockOperation::Acquire(LockMode::Read);
const TRY: LockOperation = LockOperation::Try(LockMode::Write);
const TRY_READ: LockOperation = LockOperation::Try(LockMode::Read);
const UNLOCK: LockOperation = LockOperation::Release;
const WAIT: LockOperation = LockOperation::Wait;

#[rustfmt::skip]
const LOCKS: &[(Standard, LockFamily, LockOperation, &[&str])] = &[
    (Standard::Posix, LockFamily::Mutex, LOCK, &["pthread_mutex_lock"]),
    (Standard::Posix, LockFamily::Mutex, TRY,
     &["pthread_mutex_trylock", "pthread_mutex_timedlock", "pthread_mutex_clocklock"]),
    (Standard::Posix, LockFamily::Mutex, UNLOCK, &["pthread_mutex_unlock"]),
    (Standard::Posix, LockFamily::Mutex, WAIT,
     &["pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait"]),
    (Standard::Posix, LockFamily::Spin, LOCK, &["pthread_spin_lock"]),
    (Standard::Posix, LockFamily::Spin, TRY, &["pthread_spin_trylock"]),
    (Standard::Posix, LockFamily::Spin, UNLOCK, &["pthread_spin_unlock"]),
    (Standard::Posix, LockFamily::ReadWrite, LOCK, &["pthread_rwlock_wrlock"]),
    (Standard::Posix, LockFamily::ReadWrite, TRY,
     &["pthread_rwlock_trywrlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_clockwrlock"]),
    (Standard::Posix, LockFamily::ReadWrite, READ, &["pthread_rwlock_rdlock"]),
    (Standard::Posix, LockFamily::ReadWrite, TRY_READ,
     &["pthread_rwlock_tryrdlock", "pthread_rwlock_timedrdlock", "pthread_rwlock_clockrdlock"]),
    (Standard::Posix, LockFamily::ReadWrite, UNLOCK, &["pthread_rwlock_unlock"]),
    (Standard::Posix, LockFamily::Semaphore, LOCK, &["sem_wait"]),
    (Standard::Posix, LockFamily::Semaphore, TRY,
     &["sem_trywait", "sem_timedwait", "sem_clockwait"]),
    (Standard::Posix, LockFamily::Semaphore, UNLOCK, &["sem_post"]),
    (Standard::C11, LockFamily::Mutex, LOCK, &["mtx_lock"]),
    (Standard::C11, LockFamily::Mutex, TRY, &["mtx_trylock", "mtx_timedlock"]),
    (Standard::C11, LockFamily::Mutex, UNLOCK, &["mtx_unlock"]),
    (Standard::C11, LockFamily::Mutex, WAIT, &["cnd_wait", "cnd_timedwait"]),
];

pub fn lock_function(name: &str) -> Option<LockFunction> {
    LOCKS.iter().find_map(|&(standard, family, operation, names)| {
        let name = names.iter().copied().find(|&n| n == name)?;
        Some(LockFunction { name, standard, family, operation })
    })
}

/// An object that must be initialised before any other thing is done with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Synchroniser {
    Lock(LockFamily),
    Condition,
    Barrier,
    Once,
}

impl Synchroniser {
    pub fn bytes(self, machine: Machine) -> i128 {
        match (self, machine) {
            (Synchroniser::Lock(family), _) => family.last_word(machine) + 4,
            (Synchroniser::Condition, _) => LAST_OF_CONDITION + 4,
            (Synchroniser::Barrier, Machine::Lp64) => 32,
            (Synchroniser::Barrier, Machine::Ilp32) => 20,
            (Synchroniser::Once, _) => 4,
        }
    }
}

const MUTEX: Synchroniser = Synchroniser::Lock(LockFamily::Mutex);
const READ_WRITE: Synchroniser = Synchroniser::Lock(LockFamily::ReadWrite);
const SPIN: Synchroniser = Synchroniser::Lock(LockFamily::Spin);
const SEMAPHORE: Synchroniser = Synchroniser::Lock(LockFamily::Semaphore);

type Uses = &'static [(usize, Synchroniser)];

#[rustfmt::skip]
const USES: &[(Uses, &[&str])] = &[
    (&[(0, MUTEX)],
     &["pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_timedlock",
       "pthread_mutex_clocklock", "pthread_mutex_unlock", "pthread_mutex_consistent",
       "mtx_lock", "mtx_trylock", "mtx_timedlock", "mtx_unlock"]),
    (&[(0, READ_WRITE)],
     &["pthread_rwlock_rdlock", "pthread_rwlock_tryrdlock", "pthread_rwlock_timedrdlock",
       "pthread_rwlock_clockrdlock", "pthread_rwlock_wrlock", "pthread_rwlock_trywrlock",
       "pthread_rwlock_timedwrlock", "pthread_rwlock_clockwrlock", "pthread_rwlock_unlock"]),
    (&[(0, SPIN)], &["pthread_spin_lock", "pthread_spin_trylock", "pthread_spin_unlock"]),
    (&[(0, SEMAPHORE)],
     &["sem_wait", "sem_trywait", "sem_timedwait", "sem_clockwait", "sem_post", "sem_getvalue"]),
    (&[(0, Synchroniser::Condition)],
     &["pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast"]),
    (&[(0, Synchroniser::Condition), (1, MUTEX)],
     &["pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait",
       "cnd_wait", "cnd_timedwait"]),
    (&[(0, Synchroniser::Barrier)], &["pthread_barrier_wait"]),
    (&[(0, Synchroniser::Once)], &["pthread_once", "call_once"]),
];

/// Which arguments of a library function must have been initialised.
pub fn uses(name: &str) -> Uses {
    USES.iter().find(|(_, names)| names.contains(&name)).map_or(&[], |(uses, _)| uses)
}

/// Functions that start a thread, and which argument says where.
const STARTERS: &[(&str, usize)] = &[("pthread_create", 2), ("thrd_create", 1)];

/// Which argument of the function is what a new thread executes.
pub fn started_argument(name: &str) -> Option<usize> {
    STARTERS.iter().find(|(n, _)| *n == name).map(|&(_, argument)| argument)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models;

    fn names() -> impl Iterator<Item = &'static str> {
        let starters = STARTERS.iter().map(|(name, _)| *name);
        LOCKS.iter().flat_map(|(.., names)| names.iter().copied()).chain(starters)
    }

    #[test]
    fn each_name_once_and_with_a_model() {
        let mut seen = rustc_hash::FxHashSet::default();
        for name in names() {
            assert!(seen.insert(name), "{name} twice");
            assert!(models::model_of(name).is_some(), "{name} has no model");
        }
    }

    /// A new function that locks must get a row.
    #[test]
    fn no_modelled_function_is_forgotten() {
        let verbs = ["lock", "unlock", "wait", "post"];
        let objects = ["mutex_", "spin_", "rwlock_", "sem_", "mtx_", "cond_", "cnd_"];
        for name in models::defined_names() {
            let uses = objects.iter().any(|o| name.contains(o));
            let acts = verbs.iter().any(|v| name.ends_with(v));
            if uses && acts && !name.starts_with("__") {
                assert!(lock_function(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn what_a_call_does() {
        let found = lock_function("pthread_cond_timedwait").expect("it is listed");
        assert_eq!((found.family, found.operation), (LockFamily::Mutex, LockOperation::Wait));
        assert_eq!(found.operation.argument(), 1);
        for other in ["pthread_mutex_init", "sem_destroy", "malloc", "pthread_mutex_"] {
            assert_eq!(lock_function(other), None, "{other}");
        }
        assert_eq!(started_argument("thrd_create"), Some(1));
        assert_eq!(started_argument("pthread_join"), None);
    }
}
