//! Objects: how they come into being, what they hold at first, and how they end.
//!
//! A global is there from the start; a slot or a block is made by one instruction of one thread, so
//! its place is its name. What may end has a cell that says whether it is alive, which is read and
//! written like any other: a use after the end is a question of who reads from whom.

use super::state::{Pending, WalkState};
use super::{Purpose, Walk};
use crate::ChosenInput;
use crate::event::{Fault, GoalKind, NodeKind};
use crate::object::{ALIVE, Birth, CellKey, Contents, Object, ObjectId, image};
use crate::term::{Sort, Term};
use ir::{self, FuncId, InstKind, ObjectKind, Operand, Reg, SlotId, Storage};
use std::rc::Rc;

pub(super) const WRONG_FREE: &str = "free of what is no live block";
/// What the cell `alive` of an object holds if it is alive and must not be written to.
const LIVE_CONSTANT: u64 = 2;
/// Bytes of a block whose size is not a constant.
const OPEN_SIZE: u64 = 1 << 16;

impl Walk<'_> {
    pub(super) fn static_object(&mut self, id: ir::ObjectId) -> ObjectId {
        let object = &self.program.objects[id.index()];
        let birth = match object.kind {
            ObjectKind::ThreadLocal => Birth::ThreadLocal(self.thread, id),
            _ => Birth::Static(id),
        };
        if let Some(found) = self.space.find(birth) {
            return found;
        }
        let contents = match object.kind {
            ObjectKind::External => Contents::Undefined,
            _ => Contents::Image(id),
        };
        let constant = object.kind == ObjectKind::Constant;
        let mut new = Object::new(birth, object.name.clone(), object.size, contents);
        new.constant = constant;
        new.align = object.align;
        let id = self.space.add(new);
        if let Birth::ThreadLocal(..) = birth {
            self.can_end(id);
        }
        id
    }

    /// Gives an object a cell that says whether it is alive.
    fn can_end(&mut self, id: ObjectId) {
        let alive = self.space.new_cell(id, ALIVE, 1);
        self.space.get_mut(id).alive = Some(alive);
    }

    fn image(&mut self, id: ir::ObjectId) -> Rc<Vec<u8>> {
        if let Some(bytes) = self.images.get(&id) {
            return bytes.clone();
        }
        let object = &self.program.objects[id.index()];
        // Make the objects first that it points to.
        let mut addresses = Vec::new();
        for (_, target) in &object.relocations {
            let state = WalkState::new(self.pool.bool(true));
            let t = self.operand(&state, target);
            addresses.push((*target, self.pool.constant(t).unwrap_or(0)));
        }
        let lookup = |op: &Operand| {
            addresses.iter().find(|(o, _)| o == op).map_or(0, |&(_, address)| address)
        };
        let bytes = Rc::new(image(self.program, object, lookup));
        self.images.insert(id, bytes.clone());
        bytes
    }

    /// What a cell holds before anybody writes it.
    pub(super) fn first_value(&mut self, cell: CellKey) -> Term {
        let info = self.space.cell(cell);
        let (object, offset, bytes) = (info.object, info.offset, u64::from(info.bytes));
        let width = info.bytes * 8;
        if offset == ALIVE {
            return self.pool.bits(1, width);
        }
        match self.space.get(object).contents {
            Contents::Zero => self.pool.bits(0, width),
            Contents::Number(k) => self.pool.bits(k, width),
            Contents::Undefined => self.var(Purpose::First(cell), Sort::Bits(width)),
            Contents::Image(id) => {
                let image = self.image(id);
                let byte =
                    |i: u64| u64::from(image.get((offset + i) as usize).copied().unwrap_or(0));
                let value = (0..bytes).fold(0, |v, i| v | byte(i) << (8 * i));
                self.pool.bits(value, width)
            }
        }
    }

    /// What all cells hold at first is one of their values.
    pub(super) fn see_first_values(&mut self) {
        for i in 0..self.space.cells.len() {
            let cell = CellKey(i as u32);
            if self.space.has_events(cell) {
                let first = self.first_value(cell);
                let value = self.value_of(first);
                self.space.see(cell, &value);
            }
        }
    }

    /// A new object of this thread, alive from here on.
    fn born(&mut self, state: &mut WalkState, object: Object, guard: Term) -> ObjectId {
        let birth = object.birth;
        let id = match self.space.find(birth) {
            // A size that was wrong in an earlier walk asks for another place.
            Some(id) if self.space.get(id).size >= object.size => id,
            _ => {
                let id = self.space.add(object);
                self.can_end(id);
                id
            }
        };
        let mut cells = self.space.cells_of(id);
        cells.retain(|&c| self.space.has_events(c));
        if let Some(atomic) = &state.atomic {
            // The block itself is the first to see it.
            let mut atomic = atomic.clone();
            for cell in cells {
                let value = self.first_value(cell);
                atomic.writes.insert(cell, Pending { value, written: guard });
            }
            state.atomic = Some(atomic);
        } else if !cells.is_empty() {
            let node = self.node(state, NodeKind::Lifetime);
            self.births.push((id, node, guard));
        }
        self.note_birth(state, id, guard);
        id
    }

    pub(super) fn slot_live(&mut self, state: &mut WalkState, slot: SlotId) {
        self.slot_dead(state, slot);
        let function = self.running[self.thread.index()].function;
        let info = &self.program.functions[function.index()].slots[slot.index()];
        let name = info.name.clone().unwrap_or_else(|| "temporary".into());
        let birth = Birth::Slot(self.thread, self.at);
        let mut object = Object::new(birth, name, info.size, Contents::Undefined);
        object.align = info.align;
        object.becomes_constant = self.becomes_constant(function, slot);
        let guard = state.guard;
        let id = self.born(state, object, guard);
        let address = self.space.address(id, 0);
        let address = self.pool.bits(address, self.pointer_width());
        state.slots.insert(slot, address);
    }

    pub(super) fn slot_dead(&mut self, state: &mut WalkState, slot: SlotId) {
        let Some(address) = state.slots.remove(&slot) else { return };
        self.end_objects(state, address);
    }

    fn becomes_constant(&self, function: FuncId, slot: SlotId) -> bool {
        let blocks = &self.program.functions[function.index()].blocks;
        let mut insts = blocks.iter().flat_map(|block| &block.insts);
        insts.any(|i| matches!(i.kind, InstKind::SlotConst { slot: s, .. } if s == slot))
    }

    pub(super) fn slot_const(&mut self, state: &mut WalkState, slot: SlotId, constant: bool) {
        let Some(&address) = state.slots.get(&slot) else { return };
        let life = if constant { LIVE_CONSTANT } else { 1 };
        self.set_life(state, address, life);
    }

    /// May this object be written to? A constant on the stack may not.
    pub(super) fn check_writable(
        &mut self,
        state: &mut WalkState,
        object: ObjectId,
        guard: Term,
    ) -> Term {
        if self.config.weak && !self.checks_memory() {
            return self.pool.bool(true);
        }
        let it = self.space.get(object);
        let (true, Some(cell)) = (it.becomes_constant, it.alive) else {
            return self.pool.bool(true);
        };
        let life = self.life(state, cell, guard, NodeKind::Access);
        let constant = self.pool.bits(LIVE_CONSTANT, 8);
        let bad = self.pool.eq(life, constant);
        let wrong = self.pool.and(guard, bad);
        let what = "write to a constant".to_string();
        let kind = match self.checks_memory() {
            true => GoalKind::Error(Fault::Deref, what),
            false => GoalKind::InvalidAccess(what),
        };
        self.goal(state, kind, wrong);
        self.pool.not(bad)
    }

    /// Is it alive? The question is no part of the access, whatever the order of that is.
    pub(super) fn life(
        &mut self,
        state: &mut WalkState,
        alive: CellKey,
        guard: Term,
        kind: NodeKind,
    ) -> Term {
        let order = std::mem::replace(&mut self.order, ir::MemoryOrder::Plain);
        let life = self.load_cell(state, alive, guard, kind);
        self.order = order;
        life
    }

    /// The end of a variable-length array before that of its frame.
    pub(super) fn end_array(&mut self, state: &mut WalkState, ptr: &Operand) {
        let address = self.operand(state, ptr);
        self.end_objects(state, address);
    }

    /// The slot at this address (or one of several) is no more.
    pub(super) fn end_objects(&mut self, state: &mut WalkState, address: Term) {
        self.set_life(state, address, 0);
    }

    fn set_life(&mut self, state: &mut WalkState, address: Term, life: u64) {
        let value = self.value_of(address);
        for &(id, _) in &value.objects {
            let base = self.pool.bits(self.space.address(id, 0), self.pointer_width());
            let here = self.pool.eq(address, base);
            let Some(alive) = self.space.get(id).alive else { continue };
            let guard = self.pool.and(state.guard, here);
            let life = self.pool.bits(life, 8);
            self.store_cell(state, alive, life, here, guard, NodeKind::Lifetime);
        }
    }

    /// What ends with its thread by itself: its thread-locals, and what `alloca` gave it.
    pub(super) fn end_own(&mut self, state: &mut WalkState, ended: Term) {
        let thread = self.thread;
        let own = |o: &Object| match o.birth {
            Birth::ThreadLocal(t, _) | Birth::Frame(t, _) => t == thread,
            _ => false,
        };
        let cells = self.space.objects.iter().filter(|o| own(o)).filter_map(|o| o.alive);
        let (zero, always) = (self.pool.bits(0, 8), self.pool.bool(true));
        for alive in cells.collect::<Vec<CellKey>>() {
            self.store_cell(state, alive, zero, always, ended, NodeKind::Lifetime);
        }
    }

    pub(super) fn alloc(
        &mut self,
        state: &mut WalkState,
        dst: Reg,
        size: &Operand,
        zeroed: bool,
        storage: Storage,
    ) {
        let size = self.operand(state, size);
        let width = self.pointer_width();
        let size = self.resized(size, width);
        let known = self.pool.constant(size);
        let contents = if zeroed { Contents::Zero } else { Contents::Undefined };
        let birth = match storage {
            Storage::Heap => Birth::Heap(self.thread, self.at),
            Storage::Frame => Birth::Frame(self.thread, self.at),
        };
        let bytes = known.map_or_else(|| self.open_size(birth, OPEN_SIZE), |k| k.min(1 << 32));
        let name = "block".to_string();
        let object = Object::new(birth, name, bytes, contents);
        let zero = self.pool.bits(0, width);
        let mut guard = state.guard;
        let mut fails = self.pool.bool(false);
        if self.config.malloc_may_fail && storage == Storage::Heap {
            fails = self.var(Purpose::Failure(self.thread, self.at), Sort::Bool);
        }
        let value = self.pool.bool_to_bits(fails, 8);
        self.inputs.push(ChosenInput { thread: self.thread, at: self.at, value });
        if storage == Storage::Heap {
            // No allocator can give more than half of the address space.
            let hopeless = self.pool.slt(size, zero);
            fails = self.pool.or(fails, hopeless);
        }
        let works = self.pool.not(fails);
        guard = self.pool.and(guard, works);
        if known.is_none() {
            self.note_huge(state, size, guard);
        }
        let id = self.born(state, object, guard);
        self.space.get_mut(id).actual = known.is_none().then_some(size);
        let address = self.pool.bits(self.space.address(id, 0), width);
        let address = self.pool.ite(fails, zero, address);
        state.regs.insert(dst, address);
    }

    pub(super) fn free(&mut self, state: &mut WalkState, ptr: &Operand) {
        let address = self.operand(state, ptr);
        if self.config.weak && !self.checks_memory() {
            return;
        }
        self.about_to_free(state, address);
        let value = self.value_of(address);
        let width = self.pointer_width();
        let zero = self.pool.bits(0, width);
        let mut good = self.pool.eq(address, zero);
        for &(id, _) in &value.objects {
            let (Birth::Heap(..), Some(alive)) =
                (self.space.get(id).birth, self.space.get(id).alive)
            else {
                continue;
            };
            let base = self.pool.bits(self.space.address(id, 0), width);
            let here = self.pool.eq(address, base);
            let guard = self.pool.and(state.guard, here);
            if self.pool.is_false(guard) {
                continue;
            }
            let was = self.life(state, alive, guard, NodeKind::Lifetime);
            let was = self.pool.truth(was);
            let fine = self.pool.and(here, was);
            good = self.pool.or(good, fine);
            let guard = self.pool.and(state.guard, fine);
            self.leaks.freed.push((id, guard, self.thread));
            let dead = self.pool.bits(0, 8);
            self.store_cell(state, alive, dead, fine, guard, NodeKind::Lifetime);
        }
        self.chance(state, address, good);
        let bad = self.pool.not(good);
        let what = WRONG_FREE;
        if self.checks_memory() {
            self.error(state, Fault::Free, bad, what);
            state.guard = self.pool.and(state.guard, good);
        } else {
            let guard = self.pool.and(state.guard, bad);
            let arbitrary = self.is_arbitrary(address);
            let kind = self.not_defined(what, arbitrary);
            self.goal(state, kind, guard);
            if self.config.undefined_ends {
                state.guard = self.pool.and(state.guard, good);
            }
        }
    }

    pub(super) fn object_size(&mut self, state: &mut WalkState, dst: Reg, ptr: &Operand) {
        let address = self.operand(state, ptr);
        let value = self.value_of(address);
        let width = self.pointer_width();
        let mut size = self.pool.bits(0, width);
        let mut valid = self.pool.bool(false);
        for &(id, _) in &value.objects {
            let object = self.space.get(id);
            let (base, bytes, actual) = (object.base, object.size, object.actual);
            let base = self.pool.bits(base, width);
            let here = self.pool.eq(address, base);
            let bytes = actual.unwrap_or_else(|| self.pool.bits(bytes, width));
            size = self.pool.ite(here, bytes, size);
            let mut fine = here;
            if let (true, Some(alive)) = (self.checks_memory(), self.space.get(id).alive) {
                let guard = self.pool.and(state.guard, here);
                let live = self.life(state, alive, guard, NodeKind::Access);
                let live = self.pool.truth(live);
                fine = self.pool.and(fine, live);
            }
            valid = self.pool.or(valid, fine);
        }
        self.chance(state, address, valid);
        let bad = self.pool.not(valid);
        let what = "size of something that is not a live object";
        if self.checks_memory() {
            let fault =
                if self.is_arbitrary(address) { Fault::ArbitraryAddress } else { Fault::Deref };
            self.error(state, fault, bad, what);
        } else {
            let guard = self.pool.and(state.guard, bad);
            let arbitrary = self.is_arbitrary(address);
            let kind = self.not_defined(what, arbitrary);
            self.goal(state, kind, guard);
        }
        state.guard = self.pool.and(state.guard, valid);
        let size = self.resized(size, self.reg_width(dst));
        state.regs.insert(dst, size);
    }
}
