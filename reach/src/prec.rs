//! The precision: which cells are tracked by value, and which predicates by truth.

use crate::system::{CellId, CellKind, System};
use encoder::Term;
use fixedbitset::FixedBitSet;

#[derive(Clone, Debug, Default)]
pub struct Precision {
    /// Ascending.
    pub cells: Vec<CellId>,
    pub predicates: Vec<Predicate>,
    /// Cells that have had too many values to be tracked by value.
    pub growing: FixedBitSet,
}

#[derive(Clone, Debug)]
pub struct Predicate {
    pub term: Term,
    pub cells: FixedBitSet,
}

impl Precision {
    /// Of threads and lifetimes all is tracked from the start.
    pub fn new(system: &System) -> Precision {
        let control = |id: &CellId| system.cell(*id).kind == CellKind::Control;
        Precision {
            cells: system.cell_ids().filter(control).collect(),
            predicates: Vec::new(),
            growing: FixedBitSet::with_capacity(system.cells.len()),
        }
    }

    pub fn track(&mut self, cell: CellId) -> bool {
        match self.cells.binary_search(&cell) {
            Ok(_) => false,
            Err(at) => {
                self.cells.insert(at, cell);
                true
            }
        }
    }

    pub(crate) fn tracks(&self, cell: CellId) -> bool {
        self.cells.binary_search(&cell).is_ok()
    }

    /// Its values are too many.
    pub(crate) fn drop_cell(&mut self, cell: CellId) {
        self.cells.retain(|c| *c != cell);
        self.growing.insert(cell.index());
    }

    pub fn add(&mut self, system: &System, term: Term) -> bool {
        let known = |p: &Predicate| p.term == term || system.pool.opposite(p.term, term);
        if self.predicates.iter().any(known) {
            return false;
        }
        self.predicates.push(Predicate { term, cells: system.cells_in(term) });
        true
    }

    /// The cells that a state's formula may speak of.
    pub fn vars(&self, system: &System) -> FixedBitSet {
        let mut vars = FixedBitSet::with_capacity(system.cells.len());
        self.cells.iter().for_each(|c| vars.insert(c.index()));
        self.predicates.iter().for_each(|p| vars.union_with(&p.cells));
        vars
    }
}
