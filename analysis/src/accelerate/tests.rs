use super::*;
use crate::loops;
use ir::testing::parse;
use ir::{print, verify};

/// Accelerates the only loop of `main`.
fn accelerated(lines: &str) -> Option<String> {
    let mut program = parse(&format!(
        "global x
         global y
         fn main(n, m) {{
         a: i = n
         j = 0
         s = 0
         goto h
         {lines}
         o: store @y i
         ret j
         }}"
    ));
    let found = loops::loops(&program);
    assert_eq!(found.len(), 1);
    let done = accelerate(&mut program, &found[0], false);
    assert_eq!(verify::program(&program), []);
    let text = print::program(&program);
    if done {
        let again = loops::loops(&program);
        assert!(again.len() <= 1 && again.iter().all(|l| l.head == found[0].head), "{text}");
        return Some(format!("{text}{} loops", again.len()));
    }
    None
}

fn kept(lines: &str) {
    assert_eq!(accelerated(lines), None);
}

const SEARCH: &str = "h: c = i < m
    if c b o
    b: t = load @x
    if t s k
    s: store @y i
    goto k
    k: i = i + 1
    goto h";

#[test]
fn a_search_leaps() {
    let text = accelerated(SEARCH).expect("it is accelerated");
    assert_eq!(text.matches("nondet").count(), 1, "{text}");
    // The promise, and the way back of an idle iteration.
    assert_eq!(text.matches("assume").count(), 2, "{text}");
    assert_eq!(text.matches("store i32 @y").count(), 3, "{text}");
}

#[test]
fn a_loop_without_effects_is_no_loop_any_more() {
    let text = "h: c = i < m
        if c b o
        b: t = load @x
        if t o k
        k: i = i + 1
        goto h";
    assert!(accelerated(text).expect("it is accelerated").contains("0 loops"));
}

#[test]
fn what_rounds_change_must_be_counters() {
    // What was read last is needed later.
    kept(&SEARCH.replace("t = load @x", "t = load @x\nj = t"));
    // A sum of what was read.
    kept(&SEARCH.replace("t = load @x", "t = load @x\ns = s + t\nj = s"));
    // Not the same step each time.
    kept(
        &SEARCH.replace(
            "k: i = i + 1",
            "k: u = load @y\nif u d e\nd: i = i + 1\ngoto e\ne: i = i + 1",
        ),
    );
    kept(&SEARCH.replace("i = i + 1", "i = i + m"));
    kept(&SEARCH.replace("i = i + 1", "i = i * 2"));
    // Two counters, and one that is never read.
    let two = SEARCH.replace("i = i + 1", "i = i + 1\nj = j + 2");
    assert!(accelerated(&two).is_some_and(|text| text.contains("mul i32")));
}

#[test]
fn every_effect_ends_idleness() {
    for effect in ["store @x 1", "live $s", "t = call main(n, m)"] {
        kept(&SEARCH.replace("k: i = i + 1", &format!("k: {effect}\ni = i + 1")));
    }
    for look in ["u = load @y", "u = nondet", "assume m", "begin\nu = load @y\nend"] {
        let text = SEARCH.replace("k: i = i + 1", &format!("k: {look}\ni = i + 1"));
        assert!(accelerated(&text).is_some(), "{look}");
    }
}

#[test]
fn promises_follow_the_comparison() {
    let promises = |lines: &str| {
        let text = accelerated(lines).expect("it is accelerated");
        text.matches("assume").count() - 1
    };
    assert_eq!(promises(SEARCH), 1);
    assert_eq!(promises(&SEARCH.replace("i < m", "i <= m")), 1);
    assert_eq!(promises(&SEARCH.replace("i < m", "i != m")), 1);
    // The wrong direction, against what was read, against what moves too.
    assert_eq!(promises(&SEARCH.replace("i < m", "i > m")), 0);
    let loaded = SEARCH.replace("h: c = i < m", "h: v = load @y\nc = i < v");
    assert_eq!(promises(&loaded), 1, "it does not wrap");
    assert_eq!(promises(&loaded.replace("i < v", "i <= v")), 0);
    assert_eq!(promises(&loaded.replace("i = i + 1", "i = i + 2")), 0);
    let both = SEARCH.replace("i < m", "i < j").replace("i = i + 1", "i = i + 1\nj = j + 2");
    assert_eq!(promises(&both), 1, "it does not wrap, either");
    // Not in every idle iteration.
    let some = SEARCH.replace("h: c = i < m", "h: v = load @y\nif v g b\ng: c = i < m");
    assert_eq!(promises(&some), 0);
}

/// All ways of a counter through idle iterations, by hand: the promise allows each of them.
#[test]
fn no_way_is_forbidden() {
    for ty in [Scalar::U8, Scalar::Int { bits: 8, signed: true }] {
        for step in [1, 2, 3, 100, -1, -2, -100] {
            for op in [BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge, BinOp::Ne] {
                check_promises(ty, step, op);
            }
        }
    }
}

fn check_promises(ty: Scalar, step: i32, op: BinOp) {
    let step = step as u64 & 0xff;
    let mut program = parse("fn main(n, m) {\na: goto a\n}");
    let info = loops::loops(&program).remove(0);
    let function = &mut program.functions[0];
    let reg = |r: usize, f: &Function| f.params[r];
    let (before, other) = (reg(0, function), reg(1, function));
    for r in [before, other] {
        function.regs[r.index()].ty = ty;
    }
    let after = {
        function.regs.push(RegInfo { of: None, name: None, ty, span: info.span });
        Reg(function.regs.len() as u32 - 1)
    };
    for fixed in [true, false] {
        let mut copier = Copier::new(function, &info, Machine::Lp64);
        let known = fixed.then_some(Operand::Reg(other));
        let bound = IterationBound { reg: before, step, ty, op, other: known };
        let Some(promise) = copier.promise(&bound, Operand::Reg(after)) else { continue };
        let insts = std::mem::take(&mut copier.jump);
        for start in (0..256).step_by(5).chain([127, 128, 254]) {
            for limit in (0..256).step_by(7).chain([127, 128, 254]) {
                let mut now = start;
                for iteration in 0..300 {
                    let values = [(before, start), (other, limit), (after, now)];
                    assert_eq!(
                        computed(&insts, &values, promise),
                        1,
                        "{ty:?} from {start} by {step} while {op:?} {limit}: {now}"
                    );
                    // What is not fixed may be another number each time.
                    let limit = if fixed { limit } else { (limit + 37 * iteration) & 0xff };
                    if calculated(op, ty, now, limit) == 0 {
                        break;
                    }
                    now = now.wrapping_add(step) & 0xff;
                }
            }
        }
    }
}

fn calculated(op: BinOp, ty: Scalar, a: u64, b: u64) -> u64 {
    ir::arith::binary(op, ty, ty, Machine::Lp64, a, b).expect("no division").bits
}

fn computed(insts: &[Inst], values: &[(Reg, u64)], wanted: Operand) -> u64 {
    let mut regs: FxHashMap<Reg, u64> = values.iter().copied().collect();
    let get = |regs: &FxHashMap<Reg, u64>, o: &Operand| match o {
        Operand::Const { bits, .. } => *bits,
        Operand::Reg(r) => regs[r],
        other => panic!("{other:?}"),
    };
    for inst in insts {
        let InstKind::Assign { dst, value: Rvalue::Binary { op, ty, a, b, .. } } = &inst.kind
        else {
            panic!("{inst:?}");
        };
        let (a, b) = (get(&regs, a), get(&regs, b));
        regs.insert(*dst, calculated(*op, *ty, a, b));
    }
    get(&regs, &wanted)
}
