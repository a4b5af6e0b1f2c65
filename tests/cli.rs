//! The program as a user meets it: exit codes, the verdict line, messages, and bad input.
//!
//! What a case prints is held against `tests/golden/NAME.expected`; `scripts/bless` rewrites those
//! files. Every case also checks what must never happen: a panic, a signal, an undocumented exit
//! code, stdout without its verdict line.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const CODES: [i32; 7] = [0, 1, 2, 5, 6, 7, 10];

/// A folder to run obmc in, gone at the end.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A folder with one file in it.
    fn with(name: &str, content: impl AsRef<[u8]>) -> Place {
        let place = Place::new();
        place.add(name, content);
        place
    }

    fn add(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.0.path().join(name), content).expect("written");
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
        command.args(line.split_whitespace()).current_dir(self.0.path()).stdin(Stdio::null());
        command.env_remove("CC").env("TMPDIR", self.0.path());
        command
    }

    fn run(&self, line: &str) -> Run {
        let output = self.command(line).output().expect("obmc starts");
        let run = Run::of(line, output);
        let left: Vec<_> = std::fs::read_dir(self.0.path())
            .expect("a folder")
            .filter_map(|e| e.ok()?.file_name().into_string().ok())
            .filter(|n| n.starts_with("obmc-"))
            .collect();
        assert_eq!(left, [""; 0], "{line}: temporary files are left behind");
        run
    }
}

struct Run {
    line: String,
    code: i32,
    stdout: String,
    stderr: String,
}

impl Run {
    fn of(line: &str, output: Output) -> Run {
        let run = Run {
            line: line.to_string(),
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        assert!(CODES.contains(&run.code), "{run}");
        assert!(!run.stderr.contains("panicked"), "{run}");
        run
    }

    fn verdict(&self) -> &str {
        let last = self.stdout.lines().last().unwrap_or("");
        last.strip_prefix("obmc verdict: ").unwrap_or_else(|| panic!("no verdict line: {self}"))
    }

    /// An input error whose message has these words.
    fn is_input_error(&self, words: &str) {
        assert_eq!((self.code, self.verdict()), (2, "unknown (input error)"), "{self}");
        assert!(self.stderr.starts_with("error: "), "{self}");
        assert!(self.stderr.contains(words), "wanted {words:?}: {self}");
    }

    /// A usage error: nothing on stdout, the message has these words.
    fn is_usage_error(&self, words: &str) {
        assert_eq!((self.code, self.stdout.as_str()), (1, ""), "{self}");
        assert!(self.stderr.contains(words), "wanted {words:?}: {self}");
    }

    /// Equal to the stored output, or stored now.
    fn is_golden(&self, name: &str) {
        let path = golden(name);
        let got = self.to_string();
        if std::env::var_os("OBMC_BLESS").is_some() {
            std::fs::write(&path, got).expect("written");
            return;
        }
        let want = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(got, want, "{} differs; scripts/bless if that is right", path.display());
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Run { line, code, stdout, stderr } = self;
        write!(f, "$ obmc {line}\n{stdout}--- stderr\n{stderr}--- exit {code}\n")
    }
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.expected"))
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    std::fs::read_to_string(path).expect("an example")
}

// ---- the front page ----

#[test]
fn the_readme_shows_the_real_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The example is the explorer's; on a slow machine its first turn might be too short.
    let line = "check examples/lost_update.c --engine explore";
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    let output = command.args(line.split_whitespace()).current_dir(root).output();
    let run = Run::of(line, output.expect("obmc starts"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("a README");
    assert!(readme.contains(&run.stdout), "README.md does not show this: {run}");
}

// ---- usage ----

#[test]
fn version_is_one_line() {
    let run = Place::new().run("--version");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(run.stdout, format!("obmc {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn help_is_no_error() {
    for line in ["--help", "check --help", "explore --help", "show --help"] {
        let run = Place::new().run(line);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run}");
    }
}

#[test]
fn wrong_words() {
    let place = Place::with("a.c", "int main(void) { return 0; }\n");
    for (line, words) in [
        ("", "Usage"),
        ("frobnicate a.c", "frobnicate"),
        ("check", "FILE"),
        ("check a.c --no-such-option", "--no-such-option"),
        ("check a.c --32 --64", "--64"),
        ("check a.c --64 --data-model ILP32", "--data-model"),
        ("check a.c --unwind 0", "from 1 to"),
        ("check a.c --unwind=-3", "from 1 to"),
        ("check a.c --unwind 99999999999999999999", "from 1 to"),
        ("check a.c --unwindset main.0", "LOOP:N"),
        ("check a.c --timeout 0", "--timeout"),
        ("check a.c --timeout tomorrow", "20s"),
        ("check a.c --memlimit 512", "512m"),
        ("check a.c --memlimit 1k", "16m"),
        ("check a.c --property honesty", "honesty"),
        ("check a.c --property none.prp", "none.prp"),
        ("check a.c --solver yices", "--solver"),
        ("check a.c --engine explore --solver z3", "does not go with --engine explore"),
        ("check a.c --engine explore --mm wsc", "does not go with --engine explore"),
        ("explore a.c --engine bmc", "does not go with"),
        ("check a.c --method magic", "--method"),
        ("check a.c --conflicts ws,maybe", "rf-rf"),
        ("check a.c --prune perhaps", "--prune"),
        ("check a.c --symmetry perhaps", "--symmetry"),
        ("check a.c --witness w.txt", ".graphml or .yml"),
        ("check a.c --engine warp", "not known"),
        ("check a.c --mm vmm", "not available yet"),
        ("check a.c --mm x86", "not known"),
    ] {
        place.run(line).is_usage_error(words);
    }
}

#[test]
fn an_unknown_loop_is_a_usage_error() {
    let place = Place::with("a.i", "int main(void) { return 0; }\n");
    let run = place.run("check a.i --unwindset main.7:2");
    assert_eq!(run.code, 1, "{run}");
    assert!(run.stderr.contains("no loop main.7"), "{run}");
}

#[test]
fn assumptions_are_listed_and_strict_allows_none() {
    let place = Place::with("a.i", "int g(void);\nint main(void) {\n  g();\n  return 0;\n}\n");
    let lenient = place.run("check a.i");
    assert_eq!((lenient.code, lenient.verdict()), (0, "true"), "{lenient}");
    assert!(lenient.stdout.contains("`g` has no body"), "{lenient}");
    for engine in ["explore", "bmc", "auto"] {
        let strict = place.run(&format!("check a.i --strict --engine {engine}"));
        assert_eq!(strict.code, 5, "{strict}");
        assert!(strict.stdout.contains("`g` has no body"), "{strict}");
    }
    place.add("b.i", "int main(void) { return 0; }\n");
    assert_eq!(place.run("check b.i --strict").code, 0);
}

// ---- bad input ----

#[test]
fn a_missing_file() {
    Place::new().run("check nothing.c").is_golden("missing_file");
    Place::new().run("show nothing.c --ir").is_golden("missing_file_show");
}

#[test]
fn a_folder_instead_of_a_file() {
    Place::new().run("check .").is_input_error("Is a directory");
}

#[test]
fn a_missing_header() {
    let place = Place::with("a.c", "#include <assert.h>\n#include \"colours.h\"\nint main() {}\n");
    place.run("check a.c").is_golden("missing_header");
}

#[test]
fn an_error_directive() {
    let place = Place::with("a.c", "#ifndef N\n#error N is missing\n#endif\nint main() {}\n");
    place.run("check a.c").is_input_error("N is missing");
}

#[test]
fn no_preprocessor() {
    let place = Place::with("a.c", "int main(void) { return 0; }\n");
    place.run("check a.c --cc no-such-compiler").is_golden("no_preprocessor");
}

#[test]
fn a_preprocessed_file_needs_no_preprocessor() {
    let place = Place::with("a.i", "int main(void) { return 0; }\n");
    let run = place.run("show a.i --cc no-such-compiler");
    assert_eq!(run.code, 0, "{run}");
}

#[test]
fn an_empty_file() {
    for name in ["a.c", "a.i"] {
        let place = Place::with(name, "");
        place.run(&format!("check {name}")).is_input_error("main");
    }
}

#[test]
fn other_encodings() {
    let text: Vec<u8> =
        "int main(void) { return 0; }".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let with_mark = [&[0xFF, 0xFE], text.as_slice()].concat();
    Place::with("a.c", with_mark).run("check a.c").is_input_error("UTF-16");
    Place::with("a.i", text).run("check a.i").is_input_error("binary");
}

#[test]
fn binary_garbage() {
    // With zero bytes, and once without.
    let mut dice = obmc_testing::Dice::new(1);
    let mut bytes: Vec<u8> = (0..1000).flat_map(|_| dice.word().to_le_bytes()).collect();
    for name in ["a.c", "a.i"] {
        Place::with(name, &bytes).run(&format!("check {name}")).is_input_error("binary");
    }
    bytes.retain(|&b| b != 0);
    for name in ["a.c", "a.i"] {
        Place::with(name, &bytes).run(&format!("check {name}")).is_input_error("error: ");
    }
}

#[test]
fn ten_megabytes_of_parentheses() {
    for text in ["(".repeat(10 << 20), format!("int main(void) {{ return {}", "(".repeat(10 << 20))]
    {
        let place = Place::with("a.i", text);
        let start = Instant::now();
        place.run("check a.i").is_input_error("error: ");
        assert!(start.elapsed() < Duration::from_secs(60), "a hang");
    }
}

#[test]
fn every_truncation_of_a_program() {
    let text = example("lost_update.c");
    let place = Place::new();
    for cut in (0..text.len()).step_by(37) {
        place.add("a.c", &text[..cut]);
        let run = place.run("check a.c --timeout 20s");
        assert_eq!((run.code, run.verdict()), (2, "unknown (input error)"), "cut at {cut}: {run}");
    }
}

#[test]
fn syntax_errors_point_at_the_spot() {
    let place = Place::with("a.c", "int main(void)\n{\n    int x = 1 +;\n    return x;\n}\n");
    place.run("check a.c").is_golden("syntax_error");
    let place = Place::with("a.c", "int main(void)\n{\n    return y;\n}\n");
    place.run("check a.c").is_golden("undeclared");
    let place = Place::with("a.c", "#define USE-FAST 1\nint main(void) { return 0; }\n");
    place.run("check a.c").is_golden("macro_name");
}

// ---- limits ----

/// Two threads count for ever: a new state with every step.
const ENDLESS: &str = "#include <pthread.h>
    unsigned long x;
    void *count(void *unused) { for (;;) x++; }
    int main(void) { pthread_t t; pthread_create(&t, 0, count, 0); for (;;) x++; }
";

#[test]
fn the_time_limit_is_kept() {
    let place = Place::with("a.c", ENDLESS);
    let start = Instant::now();
    let run =
        place.run("check a.c --engine explore --timeout 1s --property no-deadlock,no-livelock");
    assert_eq!((run.code, run.verdict()), (7, "unknown (time limit 1 s)"), "{run}");
    assert!(start.elapsed() < Duration::from_secs(5), "too late");
}

/// Neither a proof nor a violation comes, and threads go on for ever: the reason is not the time.
#[test]
fn what_is_not_modelled_is_told_where_the_time_ends() {
    let text = "#include <pthread.h>\n#include <signal.h>\nstatic _Atomic unsigned long n;\n\
                static void *f(void *a) { for (;;) n++; return a; }\n\
                int main(void) {\n    pthread_t t;\n    pthread_create(&t, 0, f, 0);\n    \
                sigaltstack(0, 0);\n    return 0;\n}\n";
    let place = Place::with("a.c", text);
    for line in [
        "check a.c --timeout 4s --mm sc",
        "check a.c --timeout 2s --mm sc --property no-overflow --engine explore",
        "check a.c --timeout 2s --mm sc --property no-overflow --engine bmc",
    ] {
        let run = place.run(line);
        let verdict = "unknown (not modelled: sigaltstack at a.c:8)";
        assert_eq!((run.code, run.verdict()), (5, verdict), "{run}");
        assert!(run.stdout.contains("8 |     sigaltstack(0, 0);\n  |     ^"), "{run}");
    }
}

#[test]
fn a_hard_property_leaves_time_for_the_others() {
    let place = Place::with("a.c", ENDLESS);
    let run =
        place.run("check a.c --engine explore --timeout 5s --property no-deadlock,no-data-race");
    assert!(run.stdout.contains("obmc verdict[no-deadlock]: unknown (time limit 5 s)"), "{run}");
    assert!(run.stdout.contains("obmc verdict[no-data-race]: false(no-data-race)"), "{run}");
    assert_eq!((run.code, run.verdict()), (10, "false(no-data-race)"), "{run}");
}

#[test]
fn the_memory_limit_is_kept() {
    let place = Place::with("a.c", ENDLESS);
    let run =
        place.run("check a.c --engine explore --memlimit 64m --timeout 60s --property no-deadlock");
    assert_eq!((run.code, run.verdict()), (7, "unknown (memory limit 64 MiB)"), "{run}");
}

#[test]
fn little_address_space_is_a_limit_too() {
    let place = Place::with("a.c", ENDLESS);
    let line = "check a.c --engine explore --timeout 60s --property no-deadlock";
    let obmc = place.command(line);
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 200000 && exec \"$@\"", "sh"]).arg(obmc.get_program());
    shell.args(obmc.get_args()).current_dir(place.0.path());
    let run = Run::of(line, shell.output().expect("a shell"));
    assert_eq!((run.code, run.verdict()), (7, "unknown (memory limit 175000 KiB)"), "{run}");
}

// ---- verdicts ----

#[test]
fn safe() {
    let place = Place::with("locked_update.c", example("locked_update.c"));
    place.run("check locked_update.c").is_golden("safe");
    let run = place.run("explore locked_update.c --property all");
    assert_eq!((run.code, run.verdict()), (0, "true"), "{run}");
    assert_eq!(run.stdout.matches("obmc verdict[").count(), 6, "{run}");
}

#[test]
fn unsafe_with_its_trace() {
    let place = Place::with("lost_update.c", example("lost_update.c"));
    place.run("check lost_update.c").is_golden("unsafe");
    let place = Place::with("message_passing.c", example("message_passing.c"));
    let run = place.run("check message_passing.c --no-trace");
    assert_eq!((run.code, run.verdict()), (10, "false(no-data-race)"), "{run}");
    assert!(!run.stdout.contains("Trace"), "{run}");
}

/// Traces name who freed what, who holds what, and which signal was lost. Minimal by the explorer, so
/// that the schedule is the same everywhere.
#[test]
fn traces_name_the_culprit() {
    let programs = [
        ("traces/treiber_unsafe.c", "valid-memsafety"),
        ("traces/pool_unsafe.c", "valid-memsafety"),
        ("traces/lost_signal_unsafe.c", "no-deadlock"),
        ("traces/lock_order_unsafe.c", "no-deadlock"),
        ("traces/ring_unsafe.c", "no-data-race"),
        ("traces/callback_unsafe.c", "valid-memsafety"),
        ("livelock/mcs_unsafe.c", "no-livelock"),
    ];
    for (path, property) in programs {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
        let text = std::fs::read_to_string(root.join(path)).expect("a case");
        let name = path.rsplit('/').next().unwrap_or(path);
        let place = Place::with(name, text);
        let run = place.run(&format!("check {name} --engine explore --property {property}"));
        let golden = path.replace('/', "_").replace(".c", "");
        run.is_golden(&golden);
    }
}

#[test]
fn a_deadlock() {
    let place = Place::with("two_locks.c", example("two_locks.c"));
    let run = place.run("check two_locks.c --property no-deadlock");
    assert_eq!((run.code, run.verdict()), (10, "false(no-deadlock)"), "{run}");
}

#[test]
fn safe_up_to_bound() {
    let loops = "int main(void)\n{\n    for (int i = 0; i < 5; i++)\n        ;\n    return 0;\n}\n";
    let place = Place::with("a.i", loops);
    place.run("check a.i --unwind 2").is_golden("bounded");
    assert_eq!(place.run("check a.i --unwind 2 --accept-bounded").code, 0);
    assert_eq!(place.run("check a.i --unwind 6").verdict(), "true");
    assert_eq!(place.run("check a.i --unwind 2 --unwindset main.0:6").verdict(), "true");
    assert_eq!(place.run("check a.i").verdict(), "true");
}

// ---- the symbolic engine ----

#[test]
fn the_symbolic_engine_says_the_same() {
    let place = Place::with("lost_update.c", example("lost_update.c"));
    let run = place.run("check lost_update.c --engine bmc --solver sat --json");
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("good JSON");
    assert_eq!(json["verdict"], "false(unreach-call)");
    let property = &json["properties"][0];
    assert_eq!(property["place"]["line"], 21);
    assert!(property["stats"]["events"].as_u64().is_some_and(|n| n > 0), "{run}");
    assert!(json["times"]["solve: error"].as_f64().is_some(), "{run}");
    // What happens inside of library functions is not told.
    let told = property["trace"].to_string();
    assert!(told.contains("calls pthread_join(2, NULL)") && !told.contains("models"), "{run}");
    place.add("message_passing.c", example("message_passing.c"));
    let run = place.run("check message_passing.c --engine bmc --property no-data-race --no-trace");
    assert_eq!((run.code, run.verdict()), (10, "false(no-data-race)"), "{run}");
}

#[test]
fn the_symbolic_engine_names_loops_that_go_on() {
    let loops = "int g;\nint main(void)\n{\n    for (int i = 0; i < 5; i++)\n        g++;\n\
                 while (g < 7) g++;\n    while (g > 100) ;\n    return 0;\n}\n";
    let place = Place::with("a.i", loops);
    let run = place.run("check a.i --unwind 2 --engine bmc");
    assert_eq!((run.code, run.verdict()), (5, "unknown (bounded: unwind 2)"), "{run}");
    assert!(run.stdout.contains("loop main.0") && !run.stdout.contains("loop main.1"), "{run}");
    let run = place.run("check a.i --unwind 2 --unwindset main.0:6 --engine bmc");
    assert!(run.stdout.contains("loop main.1") && !run.stdout.contains("loop main.0"), "{run}");
    assert_eq!(place.run("check a.i --unwind 6 --engine bmc").verdict(), "true");
    let run = place.run("check a.i --engine bmc --stats");
    assert_eq!(run.verdict(), "true", "{run}");
    assert!(run.stdout.contains("bound main.1: 3"), "{run}");
}

/// Weakly consistent, but no order of all steps explains it.
const NO_SCHEDULE: &str = "#include <pthread.h>
    void reach_error(void);
    int x, y, a, b, c, d, e, f, g, h;
    void *t1(void *p) { x = 1; a = y; b = x; return 0; }
    void *t2(void *p) { x = 2; c = y; d = x; return 0; }
    void *t3(void *p) { y = 1; e = x; f = y; return 0; }
    void *t4(void *p) { y = 2; g = x; h = y; return 0; }
    int main(void) {
        void *(*start[4])(void *) = { t1, t2, t3, t4 };
        pthread_t t[4];
        for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, start[i], 0);
        for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
        if (a == 1 && b == 1 && c == 2 && d == 2 && e == 2 && f == 1 && g == 1 && h == 2)
            reach_error();
    }
";

#[test]
fn weak_consistency_allows_what_has_no_schedule() {
    let place = Place::with("a.c", NO_SCHEDULE);
    for solver in ["z3", "sat"] {
        for method in ["prop", "basic"] {
            let line = format!("check a.c --solver {solver} --method {method}");
            let line = format!("{line} --property unreach-call");
            assert_eq!(place.run(&line).verdict(), "true", "{line}");
            let run = place.run(&format!("{line} --mm wsc"));
            assert_eq!(run.verdict(), "false(unreach-call)", "{run}");
            assert!(run.stdout.contains("may have no schedule"), "{run}");
            assert!(run.stdout.contains("y == 1, from thread 4 at line 6"), "{run}");
        }
    }
    let run = place.run("check a.c --mm wsc --property no-data-race");
    assert_eq!(run.code, 5, "{run}");
    // By default, what the model has an answer for.
    let run = place.run("check a.c --mm wsc");
    assert!(!run.stdout.contains("no-data-race") && run.stdout.contains("no-overflow"), "{run}");
}

#[test]
fn a_property_file_is_read_for_its_content() {
    let place = Place::with("message_passing.c", example("message_passing.c"));
    place.add("misleading.prp", "CHECK( init(main()), LTL(G ! data-race) )\n");
    let run = place.run("check message_passing.c --property misleading.prp");
    assert_eq!((run.code, run.verdict()), (10, "false(no-data-race)"), "{run}");
}

#[test]
fn threads_that_are_alike_are_ordered_unless_the_model_is_weak() {
    let place = Place::new();
    place.add("alike.c", include_str!("cases/symmetry/counter_unsafe.c"));
    for (words, row) in [("", "symmetric threads: 4"), ("--symmetry off", ""), ("--mm wsc", "")] {
        let run = place
            .run(&format!("check alike.c --engine bmc --stats {words} --property unreach-call"));
        assert_eq!(run.verdict(), "false(unreach-call)", "{run}");
        let found = run.stdout.lines().find(|l| l.contains("symmetric threads"));
        assert_eq!(found.unwrap_or("").trim(), row, "{run}");
    }
}

#[test]
fn the_slow_twin_agrees_and_is_counted() {
    let place = Place::new();
    place.add("safe.c", include_str!("cases/algorithms/peterson_safe.c"));
    place.add("unsafe.c", include_str!("cases/algorithms/peterson_unsafe.c"));
    for (file, verdict) in [("safe.c", "true"), ("unsafe.c", "false(unreach-call)")] {
        for words in ["", "--solver z3", "--method basic", "--mm wsc"] {
            let line = format!("check {file} --engine bmc --self-check --stats {words}");
            let run = place.run(&format!("{line} --property unreach-call"));
            assert_eq!(run.verdict(), verdict, "{words}: {run}");
            let row = "self-checked clauses and models: ";
            let checked = run.stdout.lines().find_map(|l| l.trim().strip_prefix(row));
            assert!(checked.is_some_and(|n| n != "0"), "{words}: {run}");
        }
    }
}

#[test]
fn json_says_the_same() {
    let place = Place::with("lost_update.c", example("lost_update.c"));
    let run = place.run("check lost_update.c --json");
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("good JSON");
    assert_eq!(json["verdict"], "false(unreach-call)");
    assert_eq!(json["exit_code"], run.code);
    assert_eq!(json["properties"][0]["place"]["line"], 21);
    assert!(json["properties"][0]["trace"].as_array().is_some_and(|t| !t.is_empty()));
    let run = place.run("check nothing.c --json");
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("good JSON");
    assert_eq!((run.code, &json["verdict"]), (2, &"unknown (input error)".into()));
}

#[test]
fn definitions_and_folders_reach_the_preprocessor() {
    let place = Place::with("a.c", "#include <n.h>\nint main(void) { return N + M; }\n");
    std::fs::create_dir(place.0.path().join("inc")).expect("a folder");
    place.add("inc/n.h", "#define N 1\n");
    assert_eq!(place.run("show a.c -I inc -D M=2").code, 0);
    place.run("check a.c -D M=2").is_input_error("n.h");
}

#[test]
fn show_prints_what_was_understood() {
    let place = Place::with("lost_update.c", example("lost_update.c"));
    let run = place.run("show lost_update.c");
    assert!(run.code == 0 && run.stdout.contains("worker"), "{run}");
    let run = place.run("show lost_update.c --threads");
    assert!(run.stdout.contains("main") && run.stdout.contains("worker"), "{run}");
    let run = place.run("show lost_update.c --events");
    assert_eq!(run.code, 0, "{run}");
    for part in ["thread 1 if true", "Access line", " reads ", " writes ", "Error("] {
        assert!(run.stdout.contains(part), "{part:?} is missing: {run}");
    }
    assert!(!run.stdout.contains("fn main"), "only what was asked for: {run}");
    assert_eq!(place.run("show lost_update.c --cfg cfg.dot").code, 0);
    let dot = std::fs::read_to_string(place.0.path().join("cfg.dot")).expect("a dot file");
    assert!(dot.contains("digraph"));
    place.add("a.i", "int main(void) { while (1) ; }\n");
    for line in ["show a.i --loops", "check a.i --show-loops"] {
        let run = place.run(line);
        assert!(run.code == 0 && run.stdout.contains("main.0"), "{run}");
    }
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let place = Place::with("a.i", "int main(void) { return 0; }\n");
    let mut command = place.command("show a.i");
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("obmc starts");
    drop(child.stdout.take());
    Run::of("show a.i | true", child.wait_with_output().expect("obmc ends"));
}

#[test]
fn a_race_inside_of_library_functions_is_told_at_their_calls() {
    let text = "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\nint *p;\n\
                void *copies(void *arg)\n{\n    int to[2];\n    memcpy(to, p, 4);\n    return 0;\n}\n\
                int main(void)\n{\n    pthread_t t;\n    p = calloc(1, 4);\n\
                pthread_create(&t, 0, copies, 0);\n    free(p);\n    return 0;\n}\n";
    let run = Place::with("a.c", text).run("check --property no-data-race --no-trace a.c");
    let lines = |a, b| {
        run.stdout.contains(&format!("--> a.c:{a}:"))
            && run.stdout.contains(&format!("at line {b},"))
    };
    assert!(lines(8, 16) || lines(16, 8), "{}", run.stdout);
}

// ---- bench ----

#[test]
fn a_suite_is_run_once_and_reported() {
    let place = Place::with("good.i", "int main(void) { return 0; }\n");
    place.add("good.expected", "unreach-call: true\nno-overflow: true\n");
    place.add("bad.i", "void reach_error(void); int main(void) { reach_error(); }\n");
    place.add("bad.expected", "unreach-call: false\n");
    let run = place.run("bench . --jobs 2 --out out");
    let total: Vec<&str> = run.stdout.lines().filter(|l| l.starts_with("total")).collect();
    let cells: Vec<&str> = total[0].split_whitespace().take(5).collect();
    assert_eq!((run.code, cells), (0, vec!["total", "3", "3", "3", "0"]), "{run}");
    let read = |name: &str| {
        std::fs::read_to_string(place.0.path().join("out").join(name)).expect("a file")
    };
    let json: serde_json::Value = serde_json::from_str(&read("results.json")).expect("good JSON");
    assert_eq!(json["results"][0]["verdict"], "false(unreach-call)");
    assert!(read("report.html").contains("<svg"));
    let lines = read("results.jsonl").lines().count();
    place.add("more.i", "int main(void) { return 1; }\n");
    let run = place.run("bench . --jobs 2 --out out");
    assert!(run.stdout.contains("known from an earlier run: 3"), "{run}");
    assert_eq!((run.code, read("results.jsonl").lines().count()), (0, lines + 1), "{run}");
}

#[test]
fn a_suite_with_a_wrong_verdict() {
    let place = Place::with("a.i", "int main(void) { return 0; }\n");
    place.add("t.json", r#"[{"file": "a.i", "expected": false, "unwind": 2}]"#);
    let run = place.run("bench t.json --out out -- --engine explore");
    assert!(run.code == 10 && run.stdout.contains("WRONG: a.i"), "{run}");
    let run = place.run("bench nothing.json --out out");
    assert!(run.code == 2 && run.stderr.contains("nothing.json"), "{run}");
}

// ---- litmus ----

const STORE_BUFFERING: &str = "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n \
    MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n";

#[test]
fn litmus_tests_are_answered_one_by_one() {
    let place = Place::with("sb.litmus", STORE_BUFFERING);
    let run = place.run("litmus sb.litmus --mm sc --explain");
    assert!(run.code == 0 && run.stdout.contains("Observation SB Never 0 3"), "{run}");
    assert!(run.stdout.contains("Forbidden by sc: P0: W x=1 -po-> P0: R y=0"), "{run}");
    // The default model of x86; a test that cannot be read stops no other.
    place.add("bad.litmus", "X86 BAD\n{}\n P0 ;\n FLY ;\nexists (x=0)\n");
    let run = place.run("litmus . --json --jobs 2");
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("good JSON");
    assert_eq!(json["tests"][0]["verdict"], "Unknown");
    assert_eq!(json["tests"][1]["verdict"], "Allowed");
    assert_eq!(json["tests"][1]["executions"], 4);
    assert!(run.code == 2 && run.stderr.contains("bad.litmus: line 4: the instruction"), "{run}");
    let run = place.run("litmus sb.litmus --mm vax");
    assert!(run.code == 1 && run.stderr.contains("there is: sc, tso"), "{run}");
    let run = place.run("litmus sb.litmus --mm power");
    assert!(run.code == 2 && run.stderr.contains("another language"), "{run}");
    std::fs::create_dir(place.0.path().join("empty")).expect("a folder");
    let run = place.run("litmus empty");
    assert!(run.code == 2 && run.stderr.contains("no litmus test here"), "{run}");
    place.add("m.cat", "acyclic po | roof");
    let run = place.run("litmus sb.litmus --cat m.cat");
    assert!(run.code == 2 && run.stderr.contains("m.cat:1:14: `roof` is not defined\n"), "{run}");
}

/// Only an execution with a schedule has a witness.
#[test]
fn no_witness_without_a_schedule() {
    let place = Place::new();
    let program = "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n\
                   atomic_int x, y, a;\n\
                   void *t(void *p) { atomic_store_explicit(&x, -5, memory_order_relaxed);\n\
                   a = atomic_load_explicit(&y, memory_order_relaxed); return p; }\n\
                   int main(void) { pthread_t i; pthread_create(&i, 0, t, 0);\n\
                   atomic_store_explicit(&y, 1, memory_order_relaxed);\n\
                   int b = atomic_load_explicit(&x, memory_order_relaxed);\n\
                   pthread_join(i, 0); assert(a || b); }\n";
    place.add("a.c", program);
    let run = place.run("check a.c --mm rc11 --property unreach-call --witness w.yml");
    assert!(run.code == 10 && run.stdout.contains("no witness is written"), "{run}");
    assert!(!place.0.path().join("w.yml").exists());
    // It is told in the program's words all the same.
    assert!(run.stdout.contains("-- thread 2, t -") && run.stdout.contains("x = -5"), "{run}");
}

/// Compilers keep acquire loads, and need not keep dependencies.
#[test]
fn a_proof_says_that_it_needs_dependencies() {
    let place = Place::new();
    let program = "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n\
                   atomic_int x, y; int a, b;\n\
                   void *t(void *p) { a = atomic_load_explicit(&x, ORDER);\n\
                   atomic_store_explicit(&y, a + 1, memory_order_relaxed); return p; }\n\
                   int main(void) { pthread_t i; pthread_create(&i, 0, t, 0);\n\
                   b = atomic_load_explicit(&y, ORDER);\n\
                   atomic_store_explicit(&x, b + 1, memory_order_relaxed);\n\
                   pthread_join(i, 0); assert(!a || !b); }\n";
    place.add("a.c", program);
    for (model, order, assumed) in [
        ("armv8", "memory_order_relaxed", true),
        ("armv8", "memory_order_acquire", false),
        ("rc11", "memory_order_relaxed", false),
    ] {
        let line = format!("check a.c --property unreach-call --mm {model} -D ORDER={order}");
        let run = place.run(&line);
        assert_eq!((run.code, run.stdout.contains("a relaxed load")), (0, assumed), "{run}");
    }
}

/// Answers that one model gives to another one say so; who names an engine gets none.
#[test]
fn models_hand_their_answers_on() {
    let place = Place::new();
    let program = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
                   atomic_int x, y; int a, b;\n\
                   void *t(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed);\n\
                   a = atomic_load_explicit(&y, memory_order_relaxed); return p; }\n\
                   int main(void) { pthread_t i; pthread_create(&i, 0, t, 0);\n\
                   atomic_store_explicit(&y, 1, memory_order_relaxed);\n\
                   b = atomic_load_explicit(&x, memory_order_relaxed);\n\
                   pthread_join(i, 0); assert(WANTED); }\n";
    place.add("a.c", program);
    let line = |wanted: &str, more: &str| {
        let words = "check a.c --property unreach-call --mm sc,tso,pso,rc11";
        format!("{words} -D WANTED={wanted} {more}")
    };
    let holds = "follows from pso: every execution under tso is one under it";
    let run = place.run(&line("a<2", ""));
    assert_eq!((run.code, run.stdout.matches("follows from").count()), (0, 1), "{run}");
    assert!(run.stdout.contains(holds), "{run}");
    // An interleaving: shown once.
    let run = place.run(&line("a||!b", ""));
    assert_eq!(
        (run.code, run.stdout.matches("follows from sc: an interl").count()),
        (10, 3),
        "{run}"
    );
    assert_eq!(run.stdout.matches("Trace: ").count(), 1, "{run}");
    // None: every model shows its own.
    let run = place.run(&line("a||b", ""));
    assert_eq!((run.code, run.stdout.matches("follows from").count()), (10, 0), "{run}");
    assert!(run.stdout.contains("obmc verdict[unreach-call, sc]: true"), "{run}");
    for wanted in ["a<2", "a||!b"] {
        let run = place.run(&line(wanted, "--engine bmc"));
        assert!(!run.stdout.contains("follows from"), "{run}");
    }
    let run = place.run(&line("a<2", "--json"));
    assert!(run.stdout.contains("\"follows_from\": \"pso\""), "{run}");
    // The two race questions are one.
    let run = place.run("check a.c --property no-data-race --mm tso,pso -D WANTED=1 -v");
    let asked = run.stderr.matches("encode").count();
    let once = place.run("check a.c --property no-data-race --mm pso -D WANTED=1 -v");
    assert_eq!(asked, once.stderr.matches("encode").count(), "{run}{once}");
}

/// A model without a flag has nothing to say about races.
#[test]
fn models_that_do_not_say_what_a_race_is() {
    let place = Place::new();
    let program = "#include <pthread.h>\nint x;\nvoid *t(void *p) { x = 1; return p; }\n\
                   int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); x = 2; return 0; }\n";
    place.add("a.c", program);
    let sc = "acyclic po | rf | co | fr as sc\n";
    let race = "flag ~empty (W * M) & loc & ext as race\n";
    for (flag, verdict) in
        [("", "unknown"), ("flag ~acyclic po as no\n", "unknown"), (race, "false")]
    {
        place.add("m.cat", format!("{sc}{flag}"));
        let run = place.run("check a.c --cat m.cat --property no-data-race");
        assert!(run.stdout.contains(&format!("obmc verdict: {verdict}")), "{run}");
    }
    place.add("m.cat", "acyclic po | roof");
    let run = place.run("check a.c --cat m.cat");
    assert!(run.stderr.contains("\n --> m.cat:1:14\n") && run.code == 2, "{run}");
    place.add("m.cat", format!("catdep {sc}"));
    let run = place.run("check a.c --cat m.cat");
    assert!(run.stderr.contains("one for litmus tests, not for C"), "{run}");
}

// ---- Ctrl-C ----

/// Runs a check until its log has `count` lines that end with `word`, then sends the signal.
fn interrupted(place: &Place, line: &str, word: &str, count: usize, signal: &str) -> Run {
    let mut command = place.command(line);
    command.arg("-v").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("obmc starts");
    let log = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut lines = log.lines().map_while(Result::ok).filter(|l| l.ends_with(word));
    assert!(lines.nth(count - 1).is_some(), "{line} ended too early");
    let kill = format!("kill -{signal} {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
    Run::of(line, child.wait_with_output().expect("obmc ends"))
}

/// One property is violated at once, no engine can settle the other.
const HALF_ENDLESS: &str = "void __VERIFIER_error(void); int __VERIFIER_nondet_int(void);\n\
    unsigned long long x;\n\
    int main(void) { if (__VERIFIER_nondet_int() == 7) __VERIFIER_error(); while (1) x++; }\n";

#[test]
fn an_interruption_keeps_what_is_answered() {
    let place = Place::with("a.i", HALF_ENDLESS);
    let line = "check a.i --property unreach-call,no-deadlock";
    let run = interrupted(&place, line, "spin loops", 2, "INT");
    assert_eq!((run.code, run.verdict()), (10, "false(unreach-call)"), "{run}");
    assert!(run.stdout.contains("obmc verdict[no-deadlock]: unknown (interrupted)"), "{run}");
}

#[test]
fn an_interruption_is_no_answer() {
    let place = Place::with("a.i", HALF_ENDLESS);
    for signal in ["INT", "TERM"] {
        let run = interrupted(&place, "check a.i --property no-deadlock", "load", 1, signal);
        assert_eq!((run.code, run.verdict()), (7, "unknown (interrupted)"), "{run}");
    }
    let line = "check a.i --property no-deadlock --json";
    let run = interrupted(&place, line, "load", 1, "INT");
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("good JSON");
    assert_eq!(json["verdict"], "unknown (interrupted)");
}
