//! Objects and cells: memory as the encoding sees it.
//!
//! An object is a global, a thread's copy of a thread-local, or what one `SlotLive` or `Alloc` of one
//! thread makes (the program is unrolled: each is executed at most once). It has addresses of its
//! own. Its bytes are split into *cells*, made on demand as accesses ask for them; accesses that
//! overlap a cell partly leave *cuts*, and the next walk makes smaller cells.
//!
//! Objects, cells and what is known of them outlive a walk: `encode` walks until nothing new is
//! learnt, so all of it only grows.

use crate::coenabled::ConflictingAccess;
use crate::event::{ProgramPoint, ThreadId};
use crate::term::Term;
use crate::value::AbstractValue;
use ir::{self, FuncId, Operand, Program};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

/// Of all cells of all objects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CellKey(pub u32);

/// What an object is an instance of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Birth {
    Static(ir::ObjectId),
    ThreadLocal(ThreadId, ir::ObjectId),
    Slot(ThreadId, ProgramPoint),
    Heap(ThreadId, ProgramPoint),
    /// `alloca`: ends with its thread.
    Frame(ThreadId, ProgramPoint),
    /// Counts threads: its value is the id of the next.
    Counter,
    /// 1 once a thread has ended.
    Ended(ThreadId),
    /// 1 once a thread was joined.
    Joined(ThreadId),
    /// 1 once an object was made.
    Made(ObjectId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contents {
    Zero,
    Undefined,
    /// The image of the static object.
    Image(ir::ObjectId),
    Number(u64),
}

#[derive(Clone, Debug)]
pub struct Object {
    pub birth: Birth,
    pub name: String,
    pub base: u64,
    /// What the base is a multiple of, at least.
    pub align: u64,
    /// Bytes that may be accessed at most.
    pub size: u64,
    /// If it is not always `size`: how many bytes it really has (pointer-wide).
    pub actual: Option<Term>,
    pub contents: Contents,
    pub constant: bool,
    /// A local that is constant once it is initialised: `alive` says whether it is.
    pub becomes_constant: bool,
    /// First byte to cell.
    cells: BTreeMap<u64, CellKey>,
    cuts: BTreeSet<u64>,
    /// Says whether it is alive, where that can change.
    pub alive: Option<CellKey>,
}

/// Who uses a cell.
#[derive(Clone, Debug)]
pub struct CellInfo {
    pub object: ObjectId,
    pub offset: u64,
    pub bytes: u8,
    pub readers: Users,
    pub writers: Users,
    /// Every value that was ever seen written, the first included.
    pub value: AbstractValue,
    /// The address of a heap block was written to it.
    pub holds_block: bool,
    /// In how many walks it has grown, and the last of them.
    growths: u32,
    grown_in: u32,
    /// Who does what to it, as far as races are concerned; by `ConflictingAccess`.
    doers: [Users; ConflictingAccess::COUNT],
    /// If it has one writer: how many threads that one had started when it last wrote.
    pub late: u32,
    /// Some access to it is atomic.
    atomic: bool,
}

/// How the bytes of an object are seen; moves down only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ByteView {
    #[default]
    Cells,
    /// As a function of the address, with so many bytes at each place (`walk/large.rs`).
    LargeArray { bytes: u64 },
    /// As cells, for good.
    Refused,
}

/// No, one or many threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Users {
    None,
    One(ThreadId),
    Many,
}

impl Users {
    fn add(self, thread: ThreadId) -> Users {
        match self {
            Users::None => Users::One(thread),
            Users::One(t) if t == thread => self,
            _ => Users::Many,
        }
    }
}

/// How an access to a cell is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Never written: its value is the first one.
    ReadOnly,
    /// Used by one thread only: no events.
    ThreadLocal,
    /// Written by this thread only: it knows what it reads, others do not.
    SingleWriter,
    /// Reads and writes are events.
    Shared,
}

/// All objects with their addresses.
#[derive(Debug, Default)]
pub struct Space {
    pub objects: Vec<Object>,
    pub cells: Vec<CellInfo>,
    ids: FxHashMap<Birth, ObjectId>,
    views: FxHashMap<Birth, ByteView>,
    next: u64,
    /// How wide an address is.
    pub pointer_bits: u8,
    /// Something new was learnt since the flag was taken.
    changed: bool,
    walk: u32,
    threshold: WideningThreshold,
    /// Not for sequential consistency: whatever orders something is an event.
    pub weak: bool,
}

/// Walks in which the values of a cell may grow before it counts as endless.
const SOON: u32 = 6;

/// What to do about cells whose values keep growing (`x = x + 1`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WideningThreshold {
    /// Let them grow.
    #[default]
    More,
    /// There were as many walks as there are writes to such cells: all values that any execution
    /// can write were seen, since each walk covers one more write of it. What would come next
    /// cannot happen.
    Enough,
    /// There are too many writes: give up and take any value.
    None,
}

const FIRST_FUNCTION: u64 = 0x1000;
const ALIGN: u64 = 16;

pub fn function_address(f: FuncId) -> u64 {
    FIRST_FUNCTION + 16 * u64::from(f.0)
}

/// Where functions are: the first address, and the first behind them.
pub(crate) fn function_addresses(program: &Program) -> (u64, u64) {
    (FIRST_FUNCTION, function_address(FuncId(program.functions.len() as u32)))
}

impl Space {
    pub fn new(program: &Program) -> Space {
        let functions = function_address(FuncId(program.functions.len() as u32));
        let pointer_bits = program.machine.pointer_bits();
        Space { next: (functions + 0xffff) & !0xffff, pointer_bits, ..Space::default() }
    }

    pub(crate) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Somebody else has learnt something.
    pub(crate) fn note_change(&mut self) {
        self.changed = true;
    }

    pub fn find(&self, birth: Birth) -> Option<ObjectId> {
        self.ids.get(&birth).copied()
    }

    pub fn add(&mut self, object: Object) -> ObjectId {
        let id = ObjectId(self.objects.len() as u32);
        let base = self.next.next_multiple_of(object.align.max(ALIGN));
        self.next = (base + object.size + 2 * ALIGN) & !(ALIGN - 1);
        self.ids.insert(object.birth, id);
        self.objects.push(Object { base, ..object });
        self.changed = true;
        id
    }

    pub(crate) fn view_of(&self, birth: Birth) -> ByteView {
        self.views.get(&birth).copied().unwrap_or_default()
    }

    pub fn view(&self, id: ObjectId) -> ByteView {
        self.view_of(self.get(id).birth)
    }

    pub(crate) fn set_view(&mut self, id: ObjectId, view: ByteView) {
        let old = self.views.insert(self.get(id).birth, view);
        self.changed |= old != Some(view);
    }

    /// Has any of its bytes a writer?
    pub(crate) fn is_written(&self, id: ObjectId) -> bool {
        self.get(id).cells.values().any(|&c| self.cell(c).writers != Users::None)
    }

    /// Is an object that large there, or could it be made below this address?
    pub(crate) fn has_room(&self, birth: Birth, size: u64, end: u64) -> bool {
        let there = self.find(birth).is_some_and(|id| self.get(id).size >= size);
        there || self.next.checked_add(size).is_some_and(|last| last < end)
    }

    pub fn get(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    pub fn get_mut(&mut self, id: ObjectId) -> &mut Object {
        &mut self.objects[id.0 as usize]
    }

    pub fn cell(&self, key: CellKey) -> &CellInfo {
        &self.cells[key.0 as usize]
    }

    pub fn address(&self, id: ObjectId, offset: i64) -> u64 {
        self.get(id).base.wrapping_add_signed(offset)
    }

    /// A constant: an address (one past the end included) or a number.
    pub(crate) fn classify(&self, k: u64) -> AbstractValue {
        let after = self.objects.partition_point(|o| o.base <= k);
        let found = after.checked_sub(1).map(|i| (ObjectId(i as u32), &self.objects[i]));
        match found {
            Some((id, o)) if k - o.base <= o.size => AbstractValue {
                numbers: Default::default(),
                objects: vec![(id, crate::value::Offsets::one((k - o.base) as i64))],
            },
            _ => AbstractValue::number(k),
        }
    }

    /// The cells of an access, lowest first; `None` if an older cell is in the way (then there are
    /// new cuts, and the next walk will do better).
    pub(crate) fn cells_at(
        &mut self,
        id: ObjectId,
        offset: u64,
        bytes: u64,
    ) -> Option<Vec<CellKey>> {
        let end = offset + bytes;
        let object = &mut self.objects[id.0 as usize];
        let mut at = offset;
        let mut out = Vec::new();
        if let Some((&start, &cell)) = object.cells.range(..offset).next_back() {
            if start + u64::from(self.cells[cell.0 as usize].bytes) > offset {
                return self.cut(id, offset, end);
            }
        }
        while at < end {
            let object = &mut self.objects[id.0 as usize];
            if let Some(&cell) = object.cells.get(&at) {
                at += u64::from(self.cells[cell.0 as usize].bytes);
                if at > end {
                    return self.cut(id, offset, end);
                }
                out.push(cell);
                continue;
            }
            let next_cell = object.cells.range(at..).next().map_or(end, |(&k, _)| k);
            let next_cut = object.cuts.range(at + 1..).next().copied().unwrap_or(end);
            let stop = end.min(next_cell).min(next_cut);
            out.push(self.new_cell(id, at, (stop - at) as u8));
            at = stop;
        }
        Some(out)
    }

    /// Forgets the cells of an object: from now on there is a boundary at both places.
    fn cut(&mut self, id: ObjectId, from: u64, to: u64) -> Option<Vec<CellKey>> {
        let object = &mut self.objects[id.0 as usize];
        // Old boundaries stay boundaries.
        for (&start, cell) in &object.cells {
            object.cuts.extend([start, start + u64::from(self.cells[cell.0 as usize].bytes)]);
        }
        object.cuts.extend([from, to]);
        object.cells.clear();
        self.changed = true;
        None
    }

    pub(crate) fn new_cell(&mut self, object: ObjectId, offset: u64, bytes: u8) -> CellKey {
        let key = CellKey(self.cells.len() as u32);
        self.cells.push(CellInfo {
            object,
            offset,
            bytes,
            readers: Users::None,
            writers: Users::None,
            value: AbstractValue::default(),
            holds_block: false,
            growths: 0,
            grown_in: 0,
            doers: [Users::None; ConflictingAccess::COUNT],
            late: 0,
            atomic: false,
        });
        if offset != ALIVE {
            self.get_mut(object).cells.insert(offset, key);
        }
        self.changed = true;
        key
    }

    /// The cells of its bytes.
    pub fn contents_of(&self, id: ObjectId) -> Vec<CellKey> {
        self.get(id).cells.values().copied().collect()
    }

    /// Records what a thread does to a cell, and tells whether others do what that races with.
    pub fn may_race(&mut self, key: CellKey, thread: ThreadId, access: ConflictingAccess) -> bool {
        let cell = &mut self.cells[key.0 as usize];
        let grown = cell.doers[access as usize].add(thread);
        self.changed |= grown != cell.doers[access as usize];
        cell.doers[access as usize] = grown;
        let me = Users::One(thread);
        let mut rivals = ConflictingAccess::ALL.into_iter().filter(|d| d.races(access));
        rivals.any(|d| ![me, Users::None].contains(&cell.doers[d as usize]))
    }

    /// Does another thread write it plainly?
    pub(crate) fn is_overwritten(&self, key: CellKey, thread: ThreadId) -> bool {
        let writers = self.cells[key.0 as usize].doers[ConflictingAccess::Write as usize];
        ![Users::One(thread), Users::None].contains(&writers)
    }

    /// Cells that an object has now, its liveness included.
    pub fn cells_of(&self, id: ObjectId) -> Vec<CellKey> {
        let object = self.get(id);
        object.cells.values().copied().chain(object.alive).collect()
    }

    /// Records an access and tells how to encode it.
    pub fn touch(&mut self, key: CellKey, thread: ThreadId, write: bool) -> Class {
        let cell = &mut self.cells[key.0 as usize];
        let users = if write { &mut cell.writers } else { &mut cell.readers };
        let grown = users.add(thread);
        self.changed |= grown != *users;
        *users = grown;
        self.class(key, thread)
    }

    /// Records that an access to it is atomic.
    pub(crate) fn note_atomic(&mut self, key: CellKey) {
        let cell = &mut self.cells[key.0 as usize];
        self.changed |= !cell.atomic;
        cell.atomic = true;
    }

    pub fn class(&self, key: CellKey, thread: ThreadId) -> Class {
        let cell = self.cell(key);
        if self.weak {
            return match (cell.readers, cell.writers) {
                _ if cell.atomic => Class::Shared,
                (_, Users::None) => Class::ReadOnly,
                (Users::None, Users::One(_)) => Class::ThreadLocal,
                (Users::One(a), Users::One(b)) if a == b => Class::ThreadLocal,
                _ => Class::Shared,
            };
        }
        let me = Users::One(thread);
        match (cell.readers, cell.writers) {
            (_, Users::None) => Class::ReadOnly,
            (Users::None, _) => Class::ThreadLocal,
            (r, w) if w == me && r == me => Class::ThreadLocal,
            (_, w) if w == me => Class::SingleWriter,
            _ => Class::Shared,
        }
    }

    /// The only thread that writes it.
    pub fn writer(&self, key: CellKey) -> Option<ThreadId> {
        match self.cell(key).writers {
            Users::One(thread) => Some(thread),
            _ => None,
        }
    }

    /// Records that its writer writes after it has started so many threads.
    pub(crate) fn written_after(&mut self, key: CellKey, started: u32) {
        let cell = &mut self.cells[key.0 as usize];
        self.changed |= started > cell.late;
        cell.late = cell.late.max(started);
    }

    /// Records that it may hold the address of a heap block.
    pub(crate) fn note_block(&mut self, key: CellKey, value: &AbstractValue) {
        let heap = |o: ObjectId| matches!(self.get(o).birth, Birth::Heap(..));
        if !self.cell(key).holds_block && value.objects.iter().any(|&(o, _)| heap(o)) {
            self.cells[key.0 as usize].holds_block = true;
            self.changed = true;
        }
    }

    /// Do its accesses become events of anybody?
    pub(crate) fn has_events(&self, key: CellKey) -> bool {
        let cell = self.cell(key);
        if self.weak {
            return self.class(key, ThreadId(0)) == Class::Shared;
        }
        match (cell.readers, cell.writers) {
            (_, Users::None) | (Users::None, _) => false,
            (Users::One(a), Users::One(b)) => a != b,
            _ => true,
        }
    }

    /// A new walk begins.
    pub(crate) fn next_walk(&mut self, threshold: WideningThreshold) {
        self.walk += 1;
        self.threshold = threshold;
    }

    pub(crate) fn all_cells(&self) -> impl Iterator<Item = CellKey> + use<> {
        (0..self.cells.len() as u32).map(CellKey)
    }

    /// Its values do not come to an end soon.
    pub(crate) fn is_endless(&self, key: CellKey) -> bool {
        self.cell(key).growths > SOON
    }

    /// Its values have grown after the first walks.
    pub(crate) fn has_grown(&self, key: CellKey) -> bool {
        self.cell(key).growths >= 2
    }

    /// Records a value that is written.
    pub fn see(&mut self, key: CellKey, value: &AbstractValue) {
        let cell = &mut self.cells[key.0 as usize];
        let grown = cell.value.join(value);
        if grown == cell.value {
            return;
        }
        let endless = cell.growths > SOON;
        if endless && self.threshold == WideningThreshold::Enough {
            return;
        }
        if cell.grown_in != self.walk {
            (cell.grown_in, cell.growths) = (self.walk, cell.growths + 1);
        }
        cell.value = match self.threshold {
            WideningThreshold::None if endless => {
                grown.widened(&cell.value, cell.growths > SOON + 3)
            }
            _ => grown,
        };
        self.changed = true;
    }
}

/// Where the liveness of an object is kept: past every byte.
pub(crate) const ALIVE: u64 = 1 << 48;

/// The bytes of a static object with addresses filled in.
pub fn image(program: &Program, object: &ir::Object, address: impl Fn(&Operand) -> u64) -> Vec<u8> {
    let mut bytes = object.bytes.clone();
    let width = program.machine.pointer_bytes();
    for (offset, target) in &object.relocations {
        let end = (offset + width) as usize;
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        let value = address(target).to_le_bytes();
        bytes[*offset as usize..end].copy_from_slice(&value[..width as usize]);
    }
    bytes
}

impl Object {
    pub fn new(birth: Birth, name: String, size: u64, contents: Contents) -> Object {
        Object {
            birth,
            name,
            base: 0,
            align: ALIGN,
            size,
            actual: None,
            contents,
            constant: false,
            becomes_constant: false,
            cells: BTreeMap::new(),
            cuts: BTreeSet::new(),
            alive: None,
        }
    }
}

#[cfg(test)]
mod tests;
