//! The price of one edge: `cargo bench -p obmc-theory --features testing`.
//!
//! Seeded schedules of 100, 1,000 and 10,000 events on 4 and 16 threads. One iteration assigns the
//! rf literal of every read in random order, each at its own level and propagated at once, and then
//! takes everything back; the throughput is in literals, and every literal inserts one edge besides
//! those it derives. `explain` asks for the premises of everything implied on the way.

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

criterion_group!(benches, insert);
criterion_main!(benches);
