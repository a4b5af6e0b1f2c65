//! Proofs about interleavings that hold under weaker memory models: which programs get them, and that the
//! engine which knows the model says the same of random programs.
//!
//! Random programs have two threads with plain accesses in and outside of critical sections, `seq_cst` atomics,
//! and now and then an unlock of what is not held; many race. `OBMC_TRANSFER` is their number,
//! `OBMC_TRANSFER_FROM` the first seed.

use obmc_testing::{Dice, number};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n\
    pthread_mutex_t *pointer = &m;\nint (*lock)(pthread_mutex_t *) = pthread_mutex_lock;\n\
    int u, v, r[8];\natomic_int x, y;\n";
const MAIN: &str = "int main(void)\n{\n    pthread_t s, t;\n    pthread_create(&s, 0, a, 0);\n    \
    pthread_create(&t, 0, b, 0);\n    pthread_join(s, 0);\n    pthread_join(t, 0);\n";

struct Said {
    text: String,
    holds: Option<bool>,
}

fn ask(folder: &Path, program: &str, options: &[&str]) -> Said {
    std::fs::write(folder.join("a.c"), program).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(["check", "a.c", "--property", "unreach-call", "--no-trace", "--timeout", "20s"]);
    command.args(options).current_dir(folder).stdin(Stdio::null());
    let output = command.output().expect("obmc starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let holds = match output.status.code() {
        Some(0) => Some(true),
        Some(10) => Some(false),
        Some(5 | 7) => None,
        code => panic!("{options:?}: exit {code:?}\n{program}\n{text}"),
    };
    Said { text, holds }
}

/// Bodies of two threads, and whether their executions are found to be interleavings.
const PROGRAMS: [(&str, &str, bool); 9] = [
    (
        "for (;;) { pthread_mutex_lock(&m); u = 1; u = 0; pthread_mutex_unlock(&m); }",
        "for (;;) { pthread_mutex_lock(&m); assert(u == 0); pthread_mutex_unlock(&m); }",
        true,
    ),
    ("x = 1; r[0] = y; assert(r[0] >= 0);", "y = 1; r[1] = x;", true),
    ("u = 1; x = 1;", "if (x) assert(u == 1);", true),
    ("x = 1; r[0] = v;", "v = 1; r[1] = x;", false),
    ("atomic_store_explicit(&x, 1, memory_order_release);", "r[0] = x;", false),
    // Who unlocks what another thread has locked orders nothing.
    ("x = 1; pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m); r[0] = x;", false),
    ("x = 1; pthread_mutex_lock(&m);", "pthread_mutex_unlock(pointer); r[0] = x;", false),
    ("pthread_mutex_lock(&m);", "if (pthread_mutex_trylock(&m)) r[0] = x;", false),
    ("lock(&m); u++; pthread_mutex_unlock(&m);", "x = 1;", false),
];

#[test]
fn what_synchronises_by_locks_and_seq_cst_has_interleavings_only() {
    let folder = tempfile::tempdir().expect("a folder");
    for (a, b, interleaved) in PROGRAMS {
        let program = format!(
            "{HEAD}void *a(void *p)\n{{\n    {a}\n    return p;\n}}\n\
             void *b(void *p)\n{{\n    {b}\n    return p;\n}}\n{MAIN}    return 0;\n}}\n"
        );
        let said = ask(folder.path(), &program, &["--mm", "rc11"]);
        let noted = said.text.contains("are interleavings");
        assert_eq!(noted, interleaved, "{program}\n{}", said.text);
        assert!(!noted || said.holds == Some(true), "{program}\n{}", said.text);
    }
}

/// One access or operation; `inside` says how many of the two locks are held.
fn statement(dice: &mut Dice, held: &mut Vec<&'static str>, reads: &mut u32) -> String {
    let read = |place: &str, reads: &mut u32| {
        *reads += 1;
        format!("r[{}] = {place};", *reads - 1)
    };
    match dice.below(11) {
        0..2 if held.is_empty() => {
            let lock = dice.of(&["m", "m", "n"]);
            held.push(lock);
            format!("pthread_mutex_lock(&{lock});")
        }
        2..4 if !held.is_empty() => {
            let lock = held.pop().unwrap_or("m");
            format!("pthread_mutex_unlock(&{lock});")
        }
        4 if dice.rarely(4) => "pthread_mutex_unlock(&m);".into(),
        4..6 => format!("{} = {};", dice.of(&["x", "y"]), 1 + dice.below(2)),
        6..8 if *reads < 8 => read(dice.of(&["x", "y"]), reads),
        8 if *reads < 8 && !held.is_empty() => read(dice.of(&["u", "v"]), reads),
        _ if !held.is_empty() || dice.rarely(8) => format!("{} = 1;", dice.of(&["u", "v"])),
        _ => "x++;".into(),
    }
}

fn random(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let (mut text, mut reads) = (HEAD.to_string(), 0);
    for name in ["a", "b"] {
        let _ = writeln!(text, "void *{name}(void *p)\n{{");
        let mut held = Vec::new();
        for _ in 0..3 + dice.below(3) {
            let _ = writeln!(text, "    {}", statement(&mut dice, &mut held, &mut reads));
        }
        for lock in held {
            let _ = writeln!(text, "    pthread_mutex_unlock(&{lock});");
        }
        text += "    return p;\n}\n";
    }
    let outcome: Vec<String> =
        (0..reads).map(|i| format!("r[{i}] == {}", dice.of(&[0, 0, 1]))).collect();
    let outcome = if outcome.is_empty() { "x == 2".into() } else { outcome.join(" && ") };
    let _ = writeln!(text, "{MAIN}    assert(!({outcome}));\n    return 0;\n}}");
    text
}

#[test]
fn the_engine_that_knows_the_model_agrees() {
    let from = number("OBMC_TRANSFER_FROM", 0);
    let folder = tempfile::tempdir().expect("a folder");
    let mut transferred = 0;
    for seed in from..from + number("OBMC_TRANSFER", 20) {
        let program = random(seed);
        let model =
            ["rc11", "pso", "armv8", "power", "c11", "riscv", "tso", "imm"][seed as usize % 8];
        let said = ask(folder.path(), &program, &["--mm", model]);
        if !said.text.contains("are interleavings") {
            continue;
        }
        transferred += 1;
        let bmc = ask(folder.path(), &program, &["--mm", model, "--engine", "bmc"]);
        let same = bmc.holds.is_none_or(|holds| holds);
        assert!(same, "seed {seed}, {model}\n{program}\n{}", bmc.text);
    }
    println!("{transferred} transferred");
    assert!(transferred > 0);
}
