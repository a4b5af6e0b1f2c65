//! Why an axiom does not hold, as facts about the execution: every execution with these facts violates it, too.
//!
//! A solver that guesses executions learns from this: the facts of one reason cannot all be true. A
//! derivation of a pair is walked down to base relations. Presence in a union is presence in one side, in a
//! composition in both parts through one event between, in a closure along a shortest path. For recursive
//! definitions the iteration in which a pair first appeared is kept, and it is explained by what was there
//! one iteration earlier; so derivations are well founded. (Haas, Meyer, Ponce de León: CAAT, OOPSLA 2022.)
//!
//! Absence (the right side of a difference): `absence.rs`.

use crate::Axiom;
use crate::absence::{Backdrop, Pair};
use crate::ast::Check;
use crate::dag::{Arity, Growth, Id, Op};
use crate::eval::{Denotation, Evaluation};
use crate::relation::Relation;
use std::collections::HashSet;
use std::rc::Rc;

/// Something that is true of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Fact<'m> {
    /// The event is executed.
    Event(usize),
    /// The pair is in the given relation of this name.
    Has(&'m str, usize, usize),
    Lacks(&'m str, usize, usize),
    /// The event of this number in the backdrop is not executed.
    Missing(usize),
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

    pub(crate) fn has(&mut self, id: Id, a: usize, b: usize) -> bool {
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

pub(crate) struct Why<'a, 'm> {
    pub(crate) it: &'a mut Evaluation<'m>,
    pub(crate) backdrop: &'a mut Backdrop,
    /// The events' numbers in the backdrop, ascending.
    pub(crate) names: &'a [usize],
    pub(crate) facts: Vec<Fact<'m>>,
    /// What is explained already.
    pub(crate) absences: HashSet<Pair>,
}

impl<'a, 'm> Why<'a, 'm> {
    fn new(it: &'a mut Evaluation<'m>, backdrop: &'a mut Backdrop, names: &'a [usize]) -> Self {
        Self { it, backdrop, names, facts: Vec::new(), absences: HashSet::new() }
    }

    fn take(&mut self) -> Vec<Fact<'m>> {
        let mut facts = std::mem::take(&mut self.facts);
        self.absences.clear();
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
    pub(crate) fn present(&mut self, id: Id, a: usize, b: usize) {
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
        let absences = std::mem::take(&mut self.absences);
        self.present(definitions.bodies[place], a, b);
        self.absences = absences;
        self.it.leave_stage(group, kept);
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
