//! Values along one path through a loop body, and which branches they decide.
//!
//! Values are hash-consed terms, so equal computations on equal values are one number. Taking a
//! branch teaches that a term is zero or not; later branches on the same condition, its negation or
//! its copies are then decided. This is just enough to see that the path on which a
//! compare-and-exchange stored is not the path that tries again.

use ir::fold;
use ir::types::{Machine, Scalar};
use ir::walk;
use ir::*;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LoopTerm(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum TermShape {
    /// What the register held when the path began.
    Initial(Reg),
    /// Different from everything else.
    Fresh(u32),
    Const(u64),
    /// The address of an object, slot or function.
    Address(Operand),
    Unary(UnOp, Scalar, LoopTerm),
    Binary(BinOp, Scalar, LoopTerm, LoopTerm),
    Cast(Scalar, Scalar, LoopTerm),
    Element(LoopTerm, LoopTerm, u64),
}

/// An operand of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// As it was when the path began.
    Reg(Reg),
    Const(u64),
    Other,
}

/// All terms of one loop.
pub struct LoopTerms {
    machine: Machine,
    shapes: Vec<TermShape>,
    ids: FxHashMap<TermShape, LoopTerm>,
}

impl LoopTerms {
    pub fn new(machine: Machine) -> LoopTerms {
        LoopTerms { machine, shapes: Vec::new(), ids: FxHashMap::default() }
    }

    fn term(&mut self, shape: TermShape) -> LoopTerm {
        let next = LoopTerm(self.shapes.len() as u32);
        let term = *self.ids.entry(shape).or_insert(next);
        if term == next {
            self.shapes.push(shape);
        }
        term
    }

    fn fresh(&mut self) -> LoopTerm {
        self.term(TermShape::Fresh(self.shapes.len() as u32))
    }

    pub fn initial(&mut self, reg: Reg) -> LoopTerm {
        self.term(TermShape::Initial(reg))
    }

    fn shape(&self, term: LoopTerm) -> TermShape {
        self.shapes[term.0 as usize]
    }

    pub fn constant(&self, term: LoopTerm) -> Option<u64> {
        match self.shape(term) {
            TermShape::Const(bits) => Some(bits),
            _ => None,
        }
    }

    /// Is the term computed from constants and from what these registers held at first?
    pub(crate) fn is_made_of(&self, term: LoopTerm, from: &impl Fn(Reg) -> bool) -> bool {
        match self.shape(term) {
            TermShape::Initial(reg) => from(reg),
            TermShape::Fresh(_) => false,
            TermShape::Const(_) | TermShape::Address(_) => true,
            TermShape::Unary(_, _, x) | TermShape::Cast(_, _, x) => self.is_made_of(x, from),
            TermShape::Binary(_, _, x, y) | TermShape::Element(x, y, _) => {
                self.is_made_of(x, from) && self.is_made_of(y, from)
            }
        }
    }

    /// What a comparison compares.
    pub fn comparison(&self, term: LoopTerm) -> Option<(BinOp, Scalar, Leaf, Leaf)> {
        let leaf = |t: LoopTerm| match self.shape(t) {
            TermShape::Initial(reg) => Leaf::Reg(reg),
            TermShape::Const(bits) => Leaf::Const(bits),
            _ => Leaf::Other,
        };
        match self.shape(term) {
            TermShape::Binary(op, ty, a, b) if op.is_comparison() => {
                Some((op, ty, leaf(a), leaf(b)))
            }
            _ => None,
        }
    }

    /// If the term is what the register was at first plus a constant: that constant, modulo 2 to the
    /// register's bits. (Wider arithmetic has the same low bits.)
    pub(crate) fn added_to(&self, term: LoopTerm, reg: Reg, ty: Scalar) -> Option<u64> {
        let machine = self.machine;
        let wide = |t: Scalar| !t.is_float() && t.bits(machine) >= ty.bits(machine);
        match self.shape(term) {
            TermShape::Initial(r) if r == reg => Some(0),
            TermShape::Cast(from, to, x) if wide(from) && wide(to) => self.added_to(x, reg, ty),
            TermShape::Binary(op @ (BinOp::Add | BinOp::Sub), t, x, y) if wide(t) => {
                match (op, self.constant(x), self.constant(y)) {
                    (BinOp::Add, _, Some(k)) => Some(self.added_to(x, reg, ty)?.wrapping_add(k)),
                    (BinOp::Add, Some(k), _) => Some(self.added_to(y, reg, ty)?.wrapping_add(k)),
                    (BinOp::Sub, _, Some(k)) => Some(self.added_to(x, reg, ty)?.wrapping_sub(k)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A term that is zero exactly if `term` is (or, if `true` comes with it, is not): through
    /// comparisons with zero and conversions that lose nothing.
    fn condition(&mut self, mut term: LoopTerm) -> (LoopTerm, bool) {
        let mut negated = false;
        loop {
            match self.shape(term) {
                TermShape::Binary(BinOp::Eq, ty, x, y) if self.is_zero(ty, y) => {
                    (term, negated) = (x, !negated);
                }
                TermShape::Binary(BinOp::Ne, ty, x, y) if self.is_zero(ty, y) => term = x,
                TermShape::Binary(BinOp::Ne, ty, x, y) => {
                    let equal = self.term(TermShape::Binary(BinOp::Eq, ty, x, y));
                    return (equal, !negated);
                }
                TermShape::Cast(from, to, x) if self.keeps_zero(from, to, x) => term = x,
                _ => return (term, negated),
            }
        }
    }

    /// The number whose bits are zero. (A float has two zeros.)
    fn is_zero(&self, ty: Scalar, term: LoopTerm) -> bool {
        !ty.is_float() && self.constant(term) == Some(0)
    }

    fn keeps_zero(&self, from: Scalar, to: Scalar, x: LoopTerm) -> bool {
        let truth = matches!(self.shape(x), TermShape::Binary(op, ..) if op.is_comparison());
        let wide = to.bits(self.machine) >= from.bits(self.machine);
        !from.is_float() && !to.is_float() && (wide || truth)
    }
}

/// What is known at one point of one path.
#[derive(Clone, Default)]
pub struct PathFacts {
    regs: FxHashMap<Reg, LoopTerm>,
    /// Conditions that were decided: is the term not zero?
    facts: FxHashMap<LoopTerm, bool>,
    values: FxHashMap<LoopTerm, u64>,
}

impl PathFacts {
    pub fn reg(&self, terms: &mut LoopTerms, reg: Reg) -> LoopTerm {
        self.regs.get(&reg).copied().unwrap_or_else(|| terms.initial(reg))
    }

    pub fn operand(&self, terms: &mut LoopTerms, operand: &Operand) -> LoopTerm {
        match operand {
            Operand::Const { bits, .. } => terms.term(TermShape::Const(*bits)),
            Operand::Reg(r) => self.reg(terms, *r),
            _ => terms.term(TermShape::Address(*operand)),
        }
    }

    pub fn inst(&mut self, terms: &mut LoopTerms, function: &Function, kind: &InstKind) {
        let Some(dst) = walk::defined(kind) else { return };
        let term = match kind {
            InstKind::Assign { value, .. } => self.rvalue(terms, function, value),
            _ => terms.fresh(),
        };
        self.regs.insert(dst, term);
    }

    fn rvalue(&self, terms: &mut LoopTerms, function: &Function, value: &Rvalue) -> LoopTerm {
        let known = |o: &Operand, terms: &mut LoopTerms, path: &PathFacts| {
            let term = path.operand(terms, o);
            terms.constant(term).or_else(|| path.values.get(&term).copied())
        };
        let constants: Vec<(Operand, u64)> = walk::rvalue_operands(value)
            .into_iter()
            .filter_map(|o| Some((*o, known(o, terms, self)?)))
            .collect();
        let folded = fold::rvalue(terms.machine, value, |o| {
            let (_, bits) = constants.iter().find(|(c, _)| c == o)?;
            Some((*bits, walk::operand_type(function, o)))
        });
        if let Some(folded) = folded {
            return terms.term(TermShape::Const(folded.bits));
        }
        let mut of = |o: &Operand| self.operand(terms, o);
        let shape = match value {
            Rvalue::Use(a) => return of(a),
            Rvalue::Undef(_) => return terms.fresh(),
            Rvalue::Unary { op, ty, a, .. } => TermShape::Unary(*op, *ty, of(a)),
            // Signs do not matter for equality, and `assume_equal` has none.
            Rvalue::Binary { op: op @ (BinOp::Eq | BinOp::Ne), ty, a, b, .. } if !ty.is_float() => {
                TermShape::Binary(*op, Scalar::U64, of(a), of(b))
            }
            Rvalue::Binary { op, ty, a, b, .. } => TermShape::Binary(*op, *ty, of(a), of(b)),
            Rvalue::Cast { from, to, a } => TermShape::Cast(*from, *to, of(a)),
            Rvalue::PtrAdd { base, index, scale } => {
                TermShape::Element(of(base), of(index), *scale)
            }
        };
        terms.term(shape)
    }

    /// The term's value, if it is the same on all runs of this path.
    pub fn value(&self, terms: &LoopTerms, term: LoopTerm) -> Option<u64> {
        terms.constant(term).or_else(|| self.values.get(&term).copied())
    }

    /// Is the term known to be zero, or not to be?
    pub fn truth(&self, terms: &mut LoopTerms, term: LoopTerm) -> Option<bool> {
        let (base, negated) = terms.condition(term);
        let known = match terms.shape(base) {
            TermShape::Const(bits) => Some(bits != 0),
            TermShape::Address(_) => Some(true),
            TermShape::Binary(BinOp::Eq, ty, x, y) if !ty.is_float() => {
                let pair = self.value(terms, x).zip(self.value(terms, y));
                pair.map(|(x, y)| x == y)
            }
            _ => self.values.get(&base).map(|v| *v != 0),
        };
        known.or_else(|| self.facts.get(&base).copied()).map(|t| t != negated)
    }

    /// Are the two known to be equal?
    pub fn equal(&self, terms: &mut LoopTerms, a: LoopTerm, b: LoopTerm) -> bool {
        a == b || self.compared(terms, a, b) == Some(true)
    }

    /// Are the two known to differ?
    pub fn unequal(&self, terms: &mut LoopTerms, a: LoopTerm, b: LoopTerm) -> bool {
        a != b && self.compared(terms, a, b) == Some(false)
    }

    fn compared(&self, terms: &mut LoopTerms, a: LoopTerm, b: LoopTerm) -> Option<bool> {
        [(a, b), (b, a)].into_iter().find_map(|(a, b)| {
            let equal = terms.term(TermShape::Binary(BinOp::Eq, Scalar::U64, a, b));
            self.truth(terms, equal)
        })
    }

    /// The path goes on only if the term is zero, or is not; false if that cannot be.
    #[must_use]
    pub fn assume(&mut self, terms: &mut LoopTerms, term: LoopTerm, holds: bool) -> bool {
        if let Some(known) = self.truth(terms, term) {
            return known == holds;
        }
        let (base, negated) = terms.condition(term);
        let holds = holds != negated;
        self.facts.insert(base, holds);
        if !holds {
            self.values.insert(base, 0);
        }
        match terms.shape(base) {
            TermShape::Binary(BinOp::Eq, ty, x, y) if holds && !ty.is_float() => {
                self.values.extend(self.value(terms, y).map(|bits| (x, bits)));
            }
            _ => {}
        }
        true
    }

    /// Conditions that the path has decided: is the term not zero?
    pub fn facts(&self) -> impl Iterator<Item = (LoopTerm, bool)> + '_ {
        self.facts.iter().map(|(term, holds)| (*term, *holds))
    }

    /// The ways on from the end of a block, without those that cannot be.
    pub fn branches(&self, terms: &mut LoopTerms, end: &Terminator) -> Vec<(BlockId, PathFacts)> {
        let mut ways = Vec::new();
        match end {
            Terminator::Goto(to) => ways.push((*to, self.clone())),
            Terminator::Branch { cond, then, otherwise } => {
                let cond = self.operand(terms, cond);
                for (to, holds) in [(*then, true), (*otherwise, false)] {
                    let mut next = self.clone();
                    if next.assume(terms, cond, holds) {
                        ways.push((to, next));
                    }
                }
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.operand(terms, value);
                let mut rest = self.clone();
                let mut rest_is_possible = true;
                for (bits, to) in cases {
                    let mut next = self.clone();
                    if next.assume_equal(terms, value, *bits, true) {
                        ways.push((*to, next));
                    }
                    rest_is_possible &= rest.assume_equal(terms, value, *bits, false);
                }
                if rest_is_possible {
                    ways.push((*default, rest));
                }
            }
            Terminator::Return(_) | Terminator::ExitThread(_) | Terminator::Stop(_) => {}
        }
        ways
    }

    /// As `assume`, for the term being equal to a number, or not.
    #[must_use]
    pub(crate) fn assume_equal(
        &mut self,
        terms: &mut LoopTerms,
        term: LoopTerm,
        bits: u64,
        holds: bool,
    ) -> bool {
        let bits = terms.term(TermShape::Const(bits));
        let equal = terms.term(TermShape::Binary(BinOp::Eq, Scalar::U64, term, bits));
        self.assume(terms, equal, holds)
    }
}
