//! The price of one edge: `cargo bench -p obmc-theory --features testing`.
//!
//! Seeded schedules of 100, 1,000 and 10,000 events on 4 and 16 threads. One iteration assigns the
//! rf literal of every read in random order, each at its own level and propagated at once, and then
//! takes everything back; the throughput is in literals, and every literal inserts one edge besides
//! those it derives. `explain` asks for the premises of everything implied on the way. `linearize`
//! finds a schedule for the whole.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::time::Duration;
use theory::testing::{Big, big};

fn run(big: &mut Big, explain: bool) {
    for &lit in &big.schedule {
        big.theory.push();
        big.theory.assign(lit);
        big.theory.propagate().expect("a schedule exists");
        while let Some(implied) = big.theory.next_implied() {
            if explain {
                big.theory.explain(implied);
            }
        }
    }
    big.theory.backtrack(0);
}

fn insert(c: &mut Criterion) {
    for (name, explain) in [("insert", false), ("explain", true)] {
        let mut group = c.benchmark_group(name);
        group.sample_size(10).measurement_time(Duration::from_secs(2));
        group.warm_up_time(Duration::from_millis(300));
        for (events, threads) in [100, 1000, 10_000].into_iter().flat_map(|e| [(e, 4), (e, 16)]) {
            let mut big = big(events, threads, 3, 1);
            big.theory.propagate().expect("nothing is assigned");
            group.throughput(Throughput::Elements(big.schedule.len() as u64));
            let id = BenchmarkId::new(format!("{threads} threads"), events);
            group.bench_function(id, |bencher| bencher.iter(|| run(&mut big, explain)));
        }
        group.finish();
    }
}

/// A schedule for the complete execution, once per literal in it.
fn linearize(c: &mut Criterion) {
    let mut group = c.benchmark_group("linearize");
    group.sample_size(10).measurement_time(Duration::from_secs(2));
    for (events, threads) in [(1000, 4), (1000, 16), (10_000, 16)] {
        let mut big = big(events, threads, 0, 1);
        big.schedule.iter().for_each(|&lit| big.theory.assign(lit));
        big.theory.propagate().expect("a schedule exists");
        group.throughput(Throughput::Elements(u64::from(events)));
        let id = BenchmarkId::new(format!("{threads} threads"), events);
        group.bench_function(id, |bencher| bencher.iter(|| big.theory.linearize(1_000_000)));
    }
}

criterion_group!(benches, insert, linearize);
criterion_main!(benches);
