//! The edges in force, with their reasons.
//!
//! The clocks (`cycle.rs`) know *that* one node comes before another; the edges know *why*. An edge
//! never changes and edges leave in the reverse order of their arrival, so an edge's number is its
//! age, and the derivation of an edge used only edges with smaller numbers.
//!
//! An edge that adds no order is still kept when it stands for a single literal: it gives later
//! explanations a shorter way. Cost: `O(1)` per edge.

use crate::reason::EdgeReason;
use crate::types::{EdgeId, Node};

/// `from < to`, because of `reason`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderEdge {
    pub from: Node,
    pub to: Node,
    pub reason: EdgeReason,
}

/// Edges by age and by source.
#[derive(Clone, Debug, Default)]
pub(crate) struct OrderGraph {
    edges: Vec<OrderEdge>,
    out: Vec<Vec<EdgeId>>,
}

impl OrderGraph {
    /// Forgets all edges and makes room for `nodes` nodes.
    pub fn reset(&mut self, nodes: usize) {
        self.edges.clear();
        self.out.iter_mut().for_each(Vec::clear);
        self.out.resize(nodes, Vec::new());
    }

    /// The number that the next edge will have.
    pub fn age(&self) -> EdgeId {
        EdgeId::new(self.edges.len())
    }

    pub fn push(&mut self, edge: OrderEdge) {
        let id = self.age();
        self.out[edge.from.index()].push(id);
        self.edges.push(edge);
    }

    pub fn pop(&mut self) {
        if let Some(edge) = self.edges.pop() {
            self.out[edge.from.index()].pop();
        }
    }

    pub fn edge(&self, id: EdgeId) -> OrderEdge {
        self.edges[id.index()]
    }

    /// The edges that leave `node` and are older than `limit`.
    pub fn out(&self, node: Node, limit: EdgeId) -> impl Iterator<Item = EdgeId> + '_ {
        self.out[node.index()].iter().copied().take_while(move |id| *id < limit)
    }
}
