//! Terms to Z3.
//!
//! Each term is translated once, from the leaves up, with an explicit stack: terms are deep. Integers
//! are Z3's bit-vectors, which mean the same. Floats are bits to us: an operation reads its operands
//! as floats and gives the bits of its result, where a result that is not a number has the bits of
//! `NAN` (which of its many patterns a machine gives is not specified).
//!
//! A term can have a name: a constant with a definition, which the backend asserts. Theory literals
//! have names, and so do long conjunctions: Z3 flattens a conjunction of conjunctions, and the guards
//! of a thread, each one conjunct longer than the one before, would take quadratic space.

use super::ffi::{Ast, Context, Result, Sort};
use encoder::term::{BitOp, Convert, FloatCmp, FloatOp};
use encoder::{Op, Pool, Term, term::mask};

/// A conjunction of so many gets a name.
const LONG: u32 = 32;

/// What was translated, by term.
#[derive(Default)]
pub struct Translation {
    known: Vec<Option<Written>>,
    definitions: Vec<Ast>,
}

#[derive(Clone, Copy)]
struct Written {
    ast: Ast,
    conjuncts: u32, // after flattening
}

impl Translation {
    pub fn get(&self, t: Term) -> Option<Ast> {
        self.written(t).map(|w| w.ast)
    }

    fn written(&self, t: Term) -> Option<Written> {
        self.known.get(t.index()).copied().flatten()
    }

    fn set(&mut self, t: Term, written: Written) {
        if self.known.len() <= t.index() {
            self.known.resize(t.index() + 1, None);
        }
        self.known[t.index()] = Some(written);
    }

    /// Facts that must be asserted before anything that was translated since the last call.
    pub(crate) fn take_definitions(&mut self) -> Vec<Ast> {
        std::mem::take(&mut self.definitions)
    }

    /// A constant that is equal to a Boolean term, and from now on stands for it.
    pub fn name(&mut self, c: &Context, pool: &Pool, t: Term) -> Result<Ast> {
        let meaning = self.translate(c, pool, t)?;
        self.name_it(c, t, meaning)
    }

    fn name_it(&mut self, c: &Context, t: Term, meaning: Ast) -> Result<Ast> {
        let name = c.fresh(c.bool_sort()?)?;
        self.definitions.push(c.eq(name, meaning)?);
        self.set(t, Written { ast: name, conjuncts: 1 });
        Ok(name)
    }

    pub fn translate(&mut self, c: &Context, pool: &Pool, t: Term) -> Result<Ast> {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.get(top).is_none() {
                let open = stack.len();
                pool.operands(top, |o| {
                    if self.get(o).is_none() {
                        stack.push(o);
                    }
                });
                if stack.len() > open {
                    continue;
                }
                self.add(c, pool, top)?;
            }
            stack.pop();
        }
        Ok(self.operand(t).ast)
    }

    fn add(&mut self, c: &Context, pool: &Pool, t: Term) -> Result<()> {
        let ast = self.node(c, pool, t)?;
        let conjuncts = match pool.op(t) {
            Op::And(a, b) => self.operand(a).conjuncts + self.operand(b).conjuncts,
            _ => 1,
        };
        if conjuncts > LONG {
            self.name_it(c, t, ast)?;
        } else {
            self.set(t, Written { ast, conjuncts });
        }
        Ok(())
    }

    fn operand(&self, t: Term) -> Written {
        self.written(t).expect("operands come first")
    }

    /// One node; its operands are known.
    fn node(&self, c: &Context, pool: &Pool, t: Term) -> Result<Ast> {
        let of = |t: Term| self.operand(t).ast;
        let width = u32::from(pool.width(t));
        let wider = |a: Term| width - u32::from(pool.width(a));
        match pool.op(t) {
            Op::Bool(true) => c.true_(),
            Op::Bool(false) => c.false_(),
            Op::Bits(value) => bits(c, value, pool.width(t)),
            Op::Var(_) => c.fresh(sort(c, pool.sort(t))?),
            Op::Not(a) => c.not(of(a)),
            Op::And(a, b) => c.and(of(a), of(b)),
            Op::Ite(i, a, b) => c.ite(of(i), of(a), of(b)),
            Op::Eq(a, b) => c.eq(of(a), of(b)),
            Op::Ult(a, b) => c.ult(of(a), of(b)),
            Op::Slt(a, b) => c.slt(of(a), of(b)),
            Op::BitNot(a) => c.bvnot(of(a)),
            Op::Neg(a) => c.bvneg(of(a)),
            Op::Binary(op, a, b) => binary(c, op, of(a), of(b)),
            Op::Extract { of: a, low } => {
                let low = u32::from(low);
                c.extract(low + width - 1, low, of(a))
            }
            Op::Concat(high, low) => c.concat(of(high), of(low)),
            Op::ZeroExt(a) => c.zero_ext(wider(a), of(a)),
            Op::SignExt(a) => c.sign_ext(wider(a), of(a)),
            Op::Float(op, a, b) => Floats::new(c, pool.width(t))?.binary(op, of(a), of(b)),
            Op::FloatCmp(op, a, b) => Floats::new(c, pool.width(a))?.compare(op, of(a), of(b)),
            Op::Convert(op, a) => convert(c, op, of(a), pool.width(a), pool.width(t)),
        }
    }
}

fn sort(c: &Context, sort: encoder::Sort) -> Result<Sort> {
    match sort {
        encoder::Sort::Bool => c.bool_sort(),
        encoder::Sort::Bits(width) => c.bits_sort(u32::from(width)),
    }
}

fn bits(c: &Context, value: u64, width: u8) -> Result<Ast> {
    c.number(value, c.bits_sort(u32::from(width))?)
}

fn binary(c: &Context, op: BitOp, a: Ast, b: Ast) -> Result<Ast> {
    match op {
        BitOp::Add => c.bvadd(a, b),
        BitOp::Sub => c.bvsub(a, b),
        BitOp::Mul => c.bvmul(a, b),
        BitOp::UDiv => c.bvudiv(a, b),
        BitOp::URem => c.bvurem(a, b),
        BitOp::SDiv => c.bvsdiv(a, b),
        BitOp::SRem => c.bvsrem(a, b),
        BitOp::And => c.bvand(a, b),
        BitOp::Or => c.bvor(a, b),
        BitOp::Xor => c.bvxor(a, b),
        BitOp::Shl => c.bvshl(a, b),
        BitOp::Lshr => c.bvlshr(a, b),
        BitOp::Ashr => c.bvashr(a, b),
    }
}

fn convert(c: &Context, op: Convert, a: Ast, from: u8, to: u8) -> Result<Ast> {
    match op {
        Convert::FloatToFloat if from == to => Ok(a),
        Convert::FloatToFloat => {
            let (source, target) = (Floats::new(c, from)?, Floats::new(c, to)?);
            target.bits_of(c.float_of_float(source.round, source.read(a)?, target.sort)?)
        }
        Convert::SignedToFloat => {
            let floats = Floats::new(c, to)?;
            floats.bits_of(c.float_of_signed(floats.round, a, floats.sort)?)
        }
        Convert::UnsignedToFloat => {
            let floats = Floats::new(c, to)?;
            floats.bits_of(c.float_of_unsigned(floats.round, a, floats.sort)?)
        }
        Convert::FloatToSigned | Convert::FloatToUnsigned => {
            Floats::new(c, from)?.to_integer(a, to)
        }
    }
}

/// Floats of one format.
struct Floats<'a> {
    c: &'a Context,
    width: u8,
    sort: Sort,
    round: Ast,
}

impl<'a> Floats<'a> {
    fn new(c: &'a Context, width: u8) -> Result<Floats<'a>> {
        let sort = if width == 32 { c.float_sort()? } else { c.double_sort()? };
        Ok(Floats { c, width, sort, round: c.nearest()? })
    }

    fn read(&self, bits: Ast) -> Result<Ast> {
        self.c.float_of_bits(bits, self.sort)
    }

    fn constant(&self, value: f64) -> Result<Ast> {
        let pattern =
            if self.width == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
        bits(self.c, pattern, self.width)
    }

    fn bits_of(&self, float: Ast) -> Result<Ast> {
        let c = self.c;
        c.ite(c.is_nan(float)?, self.constant(f64::NAN)?, c.float_bits(float)?)
    }

    fn binary(&self, op: FloatOp, a: Ast, b: Ast) -> Result<Ast> {
        let (c, a, b) = (self.c, self.read(a)?, self.read(b)?);
        self.bits_of(match op {
            FloatOp::Add => c.float_add(self.round, a, b)?,
            FloatOp::Sub => c.float_sub(self.round, a, b)?,
            FloatOp::Mul => c.float_mul(self.round, a, b)?,
            FloatOp::Div => c.float_div(self.round, a, b)?,
        })
    }

    fn compare(&self, op: FloatCmp, a: Ast, b: Ast) -> Result<Ast> {
        let (a, b) = (self.read(a)?, self.read(b)?);
        match op {
            FloatCmp::Eq => self.c.float_eq(a, b),
            FloatCmp::Lt => self.c.float_lt(a, b),
            FloatCmp::Le => self.c.float_le(a, b),
        }
    }

    /// As `ir::arith`: towards zero into 128 bits, at whose ends it saturates, then the low
    /// bits; 0 for what is not a number. Z3 leaves open what is out of range.
    fn to_integer(&self, a: Ast, to: u8) -> Result<Ast> {
        let (c, a) = (self.c, self.read(a)?);
        let limit = 2f64.powi(127);
        let high = c.float_le(self.read(self.constant(limit)?)?, a)?;
        let low = c.float_le(a, self.read(self.constant(-limit)?)?)?;
        let wide = c.float_to_signed(c.towards_zero()?, a, 128)?;
        let inside = c.extract(u32::from(to) - 1, 0, wide)?;
        let zero = bits(c, 0, to)?;
        let small = c.ite(c.or(&[low, c.is_nan(a)?])?, zero, inside)?;
        c.ite(high, bits(c, mask(to), to)?, small)
    }
}
