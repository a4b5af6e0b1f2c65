//! `--sarif FILE`: the results in SARIF 2.1.0, for code scanning services and editors.
//!
//! A violation is a result, with one code flow that has a thread flow for each thread; the numbers
//! of `executionOrder` weave them together. What is not a finding about the code (UNKNOWN, a bound
//! that was hit, what a proof assumes, an input that cannot be read) is a notification of the run:
//! services that know nothing of SARIF's result kinds would show it as an alert.
//!
//! - `place.rs`: places in SARIF: files relative to the current folder, and fingerprints that
//!   outlive edits
//! - `rules.rs`: what can be violated, as SARIF's rules: a sentence each, and what to do about it

mod place;
mod rules;

use crate::contract::{Answer, Reason, Remark, TraceEvent, TraceStep, Violation};
use crate::report::diagnostic::Place;
use crate::report::{Failure, Finding, Report};
use crate::request::Style;
use ir::Span;
use place::SarifPlaces;
use rules::SarifRules;
use serde_json::{Map, Value, json};
use std::path::Path;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Needs: `folder` is absolute; places are told relative to it. Ends with a newline.
pub fn render(report: &Report, folder: &Path) -> String {
    let places = SarifPlaces::new(folder);
    let mut rules = SarifRules::new();
    let mut results = Vec::new();
    for finding in &report.findings {
        results.extend(result(report, finding, &places, &mut rules));
        results.extend(further_races(finding, &places, &mut rules));
    }
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "obmc",
                "fullName": "obmc, a verifier of multi-threaded C programs",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.render(),
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { place::BASE: { "uri": places.base() } },
            "invocations": [invocation(report, &places)],
            "results": results,
        }],
    });
    // Maps with string keys and plain numbers cannot fail to be written.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn result(
    report: &Report,
    finding: &Finding,
    places: &SarifPlaces,
    rules: &mut SarifRules,
) -> Option<Value> {
    let Answer::Unsafe(violation) = &finding.verdict.answer else { return None };
    let place = finding.place(violation.span);
    let mut result = json!({
        "ruleId": violation.kind,
        "ruleIndex": rules.index(violation.kind),
        "kind": "fail",
        "level": "error",
        "message": { "text": sentence(&violation.message) },
        "partialFingerprints": {
            "obmcViolation/v1": places.fingerprint(&[violation.kind, function(violation)], place.as_ref()),
        },
        "properties": {
            "property": finding.verdict.property.name(),
            "verdict": report.terms.line(finding),
        },
    });
    if let Some(place) = place {
        result["locations"] = json!([{ "physicalLocation": places.physical(&place) }]);
    }
    if report.terms.trace != Style::Off && !violation.trace.is_empty() {
        result["codeFlows"] = json!([code_flow(finding, violation, places)]);
    }
    Some(result)
}

/// One result for each data race besides the first; how they come about is not told.
fn further_races(finding: &Finding, places: &SarifPlaces, rules: &mut SarifRules) -> Vec<Value> {
    let Answer::Unsafe(violation) = &finding.verdict.answer else { return Vec::new() };
    let place = |span| finding.place(span);
    let race = |&(first, second): &(Span, Span)| {
        let location = |place: Option<Place>| {
            let physical = place.map(|place| places.physical(&place));
            physical.map(|physical| json!({ "physicalLocation": physical }))
        };
        let [at, other] = [first, second].map(|span| location(place(span)));
        let line = place(second).map_or(String::new(), |p| places.fingerprint(&[], Some(&p)));
        json!({
            "ruleId": violation.kind,
            "ruleIndex": rules.index(violation.kind),
            "kind": "fail",
            "level": "error",
            "message": { "text": "Another data race: two threads access this, at least one writes, unordered." },
            "partialFingerprints": {
                "obmcViolation/v1": places.fingerprint(&[violation.kind, &line], place(first).as_ref()),
            },
            "locations": Vec::from_iter(at),
            "relatedLocations": Vec::from_iter(other),
            "properties": { "property": finding.verdict.property.name() },
        })
    };
    finding.verdict.further_races.iter().map(race).collect()
}

/// Where it goes wrong.
fn function(violation: &Violation) -> &str {
    violation.trace.last().map_or("", |step| &step.function)
}

fn code_flow(finding: &Finding, violation: &Violation, places: &SarifPlaces) -> Value {
    let told = violation.trace.iter().filter(|s| s.event.is_told());
    let steps: Vec<(usize, &TraceStep)> = told.enumerate().collect();
    let mut threads: Vec<u32> = Vec::new();
    for (_, step) in &steps {
        if !threads.contains(&step.thread.0) {
            threads.push(step.thread.0);
        }
    }
    let flow = |thread: &u32| {
        let own = steps.iter().filter(|(_, s)| s.thread.0 == *thread);
        let locations: Vec<Value> =
            own.map(|(i, step)| flow_location(*i, step, finding, places)).collect();
        let first = steps.iter().find(|(_, s)| s.thread.0 == *thread);
        let name = first.map_or("", |(_, s)| s.function.as_str());
        json!({
            "id": format!("thread {thread}"),
            "message": { "text": format!("Thread {thread}, first seen in {name}.") },
            "locations": locations,
        })
    };
    let flows: Vec<Value> = threads.iter().map(flow).collect();
    json!({
        "message": { "text": format!("{} steps of {} threads.", steps.len(), threads.len()) },
        "threadFlows": flows,
    })
}

fn flow_location(order: usize, step: &TraceStep, finding: &Finding, places: &SarifPlaces) -> Value {
    let mut location = json!({ "message": { "text": step.event.to_string() } });
    if let Some(place) = finding.place(step.span) {
        location["physicalLocation"] = places.physical(&place);
    }
    if !step.function.is_empty() {
        location["logicalLocations"] = json!([{ "name": step.function, "kind": "function" }]);
    }
    let (kinds, importance) = kinds(&step.event);
    let mut row = json!({
        "location": location,
        "executionOrder": order + 1,
        "importance": importance,
        "kinds": kinds,
    });
    if let TraceEvent::Read { place, value, .. } | TraceEvent::Write { place, value, .. } =
        &step.event
    {
        let state = Map::from_iter([(place.clone(), json!({ "text": value }))]);
        row["state"] = Value::Object(state);
    }
    row
}

/// SARIF's words for a step, and how much it matters to a reader.
fn kinds(told: &TraceEvent) -> (&'static [&'static str], &'static str) {
    match told {
        TraceEvent::Read { .. } => (&["value", "memory"], "important"),
        TraceEvent::Write { .. } => (&["value", "memory"], "important"),
        TraceEvent::Assign { .. } => (&["value"], "unimportant"),
        TraceEvent::Call { .. } => (&["call", "function"], "important"),
        TraceEvent::Return { .. } => (&["return", "function"], "unimportant"),
        TraceEvent::Start { .. } => (&["enter", "function"], "important"),
        TraceEvent::Join { .. } => (&["acquire", "resource"], "important"),
        TraceEvent::End { .. } => (&["exit", "function"], "important"),
        TraceEvent::Input { .. } => (&["value", "taint"], "essential"),
        TraceEvent::Free { .. } => (&["release", "memory"], "important"),
        TraceEvent::Wrong(_) => (&["danger"], "essential"),
    }
}

fn invocation(report: &Report, places: &SarifPlaces) -> Value {
    let mut notes: Vec<Value> = report.failure.iter().map(|f| failure(f, places)).collect();
    notes.extend(report.findings.iter().filter_map(|f| notification(report, f, places)));
    notes.extend(assumptions(report, places));
    let internal = |f: &Finding| matches!(f.verdict.answer, Answer::Unknown(Reason::Internal(_)));
    let successful = report.failure.is_none() && !report.findings.iter().any(internal);
    json!({
        "executionSuccessful": successful,
        "exitCode": report.exit_code(),
        "toolExecutionNotifications": notes,
    })
}

fn failure(failure: &Failure, places: &SarifPlaces) -> Value {
    let (message, place) = match failure {
        Failure::Usage(message) | Failure::Internal(message) => (message.clone(), None),
        Failure::Input(diagnostic) => (diagnostic.message.clone(), diagnostic.place.as_ref()),
        Failure::Limit(_) => (failure.word().to_string(), None),
    };
    notice("error", &message, place.map(|p| places.physical(p)))
}

/// What is to be said about a property that is neither violated nor proven.
fn notification(report: &Report, finding: &Finding, places: &SarifPlaces) -> Option<Value> {
    let (level, span) = match &finding.verdict.answer {
        Answer::Safe | Answer::Unsafe(_) => return None,
        Answer::Bounded { cut } => ("note", cut.first().map(|c| c.span)),
        Answer::Unknown(Reason::Internal(_)) => ("error", None),
        Answer::Unknown(
            Reason::Unsupported { span, .. }
            | Reason::Undefined { span, .. }
            | Reason::Domain { span, .. },
        ) => ("warning", Some(*span)),
        Answer::Unknown(_) => ("warning", None),
    };
    let place = span.and_then(|s| finding.place(s)).map(|p| places.physical(&p));
    let name = finding.verdict.property.name();
    Some(notice(level, &format!("{name}: {}", report.terms.line(finding)), place))
}

/// What proofs rest on, each thing once.
fn assumptions(report: &Report, places: &SarifPlaces) -> Vec<Value> {
    let proves = |f: &&Finding| matches!(f.verdict.answer, Answer::Safe | Answer::Bounded { .. });
    let mut said: Vec<(&Remark, &Finding, Vec<&str>)> = Vec::new();
    for finding in report.findings.iter().filter(proves) {
        let name = finding.verdict.property.name();
        for remark in &finding.verdict.assumptions {
            match said.iter_mut().find(|(before, _, _)| *before == remark) {
                Some((_, _, names)) => names.push(name),
                None => said.push((remark, finding, vec![name])),
            }
        }
    }
    let tell = |(remark, finding, names): (&Remark, &Finding, Vec<&str>)| {
        let place = finding.place(remark.span).map(|p| places.physical(&p));
        notice("note", &format!("{}: {}", names.join(", "), remark.text), place)
    };
    said.into_iter().map(tell).collect()
}

fn notice(level: &str, message: &str, physical: Option<Value>) -> Value {
    let mut note = json!({ "level": level, "message": { "text": sentence(message) } });
    if let Some(physical) = physical {
        note["locations"] = json!([{ "physicalLocation": physical }]);
    }
    note
}

/// SARIF wants messages to end as sentences do.
fn sentence(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_string() } else { format!("{text}.") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Property;
    use crate::report::diagnostic::Diagnostic;
    use crate::report::testing;

    fn read(report: &Report) -> Value {
        let text = render(report, Path::new("/no"));
        serde_json::from_str(&text).expect("good JSON")
    }

    #[test]
    fn a_violation_has_a_flow_per_thread_in_one_order() {
        let finding = testing::finding(Property::UnreachCall, testing::violation());
        let run = &read(&testing::report(vec![finding]))["runs"][0];
        let result = &run["results"][0];
        assert_eq!((&result["level"], &result["kind"]), (&json!("error"), &json!("fail")));
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], "unreach-call");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(
            place["artifactLocation"],
            json!({ "uri": "where/race.c", "uriBaseId": "SRCROOT" })
        );
        assert_eq!(place["region"]["startLine"], 23);
        let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
        let orders = |flow: &Value| -> Vec<u64> {
            let locations = flow["locations"].as_array().unwrap();
            locations.iter().map(|l| l["executionOrder"].as_u64().unwrap()).collect()
        };
        assert_eq!(flows.iter().map(orders).collect::<Vec<_>>(), [vec![1, 4], vec![2, 3]]);
    }

    #[test]
    fn the_fingerprint_does_not_know_line_numbers() {
        let print = |line| {
            let answer = testing::violation();
            let Answer::Unsafe(mut violation) = answer else { panic!("no violation") };
            violation.span.line = line;
            let finding = testing::finding(Property::UnreachCall, Answer::Unsafe(violation));
            read(&testing::report(vec![finding]))["runs"][0]["results"][0]["partialFingerprints"]
                .clone()
        };
        assert_eq!(print(23), print(40), "the file cannot be read: nothing but names is left");
    }

    #[test]
    fn every_data_race_is_a_result() {
        let mut finding = testing::finding(Property::NoDataRace, testing::violation());
        finding.verdict.further_races = vec![(testing::span(7, 1), testing::span(9, 2))];
        let log = read(&testing::report(vec![finding]));
        let results = log["runs"][0]["results"].as_array().unwrap();
        let [first, further] = &results[..] else { panic!("{results:?}") };
        assert_eq!(first["ruleId"], further["ruleId"]);
        assert_ne!(first["partialFingerprints"], further["partialFingerprints"]);
        let line = |list: &str| &further[list][0]["physicalLocation"]["region"]["startLine"];
        assert_eq!([line("locations"), line("relatedLocations")], [7, 9]);
    }

    #[test]
    fn what_is_no_finding_is_a_notification() {
        let findings = vec![
            testing::finding(Property::UnreachCall, Answer::Safe),
            testing::finding(Property::NoDataRace, testing::bounded()),
            testing::finding(Property::NoOverflow, Answer::Unknown(Reason::Time)),
        ];
        let run = &read(&testing::report(findings))["runs"][0];
        assert_eq!(run["results"], json!([]));
        let notes = run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
        let levels: Vec<&Value> = notes.iter().map(|n| &n["level"]).collect();
        assert_eq!(levels, ["note", "warning"]);
        assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    }

    #[test]
    fn what_proofs_assume_is_told_once() {
        let safe = |property| {
            let mut finding = testing::finding(property, Answer::Safe);
            let text = "holds under sequential consistency; 1 access is weaker";
            finding.verdict.assumptions = vec![Remark::new(text, testing::span(7, 1))];
            finding
        };
        let findings = vec![safe(Property::UnreachCall), safe(Property::NoOverflow)];
        let run = &read(&testing::report(findings))["runs"][0];
        let notes = run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
        let [note] = &notes[..] else { panic!("{notes:?}") };
        assert_eq!(note["level"], "note");
        let text = note["message"]["text"].as_str().unwrap();
        assert!(text.starts_with("unreach-call, no-overflow: holds under"), "{text}");
        assert_eq!(note["locations"][0]["physicalLocation"]["region"]["startLine"], 7);
    }

    #[test]
    fn an_error_is_told() {
        let mut report = testing::report(vec![]);
        report.failure = Some(Failure::Input(Diagnostic::new("bad").at("/no/a b.c", 1, 2)));
        let invocation = &read(&report)["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        let note = &invocation["toolExecutionNotifications"][0];
        assert_eq!(note["message"]["text"], "bad.");
        let uri = &note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(uri, "a%20b.c");
    }

    #[test]
    fn without_a_trace_there_is_no_flow() {
        let mut report =
            testing::report(vec![testing::finding(Property::UnreachCall, testing::violation())]);
        report.terms.trace = Style::Off;
        assert_eq!(read(&report)["runs"][0]["results"][0].get("codeFlows"), None);
    }
}
