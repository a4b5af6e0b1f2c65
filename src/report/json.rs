//! The report as one JSON document.
//!
//! `docs/schema/obmc-1.json` describes it, and a test holds every document against that. Field names
//! are stable: readers may rely on them; new ones may be added, which raises the second number of
//! `schema_version`. `verdict` is the text that follows `obmc verdict: ` in the output for people.
//! Absent things are `null`, never missing.

use super::Replayed;
use super::diagnostic::Place;
use super::steps::{self, Step};
use super::{Failure, Finding, Report};
use crate::contract::{Answer, Reason, Remark};
use crate::request::{Input, Style, Unwind};
use ir::types::Machine;
use serde::Serialize;
use std::collections::BTreeMap;

/// Of the document, not of the program: MAJOR.MINOR.
const SCHEMA_VERSION: &str = "1.0";

#[derive(Serialize)]
struct CheckDocument {
    schema_version: &'static str,
    tool: &'static str,
    version: &'static str,
    files: Vec<String>,
    options: JsonSettings,
    verdict: String,
    exit_code: u8,
    properties: Vec<Property>,
    error: Option<JsonProblem>,
    /// Seconds per phase.
    times: BTreeMap<&'static str, f64>,
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct JsonSettings {
    data_model: &'static str,
    entry: String,
    /// `null` is `auto`.
    unwind: Option<u32>,
    unwindset: BTreeMap<String, u32>,
    timeout_seconds: Option<f64>,
    memlimit_bytes: Option<u64>,
}

#[derive(Serialize)]
struct Property {
    property: &'static str,
    /// The memory model, if several were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// The memory model whose answer this one follows from.
    #[serde(skip_serializing_if = "Option::is_none")]
    follows_from: Option<String>,
    /// `safe`, `safe-up-to-bound`, `unsafe` or `unknown`.
    answer: &'static str,
    verdict: String,
    /// What was violated, by SV-COMP's name.
    kind: Option<&'static str>,
    message: Option<String>,
    place: Option<Place>,
    trace: Vec<Step>,
    /// With `--replay`: how a run of the compiled program came out.
    replay: Option<ReplayResult>,
    /// Where executions were cut off by the bound.
    cut: Vec<Note>,
    assumptions: Vec<Note>,
    notes: Vec<Note>,
    stats: BTreeMap<String, u64>,
}

#[derive(Serialize)]
struct ReplayResult {
    reproduced: bool,
    /// What happened, or why it did not.
    message: String,
    folder: Option<String>,
}

#[derive(Serialize)]
struct Note {
    text: String,
    place: Option<Place>,
}

#[derive(Serialize)]
struct JsonProblem {
    /// `usage error`, `input error` or `internal error`.
    kind: &'static str,
    message: String,
    place: Option<Place>,
    hint: Option<String>,
}

/// Ends with a newline.
pub fn render(report: &Report, input: &Input) -> String {
    let document = CheckDocument {
        schema_version: SCHEMA_VERSION,
        tool: "obmc",
        version: env!("CARGO_PKG_VERSION"),
        files: input.files.iter().map(|f| f.display().to_string()).collect(),
        options: settings(report, input),
        verdict: report.line(),
        exit_code: report.exit_code(),
        properties: report.findings.iter().map(|f| property(report, f)).collect(),
        error: report.failure.as_ref().map(problem),
        times: report.phases.rows().iter().map(|(n, t)| (*n, t.as_secs_f64())).collect(),
        peak_memory_bytes: report.peak_memory,
    };
    // Maps with string keys and plain numbers cannot fail to be written.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

fn settings(report: &Report, input: &Input) -> JsonSettings {
    let terms = &report.terms;
    JsonSettings {
        data_model: match input.machine {
            Machine::Ilp32 => "ILP32",
            Machine::Lp64 => "LP64",
        },
        entry: input.entry.clone(),
        unwind: match terms.unwind {
            Unwind::Auto => None,
            Unwind::Bound(n) => Some(n),
        },
        unwindset: terms.unwindset.iter().map(|l| (l.name.clone(), l.bound)).collect(),
        timeout_seconds: terms.timeout.map(|t| t.0.as_secs_f64()),
        memlimit_bytes: terms.memlimit.map(|m| m.0),
    }
}

fn property(report: &Report, finding: &Finding) -> Property {
    let verdict = &finding.verdict;
    let mut row = Property {
        property: verdict.property.name(),
        model: finding.model.clone(),
        follows_from: finding.follows.clone(),
        answer: "safe",
        verdict: report.terms.line(finding),
        kind: None,
        message: None,
        place: None,
        trace: Vec::new(),
        replay: finding.replayed.as_ref().map(replay),
        cut: Vec::new(),
        assumptions: notes(finding, &verdict.assumptions),
        notes: notes(finding, &verdict.notes),
        stats: verdict.stats.iter().map(|(n, v)| (n.to_string(), *v)).collect(),
    };
    match &verdict.answer {
        Answer::Safe => {}
        Answer::Bounded { cut } => {
            row.answer = "safe-up-to-bound";
            row.cut = notes(finding, cut);
        }
        Answer::Unsafe(violation) => {
            row.answer = "unsafe";
            row.kind = Some(violation.kind);
            row.message = Some(violation.message.clone());
            row.place = finding.place(violation.span);
            if report.terms.trace != Style::Off {
                row.trace = steps::of(&violation.trace, &finding.files);
            }
        }
        Answer::Unknown(reason) => {
            row.answer = "unknown";
            row.message = Some(report.terms.reason(finding, reason));
            if let Reason::Unsupported { span, .. }
            | Reason::Undefined { span, .. }
            | Reason::Domain { span, .. } = reason
            {
                row.place = finding.place(*span);
            }
        }
    }
    row
}

fn replay(replayed: &Replayed) -> ReplayResult {
    let (Ok(message) | Err(message)) = &replayed.result;
    ReplayResult {
        reproduced: replayed.result.is_ok(),
        message: message.clone(),
        folder: replayed.folder.as_ref().map(|f| f.display().to_string()),
    }
}

fn notes(finding: &Finding, remarks: &[Remark]) -> Vec<Note> {
    remarks.iter().map(|r| Note { text: r.text.clone(), place: finding.place(r.span) }).collect()
}

fn problem(failure: &Failure) -> JsonProblem {
    let message = match failure {
        Failure::Usage(message) | Failure::Internal(message) => message,
        Failure::Input(diagnostic) => &diagnostic.message,
        Failure::Limit(_) => failure.word(),
    };
    let (place, hint) = match failure {
        Failure::Input(d) => (d.place.clone(), d.hint.clone()),
        _ => (None, None),
    };
    JsonProblem { kind: failure.word(), message: message.into(), place, hint }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::report::diagnostic::Diagnostic;

    fn render_and_read(report: &Report) -> serde_json::Value {
        let input = Input::of(vec!["race.c".into()], Machine::Ilp32);
        serde_json::from_str(&render(report, &input)).expect("good JSON")
    }

    #[test]
    fn a_violation() {
        let finding =
            testing::finding(crate::contract::Property::UnreachCall, testing::violation());
        let got = render_and_read(&testing::report(vec![finding]));
        assert_eq!(got["verdict"], "false(unreach-call)");
        assert_eq!(got["exit_code"], 10);
        assert_eq!(got["options"]["data_model"], "ILP32");
        let property = &got["properties"][0];
        assert_eq!(property["answer"], "unsafe");
        assert_eq!(property["place"]["line"], 23);
        assert_eq!(got["schema_version"], "1.0");
        assert_eq!(property["trace"][1]["thread"], 1);
        assert_eq!(property["stats"]["states"], 12);
    }

    #[test]
    fn an_error() {
        let mut report = testing::report(vec![]);
        report.failure = Some(Failure::Input(Diagnostic::new("bad").at("a.c", 1, 2)));
        let got = render_and_read(&report);
        assert_eq!(got["verdict"], "unknown (input error)");
        assert_eq!(got["error"]["place"]["column"], 2);
    }
}
