//! `obmc validate`: does a violation witness show what it says?
//!
//! The witness, ours or another tool's, becomes a guide (`graphml.rs`, `yaml.rs`), and a search
//! along it asks the interpreter. *Confirmed*: an execution along the witness violates the property;
//! it was replayed. (Where the search takes too long, engines are asked for any violation, which may
//! be along the witness.) *Refuted*: no execution does, either along the witness (the search came
//! to its end) or at all (an engine has proven the property). Everything else is *unclear*.
//!
//! - `guided`: search along a guide: does an execution exist that passes given places in a given
//!   order and ends in a violation?

mod graphml;
mod guided;
mod yaml;

use crate::contract::{Answer, Limits, Property, Query, Settings};
use crate::engine::bmc;
use crate::engine::explore::Explorer;
use crate::engine::prove::Prove;
use crate::portfolio::{Choice, Portfolio, table};
use crate::report::judged::Judgement;
use crate::request::Input;
use crate::specification;
use crate::witness::places::Places;
use guided::{Guide, GuidedAnswer};
use ir::types::Machine;
use ir::{Origin, Program};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

/// Where no limit is given, the search gives up after so long, and so does the proof.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// A witness as it was read.
#[derive(Clone, Debug)]
pub struct Witness {
    pub property: Property,
    /// Where its specification says that the program starts.
    pub entry: Option<String>,
    /// Of the input files, as far as it says.
    hashes: Vec<String>,
    machine: Option<Machine>,
    guide: Guide,
    /// Conditions that were not understood and do not count.
    ignored: usize,
    /// The guide stands for all of the witness, so that it can refute it.
    whole: bool,
}

/// Reads a witness by what is in it.
pub fn read(path: &Path) -> Result<Witness, String> {
    let fail = |why: String| format!("witness {}: {why}", path.display());
    let bytes = std::fs::read(path).map_err(|e| fail(e.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let witness =
        if text.trim_start().starts_with('<') { graphml::read(&text) } else { yaml::read(&text) };
    witness.map_err(fail)
}

impl Witness {
    /// Says what the user left open.
    pub fn complete(&self, input: &mut Input, any_machine: bool, any_entry: bool) {
        if let (true, Some(machine)) = (any_machine, self.machine) {
            input.machine = machine;
        }
        if let (true, Some(entry)) = (any_entry, &self.entry) {
            input.entry = entry.clone();
        }
    }

    /// Is it about this task at all? Gives the lines of the input files.
    pub fn belongs_to(&self, input: &Input, wanted: Option<Property>) -> Result<Places, String> {
        if let Some(wanted) = wanted.filter(|&wanted| wanted != self.property) {
            let (has, wants) = (self.property.name(), wanted.name());
            return Err(format!("the witness is about {has}, not about {wants}"));
        }
        if self.machine.is_some_and(|machine| machine != input.machine) {
            return Err("the witness is about another data model".into());
        }
        let stated = self.hashes.iter().filter(|h| h.chars().any(|c| c != '0'));
        let texts: Vec<Vec<u8>> =
            input.files.iter().map(|file| std::fs::read(file).unwrap_or_default()).collect();
        let hashes: Vec<String> = texts.iter().map(|text| crate::witness::hash(text)).collect();
        match stated.into_iter().find(|h| !hashes.iter().any(|own| own.eq_ignore_ascii_case(h))) {
            Some(_) => Err("the witness is about another program: the hashes differ".into()),
            None => Ok(Places::new(input.files.iter().zip(texts.iter().map(Vec::as_slice)))),
        }
    }

    /// Needs: the program prepared for the property, and `places` of its input files.
    pub fn judge(
        &self,
        program: &Program,
        settings: &Settings,
        limits: &Limits,
        places: &Places,
    ) -> Judgement {
        let half = limits.left().map(|left| left / 2);
        let first = limits.shortened(half.unwrap_or(TIME_LIMIT));
        let query = Query { program, property: self.property, settings, limits: &first };
        let found = guided::search(query, &self.guide, places);
        let why = match found {
            GuidedAnswer::Violation(violation) => return Judgement::Confirmed(violation),
            GuidedAnswer::Nothing if self.whole => {
                return Judgement::Refuted("no execution along the witness violates it".into());
            }
            GuidedAnswer::Nothing => "only one of several ways was followed".into(),
            GuidedAnswer::Unclear(why) => why,
        };
        let limits = match limits.deadline {
            Some(_) => limits.clone(),
            None => limits.shortened(TIME_LIMIT),
        };
        let query = Query { limits: &limits, ..query };
        let single = [table::EXPLORE.name, table::BMC.name];
        let single = single.into_iter().filter_map(table::named).map(Choice::Only);
        for choice in std::iter::once(Choice::Auto).chain(single) {
            match ask(choice, query) {
                Answer::Unsafe(found) if guided::fits(query, &found, &self.guide, places) => {
                    return Judgement::Confirmed(found);
                }
                Answer::Safe if !has_assembly(program) => {
                    return Judgement::Refuted("no execution at all violates it".into());
                }
                // Another engine may find another one.
                Answer::Unsafe(_) => {}
                _ => break,
            }
        }
        Judgement::Unclear(format!("no violation found along the witness: {why}"))
    }

    pub fn ignored(&self) -> usize {
        self.ignored
    }
}

/// What is said without the witness.
fn ask(choice: Choice, query: Query<'_>) -> Answer {
    let jobs = NonZeroUsize::MIN;
    let (symbolic, prove) = (bmc::Config::default(), Prove::default());
    let (explore, symex) = (Explorer::default(), Default::default());
    let portfolio = Portfolio { choice, explore, symbolic, prove, symex, strict: true, jobs };
    portfolio.check(query).answer
}

/// What it does is only assumed; a witness may know better.
fn has_assembly(program: &Program) -> bool {
    program.functions.iter().any(|f| f.origin == Origin::Assembly)
}

/// The property that a specification names.
fn specified(text: &str) -> Result<(Property, Option<String>), String> {
    let named = specification::specified(text)?;
    match named.properties[..] {
        [property] => Ok((property, named.entry)),
        _ => Err("it is about several properties".into()),
    }
}
