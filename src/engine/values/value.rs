//! Values as far as they are known: one number, one address, or any.
//!
//! Invariant: what is computed from values that cover the numbers of an execution covers its result.

use super::memory::ObjectBase;
use super::precision::GuessedCells;
use super::threads::ThreadIdx;
use ir::types::{Machine, Scalar};
use ir::{BinOp, FuncId, Operand, Rvalue, fold};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FlowValue {
    /// Any value; which untracked cells it was computed from.
    Any(GuessedCells),
    Bits(u64),
    Address {
        base: ObjectBase,
        offset: i64,
    },
    Function(FuncId),
    /// The id of a thread: never 0.
    Thread(ThreadIdx),
}

/// What an expression gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Computation {
    Value(FlowValue),
    /// A division by zero, which ends the execution.
    Ends,
}

impl FlowValue {
    pub const ANY: FlowValue = FlowValue::Any(GuessedCells::NONE);

    pub fn guess(self) -> GuessedCells {
        match self {
            FlowValue::Any(guess) => guess,
            _ => GuessedCells::NONE,
        }
    }

    /// Is it not zero, if that is known?
    pub fn truth(self) -> Option<bool> {
        match self {
            FlowValue::Any(_) => None,
            FlowValue::Bits(bits) => Some(bits != 0),
            FlowValue::Address { .. } | FlowValue::Function(_) | FlowValue::Thread(_) => Some(true),
        }
    }
}

/// A right-hand side, with what its operands are and how wide.
pub fn rvalue(
    machine: Machine,
    value: &Rvalue,
    operand: impl Fn(&Operand) -> (FlowValue, Scalar),
) -> Computation {
    let numbers = |op: &Operand| match operand(op) {
        (FlowValue::Bits(bits), ty) => Some((bits, ty)),
        _ => None,
    };
    if let Some(known) = fold::rvalue(machine, value, numbers) {
        return Computation::Value(FlowValue::Bits(known.bits));
    }
    let of = |op: &Operand| operand(op).0;
    let found = match value {
        Rvalue::Use(a) => of(a),
        Rvalue::Binary { op: BinOp::Div | BinOp::Rem, ty, b, .. }
            if !ty.is_float() && of(b) == FlowValue::Bits(0) =>
        {
            return Computation::Ends;
        }
        Rvalue::Binary { op, a, b, .. } if op.is_comparison() => {
            match compared(*op, of(a), of(b)) {
                Some(holds) => FlowValue::Bits(u64::from(holds)),
                None => any(value, of),
            }
        }
        Rvalue::Cast { to, a, .. } if is_wide(machine, *to) && !is_number(of(a)) => of(a),
        Rvalue::PtrAdd { base, index, scale } => match (of(base), operand(index)) {
            (FlowValue::Address { base, offset }, (FlowValue::Bits(bits), ty)) => {
                let steps = fold::number(machine, ty, bits) as i64;
                let offset = offset.wrapping_add(steps.wrapping_mul(*scale as i64));
                FlowValue::Address { base, offset }
            }
            _ => any(value, of),
        },
        _ => any(value, of),
    };
    Computation::Value(found)
}

/// All bits of an address are kept.
fn is_wide(machine: Machine, to: Scalar) -> bool {
    !to.is_float() && to.bits(machine) >= machine.pointer_bits()
}

fn is_number(value: FlowValue) -> bool {
    matches!(value, FlowValue::Bits(_))
}

fn any(value: &Rvalue, of: impl Fn(&Operand) -> FlowValue) -> FlowValue {
    let operands = ir::walk::rvalue_operands(value).into_iter();
    FlowValue::Any(operands.map(|op| of(op).guess()).fold(GuessedCells::NONE, GuessedCells::and))
}

/// Addresses are compared where they cannot be null, and within one object that there is once.
fn compared(op: BinOp, a: FlowValue, b: FlowValue) -> Option<bool> {
    let equal = match (a, b) {
        (FlowValue::Any(_), _)
        | (_, FlowValue::Any(_))
        | (FlowValue::Bits(_), FlowValue::Bits(_)) => return None,
        (FlowValue::Bits(0), _) | (_, FlowValue::Bits(0)) => false,
        (FlowValue::Function(f), FlowValue::Function(g)) => f == g,
        (FlowValue::Address { base: x, offset: i }, FlowValue::Address { base: y, offset: j }) => {
            if x != y || !x.is_static() {
                return None;
            }
            i == j
        }
        _ => return None,
    };
    match op {
        BinOp::Eq => Some(equal),
        BinOp::Ne => Some(!equal),
        _ => None,
    }
}
