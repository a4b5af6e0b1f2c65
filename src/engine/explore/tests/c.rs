//! Random C programs: with and without reduction, before and after every pass, the verdict is the
//! same, and it is the reference's.

use super::reference::has_violation;
use super::*;
use crate::contract::inputs::Sampling;
use crate::engine::explore::Chance;
use analysis::unroll::bounded;
use analysis::{inline, spin, unroll};
use frontend::{LoadOptions, Source};
use ir::types::Machine;
use obmc_testing::Pattern;
use std::time::{Duration, Instant};

const PROPERTIES: [Property; 4] =
    [Property::UnreachCall, Property::NoDataRace, Property::NoDeadlock, Property::ValidMemsafety];
/// More iterations than any `for` of a random program has.
const ENOUGH: u32 = 4;
/// For one question; a program that needs longer is too large.
const TIME_LIMIT: Duration = Duration::from_millis(200);
/// States that the reference may visit.
const REFERENCE_STATES: usize = 2_000;

/// A program in one of its forms.
struct Form {
    name: &'static str,
    program: Program,
    /// Loops were cut off that may go on.
    cut: bool,
}

pub fn load(text: &str, property: Property) -> Program {
    let source = Source { name: "random.i", text: text.as_bytes(), moved: &[] };
    let kind = property.kind();
    let options = LoadOptions { property: kind, ..LoadOptions::default() };
    frontend::load(&[source], Machine::Lp64, &options).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// Everything that passes make of a program and that must behave like it.
fn forms(text: &str, property: Property) -> Vec<Form> {
    let raw = load(text, property);
    let prepared = analysis::prepare(raw.clone());
    let cut = text.contains("while (");
    let bounds = unroll::Bounds::all(ENOUGH);
    let bounded = bounded(&prepared, &|_| Some(ENOUGH)).expect("small");
    let calls = inline::Limits::default();
    let flat = analysis::unrolled(prepared.clone(), &bounds, 10, &calls).expect("small").0;
    let mut forms = vec![
        Form { name: "raw", program: raw, cut: false },
        Form { name: "unrolled", program: bounded, cut },
        Form { name: "flat", program: flat, cut },
    ];
    if let Some(goal) = spin::Goal::of(property) {
        let mut collapsed = prepared.clone();
        spin::collapse(&mut collapsed, goal);
        forms.push(Form { name: "collapsed", program: collapsed, cut: false });
    }
    forms.insert(0, Form { name: "prepared", program: prepared, cut: false });
    forms
}

/// The verdict in a word; `None` for a program that is too large for a test.
fn ask(program: &Program, property: Property, how: &dyn Engine) -> Option<(&'static str, Answer)> {
    let limits = &Limits { deadline: Some(Instant::now() + TIME_LIMIT), ..Limits::default() };
    let verdict = how.check(Query { program, property, settings: &Settings::default(), limits });
    let word = word(&verdict.answer);
    match verdict.answer {
        Answer::Unknown(Reason::Time) => None,
        answer => Some((word, answer)),
    }
}

/// All forms against the first: its verdict, or what differs. `None` where it is too large.
fn compare(text: &str, property: Property) -> Option<Result<&'static str, String>> {
    let forms = forms(text, property);
    let (expected, first) = ask(&forms[0].program, property, &Explorer::default())?;
    let tell = |name: &str, found: &str, answer: &dyn std::fmt::Debug| {
        Some(Err(format!("{property:?}: {expected}, but {name} {found}: {answer:?}; {first:?}")))
    };
    if expected == "bounded" || matches!(first, Answer::Unknown(Reason::Internal(_))) {
        return tell("never", expected, &());
    }
    let ways = [
        ("reduced", Explorer::default()),
        ("eager", Explorer { small: 0, merge: Merge::Off, ..Explorer::default() }),
        ("merged", Explorer { small: 0, ..Explorer::default() }),
        ("full", Explorer { por: Por::Off, ..Explorer::default() }),
    ];
    for form in &forms {
        for (how, explorer) in &ways {
            let Some((found, answer)) = ask(&form.program, property, explorer) else { continue };
            let within = form.cut && found == "bounded" && expected != "unknown";
            if found != expected && !within {
                return tell(&format!("{} {how}", form.name), found, &answer);
            }
        }
    }
    // Chance shows what there is, at most.
    let chance = Chance { max_domain: Sampling::MAX_DOMAIN, executions: 100 };
    if let Some((found, answer)) = ask(&forms[0].program, property, &chance) {
        let internal = matches!(answer, Answer::Unknown(Reason::Internal(_)));
        if internal || found == "unsafe" && expected != "unsafe" {
            return tell("chance", found, &answer);
        }
    }
    // A violation was replayed already; only its absence needs a witness.
    if expected != "unsafe"
        && has_violation(&forms[0].program, property, REFERENCE_STATES) == Some(true)
    {
        return tell("the reference", "unsafe", &());
    }
    Some(Ok(expected))
}

/// How often there was which verdict.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    safe: u32,
    violating: u32,
    unknown: u32,
    too_large: u32,
}

/// Compares the programs of some seeds; a tally for each of `PROPERTIES`.
fn compare_seeds(seeds: std::ops::Range<u64>) -> [Tally; 4] {
    let mut tallies = [Tally::default(); 4];
    let mut bad = Vec::new();
    for seed in seeds {
        let text = obmc_testing::program(Pattern::Small, seed);
        for (property, tally) in PROPERTIES.into_iter().zip(&mut tallies) {
            match compare(&text, property) {
                Some(Ok("safe")) => tally.safe += 1,
                Some(Ok("unsafe")) => tally.violating += 1,
                Some(Ok(_)) => tally.unknown += 1,
                None => tally.too_large += 1,
                Some(Err(why)) => bad.push(format!("seed {seed}, {why}\n{text}")),
            }
        }
    }
    assert!(bad.is_empty(), "{} differ:\n{}", bad.len(), bad.join("\n"));
    tallies
}

#[test]
fn random_c_programs() {
    let tallies = compare_seeds(0..12);
    let any = |count: fn(&Tally) -> u32| tallies.iter().map(count).sum::<u32>() > 0;
    assert!(any(|t| t.safe) && any(|t| t.violating), "{tallies:?}");
}

/// `scripts/fuzz programs` runs this for ever, with `FROM..TO` in the environment.
#[test]
#[ignore = "as long as you like"]
fn more_random_c_programs() {
    let range = std::env::var("OBMC_SEEDS").unwrap_or("1000..1100".into());
    let (from, to) = range.split_once("..").expect("FROM..TO");
    let seed = |text: &str| text.parse().expect("a number");
    let tallies = compare_seeds(seed(from)..seed(to));
    for (property, tally) in PROPERTIES.iter().zip(tallies) {
        eprintln!("{range} {}: {tally:?}", property.name());
    }
}
