//! What is known where a thread of a template is at one point of its graph.
//!
//! Everything here is about the running thread: its registers, the memory that only it uses (all of
//! memory before the first thread is started), the locks that it holds on every path to this point,
//! and the threads that it has started and may not have joined.

use super::blocks::{self, Life, Lives};
use super::interval::Interval;
use super::memory::{Initial, Memory};
use super::sync::{ElementLock, Lock, LockMode};
use super::value::{Region, Slice, Symbol, Tag, TemplateId, Value};
use analysis::live::LiveSet;
use ir::{AtomicKind, Reg, SlotId};
use std::collections::{BTreeMap, BTreeSet};

/// How many threads of a template that this thread starts may be running.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Alive {
    One,
    Many,
}

/// Where the ids of all running threads of a template are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// Each at the place that its counter tells, but for the last one if it is `pending`.
    In {
        slice: Option<Slice>,
        pending: bool,
    },
    Lost,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    pub regs: BTreeMap<Reg, Value>,
    pub memory: Memory,
    pub locks: BTreeMap<Lock, LockMode>,
    /// Locks of elements that it holds.
    pub elements: BTreeMap<ElementLock, LockMode>,
    /// Locks that it may hold; no semaphores.
    pub may_hold: BTreeSet<Lock>,
    /// Atomic blocks around this point, outermost first.
    pub atomic: Vec<AtomicKind>,
    /// Classes with threads that may be running.
    pub alive: BTreeMap<TemplateId, Alive>,
    pub kept: BTreeMap<TemplateId, Kept>,
    /// Classes of which a thread may have been started at some time.
    pub started: BTreeSet<TemplateId>,
    /// Classes of which a thread was started while this counter had the value that it has now.
    pub used: BTreeSet<(TemplateId, Reg)>,
    /// Where memory safety is asked for: heap blocks, and slots that no older pointer names.
    pub lives: Lives,
    pub slots: BTreeMap<SlotId, Life>,
}

impl State {
    /// No other thread has been there yet.
    pub fn alone(&self) -> bool {
        self.started.is_empty()
    }

    pub fn in_user_block(&self) -> bool {
        self.atomic.contains(&AtomicKind::User)
    }

    pub fn reg(&self, reg: Reg) -> Value {
        self.regs.get(&reg).cloned().unwrap_or_else(Value::garbage)
    }

    /// Forgets dead registers.
    pub fn keep_live(&mut self, live: LiveSet) {
        self.regs.retain(|reg, _| live.contains(reg));
    }

    /// A state for both; `None` if their atomic blocks differ, which no program has.
    pub fn join(&self, other: &State, first: &dyn Initial, widen: bool) -> Option<State> {
        if self.atomic != other.atomic {
            return None;
        }
        let (merge_values, merge_memory): (fn(&Value, &Value) -> Value, _) = match widen {
            true => (Value::widen, self.memory.widen(&other.memory, first)),
            false => (Value::join, self.memory.join(&other.memory, first)),
        };
        // A register that has no value yet on one of the ways may be any number there.
        let anything = Value::garbage();
        let of = |state: &'_ State, reg: &Reg| state.regs.get(reg).cloned();
        let both = |reg: &Reg| {
            let (a, b) = (of(self, reg), of(other, reg));
            let merged = match (&a, &b) {
                (Some(a), Some(b)) => merge_values(a, b),
                _ => merge_values(a.as_ref().unwrap_or(&anything), b.as_ref().unwrap_or(&anything)),
            };
            (*reg, merged)
        };
        let weaker =
            |(lock, mode): (&Lock, &LockMode)| Some((*lock, *mode.min(other.locks.get(lock)?)));
        Some(State {
            regs: self.regs.keys().chain(other.regs.keys()).map(both).collect(),
            memory: merge_memory,
            locks: self.locks.iter().filter_map(weaker).collect(),
            elements: both_hold(&self.elements, &other.elements),
            may_hold: self.may_hold.union(&other.may_hold).copied().collect(),
            atomic: self.atomic.clone(),
            alive: larger(&self.alive, &other.alive),
            kept: merge_kept(&self.kept, &other.kept),
            started: self.started.union(&other.started).copied().collect(),
            used: self.used.union(&other.used).copied().collect(),
            lives: blocks::join(&self.lives, &other.lives),
            slots: blocks::join(&self.slots, &other.slots),
        })
    }

    /// Does a register or memory of the thread hold an address in the region?
    pub fn names(&self, region: Region) -> bool {
        let mut values = self.regs.values().chain(self.memory.values());
        values.any(|value| value.lost || value.addrs.keys().any(|base| base.region == region))
    }

    fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.regs.values_mut().chain(self.memory.values_mut())
    }

    /// New blocks of these regions are known to others from now on, or there are newer ones.
    pub fn age(&mut self, aged: impl Fn(Region) -> bool) {
        self.values_mut().for_each(|v| v.age(&aged));
    }

    /// The counter changes: what was said in terms of it is not true any more.
    pub fn forget_counter(&mut self, counter: Reg) {
        for value in self.values_mut() {
            if value.sym.is_some_and(|s| s.symbol == Symbol::Counter(counter)) {
                value.sym = None;
            }
            if matches!(value.tag, Some(Tag::Read(slice)) if slice.counter == counter) {
                value.tag = None;
            }
        }
    }

    /// The register changes: what was said in terms of it is not true any more.
    pub fn forget_index(&mut self, reg: Reg) {
        let of =
            |symbol: Symbol| matches!(symbol, Symbol::Index(r) | Symbol::Counter(r) if r == reg);
        for value in self.values_mut() {
            value.sym = value.sym.filter(|sym| sym.symbol != Symbol::Index(reg));
        }
        self.elements.retain(|lock, _| !of(lock.symbol));
    }

    /// Bytes are written like any memory, or end: a lock there is not held any more, and what was
    /// said of it is not true any more.
    pub fn overwrite_locks(&mut self, region: Region, at: Interval, size: u64) {
        self.locks.retain(|lock, _| !lock.is_met(region, at, size));
        self.forget_tags(|tag| matches!(tag, Tag::Tried(l, _) if l.is_met(region, at, size)));
    }

    /// Ids of threads that were kept in the region are gone.
    pub fn lose_ids(&mut self, region: Region) {
        for kept in self.kept.values_mut() {
            if matches!(kept, Kept::In { slice: Some(slice), .. } if slice.region == region) {
                *kept = Kept::Lost;
            }
        }
    }

    pub fn forget_tags(&mut self, forget: impl Fn(&Tag) -> bool) {
        for value in self.values_mut() {
            if value.tag.as_ref().is_some_and(&forget) {
                value.tag = None;
            }
        }
    }
}

fn both_hold(
    a: &BTreeMap<ElementLock, LockMode>,
    b: &BTreeMap<ElementLock, LockMode>,
) -> BTreeMap<ElementLock, LockMode> {
    a.iter().filter_map(|(lock, mode)| Some((*lock, *mode.min(b.get(lock)?)))).collect()
}

fn larger(
    a: &BTreeMap<TemplateId, Alive>,
    b: &BTreeMap<TemplateId, Alive>,
) -> BTreeMap<TemplateId, Alive> {
    let mut all = a.clone();
    for (template, alive) in b {
        let entry = all.entry(*template).or_insert(*alive);
        *entry = (*entry).max(*alive);
    }
    all
}

fn merge_kept(
    a: &BTreeMap<TemplateId, Kept>,
    b: &BTreeMap<TemplateId, Kept>,
) -> BTreeMap<TemplateId, Kept> {
    let mut all = a.clone();
    for (template, kept) in b {
        let entry = all.entry(*template).or_insert(*kept);
        *entry = match (*entry, *kept) {
            (Kept::In { slice: x, pending: p }, Kept::In { slice: y, pending: q })
                if p == q && (x == y || x.is_none() || y.is_none()) =>
            {
                Kept::In { slice: x.or(y), pending: p }
            }
            _ => Kept::Lost,
        };
    }
    all
}
