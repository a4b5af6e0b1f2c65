//! Objects and the cells that they are accessed in.
//!
//! A cell is a place that is always accessed as a whole. Accesses that overlap otherwise, or leave their object,
//! end the proof.
//!
//! Invariant: a cell is *exact* if it is one place of memory; a *summary* stands for places of several objects (of
//! blocks from one allocation, of a local variable in several threads). A *private* one is exact for its
//! thread: the address has never left the thread, so each has its own.

use super::threads::{StartedThreads, ThreadIdx};
use super::value::FlowValue;
use ir::{ObjectId, ObjectKind, Operand, Program, SlotId};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FlowCell(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ObjectBase {
    Static(ObjectId),
    /// A thread's own copy of a thread-local object.
    Own(ThreadIdx, ObjectId),
    Slot(ThreadIdx, SlotId),
    /// Blocks of an allocation, by the number of its instruction.
    Block(ThreadIdx, u32),
}

impl ObjectBase {
    /// Is there one such object, which lives for ever?
    pub fn is_static(self) -> bool {
        matches!(self, ObjectBase::Static(_))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellScope {
    Private,
    Exact,
    Summary,
}

#[derive(Clone, Copy, Debug)]
pub struct CellPlace {
    pub base: ObjectBase,
    offset: u64,
    bytes: u64,
}

/// A block that was allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockInfo {
    /// The smallest, if it is known.
    pub size: Option<u64>,
    pub zeroed: bool,
}

/// All cells that were met so far, in all attempts.
#[derive(Default)]
pub struct FlowMemory {
    pub cells: Vec<CellPlace>,
    by_place: FxHashMap<(ObjectBase, u64, u64), FlowCell>,
    /// Objects of a thread whose address others may have.
    escaped: FxHashSet<ObjectBase>,
    blocks: FxHashMap<ObjectBase, BlockInfo>,
}

impl FlowMemory {
    pub fn cell(&self, id: FlowCell) -> CellPlace {
        self.cells[id.0 as usize]
    }

    pub fn ids(&self) -> impl Iterator<Item = FlowCell> + Clone + use<> {
        (0..self.cells.len() as u32).map(FlowCell)
    }

    pub fn allocate(&mut self, base: ObjectBase, size: Option<u64>, zeroed: bool) {
        let block = self.blocks.entry(base).or_insert(BlockInfo { size, zeroed });
        block.size = block.size.zip(size).map(|(a, b)| a.min(b));
    }

    /// The cell of an access, or why there is none.
    pub fn access(
        &mut self,
        program: &Program,
        threads: &StartedThreads,
        (base, offset): (ObjectBase, i64),
        bytes: u64,
    ) -> Result<FlowCell, &'static str> {
        let size = self.size(program, threads, base).ok_or("a block of any size")?;
        let offset = u64::try_from(offset).map_err(|_| OUTSIDE)?;
        if offset.checked_add(bytes).is_none_or(|end| end > size) {
            return Err(OUTSIDE);
        }
        if let Some(id) = self.by_place.get(&(base, offset, bytes)) {
            return Ok(*id);
        }
        let meets = |c: &CellPlace| {
            c.base == base && c.offset < offset + bytes && offset < c.offset + c.bytes
        };
        if self.cells.iter().any(meets) {
            return Err("accesses of different sizes to the same memory");
        }
        let id = FlowCell(self.cells.len() as u32);
        self.cells.push(CellPlace { base, offset, bytes });
        self.by_place.insert((base, offset, bytes), id);
        Ok(id)
    }

    fn size(&self, program: &Program, threads: &StartedThreads, base: ObjectBase) -> Option<u64> {
        match base {
            ObjectBase::Static(object) | ObjectBase::Own(_, object) => {
                Some(program.objects[object.index()].size)
            }
            ObjectBase::Slot(thread, slot) => Some(
                program.functions[threads.of(thread).function.index()].slots[slot.index()].size,
            ),
            ObjectBase::Block(..) => self.blocks.get(&base)?.size,
        }
    }

    pub fn kind(&self, threads: &StartedThreads, id: FlowCell) -> CellScope {
        let base = self.cell(id).base;
        match base {
            ObjectBase::Static(_) => CellScope::Exact,
            ObjectBase::Slot(..) | ObjectBase::Own(..) if !self.escaped.contains(&base) => {
                CellScope::Private
            }
            ObjectBase::Own(thread, _) if threads.of(thread).single => CellScope::Exact,
            ObjectBase::Slot(thread, slot) if threads.lives_once(thread, slot) => CellScope::Exact,
            ObjectBase::Slot(..) | ObjectBase::Own(..) | ObjectBase::Block(..) => {
                CellScope::Summary
            }
        }
    }

    pub fn has_escaped(&self, base: ObjectBase) -> bool {
        self.escaped.contains(&base)
    }

    /// Others may have the address. Is that new?
    pub fn escape(&mut self, value: FlowValue) -> bool {
        match value {
            FlowValue::Address {
                base: base @ (ObjectBase::Slot(..) | ObjectBase::Own(..)),
                ..
            } => self.escaped.insert(base),
            _ => false,
        }
    }

    /// What it holds before any write.
    pub fn initial(&self, program: &Program, id: FlowCell) -> FlowValue {
        let CellPlace { base, offset, bytes } = self.cell(id);
        match base {
            ObjectBase::Static(object) | ObjectBase::Own(_, object) => {
                initial(program, object, offset, bytes)
            }
            ObjectBase::Slot(..) => FlowValue::ANY,
            ObjectBase::Block(..) => match self.blocks.get(&base) {
                Some(BlockInfo { zeroed: true, .. }) => FlowValue::Bits(0),
                _ => FlowValue::ANY,
            },
        }
    }
}

const OUTSIDE: &str = "an access outside of an object";

fn initial(program: &Program, object: ObjectId, offset: u64, bytes: u64) -> FlowValue {
    let object = &program.objects[object.index()];
    if object.kind == ObjectKind::External {
        return FlowValue::ANY;
    }
    let pointer = program.machine.pointer_bytes();
    let meets = |at: u64| at < offset + bytes && offset < at + pointer;
    match object.relocations.iter().find(|(at, _)| meets(*at)) {
        Some((at, address)) if (*at, pointer) == (offset, bytes) => match *address {
            Operand::Object { object, offset }
                if program.objects[object.index()].kind != ObjectKind::ThreadLocal =>
            {
                FlowValue::Address { base: ObjectBase::Static(object), offset }
            }
            Operand::Function(f) => FlowValue::Function(f),
            _ => FlowValue::ANY,
        },
        Some(_) => FlowValue::ANY,
        None => {
            let byte = |at: u64| object.bytes.get(at as usize).copied().unwrap_or(0);
            let bits = (0..bytes).rev().fold(0, |bits, i| bits << 8 | u64::from(byte(offset + i)));
            FlowValue::Bits(bits)
        }
    }
}
