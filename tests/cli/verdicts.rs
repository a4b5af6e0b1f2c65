//! What each verdict looks like.

use super::place::*;
use std::path::Path;
use std::process::Stdio;

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

#[test]
fn a_property_file_is_read_for_its_content() {
    let place = Place::with("message_passing.c", example("message_passing.c"));
    place.add("misleading.prp", "CHECK( init(main()), LTL(G ! data-race) )\n");
    let run = place.run("check message_passing.c --property misleading.prp");
    assert_eq!((run.code, run.verdict()), (10, "false(no-data-race)"), "{run}");
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
