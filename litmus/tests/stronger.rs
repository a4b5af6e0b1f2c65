//! Random tests with C11's atomics: a stronger order or one more fence adds no state, and what
//! interleavings show every model shows. (Not for c11, whose happens-before takes differences.)

mod amount;

use cat::Model;
use litmus::{Limits, Value, parse, run};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;

const VARIABLES: [&str; 2] = ["x", "y"];
const ORDERS: [&str; 5] = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"];
const MODELS: [&str; 3] = ["rc11", "imm", "vmm"];

#[derive(Clone, Copy, Debug)]
enum Op {
    Store(usize, i64, usize),
    Load(usize, usize),
    Exchange(usize, i64, usize),
    Fence(usize),
}

type Program = Vec<Vec<Op>>;

fn op() -> impl Strategy<Value = Op> {
    let variable = || 0..VARIABLES.len();
    prop_oneof![
        4 => (variable(), 1..3i64, 0..3usize).prop_map(|(v, n, o)| Op::Store(v, n, [0, 2, 4][o])),
        4 => (variable(), 0..3usize).prop_map(|(v, o)| Op::Load(v, [0, 1, 4][o])),
        1 => (variable(), 3..5i64, 0..5usize).prop_map(|(v, n, o)| Op::Exchange(v, n, o)),
        1 => (1..5usize).prop_map(Op::Fence),
    ]
}

fn program() -> impl Strategy<Value = Program> {
    proptest::collection::vec(proptest::collection::vec(op(), 1..4), 2..4)
}

/// A fence has no result that could be listed.
fn reads(op: Op) -> bool {
    matches!(op, Op::Load(..) | Op::Exchange(..))
}

fn text(program: &Program) -> String {
    let mut text = String::from("C random\n{ x=0; y=0; }\n");
    let mut registers = String::new();
    for (t, ops) in program.iter().enumerate() {
        let _ = writeln!(text, "P{t}(atomic_int *x, atomic_int *y)\n{{");
        let mut register = 0;
        for op in ops {
            let line = match *op {
                Op::Store(v, n, o) => format!(
                    "atomic_store_explicit({}, {n}, memory_order_{});",
                    VARIABLES[v], ORDERS[o]
                ),
                Op::Load(v, o) => format!(
                    "int r{register} = atomic_load_explicit({}, memory_order_{});",
                    VARIABLES[v], ORDERS[o]
                ),
                Op::Exchange(v, n, o) => {
                    format!(
                        "int r{register} = atomic_exchange_explicit({}, {n}, memory_order_{});",
                        VARIABLES[v], ORDERS[o]
                    )
                }
                Op::Fence(o) => format!("atomic_thread_fence(memory_order_{});", ORDERS[o]),
            };
            let _ = writeln!(text, "    {line}");
            if reads(*op) {
                let _ = write!(registers, "{t}:r{register}; ");
                register += 1;
            }
        }
        text += "}\n";
    }
    text + &format!("locations [{registers} x; y;]\nexists (true)\n")
}

fn states(program: &Program, model: &str) -> BTreeSet<Vec<i64>> {
    let test = parse(&text(program)).unwrap();
    let outcome = run(&test, &Model::builtin(model).unwrap(), Limits::default()).unwrap();
    let number = |v: &Value| match v {
        Value::Int(n) => *n,
        Value::Address(_) => panic!("there are no addresses"),
    };
    outcome.states.keys().map(|state| state.iter().map(number).collect()).collect()
}

fn stronger(op: Op) -> Op {
    match op {
        Op::Store(v, n, 0) => Op::Store(v, n, 2),
        Op::Store(v, n, _) => Op::Store(v, n, 4),
        Op::Load(v, 0) => Op::Load(v, 1),
        Op::Load(v, _) => Op::Load(v, 4),
        Op::Exchange(v, n, 0) => Op::Exchange(v, n, 1),
        Op::Exchange(v, n, 1 | 2) => Op::Exchange(v, n, 3),
        Op::Exchange(v, n, _) => Op::Exchange(v, n, 4),
        Op::Fence(1 | 2) => Op::Fence(3),
        Op::Fence(_) => Op::Fence(4),
    }
}

proptest! {
    #![proptest_config(amount::config(80))]

    #[test]
    fn interleavings_are_everywhere(program in program()) {
        let sc = states(&program, "sc");
        for model in MODELS {
            prop_assert!(sc.is_subset(&states(&program, model)), "{} {}", model, text(&program));
        }
    }

    #[test]
    fn stronger_orders_add_no_state(program in program(), which in 0..100usize) {
        let mut changed = program.clone();
        let thread = which % changed.len();
        let at = which / changed.len() % changed[thread].len();
        changed[thread][at] = stronger(changed[thread][at]);
        for model in MODELS {
            let (weak, strong) = (states(&program, model), states(&changed, model));
            prop_assert!(strong.is_subset(&weak), "{} {}\n{}", model, text(&program), text(&changed));
        }
    }

    #[test]
    fn fences_add_no_state(program in program(), which in 0..100usize, order in 1..5usize) {
        let mut changed = program.clone();
        let thread = which % changed.len();
        let at = which / changed.len() % (changed[thread].len() + 1);
        changed[thread].insert(at, Op::Fence(order));
        for model in MODELS {
            let (weak, strong) = (states(&program, model), states(&changed, model));
            prop_assert!(strong.is_subset(&weak), "{} {}\n{}", model, text(&program), text(&changed));
        }
    }
}
