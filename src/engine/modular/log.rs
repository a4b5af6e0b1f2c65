//! What the last walk of each template has seen: the facts that the answer is read from.
//!
//! `accesses` is what may race. `sites` is what proofs by lock invariants (`relation`) read: what each
//! instruction touches, and what is known there.

use super::interval::Interval;
use super::sync::{ElementLock, ElementLocks, Lock, LockFamily, LockMode, Sync};
use super::value::{Base, Ownership, Slice, Sym, TemplateId};
use ir::{BlockId, FuncId, Reg, Span};
use std::collections::{BTreeMap, BTreeSet};

/// An instruction of a template's graph.
pub type Site = (TemplateId, BlockId, usize);

#[derive(Default)]
pub struct Log {
    pub accesses: Vec<Access>,
    /// Writes to blocks that no other thread knows yet: they race with no access, but may undo a lock.
    pub early: Vec<Access>,
    /// Where an `Error` may be reached.
    pub errors: Vec<(String, Span)>,
    pub error_sites: BTreeSet<Site>,
    /// What loads, stores and functions that lock may touch.
    pub sites: BTreeMap<Site, Vec<Touch>>,
    pub syncs: BTreeMap<Site, Sync>,
    /// What loads find; nothing if it may be something else than a number.
    pub found: BTreeMap<Site, Option<Interval>>,
    /// Numbers in registers where a block starts; all blocks that may be reached.
    pub ranges: BTreeMap<(TemplateId, BlockId), BTreeMap<Reg, Interval>>,
    /// Blocks of the first thread at whose start no other thread runs.
    pub quiet: BTreeSet<BlockId>,
    /// Where arithmetic may leave its type.
    pub overflows: Vec<Span>,
    /// Where memory may be used as C does not allow, if that is looked for.
    pub flaws: BTreeSet<(Span, &'static str)>,
    /// Those that may end an execution (`Question::overflow_ends`).
    pub ends: BTreeSet<Span>,
    /// Why threads may wait for each other.
    pub hangs: BTreeSet<(Span, &'static str)>,
    /// A thread may hold the first lock where it waits for the second one.
    pub lock_order: BTreeSet<(Lock, Lock)>,
    /// Locks that are taken somewhere.
    pub locks: BTreeSet<Lock>,
    pub elements: BTreeSet<ElementLocks>,
    /// Accesses that are taken to be inside of a living object.
    pub trusted: BTreeSet<Span>,
    /// Ids that are used, perhaps, after the life of their thread.
    pub stale_ids: BTreeSet<Span>,
    /// Joins in loops of what is read there.
    pub sweeping: Vec<(TemplateId, BlockId, Slice, Span)>,
    /// Loops that join each thread of a template once, and what they read.
    pub swept: BTreeSet<(TemplateId, BlockId, Slice)>,
    /// Classes of threads that others join or detach, each once.
    pub taken: BTreeSet<TemplateId>,
    /// Where threads detach themselves, by template.
    pub self_detaches: BTreeMap<TemplateId, BTreeSet<Span>>,
    /// Calls of functions without a body.
    pub bodiless: BTreeSet<(FuncId, Span)>,
}

/// An instruction may be walked over twice, with others running and without. What is said of it here is
/// true of both.
impl Log {
    pub fn tell_found(&mut self, site: Site, number: Option<Interval>) {
        let known = self.found.entry(site).or_insert(number);
        *known = known.zip(number).map(|(a, b)| a.hull(b));
    }

    pub fn tell_sync(&mut self, site: Site, sync: Sync) {
        let known = self.syncs.entry(site).or_insert(sync);
        known.lock = known.lock.filter(|lock| Some(*lock) == sync.lock);
    }

    pub fn tell_ranges(&mut self, at: (TemplateId, BlockId), known: BTreeMap<Reg, Interval>) {
        let both = |before: BTreeMap<Reg, Interval>| {
            let hull = |(reg, n): (Reg, Interval)| Some((reg, n.hull(*known.get(&reg)?)));
            before.into_iter().filter_map(hull).collect()
        };
        let ranges = match self.ranges.remove(&at) {
            None => known,
            Some(before) => both(before),
        };
        self.ranges.insert(at, ranges);
    }

    pub fn tell_touch(&mut self, site: Site, touch: Touch) {
        let touches = self.sites.entry(site).or_default();
        match touches.iter_mut().find(|t| t.is_same(&touch)) {
            Some(known) => known.weaken(&touch),
            None => touches.push(touch),
        }
    }

    /// Where the id of a thread may be used after it was joined, or detached and has ended.
    pub fn first_stale_id(&self) -> Option<Span> {
        let swept = |(template, head, slice, _): &&(TemplateId, BlockId, Slice, Span)| {
            !self.swept.contains(&(*template, *head, *slice))
        };
        let sweeping = self.sweeping.iter().filter(swept).map(|(_, _, _, span)| *span);
        let again = |(template, spans): &(&TemplateId, &BTreeSet<Span>)| {
            spans.len() > 1 || self.taken.contains(template)
        };
        let twice = self.self_detaches.iter().filter(again).flat_map(|(_, spans)| spans).copied();
        self.stale_ids.iter().copied().chain(sweeping).chain(twice).min()
    }
}

/// One place that an instruction may touch.
#[derive(Clone, Debug)]
pub struct Touch {
    pub base: Base,
    pub offset: Interval,
    pub size: u64,
    pub write: bool,
    pub by_lock: bool,
    /// What is written, if that is a number.
    pub number: Option<Interval>,
    /// The address may be a number that is not null.
    pub astray: bool,
    pub locks: BTreeMap<Lock, LockMode>,
    /// No other thread is running, and none but the first has ever been (`alone`).
    pub quiet: bool,
    pub alone: bool,
}

impl Touch {
    fn is_same(&self, other: &Touch) -> bool {
        let place = |t: &Touch| (t.base, t.offset, t.size, t.write, t.by_lock);
        place(self) == place(other)
    }

    /// Keeps what is true of both.
    fn weaken(&mut self, other: &Touch) {
        self.number = self.number.zip(other.number).map(|(a, b)| a.hull(b));
        self.astray |= other.astray;
        self.quiet &= other.quiet;
        self.alone &= other.alone;
        let weaker =
            |(lock, mode): (&Lock, &LockMode)| Some((*lock, *mode.min(other.locks.get(lock)?)));
        self.locks = self.locks.iter().filter_map(weaker).collect();
    }
}

/// One access (or end of an object's life) by threads of a template.
#[derive(Clone, Debug)]
pub struct Access {
    pub template: TemplateId,
    pub base: Base,
    pub offset: Interval,
    pub size: u64,
    pub sym: Option<Sym>,
    pub write: bool,
    pub atomic: bool,
    /// The object ends here.
    pub death: bool,
    /// By a function that locks or unlocks.
    pub by_lock: Option<LockFamily>,
    /// What is written, if that is a number.
    pub number: Option<Interval>,
    pub locks: BTreeMap<Lock, LockMode>,
    pub elements: BTreeMap<ElementLock, LockMode>,
    /// No other thread is running, and none but the first has ever been (`alone`).
    pub quiet: bool,
    pub alone: bool,
    pub alive: BTreeSet<TemplateId>,
    pub started: BTreeSet<TemplateId>,
    pub used: BTreeSet<(TemplateId, Reg)>,
    /// The head of the loop around it, if that is the only one.
    pub around: Option<BlockId>,
    /// Block and index of the instruction; behind the last one is the end of the block.
    pub at: (BlockId, usize),
    pub span: Span,
}

impl Access {
    /// Does this write undo what holders of the lock rely on? Not if no other thread is there, or knows
    /// the lock, and the writer does not hold it; a semaphore must not become more than 1.
    pub fn breaks(&self, lock: Lock) -> bool {
        if let Some(family) = self.by_lock {
            return family != lock.family
                || self.offset.constant().is_some_and(|o| o != lock.offset);
        }
        let unseen = self.quiet || self.base.owner == Ownership::New;
        let free = unseen && !self.locks.contains_key(&lock);
        let may_grow =
            lock.family == LockFamily::Semaphore && !self.death && !self.leaves_one(lock);
        !free || may_grow
    }

    /// The same for locks of elements, of which this access may meet one.
    pub fn breaks_elements(&self, locks: ElementLocks) -> bool {
        if let Some(family) = self.by_lock {
            return family != locks.family || !locks.is_one(self.offset, self.sym);
        }
        let unseen = self.quiet || self.base.owner == Ownership::New;
        !unseen || self.elements.keys().any(|held| held.at == locks)
    }

    /// Is a semaphore that was at most 1 still so? All of it is replaced, or some of it is cleared.
    fn leaves_one(&self, lock: Lock) -> bool {
        let all = self.offset == Interval::one(lock.offset) && self.size == lock.family.bytes();
        self.number.is_some_and(|n| n == Interval::ZERO || all && n.within(Interval::BOOL))
    }
}
