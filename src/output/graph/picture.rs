//! A picture of one finding: the graph, the words around it, and the source text beside it.

use super::model::Graph;
use super::source::{self, Source};
use crate::engine::{Answer, Verdict};
use crate::options::Input;
use crate::report::diagnostic::Place;
use crate::report::{Finding, Report};
use serde::Serialize;

#[derive(Clone, Default, Debug, Serialize)]
pub struct Picture {
    pub property: String,
    /// `UNSAFE`, `SAFE`, `SAFE UP TO BOUND` or `UNKNOWN`.
    pub answer: &'static str,
    /// What is wrong, or why nothing is.
    pub message: String,
    pub place: Option<Place>,
    /// What exactly is shown.
    pub about: String,
    pub graph: Graph,
    /// In the order of `Event::file`.
    pub files: Vec<Source>,
    pub assumptions: Vec<String>,
}

/// The worst finding first.
pub fn of_report(report: &Report, input: &Input) -> Vec<Picture> {
    let mut findings: Vec<&Finding> = report.findings.iter().collect();
    findings.sort_by_key(|f| std::cmp::Reverse(crate::report::badness(f)));
    findings.into_iter().map(|finding| picture(report, finding, input)).collect()
}

fn picture(report: &Report, finding: &Finding, input: &Input) -> Picture {
    let Verdict { property, answer, assumptions, .. } = &finding.verdict;
    let name = property.name();
    let (word, message, place, trace) = match answer {
        Answer::Unsafe(violation) => {
            let place = Place::of(violation.span, &finding.files);
            let message = format!("{} ({})", violation.message, violation.kind);
            ("UNSAFE", message, place, Some(&violation.trace))
        }
        Answer::Safe => ("SAFE", format!("no execution violates {name}"), None, None),
        Answer::Bounded { .. } => {
            let message = format!("no execution violates {name} within the bound");
            ("SAFE UP TO BOUND", message, None, None)
        }
        Answer::Unknown(_) => ("UNKNOWN", report.terms.line(finding), None, None),
    };
    let trace = trace.or(finding.example.as_ref()).map_or(&[][..], |trace| trace);
    let graph = Graph::of_trace(trace, &input.entry);
    let files = source::read(&graph, &finding.files);
    let assumptions = assumptions.iter().map(|a| a.text.clone()).collect();
    let about = about(answer, &graph);
    Picture {
        property: name.into(),
        answer: word,
        message,
        place,
        about,
        graph,
        files,
        assumptions,
    }
}

fn about(answer: &Answer, graph: &Graph) -> String {
    let events = graph.events.len();
    match answer {
        Answer::Unsafe(_) => format!("The execution that shows it, in {events} events."),
        Answer::Unknown(_) => "There is no execution to show.".into(),
        _ if events == 0 => "No execution was recorded.".into(),
        Answer::Safe | Answer::Bounded { .. } => {
            "One execution of many. Edges of program order, start and join are in every execution \
             that makes these steps; the others are of this one. The table says what orders the \
             threads' accesses to each shared variable here; the proof is about all executions and \
             may need less."
                .into()
        }
    }
}
