//! A picture of one finding: the graph, the words around it, and the source text beside it.

use super::model::EventGraph;
use super::source::{self, PictureSource};
use crate::contract::{Answer, ForbiddenOrder, OrderedBy, Verdict};
use crate::report::diagnostic::Place;
use crate::report::{Finding, Report};
use crate::request::Input;
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
    pub graph: EventGraph,
    /// In the order of `GraphEvent::file`.
    pub files: Vec<PictureSource>,
    pub assumptions: Vec<String>,
    /// What a proof leans on.
    pub proof: Option<ProofPicture>,
}

#[derive(Clone, Default, Debug, Serialize)]
pub struct ProofPicture {
    pub about: String,
    pub orders: Vec<ProofStep>,
}

/// Something that no execution does.
#[derive(Clone, Default, Debug, Serialize)]
pub struct ProofStep {
    /// Never all of them.
    pub never: Vec<String>,
    pub by: String,
    pub times: usize,
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
    let weak = match answer {
        Answer::Unsafe(violation) => violation.weak.as_deref(),
        _ => None,
    };
    let graph = match weak {
        Some(weak) => EventGraph::of_weak(trace, &input.entry, weak),
        None => EventGraph::of_trace(trace, &input.entry),
    };
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
        proof: proof(&finding.verdict),
    }
}

/// The orders that a proof needs.
fn proof(verdict: &Verdict) -> Option<ProofPicture> {
    let Answer::Safe = verdict.answer else { return None };
    let Some(proof_core) = &verdict.proof_core else {
        let about = match verdict.stats.iter().find(|(name, _)| name == "states") {
            Some((_, states)) => format!(
                "Every schedule was tried: {states} states, and none violates the property. No \
                 order in particular was needed for that."
            ),
            None => "What the proof used could not be written down in a few seconds.".into(),
        };
        return Some(ProofPicture { about, orders: Vec::new() });
    };
    let about = match proof_core.orders.is_empty() {
        true => "The values alone leave no violation: no order between threads is needed.",
        false => {
            "No execution does all of what stands in one row. These rows are enough for the proof: \
             with them, the values in the program leave no violation."
        }
    };
    let order = |order: &ForbiddenOrder| {
        let by = match &order.by {
            OrderedBy::Sync(name) => name.clone(),
            OrderedBy::Threads => "program order, start and join".into(),
            OrderedBy::Step => "indivisible steps".into(),
        };
        ProofStep { never: order.never.clone(), by, times: order.times }
    };
    Some(ProofPicture {
        about: about.into(),
        orders: proof_core.orders.iter().map(order).collect(),
    })
}

fn about(answer: &Answer, graph: &EventGraph) -> String {
    let events = graph.events.len();
    match answer {
        Answer::Unsafe(_) => format!("The execution that shows it, in {events} events."),
        Answer::Unknown(_) => "There is no execution to show.".into(),
        _ if events == 0 => "No execution was recorded.".into(),
        Answer::Safe | Answer::Bounded { .. } => {
            "One execution of many. Edges of program order, start and join are in every execution \
             that makes these steps; the others are of this one."
                .into()
        }
    }
}
