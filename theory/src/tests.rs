//! Does it do what the papers say? Rules by example, then everything at random against the twin.

use crate::testing::{Expect::*, Script, Shape, check, fails, generate, replay, shrink};
use crate::{Cell, Config, Lit, Theory};

const SMALL: Shape =
    Shape { chains: 3, nodes: 6, cells: 1, vars: 9, rfs: 8, pairs: 2, aliases: 0, steps: 60 };
const ALIASED: Shape =
    Shape { chains: 3, nodes: 7, cells: 3, vars: 12, rfs: 20, pairs: 2, aliases: 6, steps: 60 };
const WIDE: Shape =
    Shape { chains: 4, nodes: 12, cells: 2, vars: 24, rfs: 40, pairs: 6, aliases: 2, steps: 90 };

/// Runs many seeds; a failure is shrunk and printed as a script.
fn random_runs(shape: Shape, seeds: std::ops::Range<u64>) {
    let config = Config::default();
    let (mut closed, mut conflicts, mut explained) = (0, 0, 0);
    let (mut literals, mut superfluous) = (0, 0);
    for seed in seeds.clone() {
        let script = generate(shape, seed);
        if let Some(error) = fails(&script, config) {
            let small = shrink(&script, |script| fails(script, config).is_some());
            panic!("seed {seed}: {error}; {:?}\n{small}", fails(&small, config));
        }
        let summary = replay(&script, config).unwrap();
        closed += summary.closed;
        conflicts += summary.conflicts;
        explained += summary.explained;
        literals += summary.literals;
        superfluous += summary.superfluous;
    }
    println!("closed {closed}, conflicts {conflicts}, explained {explained}");
    println!("literals {literals}, superfluous {superfluous}");
    let runs = seeds.end - seeds.start;
    assert!(closed > runs && conflicts > runs / 10 && explained > runs, "the runs do little");
    assert!(superfluous * 100 <= literals, "{superfluous} of {literals} literals are superfluous");
}

#[test]
fn random_small() {
    random_runs(SMALL, 0..3000);
}

#[test]
fn random_aliased() {
    random_runs(ALIASED, 0..2000);
}

#[test]
fn random_wide() {
    random_runs(WIDE, 0..1000);
}
