//! A model after names are resolved: operators over base sets and relations, each distinct one once.
//!
//! Nodes are hash-consed, children before parents. Each node knows its kind (set or relation), how it
//! grows with the chosen relations (`Growth`), and which recursive definitions are still open in it.
//! The growth decides two things: a `Fixed` node is evaluated once for all candidate executions of the
//! same events, and an axiom over a `Grows` node that is violated by a part of rf and co is violated by
//! every completion of it.

use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arity {
    Set,
    Relation,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Id(pub u32);

impl Id {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Op {
    Base(String),
    Nothing,
    Union(Id, Id),
    Inter(Id, Id),
    Diff(Id, Id),
    Complement(Id),
    Seq(Id, Id),
    Inverse(Id),
    Plus(Id),
    Star(Id),
    Opt(Id),
    Identity(Id),
    Product(Id, Id),
    Domain(Id),
    Range(Id),
    /// The value that a recursive definition has so far: group, place in it.
    Open(u32, u32),
    /// The least fixpoint: group, place in it.
    Fix(u32, u32),
}

/// How a node changes when pairs are added to rf and co.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Growth {
    /// Not at all.
    Fixed,
    /// It only gains.
    Grows,
    /// It only loses.
    Shrinks,
    /// Either.
    Unknown,
}

impl Growth {
    fn and(self, other: Growth) -> Growth {
        match (self, other) {
            (Growth::Fixed, g) | (g, Growth::Fixed) => g,
            (a, b) if a == b => a,
            _ => Growth::Unknown,
        }
    }

    fn flip(self) -> Growth {
        match self {
            Growth::Grows => Growth::Shrinks,
            Growth::Shrinks => Growth::Grows,
            same => same,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct DagNode {
    pub op: Op,
    pub kind: Arity,
    pub growth: Growth,
    /// Recursive groups whose fixpoint is computed around this node.
    pub open: Vec<u32>,
}

/// Definitions that mention each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    pub kinds: Vec<Arity>,
    pub bodies: Vec<Id>,
    /// The nodes that change from one iteration to the next, children first.
    pub inner: Vec<Id>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Dag {
    pub nodes: Vec<DagNode>,
    pub groups: Vec<Group>,
    /// The name that a model first gave to a node.
    pub names: HashMap<Id, String>,
    known: HashMap<(Op, Arity), Id>,
}

impl Dag {
    pub fn node(&self, id: Id) -> &DagNode {
        &self.nodes[id.index()]
    }

    pub fn kind(&self, id: Id) -> Arity {
        self.node(id).kind
    }

    pub fn add(&mut self, op: Op, kind: Arity) -> Id {
        if let Some(&id) = self.known.get(&(op.clone(), kind)) {
            return id;
        }
        let id = Id(self.nodes.len() as u32);
        let node = DagNode { growth: self.growth(&op), open: self.open(&op), op: op.clone(), kind };
        self.nodes.push(node);
        self.known.insert((op, kind), id);
        id
    }

    pub fn children(op: &Op) -> Vec<Id> {
        match *op {
            Op::Base(_) | Op::Nothing | Op::Open(..) | Op::Fix(..) => Vec::new(),
            Op::Union(a, b)
            | Op::Inter(a, b)
            | Op::Diff(a, b)
            | Op::Seq(a, b)
            | Op::Product(a, b) => vec![a, b],
            Op::Complement(a)
            | Op::Inverse(a)
            | Op::Plus(a)
            | Op::Star(a)
            | Op::Opt(a)
            | Op::Identity(a)
            | Op::Domain(a)
            | Op::Range(a) => vec![a],
        }
    }

    fn growth(&self, op: &Op) -> Growth {
        let of = |id: Id| self.node(id).growth;
        match op {
            Op::Base(name) if name == "FW" => Growth::Unknown,
            Op::Base(name) if crate::names::is_choice(name) => Growth::Grows,
            Op::Base(_) | Op::Nothing => Growth::Fixed,
            Op::Diff(a, b) => of(*a).and(of(*b).flip()),
            Op::Complement(a) => of(*a).flip(),
            // Until the bodies are known; `close` corrects it.
            Op::Open(..) => Growth::Grows,
            Op::Fix(group, _) => {
                let bodies = &self.groups[*group as usize].bodies;
                bodies.iter().fold(Growth::Fixed, |g, &body| g.and(of(body)))
            }
            other => Self::children(other).into_iter().fold(Growth::Fixed, |g, c| g.and(of(c))),
        }
    }

    fn open(&self, op: &Op) -> Vec<u32> {
        let mut open: Vec<u32> = match op {
            Op::Open(group, _) => vec![*group],
            Op::Fix(group, _) => {
                let bodies = &self.groups[*group as usize].bodies;
                bodies
                    .iter()
                    .flat_map(|&b| self.node(b).open.clone())
                    .filter(|g| g != group)
                    .collect()
            }
            other => {
                Self::children(other).into_iter().flat_map(|c| self.node(c).open.clone()).collect()
            }
        };
        open.sort_unstable();
        open.dedup();
        open
    }

    /// A new group of recursive definitions; their values so far.
    pub(crate) fn open_group(&mut self, kinds: Vec<Arity>) -> (u32, Vec<Id>) {
        let group = self.groups.len() as u32;
        self.groups.push(Group { kinds: kinds.clone(), ..Group::default() });
        let ids = kinds.iter().enumerate().map(|(i, &k)| self.add(Op::Open(group, i as u32), k));
        (group, ids.collect())
    }

    /// Is a definition of the group used where more of it makes less of another?
    pub(crate) fn negates(&self, group: u32) -> bool {
        let open = |id: Id| self.node(id).open.contains(&group);
        self.nodes.iter().any(|node| match node.op {
            Op::Complement(inner) | Op::Diff(_, inner) => open(inner),
            _ => false,
        })
    }

    /// The group's definitions are known. Gives: their least fixpoints.
    pub(crate) fn close_group(&mut self, group: u32, bodies: Vec<Id>) -> Vec<Id> {
        let inner: Vec<Id> = (0..self.nodes.len() as u32)
            .map(Id)
            .filter(|&id| self.node(id).open.contains(&group))
            .collect();
        let monotone =
            bodies.iter().all(|&b| matches!(self.node(b).growth, Growth::Grows | Growth::Fixed));
        if !monotone {
            inner.iter().for_each(|id| self.nodes[id.index()].growth = Growth::Unknown);
        }
        let kinds = self.groups[group as usize].kinds.clone();
        self.groups[group as usize].bodies = bodies;
        self.groups[group as usize].inner = inner;
        let fix = kinds.iter().enumerate().map(|(i, &k)| self.add(Op::Fix(group, i as u32), k));
        fix.collect()
    }
}
