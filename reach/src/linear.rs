//! Equations between sums, in one form: what cancels is gone, and equal equations are equal terms.
//!
//! `(a - n) + (b + n) == 0` is `a + b == 0`: for a solver a long computation on bits, here none. All
//! modulo the words' size. The same for the low bits of a sum: `(a + 2 * b) & 1` is `a & 1`, so that
//! a condition speaks of no cell that it does not depend on.

use crate::replace::Replace;
use encoder::term::{BitOp, mask, signed};
use encoder::{Op, Pool, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Parts that are looked at.
const MAX_PARTS: usize = 64;

/// A sum: factors by part, and a constant.
struct Sum {
    parts: BTreeMap<Term, u64>,
    constant: u64,
    looked: usize,
}

impl Sum {
    fn of(pool: &Pool, term: Term) -> Sum {
        let mut sum = Sum { parts: BTreeMap::new(), constant: 0, looked: 0 };
        sum.add(pool, term, 1);
        sum
    }

    fn add(&mut self, pool: &Pool, term: Term, factor: u64) {
        self.looked += 1;
        if self.looked <= MAX_PARTS {
            match pool.op(term) {
                Op::Bits(bits) => {
                    self.constant = self.constant.wrapping_add(bits.wrapping_mul(factor));
                    return;
                }
                Op::Neg(a) => return self.add(pool, a, factor.wrapping_neg()),
                Op::Binary(BitOp::Add, a, b) => {
                    self.add(pool, a, factor);
                    return self.add(pool, b, factor);
                }
                Op::Binary(BitOp::Sub, a, b) => {
                    self.add(pool, a, factor);
                    return self.add(pool, b, factor.wrapping_neg());
                }
                Op::Binary(BitOp::Mul, a, b) => {
                    if let Some(k) = pool.constant(b) {
                        return self.add(pool, a, factor.wrapping_mul(k));
                    }
                    if let Some(k) = pool.constant(a) {
                        return self.add(pool, b, factor.wrapping_mul(k));
                    }
                }
                Op::Binary(BitOp::Shl, a, b) => {
                    if let Some(k) = pool.constant(b).filter(|k| *k < 64) {
                        return self.add(pool, a, factor.wrapping_mul(1 << k));
                    }
                }
                _ => {}
            }
        }
        let own = self.parts.entry(term).or_insert(0);
        *own = own.wrapping_add(factor);
    }

    /// The parts with positive factors, or those with negative ones, summed up.
    fn side(&self, pool: &mut Pool, width: u8, positive: bool, start: u64) -> Term {
        let mut sum = pool.bits(start, width);
        for (term, factor) in &self.parts {
            let factor = signed(*factor, width);
            if (factor > 0) == positive {
                let number = pool.bits(factor.unsigned_abs(), width);
                let part = pool.binary(BitOp::Mul, *term, number);
                sum = pool.add(part, sum);
            }
        }
        sum
    }
}

/// The term with its equations in that form.
pub fn normal(pool: &mut Pool, term: Term) -> Term {
    match pool.op(term) {
        Op::Not(a) => {
            let a = normal(pool, a);
            pool.not(a)
        }
        Op::And(..) => conjunction(pool, term),
        Op::Eq(a, b) if matches!(pool.sort(a), Sort::Bits(2..)) => equation(pool, a, b),
        _ => term,
    }
}

/// Parts in one order. Equations of one sum with different numbers contradict each other, and one of
/// them says more than that the sum is not another number.
fn conjunction(pool: &mut Pool, term: Term) -> Term {
    let mut parts: Vec<Term> = pool.conjuncts(term).to_vec();
    parts.iter_mut().for_each(|part| *part = normal(pool, *part));
    parts.sort_unstable();
    parts.dedup();
    let mut numbers: FxHashMap<Vec<(Term, u64)>, u64> = FxHashMap::default();
    for part in &parts {
        if let Some((sum, number)) = sum_and_number(pool, *part)
            && *numbers.entry(sum).or_insert(number) != number
        {
            return pool.bool(false);
        }
    }
    parts.retain(|part| {
        let Op::Not(other) = pool.op(*part) else { return true };
        let Some((sum, number)) = sum_and_number(pool, other) else { return true };
        numbers.get(&sum).is_none_or(|known| *known == number)
    });
    pool.and_all(parts)
}

/// An equation in that form as a sum without a number, and the number that it is.
fn sum_and_number(pool: &Pool, term: Term) -> Option<(Vec<(Term, u64)>, u64)> {
    let Op::Eq(a, b) = pool.op(term) else { return None };
    let Sort::Bits(width @ 2..) = pool.sort(a) else { return None };
    let mut sum = Sum::of(pool, a);
    sum.add(pool, b, u64::MAX);
    let parts = sum.parts.into_iter().map(|(t, f)| (t, f & mask(width)));
    Some((parts.collect(), sum.constant.wrapping_neg() & mask(width)))
}

/// The term where low bits of sums speak only of the parts that they depend on.
pub fn narrowed(pool: &mut Pool, term: Term) -> Term {
    let (mut seen, mut stack, mut found) = (FxHashSet::default(), vec![term], Vec::new());
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            if low_mask(pool, t).is_some() {
                found.push(t);
            }
            pool.operands(t, |o| stack.push(o));
        }
    }
    let mut map = Vec::new();
    for t in found {
        map.push((t, low_bits(pool, t)));
    }
    Replace::new(map).apply(pool, term)
}

/// `a & m` where m is a row of ones at the end.
fn low_mask(pool: &Pool, term: Term) -> Option<(Term, u64)> {
    let Op::Binary(BitOp::And, a, b) = pool.op(term) else { return None };
    let (a, m) = match (pool.constant(a), pool.constant(b)) {
        (_, Some(m)) => (a, m),
        (Some(m), None) => (b, m),
        _ => return None,
    };
    let (row, whole) = (m & m.wrapping_add(1) == 0, m == mask(pool.width(term)));
    (m != 0 && row && !whole).then_some((a, m))
}

fn low_bits(pool: &mut Pool, term: Term) -> Term {
    let Some((a, m)) = low_mask(pool, term) else { return term };
    let width = pool.width(term);
    let mut sum = Sum::of(pool, a);
    let before = sum.parts.len();
    sum.parts.retain(|_, f| *f & m != 0);
    if sum.parts.len() == before {
        return term;
    }
    sum.parts.values_mut().for_each(|f| *f &= m);
    let (left, start) = (sum.constant & m, pool.bits(m, width));
    let less = sum.side(pool, width, true, left);
    pool.binary(BitOp::And, less, start)
}

fn equation(pool: &mut Pool, a: Term, b: Term) -> Term {
    let width = pool.width(a);
    let (a, b) = (low_bits(pool, a), low_bits(pool, b));
    let mut sum = Sum::of(pool, a);
    sum.add(pool, b, u64::MAX);
    sum.parts.values_mut().for_each(|f| *f &= mask(width));
    sum.parts.retain(|_, f| *f != 0);
    // The first part stands on the left.
    let turned = sum.parts.values().next().is_some_and(|f| signed(*f, width) < 0);
    if turned {
        sum.parts.values_mut().for_each(|f| *f = f.wrapping_neg() & mask(width));
        sum.constant = sum.constant.wrapping_neg();
    }
    let left = sum.side(pool, width, true, 0);
    let right = sum.side(pool, width, false, sum.constant.wrapping_neg());
    pool.eq(left, right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoder::eval::Evaluator;

    /// Equal for all values, on words so small that they can be tried.
    #[test]
    fn says_the_same() {
        let mut p = Pool::new();
        let vars = [(); 3].map(|()| p.fresh(Sort::Bits(3)));
        let mut dice = obmc_testing::Dice::new(7);
        for _ in 0..300 {
            let mut side = |p: &mut Pool| {
                let mut sum = p.bits(dice.word(), 3);
                for _ in 0..4 {
                    let var = dice.of(&vars);
                    let factor = p.bits(dice.word(), 3);
                    let part = p.binary(BitOp::Mul, var, factor);
                    let op = dice.of(&[BitOp::Add, BitOp::Sub]);
                    sum = p.binary(op, sum, part);
                }
                sum
            };
            let (a, b) = (side(&mut p), side(&mut p));
            let eq = p.eq(a, b);
            let new = normal(&mut p, eq);
            same(&p, eq, new);
            let number = p.bits(dice.word(), 3);
            let (more, other) = (p.add(a, number), dice.of(&vars));
            let (second, third) = (p.eq(more, b), p.eq(other, b));
            let second = if dice.word() % 2 == 0 { second } else { p.not(second) };
            let both = p.and(eq, second);
            let all = p.and(both, third);
            let all = if dice.word() % 2 == 0 { all } else { p.not(all) };
            let new = normal(&mut p, all);
            same(&p, all, new);
        }
    }

    fn same(p: &Pool, old: Term, new: Term) {
        for bits in 0..512u64 {
            let value = |v: encoder::Var| bits >> (3 * v.0) & 7;
            let mut eval = Evaluator::new(p, value);
            assert_eq!(eval.holds(old), eval.holds(new), "{bits}");
        }
    }

    /// As above, for low bits.
    #[test]
    fn low_bits_are_the_same() {
        let mut p = Pool::new();
        let vars = [(); 3].map(|()| p.fresh(Sort::Bits(3)));
        let mut dice = obmc_testing::Dice::new(8);
        for _ in 0..300 {
            let mut sum = p.bits(dice.word(), 3);
            for _ in 0..4 {
                let factor = p.bits(dice.word(), 3);
                let part = p.binary(BitOp::Mul, dice.of(&vars), factor);
                sum = p.binary(dice.of(&[BitOp::Add, BitOp::Sub]), sum, part);
            }
            let m = p.bits(dice.of(&[1, 3, 7]), 3);
            let low = p.binary(BitOp::And, sum, m);
            let new = narrowed(&mut p, low);
            for bits in 0..512u64 {
                let value = |v: encoder::Var| bits >> (3 * v.0) & 7;
                let mut eval = Evaluator::new(&p, value);
                assert_eq!(eval.value(low), eval.value(new), "{bits}");
            }
        }
    }

    #[test]
    fn low_bits_speak_of_what_they_depend_on() {
        let mut p = Pool::new();
        let [a, b] = [(); 2].map(|()| p.fresh(Sort::Bits(32)));
        let (one, two) = (p.bits(1, 32), p.bits(2, 32));
        let twice = p.binary(BitOp::Mul, b, two);
        let sum = p.add(a, twice);
        let low = p.binary(BitOp::And, sum, one);
        let want = p.binary(BitOp::And, a, one);
        assert_eq!(narrowed(&mut p, low), want);
    }

    #[test]
    fn what_cancels_is_gone() {
        let mut p = Pool::new();
        let [a, b, n] = [(); 3].map(|()| p.fresh(Sort::Bits(32)));
        let (less, more) = (p.sub(a, n), p.add(b, n));
        let (sum, want) = (p.add(less, more), p.add(a, b));
        let [sum, want] = [sum, want].map(|t| {
            let zero = p.bits(0, 32);
            let eq = p.eq(t, zero);
            normal(&mut p, eq)
        });
        assert_eq!(sum, want);
    }
}
