//! What interleavings say about a weaker memory model, where they are all that there is.
//!
//! Under one of our models a program that `interleaved` knows is first asked for races in its interleavings.
//! If there are none, a proof about interleavings, by whatever engine, is one about the model. Everything else
//! is left to the engine that knows the model.
//!
//! Cost: none for programs with accesses weaker than `seq_cst`; else at most a third of the time for races and
//! a third for the property.

use super::job::Job;
use super::ready::Shelf;
use super::stop::Stop;
use crate::contract::{Answer, Limits, MemoryModel, Property, Remark};
use crate::interleaved;
use crate::load::Loader;
use crate::portfolio::Choice;
use crate::report::Finding;
use crate::request::{Check, ModelAsked, Output};
use ir::Span;
use solver::weak::Model;
use std::time::Duration;

/// For each of the two questions, where there is no limit.
const SHARE: Duration = Duration::from_secs(20);

#[derive(Clone, Copy)]
pub struct TransferQuestion<'a> {
    pub loader: Loader<'a>,
    pub check: &'a Check,
    pub property: Property,
}

/// What is known of the program's interleavings.
#[derive(Default)]
pub struct Transfer {
    shelf: Shelf,
    /// The program has no others under our models; with what that rests on.
    interleaved: Option<Option<Vec<Remark>>>,
    asked: Vec<Property>,
}

impl Transfer {
    /// A proof that holds under the model. A property is asked about once.
    pub fn ask(
        &mut self,
        job: &Job,
        question: TransferQuestion<'_>,
        model: Option<&Model>,
        limits: &Limits,
    ) -> Result<Option<Finding>, Stop> {
        let TransferQuestion { loader, check, property } = question;
        let auto = matches!(check.engine, Choice::Auto);
        let Some(model) = model.filter(|model| auto && transfers(property, model)) else {
            return Ok(None);
        };
        if self.asked.contains(&property) {
            return Ok(None);
        }
        self.asked.push(property);
        let output = Output { graphs: Vec::new(), ..check.output.clone() };
        let models = vec![ModelAsked::Ours(MemoryModel::Sc)];
        let check = Check { models, beside: None, output, ..check.clone() };
        let question = TransferQuestion { check: &check, ..question };
        let share = limits.left().map_or(SHARE, |left| left / 3);
        let known = self.interleaved(job, question, &limits.shortened(share))?;
        let Some(assumptions) = known else { return Ok(None) };
        let ready = self.shelf.prepared(loader, &check, property)?;
        let limits = limits.shortened(share);
        let mut finding = job.ask(loader, &ready, property, &check, None, &limits);
        if !matches!(finding.verdict.answer, Answer::Safe) {
            return Ok(None);
        }
        let new = assumptions.into_iter().filter(|a| !finding.verdict.assumptions.contains(a));
        let new: Vec<Remark> = new.collect();
        finding.verdict.assumptions.extend(new);
        let text = format!(
            "all executions under {} are interleavings: there is no data race, and atomic accesses are seq_cst",
            model.name
        );
        finding.verdict.notes.push(Remark { text, span: Span::NONE });
        Ok(Some(finding))
    }

    /// Are all executions of our models interleavings? What that assumes.
    fn interleaved(
        &mut self,
        job: &Job,
        TransferQuestion { loader, check, .. }: TransferQuestion<'_>,
        limits: &Limits,
    ) -> Result<Option<Vec<Remark>>, Stop> {
        if let Some(known) = &self.interleaved {
            return Ok(known.clone());
        }
        let property = Property::NoDataRace;
        let ready = self.shelf.prepared(loader, check, property)?;
        let marked = match ready.weaker {
            Some(_) => None,
            None => interleaved::marked(&ready.program),
        };
        let known = marked.and_then(|program| {
            let verdict =
                job.ask(loader, &ready.with(program), property, check, None, limits).verdict;
            matches!(verdict.answer, Answer::Safe).then_some(verdict.assumptions)
        });
        self.interleaved = Some(known.clone());
        Ok(known)
    }
}

/// Is the theorem about such a property under such a model?
fn transfers(property: Property, model: &Model) -> bool {
    let known = match property {
        Property::UnreachCall | Property::NoOverflow => true,
        Property::NoDataRace => model.target.has_undefined_races(),
        _ => false,
    };
    known && model.settles()
}
