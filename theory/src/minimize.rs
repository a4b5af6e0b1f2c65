//! Explanations without superfluous literals.
//!
//! The cheapest path is chosen premise by premise, so a literal can end up in a proof although the
//! others already suffice. We try them one by one, the latest first, and drop a literal when the
//! rest is still inconsistent by a small saturation of its own: only the nodes that the proof names
//! (one bit each in a row of 128), ordered to begin with as at level 0, closed under the literals
//! that are left.
//!
//! The explained literal counts as true here, so conflicts and implications are one case: a set of
//! literals that cannot all be true. Dropping is sound because the saturation is; it may keep a
//! literal that only an access outside of the proof would make superfluous.
//!
//! Invariant: what remains is inconsistent, and for the named accesses no smaller subset is.
//! Cost: `k` saturations of `m <= 128` nodes for `k` literals, `O(k m^2)` word operations; a proof
//! with more nodes is left as it is.

use crate::cycle::Clocks;
use crate::layout::{Claim, LiteralRole, NodePair, Rf, TheoryLayout};
use crate::reason::{ReasonChain, ReasonView};
use crate::types::*;

/// One row of a relation over at most 128 nodes.
type BitRow = u128;

/// Drops superfluous literals of the proof, never `target`, which the proof excludes.
pub(crate) fn minimize(
    view: ReasonView,
    root: &Clocks,
    proof: &mut ReasonChain,
    target: Option<Lit>,
) {
    let Some(small) = Small::new(view, root, proof) else { return };
    let mut order: Vec<Lit> = proof.lits.clone();
    order.retain(|&lit| Some(lit) != target && !view.trail.is_root(lit));
    order.sort_by_key(|&lit| std::cmp::Reverse(view.trail.position(lit)));
    let mut kept = proof.lits.clone();
    for lit in order {
        let rest: Vec<Lit> = kept.iter().copied().filter(|&other| other != lit).collect();
        if small.inconsistent(&rest) {
            kept = rest;
        }
    }
    proof.lits = kept;
}

/// The part of the problem that a proof names.
struct Small {
    base: Vec<BitRow>, // the order at level 0
    pairs: Vec<(NodePair, usize, usize)>,
    rfs: Vec<(Lit, usize, usize, Vec<Meeting>)>,
}

/// A write that may come between, and the literals under which it does.
struct Meeting {
    node: usize,
    needs: [Option<Lit>; 2],
}

impl Small {
    fn new(view: ReasonView, root: &Clocks, proof: &ReasonChain) -> Option<Self> {
        let layout = view.layout;
        let (pairs, rfs) = named(layout, &proof.lits);
        let mut nodes: Vec<Node> = pairs.iter().flat_map(|p| [p.from, p.to]).collect();
        nodes.extend(proof.writes.iter().map(|&w| layout.write_node(w)));
        nodes.sort();
        nodes.dedup();
        if nodes.len() > BitRow::BITS as usize || !root.covers(layout) {
            return None;
        }
        let number = |node: Node| nodes.binary_search(&node).unwrap_or_default();
        let row = |&a: &Node| {
            let reached = (0..nodes.len()).filter(|&i| root.before(layout, a, nodes[i]));
            reached.fold(0, |row, i| row | 1 << i)
        };
        let writes = || nodes.iter().flat_map(|node| &layout.writes_at[node.index()]);
        let open = |lit: Option<Lit>| lit.filter(|&lit| !view.trail.is_root(lit));
        let meetings = |rf: &Rf| -> Vec<Meeting> {
            let found = writes().flat_map(|&w| meeting(layout, rf, w));
            found
                .map(|(node, needs)| Meeting { node: number(node), needs: needs.map(open) })
                .collect()
        };
        let ends =
            |rf: &Rf| (number(layout.write_node(rf.write)), number(layout.read_node(rf.read)));
        Some(Self {
            base: nodes.iter().map(row).collect(),
            pairs: pairs.iter().map(|&p| (p, number(p.from), number(p.to))).collect(),
            rfs: rfs.iter().map(|rf| (rf.lit, ends(rf).0, ends(rf).1, meetings(rf))).collect(),
        })
    }

    /// Do these literals alone close a cycle, or order what they claim to be apart?
    fn inconsistent(&self, lits: &[Lit]) -> bool {
        let holds = |lit: Option<Lit>| lit.is_none_or(|lit| lits.contains(&lit));
        let mut rows = self.base.clone();
        for (pair, from, to) in &self.pairs {
            if holds(Some(pair.lit)) && pair.claim == Claim::Before {
                connect(&mut rows, *from, *to);
            }
        }
        let mut grown = true;
        while grown && !cyclic(&rows) {
            grown = false;
            for (lit, w, r, meetings) in &self.rfs {
                let active = meetings.iter().filter(|m| m.needs.into_iter().all(holds));
                for m in active.filter(|_| holds(Some(*lit))) {
                    grown |= has(&rows, m.node, *r) && connect(&mut rows, m.node, *w);
                    grown |= has(&rows, *w, m.node) && connect(&mut rows, *r, m.node);
                }
            }
        }
        let ordered = |a, b| a == b || has(&rows, a, b) || has(&rows, b, a);
        let together = |&(pair, from, to): &(NodePair, usize, usize)| {
            pair.claim == Claim::Apart && holds(Some(pair.lit)) && ordered(from, to)
        };
        cyclic(&rows) || self.pairs.iter().any(together)
    }
}

/// The pairs and candidates that the literals stand for.
fn named(layout: &TheoryLayout, lits: &[Lit]) -> (Vec<NodePair>, Vec<Rf>) {
    let (mut pairs, mut rfs) = (Vec::new(), Vec::new());
    for role in lits.iter().flat_map(|&lit| layout.roles(lit)) {
        match *role {
            LiteralRole::Pair(pair) => pairs.push(layout.pair(pair)),
            LiteralRole::Rf(rf) => rfs.push(layout.rf(rf)),
            LiteralRole::Guard(_) | LiteralRole::Alias(..) => {}
        }
    }
    (pairs, rfs)
}

/// How `other` may come between the two ends of `rf`: its node and what must be true.
fn meeting(layout: &TheoryLayout, rf: &Rf, other: Write) -> Vec<(Node, [Option<Lit>; 2])> {
    let (info, read) = (layout.write(other), layout.read(rf.read));
    if info.node == read.node || info.node == layout.write_node(rf.write) {
        return Vec::new();
    }
    if info.cell == read.cell {
        return vec![(info.node, [info.guard, None])];
    }
    let aliases = info.guests.all().filter(|(guest, _)| *guest == rf.read);
    aliases.map(|(_, lit)| (info.node, [info.guard, Some(lit)])).collect()
}

fn has(rows: &[BitRow], a: usize, b: usize) -> bool {
    rows[a] >> b & 1 == 1
}

fn cyclic(rows: &[BitRow]) -> bool {
    (0..rows.len()).any(|i| has(rows, i, i))
}

/// Adds an edge and closes; was it new?
fn connect(rows: &mut [BitRow], from: usize, to: usize) -> bool {
    if has(rows, from, to) {
        return false;
    }
    let reached = rows[to] | 1 << to;
    for (i, row) in rows.iter_mut().enumerate() {
        if i == from || *row >> from & 1 == 1 {
            *row |= reached;
        }
    }
    true
}
