//! All races of a program, and those that are let be, as a user sees them.

use std::path::Path;
use std::process::{Command, Output};

const COUNTERS: &str = "#include <pthread.h>\nstatic int a, b;\nstatic void *run(void *p) {\n\
    a++;\n    b++;\n    return 0;\n}\nint main(void) { pthread_t t; pthread_create(&t, 0, run, 0);\n\
    run(0); pthread_join(t, 0); return 0; }\n";

fn obmc(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(line.split_whitespace()).current_dir(folder).env_remove("CC");
    command.output().expect("obmc starts")
}

fn with(rules: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("a.c"), COUNTERS).expect("written");
    std::fs::write(folder.path().join("rules"), rules).expect("written");
    folder
}

fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let text = text + &String::from_utf8_lossy(&output.stderr);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn all_or_the_first() {
    let folder = with("");
    let line = "check a.c --property no-data-race --no-trace";
    let all = said(&obmc(folder.path(), line));
    assert!(all.contains("a.c:5: another data race: with itself"), "{all}");
    let first = said(&obmc(folder.path(), &format!("{line} --first")));
    assert!(!first.contains("another") && first.contains("false(no-data-race)"), "{first}");
    let json = said(&obmc(folder.path(), &format!("{line} --json")));
    assert!(json.contains("another data race"), "{json}");
}

#[test]
fn rules_of_a_file() {
    let line = "check a.c --property no-data-race --no-trace --suppressions rules";
    let both = with("# counters\na.c:4 statistics\na.c:5 a.c:5 more of them\n");
    let run = obmc(both.path(), line);
    let text = said(&run);
    assert_eq!(run.status.code(), Some(0), "{text}");
    assert!(text.contains("suppressed: statistics (") && text.contains("more of them"), "{text}");
    let one = with("a.c:4 statistics\n");
    let run = obmc(one.path(), line);
    let text = said(&run);
    assert_eq!(run.status.code(), Some(10), "{text}");
    assert!(text.contains("a.c:5:") && text.contains("suppressed: statistics"), "{text}");
    let bad = with("a.c:x why\n");
    assert_eq!(obmc(bad.path(), line).status.code(), Some(2));
}
