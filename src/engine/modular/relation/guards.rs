//! Which cells are guarded by which locks.
//!
//! A cell is some bytes of a global that all its users read and write as one number. A lock guards
//! it if every write that other threads may see happens while the lock is held for writing; a cell
//! that is never written then is *frozen*. What is found here is only a proposal: the walk checks
//! each write again, on each way. What the walk takes from here without a check is which bytes an
//! instruction may touch and which lock a call means.

use crate::engine::modular::interval::Interval;
use crate::engine::modular::log::{Log, Site, Touch};
use crate::engine::modular::sync::{Family, Lock, Mode, Sync};
use crate::engine::modular::value::Region;
use crate::engine::modular::world::World;
use frontend::ir::*;
use frontend::types::Scalar;
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
    pub object: ObjectId,
    pub offset: i128,
    pub size: u64,
    /// As what it was read or written first.
    pub ty: Scalar,
    /// All of these are held by whoever writes; none: it is frozen.
    pub locks: BTreeSet<LockId>,
}

#[derive(Clone, Debug, Default)]
pub struct Guards {
    pub locks: Vec<(Lock, Family)>,
    pub cells: Vec<Cell>,
}

/// What must not be relied on any more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Culprit {
    Lock(Lock),
    Cell(ObjectId, i128),
}

impl Cell {
    pub fn is_frozen(&self) -> bool {
        self.locks.is_empty()
    }

    fn meets(&self, touch: &Touch) -> bool {
        overlaps(touch, Region::Object(self.object), self.offset, self.size)
    }
}

impl Guards {
    pub fn new(world: &World<'_>, log: &Log, without: &BTreeSet<Culprit>) -> Guards {
        let usable = |lock: &Lock| !without.contains(&Culprit::Lock(*lock));
        let families = sound_locks(world, log);
        let sound: BTreeSet<Lock> =
            families.keys().copied().filter(usable).take(MAX_LOCKS).collect();
        let mut found: Vec<(Cell, BTreeSet<Lock>)> = Vec::new();
        for cell in proposed(world, log) {
            let named = Culprit::Cell(cell.object, cell.offset);
            if without.contains(&named) || meets_a_lock(log, &cell) {
                continue;
            }
            match writers(log, &cell) {
                None => found.push((cell, BTreeSet::new())),
                Some(held) => {
                    let held: BTreeSet<Lock> = held.intersection(&sound).copied().collect();
                    if !held.is_empty() {
                        found.push((cell, held));
                    }
                }
            }
        }
        // What is guarded matters more than what is frozen.
        found.sort_by_key(|(_, held)| held.is_empty());
        found.truncate(MAX_CELLS);
        let locks: BTreeSet<Lock> = found.iter().flat_map(|(_, held)| held).copied().collect();
        let locks: Vec<(Lock, Family)> = locks.iter().map(|l| (*l, families[l])).collect();
        let id = |lock: &Lock| locks.iter().position(|(l, _)| l == lock).map(LockId);
        let numbered = |(cell, held): (Cell, BTreeSet<Lock>)| Cell {
            locks: held.iter().filter_map(id).collect(),
            ..cell
        };
        Guards { cells: found.into_iter().map(numbered).collect(), locks }
    }

    pub fn lock(&self, lock: Option<Lock>) -> Option<LockId> {
        self.locks.iter().position(|(l, _)| Some(*l) == lock).map(LockId)
    }

    pub fn cells(&self) -> impl Iterator<Item = (CellId, &Cell)> {
        self.cells.iter().enumerate().map(|(i, cell)| (CellId(i), cell))
    }

    /// The cell that these touches are about, if they are about exactly one, all of it.
    pub fn exactly(&self, touches: &[Touch]) -> Option<CellId> {
        let [touch] = touches else { return None };
        let (Region::Object(object), Some(offset)) = (touch.base.region, touch.offset.constant())
        else {
            return None;
        };
        let same = |c: &Cell| (c.object, c.offset, c.size) == (object, offset, touch.size);
        if touch.astray { None } else { self.cells.iter().position(same).map(CellId) }
    }

    /// All cells that these touches may meet.
    pub fn met(&self, touches: &[Touch]) -> Vec<CellId> {
        let meets = |(_, cell): &(CellId, &Cell)| touches.iter().any(|t| cell.meets(t));
        self.cells().filter(meets).map(|(id, _)| id).collect()
    }

    /// All locks whose bytes these touches may meet.
    pub fn met_locks(&self, touches: &[Touch]) -> Vec<LockId> {
        let meets = |(lock, family): &(Lock, Family)| {
            touches.iter().any(|t| overlaps_lock(t, *lock, *family))
        };
        let all = self.locks.iter().enumerate();
        all.filter(|(_, lock)| meets(lock)).map(|(i, _)| LockId(i)).collect()
    }
}

fn overlaps(touch: &Touch, region: Region, offset: i128, size: u64) -> bool {
    touch.base.region == region
        && touch.offset.lo < offset + i128::from(size)
        && offset < touch.offset.hi + i128::from(touch.size)
}

fn overlaps_lock(touch: &Touch, lock: Lock, family: Family) -> bool {
    overlaps(touch, lock.region, lock.offset, family.bytes())
}

/// Locks that exclude others if everybody unlocks only what it holds and locks only what it does not
/// hold: globals that are free at the start, that calls of one family are about and no other, and
/// that are written otherwise only to make them free while nobody else runs.
fn sound_locks(world: &World<'_>, log: &Log) -> BTreeMap<Lock, Family> {
    let mut families: BTreeMap<Lock, Family> = BTreeMap::new();
    for sync in log.syncs.values() {
        if let Some(lock) = sync.lock {
            families.entry(lock).or_insert(sync.family);
        }
    }
    let sound = |(lock, family): &(Lock, Family)| {
        *family != Family::Semaphore
            && !world.is_broken(*lock)
            && starts_free(world, *lock)
            && log.sites.iter().all(|(site, touches)| {
                let mut here = touches.iter().filter(|t| overlaps_lock(t, *lock, *family));
                here.all(|t| is_harmless(log.syncs.get(site), *lock, *family, t))
            })
    };
    families.into_iter().filter(sound).collect()
}

fn starts_free(world: &World<'_>, lock: Lock) -> bool {
    let Region::Object(id) = lock.region else { return false };
    let object = &world.flat.program.objects[id.index()];
    let Ok(from) = usize::try_from(lock.offset) else { return false };
    let at = |i: usize| object.bytes.get(from + i).copied().unwrap_or(0);
    let inside = lock.offset + i128::from(STATE_BYTES) <= i128::from(object.size);
    object.kind == ObjectKind::Global
        && inside
        && object.relocations.is_empty()
        && (0..STATE_BYTES as usize).all(|i| at(i) == 0)
}

fn is_harmless(sync: Option<&Sync>, lock: Lock, family: Family, touch: &Touch) -> bool {
    if touch.by_lock {
        return sync.is_some_and(|s| s.lock == Some(lock) && s.family == family);
    }
    let frees = touch.number == Some(Interval::ZERO);
    let of_state = overlaps(touch, lock.region, lock.offset, STATE_BYTES);
    let kind = Interval { lo: 0, hi: 3 };
    let sets_kind = family == Family::Mutex && touch.number.is_some_and(|n| n.within(kind));
    !touch.write || touch.quiet && !touch.astray && (frees || sets_kind && !of_state)
}

/// Numbers in globals that some instruction reads or writes as a whole.
fn proposed(world: &World<'_>, log: &Log) -> Vec<Cell> {
    let mut found: BTreeMap<(ObjectId, i128, u64), Cell> = BTreeMap::new();
    for (site, touches) in &log.sites {
        let [touch] = touches.as_slice() else { continue };
        let (Region::Object(object), Some(offset)) = (touch.base.region, touch.offset.constant())
        else {
            continue;
        };
        let of = &world.flat.program.objects[object.index()];
        let inside = offset >= 0 && offset + i128::from(touch.size) <= i128::from(of.size);
        let written = matches!(of.kind, ObjectKind::Global | ObjectKind::External);
        if !inside || !written || touch.by_lock || touch.astray {
            continue;
        }
        if let Some(ty) = number_type(world, *site) {
            let cell = Cell { object, offset, size: touch.size, ty, locks: BTreeSet::new() };
            found.entry((object, offset, touch.size)).or_insert(cell);
        }
    }
    found.into_values().collect()
}

fn number_type(world: &World<'_>, (class, block, at): Site) -> Option<Scalar> {
    let function = &world.flat.program.functions[world.class(class).root.index()];
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
        t.locks.iter().filter(|(_, m)| **m == Mode::Write).map(|(l, _)| *l).collect()
    };
    writes.map(held).reduce(|a, b| a.intersection(&b).copied().collect())
}
