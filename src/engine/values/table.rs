//! The table of all reads and writes: what each cell was found to hold, and who has looked.
//!
//! A read takes the value of every write that was seen so far and that it may see; when a new write appears, every
//! earlier read is continued with it, too.

use super::memory::CellId;
use super::precision::Guess;
use super::state::State;
use super::threads::{Site, ThreadIdx};
use super::value::Value;
use super::view::View;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a read may look at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    Cell(CellId),
    /// The end of a thread, with its result.
    End(ThreadIdx),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Write {
    pub site: Site,
    pub value: Value,
    /// What who acquires it learns.
    pub released: Option<View>,
    pub guess: Guess,
}

#[derive(Default)]
pub struct Row {
    pub writes: Vec<Write>,
    known: FxHashSet<Write>,
    /// States before a read.
    pub reads: Vec<(ThreadIdx, State)>,
}

#[derive(Default)]
pub struct Table {
    rows: FxHashMap<Place, Row>,
}

impl Table {
    pub fn row(&mut self, place: Place) -> &mut Row {
        self.rows.entry(place).or_default()
    }

    /// Is it new?
    pub fn add(&mut self, place: Place, write: Write) -> bool {
        let row = self.row(place);
        let new = row.known.insert(write.clone());
        if new {
            row.writes.push(write);
        }
        new
    }

    /// Different values in a row.
    pub fn values(&mut self, place: Place) -> usize {
        let values: FxHashSet<Value> = self.row(place).writes.iter().map(|w| w.value).collect();
        values.len()
    }
}
