//! Thousands of random runs, every step held against the slow reference implementation.

use crate::testing::{Recorder, Script, Shape, fails, generate, replay, shrink};
use crate::{Cell, Config, Lit};

/// One cell, literals with several roles.
const SMALL: Shape =
    Shape { chains: 3, nodes: 6, cells: 1, vars: 9, rfs: 8, pairs: 2, aliases: 0, steps: 60 };
/// Addresses that are only sometimes equal.
const ALIASED: Shape =
    Shape { chains: 3, nodes: 7, cells: 3, vars: 12, rfs: 20, pairs: 2, aliases: 6, steps: 60 };
/// Longer chains, more literals.
const WIDE: Shape =
    Shape { chains: 4, nodes: 12, cells: 2, vars: 24, rfs: 40, pairs: 6, aliases: 2, steps: 90 };
/// As an encoder would do it: every role has its own literal. Long proofs.
const PLAIN: Shape =
    Shape { chains: 5, nodes: 14, cells: 3, vars: 0, rfs: 60, pairs: 3, aliases: 1, steps: 120 };

/// Many writes that always happen, hence many derived edges.
const DENSE: Shape =
    Shape { chains: 5, nodes: 12, cells: 2, vars: 0, rfs: 60, pairs: 0, aliases: 0, steps: 120 };

/// Runs many seeds; a failure is shrunk and printed as a script.
fn random_runs(shape: Shape, seeds: std::ops::Range<u64>) {
    let config = Config::default();
    let (mut closed, mut conflicts, mut explained, mut derived) = (0, 0, 0, 0);
    let (mut literals, mut superfluous, mut longest) = (0, 0, 0);
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
        derived += summary.derived;
        longest = longest.max(summary.longest);
    }
    println!("closed {closed}, conflicts {conflicts}, explained {explained}, derived {derived}");
    println!("literals {literals}, superfluous {superfluous}, longest {longest}");
    let runs = seeds.end - seeds.start;
    assert!(closed > runs && conflicts > runs / 10, "the runs do little");
    assert!(explained > runs && derived > runs / 3, "the runs find little");
    assert!(superfluous * 100 <= literals, "{superfluous} of {literals} literals are superfluous");
}

#[test]
fn small() {
    random_runs(SMALL, 0..2000);
}

#[test]
fn aliased() {
    random_runs(ALIASED, 0..1000);
}

#[test]
fn wide() {
    random_runs(WIDE, 0..300);
}

#[test]
fn plain() {
    random_runs(PLAIN, 0..300);
}

#[test]
fn dense() {
    random_runs(DENSE, 0..400);
}

/// `cargo test -p obmc-theory --release -- --ignored --nocapture`; the seeds are other ones.
#[test]
#[ignore = "takes minutes"]
fn many() {
    random_runs(SMALL, 100_000..150_000);
    random_runs(ALIASED, 100_000..120_000);
    random_runs(WIDE, 100_000..110_000);
    random_runs(PLAIN, 100_000..110_000);
    random_runs(DENSE, 100_000..120_000);
}

#[test]
fn without_minimization_everything_still_holds() {
    for seed in 0..300 {
        let config = Config { minimize: false };
        let error = fails(&generate(ALIASED, seed), config);
        assert_eq!(error, None, "seed {seed}");
    }
}

#[test]
fn a_script_is_its_text() {
    for shape in [SMALL, ALIASED, PLAIN] {
        let script = generate(shape, 7);
        assert_eq!(script.to_string().parse::<Script>(), Ok(script));
    }
    assert!("assign 0".parse::<Script>().is_err());
    assert!("node 1".parse::<Script>().is_err());
}

#[test]
fn shrinking_keeps_only_what_matters() {
    let script = generate(SMALL, 3);
    let wanted = |script: &Script| {
        script.to_string().contains("push\n") && script.to_string().contains("propagate\n")
    };
    assert_eq!(shrink(&script, wanted).0.len(), 2);
}

/// Runs that once went wrong, shrunk.
const RECORDED: [&str; 3] = [
    // Two candidates under one literal: nothing to deny, whichever is read.
    "node 0 in 0\n read 0 at 0 cell 0\n write 0 at 0 cell 0\n node 1 in 1\n read 1 at 1 cell 0
     write 1 at 1 cell 0\n node 2 in 2\n write 2 at 2 cell 0 if 8\n rf 9 2 0\n rf 9 2 1\n propagate",
    // An implied literal of level 0 that is echoed above it.
    "node 0 in 0\n node 1 after 0\n node 7 in 0\n before 8 7 1\n push\n echo\n propagate\n back 0
     propagate",
    // The first fact about one cell needs a fact about the other.
    "node 0 in 0\n node 1 in 1\n node 2 in 1\n node 3 in 1\n node 4 in 2\n node 5 in 2\n node 6 in 3
     edge 0 1\n edge 0 4\n edge 0 6\n write 0 at 0 cell 1\n write 1 at 1 cell 1\n read 0 at 2 cell 0
     read 1 at 3 cell 0\n write 2 at 4 cell 0\n read 2 at 5 cell 1\n write 3 at 6 cell 0
     rf 1 3 0\n rf 2 2 1\n rf 3 0 2\n push\n assign 1\n propagate\n assign 2\n propagate\n assign 3
     propagate\n back 0\n push\n assign 3\n propagate\n assign 2\n propagate\n assign 1\n propagate",
];

#[test]
fn recorded_runs_stay_right() {
    for text in RECORDED {
        let script: Script = text.parse().unwrap();
        assert!(replay(&script, Config::default()).unwrap().closed > 0);
    }
}

#[test]
fn a_recorded_run_replays() {
    let mut recorder = Recorder::new(Config::default());
    let (t, u) = (recorder.add_chain(), recorder.add_chain());
    let (a, b) = (recorder.add_node(t), recorder.add_node(u));
    let (w, r) = (recorder.add_write(a, Cell(0), None), recorder.add_read(b, Cell(0)));
    let [rf, back] = [1, 2].map(Lit::from_dimacs);
    recorder.add_rf(rf, w, r);
    recorder.add_before(back, b, a);
    for lit in [rf, back] {
        recorder.push();
        recorder.assign(lit);
    }
    assert_eq!(recorder.propagate().unwrap_err().lits, [back, rf]);
    let summary = replay(recorder.script(), Config::default()).unwrap();
    assert_eq!((summary.closed, summary.conflicts), (0, 1));
}
