//! The address space: from numbers to objects and back.
//!
//! Addresses are cut into slots of equal size; every object starts in a slot of its own, a little
//! after its beginning (`lead`), and takes as many as it needs. So the slot of an address names the
//! object, pointers one past the end or somewhat before the start stay with their object, and two
//! objects never touch. From low to high: the null page, functions, static objects, then one arena
//! per thread, so that what one thread allocates does not depend on what others allocate.
//!
//! LP64 uses slots of 1 MiB from 2^32 (so that no number of 32 bits equals an address by chance) to
//! 2^47 (so that pointers keep the 16 free high bits that some programs use), ILP32 slots of 1 KiB
//! in the whole 4 GiB.

use crate::value::{ObjKey, Tid};
use ir::types::Machine;
use ir::{FuncId, ObjectId, ObjectKind, Program};

/// What pointer arithmetic gives that would otherwise run into a foreign object. In the null page.
pub const POISON: u64 = 0xdea0;

/// Distance between the addresses of two functions.
const FUNCTION_STEP: u64 = 16;

#[derive(Clone, Debug)]
pub struct Space {
    machine: Machine,
    shift: u32,
    lead: u64,
    arena_start: u32,
    arena_slots: u32,
    pub max_threads: usize,
    functions_at: u64,
    functions: u64,
    /// Ascending first slots of the static objects, with their ids.
    statics: Vec<(u32, ObjectId)>,
    /// First slot by id; for thread-local objects within their thread's arena.
    slots: Vec<u32>,
    /// Slots that thread-local objects take at the start of each arena.
    pub thread_locals: Vec<ObjectId>,
}

/// What the slot of an address belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    Nothing,
    Functions,
    Static(ObjectId),
    Arena {
        thread: Tid,
        /// Within the arena.
        slot: u32,
    },
}

impl Space {
    /// Fails if the static objects do not fit.
    pub fn new(program: &Program) -> Result<Space, String> {
        let mut space = match program.machine {
            Machine::Lp64 => Space::empty(Machine::Lp64, 20, 1 << 16, 1 << 26, 1 << 16, 1024),
            Machine::Ilp32 => Space::empty(Machine::Ilp32, 10, 64, 0xa000_0000 >> 10, 1 << 13, 190),
        };
        space.functions = program.functions.len() as u64;
        space.functions_at = match program.machine {
            Machine::Lp64 => 1 << 32,
            Machine::Ilp32 => 1 << 16,
        };
        let mut next =
            ((space.functions_at + space.functions * FUNCTION_STEP) >> space.shift) as u32 + 1;
        let mut next_local = 0;
        for (i, object) in program.objects.iter().enumerate() {
            let id = ObjectId(i as u32);
            let count = space.slots_for(object.size).ok_or("a static object is too large")?;
            let local = object.kind == ObjectKind::ThreadLocal;
            let cursor = if local { &mut next_local } else { &mut next };
            space.slots.push(*cursor);
            if local {
                space.thread_locals.push(id);
            } else {
                space.statics.push((*cursor, id));
            }
            *cursor = cursor.checked_add(count).ok_or("the static objects are too large")?;
        }
        if next > space.arena_start || next_local > space.arena_slots {
            return Err("the static objects do not fit into the address space".into());
        }
        Ok(space)
    }

    fn empty(
        machine: Machine,
        shift: u32,
        lead: u64,
        arena_start: u32,
        arena_slots: u32,
        max_threads: usize,
    ) -> Space {
        Space {
            machine,
            shift,
            lead,
            arena_start,
            arena_slots,
            max_threads,
            functions_at: 0,
            functions: 0,
            statics: Vec::new(),
            slots: Vec::new(),
            thread_locals: Vec::new(),
        }
    }

    pub fn machine(&self) -> Machine {
        self.machine
    }

    /// How many slots an object takes: also its one-past-the-end lies in them.
    pub(crate) fn slots_for(&self, size: u64) -> Option<u32> {
        let count = (self.lead.checked_add(size)? >> self.shift) + 1;
        u32::try_from(count).ok()
    }

    /// Slots in one arena.
    pub(crate) fn arena_slots(&self) -> u32 {
        self.arena_slots
    }

    pub fn function(&self, func: FuncId) -> u64 {
        self.functions_at + u64::from(func.0) * FUNCTION_STEP
    }

    /// The function at exactly this address.
    pub fn function_at(&self, addr: u64) -> Option<FuncId> {
        let offset = addr.checked_sub(self.functions_at)?;
        (offset % FUNCTION_STEP == 0 && offset / FUNCTION_STEP < self.functions)
            .then_some(FuncId((offset / FUNCTION_STEP) as u32))
    }

    pub fn static_key(&self, id: ObjectId) -> ObjKey {
        ObjKey(self.slots[id.index()])
    }

    pub(crate) fn thread_local_slot(&self, id: ObjectId) -> u32 {
        self.slots[id.index()]
    }

    pub(crate) fn arena_key(&self, thread: Tid, slot: u32) -> ObjKey {
        ObjKey(self.arena_start + thread.index() as u32 * self.arena_slots + slot)
    }

    /// The address of an object's first byte.
    pub fn base(&self, key: ObjKey) -> u64 {
        (u64::from(key.0) << self.shift) + self.lead
    }

    /// May this number be the address of something that can die or be private? A quick filter.
    pub(crate) fn may_be_arena(&self, addr: u64) -> bool {
        let slot = addr >> self.shift;
        let end = self.arena_start + self.max_threads as u32 * self.arena_slots;
        slot >= u64::from(self.arena_start) && slot < u64::from(end)
    }

    pub fn region(&self, addr: u64) -> Region {
        let slot = addr >> self.shift;
        if self.may_be_arena(addr) {
            let slot = slot as u32 - self.arena_start;
            let thread = Tid::from_index((slot / self.arena_slots) as usize);
            return Region::Arena { thread, slot: slot % self.arena_slots };
        }
        if addr < self.functions_at {
            return Region::Nothing;
        }
        let after = self.statics.partition_point(|&(first, _)| u64::from(first) <= slot);
        match after.checked_sub(1) {
            Some(i) => Region::Static(self.statics[i].1),
            None if addr - self.functions_at < self.functions * FUNCTION_STEP => Region::Functions,
            None => Region::Nothing,
        }
    }

    pub(crate) fn key_region(&self, key: ObjKey) -> Region {
        self.region(self.base(key))
    }
}
