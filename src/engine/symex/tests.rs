//! Random programs: verdicts are those of the explorer, with each reduction.

use super::Symex;
use crate::contract::Property;
use crate::engine::judged::{Asked, Tally};
use obmc_testing::{Pattern, Topic};
use reach::options::Cover;
use reach::por::Por;

fn ask(seed: u64) -> Asked {
    let pattern = match seed % 10 {
        0..5 => Pattern::Small,
        5 => Pattern::Elements,
        6 => Pattern::Rich(Topic::Ids),
        7 | 8 => Pattern::Rich(Topic::Anything),
        _ => Pattern::Counting,
    };
    let por = [Por::Quasi, Por::Quasi, Por::Local, Por::Off][(seed / 10 % 4) as usize];
    let cover = [Cover::Subsume, Cover::Off][(seed / 40 % 2) as usize];
    Asked {
        text: obmc_testing::program(pattern, seed),
        property: if seed % 3 == 2 { Property::NoDeadlock } else { Property::UnreachCall },
        collapse: false,
        engine: Box::new(Symex { por, cover, depth: None }),
    }
}

#[test]
fn verdicts_are_those_of_the_explorer() {
    let tally = Tally::seeds(0..80, ask);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.safe > 3 && tally.violated > 3, "{tally:?}");
}

/// With `FROM..TO` in the environment.
#[test]
#[ignore = "as long as you like"]
fn more_random_programs() {
    Tally::long(ask);
}
