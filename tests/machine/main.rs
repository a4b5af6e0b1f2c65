//! Output for machines: every document of `--json` and `--sarif` fits its schema, whatever happened.
//!
//! `docs/schema/obmc-1.json` is the promise to readers of `--json`. SARIF's own schema is not ours to
//! keep here; `sarif.json` states the part that obmc writes (`docs/machine-output.md` says how the
//! published one is asked).

mod schema;

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A program, its options, and the exit code.
const RUNS: &[(&str, &str, i32)] = &[
    ("lost_update.c", "", 10),
    ("lost_update.c", "--trace off", 10),
    ("lost_update.c", "--replay", 10),
    ("lost_update.c", "--property unreach-call,no-data-race,no-deadlock --stats", 10),
    ("locked_update.c", "--engine bmc --timeout 60s --memlimit 2g", 0),
    ("spin.c", "--unwind 2 --unwindset main.0:1 --engine explore", 5),
    ("deadlock.c", "--property no-deadlock", 10),
    ("freed.c", "--property valid-memsafety", 10),
    ("livelock.c", "--property no-livelock", 10),
    ("input.c", "--32", 10),
    ("atomic.c", "--engine bmc", 10),
    ("weak.c", "--property all", 0),
    ("undefined.c", "", 0),
    ("unknown.c", "", 5),
    ("syntax.c", "", 2),
    ("missing.c", "", 2),
];

const FILES: &[(&str, &str)] = &[
    ("spin.c", "int x; int main(void) { for (int i = 0; i < 100; i++) x += i; return 0; }"),
    ("freed.c", "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); return *p; }"),
    ("livelock.c", "_Atomic int x; int main(void) { while (!x) ; return 0; }"),
    (
        "deadlock.c",
        "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }",
    ),
    (
        "input.c",
        "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n\
         int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 7); return 0; }",
    ),
    (
        "atomic.c",
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n\
         void *f(void *p) { atomic_store_explicit(&x, 1, memory_order_release); return p; }\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(x == 0); return 0; }",
    ),
    (
        "weak.c",
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n\
         void *f(void *p) { atomic_store_explicit(&x, 1, memory_order_release); return p; }\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return x - 1; }",
    ),
    ("undefined.c", "int f(int); int main(void) { return f(3) * 0; }"),
    ("unknown.c", "int main(void) { __asm__(\"nop\" : : : \"memory\"); goto *(void *)0; }"),
    ("syntax.c", "int main(void) { return 0 }"),
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    for name in ["lost_update.c", "locked_update.c"] {
        let from = Path::new(ROOT).join("examples").join(name);
        std::fs::copy(from, folder.path().join(name)).expect("copied");
    }
    folder
}

/// The documents of a run: JSON and SARIF.
fn run(folder: &Path, file: &str, options: &str, code: i32) -> [Value; 2] {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(["check", "--json", "--sarif", "out.sarif", file]);
    command.args(options.split_whitespace()).current_dir(folder).stdin(Stdio::null());
    let output = command.env_remove("CC").output().expect("obmc starts");
    assert_eq!(output.status.code(), Some(code), "{file} {options}: {output:?}");
    let sarif = std::fs::read(folder.join("out.sarif")).expect("a SARIF file");
    [&output.stdout, &sarif].map(|text| serde_json::from_slice(text).expect("good JSON"))
}

fn read(path: &str) -> Value {
    let text = std::fs::read(Path::new(ROOT).join(path)).expect("a schema");
    serde_json::from_slice(&text).expect("good JSON")
}

#[test]
fn every_document_fits_its_schema() {
    let folder = folder();
    let schemas = [read("docs/schema/obmc-1.json"), read("tests/machine/sarif.json")];
    for (file, options, code) in RUNS {
        let documents = run(folder.path(), file, options, *code);
        for (schema, document) in schemas.iter().zip(&documents) {
            let result = schema::check(schema, document);
            assert_eq!(result, Ok(()), "{file} {options}\n{document:#}");
        }
    }
}

#[test]
fn the_validator_finds_what_is_wrong() {
    let folder = folder();
    let schema = read("docs/schema/obmc-1.json");
    let [good, _] = run(folder.path(), "lost_update.c", "", 10);
    let spoil = |path: &str, value: Value| {
        let mut document = good.clone();
        *document.pointer_mut(path).expect("a member") = value;
        schema::check(&schema, &document).expect_err(path)
    };
    spoil("/schema_version", "2.0".into());
    spoil("/properties/0/answer", "perhaps".into());
    spoil("/properties/0/trace/0/thread", (-1).into());
    spoil("/properties/0/trace/0/place", Value::from(vec![1]));
    spoil("/properties/0/stats", serde_json::json!({ "states": "many" }));
    let error = spoil("/properties/0", serde_json::json!({}));
    assert!(error.contains("missing"), "{error}");
}

#[test]
fn reads_name_the_write_they_read_from() {
    let folder = folder();
    let [document, _] = run(folder.path(), "lost_update.c", "", 10);
    let trace = document["properties"][0]["trace"].as_array().expect("a trace");
    let last = trace.iter().rfind(|s| s["kind"] == "read").expect("a read");
    let from = &trace[last["read_from"].as_u64().expect("a step") as usize];
    assert_eq!((&from["kind"], &from["name"]), (&"write".into(), &"counter".into()));
    assert_eq!(from["value"], last["value"]);
    assert_ne!(from["thread"], last["thread"]);
}

#[test]
fn the_interleaving_of_a_sarif_flow_has_no_gap() {
    let folder = folder();
    let [_, sarif] = run(folder.path(), "lost_update.c", "", 10);
    let result = &sarif["runs"][0]["results"][0];
    let flows = result["codeFlows"][0]["threadFlows"].as_array().expect("flows");
    assert_eq!(flows.len(), 3, "one per thread");
    let steps = flows.iter().flat_map(|f| f["locations"].as_array().expect("steps"));
    let mut orders: Vec<u64> = steps.filter_map(|s| s["executionOrder"].as_u64()).collect();
    orders.sort_unstable();
    assert_eq!(orders, (1..=orders.len() as u64).collect::<Vec<_>>());
    let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!((&place["uri"], &place["uriBaseId"]), (&"lost_update.c".into(), &"SRCROOT".into()));
}

#[test]
fn the_fingerprint_outlives_lines_that_are_added_above() {
    let folder = folder();
    let print = || {
        let [_, sarif] = run(folder.path(), "lost_update.c", "", 10);
        sarif["runs"][0]["results"][0]["partialFingerprints"].clone()
    };
    let before = print();
    let file = folder.path().join("lost_update.c");
    let text = std::fs::read_to_string(&file).expect("a program");
    std::fs::write(&file, format!("// a new line\n\n{text}")).expect("written");
    assert_eq!(print(), before);
}
