//! What a register holds, and how threads and objects are named.
//!
//! A value is a bit pattern or a view of a symbol. The view `(symbol, add, shift)` used at a type of `n`
//! bits means: the low `n` bits of the symbol's mathematical value plus `add`, shifted right by `8 * shift` (an
//! arithmetic shift of an infinitely sign-extended number). So truncation, reinterpretation and
//! copying byte by byte keep a value symbolic without more bookkeeping, and so does the addition of a number
//! where nothing wraps around.

/// A thread by the id that the IR sees: 1 is the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Tid(pub u32);

impl Tid {
    pub const FIRST: Tid = Tid(1);

    pub fn index(self) -> usize {
        self.0 as usize - 1
    }

    pub fn from_index(index: usize) -> Tid {
        Tid(index as u32 + 1)
    }
}

/// An object by the address slot it starts in. While an object is alive its key is its own; a dead
/// object's key is given to a new one only when no pointer to the dead one is left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjKey(pub u32);

/// A symbol of one state. Not canonical: two equal states may number their symbols differently.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// The high bits beyond the type's width are zero.
    Int(u64),
    Sym {
        id: SymId,
        /// In bytes.
        shift: u8,
        add: i64,
    },
}

/// What a view takes of a symbol's value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub shift: u8,
    pub add: i64,
}

impl Value {
    pub const ZERO: Value = Value::Int(0);

    pub fn sym(id: SymId) -> Value {
        Value::Sym { id, shift: 0, add: 0 }
    }

    pub fn int(self) -> Option<u64> {
        match self {
            Value::Int(bits) => Some(bits),
            Value::Sym { .. } => None,
        }
    }
}
