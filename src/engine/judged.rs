//! Random programs with another engine as the judge, the explorer or bmc: whatever an engine says, its
//! judge says, too, if it has an answer. Executions of systems that are not weaker than the program replay.

use crate::contract::{Answer, Engine, Limits, Property, Query, Reason, Settings};
use crate::engine::bmc::Bmc;
use crate::engine::explore::Explorer;
use analysis::{address_bits, spin};
use frontend::{LoadOptions, Source};
use ir::types::Machine;
use std::ops::Range;
use std::time::{Duration, Instant};

const TIME_LIMIT: Duration = Duration::from_millis(1500);

/// A question to an engine.
pub struct Asked {
    pub text: String,
    pub property: Property,
    /// Loops that only wait become waits.
    pub collapse: bool,
    pub engine: Box<dyn Engine>,
}

/// Who knows the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Judge {
    #[default]
    Explorer,
    Bmc,
}

impl Judge {
    /// `OBMC_JUDGE` of the environment.
    fn asked_for() -> Judge {
        match std::env::var("OBMC_JUDGE").as_deref() {
            Ok("bmc") => Judge::Bmc,
            Ok("explore") | Err(_) => Judge::Explorer,
            Ok(other) => panic!("no judge is called {other}"),
        }
    }

    fn engine(self) -> Box<dyn Engine> {
        match self {
            Judge::Explorer => Box::new(Explorer::default()),
            Judge::Bmc => Box::new(Bmc::default()),
        }
    }
}

#[derive(Default, Debug)]
pub struct Tally {
    pub judge: Judge,
    pub asked: u32,
    pub safe: u32,
    pub violated: u32,
    /// The judge had no answer.
    pub late: u32,
    /// Executions of exact systems that did not replay.
    pub lost: u32,
    pub wrong: Vec<String>,
}

impl Tally {
    pub fn seeds(seeds: Range<u64>, ask: impl Fn(u64) -> Asked) -> Tally {
        Tally::judged(Judge::Explorer, seeds, ask)
    }

    pub fn judged(judge: Judge, seeds: Range<u64>, ask: impl Fn(u64) -> Asked) -> Tally {
        let mut tally = Tally { judge, ..Tally::default() };
        seeds.for_each(|seed| tally.compare(seed, &ask(seed)));
        tally
    }

    /// Seeds `FROM..TO` (`OBMC_SEEDS`) and judge (`OBMC_JUDGE`) of the environment.
    pub fn long(ask: impl Fn(u64) -> Asked) {
        let range = std::env::var("OBMC_SEEDS").unwrap_or("1000..1100".into());
        let (from, to) = range.split_once("..").expect("FROM..TO");
        let seed = |text: &str| text.parse().expect("a number");
        let tally = Tally::judged(Judge::asked_for(), seed(from)..seed(to), ask);
        let Tally { judge, asked, safe, violated, late, lost, .. } = tally;
        eprintln!(
            "{range}, {judge:?}: {asked} asked, {safe} safe, {violated} violated, {late} not judged, {lost} lost"
        );
        assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    }

    fn compare(&mut self, seed: u64, asked: &Asked) {
        let Asked { text, property, collapse, engine } = asked;
        let machine = if seed % 7 == 3 { Machine::Ilp32 } else { Machine::Lp64 };
        let source = Source { name: "random.i", text: text.as_bytes(), moved: &[] };
        let loaded = frontend::load(&[source], machine, &LoadOptions::default());
        let mut program = analysis::prepare(loaded.unwrap_or_else(|e| panic!("{e:?}\n{text}")));
        if let (true, Some(goal)) = (*collapse, spin::Goal::of(*property)) {
            spin::collapse(&mut program, goal);
        }
        let settings = Settings { malloc_may_fail: seed % 5 == 2, ..Settings::default() };
        let (program, settings, property) = (&program, &settings, *property);
        let answer = |engine: &dyn Engine| {
            let deadline = Some(Instant::now() + TIME_LIMIT);
            let limits = Limits { deadline, ..Limits::default() };
            engine.check(Query { program, property, settings, limits: &limits }).answer
        };
        self.asked += 1;
        let Some(safe) = self.said(seed, text, answer(engine.as_ref())) else { return };
        *(if safe { &mut self.safe } else { &mut self.violated }) += 1;
        match answer(self.judge.engine().as_ref()) {
            Answer::Safe if safe => {}
            Answer::Unsafe(_) if !safe => {}
            Answer::Unknown(Reason::Time | Reason::Domain { .. }) => self.late += 1,
            Answer::Unknown(Reason::Unsupported { what, .. }) if what == address_bits::WHAT => {
                self.late += 1;
            }
            Answer::Bounded { .. } if self.judge == Judge::Bmc => self.late += 1,
            Answer::Unknown(_) if !safe => self.late += 1,
            other => self.wrong.push(format!(
                "seed {seed}, {}: safe {safe}, and {:?} says {other:?}\n{text}",
                property.name(),
                self.judge
            )),
        }
    }

    /// Whether the engine calls it safe, if it has an answer.
    fn said(&mut self, seed: u64, text: &str, answer: Answer) -> Option<bool> {
        match answer {
            Answer::Safe => return Some(true),
            Answer::Unsafe(_) => return Some(false),
            Answer::Unknown(Reason::Internal(why)) => {
                self.wrong.push(format!("seed {seed}: {why}\n{text}"));
            }
            Answer::Unknown(Reason::Other(why)) if why.contains("does not replay") => {
                log::warn!("seed {seed}: {why}");
                self.lost += 1;
            }
            _ => {}
        }
        None
    }
}
