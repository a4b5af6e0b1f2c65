//! What a check leaves behind besides its text: files, and a run of the real program.
//!
//! One writer per format; each reads a report and decides nothing about it. A file that cannot be
//! written is wrong usage, told before the check begins; if it is seen only afterwards (the disk is
//! full) the verdict is printed, and the exit code is that of wrong usage.
//!
//! - `execution.rs`: executions of memory models as one page, with every relation of the model
//! - `graph`: `--graph FILE`: the execution as a picture
//! - `replay`: builds the program with the system's compiler and lets it run into the error that
//!   was found
//! - `sarif`: `--sarif FILE`: the results in SARIF 2.1.0, for code scanning services and editors
//! - `witness`: witnesses: an answer that other tools can follow and check

pub mod execution;
pub mod graph;
pub mod replay;
pub mod sarif;
pub mod witness;

use crate::contract::Answer;
use crate::report::diagnostic::Diagnostic;
use crate::report::{Finding, Report};
use crate::request::{Input, Output, Replay};
use std::path::Path;

/// Before any work is done: can all of it be delivered?
pub fn accept(output: &Output) -> Result<(), String> {
    output.witnesses.iter().try_for_each(|path| witness::accept(path))?;
    if let Some(path) = output.graphs.iter().find(|path| graph::PictureFormat::of(path).is_none()) {
        return Err(format!(
            "--graph {}: the file must end in .html, .svg or .dot",
            path.display()
        ));
    }
    let witnesses = output.witnesses.iter().map(|path| ("--witness", path));
    let graphs = output.graphs.iter().map(|path| ("--graph", path));
    let mut files =
        witnesses.chain(graphs).chain(output.sarif.iter().map(|path| ("--sarif", path)));
    files.try_for_each(|(option, path)| {
        writable(path).map_err(|e| format!("{option} {}: cannot be written: {e}", path.display()))
    })
}

/// Leaves a file as it is, or away. Pipes and devices are not opened: that may wait, or be noticed.
fn writable(path: &Path) -> std::io::Result<()> {
    let there = std::fs::metadata(path);
    if there.as_ref().is_ok_and(|it| !it.is_file() && !it.is_dir()) {
        return Ok(());
    }
    std::fs::OpenOptions::new().append(true).create(true).open(path)?;
    if there.is_err() { std::fs::remove_file(path) } else { Ok(()) }
}

/// Writes what is wanted. Gives what went wrong.
pub fn write(report: &mut Report, input: &Input, output: &Output) -> Vec<Diagnostic> {
    if let Some(replay) = &output.replay {
        replay_all(report, input, replay);
    }
    let mut problems = Vec::new();
    for path in &output.graphs {
        let Some(format) = graph::PictureFormat::of(path) else { continue };
        let page = match without_schedule(report) {
            tests if !tests.is_empty() && format == graph::PictureFormat::Html => {
                execution::page(&tests)
            }
            _ => graph::render(report, input, format),
        };
        problems.extend(save(path, &page).err());
    }
    if let Some(path) = &output.sarif {
        // Without a current folder there is nothing that places could be relative to.
        let folder = std::env::current_dir().unwrap_or_default();
        problems.extend(save(path, &sarif::render(report, &folder)).err());
    }
    let witnesses = output.witnesses.iter();
    let witnesses = witnesses.map(|path| witness::write(report, input, path, output.time));
    problems.extend(witnesses.filter_map(|done| done.err().map(Diagnostic::new)));
    problems
}

/// Violations that are graphs.
fn without_schedule(report: &Report) -> Vec<execution::Test> {
    let weak = |finding: &Finding| match &finding.verdict.answer {
        Answer::Unsafe(violation) => {
            let weak = violation.weak.as_deref()?;
            Some(execution::of_program(weak, &violation.message))
        }
        _ => None,
    };
    report.findings.iter().filter_map(weak).collect()
}

fn save(path: &Path, content: &str) -> Result<(), Diagnostic> {
    std::fs::write(path, content)
        .map_err(|e| Diagnostic::new(format!("cannot write {}: {e}", path.display())))
}

/// What was found is run as a compiled program; how that came out is part of the report.
fn replay_all(report: &mut Report, input: &Input, replay: &Replay) {
    // One folder holds one program: the first that fails.
    let mut keep = match replay {
        Replay::Run => None,
        Replay::Keep(folder) => Some(folder.as_path()),
    };
    for finding in &mut report.findings {
        let property = finding.verdict.property;
        if let Answer::Unsafe(violation) = &finding.verdict.answer {
            let replayed = replay::replay(violation, &finding.files, property, input, keep.take());
            finding.replayed = Some(replayed);
        }
    }
}
