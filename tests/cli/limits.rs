//! Time, memory, and Ctrl-C.

use super::place::*;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

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
