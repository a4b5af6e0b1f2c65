//! What the theory says: `cargo bench -p obmc-theory --features testing --bench propagate`.
//!
//! Seeded schedules of 100, 1,000 and 10,000 events on 4 and 16 threads, with many candidates per
//! read (`conflict` stops at 1,000: an iteration with 10,000 takes half a minute). `imply` assigns
//! the right candidate of every read, each at its own level, and takes all that is implied; the
//! throughput is in implied literals. `conflict` assigns any candidates in random order and does
//! not listen, so that it runs into conflicts; it undoes the level of each and goes on; the
//! throughput is in conflicts, each with its reasons. Both counts are looked at before the clock
//! runs: a bench of nothing fails.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use obmc_testing::Dice;
use std::time::Duration;
use theory::testing::{Big, big};
use theory::{Lit, Theory};

const CHOICES: u32 = 8;
const SIZES: [u32; 3] = [100, 1_000, 10_000];
const THREADS: [u32; 2] = [4, 16];

/// How many literals are implied on the way to the whole schedule.
fn imply(theory: &mut Theory, schedule: &[Lit]) -> u64 {
    let mut implied = 0;
    for &lit in schedule {
        theory.push();
        theory.assign(lit);
        theory.propagate().expect("a schedule exists");
        while theory.next_implied().is_some() {
            implied += 1;
        }
    }
    theory.backtrack(0);
    implied
}

/// How many conflicts there are on the way.
fn conflicts(theory: &mut Theory, decisions: &[Lit]) -> u64 {
    let mut found = 0;
    for &lit in decisions {
        theory.push();
        theory.assign(lit);
        if theory.propagate().is_err() {
            found += 1;
            theory.backtrack(theory.level() - 1);
        }
    }
    theory.backtrack(0);
    found
}

/// All candidates, in random order. The generator numbers them from 1.
fn shuffled(candidates: u32) -> Vec<Lit> {
    let mut random = Dice::new(2);
    let mut lits: Vec<Lit> = (1..=candidates).map(Lit::positive).collect();
    for i in (1..lits.len()).rev() {
        lits.swap(i, random.below(i as u32 + 1) as usize);
    }
    lits
}

fn propagate(c: &mut Criterion) {
    for (name, run) in [("imply", imply as fn(&mut _, &[Lit]) -> u64), ("conflict", conflicts)] {
        let mut group = c.benchmark_group(name);
        group.sample_size(10).measurement_time(Duration::from_secs(2));
        group.warm_up_time(Duration::from_millis(300));
        let sizes = if name == "imply" { &SIZES[..] } else { &SIZES[..2] };
        for (events, threads) in sizes.iter().flat_map(|&e| THREADS.map(|t| (e, t))) {
            let Big { mut theory, schedule, candidates } = big(events, threads, CHOICES, 1);
            theory.propagate().expect("nothing is assigned");
            let lits = if name == "imply" { schedule } else { shuffled(candidates) };
            let count = run(&mut theory, &lits);
            assert!(count > 0, "{name} has nothing to do");
            assert_eq!(run(&mut theory, &lits), count, "backtracking leaves something behind");
            group.throughput(Throughput::Elements(count));
            let id = BenchmarkId::new(format!("{threads} threads"), events);
            group.bench_function(id, |bencher| bencher.iter(|| run(&mut theory, &lits)));
        }
        group.finish();
    }
}

criterion_group!(benches, propagate);
criterion_main!(benches);
