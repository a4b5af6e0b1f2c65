//! What is taken to be true of a program until a build shows otherwise.
//!
//! Which pieces of memory several threads use, which are not written once threads run, where accesses
//! cut objects, what threads are started with: all of it shapes the system, and is known only when the
//! system is there. So it is guessed, the strongest first, and the system is built again until
//! nothing contradicts the guess. The last build saw every access under a guess that it confirms;
//! the first step of an execution that breaks the guess would have been seen.

use crate::system::SourcePoint;
use ir::{BlockId, FuncId, ObjectId, Reg, SlotId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

pub type ThreadIndex = usize;

/// Who makes an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Maker {
    Static(ObjectId),
    /// A thread's own instance.
    ThreadLocal(ThreadIndex, ObjectId),
    Slot(ThreadIndex, SlotId),
    /// By the place of its allocation.
    Block(ThreadIndex, BlockId, usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjIndex(pub usize);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Object {
    pub maker: Maker,
    pub size: u64,
    pub base: u64,
}

/// What a cell stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Key {
    Register(ThreadIndex, Reg),
    /// A piece of an object, by its offset.
    Piece(ObjIndex, u64),
    Alive(ObjIndex),
    /// A variable that is `const`, and initialised.
    Fixed(ObjIndex),
    Started(ThreadIndex),
    Ended(ThreadIndex),
    Joined(ThreadIndex),
    Result(ThreadIndex),
    /// Only where ids depend on the schedule.
    Id(ThreadIndex),
    Count,
}

/// A thread by the place where it is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instance {
    pub function: FuncId,
    pub by: Option<(ThreadIndex, BlockId, usize)>,
}

/// Something that is one number everywhere, as far as seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Same {
    #[default]
    Unseen,
    Always(u64),
    Varies,
}

impl Same {
    pub fn with(self, value: Option<u64>) -> Same {
        match (self, value) {
            (Same::Unseen, Some(v)) => Same::Always(v),
            (Same::Always(a), Some(b)) if a == b => self,
            _ => Same::Varies,
        }
    }

    pub fn number(self) -> Option<u64> {
        match self {
            Same::Always(v) => Some(v),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Guess {
    pub objects: Vec<Object>,
    pub makers: FxHashMap<Maker, ObjIndex>,
    pub instances: Vec<Instance>,
    /// Ends of accesses, by object, as of the last build.
    pub cuts: BTreeMap<ObjIndex, BTreeSet<u64>>,
    /// Those that were found since.
    new_cuts: Vec<(ObjIndex, u64)>,
    /// Used by several threads, written by one of them.
    pub shared: FxHashSet<Key>,
    /// Written while other threads may run.
    pub written: FxHashSet<Key>,
    /// Written by the first thread before it starts another.
    pub prepared: FxHashSet<Key>,
    /// What a prepared piece holds when the first thread starts another one.
    pub frozen: FxHashMap<Key, Same>,
    /// What threads are started with.
    pub args: FxHashMap<ThreadIndex, Same>,
    pub ids: FxHashMap<ThreadIndex, Same>,
    /// Thread ids depend on the schedule.
    pub dynamic_ids: bool,
    /// Addresses that are kept somewhere.
    pub kept: BTreeSet<(ObjIndex, u64)>,
    /// Addresses that a register holds at some location, where they are not the same on all paths.
    pub held: FxHashMap<Key, BTreeSet<(ObjIndex, u64)>>,
    /// Registers that are not one number on all paths to a place. Known from the start, they leave
    /// addresses that are computed from them as computed.
    pub varying: FxHashSet<(ThreadIndex, SourcePoint, Reg)>,
    /// Locations at the heads of all loops, to keep the number of paths small.
    pub cut_at_joins: bool,
    /// Something was learnt since the last build began.
    pub changed: bool,
}

/// Distance between objects: offsets stay with their object.
pub const GAP: u64 = 1 << 20;

impl Guess {
    pub fn object(&mut self, maker: Maker, size: u64) -> ObjIndex {
        if let Some(known) = self.makers.get(&maker) {
            return *known;
        }
        let end = self.objects.last().map_or(1 << 20, |o| o.base + o.size);
        let base = (end + GAP).next_multiple_of(1 << 12);
        let index = ObjIndex(self.objects.len());
        self.objects.push(Object { maker, size, base });
        self.makers.insert(maker, index);
        self.changed = true;
        index
    }

    pub fn instance(&mut self, instance: Instance) -> ThreadIndex {
        let known = self.instances.iter().position(|i| i.by == instance.by);
        known.unwrap_or_else(|| {
            self.changed = true;
            self.instances.push(instance);
            self.instances.len() - 1
        })
    }

    /// Another build begins.
    pub fn begin(&mut self) {
        self.changed = false;
        for (object, at) in std::mem::take(&mut self.new_cuts) {
            self.cuts.entry(object).or_default().insert(at);
        }
    }

    pub fn cut(&mut self, object: ObjIndex, at: u64) {
        if !self.is_cut(object, at) {
            self.new_cuts.push((object, at));
            self.changed = true;
        }
    }

    fn is_cut(&self, object: ObjIndex, at: u64) -> bool {
        self.cuts.get(&object).is_some_and(|cuts| cuts.contains(&at))
    }

    /// The pieces of a range, offset and size; none if it is not cut at both ends (yet).
    pub fn pieces(&self, object: ObjIndex, offset: u64, size: u64) -> Vec<(u64, u64)> {
        if !self.is_cut(object, offset) || !self.is_cut(object, offset + size) {
            return Vec::new();
        }
        self.pieces_within(object, offset, size)
    }

    /// The pieces that lie in a range.
    pub(crate) fn pieces_within(
        &self,
        object: ObjIndex,
        offset: u64,
        size: u64,
    ) -> Vec<(u64, u64)> {
        let Some(cuts) = self.cuts.get(&object) else { return Vec::new() };
        let inside: Vec<u64> = cuts.range(offset..=offset + size).copied().collect();
        inside.windows(2).map(|w| (w[0], w[1] - w[0])).collect()
    }

    /// The object that an address lies in, one past its end included.
    pub(crate) fn object_at(&self, address: u64) -> Option<(ObjIndex, u64)> {
        let after = self.objects.partition_point(|o| o.base <= address);
        let index = after.checked_sub(1)?;
        let object = &self.objects[index];
        let offset = address - object.base;
        (offset <= object.size).then_some((ObjIndex(index), offset))
    }

    /// The object that an address belongs to, inside or not far outside of it.
    pub(crate) fn object_near(&self, address: u64) -> Option<ObjIndex> {
        let near = |o: &Object| o.base - GAP / 2 <= address && address <= o.base + o.size + GAP / 2;
        self.objects.iter().position(near).map(ObjIndex)
    }

    pub fn keep(&mut self, address: u64) {
        if let Some(found) = self.object_at(address) {
            self.changed |= self.kept.insert(found);
        }
    }

    pub fn hold(&mut self, register: Key, address: u64) {
        if let Some(found) = self.object_at(address) {
            self.changed |= self.held.entry(register).or_default().insert(found);
        }
    }

    pub(crate) fn vary(&mut self, thread: ThreadIndex, place: SourcePoint, reg: Reg) {
        self.changed |= self.varying.insert((thread, place, reg));
    }

    pub fn share(&mut self, key: Key) {
        self.changed |= self.shared.insert(key);
    }

    pub fn write(&mut self, key: Key) {
        self.changed |= self.written.insert(key);
    }

    pub fn prepare(&mut self, key: Key) {
        self.changed |= self.prepared.insert(key);
    }

    pub fn freeze(&mut self, key: Key, value: Option<u64>) {
        let same = self.frozen.entry(key).or_default();
        let new = same.with(value);
        self.changed |= std::mem::replace(same, new) != new;
    }

    pub fn start(&mut self, thread: ThreadIndex, arg: Option<u64>, id: Option<u64>) {
        for (table, value) in [(&mut self.args, arg), (&mut self.ids, id)] {
            let same = table.entry(thread).or_default();
            let new = same.with(value);
            self.changed |= std::mem::replace(same, new) != new;
        }
        let clash = self.ids.get(&thread) == Some(&Same::Varies);
        self.changed |= clash && !self.dynamic_ids;
        self.dynamic_ids |= clash;
    }
}
