//! Whatever is proven the explorer calls safe, too, and what is violated unsafe. Executions of systems
//! that are not weaker than the program replay.
//!
//! Certificates are checked in every test: debug builds do so.

use crate::contract::{Answer, Engine, Limits, Property, Query, Reason, Settings};
use crate::engine::explore::Explorer;
use crate::engine::prove::Prove;
use analysis::{address_bits, spin};
use frontend::{LoadOptions, Source};
use ir::types::Machine;
use obmc_testing::{Pattern, Topic};
use reach::coi::Coi;
use reach::graph::Search;
use reach::options::{Abstraction, Cover, Options};
use reach::por::Por;
use std::ops::Range;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_millis(1500);

fn program(seed: u64) -> String {
    let pattern = match seed % 10 {
        0..5 => Pattern::Small,
        5 => Pattern::Rich(Topic::Ids),
        6 | 7 => Pattern::Rich(Topic::Anything),
        8 => Pattern::LockInvariant,
        _ => Pattern::Counting,
    };
    obmc_testing::program(pattern, seed)
}

/// All of them crossed.
fn options(seed: u64) -> Options {
    let mut rest = seed / 10;
    let mut pick = |count: u64| {
        let choice = rest % count;
        rest /= count;
        choice as usize
    };
    Options {
        por: [Por::Aware, Por::Static, Por::Local, Por::Off][pick(4)],
        coi: [Coi::Dynamic, Coi::Static, Coi::Off][pick(3)],
        domain: [Abstraction::Predicates, Abstraction::Explicit][pick(2)],
        cover: [Cover::Subsume, Cover::Off][pick(2)],
        search: [Search::Breadth, Search::Depth][pick(2)],
    }
}

#[derive(Default, Debug)]
struct Tally {
    programs: u32,
    proven: u32,
    reached: u32,
    /// The explorer had no answer.
    late: u32,
    /// Executions that did not replay.
    lost: u32,
    wrong: Vec<String>,
}

impl Tally {
    fn seeds(seeds: Range<u64>) -> Tally {
        let mut tally = Tally::default();
        seeds.for_each(|seed| tally.compare(seed, &program(seed)));
        tally
    }

    fn compare(&mut self, seed: u64, text: &str) {
        let machine = if seed % 7 == 3 { Machine::Ilp32 } else { Machine::Lp64 };
        let source = Source { name: "random.i", text: text.as_bytes() };
        let loaded = frontend::load(&[source], machine, &LoadOptions::default());
        let mut program = analysis::prepare(loaded.unwrap_or_else(|e| panic!("{e:?}\n{text}")));
        if seed % 2 == 0 {
            spin::collapse(&mut program, spin::Goal::Reachability);
        }
        let settings = Settings { malloc_may_fail: seed % 5 == 2, ..Settings::default() };
        let limits = || Limits { deadline: Some(Instant::now() + PATIENCE), ..Limits::default() };
        let (program, settings, property) = (&program, &settings, Property::UnreachCall);
        let limits_of_proof = limits();
        let query = Query { program, property, settings, limits: &limits_of_proof };
        let found = Prove { options: options(seed), ..Prove::default() }.check(query).answer;
        self.programs += 1;
        let safe = match &found {
            Answer::Safe => true,
            Answer::Unsafe(_) => false,
            Answer::Unknown(Reason::Other(why)) if why.contains("does not replay") => {
                self.lost += 1;
                return;
            }
            Answer::Unknown(Reason::Internal(why)) => {
                self.wrong.push(format!("seed {seed}: {why}\n{text}"));
                return;
            }
            _ => return,
        };
        let limits_of_judge = limits();
        let judge = Explorer::default().check(Query { limits: &limits_of_judge, ..query });
        *(if safe { &mut self.proven } else { &mut self.reached }) += 1;
        match judge.answer {
            Answer::Safe if safe => {}
            Answer::Unsafe(_) if !safe => {}
            Answer::Unknown(Reason::Time | Reason::Domain { .. }) => self.late += 1,
            Answer::Unknown(Reason::Unsupported { what, .. }) if what == address_bits::WHAT => {
                self.late += 1;
            }
            Answer::Unknown(_) if !safe => self.late += 1,
            other => {
                let said = if safe { "safe" } else { "reachable" };
                self.wrong
                    .push(format!("seed {seed}: {said}, and the explorer says {other:?}\n{text}"));
            }
        }
    }
}

#[test]
fn what_is_proven_is_safe() {
    let tally = Tally::seeds(0..60);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.proven > 3 && tally.reached > 3 && tally.lost == 0, "{tally:?}");
}

/// With `FROM..TO` in the environment.
#[test]
#[ignore = "as long as you like"]
fn more_random_programs() {
    let range = std::env::var("OBMC_SEEDS").unwrap_or("1000..1100".into());
    let (from, to) = range.split_once("..").expect("FROM..TO");
    let seed = |text: &str| text.parse().expect("a number");
    let tally = Tally::seeds(seed(from)..seed(to));
    let Tally { programs, proven, reached, late, lost, .. } = tally;
    eprintln!(
        "{range}: {programs} asked, {proven} proven, {reached} reached, {late} not judged, {lost} lost"
    );
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}
