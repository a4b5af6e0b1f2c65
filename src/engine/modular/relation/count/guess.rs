//! Guesses that relate cells of the program to ghosts.
//!
//! `x == start + 2 * sum - passes`, with what is known of the stores to `x`; bounds of totals and
//! passes by fixed cells and by constants; and at heads of loops, that a counter of the loop counts
//! passes, upwards or downwards.

use super::super::candidate::{Candidate, Expr};
use super::super::ghost::Parts;
use super::super::guards::{Cell, CellId, GuardKind, Guards};
use super::super::walk::{RelationalWalk, View, first};
use super::{MANY, WIDE};
use crate::engine::modular::interval::Interval;
use crate::engine::modular::value::TemplateId;
use ir::arith::number;
use ir::types::Scalar;
use ir::{BinOp, BlockId, InstKind, Operand, Reg, Rvalue};
use std::collections::BTreeSet;

/// So many cells and constants are tried as bounds, and so many registers at a head.
const MAX_BOUNDS: usize = 6;
const MAX_REGS: usize = 4;
/// Larger constants are no guess.
const LARGE: i128 = 1 << 40;

/// The number is so small that it was not counted modulo anything.
pub fn few(counted: CellId) -> Candidate {
    compare(BinOp::Le, Scalar::U64, Expr::Cell(counted), constant(MANY, Scalar::U64))
}

pub fn at_most(passes: CellId, others: CellId) -> Candidate {
    compare(BinOp::Le, Scalar::U64, Expr::Cell(passes), Expr::Cell(others))
}

pub fn is_set(flag: CellId) -> Candidate {
    compare(BinOp::Eq, WIDE, Expr::Cell(flag), constant(1, WIDE))
}

pub fn is_clear(flag: CellId) -> Candidate {
    compare(BinOp::Eq, WIDE, Expr::Cell(flag), constant(0, WIDE))
}

pub fn guesses(view: View<'_>) -> Vec<Candidate> {
    let counts = &view.guards.counts;
    let mut found = Vec::new();
    for tally in &counts.tallies {
        found.extend([is_set(tally.flag), is_clear(tally.flag)]);
    }
    found.extend(counts.passes.values().map(|passes| few(*passes)));
    for parts in &counts.sums {
        found.extend(equations(view, parts));
    }
    for counted in counts.counted.values() {
        let others = counts.passes.values().filter(|p| **p != counted.started);
        found.extend(others.map(|p| at_most(counted.started, *p)));
    }
    let totals = counts.counted.values().map(|counted| counted.total);
    let bounds = bounds(view);
    found.extend(totals.clone().map(few));
    for counted in totals.chain(counts.passes.values().copied()) {
        let below = |bound: &Expr| compare(BinOp::Le, WIDE, Expr::Cell(counted), bound.clone());
        found.extend(bounds.iter().map(below));
    }
    found
}

/// The cell is one of what it may have been, and what was added.
pub fn equations(view: View<'_>, parts: &Parts) -> Vec<Candidate> {
    let starts = starts(view, parts.cell).into_iter();
    starts.map(|start| equation(view.guards, parts, start)).collect()
}

/// What a cell may hold before the first thread is started.
fn starts(view: View<'_>, cell: CellId) -> Vec<Expr> {
    let of = &view.guards.cells[cell.0];
    let mut constants = BTreeSet::from([0]);
    for touch in view.log.sites.values().flatten().filter(|t| t.alone && t.write && of.meets(t)) {
        constants.extend(touch.number.and_then(Interval::constant));
    }
    constants.extend(first(&view.interference.flat.program, of).map(i128::from));
    let same = |(_, other): &(CellId, &Cell)| {
        other.kind == GuardKind::Fixed && other.size == of.size && !other.is_ghost()
    };
    let fixed = view.guards.cells().filter(same).map(|(id, _)| Expr::Cell(id));
    let constants = constants.into_iter().take(MAX_BOUNDS).map(|n| constant(n as u64, of.ty));
    constants.chain(fixed.take(MAX_BOUNDS)).collect()
}

/// The cell is what it was, and what was added.
fn equation(guards: &Guards, parts: &Parts, start: Expr) -> Candidate {
    let ty = guards.cells[parts.cell.0].ty;
    let mut sum = start;
    for (ghost, weight) in &parts.weights {
        let count = Expr::Cast { from: WIDE, to: ty, a: Expr::cell(*ghost) };
        let size = constant(weight.unsigned_abs() as u64, ty);
        let part = match weight.unsigned_abs() {
            1 => count,
            _ => Expr::binary(BinOp::Mul, ty, Box::new(count), Box::new(size)),
        };
        let op = if *weight < 0 { BinOp::Sub } else { BinOp::Add };
        sum = Expr::binary(op, ty, Box::new(sum), Box::new(part));
    }
    compare(BinOp::Eq, ty, Expr::Cell(parts.cell), sum)
}

/// Numbers that the first thread compares something with, or counts from.
fn compared(view: View<'_>) -> BTreeSet<i128> {
    let program = &view.interference.flat.program;
    let machine = program.machine;
    let insts = program.functions[program.entry.index()].blocks.iter().flat_map(|b| &b.insts);
    let mut found = BTreeSet::new();
    for inst in insts {
        let InstKind::Assign { value, .. } = &inst.kind else { continue };
        let operands = match value {
            Rvalue::Binary { op, a, b, .. } if op.is_comparison() => vec![a, b],
            Rvalue::Use(a) => vec![a],
            _ => continue,
        };
        found.extend(operands.into_iter().filter_map(|operand| match operand {
            Operand::Const { bits, ty } => Some(number(*bits, *ty, machine)),
            _ => None,
        }));
    }
    found.retain(|n| (-LARGE..LARGE).contains(n));
    found
}

/// What may bound a number of threads.
fn bounds(view: View<'_>) -> Vec<Expr> {
    let constants = compared(view).into_iter().flat_map(|n| [n, n + 1]);
    let constants: BTreeSet<i128> = constants.chain([1]).filter(|n| *n > 0).collect();
    let constants = constants.into_iter().take(MAX_BOUNDS).map(|n| constant(n as u64, WIDE));
    let fixed = |(_, cell): &(CellId, &Cell)| cell.kind == GuardKind::Fixed && !cell.is_ghost();
    let fixed = view.guards.cells().filter(fixed).take(MAX_BOUNDS);
    let fixed = fixed.map(|(id, cell)| wide(Expr::Cell(id), cell.ty));
    let largest = constant(i32::MAX as u64, WIDE);
    constants.chain(fixed).chain([largest]).collect()
}

/// At the head of a loop in which the first thread changes these registers and cells.
pub fn at_head(
    walk: &RelationalWalk<'_>,
    head: BlockId,
    regs: &BTreeSet<Reg>,
    cells: &BTreeSet<CellId>,
) -> Vec<Candidate> {
    let guards = walk.view.guards;
    if walk.template != TemplateId::MAIN {
        return vec![];
    }
    let live = walk.graph.live.at_start(head);
    let ty = |reg: &Reg| walk.function.regs[reg.index()].ty;
    let is_number = |reg: &Reg| matches!(ty(reg), Scalar::Int { .. });
    let read = |reg: &Reg| wide(Expr::Reg(*reg), ty(reg));
    let mut live: Vec<&Reg> = live.iter().filter(|r| is_number(r)).collect();
    live.sort();
    let (changing, steady): (Vec<&Reg>, Vec<&Reg>) =
        live.into_iter().partition(|r| regs.contains(r));
    let own = |id: &CellId| !guards.cells[id.0].is_ghost();
    let counters = changing.into_iter().take(MAX_REGS).map(read);
    let in_memory = cells.iter().filter(|id| own(id)).take(MAX_REGS);
    let counters: Vec<Expr> =
        counters.chain(in_memory.map(|id| wide(Expr::Cell(*id), guards.cells[id.0].ty))).collect();
    let fixed = guards.cells().filter(|(_, c)| c.kind == GuardKind::Fixed && !c.is_ghost());
    let fixed = fixed.take(MAX_REGS).map(|(id, cell)| wide(Expr::Cell(id), cell.ty));
    let compared = compared(walk.view);
    let constants = compared.iter().take(MAX_BOUNDS).map(|n| constant(*n as u64, WIDE));
    let fixed = fixed.chain(constants);
    let bounds: Vec<Expr> = steady.into_iter().take(MAX_REGS).map(read).chain(fixed).collect();
    let mut found = Vec::new();
    for passes in cells.iter().filter(|id| guards.passes_of(**id).is_some()) {
        let below = |bound: &Expr| compare(BinOp::Le, WIDE, Expr::Cell(*passes), bound.clone());
        found.extend(bounds.iter().map(below));
        for counter in &counters {
            upwards(&mut found, &compared, *passes, counter);
            downwards(&mut found, *passes, counter, &bounds);
        }
    }
    found
}

fn upwards(found: &mut Vec<Candidate>, compared: &BTreeSet<i128>, passes: CellId, counter: &Expr) {
    let starts: BTreeSet<&i128> = compared.iter().take(MAX_BOUNDS).chain([&0]).collect();
    for start in starts {
        for op in [BinOp::Eq, BinOp::Le] {
            let sum = plus(Expr::Cell(passes), constant(*start as u64, WIDE));
            found.push(compare(op, WIDE, sum, counter.clone()));
        }
    }
}

fn downwards(found: &mut Vec<Candidate>, passes: CellId, counter: &Expr, bounds: &[Expr]) {
    for bound in bounds {
        for op in [BinOp::Eq, BinOp::Le] {
            let sum = plus(Expr::Cell(passes), counter.clone());
            found.push(compare(op, WIDE, sum, bound.clone()));
        }
    }
}

fn constant(bits: u64, ty: Scalar) -> Expr {
    Expr::Const { bits, ty }
}

fn plus(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinOp::Add, WIDE, Box::new(a), Box::new(b))
}

fn wide(a: Expr, from: Scalar) -> Expr {
    Expr::Cast { from, to: WIDE, a: Box::new(a) }
}

fn compare(op: BinOp, ty: Scalar, a: Expr, b: Expr) -> Candidate {
    Candidate::new(Expr::binary(op, ty, Box::new(a), Box::new(b)))
}
