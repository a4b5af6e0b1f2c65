//! Candidates: what may hold of the cells and of a thread's registers where the thread is at a point.
//!
//! Comparisons of cells, registers and the program's constants, and what registers are defined as. If
//! they are not enough, each of them given what a flag holds. Nothing here needs to be right, only few.

use super::point::{Point, Points};
use crate::engine::modular::interference::Interference;
use crate::engine::modular::log::Log;
use crate::engine::modular::relation::candidate::{Candidate, Expr};
use crate::engine::modular::relation::guards::{CellId, Guards};
use crate::engine::modular::relation::walk::first;
use crate::engine::modular::value::{Region, TemplateId};
use ir::arith::mask;
use ir::types::{Machine, Scalar};
use ir::*;
use std::collections::{BTreeMap, BTreeSet};

/// Constants for each width, and candidates at each point, at most.
const MAX_CONSTANTS: usize = 14;
const MAX_AT_POINT: usize = 1_600;
/// Larger numbers that are added are no steps.
const LARGE: u64 = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shapes {
    Atoms,
    /// Atoms, and atoms given that a cell holds a constant.
    Implications,
}

pub struct Candidates {
    /// At all points.
    pub everywhere: Vec<Guess>,
    /// By point.
    pub at: Vec<Vec<Guess>>,
}

pub struct Guess {
    pub candidate: Candidate,
    /// Others in the same list that say more: as long as one of them holds, this is nothing new.
    pub bases: Vec<usize>,
}

/// A cell or a register.
#[derive(Clone)]
struct Item {
    expr: Expr,
    ty: Scalar,
}

struct Shaper<'a> {
    interference: &'a Interference<'a>,
    log: &'a Log,
    guards: &'a Guards,
    shared: usize,
    machine: Machine,
    /// Constants that something is compared with, or that are stored, by width.
    compared: BTreeMap<u8, BTreeSet<u64>>,
    stored: BTreeMap<u8, BTreeSet<u64>>,
    /// Small numbers that are added or taken away.
    steps: BTreeSet<u64>,
    /// What cells are known to hold now and then.
    values: Vec<BTreeSet<u64>>,
}

pub fn candidates(
    interference: &Interference<'_>,
    log: &Log,
    guards: &Guards,
    points: &Points,
    shapes: Shapes,
) -> Candidates {
    let machine = interference.flat.program.machine;
    let values = vec![BTreeSet::new(); guards.cells.len()];
    let (compared, stored, steps) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::from([1]));
    let shared = points.cells.len();
    let mut shaper =
        Shaper { interference, log, guards, shared, machine, compared, stored, steps, values };
    shaper.collect();
    let everywhere = shaper.everywhere();
    let at = points.all.iter().map(|point| shaper.at(point, shapes)).collect();
    Candidates { everywhere, at }
}

impl Shaper<'_> {
    /// Constants that are stored and compared with.
    fn collect(&mut self) {
        let program = &self.interference.flat.program;
        for (i, cell) in self.guards.cells.iter().enumerate() {
            let width = cell.ty.bits(self.machine);
            self.compared.entry(width).or_default().extend([0, 1]);
            if let Some(bits) = first(program, cell) {
                self.values[i].insert(bits);
            }
        }
        for (template, block) in self.log.ranges.keys() {
            let root = self.interference.template(*template).root;
            let function = &program.functions[root.index()];
            for (i, inst) in function.blocks[block.index()].insts.iter().enumerate() {
                self.look(&inst.kind, (*template, *block, i));
            }
        }
        let values = self.guards.cells.iter().zip(&self.values);
        for (cell, values) in values {
            let stored = self.stored.entry(cell.ty.bits(self.machine)).or_default();
            stored.extend(values);
        }
    }

    /// What an item may be compared with: what the program compares with, and what it stores there;
    /// then what is a step away from these: `if (x + 1 <= 65) x += 2` leaves at most 66.
    fn constants(&self, item: &Item) -> Vec<u64> {
        let width = item.ty.bits(self.machine);
        let stored = match item.expr {
            Expr::Cell(cell) if cell.0 < self.shared => Some(&self.values[cell.0]),
            _ => self.stored.get(&width),
        };
        let compared = self.compared.get(&width);
        let near: BTreeSet<u64> = stored.into_iter().chain(compared).flatten().copied().collect();
        let mut all: Vec<u64> = near.iter().copied().collect();
        for step in &self.steps {
            for n in &near {
                let around = [n.wrapping_add(*step), n.wrapping_sub(*step)];
                all.extend(around.map(|n| n & mask(width)).iter().filter(|n| !near.contains(n)));
            }
        }
        let mut seen = BTreeSet::new();
        all.retain(|n| seen.insert(*n));
        all.truncate(MAX_CONSTANTS);
        all
    }

    fn look(&mut self, kind: &InstKind, site: crate::engine::modular::log::Site) {
        match kind {
            InstKind::Store { value: Operand::Const { bits, ty }, .. } => {
                let cell = self.log.sites.get(&site).and_then(|t| self.guards.exactly(t));
                if let Some(cell) = cell {
                    self.values[cell.0].insert(*bits & mask(ty.bits(self.machine)));
                }
            }
            InstKind::Assign { value: Rvalue::Binary { op, a, b, .. }, .. }
                if op.is_comparison() =>
            {
                for operand in [a, b] {
                    if let Operand::Const { bits, ty } = operand {
                        self.add(*bits, *ty);
                    }
                }
            }
            InstKind::Assign {
                value: Rvalue::Binary { op: BinOp::Add | BinOp::Sub, a, b, .. },
                ..
            } => {
                for operand in [a, b] {
                    if let Operand::Const { bits, ty } = operand {
                        let bits = bits & mask(ty.bits(self.machine));
                        let small = bits.min(bits.wrapping_neg() & mask(ty.bits(self.machine)));
                        self.steps.extend((1..LARGE).contains(&small).then_some(small));
                    }
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, bits: u64, ty: Scalar) {
        if matches!(ty, Scalar::Int { .. }) {
            let width = ty.bits(self.machine);
            self.compared.entry(width).or_default().insert(bits & mask(width));
        }
    }

    fn cells(&self) -> Vec<Item> {
        let shared = self.guards.cells.iter().enumerate().take(self.shared);
        shared.map(|(i, cell)| Item { expr: Expr::Cell(CellId(i)), ty: cell.ty }).collect()
    }

    /// Numbers in slots of the template.
    fn own(&self, template: TemplateId) -> Vec<Item> {
        let own = self.guards.cells.iter().enumerate().skip(self.shared);
        let own = own.filter(
            |(_, cell)| matches!(cell.region(), Some(Region::Slot(of, _)) if of == template),
        );
        own.map(|(i, cell)| Item { expr: Expr::Cell(CellId(i)), ty: cell.ty }).collect()
    }

    fn everywhere(&self) -> Vec<Guess> {
        let mut found = self.atoms(&self.cells(), &[]);
        found.extend(self.implied(&found));
        found.truncate(MAX_AT_POINT);
        found
    }

    fn at(&self, point: &Point, shapes: Shapes) -> Vec<Guess> {
        let number = |(reg, ty): &(Reg, Scalar)| {
            matches!(ty, Scalar::Int { .. }).then_some(Item { expr: Expr::Reg(*reg), ty: *ty })
        };
        let mut regs: Vec<Item> = point.regs.iter().filter_map(number).collect();
        regs.extend(self.own(point.template));
        let cells = self.cells();
        let mut found = self.atoms(&cells, &regs);
        found.extend(self.definitions(point).into_iter().map(plain));
        if shapes == Shapes::Implications {
            found.extend(self.implied(&found));
        }
        found.truncate(MAX_AT_POINT);
        found
    }

    fn atoms(&self, cells: &[Item], regs: &[Item]) -> Vec<Guess> {
        let mut found = Vec::new();
        let items: Vec<&Item> = regs.iter().chain(cells).collect();
        for (i, x) in items.iter().enumerate() {
            for y in &items[i + 1..] {
                if x.ty.bits(self.machine) == y.ty.bits(self.machine) {
                    compare_both(&mut found, x.ty, &x.expr, &y.expr);
                }
            }
        }
        for x in items {
            for bits in &self.constants(x) {
                let constant = Expr::Const { bits: *bits, ty: x.ty };
                compare_to_constant(&mut found, x.ty, &x.expr, &constant);
            }
        }
        found
    }

    /// Each, given that a cell holds a constant that it is known to hold now and then.
    fn implied(&self, atoms: &[Guess]) -> Vec<Guess> {
        let mut found = Vec::new();
        for (i, cell) in self.guards.cells.iter().enumerate().take(self.shared) {
            for bits in &self.values[i] {
                let constant = Expr::Const { bits: *bits, ty: cell.ty };
                let given = compare(BinOp::Eq, cell.ty, Expr::Cell(CellId(i)), constant);
                for (base, Guess { candidate: then, .. }) in atoms.iter().enumerate() {
                    if !then.cells().contains(&CellId(i)) {
                        let given = Some(Box::new(given.clone()));
                        let candidate = Candidate { given, ..then.clone() };
                        found.push(Guess { candidate, bases: vec![base] });
                    }
                }
            }
        }
        found
    }

    /// Registers as what they were computed, where all that it takes is still there.
    fn definitions(&self, point: &Point) -> Vec<Candidate> {
        let root = self.interference.template(point.template).root;
        let function = &self.interference.flat.program.functions[root.index()];
        let types: BTreeMap<Reg, Scalar> = point.regs.iter().copied().collect();
        let mut found = Vec::new();
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            let InstKind::Assign { dst, value: Rvalue::Binary { op, ty, a, b, .. } } = &inst.kind
            else {
                continue;
            };
            let read = |operand: &Operand| match operand {
                Operand::Reg(reg) if types.contains_key(reg) => Some(Box::new(Expr::Reg(*reg))),
                Operand::Const { bits, ty } => Some(Box::new(Expr::Const { bits: *bits, ty: *ty })),
                _ => None,
            };
            let kept = types.get(dst).is_some_and(|t| matches!(t, Scalar::Int { .. }));
            let simple = matches!(op, BinOp::Add | BinOp::Sub) && !ty.is_float() && kept;
            if let (true, Some(a), Some(b)) = (simple, read(a), read(b)) {
                let value = Expr::Binary { op: *op, ty: *ty, a, b };
                found.push(compare(BinOp::Eq, *ty, Expr::Reg(*dst), value));
            }
        }
        found
    }
}

fn plain(candidate: Candidate) -> Guess {
    Guess { candidate, bases: Vec::new() }
}

/// All comparisons, the strict ones before those that they imply.
fn compare_both(found: &mut Vec<Guess>, ty: Scalar, x: &Expr, y: &Expr) {
    let first = found.len();
    let (eq, lt, gt) = (first, first + 1, first + 2);
    let all = [
        (BinOp::Eq, vec![]),
        (BinOp::Lt, vec![]),
        (BinOp::Gt, vec![]),
        (BinOp::Le, vec![eq, lt]),
        (BinOp::Ge, vec![eq, gt]),
        (BinOp::Ne, vec![lt, gt]),
    ];
    for (op, bases) in all {
        found.push(Guess { candidate: compare(op, ty, x.clone(), y.clone()), bases });
    }
}

fn compare_to_constant(found: &mut Vec<Guess>, ty: Scalar, x: &Expr, constant: &Expr) {
    let eq = found.len();
    let all =
        [(BinOp::Eq, vec![]), (BinOp::Le, vec![eq]), (BinOp::Ge, vec![eq]), (BinOp::Ne, vec![])];
    for (op, bases) in all {
        found.push(Guess { candidate: compare(op, ty, x.clone(), constant.clone()), bases });
    }
}

fn compare(op: BinOp, ty: Scalar, a: Expr, b: Expr) -> Candidate {
    Candidate::new(Expr::binary(op, ty, Box::new(a), Box::new(b)))
}
