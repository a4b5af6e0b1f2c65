use super::*;
use crate::testing::{Builder, Shape, generate, goals_reached};

/// All rules, each rule alone, and all but one.
fn all_options() -> Vec<Options> {
    let mut all = vec![Options::default()];
    all.extend(Rule::ALL.map(|rule| Options::only(&[rule])));
    all.extend(Rule::ALL.map(|rule| Options::default().without(rule)));
    all
}

fn check(shape: Shape, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let original = generate(shape, seed);
        let expected = goals_reached(&original);
        for options in all_options() {
            let mut pruned = original.clone();
            prune(&mut pruned, &options);
            let got = goals_reached(&pruned);
            assert_eq!(got, expected, "seed {seed} with {options:?}");
        }
    }
}

#[test]
fn rules_keep_what_is_reachable() {
    check(Shape::default(), 0..150);
}

#[test]
fn rules_keep_what_is_reachable_with_three_threads_and_one_cell() {
    check(Shape { threads: 3, statements: 2, cells: 1, reads: 3, inputs_only: false }, 0..100);
}
