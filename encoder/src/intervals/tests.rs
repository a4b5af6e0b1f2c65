use super::*;
use crate::prune::{Options, prune};
use crate::testing::{Builder, Shape, executions, generate};

fn found(encoding: &Encoding) -> Vec<TermBound> {
    find(encoding, &StaticOrder::new(encoding))
}

fn check_all_executions(encoding: &Encoding) -> usize {
    let bounds = found(encoding);
    executions(encoding, |rf, value| {
        for bound in bounds.iter().filter(|b| rf.contains(&b.pair) && value(b.guard) == 1) {
            let n = value(bound.of);
            assert!(bound.low <= n && n <= bound.high, "{n}: {bound:?}");
        }
    });
    bounds.len()
}

fn check(shape: Shape, seeds: std::ops::Range<u64>) {
    let mut bounds = 0;
    for seed in seeds {
        let mut encoding = generate(shape, seed);
        bounds += check_all_executions(&encoding);
        prune(&mut encoding, &Options::default());
        bounds += check_all_executions(&encoding);
    }
    assert!(bounds > 20, "{bounds} are too few for a test");
}

const TWO: Shape = Shape { threads: 2, statements: 3, cells: 2, reads: 5, inputs_only: false };
const THREE: Shape = Shape { threads: 3, statements: 2, cells: 1, reads: 5, inputs_only: false };

#[test]
fn bounds_hold_in_all_executions() {
    check(TWO, 0..30);
    check(THREE, 0..12);
}

/// `a += b` in one thread and `b += a` in the other, `n` times each, from 1.
fn adding(n: usize) -> Encoding {
    let mut b = Builder::new();
    let (x, y) = (b.cell("x", 16, 1), b.cell("y", 16, 1));
    for (mine, other) in [(x, y), (y, x)] {
        let thread = b.thread();
        for _ in 0..n {
            let (old, more) = (b.load(thread, mine), b.load(thread, other));
            let sum = b.pool().add(old, more);
            b.write(thread, mine, sum);
        }
    }
    let main = b.main();
    let seen = b.load(main, x);
    let none = b.pool().truth(seen);
    b.goal(main, none);
    let mut encoding = b.finish();
    prune(&mut encoding, &Options::default());
    encoding
}

/// After `2n` additions the numbers are Fibonacci's at most. Intervals do not see that two reads of one
/// write see the same, but they see the order.
#[test]
fn sums_of_two_threads_are_near_those_of_fibonacci() {
    for n in 1..6 {
        let encoding = adding(n);
        let largest = found(&encoding).iter().map(|b| b.high).max().unwrap_or(0);
        let (mut last, mut next) = (1, 1);
        (0..2 * n).for_each(|_| (last, next) = (next, last + next));
        assert!(next <= largest && largest < next << n, "{n}: {largest} for {next}");
        assert!(n > 1 || largest == next);
    }
}
