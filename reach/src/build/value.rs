//! Values: operands and computations as terms.

use super::Build;
use super::guess::{GAP, Key};
use super::sym::Sym;
use super::thread::ThreadBuild;
use crate::system::InputVariable;
use analysis::address_bits;
use analysis::points_to::{Context, PointsTo};
use encoder::{Sort, Term, arith};
use ir::types::Scalar;
use ir::walk::operand_type;
use ir::*;

impl Build<'_> {
    pub fn bits_of(&self, ty: Scalar) -> u8 {
        ty.bits(self.program.machine)
    }

    fn any(&mut self, ty: Scalar) -> Term {
        let width = self.bits_of(ty);
        self.pool.fresh(Sort::Bits(width))
    }

    pub fn operand(&mut self, sym: &Sym, operand: &Operand) -> Term {
        match operand {
            Operand::Const { bits, ty } => {
                let width = self.bits_of(*ty);
                self.pool.bits(*bits, width)
            }
            Operand::Reg(reg) => match (sym.regs.get(reg), sym.known.regs.get(reg)) {
                (Some(value), _) => *value,
                (None, Some(number)) => {
                    let width = self.reg_width(sym.thread, *reg);
                    self.pool.bits(*number, width)
                }
                (None, None) => match sym.known.exprs.get(reg) {
                    Some(computed) => *computed,
                    None => self.var(Key::Register(sym.thread, *reg)),
                },
            },
            Operand::Function(f) => {
                let bits = self.pointer_bits();
                self.pool.bits(self.function_address(*f), bits)
            }
            Operand::Object { .. } | Operand::Slot { .. } => {
                match self.object_of(sym.thread, operand) {
                    Some((object, offset)) => self.address(object, offset),
                    None => self.any(Scalar::Ptr),
                }
            }
        }
    }

    pub fn truth(&mut self, sym: &mut Sym, cond: &Operand) -> Term {
        if operand_type(self.function(sym.thread), cond).is_float() {
            sym.exact = false;
            return self.pool.fresh(Sort::Bool);
        }
        let value = self.operand(sym, cond);
        self.pool.truth(value)
    }

    /// Weaker than the program: any value.
    fn weaker(&mut self, sym: &mut Sym, ty: Scalar) -> Term {
        sym.exact = false;
        self.any(ty)
    }

    pub fn rvalue(&mut self, thread: &mut ThreadBuild, sym: &mut Sym, value: &Rvalue) -> Term {
        if self.peeks(thread, value) {
            let always = self.pool.bool(true);
            self.doubt_if(thread, sym, always, address_bits::WHAT);
        }
        match value {
            Rvalue::Use(a) => self.operand(sym, a),
            Rvalue::Undef(ty) => {
                let any = self.any(*ty);
                sym.trail.inputs.push(InputVariable::Value(any));
                any
            }
            Rvalue::Unary { ty, .. } if ty.is_float() => self.weaker(sym, *ty),
            Rvalue::Unary { op, a, .. } => {
                let a = self.operand(sym, a);
                match op {
                    UnOp::Not => self.pool.bit_not(a),
                    UnOp::Neg => self.pool.neg(a),
                }
            }
            Rvalue::Binary { op, ty, .. } if ty.is_float() => {
                self.weaker(sym, if op.is_comparison() { Scalar::I32 } else { *ty })
            }
            Rvalue::Binary { op, ty, a, b, .. } => {
                let (a, b) = (self.operand(sym, a), self.operand(sym, b));
                self.binary(thread, sym, *op, *ty, a, b)
            }
            Rvalue::Cast { from, to, .. } if from.is_float() || to.is_float() => {
                self.weaker(sym, *to)
            }
            Rvalue::Cast { from, to, a } => {
                let a = self.operand(sym, a);
                let width = self.bits_of(*to);
                arith::resize(&mut self.pool, a, width, from.is_signed())
            }
            Rvalue::PtrAdd { base, index, scale } => {
                let (base, index) = (self.operand(sym, base), self.operand(sym, index));
                self.pointer_add(thread, sym, base, index, *scale)
            }
        }
    }

    fn binary(
        &mut self,
        thread: &mut ThreadBuild,
        sym: &mut Sym,
        op: BinOp,
        ty: Scalar,
        a: Term,
        b: Term,
    ) -> Term {
        if op.is_comparison() {
            if ty == Scalar::Ptr && !matches!(op, BinOp::Eq | BinOp::Ne) && !self.together(a, b) {
                return self.weaker(sym, Scalar::I32);
            }
            let holds = arith::compare(&mut self.pool, op, ty, a, b);
            return self.pool.bool_to_bits(holds, 32);
        }
        if matches!(op, BinOp::Div | BinOp::Rem) {
            // Division by zero ends the execution.
            let divides = self.pool.truth(b);
            let mut trapped = sym.clone();
            let traps = self.pool.not(divides);
            trapped.assume(&mut self.pool, traps);
            if !trapped.is_dead(&self.pool) {
                self.gone(thread, trapped);
            }
            sym.assume(&mut self.pool, divides);
        }
        arith::binary(&mut self.pool, op, ty, a, b)
    }

    /// Two addresses of one object.
    fn together(&self, a: Term, b: Term) -> bool {
        let object = |t: Term| self.guess.object_near(self.pool.constant(t)?);
        object(a).is_some() && object(a) == object(b)
    }

    /// Far away from its object an address would be another object's.
    fn pointer_add(
        &mut self,
        thread: &mut ThreadBuild,
        sym: &mut Sym,
        base: Term,
        index: Term,
        scale: u64,
    ) -> Term {
        let width = self.pool.width(base);
        let index = arith::resize(&mut self.pool, index, width, true);
        let scale = self.pool.bits(scale, width);
        let distance = self.pool.binary(encoder::term::BitOp::Mul, index, scale);
        let half = self.pool.bits(GAP / 4, width);
        let whole = self.pool.bits(GAP / 2, width);
        let moved = self.pool.add(distance, half);
        let near = self.pool.ult(moved, whole);
        let far = self.pool.not(near);
        let known = self.pool.constant(base).is_some_and(|b| self.guess.object_near(b).is_some());
        // The places of one object are compared one by one.
        if !known || self.pool.is_true(far) {
            self.doubt_if(thread, sym, far, "an address far outside of its object");
        }
        self.pool.add(base, distance)
    }

    fn peeks(&mut self, thread: &ThreadBuild, value: &Rvalue) -> bool {
        let mut peeks = address_bits::peeks(value, self.program.machine).peekable();
        if peeks.peek().is_none() {
            return false;
        }
        let program = self.program;
        let points_to =
            self.points_to.get_or_insert_with(|| PointsTo::new(program, Context::Insensitive));
        peeks.any(|peek| peek.matters(program, points_to, thread.function))
    }
}
