//! Witnesses: written, held against the rules of the formats, and validated.
//!
//! The rules are those of the published schemas and of the competition's linter, written down here
//! since neither is a package. Each fifth program of `tests/cases` is asked for one; `OBMC_TEST_ALL=1` asks
//! all.

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_yaml_ng::Value;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Of the programs of `tests/cases`.
const STEP: usize = 5;

const LOST_UPDATE: &str = "\
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int x;
int twice(int n) { int r = 2 * n; return r; }
void *inc(void *arg) {
    int l = twice(0);
    x++;
    x = x + l;
    return 0;
}
int main(void) {
    pthread_t t, u;
    int n = __VERIFIER_nondet_int();
    pthread_create(&t, 0, inc, 0);
    pthread_create(&u, 0, inc, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 2 || n < 10);
    return 0;
}
";

const LOCKED: &str = "\
#include <pthread.h>
#include <assert.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *inc(void *arg) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, inc, 0);
    pthread_create(&u, 0, inc, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 2);
    return 0;
}
";

const DEADLOCK: &str = "\
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *other(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
    return 0;
}
";

const FREED: &str = "\
#include <pthread.h>
#include <stdlib.h>
int *p;
void *drop(void *arg) {
    free(p);
    return 0;
}
int main(void) {
    pthread_t t;
    p = malloc(sizeof *p);
    pthread_create(&t, 0, drop, 0);
    *p = 1;
    pthread_join(t, 0);
    return 0;
}
";

/// What a library function writes is not told, so nothing older may be told either.
const OVERWRITTEN: &str = "\
#include <pthread.h>
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int x, y;
void *set(void *arg) {
    y = x;
    return 0;
}
int main(void) {
    pthread_t t;
    x = 1;
    memset(&x, 0, sizeof x);
    y = 1;
    y = __VERIFIER_nondet_int();
    pthread_create(&t, 0, set, 0);
    assert(y != 7);
    pthread_join(t, 0);
    return 0;
}
";

/// A search along the witness must not follow the thread that never ends.
const PARAMETERISED: &str = "\
#include <pthread.h>
#include <assert.h>
int inside;
void *visit(void *arg) {
    inside++;
    assert(inside == 1);
    inside--;
    return 0;
}
int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, visit, 0);
}
";

/// Threads take turns at atomic blocks, and what they find holds only before the first statement.
const BLOCKS: &str = "\
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, seen;
void *dec(void *arg) {
    __VERIFIER_atomic_begin();
    x = x - 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    x = x * 2;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    x = 3;
    pthread_create(&t, 0, dec, 0);
    __VERIFIER_atomic_begin();
    x = x + 1;
    seen = x;
    __VERIFIER_atomic_end();
    pthread_join(t, 0);
    assert(x != 6 || seen == 4);
    assert(x != 5);
    return 0;
}
";

/// A program in a folder of its own.
struct Task {
    folder: tempfile::TempDir,
    /// The program's file.
    name: &'static str,
}

impl Task {
    fn new(program: &str) -> Task {
        Task::named("task.c", program)
    }

    fn named(name: &'static str, program: &str) -> Task {
        let task = Task { folder: tempfile::tempdir().expect("a temporary folder"), name };
        task.write(name, program);
        task
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).expect("written");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).expect("a file")
    }

    /// Exit code and last line.
    fn obmc(&self, line: &str) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
        command.args(line.split_whitespace()).current_dir(self.folder.path());
        let output = command.env("SOURCE_DATE_EPOCH", "1700000000").output().expect("obmc starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let last = text.lines().last().unwrap_or_default().to_string();
        (output.status.code().unwrap_or(-1), last)
    }

    /// Checks the property, writes both witnesses, lints them.
    fn check(&self, property: &str, code: i32) {
        let name = self.name;
        let line =
            format!("check {name} --property {property} --witness w.graphml --witness w.yml");
        let (got, last) = self.obmc(&line);
        assert_eq!(got, code, "{last}");
        lint_graphml(&self.read("w.graphml"), self.folder.path());
        lint_yaml(&self.read("w.yml"), self.folder.path());
    }

    fn validates(&self, witness: &str, code: i32) {
        let line = format!("validate {} --witness {witness} --timeout 300s", self.name);
        let (got, last) = self.obmc(&line);
        assert_eq!(got, code, "{witness}: {last}\n{}", self.read(witness));
    }

    /// An UNSAFE program, from its verdict to both judgements.
    fn round(&self, property: &str) {
        self.check(property, 10);
        self.validates("w.graphml", 10);
        self.validates("w.yml", 10);
    }
}

#[test]
fn ours_are_confirmed() {
    let tasks = [
        (LOST_UPDATE, "unreach-call"),
        (LOST_UPDATE, "no-data-race"),
        (DEADLOCK, "no-deadlock"),
        (FREED, "valid-memsafety"),
        (OVERWRITTEN, "unreach-call"),
        (PARAMETERISED, "unreach-call"),
        (BLOCKS, "unreach-call"),
    ];
    for (program, property) in tasks {
        Task::new(program).round(property);
    }
}

/// Of programs of `tests/cases` that violate something.
#[test]
fn those_of_cases_are_confirmed() {
    let tasks = expected("false");
    assert!(tasks.len() > 100, "{} tasks", tasks.len());
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                while let Some((program, property)) =
                    tasks.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let is_c = program.extension().is_some_and(|e| e == "c");
                    let text = std::fs::read_to_string(program).expect("a program");
                    let task = Task::named(if is_c { "task.c" } else { "task.i" }, &text);
                    if std::panic::catch_unwind(|| task.round(property)).is_err() {
                        let name = format!("{} {property}", program.display());
                        failures.lock().expect("a list").push(name);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("a list");
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Programs of `tests/cases` and properties with this verdict, without options, one of `STEP`. Not those with
/// suppressed races: who follows a witness meets such a race first.
fn expected(verdict: &str) -> Vec<(std::path::PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files = |folder: &Path| {
        let entries = std::fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>()
    };
    let mut found = Vec::new();
    let topics = files(&root).into_iter().filter(|topic| !topic.ends_with("suppressed"));
    for expected in topics.flat_map(|topic| files(&topic)) {
        if expected.extension().is_none_or(|e| e != "expected") {
            continue;
        }
        let program =
            ["c", "i"].map(|e| expected.with_extension(e)).into_iter().find(|p| p.exists());
        let text = std::fs::read_to_string(&expected).expect("expectations");
        let lines = text.lines().filter_map(|line| line.split_once(": "));
        let wrong = lines.filter(|(asked, got)| !asked.contains(' ') && got.starts_with(verdict));
        found.extend(
            wrong
                .filter(|(_, got)| !got.contains(" or "))
                .filter_map(|(property, _)| Some((program.clone()?, property.to_string()))),
        );
    }
    found.sort();
    let all = std::env::var_os("OBMC_TEST_ALL").is_some();
    found.into_iter().step_by(if all { 1 } else { STEP }).collect()
}

#[test]
fn the_same_run_writes_the_same_witness() {
    let (one, other) = (Task::new(LOST_UPDATE), Task::new(LOST_UPDATE));
    for task in [&one, &other] {
        task.check("unreach-call", 10);
    }
    for name in ["w.graphml", "w.yml"] {
        assert_eq!(one.read(name), other.read(name));
    }
    assert!(one.read("w.yml").contains("creation_time: '2023-11-14T22:13:20Z'"));
}

#[test]
fn safe_programs_have_correctness_witnesses() {
    let task = Task::new(LOCKED);
    task.check("unreach-call", 0);
    assert!(task.read("w.yml").contains("entry_type: invariant_set"));
    assert!(task.read("w.graphml").contains("correctness_witness"));
    // They are no violation witnesses.
    task.validates("w.yml", 2);
}

/// What only a proof knows: no store alone says how large the number gets.
#[test]
fn invariants_of_proofs_are_told() {
    let text = std::fs::read_to_string("tests/cases/prove/intervals_safe.c").expect("a program");
    let task = Task::new(&text);
    task.obmc("check task.c --property unreach-call --mm sc --timeout 60s --witness w.yml");
    let told = invariants(&task.read("w.yml"));
    assert!(told.iter().any(|(_, value)| value.contains("x >= 0 && x <= 100")), "{told:?}");
}

/// Each invariant of a safe program becomes an assertion at its line, which must hold.
#[test]
fn invariants_hold() {
    let mut seen = 0;
    for (program, property) in expected("true") {
        if property != "unreach-call" || program.extension().is_none_or(|e| e != "c") {
            continue;
        }
        let text = std::fs::read_to_string(&program).expect("a program");
        let task = Task::new(&text);
        task.obmc("check task.c --property unreach-call --mm sc --timeout 5s --witness w.yml");
        if !task.folder.path().join("w.yml").exists() {
            continue;
        }
        lint_yaml(&task.read("w.yml"), task.folder.path());
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        let told = invariants(&task.read("w.yml"));
        if told.iter().all(|(_, value)| value == "1") {
            continue;
        }
        for (line, value) in &told {
            seen += 1;
            let check = format!("if (!({value})) __VERIFIER_error_here(); ");
            // Not between `do` and its only statement.
            let behind_do = lines[line - 2].trim() == "do";
            lines[line - 1 - usize::from(behind_do)].insert_str(0, &check);
        }
        let head = "extern void reach_error(void);\n#define __VERIFIER_error_here reach_error\n";
        task.write("task.c", &format!("{head}{}\n", lines.join("\n")));
        let (code, last) = task.obmc("check task.c --property unreach-call --mm sc --timeout 5s");
        let fine = [0, 5, 7].contains(&code);
        assert!(fine, "{}: {last}\n{}", program.display(), task.read("task.c"));
    }
    assert!(seen > 5, "{seen} invariants");
}

/// Lines and values.
fn invariants(text: &str) -> Vec<(usize, String)> {
    let document: Value = serde_yaml_ng::from_str(text).expect("YAML");
    let content = document[0]["content"].as_sequence().expect("a list").iter();
    let told = content.map(|part| {
        let invariant = &part["invariant"];
        let line = invariant["location"]["line"].as_u64().expect("a line") as usize;
        (line, invariant["value"].as_str().expect("a text").to_string())
    });
    told.collect()
}

#[test]
fn a_witness_for_a_safe_program_is_refuted() {
    let task = Task::new(LOST_UPDATE);
    task.check("unreach-call", 10);
    let safe = Task::new(LOCKED);
    for name in ["w.graphml", "w.yml"] {
        let hash = hash_in(&task.read(name));
        let lie = task.read(name).replace(&hash, &"0".repeat(64));
        safe.write(name, &lie);
        safe.validates(name, 0);
    }
}

#[test]
fn a_wrong_value_is_refuted() {
    let task = Task::new(LOST_UPDATE);
    task.check("unreach-call", 10);
    let lie = task.read("w.yml").replace("\\result == 10", "\\result == 9");
    task.write("lie.yml", &lie);
    task.validates("lie.yml", 0);
}

#[test]
fn other_programs_and_properties_are_unclear() {
    let task = Task::new(LOST_UPDATE);
    task.check("unreach-call", 10);
    let (code, _) = task.obmc("validate task.c --witness w.yml --property no-data-race");
    assert_eq!(code, 5);
    task.write("task.c", &LOST_UPDATE.replace("x++", "x += 1"));
    task.validates("w.graphml", 5);
}

/// As another tool writes it: lines and values, no steps.
#[test]
fn witnesses_of_others() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
int x;
void *writer(void *arg) {
  x = __VERIFIER_nondet_int();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (x == 1)
    reach_error();
  return 0;
}
";
    let task = Task::new(program);
    let waypoint = |kind: &str, thread: u32, line: u32, constraint: &str| {
        let constraint = match constraint {
            "" => String::new(),
            text => format!("        constraint: {{value: \"{text}\", format: c_expression}}\n"),
        };
        format!(
            "  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n        \
             thread_id: {thread}\n{constraint}        location: {{file_name: task.c, line: {line}}}\n"
        )
    };
    let witness = |value: &str| {
        let head = "- entry_type: violation_sequence\n  metadata:\n    format_version: \"2.2\"\n    \
            producer: {name: other, version: \"1\"}\n    task:\n      input_files: [task.c]\n      \
            specification: G ! call(reach_error())\n      data_model: LP64\n      language: C\n  \
            content:\n";
        let steps = [
            waypoint("function_enter", 0, 13, ""),
            waypoint("assumption", 1, 9, value),
            waypoint("assumption", 0, 14, value),
            waypoint("target", 0, 15, ""),
        ];
        format!("{head}{}", steps.concat())
    };
    task.write("good.yml", &witness("x == 1"));
    task.validates("good.yml", 10);
    task.write("bad.yml", &witness("x == 2"));
    task.validates("bad.yml", 0);
}

#[test]
fn what_is_no_witness_is_an_input_error() {
    let task = Task::new(LOCKED);
    for (name, text) in
        [("a.yml", "- 1"), ("b.graphml", "<graphml>"), ("c.yml", "\u{0}"), ("d", "")]
    {
        task.write(name, text);
        task.validates(name, 2);
    }
    let (code, _) = task.obmc("check task.c --witness w.txt");
    assert_eq!(code, 1, "the ending says nothing");
}

fn hash_in(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_hexdigit());
    words.filter(|w| w.len() == 64).map(str::to_string).next().expect("a hash")
}

// ---- the rules of GraphML ----

type Data = HashMap<String, Vec<String>>;

fn lint_graphml(text: &str, folder: &Path) {
    let (mut keys, mut nodes, mut edges) = (HashSet::new(), HashMap::new(), Vec::new());
    let (mut graph, mut owner) = (Data::new(), Data::new());
    let mut at = (String::new(), String::new());
    let mut key = String::new();
    let mut reader = Reader::from_str(text);
    loop {
        let event = reader.read_event().expect("XML");
        let attribute = |e: &quick_xml::events::BytesStart<'_>, name: &str| {
            let found = e.try_get_attribute(name).expect("attributes");
            found.map(|a| a.value.into_owned()).unwrap_or_default()
        };
        match &event {
            Event::Eof => break,
            Event::Start(e) | Event::Empty(e) => match e.name().as_ref() {
                "key" => assert!(keys.insert(attribute(e, "id"))),
                "node" => at = (attribute(e, "id"), String::new()),
                "edge" => at = (attribute(e, "source"), attribute(e, "target")),
                "data" => key = attribute(e, "key"),
                _ => {}
            },
            Event::Text(t) if !key.is_empty() => {
                assert!(keys.contains(&key), "{key} is not declared");
                let data = if at.0.is_empty() { &mut graph } else { &mut owner };
                data.entry(std::mem::take(&mut key)).or_default().push(t.to_string());
            }
            _ => {}
        }
        let ends = match &event {
            Event::Empty(e) => e.name().as_ref().to_string(),
            Event::End(e) => e.name().as_ref().to_string(),
            _ => continue,
        };
        match ends.as_str() {
            "node" => drop(nodes.insert(std::mem::take(&mut at.0), std::mem::take(&mut owner))),
            "edge" => edges.push((std::mem::take(&mut at), std::mem::take(&mut owner))),
            _ => {}
        }
    }
    for required in [
        "witness-type",
        "sourcecodelang",
        "producer",
        "specification",
        "programfile",
        "programhash",
        "architecture",
        "creationtime",
    ] {
        assert_eq!(graph.get(required).map(Vec::len), Some(1), "{required}");
    }
    let file = std::fs::read_to_string(folder.join(&graph["programfile"][0])).expect("the program");
    assert_eq!(graph["programhash"][0], obmc::witness::hash(file.as_bytes()));
    let marked = |mark: &str| nodes.values().filter(|d: &&Data| d.contains_key(mark)).count();
    assert_eq!(marked("entry"), 1);
    let violates = graph["witness-type"][0] == "violation_witness";
    assert_eq!(marked("violation"), usize::from(violates));
    let mut stacks: HashMap<String, Vec<String>> = HashMap::new();
    for ((source, target), data) in &edges {
        assert!(nodes.contains_key(source) && nodes.contains_key(target));
        assert!(!nodes[source].contains_key("violation"), "a violation is the end");
        assert!(data.values().all(|values| values.len() == 1), "a key only once: {data:?}");
        lint_edge(data, &mut stacks, file.lines().count());
    }
}

fn lint_edge(data: &Data, stacks: &mut HashMap<String, Vec<String>>, lines: usize) {
    let get = |key: &str| data.get(key).map(|v| v[0].clone());
    if let Some(line) = get("startline") {
        assert!((1..=lines).contains(&line.parse().expect("a line")), "{line}");
    }
    let created = get("createThread");
    let thread = get("threadId").or(created.clone()).expect("a thread");
    if let Some(id) = created {
        assert!(stacks.insert(id, Vec::new()).is_none(), "a thread is created once");
    }
    let stack = stacks.get_mut(&thread).expect("threads are created before they run");
    stack.extend(get("enterFunction"));
    if let Some(left) = get("returnFromFunction") {
        assert_eq!(stack.pop(), Some(left));
    }
    if let Some(condition) = get("assumption") {
        assert!(!condition.contains(['&', '*', '@', '(']), "{condition}");
        assert_eq!(condition.contains("\\result"), get("assumption.resultfunction").is_some());
        assert!(get("assumption.scope").is_some());
    }
}

// ---- the rules of YAML ----

fn lint_yaml(text: &str, folder: &Path) {
    let document: Value = serde_yaml_ng::from_str(text).expect("YAML");
    let [entry] = &document.as_sequence().expect("a list")[..] else { panic!("one entry") };
    let metadata = &entry["metadata"];
    for field in ["format_version", "uuid", "creation_time"] {
        assert!(metadata[field].is_string(), "{field}");
    }
    let uuid = metadata["uuid"].as_str().expect("a text");
    let parts: Vec<usize> = uuid.split('-').map(str::len).collect();
    assert_eq!(parts, [8, 4, 4, 4, 12]);
    assert!(
        metadata["producer"]["name"].is_string() && metadata["producer"]["version"].is_string()
    );
    let task = &metadata["task"];
    assert!(["ILP32", "LP64"].contains(&task["data_model"].as_str().expect("a data model")));
    assert_eq!(task["language"], "C");
    assert!(task["specification"].as_str().expect("a text").starts_with("CHECK( init("));
    for name in task["input_files"].as_sequence().expect("files") {
        let name = name.as_str().expect("a name");
        let text = std::fs::read(folder.join(name)).expect("the program");
        assert_eq!(task["input_file_hashes"][name], obmc::witness::hash(&text).as_str());
    }
    let content = entry["content"].as_sequence().expect("a list");
    match entry["entry_type"].as_str() {
        Some("violation_sequence") => {
            assert_eq!(metadata["format_version"], "2.2");
            lint_segments(content);
        }
        Some("invariant_set") => {
            assert_eq!(metadata["format_version"], "2.1");
            for part in content {
                let invariant = &part["invariant"];
                assert!(invariant["value"].is_string() && invariant["location"]["line"].is_u64());
                assert_eq!(invariant["format"], "c_expression");
            }
        }
        other => panic!("{other:?}"),
    }
}

fn lint_segments(content: &[Value]) {
    let mut threads = 1;
    for (i, part) in content.iter().enumerate() {
        let segment = part["segment"].as_sequence().expect("a segment");
        let last = i + 1 == content.len();
        assert!(
            segment.len() == 1 || last && segment.len() == 2,
            "one to follow, or two that race"
        );
        for stop in segment {
            let waypoint = &stop["waypoint"];
            let kind = waypoint["type"].as_str().expect("a kind");
            assert_eq!(waypoint["action"], "follow");
            assert_eq!(kind == "target", last, "targets are the end");
            let thread = waypoint["thread_id"].as_u64().expect("a thread");
            assert!(thread < threads, "thread {thread} is started first");
            threads += u64::from(kind == "function_enter");
            let format = match kind {
                "assumption" => Some("c_expression"),
                "function_return" => Some("acsl_expression"),
                "target" | "function_enter" => None,
                other => panic!("{other}"),
            };
            assert_eq!(waypoint["constraint"]["format"].as_str(), format);
            assert!(waypoint["location"]["line"].as_u64().is_some_and(|line| line > 0));
            assert!(
                waypoint["location"]["file_name"].as_str().is_some_and(|f| f.starts_with("task."))
            );
        }
    }
}
