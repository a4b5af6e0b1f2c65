//! What a thread knows at a point of its graph, and how two ways are merged.
//!
//! Registers are kept only while they are live, memory in persistent maps: a copy is free and a
//! merge costs what differs.

use super::Walk;
use super::dependency::Taints;
use crate::event::{NodeId, ThreadId};
use crate::object::CellKey;
use crate::term::{Op, Pool, Term};
use analysis::live::LiveSet;
use imbl::{OrdMap, OrdSet};
use ir::{AtomicKind, Reg, SlotId};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct WalkState {
    /// The way here was taken.
    pub guard: Term,
    pub regs: FxHashMap<Reg, Term>,
    /// Addresses of the slots that are live.
    pub slots: OrdMap<SlotId, Term>,
    /// Cells that this thread alone writes; what is missing has its first value.
    pub memory: OrdMap<CellKey, Term>,
    pub atomic: Option<Atomic>,
    /// Threads that have ended and were joined on every path here.
    pub joined: OrdSet<ThreadId>,
    /// Under models other than sequential consistency.
    pub taints: Option<Box<Taints>>,
}

/// An open atomic block.
#[derive(Clone, Debug)]
pub struct Atomic {
    depth: u32,
    /// At which depth it became the user's, if it is.
    user: Option<u32>,
    pub node: NodeId,
    /// The guard at its beginning.
    pub begun: Term,
    /// What it has written to shared cells so far.
    pub writes: OrdMap<CellKey, Pending>,
}

/// `value` was written if `written` holds (which implies the path).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pending {
    pub value: Term,
    pub written: Term,
}

impl Atomic {
    pub fn new(node: NodeId, kind: AtomicKind, begun: Term) -> Atomic {
        let mut new = Atomic { depth: 0, user: None, node, begun, writes: OrdMap::new() };
        new.begin(kind);
        new
    }

    pub fn begin(&mut self, kind: AtomicKind) {
        self.depth += 1;
        if kind == AtomicKind::User {
            self.user.get_or_insert(self.depth);
        }
    }

    /// Is that the end of all of it?
    pub fn end(&mut self) -> bool {
        self.user.take_if(|depth| *depth == self.depth);
        self.depth -= 1;
        self.depth == 0
    }

    /// Do all accesses count as atomic?
    pub fn is_user(&self) -> bool {
        self.user.is_some()
    }
}

impl WalkState {
    pub fn in_user_block(&self) -> bool {
        self.atomic.as_ref().is_some_and(Atomic::is_user)
    }

    pub fn new(guard: Term) -> WalkState {
        WalkState {
            guard,
            regs: FxHashMap::default(),
            slots: OrdMap::new(),
            memory: OrdMap::new(),
            atomic: None,
            joined: OrdSet::new(),
            taints: None,
        }
    }

    pub(crate) fn same_atomic(&self, other: &WalkState) -> bool {
        match (&self.atomic, &other.atomic) {
            (None, None) => true,
            (Some(a), Some(b)) => a.node == b.node && (a.depth, a.user) == (b.depth, b.user),
            _ => false,
        }
    }

    /// Forgets dead registers.
    pub fn only(mut self, live: LiveSet) -> WalkState {
        if self.regs.len() > live.len() {
            self.regs.retain(|r, _| live.contains(r));
        }
        self
    }

    pub(crate) fn clone_for(&self, live: LiveSet) -> WalkState {
        let regs = live.iter().filter_map(|r| Some((*r, *self.regs.get(r)?))).collect();
        WalkState {
            guard: self.guard,
            regs,
            slots: self.slots.clone(),
            memory: self.memory.clone(),
            atomic: self.atomic.clone(),
            joined: self.joined.clone(),
            taints: self.taints.clone(),
        }
    }
}

/// Two ways that exclude each other: the guard of both, and what tells the first from the second.
pub fn meet(pool: &mut Pool, a: Term, b: Term) -> (Term, Term) {
    let (mut x, mut y) = (a, b);
    let (mut more_a, mut more_b) = (Vec::new(), Vec::new());
    // Guards grow to the right, so what two have in common is a beginning of both.
    while x != y {
        let (longer, more) = if x > y { (&mut x, &mut more_a) } else { (&mut y, &mut more_b) };
        match pool.op(*longer) {
            Op::And(before, last) => {
                more.push(last);
                *longer = before;
            }
            _ => {
                more.push(*longer);
                // The oldest term of all.
                *longer = pool.bool(true);
            }
        }
    }
    let common = x;
    let first = pool.and_all(more_a.into_iter().rev());
    let second = pool.and_all(more_b.into_iter().rev());
    let either = pool.or(first, second);
    (pool.and(common, either), first)
}

impl Walk<'_> {
    pub(super) fn merge(&mut self, a: WalkState, b: WalkState) -> WalkState {
        let (guard, first) = meet(&mut self.pool, a.guard, b.guard);
        let regs = self.merge_regs(first, a.regs, &b.regs);
        let slots = self.merge_slots(first, &a.slots, &b.slots);
        let memory = self.merge_memory(first, &a.memory, &b.memory);
        let atomic = match (a.atomic, b.atomic) {
            (None, None) => None,
            (Some(x), Some(y)) => {
                let writes = self.merge_writes(first, &x.writes, &y.writes);
                Some(Atomic { writes, ..x })
            }
            (x, y) => x.or(y), // `arrive` lets no such states meet
        };
        let joined = match a.joined.ptr_eq(&b.joined) {
            true => a.joined,
            false => a.joined.intersection(b.joined),
        };
        let taints = self.merge_taints(first, a.taints, b.taints);
        WalkState { guard, regs, slots, memory, atomic, joined, taints }
    }

    fn merge_regs(
        &mut self,
        first: Term,
        mut a: FxHashMap<Reg, Term>,
        b: &FxHashMap<Reg, Term>,
    ) -> FxHashMap<Reg, Term> {
        for (r, v) in &mut a {
            if let Some(&other) = b.get(r) {
                *v = self.pool.ite(first, *v, other);
            }
        }
        // Written on one way only: on the other it is undefined, and any value will do.
        for (&r, &v) in b {
            a.entry(r).or_insert(v);
        }
        a
    }

    fn merge_slots(
        &mut self,
        first: Term,
        a: &OrdMap<SlotId, Term>,
        b: &OrdMap<SlotId, Term>,
    ) -> OrdMap<SlotId, Term> {
        if a.ptr_eq(b) {
            return a.clone();
        }
        let mut out = a.clone();
        for (&slot, &address) in b {
            let merged = match a.get(&slot) {
                Some(&x) => self.pool.ite(first, x, address),
                None => address,
            };
            out.insert(slot, merged);
        }
        out
    }

    pub(super) fn merge_memory(
        &mut self,
        first: Term,
        a: &OrdMap<CellKey, Term>,
        b: &OrdMap<CellKey, Term>,
    ) -> OrdMap<CellKey, Term> {
        if a.ptr_eq(b) {
            return a.clone();
        }
        let changed: Vec<CellKey> = changed_keys(a, b);
        let mut out = a.clone();
        for cell in changed {
            let x = a.get(&cell).copied();
            let y = b.get(&cell).copied();
            let x = x.unwrap_or_else(|| self.first_value(cell));
            let y = y.unwrap_or_else(|| self.first_value(cell));
            let merged = self.pool.ite(first, x, y);
            out.insert(cell, merged);
        }
        out
    }

    fn merge_writes(
        &mut self,
        first: Term,
        a: &OrdMap<CellKey, Pending>,
        b: &OrdMap<CellKey, Pending>,
    ) -> OrdMap<CellKey, Pending> {
        if a.ptr_eq(b) {
            return a.clone();
        }
        let mut out = a.clone();
        for cell in changed_keys(a, b) {
            let merged = match (a.get(&cell), b.get(&cell)) {
                (Some(x), Some(y)) => Pending {
                    value: self.pool.ite(first, x.value, y.value),
                    written: self.pool.or(x.written, y.written),
                },
                (Some(x), None) | (None, Some(x)) => *x,
                (None, None) => continue,
            };
            out.insert(cell, merged);
        }
        out
    }
}

fn changed_keys<V: PartialEq + Clone>(
    a: &OrdMap<CellKey, V>,
    b: &OrdMap<CellKey, V>,
) -> Vec<CellKey> {
    use imbl::ordmap::DiffItem;
    let key = |d: DiffItem<'_, '_, CellKey, V>| match d {
        DiffItem::Add(k, _) | DiffItem::Remove(k, _) => *k,
        DiffItem::Update { new, .. } => *new.0,
    };
    a.diff(b).map(key).collect()
}
