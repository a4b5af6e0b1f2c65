//! What reading a program costs, stage by stage, for 1,000, 10,000 and 100,000 lines.
//!
//! `load` is the whole way from text to IR; `normalise`, the parser and `lower` are its parts, and
//! `prepare` are the passes that follow. `parse` begins with `normalise`: subtract. Divide a time by
//! its lines: the quotient should stay the same from size to size.

mod generate;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput};
use frontend::stack::with_big_stack;
use frontend::stages::{Files, Linkage, Parsed, lower, normalise, parse};
use frontend::{LoadOptions, Source, load};
use ir::PropertyKind;
use ir::types::Machine;
use ir::{Origin, Program};
use std::hint::black_box;
use std::time::Duration;

const LINES: [usize; 3] = [1_000, 10_000, 100_000];
const NAME: &str = "generated.i";

fn main() {
    // Parsing and lowering recurse, and `load` is the only one that brings its own stack.
    with_big_stack(|| {
        let mut criterion = Criterion::default().configure_from_args();
        stages(&mut criterion);
        criterion.final_summary();
    });
}

fn stages(criterion: &mut Criterion) {
    for lines in LINES {
        let text = generate::program(lines);
        let text = text.as_bytes();
        let mut group = criterion.benchmark_group("frontend");
        group.sample_size(10).warm_up_time(Duration::from_secs(1));
        group.throughput(Throughput::Elements(text.iter().filter(|&&b| b == b'\n').count() as u64));
        group.bench_function(BenchmarkId::new("load", lines), |b| b.iter(|| whole(text)));
        group.bench_function(BenchmarkId::new("normalise", lines), |b| {
            b.iter(|| normalise(black_box(text), NAME, &mut Files::default()).expect("C"))
        });
        group.bench_function(BenchmarkId::new("normalise and parse", lines), |b| {
            b.iter(|| parsed(text, &mut Files::default()))
        });
        let mut files = Files::default();
        let tree = parsed(text, &mut files);
        group.bench_function(BenchmarkId::new("lower", lines), |b| {
            b.iter(|| lowered(&tree, &files))
        });
        let program = whole(text);
        group.bench_function(BenchmarkId::new("prepare", lines), |b| {
            b.iter_batched(|| program.clone(), analysis::prepare, BatchSize::PerIteration)
        });
        group.finish();
    }
}

fn whole(text: &[u8]) -> Program {
    let unit = Source { name: NAME, text: black_box(text), moved: &[] };
    load(&[unit], Machine::Lp64, &LoadOptions::default()).expect("C that we know")
}

fn parsed(text: &[u8], files: &mut Files) -> Parsed {
    parse(black_box(text), NAME, files).expect("C that the parser knows")
}

fn lowered(tree: &Parsed, files: &Files) -> Linkage {
    let mut link = Linkage::new(Machine::Lp64, PropertyKind::Values, ir::MemoryOrder::Plain);
    lower(&mut link, black_box(tree), files, Origin::User).expect("C that we know");
    link
}
