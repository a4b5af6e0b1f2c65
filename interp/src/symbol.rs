//! Symbols: values that nobody has needed to know yet, as sets of integers.

use crate::choice::About;
use std::sync::Arc;

/// A non-empty set of mathematical integers as sorted, disjoint, non-adjacent intervals.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Domain {
    bits: u8,
    intervals: Arc<[(i128, i128)]>,
}

impl Domain {
    /// All values of an integer type.
    pub fn full(bits: u8, signed: bool) -> Domain {
        todo!("{bits}{signed}")
    }

    /// Number of values.
    pub fn len(&self) -> u128 {
        todo!()
    }

    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// The `n`-th smallest value, as a bit pattern of the symbol's width.
    pub fn nth(&self, n: u128) -> Option<u64> {
        todo!("{n}")
    }

    /// Does it contain the value with this bit pattern?
    pub fn contains_bits(&self, bits: u64) -> bool {
        todo!("{bits}")
    }

    /// The intervals, ascending, both ends inclusive.
    pub fn intervals(&self) -> &[(i128, i128)] {
        &self.intervals
    }
}

/// A symbol's entry in a state's table.
#[derive(Clone, Debug)]
pub struct Symbol {
    pub domain: Domain,
    pub signed: bool,
    pub about: Arc<About>,
}
