//! Terms: shared bit-vector and Boolean expressions, the language of all backends.
//!
//! A `Pool` holds each distinct node once, so equal terms are equal numbers and comparing is free.
//! Constructors simplify locally: constants fold (with `ir::arith`, so that folding and the
//! interpreter agree), Boolean structure is And and Not only, comparisons reach through `ite` and
//! extensions to find the Boolean that a C program turned into an `int` and back.
//!
//! Invariant: operands are older than the node that uses them, so a pass over the numbers is a pass
//! from the leaves up. Cost of a constructor: a hash lookup; the rules look a few levels down.

use rustc_hash::FxHashMap;
use std::fmt;

/// A term of one pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

/// A variable: the solver's to choose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    Bool,
    /// 1 to 64 bits.
    Bits(u8),
}

/// How a term is made. Operands of one node have the sorts that its line says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A Boolean constant.
    Bool(bool),
    /// A bit-vector constant; the bits above its width are zero.
    Bits(u64),
    /// A variable of either sort.
    Var(Var),
    /// Boolean.
    Not(Term),
    /// Boolean.
    And(Term, Term),
    /// A Boolean, two of the same sort.
    Ite(Term, Term, Term),
    /// Two of the same sort, Boolean or bits; gives a Boolean.
    Eq(Term, Term),
    /// Bits; unsigned less-than.
    Ult(Term, Term),
    /// Bits; signed less-than.
    Slt(Term, Term),
    /// Bits of one width.
    BitNot(Term),
    /// Bits of one width.
    Neg(Term),
    /// Two bit-vectors of one width, which is the result's.
    Binary(BitOp, Term, Term),
    /// The bits from `low` on, as many as the sort says.
    Extract {
        of: Term,
        low: u8,
    },
    /// The first operand is the high part.
    Concat(Term, Term),
    /// To the sort's width.
    ZeroExt(Term),
    SignExt(Term),
    /// IEEE binary32 or binary64 held in bits, round to nearest even.
    Float(FloatOp, Term, Term),
    /// Comparison of floats, gives a Boolean (false for NaN).
    FloatCmp(FloatCmp, Term, Term),
    /// Between floats and integers; the widths of operand and sort say which.
    Convert(Convert, Term),
}

/// Shifts by the width or more: the value is 0, or all signs for `Ashr`. Division by zero gives all
/// ones, its remainder the dividend (SMT-LIB); the encoder guards it away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BitOp {
    Add,
    Sub,
    Mul,
    UDiv,
    URem,
    SDiv,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
}

impl BitOp {
    pub const ALL: [BitOp; 13] = [
        BitOp::Add,
        BitOp::Sub,
        BitOp::Mul,
        BitOp::UDiv,
        BitOp::URem,
        BitOp::SDiv,
        BitOp::SRem,
        BitOp::And,
        BitOp::Or,
        BitOp::Xor,
        BitOp::Shl,
        BitOp::Lshr,
        BitOp::Ashr,
    ];
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatCmp {
    Eq,
    Lt,
    Le,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Convert {
    FloatToFloat,
    SignedToFloat,
    UnsignedToFloat,
    /// Truncates towards zero and wraps as `ir::arith` says.
    FloatToSigned,
    FloatToUnsigned,
}

/// All terms of one encoding.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    nodes: Vec<(Op, Sort)>,
    ids: FxHashMap<(Op, Sort), Term>,
    vars: u32,
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl Term {
    /// The inverse of `index`; only for numbers that came from it.
    pub(crate) fn new(index: usize) -> Term {
        Term(index as u32)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

pub fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The value of the low `width` bits with the top one as the sign.
pub fn signed(bits: u64, width: u8) -> i64 {
    let shift = 64 - u32::from(width);
    ((bits << shift) as i64) >> shift
}

/// Looking.
impl Pool {
    pub fn op(&self, t: Term) -> Op {
        self.nodes[t.index()].0
    }

    pub fn sort(&self, t: Term) -> Sort {
        self.nodes[t.index()].1
    }

    /// Of a bit-vector; 1 for a Boolean.
    pub fn width(&self, t: Term) -> u8 {
        match self.sort(t) {
            Sort::Bool => 1,
            Sort::Bits(w) => w,
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All terms, operands first.
    pub fn terms(&self) -> impl Iterator<Item = Term> + use<> {
        (0..self.nodes.len() as u32).map(Term)
    }

    /// How many variables there are.
    pub fn vars(&self) -> u32 {
        self.vars
    }

    /// The value of a constant of either sort.
    pub fn constant(&self, t: Term) -> Option<u64> {
        match self.op(t) {
            Op::Bool(b) => Some(u64::from(b)),
            Op::Bits(b) => Some(b),
            _ => None,
        }
    }

    pub fn is_true(&self, t: Term) -> bool {
        self.op(t) == Op::Bool(true)
    }

    pub fn is_false(&self, t: Term) -> bool {
        self.op(t) == Op::Bool(false)
    }
}

/// Leaves.
impl Pool {
    pub fn new() -> Pool {
        Pool::default()
    }

    pub(crate) fn intern(&mut self, op: Op, sort: Sort) -> Term {
        if let Some(&t) = self.ids.get(&(op, sort)) {
            return t;
        }
        let t = Term(self.nodes.len() as u32);
        self.nodes.push((op, sort));
        self.ids.insert((op, sort), t);
        t
    }

    pub fn bool(&mut self, b: bool) -> Term {
        self.intern(Op::Bool(b), Sort::Bool)
    }

    pub fn bits(&mut self, value: u64, width: u8) -> Term {
        self.intern(Op::Bits(value & mask(width)), Sort::Bits(width))
    }

    pub fn fresh(&mut self, sort: Sort) -> Term {
        self.vars += 1;
        self.intern(Op::Var(Var(self.vars - 1)), sort)
    }
}

impl Pool {
    /// The negation of a Boolean, if it exists.
    pub fn negation(&self, t: Term) -> Option<Term> {
        match self.op(t) {
            Op::Not(a) => Some(a),
            _ => self.lookup(Op::Not(t), Sort::Bool),
        }
    }

    /// An existing node.
    pub(crate) fn lookup(&self, op: Op, sort: Sort) -> Option<Term> {
        self.ids.get(&(op, sort)).copied()
    }
}
