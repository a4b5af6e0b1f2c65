//! Values of registers and memory: integers and addresses.
//!
//! An address is a symbol and an offset in bytes; there is no number behind it. Arithmetic that an
//! address does not survive gives `None`, and the instruction that asked is not supported.

/// A place in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Location {
    /// Index into the test's symbols.
    pub symbol: u32,
    pub offset: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    Int(i64),
    Address(Location),
}

impl Value {
    pub const ZERO: Value = Value::Int(0);

    /// As a condition of a branch: an address is not null.
    pub fn is_true(self) -> bool {
        self != Value::ZERO
    }

    /// As `bytes` bytes of memory or of a register hold it, sign-extended.
    pub fn truncate(self, bytes: u8) -> Value {
        match self {
            Value::Int(i) if bytes < 8 => {
                let unused = 64 - 8 * u32::from(bytes);
                Value::Int(i << unused >> unused)
            }
            other => other,
        }
    }

    /// The same, zero-extended.
    pub(crate) fn truncate_unsigned(self, bytes: u8) -> Value {
        match self {
            Value::Int(i) if bytes < 8 => Value::Int(i & ((1 << (8 * u32::from(bytes))) - 1)),
            other => other,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    /// Logical.
    Shr,
    /// Arithmetic.
    Sar,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Unsigned.
    Below,
    AndNot,
    LogicalAnd,
    LogicalOr,
    /// The flags N, Z, C and V (8, 4, 2, 1) of a sum, a difference or a conjunction of so many bytes.
    AddFlags(u8),
    SubFlags(u8),
    AndFlags(u8),
}

pub fn binary(op: BinOp, a: Value, b: Value) -> Option<Value> {
    use BinOp::*;
    use Value::{Address, Int};
    let truth = |b: bool| Some(Int(b.into()));
    match (op, a, b) {
        (Eq, _, _) => truth(a == b),
        (Ne, _, _) => truth(a != b),
        (LogicalAnd, _, _) => truth(a.is_true() && b.is_true()),
        (LogicalOr, _, _) => truth(a.is_true() || b.is_true()),
        (_, Int(x), Int(y)) => integers(op, x, y).map(Int),
        (Add, Address(l), Int(i)) | (Add, Int(i), Address(l)) => {
            Some(Address(Location { offset: l.offset.wrapping_add(i), ..l }))
        }
        (Sub, Address(l), Int(i)) => {
            Some(Address(Location { offset: l.offset.wrapping_sub(i), ..l }))
        }
        (Sub, Address(l), Address(m)) if l.symbol == m.symbol => {
            Some(Int(l.offset.wrapping_sub(m.offset)))
        }
        (Xor, Address(l), Address(m)) if l == m => Some(Int(0)),
        (SubFlags(_), Address(l), Address(m)) if l == m => Some(Int(4 | 2)),
        (And | Mul, Address(_), Int(0)) | (And | Mul, Int(0), Address(_)) => Some(Int(0)),
        (And, Address(l), Int(-1)) | (And, Int(-1), Address(l)) => Some(Address(l)),
        (Or | Xor, Address(l), Int(0)) | (Or | Xor, Int(0), Address(l)) => Some(Address(l)),
        (And | Or, Address(l), Address(m)) if l == m => Some(a),
        (Shl | Shr | Sar, Address(_), Int(0)) => Some(a),
        _ => None,
    }
}

fn integers(op: BinOp, x: i64, y: i64) -> Option<i64> {
    use BinOp::*;
    let truth = |b: bool| Some(i64::from(b));
    let shift = |by: i64| u32::try_from(by).ok().filter(|by| *by < 64);
    match op {
        Add => Some(x.wrapping_add(y)),
        Sub => Some(x.wrapping_sub(y)),
        Mul => Some(x.wrapping_mul(y)),
        Div => x.checked_div(y),
        Rem => x.checked_rem(y),
        And => Some(x & y),
        Or => Some(x | y),
        Xor => Some(x ^ y),
        AndNot => Some(x & !y),
        Shl => shift(y).map(|by| x << by),
        Shr => shift(y).map(|by| ((x as u64) >> by) as i64),
        Sar => shift(y).map(|by| x >> by),
        Lt => truth(x < y),
        Le => truth(x <= y),
        Gt => truth(x > y),
        Ge => truth(x >= y),
        Below => truth((x as u64) < (y as u64)),
        AddFlags(bytes) | SubFlags(bytes) | AndFlags(bytes) => Some(flags(op, bytes, x, y)),
        Eq | Ne | LogicalAnd | LogicalOr => None, // done by the caller
    }
}

/// The flags of an operation on numbers of so many bytes.
fn flags(op: BinOp, bytes: u8, x: i64, y: i64) -> i64 {
    let bits = 8 * u32::from(bytes);
    let mask = u64::MAX >> (64 - bits);
    let (x, y) = (x as u64 & mask, y as u64 & mask);
    let (sum, difference) = (x.wrapping_add(y) & mask, x.wrapping_sub(y) & mask);
    // The sign of the last is the overflow.
    let (result, carry, overflow) = match op {
        BinOp::AddFlags(_) => (sum, sum < x, !(x ^ y) & (x ^ sum)),
        BinOp::SubFlags(_) => (difference, x >= y, (x ^ y) & (x ^ difference)),
        _ => (x & y, false, 0),
    };
    let sign = |n: u64| (n >> (bits - 1) & 1) as i64;
    sign(result) << 3 | i64::from(result == 0) << 2 | i64::from(carry) << 1 | sign(overflow)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of bytes against the definition in wider numbers.
    #[test]
    fn flags_of_bytes() {
        for (a, b) in (0..=255u8).flat_map(|a| (0..=255u8).map(move |b| (a, b))) {
            let of = |result: u8, carry: bool, overflow: bool| {
                let negative = (result as i8) < 0;
                Some(Value::Int(
                    i64::from(negative) * 8
                        + i64::from(result == 0) * 4
                        + i64::from(carry) * 2
                        + i64::from(overflow),
                ))
            };
            let (x, y) = (Value::Int(a.into()), Value::Int(b.into()));
            let sum = of(
                a.wrapping_add(b),
                a.checked_add(b).is_none(),
                (a as i8).checked_add(b as i8).is_none(),
            );
            assert_eq!(binary(BinOp::AddFlags(1), x, y), sum, "{a} + {b}");
            let difference =
                of(a.wrapping_sub(b), a >= b, (a as i8).checked_sub(b as i8).is_none());
            assert_eq!(binary(BinOp::SubFlags(1), x, y), difference, "{a} - {b}");
            assert_eq!(binary(BinOp::AndFlags(1), x, y), of(a & b, false, false), "{a} & {b}");
        }
    }
}
