//! Who holds which lock, by the library functions that are called.
//!
//! A release takes effect after its call has begun, an acquisition before its call has ended; so a
//! release counts from the beginning of the call, an acquisition from the end, and the two are never
//! seen in the wrong order.

use interp::Tid;
use rustc_hash::FxHashMap;

/// What a call does to a lock or a semaphore.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Use {
    /// Semaphores are taken by whom they please: nobody holds one.
    Acquire {
        lock: String,
        is_lock: bool,
    },
    Release(String),
    /// A wait for a condition: released at its beginning, held again at its end.
    Wait {
        lock: String,
    },
}

pub fn of_call(name: &str, args: &[String]) -> Option<Use> {
    let arg = |i: usize| args.get(i).map(|a| a.trim_start_matches('&').to_string());
    let family = ["pthread_mutex_", "pthread_spin_", "pthread_rwlock_", "mtx_", "sem_"];
    if let "pthread_cond_wait"
    | "pthread_cond_timedwait"
    | "pthread_cond_clockwait"
    | "cnd_wait"
    | "cnd_timedwait" = name
    {
        return Some(Use::Wait { lock: arg(1)? });
    }
    let (prefix, verb) = family.iter().find_map(|p| Some((*p, name.strip_prefix(p)?)))?;
    match verb {
        "lock" | "trylock" | "timedlock" | "clocklock" | "rdlock" | "wrlock" | "tryrdlock"
        | "trywrlock" | "timedrdlock" | "timedwrlock" | "clockrdlock" | "clockwrlock" => {
            Some(Use::Acquire { lock: arg(0)?, is_lock: true })
        }
        "wait" | "trywait" | "timedwait" | "clockwait" if prefix == "sem_" => {
            Some(Use::Acquire { lock: arg(0)?, is_lock: false })
        }
        "unlock" | "post" => Some(Use::Release(arg(0)?)),
        _ => None,
    }
}

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

    fn used(name: &str, args: &[&str]) -> Option<Use> {
        of_call(name, &args.iter().map(|a| a.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn calls_and_what_they_do() {
        let taken = |lock: &str, is_lock| Some(Use::Acquire { lock: lock.into(), is_lock });
        assert_eq!(used("pthread_mutex_lock", &["&m"]), taken("m", true));
        assert_eq!(used("pthread_rwlock_rdlock", &["&l[2]"]), taken("l[2]", true));
        assert_eq!(used("sem_wait", &["&s"]), taken("s", false));
        assert_eq!(used("mtx_unlock", &["&m"]), Some(Use::Release("m".into())));
        let wait = Some(Use::Wait { lock: "m".into() });
        assert_eq!(used("pthread_cond_wait", &["&c", "&m"]), wait);
        for other in ["pthread_mutex_init", "sem_destroy", "malloc", "pthread_mutex_lock"] {
            assert_eq!(used(other, &[]), None, "{other}");
        }
    }

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
