//! The C compiler as judge: sequential programs must compute in our interpreter what they compute
//! natively.
//!
//! A program calls `void out(long long)`, which it does not define. Natively `out` prints a line;
//! `obmc run` prints the same line, and both sides end with `exit N`. `tests/sequential` has programs
//! by theme, `gcc/generator.rs` makes random ones. Everything is compared for LP64 and, where the
//! compiler can make and the machine can run such a program, for ILP32; a 32-bit C library is not
//! needed (`gcc/freestanding.c`). Without a C compiler there is no judge and the tests say so.

#[path = "gcc/generator.rs"]
mod generator;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const COMMON: [&str; 4] = ["-O0", "-w", "-fwrapv", "-fsigned-char"];
const I386: [&str; 3] = ["-m32", "-msse2", "-mfpmath=sse"];
const FREESTANDING: [&str; 6] =
    ["-ffreestanding", "-nostdlib", "-static", "-fno-pic", "-no-pie", "-fno-stack-protector"];

/// Random programs per data model: functions of `BATCHES` programs.
const BATCHES: usize = 4;
const FUNCTIONS: usize = 50;
/// Programs that jump.
const JUMPING: u64 = 30;

#[test]
fn sequential_programs_lp64() {
    compare_programs(lp64());
}

#[test]
fn sequential_programs_ilp32() {
    compare_programs(ilp32());
}

#[test]
fn random_programs_lp64() {
    compare_random(lp64());
}

#[test]
fn random_programs_ilp32() {
    compare_random(ilp32());
}

/// Of `setjmp` and `longjmp`, which need a C library.
#[test]
fn jumping_programs() {
    let targets = [lp64(), ilp32()].into_iter().flatten().filter(|t| t.runtime == "out.c");
    for target in targets {
        let seeds: Vec<u64> = (1..=JUMPING).collect();
        let failures = in_parallel(&seeds, |&seed| {
            let source = scratch(&format!("jumping{seed}{}.c", target.option));
            fs::write(&source, obmc_testing::jumping(seed)).unwrap();
            let what = |i| format!("output line {}", i + 1);
            target.compare(&source, what).map_err(|e| format!("seed {seed} {}: {e}", target.option))
        });
        assert!(failures.is_empty(), "{} differ\n  {}", failures.len(), failures.join("\n  "));
    }
}

#[test]
fn there_are_enough_programs() {
    assert!(programs().len() >= 30);
}

#[test]
fn the_generator_repeats_itself_for_a_seed() {
    let [a, b, c] = [1, 1, 2].map(|seed| generator::batch(seed, 3));
    assert_eq!(a.text, b.text);
    assert_ne!(a.text, c.text);
    assert_eq!(a.lines.len(), 3 * 8);
}

/// A way to make native programs for one data model.
struct Target {
    option: &'static str,
    flags: Vec<&'static str>,
    /// The C file that defines `out`.
    runtime: &'static str,
}

fn lp64() -> Option<Target> {
    let target = Target { option: "--64", flags: COMMON.to_vec(), runtime: "out.c" };
    target.works()
}

fn ilp32() -> Option<Target> {
    let hosted = [&COMMON[..], &I386].concat();
    let bare = [&hosted[..], &FREESTANDING].concat();
    let hosted = Target { option: "--32", flags: hosted, runtime: "out.c" };
    let bare = Target { option: "--32", flags: bare, runtime: "freestanding.c" };
    hosted.works().or_else(|| bare.works())
}

impl Target {
    /// Probes with a program that needs the data model to be right.
    fn works(self) -> Option<Target> {
        let width = self.option.trim_start_matches('-');
        let source = scratch(&format!("probe{width}{}.c", self.runtime));
        let text = "void out(long long);\nint main(void) { out(8 * sizeof(long)); return 0; }\n";
        fs::write(&source, text).unwrap();
        let ran = self.native(&source).ok()?;
        (ran.first().map(String::as_str) == Some(width)).then_some(self)
    }

    /// What the program prints when the C compiler makes it.
    fn native(&self, source: &Path) -> Result<Vec<String>, String> {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let exe = scratch(&format!("{stem}{}{}.exe", self.option, self.runtime));
        let compiler = std::env::var("CC").unwrap_or("cc".into());
        let runtime = root().join("gcc").join(self.runtime);
        let mut compile = Command::new(compiler);
        compile.args(&self.flags).arg(source).arg(runtime).arg("-o").arg(&exe);
        let made = compile.output().map_err(|e| e.to_string())?;
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).into_owned());
        }
        let ran = Command::new(&exe).output().map_err(|e| e.to_string())?;
        let code = ran.status.code().ok_or("killed by a signal")?;
        let mut lines = lines(&ran.stdout);
        lines.push(format!("exit {code}"));
        Ok(lines)
    }

    /// What our interpreter says that it prints.
    fn ours(&self, source: &Path) -> Result<Vec<String>, String> {
        let mut run = Command::new(env!("CARGO_BIN_EXE_obmc"));
        let ran =
            run.arg("run").arg(source).arg(self.option).output().map_err(|e| e.to_string())?;
        let lines = lines(&ran.stdout);
        if lines.last().is_some_and(|l| l.starts_with("exit ")) {
            return Ok(lines);
        }
        let stderr = String::from_utf8_lossy(&ran.stderr);
        Err(format!("no exit line after {} lines: {}", lines.len(), stderr.trim()))
    }

    /// The first difference, described by `what(line index)`.
    fn compare(&self, source: &Path, what: impl Fn(usize) -> String) -> Result<(), String> {
        let native = self.native(source).map_err(|e| format!("the C compiler: {e}"))?;
        let ours = self.ours(source)?;
        let differs = |&i: &usize| native.get(i) != ours.get(i);
        let Some(i) = (0..native.len().max(ours.len())).find(differs) else { return Ok(()) };
        let show = |lines: &[String]| lines.get(i).cloned().unwrap_or("nothing".into());
        let (wanted, got) = (show(&native), show(&ours));
        Err(format!("{}: got {got}, the C compiler says {wanted}", what(i)))
    }
}

fn compare_programs(target: Option<Target>) {
    let Some(target) = target else { return eprintln!("skipped: no such C compiler here") };
    let failures = in_parallel(&programs(), |program| {
        let what = |i| format!("output line {}", i + 1);
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        target.compare(program, what).map_err(|e| format!("{name} {}: {e}", target.option))
    });
    assert!(failures.is_empty(), "{} differ\n  {}", failures.len(), failures.join("\n  "));
}

fn compare_random(target: Option<Target>) {
    let Some(target) = target else { return eprintln!("skipped: no such C compiler here") };
    let seeds: Vec<u64> = (1..=BATCHES as u64).collect();
    let failures = in_parallel(&seeds, |&seed| {
        let batch = generator::batch(seed, FUNCTIONS);
        let source = scratch(&format!("random{seed}{}.c", target.option));
        fs::write(&source, &batch.text).unwrap();
        let what = |i: usize| {
            let statement = batch.lines.get(i).map_or("the end", |l| l.as_str());
            format!("function f{}, {statement}", i / 8)
        };
        target.compare(&source, what).map_err(|e| format!("seed {seed} {}: {e}", target.option))
    });
    assert!(failures.is_empty(), "{} differ\n  {}", failures.len(), failures.join("\n  "));
}

/// Runs `check` on every item, on all cores; the failures in the order of the items.
fn in_parallel<T: Sync>(
    items: &[T],
    check: impl Fn(&T) -> Result<(), String> + Sync,
) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(vec![]);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else { return };
                    if let Err(failure) = check(item) {
                        failures.lock().unwrap().push((i, failure));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    failures.into_iter().map(|(_, failure)| failure).collect()
}

fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(String::from).collect()
}

fn programs() -> Vec<PathBuf> {
    let directory = root().join("sequential");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "c"));
    paths.sort();
    paths
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}
