//! Sets of events and binary relations over them, as bit sets.
//!
//! A relation over `n` events is `n` rows of `n` bits in one vector: row `a` is the set of all `b` with
//! `(a, b)` in it. Union, intersection and difference work on 64 pairs at a time, a composition or a
//! closure on 64 pairs per row operation. Two relations meet in an operation only if they are over the
//! same number of events (checked in debug builds).
//!
//! Cost: `O(n²/64)` words for Boolean operations, `O(n³/64)` for composition and closure (Warshall).

/// A set of events.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EventSet {
    events: usize,
    words: Vec<u64>,
}

/// A binary relation over events.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Relation {
    events: usize,
    stride: usize, // words per row
    words: Vec<u64>,
}

fn bits(mut word: u64, base: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            base + bit
        })
    })
}

/// The words of a row in which every event is.
fn full_row(events: usize) -> impl Iterator<Item = u64> {
    (0..events.div_ceil(64)).map(move |i| match events - i * 64 {
        rest if rest >= 64 => u64::MAX,
        rest => (1 << rest) - 1,
    })
}

impl EventSet {
    /// No event of `events`.
    pub fn empty(events: usize) -> Self {
        Self { events, words: vec![0; events.div_ceil(64)] }
    }

    /// Every one of `events`.
    pub fn full(events: usize) -> Self {
        Self { events, words: full_row(events).collect() }
    }

    /// How many events there are, in the set or not.
    pub fn events(&self) -> usize {
        self.events
    }

    pub fn insert(&mut self, event: usize) {
        self.words[event / 64] |= 1 << (event % 64);
    }

    pub fn contains(&self, event: usize) -> bool {
        self.words[event / 64] >> (event % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &w)| bits(w, i * 64))
    }

    fn zip(&self, other: &Self, op: impl Fn(u64, u64) -> u64) -> Self {
        debug_assert_eq!(self.events, other.events);
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| op(a, b)).collect();
        Self { events: self.events, words }
    }

    pub fn union(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    pub fn intersection(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    pub fn difference(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    pub fn complement(&self) -> Self {
        Self::full(self.events).difference(self)
    }

    /// All pairs of an event of this set and one of `other`.
    pub fn product(&self, other: &Self) -> Relation {
        let mut product = Relation::empty(self.events);
        for a in self.iter() {
            product.row_mut(a).copy_from_slice(&other.words);
        }
        product
    }

    /// Each event of the set related to itself.
    pub fn identity(&self) -> Relation {
        let mut identity = Relation::empty(self.events);
        self.iter().for_each(|a| identity.insert(a, a));
        identity
    }
}

impl Relation {
    /// No pair of `events`.
    pub fn empty(events: usize) -> Self {
        let stride = events.div_ceil(64);
        Self { events, stride, words: vec![0; stride * events] }
    }

    /// Every pair of `events`.
    pub fn full(events: usize) -> Self {
        EventSet::full(events).product(&EventSet::full(events))
    }

    /// A relation from its pairs.
    pub fn from_pairs(events: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut relation = Self::empty(events);
        pairs.into_iter().for_each(|(a, b)| relation.insert(a, b));
        relation
    }

    /// How many events there are, related or not.
    pub fn events(&self) -> usize {
        self.events
    }

    fn row(&self, a: usize) -> &[u64] {
        &self.words[a * self.stride..(a + 1) * self.stride]
    }

    fn row_mut(&mut self, a: usize) -> &mut [u64] {
        &mut self.words[a * self.stride..(a + 1) * self.stride]
    }

    pub fn insert(&mut self, a: usize, b: usize) {
        self.words[a * self.stride + b / 64] |= 1 << (b % 64);
    }

    pub fn contains(&self, a: usize, b: usize) -> bool {
        self.words[a * self.stride + b / 64] >> (b % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// The events that `a` is related to.
    pub fn successors(&self, a: usize) -> impl Iterator<Item = usize> + '_ {
        self.row(a).iter().enumerate().flat_map(|(i, &w)| bits(w, i * 64))
    }

    /// All pairs, ordered.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.events).flat_map(|a| self.successors(a).map(move |b| (a, b)))
    }

    fn zip(&self, other: &Self, op: impl Fn(u64, u64) -> u64) -> Self {
        debug_assert_eq!(self.events, other.events);
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| op(a, b)).collect();
        Self { words, ..*self }
    }

    pub fn union(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// Adds the pairs of `other`.
    pub fn add(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, &b)| *a |= b);
    }

    pub fn intersection(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    pub fn difference(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    pub fn complement(&self) -> Self {
        Self::full(self.events).difference(self)
    }

    pub fn inverse(&self) -> Self {
        Self::from_pairs(self.events, self.pairs().map(|(a, b)| (b, a)))
    }

    /// `a` to `c` where this relation has `a` to some `b` and `other` has `b` to `c`.
    pub(crate) fn compose(&self, other: &Self) -> Self {
        let mut result = Self::empty(self.events);
        for a in 0..self.events {
            for b in self.successors(a) {
                let target = &mut result.words[a * self.stride..(a + 1) * self.stride];
                target.iter_mut().zip(other.row(b)).for_each(|(t, &w)| *t |= w);
            }
        }
        result
    }

    /// The pairs that start in `set`.
    pub fn from_set(&self, set: &EventSet) -> Self {
        let mut result = Self::empty(self.events);
        for a in set.iter() {
            result.row_mut(a).copy_from_slice(self.row(a));
        }
        result
    }

    /// The pairs that end in `set`.
    pub(crate) fn to_set(&self, set: &EventSet) -> Self {
        let mut result = self.clone();
        for a in 0..self.events {
            result.row_mut(a).iter_mut().zip(&set.words).for_each(|(t, &w)| *t &= w);
        }
        result
    }

    /// The transitive closure.
    pub fn plus(&self) -> Self {
        let mut result = self.clone();
        for middle in 0..self.events {
            let through = result.row(middle).to_vec();
            if through.iter().all(|&w| w == 0) {
                continue;
            }
            for a in 0..self.events {
                if result.contains(a, middle) {
                    result.row_mut(a).iter_mut().zip(&through).for_each(|(t, &w)| *t |= w);
                }
            }
        }
        result
    }

    /// With every event related to itself.
    pub(crate) fn reflexive(&self) -> Self {
        let mut result = self.clone();
        (0..self.events).for_each(|a| result.insert(a, a));
        result
    }

    pub fn domain(&self) -> EventSet {
        let mut set = EventSet::empty(self.events);
        for a in 0..self.events {
            if self.row(a).iter().any(|&w| w != 0) {
                set.insert(a);
            }
        }
        set
    }

    pub fn range(&self) -> EventSet {
        let mut set = EventSet::empty(self.events);
        for a in 0..self.events {
            set.words.iter_mut().zip(self.row(a)).for_each(|(t, &w)| *t |= w);
        }
        set
    }

    /// An event that is related to itself.
    pub(crate) fn reflexive_point(&self) -> Option<usize> {
        (0..self.events).find(|&a| self.contains(a, a))
    }

    /// Is there a cycle? Events without successors among the remaining ones are taken away until
    /// none is left (Kahn); what stays has one.
    pub fn has_cycle(&self) -> bool {
        let mut left = EventSet::full(self.events);
        loop {
            let mut removed = false;
            let mut any = false;
            for a in 0..self.events {
                if !left.contains(a) {
                    continue;
                }
                if self.row(a).iter().zip(&left.words).all(|(&r, &l)| r & l == 0) {
                    left.words[a / 64] &= !(1 << (a % 64));
                    removed = true;
                } else {
                    any = true;
                }
            }
            if !any {
                return false;
            }
            if !removed {
                return true;
            }
        }
    }

    /// A shortest cycle as its events in order; the last is related to the first.
    pub(crate) fn shortest_cycle(&self) -> Option<Vec<usize>> {
        let cycles = (0..self.events).filter_map(|a| self.shortest_path(a, a));
        cycles.min_by_key(Vec::len)
    }

    /// The events of a shortest path of at least one step from `from` to `to`, without `to`.
    pub(crate) fn shortest_path(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let mut before = vec![None; self.events];
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            if self.contains(at, to) {
                let mut path = vec![at];
                let mut at = at;
                while at != from {
                    at = before[at]?;
                    path.push(at);
                }
                path.reverse();
                return Some(path);
            }
            for next in self.successors(at) {
                if next != from && before[next].is_none() {
                    before[next] = Some(at);
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    //! Every operation against its definition as a set of pairs.

    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    type Pairs = BTreeSet<(usize, usize)>;

    fn pairs(n: usize) -> impl Strategy<Value = Pairs> {
        proptest::collection::btree_set((0..n, 0..n), 0..2 * n)
    }

    fn two() -> impl Strategy<Value = (usize, Pairs, Pairs)> {
        prop_oneof![1..9usize, 63..67usize].prop_flat_map(|n| (Just(n), pairs(n), pairs(n)))
    }

    fn relation(n: usize, pairs: &Pairs) -> Relation {
        Relation::from_pairs(n, pairs.iter().copied())
    }

    fn naive_seq(a: &Pairs, b: &Pairs) -> Pairs {
        a.iter().flat_map(|x| b.iter().filter(|y| x.1 == y.0).map(|y| (x.0, y.1))).collect()
    }

    fn naive_plus(a: &Pairs) -> Pairs {
        let mut all = a.clone();
        loop {
            let next: Pairs = all.union(&naive_seq(&all, a)).copied().collect();
            if next == all {
                return all;
            }
            all = next;
        }
    }

    fn same(n: usize, got: &Relation, want: &Pairs) {
        assert_eq!(got, &relation(n, want));
        assert_eq!(&got.pairs().collect::<Pairs>(), want);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn operations_are_their_definitions((n, a, b) in two()) {
            let (r, s) = (relation(n, &a), relation(n, &b));
            same(n, &r.union(&s), &(&a | &b));
            same(n, &r.intersection(&s), &(&a & &b));
            same(n, &r.difference(&s), &(&a - &b));
            same(n, &r.compose(&s), &naive_seq(&a, &b));
            same(n, &r.plus(), &naive_plus(&a));
            same(n, &r.inverse(), &a.iter().map(|&(x, y)| (y, x)).collect());
            let all: Pairs = (0..n).flat_map(|x| (0..n).map(move |y| (x, y))).collect();
            same(n, &r.complement(), &(&all - &a));
            let loops: Pairs = (0..n).map(|x| (x, x)).collect();
            same(n, &r.reflexive(), &(&a | &loops));
            prop_assert!(r.domain().iter().eq(a.iter().map(|p| p.0).collect::<BTreeSet<_>>()));
            prop_assert!(r.range().iter().eq(a.iter().map(|p| p.1).collect::<BTreeSet<_>>()));
            let set = s.domain();
            same(n, &r.from_set(&set), &a.iter().filter(|p| set.contains(p.0)).copied().collect());
            same(n, &r.to_set(&set), &a.iter().filter(|p| set.contains(p.1)).copied().collect());
            same(n, &set.identity(), &set.iter().map(|x| (x, x)).collect());
        }

        #[test]
        fn cycles_are_cycles((n, a, _) in two()) {
            let r = relation(n, &a);
            let closed = naive_plus(&a);
            let cyclic = (0..n).any(|x| closed.contains(&(x, x)));
            prop_assert_eq!(r.has_cycle(), cyclic);
            match r.shortest_cycle() {
                None => prop_assert!(!cyclic),
                Some(cycle) => {
                    for (i, &x) in cycle.iter().enumerate() {
                        prop_assert!(r.contains(x, cycle[(i + 1) % cycle.len()]));
                    }
                }
            }
        }
    }
}
