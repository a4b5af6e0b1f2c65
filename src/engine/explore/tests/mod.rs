//! Tests of the explorer as a whole: `programs` by hand, `random` and `c` against the `twin`.

mod build;
mod c;
mod programs;
mod random;
mod twin;

use super::{Explorer, Por};
use crate::engine::{Answer, Engine, Limits, Property, Reason, Settings, Verdict};
use frontend::ir::Program;

fn verdict(program: &Program, property: Property, por: Por) -> Verdict {
    let mut engine = Explorer { por, ..Explorer::default() };
    engine.check(program, property, &Settings::default(), &Limits::default())
}

fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Safe => "safe",
        Answer::Bounded { .. } => "bounded",
        Answer::Unsafe(_) => "unsafe",
        Answer::Unknown(_) => "unknown",
    }
}

/// The answer with and without reduction, which must be the same.
fn check(program: &Program, property: Property) -> Answer {
    let reduced = verdict(program, property, Por::On);
    let full = verdict(program, property, Por::Off);
    assert_eq!(word(&reduced.answer), word(&full.answer), "{reduced:#?}\n{full:#?}");
    reduced.answer
}

fn states(verdict: &Verdict) -> u64 {
    verdict.stats.iter().find(|(name, _)| *name == "states").map_or(0, |&(_, n)| n)
}
