//! Numbers that wear types.
//!
//! Everything the theory talks about is a dense number given out in order of creation, so every map
//! is a vector. The types keep a map over nodes from taking a write.

use std::fmt;
use std::ops::Not;

/// Declares a newtype over `u32` that indexes vectors.
macro_rules! number {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The `i`-th of its kind.
            pub fn new(i: usize) -> Self {
                Self(u32::try_from(i).unwrap_or(u32::MAX))
            }

            /// Its place in a vector.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $letter, self.0)
            }
        }
    };
}

number!(
    /// A point of the order: one event, or one atomic block with all its events.
    Node,
    "n"
);
number!(
    /// A line of nodes that are ordered by construction: the program order of one thread.
    Chain,
    "t"
);
number!(
    /// A memory location. Accesses to one cell always meet; across cells only an alias literal says so.
    Cell,
    "x"
);
number!(
    /// A write access.
    Write,
    "w"
);
number!(
    /// A read access.
    Read,
    "r"
);
number!(
    /// A candidate read-from pair with its literal.
    RfId,
    "rf"
);
number!(
    /// A literal that speaks about the order of two nodes.
    PairId,
    "p"
);
number!(
    /// An edge in force. Edges are numbered by age: an explanation looks only at older ones.
    EdgeId,
    "e"
);

/// A literal: a variable or its negation, coded as twice the variable plus the sign.
///
/// The host numbers its variables densely from 0 (a table has one entry per literal).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The literal that is true when variable `var` is.
    pub fn positive(var: u32) -> Self {
        Self(var << 1)
    }

    /// The literal that is true when variable `var` is not.
    pub fn negative(var: u32) -> Self {
        Self(var << 1 | 1)
    }

    /// From a non-zero signed number as SAT solvers use it: variable 1 becomes variable 1.
    pub fn from_dimacs(number: i32) -> Self {
        let var = number.unsigned_abs();
        if number < 0 { Self::negative(var) } else { Self::positive(var) }
    }

    /// The inverse of [`Lit::from_dimacs`].
    pub fn to_dimacs(self) -> i32 {
        let var = self.var() as i32;
        if self.is_negative() { -var } else { var }
    }

    /// Its variable.
    pub fn var(self) -> u32 {
        self.0 >> 1
    }

    /// Does it negate its variable?
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// Its place in a table over literals.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

/// Where a node stands: its chain and how many nodes of the chain come before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChainPosition {
    /// The chain.
    pub chain: Chain,
    /// The position in the chain, from 0.
    pub pos: u32,
}
