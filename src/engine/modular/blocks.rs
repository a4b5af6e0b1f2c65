//! Heap blocks and slots that one thread has for itself, where memory safety is asked for.
//!
//! A block that no other thread knows (`Ownership::New`: the last one that this `Alloc` has made for this thread;
//! `Ownership::Transferred`: one that the thread was started with) lives until this thread frees it. So its life is
//! part of the thread's state, and an access inside of a block that lives is valid, whatever others do.
//! Whoever makes such a block known to others, or does anything with a block that others may know, stops the
//! proof. A block that is given to a new thread is that thread's from then on: what the starter still has is
//! `Own`, and no access through that is judged valid.
//!
//! Slots are objects of one thread, too: one that begins where no pointer names an older object of it (from the
//! iteration before) lives up to its end for all that names it.
//!
//! No block is leaked: a thread must have freed its block before it makes another one at the same place, ends, or
//! drops the last register that names it. (A block whose address is in no live register, and that nobody
//! frees, comes to one of these places or to an end of the walk.)

use super::interval::Interval;
use super::state::State;
use super::value::{Base, Ownership, Region, Value};
use super::walk::Walk;
use ir::SlotId;
use std::collections::BTreeMap;

/// What is known of a block, if there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    Alive,
    Freed,
    Either,
}

impl Life {
    fn may_be_alive(self) -> bool {
        self != Life::Freed
    }
}

/// Lives of blocks that are the thread's own.
pub type Lives = BTreeMap<Base, Life>;

pub fn join<K: Ord + Copy>(a: &BTreeMap<K, Life>, b: &BTreeMap<K, Life>) -> BTreeMap<K, Life> {
    let mut all = a.clone();
    for (key, life) in b {
        let entry = all.entry(*key).or_insert(*life);
        if entry != life {
            *entry = Life::Either;
        }
    }
    all
}

/// What a thread has when it starts: the blocks that it was given.
pub fn given(arg: &Value) -> Lives {
    let own = arg.addrs.keys().filter(|base| base.owner == Ownership::Transferred);
    own.map(|base| (*base, Life::Alive)).collect()
}

const LEAKED: &str = "a block that may be leaked";

impl Walk<'_, '_> {
    /// An access to the bytes stays inside of a block that lives.
    pub fn is_own_block(&self, state: &State, base: Base, at: Interval, size: u64) -> bool {
        let inside = at.lo >= 0 && at.hi + i128::from(size) <= self.bytes(base);
        inside && state.lives.get(&base) == Some(&Life::Alive)
    }

    /// The size of the smallest such block.
    fn bytes(&self, base: Base) -> i128 {
        self.interference.heap.get(&base.region).map_or(0, |blocks| blocks.size.lo)
    }

    pub fn block_is_made(&mut self, state: &mut State, region: Region) {
        let base = Base { region, owner: Ownership::New };
        let before = state.lives.insert(base, Life::Alive);
        // No address is inside of a block without bytes.
        if before.is_some_and(Life::may_be_alive) || self.bytes(base) < 1 {
            self.flaw(LEAKED);
        }
    }

    /// Others may know these blocks from now on.
    pub fn blocks_are_shown(&mut self, state: &mut State, value: &Value) {
        for base in value.addrs.keys() {
            if state.lives.remove(base).is_some_and(Life::may_be_alive) {
                self.flaw("a heap block that other threads may know");
            }
        }
    }

    /// A new thread gets the argument, and what it leads to.
    pub fn blocks_are_given(&mut self, state: &mut State, arg: &Value) {
        for base in arg.addrs.keys() {
            let Some(life) = state.lives.remove(base) else { continue };
            if life != Life::Alive || base.owner != Ownership::New || !self.names(arg, *base) {
                self.flaw("a heap block that may not be the new thread's own");
            }
        }
    }

    pub fn block_is_freed(&mut self, state: &mut State, value: &Value) {
        if value.is_null() || value.is_bottom() {
            return;
        }
        let mut blocks = value.addrs.iter();
        let (Some((base, at)), None) = (blocks.next(), blocks.next()) else {
            return self.flaw("a block that is freed");
        };
        let alive = state.lives.get(base) == Some(&Life::Alive);
        let is_number = value.num.is_some_and(|n| n != Interval::ZERO);
        if !alive || *at != Interval::ZERO || is_number || value.lost {
            return self.flaw("a block that is freed");
        }
        // It is not known of the block what null says of the pointer.
        let life = if value.num.is_some() { Life::Either } else { Life::Freed };
        state.lives.insert(*base, life);
    }

    /// A register that held this holds something else, or nothing reads it any more.
    pub fn name_is_dropped(&mut self, state: &State, old: &Value) {
        let alive = |base: &&Base| state.lives.get(base).is_some_and(|life| life.may_be_alive());
        for base in old.addrs.keys().filter(alive) {
            if !state.regs.values().any(|value| self.names(value, *base)) {
                self.flaw(LEAKED);
            }
        }
    }

    /// Is it an address inside of the block, and nothing else?
    fn names(&self, value: &Value, base: Base) -> bool {
        let inside = |at: &Interval| at.lo >= 0 && at.hi < self.bytes(base);
        let only = value.num.is_none() && !value.lost && value.addrs.len() == 1;
        only && value.addrs.get(&base).is_some_and(inside)
    }

    /// A slot begins: if nothing names an older object of it, whatever names it later means this one.
    pub fn slot_begins(&mut self, state: &mut State, slot: SlotId) {
        let known = state.names(Region::Slot(self.template, slot));
        state.slots.insert(slot, if known { Life::Either } else { Life::Alive });
    }

    pub fn slot_lives(&self, state: &State, base: Base) -> bool {
        let Region::Slot(template, slot) = base.region else { return false };
        let own = template == self.template && base.owner == Ownership::Own;
        own && state.slots.get(&slot) == Some(&Life::Alive)
    }

    /// The thread ends here, or the process, or nothing is known of what follows.
    pub fn blocks_end(&mut self, state: &State) {
        if state.lives.values().any(|life| life.may_be_alive()) {
            self.flaw(LEAKED);
        }
    }
}
