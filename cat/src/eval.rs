//! The evaluator: what a model says about one execution, bottom-up by the operators' definitions.
//!
//! It is the reference for everything cleverer. Values are kept per node of the DAG and computed when
//! an axiom asks for them. `choose` replaces rf and co: only nodes that depend on them are
//! forgotten, so many candidate executions of the same events share the rest. Recursive definitions
//! are iterated from empty to the least fixpoint (a definition that is not monotone and does not
//! settle within `MAX_ITERATIONS` keeps the value it has then; no model of ours has one).
//!
//! Cost: one operation on bit sets per node, `O(n³/64)` at worst.

use crate::ast::Check;
use crate::dag::{Arity, Growth, Id, Op};
use crate::graph::Graph;
use crate::relation::{EventSet, Relation};
use crate::witness::{self, AxiomViolation};
use crate::{Axiom, Model};
use std::rc::Rc;

const MAX_ITERATIONS: usize = 10_000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Denotation {
    Set(EventSet),
    Relation(Relation),
}

/// A model and an execution.
pub struct Evaluation<'m> {
    pub(crate) model: &'m Model,
    graph: Graph,
    values: Denotations,
}

/// By node, once it was asked for.
pub(crate) type Denotations = Vec<Option<Rc<Denotation>>>;

/// The values of a recursive group after one iteration.
pub(crate) type Stage = Vec<Rc<Denotation>>;

impl<'m> Evaluation<'m> {
    pub fn new(model: &'m Model, graph: Graph) -> Self {
        Self::with_values(model, graph, Denotations::new())
    }

    /// Needs: the values are those of this graph, as far as they are known.
    pub(crate) fn with_values(model: &'m Model, graph: Graph, mut values: Denotations) -> Self {
        values.resize(model.dag.nodes.len(), None);
        Self { model, graph, values }
    }

    /// Takes this for the node's value.
    pub(crate) fn assume(&mut self, id: Id, value: Rc<Denotation>) {
        self.values[id.index()] = Some(value);
    }

    pub(crate) fn into_parts(self) -> (Graph, Denotations) {
        (self.graph, self.values)
    }

    /// The execution with another rf, co and final writes.
    pub fn choose(&mut self, rf: Relation, co: Relation, last: EventSet) {
        self.graph.relations.insert("rf".into(), rf);
        self.graph.relations.insert("co".into(), co);
        self.graph.sets.insert("FW".into(), last);
        for (value, node) in self.values.iter_mut().zip(&self.model.dag.nodes) {
            if node.growth != Growth::Fixed {
                *value = None;
            }
        }
    }

    /// Does every axiom hold? Flags are no axioms.
    pub fn is_consistent(&mut self) -> bool {
        let model = self.model;
        model.axioms.iter().filter(|a| !a.flag).all(|a| self.holds(a))
    }

    /// Is an axiom violated that every completion of rf and co violates, too?
    pub fn is_hopeless(&mut self) -> bool {
        let model = self.model;
        model.axioms.iter().filter(|a| model.only_gets_worse(a)).any(|a| !self.holds(a))
    }

    /// The first axiom that does not hold, with events that show it.
    pub fn violation(&mut self) -> Option<AxiomViolation> {
        let model = self.model;
        let axiom = model.axioms.iter().filter(|a| !a.flag).find(|a| !self.holds(a))?;
        Some(self.explain(axiom))
    }

    /// Every axiom that does not hold, flags apart.
    pub fn violations(&mut self) -> Vec<AxiomViolation> {
        let model = self.model;
        let broken: Vec<_> =
            model.axioms.iter().filter(|a| !a.flag).filter(|a| !self.holds(a)).collect();
        broken.into_iter().map(|a| self.explain(a)).collect()
    }

    /// The names of the flags that are raised.
    pub fn flags(&mut self) -> Vec<&'m str> {
        let model = self.model;
        let raised = model.axioms.iter().filter(|a| a.flag).filter(|a| self.holds(a));
        raised.map(|a| a.name.as_str()).collect()
    }

    /// The pairs of a relation that the model names or that is predefined, for pictures.
    pub fn relation(&mut self, name: &str) -> Option<Relation> {
        let dag = &self.model.dag;
        let mut named = dag.names.iter().filter(|(_, n)| *n == name).map(|(id, _)| *id);
        let id = named.find(|&id| dag.kind(id) == Arity::Relation && dag.node(id).open.is_empty());
        match id {
            Some(id) => Some(self.rel(id).clone()),
            None => self.graph.relations.get(name).cloned(),
        }
    }

    pub(crate) fn holds(&mut self, axiom: &Axiom) -> bool {
        let value = self.eval(axiom.node);
        let holds = match (&*value, axiom.check) {
            (Denotation::Relation(r), Check::Acyclic) => !r.has_cycle(),
            (Denotation::Relation(r), Check::Irreflexive) => r.reflexive_point().is_none(),
            (Denotation::Relation(r), Check::Empty) => r.is_empty(),
            (Denotation::Set(s), _) => s.is_empty(),
        };
        holds != axiom.negated
    }

    fn explain(&mut self, axiom: &Axiom) -> AxiomViolation {
        witness::explain(self, self.model, axiom)
    }

    pub(crate) fn rel(&mut self, id: Id) -> Relation {
        match &*self.eval(id) {
            Denotation::Relation(r) => r.clone(),
            Denotation::Set(s) => s.identity(),
        }
    }

    pub(crate) fn set(&mut self, id: Id) -> EventSet {
        match &*self.eval(id) {
            Denotation::Set(s) => s.clone(),
            Denotation::Relation(r) => r.domain(),
        }
    }

    pub(crate) fn eval(&mut self, id: Id) -> Rc<Denotation> {
        if let Some(value) = &self.values[id.index()] {
            return value.clone();
        }
        let model = self.model;
        let op = &model.dag.node(id).op;
        if let Op::Fix(group, _) = op {
            self.fixpoint(*group as usize);
        } else {
            let value = Rc::new(self.apply(op, model.dag.kind(id)));
            self.values[id.index()] = Some(value);
        }
        match &self.values[id.index()] {
            Some(value) => value.clone(),
            None => Rc::new(self.nothing(model.dag.kind(id))),
        }
    }

    fn nothing(&self, kind: Arity) -> Denotation {
        match kind {
            Arity::Set => Denotation::Set(EventSet::empty(self.graph.events)),
            Arity::Relation => Denotation::Relation(Relation::empty(self.graph.events)),
        }
    }

    /// Sets the values of all `Fix` nodes of a group.
    fn fixpoint(&mut self, group: usize) {
        let model = self.model;
        let now = self.iterate(group, |_| {});
        for (index, node) in model.dag.nodes.iter().enumerate() {
            if let Op::Fix(g, i) = node.op {
                if g as usize == group {
                    self.values[index] = Some(now[i as usize].clone());
                }
            }
        }
    }

    /// Iterates from empty to the fixpoint; shows every stage.
    fn iterate(&mut self, group: usize, mut show: impl FnMut(&Stage)) -> Stage {
        let definitions = &self.model.dag.groups[group];
        let mut now: Stage =
            definitions.kinds.iter().map(|&kind| Rc::new(self.nothing(kind))).collect();
        for _ in 0..MAX_ITERATIONS {
            show(&now);
            self.set_stage(group, &now);
            let next: Stage = definitions.bodies.iter().map(|&body| self.eval(body)).collect();
            if next == now {
                break;
            }
            now = next;
        }
        now
    }

    fn set_stage(&mut self, group: usize, now: &Stage) {
        let model = self.model;
        for &id in &model.dag.groups[group].inner {
            self.values[id.index()] = match model.dag.node(id).op {
                Op::Open(g, i) if g as usize == group => Some(now[i as usize].clone()),
                _ => None,
            };
        }
    }

    /// What the definitions of a group were, from empty to the fixpoint.
    pub(crate) fn stages(&mut self, group: usize) -> Vec<Stage> {
        let mut stages = Vec::new();
        let kept = self.inner_values(group);
        self.iterate(group, |stage| stages.push(stage.clone()));
        self.leave_stage(group, kept);
        stages
    }

    /// As if the definitions were these. Gives: what `leave_stage` needs.
    pub(crate) fn enter_stage(&mut self, group: usize, stage: &Stage) -> Denotations {
        let kept = self.inner_values(group);
        self.set_stage(group, stage);
        kept
    }

    pub(crate) fn leave_stage(&mut self, group: usize, kept: Denotations) {
        for (&id, value) in self.model.dag.groups[group].inner.iter().zip(kept) {
            self.values[id.index()] = value;
        }
    }

    fn inner_values(&self, group: usize) -> Denotations {
        let inner = &self.model.dag.groups[group].inner;
        inner.iter().map(|id| self.values[id.index()].clone()).collect()
    }

    fn apply(&mut self, op: &Op, kind: Arity) -> Denotation {
        use Denotation::{Relation as Rel, Set};
        let unary = |this: &mut Self, a: Id| (*this.eval(a)).clone();
        match op {
            Op::Base(name) if kind == Arity::Set => Set(self.graph.set(name)),
            Op::Base(name) => Rel(self.graph.relation(name)),
            Op::Nothing | Op::Open(..) | Op::Fix(..) => self.nothing(kind),
            Op::Union(a, b) | Op::Inter(a, b) | Op::Diff(a, b) => {
                let (x, y) = (self.eval(*a), self.eval(*b));
                match (&*x, &*y, op) {
                    (Set(x), Set(y), Op::Union(..)) => Set(x.union(y)),
                    (Set(x), Set(y), Op::Inter(..)) => Set(x.intersection(y)),
                    (Set(x), Set(y), _) => Set(x.difference(y)),
                    (Rel(x), Rel(y), Op::Union(..)) => Rel(x.union(y)),
                    (Rel(x), Rel(y), Op::Inter(..)) => Rel(x.intersection(y)),
                    (Rel(x), Rel(y), _) => Rel(x.difference(y)),
                    _ => self.nothing(kind), // kinds were checked
                }
            }
            Op::Complement(a) => match unary(self, *a) {
                Set(s) => Set(s.complement()),
                Rel(r) => Rel(r.complement()),
            },
            Op::Seq(a, b) => Rel(self.compose(*a, *b)),
            Op::Inverse(a) => Rel(self.rel(*a).inverse()),
            Op::Plus(a) => Rel(self.rel(*a).plus()),
            Op::Star(a) => Rel(self.rel(*a).plus().reflexive()),
            Op::Opt(a) => Rel(self.rel(*a).reflexive()),
            Op::Identity(a) => Rel(self.set(*a).identity()),
            Op::Product(a, b) => {
                let (x, y) = (self.set(*a), self.set(*b));
                Rel(x.product(&y))
            }
            Op::Domain(a) => Set(self.rel(*a).domain()),
            Op::Range(a) => Set(self.rel(*a).range()),
        }
    }

    /// `[S]; r` and `r; [S]` are restrictions.
    fn compose(&mut self, a: Id, b: Id) -> Relation {
        let dag = &self.model.dag;
        match (&dag.node(a).op, &dag.node(b).op) {
            (Op::Identity(set), _) => {
                let set = self.set(*set);
                self.rel(b).from_set(&set)
            }
            (_, Op::Identity(set)) => {
                let set = self.set(*set);
                self.rel(a).to_set(&set)
            }
            _ => {
                let (x, y) = (self.eval(a), self.eval(b));
                match (&*x, &*y) {
                    (Denotation::Relation(x), Denotation::Relation(y)) => x.compose(y),
                    _ => Relation::empty(self.graph.events), // kinds were checked
                }
            }
        }
    }
}
