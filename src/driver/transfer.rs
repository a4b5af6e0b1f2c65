//! What interleavings say about a weaker memory model, where they are all that there is.
//!
//! Under one of our models a program that `interleaved` knows is first asked for races in its interleavings.
//! If there are none, a proof about interleavings, by whatever engine, is one about the model. Everything else
//! is left to the engine that knows the model.
//!
//! Mostly this is known within a moment, or takes long; an engine that knows the model can be quick where the
//! race question is not. So there is a short attempt, then the model itself has a moment, and then a long one.
//!
//! Cost: none for programs with accesses weaker than `seq_cst`; else at most a third of the time for races and
//! a third for the property, and the moments.

use super::job::Job;
use super::ready::Shelf;
use super::stop::Stop;
use crate::contract::{Answer, Limits, MemoryModel, Property, Reason, Remark};
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
/// The same in the short attempt.
const MOMENT: Duration = Duration::from_millis(500);
/// What the model's own engines have after it.
pub const OF_THE_MODEL: Duration = Duration::from_secs(1);

/// How long an attempt may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attempt {
    Short,
    Long,
}

/// What an attempt has shown.
pub enum Transferred {
    /// A proof that holds under the model.
    Proven(Box<Finding>),
    /// Nothing yet: a longer attempt may.
    Open,
    No,
}

#[derive(Clone, Copy)]
pub struct TransferQuestion<'a> {
    pub loader: Loader<'a>,
    pub check: &'a Check,
    pub property: Property,
}

/// What is known of the program's interleavings. The question is the same for all models.
#[derive(Default)]
pub struct Transfer {
    /// Whether the program has no others under our models; with what that rests on.
    interleaved: Interleaved,
    asked: Vec<Property>,
    /// About interleavings, if there are no others.
    proven: Vec<Finding>,
}

#[derive(Clone, Default)]
enum Interleaved {
    /// Not asked, or not long enough.
    #[default]
    Open,
    No,
    Yes(Vec<Remark>),
}

impl Transfer {
    /// A property has one long attempt.
    pub fn ask(
        &mut self,
        (job, shelf): (&Job, &mut Shelf),
        question: TransferQuestion<'_>,
        model: Option<&Model>,
        limits: &Limits,
        attempt: Attempt,
    ) -> Result<Transferred, Stop> {
        let TransferQuestion { loader, check, property } = question;
        let auto = matches!(check.engine, Choice::Auto);
        let Some(model) = model.filter(|model| auto && transfers(property, model)) else {
            return Ok(Transferred::No);
        };
        if let Some(found) = self.proven.iter().find(|f| f.verdict.property == property) {
            return Ok(under(model, found.clone()));
        }
        if self.asked.contains(&property) {
            return Ok(Transferred::No);
        }
        if attempt == Attempt::Long {
            self.asked.push(property);
        }
        let output = Output { graphs: Vec::new(), ..check.output.clone() };
        let models = vec![ModelAsked::Ours(MemoryModel::Sc)];
        let check = Check { models, beside: None, output, ..check.clone() };
        let question = TransferQuestion { check: &check, ..question };
        let share = limits.left().map_or(SHARE, |left| left / 3);
        let share = if attempt == Attempt::Short { share.min(MOMENT) } else { share };
        let assumptions =
            match self.interleaved((job, &mut *shelf), question, &limits.shortened(share))? {
                Interleaved::Yes(assumptions) => assumptions,
                Interleaved::Open => return Ok(Transferred::Open),
                Interleaved::No => return Ok(Transferred::No),
            };
        let ready = shelf.prepared(loader, &check, property)?;
        let limits = limits.shortened(share);
        let mut finding = job.ask(loader, &ready, property, &check, None, &limits);
        match finding.verdict.answer {
            Answer::Safe => {}
            Answer::Unknown(Reason::Time) => return Ok(Transferred::Open),
            _ => return Ok(Transferred::No),
        }
        let new = assumptions.into_iter().filter(|a| !finding.verdict.assumptions.contains(a));
        let new: Vec<Remark> = new.collect();
        finding.verdict.assumptions.extend(new);
        self.proven.push(finding.clone());
        Ok(under(model, finding))
    }

    /// Are all executions of our models interleavings? What that assumes.
    fn interleaved(
        &mut self,
        (job, shelf): (&Job, &mut Shelf),
        TransferQuestion { loader, check, .. }: TransferQuestion<'_>,
        limits: &Limits,
    ) -> Result<Interleaved, Stop> {
        if !matches!(self.interleaved, Interleaved::Open) {
            return Ok(self.interleaved.clone());
        }
        let property = Property::NoDataRace;
        let ready = shelf.prepared(loader, check, property)?;
        let marked = match ready.weaker {
            Some(_) => None,
            None => interleaved::marked(&ready.program),
        };
        self.interleaved = match marked {
            None => Interleaved::No,
            Some(program) => {
                let ready = ready.with(program);
                let verdict = job.ask(loader, &ready, property, check, None, limits).verdict;
                match verdict.answer {
                    Answer::Safe => Interleaved::Yes(verdict.assumptions),
                    Answer::Unknown(Reason::Time) => Interleaved::Open,
                    _ => Interleaved::No,
                }
            }
        };
        Ok(self.interleaved.clone())
    }
}

/// A proof about interleavings as one about the model.
fn under(model: &Model, mut finding: Finding) -> Transferred {
    let text = format!(
        "all executions under {} are interleavings: there is no data race, and atomic accesses are seq_cst",
        model.name
    );
    finding.verdict.notes.push(Remark::new(text, Span::NONE));
    Transferred::Proven(Box::new(finding))
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
