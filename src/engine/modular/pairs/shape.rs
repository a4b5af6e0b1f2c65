//! Candidates: what may hold of the cells and of a thread's registers where the thread is at a point.
//!
//! Comparisons of cells, registers and the program's constants, and what registers are defined as. If
//! they are not enough, each of them given what a flag holds. Nothing here needs to be right, only few.

use super::ghosts::{GhostSum, Ghosts};
use super::point::{Point, Points};
use crate::engine::modular::interference::Interference;
use crate::engine::modular::log::Log;
use crate::engine::modular::relation::candidate::{Candidate, Expr};
use crate::engine::modular::relation::count::{MANY, WIDE, equations, few as few_threads};
use crate::engine::modular::relation::guards::{CellId, Guards};
use crate::engine::modular::relation::walk::{View, first};
use crate::engine::modular::value::{Region, TemplateId};
use ir::arith::{mask, number};
use ir::types::{Machine, Scalar};
use ir::*;
use std::collections::{BTreeMap, BTreeSet};

/// Constants for each width, and candidates at each point, at most.
const MAX_CONSTANTS: usize = 14;
const MAX_AT_POINT: usize = 4_000;
const MAX_EVERYWHERE: usize = 1_000;
/// Larger numbers that are added are no steps.
const LARGE: u64 = 64;
/// Steps that are tried as distances, and others at these distances.
const MAX_STEPS: usize = 2;
const MAX_ITEMS: usize = 6;
/// Smaller types count nothing.
const MIN_COUNTER: u8 = 16;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shapes {
    Atoms,
    /// Numbers of threads, too.
    Counts,
    /// What is known by then, and what cells hold, given that a cell holds a constant.
    Flags,
    /// Numbers of threads, and all atoms, given that.
    Implications,
}

#[derive(Clone, Default)]
pub struct Candidates {
    /// At all points.
    pub everywhere: Vec<GuessedShape>,
    /// By point.
    pub at: Vec<Vec<GuessedShape>>,
}

#[derive(Clone)]
pub struct GuessedShape {
    pub candidate: Candidate,
    /// It is an invariant, by a fixpoint before.
    pub settled: bool,
    /// Others in the same list that say more: as long as one of them holds, this is nothing new.
    pub bases: Vec<usize>,
}

/// A cell or a register.
#[derive(Clone)]
struct ShapeTerm {
    expr: Expr,
    ty: Scalar,
}

/// A register that is (or will be) something and a constant.
#[derive(PartialEq)]
struct Sum {
    reg: Reg,
    op: BinOp,
    ty: Scalar,
    step: u64,
}

struct Shaper<'a> {
    interference: &'a Interference<'a>,
    log: &'a Log,
    guards: &'a Guards,
    ghosts: &'a Ghosts,
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
    (guards, ghosts): (&Guards, &Ghosts),
    points: &Points,
    shapes: Shapes,
    settled: &Candidates,
) -> Candidates {
    let machine = interference.flat.program.machine;
    let values = vec![BTreeSet::new(); guards.cells.len()];
    let (compared, stored, steps) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::from([1]));
    let shared = points.cells.len();
    let mut shaper = Shaper {
        interference,
        log,
        guards,
        ghosts,
        shared,
        machine,
        compared,
        stored,
        steps,
        values,
    };
    shaper.collect();
    if shapes == Shapes::Flags {
        return shaper.flags(settled);
    }
    let everywhere = shaper.everywhere(shapes);
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
            if self.is_binary(CellId(i)) {
                self.values[i].extend([0, 1]);
            }
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
    fn constants(&self, item: &ShapeTerm) -> Vec<u64> {
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

    fn cells(&self) -> Vec<ShapeTerm> {
        let shared = self.guards.cells.iter().enumerate().take(self.shared);
        let shared = shared.filter(|(_, cell)| cell.ty != WIDE || !cell.is_ghost());
        shared.map(|(i, cell)| ShapeTerm { expr: Expr::Cell(CellId(i)), ty: cell.ty }).collect()
    }

    /// Numbers of threads.
    fn counts(&self, shapes: Shapes) -> Vec<ShapeTerm> {
        let sums = self.ghosts.tallies.iter().map(|tally| tally.sum);
        let all = sums.chain(self.ghosts.starts.iter().map(|starts| starts.number));
        let all = all.filter(|_| shapes >= Shapes::Counts);
        all.map(|cell| ShapeTerm { expr: Expr::Cell(cell), ty: WIDE }).collect()
    }

    /// Is it 0 or 1: a lock's word, or how many of one thread have done something?
    fn is_binary(&self, cell: CellId) -> bool {
        let word = self.ghosts.locks.iter().any(|lock| lock.word == cell);
        let of_one = |t: &GhostSum| t.sum == cell && self.interference.template(t.template).single;
        word || self.ghosts.tallies.iter().any(of_one)
    }

    /// Numbers in slots of the template.
    fn own(&self, template: TemplateId) -> Vec<ShapeTerm> {
        let own = self.guards.cells.iter().enumerate().skip(self.shared);
        let own = own.filter(|(i, cell)| {
            matches!(cell.region(), Some(Region::Slot(of, _)) if of == template)
                || self.is_flag(CellId(*i), template)
        });
        own.map(|(i, cell)| ShapeTerm { expr: Expr::Cell(CellId(i)), ty: cell.ty }).collect()
    }

    /// Locks that it may hold, and stores that it may have passed.
    fn is_flag(&self, cell: CellId, template: TemplateId) -> bool {
        let of = |t: &GhostSum| t.flag == cell && t.template == template;
        self.ghosts.locks.iter().any(|lock| lock.held == cell) || self.ghosts.tallies.iter().any(of)
    }

    fn everywhere(&self, shapes: Shapes) -> Vec<GuessedShape> {
        let few = self.ghosts.starts.iter().filter(|_| shapes >= Shapes::Counts);
        let mut found: Vec<GuessedShape> =
            few.map(|starts| plain(few_threads(starts.number))).collect();
        self.atoms(&mut found, &self.cells(), &[], &self.counts(shapes));
        if shapes != Shapes::Counts {
            found.extend(self.implied(&found));
        }
        cut(&mut found, MAX_EVERYWHERE);
        found
    }

    /// What is known, and what cells hold under conditions where that is not known.
    fn flags(&self, settled: &Candidates) -> Candidates {
        let mut values = Vec::new();
        for cell in self.cells() {
            compare_to_constants(&mut values, &cell, &self.constants(&cell), self.machine);
        }
        values.retain(|guess| self.is_value(&guess.candidate));
        let with = |known: &Vec<GuessedShape>| {
            let is_known =
                |guess: &GuessedShape| known.iter().any(|k| k.candidate == guess.candidate);
            let new: Vec<GuessedShape> =
                values.iter().filter(|guess| !is_known(guess)).cloned().collect();
            let implied = self.implied(&new).into_iter().map(|guess| plain(guess.candidate));
            known.iter().cloned().chain(implied).take(MAX_AT_POINT).collect()
        };
        Candidates {
            everywhere: with(&settled.everywhere),
            at: settled.at.iter().map(with).collect(),
        }
    }

    fn at(&self, point: &Point, shapes: Shapes) -> Vec<GuessedShape> {
        let number = |(reg, ty): &(Reg, Scalar)| {
            matches!(ty, Scalar::Int { .. }).then_some(ShapeTerm { expr: Expr::Reg(*reg), ty: *ty })
        };
        let mut regs: Vec<ShapeTerm> = point.regs.iter().filter_map(number).collect();
        regs.extend(self.own(point.template));
        let cells = self.cells();
        let mut found = Vec::new();
        self.atoms(&mut found, &cells, &regs, &self.counts(shapes));
        self.ahead(&mut found, point, &cells, &self.counts(shapes));
        self.apart(&mut found, &cells);
        found.extend(self.definitions(point).into_iter().map(plain));
        if shapes == Shapes::Implications {
            found.extend(self.implied(&found));
        }
        cut(&mut found, MAX_AT_POINT);
        found
    }

    fn atoms(
        &self,
        found: &mut Vec<GuessedShape>,
        cells: &[ShapeTerm],
        regs: &[ShapeTerm],
        counts: &[ShapeTerm],
    ) {
        let items: Vec<&ShapeTerm> = regs.iter().chain(cells).collect();
        for (i, x) in items.iter().enumerate() {
            for y in &items[i + 1..] {
                if x.ty.bits(self.machine) == y.ty.bits(self.machine) {
                    compare_both(found, x.ty, &x.expr, &y.expr);
                }
            }
        }
        self.steps_below(found, &items);
        self.count_atoms(found, &items, counts);
        for x in items {
            compare_to_constants(found, x, &self.constants(x), self.machine);
        }
    }

    /// One is at least a step of the program below another: `if (next + 10 <= len)`.
    fn steps_below(&self, found: &mut Vec<GuessedShape>, items: &[&ShapeTerm]) {
        let steps = self.steps.iter().rev().filter(|step| **step > 1).take(MAX_STEPS);
        for (step, x) in steps.flat_map(|step| items.iter().map(move |x| (step, x))) {
            let by = Expr::Const { bits: *step, ty: x.ty };
            let sum = Expr::binary(BinOp::Add, x.ty, Box::new(x.expr.clone()), Box::new(by));
            for y in items.iter().filter(|y| y.ty == x.ty && y.expr != x.expr).take(MAX_ITEMS) {
                found.push(plain(compare(BinOp::Le, x.ty, sum.clone(), y.expr.clone())));
            }
        }
    }

    /// One is a step of the program above another: `a++; b++` between the two.
    fn apart(&self, found: &mut Vec<GuessedShape>, cells: &[ShapeTerm]) {
        let counts = |cell: &&ShapeTerm| cell.ty.bits(self.machine) >= MIN_COUNTER;
        let cells: Vec<&ShapeTerm> = cells.iter().filter(counts).take(MAX_ITEMS).collect();
        for (x, y) in cells.iter().flat_map(|x| cells.iter().map(move |y| (x, y))) {
            for step in self.steps.iter().take(MAX_STEPS).filter(|_| x.ty == y.ty) {
                let by = Box::new(Expr::Const { bits: *step, ty: x.ty });
                let sum = Expr::binary(BinOp::Add, x.ty, Box::new(x.expr.clone()), by);
                let other = x.expr != y.expr;
                found.extend(other.then(|| plain(compare(BinOp::Eq, x.ty, y.expr.clone(), sum))));
            }
        }
    }

    /// Numbers of threads, against each other, cells, registers and constants, and as parts of cells.
    fn count_atoms(
        &self,
        found: &mut Vec<GuessedShape>,
        items: &[&ShapeTerm],
        counts: &[ShapeTerm],
    ) {
        for (i, count) in counts.iter().enumerate() {
            for other in &counts[i + 1..] {
                compare_both(found, WIDE, &count.expr, &other.expr);
            }
            let narrow = |item: &&&ShapeTerm| item.ty.bits(self.machine) >= MIN_COUNTER;
            for item in items.iter().filter(narrow) {
                let wide = Box::new(item.expr.clone());
                let wide = Expr::Cast { from: item.ty, to: WIDE, a: wide };
                compare_both(found, WIDE, &count.expr, &wide);
            }
            let compared = self.compared.get(&32).into_iter().flatten().copied();
            let small = compared.filter(|n| *n < LARGE).take(MAX_CONSTANTS / 2);
            let constants: Vec<u64> = small.chain([i32::MAX as u64, MANY]).collect();
            compare_to_constants(found, count, &constants, self.machine);
        }
        if !counts.is_empty() {
            let view = View { interference: self.interference, log: self.log, guards: self.guards };
            let parts = self.ghosts.parts.iter().flat_map(|parts| equations(view, parts));
            found.extend(parts.map(plain));
        }
    }

    /// Each, given that a cell holds a constant that it is known to hold now and then.
    fn implied(&self, atoms: &[GuessedShape]) -> Vec<GuessedShape> {
        let mut found = Vec::new();
        for (i, cell) in self.guards.cells.iter().enumerate().take(self.shared) {
            for bits in &self.values[i] {
                let constant = Expr::Const { bits: *bits, ty: cell.ty };
                let given = compare(BinOp::Eq, cell.ty, Expr::Cell(CellId(i)), constant);
                for (base, GuessedShape { candidate: then, .. }) in atoms.iter().enumerate() {
                    if !then.cells().contains(&CellId(i)) {
                        let given = Some(Box::new(given.clone()));
                        let candidate = Candidate { given, ..then.clone() };
                        found.push(GuessedShape { bases: vec![base], ..plain(candidate) });
                    }
                }
            }
        }
        found
    }

    /// Does it say whether a cell holds something that is stored there, or zero?
    fn is_value(&self, candidate: &Candidate) -> bool {
        let Expr::Binary { op: BinOp::Eq | BinOp::Ne, a, b, .. } = &candidate.expr else {
            return false;
        };
        match (&**a, &**b) {
            (Expr::Cell(cell), Expr::Const { bits, .. }) => {
                *bits == 0 || self.values[cell.0].contains(bits)
            }
            _ => false,
        }
    }

    /// A register that was a cell (or no more than a number of threads) before something was added.
    fn ahead(
        &self,
        found: &mut Vec<GuessedShape>,
        point: &Point,
        cells: &[ShapeTerm],
        counts: &[ShapeTerm],
    ) {
        let types: BTreeMap<Reg, Scalar> = point.regs.iter().copied().collect();
        for Sum { reg, op, ty, step } in self.sums(point, &types) {
            let plus = |a: Expr, ty: Scalar| {
                Expr::binary(op, ty, Box::new(a), Box::new(Expr::Const { bits: step, ty }))
            };
            for cell in cells.iter().filter(|c| c.ty.bits(self.machine) == ty.bits(self.machine)) {
                compare_both(found, ty, &Expr::Reg(reg), &plus(cell.expr.clone(), cell.ty));
            }
            let wide = Expr::Cast { from: ty, to: WIDE, a: Box::new(Expr::Reg(reg)) };
            for count in counts {
                compare_both(found, WIDE, &wide, &plus(count.expr.clone(), WIDE));
            }
        }
    }

    /// Registers that are another one and a constant, or will be.
    fn sums(&self, point: &Point, types: &BTreeMap<Reg, Scalar>) -> Vec<Sum> {
        let root = self.interference.template(point.template).root;
        let function = &self.interference.flat.program.functions[root.index()];
        let insts = || function.blocks.iter().flat_map(|b| &b.insts);
        let copied = insts().filter_map(|inst| match inst.kind {
            InstKind::Assign { dst, value: Rvalue::Use(Operand::Reg(from)) } => Some((from, dst)),
            _ => None,
        });
        let copies: BTreeMap<Reg, Reg> = copied.collect();
        let sources: BTreeMap<Reg, Reg> = copies.iter().map(|(from, to)| (*to, *from)).collect();
        let mut found = Vec::new();
        for inst in insts() {
            let InstKind::Assign { dst, value: Rvalue::Binary { op, ty, a, b, .. } } = &inst.kind
            else {
                continue;
            };
            let (Operand::Reg(from), Operand::Const { bits: step, .. }) = (a, b) else { continue };
            let other = match op {
                BinOp::Add => BinOp::Sub,
                BinOp::Sub => BinOp::Add,
                _ => continue,
            };
            let (ty, step) = (*ty, *step);
            let was = [*dst].into_iter().chain(copies.get(dst).copied());
            let was = was.map(|reg| Sum { reg, op: *op, ty, step });
            let will_be = [*from].into_iter().chain(sources.get(from).copied());
            let will_be = will_be.map(|reg| Sum { reg, op: other, ty, step });
            for sum in was.chain(will_be) {
                let live = types.get(&sum.reg) == Some(&ty) && step < LARGE;
                if live && !found.contains(&sum) {
                    found.push(sum);
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

fn plain(candidate: Candidate) -> GuessedShape {
    GuessedShape { candidate, settled: false, bases: Vec::new() }
}

/// Not more than so many; what goes is no base of what stays.
fn cut(found: &mut Vec<GuessedShape>, most: usize) {
    found.truncate(most);
    found.iter_mut().for_each(|guess| guess.bases.retain(|base| *base < most));
}

/// All comparisons, the strict ones before those that they imply.
fn compare_both(found: &mut Vec<GuessedShape>, ty: Scalar, x: &Expr, y: &Expr) {
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
        found.push(GuessedShape { bases, ..plain(compare(op, ty, x.clone(), y.clone())) });
    }
}

/// Equal, below, above, different. A bound is nothing new behind a closer one.
fn compare_to_constants(
    found: &mut Vec<GuessedShape>,
    x: &ShapeTerm,
    constants: &[u64],
    machine: Machine,
) {
    let mut sorted: Vec<(i128, u64)> =
        constants.iter().map(|bits| (number(*bits, x.ty, machine), *bits)).collect();
    sorted.sort_unstable();
    let n = sorted.len();
    let first = found.len();
    let at = |op: usize, i: usize| first + op * n + i;
    for (op, kind) in [BinOp::Eq, BinOp::Le, BinOp::Ge, BinOp::Ne].into_iter().enumerate() {
        for (i, (_, bits)) in sorted.iter().enumerate() {
            let bases = match kind {
                BinOp::Le => (0..i).map(|j| at(op, j)).chain([at(0, i)]).collect(),
                BinOp::Ge => (i + 1..n).map(|j| at(op, j)).chain([at(0, i)]).collect(),
                BinOp::Ne => {
                    let below = (0..i).map(|j| at(1, j));
                    below.chain((i + 1..n).map(|j| at(2, j))).collect()
                }
                _ => Vec::new(),
            };
            let constant = Expr::Const { bits: *bits, ty: x.ty };
            found.push(GuessedShape {
                bases,
                ..plain(compare(kind, x.ty, x.expr.clone(), constant))
            });
        }
    }
}

fn compare(op: BinOp, ty: Scalar, a: Expr, b: Expr) -> Candidate {
    Candidate::new(Expr::binary(op, ty, Box::new(a), Box::new(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_off_is_no_base() {
        let x = ShapeTerm { expr: Expr::Reg(Reg(0)), ty: Scalar::I32 };
        let mut found = Vec::new();
        compare_both(&mut found, Scalar::I32, &x.expr, &Expr::Reg(Reg(1)));
        compare_to_constants(&mut found, &x, &[1, 2, 3, 4], Machine::Lp64);
        for most in 0..found.len() {
            let mut some = found.clone();
            cut(&mut some, most);
            assert!(some.iter().flat_map(|guess| &guess.bases).all(|base| *base < most));
        }
    }
}
