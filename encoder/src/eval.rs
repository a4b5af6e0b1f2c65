//! What an operator computes: the one definition that folding, models and tests share.

use crate::term::{BitOp, Convert, FloatCmp, FloatOp, Op, Pool, Sort, Term, Var, mask, signed};
use ir::arith;
use ir::types::{Machine, Scalar};
use rustc_hash::FxHashMap;

/// The value of a node from the values of its operands (`value` is asked for those only).
/// Booleans are 0 and 1. `None` for a variable.
pub fn apply(pool: &Pool, op: Op, sort: Sort, mut value: impl FnMut(Term) -> u64) -> Option<u64> {
    let width = match sort {
        Sort::Bool => 1,
        Sort::Bits(w) => w,
    };
    let result = match op {
        Op::Bool(b) => u64::from(b),
        Op::Bits(b) => b,
        Op::Var(_) => return None,
        Op::Not(a) => value(a) ^ 1,
        Op::And(a, b) => value(a) & value(b),
        Op::Ite(c, a, b) => {
            if value(c) == 1 {
                value(a)
            } else {
                value(b)
            }
        }
        Op::Eq(a, b) => u64::from(value(a) == value(b)),
        Op::Ult(a, b) => u64::from(value(a) < value(b)),
        Op::Slt(a, b) => {
            let w = pool.width(a);
            u64::from(signed(value(a), w) < signed(value(b), w))
        }
        Op::BitNot(a) => !value(a),
        Op::Neg(a) => value(a).wrapping_neg(),
        Op::Binary(op, a, b) => binary(op, width, value(a), value(b)),
        Op::Extract { of, low } => value(of) >> low,
        Op::Concat(high, low) => value(high) << pool.width(low) | value(low),
        Op::ZeroExt(a) => value(a),
        Op::SignExt(a) => signed(value(a), pool.width(a)) as u64,
        Op::Float(op, a, b) => float(op, width, value(a), value(b)),
        Op::FloatCmp(op, a, b) => float_compare(op, pool.width(a), value(a), value(b)),
        Op::Convert(op, a) => convert(op, pool.width(a), width, value(a)),
    };
    Some(result & mask(width))
}

pub fn binary(op: BitOp, width: u8, a: u64, b: u64) -> u64 {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let big = b >= u64::from(width);
    let result = match op {
        BitOp::Add => a.wrapping_add(b),
        BitOp::Sub => a.wrapping_sub(b),
        BitOp::Mul => a.wrapping_mul(b),
        BitOp::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        BitOp::URem => a.checked_rem(b).unwrap_or(a),
        // SMT-LIB: bvsdiv by zero is 1 for negative numbers and -1 otherwise.
        BitOp::SDiv if b == 0 => (if sa < 0 { 1i64 } else { -1 }) as u64,
        BitOp::SDiv => sa.wrapping_div(sb) as u64,
        BitOp::SRem if b == 0 => a,
        BitOp::SRem => sa.wrapping_rem(sb) as u64,
        BitOp::And => a & b,
        BitOp::Or => a | b,
        BitOp::Xor => a ^ b,
        BitOp::Shl | BitOp::Lshr if big => 0,
        BitOp::Shl => a << b,
        BitOp::Lshr => a >> b,
        BitOp::Ashr => (sa >> if big { 63 } else { b }) as u64,
    };
    result & mask(width)
}

fn float_type(width: u8) -> Scalar {
    if width == 32 { Scalar::F32 } else { Scalar::F64 }
}

fn float(op: FloatOp, width: u8, a: u64, b: u64) -> u64 {
    use ir::BinOp;
    let op = match op {
        FloatOp::Add => BinOp::Add,
        FloatOp::Sub => BinOp::Sub,
        FloatOp::Mul => BinOp::Mul,
        FloatOp::Div => BinOp::Div,
    };
    let ty = float_type(width);
    arith::binary(op, ty, ty, Machine::Lp64, a, b).map_or(0, |c| c.bits)
}

fn float_compare(op: FloatCmp, width: u8, a: u64, b: u64) -> u64 {
    use ir::BinOp;
    let op = match op {
        FloatCmp::Eq => BinOp::Eq,
        FloatCmp::Lt => BinOp::Lt,
        FloatCmp::Le => BinOp::Le,
    };
    let ty = float_type(width);
    arith::binary(op, ty, ty, Machine::Lp64, a, b).map_or(0, |c| c.bits)
}

fn convert(op: Convert, from: u8, to: u8, a: u64) -> u64 {
    let int = |bits, signed| Scalar::Int { bits, signed };
    let (from, to) = match op {
        Convert::FloatToFloat => (float_type(from), float_type(to)),
        Convert::SignedToFloat => (int(from, true), float_type(to)),
        Convert::UnsignedToFloat => (int(from, false), float_type(to)),
        Convert::FloatToSigned => (float_type(from), int(to, true)),
        Convert::FloatToUnsigned => (float_type(from), int(to, false)),
    };
    arith::cast(from, to, Machine::Lp64, a)
}

/// Evaluates terms under values of the variables; remembers what it has computed.
pub struct Evaluator<'a, F> {
    pool: &'a Pool,
    var: F,
    known: FxHashMap<Term, u64>,
}

impl<'a, F: FnMut(Var) -> u64> Evaluator<'a, F> {
    /// `var` gives the bits of a variable.
    pub fn new(pool: &'a Pool, var: F) -> Self {
        Evaluator { pool, var, known: FxHashMap::default() }
    }

    /// An explicit stack: terms are deep.
    pub fn value(&mut self, t: Term) -> u64 {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let open = stack.len();
            let pool = self.pool;
            pool.operands(top, |o| {
                if !self.known.contains_key(&o) {
                    stack.push(o);
                }
            });
            if stack.len() == open {
                let value = match pool.op(top) {
                    Op::Var(v) => (self.var)(v) & mask(pool.width(top)),
                    op => apply(pool, op, pool.sort(top), |o| self.known[&o]).unwrap_or(0),
                };
                self.known.insert(top, value);
                stack.pop();
            }
        }
        self.known[&t]
    }

    pub fn holds(&mut self, t: Term) -> bool {
        self.value(t) == 1
    }
}

impl Pool {
    /// Calls `f` for each operand of a node.
    pub fn operands(&self, t: Term, mut f: impl FnMut(Term)) {
        match self.op(t) {
            Op::Bool(_) | Op::Bits(_) | Op::Var(_) => {}
            Op::Not(a)
            | Op::BitNot(a)
            | Op::Neg(a)
            | Op::Extract { of: a, .. }
            | Op::ZeroExt(a)
            | Op::SignExt(a)
            | Op::Convert(_, a) => f(a),
            Op::And(a, b)
            | Op::Eq(a, b)
            | Op::Ult(a, b)
            | Op::Slt(a, b)
            | Op::Binary(_, a, b)
            | Op::Concat(a, b)
            | Op::Float(_, a, b)
            | Op::FloatCmp(_, a, b) => {
                f(a);
                f(b);
            }
            Op::Ite(c, a, b) => {
                f(c);
                f(a);
                f(b);
            }
        }
    }
}
