//! Iterations that change nothing are left out under weak memory models: random programs with loops that try
//! again have the same violations with them (`--spin off`) and without, within a bound.
//!
//! Two threads; each has one loop that looks, sometimes helps, and leaves when a compare-and-exchange or a look
//! succeeds. In every third program they lock mutexes around and behind it, in any order, and the question is whether
//! they block each other. `OBMC_IDLE` is the number of programs, `OBMC_IDLE_FROM` the first seed.

use obmc_testing::{Dice, number};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const MODELS: [&str; 8] = ["rc11", "tso", "armv8", "imm", "pso", "power", "c11", "riscv"];

fn order(dice: &mut Dice, half: &'static str) -> &'static str {
    dice.of(&["relaxed", half, half, "seq_cst"])
}

fn load(dice: &mut Dice) -> String {
    let place = dice.of(&["x", "y"]);
    format!("atomic_load_explicit(&{place}, memory_order_{})", order(dice, "acquire"))
}

fn store(dice: &mut Dice) -> String {
    let (place, order) = (dice.of(&["x", "y"]), order(dice, "release"));
    format!("atomic_store_explicit(&{place}, {}, memory_order_{order});", 1 + dice.below(2))
}

fn exchange(dice: &mut Dice) -> String {
    let (place, order) = (dice.of(&["x", "y"]), order(dice, "acq_rel"));
    let (old, new) = (dice.below(2), 1 + dice.below(2));
    format!(
        "atomic_compare_exchange_strong_explicit(&{place}, &(int){{{old}}}, {new}, \
         memory_order_{order}, memory_order_relaxed)"
    )
}

/// One iteration, whose last line may leave the loop.
fn iteration(dice: &mut Dice, thread: usize) -> String {
    let mut text = format!("        int s = {};\n", load(dice));
    let _ = match dice.below(6) {
        0 => writeln!(text, "        if (s == {}) {}", dice.below(2), store(dice)),
        1 => writeln!(text, "        if (s) {};", exchange(dice)),
        2 => writeln!(text, "        if ({} == s) continue;", load(dice)),
        3 => writeln!(text, "        if (s) {{ if ({}) continue; }}", exchange(dice)),
        4 => writeln!(text, "        seen[{thread}] = s;"),
        _ => writeln!(text, "        if (!s) atomic_thread_fence(memory_order_seq_cst);"),
    };
    let _ = match dice.below(3) {
        0 => writeln!(text, "        if ({}) break;", exchange(dice)),
        1 => writeln!(text, "        last[{thread}] = s;\n        if ({}) break;", exchange(dice)),
        _ => writeln!(text, "        if (s == {}) break;", dice.below(2)),
    };
    text
}

/// Whether they wait for each other, or an assertion: a third and two thirds of the programs.
fn property(seed: u64) -> &'static str {
    if seed % 3 == 2 { "no-deadlock" } else { "unreach-call" }
}

fn random(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let locks = property(seed) == "no-deadlock";
    let mut text = String::from(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\n\
         int seen[2], last[2], end[2];\n\
         pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n",
    );
    for (thread, name) in ["a", "b"].into_iter().enumerate() {
        let _ = writeln!(text, "void *{name}(void *p)\n{{");
        if dice.chance(50) {
            let _ = writeln!(text, "    {}", store(&mut dice));
        }
        let first = dice.below(2);
        if locks {
            let _ = writeln!(text, "    pthread_mutex_lock(&m[{first}]);");
        }
        text += "    for (;;) {\n";
        text += &iteration(&mut dice, thread);
        let _ = writeln!(text, "    }}\n    end[{thread}] = {};", load(&mut dice));
        if locks {
            let _ = writeln!(text, "    pthread_mutex_lock(&m[{}]);", 1 - first);
            text += "    pthread_mutex_unlock(&m[0]);\n    pthread_mutex_unlock(&m[1]);\n";
        }
        if dice.chance(50) {
            let _ = writeln!(text, "    {}", store(&mut dice));
        }
        // Here it does not matter whether the other thread leaves its loop.
        if dice.chance(40) {
            let (place, value) = (dice.of(&["end", "end", "last", "seen"]), dice.below(3));
            let _ = writeln!(text, "    assert({place}[{thread}] != {value});");
        }
        text += "    return p;\n}\n";
    }
    text += "int main(void)\n{\n    pthread_t s, t;\n    pthread_create(&s, 0, a, 0);\n    \
             pthread_create(&t, 0, b, 0);\n    pthread_join(s, 0);\n    pthread_join(t, 0);\n";
    let condition = match dice.below(4) {
        0 => format!("end[0] == {} && end[1] == {}", dice.below(3), dice.below(2)),
        1 => format!("last[0] == {} && end[1] == {}", dice.below(2), dice.below(2)),
        2 => format!("seen[0] == 1 && end[0] == 0 && x == {}", 1 + dice.below(2)),
        _ => format!("x == {}", dice.below(3)),
    };
    let _ = writeln!(text, "    assert(!({condition}));\n    return 0;\n}}");
    text
}

/// Is there a violation within the bound?
fn violated(folder: &Path, property: &str, model: &str, spin: &str) -> Option<bool> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(["check", "a.c", "--property", property, "--no-trace", "--unwind", "3"]);
    command.args(["--timeout", "30s", "--engine", "bmc", "--mm", model, "--spin", spin]);
    let output = command.current_dir(folder).stdin(Stdio::null()).output().expect("obmc starts");
    match output.status.code() {
        Some(10) => Some(true),
        Some(0 | 5) => Some(false),
        Some(7) => None,
        code => panic!("{model}: exit {code:?}\n{}", String::from_utf8_lossy(&output.stdout)),
    }
}

#[test]
fn iterations_that_change_nothing_hide_nothing() {
    let from = number("OBMC_IDLE_FROM", 0);
    let folder = tempfile::tempdir().expect("a folder");
    let (mut unsafe_, mut others) = (0, 0);
    for seed in from..from + number("OBMC_IDLE", 24) {
        let program = random(seed);
        std::fs::write(folder.path().join("a.c"), &program).expect("written");
        let model = MODELS[seed as usize % MODELS.len()];
        let ask = |spin| violated(folder.path(), property(seed), model, spin);
        let [with, without] = ["off", "on"].map(ask);
        let (Some(with), Some(without)) = (with, without) else { continue };
        assert_eq!(with, without, "seed {seed}, {model}\n{program}");
        if with { unsafe_ += 1 } else { others += 1 }
    }
    println!("{unsafe_} violated, {others} not");
    assert!(unsafe_ > 0 && others > 0);
}
