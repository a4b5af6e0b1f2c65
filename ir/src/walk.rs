//! What an instruction reads, writes and where a terminator goes: the one place that knows every
//! instruction's shape, so that passes do not have to.

use crate::types::Scalar;
use crate::{BlockId, Callee, Function, InstKind, Operand, Program, Reg, Rvalue, Terminator};
use smallvec::{SmallVec, smallvec};

/// Hardly ever more than two: these lists are made for every instruction, so they take no allocation.
pub type Few<T> = SmallVec<[T; 2]>;

macro_rules! operands {
    ($kind:expr, $rvalue:ident) => {
        match $kind {
            InstKind::Assign { value, .. } => $rvalue(value),
            InstKind::Load { addr, .. } => smallvec![addr],
            InstKind::Store { addr, value, .. } => smallvec![addr, value],
            InstKind::Call { callee, args, .. } => {
                let mut all = Few::new();
                if let Callee::Indirect(pointer) = callee {
                    all.push(pointer);
                }
                all.extend(args);
                all
            }
            InstKind::Assume(a) | InstKind::Wait(a) => smallvec![a],
            InstKind::Spawn { place, function, arg, .. } => {
                let mut all: Few<_> = smallvec![function, arg];
                all.extend(place);
                all
            }
            InstKind::Join { thread, .. } | InstKind::Ended { thread, .. } => smallvec![thread],
            InstKind::Alloc { size, .. } => smallvec![size],
            InstKind::Free { ptr, .. } | InstKind::ObjectSize { ptr, .. } => smallvec![ptr],
            InstKind::SlotLive(_)
            | InstKind::SlotDead(_)
            | InstKind::SlotConst { .. }
            | InstKind::Nondet { .. }
            | InstKind::Error { .. }
            | InstKind::AtomicBegin { .. }
            | InstKind::AtomicEnd
            | InstKind::Fence { .. }
            | InstKind::ThreadSelf { .. }
            | InstKind::Unsupported { .. }
            | InstKind::Undefined { .. } => smallvec![],
        }
    };
}

macro_rules! rvalue_operands {
    ($value:expr) => {
        match $value {
            Rvalue::Use(a) | Rvalue::Unary { a, .. } | Rvalue::Cast { a, .. } => smallvec![a],
            Rvalue::Binary { a, b, .. } => smallvec![a, b],
            Rvalue::PtrAdd { base, index, .. } => smallvec![base, index],
            Rvalue::Undef(_) => smallvec![],
        }
    };
}

macro_rules! defined {
    ($kind:expr) => {
        match $kind {
            InstKind::Assign { dst, .. }
            | InstKind::Load { dst, .. }
            | InstKind::Nondet { dst, .. }
            | InstKind::Spawn { dst, .. }
            | InstKind::Join { dst, .. }
            | InstKind::Ended { dst, .. }
            | InstKind::ThreadSelf { dst }
            | InstKind::Alloc { dst, .. }
            | InstKind::ObjectSize { dst, .. }
            | InstKind::Call { dst: Some(dst), .. } => Some(dst),
            _ => None,
        }
    };
}

macro_rules! end_operand {
    ($end:expr) => {
        match $end {
            Terminator::Branch { cond, .. } => Some(cond),
            Terminator::Switch { value, .. } => Some(value),
            Terminator::Return(value) => value.into(),
            Terminator::ExitThread(value) => Some(value),
            Terminator::Goto(_) | Terminator::Stop(_) => None,
        }
    };
}

/// What the instruction reads.
pub fn operands(kind: &InstKind) -> Few<&Operand> {
    operands!(kind, rvalue_operands)
}

pub fn operands_mut(kind: &mut InstKind) -> Few<&mut Operand> {
    operands!(kind, rvalue_operands_mut)
}

pub fn rvalue_operands(value: &Rvalue) -> Few<&Operand> {
    rvalue_operands!(value)
}

fn rvalue_operands_mut(value: &mut Rvalue) -> Few<&mut Operand> {
    rvalue_operands!(value)
}

/// The register that the instruction writes.
pub fn defined(kind: &InstKind) -> Option<Reg> {
    defined!(kind).copied()
}

pub fn defined_mut(kind: &mut InstKind) -> Option<&mut Reg> {
    defined!(kind)
}

pub fn end_operand(end: &Terminator) -> Option<&Operand> {
    end_operand!(end)
}

pub fn end_operand_mut(end: &mut Terminator) -> Option<&mut Operand> {
    end_operand!(end)
}

/// The targets of a terminator, each as often as it is named.
pub fn targets_mut(end: &mut Terminator) -> Few<&mut BlockId> {
    match end {
        Terminator::Goto(b) => smallvec![b],
        Terminator::Branch { then, otherwise, .. } => smallvec![then, otherwise],
        Terminator::Switch { cases, default, .. } => {
            cases.iter_mut().map(|(_, b)| b).chain([default]).collect()
        }
        Terminator::Return(_) | Terminator::ExitThread(_) | Terminator::Stop(_) => smallvec![],
    }
}

/// The type of an operand of `function`. Addresses are pointers.
pub fn operand_type(function: &Function, operand: &Operand) -> Scalar {
    match operand {
        Operand::Const { ty, .. } => *ty,
        Operand::Reg(r) => function.regs[r.index()].ty,
        Operand::Object { .. } | Operand::Slot { .. } | Operand::Function(_) => Scalar::Ptr,
    }
}

/// A call by its target: what can be said without knowing where pointers point.
pub fn direct_callee<'p>(program: &'p Program, kind: &InstKind) -> Option<&'p Function> {
    match kind {
        InstKind::Call { callee: Callee::Direct(f), .. } => program.functions.get(f.index()),
        _ => None,
    }
}
