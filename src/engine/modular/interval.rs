//! Intervals of numbers, and what arithmetic of a C type makes of them.
//!
//! An interval stands for bit patterns: those that are congruent to one of its numbers modulo two to
//! the width. `fit` gives the same patterns as numbers of a type; what does not fit in one piece is
//! the whole range of the type. Widening goes to the next limit of a C type, so loops end.

use ir::BinOp;
use ir::arith::wrap;
use ir::types::{Machine, Scalar};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Interval {
    pub lo: i128,
    pub hi: i128,
}

/// Where widening stops on its way, upwards; downwards it is the negative of each, less one.
const STOPS: [i128; 10] = [
    0,
    1,
    0x7f,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    0xffff_ffff_ffff_ffff,
];

impl Interval {
    pub const ZERO: Interval = Interval { lo: 0, hi: 0 };
    pub const BOOL: Interval = Interval { lo: 0, hi: 1 };
    /// No object is here: an access ends the execution, as one through null does.
    pub const NEAR_NULL: Interval = Interval { lo: 0, hi: 0xfff };
    /// Any bit pattern of any type.
    pub const TOP: Interval = Interval { lo: -(1 << 63), hi: (1 << 64) - 1 };

    pub fn one(n: i128) -> Interval {
        Interval { lo: n, hi: n }
    }

    pub fn constant(self) -> Option<i128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    pub fn contains(self, n: i128) -> bool {
        self.lo <= n && n <= self.hi
    }

    pub fn within(self, other: Interval) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    pub fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    pub fn meet(self, other: Interval) -> Option<Interval> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(Interval { lo, hi })
    }

    /// A hull that can grow a few times only.
    pub fn widen(self, newer: Interval) -> Interval {
        self.widen_to(newer, &[])
    }

    /// The same with further stops, ascending.
    pub fn widen_to(self, newer: Interval, stops: &[i128]) -> Interval {
        let up = |n: i128| {
            let next = |stops: &[i128]| stops.iter().copied().find(|s| *s >= n);
            let usual = next(&STOPS).unwrap_or(Interval::TOP.hi);
            next(stops).map_or(usual, |s| s.min(usual))
        };
        let hull = self.hull(newer);
        let lo = if hull.lo < self.lo {
            -up(hull.lo.saturating_neg().saturating_sub(1)) - 1
        } else {
            hull.lo
        };
        let lo = if hull.lo < self.lo && hull.lo >= 0 { 0 } else { lo };
        let hi = if hull.hi > self.hi { up(hull.hi) } else { hull.hi };
        Interval { lo: lo.max(Interval::TOP.lo), hi: hi.min(Interval::TOP.hi) }
    }

    pub fn range(ty: Scalar, machine: Machine) -> Interval {
        let bits = u32::from(ty.bits(machine));
        match ty.is_signed() {
            true => Interval { lo: -(1 << (bits - 1)), hi: (1 << (bits - 1)) - 1 },
            false => Interval { lo: 0, hi: (1 << bits) - 1 },
        }
    }

    /// The same bit patterns as numbers of the type.
    pub fn fit(self, ty: Scalar, machine: Machine) -> Interval {
        let range = Interval::range(ty, machine);
        if self.within(range) {
            return self;
        }
        let (bits, signed) = (ty.bits(machine), ty.is_signed());
        let (lo, hi) = (wrap(self.lo, bits, signed), wrap(self.hi, bits, signed));
        match lo <= hi && self.hi.saturating_sub(self.lo) < (1 << bits) {
            true => Interval { lo, hi },
            false => range,
        }
    }

    pub fn plus(self, other: Interval) -> Interval {
        Interval { lo: self.lo.saturating_add(other.lo), hi: self.hi.saturating_add(other.hi) }
    }

    pub fn negated(self) -> Interval {
        Interval { lo: self.hi.saturating_neg(), hi: self.lo.saturating_neg() }
    }

    /// `None` if the product is too large even for us.
    pub fn times(self, other: Interval) -> Option<Interval> {
        let ends = [
            self.lo.checked_mul(other.lo)?,
            self.lo.checked_mul(other.hi)?,
            self.hi.checked_mul(other.lo)?,
            self.hi.checked_mul(other.hi)?,
        ];
        let fold = |f: fn(i128, i128) -> i128| ends.into_iter().reduce(f).unwrap_or(0);
        Some(Interval { lo: fold(i128::min), hi: fold(i128::max) })
    }

    /// The result of an operator, before it is made to fit; both sides are numbers of the type.
    /// `None`: nothing is known.
    pub fn binary(op: BinOp, a: Interval, b: Interval) -> Option<Interval> {
        match op {
            BinOp::Add => Some(a.plus(b)),
            BinOp::Sub => Some(a.plus(b.negated())),
            BinOp::Mul => a.times(b),
            BinOp::Div => divided(a, b),
            BinOp::Rem => remainder(a, b),
            BinOp::And if a.lo >= 0 || b.lo >= 0 => {
                let tops = [a, b].into_iter().filter(|i| i.lo >= 0).map(|i| i.hi);
                Some(Interval { lo: 0, hi: tops.min().unwrap_or(0) })
            }
            BinOp::Or | BinOp::Xor if a.lo >= 0 && b.lo >= 0 => {
                let all = a.hi.max(b.hi).unsigned_abs().checked_next_power_of_two()?;
                Some(Interval { lo: 0, hi: all.saturating_mul(2) as i128 })
            }
            BinOp::Shr if a.lo >= 0 => Some(Interval { lo: 0, hi: a.hi }),
            BinOp::Shl => shifted(a, b),
            _ if op.is_comparison() => Some(compared(op, a, b)),
            _ => None,
        }
    }
}

fn divided(a: Interval, b: Interval) -> Option<Interval> {
    if b.lo <= 0 {
        return None;
    }
    let ends = [a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi];
    Some(Interval { lo: ends.into_iter().min()?, hi: ends.into_iter().max()? })
}

fn remainder(a: Interval, b: Interval) -> Option<Interval> {
    if b.lo <= 0 {
        return None;
    }
    let most = b.hi - 1;
    let lo = if a.lo >= 0 { 0 } else { (-most).max(a.lo) };
    let hi = if a.hi <= 0 { 0 } else { most.min(a.hi) };
    Some(Interval { lo, hi })
}

fn shifted(a: Interval, b: Interval) -> Option<Interval> {
    let safe = Interval { lo: 0, hi: 31 };
    if b.within(safe) { a.times(Interval { lo: 1 << b.lo, hi: 1 << b.hi }) } else { None }
}

fn compared(op: BinOp, a: Interval, b: Interval) -> Interval {
    let (always, never) = match op {
        BinOp::Lt => (a.hi < b.lo, a.lo >= b.hi),
        BinOp::Le => (a.hi <= b.lo, a.lo > b.hi),
        BinOp::Gt => (a.lo > b.hi, a.hi <= b.lo),
        BinOp::Ge => (a.lo >= b.hi, a.hi < b.lo),
        BinOp::Eq => (a.constant().is_some() && a == b, a.meet(b).is_none()),
        _ => (a.meet(b).is_none(), a.constant().is_some() && a == b),
    };
    match (always, never) {
        (true, _) => Interval::one(1),
        (_, true) => Interval::ZERO,
        _ => Interval::BOOL,
    }
}

/// What is left of `a` where `a op b` holds; `None` where it cannot.
pub fn refine(op: BinOp, a: Interval, b: Interval) -> Option<Interval> {
    let some = |lo: i128, hi: i128| (lo <= hi).then_some(Interval { lo, hi });
    match op {
        BinOp::Lt => some(a.lo, a.hi.min(b.hi - 1)),
        BinOp::Le => some(a.lo, a.hi.min(b.hi)),
        BinOp::Gt => some(a.lo.max(b.lo + 1), a.hi),
        BinOp::Ge => some(a.lo.max(b.lo), a.hi),
        BinOp::Eq => a.meet(b),
        BinOp::Ne => match b.constant() {
            Some(n) if a.lo == n => some(n + 1, a.hi),
            Some(n) if a.hi == n => some(a.lo, n - 1),
            _ => Some(a),
        },
        _ => Some(a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::arith;

    const M: Machine = Machine::Lp64;
    const I8: Scalar = Scalar::Int { bits: 8, signed: true };
    const OPS: [BinOp; 16] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::Div,
        BinOp::Rem,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::Shl,
        BinOp::Shr,
        BinOp::Eq,
        BinOp::Ne,
        BinOp::Lt,
        BinOp::Le,
        BinOp::Gt,
        BinOp::Ge,
    ];

    fn some_intervals(ty: Scalar) -> Vec<Interval> {
        let range = Interval::range(ty, M);
        let ends = [range.lo, range.lo + 1, -3, -1, 0, 1, 2, 7, 100, range.hi - 1, range.hi];
        let ends: Vec<i128> = ends.into_iter().filter(|n| range.contains(*n)).collect();
        let pairs = ends.iter().flat_map(|a| ends.iter().map(move |b| (*a, *b)));
        pairs.filter(|(a, b)| a <= b).map(|(lo, hi)| Interval { lo, hi }).collect()
    }

    fn samples(i: Interval) -> impl Iterator<Item = i128> {
        [i.lo, i.lo + 1, (i.lo + i.hi) / 2, i.hi - 1, i.hi]
            .into_iter()
            .filter(move |n| i.contains(*n))
    }

    #[test]
    fn results_are_inside() {
        for ty in [I8, Scalar::U8, Scalar::I32, Scalar::U64] {
            for (a, b) in some_intervals(ty)
                .into_iter()
                .flat_map(|a| some_intervals(ty).into_iter().map(move |b| (a, b)))
            {
                for op in OPS {
                    check_inside(op, ty, a, b);
                }
            }
        }
    }

    fn check_inside(op: BinOp, ty: Scalar, a: Interval, b: Interval) {
        let result_ty = if op.is_comparison() { Scalar::I32 } else { ty };
        let Some(found) = Interval::binary(op, a, b) else { return };
        let found = found.fit(result_ty, M);
        let mask = u64::MAX >> (64 - ty.bits(M));
        for (x, y) in samples(a).flat_map(|x| samples(b).map(move |y| (x, y))) {
            let bits = |n: i128| (n as u64) & mask;
            let Ok(got) = arith::binary(op, ty, ty, M, bits(x), bits(y)) else { continue };
            let got = arith::number(got.bits, result_ty, M);
            assert!(found.contains(got), "{x} {op:?} {y} = {got}, not in {found:?}");
        }
    }

    #[test]
    fn refining_keeps_what_holds() {
        for (a, b) in some_intervals(I8)
            .into_iter()
            .flat_map(|a| some_intervals(I8).into_iter().map(move |b| (a, b)))
        {
            for op in OPS.into_iter().filter(|op| op.is_comparison()) {
                let left = refine(op, a, b);
                for (x, y) in samples(a).flat_map(|x| samples(b).map(move |y| (x, y))) {
                    let holds =
                        compared(op, Interval::one(x), Interval::one(y)) == Interval::one(1);
                    assert!(!holds || left.is_some_and(|l| l.contains(x)), "{x} {op:?} {y}");
                    let not = compared(op.negated(), Interval::one(x), Interval::one(y));
                    assert_eq!(holds, not == Interval::ZERO);
                    let other = compared(op.mirrored(), Interval::one(y), Interval::one(x));
                    assert_eq!(holds, other == Interval::one(1));
                }
            }
        }
    }

    #[test]
    fn widening_stops_where_it_is_told() {
        let grown = |hi, stops: &[i128]| Interval::BOOL.widen_to(Interval { lo: 0, hi }, stops).hi;
        assert_eq!(
            [grown(2, &[15, 16]), grown(16, &[15, 16]), grown(17, &[15, 16])],
            [15, 16, 0x7f]
        );
        assert_eq!([grown(2, &[]), grown(2, &[300])], [0x7f, 0x7f]);
    }

    #[test]
    fn widening_ends() {
        let mut now = Interval::ZERO;
        let mut steps = 0;
        loop {
            let next =
                now.widen(Interval { lo: now.lo - 1, hi: now.hi + 1 }.meet(Interval::TOP).unwrap());
            if next == now {
                break;
            }
            assert!(now.within(next));
            (now, steps) = (next, steps + 1);
        }
        assert!(steps < 25 && now == Interval::TOP, "{now:?}");
    }
}
