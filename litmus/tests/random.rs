//! Random x86 programs: the executions that the axioms allow end in the same states as an abstract
//! machine with store buffers does. The machine shares nothing with the enumerator: it interleaves
//! instructions and flushes, with no buffer (sc), one buffer per thread (tso), or one per thread and
//! variable (pso).

mod amount;

use cat::Model;
use litmus::{Limits, Value, parse, run};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

const VARIABLES: [&str; 2] = ["x", "y"];
const REGISTERS: [&str; 2] = ["EAX", "EBX"];

#[derive(Clone, Copy, Debug)]
enum Inst {
    Store(usize, i64),
    Load(usize, usize), // register, variable
    StoreReg(usize, usize),
    Fence,
    Exchange(usize, usize), // register, variable
}

type Program = Vec<Vec<Inst>>;

fn inst() -> impl Strategy<Value = Inst> {
    let (reg, var) = (0..REGISTERS.len(), 0..VARIABLES.len());
    prop_oneof![
        4 => (var.clone(), 1..3i64).prop_map(|(v, n)| Inst::Store(v, n)),
        4 => (reg.clone(), var.clone()).prop_map(|(r, v)| Inst::Load(r, v)),
        1 => (reg.clone(), var.clone()).prop_map(|(r, v)| Inst::StoreReg(r, v)),
        1 => Just(Inst::Fence),
        1 => (reg, var).prop_map(|(r, v)| Inst::Exchange(r, v)),
    ]
}

fn program() -> impl Strategy<Value = Program> {
    let thread = proptest::collection::vec(inst(), 1..4);
    proptest::collection::vec(thread, 2..4)
}

fn text(program: &Program) -> String {
    let mut text = String::from("X86 random\n{ x=0; y=0; }\n");
    let heads: Vec<_> = (0..program.len()).map(|i| format!("P{i}")).collect();
    let _ = writeln!(text, "{} ;", heads.join(" | "));
    for row in 0..3 {
        let cells = program.iter().map(|thread| match thread.get(row) {
            None => String::new(),
            Some(Inst::Store(v, n)) => format!("MOV [{}],${n}", VARIABLES[*v]),
            Some(Inst::Load(r, v)) => format!("MOV {},[{}]", REGISTERS[*r], VARIABLES[*v]),
            Some(Inst::StoreReg(r, v)) => format!("MOV [{}],{}", VARIABLES[*v], REGISTERS[*r]),
            Some(Inst::Fence) => "MFENCE".into(),
            Some(Inst::Exchange(r, v)) => format!("XCHG [{}],{}", VARIABLES[*v], REGISTERS[*r]),
        });
        let _ = writeln!(text, "{} ;", cells.collect::<Vec<_>>().join(" | "));
    }
    let registers = (0..program.len()).flat_map(|t| REGISTERS.map(|r| format!("{t}:{r};")));
    let _ = writeln!(text, "locations [{} x; y;]", registers.collect::<String>());
    text + "exists (true)\n"
}

/// The buffers of a machine.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Buffers {
    None,
    PerThread,
    PerVariable,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    memory: [i64; 2],
    threads: Vec<Thread>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Thread {
    at: usize,
    registers: [i64; 2],
    buffer: Vec<(usize, i64)>, // oldest first
}

fn machine(program: &Program, buffers: Buffers) -> BTreeSet<Vec<i64>> {
    let thread = Thread { at: 0, registers: [0; 2], buffer: Vec::new() };
    let start = State { memory: [0; 2], threads: vec![thread; program.len()] };
    let (mut seen, mut stack) = (HashSet::new(), vec![start]);
    let mut ends = BTreeSet::new();
    while let Some(state) = stack.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let next = successors(program, &state, buffers);
        if next.is_empty() {
            let registers = state.threads.iter().flat_map(|t| t.registers);
            ends.insert(registers.chain(state.memory).collect());
        }
        stack.extend(next);
    }
    ends
}

fn successors(program: &Program, state: &State, buffers: Buffers) -> Vec<State> {
    let mut next = Vec::new();
    for (t, code) in program.iter().enumerate() {
        for i in flushable(&state.threads[t].buffer, buffers) {
            let mut after = state.clone();
            let (v, n) = after.threads[t].buffer.remove(i);
            after.memory[v] = n;
            next.push(after);
        }
        next.extend(code.get(state.threads[t].at).and_then(|&i| step(state, t, i, buffers)));
    }
    next
}

fn flushable(buffer: &[(usize, i64)], buffers: Buffers) -> Vec<usize> {
    let first = |i: &usize| match buffers {
        Buffers::PerVariable => buffer[..*i].iter().all(|(v, _)| *v != buffer[*i].0),
        _ => *i == 0,
    };
    (0..buffer.len()).filter(first).collect()
}

fn step(state: &State, t: usize, inst: Inst, buffers: Buffers) -> Option<State> {
    let mut after = state.clone();
    let State { memory, threads } = &mut after;
    let thread = &mut threads[t];
    thread.at += 1;
    let mut store = |thread: &mut Thread, v: usize, n: i64| match buffers {
        Buffers::None => memory[v] = n,
        _ => thread.buffer.push((v, n)),
    };
    match inst {
        Inst::Store(v, n) => store(thread, v, n),
        Inst::StoreReg(r, v) => store(thread, v, thread.registers[r]),
        Inst::Load(r, v) => {
            let own = thread.buffer.iter().rev().find(|(w, _)| *w == v).map(|(_, n)| *n);
            thread.registers[r] = own.unwrap_or(memory[v]);
        }
        Inst::Fence | Inst::Exchange(..) if !thread.buffer.is_empty() => return None,
        Inst::Fence => {}
        Inst::Exchange(r, v) => std::mem::swap(&mut thread.registers[r], &mut memory[v]),
    }
    Some(after)
}

fn axioms(program: &Program, model: &str) -> BTreeSet<Vec<i64>> {
    let test = parse(&text(program)).unwrap();
    let outcome = run(&test, &Model::builtin(model).unwrap(), Limits::default()).unwrap();
    assert!(outcome.complete);
    let number = |v: &Value| match v {
        Value::Int(n) => *n,
        Value::Address(_) => panic!("there are no addresses"),
    };
    outcome.states.keys().map(|state| state.iter().map(number).collect()).collect()
}

proptest! {
    #![proptest_config(amount::config(150))]

    #[test]
    fn axioms_and_machines_agree(program in program()) {
        let models = [("sc", Buffers::None), ("tso", Buffers::PerThread), ("pso", Buffers::PerVariable)];
        let mut stronger = BTreeSet::new();
        for (model, buffers) in models {
            let states = axioms(&program, model);
            prop_assert_eq!(&states, &machine(&program, buffers), "{} {}", model, text(&program));
            prop_assert!(stronger.is_subset(&states), "{} {}", model, text(&program));
            stronger = states;
        }
    }

    /// A fence behind every instruction leaves what sc allows.
    #[test]
    fn fences_everywhere_are_sc(program in program()) {
        let sc = axioms(&program, "sc");
        let test = parse(&text(&program).replace(" ;\n", " ;\n@ ;\n").replace("@", &fences(&program))).unwrap();
        for model in ["tso", "pso"] {
            let outcome = run(&test, &Model::builtin(model).unwrap(), Limits::default()).unwrap();
            prop_assert_eq!(outcome.states.len(), sc.len());
        }
    }
}

fn fences(program: &Program) -> String {
    vec!["MFENCE"; program.len()].join(" | ")
}
