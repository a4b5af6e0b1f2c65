//! An operand that was evaluated on two paths, in another order on each: one operand behind both.

use super::place::Lvalue;
use super::sequence::Got;
use super::{Unit, Value};
use ir::types::{Scalar, TypeId};
use ir::{BlockId, InstKind, Operand};

/// Where paths end: some that are merged already, and one more.
#[derive(Clone, Copy)]
pub(crate) struct Ends<'a> {
    pub before: &'a [BlockId],
    pub last: BlockId,
}

impl Ends<'_> {
    fn all(self) -> impl Iterator<Item = BlockId> {
        self.before.iter().copied().chain([self.last])
    }
}

impl Unit<'_> {
    /// One operand that came by either of two paths.
    pub fn merge(&mut self, pair: (Got, Got), ends: Ends) -> Got {
        match pair {
            (Got::Value(a), Got::Value(b)) => Got::Value(self.merge_values(a, b, ends)),
            (Got::Place(a), Got::Place(b)) => Got::Place(self.merge_places(a, b, ends)),
            (Got::Updated(p, a), Got::Updated(q, b)) => {
                Got::Updated(self.merge_places(p, q, ends), self.merge_values(a, b, ends))
            }
            (got, _) => got,
        }
    }

    fn merge_places(&mut self, a: Lvalue, b: Lvalue, ends: Ends) -> Lvalue {
        self.must_be_alike((a.ty(), b.ty()), ends);
        match (a, b) {
            (Lvalue::Memory { addr, ty }, Lvalue::Memory { addr: other, .. }) => {
                let addr = self.merge_operands((addr, other), Scalar::Ptr, ends);
                Lvalue::Memory { addr, ty }
            }
            (Lvalue::Bits { addr, ty, bits }, Lvalue::Bits { addr: other, .. }) => {
                let addr = self.merge_operands((addr, other), Scalar::Ptr, ends);
                Lvalue::Bits { addr, ty, bits }
            }
            _ => a,
        }
    }

    fn merge_values(&mut self, a: Value, b: Value, ends: Ends) -> Value {
        let types = (self.type_of_value(a), self.type_of_value(b));
        self.must_be_alike(types, ends);
        match (a, b) {
            (Value::Wide { lo, hi, ty }, Value::Wide { lo: other_lo, hi: other_hi, .. }) => {
                let lo = self.merge_operands((lo, other_lo), Scalar::U64, ends);
                let hi = self.merge_operands((hi, other_hi), Scalar::U64, ends);
                Value::Wide { lo, hi, ty }
            }
            (Value::Scalar { op, ty }, Value::Scalar { op: other, .. }) => {
                let scalar = self.link.types.scalar(ty).unwrap_or(Scalar::I32);
                Value::Scalar { op: self.merge_operands((op, other), scalar, ends), ty }
            }
            (Value::Memory { addr, ty }, Value::Memory { addr: other, .. }) => {
                Value::Memory { addr: self.merge_operands((addr, other), Scalar::Ptr, ends), ty }
            }
            _ => a,
        }
    }

    /// Arrays of variable length have sizes that only one of the paths knows.
    fn must_be_alike(&mut self, (a, b): (TypeId, TypeId), ends: Ends) {
        if a == b {
            return;
        }
        for end in ends.all() {
            self.f.continue_at(end);
            self.emit(InstKind::Unsupported { what: "operands of variable size".into() });
        }
    }

    fn merge_operands(
        &mut self,
        (a, b): (Operand, Operand),
        scalar: Scalar,
        ends: Ends,
    ) -> Operand {
        if a == b {
            return a;
        }
        let reg = self.f.temp(scalar, self.at);
        for end in ends.all() {
            self.f.continue_at(end);
            self.set(reg, if end == ends.last { b } else { a });
        }
        Operand::Reg(reg)
    }
}
