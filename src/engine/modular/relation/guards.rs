//! Which cells are guarded by what.
//!
//! A cell is some bytes of an object that somebody reads or writes as one number. A lock guards it if
//! every write that other threads may see happens while the lock is held for writing. A step keeps
//! others out, too: in an atomic block, or for the time of one access, a thread is alone
//! (`Exclusion::Step`), so if need be every cell has a guard. A cell that is never written while others
//! run is *frozen*, or *fixed* if it is never written once others were started; one that a single
//! thread uses is its *own*. A ghost is a cell that only proofs know (`count`).
//!
//! Which locks guard is only a proposal: the walk checks each write again, on each way. What it takes
//! from here without a check is which bytes an instruction may touch, who uses an object, and which
//! lock a call means.

use super::ghost::{Counts, Ghost};
use crate::engine::modular::interference::Interference;
use crate::engine::modular::interval::Interval;
use crate::engine::modular::log::{Log, Site, Touch};
use crate::engine::modular::sync::{Lock, LockFamily, LockMode, Sync};
use crate::engine::modular::value::Region;
use ir::types::Scalar;
use ir::*;
use std::collections::{BTreeMap, BTreeSet};

/// More cells or locks than this are not looked at.
const MAX_CELLS: usize = 24;
const MAX_LOCKS: usize = 8;
/// The words of a lock that say whether it is free; zero is free for all of them.
const STATE_BYTES: u64 = 8;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LockId(pub usize);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CellId(pub usize);

#[derive(Clone, Debug)]
pub struct Cell {
    pub of: Of,
    pub size: u64,
    /// As what it was read or written first.
    pub ty: Scalar,
    pub kind: GuardKind,
}

/// What a cell is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Of {
    Bytes { region: Region, offset: i128 },
    Ghost(Ghost),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GuardKind {
    /// Every writer holds all of these.
    Guarded(BTreeSet<LockId>),
    /// Not written while others run.
    Frozen,
    /// Not written once another thread was started.
    Fixed,
    /// A number that is the same in the whole execution (`count`).
    Rigid,
    Own,
}

/// What keeps others out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exclusion {
    Lock(Lock),
    Step,
}

#[derive(Clone, Debug, Default)]
pub struct Guards {
    pub exclusions: Vec<Exclusion>,
    pub cells: Vec<Cell>,
    pub families: BTreeMap<Lock, LockFamily>,
    pub counts: Counts,
}

/// What must not be relied on any more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Culprit {
    Exclusion(Exclusion),
    Cell(Region, i128),
}

impl Cell {
    pub fn is_guarded(&self) -> bool {
        matches!(self.kind, GuardKind::Guarded(_))
    }

    pub fn is_guarded_by(&self, lock: LockId) -> bool {
        matches!(&self.kind, GuardKind::Guarded(locks) if locks.contains(&lock))
    }

    /// Is it the same for all threads, as long as several run?
    pub fn is_still(&self) -> bool {
        matches!(self.kind, GuardKind::Frozen | GuardKind::Fixed | GuardKind::Rigid)
    }

    pub fn region(&self) -> Option<Region> {
        match self.of {
            Of::Bytes { region, .. } => Some(region),
            Of::Ghost(_) => None,
        }
    }

    pub fn culprit(&self) -> Option<Culprit> {
        match self.of {
            Of::Bytes { region, offset } => Some(Culprit::Cell(region, offset)),
            Of::Ghost(_) => None,
        }
    }

    pub fn is_ghost(&self) -> bool {
        matches!(self.of, Of::Ghost(_))
    }

    fn is_shared(&self, interference: &Interference<'_>) -> bool {
        self.region().is_some_and(|region| interference.is_shared(region))
    }

    /// Is it in the block that this instruction makes?
    pub fn is_made_at(&self, (template, block, at): Site) -> bool {
        self.region() == Some(Region::Heap(template, block, at as u32))
    }

    pub fn meets(&self, touch: &Touch) -> bool {
        match self.of {
            Of::Bytes { region, offset } => overlaps(touch, region, offset, self.size),
            Of::Ghost(_) => false,
        }
    }
}

impl Guards {
    /// Without the culprits; with steps or without.
    pub fn new(
        interference: &Interference<'_>,
        log: &Log,
        without: &BTreeSet<Culprit>,
        steps: bool,
    ) -> Guards {
        let usable = |exclusion: &Exclusion| !without.contains(&Culprit::Exclusion(*exclusion));
        let families = sound_locks(interference, log);
        let proposed: Vec<Cell> = proposed(interference, log);
        let wanted = proposed.iter().filter(|cell| cell.is_shared(interference));
        let wanted: BTreeSet<Lock> =
            wanted.filter_map(|cell| writers(log, cell)).flatten().collect();
        let sound = families.keys().filter(|lock| wanted.contains(lock));
        let sound = sound.map(|lock| Exclusion::Lock(*lock)).filter(usable).take(MAX_LOCKS);
        let step = Some(Exclusion::Step).filter(|step| steps && usable(step));
        let sound: Vec<Exclusion> = sound.chain(step).collect();
        let mut found: Vec<Cell> = Vec::new();
        for cell in proposed {
            let named = cell.culprit().is_some_and(|culprit| without.contains(&culprit));
            if !named && !meets_a_lock(log, &cell) {
                found.extend(guarded(interference, log, cell, &sound));
            }
        }
        // What is guarded matters more than what is not.
        found.sort_by(|a, b| a.kind.cmp(&b.kind));
        found.truncate(MAX_CELLS);
        Guards { exclusions: sound, cells: found, families, counts: Counts::default() }
    }

    /// Numbers in globals, and in heap blocks of which there is one, and how many these are; behind them
    /// those in slots and such blocks that only their own thread uses. No kinds, and locks are cells like
    /// others (`pairs`).
    pub fn without_locks(interference: &Interference<'_>, log: &Log) -> (Guards, usize) {
        let all = proposed(interference, log).into_iter();
        let all = all.filter(|cell| !meets_a_lock(log, cell));
        let global = |cell: &Cell| match cell.region() {
            Some(Region::Object(_)) => true,
            Some(Region::Heap(..)) => cell.is_shared(interference),
            _ => false,
        };
        let (mut cells, slots): (Vec<Cell>, Vec<Cell>) = all.partition(global);
        cells.truncate(MAX_CELLS);
        let shared = cells.len();
        let own = |cell: &Cell| !cell.is_shared(interference);
        cells.extend(slots.into_iter().filter(own).take(MAX_CELLS));
        (Guards { cells, ..Guards::default() }, shared)
    }

    pub fn lock(&self, lock: Option<Lock>) -> Option<LockId> {
        let lock = Exclusion::Lock(lock?);
        self.exclusions.iter().position(|exclusion| *exclusion == lock).map(LockId)
    }

    pub fn step(&self) -> Option<LockId> {
        self.exclusions.iter().position(|exclusion| *exclusion == Exclusion::Step).map(LockId)
    }

    pub fn ids(&self) -> impl Iterator<Item = LockId> + use<> {
        (0..self.exclusions.len()).map(LockId)
    }

    pub fn cells(&self) -> impl Iterator<Item = (CellId, &Cell)> {
        self.cells.iter().enumerate().map(|(i, cell)| (CellId(i), cell))
    }

    /// The cell that these touches are about, if they are about exactly one, all of it.
    pub fn exactly(&self, touches: &[Touch]) -> Option<CellId> {
        let [touch] = touches else { return None };
        let offset = touch.offset.constant()?;
        let place = Of::Bytes { region: touch.base.region, offset };
        let same = |c: &Cell| (c.of, c.size) == (place, touch.size);
        if touch.astray { None } else { self.cells.iter().position(same).map(CellId) }
    }

    /// All cells that these touches may meet.
    pub fn met(&self, touches: &[Touch]) -> Vec<CellId> {
        let meets = |(_, cell): &(CellId, &Cell)| touches.iter().any(|t| cell.meets(t));
        self.cells().filter(meets).map(|(id, _)| id).collect()
    }

    /// All locks whose bytes these touches may meet.
    pub fn met_locks(&self, touches: &[Touch]) -> Vec<LockId> {
        let meets = |exclusion: &Exclusion| match exclusion {
            Exclusion::Lock(lock) => {
                touches.iter().any(|t| overlaps_lock(t, *lock, self.families[lock]))
            }
            Exclusion::Step => false,
        };
        self.ids().filter(|id| meets(&self.exclusions[id.0])).collect()
    }
}

/// The cell with its kind; nothing if it has none.
fn guarded(
    interference: &Interference<'_>,
    log: &Log,
    cell: Cell,
    sound: &[Exclusion],
) -> Option<Cell> {
    let kind = if !cell.is_shared(interference) {
        GuardKind::Own
    } else if !matches!(cell.region(), Some(Region::Object(_))) {
        return None;
    } else if let Some(held) = writers(log, &cell) {
        let keeps = |exclusion: &Exclusion| match exclusion {
            Exclusion::Lock(lock) => held.contains(lock),
            Exclusion::Step => true,
        };
        let ids = (0..sound.len()).filter(|i| keeps(&sound[*i])).map(LockId);
        GuardKind::Guarded(ids.collect())
    } else if log.sites.values().flatten().any(|t| t.write && !t.alone && cell.meets(t)) {
        GuardKind::Frozen
    } else {
        GuardKind::Fixed
    };
    let bare = matches!(&kind, GuardKind::Guarded(locks) if locks.is_empty());
    (!bare).then_some(Cell { kind, ..cell })
}

fn overlaps(touch: &Touch, region: Region, offset: i128, size: u64) -> bool {
    touch.base.region == region
        && touch.offset.lo < offset + i128::from(size)
        && offset < touch.offset.hi + i128::from(touch.size)
}

fn overlaps_lock(touch: &Touch, lock: Lock, family: LockFamily) -> bool {
    overlaps(touch, lock.region, lock.offset, family.bytes())
}

/// Locks that exclude others if everybody unlocks only what it holds and locks only what it does not
/// hold: globals that are free at the start, that calls of one family are about and no other, and
/// that are written otherwise only to make them free while no other thread runs. (A semaphore may also
/// start as if taken. It never counts more than one: `Interference::judge_locks` sees to its start.)
pub fn sound_locks(interference: &Interference<'_>, log: &Log) -> BTreeMap<Lock, LockFamily> {
    let mut families: BTreeMap<Lock, LockFamily> = BTreeMap::new();
    for sync in log.syncs.values() {
        if let Some(lock) = sync.lock {
            families.entry(lock).or_insert(sync.family);
        }
    }
    let sound = |(lock, family): &(Lock, LockFamily)| {
        !interference.is_broken(*lock)
            && starts_free(interference, *lock, *family)
            && log.sites.iter().all(|(site, touches)| {
                let mut here = touches.iter().filter(|t| overlaps_lock(t, *lock, *family));
                here.all(|t| is_harmless(log.syncs.get(site), *lock, *family, t))
            })
    };
    families.into_iter().filter(sound).collect()
}

fn starts_free(interference: &Interference<'_>, lock: Lock, family: LockFamily) -> bool {
    let words = STATE_BYTES.min(family.bytes());
    let Region::Object(id) = lock.region else { return false };
    let object = &interference.flat.program.objects[id.index()];
    let Ok(from) = usize::try_from(lock.offset) else { return false };
    let at = |i: usize| object.bytes.get(from + i).copied().unwrap_or(0);
    let inside = lock.offset + i128::from(words) <= i128::from(object.size);
    object.kind == ObjectKind::Global
        && inside
        && object.relocations.is_empty()
        && (0..words as usize).all(|i| at(i) == 0)
}

fn is_harmless(sync: Option<&Sync>, lock: Lock, family: LockFamily, touch: &Touch) -> bool {
    if touch.by_lock {
        return sync.is_some_and(|s| s.lock == Some(lock) && s.family == family);
    }
    let most = if family == LockFamily::Semaphore { Interval::BOOL } else { Interval::ZERO };
    let frees = touch.number.is_some_and(|n| n.within(most));
    let of_state = overlaps(touch, lock.region, lock.offset, STATE_BYTES);
    let kind = Interval { lo: 0, hi: 3 };
    let sets_kind = family == LockFamily::Mutex && touch.number.is_some_and(|n| n.within(kind));
    !touch.write || touch.quiet && !touch.astray && (frees || sets_kind && !of_state)
}

/// Numbers that some instruction reads or writes as a whole.
fn proposed(interference: &Interference<'_>, log: &Log) -> Vec<Cell> {
    let mut found: BTreeMap<(Region, i128, u64), Cell> = BTreeMap::new();
    for (site, touches) in &log.sites {
        let [touch] = touches.as_slice() else { continue };
        let (region, Some(offset)) = (touch.base.region, touch.offset.constant()) else { continue };
        let inside = |size: u64| offset >= 0 && offset + i128::from(touch.size) <= i128::from(size);
        let known = match region {
            Region::Object(id) => {
                let object = &interference.flat.program.objects[id.index()];
                object.kind != ObjectKind::Constant && inside(object.size)
            }
            Region::Slot(template, slot) => {
                let function = &interference.flat.program.functions
                    [interference.template(template).root.index()];
                inside(function.slots[slot.index()].size)
            }
            Region::Heap(..) if interference.is_one_object(region) => {
                let least = interference.heap.get(&region).map_or(0, |blocks| blocks.size.lo);
                u64::try_from(least).is_ok_and(inside)
            }
            _ => false,
        };
        if !known || touch.by_lock || touch.astray {
            continue;
        }
        if let Some(ty) = number_type(interference, *site) {
            let of = Of::Bytes { region, offset };
            let cell = Cell { of, size: touch.size, ty, kind: GuardKind::Own };
            found.entry((region, offset, touch.size)).or_insert(cell);
        }
    }
    found.into_values().collect()
}

fn number_type(interference: &Interference<'_>, (template, block, at): Site) -> Option<Scalar> {
    let function =
        &interference.flat.program.functions[interference.template(template).root.index()];
    match function.blocks[block.index()].insts.get(at)?.kind {
        InstKind::Load { ty, .. } | InstKind::Store { ty, .. } => {
            matches!(ty, Scalar::Int { .. }).then_some(ty)
        }
        _ => None,
    }
}

fn meets_a_lock(log: &Log, cell: &Cell) -> bool {
    log.sites.values().flatten().any(|t| t.by_lock && cell.meets(t))
}

/// The locks that are held at all writes that others may see; `None` if there is no such write.
fn writers(log: &Log, cell: &Cell) -> Option<BTreeSet<Lock>> {
    let writes = log.sites.values().flatten().filter(|t| t.write && !t.quiet && cell.meets(t));
    let held = |t: &Touch| -> BTreeSet<Lock> {
        t.locks.iter().filter(|(_, m)| **m == LockMode::Write).map(|(l, _)| *l).collect()
    };
    writes.map(held).reduce(|a, b| a.intersection(&b).copied().collect())
}
