//! Cells: reads and writes of them, as events where other threads use them too.
//!
//! An atomic block sees the world once: the first read of a cell imports its value, writes are kept
//! and read back, and the end publishes one write for each cell. A block that does not come to its
//! end publishes nothing.

use super::memory::Write;
use super::state::{Atomic, Pending, WalkState};
use super::{Export, Import, Purpose, Walk};
use crate::event::{EventKind, GoalKind, NodeId, NodeKind};
use crate::object::{CellKey, Class, ObjectId};
use crate::term::{Sort, Term};
use ir::MemoryOrder;

impl Walk<'_> {
    pub(super) fn load_bytes(
        &mut self,
        state: &mut WalkState,
        object: ObjectId,
        offset: u64,
        bytes: u64,
        guard: Term,
    ) -> Term {
        let Some(cells) = self.space.cells_at(object, offset, bytes) else {
            // The next walk will have other cells.
            return self.result_var(Sort::Bits(bytes as u8 * 8));
        };
        self.refuse_mixed(state, cells.len());
        let mut value: Option<Term> = None;
        for cell in cells {
            let part = self.load_cell(state, cell, guard, NodeKind::Access);
            value = Some(match value {
                None => part,
                Some(low) => self.pool.concat(part, low),
            });
        }
        value.unwrap_or_else(|| self.pool.bits(0, bytes as u8 * 8))
    }

    pub(super) fn store_bytes(&mut self, state: &mut WalkState, value: Term, write: Write) {
        let Write { object, offset, here, guard } = write;
        let bytes = u64::from(self.pool.width(value) / 8);
        let Some(cells) = self.space.cells_at(object, offset, bytes) else { return };
        self.refuse_mixed(state, cells.len());
        let mut low = 0;
        for cell in cells {
            let width = self.space.cell(cell).bytes * 8;
            let part = self.pool.extract(value, low, width);
            self.store_cell(state, cell, part, here, guard, NodeKind::Access);
            low += width;
        }
    }

    /// Under other models than sequential consistency, an atomic access is one event.
    fn refuse_mixed(&mut self, state: &mut WalkState, cells: usize) {
        if self.config.weak && cells > 1 && self.order != MemoryOrder::Plain {
            let what = "an atomic access to bytes that are also accessed one by one";
            self.goal(state, GoalKind::Unsupported(what.into()), state.guard);
        }
    }

    pub(super) fn load_cell(
        &mut self,
        state: &mut WalkState,
        cell: CellKey,
        guard: Term,
        kind: NodeKind,
    ) -> Term {
        self.note_order(cell);
        let class = self.space.touch(cell, self.thread, false);
        let pending = state.atomic.as_ref().and_then(|a| a.writes.get(&cell)).copied();
        match pending {
            Some(p) if self.pool.implies(guard, p.written) => p.value,
            Some(p) => {
                // An object that the block has made was not there before.
                let open = self.pool.not(p.written);
                let guard = self.pool.and(guard, open);
                let base = self.load_outside(state, cell, class, guard, kind);
                self.pool.ite(p.written, p.value, base)
            }
            None => self.load_outside(state, cell, class, guard, kind),
        }
    }

    /// What a cell holds as far as the running atomic block has not written it.
    fn load_outside(
        &mut self,
        state: &mut WalkState,
        cell: CellKey,
        class: Class,
        guard: Term,
        kind: NodeKind,
    ) -> Term {
        match class {
            Class::ReadOnly => self.first_value(cell),
            Class::ThreadLocal | Class::SingleWriter => {
                self.note_own_read(state, cell);
                match state.memory.get(&cell) {
                    Some(&t) => t,
                    None => self.first_value(cell),
                }
            }
            Class::Shared if self.config.weak => {
                let read = self.read_event(state, cell, guard, kind);
                self.known_read(state, cell, guard, read)
            }
            Class::Shared => match self.settled(state, cell) {
                Some(value) => value,
                None => self.read_event(state, cell, guard, kind),
            },
        }
    }

    /// The value of a read that is an event, if it can have but one source. That follows from the model;
    /// it is said here so that the walk knows it.
    fn known_read(&mut self, state: &WalkState, cell: CellKey, guard: Term, read: Term) -> Term {
        if !self.config.settles {
            return read;
        }
        let known = match self.is_own(cell) {
            true => match state.memory.get(&cell) {
                Some(&value) => Some(value),
                None => Some(self.first_value(cell)),
            },
            false => self.settled(state, cell),
        };
        let Some(value) = known else { return read };
        let same = self.pool.eq(read, value);
        let fact = self.pool.implies_term(guard, same);
        if !self.pool.is_true(fact) {
            self.facts.push(fact);
        }
        value
    }

    /// Under other models: does the running thread alone write it?
    fn is_own(&self, cell: CellKey) -> bool {
        self.config.settles && self.space.writer(cell) == Some(self.thread)
    }

    fn read_event(
        &mut self,
        state: &WalkState,
        cell: CellKey,
        guard: Term,
        kind: NodeKind,
    ) -> Term {
        let width = self.space.cell(cell).bytes * 8;
        let known = self.space.cell(cell).value.single(&self.space);
        if let (Some(k), false) = (known, self.config.weak) {
            return self.pool.bits(k, width);
        }
        let node = self.node(state, kind);
        self.note_event(state, node, cell, EventKind::Read);
        if self.updating {
            self.updates.insert((node, cell));
        }
        if let Some(import) = self.imports.get_mut(&(node, cell)) {
            import.guard = self.pool.or(import.guard, guard);
            import.order = import.order.max(self.order);
            import.orders.push((self.order, guard));
            return import.var;
        }
        let var = match known {
            Some(k) => self.pool.bits(k, width),
            None => self.read_var(node, cell, width),
        };
        let (order, span, orders) = (self.order, self.span, vec![(self.order, guard)]);
        self.imports.insert((node, cell), Import { var, guard, order, span, orders });
        var
    }

    /// As few bits as the values of the cell need.
    fn read_var(&mut self, node: NodeId, cell: CellKey, width: u8) -> Term {
        let at = self.nodes[node.index()].at;
        let value = self.space.cell(cell).value.clone();
        let narrow = value.narrow(&self.space, width).filter(|_| self.config.narrow);
        let (bits, sign) = narrow.unwrap_or((width, false));
        let var = self.var(Purpose::Read(self.thread, at, cell, bits), Sort::Bits(bits));
        let full = match sign {
            true => self.pool.sign_ext(var, width),
            false => self.pool.zero_ext(var, width),
        };
        self.values.set(full, value);
        full
    }

    pub(super) fn store_cell(
        &mut self,
        state: &mut WalkState,
        cell: CellKey,
        value: Term,
        here: Term,
        guard: Term,
        kind: NodeKind,
    ) {
        if self.pool.is_false(guard) {
            return;
        }
        self.note_order(cell);
        let class = self.space.touch(cell, self.thread, true);
        if self.checks_memory() {
            let seen = self.value_of(value);
            self.space.note_block(cell, &seen);
        }
        if class == Class::ThreadLocal {
            self.note_own_write(state, cell, self.pool.is_true(here));
            return self.remember(state, cell, value, here);
        }
        if self.config.weak {
            let node = self.node(state, kind);
            self.note_event(state, node, cell, EventKind::Write);
        }
        let seen = self.value_of(value);
        self.space.see(cell, &seen);
        self.space.written_after(cell, self.running[self.thread.index()].started);
        if self.order != MemoryOrder::Plain {
            let node = self.node(state, kind);
            let order = self.write_orders.entry((node, cell)).or_insert(self.order);
            *order = (*order).max(self.order);
        }
        if let Some(atomic) = &mut state.atomic {
            let new = match atomic.writes.get(&cell) {
                None => Pending { value, written: guard },
                Some(old) => Pending {
                    value: self.pool.ite(here, value, old.value),
                    written: self.pool.or(old.written, guard),
                },
            };
            atomic.writes.insert(cell, new);
            return;
        }
        if class == Class::SingleWriter || self.is_own(cell) {
            self.remember(state, cell, value, here);
        }
        let node = self.node(state, kind);
        self.export(node, cell, value, guard);
    }

    /// Under other models, an atomic access orders something even if no other thread uses the cell.
    fn note_order(&mut self, cell: CellKey) {
        if self.config.weak && self.order != MemoryOrder::Plain {
            self.space.note_atomic(cell);
        }
    }

    pub(super) fn remember(
        &mut self,
        state: &mut WalkState,
        cell: CellKey,
        value: Term,
        here: Term,
    ) {
        let value = if self.pool.is_true(here) {
            value
        } else {
            let old = state.memory.get(&cell).copied();
            let old = old.unwrap_or_else(|| self.first_value(cell));
            self.pool.ite(here, value, old)
        };
        state.memory.insert(cell, value);
    }

    fn export(&mut self, node: NodeId, cell: CellKey, value: Term, guard: Term) {
        let span = self.span;
        match self.exports.get_mut(&(node, cell)) {
            None => {
                self.exports.insert((node, cell), Export { value, guard, span });
            }
            Some(old) => {
                old.value = self.pool.ite(guard, value, old.value);
                old.guard = self.pool.or(old.guard, guard);
            }
        }
    }

    /// The end of an atomic block: its writes happen.
    pub(super) fn publish(&mut self, state: &mut WalkState, atomic: &Atomic) {
        for (&cell, pending) in &atomic.writes {
            let guard = self.pool.and(state.guard, pending.written);
            if self.pool.is_false(guard) {
                continue;
            }
            if self.space.class(cell, self.thread) == Class::SingleWriter || self.is_own(cell) {
                self.remember(state, cell, pending.value, pending.written);
            }
            self.export(atomic.node, cell, pending.value, guard);
        }
    }
}
