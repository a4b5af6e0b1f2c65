//! Why an axiom does not hold: a cycle, or a pair, with the relation behind each step.
//!
//! A step of the axiom's relation is opened up: a union into the side that has the pair, a composition
//! into two steps through an event between, a closure into a shortest path. What remains are steps of
//! relations that a reader knows by name: `rf`, `co`, `fr`, `po-loc`, `addr`, the model's fences.

use crate::ast::Check;
use crate::dag::{Arity, Id, Op};
use crate::eval::Evaluation;
use crate::{Axiom, Model};

/// One step of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessStep {
    pub from: usize,
    pub to: usize,
    pub relation: String,
}

/// An axiom that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AxiomViolation {
    pub axiom: String,
    /// A cycle (each step begins where the last one ended), or a path for `empty`, which may be a step
    /// from an event to itself by `id`: the event is in a set that must be empty. Nothing for an axiom
    /// that asks for something that is not there.
    pub steps: Vec<WitnessStep>,
}

pub(crate) fn explain(
    evaluation: &mut Evaluation<'_>,
    model: &Model,
    axiom: &Axiom,
) -> AxiomViolation {
    let steps = if axiom.negated { Vec::new() } else { steps(evaluation, model, axiom) };
    AxiomViolation { axiom: axiom.name.clone(), steps }
}

fn steps(evaluation: &mut Evaluation<'_>, model: &Model, axiom: &Axiom) -> Vec<WitnessStep> {
    let relation = evaluation.rel(axiom.node);
    let events: Vec<usize> = match axiom.check {
        Check::Acyclic => relation.shortest_cycle().unwrap_or_default(),
        Check::Irreflexive => relation.reflexive_point().into_iter().collect(),
        Check::Empty => relation.pairs().next().map_or(vec![], |(a, b)| vec![a, b]),
    };
    let mut opened = Opened { model, steps: Vec::new() };
    let open = matches!(axiom.check, Check::Empty); // a path, not a cycle
    if let (Arity::Set, Some(&event)) = (model.dag.node(axiom.node).kind, events.first()) {
        opened.push(event, event, "id");
        return opened.steps;
    }
    for (i, &from) in events.iter().enumerate() {
        let to = match events.get(i + 1) {
            Some(&next) => next,
            None if open => break,
            None => events[0],
        };
        opened.step(evaluation, axiom.node, from, to, None);
    }
    opened.steps
}

struct Opened<'m> {
    model: &'m Model,
    steps: Vec<WitnessStep>,
}

impl Opened<'_> {
    /// Needs: `(from, to)` is in the relation. `name`: of the closest definition around it.
    fn step(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        id: Id,
        from: usize,
        to: usize,
        name: Option<&str>,
    ) {
        let model = self.model;
        let name = model.dag.names.get(&id).map(String::as_str).or(name);
        match &model.dag.node(id).op {
            Op::Union(a, b) => {
                let first = evaluation.rel(*a).contains(from, to);
                self.step(evaluation, if first { *a } else { *b }, from, to, name);
            }
            Op::Seq(a, b) if !crate::models::is_basic(name) => {
                let (first, second) = (evaluation.rel(*a), evaluation.rel(*b));
                let middle = first.successors(from).find(|&m| second.contains(m, to));
                let Some(middle) = middle else { return };
                self.step(evaluation, *a, from, middle, name);
                self.step(evaluation, *b, middle, to, name);
            }
            Op::Plus(a) | Op::Star(a) | Op::Opt(a) => {
                if from == to && !matches!(model.dag.node(id).op, Op::Plus(_)) {
                    return; // no step at all
                }
                let path = evaluation.rel(*a).shortest_path(from, to).unwrap_or_default();
                for (i, &at) in path.iter().enumerate() {
                    let next = path.get(i + 1).copied().unwrap_or(to);
                    self.step(evaluation, *a, at, next, name);
                }
            }
            Op::Identity(_) => {}
            // The last iteration's parts are gone: the definition's name is what is left.
            Op::Fix(..) => self.push(from, to, name.unwrap_or("(recursive)")),
            Op::Base(base) => self.push(from, to, base),
            Op::Inverse(a) if name.is_none() => {
                let inner = model.dag.names.get(a).map(String::as_str);
                let inner = match (&model.dag.node(*a).op, inner) {
                    (Op::Base(base), _) => base,
                    (_, Some(name)) => name,
                    _ => "(...)",
                };
                self.push(from, to, &format!("{inner}^-1"));
            }
            // A restriction: what it restricts says more than the sets around it.
            Op::Inter(a, b) if !crate::models::is_basic(name) => {
                let opens = |id: &Id| {
                    !matches!(model.dag.node(*id).op, Op::Product(..) | Op::Complement(_))
                };
                let side = [*a, *b].into_iter().find(opens).unwrap_or(*a);
                self.step(evaluation, side, from, to, name);
            }
            Op::Diff(a, _) => self.step(evaluation, *a, from, to, name),
            _ => self.push(from, to, name.unwrap_or("(...)")),
        }
    }

    fn push(&mut self, from: usize, to: usize, relation: &str) {
        self.steps.push(WitnessStep { from, to, relation: relation.to_string() });
    }
}
