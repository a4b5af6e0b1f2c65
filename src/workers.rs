//! Many items, some at a time: one thread per job takes the next item until none is left.

use crate::report::Failure;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `work` for each item, as many at a time as there are jobs; the first error is returned,
/// and after it or an interruption nothing new is begun.
pub fn all(
    items: &[usize],
    jobs: NonZeroUsize,
    work: impl Fn(usize) -> Result<(), Failure> + Sync,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some(&item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(failure) = work(item) {
                next.store(items.len(), Ordering::Relaxed);
                return match failure {
                    Failure::Limit(_) => Ok(()),
                    other => Err(other),
                };
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..jobs.get().min(items.len())).map(|_| scope.spawn(worker)).collect();
        let mut ended = workers.into_iter().map(|w| w.join());
        ended.try_for_each(|end| {
            end.unwrap_or_else(|_| Err(Failure::Internal("a worker broke".into())))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::supervise::Limit;
    use std::sync::Mutex;

    fn jobs(n: usize) -> NonZeroUsize {
        NonZeroUsize::new(n).expect("some")
    }

    #[test]
    fn each_item_is_worked_on_once() {
        let seen = Mutex::new(Vec::new());
        let items: Vec<usize> = (0..20).collect();
        let ended = all(&items, jobs(3), |i| {
            seen.lock().expect("no panic").push(i);
            Ok(())
        });
        let mut seen = seen.into_inner().expect("no panic");
        seen.sort();
        assert_eq!((ended, seen), (Ok(()), items));
    }

    #[test]
    fn errors_and_interruptions_end_it() {
        let seen = AtomicUsize::new(0);
        let bad = all(&[0, 1, 2], jobs(1), |i| {
            seen.fetch_add(1, Ordering::Relaxed);
            if i == 1 { Err(Failure::Internal("x".into())) } else { Ok(()) }
        });
        assert_eq!((bad, seen.into_inner()), (Err(Failure::Internal("x".into())), 2));
        assert_eq!(all(&[0, 1], jobs(1), |_| Err(Failure::Limit(Limit::Interrupt))), Ok(()));
    }
}
