//! Tests of the explorer as a whole: `programs` by hand, `low_bits`, `random`, `c` and `livelock` against the
//! `reference`.

mod build;
mod c;
mod livelock;
mod low_bits;
mod programs;
mod random;
mod reference;

use super::{Explorer, Merge, Por};
use crate::contract::{Answer, Engine, Limits, Property, Query, Reason, Settings, Verdict};
use ir::Program;

fn verdict(program: &Program, property: Property, por: Por) -> Verdict {
    ask(program, property, por, &Limits::default())
}

fn ask(program: &Program, property: Property, por: Por, limits: &Limits) -> Verdict {
    let settings = &Settings::default();
    Explorer { por, ..Explorer::default() }.check(Query { program, property, settings, limits })
}

/// With eager accesses and merged states from the first state on.
fn eagerly(program: &Program, property: Property) -> Verdict {
    from_the_first(program, property, Merge::On)
}

fn from_the_first(program: &Program, property: Property, merge: Merge) -> Verdict {
    let (settings, limits) = (&Settings::default(), &Limits::default());
    let explorer = Explorer { small: 0, merge, ..Explorer::default() };
    explorer.check(Query { program, property, settings, limits })
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
    let eager = eagerly(program, property);
    assert_eq!(word(&eager.answer), word(&full.answer), "{eager:#?}\n{full:#?}");
    reduced.answer
}

fn states(verdict: &Verdict) -> u64 {
    verdict.stats.iter().find(|(name, _)| *name == "states").map_or(0, |&(_, n)| n)
}
