//! Cone of influence, location by location: what no guard can observe any more is forgotten.
//!
//! A cell is observable where some thread may still execute an action whose guard reads it, or one
//! that copies it into an observable cell. Threads only move on, so what is not observable stays so. A
//! step that writes such cells only is not evaluated: its location moves and the cells become
//! anything. Counterexamples are refuted with the original actions, so nothing is forgotten that a
//! refutation needs: its cells are read by a guard later on the path.

use crate::graph::Vector;
use crate::system::{LocId, System, Target};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Coi {
    Off,
    /// Cells that no guard depends on at all.
    Static,
    /// And those on which none depends from here on.
    #[default]
    Dynamic,
}

pub struct Observed {
    /// By thread and location: the actions that may come from there on.
    future: Vec<Vec<FixedBitSet>>,
    /// By action: cells of the guard; by update, the cell and what it reads.
    guards: Vec<FixedBitSet>,
    flows: Vec<Vec<(usize, FixedBitSet)>>,
    by_vector: FxHashMap<Vector, Rc<FixedBitSet>>,
}

impl Observed {
    pub fn new(system: &System) -> Observed {
        let flow = |(cell, value): &(crate::system::CellId, encoder::Term)| {
            (cell.index(), system.cells_in(*value))
        };
        Observed {
            future: system.threads.iter().map(|t| futures(system, t)).collect(),
            guards: system.actions.iter().map(|a| system.cells_in(a.guard)).collect(),
            flows: system.actions.iter().map(|a| a.updates.iter().map(flow).collect()).collect(),
            by_vector: FxHashMap::default(),
        }
    }

    /// The cells that can still be observed.
    pub fn at(&mut self, vector: &Vector) -> Rc<FixedBitSet> {
        if let Some(known) = self.by_vector.get(vector) {
            return known.clone();
        }
        let mut actions = FixedBitSet::with_capacity(self.guards.len());
        for (thread, at) in vector.iter().enumerate() {
            actions.union_with(&self.future[thread][at.index()]);
        }
        let mut cells = FixedBitSet::new();
        for action in actions.ones() {
            cells.grow(self.guards[action].len());
            cells.union_with(&self.guards[action]);
        }
        loop {
            let before = cells.count_ones(..);
            for action in actions.ones() {
                for (cell, from) in &self.flows[action] {
                    if cells.contains(*cell) {
                        cells.union_with(from);
                    }
                }
            }
            if cells.count_ones(..) == before {
                break;
            }
        }
        let cells = Rc::new(cells);
        self.by_vector.insert(vector.clone(), cells.clone());
        cells
    }
}

fn futures(system: &System, thread: &crate::system::Thread) -> Vec<FixedBitSet> {
    let none = FixedBitSet::with_capacity(system.actions.len());
    let mut future = vec![none; thread.locations.len()];
    loop {
        let mut grown = false;
        for (at, location) in thread.locations.iter().enumerate().rev() {
            for id in &location.actions {
                let before = future[at].count_ones(..);
                future[at].insert(id.index());
                if let Target::To(LocId(to)) = system.action(*id).to {
                    let to = future[to as usize].clone();
                    future[at].union_with(&to);
                }
                grown |= future[at].count_ones(..) != before;
            }
        }
        if !grown {
            return future;
        }
    }
}
