//! Random terms of every operator against `encoder::eval`.
//!
//! The operands are variables that facts make equal to constants, so nothing folds away before the
//! backend sees it. All terms of a test are in one question.

use super::build::Builder;
use super::execute::evaluate;
use super::{Make, Session};
use crate::{Method, Outcome, SolverError};
use encoder::MemoryModel;
use encoder::term::{BitOp, Convert, FloatCmp, FloatOp, mask};
use encoder::{Pool, Sort, Term};
use obmc_testing::Dice;

/// Variables with known values, and the terms to compare.
struct Sheet<'a> {
    pool: &'a mut Pool,
    random: Dice,
    facts: Vec<Term>,
    terms: Vec<Term>,
}

impl Sheet<'_> {
    fn bits(&mut self) -> u64 {
        self.random.word()
    }

    /// Small numbers, numbers near the ends, any numbers.
    fn number(&mut self, width: u8) -> u64 {
        let small = u64::from(self.random.below(4));
        let value = match self.random.below(4) {
            0 => small,
            1 => small.wrapping_neg(),
            2 => (1 << (width - 1)) - small.min((1 << (width - 1)) - 1),
            _ => self.bits(),
        };
        value & mask(width)
    }

    fn variable(&mut self, width: u8, value: u64) -> Term {
        let variable = self.pool.fresh(Sort::Bits(width));
        let constant = self.pool.bits(value, width);
        let fact = self.pool.eq(variable, constant);
        self.facts.push(fact);
        variable
    }

    fn integer(&mut self, width: u8) -> Term {
        let value = self.number(width);
        self.variable(width, value)
    }

    fn boolean(&mut self) -> Term {
        let variable = self.pool.fresh(Sort::Bool);
        let fact = if self.random.chance(50) { variable } else { self.pool.not(variable) };
        self.facts.push(fact);
        variable
    }

    /// Infinities, zeros, not-a-numbers, subnormal and any others; integers of all sizes.
    fn float(&mut self, width: u8) -> Term {
        let special =
            [0.0, -0.0, 1.0, -1.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-310, 3e38];
        let value = match self.random.below(4) {
            0 => special[self.random.index(special.len())],
            1 => (self.bits() as i64 >> self.random.below(63)) as f64 / 4.0,
            2 => {
                2f64.powi(self.random.below(300) as i32 - 100) * f64::from(self.random.below(1000))
            }
            _ => f64::from_bits(self.bits()),
        };
        let pattern =
            if width == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
        self.variable(width, pattern)
    }

    fn integers(&mut self, width: u8) {
        let (a, b, c) = (self.integer(width), self.integer(width), self.boolean());
        let d = self.boolean();
        let pool = &mut *self.pool;
        for op in BitOp::ALL {
            self.terms.push(pool.binary(op, a, b));
        }
        let made = [
            pool.bit_not(a),
            pool.neg(a),
            pool.ite(c, a, b),
            pool.eq(a, b),
            pool.ult(a, b),
            pool.slt(a, b),
            pool.not(c),
            pool.and(c, d),
            pool.or(c, d),
            pool.eq(c, d),
        ];
        self.terms.extend(made);
    }

    fn widths(&mut self, width: u8) {
        let a = self.integer(width);
        let low = self.random.below(u32::from(width)) as u8;
        let size = 1 + self.random.below(u32::from(width - low)) as u8;
        self.terms.push(self.pool.extract(a, low, size));
        if width < 64 {
            let more = 1 + self.random.below(u32::from(64 - width)) as u8;
            let b = self.integer(more);
            self.terms.push(self.pool.concat(a, b));
            self.terms.push(self.pool.zero_ext(a, width + more));
            self.terms.push(self.pool.sign_ext(a, width + more));
        }
    }
}

/// All terms get the values that `eval` gives them, as far as `same` sees.
fn compare(
    make: &impl Make,
    seed: u64,
    write: impl Fn(&mut Sheet),
    same: impl Fn(&Pool, Term, u64, u64) -> bool,
) -> Result<(), SolverError> {
    let mut builder = Builder::new(1, 0);
    let pool = builder.pool();
    let mut sheet = Sheet { pool, random: Dice::new(seed), facts: Vec::new(), terms: Vec::new() };
    write(&mut sheet);
    let (mut facts, terms) = (sheet.facts, sheet.terms);
    let mut results = Vec::new();
    for &term in &terms {
        let sort = builder.encoding.pool.sort(term);
        let result = builder.pool().fresh(sort);
        facts.push(builder.pool().eq(result, term));
        results.push(result);
    }
    let mut session = Session::new(make, builder.finish(), MemoryModel::Sc, Method::Basic);
    for fact in facts {
        session.backend.assert(&session.encoding.pool, fact)?;
    }
    let answer = session.backend.solve(&session.encoding.pool, &[], None)?;
    assert_eq!(answer, Outcome::Sat, "seed {seed}");
    let values = session.values();
    let pool = &session.encoding.pool;
    for (&term, &result) in terms.iter().zip(&results) {
        let got = evaluate(pool, &values, result);
        let want = evaluate(pool, &values, term);
        let op = pool.op(term);
        assert!(
            same(pool, term, got, want),
            "seed {seed}: {op:?} is {want:x}, but it says {got:x}"
        );
    }
    Ok(())
}

pub fn integers(make: &impl Make) {
    let widths: [&[u8]; 3] = [&[1, 2, 3, 8, 13], &[16, 31, 32, 33], &[63, 64]];
    for (seed, widths) in (0..6).zip(widths.iter().cycle()) {
        let write = |sheet: &mut Sheet| {
            for &width in *widths {
                sheet.integers(width);
                sheet.widths(width);
            }
        };
        compare(make, seed, write, |_, _, got, want| got == want).expect("integers");
    }
}

fn is_nan(bits: u64, width: u8) -> bool {
    if width == 32 { f32::from_bits(bits as u32).is_nan() } else { f64::from_bits(bits).is_nan() }
}

fn write_floats(sheet: &mut Sheet) {
    for (width, other) in [(32, 64), (64, 32)] {
        let (a, b) = (sheet.float(width), sheet.float(width));
        for op in [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div] {
            sheet.terms.push(sheet.pool.float(op, a, b));
        }
        for op in [FloatCmp::Eq, FloatCmp::Lt, FloatCmp::Le] {
            sheet.terms.push(sheet.pool.float_cmp(op, a, b));
            sheet.terms.push(sheet.pool.float_cmp(op, a, a));
        }
        sheet.terms.push(sheet.pool.convert(Convert::FloatToFloat, a, other));
        for size in [8, 16, 32, 64] {
            let number = sheet.integer(size);
            for op in [Convert::FloatToSigned, Convert::FloatToUnsigned] {
                sheet.terms.push(sheet.pool.convert(op, a, size));
            }
            for op in [Convert::SignedToFloat, Convert::UnsignedToFloat] {
                sheet.terms.push(sheet.pool.convert(op, number, width));
            }
        }
    }
}

/// A backend may refuse them, but then with a clear word.
pub fn floats(make: &impl Make) {
    use encoder::Op;
    let same = |pool: &Pool, term: Term, got: u64, want: u64| {
        let width = pool.width(term);
        let to_float = Convert::FloatToFloat;
        let gives_float = matches!(pool.op(term), Op::Float(..))
            || matches!(pool.op(term), Op::Convert(op, _) if op == to_float);
        got == want || gives_float && is_nan(got, width) && is_nan(want, width)
    };
    for seed in 0..8 {
        match compare(make, seed, write_floats, same) {
            Ok(()) => {}
            Err(SolverError::Unsupported(_)) => return,
            Err(other) => panic!("seed {seed}: {other:?}"),
        }
    }
}

/// No recursion over terms.
pub fn deep(make: &impl Make) {
    let write = |sheet: &mut Sheet| {
        let (mut number, mut flag) = (sheet.integer(8), sheet.boolean());
        for _ in 0..20_000 {
            let other = sheet.boolean();
            let one = sheet.pool.bits(1, 8);
            let next = sheet.pool.binary(BitOp::Xor, number, one);
            number = sheet.pool.ite(flag, next, number);
            flag = sheet.pool.and(flag, other);
        }
        sheet.terms.extend([number, flag]);
    };
    compare(make, 1, write, |_, _, got, want| got == want).expect("deep terms");
}
