//! What an instruction reads, writes and where a terminator goes: the one place that knows every
//! instruction's shape, so that passes do not have to.

use crate::ir::{BlockId, Callee, Function, InstKind, Operand, Program, Reg, Rvalue, Terminator};
use crate::types::Scalar;

macro_rules! operands {
    ($kind:expr, $rvalue:ident) => {
        match $kind {
            InstKind::Assign { value, .. } => $rvalue(value),
            InstKind::Load { addr, .. } => vec![addr],
            InstKind::Store { addr, value, .. } => vec![addr, value],
            InstKind::Call { callee, args, .. } => {
                let mut all = Vec::with_capacity(args.len() + 1);
                if let Callee::Indirect(pointer) = callee {
                    all.push(pointer);
                }
                all.extend(args);
                all
            }
            InstKind::Assume(a) | InstKind::Wait(a) => vec![a],
            InstKind::Spawn { function, arg, .. } => vec![function, arg],
            InstKind::Join { thread, .. } | InstKind::Ended { thread, .. } => vec![thread],
            InstKind::Alloc { size, .. } => vec![size],
            InstKind::Free { ptr } | InstKind::ObjectSize { ptr, .. } => vec![ptr],
            InstKind::SlotLive(_)
            | InstKind::SlotDead(_)
            | InstKind::Nondet { .. }
            | InstKind::Error { .. }
            | InstKind::AtomicBegin { .. }
            | InstKind::AtomicEnd
            | InstKind::Fence { .. }
            | InstKind::ThreadSelf { .. }
            | InstKind::Unsupported { .. } => vec![],
        }
    };
}

macro_rules! rvalue_operands {
    ($value:expr) => {
        match $value {
            Rvalue::Use(a) | Rvalue::Unary { a, .. } | Rvalue::Cast { a, .. } => vec![a],
            Rvalue::Binary { a, b, .. } => vec![a, b],
            Rvalue::PtrAdd { base, index, .. } => vec![base, index],
            Rvalue::Undef(_) => vec![],
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
pub fn operands(kind: &InstKind) -> Vec<&Operand> {
    operands!(kind, rvalue_operands)
}

pub fn operands_mut(kind: &mut InstKind) -> Vec<&mut Operand> {
    operands!(kind, rvalue_operands_mut)
}

pub fn rvalue_operands(value: &Rvalue) -> Vec<&Operand> {
    rvalue_operands!(value)
}

fn rvalue_operands_mut(value: &mut Rvalue) -> Vec<&mut Operand> {
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
pub fn targets_mut(end: &mut Terminator) -> Vec<&mut BlockId> {
    match end {
        Terminator::Goto(b) => vec![b],
        Terminator::Branch { then, otherwise, .. } => vec![then, otherwise],
        Terminator::Switch { cases, default, .. } => {
            cases.iter_mut().map(|(_, b)| b).chain([default]).collect()
        }
        Terminator::Return(_) | Terminator::ExitThread(_) | Terminator::Stop(_) => vec![],
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
