//! What is followed: cells, registers, and the order of accesses.
//!
//! A cell outside of the precision is any value where it is read, and a write to it leaves nothing behind. A
//! value remembers which such cells it was computed from, and a path by which of them its branches were decided: these
//! are tracked next if the path leads to an error.

use super::memory::FlowCell;
use ir::{FuncId, Reg};
use rustc_hash::FxHashSet;
use std::hash::{Hash, Hasher};

/// Cells that were not tracked, as bits; the last bit stands for all cells beyond. It is no part of a state: two
/// states that differ in it only are the same.
#[derive(Clone, Copy, Debug)]
pub struct GuessedCells(u128);

const LAST: u32 = 127;

impl GuessedCells {
    pub const NONE: GuessedCells = GuessedCells(0);

    pub fn of(cell: FlowCell) -> GuessedCells {
        GuessedCells(1 << cell.0.min(LAST))
    }

    pub fn and(self, other: GuessedCells) -> GuessedCells {
        GuessedCells(self.0 | other.0)
    }

    pub fn contains(self, cell: FlowCell) -> bool {
        self.0 >> cell.0.min(LAST) & 1 == 1
    }
}

impl PartialEq for GuessedCells {
    fn eq(&self, _: &GuessedCells) -> bool {
        true
    }
}

impl Eq for GuessedCells {}

impl Hash for GuessedCells {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Does a read know which writes it cannot see?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AccessOrdering {
    /// It may see any write to its cell.
    #[default]
    Ignored,
    Followed,
}

#[derive(Clone, Debug, Default)]
pub struct FlowPrecision {
    tracked: FxHashSet<FlowCell>,
    /// Cells and registers with too many values: they may hold any.
    loose_cells: FxHashSet<FlowCell>,
    loose_regs: FxHashSet<(FuncId, Reg)>,
    pub ordering: AccessOrdering,
}

impl FlowPrecision {
    pub fn tracks(&self, cell: FlowCell) -> bool {
        self.tracked.contains(&cell)
    }

    pub fn is_loose(&self, cell: FlowCell) -> bool {
        self.loose_cells.contains(&cell)
    }

    pub fn is_loose_reg(&self, function: FuncId, reg: Reg) -> bool {
        self.loose_regs.contains(&(function, reg))
    }

    pub fn loosen(&mut self, cell: FlowCell) {
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
    pub fn refine(
        &mut self,
        guess: GuessedCells,
        cells: impl Iterator<Item = FlowCell> + Clone,
    ) -> bool {
        let guessed = cells.clone().filter(|cell| guess.contains(*cell));
        if self.track(guessed) || self.track(cells) {
            return true;
        }
        let grows = self.ordering == AccessOrdering::Ignored;
        self.ordering = AccessOrdering::Followed;
        grows
    }

    fn track(&mut self, cells: impl Iterator<Item = FlowCell>) -> bool {
        let before = self.tracked.len();
        let FlowPrecision { tracked, loose_cells, .. } = self;
        tracked.extend(cells.filter(|cell| !loose_cells.contains(cell)));
        self.tracked.len() > before
    }
}
