//! Congruences: the offsets of an address are all the same modulo a stride.
//!
//! `a[i]` with any `i` may be anywhere in `a`, but not in the middle of an element. So a store there and
//! a load there meet in whole elements or not at all, and what the load finds was stored as it is. A
//! stride of 0 is one number. (Granger: Static analysis of arithmetical congruences, 1989.)
//!
//! Addresses wrap around at a power of two that is not smaller than `WRAP`: a stride survives that if it
//! divides it.

use super::interval::Interval;

const WRAP: u64 = 1 << 32;

/// All numbers `rest + n * stride`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Grain {
    stride: u64,
    rest: i128,
}

impl Grain {
    pub const ANY: Grain = Grain { stride: 1, rest: 0 };

    pub fn one(n: i128) -> Grain {
        Grain { stride: 0, rest: n }
    }

    fn new(stride: u64, rest: i128) -> Grain {
        let rest = if stride == 0 { rest } else { rest.rem_euclid(i128::from(stride)) };
        Grain { stride, rest }
    }

    pub fn join(self, other: Grain) -> Grain {
        let apart = u64::try_from(self.rest.abs_diff(other.rest)).unwrap_or(1);
        Grain::new(gcd(gcd(self.stride, other.stride), apart), self.rest)
    }

    /// With `n` added, or any multiple of `scale` if `n` is not known.
    pub fn moved(self, n: Option<i128>, scale: i128) -> Grain {
        match n {
            Some(n) => Grain::new(self.stride, self.rest.saturating_add(n)),
            None => {
                let scale = u64::try_from(scale.unsigned_abs()).unwrap_or(1);
                Grain::new(gcd(self.stride, scale), self.rest)
            }
        }
    }

    /// What is left where the sum may have wrapped around.
    pub fn wrapped(self) -> Grain {
        Grain::new(gcd(self.stride, WRAP), self.rest)
    }
}

/// Where in a region something may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    pub at: Interval,
    grain: Grain,
}

impl Spot {
    pub fn new(at: Interval, grain: Grain) -> Spot {
        Spot { at, grain: at.constant().map_or(grain, Grain::one) }
    }

    pub fn one(offset: i128) -> Spot {
        Spot::new(Interval::one(offset), Grain::ANY)
    }

    /// Elements of this size that all such places are: their offset modulo the size.
    pub fn lane(self, size: u64) -> Option<i128> {
        let whole = size > 0 && self.grain.stride.is_multiple_of(size);
        whole.then(|| self.grain.rest.rem_euclid(i128::from(size)))
    }
}

impl From<Interval> for Spot {
    fn from(at: Interval) -> Spot {
        Spot::new(at, Grain::ANY)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(g: Grain) -> Vec<i128> {
        (-50..50).filter(|n| Grain::one(*n).join(g) == g).collect()
    }

    #[test]
    fn a_join_has_both() {
        for (s, r, t, q) in [(0, 3, 0, 11), (4, 1, 6, 3), (0, 2, 8, 2), (5, 0, 0, 7)] {
            let (a, b) = (Grain::new(s, r), Grain::new(t, q));
            let joined = numbers(a.join(b));
            assert!(numbers(a).iter().chain(&numbers(b)).all(|n| joined.contains(n)));
            assert_eq!(joined, numbers(b.join(a)));
        }
    }

    #[test]
    fn elements_are_met_as_a_whole() {
        let array = Grain::one(8).moved(None, 4);
        let anywhere = Interval { lo: 0, hi: 100 };
        assert_eq!(Spot::new(anywhere, array).lane(4), Some(0));
        assert_eq!(Spot::new(anywhere, array.moved(Some(2), 1)).lane(4), Some(2));
        assert_eq!(Spot::new(anywhere, array).lane(8), None);
        assert_eq!(Spot::new(anywhere, Grain::one(0).moved(None, 12).wrapped()).lane(12), None);
        assert_eq!(Spot::new(anywhere, Grain::one(0).moved(None, 12).wrapped()).lane(4), Some(0));
        assert_eq!(Spot::one(6).lane(4), Some(2));
    }
}
