//! Which cells are locks, and who holds them when.
//!
//! A cell is a lock if every write of it is
//! - an *acquire*: a constant other than 0, in a node that has read 0;
//! - a *release*: 0, in a thread that has an enabled acquire before it, with no enabled release in
//!   between;
//! - or a first 0, before all of these in every execution.
//!
//! A thread *holds* the lock from an enabled acquire on until its next enabled release. While
//! somebody does, the cell is not 0: an acquire makes it so, and only the holder releases. (By
//! induction along a line: acquires and releases of a thread that are enabled take turns, since an
//! acquire needs 0.) So no two threads hold it at a time, and what they do meanwhile is apart.
//! Other reads of the cell, a `trylock`'s or `destroy`'s, change nothing about that.
//!
//! Who holds a lock at two places, and in between, is seen by going back along the thread from the
//! second place to an acquire before the first that the guard implies; releases on the way must
//! exclude the guard.
//!
//! Cost: a pass over the writes of each cell whose writes are constants; then `L` walks per question.

use super::PruneState;
use super::sum::Update;
use crate::{CellId, EventId, EventKind};

/// Accesses of a thread on the path back to the acquire.
const REACH: usize = 64;

/// The locks of an encoding, once somebody has asked.
#[derive(Default)]
pub(super) struct Locks(Option<Vec<CellId>>);

/// What a write does to a lock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LockEffect {
    Acquire,
    Release,
    First,
}

impl Locks {
    /// The locks that are held from the read to the write of an update.
    pub fn held(&mut self, state: &mut PruneState<'_>, update: Update) -> Vec<CellId> {
        let locks = self.0.get_or_insert_with(|| {
            (0..state.encoding.cells.len()).map(CellId::new).filter(|&c| state.is_lock(c)).collect()
        });
        locks.iter().copied().filter(|&lock| state.holds(lock, update)).collect()
    }
}

impl PruneState<'_> {
    fn is_lock(&mut self, cell: CellId) -> bool {
        let writes: Vec<EventId> = self.writes[cell.index()].all().collect();
        let constant = |&w: &EventId| self.encoding.pool.constant(self.value(w)).is_some();
        if writes.len() < 2 || !writes.iter().all(constant) {
            return false;
        }
        let mut turns = Vec::new();
        for &write in &writes {
            match self.turn(cell, write) {
                Some(turn) => turns.push((write, turn)),
                None => return false,
            }
        }
        let others = || turns.iter().filter(|(_, turn)| *turn != LockEffect::First);
        let mut first = turns.iter().filter(|(_, turn)| *turn == LockEffect::First);
        first.all(|&(w, _)| others().all(|&(other, _)| self.before(w, other)))
            && turns.iter().any(|(w, t)| *t == LockEffect::First && self.is_certain(*w))
    }

    fn is_certain(&self, e: EventId) -> bool {
        self.encoding.pool.is_true(self.guard(e))
    }

    fn turn(&mut self, cell: CellId, write: EventId) -> Option<LockEffect> {
        if self.is_zero(write) {
            let earlier = self.earlier(cell, write);
            return match self.go_back(write, &earlier) {
                Back::Acquired => Some(LockEffect::Release),
                Back::Nothing => Some(LockEffect::First),
                Back::Unclear => None,
            };
        }
        let read = self.event_in(self.node(write), cell, EventKind::Read)?;
        let (guard, value) = (self.guard(write), self.value(read));
        let pool = &mut self.encoding.pool;
        let zero = pool.bits(0, pool.width(value));
        let free = pool.eq(value, zero);
        let takes = self.entails(guard, free) && self.entails(guard, self.guard(read));
        takes.then_some(LockEffect::Acquire)
    }

    fn is_zero(&self, write: EventId) -> bool {
        self.encoding.pool.constant(self.value(write)) == Some(0)
    }

    /// The writes of a cell in the thread of `e` and before its node, the last one first.
    fn earlier(&self, cell: CellId, e: EventId) -> Vec<EventId> {
        let Some((thread, position)) = self.order.place(self.node(e)) else { return Vec::new() };
        let lane = self.writes[cell.index()].between(thread.index(), 0, position);
        lane.iter().rev().map(|&(_, w)| w).collect()
    }

    /// Back along `earlier` to an acquire that happens whenever `e` does.
    fn go_back(&mut self, e: EventId, earlier: &[EventId]) -> Back {
        let guard = self.guard(e);
        for (i, &write) in earlier.iter().enumerate() {
            if i == REACH {
                return Back::Unclear;
            }
            if !self.is_zero(write) && self.entails(guard, self.guard(write)) {
                return Back::Acquired;
            }
            if !self.exclusive(e, write) {
                // A first write has nothing but first writes before it.
                let first = self.is_zero(write)
                    && earlier[i..].iter().all(|&w| self.is_zero(w) && !self.exclusive(e, w));
                return if first { Back::Nothing } else { Back::Unclear };
            }
        }
        Back::Nothing
    }

    /// Is the lock held at the read and until the write?
    fn holds(&mut self, lock: CellId, update: Update) -> bool {
        let (Some((thread, from)), Some((_, to))) =
            (self.order.place(self.node(update.read)), self.order.place(self.node(update.write)))
        else {
            return false;
        };
        // An acquire in the node of the read counts, a release in the node of the write does not.
        let since = self.writes[lock.index()].between(thread.index(), from + 1, to);
        let since: Vec<EventId> = since.iter().map(|&(_, w)| w).collect();
        let until = self.writes[lock.index()].between(thread.index(), 0, (from + 1).min(to));
        let earlier: Vec<EventId> = until.iter().rev().map(|&(_, w)| w).collect();
        since.len() <= REACH
            && since.iter().all(|&w| self.exclusive(update.write, w))
            && self.go_back(update.write, &earlier) == Back::Acquired
    }
}

/// What going back has found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Back {
    Acquired,
    /// Nothing that happens together with it.
    Nothing,
    Unclear,
}
