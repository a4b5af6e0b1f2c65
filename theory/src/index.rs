//! Things by place: which of them stand in an interval of a chain?
//!
//! The order changes by intervals: after an edge is inserted, a node newly reaches the positions
//! `lo..hi` of a chain (see `cycle.rs`). Every rule then asks for the reads, writes or literals that
//! stand there. A vector sorted by place answers with two binary searches and a slice.
//!
//! Invariant: sorted by place, ties in order of insertion. Cost: `O(log n + answers)` per question,
//! `O(n log n)` for building, `O(n)` for a late insertion.

use crate::types::{Chain, ChainPosition};

/// A multimap from places to `T`.
#[derive(Clone, Debug)]
pub(crate) struct Index<T> {
    entries: Vec<(ChainPosition, T)>,
}

impl<T> Default for Index<T> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<T: Copy> Index<T> {
    /// Keeps the order, so that it can be called while the index is in use.
    pub fn insert(&mut self, place: ChainPosition, thing: T) {
        let at = self.entries.partition_point(|(other, _)| *other <= place);
        self.entries.insert(at, (place, thing));
    }

    /// Leaves the order to `sort`, for building in bulk.
    pub fn push(&mut self, place: ChainPosition, thing: T) {
        self.entries.push((place, thing));
    }

    /// Needed after `push`, before anything is asked.
    pub fn sort(&mut self) {
        self.entries.sort_by_key(|(place, _)| *place);
    }

    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Everything, in order of place.
    pub fn all(&self) -> impl Iterator<Item = T> + '_ {
        self.entries.iter().map(|(_, thing)| *thing)
    }

    /// Everything at positions `lo..hi` of `chain`, in that order.
    pub fn between(&self, chain: Chain, lo: u32, hi: u32) -> impl Iterator<Item = T> + '_ {
        let start =
            self.entries.partition_point(|(place, _)| *place < ChainPosition { chain, pos: lo });
        let inside = move |place: &ChainPosition| place.chain == chain && place.pos < hi;
        let answers = self.entries[start..].iter().take_while(move |(place, _)| inside(place));
        answers.map(|(_, thing)| *thing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_names_its_things_in_order() {
        let mut index = Index::default();
        for (chain, pos, name) in [(1, 4, 'd'), (0, 2, 'a'), (1, 1, 'b'), (1, 2, 'c'), (2, 0, 'e')]
        {
            index.insert(ChainPosition { chain: Chain(chain), pos }, name);
        }
        let between = |chain, lo, hi| index.between(Chain(chain), lo, hi).collect::<String>();
        assert_eq!(between(1, 1, 4), "bc");
        assert_eq!(between(1, 2, 9), "cd");
        assert_eq!(between(0, 0, 2), "");
        assert_eq!(between(3, 0, 9), "");
        assert_eq!(index.all().collect::<String>(), "abcde");
    }
}
