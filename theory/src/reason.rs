//! Reasons, and their way back to literals.
//!
//! A reason is a value: a literal, or a rule with the numbers of its premises. Nothing is expanded
//! when an edge is added. When the host asks, the proof is unfolded: a premise `a < b` is a path
//! over edges that are *older* than the fact it explains, each derived edge on the path has premises
//! of its own, and so on; all literals met on the way are the explanation.
//!
//! Why older: at the time of the derivation the order `a < b` held by the edges of that time, so a
//! path among them exists, and since ages fall strictly on the way, no proof can lean on itself.
//!
//! Which path: the one with the fewest *new* literals, by Dijkstra's algorithm with the cost of an
//! edge being the literals that it would add (chains and static edges 0, a derived edge at least
//! one more for the path behind it, edges already in this proof 0). Literals that are true at level
//! 0 cost nothing and are left out. `minimize.rs` then drops what is still superfluous.
//!
//! Invariant: the answer is a set of literals that were true before the explained fact.
//! Cost: one search per derived edge in the proof, each over nodes between the two ends only (the
//! clocks prune the rest): `O(E log E)` in the worst case, usually a handful of nodes.

use crate::cycle::Clocks;
use crate::derive::update_premises;
use crate::graph::OrderGraph;
use crate::layout::{Claim, TheoryLayout};
use crate::trail::Trail;
use crate::types::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Why an edge is in force.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EdgeReason {
    /// Thread creation, joining and the like: always there, no literal to blame.
    Static,
    /// The literal claims it.
    Literal(Lit),
    /// `other < read` and the premises of the triple give `other < write`.
    WriteSerialization { rf: RfId, other: Write, alias: Option<Lit> },
    /// `write < other` and the premises of the triple give `read < other`.
    FromRead { rf: RfId, other: Write, alias: Option<Lit> },
}

/// Why a literal cannot be true.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Why {
    /// The order already says the opposite of what the pair claims.
    Ordered(PairId),
    /// The other write stands between the write and the read.
    Between { rf: RfId, other: Write, alias: Option<Lit> },
    /// Two enabled read-modify-writes would read from one write.
    Updates(RfId, RfId),
}

/// Literals that are all true and cannot be: the clause of their negations is valid.
///
/// The latest come first, so the first two are right for watching. No literal of level 0 is named;
/// an empty conflict means that level 0 itself is inconsistent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The literals.
    pub lits: Vec<Lit>,
}

/// `from < to` by edges older than `limit`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgePath {
    pub from: Node,
    pub to: Node,
    pub limit: EdgeId,
}

/// The state that explanations read.
#[derive(Clone, Copy)]
pub(crate) struct ReasonView<'a> {
    pub layout: &'a TheoryLayout,
    pub trail: &'a Trail,
    pub clocks: &'a Clocks,
    pub graph: &'a OrderGraph,
}

/// A growing explanation.
#[derive(Default)]
pub(crate) struct ReasonChain {
    pub lits: Vec<Lit>,     // of any level, each once
    pub writes: Vec<Write>, // that a rule named as the one that may come between
    open: Vec<EdgePath>,    // premises not yet unfolded
    used: Vec<EdgeId>,      // edges whose reasons are in the proof, sorted
}

impl ReasonChain {
    /// Everything that makes the edge true.
    pub(crate) fn add_reason(&mut self, view: ReasonView, reason: EdgeReason, age: EdgeId) {
        let layout = view.layout;
        match reason {
            EdgeReason::Static => {}
            EdgeReason::Literal(lit) => self.add_lit(lit),
            EdgeReason::WriteSerialization { rf, other, alias } => {
                self.add_triple(layout, rf, other, alias);
                let to = layout.read_node(layout.rf(rf).read);
                self.open.push(EdgePath { from: layout.write_node(other), to, limit: age });
            }
            EdgeReason::FromRead { rf, other, alias } => {
                self.add_triple(layout, rf, other, alias);
                let from = layout.write_node(layout.rf(rf).write);
                self.open.push(EdgePath { from, to: layout.write_node(other), limit: age });
            }
        }
    }

    /// Everything that denies a literal, and the literal itself where a rule names it.
    pub(crate) fn add_why(&mut self, view: ReasonView, why: Why, age: EdgeId) {
        let layout = view.layout;
        match why {
            Why::Ordered(pair) => {
                let pair = layout.pair(pair);
                // Either order contradicts "apart"; an equal pair is contradicted by nothing else.
                let forward =
                    pair.claim == Claim::Apart && view.clocks.before(layout, pair.from, pair.to);
                let (from, to) = if forward { (pair.from, pair.to) } else { (pair.to, pair.from) };
                self.add_lit(pair.lit);
                self.open.push(EdgePath { from, to, limit: age });
            }
            Why::Between { rf, other, alias } => {
                self.add_triple(layout, rf, other, alias);
                let (w, r) = (layout.rf(rf).write, layout.rf(rf).read);
                let middle = layout.write_node(other);
                self.open.push(EdgePath { from: layout.write_node(w), to: middle, limit: age });
                self.open.push(EdgePath { from: middle, to: layout.read_node(r), limit: age });
            }
            Why::Updates(one, two) => {
                let premises = update_premises(layout, one, two).into_iter().flatten();
                premises.flatten().for_each(|lit| self.add_lit(lit));
                for rf in [one, two] {
                    self.writes.extend(layout.read(layout.rf(rf).read).update);
                }
            }
        }
    }

    pub(crate) fn add_path(&mut self, path: EdgePath) {
        self.open.push(path);
    }

    fn add_triple(&mut self, layout: &TheoryLayout, rf: RfId, other: Write, alias: Option<Lit>) {
        self.writes.push(other);
        let lits = [Some(layout.rf(rf).lit), layout.write(other).guard, alias];
        lits.into_iter().flatten().for_each(|lit| self.add_lit(lit));
    }

    fn add_lit(&mut self, lit: Lit) {
        if !self.lits.contains(&lit) {
            self.lits.push(lit);
        }
    }

    /// Unfolds all open premises. The newest first: they have the most to choose from, and what
    /// they bring is free for the others.
    pub(crate) fn unfold(&mut self, view: ReasonView, search: &mut PathScratch) {
        while let Some(path) = self.open.pop() {
            for id in search.shortest(view, path, self) {
                if let Err(at) = self.used.binary_search(&id) {
                    self.used.insert(at, id);
                    self.add_reason(view, view.graph.edge(id).reason, id);
                }
            }
        }
    }

    /// How many literals would this edge add?
    fn cost(&self, view: ReasonView, id: EdgeId) -> u32 {
        let new = |lit: Lit| u32::from(!view.trail.is_root(lit) && !self.lits.contains(&lit));
        let triple = |rf: RfId, other: Write, alias: Option<Lit>| {
            let lits = [Some(view.layout.rf(rf).lit), view.layout.write(other).guard, alias];
            1 + lits.into_iter().flatten().map(new).sum::<u32>()
        };
        match view.graph.edge(id).reason {
            _ if self.used.binary_search(&id).is_ok() => 0,
            EdgeReason::Static => 0,
            EdgeReason::Literal(lit) => new(lit),
            EdgeReason::WriteSerialization { rf, other, alias }
            | EdgeReason::FromRead { rf, other, alias } => triple(rf, other, alias),
        }
    }
}

/// Scratch of the path search, kept to avoid clearing `n` entries per search.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathScratch {
    round: u32,
    seen: Vec<(u32, u32, Option<EdgeId>)>, // of each node: round, cost, and the edge that led there
    heap: BinaryHeap<Reverse<(u32, Node)>>,
}

impl PathScratch {
    /// The edges of a cheapest path, chains and static order being free.
    fn shortest(&mut self, view: ReasonView, path: EdgePath, proof: &ReasonChain) -> Vec<EdgeId> {
        self.start(view.layout.places.len());
        self.reach(path.from, 0, None);
        while let Some(Reverse((cost, node))) = self.heap.pop() {
            if node == path.to {
                break;
            }
            if cost > self.seen[node.index()].1 {
                continue;
            }
            self.expand(view, path, proof, node, cost);
        }
        self.walk_back(view, path)
    }

    fn start(&mut self, nodes: usize) {
        self.round = self.round.wrapping_add(1);
        self.seen.resize(nodes, (0, 0, None));
        self.heap.clear();
    }

    fn expand(
        &mut self,
        view: ReasonView,
        path: EdgePath,
        proof: &ReasonChain,
        node: Node,
        cost: u32,
    ) {
        let useful = |n: Node| n == path.to || view.clocks.before(view.layout, n, path.to);
        let place = view.layout.place(node);
        let line = &view.layout.chains[place.chain.index()];
        if let Some(&next) = line.get(place.pos as usize + 1) {
            if useful(next) {
                self.reach(next, cost, None);
            }
        }
        for id in view.graph.out(node, path.limit) {
            let next = view.graph.edge(id).to;
            if useful(next) {
                self.reach(next, cost + proof.cost(view, id), Some(id));
            }
        }
    }

    fn reach(&mut self, node: Node, cost: u32, by: Option<EdgeId>) {
        let entry = &mut self.seen[node.index()];
        if entry.0 != self.round || cost < entry.1 {
            *entry = (self.round, cost, by);
            self.heap.push(Reverse((cost, node)));
        }
    }

    fn walk_back(&self, view: ReasonView, path: EdgePath) -> Vec<EdgeId> {
        let mut edges = Vec::new();
        let mut node = path.to;
        while node != path.from {
            let (round, _, by) = self.seen[node.index()];
            // A proof with a hole would be a wrong clause, and a wrong clause a wrong verdict.
            assert_eq!(round, self.round, "no path explains {path:?}");
            if let Some(id) = by {
                edges.push(id);
                node = view.graph.edge(id).from;
                continue;
            }
            let place = view.layout.place(node);
            let Some(pos) = place.pos.checked_sub(1) else { break };
            node = view.layout.chains[place.chain.index()][pos as usize];
        }
        edges
    }
}
