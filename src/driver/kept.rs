//! What the questions about one memory model leave for the same ones about another.
//!
//! - The files are read once, and the program is loaded once for each kind of property (`Shelf`).
//! - Whether interleavings are all that there is (`Transfer`) does not depend on the model.
//! - An answer is not looked for twice: race questions of machines' models are all rc11's.
//! - A proof under a weaker model is one under a stronger one, where both have the same events and the axioms of
//!   one follow from those of the other (`INCLUDED`). Not `SAFE UP TO BOUND`: that a loop can go further under
//!   the weaker model says nothing about the stronger one.
//! - An interleaving that violates the property is an execution of every model of ours. That is looked at by
//!   the model's own evaluator (`contract::interleaving`), or else the model is asked.
//!
//! Who names an engine wants its answer: then the last two are not used. (The argument: docs/soundness.md.)

use super::ready::Shelf;
use super::transfer::Transfer;
use crate::contract::{
    Answer, Form, MemoryModel, Property, Query, Reason, Remark, Settings, interleaving,
};
use crate::load::Loader;
use crate::portfolio::Choice;
use crate::preprocess::Unit;
use crate::report::Finding;
use crate::request::{Check, MemoryModelChoice, ModelAsked, ModelChoice};
use interp::Interp;
use ir::Span;
use solver::weak::Model;
use std::sync::Arc;

/// Weaker and stronger: every execution of the second is one of the first.
const INCLUDED: [(&str, &str); 1] = [("pso", "tso")];

/// Whose interleavings are looked at: those of the kernel's model have events of their own.
const ALLOW_INTERLEAVINGS: [&str; 8] =
    ["tso", "pso", "rc11", "c11", "imm", "armv8", "power", "riscv"];

#[derive(Default)]
pub struct Kept {
    pub units: Option<Arc<Vec<Unit>>>,
    pub shelf: Shelf,
    pub transfer: Transfer,
    answers: Vec<(ModelAsked, Finding)>,
}

impl Kept {
    /// What a model has said.
    pub fn answered(&mut self, model: &ModelAsked, finding: &Finding) {
        let open =
            |reason: &Reason| matches!(reason, Reason::Time | Reason::Memory | Reason::Interrupted);
        if !matches!(&finding.verdict.answer, Answer::Unknown(reason) if open(reason)) {
            self.answers.push((model.clone(), finding.clone()));
        }
    }

    /// What answers about other models say about the first model of `check`, if that is all that is needed.
    pub fn follows(
        &mut self,
        loader: Loader<'_>,
        check: &Check,
        property: Property,
        model: Option<&Model>,
    ) -> Option<Finding> {
        let asked = check.models.first()?.clone();
        let about = |f: &Finding| f.verdict.property == property;
        let known: Vec<_> = self.answers.iter().filter(|(_, f)| about(f)).cloned().collect();
        if let Some((_, finding)) = known.iter().find(|(of, _)| is_same(of, &asked)) {
            return Some(finding.clone());
        }
        if !matches!(check.engine, Choice::Auto) {
            return None;
        }
        let proven = known.iter().find(|(weaker, finding)| {
            let safe = matches!(finding.verdict.answer, Answer::Safe);
            safe && grows_with_executions(property) && includes(weaker, &asked)
        });
        if let Some((weaker, finding)) = proven {
            let why = format!("every execution under {} is one under it", asked.name());
            return Some(handed(finding, weaker, &why));
        }
        let line = known.iter().find(|(of, _)| of.kind() == MemoryModel::Sc)?;
        let model = model.filter(|model| allows_interleavings(model, property))?;
        let allowed = self.allows(loader, check, &line.1, model)?;
        let why = format!("an interleaving, and {} allows it (checked)", model.name);
        allowed.then(|| handed(&line.1, &line.0, &why))
    }

    /// Does the model allow the interleaving that shows a violation?
    fn allows(
        &mut self,
        loader: Loader<'_>,
        check: &Check,
        finding: &Finding,
        model: &Model,
    ) -> Option<bool> {
        let property = finding.verdict.property;
        let Answer::Unsafe(violation) = &finding.verdict.answer else { return None };
        let run = violation.run.as_ref().filter(|run| run.form == Form::Given)?;
        let models = vec![ModelAsked::Ours(MemoryModel::Sc)];
        let check = Check { models, beside: None, ..check.clone() };
        let ready = self.shelf.prepared(loader, &check, property).ok()?;
        let settings = Settings {
            malloc_may_fail: check.malloc_may_fail,
            undefined: check.undefined,
            ..Settings::default()
        };
        let limits = crate::contract::Limits::default();
        let query =
            Query { program: &ready.program, property, settings: &settings, limits: &limits };
        let interp = Interp::new(&ready.program, query.interp_config()).ok()?;
        interleaving::is_allowed(&interp, &run.schedule, model)
    }
}

/// Can fewer executions only have fewer violations, and are these the same for both models?
fn grows_with_executions(property: Property) -> bool {
    match property {
        Property::UnreachCall | Property::NoOverflow | Property::NoDeadlock | Property::Robust => {
            true
        }
        // Races and the lives of objects are not defined alike; nothing answers for livelocks.
        Property::NoDataRace | Property::ValidMemsafety | Property::NoLivelock => false,
    }
}

fn allows_interleavings(model: &Model, property: Property) -> bool {
    let ours =
        ALLOW_INTERLEAVINGS.contains(&model.name.as_str()) && model.cat.is_builtin(&model.name);
    ours && matches!(property, Property::UnreachCall | Property::NoOverflow)
}

fn includes(weaker: &ModelAsked, stronger: &ModelAsked) -> bool {
    let (Some((first, a)), Some((second, b))) = (builtin(weaker), builtin(stronger)) else {
        return false;
    };
    a.target == b.target && INCLUDED.contains(&(first, second))
}

fn is_same(one: &ModelAsked, other: &ModelAsked) -> bool {
    match (builtin(one), builtin(other)) {
        (Some((a, first)), Some((b, second))) => a == b && first.target == second.target,
        _ => false,
    }
}

fn builtin(model: &ModelAsked) -> Option<(&str, &MemoryModelChoice)> {
    match model {
        ModelAsked::InCat(choice) => match &choice.model {
            ModelChoice::Builtin(name) => Some((name, choice)),
            _ => None,
        },
        ModelAsked::Ours(_) => None,
    }
}

fn handed(finding: &Finding, from: &ModelAsked, why: &str) -> Finding {
    let mut finding = finding.clone();
    let text = format!("follows from {}: {why}", from.name());
    finding.verdict.notes.push(Remark::new(text, Span::NONE));
    finding.verdict.stats.clear();
    finding.follows = Some(from.name());
    finding
}
