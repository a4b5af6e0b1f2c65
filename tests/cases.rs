//! Golden verdicts: every program under `tests/cases/<topic>` against the `.expected` file beside
//! it.
//!
//! A line of an `.expected` file is `PROPERTY [OPTION...]: VERDICT`, for example
//! `no-data-race: false`, `unreach-call --unwind 3: bounded` or `valid-memsafety:
//! false(valid-deref)`; `true or unknown` allows both. Only verdicts that C and the property settle
//! are listed, so a difference is a bug of the program or of the expectation, never a matter of
//! taste. A `false` must come with a trace. A line without `--mm` is about sequential consistency (what
//! a check says without `--mm` is in `consistency.rs`).
//!
//! As many checks at a time as there are cores.
//!
//! What the explorer answers there the symbolic engine is asked, too, each program with one of its
//! combinations of options and some with all. It may give up, but never say the opposite.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const PROPERTIES: [&str; 6] = [
    "unreach-call",
    "no-data-race",
    "valid-memsafety",
    "no-overflow",
    "no-deadlock",
    "no-livelock",
];

/// Every folder is a topic; `OBMC_TOPIC` picks one.
fn topics() -> Vec<String> {
    let name = |path: PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let only = std::env::var("OBMC_TOPIC").ok();
    let wanted = |topic: &String| only.as_ref().is_none_or(|only| only == topic);
    let topics: Vec<String> = entries(&root()).into_iter().map(name).filter(wanted).collect();
    assert!(!topics.is_empty(), "no folder {only:?} in {}", root().display());
    topics
}

/// Some tests need the cases of all topics.
fn one_topic_only() -> bool {
    std::env::var_os("OBMC_TOPIC").is_some()
}

fn all_cases() -> Vec<Case> {
    topics().iter().flat_map(|topic| cases_of(topic)).collect()
}

/// One line of an `.expected` file, with the program that it is about.
#[derive(Debug)]
struct Case {
    program: PathBuf,
    property: String,
    options: Vec<String>,
    /// Any of these will do.
    wanted: Vec<String>,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.program.strip_prefix(root()).unwrap_or(&self.program);
        write!(f, "{} --property {}", name.display(), self.property)?;
        self.options.iter().try_for_each(|option| write!(f, " {option}"))
    }
}

#[test]
fn every_program_has_expectations() {
    let mut programs = 0;
    for directory in entries(&root()) {
        for file in entries(&directory) {
            if file.extension().is_some_and(|e| e == "expected") {
                assert!(program_of(&file).is_some(), "{}: no program", file.display());
            } else {
                programs += 1;
                let expected = file.with_extension("expected");
                assert!(expected.is_file(), "{}: missing", expected.display());
            }
        }
    }
    assert!(programs >= 120, "only {programs} programs");
}

#[test]
fn every_property_is_both_kept_and_violated() {
    let cases = all_cases();
    for property in PROPERTIES {
        for verdict in ["true", "false"] {
            let seen = cases
                .iter()
                .any(|c| c.property == property && c.wanted.iter().any(|w| w.starts_with(verdict)));
            assert!(seen || one_topic_only(), "no program for {property}: {verdict}");
        }
    }
}

#[test]
fn verdict_lines_are_read_as_expectations_write_them() {
    let last = |text: &str| verdict(text);
    assert_eq!(last("x\nobmc verdict: true\n").as_deref(), Some("true"));
    assert_eq!(last("obmc verdict: false(valid-free)\n").as_deref(), Some("false(valid-free)"));
    assert_eq!(last("obmc verdict: unknown (bounded: unwind 2)\n").as_deref(), Some("bounded"));
    assert_eq!(last("obmc verdict: unknown (asm)\n").as_deref(), Some("unknown"));
    assert_eq!(last("obmc verdict: unknown (input error)\n").as_deref(), Some("error"));
    assert_eq!(last("SAFE\n"), None);
    assert!(satisfies("false(no-data-race)", "false"));
    assert!(!satisfies("false(valid-free)", "false(valid-deref)"));
    assert!(!satisfies("bounded", "unknown"));
}

/// Every way in which the symbolic engine can work; each also with one way to search, and some
/// under the eyes of the slow reference implementation.
fn combinations() -> Vec<Vec<&'static str>> {
    let axes = [
        ["--solver=z3", "--solver=sat"],
        ["--method=prop", "--method=basic"],
        ["--conflicts=on", "--conflicts=off"],
        ["--prune=on", "--prune=off"],
        ["--symmetry=on", "--symmetry=off"],
    ];
    let searches = ["--search=plain", "--search=inprocess", "--search=rf-first"];
    let pick = |n: usize| {
        let words = (0..axes.len()).map(|axis| axes[axis][n >> axis & 1]);
        let self_check = (n % 5 == 0).then_some("--self-check");
        let no_intervals = (n % 3 == 0).then_some("--intervals=off");
        let rare = self_check.into_iter().chain(no_intervals);
        words.chain([searches[n % searches.len()]]).chain(rare).collect()
    };
    (0..1 << axes.len()).map(pick).collect()
}

/// Any number that depends on a name only.
fn hash(name: &str) -> usize {
    name.bytes().fold(5381, |h: usize, b| h.wrapping_mul(33) ^ usize::from(b))
}

/// Properties that the symbolic engine knows.
const SYMBOLIC: [&str; 6] = PROPERTIES;

/// Lines about them.
fn symbolic_cases(options: impl Fn(&Case) -> Vec<Vec<&'static str>>) -> Vec<Case> {
    let all = all_cases().into_iter();
    let mut cases = Vec::new();
    let open = |c: &Case| !c.options.iter().any(|o| o == "--engine");
    for case in all.filter(|c| SYMBOLIC.contains(&c.property.as_str()) && open(c)) {
        for words in options(&case) {
            let words = words.into_iter().chain(["--engine=bmc"]).map(String::from);
            let options = case.options.iter().cloned().chain(words).collect();
            let (program, property) = (case.program.clone(), case.property.clone());
            cases.push(Case { program, property, options, wanted: case.wanted.clone() });
        }
    }
    cases
}

#[test]
fn the_symbolic_engine_agrees() {
    let combinations = combinations();
    let one = |case: &Case| {
        let name = case.program.file_name().unwrap_or_default().to_string_lossy();
        vec![combinations[hash(&name) % combinations.len()].clone()]
    };
    let cases = symbolic_cases(one);
    let gave_up = check_all(&cases, "2s", true);
    assert!(
        gave_up * 4 < cases.len() || one_topic_only(),
        "no answer to {gave_up} of {}",
        cases.len()
    );
}

/// The same verdicts, whichever engine is the first to have one.
#[test]
fn engines_at_the_same_time_agree() {
    let some = |case: &Case| {
        let name = case.program.file_name().unwrap_or_default().to_string_lossy();
        hash(&name) % 8 == 0 && !case.options.iter().any(|o| o.starts_with("--engine"))
    };
    let mut cases: Vec<Case> = all_cases().into_iter().filter(some).collect();
    for (i, case) in cases.iter_mut().enumerate() {
        case.options.push(format!("--jobs={}", 2 + i % 2));
    }
    check_all(&cases, "60s", false);
}

#[test]
fn the_modular_engine_agrees() {
    let cases = symbolic_cases(|_| vec![vec!["--engine=modular"]]);
    let knows =
        |c: &Case| matches!(c.property.as_str(), "unreach-call" | "no-data-race" | "no-overflow");
    let not_here = |o: &String| o.starts_with("--mm") || o.starts_with("--unwind");
    let plain = |c: &Case| !c.options.iter().any(not_here);
    let mut cases: Vec<Case> = cases.into_iter().filter(|c| knows(c) && plain(c)).collect();
    for case in &mut cases {
        case.options.retain(|o| o != "--engine=bmc");
        // Where something undefined happens a proof assumes that it does not, and must say so.
        if !case.wanted.iter().any(|w| w == "true") {
            let strict = case.wanted.iter().any(|w| w == "unknown");
            case.options.retain(|o| o != "--strict");
            case.options.extend(strict.then(|| "--strict".into()));
        }
    }
    let gave_up = check_all(&cases, "1s", true);
    assert!(gave_up < cases.len() || one_topic_only(), "no answer at all");
}

#[test]
fn the_engine_for_loops_without_bound_agrees() {
    let cases = symbolic_cases(|_| vec![vec!["--engine=prove"]]);
    let not_here = |o: &String| o.starts_with("--mm") || o.starts_with("--unwind");
    let known = |c: &Case| c.property == "unreach-call" && !c.options.iter().any(not_here);
    let mut cases: Vec<Case> = cases.into_iter().filter(known).collect();
    for case in &mut cases {
        case.options.retain(|o| o != "--engine=bmc");
    }
    let gave_up = check_all(&cases, "1s", true);
    assert!(gave_up < cases.len() || one_topic_only(), "no answer at all");
}

#[test]
fn the_engine_for_paths_agrees() {
    let cases = symbolic_cases(|_| vec![vec!["--engine=symex"]]);
    let not_here = |o: &String| o.starts_with("--mm") || o.starts_with("--unwind");
    let property = |c: &Case| matches!(c.property.as_str(), "unreach-call" | "no-deadlock");
    let known = |c: &Case| property(c) && !c.options.iter().any(not_here);
    let mut cases: Vec<Case> = cases.into_iter().filter(known).collect();
    for case in &mut cases {
        case.options.retain(|o| o != "--engine=bmc");
    }
    let gave_up = check_all(&cases, "1s", true);
    assert!(gave_up < cases.len() || one_topic_only(), "no answer at all");
}

#[test]
fn all_combinations_of_the_symbolic_engine_agree() {
    const FEW: [&str; 7] = [
        "peterson_unsafe.c",
        "peterson_safe.c",
        "normal_safe.c",
        "cas_loop_unsafe.c",
        "create_join_unsafe.c",
        "atomic_branches_safe.c",
        "winner_safe.c",
    ];
    let chosen = |case: &Case| {
        let name = case.program.file_name().unwrap_or_default().to_string_lossy();
        if FEW.contains(&&*name) { combinations() } else { Vec::new() }
    };
    let cases = symbolic_cases(chosen);
    let enough = cases.len() >= 3 * combinations().len();
    assert!(enough || one_topic_only(), "{} cases", cases.len());
    check_all(&cases, "20s", true);
}

#[test]
fn every_program_gets_its_verdicts() {
    check_all(&all_cases(), "60s", false);
}

/// Checks all and tells how many were given up, if that is allowed.
fn check_all(cases: &[Case], timeout: &str, may_give_up: bool) -> usize {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let gave_up = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match check(case, timeout, may_give_up) {
                        Ok(Checked::Answered) => {}
                        Ok(Checked::GaveUp) => {
                            gave_up.fetch_add(1, Ordering::Relaxed);
                        }
                        Err(failure) => failures.lock().unwrap().push(format!("{case}: {failure}")),
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    let (bad, all) = (failures.len(), cases.len());
    assert!(bad == 0, "{bad} of {all} verdicts differ\n  {}", failures.join("\n  "));
    gave_up.into_inner()
}

enum Checked {
    Answered,
    GaveUp,
}

fn check(case: &Case, timeout: &str, may_give_up: bool) -> Result<Checked, String> {
    // Who may have no answer says no more after a minute than after this.
    let may_be_open = !may_give_up && case.wanted.iter().any(|w| w == "unknown");
    let timeout = if may_be_open { "5s" } else { timeout };
    let output = Command::new(env!("CARGO_BIN_EXE_obmc"))
        .arg("check")
        .arg(&case.program)
        .args(["--property", &case.property, "--timeout", timeout])
        .args(model(&case.options))
        .args(&case.options)
        .output()
        .map_err(|e| format!("cannot run: {e}"))?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let wanted = case.wanted.join(" or ");
    let Some(got) = verdict(&stdout) else {
        let stderr = String::from_utf8_lossy(&output.stderr);
        let first = stderr.lines().chain(stdout.lines()).next().unwrap_or("no output");
        return Err(format!("no verdict, wanted {wanted}: {first}"));
    };
    if !case.wanted.iter().any(|w| satisfies(&got, w)) {
        if may_give_up && (got == "unknown" || got == "bounded") {
            return Ok(Checked::GaveUp);
        }
        let why = reason(&stdout);
        return Err(format!("got {got}, wanted {wanted}{why}"));
    }
    if got.starts_with("false") && !shows_a_trace(&stdout) {
        return Err("violated without a trace".into());
    }
    Ok(Checked::Answered)
}

/// The memory model, if no option says one.
fn model(options: &[String]) -> &'static [&'static str] {
    let says = |word: &String| word.starts_with("--mm") || word.starts_with("--cat");
    if options.iter().any(says) { &[] } else { &["--mm", "sc"] }
}

/// The last verdict line in the words of the `.expected` files.
fn verdict(stdout: &str) -> Option<String> {
    let text = stdout.lines().rev().find_map(|l| l.strip_prefix("obmc verdict: "))?.trim();
    let word = match text.strip_prefix("unknown") {
        Some(why) if why.starts_with(" (bounded") => "bounded",
        // No honest "I do not know": the program was not read, or obmc broke.
        Some(" (input error)") => "error",
        Some(why) if why.starts_with(" (internal error") => "error",
        Some(_) => "unknown",
        None => text,
    };
    Some(word.into())
}

fn satisfies(got: &str, wanted: &str) -> bool {
    got == wanted || (wanted == "false" && got.starts_with("false("))
}

fn shows_a_trace(stdout: &str) -> bool {
    stdout.lines().any(|l| l.trim_start().starts_with("-- thread "))
}

/// What an unexpected `unknown` says for itself.
fn reason(stdout: &str) -> String {
    let line = stdout.lines().rev().find(|l| l.starts_with("obmc verdict: unknown"));
    line.map_or(String::new(), |l| format!(" [{l}]"))
}

fn cases_of(topic: &str) -> Vec<Case> {
    entries(&root().join(topic))
        .into_iter()
        .filter(|f| f.extension().is_some_and(|e| e == "expected"))
        .flat_map(|f| read_expected(&f))
        .collect()
}

fn read_expected(file: &Path) -> Vec<Case> {
    let text = fs::read_to_string(file).unwrap();
    let Some(program) = program_of(file) else { return vec![] };
    let parse = |line: &str| {
        parse_line(line, &program).unwrap_or_else(|| panic!("{}: {line}", file.display()))
    };
    text.lines().filter(|l| !l.trim().is_empty()).map(parse).collect()
}

fn parse_line(line: &str, program: &Path) -> Option<Case> {
    let (left, right) = line.rsplit_once(": ")?;
    let mut words = left.split_whitespace().map(String::from);
    let known = |p: &String| PROPERTIES.contains(&p.as_str()) || p == "robust";
    let property = words.next().filter(known)?;
    let wanted: Vec<String> = right.split(" or ").map(|w| w.trim().into()).collect();
    let known = |w: &String| {
        matches!(w.as_str(), "true" | "false" | "bounded" | "unknown") || w.starts_with("false(")
    };
    let case = Case { program: program.into(), property, options: words.collect(), wanted };
    case.wanted.iter().all(known).then_some(case)
}

fn program_of(expected: &Path) -> Option<PathBuf> {
    ["c", "i"].iter().map(|e| expected.with_extension(e)).find(|p| p.is_file())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(directory).unwrap_or_else(|e| panic!("{}: {e}", directory.display()));
    let mut paths: Vec<PathBuf> = read.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
