//! Verdicts as text for people, at most 80 columns wide where the words allow it.

use super::diagnostic::{Diagnostic, Kind};
use super::{Failure, Finding, Report, trace};
use crate::engine::{Answer, Reason, Remark, Violation};
use crate::limits::Limit;
use std::fmt::Write;

/// What goes to stdout; ends with the machine-readable line.
pub fn render(report: &Report, stats: bool, colour: bool) -> String {
    let mut text = String::new();
    let several = report.findings.len() + usize::from(report.failure.is_some()) > 1;
    for finding in &report.findings {
        block(&mut text, report, finding, several, stats, colour);
    }
    if stats {
        times(&mut text, report);
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

fn block(
    text: &mut String,
    report: &Report,
    finding: &Finding,
    several: bool,
    stats: bool,
    colour: bool,
) {
    let name = finding.verdict.property.name();
    if several {
        let _ = writeln!(text, "== {name} {}", "=".repeat(76usize.saturating_sub(name.len())));
    }
    answer(text, report, finding, colour);
    replayed(text, finding);
    remarks(text, "Assumptions", finding, &finding.verdict.assumptions);
    remarks(text, "Notes", finding, &finding.verdict.notes);
    if stats {
        text.push_str("Statistics\n");
        for (name, value) in &finding.verdict.stats {
            let _ = writeln!(text, "  {name}: {value}");
        }
    }
    if several {
        let _ = writeln!(text, "obmc verdict[{name}]: {}\n", report.terms.line(finding));
    }
}

fn answer(text: &mut String, report: &Report, finding: &Finding, colour: bool) {
    let name = finding.verdict.property.name();
    match &finding.verdict.answer {
        Answer::Safe => {
            let _ = writeln!(text, "{}: no execution violates {name}", title("SAFE", colour));
        }
        Answer::Bounded { cut } => {
            let head = title("SAFE UP TO BOUND", colour);
            let bound = report.terms.bound();
            let _ = writeln!(text, "{head}: no execution violates {name} within {bound}");
            remarks(text, "Can run further", finding, cut);
        }
        Answer::Unsafe(violation) => unsafe_block(text, report, finding, violation, colour),
        Answer::Unknown(reason) => text.push_str(&unknown(report, finding, reason).render(colour)),
    }
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
        .kind(Kind::Unsafe)
        .place(finding.place(violation.span));
    text.push_str(&head.render(colour));
    text.push_str(&trace::render(violation, &finding.files, report.terms.trace, colour));
}

/// The reason, with its place and what can be done about it.
fn unknown(report: &Report, finding: &Finding, reason: &Reason) -> Diagnostic {
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
            Some("raise --timeout, or bound loops with --unwind"),
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
    let diagnostic = Diagnostic::new(message).kind(Kind::Unknown).place(place);
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
    use crate::engine::Property;

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
        report.terms.trace = trace::Style::Off;
        assert!(!render(&report, false, false).contains("counter = 1"));
    }

    #[test]
    fn several_properties_have_titles_and_a_line_each() {
        let findings = vec![
            finding(Property::UnreachCall, violation()),
            finding(Property::NoDataRace, Answer::Safe),
        ];
        let text = render(&report(findings), true, false);
        assert!(text.contains("== no-data-race ="));
        assert!(text.contains("\nobmc verdict[no-data-race]: true\n"));
        assert!(text.contains("\n  states: 12\n"));
        let lines: Vec<&str> = text.lines().filter(|l| l.starts_with("obmc verdict:")).collect();
        assert_eq!(lines, ["obmc verdict: false(unreach-call)"]);
        assert!(text.ends_with("obmc verdict: false(unreach-call)\n"));
    }

    #[test]
    fn colour_is_a_choice() {
        let report = report(vec![finding(Property::UnreachCall, violation())]);
        assert!(render(&report, false, true).contains('\x1b'));
        assert!(!render(&report, false, false).contains('\x1b'));
    }
}
