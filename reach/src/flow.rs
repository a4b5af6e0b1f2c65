//! How values flow between cells: which have finitely many values by their shape, which grow together,
//! and which conditions the program asks.

use crate::system::{CellId, CellKind, LocId, System, Target, Thread};
use encoder::{Op, Term};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

/// The cells that a value is made of; what only chooses between values is no part.
fn parts(system: &System, value: Term) -> Vec<CellId> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let mut stack = vec![value];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        match system.pool.op(t) {
            Op::Var(_) => found.extend(system.by_var.get(&t)),
            Op::Ite(_, a, b) => stack.extend([a, b]),
            Op::Eq(..) | Op::Ult(..) | Op::Slt(..) => {}
            _ => system.pool.operands(t, |o| stack.push(o)),
        }
    }
    found
}

/// Cells between which values flow, as numbers of components. Cells with finitely many values are
/// alone.
pub fn components(system: &System, finite: &FixedBitSet) -> Vec<usize> {
    let mut component: Vec<usize> = (0..system.cells.len()).collect();
    fn root(component: &[usize], mut at: usize) -> usize {
        while component[at] != at {
            at = component[at];
        }
        at
    }
    for action in &system.actions {
        for (cell, value) in &action.updates {
            for part in parts(system, *value) {
                if !finite.contains(part.index()) && !finite.contains(cell.index()) {
                    let (a, b) = (root(&component, part.index()), root(&component, cell.index()));
                    component[a.max(b)] = a.min(b);
                }
            }
        }
    }
    (0..component.len()).map(|c| root(&component, c)).collect()
}

/// Which cells of a thread are read before they are written, by location.
pub struct Live(Vec<Vec<FixedBitSet>>);

impl Live {
    pub fn new(system: &System) -> Live {
        let none = FixedBitSet::with_capacity(system.cells.len());
        let of = |thread: &Thread| {
            let mut live = vec![none.clone(); thread.locations.len()];
            let mut grown = true;
            while std::mem::take(&mut grown) {
                for (at, location) in thread.locations.iter().enumerate().rev() {
                    for action in location.actions.iter().map(|id| system.action(*id)) {
                        let mut before = match action.to {
                            Target::To(to) => live[to.index()].clone(),
                            _ => none.clone(),
                        };
                        before.difference_with(&action.writes);
                        before.union_with(&action.reads);
                        grown |= !before.is_subset(&live[at]);
                        live[at].union_with(&before);
                    }
                }
            }
            live
        };
        Live(system.threads.iter().map(of).collect())
    }

    /// May some thread still read the cell's value?
    pub(crate) fn is_live(&self, system: &System, at: &[LocId], cell: CellId) -> bool {
        match system.cell(cell).kind {
            CellKind::Own(thread) => {
                self.0[thread.index()][at[thread.index()].index()].contains(cell.index())
            }
            CellKind::Shared | CellKind::Control => true,
        }
    }
}

/// Comparisons in guards that speak of cells only.
pub fn conditions(system: &System) -> Vec<Term> {
    let mut found = FxHashSet::default();
    let mut seen = FxHashSet::default();
    for action in &system.actions {
        let mut stack = vec![action.guard];
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            match system.pool.op(t) {
                Op::Not(a) => stack.push(a),
                Op::And(a, b) => stack.extend([a, b]),
                Op::Ite(c, a, b) if system.pool.sort(t) == encoder::Sort::Bool => {
                    stack.extend([c, a, b]);
                }
                Op::Eq(..) | Op::Ult(..) | Op::Slt(..) => {
                    let vars = crate::system::vars(&system.pool, t);
                    if vars.iter().all(|v| system.by_var.contains_key(v)) {
                        found.insert(t);
                    }
                }
                _ => {}
            }
        }
    }
    let mut found: Vec<Term> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// Cells that only ever get constants, or what such cells hold.
pub fn finite(system: &System) -> FixedBitSet {
    let mut finite = FixedBitSet::with_capacity(system.cells.len());
    finite.insert_range(..);
    loop {
        let mut lost = Vec::new();
        for action in &system.actions {
            for (cell, value) in &action.updates {
                if finite.contains(cell.index()) && !is_finite(system, &finite, *value) {
                    lost.push(cell.index());
                }
            }
        }
        if lost.is_empty() {
            return finite;
        }
        lost.into_iter().for_each(|c| finite.remove(c));
    }
}

fn is_finite(system: &System, finite: &FixedBitSet, value: Term) -> bool {
    let mut stack = vec![value];
    while let Some(t) = stack.pop() {
        match system.pool.op(t) {
            Op::Bool(_) | Op::Bits(_) => {}
            Op::Ite(_, a, b) => stack.extend([a, b]),
            Op::ZeroExt(a) | Op::SignExt(a) | Op::Extract { of: a, .. } => stack.push(a),
            Op::Var(_) => match system.by_var.get(&t) {
                Some(cell) if finite.contains(cell.index()) => {}
                _ => return false,
            },
            _ => return false,
        }
    }
    true
}
