//! Random programs with the explorer or bmc as the judge, all options crossed. (`tests/cases/prove` has programs
//! in pairs.) Certificates are checked in every test: debug builds do so.

use crate::contract::Property;
use crate::engine::judged::{Asked, Judge, Tally};
use crate::engine::prove::Prove;
use obmc_testing::{Pattern, Topic};
use reach::coi::Coi;
use reach::graph::SearchOrder;
use reach::options::{Abstraction, Cover, Options, Refiner};
use reach::por::Por;

fn ask(seed: u64) -> Asked {
    let pattern = match seed % 10 {
        0..4 => Pattern::Small,
        4 => Pattern::Elements,
        5 => Pattern::Rich(Topic::Ids),
        6 | 7 => Pattern::Rich(Topic::Anything),
        8 => Pattern::LockInvariant,
        _ => Pattern::Counting,
    };
    Asked {
        text: obmc_testing::program(pattern, seed),
        property: Property::UnreachCall,
        collapse: seed % 2 == 0,
        engine: Box::new(Prove { options: options(seed), ..Prove::default() }),
    }
}

/// Steps on elements of an array, which may commute.
fn ask_elements(seed: u64) -> Asked {
    let options = Options {
        por: Por::Conditional,
        cover: [Cover::Force, Cover::Subsume, Cover::Off][(seed % 3) as usize],
        refine: [Refiner::Wp, Refiner::Newton][(seed / 3 % 2) as usize],
        domain: [Abstraction::None, Abstraction::Explicit][(seed / 6 % 2) as usize],
        ..Options::lazy()
    };
    Asked {
        text: obmc_testing::program(Pattern::Elements, seed),
        property: Property::UnreachCall,
        collapse: false,
        engine: Box::new(Prove { options, ..Prove::default() }),
    }
}

/// All of them crossed.
fn options(seed: u64) -> Options {
    let mut rest = seed / 10;
    let mut pick = |count: u64| {
        let choice = rest % count;
        rest /= count;
        choice as usize
    };
    let lazy = pick(3) == 0;
    let search = [SearchOrder::Breadth, SearchOrder::Depth][pick(2)];
    if lazy {
        return Options {
            por: [Por::Monotonic, Por::Conditional, Por::Off][pick(3)],
            cover: [Cover::Force, Cover::Subsume, Cover::Off][pick(3)],
            refine: [Refiner::Wp, Refiner::Newton][pick(2)],
            domain: [Abstraction::None, Abstraction::Explicit][pick(2)],
            coi: [Coi::Static, Coi::Off][pick(2)],
            search,
            ..Options::lazy()
        };
    }
    Options {
        por: [Por::Aware, Por::Static, Por::Local, Por::Off][pick(4)],
        coi: [Coi::Dynamic, Coi::Static, Coi::Off][pick(3)],
        domain: [Abstraction::Predicates, Abstraction::Explicit, Abstraction::Intervals][pick(3)],
        cover: [Cover::Subsume, Cover::Off][pick(2)],
        refine: [Refiner::Newton, Refiner::Wp, Refiner::Houdini, Refiner::Chc][pick(4)],
        search,
        ..Options::eager()
    }
}

#[test]
fn what_is_proven_is_safe() {
    let tally = Tally::seeds(0..60, ask);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.safe > 3 && tally.violated > 3 && tally.lost == 0, "{tally:?}");
}

#[test]
fn what_is_proven_is_safe_for_bmc() {
    let tally = Tally::judged(Judge::Bmc, 60..90, ask);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.safe > 1 && tally.violated > 1 && tally.late < tally.asked / 2, "{tally:?}");
}

#[test]
fn elements_that_differ_commute() {
    let tally = Tally::seeds(0..30, ask_elements);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.safe > 3 && tally.violated > 3 && tally.lost == 0, "{tally:?}");
}

/// With `FROM..TO` in the environment.
#[test]
#[ignore = "as long as you like"]
fn more_elements() {
    Tally::long(ask_elements);
}

/// With `FROM..TO` in the environment.
#[test]
#[ignore = "as long as you like"]
fn more_random_programs() {
    Tally::long(ask);
}
