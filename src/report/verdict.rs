//! Verdicts as text for people, at most 80 columns wide where the words allow it.

use super::diagnostic::{Diagnostic, Severity};
use super::{Failure, Finding, Report, trace};
use crate::contract::{Answer, Reason, Remark, Violation};
use crate::supervise::Limit;
use std::fmt::Write;

/// What goes to stdout; ends with the machine-readable line.
pub fn render(report: &Report, stats: bool, colour: bool) -> String {
    let mut text = String::new();
    let several = report.findings.len() + usize::from(report.failure.is_some()) > 1;
    for group in groups(report, stats) {
        let start = text.len();
        block(&mut text, report, &group, stats, colour);
        // A line or two speak for themselves, more than that wants room.
        if several && text[start..].lines().nth(2).is_some() {
            text.push('\n');
        }
    }
    if stats {
        times(&mut text, report);
    }
    for finding in report.findings.iter().filter(|_| several) {
        let name = finding.verdict.property.name();
        let model = finding.model.as_ref().map_or(String::new(), |model| format!(", {model}"));
        let _ = writeln!(text, "obmc verdict[{name}{model}]: {}", report.terms.line(finding));
    }
    let _ = writeln!(text, "obmc verdict: {}", report.line());
    text
}

/// What goes to stderr: only what went wrong.
pub fn render_failure(failure: &Failure, colour: bool) -> String {
    match failure {
        Failure::Usage(message) => Diagnostic::new(message.clone()).render(colour),
        Failure::Input(diagnostic) => diagnostic.render(colour),
        Failure::Internal(message) => Diagnostic::new(format!("internal error: {message}"))
            .hint("this is a bug in obmc: please report it with the input; -v tells more")
            .render(colour),
        Failure::Limit(Limit::Interrupt) => Diagnostic::new("interrupted").render(colour),
        Failure::Limit(_) => Diagnostic::new(format!("{} exceeded", failure.word())).render(colour),
    }
}

/// Findings of which the same is to be said, together.
fn groups(report: &Report, stats: bool) -> Vec<Vec<&Finding>> {
    let mut groups: Vec<(String, Vec<&Finding>)> = Vec::new();
    for finding in &report.findings {
        let mut said = String::new();
        block(&mut said, report, &[finding], stats, false);
        let mut said = said.replace(finding.verdict.property.name(), "PROPERTY");
        said.extend(finding.model.as_deref());
        match groups.iter_mut().find(|(words, _)| *words == said) {
            Some((_, group)) => group.push(finding),
            None => groups.push((said, vec![finding])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// What is to be said of findings that differ in their property only.
fn block(text: &mut String, report: &Report, group: &[&Finding], stats: bool, colour: bool) {
    let Some(finding) = group.first() else { return };
    if let Some(model) = &finding.model {
        let _ = writeln!(text, "Under {model}:");
    }
    answer(text, report, group, finding, colour);
    replayed(text, finding);
    remarks(text, "Assumptions", finding, &finding.verdict.assumptions);
    remarks(text, "Notes", finding, &finding.verdict.notes);
    if stats {
        text.push_str("Statistics\n");
        for (name, value) in &finding.verdict.stats {
            let _ = writeln!(text, "  {name}: {value}");
        }
    }
}

fn answer(text: &mut String, report: &Report, group: &[&Finding], finding: &Finding, colour: bool) {
    match &finding.verdict.answer {
        Answer::Safe => sentence(text, "SAFE", "", group, colour),
        Answer::Bounded { cut } => {
            let bound = format!(" within {}", report.terms.bound());
            sentence(text, "SAFE UP TO BOUND", &bound, group, colour);
            remarks(text, "Can run further", finding, cut);
        }
        Answer::Unsafe(violation) => unsafe_block(text, report, finding, violation, colour),
        Answer::Unknown(reason) => {
            text.push_str(&unknown(report, group, finding, reason).render(colour));
        }
    }
}

/// That nothing is violated.
fn sentence(text: &mut String, head: &str, bound: &str, group: &[&Finding], colour: bool) {
    let names = names(group);
    let names = match &names[..] {
        [many @ .., last] if !many.is_empty() => format!("{} or {last}", many.join(", ")),
        names => names.concat(),
    };
    let words = format!("{head}: no execution violates {names}{bound}");
    for (i, line) in trace::wrap(&words, 80).iter().enumerate() {
        let line = if i == 0 { line.replacen(head, &title(head, colour), 1) } else { line.clone() };
        let _ = writeln!(text, "{line}");
    }
}

fn names(group: &[&Finding]) -> Vec<&'static str> {
    group.iter().map(|f| f.verdict.property.name()).collect()
}

/// What became of the compiled program.
fn replayed(text: &mut String, finding: &Finding) {
    let Some(replayed) = &finding.replayed else { return };
    let sentence = match &replayed.result {
        Ok(what) => format!("replay: reproduced: {what}"),
        Err(why) => format!("replay: not reproduced: {why}"),
    };
    for line in trace::wrap(&sentence, 80) {
        let _ = writeln!(text, "{line}");
    }
    if let Some(folder) = &replayed.folder {
        let _ = writeln!(text, "replay: kept in {}", folder.display());
    }
}

fn unsafe_block(
    text: &mut String,
    report: &Report,
    finding: &Finding,
    violation: &Violation,
    colour: bool,
) {
    let head = Diagnostic::new(format!("{} ({})", violation.message, violation.kind))
        .kind(Severity::Unsafe)
        .place(finding.place(violation.span));
    text.push_str(&head.render(colour));
    if finding.follows.is_some() {
        return;
    }
    let look = trace::PageLook { style: report.terms.trace, width: report.terms.width, colour };
    text.push_str(&trace::render(violation, &finding.files, look));
}

/// The reason, with its place and what can be done about it.
fn unknown(report: &Report, group: &[&Finding], finding: &Finding, reason: &Reason) -> Diagnostic {
    let (message, span, hint) = match reason {
        Reason::Unsupported { what, span } => {
            let hint = "an execution gets there: nothing can be said about what follows";
            (format!("not modelled: {what}"), Some(*span), Some(hint))
        }
        Reason::Undefined { what, span } => {
            let hint = "no violation was found, but what follows is not defined: \
                        --property valid-memsafety shows how it comes about";
            (format!("undefined behaviour: {what}"), Some(*span), Some(hint))
        }
        Reason::Domain { what, span } => {
            let hint = "the explorer tries every value: narrow the input with __VERIFIER_assume";
            (format!("too many values: {what}"), Some(*span), Some(hint))
        }
        Reason::Time => (
            report.terms.reason(finding, reason),
            None,
            Some(match report.terms.timeout {
                Some(_) => "raise --timeout, or bound loops with --unwind",
                None => "not settled at once: --timeout or --property gives it more time",
            }),
        ),
        Reason::Memory => (
            report.terms.reason(finding, reason),
            None,
            Some("raise --memlimit, or bound loops with --unwind"),
        ),
        Reason::Interrupted => (report.terms.reason(finding, reason), None, None),
        Reason::Internal(_) => {
            let hint = "this is a bug in obmc: please report it with the input";
            (report.terms.reason(finding, reason), None, Some(hint))
        }
        Reason::Other(text) => (text.clone(), None, None),
    };
    let place = span.and_then(|s| finding.place(s));
    let message = match report.findings.len() {
        0 | 1 => message,
        _ => format!("{message} ({})", names(group).join(", ")),
    };
    let diagnostic = Diagnostic::new(message).kind(Severity::Unknown).place(place);
    match hint {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic,
    }
}

fn remarks(text: &mut String, title: &str, finding: &Finding, remarks: &[Remark]) {
    if remarks.is_empty() {
        return;
    }
    let _ = writeln!(text, "{title}");
    for remark in remarks {
        let place = finding.place(remark.span).map_or(String::new(), |p| format!("{p}: "));
        let lines = trace::wrap(&format!("{place}{}", remark.text), 76);
        for (i, line) in lines.iter().enumerate() {
            let _ = writeln!(text, "  {} {line}", if i == 0 { "-" } else { " " });
        }
    }
}

fn times(text: &mut String, report: &Report) {
    text.push_str("Times\n");
    for (name, time) in report.phases.rows() {
        let _ = writeln!(text, "  {name} seconds: {:.3}", time.as_secs_f64());
    }
    if let Some(bytes) = report.peak_memory {
        let _ = writeln!(text, "  peak memory bytes: {bytes}");
    }
}

fn title(word: &str, colour: bool) -> String {
    if colour { format!("\x1b[1;32m{word}\x1b[0m") } else { word.to_string() }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::contract::Property;

    #[test]
    fn safe() {
        let report = report(vec![finding(Property::UnreachCall, Answer::Safe)]);
        let want = "SAFE: no execution violates unreach-call\nobmc verdict: true\n";
        assert_eq!(render(&report, false, false), want);
    }

    #[test]
    fn bounded_names_each_loop() {
        let report = report(vec![finding(Property::UnreachCall, bounded())]);
        let want = "\
SAFE UP TO BOUND: no execution violates unreach-call within unwind 2
Can run further
  - /no/where/race.c:5: loop main.0
obmc verdict: unknown (bounded: unwind 2)
";
        assert_eq!(render(&report, false, false), want);
    }

    #[test]
    fn unsafe_shows_place_and_trace() {
        let report = report(vec![finding(Property::UnreachCall, violation())]);
        let text = render(&report, false, false);
        assert!(text.starts_with(
            "UNSAFE: assertion `counter == 2` fails (unreach-call)\n --> /no/where/race.c:23:3\n"
        ));
        assert!(text.contains("10  counter = 1"), "{text}");
        assert!(text.ends_with("\nobmc verdict: false(unreach-call)\n"));
        assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    }

    #[test]
    fn a_trace_can_be_left_out() {
        let mut report = report(vec![finding(Property::UnreachCall, violation())]);
        report.terms.trace = crate::request::Style::Off;
        assert!(!render(&report, false, false).contains("counter = 1"));
    }

    #[test]
    fn several_properties_have_a_line_each() {
        let findings = vec![
            finding(Property::UnreachCall, violation()),
            finding(Property::NoDataRace, Answer::Safe),
        ];
        let text = render(&report(findings), true, false);
        assert!(text.contains("\n\nSAFE: no execution violates no-data-race\nStat"), "{text}");
        let ends = "obmc verdict[unreach-call]: false(unreach-call)\n\
                    obmc verdict[no-data-race]: true\n";
        assert!(text.contains(ends), "{text}");
        assert!(text.contains("\n  states: 12\n"));
        let lines: Vec<&str> = text.lines().filter(|l| l.starts_with("obmc verdict:")).collect();
        assert_eq!(lines, ["obmc verdict: false(unreach-call)"]);
        assert!(text.ends_with("obmc verdict: false(unreach-call)\n"));
    }

    #[test]
    fn of_several_unknown_ones_each_has_its_name() {
        let findings = vec![
            finding(Property::UnreachCall, Answer::Unknown(Reason::Time)),
            finding(Property::NoDataRace, Answer::Unknown(Reason::Memory)),
        ];
        let text = render(&report(findings), false, false);
        assert!(text.contains("UNKNOWN: time limit 20 s (unreach-call)\n"), "{text}");
        assert!(text.contains("UNKNOWN: out of memory (no-data-race)\n"), "{text}");
    }

    #[test]
    fn what_is_true_of_several_is_said_once() {
        let findings: Vec<Finding> = Property::ALL.map(|p| finding(p, Answer::Safe)).into();
        let text = render(&report(findings), false, false);
        let want = "\
SAFE: no execution violates unreach-call, no-data-race, valid-memsafety,
no-overflow, no-deadlock or no-livelock
obmc verdict[unreach-call]: true
";
        assert!(text.starts_with(want), "{text}");
        let findings =
            [Property::NoOverflow, Property::NoDeadlock].map(|p| finding(p, bounded())).into();
        let text = render(&report(findings), false, false);
        let want = "\
SAFE UP TO BOUND: no execution violates no-overflow or no-deadlock within unwind
2
Can run further
";
        assert!(text.starts_with(want), "{text}");
    }

    #[test]
    fn colour_is_a_choice() {
        let report = report(vec![finding(Property::UnreachCall, violation())]);
        assert!(render(&report, false, true).contains('\x1b'));
        assert!(!render(&report, false, false).contains('\x1b'));
    }
}
