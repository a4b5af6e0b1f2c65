//! Bit-blasting: terms to a circuit (`aig.rs`, `arith.rs`), the circuit to clauses (`cnf.rs`).
//!
//! Everything is lazy and remembered: a term is translated when a fact, an assumption or the theory
//! needs it, each once. Floats are not translated; the caller hears `Unsupported`.

mod aig;
mod arith;
mod cnf;

use crate::SolverError;
pub use aig::{Aig, Edge, Gate};
use arith::Bits;
pub use cnf::{EdgeUse, Literal, Sink};
use encoder::term::BitOp;
use encoder::{Op, Pool, Term};

/// The translation of one pool.
#[derive(Debug, Default)]
pub struct Blaster {
    aig: Aig,
    cnf: cnf::Cnf,
    places: Vec<Option<u32>>, // of a term, where its bits are
    bits: Vec<Edge>,
}

impl Blaster {
    /// The fact holds in every model.
    pub fn assert(
        &mut self,
        pool: &Pool,
        fact: Term,
        sink: &mut impl Sink,
    ) -> Result<(), SolverError> {
        let e = self.edge(pool, fact)?;
        self.cnf.require(&self.aig, vec![e], sink);
        Ok(())
    }

    /// The literal of a Boolean term.
    pub fn literal(
        &mut self,
        pool: &Pool,
        t: Term,
        how: EdgeUse,
        sink: &mut impl Sink,
    ) -> Result<Literal, SolverError> {
        let e = self.edge(pool, t)?;
        Ok(self.cnf.literal(&self.aig, e, how, sink))
    }

    /// A variable that is no term's.
    pub fn fresh(&mut self) -> Literal {
        self.cnf.fresh()
    }

    /// The value of a variable where `model` says which literals are true. What no clause mentions
    /// is 0.
    pub fn value(&self, pool: &Pool, var: Term, model: impl Fn(Literal) -> bool) -> u64 {
        let Some(&Some(at)) = self.places.get(var.index()) else { return 0 };
        let bits = &self.bits[at as usize..][..usize::from(pool.width(var))];
        let is_one = |e: Edge| self.cnf.known(e).is_some_and(&model);
        bits.iter().enumerate().map(|(i, &e)| u64::from(is_one(e)) << i).sum()
    }

    pub fn variables(&self) -> u64 {
        u64::from(self.cnf.variables().unsigned_abs())
    }

    pub fn clauses(&self) -> u64 {
        self.cnf.clauses()
    }

    pub fn gates(&self) -> u64 {
        self.aig.len() as u64
    }

    /// The edge of a Boolean term.
    fn edge(&mut self, pool: &Pool, t: Term) -> Result<Edge, SolverError> {
        self.translate(pool, t)?;
        Ok(self.get(pool, t)[0])
    }

    /// With an explicit stack: terms are deep.
    fn translate(&mut self, pool: &Pool, t: Term) -> Result<(), SolverError> {
        if self.places.len() < pool.len() {
            self.places.resize(pool.len(), None);
        }
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.places[top.index()].is_some() {
                stack.pop();
                continue;
            }
            let open = stack.len();
            pool.operands(top, |o| {
                if self.places[o.index()].is_none() {
                    stack.push(o);
                }
            });
            if stack.len() == open {
                let bits = self.circuit(pool, top)?;
                debug_assert_eq!(bits.len(), usize::from(pool.width(top)));
                self.places[top.index()] = Some(self.bits.len() as u32);
                self.bits.extend(bits);
                stack.pop();
            }
        }
        Ok(())
    }

    /// The bits of a term that is translated.
    fn get(&self, pool: &Pool, t: Term) -> Bits {
        let at = self.places[t.index()].unwrap_or_default() as usize;
        self.bits[at..at + usize::from(pool.width(t))].to_vec()
    }

    fn circuit(&mut self, pool: &Pool, t: Term) -> Result<Bits, SolverError> {
        let width = usize::from(pool.width(t));
        let get = |of: Term| self.get(pool, of);
        Ok(match pool.op(t) {
            Op::Bool(b) => vec![Edge::constant(b)],
            Op::Bits(value) => arith::constant(value, width),
            Op::Var(_) => (0..width).map(|_| self.aig.input()).collect(),
            Op::Not(a) | Op::BitNot(a) => arith::complement(&get(a)),
            Op::And(a, b) => {
                let (a, b) = (get(a), get(b));
                self.aig.bitwise(&a, &b, Aig::and)
            }
            Op::Ite(c, a, b) => {
                let (c, a, b) = (get(c), get(a), get(b));
                self.aig.choose(c[0], &a, &b)
            }
            Op::Eq(a, b) => {
                let (a, b) = (get(a), get(b));
                vec![self.aig.equal(&a, &b)]
            }
            Op::Ult(a, b) => {
                let (a, b) = (get(a), get(b));
                vec![self.aig.less(&a, &b)]
            }
            Op::Slt(a, b) => {
                let (a, b) = (get(a), get(b));
                vec![self.aig.signed_less(&a, &b)]
            }
            Op::Neg(a) => {
                let a = get(a);
                self.aig.neg(&a)
            }
            Op::Binary(op, a, b) => {
                let (a, b) = (get(a), get(b));
                self.binary(op, &a, &b)
            }
            Op::Extract { of, low } => get(of)[usize::from(low)..][..width].to_vec(),
            Op::Concat(high, low) => [get(low), get(high)].concat(),
            Op::ZeroExt(a) => extended(get(a), width, Edge::FALSE),
            Op::SignExt(a) => {
                let a = get(a);
                let sign = a[a.len() - 1];
                extended(a, width, sign)
            }
            Op::Float(..) | Op::FloatCmp(..) | Op::Convert(..) => {
                return Err(SolverError::Unsupported("floating point"));
            }
        })
    }

    fn binary(&mut self, op: BitOp, a: &[Edge], b: &[Edge]) -> Bits {
        let aig = &mut self.aig;
        match op {
            BitOp::Add => aig.add(a, b),
            BitOp::Sub => aig.sub(a, b),
            BitOp::Mul => aig.mul(a, b),
            BitOp::UDiv => aig.divide(a, b).0,
            BitOp::URem => aig.divide(a, b).1,
            BitOp::SDiv => aig.signed_divide(a, b).0,
            BitOp::SRem => aig.signed_divide(a, b).1,
            BitOp::And => aig.bitwise(a, b, Aig::and),
            BitOp::Or => aig.bitwise(a, b, Aig::or),
            BitOp::Xor => aig.bitwise(a, b, Aig::xor),
            BitOp::Shl => aig.shift_up(a, b),
            BitOp::Lshr => aig.shift_down(a, b, Edge::FALSE),
            BitOp::Ashr => aig.shift_down(a, b, a[a.len() - 1]),
        }
    }
}

fn extended(mut bits: Bits, width: usize, fill: Edge) -> Bits {
    bits.resize(width, fill);
    bits
}

#[cfg(test)]
mod tests;
