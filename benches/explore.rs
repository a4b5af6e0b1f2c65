//! How fast the explorer walks, on four small programs: steps (instructions and atomic blocks) per
//! second. Prints what each search was made of, with the bytes of a stored state, before its times.

use analysis::spin::{self, Goal};
use criterion::{Criterion, Throughput};
use frontend::{LoadOptions, Source, load};
use ir::Program;
use obmc::contract::{Engine, Limits, Property, Query, Settings, Verdict};
use obmc::engine::explore::Explorer;
use obmc::{options, preprocess};
use std::path::Path;
use std::time::Duration;

const PROGRAMS: [&str; 4] = ["mutex_counter", "store_buffering", "peterson", "bounded_buffer"];

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("explore");
    group.sample_size(10).warm_up_time(Duration::from_secs(1));
    for name in PROGRAMS {
        let program = prepared(name);
        let verdict = explored(&program);
        println!("{name}: {:?}", verdict.answer);
        for (what, count) in &verdict.stats {
            println!("  {what}: {count}");
        }
        group.throughput(Throughput::Elements(steps(&verdict)));
        group.bench_function(name, |b| b.iter(|| explored(&program)));
    }
    group.finish();
    criterion.final_summary();
}

/// The program as `obmc check` gives it to the engine.
fn prepared(name: &str) -> Program {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("benches/programs/{name}.c"));
    let words = ["obmc".into(), "check".into(), file.into_os_string()];
    let input = options::parse(words).expect("good options").input;
    let units = preprocess::units(&input, None).expect("a C compiler");
    let units: Vec<Source> =
        units.iter().map(|u| Source { name: &u.name, text: &u.text, moved: &[] }).collect();
    let program = load(&units, input.machine, &LoadOptions::default()).expect("C that we know");
    let mut program = analysis::prepare(program);
    spin::collapse(&mut program, Goal::Reachability);
    program
}

fn explored(program: &Program) -> Verdict {
    let (settings, limits) = (Settings::default(), Limits::default());
    let property = Property::UnreachCall;
    Explorer::default().check(Query { program, property, settings: &settings, limits: &limits })
}

fn steps(verdict: &Verdict) -> u64 {
    verdict.stats.iter().find(|(name, _)| *name == "steps").map_or(0, |(_, steps)| *steps)
}
