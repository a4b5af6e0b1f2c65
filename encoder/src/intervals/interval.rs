//! Intervals of unsigned words, and what operators make of them.

use crate::term::{BitOp, Op, Pool, Sort, Term, mask};
use crate::value::range;

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
    let natural = a.is_natural(width) && b.is_natural(width);
    let op = match op {
        BitOp::Add => return sum(a, b, mask(width)),
        BitOp::SDiv if natural => BitOp::UDiv,
        BitOp::SRem if natural => BitOp::URem,
        _ => op,
    };
    let (low, high) = range(op, width, Some((a.low, a.high)), Some((b.low, b.high)))?;
    Some(Interval { low, high })
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
