//! Objects and the cells that they are accessed in.
//!
//! A cell is a place that is always accessed as a whole. Accesses that overlap otherwise, or leave their object,
//! end the proof.
//!
//! Invariant: a cell is *exact* if it is one place of memory; a *summary* stands for places of several objects (of
//! blocks from one allocation, of a local variable in several threads). A *private* one is exact for its
//! thread: the address has never left the thread, so each has its own.

use super::threads::{ThreadIdx, Threads};
use super::value::Value;
use ir::{ObjectId, ObjectKind, Operand, Program, SlotId};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CellId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Base {
    Static(ObjectId),
    /// A thread's own copy of a thread-local object.
    Own(ThreadIdx, ObjectId),
    Slot(ThreadIdx, SlotId),
    /// Blocks of an allocation, by the number of its instruction.
    Block(ThreadIdx, u32),
}

impl Base {
    /// Is there one such object, which lives for ever?
    pub fn is_static(self) -> bool {
        matches!(self, Base::Static(_))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellKind {
    Private,
    Exact,
    Summary,
}

#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub base: Base,
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
pub struct Memory {
    pub cells: Vec<Cell>,
    by_place: FxHashMap<(Base, u64, u64), CellId>,
    /// Objects of a thread whose address others may have.
    escaped: FxHashSet<Base>,
    blocks: FxHashMap<Base, BlockInfo>,
}

impl Memory {
    pub fn cell(&self, id: CellId) -> Cell {
        self.cells[id.0 as usize]
    }

    pub fn ids(&self) -> impl Iterator<Item = CellId> + Clone + use<> {
        (0..self.cells.len() as u32).map(CellId)
    }

    pub fn allocate(&mut self, base: Base, size: Option<u64>, zeroed: bool) {
        let block = self.blocks.entry(base).or_insert(BlockInfo { size, zeroed });
        block.size = block.size.zip(size).map(|(a, b)| a.min(b));
    }

    /// The cell of an access, or why there is none.
    pub fn access(
        &mut self,
        program: &Program,
        threads: &Threads,
        (base, offset): (Base, i64),
        bytes: u64,
    ) -> Result<CellId, &'static str> {
        let size = self.size(program, threads, base).ok_or("a block of any size")?;
        let offset = u64::try_from(offset).map_err(|_| OUTSIDE)?;
        if offset.checked_add(bytes).is_none_or(|end| end > size) {
            return Err(OUTSIDE);
        }
        if let Some(id) = self.by_place.get(&(base, offset, bytes)) {
            return Ok(*id);
        }
        let meets =
            |c: &Cell| c.base == base && c.offset < offset + bytes && offset < c.offset + c.bytes;
        if self.cells.iter().any(meets) {
            return Err("accesses of different sizes to the same memory");
        }
        let id = CellId(self.cells.len() as u32);
        self.cells.push(Cell { base, offset, bytes });
        self.by_place.insert((base, offset, bytes), id);
        Ok(id)
    }

    fn size(&self, program: &Program, threads: &Threads, base: Base) -> Option<u64> {
        match base {
            Base::Static(object) | Base::Own(_, object) => {
                Some(program.objects[object.index()].size)
            }
            Base::Slot(thread, slot) => Some(
                program.functions[threads.of(thread).function.index()].slots[slot.index()].size,
            ),
            Base::Block(..) => self.blocks.get(&base)?.size,
        }
    }

    pub fn kind(&self, threads: &Threads, id: CellId) -> CellKind {
        let base = self.cell(id).base;
        match base {
            Base::Static(_) => CellKind::Exact,
            Base::Slot(..) | Base::Own(..) if !self.escaped.contains(&base) => CellKind::Private,
            Base::Own(thread, _) if threads.of(thread).single => CellKind::Exact,
            Base::Slot(thread, slot) if threads.lives_once(thread, slot) => CellKind::Exact,
            Base::Slot(..) | Base::Own(..) | Base::Block(..) => CellKind::Summary,
        }
    }

    /// Others may have the address. Is that new?
    pub fn escape(&mut self, value: Value) -> bool {
        match value {
            Value::Address { base: base @ (Base::Slot(..) | Base::Own(..)), .. } => {
                self.escaped.insert(base)
            }
            _ => false,
        }
    }

    /// What it holds before any write.
    pub fn initial(&self, program: &Program, id: CellId) -> Value {
        let Cell { base, offset, bytes } = self.cell(id);
        match base {
            Base::Static(object) | Base::Own(_, object) => initial(program, object, offset, bytes),
            Base::Slot(..) => Value::ANY,
            Base::Block(..) => match self.blocks.get(&base) {
                Some(BlockInfo { zeroed: true, .. }) => Value::Bits(0),
                _ => Value::ANY,
            },
        }
    }
}

const OUTSIDE: &str = "an access outside of an object";

fn initial(program: &Program, object: ObjectId, offset: u64, bytes: u64) -> Value {
    let object = &program.objects[object.index()];
    if object.kind == ObjectKind::External {
        return Value::ANY;
    }
    let pointer = program.machine.pointer_bytes();
    let meets = |at: u64| at < offset + bytes && offset < at + pointer;
    match object.relocations.iter().find(|(at, _)| meets(*at)) {
        Some((at, address)) if (*at, pointer) == (offset, bytes) => match *address {
            Operand::Object { object, offset }
                if program.objects[object.index()].kind != ObjectKind::ThreadLocal =>
            {
                Value::Address { base: Base::Static(object), offset }
            }
            Operand::Function(f) => Value::Function(f),
            _ => Value::ANY,
        },
        Some(_) => Value::ANY,
        None => {
            let byte = |at: u64| object.bytes.get(at as usize).copied().unwrap_or(0);
            let bits = (0..bytes).rev().fold(0, |bits, i| bits << 8 | u64::from(byte(offset + i)));
            Value::Bits(bits)
        }
    }
}
