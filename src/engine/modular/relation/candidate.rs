//! Conditions over cells that may hold whenever a lock is free.
//!
//! They are guesses: the program's own branch conditions, true or false, where they speak of cells and
//! constants only, and a few shapes (`template.rs`). What of them holds `houdini.rs` finds out, so
//! nothing here needs to be right, only small.

use super::guards::{Cell, CellId, GuardKind, Guards, LockId};
use crate::engine::modular::interference::Interference;
use crate::engine::modular::log::{Log, Site};
use crate::engine::modular::value::TemplateId;
use encoder::{Pool, Sort, Term, arith};
use ir::arith::number;
use ir::types::{Machine, Scalar};
use ir::walk::defined;
use ir::*;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Nodes of one expression at most.
const MAX_SIZE: usize = 16;

#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    Cell(CellId),
    /// At the head of a loop.
    Reg(Reg),
    Const {
        bits: u64,
        ty: Scalar,
    },
    Not(Box<Expr>),
    Neg(Box<Expr>),
    Binary {
        op: BinOp,
        ty: Scalar,
        a: Box<Expr>,
        b: Box<Expr>,
    },
    Cast {
        from: Scalar,
        to: Scalar,
        a: Box<Expr>,
    },
}

/// Values of cells and registers.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    pub cells: &'a [Term],
    pub regs: &'a BTreeMap<Reg, Term>,
}

/// A condition: the expression is not zero, or (`negated`) is.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    pub expr: Expr,
    pub negated: bool,
    /// Only if this holds.
    pub given: Option<Box<Candidate>>,
}

impl Expr {
    pub fn cell(cell: CellId) -> Box<Expr> {
        Box::new(Expr::Cell(cell))
    }

    pub fn binary(op: BinOp, ty: Scalar, a: Box<Expr>, b: Box<Expr>) -> Expr {
        Expr::Binary { op, ty, a, b }
    }

    pub fn collect_cells(&self, into: &mut BTreeSet<CellId>) {
        match self {
            Expr::Cell(cell) => {
                into.insert(*cell);
            }
            Expr::Reg(_) | Expr::Const { .. } => {}
            Expr::Not(a) | Expr::Neg(a) | Expr::Cast { a, .. } => a.collect_cells(into),
            Expr::Binary { a, b, .. } => {
                a.collect_cells(into);
                b.collect_cells(into);
            }
        }
    }

    pub fn collect_constants(&self, into: &mut BTreeSet<u64>) {
        match self {
            Expr::Cell(_) | Expr::Reg(_) => {}
            Expr::Const { bits, .. } => {
                into.insert(*bits);
            }
            Expr::Not(a) | Expr::Neg(a) | Expr::Cast { a, .. } => a.collect_constants(into),
            Expr::Binary { a, b, .. } => {
                a.collect_constants(into);
                b.collect_constants(into);
            }
        }
    }

    fn term(&self, pool: &mut Pool, machine: Machine, known: Known<'_>) -> Term {
        match self {
            Expr::Cell(cell) => known.cells[cell.0],
            Expr::Reg(reg) => match known.regs.get(reg) {
                Some(value) => *value,
                None => pool.fresh(Sort::Bits(64)),
            },
            Expr::Const { bits, ty } => pool.bits(*bits, ty.bits(machine)),
            Expr::Not(a) => {
                let a = a.term(pool, machine, known);
                pool.bit_not(a)
            }
            Expr::Neg(a) => {
                let a = a.term(pool, machine, known);
                pool.neg(a)
            }
            Expr::Binary { op, ty, a, b } => {
                let (a, b) = (a.term(pool, machine, known), b.term(pool, machine, known));
                if op.is_comparison() {
                    let holds = arith::compare(pool, *op, *ty, a, b);
                    pool.bool_to_bits(holds, 32)
                } else {
                    arith::binary(pool, *op, *ty, a, b)
                }
            }
            Expr::Cast { from, to, a } => {
                let a = a.term(pool, machine, known);
                arith::resize(pool, a, to.bits(machine), from.is_signed())
            }
        }
    }
}

impl Candidate {
    pub fn new(expr: Expr) -> Candidate {
        Candidate { expr, negated: false, given: None }
    }

    pub fn cells(&self) -> BTreeSet<CellId> {
        let mut cells = BTreeSet::new();
        self.expr.collect_cells(&mut cells);
        cells.extend(self.given.iter().flat_map(|given| given.cells()));
        cells
    }

    /// As a Boolean, with these values.
    pub fn term(&self, pool: &mut Pool, machine: Machine, known: Known<'_>) -> Term {
        let value = self.expr.term(pool, machine, known);
        let truth = pool.truth(value);
        let holds = if self.negated { pool.not(truth) } else { truth };
        match &self.given {
            Some(given) => {
                let given = given.term(pool, machine, known);
                pool.implies_term(given, holds)
            }
            None => holds,
        }
    }

    /// Can it be said of totals and fixed cells?
    pub fn is_for_totals(&self, guards: &Guards) -> bool {
        let cells = self.cells();
        let mut kinds = cells.iter().map(|c| &guards.cells[c.0].kind);
        kinds.clone().all(|kind| matches!(kind, GuardKind::Rigid | GuardKind::Fixed))
            && kinds.any(|kind| *kind == GuardKind::Rigid)
    }

    /// Can it be said of the cells that this lock guards, and of frozen ones? `None` stands for no
    /// lock: of frozen ones only.
    pub fn is_for(&self, guards: &Guards, lock: Option<LockId>) -> bool {
        let cells = self.cells();
        let mut cells = cells.iter().map(|c| &guards.cells[c.0]);
        let frozen = |cell: &Cell| matches!(cell.kind, GuardKind::Frozen | GuardKind::Fixed);
        match lock {
            None => cells.all(frozen),
            Some(lock) => {
                cells.clone().all(|cell| cell.is_still() || cell.is_guarded_by(lock))
                    && !cells.all(Cell::is_still)
            }
        }
    }
}

/// For debugging: to find a missing candidate.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Cell(cell) => write!(f, "c{}", cell.0),
            Expr::Reg(reg) => write!(f, "r{}", reg.0),
            Expr::Const { bits, ty } => write!(f, "{}", number(*bits, *ty, Machine::Lp64)),
            Expr::Not(a) => write!(f, "~{a}"),
            Expr::Neg(a) => write!(f, "-{a}"),
            Expr::Binary { op, a, b, .. } => write!(f, "({a} {op:?} {b})"),
            Expr::Cast { a, .. } => write!(f, "{a}"),
        }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(given) = &self.given {
            write!(f, "{given} => ")?;
        }
        write!(f, "{}{}", if self.negated { "not " } else { "" }, self.expr)
    }
}

/// The program's branch conditions over cells and constants, both paths.
pub fn conditions(interference: &Interference<'_>, log: &Log, guards: &Guards) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (template, block) in log.ranges.keys() {
        let root = interference.template(*template).root;
        let function = &interference.flat.program.functions[root.index()];
        let reader = Reader { function, log, guards, template: *template };
        let code = &function.blocks[block.index()];
        let mut tell = |cond: &Operand, at: usize| {
            let mut size = 0;
            if let Some(expr) = reader.operand(cond, (*block, at), &mut size) {
                let yes = Candidate::new(expr);
                found.push(yes.clone());
                found.push(Candidate { negated: true, ..yes });
            }
        };
        for (i, inst) in code.insts.iter().enumerate() {
            if let InstKind::Assume(cond) = &inst.kind {
                tell(cond, i);
            }
        }
        if let Terminator::Branch { cond, .. } = &code.end {
            tell(cond, code.insts.len());
        }
    }
    found
}

/// Leaves out what says the same, or nothing.
pub fn distinct(machine: Machine, guards: &Guards, all: Vec<Candidate>) -> Vec<Candidate> {
    let mut pool = Pool::new();
    let width = |size: u64| Sort::Bits((size * 8) as u8);
    let cells: Vec<Term> = guards.cells.iter().map(|c| pool.fresh(width(c.size))).collect();
    let mut seen = FxHashSet::default();
    let mut new = |candidate: &Candidate| {
        let known = Known { cells: &cells, regs: &BTreeMap::new() };
        let term = candidate.term(&mut pool, machine, known);
        pool.constant(term).is_none() && seen.insert(term)
    };
    all.into_iter().filter(|c| new(c)).collect()
}

/// Registers as expressions, as far as their definitions are found.
pub struct Reader<'a> {
    pub function: &'a Function,
    pub log: &'a Log,
    pub guards: &'a Guards,
    pub template: TemplateId,
}

impl Reader<'_> {
    pub fn operand(
        &self,
        operand: &Operand,
        at: (BlockId, usize),
        size: &mut usize,
    ) -> Option<Expr> {
        *size += 1;
        if *size > MAX_SIZE {
            return None;
        }
        match operand {
            Operand::Const { bits, ty } => {
                (!ty.is_float()).then_some(Expr::Const { bits: *bits, ty: *ty })
            }
            Operand::Reg(reg) => {
                let (block, index) = self.definition(*reg, at)?;
                self.inst((self.template, block, index), size)
            }
            _ => None,
        }
    }

    /// In the same block if there is one, else any.
    fn definition(&self, reg: Reg, (block, at): (BlockId, usize)) -> Option<(BlockId, usize)> {
        let insts = &self.function.blocks[block.index()].insts;
        if let Some(i) = (0..at).rev().find(|i| defined(&insts[*i].kind) == Some(reg)) {
            return Some((block, i));
        }
        let blocks = self.function.blocks.iter().enumerate();
        let mut all = blocks.flat_map(|(b, code)| {
            let defines = move |(_, inst): &(usize, &Inst)| defined(&inst.kind) == Some(reg);
            let places = code.insts.iter().enumerate().filter(defines);
            places.map(move |(i, _)| (BlockId(b as u32), i))
        });
        all.next().filter(|found| *found != (block, at))
    }

    fn inst(&self, site: Site, size: &mut usize) -> Option<Expr> {
        let (_, block, at) = site;
        match &self.function.blocks[block.index()].insts[at].kind {
            InstKind::Load { .. } => {
                let touches = self.log.sites.get(&site)?;
                self.guards.exactly(touches).map(Expr::Cell)
            }
            InstKind::Assign { value, .. } => self.rvalue(value, (block, at), size),
            _ => None,
        }
    }

    fn rvalue(&self, value: &Rvalue, at: (BlockId, usize), size: &mut usize) -> Option<Expr> {
        let mut read = |operand: &Operand| self.operand(operand, at, size).map(Box::new);
        Some(match value {
            Rvalue::Use(a) => *read(a)?,
            Rvalue::Unary { ty, .. } | Rvalue::Binary { ty, .. } if ty.is_float() => return None,
            Rvalue::Unary { op: UnOp::Not, a, .. } => Expr::Not(read(a)?),
            Rvalue::Unary { op: UnOp::Neg, a, .. } => Expr::Neg(read(a)?),
            Rvalue::Binary { op, ty, a, b, .. } => Expr::binary(*op, *ty, read(a)?, read(b)?),
            Rvalue::Cast { from, to, a } if !from.is_float() && !to.is_float() => {
                Expr::Cast { from: *from, to: *to, a: read(a)? }
            }
            _ => return None,
        })
    }
}
