//! Not a test: how long families of programs take. Run it with
//! `cargo test --release -p obmc-solver measure -- --ignored --nocapture`.

use super::*;
use std::time::Duration;

const LOCK: usize = 0;
const DATA: usize = 1;

/// What happens between lock and unlock.
#[derive(Clone, Copy, Debug)]
enum Region {
    /// Writes its thread's number and reads it back; error if it is another one.
    Isolated,
    /// Reads a number and writes the next one; error if the last number is wrong.
    Count,
}

/// Threads of regions under one lock. The goal is the error.
fn regions(threads: usize, count: usize, region: Region) -> (Encoding, Term) {
    let program: Program = Vec::new();
    let mut b = Builder { e: encode(&program, 2).encoding, steps: vec![None] };
    let mut error = b.e.pool.bool(false);
    let mut all_done = b.e.pool.bool(true);
    let mut ends = Vec::new();
    for t in 0..threads {
        let thread = b.thread();
        let mut alive = b.e.pool.bool(true);
        for i in 0..count {
            let lock = b.node(thread, None);
            if i == 0 {
                b.e.edges.push((NodeId(0), lock));
            }
            alive = take(&mut b, lock, alive);
            let (first, second) = (b.node(thread, None), b.node(thread, None));
            match region {
                Region::Isolated => {
                    let own = b.bits(t as u64);
                    b.event(EventKind::Write, first, DATA, alive, own);
                    let seen = b.read(second, DATA, alive);
                    let same = b.e.pool.eq(seen, own);
                    let bad = b.e.pool.not(same);
                    let bad = b.e.pool.and(alive, bad);
                    error = b.e.pool.or(error, bad);
                }
                Region::Count => {
                    let seen = b.read(first, DATA, alive);
                    let one = b.bits(1);
                    let next = b.e.pool.add(seen, one);
                    b.event(EventKind::Write, second, DATA, alive, next);
                }
            }
            let unlock = b.node(thread, None);
            let zero = b.bits(0);
            b.event(EventKind::Write, unlock, LOCK, alive, zero);
            ends.push(unlock);
        }
        all_done = b.e.pool.and(all_done, alive);
    }
    if matches!(region, Region::Count) {
        let last = b.node(ThreadId(0), None);
        b.e.edges.extend(ends.iter().map(|&end| (end, last)));
        let seen = b.read(last, DATA, all_done);
        let right = b.bits((threads * count) as u64);
        let same = b.e.pool.eq(seen, right);
        let wrong = b.e.pool.not(same);
        error = b.e.pool.and(all_done, wrong);
    }
    b.candidates();
    (b.e, error)
}

/// The thread goes on if the lock was free.
fn take(b: &mut Builder, node: NodeId, alive: Term) -> Term {
    let seen = b.read(node, LOCK, alive);
    let (zero, one) = (b.bits(0), b.bits(1));
    let free = b.e.pool.eq(seen, zero);
    let alive = b.e.pool.and(alive, free);
    b.event(EventKind::Write, node, LOCK, alive, one);
    alive
}

fn measure_one(threads: usize, count: usize, region: Region, settings: Settings) {
    let (mut encoding, goal) = regions(threads, count, region);
    let start = Instant::now();
    let (bridge, facts) = Bridge::new(&mut encoding, MemoryModel::Sc);
    let mut cadical = Cadical::with_settings(&encoding.pool, bridge, settings).unwrap();
    for &fact in &facts {
        cadical.assert(&encoding.pool, fact).unwrap();
    }
    let ready = start.elapsed();
    let deadline = Instant::now() + Duration::from_secs(20);
    let outcome = cadical.solve(&encoding.pool, &[goal], Some(deadline)).unwrap();
    let shown: Vec<String> =
        cadical.counters().iter().skip(1).map(|(name, n)| format!("{name} {n}")).collect();
    println!(
        "{region:?} {threads}x{count} {:?} {:?} phase {}: {outcome:?} {:.2?} (encoded in {:.2?}); {} rf; {}",
        settings.method,
        settings.decide,
        settings.phase,
        start.elapsed(),
        ready,
        encoding.rf.len(),
        shown.join(", ")
    );
}

#[test]
#[ignore = "takes minutes"]
fn measure() {
    let families = [
        (Region::Isolated, vec![(2, 4), (4, 2), (4, 4), (8, 2), (8, 10)]),
        (Region::Count, vec![(3, 1), (4, 1), (5, 1), (6, 1), (3, 2)]),
    ];
    for (region, sizes) in families {
        for (threads, count) in sizes {
            for settings in all_settings() {
                measure_one(threads, count, region, settings);
            }
        }
    }
}
