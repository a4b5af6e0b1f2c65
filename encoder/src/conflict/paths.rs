//! Candidates by where they start and end: which of them lead from one node to another?
//!
//! Candidates are grouped by the threads of write and read and sorted by the position of the write.
//! Asked for those that start at a position or later and end before another, a group looks at blocks
//! of them, of which it knows the earliest end, and skips those that end too late.
//!
//! Invariant: a group is not empty.
//! Cost: a comparison per group that cannot contribute; else a step per block, and a block per answer.

use crate::order::StaticOrder;
use crate::{Encoding, NodeId};

const BLOCK: usize = 32;

/// Candidates from one thread to another.
#[derive(Clone, Debug, Default)]
struct CandidateGroup {
    pairs: Vec<(u32, u32, u32)>, // position of the write, of the read, index of `rf`
    earliest: Vec<u32>,          // of each block, the first position of a read
    onward: Vec<u32>,            // of each block and all later ones
}

impl CandidateGroup {
    fn finish(&mut self) {
        self.pairs.sort_unstable();
        let first = |block: &[(u32, u32, u32)]| block.iter().map(|p| p.1).min().unwrap_or(u32::MAX);
        self.earliest = self.pairs.chunks(BLOCK).map(first).collect();
        self.onward = self.earliest.clone();
        for i in (1..self.onward.len()).rev() {
            self.onward[i - 1] = self.onward[i - 1].min(self.onward[i]);
        }
    }

    /// Appends those with the write from `from` on and the read before `to`, until there are `limit`.
    fn list(&self, from: u32, to: u32, limit: usize, found: &mut Vec<u32>) {
        if self.onward[0] >= to || self.pairs[self.pairs.len() - 1].0 < from {
            return;
        }
        let mut i = self.pairs.partition_point(|p| p.0 < from);
        while i < self.pairs.len() && found.len() < limit && self.onward[i / BLOCK] < to {
            if self.earliest[i / BLOCK] >= to {
                i = (i / BLOCK + 1) * BLOCK;
                continue;
            }
            if self.pairs[i].1 < to {
                found.push(self.pairs[i].2);
            }
            i += 1;
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct ConflictPaths {
    groups: Vec<Vec<(usize, CandidateGroup)>>, // by the thread of the write; with the thread of the read
}

impl ConflictPaths {
    pub fn new(encoding: &Encoding, order: &StaticOrder) -> ConflictPaths {
        let threads = order.threads();
        let mut groups = vec![CandidateGroup::default(); threads * threads];
        for (i, &(write, read)) in encoding.rf.iter().enumerate() {
            let place = |e: crate::EventId| order.place(encoding.events[e.index()].node);
            if let (Some((s, from)), Some((t, to))) = (place(write), place(read)) {
                groups[s.index() * threads + t.index()].pairs.push((from, to, i as u32));
            }
        }
        let mut rows = vec![Vec::new(); threads];
        for (i, mut group) in groups.into_iter().enumerate().filter(|(_, g)| !g.pairs.is_empty()) {
            group.finish();
            rows[i / threads].push((i % threads, group));
        }
        ConflictPaths { groups: rows }
    }

    /// Up to `limit` candidates whose write is at `from` or after it, and whose read is at `to` or
    /// before it, in each pair of threads those nearest to `from` first.
    pub fn between(&self, order: &StaticOrder, from: NodeId, to: NodeId, limit: usize) -> Vec<u32> {
        let mut found = Vec::new();
        for (s, row) in self.groups.iter().enumerate() {
            let start = order.first_from(from, s);
            if start == u32::MAX {
                continue;
            }
            for (t, group) in row {
                group.list(start, order.count_to(to, *t), limit, &mut found);
            }
        }
        found
    }
}
