//! Symbols: values that are not decided yet, as sets of integers.
//!
//! A domain is a set of mathematical integers, kept as sorted disjoint intervals. A comparison at
//! some type sees a symbol's value wrapped to that type; `Domain::part` maps the set of wrapped
//! values that satisfy the comparison back to the symbol's own values. Each wrapped copy of the
//! type's range that the domain reaches into is one *piece*; beyond `MAX_PIECES` we give up (the
//! caller then asks for a value), which happens only for truncations of wide domains.

use crate::choice::About;
use ir::BinOp;
use ir::arith::{mask, wrap};
use triomphe::Arc;

pub type Interval = (i128, i128);

const MAX_PIECES: i128 = 8;

/// A set of mathematical integers as sorted, disjoint, non-adjacent intervals.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Domain {
    bits: u8,
    intervals: Arc<[Interval]>,
}

impl Domain {
    /// All values of an integer type.
    pub fn full(bits: u8, signed: bool) -> Domain {
        Domain::new(bits, &[range(bits, signed)])
    }

    /// Needs: intervals as the type says; `bits` is the width of the symbol.
    pub fn new(bits: u8, intervals: &[Interval]) -> Domain {
        Domain { bits, intervals: intervals.into() }
    }

    /// The width of the symbol.
    pub fn bits(&self) -> u8 {
        self.bits
    }

    /// Number of values.
    pub fn len(&self) -> u128 {
        self.intervals.iter().map(|&(lo, hi)| (hi - lo) as u128 + 1).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// The `n`-th smallest value, as a bit pattern of the symbol's width.
    pub fn nth(&self, mut n: u128) -> Option<u64> {
        for &(lo, hi) in self.intervals.iter() {
            let count = (hi - lo) as u128 + 1;
            if n < count {
                return Some(self.to_bits(lo + n as i128));
            }
            n -= count;
        }
        None
    }

    /// Does it contain the value with this bit pattern?
    pub fn contains_bits(&self, bits: u64) -> bool {
        self.value_of(bits).is_some()
    }

    /// The member with this bit pattern.
    pub fn value_of(&self, bits: u64) -> Option<i128> {
        let unsigned = i128::from(bits & mask(self.bits));
        let signed = wrap(unsigned, self.bits, true);
        [unsigned, signed].into_iter().find(|&v| self.contains(v))
    }

    pub fn contains(&self, v: i128) -> bool {
        self.intervals.iter().any(|&(lo, hi)| lo <= v && v <= hi)
    }

    /// The only member, if it is the only one.
    pub fn single(&self) -> Option<i128> {
        match *self.intervals {
            [(lo, hi)] if lo == hi => Some(lo),
            _ => None,
        }
    }

    pub fn first(&self) -> Option<i128> {
        self.intervals.first().map(|i| i.0)
    }

    /// The intervals, ascending, both ends inclusive.
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// The members whose value wrapped to a type lies in `set` (sorted, disjoint, within the type's
    /// range). `None` if there are too many pieces.
    pub fn part(&self, bits: u8, signed: bool, set: &[Interval]) -> Option<Domain> {
        let (Some(first), Some(last)) = (self.intervals.first(), self.intervals.last()) else {
            return Some(self.clone());
        };
        let (low, _) = range(bits, signed);
        let modulus = 1i128 << bits;
        let piece = |v: i128| (v - low).div_euclid(modulus);
        let (from, to) = (piece(first.0), piece(last.1));
        if to - from >= MAX_PIECES {
            return None;
        }
        let shifted: Vec<Interval> = (from..=to)
            .flat_map(|q| set.iter().map(move |&(lo, hi)| (lo + q * modulus, hi + q * modulus)))
            .collect();
        Some(self.intersect(&shifted))
    }

    /// All values with a number added.
    pub(crate) fn plus(&self, add: i64) -> Domain {
        if add == 0 {
            return self.clone();
        }
        let add = i128::from(add);
        let moved = self.intervals.iter().map(|&(lo, hi)| (lo + add, hi + add));
        Domain::new(self.bits, &moved.collect::<Vec<Interval>>())
    }

    /// The members `v` for which `v + add`, wrapped to a type, lies in `set`; as `part`.
    pub fn part_plus(&self, add: i64, bits: u8, signed: bool, set: &[Interval]) -> Option<Domain> {
        Some(self.plus(add).part(bits, signed, set)?.plus(add.checked_neg()?))
    }

    /// Does every value, with a number added, belong to a type?
    pub(crate) fn fits(&self, add: i128, bits: u8, signed: bool) -> bool {
        let (lo, hi) = range(bits, signed);
        let inside = |v: i128| lo <= v + add && v + add <= hi;
        match (self.intervals.first(), self.intervals.last()) {
            (Some(first), Some(last)) => inside(first.0) && inside(last.1),
            _ => false,
        }
    }

    /// Needs: `set` sorted and disjoint.
    pub(crate) fn intersect(&self, set: &[Interval]) -> Domain {
        let mut out: Vec<Interval> = Vec::new();
        for &(a, b) in self.intervals.iter() {
            for &(c, d) in set {
                let (lo, hi) = (a.max(c), b.min(d));
                if lo <= hi {
                    push(&mut out, (lo, hi));
                }
            }
        }
        Domain { bits: self.bits, intervals: out.into() }
    }

    /// The members that lie within the range of a type.
    pub fn within(&self, bits: u8, signed: bool) -> Domain {
        self.intersect(&[range(bits, signed)])
    }

    /// The members that lie outside of the range of a type.
    pub fn outside(&self, bits: u8, signed: bool) -> Domain {
        let (lo, hi) = range(bits, signed);
        self.intersect(&[(i128::MIN, lo - 1), (hi + 1, i128::MAX)])
    }

    /// The member that is easiest to read; 0 if there is none.
    pub(crate) fn nearest_to_zero(&self) -> i128 {
        let ends = self.intervals.iter().map(|&(lo, hi)| 0.clamp(lo, hi));
        ends.min_by_key(|v: &i128| v.unsigned_abs()).unwrap_or(0)
    }

    /// The same as a bit pattern of the symbol's width.
    pub fn nearest_to_zero_bits(&self) -> u64 {
        self.to_bits(self.nearest_to_zero())
    }

    fn to_bits(&self, v: i128) -> u64 {
        v as u64 & mask(self.bits)
    }
}

/// Appends an interval to a sorted list, joining neighbours.
fn push(out: &mut Vec<Interval>, (lo, hi): Interval) {
    match out.last_mut() {
        Some(last) if last.1.checked_add(1) == Some(lo) => last.1 = hi,
        _ => out.push((lo, hi)),
    }
}

/// The smallest and the largest value of an integer type.
pub fn range(bits: u8, signed: bool) -> Interval {
    if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// The values `x` of a type for which `x op c` holds.
pub fn solutions(op: BinOp, bits: u8, signed: bool, c: i128) -> Vec<Interval> {
    let (lo, hi) = range(bits, signed);
    let candidates: &[Interval] = match op {
        BinOp::Eq => &[(c, c)],
        BinOp::Ne => &[(lo, c - 1), (c + 1, hi)],
        BinOp::Lt => &[(lo, c - 1)],
        BinOp::Le => &[(lo, c)],
        BinOp::Gt => &[(c + 1, hi)],
        BinOp::Ge => &[(c, hi)],
        _ => &[],
    };
    let clip = |&(a, b): &Interval| (a.max(lo), b.min(hi));
    candidates.iter().map(clip).filter(|(a, b)| a <= b).collect()
}

/// The values of a type that are not among `points` (sorted).
pub fn complement(bits: u8, signed: bool, points: &[i128]) -> Vec<Interval> {
    let (mut lo, hi) = range(bits, signed);
    let mut out = Vec::new();
    for &p in points {
        if lo < p {
            out.push((lo, p - 1));
        }
        lo = lo.max(p + 1);
    }
    if lo <= hi {
        out.push((lo, hi));
    }
    out
}

/// Points as a set: sorted, neighbours joined.
pub fn points(values: impl IntoIterator<Item = i128>) -> Vec<Interval> {
    let mut values: Vec<i128> = values.into_iter().collect();
    values.sort_unstable();
    values.dedup();
    let mut out = Vec::new();
    for v in values {
        push(&mut out, (v, v));
    }
    out
}

/// A symbol's entry in a state's table.
#[derive(Clone, Debug)]
pub struct SymbolEntry {
    pub domain: Domain,
    pub about: Arc<About>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OPS: [BinOp; 6] = [BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge];

    fn holds(op: BinOp, a: i128, b: i128) -> bool {
        match op {
            BinOp::Eq => a == b,
            BinOp::Ne => a != b,
            BinOp::Lt => a < b,
            BinOp::Le => a <= b,
            BinOp::Gt => a > b,
            _ => a >= b,
        }
    }

    #[test]
    fn counts_and_enumerates() {
        let d = Domain::new(8, &[(-3, -1), (5, 6)]);
        assert_eq!(d.len(), 5);
        let all: Vec<u64> = (0..5).map(|n| d.nth(n).unwrap()).collect();
        assert_eq!(all, [0xfd, 0xfe, 0xff, 5, 6]);
        assert_eq!(d.nth(5), None);
        assert!(d.contains_bits(0xff) && !d.contains_bits(0));
        assert_eq!(Domain::full(64, false).len(), 1 << 64);
    }

    proptest! {
        /// Every member lands in the right part, for every pair of symbol type and use type.
        #[test]
        fn part_is_exactly_the_solutions(
            op in 0..6usize, own in any::<bool>(), signed in any::<bool>(),
            wide in any::<bool>(), c in -128i128..256,
        ) {
            let bits = if wide { 16 } else { 8 };
            let c = wrap(c, bits, signed);
            let domain = Domain::full(8, own);
            let set = solutions(OPS[op], bits, signed, c);
            let part = domain.part(bits, signed, &set).unwrap();
            let (lo, hi) = range(8, own);
            for v in lo..=hi {
                prop_assert_eq!(part.contains(v), holds(OPS[op], wrap(v, bits, signed), c));
            }
        }

        #[test]
        fn complement_and_points_are_disjoint_and_complete(vs in prop::collection::vec(-128i128..128, 0..6)) {
            let set = points(vs.iter().copied());
            let mut sorted = vs.clone();
            sorted.sort_unstable();
            let rest = complement(8, true, &sorted);
            for v in -128..128 {
                let in_set = set.iter().any(|i| i.0 <= v && v <= i.1);
                let in_rest = rest.iter().any(|i| i.0 <= v && v <= i.1);
                prop_assert_eq!(in_set, vs.contains(&v));
                prop_assert_eq!(in_rest, !in_set);
            }
        }
    }
}
