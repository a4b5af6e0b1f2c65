//! How many states there will be, guessed from how a depth-first search comes back.
//!
//! The search goes down one path at first, and comes back on it: when it leaves a state of that path, all
//! that follows this state was explored. How the number of states grows from one such moment to the next
//! says what is to be expected for the rest of the path. Growth slows down towards the beginning,
//! so this is more than there will be.
//!
//! Nothing but time depends on it.

/// Moments between which growth is measured.
const SPAN: usize = 4;

#[derive(Default)]
pub struct FirstPath {
    /// Depth on the first path, and states when it was left.
    left: Vec<(usize, usize)>,
}

impl FirstPath {
    /// All that follows the state at this depth was explored.
    /// Is it one of the first path?
    pub fn leave(&mut self, depth: usize, states: usize) -> bool {
        let first = self.left.last().is_none_or(|&(lowest, _)| depth < lowest);
        if first {
            self.left.push((depth, states));
        }
        first
    }

    /// States in the end.
    pub fn expected(&self) -> Option<u64> {
        let &(depth, states) = self.left.last()?;
        let &(before, fewer) = self.left.get(self.left.len().checked_sub(SPAN + 1)?)?;
        let growth = (states as f64 / fewer.max(1) as f64).powf(1.0 / (before - depth) as f64);
        Some((states as f64 * growth.powf(depth as f64)) as u64)
    }
}
