//! Whole checks of assertions by the symbolic engine, as `obmc check FILE.i --engine bmc` does them:
//! reading, passes, encoding, solving and, for a violation, the replay. Ten programs of ours; those of
//! `benches/families` at one size each (`scripts/families` has the growth).
//!
//! The preprocessor runs before. So does one check whose verdict is looked at: no bench of a wrong
//! answer.

use criterion::Criterion;
use obmc::options;
use obmc::preprocess;
use obmc::request::Options;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

const SAFE: u8 = 0;
const UNSAFE: u8 = 10;

/// The file, its macro N, and the exit code that goes with the verdict.
const PROGRAMS: [(&str, u32, u8); 10] = [
    ("benches/families/locked_threads.c", 8, SAFE),
    ("benches/families/lock_regions.c", 3, SAFE),
    ("benches/families/cas_threads.c", 3, SAFE),
    ("benches/families/fibonacci.c", 4, SAFE),
    ("benches/families/store_buffers.c", 8, SAFE),
    ("benches/families/writes_per_cell.c", 16, SAFE),
    ("tests/cases/algorithms/seqlock_safe.c", 0, SAFE),
    ("tests/cases/algorithms/peterson_unsafe.c", 0, UNSAFE),
    ("tests/cases/algorithms/bounded_buffer_unsafe.c", 0, UNSAFE),
    ("tests/cases/algorithms/treiber_stack_unsafe.c", 0, UNSAFE),
];

fn main() {
    let folder = tempfile::tempdir().expect("a folder for preprocessed programs");
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("check");
    group.sample_size(10).warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(2));
    for (file, n, verdict) in PROGRAMS {
        let options = check(&preprocessed(file, n, folder.path()));
        let outcome = obmc::run(&options);
        assert_eq!(outcome.exit_code(), verdict, "{file}: {}", outcome.text(&options, false));
        let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
        group.bench_function(&*name, |b| b.iter(|| obmc::run(&options)));
    }
    group.finish();
    criterion.final_summary();
}

fn parsed(words: Vec<OsString>) -> Options {
    options::parse([OsString::from("obmc"), "check".into()].into_iter().chain(words))
        .expect("good options")
}

fn check(file: &Path) -> Options {
    let words = ["--property", "unreach-call", "--engine", "bmc"].map(OsString::from);
    parsed([file.into()].into_iter().chain(words).collect())
}

/// The program as a `.i` file in `folder`.
fn preprocessed(file: &str, n: u32, folder: &Path) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let input = parsed(vec![path.clone().into(), "-D".into(), format!("N={n}").into()]).input;
    let units = preprocess::units(&input, None).expect("a C compiler");
    let text = folder.join(path.with_extension("i").file_name().unwrap_or_default());
    std::fs::write(&text, &units[0].text).expect("a file");
    text
}
