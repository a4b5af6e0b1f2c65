//! Random C programs under tso and pso: the symbolic engine, which asks the cat model, and the explorer, which
//! has store buffers, say the same; and so do both solvers, under other models, too.
//!
//! Threads store, load, exchange, add and compare with random orders, plainly, under a mutex, in atomic blocks
//! and behind branches; some wait for a variable. The assertion excludes a random result. A deadlock under tso
//! is one under weaker models.
//! Several models in one run, which hand answers on, say what each says alone.
//! `OBMC_BUFFERS` is the number of programs, `OBMC_BUFFERS_FROM` the first seed.

use obmc_testing::{Dice, holds, number};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const ATOMIC: [&str; 2] = ["x", "y"];
const PLAIN: [&str; 2] = ["a", "b"];
const WEAKER: [&str; 6] = ["rc11", "power", "armv8", "imm", "riscv", "c11"];
/// Results of one thread.
const RESULTS: usize = 4;

struct Writer<'a> {
    dice: &'a mut Dice,
    text: String,
    /// The first result of the thread, and how many it has.
    results: (usize, usize),
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    fn variable(&mut self) -> &'static str {
        self.dice.of(&ATOMIC)
    }

    fn order(&mut self, of: &[&'static str]) -> String {
        format!("memory_order_{}", self.dice.of(of))
    }

    /// The place of a new result; the last one again if there are enough.
    fn result(&mut self) -> String {
        let (first, count) = &mut self.results;
        *count = (*count + 1).min(RESULTS);
        format!("r[{}]", *first + *count - 1)
    }

    /// Something to store: a number, or what was seen before.
    fn value(&mut self) -> String {
        let (first, count) = self.results;
        match count > 0 && self.dice.rarely(4) {
            true => format!("r[{}] + 1", first + count - 1),
            false => (1 + self.dice.below(2)).to_string(),
        }
    }

    fn simple(&mut self) {
        let v = self.variable();
        match self.dice.below(12) {
            0..3 => {
                let (value, o) = (self.value(), self.order(&["relaxed", "release", "seq_cst"]));
                self.line(&format!("atomic_store_explicit(&{v}, {value}, {o});"));
            }
            3..6 => {
                let (r, o) = (self.result(), self.order(&["relaxed", "acquire", "seq_cst"]));
                self.line(&format!("{r} = atomic_load_explicit(&{v}, {o});"));
            }
            6 => {
                let (p, value) = (self.dice.of(&PLAIN), self.value());
                self.line(&format!("{p} = {value};"));
            }
            7 => {
                let (p, r) = (self.dice.of(&PLAIN), self.result());
                self.line(&format!("{r} = {p};"));
            }
            8 => {
                let (r, o) = (self.result(), self.order(&["relaxed", "acq_rel", "seq_cst"]));
                self.line(&format!("{r} = atomic_exchange_explicit(&{v}, 3, {o});"));
            }
            9 => {
                let o = self.order(&["relaxed", "release", "seq_cst"]);
                self.line(&format!("atomic_fetch_add_explicit(&{v}, 1, {o});"));
            }
            10 => {
                let (r, expected) = (self.result(), self.dice.below(2));
                self.line(&format!("{{ int e = {expected};"));
                let orders = "memory_order_acq_rel, memory_order_relaxed";
                let call = "atomic_compare_exchange_strong_explicit";
                self.line(&format!("  {r} = {call}(&{v}, &e, 2, {orders}); }}"));
            }
            _ => {
                let o = self.order(&["acquire", "release", "acq_rel", "seq_cst", "seq_cst"]);
                self.line(&format!("atomic_thread_fence({o});"));
            }
        }
    }

    fn statement(&mut self, may_wait: bool, locks: bool) {
        let kind = if locks { self.dice.of(&[0, 5, 5, 2, 3, 9, 9]) } else { self.dice.below(15) };
        let around = match kind {
            0 => Some(("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);")),
            5 => Some(("pthread_mutex_lock(&n);", "pthread_mutex_unlock(&n);")),
            1 => Some(("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();")),
            2 => Some(("if (atomic_load_explicit(&x, memory_order_relaxed)) {", "}")),
            3 if self.results.1 > 0 => {
                let last = self.results.0 + self.results.1 - 1;
                self.line(&format!("if (r[{last}] == 1) {{"));
                self.simple();
                self.line("}");
                return;
            }
            4 if may_wait => {
                let (v, o) = (self.variable(), self.order(&["relaxed", "acquire"]));
                self.line(&format!("while (!atomic_load_explicit(&{v}, {o})) {{}}"));
                None
            }
            _ => None,
        };
        let Some((before, after)) = around else { return self.simple() };
        self.line(before);
        (0..1 + self.dice.below(2)).for_each(|_| self.simple());
        if before.contains("lock(") && self.dice.chance(50) {
            // Locks in any order, and sometimes taken twice.
            let other = self.dice.of(&["m", "n", "n"]);
            self.line(&format!("pthread_mutex_lock(&{other});"));
            self.simple();
            self.line(&format!("pthread_mutex_unlock(&{other});"));
        }
        self.line(after);
    }
}

/// `locks`: with many locks, and without loops.
fn program(seed: u64, locks: bool) -> String {
    let mut dice = Dice::new(seed);
    let threads = 2 + usize::from(dice.rarely(4));
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
        void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n\
        atomic_int x, y;\nint a, b;\n\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n";
    let mut writer = Writer { dice: &mut dice, text: text.into(), results: (0, 0) };
    let _ = writeln!(writer.text, "int r[{}];", threads * RESULTS);
    let mut seen = Vec::new();
    for t in 0..threads {
        writer.results = (t * RESULTS, 0);
        let _ = writeln!(writer.text, "void *p{t}(void *p)\n{{");
        let statements = 2 + writer.dice.below(if threads == 2 { 3 } else { 1 });
        (0..statements).for_each(|_| writer.statement(t > 0, locks));
        writer.text += "    return p;\n}\n";
        seen.extend((0..writer.results.1).map(|i| format!("r[{}]", t * RESULTS + i)));
    }
    writer.text += "int main(void)\n{\n    pthread_t t[3];\n";
    for t in 0..threads {
        writer.line(&format!("pthread_create(&t[{t}], 0, p{t}, 0);"));
    }
    for t in 0..threads {
        writer.line(&format!("pthread_join(t[{t}], 0);"));
    }
    seen.extend(["x", "y", "a"].map(String::from));
    let parts: Vec<String> = (0..1 + writer.dice.below(2))
        .map(|_| {
            let place = seen[writer.dice.index(seen.len())].clone();
            format!("{place} == {}", writer.dice.below(3))
        })
        .collect();
    writer.line(&format!("assert(!({}));", parts.join(" && ")));
    writer.text += "    return 0;\n}\n";
    writer.text
}

/// Does it hold?
/// `engine`: its name, and options of it.
fn asked(folder: &Path, model: &str, engine: &str, property: &str) -> Option<bool> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(["check", "a.c", "--no-trace", "--timeout", "20s"]);
    command.args(["--property", property, "--mm", model, "--engine"]).args(engine.split(' '));
    holds(&mut command, folder, &[5, 7])
}

/// Both solvers about one of the programs under one of the models, now and then.
fn solvers_agree(folder: &Path, property: &str, seed: u64, text: &str) {
    let model = ["tso", "rc11", "pso", "c11", "armv8", "power"][seed as usize / 3 % 6];
    let ask = |engine| asked(folder, model, engine, property);
    if seed % 3 == 0 {
        let (sat, z3) = (ask("bmc --solver sat"), ask("bmc --solver z3"));
        let differ = sat.zip(z3).is_some_and(|(sat, z3)| sat != z3);
        assert!(!differ, "seed {seed}, {model}: sat {sat:?}, z3 {z3:?}\n{text}");
    }
}

/// Both engines about random programs.
fn compare(property: &str, programs: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let from = number("OBMC_BUFFERS_FROM", 0);
    let (mut safe, mut violated, mut open) = (0, 0, 0);
    for seed in from..from + number("OBMC_BUFFERS", programs) {
        let text = program(seed, property == "no-deadlock");
        std::fs::write(folder.path().join("a.c"), &text).expect("written");
        for model in ["tso", "pso"] {
            let ask = |engine| asked(folder.path(), model, engine, property);
            match (ask("bmc"), ask("explore")) {
                (Some(a), Some(b)) => {
                    assert_eq!(a, b, "seed {seed}, {model}: bmc {a}, explore {b}\n{text}");
                    *(if a { &mut safe } else { &mut violated }) += 1;
                }
                _ => open += 1,
            }
        }
        solvers_agree(folder.path(), property, seed, &text);
        // What x86 does, C's own model and weaker machines allow.
        let ask = |model| asked(folder.path(), model, "bmc", property);
        if property == "no-deadlock" && ask("tso") == Some(false) {
            let weaker = WEAKER[seed as usize % WEAKER.len()];
            assert_ne!(ask(weaker), Some(true), "seed {seed}: {weaker} sees no deadlock\n{text}");
        }
    }
    println!("{from}.. {property}: {safe} safe, {violated} violated, {open} open");
    assert!(safe > 0 && violated > 0, "{safe} safe, {violated} violated: one-sided");
}

#[test]
fn store_buffers_and_the_cat_models_see_the_same_violations() {
    compare("unreach-call", 12);
}

#[test]
fn store_buffers_and_the_cat_models_see_the_same_deadlocks() {
    compare("no-deadlock", 12);
}

/// Verdicts by model, and the models whose verdicts follow from others'.
fn in_one_run(folder: &Path, models: &str, property: &str) -> (Vec<(String, bool)>, Vec<String>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(["check", "a.c", "--no-trace", "--timeout", "60s", "--mm", models]);
    command.args(["--property", property]).current_dir(folder).stdin(Stdio::null());
    let output = command.output().expect("obmc starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let verdict = |line: &str| {
        let line = line.strip_prefix(&format!("obmc verdict[{property}, "))?;
        let (model, verdict) = line.split_once("]: ")?;
        let holds = match verdict {
            "true" => true,
            _ if verdict.starts_with("false(") => false,
            _ => return None,
        };
        Some((model.to_string(), holds))
    };
    let verdicts = text.lines().filter_map(verdict).collect();
    let blocks = text.split("Under ").filter(|block| block.contains("- follows from "));
    let handed = blocks.filter_map(|block| Some(block.split_once(':')?.0.to_string())).collect();
    (verdicts, handed)
}

/// What one model's answer says about another one is what that one says itself.
#[test]
fn models_in_one_run_say_what_each_says_alone() {
    const MODELS: [&str; 9] = ["power", "riscv", "armv8", "imm", "c11", "rc11", "pso", "tso", "sc"];
    let folder = tempfile::tempdir().expect("a folder");
    let from = number("OBMC_BUFFERS_FROM", 0);
    let (mut safe, mut violated) = (0, 0);
    for seed in from..from + number("OBMC_BUFFERS", 20) {
        let property = if seed % 4 == 3 { "no-deadlock" } else { "unreach-call" };
        let text = program(seed, property == "no-deadlock");
        std::fs::write(folder.path().join("a.c"), &text).expect("written");
        let (verdicts, handed) = in_one_run(folder.path(), &MODELS.join(","), property);
        for (model, holds) in verdicts {
            if handed.contains(&model) {
                let alone = asked(folder.path(), &model, "bmc", property);
                assert_ne!(alone, Some(!holds), "seed {seed}, {model}: {holds} in a run\n{text}");
                *(if holds { &mut safe } else { &mut violated }) += 1;
            }
        }
    }
    println!("{from}..: {safe} safe, {violated} violated of what was handed on");
    assert!(safe > 0 && violated > 0, "{safe} safe, {violated} violated: one-sided");
}
