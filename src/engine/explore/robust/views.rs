//! Who must come behind the last write of a cell, and who knows of it.
//!
//! For every thread the cells whose last write comes before it in every interleaving of this execution (`behind`:
//! a path of program order, reads-from, coherence and from-read leads from that write to the thread), and those
//! whose last write it cannot miss (`known`: the write, or a read of it, happens before the thread's next
//! step). Who is behind a write that is not known may be shown an older one: an execution that is no
//! interleaving. Cells that were never written are in no set.
//!
//! A read-modify-write comes right behind what it reads, and no other write gets in between. So a write has no place
//! before a last write to which such updates lead, one by one, from a write that is known: of a cell, the last
//! write that is no update (`Base`) is kept apart.
//!
//! `known` is less than what rc11 forbids to miss, never more: a later store of a release's own thread continues
//! no release sequence here, and `seq_cst` accesses are ordered by what other `seq_cst` accesses and program
//! order say only (`ordered`: a chain of these leads from a last write that is `seq_cst` to the thread). What one
//! `seq_cst` fence knows another one knows only if the model orders them: by happens-before, or by
//! happens-before to an access of a cell, later accesses of that cell, and happens-before from there. That one of
//! them came first in this interleaving says nothing: reads in between may have been early.
//!
//! Invariant: all of it is a matter of the execution, not of the order in which independent steps were taken.
//! Cost: a few sets of cells for each thread and for each cell.

use interp::{ObjKey, Tid};
use ir::MemoryOrder;
use std::collections::{BTreeMap, BTreeSet};

/// Object, offset, size.
pub type Cell = (ObjKey, u64, u64);
type Cells = BTreeSet<Cell>;
type Facts = BTreeSet<(Cell, Write)>;

/// A write of a cell, or a later one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Write {
    Last,
    /// The last one that is no half of a read-modify-write.
    Base,
}

/// What an access does, whatever it is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Does {
    Read,
    /// A store, or half of a read-modify-write that always writes.
    Write,
}

#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Views {
    threads: BTreeMap<Tid, Thread>,
    locations: BTreeMap<Cell, Location>,
}

/// What travels along happens-before. Invariant: what is fenced is known, what is pending is not.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
struct Knowledge {
    known: Facts,
    /// Known to a `seq_cst` fence that happens before.
    fenced: Facts,
    /// Known to a `seq_cst` fence that comes before the next one.
    pending: Facts,
}

impl Knowledge {
    fn knows(&self, cell: Cell, write: Write) -> bool {
        self.known.contains(&(cell, write))
    }

    fn note(&mut self, cell: Cell) {
        self.known.extend([(cell, Write::Last), (cell, Write::Base)]);
        self.tidy();
    }

    fn learn(&mut self, other: &Knowledge) {
        self.known.extend(&other.known);
        self.fenced.extend(&other.fenced);
        self.expect(&other.pending);
    }

    fn expect(&mut self, facts: &Facts) {
        self.pending.extend(facts);
        self.tidy();
    }

    fn tidy(&mut self) {
        let Knowledge { known, pending, .. } = self;
        pending.retain(|fact| !known.contains(fact));
    }

    fn fence(&mut self) {
        self.known.append(&mut self.pending);
        self.fenced.clone_from(&self.known);
    }

    fn forget(&mut self, fact: &(Cell, Write)) {
        for facts in [&mut self.known, &mut self.fenced, &mut self.pending] {
            facts.remove(fact);
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
struct Thread {
    behind: Cells,
    knowledge: Knowledge,
    ordered: Cells,
    /// Learnt by relaxed reads, to be known behind the next acquire fence.
    to_acquire: Knowledge,
    /// Known at the last release fence.
    released: Knowledge,
}

/// Of a cell: the last writes that are before its own last write, before any access of it, and known to
/// who synchronises with its last write.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
struct Location {
    before_write: Cells,
    before_access: Cells,
    published: Knowledge,
    /// Known to `seq_cst` fences that happen before accesses that are before the last write, or anywhere.
    fenced_write: Facts,
    fenced_access: Facts,
    /// Was it written other than by read-modify-writes?
    has_base: bool,
    /// As `before_write` and `before_access`, by `seq_cst` accesses.
    ordered_write: Cells,
    ordered_access: Cells,
}

impl Views {
    /// May the thread's access of the cell be shown what no interleaving shows?
    pub fn may_miss(&self, thread: Tid, cell: Cell, order: MemoryOrder, does: Does) -> bool {
        self.threads.get(&thread).is_some_and(|t| {
            let sees_base = || match self.locations.get(&cell) {
                Some(location) => !location.has_base || t.knowledge.knows(cell, Write::Base),
                None => true,
            };
            let excluded = (order == MemoryOrder::SeqCst && t.ordered.contains(&cell))
                || (does == Does::Write && sees_base());
            t.behind.contains(&cell) && !t.knowledge.knows(cell, Write::Last) && !excluded
        })
    }

    /// Is there a cell that shares some bytes with it and not all?
    pub fn overlaps(&self, (object, offset, size): Cell) -> bool {
        let of_object = self.locations.range((object, 0, 0)..=(object, u64::MAX, u64::MAX));
        let meets = |(_, from, bytes): Cell| offset < from + bytes && from < offset + size;
        of_object.map(|(other, _)| *other).any(|o| o != (object, offset, size) && meets(o))
    }

    pub fn read(&mut self, thread: Tid, cell: Cell, order: MemoryOrder) {
        let t = self.threads.entry(thread).or_default();
        let location = self.locations.entry(cell).or_default();
        t.behind.extend(&location.before_write);
        location.before_access.extend(&t.behind);
        if location.before_write.contains(&cell) {
            t.knowledge.note(cell);
        }
        t.knowledge.expect(&location.fenced_write);
        location.fenced_access.extend(&t.knowledge.fenced);
        match order {
            MemoryOrder::Plain => {}
            order if order.acquires() => t.knowledge.learn(&location.published),
            _ => t.to_acquire.learn(&location.published),
        }
        if order == MemoryOrder::SeqCst {
            t.ordered.extend(&location.ordered_write);
            location.ordered_access.extend(&t.ordered);
        }
    }

    /// `update`: of what the thread has read in the same step, so release sequences go on.
    pub fn write(&mut self, thread: Tid, cell: Cell, order: MemoryOrder, update: bool) {
        self.forget(cell, if update { &[Write::Last] } else { &[Write::Last, Write::Base] });
        let t = self.threads.entry(thread).or_default();
        let location = self.locations.entry(cell).or_default();
        location.has_base |= !update;
        t.behind.extend(&location.before_access);
        t.behind.insert(cell);
        t.knowledge.note(cell);
        location.before_write.clone_from(&t.behind);
        location.before_access.clone_from(&t.behind);
        t.knowledge.expect(&location.fenced_access);
        location.fenced_access.extend(&t.knowledge.fenced);
        location.fenced_write.clone_from(&location.fenced_access);
        if !update {
            location.published = Knowledge::default();
        }
        match order {
            MemoryOrder::Plain => location.published = Knowledge::default(),
            order if order.releases() => location.published.learn(&t.knowledge),
            _ => location.published.learn(&t.released),
        }
        location.ordered_write.clear();
        if order == MemoryOrder::SeqCst {
            t.ordered.extend(&location.ordered_access);
            t.ordered.insert(cell);
            location.ordered_write.clone_from(&t.ordered);
            location.ordered_access.clone_from(&t.ordered);
        }
    }

    /// A fence of that order.
    pub fn fence(&mut self, thread: Tid, order: MemoryOrder) {
        let Thread { knowledge, to_acquire, released, .. } =
            self.threads.entry(thread).or_default();
        if order.acquires() {
            knowledge.learn(to_acquire);
        }
        if order == MemoryOrder::SeqCst {
            knowledge.fence();
        }
        if order.releases() {
            released.clone_from(knowledge);
        }
    }

    pub fn spawn(&mut self, parent: Tid, child: Tid) {
        let Thread { behind, knowledge, .. } =
            self.threads.get(&parent).cloned().unwrap_or_default();
        self.threads.insert(child, Thread { behind, knowledge, ..Thread::default() });
    }

    pub fn join(&mut self, thread: Tid, child: Tid) {
        let Some(ended) = self.threads.remove(&child) else { return };
        let t = self.threads.entry(thread).or_default();
        t.behind.extend(ended.behind);
        t.knowledge.learn(&ended.knowledge);
    }

    /// The object is no more.
    pub fn died(&mut self, object: ObjKey) {
        let gone: Vec<Cell> = self.locations.keys().filter(|c| c.0 == object).copied().collect();
        for cell in gone {
            self.forget(cell, &[Write::Last, Write::Base]);
            self.locations.remove(&cell);
        }
    }

    /// These writes of the cell are no longer what they were.
    fn forget(&mut self, cell: Cell, writes: &[Write]) {
        for t in self.threads.values_mut() {
            t.behind.remove(&cell);
            t.ordered.remove(&cell);
        }
        for l in self.locations.values_mut() {
            for cells in [
                &mut l.before_write,
                &mut l.before_access,
                &mut l.ordered_write,
                &mut l.ordered_access,
            ] {
                cells.remove(&cell);
            }
        }
        writes.iter().for_each(|write| self.forget_fact(&(cell, *write)));
    }

    fn forget_fact(&mut self, fact: &(Cell, Write)) {
        for t in self.threads.values_mut() {
            for knowledge in [&mut t.knowledge, &mut t.to_acquire, &mut t.released] {
                knowledge.forget(fact);
            }
        }
        for l in self.locations.values_mut() {
            l.published.forget(fact);
            l.fenced_write.remove(fact);
            l.fenced_access.remove(fact);
        }
    }
}
