//! A verdict about races gets all of them, without those that are suppressed.
//!
//! A suppressed race is tolerated, and the explorer is asked whether there is another one, until there
//! is none or none that is suppressed. What was let be is an assumption of the verdict, with its reason.

use crate::contract::{Answer, Goal, MemoryModel, Query, Remark, Verdict};
use crate::portfolio::{Choice, Portfolio, table};
use crate::races::{self, MOST, PlacePair, Suppressions};
use crate::report::Failure;
use crate::report::diagnostic::Diagnostic;
use crate::request::Races;
use ir::{At, Function, Inst, InstId, Origin, Program, Span};
use rustc_hash::FxHashSet;
use std::path::Path;

/// A file of suppressions that cannot be used is an error before the work begins.
pub fn readable(rules: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = rules else { return Ok(()) };
    let problem = |why: String| {
        Failure::Input(Diagnostic::new(format!("suppressions {}: {why}", path.display())))
    };
    let text = std::fs::read_to_string(path).map_err(|e| problem(e.to_string()))?;
    Suppressions::read(&[], Some(&text)).map(|_| ()).map_err(problem)
}

pub fn complete(
    verdict: &mut Verdict,
    query: Query<'_>,
    portfolio: &Portfolio,
    rules: Option<&Path>,
    wanted: Races,
) {
    if told(verdict).is_none() {
        return;
    }
    let rules = rules.and_then(|path| std::fs::read_to_string(path).ok());
    let files = &query.program.files;
    let suppressions = Suppressions::read(files, rules.as_deref()).unwrap_or_default();
    let mut let_be = Vec::new();
    // Only the explorer can look around a race, and it knows interleavings only.
    if !suppressions.is_empty() && query.settings.model == MemoryModel::Sc {
        tolerate(verdict, query, portfolio, &suppressions, &mut let_be);
    }
    if let (Some((a, b)), Races::All) = (told(verdict), wanted) {
        list(verdict, query, PlacePair::of(a.span, b.span), &suppressions, &mut let_be);
    }
    let count = let_be.len();
    for (pair, reason) in let_be {
        let text = format!(
            "a data race with {} is suppressed: {reason} ({count} in all)",
            place(files, pair, pair.second)
        );
        verdict.assumptions.push(Remark::new(text, pair.first));
    }
}

/// The accesses of the race that a verdict is about.
pub fn told(verdict: &Verdict) -> Option<(At, At)> {
    let Answer::Unsafe(violation) = &verdict.answer else { return None };
    match violation.run.as_ref()?.goal {
        Goal::Race(a, b) => Some((a, b)),
        _ => None,
    }
}

/// Asks again, without suppressed races, until another one is found or none.
fn tolerate(
    verdict: &mut Verdict,
    query: Query<'_>,
    portfolio: &Portfolio,
    suppressions: &Suppressions,
    let_be: &mut Vec<(PlacePair, String)>,
) {
    let mut program = query.program.clone();
    let explorer = Portfolio { choice: Choice::Only(&table::EXPLORE), ..portfolio.clone() };
    while let Some((a, b)) =
        told(verdict).filter(|(a, b)| is_users(&program, a.id) && is_users(&program, b.id))
    {
        let pair = PlacePair::of(a.span, b.span);
        let Some(reason) = suppressions.reason(&program.files, pair) else { return };
        let_be.push((pair, reason.to_string()));
        program.tolerated.push((a.span, b.span));
        *verdict = explorer.check(Query { program: &program, ..query });
    }
}

/// Of the user's text, not of a library model, whose accesses belong to all calls.
fn is_users(program: &Program, id: InstId) -> bool {
    let mut functions = program.functions.iter().filter(|f| f.origin == Origin::User);
    functions.any(|f| insts(f).any(|inst| inst.id == id))
}

fn insts(function: &Function) -> impl Iterator<Item = &Inst> {
    function.blocks.iter().flat_map(|block| &block.insts)
}

/// A note for each other race, one for each pair of lines.
fn list(
    verdict: &mut Verdict,
    query: Query<'_>,
    first: PlacePair,
    suppressions: &Suppressions,
    let_be: &mut Vec<(PlacePair, String)>,
) {
    let files = &query.program.files;
    let found = races::more(query.program, query.settings.malloc_may_fail, query.limits.deadline);
    let full = found.len() >= MOST;
    let mut lines = FxHashSet::from_iter([first.lines()]);
    for pair in found.into_iter().filter(|pair| lines.insert(pair.lines())) {
        match suppressions.reason(files, pair) {
            Some(reason) if let_be.iter().all(|(known, _)| *known != pair) => {
                let_be.push((pair, reason.to_string()));
            }
            Some(_) => {}
            None => {
                let other = place(files, pair, pair.second);
                let text = format!("another data race: with {other}");
                verdict.notes.push(Remark::new(text, pair.first));
                verdict.further_races.push((pair.first, pair.second));
            }
        }
    }
    if full {
        let text = format!("there may be more races than these {MOST}");
        verdict.notes.push(Remark::new(text, Span::NONE));
    }
}

/// As seen from the first place of the pair.
fn place(files: &[String], pair: PlacePair, span: Span) -> String {
    let here = pair.first;
    match files.get(span.file.index()) {
        _ if here.file == span.file && here.line == span.line => "itself".into(),
        Some(file) if here.file != span.file => format!("{file}:{}", span.line),
        _ => format!("line {}", span.line),
    }
}
