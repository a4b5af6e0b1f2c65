//! What a check leaves behind besides its text: files, and a run of the real program.
//!
//! One writer per format; each reads a report and decides nothing about it. A file that cannot be
//! written is told on stderr and changes no verdict.

use crate::options::Input;
use crate::report::Report;
use crate::report::diagnostic::Diagnostic;
use std::path::PathBuf;

/// What is wanted.
#[derive(Clone, Default, Debug)]
pub struct Output {
    pub witnesses: Vec<PathBuf>,
    pub sarif: Option<PathBuf>,
    pub graphs: Vec<PathBuf>,
    pub replay: Option<Replay>,
}

#[derive(Clone, Debug)]
pub enum Replay {
    /// In a temporary folder.
    Run,
    Keep(PathBuf),
}

/// Before any work is done: can all of it be delivered?
pub fn accept(output: &Output) -> Result<(), String> {
    let words = [
        ("--witness", !output.witnesses.is_empty()),
        ("--sarif", output.sarif.is_some()),
        ("--graph", !output.graphs.is_empty()),
        ("--replay", output.replay.is_some()),
    ];
    match words.iter().find(|(_, given)| *given) {
        Some((word, _)) => Err(format!("{word} is not available yet")),
        None => Ok(()),
    }
}

/// Writes what is wanted. Gives what went wrong.
pub fn write(_report: &mut Report, _input: &Input, _output: &Output) -> Vec<Diagnostic> {
    Vec::new()
}
