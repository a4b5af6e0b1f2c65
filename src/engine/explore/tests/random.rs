//! Random small programs: the explorer with and without reduction must say what the reference says.

use super::build::{Body, Build, int};
use super::reference::has_violation;
use super::*;
use ir::*;
use obmc_testing::Dice;

const MAX_STATES: usize = 4_000;

struct Shape {
    vars: Vec<ObjectId>,
    locks: Vec<ObjectId>,
    weak: bool,
}

/// `dangling`: pointers to locals may outlive them. Reading through one gives any `int`, too many to
/// enumerate unless it is a violation.
fn program(seed: u64, dangling: bool) -> Program {
    let mut dice = Dice::new(seed);
    let mut build = Build::new();
    let vars = (0..2 + dice.below(2)).map(|i| build.global(&format!("x{i}"))).collect();
    let locks = (0..1 + dice.below(2)).map(|i| build.global(&format!("m{i}"))).collect();
    let shape = Shape { vars, locks, weak: dice.below(3) == 0 };
    let workers = 2 + dice.below(2);
    let joins = dice.below(4) > 0;
    build.function("main", |b| {
        let local = b.slot();
        b.store_through(local, int(0));
        let mut ids = Vec::new();
        for f in 1..=workers {
            ids.push(b.spawn(f, local));
            if dice.below(3) == 0 {
                statement(b, &mut dice, &shape, local, 1);
            }
        }
        if dangling && dice.below(3) == 0 {
            b.slot_dead(local);
        }
        if joins {
            ids.into_iter().for_each(|id| b.join(id));
        }
        assertion(b, &mut dice, &shape);
    });
    let length = if workers == 2 { 3 } else { 2 };
    for _ in 0..workers {
        build.function("worker", |b| {
            let argument = b.argument();
            for _ in 0..1 + dice.below(length) {
                statement(b, &mut dice, &shape, argument, 1);
            }
        });
    }
    build.done()
}

fn statement(b: &mut Body, dice: &mut Dice, shape: &Shape, shared: Operand, depth: u32) {
    let x = dice.of(&shape.vars);
    let m = dice.of(&shape.locks);
    match dice.below(15) {
        0 => bump(b, x),
        1 => b.store(x, int(dice.below(3) as i32)),
        2 => {
            let value = b.load(x);
            b.store(dice.of(&shape.vars), value);
        }
        3 => {
            b.lock(m);
            bump(b, x);
            if dice.below(5) > 0 {
                b.unlock(m);
            }
        }
        4 => b.atomic(AtomicKind::User, |b| bump(b, x)),
        5 if depth > 0 => {
            let value = b.load(x);
            b.when(value, |b| statement(b, dice, shape, shared, depth - 1));
        }
        6 if depth > 0 => b.do_while(|b| {
            statement(b, dice, shape, shared, depth - 1);
            let value = b.load(x);
            b.binary(BinOp::Eq, value, int(1))
        }),
        7 => assertion(b, dice, shape),
        8 => {
            let order = if shape.weak { MemoryOrder::Relaxed } else { MemoryOrder::SeqCst };
            let value = b.load_as(x, order);
            b.when(value, |b| b.store_as(x, int(0), order));
        }
        9 => {
            let value = b.nondet(1);
            b.store(x, value);
        }
        10 => {
            let value = b.load_through(shared);
            let more = b.binary(BinOp::Add, value, int(1));
            let few = b.binary(BinOp::And, more, int(3));
            b.store_through(shared, few);
        }
        11 => {
            let value = b.load(x);
            b.inst(InstKind::Assume(value));
        }
        12 | 13 => {
            let n = dice.of(&shape.locks);
            b.lock(m);
            if m != n || dice.below(4) == 0 {
                b.lock(n);
                bump(b, x);
                b.unlock(n);
            }
            b.unlock(m);
        }
        _ => {
            let own = b.slot();
            b.store_through(own, int(1));
            let value = b.load_through(own);
            b.store(x, value);
        }
    }
}

/// Counts round and round, so that every program has finitely many states.
fn bump(b: &mut Body, x: ObjectId) {
    let old = b.load(x);
    let more = b.binary(BinOp::Add, old, int(1));
    let few = b.binary(BinOp::And, more, int(3));
    b.store(x, few);
}

fn assertion(b: &mut Body, dice: &mut Dice, shape: &Shape) {
    let value = b.load(dice.of(&shape.vars));
    let op = dice.of(&[BinOp::Ne, BinOp::Le, BinOp::Eq]);
    b.assert(op, value, int(dice.below(4) as i32));
}

/// Blocks that decide by what they read what they touch, beside plain and atomic accesses.
fn deciding(seed: u64) -> Program {
    let mut dice = Dice::new(seed);
    let mut build = Build::new();
    let vars: Vec<ObjectId> = (0..2).map(|i| build.global(&format!("x{i}"))).collect();
    let weak = dice.below(4) == 0;
    let workers = 2 + dice.below(4) / 3;
    build.function("main", |b| {
        let ids: Vec<Operand> = (1..=workers).map(|f| b.spawn(f, int(0))).collect();
        ids.into_iter().for_each(|id| b.join(id));
    });
    for _ in 0..workers {
        build.function("worker", |b| {
            for _ in 0..1 + dice.below(2) {
                decision(b, &mut dice, &vars, weak);
            }
        });
    }
    build.done()
}

fn decision(b: &mut Body, dice: &mut Dice, vars: &[ObjectId], weak: bool) {
    let (x, y, z) = (dice.of(vars), dice.of(vars), dice.of(vars));
    let order = if weak && dice.below(2) == 0 { MemoryOrder::Relaxed } else { MemoryOrder::SeqCst };
    match dice.below(8) {
        0 => {
            let value = b.load(x);
            b.when(value, |b| _ = b.load(y));
        }
        1 => b.store_as(x, int(dice.below(3) as i32), order),
        2 => {
            let value = b.load_as(x, order);
            b.when(value, |b| _ = b.load(y));
        }
        3 => b.atomic(AtomicKind::Internal, |b| {
            let value = b.load_as(x, order);
            b.when(value, |b| b.store_as(x, int(0), order));
        }),
        4 => b.atomic(AtomicKind::User, |b| {
            let value = b.load(x);
            b.when(value, |b| b.store(y, int(0)));
        }),
        5 => b.atomic(AtomicKind::User, |b| {
            b.store(y, int(2));
            let value = b.load(x);
            let zero = b.binary(BinOp::Eq, value, int(0));
            b.inst(InstKind::Assume(zero));
        }),
        6 => b.atomic(AtomicKind::User, |b| {
            b.store(x, int(1));
            b.store(z, int(2));
        }),
        _ => b.store(x, int(dice.below(3) as i32)),
    }
}

/// Data that is published by a flag, handed over, taken back, or not: accesses that are ordered in
/// some executions, in all, or in none.
fn publishing(seed: u64) -> Program {
    let mut dice = Dice::new(seed);
    let mut build = Build::new();
    let data: Vec<ObjectId> = (0..2).map(|i| build.global(&format!("x{i}"))).collect();
    let flags: Vec<ObjectId> = (0..2).map(|i| build.global(&format!("f{i}"))).collect();
    let workers = 2 + dice.below(2);
    let join = dice.below(2) == 0;
    build.function("main", |b| {
        let ids: Vec<Operand> = (1..=workers).map(|f| b.spawn(f, int(0))).collect();
        if join {
            ids.into_iter().for_each(|id| b.join(id));
        }
        let value = b.load(dice.of(&data));
        b.assert(dice.of(&[BinOp::Ne, BinOp::Le]), value, int(dice.below(3) as i32));
    });
    for _ in 0..workers {
        build.function("worker", |b| {
            for _ in 0..1 + dice.below(3) {
                publish(b, &mut dice, &data, &flags);
            }
        });
    }
    build.done()
}

fn publish(b: &mut Body, dice: &mut Dice, data: &[ObjectId], flags: &[ObjectId]) {
    let (x, y, f) = (dice.of(data), dice.of(data), dice.of(flags));
    match dice.below(7) {
        0 => {
            bump(b, x);
            b.store_as(f, int(1), MemoryOrder::SeqCst);
        }
        1 | 2 => {
            let set = b.load_as(f, MemoryOrder::SeqCst);
            b.when(set, |b| bump(b, x));
        }
        3 => {
            let set = b.load_as(f, MemoryOrder::SeqCst);
            b.inst(InstKind::Assume(set));
            let value = b.load(x);
            b.store(y, value);
        }
        4 => {
            // Taken by an exchange.
            let mut old = int(0);
            b.atomic(AtomicKind::Internal, |b| {
                old = b.load_as(f, MemoryOrder::SeqCst);
                b.store_as(f, int(0), MemoryOrder::SeqCst);
            });
            b.when(old, |b| {
                bump(b, x);
                b.store_as(f, int(1), MemoryOrder::SeqCst);
            });
        }
        5 => {
            let value = b.load(x);
            b.assert(BinOp::Le, value, int(dice.below(4) as i32));
        }
        _ => {
            b.lock(f);
            bump(b, x);
            b.unlock(f);
        }
    }
}

/// Few threads that leave many values behind: written over, read by one of them only, or never again.
fn leaving(seed: u64) -> Program {
    let mut dice = Dice::new(seed);
    let mut build = Build::new();
    let vars: Vec<ObjectId> = (0..4).map(|i| build.global(&format!("x{i}"))).collect();
    let workers = 2 + dice.below(4) / 3;
    build.function("main", |b| {
        let ids: Vec<Operand> = (1..=workers).map(|f| b.spawn(f, int(0))).collect();
        if dice.below(4) > 0 {
            ids.into_iter().for_each(|id| b.join(id));
        }
        let value = b.load(dice.of(&vars));
        b.assert(dice.of(&[BinOp::Ne, BinOp::Le]), value, int(dice.below(3) as i32));
    });
    for _ in 0..workers {
        build.function("worker", |b| {
            for _ in 0..2 + dice.below(3) {
                leave_behind(b, &mut dice, &vars, 1);
            }
        });
    }
    build.done()
}

fn leave_behind(b: &mut Body, dice: &mut Dice, vars: &[ObjectId], depth: u32) {
    let (x, y, z) = (dice.of(vars), dice.of(vars), dice.of(vars));
    match dice.below(9) {
        0 => bump(b, x),
        1 | 2 => b.store_as(x, int(dice.below(3) as i32), MemoryOrder::SeqCst),
        3 | 4 => {
            let value = b.load_as(x, MemoryOrder::SeqCst);
            b.store_as(y, value, MemoryOrder::SeqCst);
        }
        5 => b.atomic(AtomicKind::Internal, |b| {
            let (old, wanted) = (b.load(x), b.load(y));
            let same = b.binary(BinOp::Eq, old, wanted);
            b.when(same, |b| b.store(x, int(2)));
        }),
        // Blocked until another thread has written.
        6 => b.atomic(AtomicKind::User, |b| {
            let (value, other) = (b.load(x), b.load(z));
            b.store(y, other);
            b.inst(InstKind::Assume(value));
        }),
        7 if depth > 0 => b.do_while(|b| {
            leave_behind(b, dice, vars, depth - 1);
            let value = b.load(y);
            b.binary(BinOp::Eq, value, int(1))
        }),
        7 => bump(b, y),
        _ => {
            let value = b.load(x);
            b.assert(dice.of(&[BinOp::Ne, BinOp::Le]), value, int(1 + dice.below(2) as i32));
        }
    }
}

fn agree(property: Property, seeds: std::ops::Range<u64>) {
    agree_on(|seed| program(seed, property == Property::ValidMemsafety), property, seeds);
}

fn agree_on(program: impl Fn(u64) -> Program, property: Property, seeds: std::ops::Range<u64>) {
    let mut answers = [0u32; 2];
    for seed in seeds {
        let program = program(seed);
        let Some(expected) = has_violation(&program, property, MAX_STATES) else { continue };
        answers[usize::from(expected)] += 1;
        let [on, off] = [Por::On, Por::Off].map(|por| verdict(&program, property, por));
        let merge = if seed % 4 == 0 { Merge::Off } else { Merge::On };
        let eager = from_the_first(&program, property, merge);
        let ways = [("reduced", on), ("full", off), ("eager", eager)];
        for (way, verdict) in ways {
            let found = word(&verdict.answer);
            let right = if expected { "unsafe" } else { "safe" };
            assert_eq!(found, right, "seed {seed}, {property:?}, {way}: {verdict:#?}");
        }
    }
    assert!(answers.iter().all(|&n| n > 3), "one-sided: {answers:?}");
}

#[test]
fn reachability_agrees_with_the_twin() {
    agree(Property::UnreachCall, 0..150);
}

#[test]
fn published_data_agrees_with_the_twin() {
    agree_on(publishing, Property::UnreachCall, 0..300);
    agree_on(publishing, Property::NoDataRace, 300..400);
}

#[test]
fn what_is_left_behind_agrees_with_the_twin() {
    agree_on(leaving, Property::UnreachCall, 0..120);
    agree_on(leaving, Property::NoDataRace, 400..440);
}

#[test]
fn races_agree_with_the_twin() {
    agree(Property::NoDataRace, 1000..1100);
}

#[test]
fn races_of_blocks_that_decide_agree_with_the_twin() {
    agree_on(deciding, Property::NoDataRace, 0..400);
}

#[test]
fn deadlocks_agree_with_the_twin() {
    agree(Property::NoDeadlock, 2000..2150);
}

#[test]
fn memory_safety_agrees_with_the_twin() {
    agree(Property::ValidMemsafety, 3000..3100);
}
