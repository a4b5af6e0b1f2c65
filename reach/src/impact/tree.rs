//! The tree of Impact: nodes with labels, covers between them, and what is still to be done.
//!
//! Invariants. *Well labelled*: a node's label and an edge's action imply the child's label. Only an
//! older, open node of the same vector covers a node, and its label follows from the covered one's. A
//! node is *closed* if it, or a node above it, is covered or has the label false; what was covered by a
//! closed node is open again. Whatever is open and has something to do is in the work list.

use crate::domain::cartesian::Element;
use crate::graph::{NodeId, SearchOrder, Vector};
use crate::system::ActionId;
use encoder::Term;
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

pub type Label = BTreeSet<Term>;

#[derive(Clone, Debug)]
pub struct TreeNode {
    pub at: Vector,
    pub elem: Element,
    pub parent: Option<(NodeId, ActionId)>,
    pub children: Vec<NodeId>,
    pub depth: usize,
    /// Clauses over cells that hold here.
    pub label: Label,
    /// The label is false.
    pub dead: bool,
    pub cover: Option<NodeId>,
    pub covers: Vec<NodeId>,
    /// Actions to follow, and those that have been.
    pub wanted: Vec<ActionId>,
    pub done: Vec<ActionId>,
}

#[derive(Debug)]
pub struct Tree {
    pub nodes: Vec<TreeNode>,
    by_vector: FxHashMap<Vector, Vec<NodeId>>,
    work: VecDeque<NodeId>,
    search: SearchOrder,
}

impl Tree {
    pub fn new(search: SearchOrder) -> Tree {
        Tree { nodes: Vec::new(), by_vector: FxHashMap::default(), work: VecDeque::new(), search }
    }

    pub fn node(&self, id: NodeId) -> &TreeNode {
        &self.nodes[id.0]
    }

    pub fn add(
        &mut self,
        at: Vector,
        elem: Element,
        parent: Option<(NodeId, ActionId)>,
        wanted: Vec<ActionId>,
    ) -> NodeId {
        let id = NodeId(self.nodes.len());
        let depth = parent.map_or(0, |(p, _)| self.nodes[p.0].depth + 1);
        if let Some((parent, _)) = parent {
            self.nodes[parent.0].children.push(id);
        }
        self.by_vector.entry(at.clone()).or_default().push(id);
        self.nodes.push(TreeNode {
            at,
            elem,
            parent,
            children: Vec::new(),
            depth,
            label: Label::new(),
            dead: false,
            cover: None,
            covers: Vec::new(),
            wanted,
            done: Vec::new(),
        });
        self.work.push_back(id);
        id
    }

    pub fn take(&mut self) -> Option<NodeId> {
        match self.search {
            SearchOrder::Breadth => self.work.pop_front(),
            SearchOrder::Depth => self.work.pop_back(),
        }
    }

    /// Something is to be done here.
    pub(crate) fn enqueue(&mut self, id: NodeId) {
        self.work.push_back(id);
    }

    pub(crate) fn to_do(&self, id: NodeId) -> Vec<ActionId> {
        let node = self.node(id);
        node.wanted.iter().filter(|a| !node.done.contains(a)).copied().collect()
    }

    /// The nodes from the root to this one.
    pub fn above(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = vec![id];
        let mut at = id;
        while let Some((parent, _)) = self.node(at).parent {
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }

    /// The actions between two nodes of one path.
    pub fn actions(&self, nodes: &[NodeId]) -> Vec<ActionId> {
        nodes[1..].iter().filter_map(|n| self.node(*n).parent.map(|(_, action)| action)).collect()
    }

    /// The nearest node above both.
    pub fn common(&self, mut a: NodeId, mut b: NodeId) -> NodeId {
        while a != b {
            let deeper = if self.node(a).depth >= self.node(b).depth { &mut a } else { &mut b };
            match self.node(*deeper).parent {
                Some((parent, _)) => *deeper = parent,
                None => break,
            }
        }
        a
    }

    pub(crate) fn is_closed(&self, mut id: NodeId) -> bool {
        loop {
            let node = self.node(id);
            if node.dead || node.cover.is_some() {
                return true;
            }
            match node.parent {
                Some((parent, _)) => id = parent,
                None => return false,
            }
        }
    }

    /// Older open nodes of the same vector.
    pub fn older(&self, id: NodeId) -> Vec<NodeId> {
        let same = self.by_vector.get(&self.node(id).at).into_iter().flatten();
        let older = same.take_while(|w| **w < id);
        older.filter(|w| !self.is_closed(**w)).copied().collect()
    }

    pub fn below(&self, id: NodeId) -> Vec<NodeId> {
        let mut all = vec![id];
        let mut at = 0;
        while at < all.len() {
            all.extend(&self.nodes[all[at].0].children);
            at += 1;
        }
        all
    }

    /// A node is closed with all below it: they cover nothing any more.
    pub(crate) fn retire(&mut self, id: NodeId) {
        for node in self.below(id) {
            for x in std::mem::take(&mut self.nodes[node.0].covers) {
                self.nodes[x.0].cover = None;
                self.revive(x);
            }
        }
    }

    pub(crate) fn uncover(&mut self, id: NodeId) {
        if let Some(w) = self.nodes[id.0].cover.take() {
            self.nodes[w.0].covers.retain(|x| *x != id);
            self.revive(id);
        }
    }

    /// What is to be done below a node that was covered.
    fn revive(&mut self, id: NodeId) {
        for node in self.below(id) {
            if !self.to_do(node).is_empty() {
                self.work.push_back(node);
            }
        }
    }

    pub fn open(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.nodes.len()).map(NodeId).filter(|id| !self.is_closed(*id))
    }
}
