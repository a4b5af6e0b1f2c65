//! Why a pair is not in a relation, as facts: no execution with these facts has it.
//!
//! Absence in a union is absence in both sides, in an intersection in one. Nothing is between two events
//! in `r; s` if every event lacks one of the two steps, and there is no path if no step leaves what is
//! reached from its start, or enters what leads to its end: of these two cuts the one with fewer open steps
//! is taken. Events that are not executed are steps, too, if they could be: then that they are not is a
//! fact. What could be at all is said by a `Backdrop`, so most pairs cost nothing.
//!
//! What a recursive definition lacks is explained by all that it may depend on.

use crate::dag::{Arity, Growth, Id, Op};
use crate::eval::{Denotation, Denotations, Evaluation};
use crate::reason::{Fact, Why};
use crate::relation::{EventSet, Relation};
use crate::{Graph, Model};
use std::rc::Rc;

/// Pairs of one reason that are looked at.
const MAX_PAIRS: usize = 100_000;

/// All events that could be executed, with all that could relate them: guesses, too. Of one model.
#[derive(Clone, Debug, Default)]
pub struct Backdrop {
    graph: Graph,
    /// What each node is at most, once it was asked for.
    values: Denotations,
}

impl Backdrop {
    pub fn new(graph: Graph) -> Self {
        Self { graph, values: Denotations::new() }
    }

    fn events(&self) -> usize {
        self.graph.events
    }

    /// Has some execution the pair in the relation, perhaps?
    fn may(&mut self, model: &Model, id: Id, a: usize, b: usize) -> bool {
        if !model.dag.node(id).open.is_empty() {
            return true;
        }
        if self.values.is_empty() {
            self.bound(model);
        }
        if self.values[id.index()].is_none() {
            self.with(model, |evaluation| drop(evaluation.eval(id)));
        }
        match self.values[id.index()].as_deref() {
            Some(Denotation::Relation(r)) => r.contains(a, b),
            Some(Denotation::Set(s)) => a == b && s.contains(a),
            None => true,
        }
    }

    /// What does not grow with an execution is replaced by what is not smaller. The rest is evaluated.
    fn bound(&mut self, model: &Model) {
        let events = self.events();
        self.with(model, |evaluation| {
            for (i, node) in model.dag.nodes.iter().enumerate() {
                if model.only_grows(&node.op) || !node.open.is_empty() {
                    continue;
                }
                let most = match (&node.op, node.kind) {
                    (Op::Diff(from, _), _) => evaluation.eval(*from),
                    (_, Arity::Set) => Rc::new(Denotation::Set(EventSet::full(events))),
                    (_, Arity::Relation) => Rc::new(Denotation::Relation(Relation::full(events))),
                };
                evaluation.assume(Id(i as u32), most);
            }
        });
    }

    fn with(&mut self, model: &Model, look: impl FnOnce(&mut Evaluation<'_>)) {
        let (graph, values) = (std::mem::take(&mut self.graph), std::mem::take(&mut self.values));
        let mut evaluation = Evaluation::with_values(model, graph, values);
        look(&mut evaluation);
        (self.graph, self.values) = evaluation.into_parts();
    }
}

impl Why<'_, '_> {
    fn may(&mut self, id: Id, a: usize, b: usize) -> bool {
        self.backdrop.may(self.it.model, id, self.names[a], self.names[b])
    }

    /// Why the pair is not there.
    pub(crate) fn absent(&mut self, id: Id, a: usize, b: usize) {
        if !self.may(id, a, b) || !self.absences.insert((id, a, b)) {
            return;
        }
        if self.absences.len() > MAX_PAIRS {
            return self.facts.push(Fact::Everything);
        }
        let model = self.it.model;
        let node = model.dag.node(id);
        match &node.op {
            Op::Base(name) if name == "FW" => self.facts.push(Fact::Everything),
            Op::Base(name) if node.kind == Arity::Relation => {
                self.facts.push(Fact::Lacks(name, a, b));
            }
            Op::Base(_) | Op::Nothing => {}
            Op::Union(x, y) => {
                self.absent(*x, a, b);
                self.absent(*y, a, b);
            }
            Op::Inter(x, y) => self.absent_one((*x, a, b), (*y, a, b)),
            Op::Diff(x, y) if self.it.has(*x, a, b) => self.present(*y, a, b),
            Op::Diff(x, _) => self.absent(*x, a, b),
            Op::Complement(x) => self.present(*x, a, b),
            Op::Inverse(x) => self.absent(*x, b, a),
            Op::Opt(x) => self.absent(*x, a, b),
            Op::Identity(s) => self.absent(*s, a, a),
            Op::Product(s, t) => self.absent_one((*s, a, a), (*t, b, b)),
            Op::Seq(x, y) => match (&model.dag.node(*x).op, &model.dag.node(*y).op) {
                (Op::Identity(s), _) => self.absent_one((*s, a, a), (*y, a, b)),
                (_, Op::Identity(s)) => self.absent_one((*s, b, b), (*x, a, b)),
                _ => self.nothing_between(*x, *y, a, b),
            },
            Op::Plus(x) | Op::Star(x) => self.no_path(id, *x, a, b),
            Op::Domain(r) => self.no_partner(|e| (*r, a, e)),
            Op::Range(r) => self.no_partner(|e| (*r, e, a)),
            Op::Open(..) | Op::Fix(..) => self.nowhere(id),
        }
    }

    /// One of the two is not there: what can never be, what is known already, what is plain to see.
    fn absent_one(&mut self, first: Pair, second: Pair) {
        let [one, other] = [first, second].map(|pair| self.price(pair));
        let (id, a, b) = if other < one { second } else { first };
        self.absent(id, a, b);
    }

    /// How dear it is to explain that the pair is not there.
    fn price(&mut self, (id, a, b): Pair) -> u8 {
        if self.it.has(id, a, b) {
            return u8::MAX;
        }
        match !self.may(id, a, b) || self.absences.contains(&(id, a, b)) {
            true => 0,
            false if matches!(self.it.model.dag.node(id).op, Op::Base(_)) => 1,
            false => 2,
        }
    }

    /// No event is behind the first in `x` and ahead of the second in `y`.
    fn nothing_between(&mut self, x: Id, y: Id, a: usize, b: usize) {
        for m in 0..self.names.len() {
            if self.may(x, a, m) && self.may(y, m, b) {
                self.absent_one((x, a, m), (y, m, b));
            }
        }
        let (model, from, to) = (self.it.model, self.names[a], self.names[b]);
        self.missing(|all, m| all.may(model, x, from, m) && all.may(model, y, m, to));
    }

    /// The relation has no pair of this kind for any event.
    fn no_partner(&mut self, pair: impl Fn(usize) -> Pair) {
        for e in 0..self.names.len() {
            let (id, a, b) = pair(e);
            self.absent(id, a, b);
        }
        let (model, names) = (self.it.model, self.names);
        let (id, a, b) = pair(usize::MAX);
        self.missing(|all, e| {
            let name = |event: usize| if event == usize::MAX { e } else { names[event] };
            all.may(model, id, name(a), name(b))
        });
    }

    /// No path from the one to the other: `closure` is that of `step`.
    fn no_path(&mut self, closure: Id, step: Id, a: usize, b: usize) {
        let steps = self.it.rel(step);
        let ahead = reached(&steps, a);
        let behind = reached(&steps.inverse(), b);
        let leaving = self.open_steps(closure, step, (a, b), |s, t| {
            (s == a || ahead.contains(s)) && !ahead.contains(t)
        });
        let entering = self.open_steps(closure, step, (a, b), |s, t| {
            (t == b || behind.contains(t)) && !behind.contains(s)
        });
        let forward = leaving.len() <= entering.len();
        for (s, t) in if forward { leaving } else { entering } {
            self.absent(step, s, t);
        }
        let (model, from, to) = (self.it.model, self.names[a], self.names[b]);
        let inside: Vec<usize> = match forward {
            true => ahead.iter().chain([a]).map(|e| self.names[e]).collect(),
            false => behind.iter().chain([b]).map(|e| self.names[e]).collect(),
        };
        self.missing(|all, m| match forward {
            true => {
                all.may(model, closure, m, to) && inside.iter().any(|&s| all.may(model, step, s, m))
            }
            false => {
                all.may(model, closure, from, m)
                    && inside.iter().any(|&t| all.may(model, step, m, t))
            }
        });
    }

    /// Steps across a cut that could be there and lie on the way.
    fn open_steps(
        &mut self,
        closure: Id,
        step: Id,
        (a, b): (usize, usize),
        crosses: impl Fn(usize, usize) -> bool,
    ) -> Vec<(usize, usize)> {
        let mut open = Vec::new();
        for s in
            (0..self.names.len()).filter(|&s| s == a || self.may(closure, a, s)).collect::<Vec<_>>()
        {
            for t in 0..self.names.len() {
                if crosses(s, t) && self.may(step, s, t) && (t == b || self.may(closure, t, b)) {
                    open.push((s, t));
                }
            }
        }
        open
    }

    /// These events are not executed, if they could be.
    fn missing(&mut self, mut could: impl FnMut(&mut Backdrop, usize) -> bool) {
        let mut executed = self.names.iter().copied().peekable();
        for e in 0..self.backdrop.events() {
            if executed.next_if_eq(&e).is_none() && could(self.backdrop, e) {
                self.facts.push(Fact::Missing(e));
            }
        }
    }

    /// What the absence of a pair may depend on, from far.
    fn nowhere(&mut self, id: Id) {
        self.facts.push(match self.it.model.dag.node(id).growth {
            Growth::Fixed => Fact::Events,
            _ => Fact::Everything,
        });
    }
}

/// A node and a pair that it has or lacks.
pub(crate) type Pair = (Id, usize, usize);

/// What one or more steps lead to.
fn reached(steps: &Relation, from: usize) -> EventSet {
    let mut reached = EventSet::empty(steps.events());
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for to in steps.successors(at) {
            if !reached.contains(to) {
                reached.insert(to);
                open.push(to);
            }
        }
    }
    reached
}
