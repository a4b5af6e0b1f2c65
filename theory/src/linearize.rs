//! From an order to a schedule: put all nodes in one linearization, such that every read sees its
//! source.
//!
//! A closed order is only *weakly* consistent: an execution needs the writes of a cell in one
//! linearization as well. Most of the time a schedule is easy to find, and then the second stage
//! costs nothing. We run the nodes one after the other. A node may go when all its predecessors are
//! gone and none of its enabled writes would hide a value that is still awaited: a true `rf(w, r)`
//! with `w` gone and `r` not. Nothing else has to be remembered, so the positions in the chains are
//! the whole state, and a set of failed states keeps the search from repeating itself.
//!
//! Only a write that somebody awaits can close doors; any other node that may go, goes, without an
//! alternative, preferably from the chain that ran last: fewer switches make better traces. Among
//! awaited writes the one whose readers are nearest goes first, since its doors open soonest.
//!
//! Nodes that do not happen are in the schedule too; they do no harm, the host leaves them out.
//!
//! Invariant: the line so far respects the order, and every read in it has seen its source.
//! Cost: `O(n T (T + k))` without backtracking, `k` being the reads of a cell; the budget bounds
//! the steps with it (the problem is NP-complete: Gibbons, Korach 1997).

use crate::Theory;
use crate::types::*;
use std::cmp::Reverse;
use std::collections::HashSet;

/// What the search for a schedule gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScheduleSearch {
    /// All nodes, in an order of execution.
    Found(Vec<Node>),
    /// There is none: the order is weakly but not sequentially consistent.
    Impossible,
    /// The budget is used up.
    GaveUp,
}

impl Theory {
    /// Looks for a schedule in at most `budget` steps.
    ///
    /// Needs: `propagate` said `Ok` and nothing was assigned or added since.
    pub fn linearize(&self, budget: usize) -> ScheduleSearch {
        let at = vec![0; self.layout.chains.len()];
        let mut line = Linearizer { theory: self, at, nodes: Vec::new() };
        let mut choices: Vec<Vec<Node>> = Vec::new();
        let mut failed: HashSet<Vec<u32>> = HashSet::new();
        for _ in 0..=budget {
            if line.nodes.len() == self.layout.places.len() {
                return ScheduleSearch::Found(line.nodes);
            }
            choices.push(if failed.contains(&line.at) { Vec::new() } else { line.moves() });
            while choices.last().is_some_and(Vec::is_empty) {
                choices.pop();
                failed.insert(line.at.clone());
                line.undo();
            }
            match choices.last_mut().and_then(Vec::pop) {
                Some(node) => line.run(node),
                None => return ScheduleSearch::Impossible,
            }
        }
        ScheduleSearch::GaveUp
    }
}

/// A schedule under construction.
struct Linearizer<'a> {
    theory: &'a Theory,
    at: Vec<u32>, // how many nodes of each chain are gone
    nodes: Vec<Node>,
}

impl Linearizer<'_> {
    fn run(&mut self, node: Node) {
        self.at[self.theory.layout.place(node).chain.index()] += 1;
        self.nodes.push(node);
    }

    fn undo(&mut self) {
        if let Some(node) = self.nodes.pop() {
            self.at[self.theory.layout.place(node).chain.index()] -= 1;
        }
    }

    fn gone(&self, node: Node) -> bool {
        let place = self.theory.layout.place(node);
        place.pos < self.at[place.chain.index()]
    }

    /// The nodes to try, the best one last; a single one if it cannot be wrong.
    fn moves(&self) -> Vec<Node> {
        let layout = &self.theory.layout;
        let latest = self.nodes.last().map(|&node| layout.place(node).chain);
        let next = |chain: Chain| {
            layout.chains[chain.index()].get(self.at[chain.index()] as usize).copied()
        };
        let mut moves: Vec<Node> =
            layout.chain_ids().rev().filter_map(next).filter(|&node| self.may_go(node)).collect();
        moves.sort_by_key(|&node| Some(layout.place(node).chain) == latest);
        if let Some(&safe) = moves.iter().rev().find(|&&node| self.awaited(node).next().is_none()) {
            return vec![safe];
        }
        moves.sort_by_key(|&node| Reverse(self.distance(node)));
        moves
    }

    /// Are its predecessors gone, and does no read await what it would hide?
    fn may_go(&self, node: Node) -> bool {
        let Theory { layout, clocks, .. } = self.theory;
        let own = layout.place(node).chain;
        let ready = |chain: Chain| clocks.last(node, chain) <= self.at[chain.index()];
        layout.chain_ids().all(|chain| chain == own || ready(chain))
            && layout.writes_at[node.index()].iter().all(|&write| !self.hides(write))
    }

    fn hides(&self, write: Write) -> bool {
        let Theory { layout, trail, .. } = self.theory;
        let info = layout.write(write);
        if info.guard.is_some_and(|guard| !trail.is_true(guard)) {
            return false;
        }
        let guests = info.guests.all().filter(|&(_, lit)| trail.is_true(lit));
        let reads = layout.cells[info.cell.index()].reads.all();
        reads.chain(guests.map(|(read, _)| read)).any(|read| {
            let node = layout.read_node(read);
            node != info.node && !self.gone(node) && self.waits_for_gone(read, info.node)
        })
    }

    /// Does `read` await the value of a node that is gone, other than `except`?
    fn waits_for_gone(&self, read: Read, except: Node) -> bool {
        let Theory { layout, active, .. } = self.theory;
        active.by_read[read.index()].iter().any(|&rf| {
            let source = layout.write_node(layout.rf(rf).write);
            source != except && self.gone(source)
        })
    }

    /// The reads, not yet gone, that see one of its writes.
    fn awaited(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let Theory { layout, active, .. } = self.theory;
        let rfs = layout.writes_at[node.index()].iter().flat_map(|w| &active.by_write[w.index()]);
        rfs.map(|&rf| layout.read_node(layout.rf(rf).read)).filter(|&read| !self.gone(read))
    }

    /// How many nodes have to go until no read awaits its writes any more?
    fn distance(&self, node: Node) -> u32 {
        let Theory { layout, clocks, .. } = self.theory;
        let end = |chain| self.awaited(node).map(|read| clocks.last(read, chain)).max();
        let left = |chain: Chain| end(chain).unwrap_or(0).saturating_sub(self.at[chain.index()]);
        layout.chain_ids().map(left).sum()
    }
}
