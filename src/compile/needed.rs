//! Which units of a compilation database a program needs, as a linker finds them in a library.
//!
//! The files of the command line come first. What they need and do not define is looked for in the
//! units of the database, in their order; what is found needs more, and so on. A name of the C
//! library is not looked for. Units are preprocessed only if their text has one of the missing words;
//! when nothing is found that way any more, names may be made by macros, and all are looked at.
//!
//! A name that nothing defines is no error: a call of it is for the front-end to judge.

use super::database::{self, DatabaseEntry};
use crate::preprocess;
use crate::report::Failure;
use crate::report::diagnostic::Diagnostic;
use crate::request::{Flags, Input};
use frontend::Symbols;
use rustc_hash::FxHashSet;
use std::path::Path;
use std::time::Instant;

/// Adds to the files of `input` those of its database that they need.
pub fn complete(input: &mut Input, deadline: Option<Instant>) -> Result<(), Failure> {
    let Some(path) = input.database.clone() else { return Ok(()) };
    let entries = database::read(&path).map_err(Failure::Input)?;
    let common = database::common(&entries);
    input.flags = added(common, std::mem::take(&mut input.flags));
    let (given, mut others): (Vec<DatabaseEntry>, Vec<DatabaseEntry>) =
        entries.into_iter().partition(|entry| input.files.contains(&entry.file));
    for entry in given {
        input.own_flags.insert(entry.file, entry.flags);
    }
    let mut search = LinkSearch { deadline, ..LinkSearch::default() };
    for file in input.files.clone() {
        let symbols = search.symbols(&file, input)?;
        search.add(symbols);
    }
    let mut all = false;
    loop {
        let found = search.take(&mut others, input, all)?;
        match (found, all) {
            (true, _) => all = false,
            (false, false) => all = true,
            (false, true) => break,
        }
    }
    log::info!("the program has {} units of {}", input.files.len(), path.display());
    Ok(())
}

/// The command line's flags come last and are asked first.
fn added(common: Flags, mut flags: Flags) -> Flags {
    flags.quote.extend(common.quote);
    flags.include.extend(common.include);
    flags.system.extend(common.system);
    let last = std::mem::take(&mut flags.macros);
    flags.macros = common.macros.into_iter().chain(last).collect();
    flags.standard = flags.standard.or(common.standard);
    flags
}

#[derive(Default)]
struct LinkSearch {
    deadline: Option<Instant>,
    defined: FxHashSet<String>,
    /// Functions that must not be defined twice.
    bodies: FxHashSet<String>,
    missing: FxHashSet<String>,
}

impl LinkSearch {
    fn symbols(&self, file: &Path, input: &Input) -> Result<Symbols, Failure> {
        let unit =
            preprocess::unit(file, input, self.deadline).map_err(|failure| match failure {
                preprocess::Failure::Input(problem) => Failure::Input(problem),
                preprocess::Failure::Limit(limit) => Failure::Limit(limit),
            })?;
        let symbols = frontend::symbols(&unit.text, &unit.name);
        symbols.map_err(|error| Failure::Input(Diagnostic::from(error)))
    }

    fn add(&mut self, symbols: Symbols) {
        self.defined.extend(symbols.defines);
        self.bodies.extend(symbols.bodies);
        let unknown = symbols.needs.into_iter().filter(|n| !frontend::library::is_known(n));
        self.missing.extend(unknown);
        self.missing.retain(|name| !self.defined.contains(name));
    }

    /// Adds the units that define what is missing. Those without one of its words only if `all`.
    fn take(
        &mut self,
        others: &mut Vec<DatabaseEntry>,
        input: &mut Input,
        all: bool,
    ) -> Result<bool, Failure> {
        let mut found = false;
        for entry in std::mem::take(others) {
            if self.missing.is_empty() || !(all || self.speaks_of_missing(&entry.file)) {
                others.push(entry);
                continue;
            }
            let DatabaseEntry { file, flags, machine } = entry;
            input.own_flags.insert(file.clone(), flags);
            let symbols = match self.symbols(&file, input) {
                Ok(symbols) => symbols,
                // It may be for another machine, and of no concern.
                Err(Failure::Input(problem)) => {
                    log::info!("{}: not looked at: {}", file.display(), problem.message);
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            let wanted = symbols.defines.iter().any(|name| self.missing.contains(name));
            let again = symbols.bodies.iter().find(|name| self.bodies.contains(*name));
            match (wanted, again) {
                (true, None) => {
                    log::info!("{} belongs to the program", file.display());
                    self.add(symbols);
                    input.files.push(file);
                    found = true;
                }
                (true, Some(name)) => {
                    log::info!("{}: left out: {name} is defined already", file.display());
                }
                (false, _) => {
                    if let Some(flags) = input.own_flags.remove(&file) {
                        others.push(DatabaseEntry { file, flags, machine });
                    }
                }
            }
        }
        Ok(found)
    }

    fn speaks_of_missing(&self, file: &Path) -> bool {
        let text = std::fs::read(file).unwrap_or_default();
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let words = text.split(|b| !is_part(b)).filter_map(|word| std::str::from_utf8(word).ok());
        words.filter(|word| !word.is_empty()).any(|word| self.missing.contains(word))
    }
}
