//! What a flag can be at most, whatever rf and co are.
//!
//! Each node of the model is evaluated to two values: what is in it in every execution of the
//! events, and what is in it in some. A difference takes the opposite bound of its right side,
//! everything else is monotone. If a flag's relation is empty even at most, no execution raises it:
//! that settles tests with too many executions to visit. (The analysis of may- and must-sets of
//! Dartagnan, on complete threads.)

use crate::dag::{Arity, Id, Op};
use crate::graph::Graph;
use crate::relation::{EventSet, Relation};
use crate::{Check, Model};
use std::rc::Rc;

/// At least and at most. Sets are kept as the identity on them.
#[derive(Clone, PartialEq)]
struct Range {
    least: Relation,
    most: Relation,
}

impl Model {
    /// Can some rf within `rf` and some co within `co` raise a flag? Needs: the graph without both.
    pub fn may_raise_a_flag(&self, graph: &Graph, rf: &Relation, co: &Relation) -> bool {
        let values = vec![None; self.dag.nodes.len()];
        let mut bounds = Bounds { model: self, graph, rf, co, values };
        self.axioms.iter().filter(|a| a.flag).any(|axiom| {
            let most = bounds.eval(axiom.node).most.clone();
            match (axiom.check, axiom.negated) {
                (Check::Empty, true) => !most.is_empty(),
                (Check::Irreflexive, true) => most.reflexive_point().is_some(),
                (Check::Acyclic, true) => most.has_cycle(),
                (_, false) => true, // it asks for an absence, which a bound from above does not show
            }
        })
    }
}

struct Bounds<'a> {
    model: &'a Model,
    graph: &'a Graph,
    rf: &'a Relation,
    co: &'a Relation,
    values: Vec<Option<Rc<Range>>>,
}

const MAX_ITERATIONS: usize = 10_000;

impl Bounds<'_> {
    fn eval(&mut self, id: Id) -> Rc<Range> {
        if let Some(value) = &self.values[id.index()] {
            return value.clone();
        }
        let model = self.model;
        let node = model.dag.node(id);
        if let Op::Fix(group, _) = node.op {
            self.fixpoint(group as usize);
        } else {
            let range = self.apply(&node.op, node.kind);
            self.values[id.index()] = Some(Rc::new(range));
        }
        match &self.values[id.index()] {
            Some(value) => value.clone(),
            None => Rc::new(self.exactly(Relation::empty(self.graph.events))),
        }
    }

    fn exactly(&self, relation: Relation) -> Range {
        Range { least: relation.clone(), most: relation }
    }

    fn fixpoint(&mut self, group: usize) {
        let model = self.model;
        let definitions = &model.dag.groups[group];
        let nothing = Rc::new(self.exactly(Relation::empty(self.graph.events)));
        let mut now = vec![nothing; definitions.bodies.len()];
        for _ in 0..MAX_ITERATIONS {
            for &id in &definitions.inner {
                self.values[id.index()] = match model.dag.node(id).op {
                    Op::Open(g, i) if g as usize == group => Some(now[i as usize].clone()),
                    _ => None,
                };
            }
            let next: Vec<_> = definitions.bodies.iter().map(|&body| self.eval(body)).collect();
            if next == now {
                break;
            }
            now = next;
        }
        for (index, node) in model.dag.nodes.iter().enumerate() {
            match node.op {
                Op::Fix(g, i) if g as usize == group => {
                    self.values[index] = Some(now[i as usize].clone())
                }
                _ => {}
            }
        }
    }

    fn apply(&mut self, op: &Op, kind: Arity) -> Range {
        let n = self.graph.events;
        let unary = |this: &mut Self, a: Id, f: &dyn Fn(&Relation) -> Relation| {
            let a = this.eval(a);
            Range { least: f(&a.least), most: f(&a.most) }
        };
        let binary =
            |this: &mut Self, a: Id, b: Id, f: &dyn Fn(&Relation, &Relation) -> Relation| {
                let (a, b) = (this.eval(a), this.eval(b));
                Range { least: f(&a.least, &b.least), most: f(&a.most, &b.most) }
            };
        let all = match kind {
            Arity::Set => EventSet::full(n).identity(),
            Arity::Relation => Relation::full(n),
        };
        match op {
            Op::Base(name) if name == "rf" => {
                Range { least: Relation::empty(n), most: self.rf.clone() }
            }
            Op::Base(name) if name == "co" => {
                Range { least: Relation::empty(n), most: self.co.clone() }
            }
            Op::Base(name) if name == "FW" => Range { least: Relation::empty(n), most: all },
            Op::Base(name) if kind == Arity::Set => self.exactly(self.graph.set(name).identity()),
            Op::Base(name) => self.exactly(self.graph.relation(name)),
            Op::Nothing | Op::Open(..) | Op::Fix(..) => self.exactly(Relation::empty(n)),
            Op::Union(a, b) => binary(self, *a, *b, &Relation::union),
            Op::Inter(a, b) => binary(self, *a, *b, &Relation::intersection),
            Op::Seq(a, b) => binary(self, *a, *b, &Relation::compose),
            Op::Product(a, b) => binary(self, *a, *b, &|x, y| x.domain().product(&y.domain())),
            Op::Diff(a, b) => {
                let (a, b) = (self.eval(*a), self.eval(*b));
                Range { least: a.least.difference(&b.most), most: a.most.difference(&b.least) }
            }
            Op::Complement(a) => {
                let a = self.eval(*a);
                Range { least: all.difference(&a.most), most: all.difference(&a.least) }
            }
            Op::Inverse(a) => unary(self, *a, &Relation::inverse),
            Op::Plus(a) => unary(self, *a, &Relation::plus),
            Op::Star(a) => unary(self, *a, &|r| r.plus().reflexive()),
            Op::Opt(a) => unary(self, *a, &Relation::reflexive),
            Op::Identity(a) => (*self.eval(*a)).clone(),
            Op::Domain(a) => unary(self, *a, &|r| r.domain().identity()),
            Op::Range(a) => unary(self, *a, &|r| r.range().identity()),
        }
    }
}
