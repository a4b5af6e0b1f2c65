//! Proofs of the explorer about rc11 and machines, held against the engine that asks the model, on random
//! programs.
//!
//! Three kinds of programs. In *mixtures* two or three threads store, load, update and fence with random orders,
//! hand plain data over behind flags, and wait. *Cycles* are the shapes in which interleavings differ from weaker
//! models: thread i accesses a location that it shares with thread i - 1 and then one that it shares with
//! thread i + 1, so a few threads and fences already make what mixtures seldom do. In *endless* programs threads do
//! such things for ever.
//!
//! Where the explorer proves something, all executions are interleavings: `--property robust` must
//! not be violated, within growing bounds for loops; with loops that wait, no assertion must be. The same of a
//! machine, where the proof is about it, too. `OBMC_ROBUST` is the number of programs, `OBMC_ROBUST_FROM` the
//! first seed.

use obmc_testing::{Dice, holds, number};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    atomic_int x, y, z;\nint data, r[12];\n";

/// How often orders are strong: a program of one kind is more often robust than a mixture.
struct Style {
    reads: &'static [&'static str],
    writes: &'static [&'static str],
    updates: &'static [&'static str],
    places: &'static [&'static str],
}

const STYLES: [Style; 4] = [
    Style { reads: &["acquire"], writes: &["release"], updates: &["acq_rel"], places: &["x", "y"] },
    Style {
        reads: &["seq_cst", "seq_cst", "acquire"],
        writes: &["seq_cst", "seq_cst", "release"],
        updates: &["seq_cst", "acq_rel", "relaxed"],
        places: &["x", "y"],
    },
    Style {
        reads: &["relaxed", "acquire", "seq_cst"],
        writes: &["relaxed", "release", "seq_cst"],
        updates: &["relaxed", "acq_rel", "seq_cst", "acquire", "release"],
        places: &["x", "y", "z"],
    },
    Style { reads: &["relaxed"], writes: &["relaxed"], updates: &["relaxed"], places: &["x", "y"] },
];

struct Writer<'a> {
    dice: &'a mut Dice,
    style: &'static Style,
    text: String,
    results: usize,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    fn result(&mut self) -> usize {
        self.results += 1;
        (self.results - 1).min(11)
    }

    fn load(&mut self) -> String {
        let (v, o) = (self.dice.of(self.style.places), self.dice.of(self.style.reads));
        format!("atomic_load_explicit(&{v}, memory_order_{o})")
    }

    fn update(&mut self) -> String {
        let (v, o) = (self.dice.of(self.style.places), self.dice.of(self.style.updates));
        let value = 1 + self.dice.below(2);
        match self.dice.below(4) {
            0 => format!("atomic_fetch_add_explicit(&{v}, {value}, memory_order_{o})"),
            1 => format!(
                "atomic_compare_exchange_strong_explicit(&{v}, &(int){{{}}}, {value}, \
                 memory_order_{o}, memory_order_relaxed)",
                self.dice.below(2)
            ),
            _ => format!("atomic_exchange_explicit(&{v}, {value}, memory_order_{o})"),
        }
    }

    fn store(&mut self) {
        let (v, o) = (self.dice.of(self.style.places), self.dice.of(self.style.writes));
        let value = 1 + self.dice.below(2);
        self.line(&format!("atomic_store_explicit(&{v}, {value}, memory_order_{o});"));
    }

    fn statement(&mut self, may_wait: bool) {
        match self.dice.below(if may_wait { 13 } else { 12 }) {
            0..3 => self.store(),
            3..6 => {
                let (r, load) = (self.result(), self.load());
                self.line(&format!("r[{r}] = {load};"));
            }
            6 | 7 => {
                let (r, update) = (self.result(), self.update());
                self.line(&format!("r[{r}] = {update};"));
            }
            8 => {
                let o = self.dice.of(&["acquire", "release", "acq_rel", "seq_cst", "seq_cst"]);
                self.line(&format!("atomic_thread_fence(memory_order_{o});"));
            }
            9 => {
                let (r, load) = (self.result(), self.load());
                self.line(&format!("if ({load} == 2) r[{r}] = data;"));
            }
            10 => {
                let v = self.dice.of(self.style.places);
                let o = self.dice.of(self.style.writes);
                self.line("data = 1;");
                self.line(&format!("atomic_store_explicit(&{v}, 2, memory_order_{o});"));
            }
            11 => {
                let load = self.load();
                self.line(&format!("if ({load}) {{"));
                self.store();
                self.line("}");
            }
            _ => {
                let load = self.load();
                self.line(&format!("while (!{load}) {{}}"));
            }
        }
    }
}

fn program(seed: u64, waits: bool) -> String {
    let mut dice = Dice::new(seed);
    let threads = 2 + usize::from(dice.rarely(3));
    let style = &STYLES[dice.index(STYLES.len())];
    let mut writer = Writer { dice: &mut dice, style, text: HEAD.into(), results: 0 };
    for t in 0..threads {
        let _ = writeln!(writer.text, "void *p{t}(void *p)\n{{");
        let statements = 2 + writer.dice.below(if threads == 2 { 3 } else { 2 });
        (0..statements).for_each(|_| writer.statement(waits && t > 0));
        writer.text += "    return p;\n}\n";
    }
    writer.text += "int main(void)\n{\n    pthread_t t[3];\n";
    for t in 0..threads {
        writer.line(&format!("pthread_create(&t[{t}], 0, p{t}, 0);"));
    }
    for t in 0..threads {
        writer.line(&format!("pthread_join(t[{t}], 0);"));
    }
    let condition = match waits {
        false => "r[0] < 100".to_string(),
        true => {
            let mut part = || {
                let place = writer.dice.index(writer.results.clamp(1, 12));
                format!("r[{place}] == {}", writer.dice.below(3))
            };
            format!("!({} && {})", part(), part())
        }
    };
    writer.line(&format!("assert({condition});"));
    writer.text += "    return 0;\n}\n";
    writer.text
}

/// Orders of loads, of stores, and of updates, of which a cycle takes a random one each time.
const CYCLE_ORDERS: [[&str; 3]; 3] = [
    ["relaxed", "relaxed", "acq_rel"],
    ["acquire", "release", "acq_rel"],
    ["seq_cst", "seq_cst", "seq_cst"],
];

/// An access of a location of a cycle, whose result is an expression.
fn access(dice: &mut Dice, place: usize, writes: bool) -> String {
    let [load, store, update] = CYCLE_ORDERS[dice.index(4).saturating_sub(1)];
    match (writes, dice.below(6)) {
        (true, 0) => format!("atomic_exchange_explicit(&v[{place}], 1, memory_order_{update})"),
        (true, _) => format!("(atomic_store_explicit(&v[{place}], 1, memory_order_{store}), 1)"),
        (false, 0) => format!("atomic_fetch_or_explicit(&v[{place}], 0, memory_order_{update})"),
        (false, _) => format!("atomic_load_explicit(&v[{place}], memory_order_{load})"),
    }
}

/// Between the accesses of a thread.
fn fence(dice: &mut Dice) -> String {
    match dice.of(&["", "acquire", "release", "acq_rel", "seq_cst", "seq_cst", "seq_cst"]) {
        "" => String::new(),
        order => format!("atomic_thread_fence(memory_order_{order});"),
    }
}

/// Threads around a cycle, once or for ever.
fn cycle(seed: u64, endless: bool) -> String {
    let mut dice = Dice::new(seed);
    let threads = 2 + dice.index(if endless { 2 } else { 3 });
    // The end of an edge writes, its start does, or both: from-read, reads-from, coherence.
    let edges: Vec<(bool, bool)> =
        (0..threads).map(|_| dice.of(&[(false, true), (true, false), (true, true)])).collect();
    let mut text = format!("{HEAD}atomic_int v[{threads}];\n");
    for t in 0..threads {
        let next = (t + 1) % threads;
        let first = access(&mut dice, t, edges[t].1);
        let between = fence(&mut dice);
        let second = access(&mut dice, next, edges[next].0);
        let same = if between.is_empty() && dice.rarely(3) { "if (a)" } else { "" };
        let mut body = format!("int a = {first}, b = -1; {between} {same} b = {second};");
        if endless {
            let undo = dice.below(3);
            if undo > 0 && edges[next].0 {
                let [_, store, _] = dice.of(&CYCLE_ORDERS);
                let fence = fence(&mut dice);
                body += &format!(
                    " {fence} atomic_store_explicit(&v[{next}], 0, memory_order_{store});"
                );
            }
            if undo > 1 {
                body += &fence(&mut dice);
            }
            body = format!("for (;;) {{ {body} }}");
        }
        let _ = writeln!(text, "void *p{t}(void *p)\n{{\n    {body}\n    return p;\n}}");
    }
    text += "int main(void)\n{\n    pthread_t t[4];\n";
    for t in 0..threads {
        let _ = writeln!(text, "    pthread_create(&t[{t}], 0, p{t}, 0);");
    }
    for t in 0..threads {
        let _ = writeln!(text, "    pthread_join(t[{t}], 0);");
    }
    text + "    return 0;\n}\n"
}

/// Models of which some programs have no other executions than under rc11.
const MACHINES: [&str; 4] = ["armv8", "power", "imm", "riscv"];

/// A program and how it is held against bmc.
struct Trial {
    text: String,
    property: &'static str,
    /// Bounds of loops, one after the other; none: as many iterations as there are.
    bounds: &'static [&'static str],
}

fn trial(seed: u64) -> Trial {
    let (robust, assertion) = ("robust", "unreach-call");
    match seed % 6 {
        0 => Trial { text: program(seed, true), property: assertion, bounds: &[""] },
        1 | 2 => Trial { text: program(seed, false), property: robust, bounds: &[""] },
        3 | 4 => Trial { text: cycle(seed, false), property: robust, bounds: &[""] },
        _ => Trial { text: cycle(seed, true), property: robust, bounds: &["1", "2"] },
    }
}

/// Does it hold?
fn asked(folder: &Path, model: &str, engine: &str, property: &str, bound: &str) -> Option<bool> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(["check", "a.c", "--no-trace", "--timeout", "20s", "--mm", model]);
    command.args(["--property", property, "--engine", engine]);
    // Robustness is about all iterations, those that change nothing, too.
    command.args(["--spin", "off"]);
    if !bound.is_empty() {
        command.args(["--unwind", bound]);
    }
    holds(&mut command, folder, &[4, 5, 7])
}

#[test]
fn what_is_proven_by_interleavings_holds_under_rc11() {
    let from = number("OBMC_ROBUST_FROM", 0);
    let folder = tempfile::tempdir().expect("a folder");
    let (mut proven, mut open, mut refuted, mut on_machines) = ([0; 6], 0, [0; 6], 0);
    for seed in from..from + number("OBMC_ROBUST", 36) {
        let Trial { text, property, bounds } = trial(seed);
        std::fs::write(folder.path().join("a.c"), &text).expect("written");
        let ask = |model: &str, engine: &str, property: &str, bound: &str| {
            asked(folder.path(), model, engine, property, bound)
        };
        let safe = ask("rc11", "explore", "unreach-call", "") == Some(true);
        let violated = |model| bounds.iter().any(|b| ask(model, "bmc", property, b) == Some(false));
        let fails = violated("rc11");
        assert!(!safe || !fails, "seed {seed}: {property} is violated\n{text}");
        if safe && property == "robust" && bounds.len() == 1 {
            let races = ask("rc11", "bmc", "no-data-race", "");
            assert_ne!(races, Some(false), "seed {seed}: a race\n{text}");
        }
        let machine = MACHINES[seed as usize / 6 % MACHINES.len()];
        if safe && ask(machine, "explore", "unreach-call", "") == Some(true) {
            on_machines += 1;
            assert!(!violated(machine), "seed {seed}, {machine}: {property} is violated\n{text}");
        }
        let kind = (seed % 6) as usize;
        proven[kind] += u64::from(safe);
        open += u64::from(!safe);
        refuted[kind] += u64::from(fails);
    }
    println!(
        "{from}..: by kind {proven:?} proven, {open} not, {refuted:?} violated; {on_machines} on machines"
    );
    let [proven, refuted] = [proven, refuted].map(|by_kind| by_kind.iter().sum::<u64>());
    assert!(proven > 0 && refuted > 0, "{proven} proven, {refuted} violated: one-sided");
}
