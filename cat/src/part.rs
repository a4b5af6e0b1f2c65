//! What a model orders whatever else is in the execution: relations of its axioms that only grow.
//!
//! A relation that is made of base relations by union, intersection, composition and so on gains pairs when
//! an execution gains events or pairs, and loses none. So what it relates in a small execution it relates
//! in every one that contains the small one. That is how a solver may know early what an axiom will say:
//! it asks about two or three events. Where a difference or a complement looks at more than the two events
//! themselves, nothing is taken for certain: the part counts as empty.

use crate::ast::Check;
use crate::dag::{Arity, Dag, DagNode, Id, Op};
use crate::eval::{Denotation, Denotations, Evaluation};
use crate::relation::{EventSet, Relation};
use crate::{Axiom, Graph, Model};
use std::rc::Rc;

/// A relation of an axiom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AxiomPart {
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
    /// The same, for locations that some access treats as atomic, if nothing is consumed; plain locations
    /// are read from writes that it orders before the read.
    CoherentWhereAtomic,
}

impl Model {
    /// The relations that unflagged axioms speak about in these ways.
    pub fn parts(&self) -> Vec<AxiomPart> {
        let axioms = self.axioms.iter().filter(|a| !a.flag && !a.negated);
        axioms.filter_map(|a| self.part(a)).chain(self.part_of_c11()).collect()
    }

    /// In our c11, happens-before is acyclic, and `(rb | mo); rf?; hb` and `rf; hb` are irreflexive, where mo
    /// is co of the locations that are not plain. With a total co, rb, mo, rf, mo;rf and rb;rf are all of
    /// (rf | co | fr)+. Without consume there is no dob, and hb is transitive. `plain-reads` says the
    /// rest.
    fn part_of_c11(&self) -> Option<AxiomPart> {
        let mut axioms = self.axioms.iter().filter(|_| self.is_builtin("c11"));
        let hb = axioms.find(|axiom| axiom.name == "happens-before")?;
        Some(AxiomPart { says: Says::CoherentWhereAtomic, id: hb.node })
    }

    /// Does no pair raise a flag (`flag ~empty r`) that the part relates, in one direction or the other?
    pub fn flags_spare(&self, part: AxiomPart) -> bool {
        let flags = self.axioms.iter().filter(|a| a.flag && a.negated && a.check == Check::Empty);
        flags.into_iter().all(|flag| {
            let (mut at, mut without) = (flag.node, Vec::new());
            while let Op::Diff(from, right) = self.dag.node(at).op {
                without.push(right);
                at = from;
            }
            let inverse = |id: &Id| matches!(self.dag.node(*id).op, Op::Inverse(x) if x == part.id);
            without.contains(&part.id) && without.iter().any(inverse)
        })
    }

    fn part(&self, axiom: &Axiom) -> Option<AxiomPart> {
        if self.dag.kind(axiom.node) != Arity::Relation {
            return None;
        }
        match (axiom.check, &self.dag.node(axiom.node).op) {
            (Check::Acyclic, _) => Some(AxiomPart { says: Says::Acyclic, id: axiom.node }),
            (Check::Irreflexive, &Op::Seq(order, rest)) if self.implies_coherence(axiom) => {
                let transitive = matches!(self.dag.node(order).op, Op::Plus(_));
                let alone = matches!(self.dag.node(rest).op, Op::Opt(_) | Op::Star(_));
                (transitive && alone).then_some(AxiomPart { says: Says::Coherent, id: order })
            }
            _ => None,
        }
    }

    /// Does the part relate the two in every execution that contains this one?
    pub fn relates(&self, part: AxiomPart, graph: Graph, a: usize, b: usize) -> bool {
        let no_event = Rc::new(Denotation::Set(EventSet::empty(graph.events)));
        let no_pair = Rc::new(Denotation::Relation(Relation::empty(graph.events)));
        let nothing = |node: &DagNode| match node.kind {
            Arity::Set => no_event.clone(),
            Arity::Relation => no_pair.clone(),
        };
        let nodes = self.dag.nodes.iter();
        let values: Denotations =
            nodes.map(|node| (!self.only_grows(&node.op)).then(|| nothing(node))).collect();
        Evaluation::with_values(self, graph, values).rel(part.id).contains(a, b)
    }

    /// Does the operator keep what its operands gain? (What they are is asked of them.)
    pub(crate) fn only_grows(&self, op: &Op) -> bool {
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
            Op::Base(name) if node.kind == Arity::Set => name != "FW",
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
