//! `obmc fences`: what makes a program safe, as a diff that was checked.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Said {
    code: Option<i32>,
    text: String,
}

impl Said {
    /// Lines that the diff adds.
    fn added(&self) -> Vec<&str> {
        let added = self.text.lines().filter_map(|line| line.strip_prefix('+'));
        added.filter(|line| !line.starts_with("++")).map(str::trim).collect()
    }
}

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/weak")
}

fn obmc(folder: &Path, line: &str) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(line.split_whitespace()).args(["--timeout", "120s"]);
    let output = command.current_dir(folder).stdin(Stdio::null()).output().expect("obmc starts");
    Said { code: output.status.code(), text: String::from_utf8_lossy(&output.stdout).into() }
}

/// Two threads and what must hold at the end.
fn program(globals: &str, one: &str, two: &str, end: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n{globals}\n\
         void *one(void *p)\n{{\n{one}\n    return p;\n}}\nvoid *two(void *p)\n{{\n{two}\n    return p;\n}}\n\
         int main(void)\n{{\n    pthread_t a, b;\n    pthread_create(&a, 0, one, 0);\n    \
         pthread_create(&b, 0, two, 0);\n    pthread_join(a, 0);\n    pthread_join(b, 0);\n    {end}\n    return 0;\n}}\n"
    )
}

fn of(text: &str, options: &str) -> Said {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.c"), text).expect("written");
    obmc(folder.path(), &format!("fences a.c {options}"))
}

const FULL: &str = "atomic_thread_fence(memory_order_seq_cst);";

#[test]
fn the_classics_get_their_fences() {
    let classics: [(&str, &[&str]); 5] = [
        ("store_buffering", &[FULL, FULL]),
        ("peterson_release", &[FULL, FULL, FULL, FULL]),
        ("seqlock_reader_without_fence", &["atomic_thread_fence(memory_order_acquire);"]),
        ("chase_lev_without_fence", &[FULL]),
        ("hazard_pointer_release_only", &[FULL]),
    ];
    for (name, wanted) in classics {
        let said = obmc(&cases(), &format!("fences {name}.c"));
        assert_eq!((said.code, said.added()), (Some(0), wanted.to_vec()), "{name}: {}", said.text);
        assert!(
            said.text.contains("Without any one of them it is UNSAFE"),
            "{name}: {}",
            said.text
        );
    }
}

/// An arm without braces gets some for its fence, and only there is a place for one.
#[test]
fn arms_get_braces() {
    let store = "    atomic_store_explicit(&x, 1, memory_order_relaxed);\n    FENCE\n    \
                 r = atomic_load_explicit(&y, memory_order_relaxed);";
    let store = store.replace("FENCE", FULL);
    let globals = "atomic_int x, y; int r, s;\n#define SET(v) (atomic_store_explicit(&v, 1, memory_order_relaxed), 1)";
    let end = "assert(r || s);";
    for (arm, wanted) in [
        (
            "    if (SET(y))\n        s = atomic_load_explicit(&x, memory_order_relaxed);\n    else\n        s = 1;",
            vec!["if (SET(y)) {", FULL, "}"],
        ),
        (
            "    for (int i = SET(y); i; i--) s = atomic_load_explicit(&x, memory_order_relaxed);",
            vec![
                "for (int i = SET(y); i; i--) { atomic_thread_fence(memory_order_seq_cst); \
                  s = atomic_load_explicit(&x, memory_order_relaxed); }",
            ],
        ),
    ] {
        let said = of(&program(globals, &store, arm, end), "");
        assert_eq!((said.code, said.added()), (Some(0), wanted), "{}", said.text);
    }
}

/// What a race is says C, not the machine.
#[test]
fn races_are_asked_of_c() {
    let store = "    data = 1;\n    atomic_store_explicit(&flag, 1, memory_order_relaxed);";
    let load = "    if (atomic_load_explicit(&flag, memory_order_acquire))\n        (void)data;";
    let text = program("int data; atomic_int flag;", store, load, ";");
    for model in ["rc11", "armv8", "tso"] {
        let said = of(&text, &format!("--property no-data-race --mm {model}"));
        let wanted = ["atomic_store_explicit(&flag, 1, memory_order_release);"];
        assert_eq!((said.code, said.added()), (Some(0), wanted.to_vec()), "{model}: {}", said.text);
    }
}

/// The diff is one: `patch` applies it, and the result is safe.
#[test]
fn the_diff_applies() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    std::fs::copy(cases().join("store_buffering.c"), &file).expect("copied");
    let said = obmc(folder.path(), "fences a.c --mm tso");
    std::fs::write(folder.path().join("fix"), &said.text).expect("written");
    let patch =
        Command::new("patch").args(["-i", "fix", "a.c"]).current_dir(folder.path()).output();
    let Ok(patch) = patch else { return }; // not everywhere
    assert!(patch.status.success(), "{}", String::from_utf8_lossy(&patch.stdout));
    let checked = obmc(folder.path(), "check a.c --mm tso --property unreach-call");
    assert_eq!(checked.code, Some(0), "{}", checked.text);
    let before = obmc(&cases(), "check store_buffering.c --mm tso --property unreach-call");
    assert_eq!(before.code, Some(10), "{}", before.text);
}

#[test]
fn orders_are_raised_where_that_is_enough() {
    let text = program(
        "atomic_int flag;\nint data;",
        "    data = 1;\n    atomic_store_explicit(&flag, 1, memory_order_relaxed);",
        "    if (atomic_load_explicit(&flag, memory_order_relaxed))\n        assert(data == 1);",
        "",
    );
    let said = of(&text, "");
    let want = [
        "atomic_store_explicit(&flag, 1, memory_order_release);",
        "if (atomic_load_explicit(&flag, memory_order_acquire))",
    ];
    assert_eq!((said.code, said.added()), (Some(0), want.to_vec()), "{}", said.text);
}

/// Statements in one line, gcc's functions, orders in one line.
#[test]
fn other_ways_to_write_it() {
    let one_line = "int x, y, r, q;\n\
        void *one(void *p) { __atomic_store_n(&x, 1, __ATOMIC_RELAXED); r = __atomic_load_n(&y, __ATOMIC_RELAXED); return p; }\n\
        void *two(void *p) { __atomic_store_n(&y, 1, __ATOMIC_RELAXED); q = __atomic_load_n(&x, __ATOMIC_RELAXED); return p; }\n";
    let main = "int main(void) { pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);\n\
        pthread_join(a, 0); pthread_join(b, 0); assert(r || q); }\n";
    let text = format!("#include <assert.h>\n#include <pthread.h>\n{one_line}{main}");
    let said = of(&text, "");
    let fences = said
        .added()
        .iter()
        .filter(|l| l.contains("; __atomic_thread_fence(__ATOMIC_SEQ_CST); "))
        .count();
    assert_eq!((said.code, fences), (Some(0), 2), "{}", said.text);
}

#[test]
fn a_weaker_fence_is_raised() {
    let text = program(
        "atomic_int x, y; int r, q;",
        "    atomic_store_explicit(&x, 1, memory_order_relaxed);\n    atomic_thread_fence(memory_order_acq_rel);\n    r = atomic_load_explicit(&y, memory_order_relaxed);",
        "    atomic_store_explicit(&y, 1, memory_order_relaxed);\n    atomic_thread_fence(memory_order_seq_cst);\n    q = atomic_load_explicit(&x, memory_order_relaxed);",
        "assert(r || q);",
    );
    let said = of(&text, "");
    assert_eq!((said.code, said.added()), (Some(0), vec![FULL]), "{}", said.text);
    assert!(
        said.text.contains("\n-    atomic_thread_fence(memory_order_acq_rel);\n"),
        "{}",
        said.text
    );
}

#[test]
fn sometimes_there_is_nothing_to_do_or_nothing_to_be_done() {
    let safe = obmc(&cases(), "fences store_buffering_fences.c");
    assert_eq!((safe.code, safe.added().len()), (Some(0), 0), "{}", safe.text);
    let store = "    atomic_store_explicit(&x, 1, memory_order_relaxed);";
    let hopeless = of(&program("atomic_int x, y;", store, store, "assert(x == 2);"), "");
    assert_eq!(hopeless.code, Some(10), "{}", hopeless.text);
    assert!(
        hopeless.text.contains("No stronger order in a call and no fence"),
        "{}",
        hopeless.text
    );
    let usage = obmc(&cases(), "fences store_buffering.c --mm sc");
    assert_eq!(usage.code, Some(1));
    let json = obmc(&cases(), "fences store_buffering.c --mm tso --json");
    let document: serde_json::Value = serde_json::from_str(&json.text).expect("JSON");
    assert_eq!(document["answer"], "changes");
    assert_eq!(document["changes"].as_array().map(Vec::len), Some(2), "{}", json.text);
}
