//! Affine hulls: all linear equations that hold in every state seen so far, modulo the words' size.
//!
//! `x == i - j` and `3 * x + y == n + 7` are no shapes that can be listed, but the equations that some states
//! satisfy can be computed from the states. They are a module over the words: the first state says what each
//! cell is; a further state takes away all combinations of equations that it does not satisfy. Parities are
//! equations, too: `2^31 * x == 0`. Nothing here needs to be right: equations are candidates. Cost: each
//! further state is a pass over the matrix, and takes away a part of the module, so there are few.
//! (Karr: Affine relationships among variables of a program, 1976; for words: Müller-Olm and Seidl, 2007.)

use crate::linear::normal;
use crate::system::{CellId, System};
use encoder::Term;
use encoder::term::{BitOp, mask};

/// Equations between cells of one width: a factor for each cell, and a constant; their sum is 0.
#[derive(Clone, Debug)]
pub struct Hull {
    width: u8,
    cells: Vec<CellId>,
    rows: Vec<Vec<u64>>,
}

impl Hull {
    /// What the first state says.
    pub fn new(width: u8, cells: Vec<CellId>, value: &dyn Fn(CellId) -> u64) -> Hull {
        let row = |at: usize| {
            let mut row = vec![0; cells.len() + 1];
            row[at] = 1;
            row[cells.len()] = value(cells[at]).wrapping_neg() & mask(width);
            row
        };
        Hull { width, rows: (0..cells.len()).map(row).collect(), cells }
    }

    /// What is left with a further state; is it less?
    pub fn join(&mut self, value: &dyn Fn(CellId) -> u64) -> bool {
        let mut point: Vec<u64> = self.cells.iter().map(|c| value(*c)).collect();
        point.push(1);
        let rest = |row: &Vec<u64>| {
            let terms = row.iter().zip(&point).map(|(f, v)| f.wrapping_mul(*v));
            terms.fold(0u64, u64::wrapping_add) & mask(self.width)
        };
        let rests: Vec<u64> = self.rows.iter().map(rest).collect();
        // The equation that fails by the least power of two makes the others hold.
        let fails = (0..rests.len()).filter(|r| rests[*r] != 0);
        let Some(pivot) = fails.min_by_key(|r| rests[*r].trailing_zeros()) else { return false };
        let shift = rests[pivot].trailing_zeros();
        let unit = inverse(rests[pivot] >> shift);
        let row = self.rows[pivot].clone();
        for (at, rest) in rests.iter().enumerate() {
            if at != pivot && *rest != 0 {
                self.subtract(at, &row, (rest >> shift).wrapping_mul(unit));
            }
        }
        // A multiple of it still holds, if it failed by an even number.
        let factor = 1u64.checked_shl(u32::from(self.width) - shift).unwrap_or(0);
        self.rows[pivot].iter_mut().for_each(|f| *f = f.wrapping_mul(factor) & mask(self.width));
        self.rows.retain(|row| row.iter().any(|f| *f != 0));
        self.tidy();
        true
    }

    fn subtract(&mut self, at: usize, row: &[u64], factor: u64) {
        for (own, other) in self.rows[at].iter_mut().zip(row) {
            *own = own.wrapping_sub(other.wrapping_mul(factor)) & mask(self.width);
        }
    }

    /// Each equation defines a cell that others do not speak of, where one has an odd factor.
    fn tidy(&mut self) {
        let mut used = vec![false; self.cells.len()];
        for at in 0..self.rows.len() {
            let odd = |c: &usize| !used[*c] && self.rows[at][*c] % 2 == 1;
            let Some(cell) = (0..self.cells.len()).rev().find(odd) else { continue };
            used[cell] = true;
            let unit = inverse(self.rows[at][cell]);
            let width = self.width;
            self.rows[at].iter_mut().for_each(|f| *f = f.wrapping_mul(unit) & mask(width));
            let row = self.rows[at].clone();
            for other in (0..self.rows.len()).filter(|r| *r != at) {
                let factor = self.rows[other][cell];
                if factor != 0 {
                    self.subtract(other, &row, factor);
                }
            }
        }
        self.rows.retain(|row| row.iter().any(|f| *f != 0));
    }

    /// The equations as terms.
    pub fn terms(&self, system: &mut System) -> Vec<Term> {
        let mut all = Vec::new();
        for row in &self.rows {
            let mut sum = system.pool.bits(row[self.cells.len()], self.width);
            for (cell, factor) in self.cells.iter().zip(row).filter(|(_, f)| **f != 0) {
                let var = system.cell(*cell).var;
                let factor = system.pool.bits(*factor, self.width);
                let part = system.pool.binary(BitOp::Mul, var, factor);
                sum = system.pool.add(sum, part);
            }
            let zero = system.pool.bits(0, self.width);
            let equation = system.pool.eq(sum, zero);
            all.push(normal(&mut system.pool, equation));
        }
        all
    }
}

/// Of an odd number, modulo 2^64 (Newton).
fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    for _ in 0..5 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equations with these factors hold in all of the states exactly if the rows' combinations have them.
    #[test]
    fn the_module_is_what_the_states_satisfy() {
        let mut dice = obmc_testing::Dice::new(3);
        for _ in 0..200 {
            let cells: Vec<CellId> = (0..2).map(CellId).collect();
            let states: Vec<[u64; 2]> =
                (0..1 + dice.word() % 4).map(|_| [dice.word() & 7, dice.word() & 7]).collect();
            let mut hull = Hull::new(3, cells, &|c| states[0][c.index()]);
            for state in &states[1..] {
                let holds =
                    |row: &Vec<u64>| (row[0] * state[0] + row[1] * state[1] + row[2]) % 8 == 0;
                let all = hull.rows.iter().all(holds);
                assert_eq!(hull.join(&|c| state[c.index()]), !all);
            }
            let spanned = span(&hull.rows);
            for row in 0..512u64 {
                let row = [row & 7, row >> 3 & 7, row >> 6];
                let holds = |s: &[u64; 2]| (row[0] * s[0] + row[1] * s[1] + row[2]) % 8 == 0;
                assert_eq!(states.iter().all(holds), spanned.contains(&row), "{states:?} {row:?}");
            }
        }
    }

    fn span(rows: &[Vec<u64>]) -> Vec<[u64; 3]> {
        let mut all = vec![[0; 3]];
        for row in rows {
            let add = |v: &[u64; 3], k: u64| [0, 1, 2].map(|i| (v[i] + k * row[i]) % 8);
            all = all.iter().flat_map(|v| (0..8).map(move |k| add(v, k))).collect();
            all.sort_unstable();
            all.dedup();
        }
        all
    }

    #[test]
    fn inverses() {
        for odd in [1, 3, 0x1234_5679, u64::MAX] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }
}
