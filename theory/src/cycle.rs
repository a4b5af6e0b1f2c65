//! The closed order, as clocks, and with it the detection of cycles.
//!
//! Nodes stand in chains, so whatever a node reaches in a chain is a suffix of it, and whatever
//! reaches the node is a prefix. Two tables say all of the transitive closure:
//!
//! - `first[u][t]`: the smallest position of chain `t` that `u` reaches (the length if none),
//! - `last[u][t]`: how many nodes of chain `t`, from its start, reach `u`.
//!
//! Both count a node as reaching itself, so `a < b` is `a != b` and `first[a][chain(b)] <= pos(b)`:
//! one comparison. An edge `a -> b` closes a cycle exactly when `b < a`, asked before insertion.
//!
//! Insertion. Nodes that reach `a` now reach what `b` reaches. In each chain those are the nodes
//! before `last[a]`; we walk back from there and lower `first` to that of `b`, and stop at the first
//! node that is already as low: `first` never decreases along a chain, so all earlier ones are as
//! low too. The half-open interval from the new to the old value names exactly the newly reached
//! positions; it is handed out as a `Delta` and is all that the derivation rules have to look at.
//! The other table is its mirror image.
//!
//! Invariant: outside `insert` both tables describe the closure of the edges in force.
//! Cost: memory `O(n T)` for `n` nodes and `T` chains; an insertion is `O(T^2)` plus one step per
//! changed entry, and an entry changes only when something is newly reached. (Clocks as in happens-
//! before race detectors; a matrix of pairs would cost `O(n^2)` memory and as much per insertion.
//! Incremental topological orders, as of Bender, Fineman, Gilbert and Tarjan, detect cycles for less
//! but do not answer `a < b`, which every rule here asks.)

use crate::layout::TheoryLayout;
use crate::trail::{Trail, Undo};
use crate::types::{Chain, Node};

/// `from` newly reaches the positions `lo..hi` of `chain`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delta {
    pub from: Node,
    pub chain: Chain,
    pub lo: u32,
    pub hi: u32,
}

/// The two tables, row by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    chains: usize,
    first: Vec<u32>,
    last: Vec<u32>,
    gains: Vec<(Chain, u32)>, // scratch of `insert`
}

impl Clocks {
    /// The order of the chains alone; its deltas are all pairs of each chain.
    pub fn reset(&mut self, layout: &TheoryLayout, deltas: &mut Vec<Delta>) {
        self.chains = layout.chains.len();
        let row: Vec<u32> = layout.chain_ids().map(|t| layout.length(t)).collect();
        self.first = row.repeat(layout.places.len());
        self.last = vec![0; self.first.len()];
        for (i, place) in layout.places.iter().enumerate() {
            let node = Node::new(i);
            let at = self.at(node, place.chain);
            self.first[at] = place.pos;
            self.last[at] = place.pos + 1;
            let (lo, hi) = (place.pos + 1, layout.length(place.chain));
            deltas.push(Delta { from: node, chain: place.chain, lo, hi });
        }
    }

    fn at(&self, node: Node, chain: Chain) -> usize {
        node.index() * self.chains + chain.index()
    }

    /// The smallest position of `chain` that `node` reaches.
    pub fn first(&self, node: Node, chain: Chain) -> u32 {
        self.first[self.at(node, chain)]
    }

    /// The number of nodes of `chain` that reach `node`.
    pub fn last(&self, node: Node, chain: Chain) -> u32 {
        self.last[self.at(node, chain)]
    }

    /// Do the tables know all of its nodes?
    pub fn covers(&self, layout: &TheoryLayout) -> bool {
        self.chains == layout.chains.len() && self.first.len() == self.chains * layout.places.len()
    }

    /// Is `a` before `b`?
    pub fn before(&self, layout: &TheoryLayout, a: Node, b: Node) -> bool {
        let place = layout.place(b);
        a != b && self.first(a, place.chain) <= place.pos
    }

    /// Adds `a -> b` and says what is new.
    ///
    /// Needs: not `b < a`, not `a < b`, `a != b`.
    pub fn insert(
        &mut self,
        layout: &TheoryLayout,
        (a, b): (Node, Node),
        trail: &mut Trail,
        deltas: &mut Vec<Delta>,
    ) {
        self.lower_first(layout, (a, b), trail, deltas);
        self.raise_last(layout, (a, b), trail);
    }

    fn lower_first(
        &mut self,
        layout: &TheoryLayout,
        (a, b): (Node, Node),
        trail: &mut Trail,
        deltas: &mut Vec<Delta>,
    ) {
        let mut gains = std::mem::take(&mut self.gains);
        gains.clear();
        // No node before `a` gains where `a` itself does not: they reach all that `a` does.
        let gained = layout.chain_ids().map(|t| (t, self.first(b, t)));
        gains.extend(gained.filter(|&(t, new)| new < self.first(a, t)));
        for line in layout.chain_ids() {
            let end = self.last(a, line) as usize;
            for &(chain, lo) in &gains {
                for &from in layout.chains[line.index()][..end].iter().rev() {
                    let at = self.at(from, chain);
                    let hi = self.first[at];
                    if hi <= lo {
                        break;
                    }
                    self.first[at] = lo;
                    trail.record(Undo::First(from, chain, hi));
                    deltas.push(Delta { from, chain, lo, hi });
                }
            }
        }
        self.gains = gains;
    }

    fn raise_last(&mut self, layout: &TheoryLayout, (a, b): (Node, Node), trail: &mut Trail) {
        let mut gains = std::mem::take(&mut self.gains);
        gains.clear();
        let gained = layout.chain_ids().map(|t| (t, self.last(a, t)));
        gains.extend(gained.filter(|&(t, new)| new > self.last(b, t)));
        for line in layout.chain_ids() {
            let start = self.first(b, line) as usize;
            for &(chain, new) in &gains {
                for &node in &layout.chains[line.index()][start..] {
                    let at = self.at(node, chain);
                    let old = self.last[at];
                    if old >= new {
                        break;
                    }
                    self.last[at] = new;
                    trail.record(Undo::Last(node, chain, old));
                }
            }
        }
        self.gains = gains;
    }

    pub(crate) fn restore_first(&mut self, node: Node, chain: Chain, old: u32) {
        let at = self.at(node, chain);
        self.first[at] = old;
    }

    pub(crate) fn restore_last(&mut self, node: Node, chain: Chain, old: u32) {
        let at = self.at(node, chain);
        self.last[at] = old;
    }
}
