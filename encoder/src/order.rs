//! What comes before what in every execution: program order and the static edges, closed.
//!
//! Program order is a chain per thread, so the whole closed order fits into clocks: per node and
//! thread, the first position that it reaches, and how many positions reach it. A pair is asked by
//! one comparison, and "all writes of a cell between two nodes" is an interval per thread.
//!
//! An edge is inserted by lowering the clocks of what is before it, thread by thread from the back
//! to the front. Clocks are monotone along a chain, so each walk ends where nothing changes.
//!
//! Invariant: closed under transitivity and free of cycles; an edge that would close one is refused.
//! Cost: `8 n T` bytes; an edge costs `T^2` plus the entries that change.

use crate::encoding::Encoding;
use crate::event::{EventId, NodeId, ThreadId};

/// Never: no position of a thread is reached.
const NEVER: u32 = u32::MAX;

/// The static order of an encoding's nodes.
#[derive(Clone, Debug)]
pub struct StaticOrder {
    chains: Vec<Vec<NodeId>>,        // the nodes of each thread
    places: Vec<Option<(u32, u32)>>, // of each node, thread and position; none if it was dropped
    rows: Vec<u32>,                  // of each node, its row in the tables
    first: Vec<u32>,                 // per row and thread: the first position after the node
    last: Vec<u32>,                  // per row and thread: how many positions are before it
}

impl StaticOrder {
    /// Program order and `Encoding::edges`.
    pub fn new(encoding: &Encoding) -> StaticOrder {
        let chains: Vec<Vec<NodeId>> = encoding.threads.iter().map(|t| t.nodes.clone()).collect();
        let mut order = StaticOrder::of_chains(chains, encoding.nodes.len());
        for &(from, to) in &encoding.edges {
            order.add(from, to);
        }
        order
    }

    fn of_chains(chains: Vec<Vec<NodeId>>, nodes: usize) -> StaticOrder {
        let threads = chains.len();
        let mut order = StaticOrder {
            places: vec![None; nodes],
            rows: vec![0; nodes],
            first: Vec::new(),
            last: Vec::new(),
            chains,
        };
        for (thread, chain) in order.chains.iter().enumerate() {
            for (pos, node) in chain.iter().enumerate() {
                order.rows[node.index()] = (order.first.len() / threads) as u32;
                order.places[node.index()] = Some((thread as u32, pos as u32));
                let end = order.first.len() + thread;
                order.first.resize(order.first.len() + threads, NEVER);
                order.last.resize(order.last.len() + threads, 0);
                order.last[end] = pos as u32;
                if pos + 1 < chain.len() {
                    order.first[end] = pos as u32 + 1;
                }
            }
        }
        order
    }

    pub fn threads(&self) -> usize {
        self.chains.len()
    }

    /// Thread and position of a node that is part of the order.
    pub fn place(&self, node: NodeId) -> Option<(ThreadId, u32)> {
        self.places[node.index()].map(|(thread, pos)| (ThreadId(thread), pos))
    }

    fn at(&self, node: NodeId, thread: usize) -> usize {
        self.rows[node.index()] as usize * self.chains.len() + thread
    }

    /// Does `a` come before `b` in every execution?
    pub fn before(&self, a: NodeId, b: NodeId) -> bool {
        match (self.places[a.index()], self.places[b.index()]) {
            (Some(_), Some((thread, pos))) => self.first[self.at(a, thread as usize)] <= pos,
            _ => false,
        }
    }

    /// The same node, or before it.
    pub fn reaches(&self, a: NodeId, b: NodeId) -> bool {
        a == b || self.before(a, b)
    }

    /// The first position of `thread` that comes after `node`; `u32::MAX` if there is none.
    pub(crate) fn first_after(&self, node: NodeId, thread: usize) -> u32 {
        match self.places[node.index()] {
            Some(_) => self.first[self.at(node, thread)],
            None => NEVER,
        }
    }

    /// How many nodes of `thread` come before `node`: they are its first ones.
    pub(crate) fn count_before(&self, node: NodeId, thread: usize) -> u32 {
        match self.places[node.index()] {
            Some(_) => self.last[self.at(node, thread)],
            None => 0,
        }
    }

    /// As `first_after`, counting the node itself.
    pub(crate) fn first_from(&self, node: NodeId, thread: usize) -> u32 {
        match self.places[node.index()] {
            Some((own, pos)) if own as usize == thread => pos,
            _ => self.first_after(node, thread),
        }
    }

    /// As `count_before`, counting the node itself.
    pub(crate) fn count_to(&self, node: NodeId, thread: usize) -> u32 {
        match self.places[node.index()] {
            Some((own, pos)) if own as usize == thread => pos + 1,
            _ => self.count_before(node, thread),
        }
    }

    /// Adds `a` before `b` and closes. False, and nothing changes, if `b` comes before `a` (or is
    /// `a`), or if one of them is not part of the order.
    pub fn add(&mut self, a: NodeId, b: NodeId) -> bool {
        let known = self.place(a).is_some() && self.place(b).is_some();
        if !known || self.reaches(b, a) {
            return false;
        }
        let threads = 0..self.chains.len();
        let below: Vec<u32> = threads.clone().map(|t| self.count_to(a, t)).collect();
        let above: Vec<u32> = threads.map(|t| self.first_from(b, t)).collect();
        for (s, &count) in below.iter().enumerate() {
            for (t, &first) in above.iter().enumerate() {
                self.lower_first(s, count, t, first);
                self.raise_last(t, first, s, count);
            }
        }
        true
    }

    /// The first `count` nodes of thread `s` reach position `first` of thread `t`.
    fn lower_first(&mut self, s: usize, count: u32, t: usize, first: u32) {
        for pos in (0..count as usize).rev() {
            let at = self.at(self.chains[s][pos], t);
            if self.first[at] <= first {
                break;
            }
            self.first[at] = first;
        }
    }

    /// The nodes of thread `t` from `first` on are reached by `count` nodes of thread `s`.
    fn raise_last(&mut self, t: usize, first: u32, s: usize, count: u32) {
        let from = (first as usize).min(self.chains[t].len());
        for pos in from..self.chains[t].len() {
            let at = self.at(self.chains[t][pos], s);
            if self.last[at] >= count {
                break;
            }
            self.last[at] = count;
        }
    }
}

/// The events of one kind and cell, per thread in program order: what intervals are cut from.
#[derive(Clone, Debug, Default)]
pub struct Lanes(Vec<Vec<(u32, EventId)>>);

impl Lanes {
    pub fn new(threads: usize) -> Lanes {
        Lanes(vec![Vec::new(); threads])
    }

    /// Events may come in any order; `sort` when all are there.
    pub fn push(&mut self, (thread, pos): (ThreadId, u32), event: EventId) {
        self.0[thread.index()].push((pos, event));
    }

    pub fn sort(&mut self) {
        self.0.iter_mut().for_each(|lane| lane.sort_unstable());
    }

    pub fn retain(&mut self, mut keep: impl FnMut(EventId) -> bool) {
        self.0.iter_mut().for_each(|lane| lane.retain(|&(_, event)| keep(event)));
    }

    /// Those of a thread, with their positions.
    pub fn thread(&self, thread: usize) -> &[(u32, EventId)] {
        &self.0[thread]
    }

    /// Those of a thread at positions `from..to`.
    pub fn between(&self, thread: usize, from: u32, to: u32) -> &[(u32, EventId)] {
        let lane = &self.0[thread];
        let start = lane.partition_point(|&(pos, _)| pos < from);
        let end = lane.partition_point(|&(pos, _)| pos < to);
        &lane[start..end.max(start)]
    }

    pub fn all(&self) -> impl Iterator<Item = EventId> + '_ {
        self.0.iter().flatten().map(|&(_, event)| event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obmc_testing::Dice;

    /// Chains of the given lengths, with nodes numbered thread by thread.
    fn chains(lengths: &[u32]) -> StaticOrder {
        let mut next = 0..;
        let chains: Vec<Vec<NodeId>> =
            lengths.iter().map(|&n| next.by_ref().take(n as usize).map(NodeId).collect()).collect();
        let nodes = lengths.iter().sum::<u32>() as usize;
        StaticOrder::of_chains(chains, nodes)
    }

    #[test]
    fn program_order_and_an_edge() {
        let mut order = chains(&[3, 2]);
        let n = NodeId;
        assert!(order.before(n(0), n(2)) && !order.before(n(2), n(0)) && !order.before(n(1), n(1)));
        assert!(!order.before(n(0), n(3)));
        assert!(order.add(n(1), n(4)));
        assert!(order.before(n(0), n(4)) && !order.before(n(0), n(3)) && !order.before(n(2), n(4)));
        assert!(!order.add(n(4), n(0)), "that would be a cycle");
        assert!(!order.before(n(4), n(0)));
    }

    #[test]
    fn clocks_agree_with_a_matrix() {
        let mut random = Dice::new(1);
        for _ in 0..300 {
            let lengths: Vec<u32> = (0..1 + random.below(4)).map(|_| random.below(5)).collect();
            let n = lengths.iter().sum::<u32>();
            let mut order = chains(&lengths);
            let mut matrix = vec![vec![false; n as usize]; n as usize];
            let mut start = 0;
            for &length in &lengths {
                (start..(start + length).saturating_sub(1))
                    .for_each(|i| matrix[i as usize][i as usize + 1] = true);
                start += length;
            }
            close(&mut matrix);
            for _ in 0..6 {
                if n == 0 {
                    break;
                }
                let (a, b) = (random.below(n) as usize, random.below(n) as usize);
                let fits = a != b && !matrix[b][a];
                assert_eq!(order.add(NodeId::new(a), NodeId::new(b)), fits);
                if fits {
                    matrix[a][b] = true;
                    close(&mut matrix);
                }
                check(&order, &matrix);
            }
        }
    }

    fn close(matrix: &mut [Vec<bool>]) {
        for k in 0..matrix.len() {
            let through = matrix[k].clone();
            for row in matrix.iter_mut().filter(|row| row[k]) {
                row.iter_mut().zip(&through).for_each(|(cell, &on)| *cell |= on);
            }
        }
    }

    fn check(order: &StaticOrder, matrix: &[Vec<bool>]) {
        for (a, row) in matrix.iter().enumerate() {
            for (b, &expected) in row.iter().enumerate() {
                let (a, b) = (NodeId::new(a), NodeId::new(b));
                assert_eq!(order.before(a, b), expected);
                let (thread, pos) = order.place(a).unwrap();
                assert_eq!(pos < order.count_before(b, thread.index()), expected);
            }
        }
    }
}
