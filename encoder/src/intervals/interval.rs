//! Intervals of unsigned words, and what operators make of them.

use crate::term::{BitOp, Op, Pool, Sort, Term, mask};

/// All numbers from `low` to `high`; never empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    pub low: u64,
    pub high: u64,
}

impl Interval {
    pub fn one(n: u64) -> Interval {
        Interval { low: n, high: n }
    }

    /// Every word of that width.
    pub fn any(width: u8) -> Interval {
        Interval { low: 0, high: mask(width) }
    }

    pub fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn constant(self) -> Option<u64> {
        (self.low == self.high).then_some(self.low)
    }

    /// Of words of that width: is none of them negative?
    fn is_natural(self, width: u8) -> bool {
        self.high <= mask(width) >> 1
    }
}

fn width(pool: &Pool, t: Term) -> u8 {
    match pool.sort(t) {
        Sort::Bool => 1,
        Sort::Bits(width) => width,
    }
}

/// What a term can be if its operands are in these intervals. Variables are asked for, too.
pub fn apply(pool: &Pool, t: Term, of: impl Fn(Term) -> Interval) -> Interval {
    let bits = width(pool, t);
    let any = Interval::any(bits);
    match pool.op(t) {
        Op::Bool(b) => Interval::one(u64::from(b)),
        Op::Bits(n) => Interval::one(n),
        Op::Ite(_, a, b) => of(a).hull(of(b)),
        Op::Binary(op, a, b) => binary(op, bits, of(a), of(b)).unwrap_or(any),
        Op::Extract { of: a, low } => {
            let cut = |n: u64| n >> low;
            let (low, high) = (cut(of(a).low), cut(of(a).high));
            if high <= any.high { Interval { low, high } } else { any }
        }
        Op::Concat(high, low) => {
            let shift = width(pool, low);
            let join = |h: u64, l: u64| h << shift | l;
            let (h, l) = (of(high), of(low));
            Interval { low: join(h.low, l.low), high: join(h.high, l.high) }
        }
        Op::ZeroExt(a) => of(a),
        Op::SignExt(a) if of(a).is_natural(width(pool, a)) => of(a),
        _ => any,
    }
}

/// `None`: anything, as far as we know.
fn binary(op: BitOp, width: u8, a: Interval, b: Interval) -> Option<Interval> {
    let top = mask(width);
    let fits = |low: Option<u64>, high: Option<u64>| {
        let (low, high) = (low?, high.filter(|h| *h <= top)?);
        Some(Interval { low, high })
    };
    let natural = a.is_natural(width) && b.is_natural(width);
    match op {
        BitOp::Add => sum(a, b, top),
        BitOp::Sub => fits(a.low.checked_sub(b.high), a.high.checked_sub(b.low)),
        BitOp::Mul => fits(a.low.checked_mul(b.low), a.high.checked_mul(b.high)),
        BitOp::UDiv => fits(a.low.checked_div(b.high), a.high.checked_div(b.low)),
        BitOp::SDiv if natural => fits(a.low.checked_div(b.high), a.high.checked_div(b.low)),
        BitOp::URem => remainder(a, b),
        BitOp::SRem if natural => remainder(a, b),
        BitOp::And => Some(Interval { low: 0, high: a.high.min(b.high) }),
        BitOp::Or => Some(Interval { low: a.low.max(b.low), high: ones(a.high | b.high) }),
        BitOp::Xor => Some(Interval { low: 0, high: ones(a.high | b.high) }),
        BitOp::Shl => {
            let by = b.constant().filter(|n| *n < u64::from(width))?;
            fits(a.low.checked_mul(1 << by), a.high.checked_mul(1 << by))
        }
        BitOp::Lshr => {
            let by = b.constant().filter(|n| *n < u64::from(width))?;
            Some(Interval { low: a.low >> by, high: a.high >> by })
        }
        BitOp::SDiv | BitOp::SRem | BitOp::Ashr => None,
    }
}

/// No sum wraps around, or every one does (a difference is a sum that does).
fn sum(a: Interval, b: Interval, top: u64) -> Option<Interval> {
    let size = u128::from(top) + 1;
    let (low, high) =
        (u128::from(a.low) + u128::from(b.low), u128::from(a.high) + u128::from(b.high));
    let wrapped = if low >= size { size } else { 0 };
    let (low, high) = (low - wrapped, high - wrapped);
    (high < size).then_some(Interval { low: low as u64, high: high as u64 })
}

fn remainder(a: Interval, b: Interval) -> Option<Interval> {
    let largest = b.high.checked_sub(1)?;
    match (b.low > 0, a.high < b.low) {
        (true, true) => Some(a),
        (true, false) => Some(Interval { low: 0, high: a.high.min(largest) }),
        (false, _) => None,
    }
}

/// The smallest `2^k - 1` that is not below `n`.
fn ones(n: u64) -> u64 {
    u64::MAX.checked_shr(n.leading_zeros()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval;

    /// All pairs of intervals of 3 bits, all operators: every result is inside.
    #[test]
    fn operators_are_covered() {
        const WIDTH: u8 = 3;
        let all = |low: u64| (low..8).map(move |high| Interval { low, high });
        let intervals: Vec<Interval> = (0..8).flat_map(all).collect();
        let mut informed = 0;
        for op in BitOp::ALL {
            for a in &intervals {
                for b in &intervals {
                    let Some(found) = binary(op, WIDTH, *a, *b) else { continue };
                    informed += 1;
                    for x in a.low..=a.high {
                        for y in b.low..=b.high {
                            let n = eval::binary(op, WIDTH, x, y);
                            assert!(found.low <= n && n <= found.high, "{op:?} {x} {y}: {found:?}");
                        }
                    }
                }
            }
        }
        assert!(informed > 4000, "{informed}");
    }
}
