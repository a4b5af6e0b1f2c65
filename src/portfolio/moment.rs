//! How long an engine has worked.
//!
//! On a machine with more to do than it has cores, a second on the clock is much less of work: first turns
//! would be over before quick proofs are, and what `auto` wastes would depend on other processes. So the
//! processor's time counts, where one engine works at a time: then it is the time of the whole process.
//!
//! The kernel tells it in hundredths of a second. Where it does not, or where several engines work, the clock
//! counts; and it counts a little in any case, so that an engine that sleeps comes to the end of its turn.

use std::time::{Duration, Instant};

/// What Linux counts in (`USER_HZ`).
const TICK: Duration = Duration::from_millis(10);
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
        let processor = if jobs == 1 { of_this_process() } else { None };
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
            .zip(of_this_process())
            .map(|(then, now)| now.saturating_sub(then).clamp(clock / PATIENCE, clock));
        (clock, worked.unwrap_or(clock))
    }
}

fn of_this_process() -> Option<Duration> {
    ticks(&std::fs::read_to_string("/proc/self/stat").ok()?).map(|ticks| TICK * ticks)
}

/// What the process and the kernel for it have used. The name before may have blanks and brackets.
fn ticks(stat: &str) -> Option<u32> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_ascii_whitespace().skip(11);
    let mut next = || times.next()?.parse::<u32>().ok();
    Some(next()? + next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_the_kernel() {
        let line = "7 (a ) b) R 1 7 7 0 -1 4194304 89 0 0 0 12 30 0 0 20 0 1 0 8242 2453504 255";
        assert_eq!(ticks(line), Some(42));
        assert_eq!(ticks("7 (a) R 1"), None);
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
