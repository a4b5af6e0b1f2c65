//! Memory models: litmus tests, and several models in one run.

use super::place::*;

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
