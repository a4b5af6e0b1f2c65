//! Why an axiom does not hold, as facts about the execution: every execution with these facts violates it, too.
//!
//! A solver that guesses executions learns from this: the facts of one reason cannot all be true. A
//! derivation of a pair is walked down to base relations. Presence in a union is presence in one side, in a
//! composition in both parts through one event between, in a closure along a shortest path. For recursive
//! definitions the iteration in which a pair first appeared is kept, and it is explained by what was there
//! one iteration earlier; so derivations are well founded. (Haas, Meyer, Ponce de León: CAAT, OOPSLA 2022.)
//!
//! Absence (the right side of a difference) is explained in the same way where that is local. Where it is
//! not (no event is between, there is no path), the reason is all that the relation may depend on: the
//! executed events if rf and co do not occur in it (`Fact::Events`), else everything (`Fact::Everything`).
//! A `Backdrop`, all events that could be executed, says which pairs no execution has at all.

use crate::ast::Check;
use crate::dag::{Arity, Growth, Id, Op};
use crate::eval::{Denotation, Denotations, Evaluation};
use crate::relation::Relation;
use crate::{Axiom, Graph, Model};
use std::rc::Rc;

/// Something that is true of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Fact<'m> {
    /// The event is executed.
    Event(usize),
    /// The pair is in the given relation of this name.
    Has(&'m str, usize, usize),
    Lacks(&'m str, usize, usize),
    /// Which events of this event's thread are executed, and which dependencies they have.
    Thread(usize),
    /// Which events are executed, and which dependencies they have.
    Events,
    Everything,
}

/// Facts that cannot all be true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConflictReason<'m> {
    pub axiom: &'m str,
    pub facts: Vec<Fact<'m>>,
}

/// All events that could be executed, with all that could relate them but rf and co. Of one model.
#[derive(Clone, Debug, Default)]
pub struct Backdrop {
    graph: Graph,
    values: Denotations,
}

impl Backdrop {
    pub fn new(graph: Graph) -> Self {
        Self { graph, values: Denotations::new() }
    }

    fn has(&mut self, model: &Model, id: Id, a: usize, b: usize) -> bool {
        let (graph, values) = (std::mem::take(&mut self.graph), std::mem::take(&mut self.values));
        let mut evaluation = Evaluation::with_values(model, graph, values);
        let has = evaluation.has(id, a, b);
        (self.graph, self.values) = evaluation.into_parts();
        has
    }
}

impl<'m> Evaluation<'m> {
    /// Reasons of axioms that do not hold, at most `limit` for each. `names`: the events' numbers in the
    /// backdrop. None if all axioms hold.
    pub fn reasons(
        &mut self,
        backdrop: &mut Backdrop,
        names: &[usize],
        limit: usize,
    ) -> Vec<ConflictReason<'m>> {
        let model = self.model;
        let mut found: Vec<ConflictReason<'m>> = Vec::new();
        for axiom in model.axioms.iter().filter(|a| !a.flag) {
            if self.holds(axiom) {
                continue;
            }
            for facts in Why::new(self, backdrop, names).violated(axiom, limit) {
                let reason = ConflictReason { axiom: &axiom.name, facts };
                if !found.contains(&reason) {
                    found.push(reason);
                }
            }
        }
        found
    }

    /// Flags that the pair raises by itself: those that say `~empty r` where `r` has the pair.
    pub fn flagged(&mut self, a: usize, b: usize) -> bool {
        let model = self.model;
        model.axioms.iter().filter(|x| is_pair_flag(x)).any(|x| self.has(x.node, a, b))
    }

    /// Facts because of which the pair raises no flag. Needs: it does not.
    pub fn why_not_flagged(
        &mut self,
        backdrop: &mut Backdrop,
        names: &[usize],
        a: usize,
        b: usize,
    ) -> Vec<Fact<'m>> {
        let model = self.model;
        let mut why = Why::new(self, backdrop, names);
        for axiom in model.axioms.iter().filter(|x| is_pair_flag(x)) {
            why.absent(axiom.node, a, b);
        }
        why.take()
    }

    fn has(&mut self, id: Id, a: usize, b: usize) -> bool {
        match &*self.eval(id) {
            Denotation::Relation(r) => r.contains(a, b),
            Denotation::Set(s) => a == b && s.contains(a),
        }
    }
}

/// The flags that are asked about pair by pair: those that pairs raise.
pub(crate) fn is_pair_flag(axiom: &Axiom) -> bool {
    axiom.flag && axiom.negated && axiom.check == Check::Empty
}

struct Why<'a, 'm> {
    it: &'a mut Evaluation<'m>,
    backdrop: &'a mut Backdrop,
    names: &'a [usize],
    facts: Vec<Fact<'m>>,
}

impl<'a, 'm> Why<'a, 'm> {
    fn new(it: &'a mut Evaluation<'m>, backdrop: &'a mut Backdrop, names: &'a [usize]) -> Self {
        Self { it, backdrop, names, facts: Vec::new() }
    }

    fn take(&mut self) -> Vec<Fact<'m>> {
        let mut facts = std::mem::take(&mut self.facts);
        facts.sort_unstable();
        facts.dedup();
        if facts.contains(&Fact::Everything) {
            facts = vec![Fact::Everything];
        }
        facts
    }

    fn violated(&mut self, axiom: &'m Axiom, limit: usize) -> Vec<Vec<Fact<'m>>> {
        if axiom.negated {
            return vec![vec![Fact::Everything]];
        }
        let relation = self.it.rel(axiom.node);
        let mut out: Vec<Vec<Fact<'m>>> = Vec::new();
        match axiom.check {
            Check::Acyclic => {
                for cycle in cycles(&relation, limit) {
                    self.steps(axiom.node, &cycle, cycle[0]);
                    out.push(self.take());
                }
            }
            Check::Irreflexive => {
                let points = (0..relation.events()).filter(|&e| relation.contains(e, e));
                for e in points.take(limit) {
                    self.present(axiom.node, e, e);
                    out.push(self.take());
                }
            }
            Check::Empty => {
                for (a, b) in relation.pairs().take(limit) {
                    self.present(axiom.node, a, b);
                    out.push(self.take());
                }
            }
        }
        out
    }

    /// The steps of a path, and the one to its end.
    fn steps(&mut self, id: Id, path: &[usize], end: usize) {
        for (i, &at) in path.iter().enumerate() {
            self.present(id, at, path.get(i + 1).copied().unwrap_or(end));
        }
    }

    /// Why the pair is there. (A set has pairs of an event with itself.)
    fn present(&mut self, id: Id, a: usize, b: usize) {
        let model = self.it.model;
        let node = model.dag.node(id);
        match &node.op {
            Op::Base(name) => self.base(name, node.kind, a, b),
            Op::Nothing => {}
            Op::Union(x, y) => {
                let fixed = |id: &Id| model.dag.node(*id).growth == Growth::Fixed;
                let (x, y) = if fixed(y) { (*y, *x) } else { (*x, *y) };
                let side = if self.it.has(x, a, b) { x } else { y };
                self.present(side, a, b);
            }
            Op::Inter(x, y) => {
                self.present(*x, a, b);
                self.present(*y, a, b);
            }
            Op::Diff(x, y) => {
                self.present(*x, a, b);
                self.absent(*y, a, b);
            }
            Op::Complement(x) => {
                self.facts.extend([Fact::Event(a), Fact::Event(b)]);
                self.absent(*x, a, b);
            }
            Op::Seq(x, y) => {
                let (first, second) = (self.it.eval(*x), self.it.eval(*y));
                let middle = match (&*first, &*second) {
                    (Denotation::Relation(first), Denotation::Relation(second)) => {
                        first.successors(a).find(|&m| second.contains(m, b))
                    }
                    _ => None, // kinds were checked
                };
                if let Some(middle) = middle {
                    self.present(*x, a, middle);
                    self.present(*y, middle, b);
                }
            }
            Op::Inverse(x) => self.present(*x, b, a),
            Op::Star(_) | Op::Opt(_) if a == b => self.facts.push(Fact::Event(a)),
            Op::Opt(x) => self.present(*x, a, b),
            Op::Plus(x) | Op::Star(x) => {
                let path = match &*self.it.eval(*x) {
                    Denotation::Relation(r) => r.shortest_path(a, b).unwrap_or_default(),
                    Denotation::Set(_) => Vec::new(), // kinds were checked
                };
                self.steps(*x, &path, b);
            }
            Op::Identity(s) => self.present(*s, a, a),
            Op::Product(s, t) => {
                self.present(*s, a, a);
                self.present(*t, b, b);
            }
            Op::Domain(r) => {
                let to = self.it.rel(*r).successors(a).next();
                to.into_iter().for_each(|to| self.present(*r, a, to));
            }
            Op::Range(r) => {
                let from = self.it.rel(*r).inverse().successors(a).next();
                from.into_iter().for_each(|from| self.present(*r, from, a));
            }
            Op::Open(group, place) | Op::Fix(group, place) => {
                self.recursive(*group as usize, *place as usize, a, b);
            }
        }
    }

    fn base(&mut self, name: &'m str, kind: Arity, a: usize, b: usize) {
        match (name, kind) {
            ("FW", _) => self.facts.push(Fact::Everything),
            (_, Arity::Set) | ("id", _) => self.facts.push(Fact::Event(a)),
            (_, Arity::Relation) => self.facts.push(Fact::Has(name, a, b)),
        }
    }

    /// A pair of a recursive definition, by what was there one iteration before it appeared.
    fn recursive(&mut self, group: usize, place: usize, a: usize, b: usize) {
        let model = self.it.model;
        let definitions = &model.dag.groups[group];
        let nested = definitions.bodies.iter().any(|&id| model.dag.node(id).open.len() > 1);
        let inside = |value: &Rc<Denotation>| match &**value {
            Denotation::Relation(r) => r.contains(a, b),
            Denotation::Set(s) => a == b && s.contains(a),
        };
        let stages = self.it.stages(group);
        let first = stages.iter().position(|stage| inside(&stage[place]));
        let (Some(first), false) = (first.filter(|&k| k > 0), nested) else {
            return self.facts.push(Fact::Everything);
        };
        let before = stages[first - 1].clone();
        let kept = self.it.enter_stage(group, &before);
        self.present(definitions.bodies[place], a, b);
        self.it.leave_stage(group, kept);
    }

    /// Why the pair is not there.
    fn absent(&mut self, id: Id, a: usize, b: usize) {
        let model = self.it.model;
        let node = model.dag.node(id);
        if model.never(self.backdrop, id, self.names[a], self.names[b]) {
            return;
        }
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
            Op::Inter(x, y) => {
                let side = if self.it.has(*x, a, b) { *y } else { *x };
                self.absent(side, a, b);
            }
            Op::Diff(x, y) if self.it.has(*x, a, b) => self.present(*y, a, b),
            Op::Diff(x, _) => self.absent(*x, a, b),
            Op::Complement(x) => self.present(*x, a, b),
            Op::Inverse(x) => self.absent(*x, b, a),
            Op::Opt(x) => self.absent(*x, a, b),
            Op::Identity(_) if a != b => {}
            Op::Identity(s) => self.absent(*s, a, a),
            Op::Product(s, t) => match self.it.set(*s).contains(a) {
                true => self.absent(*t, b, b),
                false => self.absent(*s, a, a),
            },
            Op::Seq(x, y) => match (&model.dag.node(*x).op, &model.dag.node(*y).op) {
                (Op::Identity(s), _) if self.it.set(*s).contains(a) => self.absent(*y, a, b),
                (Op::Identity(s), _) => self.absent(*s, a, a),
                (_, Op::Identity(s)) if self.it.set(*s).contains(b) => self.absent(*x, a, b),
                (_, Op::Identity(s)) => self.absent(*s, b, b),
                _ => self.nowhere(id, a),
            },
            Op::Plus(_) | Op::Star(_) | Op::Domain(_) | Op::Range(_) => self.nowhere(id, a),
            Op::Open(..) | Op::Fix(..) => self.nowhere(id, a),
        }
    }

    /// What the absence of a pair may depend on, from far.
    fn nowhere(&mut self, id: Id, a: usize) {
        let model = self.it.model;
        self.facts.push(match model.dag.node(id).growth {
            Growth::Fixed if model.is_within_threads(id) => Fact::Thread(a),
            Growth::Fixed => Fact::Events,
            _ => Fact::Everything,
        });
    }
}

impl Model {
    /// Has no execution this pair in the relation? Only for relations without rf and co that grow with the
    /// events.
    fn never(&self, backdrop: &mut Backdrop, id: Id, a: usize, b: usize) -> bool {
        let fixed = self.dag.node(id).growth == Growth::Fixed;
        fixed && self.grows_with_events(id) && !backdrop.has(self, id, a, b)
    }

    fn grows_with_events(&self, id: Id) -> bool {
        match &self.dag.node(id).op {
            Op::Diff(..) | Op::Complement(_) | Op::Fix(..) | Op::Open(..) => false,
            Op::Base(name) => name != "FW",
            op => crate::dag::Dag::children(op).into_iter().all(|c| self.grows_with_events(c)),
        }
    }

    /// Does the relation hold, and come about, within one thread?
    fn is_within_threads(&self, id: Id) -> bool {
        const WITHIN: [&str; 9] =
            ["po", "addr", "data", "ctrl", "amo", "lxsx", "casdep", "rcu-rscs", "id"];
        let within = |c: &Id| self.is_within_threads(*c);
        match &self.dag.node(id).op {
            Op::Base(name) => self.dag.kind(id) == Arity::Set || WITHIN.contains(&name.as_str()),
            Op::Inter(a, b) => {
                let local = |x: &Id| !has_closure(self, *x);
                within(a) && (within(b) || local(b)) || within(b) && local(a)
            }
            Op::Diff(a, b) => within(a) && (within(b) || !has_closure(self, *b)),
            Op::Product(..) | Op::Complement(_) | Op::Fix(..) | Op::Open(..) => false,
            op => crate::dag::Dag::children(op).iter().all(within),
        }
    }
}

/// Does the presence of a pair depend on other events than its own?
fn has_closure(model: &Model, id: Id) -> bool {
    match &model.dag.node(id).op {
        Op::Seq(..) | Op::Plus(_) | Op::Star(_) | Op::Domain(_) | Op::Range(_) => true,
        Op::Open(..) | Op::Fix(..) => true,
        op => crate::dag::Dag::children(op).into_iter().any(|c| has_closure(model, c)),
    }
}

/// Cycles that are shortest for one of their events, short ones first.
fn cycles(relation: &Relation, limit: usize) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut seen: Vec<Vec<usize>> = Vec::new();
    for e in 0..relation.events() {
        let Some(cycle) = relation.shortest_path(e, e) else { continue };
        let mut events = cycle.clone();
        events.sort_unstable();
        if !seen.contains(&events) {
            seen.push(events);
            found.push(cycle);
        }
    }
    found.sort_by_key(Vec::len);
    found.truncate(limit);
    found
}
