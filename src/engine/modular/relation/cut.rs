//! Loops, cut at their heads.
//!
//! What the loop may change becomes anything at its head, but for what is known of every iteration: the
//! intervals of registers, how locks are held (as at the first arrival, checked on every path back),
//! and those candidates that hold at the first arrival and on every path back.

use super::count::at_head;
use super::guards::{CellId, Culprit, LockId};
use super::houdini::{CandidatePlace, Wrong};
use super::state::{HELD_BITS, RelationalState, WRITE};
use super::walk::RelationalWalk;
use crate::engine::modular::flat::Loop;
use crate::engine::modular::question::Unclear;
use crate::engine::modular::value::TemplateId;
use encoder::Sort;
use ir::walk::defined;
use ir::*;
use std::collections::BTreeSet;

/// What a loop may change.
#[derive(Default)]
struct Changes {
    regs: BTreeSet<Reg>,
    cells: BTreeSet<CellId>,
    locks: BTreeSet<LockId>,
    sharing: bool,
}

impl RelationalWalk<'_> {
    pub fn enter_loop(
        &mut self,
        head: BlockId,
        state: &mut RelationalState,
    ) -> Result<(), Unclear> {
        let graph = self.graph;
        let Some(looping) = graph.loop_of_head(head) else { return Ok(()) };
        let enters =
            |b: &BlockId| graph.cfg.preds[b.index()].iter().any(|p| !looping.body.contains(p));
        if looping.body.iter().any(|b| *b != head && enters(b)) {
            return Err(Unclear::new("a loop with several entries", self.span));
        }
        let changes = self.changes(looping);
        let place = CandidatePlace::Head(self.template, head);
        let guesses = at_head(self, head, &changes.regs, &changes.cells);
        self.marks.open(place, &changes.cells, guesses);
        let always = self.pool.bool(true);
        self.check_invariant(state, place, always);
        for reg in &changes.regs {
            if graph.live.at_start(head).contains(reg) {
                let ranges = self.view.log.ranges.get(&(self.template, head));
                let range = ranges.and_then(|known| known.get(reg)).copied();
                let any = self.any_in(state, self.function.regs[reg.index()].ty, range);
                state.regs.insert(*reg, any);
            } else {
                state.regs.remove(reg);
            }
        }
        for cell in &changes.cells {
            state.havoc_cell(self.pool, cell.0, always);
        }
        self.keep_locks(head, state, &changes.locks);
        if changes.sharing {
            state.shared = self.pool.fresh(Sort::Bool);
        }
        self.assume_sums(state, None, always);
        self.assume_invariant(state, place, always);
        Ok(())
    }

    /// A way comes back to the head of a loop.
    pub fn close_loop(&mut self, head: BlockId, state: &RelationalState) {
        let always = self.pool.bool(true);
        self.check_invariant(state, CandidatePlace::Head(self.template, head), always);
        for (lock, held) in self.held_at.get(&head).cloned().unwrap_or_default() {
            let same = self.pool.eq(state.held[lock], held);
            let differs = self.pool.not(same);
            let bad = self.pool.and(state.guard, differs);
            self.check(bad, Wrong::Guard(Culprit::Exclusion(self.view.guards.exclusions[lock])));
        }
    }

    fn keep_locks(&mut self, head: BlockId, state: &mut RelationalState, locks: &BTreeSet<LockId>) {
        let mut kept = Vec::new();
        for lock in locks {
            let held = state.held[lock.0];
            if self.pool.constant(held).is_some() {
                kept.push((lock.0, held));
                continue;
            }
            let any = self.pool.fresh(Sort::Bits(HELD_BITS));
            let most = self.pool.bits(WRITE, HELD_BITS);
            let possible = self.pool.ule(any, most);
            state.held[lock.0] = any;
            state.assume(self.pool, possible);
        }
        self.held_at.insert(head, kept);
    }

    fn changes(&self, looping: &Loop) -> Changes {
        let mut changes = Changes::default();
        for block in &looping.body {
            let insts = &self.function.blocks[block.index()].insts;
            for (i, inst) in insts.iter().enumerate() {
                changes.regs.extend(defined(&inst.kind));
                match inst.kind {
                    InstKind::Spawn { .. } => changes.sharing = true,
                    InstKind::AtomicBegin { .. } => {
                        self.takes(self.view.guards.step(), &mut changes)
                    }
                    InstKind::SlotLive(slot) | InstKind::SlotDead(slot) => {
                        changes.cells.extend(self.in_slot(slot));
                    }
                    _ => {}
                }
                self.changes_at((self.template, *block, i), &mut changes);
            }
        }
        changes
    }

    fn changes_at(&self, site: (TemplateId, BlockId, usize), changes: &mut Changes) {
        let (log, guards) = (self.view.log, self.view.guards);
        changes.cells.extend(guards.counts.changed_by(site));
        let Some(touches) = log.sites.get(&site) else { return };
        let met = guards.met(touches);
        if met.iter().any(|cell| guards.cells[cell.0].is_guarded()) {
            self.takes(guards.step(), changes);
        }
        if touches.iter().any(|t| t.write) {
            changes.cells.extend(met);
        }
        if self.template == TemplateId::MAIN && touches.iter().any(|t| t.quiet) {
            changes.sharing = true;
            let shared = guards.cells().filter(|(_, cell)| !cell.is_ghost() || cell.is_guarded());
            changes.cells.extend(shared.map(|(id, _)| id));
        }
        if let Some(lock) = log.syncs.get(&site).and_then(|sync| guards.lock(sync.lock)) {
            changes.locks.insert(lock);
            self.takes(Some(lock), changes);
        }
    }

    /// A thread that takes a lock finds its cells changed.
    fn takes(&self, lock: Option<LockId>, changes: &mut Changes) {
        let Some(lock) = lock else { return };
        let of_lock = self.view.guards.cells().filter(|(_, cell)| cell.is_guarded_by(lock));
        changes.cells.extend(of_lock.map(|(id, _)| id));
    }
}
