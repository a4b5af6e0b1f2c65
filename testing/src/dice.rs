//! Random numbers that are the same on every machine.
//!
//! A seed means a test: it is printed when one fails, and gives the same numbers again. They are
//! those of `fastrand` 2; `Cargo.lock` names the version, and another one may mean other programs.

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Dice(fastrand::Rng);

impl Dice {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Dice {
        Dice(fastrand::Rng::with_seed(seed))
    }

    /// A number below `end` (0 if `end` is 0).
    pub fn below(&mut self, end: u32) -> u32 {
        self.0.u32(..end.max(1))
    }

    /// An index of a list with `len` entries (0 if there are none).
    pub fn index(&mut self, len: usize) -> usize {
        self.0.usize(..len.max(1))
    }

    /// Any number.
    pub fn word(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// One of the items, of which there must be one.
    pub fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.index(items.len())]
    }

    /// Once in `n` times.
    pub fn rarely(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_sequence_and_stays_in_range() {
        let numbers = |seed| {
            let mut dice = Dice::new(seed);
            (0..100).map(|n| dice.below(n)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
        assert!(numbers(7).iter().enumerate().all(|(n, &x)| x < (n as u32).max(1)));
    }

    /// Another version of the generator would silently be other tests.
    #[test]
    fn the_numbers_are_the_ones_that_seeds_were_chosen_for() {
        let mut dice = Dice::new(1);
        let found: Vec<u32> = (0..8).map(|_| dice.below(1000)).collect();
        assert_eq!(found, [714, 666, 949, 302, 133, 299, 885, 382]);
    }
}
