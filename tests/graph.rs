//! `--graph` from the outside: files that are what their ending says, and the page in a browser.
//!
//! The browser is Debian's package `chromium`, driven by `tests/graph/browser.py`. Without it (or
//! without Python) that one test says so and passes. `OBMC_SCREENSHOTS=DIR` keeps the screenshots.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// More than a thousand events, also without the local ones.
const BIG: &str = r#"
#include <assert.h>
#include <pthread.h>
int counter, total;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *unused)
{
    for (int i = 0; i < 140; i++) {
        pthread_mutex_lock(&lock);
        counter = counter + 1;
        pthread_mutex_unlock(&lock);
        total = total + 1; // </script><script>console.error("escaped badly")</script>
    }
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(total < 140);
    return 0;
}
"#;

fn obmc(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(words).current_dir(folder).stdin(Stdio::null()).env_remove("CC");
    command.output().expect("obmc starts")
}

fn example(name: &str) -> String {
    format!("{ROOT}/examples/{name}.c")
}

/// Checks a program with all three kinds of picture.
fn draw(folder: &Path, file: &str, name: &str, code: i32) {
    let [html, svg, dot] = ["html", "svg", "dot"].map(|ending| format!("{name}.{ending}"));
    let words = ["explore", "--graph", &html, "--graph", &svg, "--graph", &dot, file];
    let output = obmc(folder, &[&words[..], &["--property", "unreach-call"]].concat());
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

/// An execution without a schedule has the edges that its memory model was asked about, and blocks of the heap
/// are called by what they are for.
#[test]
fn pictures_of_weak_executions() {
    let program = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int data; atomic_int flag; };
struct node *n;
atomic_int x;
int r, s;
void *one(void *p)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    r = atomic_load_explicit(&n->flag, memory_order_relaxed);
    return p;
}
void *two(void *p)
{
    atomic_store_explicit(&n->flag, 1, memory_order_relaxed);
    s = atomic_load_explicit(&x, memory_order_relaxed);
    return p;
}
int main(void)
{
    n = calloc(1, sizeof *n);
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(r || s);
}
"#;
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.c"), program).expect("written");
    let words = "check a.c --mm rc11 --property unreach-call --graph a.dot --graph a.svg";
    let output = obmc(folder.path(), &words.split(' ').collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    let [dot, svg] = ["a.dot", "a.svg"]
        .map(|name| std::fs::read_to_string(folder.path().join(name)).expect("a picture"));
    for (of, count) in [("label=\"fr\"", 2), ("label=\"rf\"", 4), ("node#1->flag = ", 2)] {
        assert_eq!(dot.matches(of).count(), count, "{of}: {dot}");
    }
    assert!(dot.contains("thread 2: one") && dot.contains("thread 3: two"), "{dot}");
    assert_eq!(svg.matches("<title>fr</title>").count(), 2, "{svg}");
}

fn which(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|file| file.is_file())
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(chromium) = which("chromium") else {
        eprintln!("skipped: there is no chromium here (Debian: apt-get install chromium)");
        return;
    };
    let Some(python) = which("python3") else {
        eprintln!("skipped: there is no python3 here");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    std::fs::write(at.join("big.c"), BIG).expect("written");
    draw(at, &example("lost_update"), "small", 10);
    draw(at, &example("locked_update"), "safe", 0);
    draw(at, "big.c", "big", 10);
    let shots = std::env::var_os("OBMC_SCREENSHOTS").map_or(at.to_path_buf(), PathBuf::from);
    let mut command = Command::new(python);
    command.arg(format!("{ROOT}/tests/graph/browser.py")).arg(chromium);
    command.args(["small", "safe", "big"].map(|name| at.join(name).with_extension("html")));
    let output = command.arg(shots).env("TMPDIR", at).output().expect("python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn graphviz_reads_the_dot_file() {
    let folder = tempfile::tempdir().expect("a folder");
    draw(folder.path(), &example("lost_update"), "small", 10);
    let text = std::fs::read_to_string(folder.path().join("small.dot")).expect("written");
    assert!(text.starts_with("digraph obmc {") && text.contains("fr"), "{text}");
    let Some(dot) = which("dot") else {
        eprintln!("skipped: there is no dot here (Debian: apt-get install graphviz)");
        return;
    };
    let output =
        Command::new(dot).arg(folder.path().join("small.dot")).output().expect("dot starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn safe_programs_have_a_picture_with_orders_and_locks() {
    let folder = tempfile::tempdir().expect("a folder");
    draw(folder.path(), &example("locked_update"), "safe", 0);
    let page = std::fs::read_to_string(folder.path().join("safe.html")).expect("written");
    assert!(page.contains("\"answer\":\"SAFE\"") && page.contains("\"lock lock\""));
    assert!(page.contains("\"kind\":\"lock\"") && page.contains("\"kind\":\"create\""));
    // What the proof needs of the lock.
    let taken = "\"worker (lines 11 to 12) takes lock after another worker\"";
    assert!(page.contains("\"by\":\"lock\"") && page.contains(taken));
    // No bound is enough for a thread that never stops writing: there is no other proof.
    let endless = "#include <assert.h>\n#include <pthread.h>\n_Atomic int x;\n\
        void *flip(void *unused) { for (;;) { x = 1; x = 0; } }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, flip, 0); assert(x <= 1); }\n";
    let file = folder.path().join("endless.c");
    std::fs::write(&file, endless).expect("written");
    draw(folder.path(), &file.display().to_string(), "tried", 0);
    let page = std::fs::read_to_string(folder.path().join("tried.html")).expect("written");
    assert!(page.contains("Every schedule was tried"));
}

#[test]
fn files_that_cannot_be_written_are_wrong_usage() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = example("lost_update");
    let say = |output: &std::process::Output| {
        let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    };
    for option in ["--graph=no/dir/a.html", "--witness=no/dir/a.yml", "--sarif=no/dir/a"] {
        let (code, text) = say(&obmc(folder.path(), &["check", option, &file]));
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("cannot be written") && !text.contains("verdict"), "{text}");
    }
    let output = obmc(folder.path(), &["check", "--graph", "a.png", &file]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    // A test of a file leaves none behind, and does not touch one that is there. (Without an answer there is no witness.)
    std::fs::write(folder.path().join("old.yml"), "old").expect("written");
    let missing = ["check", "--witness=new.yml", "--witness=old.yml", "no_such.c"];
    assert_eq!(obmc(folder.path(), &missing).status.code(), Some(2));
    assert!(!folder.path().join("new.yml").exists());
    assert_eq!(std::fs::read_to_string(folder.path().join("old.yml")).expect("there"), "old");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_takes_no_verdict_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = obmc(folder.path(), &["check", "--sarif", "/dev/full", &example("lost_update")]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("verdict: false"), "{output:?}");
}
