//! Values as far as they are known: one number, one address, or any.
//!
//! Invariant: what is computed from values that cover the numbers of an execution covers its result.

use super::memory::Base;
use super::precision::Guess;
use super::threads::ThreadIdx;
use ir::types::{Machine, Scalar};
use ir::{BinOp, FuncId, Operand, Rvalue, fold};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Any value; which untracked cells it was computed from.
    Any(Guess),
    Bits(u64),
    Address {
        base: Base,
        offset: i64,
    },
    Function(FuncId),
    /// The id of a thread: never 0.
    Thread(ThreadIdx),
}

/// What an expression gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Value(Value),
    /// A division by zero, which ends the execution.
    Ends,
}

impl Value {
    pub const ANY: Value = Value::Any(Guess::NONE);

    pub fn guess(self) -> Guess {
        match self {
            Value::Any(guess) => guess,
            _ => Guess::NONE,
        }
    }

    /// Is it not zero, if that is known?
    pub fn truth(self) -> Option<bool> {
        match self {
            Value::Any(_) => None,
            Value::Bits(bits) => Some(bits != 0),
            Value::Address { .. } | Value::Function(_) | Value::Thread(_) => Some(true),
        }
    }
}

/// A right-hand side, with what its operands are and how wide.
pub fn rvalue(
    machine: Machine,
    value: &Rvalue,
    operand: impl Fn(&Operand) -> (Value, Scalar),
) -> Outcome {
    let numbers = |op: &Operand| match operand(op) {
        (Value::Bits(bits), ty) => Some((bits, ty)),
        _ => None,
    };
    if let Some(known) = fold::rvalue(machine, value, numbers) {
        return Outcome::Value(Value::Bits(known.bits));
    }
    let of = |op: &Operand| operand(op).0;
    let found = match value {
        Rvalue::Use(a) => of(a),
        Rvalue::Binary { op: BinOp::Div | BinOp::Rem, ty, b, .. }
            if !ty.is_float() && of(b) == Value::Bits(0) =>
        {
            return Outcome::Ends;
        }
        Rvalue::Binary { op, a, b, .. } if op.is_comparison() => {
            match compared(*op, of(a), of(b)) {
                Some(holds) => Value::Bits(u64::from(holds)),
                None => any(value, of),
            }
        }
        Rvalue::Cast { to, a, .. } if is_wide(machine, *to) && !is_number(of(a)) => of(a),
        Rvalue::PtrAdd { base, index, scale } => match (of(base), operand(index)) {
            (Value::Address { base, offset }, (Value::Bits(bits), ty)) => {
                let steps = fold::number(machine, ty, bits) as i64;
                let offset = offset.wrapping_add(steps.wrapping_mul(*scale as i64));
                Value::Address { base, offset }
            }
            _ => any(value, of),
        },
        _ => any(value, of),
    };
    Outcome::Value(found)
}

/// All bits of an address are kept.
fn is_wide(machine: Machine, to: Scalar) -> bool {
    !to.is_float() && to.bits(machine) >= machine.pointer_bits()
}

fn is_number(value: Value) -> bool {
    matches!(value, Value::Bits(_))
}

fn any(value: &Rvalue, of: impl Fn(&Operand) -> Value) -> Value {
    let operands = ir::walk::rvalue_operands(value).into_iter();
    Value::Any(operands.map(|op| of(op).guess()).fold(Guess::NONE, Guess::and))
}

/// Addresses are compared where they cannot be null, and within one object that there is once.
fn compared(op: BinOp, a: Value, b: Value) -> Option<bool> {
    let equal = match (a, b) {
        (Value::Any(_), _) | (_, Value::Any(_)) | (Value::Bits(_), Value::Bits(_)) => return None,
        (Value::Bits(0), _) | (_, Value::Bits(0)) => false,
        (Value::Function(f), Value::Function(g)) => f == g,
        (Value::Address { base: x, offset: i }, Value::Address { base: y, offset: j }) => {
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
