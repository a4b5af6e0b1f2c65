//! Intervals of cells that have too many values to be tracked by value.
//!
//! An interval's bounds are taken from *thresholds*: numbers that the program compares the cell, or cells
//! that values flow to or from, with; what such cells hold at first; and numbers in refutations of
//! paths. That a cell is below or above a threshold is a predicate, so an interval is a conjunction of
//! literals, its successor the best one that thresholds allow (a solver says which bounds follow), and no
//! widening is needed: of finitely many thresholds there are finitely many intervals. (Cousot and Cousot,
//! POPL 1977; thresholds: Blanchet et al., PLDI 2003.)

use crate::system::{CellId, System};
use encoder::term::signed;
use encoder::{Op, Pool, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Thresholds of one component; more are not worth their questions.
const MOST: usize = 24;

/// By component of cells between which values flow.
pub struct Thresholds {
    component: Vec<usize>,
    numbers: Vec<BTreeSet<i64>>,
}

impl Thresholds {
    pub fn new(system: &System, conditions: &[Term], component: &[usize]) -> Thresholds {
        let numbers = vec![BTreeSet::new(); component.len()];
        let mut found = Thresholds { component: component.to_vec(), numbers };
        for condition in conditions {
            found.learn(system, *condition);
        }
        for id in system.cell_ids() {
            if let Some(value) = system.cell(id).initial {
                let width = system.pool.width(system.cell(id).var);
                found.add(id, signed(value, width));
            }
        }
        found
    }

    /// The numbers in a condition are thresholds for the cells in it.
    pub fn learn(&mut self, system: &System, condition: Term) {
        let numbers = constants(&system.pool, condition);
        for cell in system.cells_in(condition).ones() {
            for number in &numbers {
                self.add(CellId(cell as u32), *number);
            }
        }
    }

    /// The numbers in what a cell gets.
    pub(crate) fn learn_for(&mut self, system: &System, cell: CellId, value: Term) {
        for number in constants(&system.pool, value) {
            self.add(cell, number);
        }
    }

    pub fn numbers(&self, cell: CellId) -> impl Iterator<Item = i64> + '_ {
        self.numbers[self.component[cell.index()]].iter().copied()
    }

    fn add(&mut self, cell: CellId, number: i64) {
        let numbers = &mut self.numbers[self.component[cell.index()]];
        if numbers.len() < MOST {
            numbers.insert(number);
        }
    }

    /// That a cell is below, and that it is above each threshold.
    pub fn bounds(&self, system: &mut System, cell: CellId) -> Vec<Term> {
        let var = system.cell(cell).var;
        let width = system.pool.width(var);
        if width == 1 {
            return Vec::new();
        }
        let numbers = &self.numbers[self.component[cell.index()]];
        let fits = |n: &&i64| signed(**n as u64 & encoder::term::mask(width), width) == **n;
        let mut all = Vec::new();
        for number in numbers.iter().filter(fits) {
            let number = system.pool.bits(*number as u64, width);
            all.push(system.pool.slt(var, number));
            all.push(system.pool.slt(number, var));
        }
        all.retain(|term| !system.pool.is_false(*term) && !system.pool.is_true(*term));
        all
    }
}

/// The numbers in a term, with sign.
fn constants(pool: &Pool, term: Term) -> BTreeSet<i64> {
    let (mut found, mut seen) = (BTreeSet::new(), FxHashSet::default());
    let mut stack = vec![term];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        match pool.op(t) {
            Op::Bits(value) => _ = found.insert(signed(value, pool.width(t))),
            _ => pool.operands(t, |o| stack.push(o)),
        }
    }
    found
}
