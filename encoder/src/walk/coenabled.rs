//! Where threads may halt for a race: before what others may touch too.
//!
//! Whether an access could be half of a race is learnt from walk to walk, like the classes of cells:
//! `Space` remembers which threads do what to a cell. What the first thread does while it is alone
//! does not count. See `crate::coenabled` for the idea.

use super::state::{Atomic, WalkState};
use super::{Purpose, Walk};
use crate::coenabled;
use crate::coenabled::{CoEnabled, ConflictingAccess, NextAccess};
use crate::event::{Fault, GoalKind, NodeId, ThreadId};
use crate::object::{Birth, CellKey, ObjectId};
use crate::term::{Sort, Term};
use ir::BlockId;
use ir::Property;
use rustc_hash::FxHashMap;

/// Orders between coenabled and blocks.
const ORDERS: usize = 100_000;

/// The coenabled of one walk.
#[derive(Default)]
pub(super) struct CoEnabledAccesses {
    pub list: Vec<CoEnabled>,
    /// Of atomic blocks.
    blocks: FxHashMap<NodeId, usize>,
}

impl Walk<'_> {
    /// An access is next.
    pub(super) fn about_to_access(
        &mut self,
        state: &mut WalkState,
        access: ConflictingAccess,
        places: &[(Term, ObjectId, u64)],
        bytes: u64,
    ) {
        if self.cannot_race(state) {
            return;
        }
        let mut cells = Vec::new();
        for &(here, object, offset) in places {
            let it = self.space.get(object);
            if it.constant || it.becomes_constant {
                continue; // a write to it is undefined anyway
            }
            // If other cells are in the way, the next walk will have better ones.
            let found = self.space.cells_at(object, offset, bytes).unwrap_or_default();
            cells.extend(found.into_iter().map(|cell| (here, cell)));
        }
        self.about_to_touch(state, access, &cells);
    }

    /// A read of large objects is next. No thread writes to them, but they may end: one cell stands for
    /// all places.
    pub(super) fn about_to_read_large_array(
        &mut self,
        state: &mut WalkState,
        access: ConflictingAccess,
        objects: &[(Term, ObjectId)],
    ) {
        let places: Vec<_> = objects.iter().map(|&(here, id)| (here, id, 0)).collect();
        self.about_to_access(state, access, &places, 1);
    }

    /// The block at this address is about to be freed.
    pub(super) fn about_to_free(&mut self, state: &mut WalkState, address: Term) {
        if self.cannot_race(state) {
            return;
        }
        let mut cells = Vec::new();
        for &(id, _) in &self.value_of(address).objects {
            if matches!(self.space.get(id).birth, Birth::Heap(..)) {
                let base = self.pool.bits(self.space.address(id, 0), self.pointer_width());
                let here = self.pool.eq(address, base);
                let contents = self.space.contents_of(id);
                cells.extend(contents.into_iter().map(|cell| (here, cell)));
            }
        }
        self.about_to_touch(state, ConflictingAccess::end(state.in_user_block()), &cells);
    }

    /// The thread is about to end. That its locals end with it is no access.
    pub(super) fn about_to_leave(&mut self, state: &WalkState) {
        if self.cannot_race(state) {
            return;
        }
        if state.atomic.as_ref().is_some_and(|a| self.coenabled.blocks.contains_key(&a.node)) {
            let what = "a thread that ends in an atomic block".to_string();
            self.goal(state, GoalKind::Unsupported(what), state.guard);
        }
    }

    /// Are races not asked for here, or is no other thread there?
    fn cannot_race(&self, state: &WalkState) -> bool {
        let others = || self.running.iter().enumerate().skip(1).filter(|(_, r)| r.met);
        self.config.property != Property::NoDataRace
            || self.config.weak
            || self.thread == ThreadId(0)
                && others().all(|(i, _)| state.joined.contains(&ThreadId::new(i)))
    }

    fn about_to_touch(
        &mut self,
        state: &mut WalkState,
        access: ConflictingAccess,
        cells: &[(Term, CellKey)],
    ) {
        let mut touches = Vec::new();
        for &(here, cell) in cells {
            let guard = self.pool.and(state.guard, here);
            if !self.pool.is_false(guard) && self.space.may_race(cell, self.thread, access) {
                touches.push(NextAccess { cell: cell.0, access, guard });
            }
        }
        if touches.is_empty() {
            return;
        }
        match &state.atomic {
            Some(atomic) => self.touch_in_block(atomic.node, touches),
            None => self.halt_here(state, touches),
        }
    }

    fn halt_here(&mut self, state: &mut WalkState, touches: Vec<NextAccess>) {
        let choice = self.var(Purpose::CoEnabled(self.thread, self.at), Sort::Bool);
        let guard = self.pool.and(state.guard, choice);
        let running = &self.running[self.thread.index()];
        let before = running.nodes.last().copied().or(running.spawned_at);
        let (thread, at, span) = (self.thread, self.at, self.span);
        let after = before.unwrap_or(NodeId(0));
        self.coenabled.list.push(CoEnabled {
            thread,
            at,
            span,
            after,
            block: None,
            choice,
            guard,
            touches,
        });
        let go_on = self.pool.not(choice);
        state.guard = self.pool.and(state.guard, go_on);
    }

    fn touch_in_block(&mut self, block: NodeId, touches: Vec<NextAccess>) {
        if let Some(&i) = self.coenabled.blocks.get(&block) {
            self.coenabled.list[i].touches.extend(touches);
            return;
        }
        let at = self.nodes[block.index()].at;
        let choice = self.var(Purpose::CoEnabled(self.thread, at), Sort::Bool);
        let running = &self.running[self.thread.index()];
        let place = running.nodes.iter().rposition(|&n| n == block).unwrap_or(0);
        let before = place.checked_sub(1).map(|p| running.nodes[p]).or(running.spawned_at);
        self.coenabled.blocks.insert(block, self.coenabled.list.len());
        self.coenabled.list.push(CoEnabled {
            thread: self.thread,
            at,
            span: self.nodes[block.index()].span,
            after: before.unwrap_or(NodeId(0)),
            block: Some(block),
            choice,
            guard: self.pool.bool(false),
            touches,
        });
    }

    /// The end of an atomic block: the thread may halt instead.
    pub(super) fn about_to_publish(&mut self, state: &mut WalkState, block: &Atomic) {
        let Some(&i) = self.coenabled.blocks.get(&block.node) else { return };
        if self.decides(i, state.guard, block.begun) {
            let what = "a race with an atomic block that decides by what it reads".to_string();
            self.goal(state, GoalKind::Unsupported(what), block.begun);
        }
        let choice = self.coenabled.list[i].choice;
        let here = self.pool.and(state.guard, choice);
        self.coenabled.list[i].guard = self.pool.or(self.coenabled.list[i].guard, here);
        let go_on = self.pool.not(choice);
        state.guard = self.pool.and(state.guard, go_on);
    }

    /// Does what the block touches, or whether it comes to its end, perhaps depend on what another
    /// thread writes plainly? Then it may touch that only behind the write.
    fn decides(&self, halt: usize, guard: Term, begun: Term) -> bool {
        self.coenabled.list[halt].touches.iter().any(|touch| {
            touch.access == ConflictingAccess::BlockRead
                && (guard != begun || touch.guard != begun)
                && self.space.is_overwritten(CellKey(touch.cell), self.thread)
        })
    }

    /// The goal, and what must be in order for it.
    pub(super) fn race_goal(&mut self) -> Vec<(Term, NodeId, NodeId)> {
        if self.config.property != Property::NoDataRace {
            return Vec::new();
        }
        self.thread = ThreadId(0);
        self.at = crate::ProgramPoint { block: BlockId(0), index: 0 };
        self.span = ir::Span::NONE;
        let always = WalkState::new(self.pool.bool(true));
        let Some(orders) = coenabled::orders(&mut self.pool, &self.coenabled.list, ORDERS) else {
            let what = "too many pairs of accesses and atomic blocks".to_string();
            self.goal(&always, GoalKind::Unsupported(what), always.guard);
            return Vec::new();
        };
        let race = coenabled::race(&mut self.pool, &self.coenabled.list);
        self.goal(&always, GoalKind::Error(Fault::Race, "data race".into()), race);
        orders
    }
}
