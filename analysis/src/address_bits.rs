//! Which computations look at single bits of an address.
//!
//! Where objects lie is up to the layout, and each engine has its own: what a program makes of some
//! bits of an address holds there only, so no proof may rest on it. No matter of the layout are the
//! lowest bits, as far as alignment says what they are, and those above all addresses (programs keep
//! tags in both); and a computation that keeps all others can be undone.
//!
//! Not seen: bytes of a stored address that are loaded one by one, as `memcpy` does.

use crate::points_to::{Pointee, PointsTo};
use ir::types::{Machine, Scalar};
use ir::{BinOp, FuncId, Operand, Program, Rvalue};

/// Why there is no proof.
pub const WHAT: &str = "single bits of an address";

/// What `malloc` promises.
const HEAP_ALIGN: u64 = 16;

/// A look at what may be an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Peek {
    pub operand: Operand,
    /// Of an object that is aligned like this only the offset is seen.
    pub align: u64,
}

impl Peek {
    /// Can the operand be an address, and is anything of the layout seen? A number that equals an
    /// address by chance is none.
    pub fn matters(&self, program: &Program, points_to: &PointsTo, function: FuncId) -> bool {
        let align = |place: &Pointee| match *place {
            Pointee::Object(id) => program.objects[id.index()].align,
            Pointee::Slot(f, id) => program.functions[f.index()].slots[id.index()].align,
            Pointee::Heap(..) => HEAP_ALIGN,
            Pointee::Function(_) => 1,
            Pointee::Unknown => u64::MAX,
        };
        // Beyond that the interpreter's objects are aligned by chance.
        let most = match program.machine {
            Machine::Ilp32 => 64,
            Machine::Lp64 => 1 << 16,
        };
        let known = |place: &Pointee| match place {
            Pointee::Unknown => u64::MAX,
            place => align(place).min(most),
        };
        points_to.targets(function, &self.operand).iter().any(|place| known(place) < self.align)
    }
}

/// What a computation looks at.
pub fn peeks(value: &Rvalue, machine: Machine) -> impl Iterator<Item = Peek> + use<> {
    let bits = |ty: Scalar| ty.bits(machine);
    let is_word = |ty: Scalar| !ty.is_float() && bits(ty) == machine.pointer_bits();
    let is_narrow = |ty: Scalar| !ty.is_float() && bits(ty) < machine.pointer_bits();
    let (operands, align) = match value {
        Rvalue::Cast { from, to, a } if is_word(*from) && is_narrow(*to) => {
            ([Some(*a), None], 1 << bits(*to))
        }
        Rvalue::Binary { op, ty, a, b, .. } if is_word(*ty) => {
            ([Some(*a), Some(*b)], align_for(*op, a, b, machine))
        }
        _ => ([None, None], 1),
    };
    let is_const = |operand: &Operand| matches!(operand, Operand::Const { .. });
    let peeked = operands.into_iter().flatten().filter(move |a| align > 1 && !is_const(a));
    peeked.map(move |operand| Peek { operand, align })
}

/// How operands must be aligned for the layout not to matter; 1 if it never does.
fn align_for(op: BinOp, a: &Operand, b: &Operand, machine: Machine) -> u64 {
    let of_mask = |mask: u64| mask.checked_add(1).map_or(u64::MAX, u64::next_power_of_two);
    match (op, a, b) {
        (BinOp::And, Operand::Const { bits, .. }, _)
        | (BinOp::And, _, Operand::Const { bits, .. }) => {
            let (kept, lost) = (bits & user_bits(machine), !bits & user_bits(machine));
            of_mask(kept).min(of_mask(lost))
        }
        (BinOp::Rem, _, Operand::Const { bits, .. }) if bits.is_power_of_two() => *bits,
        (BinOp::Shr, _, Operand::Const { bits, .. })
            if user_bits(machine).checked_shr(*bits as u32) == Some(0) =>
        {
            1
        }
        (BinOp::And | BinOp::Shr | BinOp::Mul | BinOp::Div | BinOp::Rem, ..) => u64::MAX,
        _ => 1,
    }
}

/// What addresses are made of: programs run in the lower half.
fn user_bits(machine: Machine) -> u64 {
    match machine {
        Machine::Lp64 => u64::MAX >> 17,
        Machine::Ilp32 => u64::from(u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::Reg;

    const A: Operand = Operand::Reg(Reg(0));
    const M: Machine = Machine::Lp64;

    /// The alignment that each look needs.
    fn aligns(value: &Rvalue) -> Vec<u64> {
        peeks(value, M).map(|peek| peek.align).collect()
    }

    fn with_const(op: BinOp, bits: u64) -> Vec<u64> {
        let b = Operand::Const { bits, ty: Scalar::U64 };
        aligns(&Rvalue::Binary { op, ty: Scalar::U64, a: A, b, checked: false })
    }

    #[test]
    fn what_can_be_undone_is_no_look() {
        for (op, bits) in [
            (BinOp::And, !0 >> 16),
            (BinOp::And, 0xffff << 48),
            (BinOp::Or, 1),
            (BinOp::Xor, 12345),
            (BinOp::Shr, 48),
            (BinOp::Add, 16),
        ] {
            assert_eq!(with_const(op, bits), [], "{op:?} {bits:#x}");
        }
    }

    #[test]
    fn tags_need_alignment() {
        for (op, bits, align) in [
            (BinOp::And, 1, 2),
            (BinOp::And, 4, 8),
            (BinOp::And, 7, 8),
            (BinOp::And, !7, 8),
            (BinOp::And, !0xfff, 4096),
            (BinOp::Rem, 64, 64),
        ] {
            assert_eq!(with_const(op, bits), [align], "{op:?} {bits:#x}");
        }
    }

    #[test]
    fn hashes_always_look() {
        for (op, bits) in
            [(BinOp::Shr, 4), (BinOp::Rem, 63), (BinOp::Div, 8), (BinOp::Mul, 0x9e37_79b9)]
        {
            assert_eq!(with_const(op, bits), [u64::MAX], "{op:?} {bits:#x}");
        }
        let b = Operand::Reg(Reg(1));
        let value = Rvalue::Binary { op: BinOp::And, ty: Scalar::U64, a: A, b, checked: false };
        assert_eq!(aligns(&value), [u64::MAX; 2], "a mask that is not known");
    }

    #[test]
    fn a_narrow_number_has_the_low_bits() {
        let cast = |from, to| aligns(&Rvalue::Cast { from, to, a: A });
        assert_eq!(cast(Scalar::Ptr, Scalar::I32), [1 << 32]);
        assert_eq!(cast(Scalar::U64, Scalar::U8), [256]);
        assert_eq!(cast(Scalar::Ptr, Scalar::U64), []);
        assert_eq!(cast(Scalar::I32, Scalar::U8), [], "no address is that narrow");
        let wider = Rvalue::Cast { from: Scalar::Ptr, to: Scalar::U64, a: A };
        assert_eq!(peeks(&wider, Machine::Ilp32).count(), 0);
    }
}
