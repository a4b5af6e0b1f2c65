//! What calls of library functions do to locks, by their names.

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
}
