//! Files to preprocessed C text.
//!
//! A `.i` file is read as it is. Anything else goes through our preprocessor
//! (`frontend::preprocess`) with our headers (`frontend::shipped`, embedded in the program), so that
//! the answer does not depend on the host's C library or compiler, and 32-bit programs need no
//! 32-bit headers. Headers that we do not bring along are the host's. What our preprocessor refuses
//! (errors, and the few things it does not do) goes to the system's, which has the last word.
//!
//! - `find.rs`: where `#include` looks: beside the file that says it (in quotes), in the folders
//!   of the command line, among the headers that we bring along, in the host's folders
//! - `host.rs`: where the host's compiler looks for headers
//! - `system.rs`: the system's preprocessor

mod find;
mod host;
mod system;

use crate::report::diagnostic::Diagnostic;
use crate::request::{Flags, Input, MacroFlag};
use crate::supervise::Limit;
use frontend::Moved;
use frontend::preprocess::{Extent, IncludeName, Options, PreprocessStop, Preprocessed};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What a header of ours is called in messages.
pub const OUR_FOLDER: &str = "<obmc>";

/// One translation unit, ready for the front-end.
#[derive(Clone, Debug)]
pub struct Unit {
    pub name: String,
    pub text: Vec<u8>,
    pub moved: Vec<Moved>,
}

#[derive(Debug)]
pub enum Failure {
    Input(Diagnostic),
    Limit(Limit),
}

pub fn units(input: &Input, deadline: Option<Instant>) -> Result<Vec<Unit>, Failure> {
    if !input.ignored.is_empty() {
        log::info!("compiler options without effect here: {}", input.ignored.join(" "));
    }
    input.files.iter().map(|file| unit(file, input, deadline)).collect()
}

/// One of the files.
pub fn unit(file: &Path, input: &Input, deadline: Option<Instant>) -> Result<Unit, Failure> {
    let name = file.display().to_string();
    let text = match input.texts.get(file) {
        Some(text) => text.clone().into_bytes(),
        None => read(file)?,
    };
    log::info!("read {name}: {} bytes", text.len());
    if file.extension().is_some_and(|e| e == "i") {
        return Ok(Unit { name, text, moved: Vec::new() });
    }
    let Preprocessed { text, moved } = preprocess(file, &name, &text, input, deadline)?;
    log::info!("preprocessed {name}: {} bytes", text.len());
    Ok(Unit { name, text, moved })
}

/// Reads the file and refuses what is surely no C text.
fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let text =
        std::fs::read(file).map_err(|e| fail(format!("cannot read {}: {e}", file.display())))?;
    let what = match text.as_slice() {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => "is UTF-16 or UTF-32 text",
        bytes if bytes.contains(&0) => "is a binary file (it contains zero bytes)",
        _ => return Ok(text),
    };
    let problem = Diagnostic::new(format!("{} {what}", file.display()));
    Err(Failure::Input(problem.hint("C text in UTF-8 or ASCII was expected")))
}

fn preprocess(
    file: &Path,
    name: &str,
    text: &[u8],
    input: &Input,
    deadline: Option<Instant>,
) -> Result<Preprocessed, Failure> {
    if input.cc.is_some() && !input.texts.contains_key(file) {
        return by_the_system(file, input, deadline);
    }
    ours(name, text, input, input.flags_of(file), Extent::Needed).or_else(|stop| {
        if let Some(hint) = &stop.hint {
            return Err(wrong(&stop, hint));
        }
        log::info!("{}:{}: {}: left to the system", stop.file, stop.line, stop.message);
        // The system's reads the file.
        if !system::is_there() || input.texts.contains_key(file) {
            return Err(wrong(&stop, NO_SYSTEM));
        }
        by_the_system(file, input, deadline)
    })
}

/// It says in which line a token stands, and no more.
fn by_the_system(
    file: &Path,
    input: &Input,
    deadline: Option<Instant>,
) -> Result<Preprocessed, Failure> {
    let text = system::preprocess(file, input, deadline)?;
    Ok(Preprocessed { text, moved: Vec::new() })
}

/// What our own preprocessor makes of the text.
pub fn ours(
    name: &str,
    text: &[u8],
    input: &Input,
    flags: &Flags,
    extent: Extent,
) -> Result<Preprocessed, PreprocessStop> {
    let definitions: String = flags.all_macros().iter().map(directive).collect();
    let quote = |path: &PathBuf| format!("#include \"{}\"\n", path.display());
    let first: String = flags.first.iter().map(quote).collect();
    let options =
        Options { machine: input.machine, definitions: &definitions, first: &first, extent };
    let mut find = |wanted: IncludeName| find::find(wanted, flags);
    frontend::preprocess::preprocess(name, text, &options, &mut find)
}

/// The line that says the same. An end of line in a definition ends it, as in gcc.
fn directive(flag: &MacroFlag) -> String {
    let line = |text: &str| text.lines().next().unwrap_or_default().to_string();
    match flag {
        MacroFlag::Define(text) => {
            let (name, value) = text.split_once('=').unwrap_or((text, "1"));
            format!("#define {} {}\n", line(name), line(value))
        }
        MacroFlag::Undefine(name) => format!("#undef {}\n", line(name)),
    }
}

const NO_SYSTEM: &str =
    "there is no gcc or clang here that could know better; a preprocessed .i file needs none";

fn wrong(stop: &PreprocessStop, hint: &str) -> Failure {
    Failure::Input(Diagnostic::new(&stop.message).at(&stop.file, stop.line, 1).hint(hint))
}

fn fail(message: String) -> Failure {
    Failure::Input(Diagnostic::new(message))
}
