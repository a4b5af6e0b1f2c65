//! Terms over cells as C-like text, for people.

use crate::system::System;
use encoder::term::BitOp;
use encoder::{Op, Term};

impl System {
    pub fn show(&self, term: Term) -> String {
        self.shown(term, 12)
    }

    fn shown(&self, term: Term, depth: u32) -> String {
        if depth == 0 {
            return "..".into();
        }
        let show = |t: Term| self.shown(t, depth - 1);
        match self.pool.op(term) {
            Op::Bool(b) => u8::from(b).to_string(),
            Op::Bits(bits) => encoder::term::signed(bits, self.pool.width(term)).to_string(),
            Op::Var(_) => match self.by_var.get(&term) {
                Some(cell) => self.cell(*cell).name.clone(),
                None => format!("?{}", term.index()),
            },
            Op::Not(a) => match self.pool.op(a) {
                Op::Eq(x, y) => format!("{} != {}", show(x), show(y)),
                _ => format!("!({})", show(a)),
            },
            Op::And(a, b) => format!("({} && {})", show(a), show(b)),
            Op::Ite(c, a, b) => format!("({} ? {} : {})", show(c), show(a), show(b)),
            Op::Eq(a, b) => format!("{} == {}", show(a), show(b)),
            Op::Ult(a, b) => format!("{} <u {}", show(a), show(b)),
            Op::Slt(a, b) => format!("{} < {}", show(a), show(b)),
            Op::BitNot(a) => format!("~{}", show(a)),
            Op::Neg(a) => format!("-{}", show(a)),
            Op::Binary(op, a, b) => format!("({} {} {})", show(a), sign(op), show(b)),
            Op::Extract { of, low } => format!("{}[{low}..]", show(of)),
            Op::Concat(a, b) => format!("{}:{}", show(a), show(b)),
            Op::ZeroExt(a) | Op::SignExt(a) => show(a),
            _ => "?".into(),
        }
    }
}

fn sign(op: BitOp) -> &'static str {
    match op {
        BitOp::Add => "+",
        BitOp::Sub => "-",
        BitOp::Mul => "*",
        BitOp::UDiv | BitOp::SDiv => "/",
        BitOp::URem | BitOp::SRem => "%",
        BitOp::And => "&",
        BitOp::Or => "|",
        BitOp::Xor => "^",
        BitOp::Shl => "<<",
        BitOp::Lshr | BitOp::Ashr => ">>",
    }
}
