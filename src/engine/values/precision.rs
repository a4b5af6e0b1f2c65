//! What is followed: cells, registers, and the order of accesses.
//!
//! A cell outside of the precision is any value where it is read, and a write to it leaves nothing behind. A
//! value remembers which such cells it was computed from, and a path by which of them its branches were decided: these
//! are tracked next if the path leads to an error.

use super::memory::CellId;
use ir::{FuncId, Reg};
use rustc_hash::FxHashSet;
use std::hash::{Hash, Hasher};

/// Cells that were not tracked, as bits; the last bit stands for all cells beyond. It is no part of a state: two
/// states that differ in it only are the same.
#[derive(Clone, Copy, Debug)]
pub struct Guess(u128);

const LAST: u32 = 127;

impl Guess {
    pub const NONE: Guess = Guess(0);

    pub fn of(cell: CellId) -> Guess {
        Guess(1 << cell.0.min(LAST))
    }

    pub fn and(self, other: Guess) -> Guess {
        Guess(self.0 | other.0)
    }

    pub fn contains(self, cell: CellId) -> bool {
        self.0 >> cell.0.min(LAST) & 1 == 1
    }
}

impl PartialEq for Guess {
    fn eq(&self, _: &Guess) -> bool {
        true
    }
}

impl Eq for Guess {}

impl Hash for Guess {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Does a read know which writes it cannot see?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ordering {
    /// It may see any write to its cell.
    #[default]
    Ignored,
    Followed,
}

#[derive(Clone, Debug, Default)]
pub struct Precision {
    tracked: FxHashSet<CellId>,
    /// Cells and registers with too many values: they may hold any.
    loose_cells: FxHashSet<CellId>,
    loose_regs: FxHashSet<(FuncId, Reg)>,
    pub ordering: Ordering,
}

impl Precision {
    pub fn tracks(&self, cell: CellId) -> bool {
        self.tracked.contains(&cell)
    }

    pub fn is_loose(&self, cell: CellId) -> bool {
        self.loose_cells.contains(&cell)
    }

    pub fn is_loose_reg(&self, function: FuncId, reg: Reg) -> bool {
        self.loose_regs.contains(&(function, reg))
    }

    pub fn loosen(&mut self, cell: CellId) {
        self.tracked.remove(&cell);
        self.loose_cells.insert(cell);
    }

    pub fn loosen_reg(&mut self, function: FuncId, reg: Reg) {
        self.loose_regs.insert((function, reg));
    }

    pub fn tracked(&self) -> usize {
        self.tracked.len()
    }

    /// Grows, by the cells that a path to an error was guessed with; else by all there are; else by order. Does it?
    pub fn refine(&mut self, guess: Guess, cells: impl Iterator<Item = CellId> + Clone) -> bool {
        let guessed = cells.clone().filter(|cell| guess.contains(*cell));
        if self.track(guessed) || self.track(cells) {
            return true;
        }
        let grows = self.ordering == Ordering::Ignored;
        self.ordering = Ordering::Followed;
        grows
    }

    fn track(&mut self, cells: impl Iterator<Item = CellId>) -> bool {
        let before = self.tracked.len();
        let Precision { tracked, loose_cells, .. } = self;
        tracked.extend(cells.filter(|cell| !loose_cells.contains(cell)));
        self.tracked.len() > before
    }
}
