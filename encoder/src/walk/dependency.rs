//! Which reads a value, an address or a branch was computed from.
//!
//! Every register carries the reads that it mentions, beside its term: terms are simplified, and where ways
//! meet an `ite` mentions the branch, which is no data dependency. A read counts under the condition that
//! the way was taken on which it was mentioned. Branches (and waits, but no assumptions) add to what
//! all later events of the thread are controlled by. Dependencies are never invented: what the passes
//! before have simplified away is lost, which only adds executions.
//!
//! Only under models that speak about dependencies (`Config::dependencies`).

use super::state::WalkState;
use super::{Plan, Walk};
use crate::event::{EventKind, NodeId};
use crate::object::CellKey;
use crate::term::Term;
use crate::weak::DependencyKind;
use imbl::OrdMap;
use ir::{BlockId, InstKind, Operand, Reg};
use rustc_hash::FxHashMap;

/// A read event, until the walk is done.
pub(super) type ReadKey = (NodeId, CellKey);

/// Any event, until the walk is done.
pub(super) type EventKey = (NodeId, CellKey, EventKind);

/// Reads, each under a condition.
pub(super) type Taint = OrdMap<ReadKey, Term>;

/// What a thread's values depend on at a point of its graph.
#[derive(Clone, Debug, Default)]
pub struct Taints {
    regs: FxHashMap<Reg, Taint>,
    /// Of cells that this thread alone uses.
    memory: OrdMap<CellKey, Taint>,
    control: Taint,
    /// The same inside of the arms of a branch, by where they meet again.
    arms: OrdMap<(ReadKey, Option<BlockId>), Term>,
}

/// A block begins: arms that meet here are over.
pub(super) fn arms_end(state: &mut WalkState, block: BlockId) {
    let Some(taints) = &mut state.taints else { return };
    let over = taints.arms.keys().filter(|(_, meet)| *meet == Some(block));
    for key in over.copied().collect::<Vec<_>>() {
        taints.arms.remove(&key);
    }
}

/// The dependencies of one walk, and those of the running instruction.
#[derive(Default)]
pub(super) struct Dependencies {
    pub found: FxHashMap<(DependencyKind, ReadKey, EventKey), Term>,
    address: Taint,
    data: Taint,
    /// What the running load has read.
    reads: Taint,
}

impl Walk<'_> {
    fn taint(&self, state: &WalkState, operand: &Operand) -> Taint {
        match operand {
            Operand::Reg(r) => {
                let taint = state.taints.as_ref().and_then(|t| t.regs.get(r));
                taint.cloned().unwrap_or_default()
            }
            _ => Taint::new(),
        }
    }

    /// An instruction is next.
    pub(super) fn before_instruction(&mut self, state: &WalkState, inst: &InstKind) {
        if !self.config.dependencies {
            return;
        }
        let (address, data) = match inst {
            InstKind::Load { addr, .. } => (self.taint(state, addr), Taint::new()),
            InstKind::Store { addr, value, .. } => {
                (self.taint(state, addr), self.taint(state, value))
            }
            _ => (Taint::new(), Taint::new()),
        };
        self.dependencies.address = address;
        self.dependencies.data = data;
        self.dependencies.reads.clear();
    }

    /// The instruction is done.
    pub(super) fn after_instruction(&mut self, state: &mut WalkState, inst: &InstKind) {
        if !self.config.dependencies {
            return;
        }
        // A wait stands for a loop, whose branch orders what follows; an assumption is no instruction.
        if let InstKind::Wait(condition) = inst {
            return self.controlled(state, condition);
        }
        let Some(dst) = ir::walk::defined(inst) else { return };
        let taint = match inst {
            InstKind::Load { .. } => std::mem::take(&mut self.dependencies.reads),
            InstKind::Assign { value, .. } => {
                let operands = ir::walk::rvalue_operands(value);
                let taints = operands.into_iter().map(|op| self.taint(state, op));
                let taints = taints.collect::<Vec<_>>().into_iter();
                taints.fold(Taint::new(), |a, b| self.union(a, b))
            }
            _ => Taint::new(),
        };
        if !taint.is_empty() {
            of(state).regs.insert(dst, taint);
        } else if let Some(taints) = &mut state.taints {
            taints.regs.remove(&dst);
        }
    }

    /// What follows happens because of this value.
    pub(super) fn controlled(&mut self, state: &mut WalkState, condition: &Operand) {
        if !self.config.dependencies {
            return;
        }
        let taint = self.taint(state, condition);
        if !taint.is_empty() {
            let control = std::mem::take(&mut of(state).control);
            of(state).control = self.union(control, taint);
        }
    }

    /// What is in the arms of the branch behind the running block happens because of this value.
    pub(super) fn inside_arms(&mut self, state: &mut WalkState, condition: &Operand, plan: &Plan) {
        let Some(&meet) = plan.meet.get(self.at.block.index()) else { return };
        for (read, when) in self.taint(state, condition) {
            let taints = of(state);
            let old = taints.arms.get(&(read, meet)).copied();
            let when = old.map_or(when, |old| self.pool.or(old, when));
            of(state).arms.insert((read, meet), when);
        }
    }

    /// Reads that the arms around here depend on.
    fn arms(&mut self, state: &WalkState) -> Taint {
        let arms = state.taints.as_ref().map(|t| t.arms.clone()).unwrap_or_default();
        let mut out = Taint::new();
        for ((read, _), when) in arms {
            let both = out.get(&read).map_or(when, |&other| self.pool.or(other, when));
            out.insert(read, both);
        }
        out
    }

    /// The running instruction makes this event.
    pub(super) fn note_event(
        &mut self,
        state: &WalkState,
        node: NodeId,
        cell: CellKey,
        kind: EventKind,
    ) {
        if !self.config.weak {
            return;
        }
        if kind == EventKind::Read && self.config.dependencies {
            let always = self.pool.bool(true);
            self.dependencies.reads.insert((node, cell), always);
        }
        if state.in_user_block() && self.in_user_block.last() != Some(&node) {
            self.in_user_block.push(node);
        }
        if !self.config.dependencies {
            return;
        }
        let event = (node, cell, kind);
        let arms = self.arms(state);
        let by = [
            (DependencyKind::Arm, arms),
            (DependencyKind::Address, self.dependencies.address.clone()),
            (DependencyKind::Data, self.dependencies.data.clone()),
            (
                DependencyKind::Control,
                state.taints.as_ref().map(|t| t.control.clone()).unwrap_or_default(),
            ),
        ];
        for (dependency, taint) in by {
            for (&read, &when) in &taint {
                // Within an access that is no dependency; a second read of a block is the first one.
                if read == (node, cell) && kind == EventKind::Read {
                    continue;
                }
                let when = self.pool.and(state.guard, when);
                let old = self.dependencies.found.get(&(dependency, read, event)).copied();
                let when = old.map_or(when, |old| self.pool.or(old, when));
                self.dependencies.found.insert((dependency, read, event), when);
            }
        }
    }

    /// The running load finds what this thread itself has stored.
    pub(super) fn note_own_read(&mut self, state: &WalkState, cell: CellKey) {
        if !self.config.dependencies {
            return;
        }
        if let Some(taint) = state.taints.as_ref().and_then(|t| t.memory.get(&cell)) {
            let reads = std::mem::take(&mut self.dependencies.reads);
            self.dependencies.reads = self.union(reads, taint.clone());
        }
    }

    /// The running store keeps its value where only this thread looks.
    pub(super) fn note_own_write(&mut self, state: &mut WalkState, cell: CellKey, sure: bool) {
        if !self.config.dependencies {
            return;
        }
        let data = self.dependencies.data.clone();
        let old = state.taints.as_ref().and_then(|t| t.memory.get(&cell)).filter(|_| !sure);
        let merged = self.union(data, old.cloned().unwrap_or_default());
        if !merged.is_empty() || state.taints.is_some() {
            of(state).memory.insert(cell, merged);
        }
    }

    /// Two ways meet: `first` tells the first from the second.
    pub(super) fn merge_taints(
        &mut self,
        first: Term,
        a: Option<Box<Taints>>,
        b: Option<Box<Taints>>,
    ) -> Option<Box<Taints>> {
        if a.is_none() && b.is_none() {
            return None;
        }
        let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
        let control = self.merge_taint(first, &a.control, &b.control);
        let mut regs = FxHashMap::default();
        for (&reg, taint) in &a.regs {
            let merged = match b.regs.get(&reg) {
                Some(other) => self.merge_taint(first, taint, other),
                None => self.merge_taint(first, taint, &Taint::new()),
            };
            regs.insert(reg, merged);
        }
        for (&reg, taint) in b.regs.iter().filter(|(reg, _)| !a.regs.contains_key(reg)) {
            regs.insert(reg, self.merge_taint(first, &Taint::new(), taint));
        }
        let mut memory = a.memory.clone();
        if !a.memory.ptr_eq(&b.memory) {
            let none = Taint::new();
            let keys: Vec<CellKey> = a.memory.keys().chain(b.memory.keys()).copied().collect();
            for cell in keys {
                let (x, y) = (a.memory.get(&cell), b.memory.get(&cell));
                let merged = self.merge_taint(first, x.unwrap_or(&none), y.unwrap_or(&none));
                memory.insert(cell, merged);
            }
        }
        let arms = self.merge_taint(first, &a.arms, &b.arms);
        Some(Box::new(Taints { regs, memory, control, arms }))
    }

    /// Both are mentioned: the same read under either condition.
    fn union(&mut self, mut a: Taint, b: Taint) -> Taint {
        for (read, when) in b {
            let both = a.get(&read).map_or(when, |&other| self.pool.or(other, when));
            a.insert(read, both);
        }
        a
    }

    fn merge_taint<K: Ord + Copy>(
        &mut self,
        first: Term,
        a: &OrdMap<K, Term>,
        b: &OrdMap<K, Term>,
    ) -> OrdMap<K, Term> {
        if a.ptr_eq(b) || a == b {
            return a.clone();
        }
        let second = self.pool.not(first);
        let mut out = OrdMap::new();
        for (way, taint) in [(first, a), (second, b)] {
            for (&read, &when) in taint {
                let here = self.pool.and(way, when);
                let both = a.get(&read) == b.get(&read);
                let when = match out.get(&read) {
                    _ if both => when,
                    Some(&other) => self.pool.or(other, here),
                    None => here,
                };
                if !self.pool.is_false(when) {
                    out.insert(read, when);
                }
            }
        }
        out
    }
}

fn of(state: &mut WalkState) -> &mut Taints {
    state.taints.get_or_insert_default()
}
