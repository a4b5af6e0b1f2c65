//! Random programs: verdicts are those of the explorer, with each reduction.

use super::Symex;
use crate::contract::{Answer, Engine, Limits, Property, Query, Reason, Settings};
use crate::engine::explore::Explorer;
use analysis::address_bits;
use frontend::{LoadOptions, Source};
use ir::types::Machine;
use obmc_testing::{Pattern, Topic};
use reach::options::Cover;
use reach::por::Por;
use std::ops::Range;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_millis(1500);

fn program(seed: u64) -> String {
    let pattern = match seed % 10 {
        0..6 => Pattern::Small,
        6 => Pattern::Rich(Topic::Ids),
        7 | 8 => Pattern::Rich(Topic::Anything),
        _ => Pattern::Counting,
    };
    obmc_testing::program(pattern, seed)
}

fn engine(seed: u64) -> Symex {
    let por = [Por::Quasi, Por::Quasi, Por::Local, Por::Off][(seed / 10 % 4) as usize];
    let cover = [Cover::Subsume, Cover::Off][(seed / 40 % 2) as usize];
    Symex { por, cover, depth: None }
}

#[derive(Default, Debug)]
struct Tally {
    safe: u32,
    violated: u32,
    /// The explorer had no answer.
    late: u32,
    /// Executions of exact systems that did not replay.
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
        let program = analysis::prepare(loaded.unwrap_or_else(|e| panic!("{e:?}\n{text}")));
        let settings = Settings { malloc_may_fail: seed % 5 == 2, ..Settings::default() };
        let limits = || Limits { deadline: Some(Instant::now() + PATIENCE), ..Limits::default() };
        let property = if seed % 3 == 2 { Property::NoDeadlock } else { Property::UnreachCall };
        let (program, settings) = (&program, &settings);
        let limits_of_paths = limits();
        let query = Query { program, property, settings, limits: &limits_of_paths };
        let found = engine(seed).check(query).answer;
        let safe = match &found {
            Answer::Safe => true,
            Answer::Unsafe(_) => false,
            Answer::Unknown(Reason::Internal(why)) => {
                return self.wrong.push(format!("seed {seed}: {why}\n{text}"));
            }
            Answer::Unknown(Reason::Other(why)) if why.contains("does not replay") => {
                log::warn!("seed {seed}: {why}");
                self.lost += 1;
                return;
            }
            _ => return,
        };
        *(if safe { &mut self.safe } else { &mut self.violated }) += 1;
        let limits_of_judge = limits();
        let judge = Explorer::default().check(Query { limits: &limits_of_judge, ..query });
        match judge.answer {
            Answer::Safe if safe => {}
            Answer::Unsafe(_) if !safe => {}
            Answer::Unknown(Reason::Time | Reason::Domain { .. }) => self.late += 1,
            Answer::Unknown(Reason::Unsupported { what, .. }) if what == address_bits::WHAT => {
                self.late += 1;
            }
            Answer::Unknown(_) if !safe => self.late += 1,
            other => self.wrong.push(format!(
                "seed {seed}, {}: safe {safe}, and the explorer says {other:?}\n{text}",
                property.name()
            )),
        }
    }
}

#[test]
fn verdicts_are_those_of_the_explorer() {
    let tally = Tally::seeds(0..80);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.safe > 3 && tally.violated > 3, "{tally:?}");
}

/// With `FROM..TO` in the environment.
#[test]
#[ignore = "as long as you like"]
fn more_random_programs() {
    let range = std::env::var("OBMC_SEEDS").unwrap_or("1000..1100".into());
    let (from, to) = range.split_once("..").expect("FROM..TO");
    let seed = |text: &str| text.parse().expect("a number");
    let tally = Tally::seeds(seed(from)..seed(to));
    let Tally { safe, violated, late, lost, .. } = tally;
    eprintln!("{range}: {safe} safe, {violated} violated, {late} not judged, {lost} not replayed");
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}
