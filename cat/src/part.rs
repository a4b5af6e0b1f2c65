//! What a model orders whatever else is in the execution: relations of its axioms that only grow.
//!
//! A relation that is made of base relations by union, intersection, composition and so on gains pairs when
//! an execution gains events or pairs, and loses none. So what it relates in a small execution it relates
//! in every one that contains the small one. That is how a solver may know early what an axiom will say:
//! it asks about two or three events. Where a difference or a complement looks at more than the two events
//! themselves, nothing is taken for certain: the part counts as empty.

use crate::ast::Check;
use crate::dag::{Dag, Id, Kind, Op};
use crate::eval::{Evaluation, Value, Values};
use crate::relation::{EventSet, Relation};
use crate::{Axiom, Graph, Model};
use std::rc::Rc;

/// A relation of an axiom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    pub says: Says,
    id: Id,
}

/// What the axiom says about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Says {
    /// It has no cycle.
    Acyclic,
    /// It is transitive, contains program order of a location, is irreflexive and agrees with what is
    /// communicated: no cycle with rf, co and fr of one location.
    Coherent,
}

impl Model {
    /// The relations that unflagged axioms speak about in these ways.
    pub fn parts(&self) -> Vec<Part> {
        let axioms = self.axioms.iter().filter(|a| !a.flag && !a.negated);
        axioms.filter_map(|a| self.part(a)).collect()
    }

    fn part(&self, axiom: &Axiom) -> Option<Part> {
        if self.dag.kind(axiom.node) != Kind::Relation {
            return None;
        }
        match (axiom.check, &self.dag.node(axiom.node).op) {
            (Check::Acyclic, _) => Some(Part { says: Says::Acyclic, id: axiom.node }),
            (Check::Irreflexive, &Op::Seq(order, rest)) if self.implies_coherence(axiom) => {
                let transitive = matches!(self.dag.node(order).op, Op::Plus(_));
                let alone = matches!(self.dag.node(rest).op, Op::Opt(_) | Op::Star(_));
                (transitive && alone).then_some(Part { says: Says::Coherent, id: order })
            }
            _ => None,
        }
    }

    /// Does the part relate the two in every execution that contains this one?
    pub fn relates(&self, part: Part, graph: &Graph, a: usize, b: usize) -> bool {
        let mut values: Values = vec![None; self.dag.nodes.len()];
        for (i, value) in values.iter_mut().enumerate() {
            let node = &self.dag.nodes[i];
            if !self.only_grows(&node.op) {
                *value = Some(Rc::new(match node.kind {
                    Kind::Set => Value::Set(EventSet::empty(graph.events)),
                    Kind::Relation => Value::Relation(Relation::empty(graph.events)),
                }));
            }
        }
        let mut evaluation = Evaluation::with_values(self, graph.clone(), values);
        evaluation.rel(part.id).contains(a, b)
    }

    /// Does the operator keep what its operands gain? (What they are is asked of them.)
    fn only_grows(&self, op: &Op) -> bool {
        match op {
            Op::Base(name) => name != "FW",
            Op::Diff(_, right) => self.is_local(*right),
            Op::Complement(of) => self.is_local(*of),
            Op::Fix(group, _) => {
                let inner = &self.dag.groups[*group as usize].inner;
                inner.iter().all(|&id| self.only_grows(&self.dag.node(id).op))
            }
            _ => true,
        }
    }

    /// Is a pair in it because of its two events alone, whatever is guessed?
    fn is_local(&self, id: Id) -> bool {
        const STATIC: [&str; 6] = ["po", "int", "ext", "loc", "id", "si"];
        let node = self.dag.node(id);
        match &node.op {
            Op::Base(name) if node.kind == Kind::Set => name != "FW",
            Op::Base(name) => STATIC.contains(&name.as_str()),
            Op::Nothing => true,
            Op::Union(..)
            | Op::Inter(..)
            | Op::Diff(..)
            | Op::Complement(_)
            | Op::Inverse(_)
            | Op::Identity(_)
            | Op::Opt(_)
            | Op::Product(..) => Dag::children(&node.op).into_iter().all(|c| self.is_local(c)),
            _ => false,
        }
    }
}
