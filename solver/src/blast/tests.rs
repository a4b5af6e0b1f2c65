//! Every operator against the evaluator.

use super::*;
use cadical_sys::{CaDiCal, Status};
use encoder::Sort;
use encoder::eval::Evaluator;
use encoder::term::mask;
use obmc_testing::Dice;

/// Values where circuits break: near zero, near the sign, near a power of two, anything.
fn interesting(random: &mut Dice, width: u8) -> u64 {
    let value = match random.index(6) {
        0 => random.index(4) as u64,
        1 => (random.index(4) as u64).wrapping_neg(),
        2 => 1 << random.index(64),
        3 => (1u64 << (width - 1)).wrapping_sub(random.index(2) as u64),
        4 => random.index(2 * usize::from(width)) as u64,
        _ => random.word(),
    };
    value & mask(width)
}

/// Solves under `var == value` for each variable and compares each term with the evaluator.
fn check(pool: &mut Pool, vars: &[(Term, u64)], terms: &[Term]) {
    let mut blaster = Blaster::default();
    let mut solver = CaDiCal::new();
    let mut outputs = Vec::new();
    for &t in terms {
        let out = pool.fresh(pool.sort(t));
        let same = pool.eq(out, t);
        blaster.assert(pool, same, &mut solver).unwrap();
        outputs.push(out);
    }
    for &(var, value) in vars {
        let k = match pool.sort(var) {
            Sort::Bool => pool.bool(value == 1),
            Sort::Bits(w) => pool.bits(value, w),
        };
        let same = pool.eq(var, k);
        blaster.assert(pool, same, &mut solver).unwrap();
    }
    assert_eq!(solver.solve(), Status::SATISFIABLE);
    let model: Vec<bool> = (0..=blaster.variables() as i32)
        .map(|v| v > 0 && v <= solver.vars() && solver.val(v) > 0)
        .collect();
    let value = |lit: Literal| model[lit.var()] != lit.is_negative();
    let mut eval = Evaluator::new(pool, |var| {
        let of = |t: Term| pool.op(t) == Op::Var(var);
        vars.iter().find(|(t, _)| of(*t)).map_or(0, |&(_, value)| value)
    });
    for (&t, &out) in terms.iter().zip(&outputs) {
        let (have, want) = (blaster.value(pool, out, value), eval.value(t));
        let inputs: Vec<u64> = vars.iter().map(|v| v.1).collect();
        assert_eq!(have, want, "{:?} of width {} at {inputs:x?}", pool.op(t), pool.width(t));
    }
}

#[test]
fn operators_at_every_width() {
    for width in 1..=64u8 {
        let mut random = Dice::new(u64::from(width));
        let mut pool = Pool::new();
        let [a, b] = [(); 2].map(|()| pool.fresh(Sort::Bits(width)));
        let c = pool.fresh(Sort::Bool);
        let slow = |op: BitOp| width > 24 && matches!(op, BitOp::SDiv | BitOp::SRem);
        let skip = |op: BitOp| slow(op) && width % 8 != 0;
        let mut terms: Vec<Term> = Vec::new();
        for op in BitOp::ALL.into_iter().filter(|&op| !skip(op)) {
            terms.push(pool.binary(op, a, b));
        }
        terms.extend([pool.bit_not(a), pool.neg(a), pool.ite(c, a, b)]);
        terms.extend([pool.eq(a, b), pool.ult(a, b), pool.slt(a, b)]);
        let low = random.index(usize::from(width)) as u8;
        terms.push(pool.extract(a, low, width - low));
        if width < 64 {
            let to = width + 1 + random.index(usize::from(64 - width)) as u8;
            let upper = pool.fresh(Sort::Bits(to - width));
            terms.extend([pool.zero_ext(a, to), pool.sign_ext(b, to), pool.concat(upper, a)]);
        }
        for _ in 0..2 {
            let mut value = || interesting(&mut random, width);
            let vars = [(a, value()), (b, value()), (c, value() & 1)];
            check(&mut pool, &vars, &terms);
        }
    }
}

#[test]
fn operators_with_a_constant() {
    for seed in 0..60 {
        let mut random = Dice::new(seed);
        let width = 1 + random.index(20) as u8;
        let mut pool = Pool::new();
        let a = pool.fresh(Sort::Bits(width));
        let k = interesting(&mut random, width);
        let k = pool.bits(k, width);
        let mut terms = Vec::new();
        for op in BitOp::ALL {
            terms.extend([pool.binary(op, a, k), pool.binary(op, k, a)]);
        }
        terms.extend([pool.ult(a, k), pool.ult(k, a), pool.slt(a, k), pool.slt(k, a)]);
        let vars = [(a, interesting(&mut random, width))];
        check(&mut pool, &vars, &terms);
    }
}

/// A random term of a sort over the given leaves.
fn grow(pool: &mut Pool, random: &mut Dice, bits: &mut Vec<Term>, bools: &mut Vec<Term>) {
    let mut pick = |list: &[Term]| list[random.index(list.len())];
    let (a, b) = (pick(bits), pick(bits));
    let (p, q) = (pick(bools), pick(bools));
    match random.index(8) {
        0 => bools.push(pool.not(p)),
        1 => bools.push(pool.and(p, q)),
        2 => bools.push(pool.ite(p, q, p)),
        3 => bools.push(pool.eq(a, b)),
        4 => bools.push(pool.ult(a, b)),
        5 => bits.push(pool.ite(p, a, b)),
        6 => bits.push(pool.bool_to_bits(q, pool.width(a))),
        _ => bits.push(pool.binary(BitOp::ALL[random.index(BitOp::ALL.len())], a, b)),
    }
}

#[test]
fn random_terms() {
    for seed in 0..150 {
        let mut random = Dice::new(seed);
        let width = 1 + random.index(9) as u8;
        let mut pool = Pool::new();
        let mut bits: Vec<Term> = (0..3).map(|_| pool.fresh(Sort::Bits(width))).collect();
        let mut bools: Vec<Term> = (0..3).map(|_| pool.fresh(Sort::Bool)).collect();
        let mut vars = Vec::new();
        for &var in &bits {
            vars.push((var, interesting(&mut random, width)));
        }
        for &var in &bools {
            vars.push((var, random.index(2) as u64));
        }
        for _ in 0..25 {
            grow(&mut pool, &mut random, &mut bits, &mut bools);
        }
        let terms = [bits, bools].concat();
        check(&mut pool, &vars, &terms);
    }
}

/// Facts over free variables: the model satisfies them, and what is unsatisfiable is so by
/// enumeration too. This is where polarities and dissolved gates matter.
#[test]
fn facts_have_models_that_the_evaluator_accepts() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..400 {
        let mut random = Dice::new(seed);
        let mut pool = Pool::new();
        let mut bits: Vec<Term> = (0..2).map(|_| pool.fresh(Sort::Bits(2))).collect();
        let mut bools: Vec<Term> = (0..3).map(|_| pool.fresh(Sort::Bool)).collect();
        let vars = [bits.clone(), bools.clone()].concat();
        for _ in 0..30 {
            grow(&mut pool, &mut random, &mut bits, &mut bools);
        }
        let mut pick = || bools[random.index(bools.len())];
        let assumed = pick();
        let facts: Vec<Term> = (0..6)
            .map(|i| match (i % 3, pick(), pick()) {
                (0, a, _) if seed % 2 == 0 => a,
                (_, a, b) => pool.or(a, b),
            })
            .collect();
        let mut blaster = Blaster::default();
        let mut solver = CaDiCal::new();
        // A question between facts: what was emitted for one use must serve the next.
        for (i, &fact) in facts.iter().enumerate() {
            if i == 2 {
                let lit = blaster.literal(&pool, assumed, EdgeUse::Positive, &mut solver).unwrap();
                solver.assume(lit.to_dimacs());
                solver.solve();
            }
            blaster.assert(&pool, fact, &mut solver).unwrap();
        }
        let lit = blaster.literal(&pool, assumed, EdgeUse::Positive, &mut solver).unwrap();
        solver.assume(lit.to_dimacs());
        let status = solver.solve();
        let all: Vec<Term> = facts.iter().copied().chain([assumed]).collect();
        let holds = |values: &[u64]| {
            let at = |var| vars.iter().position(|&t| pool.op(t) == Op::Var(var));
            let mut eval = Evaluator::new(&pool, |var| at(var).map_or(0, |i| values[i]));
            all.iter().all(|&t| eval.holds(t))
        };
        if status == Status::SATISFIABLE {
            sat += 1;
            let last = solver.vars();
            let model: Vec<bool> = (0..=blaster.variables() as i32)
                .map(|v| v > 0 && v <= last && solver.val(v) > 0)
                .collect();
            let is_true = |lit: Literal| model[lit.var()] != lit.is_negative();
            let values: Vec<u64> = vars.iter().map(|&v| blaster.value(&pool, v, is_true)).collect();
            assert!(holds(&values), "seed {seed}: {values:?}");
        } else {
            unsat += 1;
            for n in 0..128u64 {
                let values = [n & 3, n >> 2 & 3, n >> 4 & 1, n >> 5 & 1, n >> 6 & 1];
                assert!(!holds(&values), "seed {seed}: {values:?} is a model");
            }
        }
    }
    assert!(sat > 50 && unsat > 50, "{sat} {unsat}");
}

#[test]
fn floats_are_not_translated() {
    let mut pool = Pool::new();
    let [a, b] = [(); 2].map(|()| pool.fresh(Sort::Bits(32)));
    let less = pool.float_cmp(encoder::term::FloatCmp::Lt, a, b);
    let mut solver = CaDiCal::new();
    let answer = Blaster::default().assert(&pool, less, &mut solver);
    assert_eq!(answer, Err(SolverError::Unsupported("floating point")));
}

#[test]
fn deep_terms_need_no_stack() {
    let mut pool = Pool::new();
    let mut t = pool.fresh(Sort::Bits(4));
    for _ in 0..100_000 {
        let x = pool.fresh(Sort::Bits(4));
        let c = pool.ult(t, x);
        t = pool.ite(c, x, t);
    }
    let zero = pool.bits(0, 4);
    let fact = pool.eq(t, zero);
    let mut solver = CaDiCal::new();
    Blaster::default().assert(&pool, fact, &mut solver).unwrap();
}
