//! Words on the command line, and what the README shows.

use super::place::*;
use std::path::Path;
use std::process::Command;

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
