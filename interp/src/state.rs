//! One state of an execution: threads, memory, symbols.
//!
//! Everything is shared between clones until it is written (`Arc::make_mut`), on every level: a
//! clone costs one count per thread and arena, a write copies the path to what is written. Each
//! level caches its hash (see `digest.rs`); the `..._mut` functions are the only way to write and
//! drop the caches on their way.

use crate::address::{Region, Space};
use crate::digest::StateDigest;
use crate::memory::{Birth, Object};
use crate::symbol::{Domain, SymbolEntry};
use crate::value::{ObjKey, SymId, Tid, Value};
use ir::types::TypeId;
use ir::{BlockId, FuncId, Reg, Span};
use std::sync::OnceLock;
use triomphe::Arc;

#[derive(Clone, Debug)]
pub struct State {
    pub(crate) threads: Vec<Arc<Thread>>,
    /// By `ObjectId`; thread-local ones are empty here and live in the arenas.
    pub(crate) statics: Arc<Statics>,
    /// What each thread has allocated, alive or dead.
    pub(crate) arenas: Vec<Arc<Arena>>,
    /// By `SymId`; `None` is free.
    pub(crate) symbols: Arc<Vec<Option<SymbolEntry>>>,
    /// Number of symbols ever created. No part of the state's identity.
    pub(crate) created: u64,
    /// Look for unused symbols when `created` gets here.
    pub(crate) collect_at: u64,
    /// Blocks of the heap so far, by type and place: only their names depend on it.
    pub(crate) allocations: Arc<Vec<(Option<TypeId>, Span, u32)>>,
    pub(crate) ended: bool,
    /// What the entry function returned. No part of the state's identity.
    pub(crate) exit_value: Option<Value>,
    /// The first inline assembly that was run. Only that there is one is part of the identity.
    pub(crate) invented: Option<Span>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    Running,
    /// Returned or left by `pthread_exit`.
    Ended,
    /// Ended, and its result was taken.
    Joined,
    /// Cut: a failed assumption, a trap, `abort`, a bound. It will never do anything more, and the
    /// execution is no candidate for a deadlock.
    Stopped,
}

#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub status: Status,
    /// What it returned, once `Ended`.
    pub result: Value,
    pub frames: Vec<Arc<Frame>>,
    pub summary: OnceLock<StateDigest>,
}

/// Needs: a frame below another stands just behind its call instruction.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub func: FuncId,
    pub block: BlockId,
    /// The next instruction; the terminator's index is the number of instructions.
    pub index: usize,
    pub regs: Vec<Value>,
    /// The live object of each slot.
    pub slots: Vec<Option<ObjKey>>,
    pub allocas: Vec<ObjKey>,
    pub summary: OnceLock<StateDigest>,
}

#[derive(Clone, Debug)]
pub(crate) struct Statics {
    pub objects: Vec<Arc<Object>>,
    pub summary: OnceLock<StateDigest>,
}

#[derive(Clone, Debug)]
pub(crate) struct Arena {
    /// By ascending slot.
    pub entries: Vec<ArenaEntry>,
    pub summary: OnceLock<StateDigest>,
}

#[derive(Clone, Debug)]
pub(crate) struct ArenaEntry {
    pub slot: u32,
    pub count: u32,
    /// A dead object keeps its slots as long as somebody still has a pointer to it.
    pub life: Life,
}

impl ArenaEntry {
    /// Gone, or freed: its slots can be given back once no pointer to it is left.
    pub fn is_dead(&self) -> bool {
        match &self.life {
            Life::Live(object) => object.is_freed(),
            Life::Dead(_) => true,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Life {
    Live(Arc<Object>),
    Dead(Birth),
}

/// Where an object is kept; valid until the next birth or death.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Home {
    Static(usize),
    Arena(usize, usize),
}

impl State {
    /// All threads that were ever started, in the order of their ids.
    pub fn threads(&self) -> impl Iterator<Item = Tid> + use<> {
        (0..self.threads.len()).map(Tid::from_index)
    }

    pub fn status(&self, thread: Tid) -> Status {
        self.threads[thread.index()].status
    }

    /// Has it returned or exited?
    pub fn has_ended(&self, thread: Tid) -> bool {
        matches!(self.status(thread), Status::Ended | Status::Joined)
    }

    /// `None` if there is no such thread.
    pub fn status_of(&self, thread: Tid) -> Option<Status> {
        self.threads.get((thread.0 as usize).checked_sub(1)?).map(|t| t.status)
    }

    /// Threads that are still running (or blocked).
    pub fn running(&self) -> impl Iterator<Item = Tid> + '_ {
        self.threads().filter(|&t| self.status(t) == Status::Running)
    }

    /// The process has ended: nothing can step.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// The first inline assembly that was run: values are invented since then, so that what follows
    /// shows no violation.
    pub fn invented(&self) -> Option<Span> {
        self.invented
    }

    /// Some thread was cut, so that this execution shows no deadlock.
    pub fn is_cut(&self) -> bool {
        self.threads.iter().any(|t| t.status == Status::Stopped)
    }

    /// What the entry function returned.
    pub(crate) fn exit_value(&self) -> Option<Value> {
        self.exit_value
    }

    /// What a symbol may still be.
    pub fn domain(&self, id: SymId) -> Option<&Domain> {
        self.symbol(id).map(|s| &s.domain)
    }

    pub(crate) fn symbol(&self, id: SymId) -> Option<&SymbolEntry> {
        self.symbols.get(id.0 as usize)?.as_ref()
    }

    pub(crate) fn has_thread(&self, id: u64) -> Option<Tid> {
        (1..=self.threads.len() as u64).contains(&id).then_some(Tid(id as u32))
    }

    pub(crate) fn thread(&self, thread: Tid) -> &Thread {
        &self.threads[thread.index()]
    }

    pub(crate) fn thread_mut(&mut self, thread: Tid) -> &mut Thread {
        let thread = Arc::make_mut(&mut self.threads[thread.index()]);
        thread.summary.take();
        thread
    }

    /// The running frame of a thread.
    pub(crate) fn top(&self, thread: Tid) -> Option<&Frame> {
        self.thread(thread).frames.last().map(|f| &**f)
    }

    pub(crate) fn top_mut(&mut self, thread: Tid) -> Option<&mut Frame> {
        self.thread_mut(thread).frames.last_mut().map(frame_mut)
    }

    pub(crate) fn arena_mut(&mut self, arena: usize) -> &mut Arena {
        let arena = Arc::make_mut(&mut self.arenas[arena]);
        arena.summary.take();
        arena
    }

    /// The object or dead object whose slots contain this address.
    pub(crate) fn entry_at(&self, space: &Space, addr: u64) -> Option<(Home, ObjKey)> {
        match space.region(addr) {
            Region::Static(id) => Some((Home::Static(id.index()), space.static_key(id))),
            Region::Arena { thread, slot } => {
                let arena = self.arenas.get(thread.index())?;
                let i = arena.position(slot)?;
                let key = space.arena_key(thread, arena.entries[i].slot);
                Some((Home::Arena(thread.index(), i), key))
            }
            Region::Functions | Region::Nothing => None,
        }
    }

    /// The live object at a home.
    pub(crate) fn object(&self, home: Home) -> Option<&Object> {
        match home {
            Home::Static(i) => self.statics.objects.get(i).map(|o| &**o),
            Home::Arena(a, i) => match &self.arenas[a].entries[i].life {
                Life::Live(object) => Some(object),
                Life::Dead(_) => None,
            },
        }
    }

    pub(crate) fn object_mut(&mut self, home: Home) -> Option<&mut Object> {
        match home {
            Home::Static(i) => {
                let statics = Arc::make_mut(&mut self.statics);
                statics.summary.take();
                statics.objects.get_mut(i).map(Arc::make_mut)
            }
            Home::Arena(a, i) => match &mut self.arena_mut(a).entries[i].life {
                Life::Live(object) => Some(Arc::make_mut(object)),
                Life::Dead(_) => None,
            },
        }
    }

    /// The live object with this key.
    pub(crate) fn object_of(&self, space: &Space, key: ObjKey) -> Option<&Object> {
        self.entry_at(space, space.base(key)).and_then(|(home, _)| self.object(home))
    }

    /// All live objects.
    pub(crate) fn homes(&self) -> impl Iterator<Item = (Home, &Arc<Object>)> + '_ {
        let statics = self.statics.objects.iter().enumerate().map(|(i, o)| (Home::Static(i), o));
        let arenas = self.arenas.iter().enumerate().flat_map(|(a, arena)| {
            arena.entries.iter().enumerate().filter_map(move |(i, e)| match &e.life {
                Life::Live(object) => Some((Home::Arena(a, i), object)),
                Life::Dead(_) => None,
            })
        });
        statics.chain(arenas)
    }

    /// Adds a symbol under the lowest free name.
    pub(crate) fn add_symbol(&mut self, symbol: SymbolEntry) -> SymId {
        self.created += 1;
        let symbols = Arc::make_mut(&mut self.symbols);
        let free = symbols.iter().position(Option::is_none).unwrap_or(symbols.len());
        if free == symbols.len() {
            symbols.push(None);
        }
        symbols[free] = Some(symbol);
        SymId(free as u32)
    }

    pub(crate) fn narrow(&mut self, id: SymId, domain: Domain) {
        if let Some(Some(symbol)) = Arc::make_mut(&mut self.symbols).get_mut(id.0 as usize) {
            symbol.domain = domain;
        }
    }

    pub(crate) fn forget_symbol(&mut self, id: SymId) {
        if let Some(entry) = Arc::make_mut(&mut self.symbols).get_mut(id.0 as usize) {
            *entry = None;
        }
    }
}

impl Thread {
    pub fn new(frame: Frame) -> Thread {
        Thread {
            status: Status::Running,
            result: Value::ZERO,
            frames: vec![Arc::new(frame)],
            summary: OnceLock::new(),
        }
    }
}

pub(crate) fn frame_mut(frame: &mut Arc<Frame>) -> &mut Frame {
    let frame = Arc::make_mut(frame);
    frame.summary.take();
    frame
}

impl Frame {
    pub fn new(func: FuncId, regs: usize, slots: usize) -> Frame {
        Frame {
            func,
            block: BlockId(0),
            index: 0,
            regs: vec![Value::ZERO; regs],
            slots: vec![None; slots],
            allocas: Vec::new(),
            summary: OnceLock::new(),
        }
    }

    pub fn set(&mut self, dst: Reg, value: Value) {
        self.regs[dst.index()] = value;
    }

    /// All objects that end with the frame.
    pub fn objects(&self) -> impl Iterator<Item = ObjKey> + '_ {
        self.slots.iter().flatten().chain(&self.allocas).copied()
    }
}

impl Arena {
    pub fn empty() -> Arena {
        Arena { entries: Vec::new(), summary: OnceLock::new() }
    }

    /// The entry that covers a slot.
    pub fn position(&self, slot: u32) -> Option<usize> {
        let i = self.entries.partition_point(|e| e.slot <= slot).checked_sub(1)?;
        let entry = &self.entries[i];
        (slot - entry.slot < entry.count).then_some(i)
    }

    /// The lowest gap of `count` slots: (index in `entries`, slot).
    pub fn gap(&self, count: u32, limit: u32) -> Option<(usize, u32)> {
        let mut slot = 0;
        for (i, entry) in self.entries.iter().enumerate() {
            if entry.slot - slot >= count {
                return Some((i, slot));
            }
            slot = entry.slot + entry.count;
        }
        (limit.checked_sub(slot)? >= count).then_some((self.entries.len(), slot))
    }

    pub(crate) fn has_dead(&self) -> bool {
        self.entries.iter().any(ArenaEntry::is_dead)
    }
}
