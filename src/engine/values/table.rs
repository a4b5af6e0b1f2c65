//! The table of all reads and writes: what each cell was found to hold, and who has looked.
//!
//! A read takes the value of every write that was seen so far and that it may see; when a new write appears, every
//! earlier read is continued with it, too.

use super::memory::FlowCell;
use super::precision::GuessedCells;
use super::state::ThreadState;
use super::threads::{AccessSite, ThreadIdx};
use super::value::FlowValue;
use super::view::ThreadView;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a read may look at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReadPlace {
    Cell(FlowCell),
    /// The end of a thread, with its result.
    End(ThreadIdx),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SeenWrite {
    pub site: AccessSite,
    pub value: FlowValue,
    /// What a thread learns by acquiring it.
    pub released: Option<ThreadView>,
    pub guess: GuessedCells,
}

#[derive(Default)]
pub struct ReadRow {
    pub writes: Vec<SeenWrite>,
    known: FxHashSet<SeenWrite>,
    /// States before a read.
    pub reads: Vec<(ThreadIdx, ThreadState)>,
}

#[derive(Default)]
pub struct ReadTable {
    rows: FxHashMap<ReadPlace, ReadRow>,
}

impl ReadTable {
    pub fn row(&mut self, place: ReadPlace) -> &mut ReadRow {
        self.rows.entry(place).or_default()
    }

    /// Is it new?
    pub fn add(&mut self, place: ReadPlace, write: SeenWrite) -> bool {
        let row = self.row(place);
        let new = row.known.insert(write.clone());
        if new {
            row.writes.push(write);
        }
        new
    }

    /// Different values in a row.
    pub fn values(&mut self, place: ReadPlace) -> usize {
        let values: FxHashSet<FlowValue> = self.row(place).writes.iter().map(|w| w.value).collect();
        values.len()
    }
}
