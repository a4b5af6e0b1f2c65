//! Vector clocks: what a thread knows of the others.

/// Component `i` is the last epoch of thread `i` that is known. Missing ones are 0.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Clock(Vec<u32>);

impl Clock {
    pub fn get(&self, thread: usize) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    pub fn set(&mut self, thread: usize, epoch: u32) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] = epoch;
    }

    pub fn tick(&mut self, thread: usize) {
        self.set(thread, self.get(thread) + 1);
    }

    /// Learns all that the other knows.
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Components up to the last that is not 0.
    pub fn components(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.0.iter().copied().enumerate().filter(|c| c.1 != 0)
    }
}
