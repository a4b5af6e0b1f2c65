//! Witnesses: an answer that other tools can follow and check.
//!
//! A violation becomes a story of moves (`story.rs`), written as GraphML 1.0 (`graphml.rs`) or YAML
//! 2.2 (`yaml.rs`). SAFE becomes a correctness witness: bounds of global variables at loops, else the
//! one invariant that needs no proof.
//! Nothing is written for an answer that is neither.

mod graphml;
mod story;
mod yaml;

use crate::contract::Answer;
use crate::report::{Finding, Report};
use crate::request::Input;
use crate::specification;
use crate::witness::invariants::Invariant;
use crate::witness::places::{Line, Places};
use ir::types::Machine;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use story::{Story, c_number};

/// What a witness says about the task, in any format.
struct WitnessTask {
    /// Name and hash of each input file.
    files: Vec<(String, String)>,
    specification: String,
    machine: Machine,
    created: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WitnessFormat {
    GraphMl,
    Yaml,
}

fn format_of(path: &Path) -> Option<WitnessFormat> {
    match path.extension()?.to_str()? {
        "graphml" => Some(WitnessFormat::GraphMl),
        "yml" | "yaml" => Some(WitnessFormat::Yaml),
        _ => None,
    }
}

/// Does the name's ending say what to write?
pub fn accept(path: &Path) -> Result<(), String> {
    let wrong = || format!("--witness {}: the name must end in .graphml or .yml", path.display());
    format_of(path).map(|_| ()).ok_or_else(wrong)
}

/// Writes the witness for the answer that decides about the run, if it has one.
pub fn write(
    report: &Report,
    input: &Input,
    path: &Path,
    created: SystemTime,
) -> Result<(), String> {
    let Some(finding) = report.worst().filter(|_| report.failure.is_none()) else { return Ok(()) };
    let texts = read(&input.files)?;
    let places = Places::new(input.files.iter().zip(texts.iter().map(Vec::as_slice)));
    let task = WitnessTask {
        files: input
            .files
            .iter()
            .map(|f| f.display().to_string())
            .zip(texts.iter().map(|t| crate::witness::hash(t)))
            .collect(),
        specification: specification::specification(finding.verdict.property, &input.entry),
        machine: input.machine,
        created: humantime::format_rfc3339_seconds(created).to_string(),
    };
    match text(finding, &task, &places, format_of(path).unwrap_or(WitnessFormat::Yaml)) {
        Some(text) => std::fs::write(path, text)
            .map_err(|e| format!("cannot write the witness {}: {e}", path.display())),
        None => Ok(()),
    }
}

fn text(
    finding: &Finding,
    task: &WitnessTask,
    places: &Places,
    format: WitnessFormat,
) -> Option<String> {
    match (&finding.verdict.answer, format) {
        // It has no schedule, which both formats are about.
        (Answer::Unsafe(violation), _) if violation.weak.is_some() => None,
        (Answer::Unsafe(violation), _) => {
            let story = Story::of(violation, finding, places);
            Some(match format {
                WitnessFormat::GraphMl => graphml::violation(task, &story),
                WitnessFormat::Yaml => yaml::violation(task, &story, places),
            })
        }
        (Answer::Safe, WitnessFormat::GraphMl) => Some(graphml::correctness(task)),
        (Answer::Safe, WitnessFormat::Yaml) => {
            let mut told = invariants(finding, places);
            if told.is_empty() {
                let (function, span) = finding.names.start.clone();
                let line = places.of(span, &finding.files);
                told.extend(line.map(|line| (line, function, "1".into())));
            }
            Some(yaml::correctness(task, &told, places))
        }
        _ => None,
    }
}

/// Where, in which function, and what holds there.
type LocatedInvariant = (Line, String, String);

fn invariants(finding: &Finding, places: &Places) -> Vec<LocatedInvariant> {
    let mut told: Vec<LocatedInvariant> = Vec::new();
    for Invariant { function, span, bounds } in &finding.names.invariants {
        let Some(line) = places.of(*span, &finding.files) else { continue };
        if told.iter().all(|(other, ..)| *other != line) {
            let parts = bounds.iter().filter_map(|(name, low, high)| {
                let (from, to) = (c_number(&low.to_string())?, c_number(&high.to_string())?);
                Some(match low == high {
                    true => format!("{name} == {from}"),
                    false => format!("{name} >= {from} && {name} <= {to}"),
                })
            });
            told.push((line, function.clone(), parts.collect::<Vec<_>>().join(" && ")));
        }
    }
    told
}

fn read(files: &[PathBuf]) -> Result<Vec<Vec<u8>>, String> {
    let read = |file: &PathBuf| {
        std::fs::read(file).map_err(|e| format!("cannot read {} again: {e}", file.display()))
    };
    files.iter().map(read).collect()
}

impl WitnessTask {
    fn data_model(&self) -> &'static str {
        match self.machine {
            Machine::Ilp32 => "ILP32",
            Machine::Lp64 => "LP64",
        }
    }
}
