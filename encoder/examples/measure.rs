//! Measures pruning and the conflict finder on large random encodings.
//!
//! `cargo run --release -p obmc-encoder --features testing --example measure`

use encoder::conflict::{Which, find, usual_budget};
use encoder::order::StaticOrder;
use encoder::prune::{Options, prune};
use encoder::testing::large;
use std::time::Instant;

fn main() {
    println!(
        "threads accesses cells |  events   pairs  left | make, order, prune, find (ms) | clauses"
    );
    for (threads, accesses, cells) in
        [(4, 250, 10), (8, 600, 40), (16, 300, 40), (16, 300, 10), (32, 150, 20), (4, 1200, 20)]
    {
        let start = Instant::now();
        let mut encoding = large(threads, accesses, cells, 1);
        let make = start.elapsed().as_millis();
        let start = Instant::now();
        let order = StaticOrder::new(&encoding);
        let ordered = start.elapsed().as_millis();
        drop(order);
        let events = encoding.events.len();
        let start = Instant::now();
        let stats = prune(&mut encoding, &Options::default());
        let pruned = start.elapsed().as_millis();
        let start = Instant::now();
        let order = StaticOrder::new(&encoding);
        let budget = usual_budget(encoding.rf.len());
        let found = find(&encoding, &order, &Which::default(), budget);
        let finding = start.elapsed().as_millis();
        println!(
            "{threads:7} {accesses:8} {cells:5} | {events:7} {:7} {:7} | {make} {ordered} {pruned} {finding} | {:?} {stats:?}",
            stats.rf_before, stats.rf_after, found.by_structure
        );
    }
}
