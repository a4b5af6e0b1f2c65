//! Data races by vector clocks, as C11 defines them.
//!
//! Two accesses race if they touch a common byte, at least one writes, they are by different
//! threads, not both atomic, and neither happens before the other. Happens-before is program order,
//! thread start and join, and release/acquire: a load that reads from a release sequence learns the
//! clock of its head (an execution is an interleaving, so a load reads the last store). Fences work
//! through relaxed accesses. A store after a load of the same cell in one atomic block is a
//! read-modify-write and continues release sequences; so does, in C11, a later store of the head's
//! own thread. `free` is a plain write of all of the block: C11 orders it after the accesses only if
//! the program does. The end of a local's life is no access; a thread that touches it later makes a memory
//! error. The user's atomic blocks (`__VERIFIER_atomic_begin`) synchronise with each other, in the
//! order in which they happen, as if one lock were taken for each; blocks of library models and
//! read-modify-writes do not. Such a block is one operation: what it learns it knows from its first
//! access on, what it publishes is all that it has done.
//!
//! An object's history keeps only accesses that a later one could race with first: an access that
//! another one follows in happens-before, covers, and that is at least as sensitive, goes.
//!
//! `digest` replaces every component of the clocks by its rank among the values in use, and forgets
//! what all running threads know. Order is all that matters for the future, so loops come back to
//! equal digests although epochs grow for ever.

use crate::clock::Clock;
use crate::observe::{Access, Death, Observer};
use crate::state::State;
use crate::value::{ObjKey, Tid, Value};
use ir::types::Scalar;
use ir::{At, AtomicKind, FuncId, MemoryOrder, Program, Span};
use std::collections::BTreeMap;
use triomphe::Arc;
use xxhash_rust::xxh3::Xxh3;

/// Feed it as the observer of every step; then look at `race`. Cheap to clone.
#[derive(Clone, Debug)]
pub struct RaceMonitor {
    threads: Vec<Arc<Knowledge>>,
    objects: BTreeMap<ObjKey, Arc<History>>,
    /// What happened in the atomic block that is open: it may still be undone.
    pending: Vec<(Tid, RaceEvent)>,
    depth: u32,
    /// Whose block that is, if it is one of the user's.
    user_block: Option<Tid>,
    /// What the user's last atomic block knew at its end.
    blocks: Clock,
    race: Option<Race>,
    /// Races between accesses at these places are not told.
    tolerated: Arc<[(Span, Span)]>,
    /// All races, for who wants more than the first.
    all: Option<Vec<Race>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    pub first: (Tid, Access),
    pub second: (Tid, Access),
}

/// One thread's view.
#[derive(Clone, Default, Debug)]
struct Knowledge {
    clock: Clock,
    /// Learnt by relaxed loads, to be known after the next acquire fence.
    to_acquire: Clock,
    /// The clock at the last release fence: what relaxed stores publish.
    released: Clock,
    ended: bool,
}

#[derive(Clone, Default, Debug)]
struct History {
    accesses: Vec<Record>,
    cells: Vec<ReleaseCell>,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    thread: Tid,
    /// Of `thread`, when it happened.
    epoch: u32,
    access: Access,
}

/// The release sequences that the last atomic store to a cell is part of.
#[derive(Clone, Debug)]
struct ReleaseCell {
    offset: u64,
    size: u64,
    /// By the thread of the head.
    heads: Vec<(Tid, Clock)>,
}

#[derive(Clone, Copy, Debug)]
enum RaceEvent {
    Access(Access),
    Fence(MemoryOrder),
    Spawn(Tid),
    Join(Tid),
    End,
    Born(ObjKey),
    Died(ObjKey),
    Freed { object: ObjKey, size: u64, at: At },
}

impl Default for RaceMonitor {
    fn default() -> RaceMonitor {
        RaceMonitor::new()
    }
}

impl RaceMonitor {
    pub fn new() -> RaceMonitor {
        let mut first = Knowledge::default();
        first.clock.set(0, 1);
        RaceMonitor {
            threads: vec![Arc::new(first)],
            objects: BTreeMap::new(),
            pending: Vec::new(),
            depth: 0,
            user_block: None,
            blocks: Clock::default(),
            race: None,
            tolerated: Arc::from(Vec::new()),
            all: None,
        }
    }

    /// One that does not tell what the user lets race in this program.
    pub fn of(program: &Program) -> RaceMonitor {
        RaceMonitor { tolerated: program.tolerated.clone().into(), ..RaceMonitor::new() }
    }

    /// One that goes on behind the first race.
    pub fn of_all() -> RaceMonitor {
        RaceMonitor { all: Some(Vec::new()), ..RaceMonitor::new() }
    }

    /// The races since the last time.
    pub fn take_all(&mut self) -> Vec<Race> {
        self.all.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn tolerates(&self, a: &Access, b: &Access) -> bool {
        self.tolerated.iter().any(|&pair| pair == (a.span, b.span) || pair == (b.span, a.span))
    }

    /// The first race seen.
    pub fn race(&self) -> Option<&Race> {
        self.race.as_ref()
    }

    fn note(&mut self, thread: Tid, event: RaceEvent) {
        self.pending.push((thread, event));
        if self.depth == 0 {
            self.flush();
        }
    }

    /// What is pending has happened.
    fn flush(&mut self) {
        let events = std::mem::take(&mut self.pending);
        let Some(thread) = self.user_block else { return self.happen(&events) };
        let learnt = self.blocks.clone();
        self.knowledge_mut(thread).clock.join(&learnt);
        self.learn(&events);
        self.happen(&events);
        self.blocks = self.knowledge(thread).clock.clone();
        self.user_block = None;
        self.tick(thread);
    }

    /// All that a block learns from others.
    fn learn(&mut self, events: &[(Tid, RaceEvent)]) {
        for (i, &(thread, event)) in events.iter().enumerate() {
            match event {
                RaceEvent::Access(access) if !access.write && !is_own(&access, &events[..i]) => {
                    self.synchronise(thread, &access, false);
                }
                RaceEvent::Join(child) => self.join(thread, child),
                _ => {}
            }
        }
    }

    fn happen(&mut self, events: &[(Tid, RaceEvent)]) {
        for (i, &(thread, event)) in events.iter().enumerate() {
            match event {
                RaceEvent::Access(access) => {
                    let update = is_update(&access, &events[..i]);
                    self.access(thread, access, update);
                }
                RaceEvent::Fence(order) => self.fence(thread, order),
                RaceEvent::Spawn(child) => self.spawn(thread, child),
                RaceEvent::Join(child) => self.join(thread, child),
                RaceEvent::End => {
                    let knowledge = self.knowledge_mut(thread);
                    knowledge.clock.tick(thread.index());
                    knowledge.ended = true;
                }
                RaceEvent::Born(object) | RaceEvent::Died(object) => {
                    self.objects.remove(&object);
                }
                RaceEvent::Freed { object, size, at } => {
                    self.access(thread, Access::whole(object, size, at), false);
                    self.objects.remove(&object);
                }
            }
        }
    }

    fn knowledge(&mut self, thread: Tid) -> &Knowledge {
        self.knowledge_mut(thread)
    }

    fn knowledge_mut(&mut self, thread: Tid) -> &mut Knowledge {
        while self.threads.len() <= thread.index() {
            self.threads.push(Arc::default());
        }
        Arc::make_mut(&mut self.threads[thread.index()])
    }

    fn spawn(&mut self, parent: Tid, child: Tid) {
        let mut clock = self.knowledge(parent).clock.clone();
        clock.tick(child.index());
        *self.knowledge_mut(child) = Knowledge { clock, ..Knowledge::default() };
        self.tick(parent);
    }

    fn join(&mut self, thread: Tid, child: Tid) {
        let learnt = self.knowledge(child).clock.clone();
        self.knowledge_mut(thread).clock.join(&learnt);
    }

    /// What follows is not known to who learns what was published so far. In a user's block nothing
    /// follows before its end.
    fn tick(&mut self, thread: Tid) {
        if self.user_block.is_none() {
            self.knowledge_mut(thread).clock.tick(thread.index());
        }
    }

    fn fence(&mut self, thread: Tid, order: MemoryOrder) {
        let knowledge = self.knowledge_mut(thread);
        if order.acquires() {
            let learnt = knowledge.to_acquire.clone();
            knowledge.clock.join(&learnt);
        }
        if order.releases() {
            knowledge.released = knowledge.clock.clone();
            self.tick(thread);
        }
    }

    fn access(&mut self, thread: Tid, access: Access, update: bool) {
        self.synchronise(thread, &access, update);
        let clock = self.knowledge(thread).clock.clone();
        self.compare(thread, &access, &clock);
        let tells_places = self.tells_places();
        let history = Arc::make_mut(self.objects.entry(access.object).or_default());
        history.accesses.retain(|r| {
            !r.is_superseded(&access, &clock) || tells_places && r.access.span != access.span
        });
        let epoch = clock.get(thread.index());
        history.accesses.push(Record { thread, epoch, access });
        if access.write {
            self.publish(thread, &access, update);
        }
    }

    /// Does it matter where an access stands in the text?
    fn tells_places(&self) -> bool {
        self.all.is_some() || !self.tolerated.is_empty()
    }

    /// Does the access race with earlier ones?
    fn compare(&mut self, thread: Tid, access: &Access, clock: &Clock) {
        let Some(history) = self.objects.get(&access.object) else { return };
        let rivals = history
            .accesses
            .iter()
            .filter(|r| r.races(thread, access, clock) && !self.tolerates(&r.access, access));
        let told = |r: &Record| Race { first: (r.thread, r.access), second: (thread, *access) };
        if self.all.is_some() {
            let found: Vec<Race> = rivals.map(told).collect();
            self.all.iter_mut().for_each(|all| all.extend(found.iter().cloned()));
        } else if self.race.is_none() {
            let first = rivals.map(told).next();
            self.race = first;
        }
    }

    /// A load learns from the release sequences it reads from.
    fn synchronise(&mut self, thread: Tid, access: &Access, update: bool) {
        if !access.atomic() || (access.write && !update) {
            return;
        }
        let Some(history) = self.objects.get(&access.object) else { return };
        let mut learnt = Clock::default();
        for cell in history.cells.iter().filter(|c| c.overlaps(access)) {
            cell.heads.iter().for_each(|(_, clock)| learnt.join(clock));
        }
        let knowledge = self.knowledge_mut(thread);
        if access.effective_order().acquires() {
            knowledge.clock.join(&learnt);
        } else {
            knowledge.to_acquire.join(&learnt);
        }
    }

    /// A store ends the release sequences of others unless it is part of an update, and heads one.
    fn publish(&mut self, thread: Tid, access: &Access, update: bool) {
        let releases = access.effective_order().releases();
        let knowledge = self.knowledge_mut(thread);
        let published = if releases { knowledge.clock.clone() } else { knowledge.released.clone() };
        if access.atomic() && releases {
            self.tick(thread);
        }
        let history = Arc::make_mut(self.objects.entry(access.object).or_default());
        let mut heads: Vec<(Tid, Clock)> = Vec::new();
        for cell in history.cells.iter().filter(|c| c.overlaps(access)) {
            heads.extend(cell.heads.iter().filter(|h| update || h.0 == thread).cloned());
        }
        history.cells.retain(|c| !c.overlaps(access));
        if !access.atomic() {
            return;
        }
        match heads.iter_mut().find(|h| h.0 == thread) {
            Some(own) => own.1.join(&published),
            None => heads.push((thread, published)),
        }
        heads.retain(|h| h.1.components().next().is_some());
        heads.sort_by_key(|h| h.0);
        if !heads.is_empty() {
            history.cells.push(ReleaseCell { offset: access.offset, size: access.size, heads });
        }
    }

    /// Equal digests of monitor and state mean equal futures: clock values are replaced by their
    /// ranks, and what can never race again is forgotten, so that loops reach equal digests.
    pub fn digest(&mut self) -> u128 {
        self.forget();
        let ranks = self.ranks();
        let mut h = Xxh3::new();
        let mut put = |n: u64| h.update(&n.to_le_bytes());
        ranks.put(&self.blocks, &mut put);
        for knowledge in &self.threads {
            put(u64::from(knowledge.ended));
            for clock in [&knowledge.clock, &knowledge.to_acquire, &knowledge.released] {
                ranks.put(clock, &mut put);
            }
        }
        for (key, history) in &self.objects {
            put(u64::from(key.0));
            let places = self.tells_places();
            let mut records: Vec<[u64; 6]> =
                history.accesses.iter().map(|r| r.digest(&ranks, places)).collect();
            records.sort_unstable();
            put(records.len() as u64);
            records.iter().flatten().for_each(|&n| put(n));
            let mut cells: Vec<&ReleaseCell> = history.cells.iter().collect();
            cells.sort_by_key(|c| (c.offset, c.size));
            for cell in cells {
                put(cell.offset);
                put(cell.size);
                for (thread, clock) in &cell.heads {
                    put(u64::from(thread.0));
                    ranks.put(clock, &mut put);
                }
            }
        }
        put(u64::from(self.race.is_some()));
        h.digest128()
    }

    /// Drops accesses that happen before everything that can still come.
    fn forget(&mut self) {
        let threads = &self.threads;
        let known = |r: &Record| {
            threads.iter().enumerate().all(|(i, k)| {
                k.ended || i == r.thread.index() || r.epoch <= k.clock.get(r.thread.index())
            })
        };
        self.objects.retain(|_, history| {
            if history.accesses.iter().any(known) {
                Arc::make_mut(history).accesses.retain(|r| !known(r));
            }
            !history.accesses.is_empty() || !history.cells.is_empty()
        });
    }

    fn ranks(&self) -> Ranks {
        let mut ranks = Ranks::default();
        ranks.add(&self.blocks);
        for k in &self.threads {
            [&k.clock, &k.to_acquire, &k.released].into_iter().for_each(|c| ranks.add(c));
        }
        for history in self.objects.values() {
            history.accesses.iter().for_each(|r| ranks.add_one(r.thread.index(), r.epoch));
            for cell in &history.cells {
                cell.heads.iter().for_each(|(_, clock)| ranks.add(clock));
            }
        }
        ranks.sort();
        ranks
    }
}

/// The values in use of each component.
#[derive(Default)]
struct Ranks(Vec<Vec<u32>>);

impl Ranks {
    fn add(&mut self, clock: &Clock) {
        clock.components().for_each(|(i, epoch)| self.add_one(i, epoch));
    }

    fn add_one(&mut self, thread: usize, epoch: u32) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, Vec::new());
        }
        self.0[thread].push(epoch);
    }

    fn sort(&mut self) {
        for values in &mut self.0 {
            values.sort_unstable();
            values.dedup();
        }
    }

    fn of(&self, thread: usize, epoch: u32) -> u64 {
        self.0.get(thread).map_or(0, |v| v.partition_point(|&x| x < epoch) as u64 + 1)
    }

    fn put(&self, clock: &Clock, put: &mut impl FnMut(u64)) {
        for (i, epoch) in clock.components() {
            put(i as u64);
            put(self.of(i, epoch));
        }
        put(u64::MAX);
    }
}

impl Record {
    fn happened_before(&self, clock: &Clock) -> bool {
        self.epoch <= clock.get(self.thread.index())
    }

    fn races(&self, thread: Tid, access: &Access, clock: &Clock) -> bool {
        self.thread != thread
            && self.access.conflicts(access)
            && !(self.access.atomic() && access.atomic())
            && !self.happened_before(clock)
    }

    /// Whatever would race with this one later would race with `access` too.
    fn is_superseded(&self, access: &Access, clock: &Clock) -> bool {
        let old = &self.access;
        self.happened_before(clock)
            && access.offset <= old.offset
            && old.offset + old.size <= access.offset + access.size
            && (access.write || !old.write)
            && (!access.atomic() || old.atomic())
    }

    fn digest(&self, ranks: &Ranks, place: bool) -> [u64; 6] {
        let Access { offset, size, write, span, .. } = self.access;
        let kind = u64::from(write) * 2 + u64::from(self.access.atomic());
        let thread = self.thread.index();
        let at = u64::from(span.file.0) << 48 ^ u64::from(span.line) << 20 ^ u64::from(span.column);
        let epoch = ranks.of(thread, self.epoch);
        [offset, size, kind, thread as u64, epoch, if place { at } else { 0 }]
    }
}

impl ReleaseCell {
    fn overlaps(&self, access: &Access) -> bool {
        self.offset < access.offset + access.size && access.offset < self.offset + self.size
    }
}

/// Does it read what the same block has written?
fn is_own(access: &Access, earlier: &[(Tid, RaceEvent)]) -> bool {
    let covers = |a: &Access| {
        let (start, end) = (access.offset, access.offset + access.size);
        a.write && a.object == access.object && a.offset <= start && end <= a.offset + a.size
    };
    earlier.iter().any(|(_, event)| matches!(event, RaceEvent::Access(a) if covers(a)))
}

/// Is it a store after a load of the same cell in the same atomic block?
fn is_update(access: &Access, earlier: &[(Tid, RaceEvent)]) -> bool {
    access.write && access.atomic() && earlier.iter().any(|(_, event)| {
        matches!(event, RaceEvent::Access(a) if !a.write && a.atomic() && a.object == access.object
                && a.offset == access.offset && a.size == access.size)
    })
}

impl Observer for RaceMonitor {
    fn access(&mut self, _: &State, thread: Tid, access: &Access, _: Scalar, _: Value) {
        self.note(thread, RaceEvent::Access(*access));
    }

    fn atomic_begin(&mut self, thread: Tid, kind: AtomicKind, _: Span) {
        self.depth += 1;
        if kind == AtomicKind::User {
            self.user_block = Some(thread);
        }
    }

    fn atomic_end(&mut self, _: Tid, _: Span) {
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0 {
            self.flush();
        }
    }

    fn undone(&mut self, _: Tid) {
        self.depth = 0;
        self.user_block = None;
        self.pending.clear();
    }

    fn fence(&mut self, thread: Tid, order: MemoryOrder, _: Span) {
        self.note(thread, RaceEvent::Fence(order));
    }

    fn spawn(&mut self, _: &State, parent: Tid, child: Tid, _: FuncId, _: Span) {
        self.note(parent, RaceEvent::Spawn(child));
    }

    fn join(&mut self, thread: Tid, child: Tid, _: Span) {
        self.note(thread, RaceEvent::Join(child));
    }

    /// Who hears that a thread has ended comes after its end.
    fn asked_ended(&mut self, thread: Tid, other: Tid, ended: bool, _: Span) {
        if ended {
            self.note(thread, RaceEvent::Join(other));
        }
    }

    fn thread_end(&mut self, _: &State, thread: Tid, _: Value, _: Span) {
        // A block that the thread ends in is closed by that.
        self.depth = 0;
        self.note(thread, RaceEvent::End);
    }

    fn born(&mut self, _: &State, thread: Tid, object: ObjKey, _: u64, _: Span) {
        self.note(thread, RaceEvent::Born(object));
    }

    fn died(
        &mut self,
        _: &State,
        thread: Tid,
        object: ObjKey,
        size: u64,
        private: bool,
        why: Death,
        at: At,
    ) {
        let event = match why {
            Death::Freed if !private && size > 0 => RaceEvent::Freed { object, size, at },
            _ => RaceEvent::Died(object),
        };
        self.note(thread, event);
    }
}

#[cfg(test)]
mod tests;
