//! Random C programs under weaker memory models: whatever the engine `values` calls safe, bmc calls safe, too, with
//! every bound that is tried (and so does the explorer with store buffers).
//!
//! Threads run once or for ever. They store numbers, copy and compute what they have read, exchange, add, compare,
//! branch, assume, lock, hand over addresses, publish by release and acquire; the first thread initialises before it
//! starts them and looks at results when it has joined them. Assertions are about values that were read.
//! `OBMC_VALUES` is the number of programs, `OBMC_VALUES_FROM` the first seed.

use obmc_testing::{Dice, holds, number};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    void __VERIFIER_assume(int);\nint __VERIFIER_nondet_int(void);\n_Bool __VERIFIER_nondet_bool(void);\n\
    void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n\
    atomic_int x, y, z = 1;\nint d, e = 2;\natomic_int *p = &x;\n\
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
const MODELS: [&str; 7] = ["armv8", "rc11", "power", "tso", "imm", "riscv", "pso"];
const ATOMIC: [&str; 3] = ["x", "y", "z"];
const PLAIN: [&str; 2] = ["d", "e"];

struct Writer<'a> {
    dice: &'a mut Dice,
    text: String,
    /// Local results so far.
    results: u32,
    /// Plain accesses are undefined behaviour where they race.
    plain: bool,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "        {line}");
    }

    fn atomic(&mut self) -> &'static str {
        self.dice.of(&ATOMIC)
    }

    fn order(&mut self, strong: &'static str) -> String {
        format!("memory_order_{}", self.dice.of(&["relaxed", "relaxed", strong, strong, "seq_cst"]))
    }

    /// A number, or what was read before, or computed from it.
    fn value(&mut self) -> String {
        let number = self.dice.below(4);
        if self.results == 0 || self.dice.chance(50) {
            return number.to_string();
        }
        let r = self.dice.below(self.results);
        match self.dice.below(4) {
            0 => format!("r{r}"),
            1 => format!("(r{r} + {number}) & 3"),
            2 => format!("r{r} ^ r{r}"),
            _ => format!("r{r} == {number}"),
        }
    }

    fn result(&mut self, of: &str) -> String {
        self.results += 1;
        let r = self.results - 1;
        self.line(&format!("r{r} = {of};"));
        format!("r{r}")
    }

    fn load(&mut self) -> String {
        let (v, o) = (self.atomic(), self.order("acquire"));
        format!("atomic_load_explicit(&{v}, {o})")
    }

    fn simple(&mut self) {
        match self.dice.below(14) {
            0..3 => {
                let (v, value, o) = (self.atomic(), self.value(), self.order("release"));
                self.line(&format!("atomic_store_explicit(&{v}, {value}, {o});"));
            }
            3..6 => {
                let load = self.load();
                self.result(&load);
            }
            6 => {
                let (v, value, o) = (self.atomic(), self.value(), self.order("acq_rel"));
                self.result(&format!("atomic_exchange_explicit(&{v}, {value}, {o})"));
            }
            7 => {
                let (v, o) = (self.atomic(), self.order("acq_rel"));
                let mask = self.dice.of(&[1, 3]);
                self.result(&format!("atomic_fetch_or_explicit(&{v}, {mask}, {o})"));
            }
            8 => {
                let (v, expected, value) = (self.atomic(), self.dice.below(3), self.value());
                let orders = "memory_order_acq_rel, memory_order_relaxed";
                let call = "atomic_compare_exchange_strong_explicit";
                self.result(&format!("{call}(&{v}, &(int){{{expected}}}, {value}, {orders})"));
            }
            9 if self.plain => {
                let (v, value) = (self.dice.of(&PLAIN), self.value());
                self.line(&format!("{v} = {value};"));
            }
            10 if self.plain => {
                let v = self.dice.of(&PLAIN);
                self.result(v);
            }
            11 => {
                let o = self.dice.of(&["acquire", "release", "seq_cst"]);
                self.line(&format!("atomic_thread_fence(memory_order_{o});"));
            }
            12 if self.dice.rarely(2) => {
                let o = self.order("acquire");
                self.result(&format!("atomic_load_explicit(p, {o})"));
            }
            _ => {
                let (v, value, o) = (self.atomic(), self.value(), self.order("release"));
                if self.plain {
                    let (d, number) = (self.dice.of(&PLAIN), self.dice.below(4));
                    self.line(&format!("{d} = {number};"));
                }
                self.line(&format!("atomic_store_explicit(&{v}, {value}, {o});"));
            }
        }
    }

    fn around(&mut self, before: &str, after: &str) {
        self.line(before);
        self.simple();
        if self.dice.chance(40) {
            self.simple();
        }
        self.line(after);
    }

    fn assertion(&mut self) {
        if self.results == 0 {
            return;
        }
        let (r, s) = (self.dice.below(self.results), self.dice.below(self.results));
        let (n, k) = (self.dice.below(4), self.dice.below(4));
        let assertion = match self.dice.below(6) {
            0 | 1 => format!("r{r} != {n}"),
            2 => format!("r{r} <= {n}"),
            3 => format!("r{r} <= r{s}"),
            4 => format!("r{r} == {n}"),
            _ => format!("!(r{r} == {n} && r{s} == {k})"),
        };
        self.line(&format!("assert({assertion});"));
    }

    fn statement(&mut self) {
        match self.dice.below(12) {
            0 => {
                let (load, n) = (self.load(), self.dice.below(4));
                self.around(&format!("if ({load} == {n}) {{"), "}");
            }
            1 if self.results > 0 => {
                let (r, n) = (self.dice.below(self.results), self.dice.below(4));
                self.around(&format!("if (r{r} == {n}) {{"), "}");
            }
            2 if self.results > 0 => {
                let (r, n) = (self.dice.below(self.results), self.dice.below(4));
                self.line(&format!("__VERIFIER_assume(r{r} == {n});"));
            }
            3 => self.around("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
            4 => self.around("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
            5 => {
                let load = self.load();
                self.line(&format!("while (!{load}) {{}}"));
            }
            6 if self.dice.rarely(2) => {
                let v = self.atomic();
                self.line(&format!("p = &{v};"));
            }
            7 if self.dice.rarely(2) => {
                self.result("__VERIFIER_nondet_bool()");
            }
            8 => self.assertion(),
            _ => self.simple(),
        }
    }

    fn body(&mut self, statements: u32) {
        self.line(
            "int r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0, r6 = 0, r7 = 0, r8 = 0, r9 = 0;",
        );
        self.results = 0;
        for _ in 0..statements {
            if self.results < 7 {
                self.statement();
            }
        }
    }
}

fn program(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let threads = 2 + dice.index(2);
    let plain = dice.chance(40);
    let mut writer = Writer { dice: &mut dice, text: HEAD.into(), results: 0, plain };
    let mut endless = Vec::new();
    for t in 0..threads {
        endless.push(writer.dice.chance(40));
        let head = if endless[t] { "for (;;) {" } else { "{" };
        let _ = writeln!(writer.text, "void *f{t}(void *a)\n{{\n    {head}");
        let statements = 2 + writer.dice.below(3);
        writer.body(statements);
        if writer.dice.chance(60) {
            writer.assertion();
        }
        writer.text += "    }\n    return (void *)(long)1;\n}\n";
    }
    writer.text += "int main(void)\n{\n    pthread_t t[3];\n    {\n";
    writer.plain = true;
    let before = writer.dice.below(3);
    writer.body(before);
    for t in 0..threads {
        let f = if writer.dice.chance(20) { 0 } else { t };
        writer.line(&format!("pthread_create(&t[{t}], 0, f{f}, 0);"));
        if writer.dice.chance(15) {
            writer.simple();
        }
        if f != t {
            endless[t] = endless[f];
        }
    }
    writer.plain = plain;
    for (t, _) in endless.iter().enumerate().filter(|(_, endless)| !**endless) {
        writer.line(&format!("pthread_join(t[{t}], 0);"));
        if writer.dice.chance(60) {
            let place = writer.dice.of(&["x", "y", "z", "d", "e"]);
            if writer.results < 9 && (plain || place != "d" && place != "e") {
                writer.result(place);
                writer.assertion();
            }
        }
    }
    writer.text += "    }\n    return 0;\n}\n";
    writer.text
}

/// Does it hold?
fn asked(folder: &Path, model: &str, engine: &str, bound: &str) -> Option<bool> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(["check", "a.c", "--no-trace", "--timeout", "20s", "--property", "unreach-call"]);
    command.args(["--mm", model, "--engine", engine]);
    if !bound.is_empty() {
        command.args(["--unwind", bound]);
    }
    holds(&mut command, folder, &[4, 5, 7])
}

#[test]
fn what_values_prove_holds_under_the_model() {
    let from = number("OBMC_VALUES_FROM", 0);
    let folder = tempfile::tempdir().expect("a folder");
    let (mut proven, mut judged, mut open) = (0, 0, 0);
    for seed in from..from + number("OBMC_VALUES", 60) {
        let text = program(seed);
        std::fs::write(folder.path().join("a.c"), &text).expect("written");
        let model = MODELS[seed as usize % MODELS.len()];
        let ask = |engine, bound| asked(folder.path(), model, engine, bound);
        if ask("values", "") != Some(true) {
            open += 1;
            continue;
        }
        proven += 1;
        for bound in ["1", "2", "3"] {
            let said = ask("bmc", bound);
            assert_ne!(said, Some(false), "seed {seed}, {model}: bmc with {bound}\n{text}");
            judged += u64::from(bound == "2" && said.is_some());
        }
        if ["tso", "pso"].contains(&model) {
            assert_ne!(ask("explore", ""), Some(false), "seed {seed}, {model}: explore\n{text}");
        }
    }
    println!("{from}..: {proven} proven ({judged} judged), {open} open");
    assert!(proven > 0 && open > 0, "{proven} proven, {open} open: one-sided");
}
