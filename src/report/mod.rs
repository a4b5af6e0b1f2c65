//! What a run found, for people and for machines. Reads verdicts, decides nothing.
//!
//! One property: its block, then the line `obmc verdict: ...`. Several: a block for each, a line
//! `obmc verdict[PROPERTY]: ...` for each, and at the very end the combined line: false if any is
//! violated, else unknown if any is, else true. That line is always the last one on stdout.
//!
//! - `diagnostic.rs`: A message with its place: the source line and a caret under the spot
//! - `json.rs`: the report as one JSON document
//! - `judged.rs`: what became of a witness, in words
//! - `locks.rs`: what calls of library functions do to locks, by their names
//!   (`frontend::library::sync`)
//! - `places.rs`: places in our models become the user's calls
//! - `steps.rs`: the steps of a trace for machines: the sentence, and all that it is made of
//! - `trace`: the execution that shows a violation: one block per turn of a thread

pub mod diagnostic;
pub mod json;
pub mod judged;
pub mod locks;
pub mod places;
mod steps;
pub mod trace;
pub mod verdict;

use crate::consistency::Weaker;
use crate::contract::Phases;
use crate::contract::{Answer, NotModelled, Progress, Property, Reason, TraceStep, Verdict};
use crate::request::{Bytes, Seconds};
use crate::request::{LoopBound, Style, Unwind};
use crate::supervise::Limit;
use crate::witness::invariants::Invariant;
use diagnostic::{Diagnostic, Place, printable};
use ir::names::decode;
use ir::{Function, ObjectKind, Origin, Program, Span};
use rustc_hash::FxHashSet;
use std::path::PathBuf;
use std::sync::Arc;

/// How a replay came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// What happened, or why it did not.
    pub result: Result<String, String>,
    /// Where all that is needed to do it again stands.
    pub folder: Option<PathBuf>,
}

/// A verdict with the names of the files that its spans point into.
#[derive(Clone, Debug)]
pub struct Finding {
    pub verdict: Verdict,
    /// The memory model, if several were asked for.
    pub model: Option<String>,
    /// The memory model whose answer this one follows from.
    pub follows: Option<String>,
    pub files: Arc<[String]>,
    /// Some execution, if there is no violation and a picture is wanted.
    pub example: Option<Vec<TraceStep>>,
    /// How a run of the compiled program came out, if one was asked for.
    pub replayed: Option<Replayed>,
    pub names: Arc<Names>,
    /// Where the program asks for less than interleavings.
    pub weaker: Option<Weaker>,
}

/// What witnesses need to know of the program.
#[derive(Clone, Debug)]
pub struct Names {
    /// Variables that every function sees under this name.
    pub globals: Vec<String>,
    /// Functions of the user's.
    pub functions: Vec<String>,
    /// The entry function and its first statement.
    pub start: (String, Span),
    /// What holds at loops, where a witness wants to tell it.
    pub invariants: Vec<Invariant>,
}

impl Names {
    pub fn of(program: &Program) -> Names {
        let locals: FxHashSet<&str> = program.functions.iter().flat_map(local_names).collect();
        let users = program.objects.iter().filter(|o| o.kind == ObjectKind::Global);
        let globals = users.map(|o| &o.name).filter(|n| !locals.contains(n.as_str()));
        let globals = globals.map(|name| decode(name).into_owned());
        let functions = program.functions.iter().filter(|f| f.origin == Origin::User);
        let functions = functions.map(|f| decode(&f.name).into_owned());
        let entry = &program.functions[program.entry.index()];
        let insts = entry.blocks.iter().flat_map(|b| &b.insts).map(|i| i.span);
        let first = insts.filter(|span| span.line > 0).min_by_key(|s| (s.file, s.line));
        let start = (entry.name.clone(), first.unwrap_or(entry.span));
        let (globals, functions) = (globals.collect(), functions.collect());
        Names { globals, functions, start, invariants: Vec::new() }
    }
}

fn local_names(function: &Function) -> impl Iterator<Item = &str> {
    let slots = function.slots.iter().filter_map(|s| s.name.as_deref());
    slots.chain(function.regs.iter().filter_map(|r| r.name.as_deref()))
}

impl Default for Names {
    fn default() -> Names {
        let start = (String::new(), Span::NONE);
        Names { globals: Vec::new(), functions: Vec::new(), start, invariants: Vec::new() }
    }
}

impl Finding {
    /// Of a check that was ended by a limit: what is not modelled, if an execution got there, or the limit.
    pub fn late(property: Property, limit: Reason, progress: &Progress) -> Finding {
        match progress.not_modelled() {
            Some(NotModelled { what, span, files }) if !matches!(limit, Reason::Interrupted) => {
                let reason = Reason::Unsupported { what, span };
                Finding { files, ..Finding::unknown(property, reason) }
            }
            _ => Finding::unknown(property, limit),
        }
    }

    /// For a property that no engine came to an end with.
    pub fn unknown(property: Property, reason: Reason) -> Finding {
        let verdict = Verdict::new(property, Answer::Unknown(reason));
        let (files, names) = (Arc::new([]), Arc::default());
        Finding {
            verdict,
            model: None,
            follows: None,
            files,
            names,
            example: None,
            replayed: None,
            weaker: None,
        }
    }

    pub fn place(&self, span: Span) -> Option<Place> {
        Place::of(span, &self.files)
    }
}

/// Why there is no verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The command line does not fit the program (a loop name that does not exist).
    Usage(String),
    /// The input cannot be read, preprocessed or parsed.
    Input(Diagnostic),
    /// Our fault.
    Internal(String),
    /// A limit was exceeded where there is no property to be unknown.
    Limit(Limit),
}

impl Failure {
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Usage(_) => 1,
            Failure::Input(_) => 2,
            Failure::Internal(_) => 6,
            Failure::Limit(_) => 7,
        }
    }

    /// The last line, where there is nothing else to say on stdout.
    pub fn verdict_line(&self) -> String {
        format!("obmc verdict: unknown ({})\n", self.word())
    }

    /// As in `unknown (input error)`.
    pub fn word(&self) -> &'static str {
        match self {
            Failure::Usage(_) => "usage error",
            Failure::Input(_) => "input error",
            Failure::Internal(_) => "internal error",
            Failure::Limit(Limit::Time) => "time limit",
            Failure::Limit(Limit::Memory) => "memory limit",
            Failure::Limit(Limit::Interrupt) => "interrupted",
        }
    }
}

/// What the words of a verdict need to know about the run.
#[derive(Clone, Debug)]
pub struct Terms {
    pub unwind: Unwind,
    pub unwindset: Vec<LoopBound>,
    pub timeout: Option<Seconds>,
    pub memlimit: Option<Bytes>,
    pub accept_bounded: bool,
    pub trace: Style,
    pub width: usize,
}

/// All that happened.
#[derive(Clone, Debug)]
pub struct Report {
    pub terms: Terms,
    pub findings: Vec<Finding>,
    pub failure: Option<Failure>,
    /// What went wrong while files were written.
    pub unwritten: Vec<Diagnostic>,
    pub phases: Phases,
    pub peak_memory: Option<u64>,
}

impl Report {
    /// Nothing was found so far.
    pub fn new(terms: Terms) -> Report {
        Report {
            terms,
            findings: Vec::new(),
            failure: None,
            unwritten: Vec::new(),
            phases: Phases::default(),
            peak_memory: None,
        }
    }

    /// The text after `obmc verdict: `.
    pub fn line(&self) -> String {
        if let Some(failure) = &self.failure {
            return format!("unknown ({})", failure.word());
        }
        self.worst().map_or("unknown (nothing was checked)".into(), |f| self.terms.line(f))
    }

    /// What another memory model says about the same program.
    pub fn extend(&mut self, other: Report) {
        self.findings.extend(other.findings);
        self.failure = self.failure.take().or(other.failure);
        for (name, time) in other.phases.rows() {
            self.phases.add(name, *time);
        }
        self.peak_memory = other.peak_memory;
    }

    /// A finding, instead of an earlier one for the same property.
    pub fn add(&mut self, finding: Finding) {
        self.findings.retain(|f| f.verdict.property != finding.verdict.property);
        self.findings.push(finding);
    }

    /// The finding that decides about the whole run.
    pub fn worst(&self) -> Option<&Finding> {
        let rank = |f: &&Finding| (badness(f), std::cmp::Reverse(f.verdict.property));
        self.findings.iter().max_by_key(rank)
    }

    pub fn exit_code(&self) -> u8 {
        if let Some(failure) = &self.failure {
            return failure.exit_code();
        }
        if !self.unwritten.is_empty() {
            return 1;
        }
        self.worst().map_or(6, |f| self.terms.exit_code(f))
    }
}

/// The order in which answers decide about the whole run.
pub(crate) fn badness(finding: &Finding) -> u8 {
    match &finding.verdict.answer {
        Answer::Safe => 0,
        Answer::Bounded { .. } => 1,
        Answer::Unknown(Reason::Time | Reason::Memory | Reason::Interrupted) => 3,
        Answer::Unknown(Reason::Internal(_)) => 4,
        Answer::Unsafe(_) => 5,
        Answer::Unknown(_) => 2,
    }
}

impl Terms {
    /// `true`, `false(unreach-call)` or `unknown (why)`.
    pub fn line(&self, finding: &Finding) -> String {
        match &finding.verdict.answer {
            Answer::Safe => "true".into(),
            Answer::Unsafe(violation) => format!("false({})", violation.kind),
            Answer::Bounded { .. } => format!("unknown (bounded: {})", self.bound()),
            Answer::Unknown(reason) => {
                format!("unknown ({})", printable(&self.reason(finding, reason)))
            }
        }
    }

    pub fn exit_code(&self, finding: &Finding) -> u8 {
        match &finding.verdict.answer {
            Answer::Safe => 0,
            Answer::Bounded { .. } if self.accept_bounded => 0,
            Answer::Unknown(Reason::Internal(_)) => 6,
            Answer::Unknown(Reason::Time | Reason::Memory | Reason::Interrupted) => 7,
            Answer::Bounded { .. } | Answer::Unknown(_) => 5,
            Answer::Unsafe(_) => 10,
        }
    }

    /// `unwind 2`, `unwind 2, main.0:5`
    fn bound(&self) -> String {
        let everywhere = match self.unwind {
            Unwind::Auto => "unwind auto".to_string(),
            Unwind::Bound(n) => format!("unwind {n}"),
        };
        let single = self.unwindset.iter().map(|l| format!("{}:{}", l.name, l.bound));
        std::iter::once(everywhere).chain(single).collect::<Vec<_>>().join(", ")
    }

    pub fn reason(&self, finding: &Finding, reason: &Reason) -> String {
        let at = |span| finding.place(span).map_or(String::new(), |p| format!(" at {p}"));
        match reason {
            Reason::Unsupported { what, span } => format!("not modelled: {what}{}", at(*span)),
            Reason::Undefined { what, span } => {
                format!("undefined behaviour: {what}{}", at(*span))
            }
            Reason::Domain { what, span } => format!("too many values: {what}{}", at(*span)),
            Reason::Time => match self.timeout {
                Some(limit) => format!("time limit {limit}"),
                None => "time limit".into(),
            },
            Reason::Memory => match self.memlimit {
                Some(limit) => format!("memory limit {limit}"),
                None => "out of memory".into(),
            },
            Reason::Interrupted => "interrupted".into(),
            Reason::Internal(text) => format!("internal error: {text}"),
            Reason::Other(text) => text.clone(),
        }
    }
}

/// As in `memory_order_relaxed`.
pub fn order_name(order: ir::MemoryOrder) -> &'static str {
    use ir::MemoryOrder;
    match order {
        MemoryOrder::Plain => "plain",
        MemoryOrder::Relaxed => "relaxed",
        MemoryOrder::Acquire => "acquire",
        MemoryOrder::Release => "release",
        MemoryOrder::AcqRel => "acq_rel",
        MemoryOrder::SeqCst => "seq_cst",
    }
}

#[cfg(test)]
pub mod testing {
    //! Findings to write reports about.

    use super::*;
    use crate::contract::Goal;
    use crate::contract::{Form, Remark, Run, TraceEvent, TraceStep, Violation};
    use interp::Tid;
    use ir::FileId;

    pub fn span(line: u32, column: u32) -> Span {
        Span { file: FileId(0), line, column }
    }

    pub fn finding(property: Property, answer: Answer) -> Finding {
        let stats = vec![("states".into(), 12)];
        let verdict = Verdict { stats, ..Verdict::new(property, answer) };
        let files = Arc::from(vec!["/no/where/race.c".to_string()]);
        let names = Arc::default();
        Finding {
            verdict,
            model: None,
            follows: None,
            files,
            names,
            example: None,
            replayed: None,
            weaker: None,
        }
    }

    pub fn step(thread: u32, line: u32, what: &str) -> TraceStep {
        let (function, told) = ("worker".into(), TraceEvent::Wrong(what.into()));
        TraceStep { thread: Tid(thread), span: span(line, 3), function, event: told, at: 0 }
    }

    pub fn violation() -> Answer {
        let trace = vec![
            step(0, 20, "starts thread 1 in `worker`"),
            step(1, 9, "reads counter == 0"),
            step(1, 10, "counter = 1"),
            step(0, 23, "assertion `counter == 2` fails"),
        ];
        let message = "assertion `counter == 2` fails".into();
        Answer::Unsafe(Box::new(Violation {
            kind: "unreach-call",
            message,
            span: span(23, 3),
            other: None,
            trace,
            run: Some(Run { schedule: Vec::new(), goal: Goal::Deadlock, form: Form::Given }),
            weak: None,
        }))
    }

    pub fn bounded() -> Answer {
        Answer::Bounded { cut: vec![Remark::new("loop main.0", span(5, 3))] }
    }

    pub fn report(findings: Vec<Finding>) -> Report {
        let terms = Terms {
            unwind: Unwind::Bound(2),
            unwindset: Vec::new(),
            timeout: "20s".parse().ok(),
            memlimit: None,
            accept_bounded: false,
            trace: Style::Full,
            width: 80,
        };
        Report { findings, ..Report::new(terms) }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::*;
    use super::*;

    fn check(answers: Vec<Answer>, line: &str, code: u8) {
        let findings = Property::ALL.iter().zip(answers).map(|(&p, a)| finding(p, a)).collect();
        let report = report(findings);
        assert_eq!((report.line().as_str(), report.exit_code()), (line, code));
    }

    #[test]
    fn one_property() {
        check(vec![Answer::Safe], "true", 0);
        check(vec![violation()], "false(unreach-call)", 10);
        check(vec![bounded()], "unknown (bounded: unwind 2)", 5);
        check(vec![Answer::Unknown(Reason::Time)], "unknown (time limit 20 s)", 7);
        check(vec![Answer::Unknown(Reason::Memory)], "unknown (out of memory)", 7);
        check(vec![Answer::Unknown(Reason::Interrupted)], "unknown (interrupted)", 7);
        let internal = Reason::Internal("no replay".into());
        check(vec![Answer::Unknown(internal)], "unknown (internal error: no replay)", 6);
        let reason = Reason::Unsupported { what: "inline\nasm".into(), span: span(3, 1) };
        let line = "unknown (not modelled: inline asm at /no/where/race.c:3)";
        check(vec![Answer::Unknown(reason)], line, 5);
    }

    #[test]
    fn several_properties_and_the_worst_decides() {
        check(vec![Answer::Safe, Answer::Safe], "true", 0);
        check(vec![Answer::Safe, bounded()], "unknown (bounded: unwind 2)", 5);
        check(vec![bounded(), Answer::Unknown(Reason::Other("why".into()))], "unknown (why)", 5);
        check(vec![violation(), Answer::Unknown(Reason::Time)], "false(unreach-call)", 10);
        let internal = Answer::Unknown(Reason::Internal("why".into()));
        check(vec![violation(), internal], "false(unreach-call)", 10);
    }

    #[test]
    fn failures() {
        let mut report = report(vec![]);
        report.failure = Some(Failure::Input(Diagnostic::new("x")));
        assert_eq!((report.line().as_str(), report.exit_code()), ("unknown (input error)", 2));
        report.failure = Some(Failure::Internal("x".into()));
        assert_eq!((report.line().as_str(), report.exit_code()), ("unknown (internal error)", 6));
    }

    #[test]
    fn bounded_may_be_good_enough() {
        let mut report = report(vec![finding(Property::UnreachCall, bounded())]);
        report.terms.accept_bounded = true;
        assert_eq!(report.exit_code(), 0);
        assert_eq!(report.line(), "unknown (bounded: unwind 2)");
    }
}
