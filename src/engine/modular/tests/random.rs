//! Whatever the modular engine calls safe the explorer calls safe, too.
//!
//! The explorer is asked only then. It may run out of time; and where the proof assumes that accesses
//! are valid it may find one that is not.

use crate::contract::{Answer, Engine, Limits, Property, Query, Reason, Settings};
use crate::engine::explore::Explorer;
use crate::engine::modular::Modular;
use analysis::{address_bits, spin};
use frontend::{LoadOptions, Source};
use ir::types::Machine;
use obmc_testing::{Pattern, Topic};
use std::ops::Range;
use std::time::{Duration, Instant};

const TIME_LIMIT: Duration = Duration::from_millis(1000);
/// For a proof of a program that may have one of any kind, and of one that needs the slow kind.
const FOR_ANY: Duration = Duration::from_millis(1000);
const FOR_PROTOCOLS: Duration = Duration::from_secs(10);
const PROPERTIES: [Property; 5] = [
    Property::NoDataRace,
    Property::UnreachCall,
    Property::NoOverflow,
    Property::NoDeadlock,
    Property::ValidMemsafety,
];

/// Seven of ten are made for this engine.
fn program(seed: u64) -> String {
    let pattern = match seed % 10 {
        0 => Pattern::Small,
        1 if seed % 20 == 1 => Pattern::Rich(Topic::Ids),
        1 => Pattern::Rich(Topic::Anything),
        2..5 => Pattern::LockInvariant,
        5 => Pattern::Rich(Topic::Limits),
        6..8 => Pattern::Counting,
        _ => Pattern::Parameterised,
    };
    obmc_testing::program(pattern, seed)
}

#[derive(Default, Debug)]
struct Tally {
    programs: u32,
    proven: u32,
    /// The explorer had no answer.
    late: u32,
    wrong: Vec<String>,
    /// How long a proof may take.
    time_limit: Duration,
}

impl Tally {
    fn seeds(
        seeds: Range<u64>,
        properties: &[Property],
        time_limit: Duration,
        program: fn(u64) -> String,
    ) -> Tally {
        let mut tally = Tally { time_limit, ..Tally::default() };
        for seed in seeds {
            let text = program(seed);
            properties.iter().for_each(|property| tally.compare(*property, seed, &text));
        }
        tally
    }

    fn compare(&mut self, property: Property, seed: u64, text: &str) {
        let machine = if seed % 7 == 3 { Machine::Ilp32 } else { Machine::Lp64 };
        let source = Source { name: "random.i", text: text.as_bytes(), moved: &[] };
        let loaded = frontend::load(&[source], machine, &LoadOptions::default());
        let mut program = analysis::prepare(loaded.unwrap_or_else(|e| panic!("{e:?}\n{text}")));
        if seed % 2 == 0 {
            let reach = property == Property::UnreachCall;
            let goal = if reach { spin::Goal::Reachability } else { spin::Goal::AnySafety };
            spin::collapse(&mut program, goal);
        }
        let settings = Settings { malloc_may_fail: seed % 5 == 2, ..Settings::default() };
        let (program, settings) = (&program, &settings);
        let until = |time: Duration| Some(Instant::now() + time);
        let limits = &Limits { deadline: until(self.time_limit), ..Limits::default() };
        let proof = Modular.check(Query { program, property, settings, limits });
        self.programs += 1;
        if !matches!(proof.answer, Answer::Safe) {
            return;
        }
        self.proven += 1;
        let limits = &Limits { deadline: until(TIME_LIMIT), ..Limits::default() };
        let judge = Explorer::default().check(Query { program, property, settings, limits });
        match judge.answer {
            Answer::Safe => {}
            Answer::Unknown(Reason::Time | Reason::Domain { .. }) => self.late += 1,
            // Where objects lie is nothing that a proof of this engine knows.
            Answer::Unknown(Reason::Unsupported { what, .. }) if what == address_bits::WHAT => {
                self.late += 1;
            }
            Answer::Unknown(_) if !proof.assumptions.is_empty() => self.late += 1,
            other => {
                let name = property.name();
                self.wrong
                    .push(format!("seed {seed}, {name}: the explorer says {other:?}\n{text}"));
            }
        }
    }
}

#[test]
fn what_is_proven_is_safe() {
    let tally = Tally::seeds(0..150, &PROPERTIES, FOR_ANY, program);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.proven * 12 > tally.programs, "{tally:?}");
    assert!(tally.proven * 6 < tally.programs * 5, "too many are easy: {tally:?}");
}

/// With `FROM..TO` in the environment.
#[test]
#[ignore = "as long as you like"]
fn more_random_programs() {
    more(&PROPERTIES, program);
}

#[test]
#[ignore = "as long as you like"]
fn more_programs_that_count() {
    more(&[Property::UnreachCall], |seed| obmc_testing::program(Pattern::Counting, seed));
}

#[test]
fn protocols_that_are_proven_are_safe() {
    let program = |seed| obmc_testing::program(Pattern::Protocol, seed);
    let tally = Tally::seeds(0..16, &[Property::UnreachCall], FOR_PROTOCOLS, program);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.proven * 6 > tally.programs, "{tally:?}");
    assert!(tally.proven * 6 < tally.programs * 5, "too many are easy: {tally:?}");
}

#[test]
#[ignore = "as long as you like"]
fn more_protocols() {
    more(&[Property::UnreachCall, Property::NoDataRace], |seed| {
        obmc_testing::program(Pattern::Protocol, seed)
    });
}

fn more(properties: &[Property], program: fn(u64) -> String) {
    let range = std::env::var("OBMC_SEEDS").unwrap_or("1000..1100".into());
    let (from, to) = range.split_once("..").expect("FROM..TO");
    let seed = |text: &str| text.parse().expect("a number");
    let tally = Tally::seeds(seed(from)..seed(to), properties, FOR_PROTOCOLS, program);
    let (programs, proven, late) = (tally.programs, tally.proven, tally.late);
    eprintln!("{range}: {programs} asked, {proven} proven, {late} not judged");
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}
