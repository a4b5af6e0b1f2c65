//! Random C programs under several memory models: what one model forbids a stronger one forbids, too.
//!
//! Two or three threads store, load and exchange with random orders, with fences between, and the
//! assertion excludes one random result. Held against each other: pso, tso and sc; rc11 and sc; rc11 and
//! every machine with its compilation table; a program and the same with one order or fence more; what is
//! robust has the answer of sc.
//! The same programs as litmus tests: both solvers and the enumerator say the same of C's own models.
//! `OBMC_METAMORPHIC` is the number of programs, `OBMC_METAMORPHIC_FROM` the first seed.
//!
//! In a thread, loads that a store follows are `acquire` at least: rc11 forbids load buffering of relaxed
//! accesses, which compilers do not.

use obmc_testing::Dice;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const VARIABLES: [&str; 2] = ["x", "y"];
const MACHINES: [&str; 4] = ["tso", "armv8", "power", "riscv"];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Order {
    Relaxed,
    /// Or release: whatever the operation is.
    Half,
    SeqCst,
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Store(usize, u32, Order),
    Load(usize, Order),
    Exchange(usize, u32, Order),
    Fence(Order),
}

type Program = Vec<Vec<Op>>;

fn order(dice: &mut Dice) -> Order {
    dice.of(&[Order::Relaxed, Order::Half, Order::SeqCst])
}

fn program(dice: &mut Dice) -> Program {
    let threads = 2 + usize::from(dice.rarely(3));
    let mut program: Program = (0..threads)
        .map(|_| {
            let op = |dice: &mut Dice| match dice.below(9) {
                0..4 => Op::Store(dice.index(2), 1 + dice.below(2), order(dice)),
                4..8 => Op::Load(dice.index(2), order(dice)),
                _ if dice.chance(50) => Op::Exchange(dice.index(2), 3, order(dice)),
                _ => Op::Fence(dice.of(&[Order::Half, Order::SeqCst])),
            };
            (0..2 + dice.below(2)).map(|_| op(dice)).collect()
        })
        .collect();
    for thread in &mut program {
        for i in 0..thread.len() {
            let writes = |op: &Op| matches!(op, Op::Store(..) | Op::Exchange(..));
            let followed = thread[i + 1..].iter().any(writes);
            match &mut thread[i] {
                Op::Load(_, order) | Op::Exchange(_, _, order)
                    if followed && *order == Order::Relaxed =>
                {
                    *order = Order::Half;
                }
                _ => {}
            }
        }
    }
    program
}

fn word(order: Order, half: &'static str) -> &'static str {
    match order {
        Order::Relaxed => "relaxed",
        Order::Half => half,
        Order::SeqCst => "seq_cst",
    }
}

/// `outcome`: what the reads see, one after the other.
fn text(program: &Program, outcome: &[u32]) -> String {
    let mut text = String::from(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\n",
    );
    let reads = outcome.len().max(1);
    let _ = writeln!(text, "int r[{reads}];");
    let mut next = 0;
    for (t, ops) in program.iter().enumerate() {
        let _ = writeln!(text, "void *p{t}(void *p)\n{{");
        for op in ops {
            let _ = match *op {
                Op::Store(v, n, o) => {
                    writeln!(
                        text,
                        "    atomic_store_explicit(&{}, {n}, memory_order_{});",
                        VARIABLES[v],
                        word(o, "release")
                    )
                }
                Op::Load(v, o) => {
                    let line = writeln!(
                        text,
                        "    r[{next}] = atomic_load_explicit(&{}, memory_order_{});",
                        VARIABLES[v],
                        word(o, "acquire")
                    );
                    next += 1;
                    line
                }
                Op::Exchange(v, n, o) => {
                    let line = writeln!(
                        text,
                        "    r[{next}] = atomic_exchange_explicit(&{}, {n}, memory_order_{});",
                        VARIABLES[v],
                        word(o, "acq_rel")
                    );
                    next += 1;
                    line
                }
                Op::Fence(o) => {
                    writeln!(text, "    atomic_thread_fence(memory_order_{});", word(o, "acq_rel"))
                }
            };
        }
        text += "    return p;\n}\n";
    }
    text += "int main(void)\n{\n    pthread_t t[3];\n";
    for t in 0..program.len() {
        let _ = writeln!(text, "    pthread_create(&t[{t}], 0, p{t}, 0);");
    }
    for t in 0..program.len() {
        let _ = writeln!(text, "    pthread_join(t[{t}], 0);");
    }
    let parts: Vec<String> =
        outcome.iter().enumerate().map(|(i, v)| format!("r[{i}] == {v}")).collect();
    let condition = if parts.is_empty() { "x == 2 && y == 2".into() } else { parts.join(" && ") };
    let _ = writeln!(text, "    assert(!({condition}));\n    return 0;\n}}");
    text
}

fn reads(program: &Program) -> usize {
    program.iter().flatten().filter(|op| matches!(op, Op::Load(..) | Op::Exchange(..))).count()
}

/// Can it not happen?
fn forbids(folder: &Path, text: &str, model: &str) -> Option<bool> {
    asked(folder, text, model, "unreach-call", "sat")
}

/// Does it hold?
fn asked(folder: &Path, text: &str, model: &str, property: &str, solver: &str) -> Option<bool> {
    std::fs::write(folder.join("a.c"), text).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args([
        "check",
        "a.c",
        "--property",
        property,
        "--no-trace",
        "--timeout",
        "20s",
        "--mm",
        model,
        "--solver",
        solver,
    ]);
    let output = command.current_dir(folder).stdin(Stdio::null()).output().expect("obmc starts");
    match output.status.code() {
        Some(0) => Some(true),
        Some(10) => Some(false),
        Some(7) => None,
        code => {
            panic!("{model}: exit {code:?}\n{text}\n{}", String::from_utf8_lossy(&output.stdout))
        }
    }
}

/// One order or fence more.
fn strengthened(program: &Program, dice: &mut Dice) -> Program {
    let mut program = program.clone();
    let t = dice.index(program.len());
    let at = dice.index(program[t].len());
    match &mut program[t][at] {
        Op::Store(_, _, o) | Op::Load(_, o) | Op::Exchange(_, _, o) if *o < Order::SeqCst => {
            *o = Order::SeqCst
        }
        _ => program[t].insert(at, Op::Fence(Order::SeqCst)),
    }
    program
}

fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let from = number("OBMC_METAMORPHIC_FROM").unwrap_or(0);
    from..from + number("OBMC_METAMORPHIC").unwrap_or(usual)
}

/// The program as a litmus test that asks for the outcome.
fn litmus(program: &Program, outcome: &[u32]) -> String {
    let mut text = String::from("C random\n{ [x]=0; [y]=0; }\n");
    let mut parts = Vec::new();
    for (t, ops) in program.iter().enumerate() {
        let _ = writeln!(text, "P{t} (atomic_int* x, atomic_int* y) {{");
        for op in ops {
            let read = format!("r{}", parts.len());
            let _ = match *op {
                Op::Store(v, n, o) => {
                    let (v, o) = (VARIABLES[v], word(o, "release"));
                    writeln!(text, "  atomic_store_explicit({v}, {n}, memory_order_{o});")
                }
                Op::Load(v, o) => {
                    let (v, o) = (VARIABLES[v], word(o, "acquire"));
                    writeln!(text, "  int {read} = atomic_load_explicit({v}, memory_order_{o});")
                }
                Op::Exchange(v, n, o) => {
                    let (v, o) = (VARIABLES[v], word(o, "acq_rel"));
                    let call = format!("atomic_exchange_explicit({v}, {n}, memory_order_{o})");
                    writeln!(text, "  int {read} = {call};")
                }
                Op::Fence(o) => {
                    writeln!(text, "  atomic_thread_fence(memory_order_{});", word(o, "acq_rel"))
                }
            };
            if matches!(op, Op::Load(..) | Op::Exchange(..)) {
                parts.push(format!("{t}:{read}={}", outcome[parts.len()]));
            }
        }
        text += "}\n";
    }
    let condition = if parts.is_empty() { "x=2 /\\ y=2".into() } else { parts.join(" /\\ ") };
    text + &format!("exists ({condition})\n")
}

/// Does the enumerator never see the outcome?
fn never(folder: &Path, text: &str, model: &str) -> bool {
    std::fs::write(folder.join("a.litmus"), text).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(["litmus", "a.litmus", "--mm", model]).current_dir(folder);
    let output = command.stdin(Stdio::null()).output().expect("obmc starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let word = said.lines().find_map(|line| line.strip_prefix("Observation random "));
    let word = word.and_then(|line| line.split(' ').next());
    assert!(matches!(word, Some("Never" | "Sometimes" | "Always")), "{model}\n{text}\n{said}");
    word == Some("Never")
}

fn accesses_seq_cst(program: &Program) -> bool {
    program.iter().flatten().any(|op| match *op {
        Op::Store(_, _, order) | Op::Load(_, order) | Op::Exchange(_, _, order) => {
            order == Order::SeqCst
        }
        Op::Fence(_) => false,
    })
}

#[test]
fn both_solvers_and_the_enumerator_agree() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut forbidden, mut allowed, mut open) = (0, 0, 0);
    for seed in seeds(15) {
        let mut dice = Dice::new(seed);
        let program = program(&mut dice);
        let outcome: Vec<u32> =
            (0..reads(&program)).map(|_| dice.of(&[0, 0, 1, 1, 2, 3])).collect();
        let (check, test) = (text(&program, &outcome), litmus(&program, &outcome));
        // imm itself has no seq_cst accesses: those of C programs are compiled.
        let compiled = |model: &str| model == "imm" && accesses_seq_cst(&program);
        for model in ["rc11", "c11", "imm"].into_iter().filter(|model| !compiled(model)) {
            let enumerated = never(folder.path(), &test, model);
            for solver in ["sat", "z3"] {
                let solved = asked(folder.path(), &check, model, "unreach-call", solver);
                let same = solved.is_none_or(|solved| solved == enumerated);
                let said = format!("{model}, {solver}: {solved:?}, {enumerated}");
                assert!(same, "seed {seed}, {said}\n{check}\n{test}");
                *match solved {
                    Some(true) => &mut forbidden,
                    Some(false) => &mut allowed,
                    None => &mut open,
                } += 1;
            }
        }
    }
    println!("{forbidden} forbidden, {allowed} allowed, {open} open");
    assert!(forbidden > 0 && allowed > 0, "{forbidden} forbidden, {allowed} allowed: one-sided");
}

#[test]
fn stronger_models_and_programs_show_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut forbidden, mut allowed) = (0, 0);
    for seed in seeds(25) {
        let mut dice = Dice::new(seed);
        let program = program(&mut dice);
        let outcome: Vec<u32> =
            (0..reads(&program)).map(|_| dice.of(&[0, 0, 1, 1, 2, 3])).collect();
        let weak = text(&program, &outcome);
        let strong = text(&strengthened(&program, &mut dice), &outcome);
        let ask = |text: &str, model: &str| forbids(folder.path(), text, model);
        let implied = |weaker: Option<bool>, stronger: Option<bool>, what: &str| {
            let holds = weaker != Some(true) || stronger != Some(false);
            assert!(holds, "seed {seed}: {what}\n{weak}\n{strong}");
        };
        let [sc, tso, pso, rc11] = ["sc", "tso", "pso", "rc11"].map(|model| ask(&weak, model));
        for (model, weak_answer) in [("tso", tso), ("rc11", rc11)] {
            let differ = sc.is_some() && weak_answer.is_some() && sc != weak_answer;
            let robust = asked(folder.path(), &weak, model, "robust", "sat");
            assert!(!differ || robust != Some(true), "seed {seed}: robust under {model}\n{weak}");
        }
        implied(pso, tso, "pso forbids it, tso does not");
        implied(tso, sc, "tso forbids it, sc does not");
        implied(rc11, sc, "rc11 forbids it, sc does not");
        implied(rc11, ask(&strong, "rc11"), "rc11 forbids it without the stronger order");
        if rc11 == Some(true) {
            for machine in MACHINES {
                implied(rc11, ask(&weak, machine), &format!("rc11 forbids it, {machine} does not"));
            }
        } else if pso == Some(true) {
            implied(pso, ask(&strong, "pso"), "pso forbids it without the stronger order");
        }
        *(if rc11 == Some(true) { &mut forbidden } else { &mut allowed }) += 1;
    }
    assert!(forbidden > 0 && allowed > 0, "{forbidden} forbidden, {allowed} allowed: one-sided");
}
