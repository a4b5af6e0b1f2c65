//! What calls of library functions do to locks, by their names (`frontend::library::sync`).

use frontend::library::sync::{self, LockFamily, LockOperation};

/// What a call does to a lock or a semaphore.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LockUse {
    /// A semaphore has no owner: any thread may post.
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

pub fn of_call(name: &str, args: &[String]) -> Option<LockUse> {
    let function = sync::lock_function(name)?;
    let lock = args.get(function.operation.argument())?.trim_start_matches('&').to_string();
    Some(match function.operation {
        LockOperation::Acquire(_) | LockOperation::Try(_) => {
            LockUse::Acquire { lock, is_lock: function.family != LockFamily::Semaphore }
        }
        LockOperation::Release => LockUse::Release(lock),
        LockOperation::Wait => LockUse::Wait { lock },
    })
}

/// Does it wait until somebody signals?
pub fn waits_for_condition(name: &str) -> bool {
    sync::lock_function(name).is_some_and(|f| f.operation == LockOperation::Wait)
}

/// Does it wake up who waits for a condition?
pub fn signals(name: &str) -> bool {
    ["pthread_cond_", "cnd_"].iter().any(|family| {
        name.strip_prefix(family).is_some_and(|rest| matches!(rest, "signal" | "broadcast"))
    })
}

/// Does it wait for the end of a thread?
pub fn joins(name: &str) -> bool {
    matches!(name, "pthread_join" | "thrd_join")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(name: &str, args: &[&str]) -> Option<LockUse> {
        of_call(name, &args.iter().map(|a| a.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn calls_and_what_they_do() {
        let taken = |lock: &str, is_lock| Some(LockUse::Acquire { lock: lock.into(), is_lock });
        assert_eq!(used("pthread_mutex_lock", &["&m"]), taken("m", true));
        assert_eq!(used("pthread_rwlock_rdlock", &["&l[2]"]), taken("l[2]", true));
        assert_eq!(used("sem_wait", &["&s"]), taken("s", false));
        assert_eq!(used("mtx_unlock", &["&m"]), Some(LockUse::Release("m".into())));
        let wait = Some(LockUse::Wait { lock: "m".into() });
        assert_eq!(used("pthread_cond_wait", &["&c", "&m"]), wait);
        for other in ["pthread_mutex_init", "sem_destroy", "malloc", "pthread_mutex_lock"] {
            assert_eq!(used(other, &[]), None, "{other}");
        }
    }
}
