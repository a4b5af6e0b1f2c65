//! Cells that no program has, for proofs that count threads: what they stand for. The rules about them
//! are in `count`.

use super::guards::{CellId, Guards, LockId, Of};
use crate::engine::modular::log::Site;
use crate::engine::modular::value::TemplateId;
use std::collections::{BTreeMap, BTreeSet};

/// What a ghost counts. Flags and sums are numbered by tally.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ghost {
    Flag(usize),
    Sum(usize),
    Passes(Site),
    Total(TemplateId),
    /// Of a lock (`pairs`): is it taken, and by this thread?
    Word(LockId),
    Held(LockId),
}

#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub tallies: Vec<FlagCount>,
    /// Of the first thread, by instruction.
    pub passes: BTreeMap<Site, CellId>,
    pub counted: BTreeMap<TemplateId, CountedTemplate>,
    /// How cells are changed, as far as all is counted.
    pub sums: Vec<Parts>,
}

/// Threads of a template with their flag set.
#[derive(Clone, Debug)]
pub struct FlagCount {
    pub template: TemplateId,
    pub sets: BTreeSet<Site>,
    pub clears: BTreeSet<Site>,
    pub flag: CellId,
    pub sum: CellId,
}

/// A template that is counted.
#[derive(Clone, Copy, Debug)]
pub struct CountedTemplate {
    pub total: CellId,
    /// The passes of its start.
    pub started: CellId,
}

/// A cell, and ghosts that say by how much it has changed.
#[derive(Clone, Debug)]
pub struct Parts {
    pub cell: CellId,
    pub weights: Vec<(CellId, i128)>,
}

impl Counts {
    pub fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    /// Ghosts that change when the instruction is passed.
    pub fn changed_by(&self, site: Site) -> Vec<CellId> {
        let mut all: Vec<CellId> = self.passes.get(&site).copied().into_iter().collect();
        for tally in &self.tallies {
            if tally.sets.contains(&site) || tally.clears.contains(&site) {
                all.extend([tally.flag, tally.sum]);
            }
        }
        all
    }
}

impl Guards {
    pub fn passes_of(&self, cell: CellId) -> Option<Site> {
        match self.cells[cell.0].of {
            Of::Ghost(Ghost::Passes(site)) => Some(site),
            _ => None,
        }
    }

    /// Is it the flag of a thread of this template?
    pub fn is_flag_of(&self, cell: CellId, template: TemplateId) -> bool {
        match self.cells[cell.0].of {
            Of::Ghost(Ghost::Flag(tally)) => self.counts.tallies[tally].template == template,
            _ => false,
        }
    }
}
