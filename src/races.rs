//! All races of a program in one run, and those that the user lets be.
//!
//! An engine stops at the first race. `more` then runs the program along many random schedules under
//! a monitor that goes on behind a race, for a moment: each pair of places that it sees is a race of a
//! real execution. The list need not be complete, and a verdict does not depend on it.
//!
//! A race is *suppressed* by a comment `obmc: race-ok: REASON` in the line of one of its accesses or
//! in the line above, or by a line `FILE:LINE [FILE:LINE] REASON` of a file. Then the pair of accesses is
//! tolerated (`Program::tolerated`) and the question is asked again, so that no other race is hidden.
//! The explorer answers it, with clocks. Races inside of library functions cannot be suppressed: their
//! accesses belong to all calls.

use fastrand::Rng;
use interp::{Choice, Config, Inputs, Interp, RaceMonitor, StepResult, Tid};
use ir::{FileId, Program, Span};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

const MOMENT: Duration = Duration::from_millis(400);
const RUNS: u64 = 400;
/// Executions after which a list to which nothing is added is taken for complete: at least so many, and so
/// many times as many as had been needed for what is there.
const QUIET: u64 = 16;
const TIMES: u64 = 4;
const MAX_STEPS: u32 = 3_000;
/// More are not listed.
pub const MOST: usize = 50;

/// Two places, the earlier one of the text first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PlacePair {
    pub first: Span,
    pub second: Span,
}

impl PlacePair {
    pub fn of(a: Span, b: Span) -> PlacePair {
        PlacePair { first: a.min(b), second: a.max(b) }
    }

    /// What a reader tells apart.
    pub fn lines(self) -> [(FileId, u32); 2] {
        [self.first, self.second].map(|span| (span.file, span.line))
    }
}

/// Races that random executions show, by their places in the user's text.
pub fn more(
    program: &Program,
    malloc_may_fail: bool,
    deadline: Option<Instant>,
) -> BTreeSet<PlacePair> {
    let mut found = BTreeSet::new();
    let config = Config { eager_inputs: true, malloc_may_fail, ..Config::default() };
    let Ok(interp) = Interp::new(program, config) else { return found };
    let end = Instant::now() + MOMENT;
    let end = deadline.map_or(end, |deadline| end.min(deadline));
    let mut quiet_at = QUIET;
    for seed in 0..RUNS {
        if Instant::now() >= end || found.len() >= MOST || seed >= quiet_at {
            break;
        }
        let before = found.len();
        run(&interp, Rng::with_seed(seed), end, &mut found);
        if found.len() > before {
            quiet_at = QUIET.max(TIMES * (seed + 1));
        }
    }
    found
}

fn run(interp: &Interp<'_>, mut random: Rng, end: Instant, found: &mut BTreeSet<PlacePair>) {
    let mut state = interp.initial();
    let mut monitor = RaceMonitor::of_all();
    // Where the user's text called what has this span now.
    let mut calls: FxHashMap<(Tid, Span), Span> = FxHashMap::default();
    let mut left = MAX_STEPS;
    let mut stuck = 0;
    while left > 0 && stuck < 100 && Instant::now() < end {
        let running: Vec<Tid> = state.running().collect();
        let Some(thread) = random.choice(running) else { return };
        for _ in 0..random.u8(1..=8) {
            if let Some((_, call)) = interp.caller_of_model(&state, thread) {
                calls.insert((thread, interp.span(&state, thread)), call);
            }
            let result = interp.step(&mut state, thread, &mut Random(&mut random), &mut monitor);
            for race in monitor.take_all() {
                let place = |(thread, access): (Tid, interp::Access)| {
                    calls.get(&(thread, access.span)).copied().unwrap_or(access.span)
                };
                found.insert(PlacePair::of(place(race.first), place(race.second)));
            }
            left = left.saturating_sub(1);
            match result {
                StepResult::Ran => stuck = 0,
                StepResult::Blocked => {
                    stuck += 1;
                    break;
                }
                StepResult::Ended | StepResult::Stopped { .. } => break,
                _ => return,
            }
        }
    }
}

/// Random answers.
struct Random<'r>(&'r mut Rng);

impl Inputs for Random<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        let answers = choice.answers().max(1);
        Some(choice.answer(self.0.u128(0..answers)))
    }
}

/// Why races at a place are let be.
#[derive(Clone, Default, Debug)]
pub struct Suppressions {
    /// By file and line: comments.
    lines: FxHashMap<(String, u32), String>,
    rules: Vec<Suppression>,
}

/// A line of a file of suppressions.
#[derive(Clone, Debug)]
struct Suppression {
    places: Vec<(String, u32)>,
    reason: String,
}

const MARK: &str = "obmc: race-ok:";

impl Suppressions {
    /// From the comments of the files, and from the rules of `text`.
    pub fn read(files: &[String], rules: Option<&str>) -> Result<Suppressions, String> {
        let mut all = Suppressions::default();
        for name in files {
            let Ok(text) = std::fs::read(name) else { continue };
            all.add_comments(name, &String::from_utf8_lossy(&text));
        }
        for (i, line) in rules.unwrap_or_default().lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                all.rules.push(Suppression::parse(line).ok_or_else(|| {
                    format!("line {}: wanted FILE:LINE [FILE:LINE] REASON", i + 1)
                })?);
            }
        }
        Ok(all)
    }

    fn add_comments(&mut self, file: &str, text: &str) {
        for (i, line) in text.lines().enumerate() {
            let Some((before, reason)) = line.split_once(MARK) else { continue };
            let reason = reason.trim().trim_end_matches("*/").trim();
            let number = i as u32 + 1;
            // A comment alone in its line is about the next one.
            let alone = before.trim().trim_start_matches(['/', '*', ' ']).is_empty();
            let line = if alone { number + 1 } else { number };
            self.lines.insert((file.to_string(), line), reason.to_string());
        }
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.rules.is_empty()
    }

    /// The reason to let the accesses at these places race.
    pub fn reason(&self, files: &[String], pair: PlacePair) -> Option<&str> {
        let name = |place: Span| files.get(place.file.index()).map_or("", |n| n);
        let places = [pair.first, pair.second];
        let commented = places.iter().find_map(|&p| self.lines.get(&(name(p).to_string(), p.line)));
        let is = |place: Span, (file, line): &(String, u32)| {
            place.line == *line && Path::new(name(place)).ends_with(file)
        };
        let fits = |rule: &&Suppression| match &rule.places[..] {
            [one] => places.iter().any(|&p| is(p, one)),
            [a, b] => {
                let [p, q] = places;
                is(p, a) && is(q, b) || is(p, b) && is(q, a)
            }
            _ => false,
        };
        let ruled = || self.rules.iter().find(fits).map(|rule| &rule.reason);
        commented.or_else(ruled).map(String::as_str)
    }
}

impl Suppression {
    fn parse(line: &str) -> Option<Suppression> {
        let mut rest = line;
        let mut places = Vec::new();
        while let Some((word, behind)) = rest.split_once(char::is_whitespace) {
            let Some(place) = place(word).filter(|_| places.len() < 2) else { break };
            places.push(place);
            rest = behind.trim_start();
        }
        let is_reason = !rest.is_empty() && place(rest).is_none();
        (!places.is_empty() && is_reason).then(|| Suppression { places, reason: rest.to_string() })
    }
}

fn place(word: &str) -> Option<(String, u32)> {
    let (file, line) = word.rsplit_once(':')?;
    Some((file.to_string(), line.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_rules() {
        let mut all = Suppressions::default();
        let text = "int x;\nx++; // obmc: race-ok: a counter\n/* obmc: race-ok: below */\nx = 1;\n";
        all.add_comments("a.c", text);
        let files = vec!["dir/a.c".to_string(), "a.c".to_string()];
        let at = |file: u32, line: u32| Span { file: ir::FileId(file), line, column: 3 };
        let reason = |all: &Suppressions, a: Span, b: Span| {
            all.reason(&files, PlacePair::of(a, b)).map(str::to_string)
        };
        assert_eq!(reason(&all, at(1, 2), at(1, 9)).as_deref(), Some("a counter"));
        assert_eq!(reason(&all, at(1, 9), at(1, 4)).as_deref(), Some("below"));
        assert_eq!(reason(&all, at(0, 2), at(1, 3)), None);
        all.rules.extend(Suppression::parse("a.c:7 a.c:9 both are statistics"));
        all.rules.extend(Suppression::parse("other.c:1 no"));
        assert_eq!(reason(&all, at(0, 9), at(0, 7)).as_deref(), Some("both are statistics"));
        assert_eq!(reason(&all, at(0, 9), at(0, 8)), None);
        for line in ["a.c why", "a.c:x why", "a.c:3", "a.c:3 b.c:4"] {
            assert!(Suppression::parse(line).is_none(), "{line}");
        }
    }
}
