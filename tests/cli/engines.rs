//! The symbolic engine by itself.

use super::place::*;

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
fn threads_that_are_alike_are_ordered_unless_the_model_is_weak() {
    let place = Place::new();
    place.add("alike.c", include_str!("../cases/symmetry/counter_unsafe.c"));
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
    place.add("safe.c", include_str!("../cases/algorithms/peterson_safe.c"));
    place.add("unsafe.c", include_str!("../cases/algorithms/peterson_unsafe.c"));
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
