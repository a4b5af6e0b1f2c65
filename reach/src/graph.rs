//! The abstract reachability graph: nodes by location vector, with covers.

use crate::system::{ActionId, LocId, System, Target};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub usize);

pub type Vector = Rc<[LocId]>;

#[derive(Clone, Debug)]
pub struct ReachNode<E> {
    pub at: Vector,
    pub elem: E,
    pub parent: Option<(NodeId, ActionId)>,
}

/// In which order nodes are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SearchOrder {
    #[default]
    Breadth,
    Depth,
}

#[derive(Clone, Debug)]
pub struct ReachGraph<E> {
    pub nodes: Vec<ReachNode<E>>,
    by_vector: FxHashMap<Vector, Vec<NodeId>>,
    work: VecDeque<NodeId>,
    search: SearchOrder,
    pub covered: u64,
}

impl<E> ReachGraph<E> {
    pub fn new(search: SearchOrder) -> ReachGraph<E> {
        let (nodes, by_vector, work) = Default::default();
        ReachGraph { nodes, by_vector, work, search, covered: 0 }
    }

    /// Adds a node, unless an older one covers it.
    pub fn add(&mut self, node: ReachNode<E>, leq: impl Fn(&E, &E) -> bool) -> Option<NodeId> {
        let same = self.by_vector.entry(node.at.clone()).or_default();
        if same.iter().any(|w| leq(&node.elem, &self.nodes[w.0].elem)) {
            self.covered += 1;
            return None;
        }
        let id = NodeId(self.nodes.len());
        same.push(id);
        self.nodes.push(node);
        self.work.push_back(id);
        Some(id)
    }

    pub fn take(&mut self) -> Option<NodeId> {
        match self.search {
            SearchOrder::Breadth => self.work.pop_front(),
            SearchOrder::Depth => self.work.pop_back(),
        }
    }

    /// The actions that lead to a node.
    pub fn path(&self, mut id: NodeId) -> Vec<ActionId> {
        let mut path = Vec::new();
        while let Some((parent, action)) = self.nodes[id.0].parent {
            path.push(action);
            id = parent;
        }
        path.reverse();
        path
    }

    pub fn vectors(&self) -> impl Iterator<Item = (&Vector, &[NodeId])> {
        self.by_vector.iter().map(|(v, ids)| (v, ids.as_slice()))
    }
}

/// Where an action leads, if not to an end.
pub fn moved(system: &System, at: &Vector, action: ActionId) -> Option<Vector> {
    let action = system.action(action);
    let Target::To(to) = action.to else { return None };
    let mut next: Vec<LocId> = at.to_vec();
    next[action.thread.index()] = to;
    Some(next.into())
}
