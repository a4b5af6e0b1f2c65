//! Random C programs: with and without reduction, before and after every pass, the verdict is the
//! same, and it is the twin's.

use super::twin::has_violation;
use super::*;
use crate::engine::deepen;
use crate::engine::random_c;
use frontend::pass::{self, inline, spin, unroll};
use frontend::types::Machine;
use frontend::{LoadOptions, Source};
use std::time::{Duration, Instant};

const PROPERTIES: [Property; 4] =
    [Property::UnreachCall, Property::NoDataRace, Property::NoDeadlock, Property::ValidMemsafety];
/// More rounds than any `for` of a random program has.
const ENOUGH: u32 = 4;
/// For one question; a program that needs longer is too large.
const PATIENCE: Duration = Duration::from_millis(300);

/// A program in one of its forms.
struct Form {
    name: &'static str,
    program: Program,
    /// Loops were cut off that may go on.
    cut: bool,
}

fn load(text: &str, property: Property) -> Program {
    let source = Source { name: "random.i", text: text.as_bytes() };
    let spurious_wakeups = property != Property::NoDeadlock;
    let options = LoadOptions { spurious_wakeups, ..LoadOptions::default() };
    frontend::load(&[source], Machine::Lp64, &options).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// Everything that passes make of a program and that must behave like it.
fn forms(text: &str, property: Property) -> Vec<Form> {
    let raw = load(text, property);
    let prepared = pass::prepare(raw.clone());
    let cut = text.contains("while (");
    let bounds = unroll::Bounds::all(ENOUGH);
    let bounded = deepen::bounded(&prepared, &|_| Some(ENOUGH)).expect("small");
    let calls = inline::Limits::default();
    let flat = pass::unrolled(prepared.clone(), &bounds, 10, &calls).expect("small").0;
    let mut forms = vec![
        Form { name: "raw", program: raw, cut: false },
        Form { name: "unrolled", program: bounded, cut },
        Form { name: "flat", program: flat, cut },
    ];
    let goal = match property {
        Property::UnreachCall => Some(spin::Goal::Reachability),
        Property::NoDeadlock => None,
        _ => Some(spin::Goal::AnySafety),
    };
    if let Some(goal) = goal {
        let mut collapsed = prepared.clone();
        spin::collapse(&mut collapsed, goal);
        forms.push(Form { name: "collapsed", program: collapsed, cut: false });
    }
    forms.insert(0, Form { name: "prepared", program: prepared, cut: false });
    forms
}

/// The verdict in a word; `None` for a program that is too large for a test.
fn ask(program: &Program, property: Property, por: Por) -> Option<(&'static str, Answer)> {
    let mut engine = Explorer { por, ..Explorer::default() };
    let limits = Limits { deadline: Some(Instant::now() + PATIENCE), ..Limits::default() };
    let verdict = engine.check(program, property, &Settings::default(), &limits);
    let word = word(&verdict.answer);
    match verdict.answer {
        Answer::Unknown(Reason::Time) => None,
        answer => Some((word, answer)),
    }
}

/// All forms against the first: its verdict, or what differs. `None` where it is too large.
fn compare(text: &str, property: Property) -> Option<Result<&'static str, String>> {
    let forms = forms(text, property);
    let (expected, first) = ask(&forms[0].program, property, Por::On)?;
    let tell = |name: &str, found: &str, answer: &dyn std::fmt::Debug| {
        Some(Err(format!("{property:?}: {expected}, but {name} {found}: {answer:?}; {first:?}")))
    };
    if expected == "bounded" || matches!(first, Answer::Unknown(Reason::Internal(_))) {
        return tell("never", expected, &());
    }
    for form in &forms {
        for por in [Por::On, Por::Off] {
            let Some((found, answer)) = ask(&form.program, property, por) else { continue };
            let within = form.cut && found == "bounded" && expected != "unknown";
            if found != expected && !within {
                return tell(&format!("{} {por:?}", form.name), found, &answer);
            }
        }
    }
    let twin = has_violation(&forms[0].program, property, 20_000);
    if let Some(twin) = twin.filter(|&twin| twin != (expected == "unsafe")) {
        return tell("twin", if twin { "unsafe" } else { "safe" }, &());
    }
    Some(Ok(expected))
}

/// Compares the programs of some seeds; gives how often there was which verdict.
fn compare_seeds(seeds: std::ops::Range<u64>) -> [u32; 4] {
    let mut counts = [0; 4];
    let mut bad = Vec::new();
    for seed in seeds {
        let text = random_c::program(seed);
        for property in PROPERTIES {
            let i = match compare(&text, property) {
                Some(Ok("safe")) => 0,
                Some(Ok("unsafe")) => 1,
                Some(Ok(_)) => 2,
                None => 3,
                Some(Err(why)) => {
                    bad.push(format!("seed {seed}, {why}"));
                    continue;
                }
            };
            counts[i] += 1;
        }
    }
    assert!(bad.is_empty(), "{} differ:\n{}", bad.len(), bad.join("\n"));
    counts
}

#[test]
fn random_c_programs() {
    let [safe, violating, ..] = compare_seeds(0..40);
    assert!(safe > 30 && violating > 30, "one-sided: {safe} {violating}");
}

/// `scripts/fuzz programs` runs this for ever, with `FROM..TO` in the environment.
#[test]
#[ignore = "as long as you like"]
fn more_random_c_programs() {
    let range = std::env::var("OBMC_SEEDS").unwrap_or("1000..1100".into());
    let (from, to) = range.split_once("..").expect("FROM..TO");
    let seed = |text: &str| text.parse().expect("a number");
    let [safe, violating, unknown, large] = compare_seeds(seed(from)..seed(to));
    eprintln!("{range}: {safe} safe, {violating} unsafe, {unknown} unknown, {large} too large");
}
