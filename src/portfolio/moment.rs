//! How long an engine has worked.
//!
//! On a machine with more to do than it has cores, a second on the clock is much less of work: first turns
//! would be over before quick proofs are, and what `auto` wastes would depend on other processes. So the
//! processor's time counts, where one engine works at a time: then it is the time of the whole process.
//!
//! Where several engines work, the clock counts; and it counts a little in any case, so that an engine that sleeps
//! comes to the end of its turn.

use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};

/// So many times longer than by the processor, a turn is over.
const PATIENCE: u32 = 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    clock: Instant,
    /// Of the process so far, if it counts.
    processor: Option<Duration>,
}

impl Moment {
    /// Now, when at most so many engines work at the same time.
    pub fn now(jobs: usize) -> Moment {
        let processor = (jobs == 1).then(of_this_process);
        Moment { clock: Instant::now(), processor }
    }

    /// How long it is ago.
    pub fn elapsed(self) -> Duration {
        self.by_clock_and_processor().1
    }

    /// On the clock, and in work.
    pub fn by_clock_and_processor(self) -> (Duration, Duration) {
        let clock = self.clock.elapsed();
        let worked = self
            .processor
            .map(|then| of_this_process().saturating_sub(then).clamp(clock / PATIENCE, clock));
        (clock, worked.unwrap_or(clock))
    }
}

/// What the process and the kernel for it have used.
fn of_this_process() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_counts() {
        let before = of_this_process();
        let numbers: Vec<u64> = (0..1 << 20).collect();
        assert_eq!(std::hint::black_box(numbers).len(), 1 << 20);
        assert!(of_this_process() > before);
    }

    #[test]
    fn who_sleeps_has_worked_little_but_not_nothing() {
        let begin = Moment::now(1);
        std::thread::sleep(Duration::from_millis(20));
        let (clock, worked) = begin.by_clock_and_processor();
        assert!(worked >= clock / PATIENCE && worked <= clock);
        assert!(Moment::now(2).processor.is_none());
    }
}
