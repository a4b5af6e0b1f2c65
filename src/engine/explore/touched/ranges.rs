//! Sets of bytes of objects.

use interp::ObjectBytes;

/// Sorted, without overlaps.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Ranges(Vec<ObjectBytes>);

impl Ranges {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn as_slice(&self) -> &[ObjectBytes] {
        &self.0
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Are these bytes neighbours in the set?
    pub fn covers(&self, bytes: ObjectBytes) -> bool {
        let behind = |r: &ObjectBytes| (r.object, r.to) < (bytes.object, bytes.to);
        let range = self.0.get(self.0.partition_point(behind));
        range.is_some_and(|r| r.object == bytes.object && r.from <= bytes.from)
    }

    pub fn add(&mut self, new: ObjectBytes) {
        let touches =
            |r: &ObjectBytes| r.object == new.object && r.from <= new.to && new.from <= r.to;
        let behind = |r: &ObjectBytes| (r.object, r.to) < (new.object, new.from);
        let at = self.0.partition_point(behind);
        let count = self.0[at..].iter().take_while(|r| touches(r)).count();
        let old = &self.0[at..at + count];
        let from = old.first().map_or(new.from, |r| r.from.min(new.from));
        let to = old.last().map_or(new.to, |r| r.to.max(new.to));
        match count {
            1 => self.0[at] = ObjectBytes { from, to, ..new },
            _ => _ = self.0.splice(at..at + count, [ObjectBytes { from, to, ..new }]),
        }
    }

    pub fn add_all(&mut self, other: &Ranges) {
        if self.0.is_empty() {
            self.0.clone_from(&other.0);
        } else {
            other.0.iter().for_each(|&range| self.add(range));
        }
    }

    /// Adds what is in `other` and not in `without`.
    pub fn add_difference(&mut self, other: &Ranges, without: &Ranges) {
        if without.is_empty() {
            return self.add_all(other);
        }
        for &range in &other.0 {
            without.rest_of(range, |rest| self.add(rest));
        }
    }

    /// What of a range is not in the set.
    fn rest_of(&self, range: ObjectBytes, mut f: impl FnMut(ObjectBytes)) {
        let mut from = range.from;
        let behind = |r: &ObjectBytes| (r.object, r.to) <= (range.object, range.from);
        let first = self.0.partition_point(behind);
        let meets = |r: &&ObjectBytes| r.object == range.object && r.from < range.to;
        for hole in self.0[first..].iter().take_while(meets) {
            if from < hole.from {
                f(ObjectBytes { from, to: hole.from, ..range });
            }
            from = hole.to;
        }
        if from < range.to {
            f(ObjectBytes { from, ..range });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use interp::ObjKey;
    use std::collections::BTreeSet;

    /// The same as a set of single bytes.
    type Bytes = BTreeSet<(u32, u64)>;

    fn bytes(ranges: &Ranges) -> Bytes {
        let each = |r: &ObjectBytes| (r.from..r.to).map(|at| (r.object.0, at)).collect::<Vec<_>>();
        ranges.0.iter().flat_map(each).collect()
    }

    fn random(dice: &mut fastrand::Rng) -> Ranges {
        let mut ranges = Ranges::default();
        for _ in 0..dice.usize(0..6) {
            let (object, from) = (ObjKey(dice.u32(0..3)), dice.u64(0..12));
            let before = bytes(&ranges);
            let new = ObjectBytes { object, from, to: from + dice.u64(1..6) };
            ranges.add(new);
            let added: Bytes = (new.from..new.to).map(|at| (object.0, at)).collect();
            assert_eq!(bytes(&ranges), &before | &added);
        }
        ranges
    }

    #[test]
    fn as_sets_of_bytes() {
        let mut dice = fastrand::Rng::with_seed(1);
        for _ in 0..2_000 {
            let [mut a, b, c] = [(); 3].map(|()| random(&mut dice));
            let expected = &bytes(&a) | &(&bytes(&b) - &bytes(&c));
            a.add_difference(&b, &c);
            assert_eq!(bytes(&a), expected);
            assert!(a.0.windows(2).all(|w| (w[0].object, w[0].to) < (w[1].object, w[1].from)));
        }
    }
}
