//! Shapes of relations that programs keep without saying so: orders and sums of two or three cells of
//! one lock, bounds by the numbers that the program compares cells with, and one condition of the
//! program given another one.

use super::candidate::{Candidate, Expr};
use super::guards::{Cell, CellId, Guards};
use ir::BinOp;
use ir::types::{Machine, Scalar};
use std::collections::BTreeSet;

/// Shapes are tried with so many cells of a lock at most, and so many constants.
const MAX_CELLS: usize = 6;
const MAX_CONSTANTS: usize = 8;

pub fn templates(machine: Machine, guards: &Guards, conditions: &[Candidate]) -> Vec<Candidate> {
    let constants = constants(conditions);
    let mut found = Vec::new();
    for lock in guards.ids() {
        let of = |cell: &Cell| !cell.is_ghost() && (cell.is_still() || cell.is_guarded_by(lock));
        let cells = guards.cells().filter(|(_, cell)| of(cell));
        let cells: Vec<(CellId, Scalar)> =
            cells.map(|(id, c)| (id, c.ty)).take(MAX_CELLS).collect();
        for (x, ty) in &cells {
            bounds(&mut found, (*x, *ty), &constants);
        }
        for (i, (x, ty)) in cells.iter().enumerate() {
            for (y, other) in &cells[i + 1..] {
                if ty.bits(machine) == other.bits(machine) {
                    pair(&mut found, (*x, *y), *ty);
                    sums(&mut found, (*x, *y), *ty, &cells, &constants);
                }
            }
        }
    }
    found
}

/// Each condition, given one about a single cell.
pub fn implications(conditions: &[Candidate]) -> Vec<Candidate> {
    let mut found = Vec::new();
    for given in conditions.iter().filter(|c| c.cells().len() == 1) {
        for then in conditions.iter().filter(|then| then.expr != given.expr) {
            let given = Some(Box::new(given.clone()));
            found.push(Candidate { given, ..then.clone() });
        }
    }
    found
}

fn constants(conditions: &[Candidate]) -> Vec<u64> {
    let mut found = BTreeSet::from([0, 1]);
    conditions.iter().for_each(|c| c.expr.collect_constants(&mut found));
    found.into_iter().take(MAX_CONSTANTS).collect()
}

fn compare(op: BinOp, ty: Scalar, a: Expr, b: Expr) -> Candidate {
    Candidate::new(Expr::binary(op, ty, Box::new(a), Box::new(b)))
}

fn bounds(found: &mut Vec<Candidate>, (x, ty): (CellId, Scalar), constants: &[u64]) {
    for bits in constants {
        for op in [BinOp::Ge, BinOp::Le] {
            found.push(compare(op, ty, Expr::Cell(x), Expr::Const { bits: *bits, ty }));
        }
    }
}

fn pair(found: &mut Vec<Candidate>, (x, y): (CellId, CellId), ty: Scalar) {
    for op in [BinOp::Eq, BinOp::Ne, BinOp::Le, BinOp::Ge] {
        found.push(compare(op, ty, Expr::Cell(x), Expr::Cell(y)));
    }
}

fn sums(
    found: &mut Vec<Candidate>,
    (x, y): (CellId, CellId),
    ty: Scalar,
    cells: &[(CellId, Scalar)],
    constants: &[u64],
) {
    let sum = || Expr::binary(BinOp::Add, ty, Expr::cell(x), Expr::cell(y));
    for (z, other) in cells {
        if *z != x && *z != y && *other == ty {
            found.push(compare(BinOp::Eq, ty, sum(), Expr::Cell(*z)));
        }
    }
    for bits in constants {
        found.push(compare(BinOp::Eq, ty, sum(), Expr::Const { bits: *bits, ty }));
    }
}
