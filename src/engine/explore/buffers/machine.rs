//! A state with store buffers, and one step of it.
//!
//! A thread that steps sees memory with its own buffered stores on top; afterwards memory is as it was,
//! and what the step has stored is at the end of the buffer. What needs an empty buffer (a full fence, a
//! locked instruction, the start and the end of a thread) is known when it has been tried: then the step
//! is undone, and the buffer empties first.
//!
//! The rules are those of the compilation table for x86 (`solver::weak::target`): a store that is
//! sequentially consistent has a full fence behind it, which is to say that it waits for the buffer and goes to
//! memory; an atomic block of a library model that may store is a locked instruction, unless it stores once, to what
//! it does not read (so the end of a lock is a store), or only stores. Where each location has a queue of its own, a release is a barrier before the store.

use super::super::transition::Events;
use super::super::walk::{self, MachineRules, Stepped, kernel_fence};
use super::super::watch::Watch;
use interp::{Access, Death, Inputs, Interp, ObjKey, Observer, State, StepResult, Tid, Value};
use ir::types::Scalar;
use ir::{At, AtomicKind, FuncId, InstKind, MemoryOrder, Span};
use rustc_hash::FxHashSet;
use solver::weak::Buffers;

/// Why a search with open inputs is of no use.
pub const NOT_KNOWN: &str = "a store of a value that is not known";

/// What a buffer holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BufferEntry {
    Store {
        object: ObjKey,
        offset: u64,
        size: u64,
        bits: u64,
    },
    /// What is behind it waits for what is before it.
    Barrier,
}

impl BufferEntry {
    fn object(&self) -> Option<ObjKey> {
        match self {
            BufferEntry::Store { object, .. } => Some(*object),
            BufferEntry::Barrier => None,
        }
    }
}

#[derive(Clone)]
pub struct Machine {
    pub state: State,
    /// By thread, oldest first.
    buffers: Vec<Vec<BufferEntry>>,
}

/// The rules.
#[derive(Clone, Copy)]
pub struct BufferRules<'a> {
    pub interp: &'a Interp<'a>,
    pub buffers: Buffers,
}

impl Machine {
    pub fn new(state: State) -> Machine {
        Machine { state, buffers: Vec::new() }
    }

    pub fn buffer(&self, thread: Tid) -> &[BufferEntry] {
        self.buffers.get(thread.index()).map_or(&[], Vec::as_slice)
    }

    fn push(&mut self, thread: Tid, entry: BufferEntry) {
        if self.buffers.len() <= thread.index() {
            self.buffers.resize(thread.index() + 1, Vec::new());
        }
        self.buffers[thread.index()].push(entry);
    }

    /// Nothing is stored any more where an object was.
    fn forget(&mut self, gone: &[ObjKey]) {
        let stays = |entry: &BufferEntry| !entry.object().is_some_and(|o| gone.contains(&o));
        if !gone.is_empty() {
            self.buffers.iter_mut().for_each(|buffer| buffer.retain(stays));
        }
    }
}

impl MachineRules for BufferRules<'_> {
    type Machine = Machine;
    const ALL_OR_NOTHING: bool = false;

    fn interp(&self) -> &Interp<'_> {
        self.interp
    }

    fn initial(&self) -> Machine {
        Machine::new(self.interp.initial())
    }

    fn state<'m>(&self, machine: &'m Machine) -> &'m State {
        &machine.state
    }

    fn digest(&self, machine: &mut Machine) -> u128 {
        self.interp.digest(&mut machine.state) ^ walk::hash(&machine.buffers)
    }

    /// The entries that can become visible next.
    fn flushable(&self, machine: &Machine, thread: Tid) -> Vec<usize> {
        let buffer = machine.buffer(thread);
        let mut earlier: Vec<&BufferEntry> = Vec::new();
        let mut ready = Vec::new();
        for (i, entry) in buffer.iter().enumerate() {
            if *entry == BufferEntry::Barrier || (self.buffers == Buffers::Queue && i > 0) {
                break;
            }
            if !earlier.iter().any(|other| overlap(other, entry)) {
                ready.push(i);
            }
            earlier.push(entry);
        }
        ready
    }

    fn flush(&self, machine: &mut Machine, thread: Tid, at: usize) {
        let Some(buffer) = machine.buffers.get_mut(thread.index()) else { return };
        if at >= buffer.len() {
            return;
        }
        let entry = buffer.remove(at);
        while buffer.first() == Some(&BufferEntry::Barrier) {
            buffer.remove(0);
        }
        if let BufferEntry::Store { object, offset, size, bits } = entry {
            self.interp.poke(&mut machine.state, object, offset, size, bits);
        }
    }

    fn step(
        &self,
        machine: &mut Machine,
        thread: Tid,
        inputs: &mut impl Inputs,
        events: &mut Events,
        also: &mut impl Observer,
    ) -> Stepped {
        if let Some(unsupported) = kernel_fence(self.interp, &machine.state, thread) {
            return Stepped::Result(unsupported);
        }
        let before = machine.state.clone();
        let mut after = before.clone();
        let buffer = machine.buffer(thread).to_vec();
        for entry in &buffer {
            if let BufferEntry::Store { object, offset, size, bits } = *entry {
                self.interp.poke(&mut after, object, offset, size, bits);
            }
        }
        let watch = Watch {
            footprint: None,
            monitor: None,
            touched: None,
            assumed: &mut events.assumed,
            invalid: &mut events.invalid,
            peeks: &mut events.peeks,
        };
        let mut eye = Eye { interp: self.interp, seen: StepEffects::default() };
        let mut observer = (watch, (&mut eye, also));
        let result = self.interp.step(&mut after, thread, inputs, &mut observer);
        let seen = eye.seen;
        if matches!(result, StepResult::Blocked) {
            return Stepped::Result(result);
        }
        if let Some((what, span)) = seen.not_modelled {
            return Stepped::Result(StepResult::Unsupported { what: what.into(), span });
        }
        let ended = matches!(result, StepResult::Ended);
        if !buffer.is_empty() && (ended || self.orders(&before, thread, &seen, &buffer)) {
            return Stepped::MustEmpty;
        }
        machine.state = after;
        machine.forget(&seen.gone);
        let (new, direct) = self.buffered(&seen);
        let direct: Vec<Stored> = if buffer.is_empty() { Vec::new() } else { direct };
        let stored = machine.buffer(thread).iter().chain(&new).filter_map(BufferEntry::object);
        let stored: FxHashSet<ObjKey> = stored.collect();
        let open = |object: &ObjKey| self.interp.has_symbols(&before, *object);
        let unknown = seen.unknown.filter(|_| !stored.is_empty());
        if let Some(span) = unknown.or(stored.iter().any(open).then_some(Span::NONE)) {
            let what = NOT_KNOWN.into();
            return Stepped::Result(StepResult::Unsupported { what, span });
        }
        if stored.iter().any(|object| seen.undefined.contains(object)) {
            let what = "uninitialised memory, beside stores in a buffer".into();
            return Stepped::Result(StepResult::Unsupported { what, span: Span::NONE });
        }
        for object in stored {
            self.interp.copy_bytes(&before, &mut machine.state, object);
        }
        for Stored { object, offset, size, bits, .. } in direct {
            self.interp.poke(&mut machine.state, object, offset, size, bits);
        }
        for entry in new {
            if entry != BufferEntry::Barrier || !machine.buffer(thread).is_empty() {
                machine.push(thread, entry);
            }
        }
        Stepped::Result(result)
    }
}

impl BufferRules<'_> {
    /// Does what was seen need an empty buffer?
    fn orders(
        &self,
        before: &State,
        thread: Tid,
        seen: &StepEffects,
        buffer: &[BufferEntry],
    ) -> bool {
        let waits = |store: &Stored| buffer.iter().any(|other| overlap(other, &store.entry()));
        let locked = match seen.block {
            None => false,
            Some(AtomicKind::User) => true,
            Some(AtomicKind::Internal) => {
                let several = seen.locations.len() > 1 || self.may_store(before, thread);
                (several && !seen.is_plain_store())
                    || seen.stores.iter().any(|store| store.private && waits(store))
            }
        };
        seen.full_fence || locked || seen.stores.iter().any(|s| s.order == MemoryOrder::SeqCst)
    }

    /// Is there a store in the atomic block that the thread is about to enter?
    fn may_store(&self, state: &State, thread: Tid) -> bool {
        let Some((func, block, index)) = state.frames(thread).next_back() else { return true };
        let function = &self.interp.program.functions[func.index()];
        let mut met: FxHashSet<usize> = FxHashSet::default();
        let mut todo = vec![(block.index(), index)];
        while let Some((block, from)) = todo.pop() {
            let block = &function.blocks[block];
            let mut open = true;
            for inst in &block.insts[from.min(block.insts.len())..] {
                match inst.kind {
                    InstKind::AtomicEnd => open = false,
                    InstKind::Store { .. } | InstKind::Call { .. } => return true,
                    _ => {}
                }
                if !open {
                    break;
                }
            }
            let next = block.end.successors();
            let next = next.iter().map(|b| b.index()).filter(|_| open);
            todo.extend(next.filter(|b| met.insert(*b)).map(|b| (b, 0)));
        }
        false
    }

    /// What a step adds to the buffer, and what goes to memory at once. Where there is one queue, no thread
    /// sees whether a store to what no other thread knows is in it: what makes it known is behind it.
    fn buffered(&self, seen: &StepEffects) -> (Vec<BufferEntry>, Vec<Stored>) {
        let locked = match seen.block {
            None => false,
            Some(AtomicKind::User) => true,
            Some(AtomicKind::Internal) => !seen.is_plain_store(),
        };
        let per_location = self.buffers == Buffers::PerLocation;
        let (mut out, mut direct) = (Vec::new(), Vec::new());
        if seen.release_fence && per_location {
            out.push(BufferEntry::Barrier);
        }
        for store in &seen.stores {
            let hidden = store.private && (seen.block.is_some() || !per_location);
            if locked || hidden || seen.full_fence || store.order == MemoryOrder::SeqCst {
                direct.push(*store);
                continue;
            }
            if store.order.releases() && per_location {
                out.push(BufferEntry::Barrier);
            }
            out.push(store.entry());
        }
        (out, direct)
    }
}

fn overlap(a: &BufferEntry, b: &BufferEntry) -> bool {
    match (*a, *b) {
        (
            BufferEntry::Store { object, offset, size, .. },
            BufferEntry::Store { object: other, offset: from, size: bytes, .. },
        ) => object == other && offset < from + bytes && from < offset + size,
        _ => false,
    }
}

/// A store as it was done.
#[derive(Clone, Copy, Debug)]
struct Stored {
    object: ObjKey,
    offset: u64,
    size: u64,
    bits: u64,
    order: MemoryOrder,
    /// No other thread can know the object.
    private: bool,
}

impl Stored {
    fn entry(&self) -> BufferEntry {
        let Stored { object, offset, size, bits, .. } = *self;
        BufferEntry::Store { object, offset, size, bits }
    }
}

/// What a step has done.
#[derive(Default)]
struct StepEffects {
    stores: Vec<Stored>,
    /// Shared ones that were read or written.
    locations: FxHashSet<(ObjKey, u64)>,
    read: FxHashSet<(ObjKey, u64)>,
    block: Option<AtomicKind>,
    full_fence: bool,
    release_fence: bool,
    gone: Vec<ObjKey>,
    /// Where a value was stored that is not chosen yet.
    unknown: Option<Span>,
    /// What was read before anybody wrote it.
    undefined: Vec<ObjKey>,
    not_modelled: Option<(&'static str, Span)>,
}

impl StepEffects {
    /// A block that stores, but updates nothing: it stores once, or does not read, and not what it reads.
    fn is_plain_store(&self) -> bool {
        let shared = || self.stores.iter().filter(|s| !s.private);
        let once = self.read.is_empty() || shared().count() == 1;
        let fresh = |s: &Stored| !self.read.contains(&(s.object, s.offset));
        once && shared().next().is_some() && shared().all(fresh)
    }
}

/// Sees what a step does.
struct Eye<'a> {
    interp: &'a Interp<'a>,
    seen: StepEffects,
}

impl Observer for Eye<'_> {
    fn access(&mut self, state: &State, thread: Tid, access: &Access, _: Scalar, value: Value) {
        let Access { object, offset, size, write, order, span, .. } = *access;
        let private = self.interp.is_private(state, object, thread);
        if !private {
            self.seen.locations.insert((object, offset));
        }
        if !private && !write {
            self.seen.read.insert((object, offset));
        }
        if !write {
            return;
        }
        let bits = match value {
            Value::Int(bits) if size <= 8 => bits,
            // No thread sees whether it is in a buffer, if it goes to memory at once.
            _ => {
                self.seen.unknown = Some(span);
                0
            }
        };
        self.seen.stores.push(Stored { object, offset, size, bits, order, private });
    }

    fn atomic_begin(&mut self, _: Tid, kind: AtomicKind, _: Span) {
        self.seen.block = Some(kind);
    }

    fn undone(&mut self, _: Tid) {
        self.seen = StepEffects::default();
    }

    fn fence(&mut self, _: Tid, order: MemoryOrder, _: Span) {
        self.seen.full_fence |= order == MemoryOrder::SeqCst;
        self.seen.release_fence |= order.releases();
    }

    fn spawn(&mut self, _: &State, _: Tid, _: Tid, _: FuncId, _: Span) {
        self.seen.full_fence = true;
    }

    fn join(&mut self, _: Tid, _: Tid, _: Span) {
        self.seen.full_fence = true;
    }

    fn asked_ended(&mut self, _: Tid, _: Tid, _: bool, span: Span) {
        let what = "the question whether a thread has ended, under this memory model";
        self.seen.not_modelled = Some((what, span));
    }

    fn undefined(&mut self, _: Tid, object: ObjKey, _: u64, _: u64) {
        self.seen.undefined.push(object);
    }

    fn died(&mut self, _: &State, _: Tid, object: ObjKey, _: u64, _: bool, _: Death, _: At) {
        self.seen.gone.push(object);
    }
}
