//! What events cost: from an unrolled program to events, then candidates, pruning and conflicts.
//! Prints the memory of each encoding before its times, counted as lengths times sizes.

use analysis::unroll::Bounds;
use criterion::{BatchSize, Criterion, Throughput};
use encoder::conflict::{Which, find, usual_budget};
use encoder::order::StaticOrder;
use encoder::{Config, Encoding, Event, Node, Op, Sort, Term, encode};
use encoder::{prune, reads_from};
use frontend::{LoadOptions, Source, load};
use ir::Program;
use ir::types::Machine;
use std::fmt::Write;
use std::mem::size_of;
use std::time::Duration;

type Pass = fn(&mut Encoding);

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("encode");
    group.sample_size(10).warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(1));
    for threads in [4, 16] {
        for events in [100, 1_000, 10_000] {
            let name = |what: &str| format!("{what}/{threads} threads, {events} events");
            let program = unrolled(&text(threads, events));
            let encoding = encoded(&program);
            let mut open = encoding.clone();
            reads_from::candidates(&mut open);
            tell(threads, &open);
            group.throughput(Throughput::Elements(encoding.events.len() as u64));
            group.bench_function(name("walk"), |b| b.iter(|| encoded(&program)));
            let passes: [(&str, &Encoding, Pass); 3] = [
                ("candidates", &encoding, reads_from::candidates),
                ("prune", &open, |e| {
                    prune::prune(e, &prune::Options::default());
                }),
                ("conflicts", &open, |e| {
                    let order = StaticOrder::new(e);
                    drop(find(e, &order, &Which::default(), usual_budget(e.rf.len())));
                }),
            ];
            for (what, input, pass) in passes {
                let fresh = || input.clone();
                let run = |mut e: Encoding| {
                    pass(&mut e);
                    e
                };
                group.bench_function(name(what), |b| {
                    b.iter_batched(fresh, run, BatchSize::LargeInput);
                });
            }
        }
    }
    group.finish();
    criterion.final_summary();
}

/// Threads that read, compute and write eight variables under a lock and without, about `events`
/// accesses in all.
fn text(threads: usize, events: usize) -> String {
    let mut out = String::from(
        "typedef unsigned long pthread_t;
        typedef struct { int s[10]; } pthread_mutex_t;
        extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
        extern int pthread_mutex_lock(pthread_mutex_t *);
        extern int pthread_mutex_unlock(pthread_mutex_t *);
        extern void reach_error(void);
        int x[8]; pthread_mutex_t m;\n",
    );
    // Eight events: two in each lock and unlock, four accesses.
    let rounds = (events / threads / 8).max(1);
    for t in 0..threads {
        let _ = writeln!(out, "void *t{t}(void *p) {{");
        for r in 0..rounds {
            let (a, b, c) = ((t + r) % 8, (t + 3 * r + 1) % 8, (2 * t + r + 5) % 8);
            let _ = writeln!(
                out,
                "pthread_mutex_lock(&m); if (x[{a}] < {r}) x[{b}] = x[{a}] + {t};
                pthread_mutex_unlock(&m); x[{c}] = {r}; if (x[{b}] == 77) reach_error();"
            );
        }
        out.push_str("return 0; }\n");
    }
    out.push_str("int main(void) { pthread_t id;\n");
    for t in 0..threads {
        let _ = writeln!(out, "pthread_create(&id, 0, t{t}, 0);");
    }
    out.push_str("}\n");
    out
}

fn unrolled(text: &str) -> Program {
    let source = Source { name: "generated.c", text: text.as_bytes(), moved: &[] };
    let program = load(&[source], Machine::Lp64, &LoadOptions::default()).expect("good C");
    let program = analysis::prepare(program);
    let unrolled = analysis::unrolled(program, &Bounds::all(2), 1000, &Default::default());
    unrolled.expect("not too large").0
}

fn encoded(program: &Program) -> Encoding {
    encode(program, &Config::default()).expect("nothing unusual")
}

fn tell(threads: usize, e: &Encoding) {
    // A term is in the list and in the table that finds it again.
    let term = size_of::<(Op, Sort)>() * 2 + size_of::<Term>();
    let terms = e.pool.len() * term;
    let events = e.events.len() * size_of::<Event>();
    let nodes = e.nodes.len() * size_of::<Node>();
    let pairs = e.rf.len() * 8;
    println!(
        "{threads} threads: {} events, {} nodes, {} terms, {} candidates; bytes per event: {} for \
         terms, {} for events and nodes, {} for candidates",
        e.events.len(),
        e.nodes.len(),
        e.pool.len(),
        e.rf.len(),
        terms / e.events.len().max(1),
        (events + nodes) / e.events.len().max(1),
        pairs / e.events.len().max(1),
    );
}
