//! `obmc fences`: a smallest set of stronger orders and fences that makes a program safe.
//!
//! The program's text is changed, and every answer is about the changed text: the last check is of the
//! very text that the diff shows. What stands in macros and in other files than those of the command
//! line is left as it is.
//!
//! - `candidate.rs`: changes of the text, and what they do to an execution
//! - `diff.rs`: a unified diff
//! - `explain.rs`: why an execution is no interleaving, and what would forbid it
//! - `graph.rs`: an execution with stronger orders and more fences
//! - `hitting.rs`: minimum hitting sets
//! - `report.rs`: what was found, in words and as JSON
//! - `search.rs`: the search, by implicit hitting sets
//! - `text.rs`: statements and words of C text

mod candidate;
mod diff;
mod explain;
mod graph;
mod hitting;
mod report;
mod search;
mod text;

pub use explain::notes;
pub use report::FencesReport;

use crate::contract::{Answer, Reason};
use crate::report as said;
use candidate::{CandidateChange, ChangeableFile, Edit, FenceLayout};
use report::Result as Told;
use search::{Bad, FenceAnswer, FenceSearch, Said};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Texts instead of files.
pub type Texts = BTreeMap<PathBuf, String>;

/// Looks for changes. `check`: the verdict of the program with other texts.
pub fn run(
    files: &[PathBuf],
    model: &str,
    check: &mut dyn FnMut(Texts) -> said::Report,
) -> FencesReport {
    let report = |told| FencesReport::new(model, told);
    let sources: Vec<ChangeableFile> = files.iter().filter_map(|file| read(file)).collect();
    let mut heard = ReportReader { sources: &sources, message: String::new() };
    let first = match heard.of(check(Texts::new())) {
        Said::Safe => return report(Told::Already { bounded: false }),
        Said::Bounded => return report(Told::Already { bounded: true }),
        Said::Unknown(why) => return report(Told::Unknown(why)),
        Said::Unsafe(bad) => bad,
    };
    let message = heard.message.clone();
    let candidates = candidates(&sources, &first);
    let mut ask = |chosen: &[usize], layout| {
        let edits = edits(&sources, &candidates, chosen, layout);
        let text = |(source, edits): (&ChangeableFile, &Vec<Edit>)| {
            (PathBuf::from(&source.name), candidate::edited(source, edits))
        };
        heard.of(check(sources.iter().zip(&edits).map(text).collect()))
    };
    let mut by_line = |chosen: &[usize]| ask(chosen, FenceLayout::SameLines);
    let mut search = FenceSearch::new(&sources, &candidates, &mut by_line);
    let found = search.run(first);
    let checks = search.checks;
    let (chosen, bounded) = match found {
        FenceAnswer::Changes { chosen, bounded } => (chosen, bounded),
        FenceAnswer::Impossible => return report(Told::Impossible { message }),
        FenceAnswer::Unknown(why) => return report(Told::Unknown(why)),
    };
    let needed = |&change: &usize| {
        let rest: Vec<usize> = chosen.iter().copied().filter(|c| *c != change).collect();
        chosen.len() == 1 || matches!(ask(&rest, FenceLayout::SameLines), Said::Unsafe(_))
    };
    let irreducible = chosen.iter().all(needed);
    if !matches!(ask(&chosen, FenceLayout::ForPeople), Said::Safe | Said::Bounded) {
        return report(Told::Unknown("the changed text has another answer".into()));
    }
    let edits = edits(&sources, &candidates, &chosen, FenceLayout::ForPeople);
    let diff = sources.iter().zip(&edits).map(|(source, e)| diff::unified(source, e)).collect();
    let changes = chosen.iter().map(|&c| described(&sources, &candidates[c])).collect();
    report(Told::Changes { message, changes, diff, bounded, irreducible, checks })
}

fn read(file: &Path) -> Option<ChangeableFile> {
    let text = std::fs::read_to_string(file).ok()?;
    Some(ChangeableFile::new(file.display().to_string(), text))
}

fn candidates(sources: &[ChangeableFile], first: &Bad) -> Vec<CandidateChange> {
    let accesses = || first.execution.events.iter().filter_map(|event| event.access.as_ref());
    let file = |span: ir::Span| first.files.get(span.file.index()).copied().flatten();
    candidate::all(sources, |at, line| {
        accesses().any(|a| file(a.span) == Some(at) && a.span.line == line)
    })
}

fn edits(
    sources: &[ChangeableFile],
    candidates: &[CandidateChange],
    chosen: &[usize],
    layout: FenceLayout,
) -> Vec<Vec<Edit>> {
    let chosen: Vec<&CandidateChange> = chosen.iter().map(|&c| &candidates[c]).collect();
    let of_file = |(file, source)| candidate::edits(file, source, &chosen, layout);
    sources.iter().enumerate().map(of_file).collect()
}

fn described(sources: &[ChangeableFile], change: &CandidateChange) -> report::ReportedChange {
    let source = &sources[change.file];
    let (offset, fence) = match change.what {
        candidate::ChangeKind::Word(number) => (source.words[number].word.start, false),
        candidate::ChangeKind::Fence { before } => (before, true),
        candidate::ChangeKind::InArm { arm, behind } => {
            let statement = &source.text.arms[arm].statement;
            (if behind { statement.end - 1 } else { statement.start }, true)
        }
    };
    let order = said::order_name(change.order);
    report::ReportedChange {
        file: source.name.clone(),
        line: source.text.line(offset),
        order,
        fence,
    }
}

/// Reads reports.
struct ReportReader<'a> {
    sources: &'a [ChangeableFile],
    /// What was violated last.
    message: String,
}

impl ReportReader<'_> {
    fn of(&mut self, report: said::Report) -> Said {
        if let Some(failure) = &report.failure {
            return Said::Unknown(failure.word().into());
        }
        let Some(worst) = report.worst() else { return Said::Unknown("no answer".into()) };
        match &worst.verdict.answer {
            Answer::Safe => Said::Safe,
            Answer::Bounded { .. } => Said::Bounded,
            Answer::Unknown(Reason::Time) => Said::Unknown("time limit".into()),
            Answer::Unknown(reason) => Said::Unknown(report.terms.reason(worst, reason)),
            Answer::Unsafe(violation) => {
                self.message = violation.message.clone();
                let of_file = |name: &String| self.sources.iter().position(|s| s.name == *name);
                let files = worst.files.iter().map(of_file).collect();
                match &violation.weak {
                    Some(execution) => Said::Unsafe(Bad { execution: execution.clone(), files }),
                    None => Said::Unknown("the violation has no graph".into()),
                }
            }
        }
    }
}
