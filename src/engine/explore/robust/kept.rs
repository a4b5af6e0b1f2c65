//! Does every thread keep its reads before its later writes, on a machine that keeps dependencies and what fences,
//! acquire and release say?
//!
//! Then program order and reads-from have no cycle there either, and the machine has no executions besides those
//! of rc11 (docs/soundness.md). A read comes before a later write if it acquires; if the write releases, or its
//! value or address is computed from the read; if a fence stands between them, or a branch that the read
//! decides; or if the two are one read-modify-write.
//!
//! Invariant: what a value is computed from is less than what the encoding for solvers takes it to be: through copies,
//! conversions, comparisons with other values and steps by constants only, on all paths.
//! Cost: a fixpoint over sets of loads, per thread.

use analysis::escape::Shared;
use analysis::points_to::{Context, PointsTo};
use ir::{
    AtomicKind, BinOp, Block, Callee, FuncId, Function, Inst, InstKind, MemoryOrder, Operand,
    Program, Reg, Rvalue, Terminator,
};
use reach::build::flatten::flatten;
use std::collections::{BTreeMap, BTreeSet};

/// Does every thread?
pub fn reads_before_writes(program: &Program) -> bool {
    let Some(program) = flatten(program) else { return false };
    let points_to = PointsTo::new(&program, Context::Insensitive);
    let shared = Shared::new(&program, &points_to);
    analysis::roots(&program).into_iter().all(|id| {
        let function = &program.functions[id.index()];
        KeptThread { program: &program, id, function, points_to: &points_to, shared: &shared }
            .is_kept()
    })
}

/// A load, by its block and place there.
type LoadId = (usize, usize);

/// What is known before an instruction.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct OrderFacts {
    /// Loads that later writes may come before.
    pending: BTreeSet<LoadId>,
    /// Loads that a register was computed from, on every path.
    from: BTreeMap<Reg, BTreeSet<LoadId>>,
    /// Loads of the atomic block that this is in, with their addresses.
    block: Option<Vec<(LoadId, Operand)>>,
}

impl OrderFacts {
    fn of(&self, operand: &Operand) -> BTreeSet<LoadId> {
        match operand {
            Operand::Reg(reg) => self.from.get(reg).cloned().unwrap_or_default(),
            _ => BTreeSet::new(),
        }
    }

    /// What follows depends on the value.
    fn decide(&mut self, value: &Operand) {
        let by = self.of(value);
        self.pending.retain(|load| !by.contains(load));
    }

    /// Another path leads here. Is that new?
    fn merge(&mut self, other: &OrderFacts) -> bool {
        let before = self.clone();
        self.pending.extend(&other.pending);
        self.from.retain(|reg, loads| {
            let also = other.from.get(reg);
            loads.retain(|load| also.is_some_and(|also| also.contains(load)));
            !loads.is_empty()
        });
        if let (Some(block), Some(also)) = (&mut self.block, &other.block) {
            block.retain(|read| also.contains(read));
        }
        *self != before
    }
}

struct KeptThread<'a> {
    program: &'a Program,
    id: FuncId,
    function: &'a Function,
    points_to: &'a PointsTo,
    shared: &'a Shared,
}

impl KeptThread<'_> {
    fn is_kept(&self) -> bool {
        let mut at: Vec<Option<OrderFacts>> = vec![None; self.function.blocks.len()];
        at[0] = Some(OrderFacts::default());
        let mut open = vec![0];
        while let Some(b) = open.pop() {
            let Some(facts) = at[b].clone() else { continue };
            let block = &self.function.blocks[b];
            let Some(after) = self.behind(b, block, facts) else { return false };
            for to in block.end.successors() {
                let new = match &mut at[to.index()] {
                    Some(known) => known.merge(&after),
                    empty => {
                        *empty = Some(after.clone());
                        true
                    }
                };
                open.extend(new.then_some(to.index()));
            }
        }
        true
    }

    /// Behind a block; none if a write in it may come before a read.
    fn behind(&self, b: usize, block: &Block, mut facts: OrderFacts) -> Option<OrderFacts> {
        for (i, inst) in block.insts.iter().enumerate() {
            self.step((b, i), inst, &mut facts)?;
        }
        match &block.end {
            Terminator::Branch { cond: value, .. } | Terminator::Switch { value, .. } => {
                facts.decide(value);
            }
            _ => {}
        }
        Some(facts)
    }

    fn step(&self, at: LoadId, inst: &Inst, facts: &mut OrderFacts) -> Option<()> {
        let mut from = BTreeSet::new();
        match &inst.kind {
            InstKind::Load { addr, order, .. } => {
                facts.from.values_mut().for_each(|loads| {
                    loads.remove(&at);
                });
                if self.meets_others(addr) {
                    load(facts, at, *addr, *order);
                    from.insert(at);
                }
            }
            InstKind::Store { addr, value, order, .. } => {
                let free = self.meets_others(addr) && !order.releases();
                (!free || follows(facts, addr, value)).then_some(())?;
            }
            InstKind::Assign { value, .. } => from = computed_from(facts, value),
            InstKind::Wait(condition) => facts.decide(condition),
            InstKind::Fence { kernel: None, order } if order.acquires() || order.releases() => {
                facts.pending.clear();
            }
            InstKind::AtomicBegin { kind: AtomicKind::Internal } => {
                facts.block.get_or_insert_default();
            }
            InstKind::AtomicEnd => facts.block = None,
            InstKind::Spawn { place: Some(place), .. } => {
                (!self.meets_others(place) || facts.pending.is_empty()).then_some(())?;
            }
            InstKind::AtomicBegin { .. }
            | InstKind::Fence { .. }
            | InstKind::Unsupported { .. }
            | InstKind::Undefined { .. } => {
                return None;
            }
            InstKind::Call { callee, .. } => self.is_empty(callee).then_some(())?,
            _ => {}
        }
        if let Some(dst) = ir::walk::defined(&inst.kind) {
            facts.from.remove(&dst);
            if !from.is_empty() {
                facts.from.insert(dst, from);
            }
        }
        Some(())
    }

    fn meets_others(&self, address: &Operand) -> bool {
        self.shared.address(self.points_to, self.id, address)
    }

    fn is_empty(&self, callee: &Callee) -> bool {
        matches!(callee, Callee::Direct(f) if !self.program.functions[f.index()].has_body())
    }
}

fn load(facts: &mut OrderFacts, at: LoadId, address: Operand, order: MemoryOrder) {
    if order.acquires() {
        // A second look of an atomic block is the first one.
        let first = facts.block.iter().flatten().filter(|(_, other)| *other == address);
        let first: Vec<LoadId> = first.map(|(load, _)| *load).collect();
        facts.pending.retain(|load| !first.contains(load));
    } else {
        facts.pending.insert(at);
    }
    facts.block.iter_mut().for_each(|block| block.push((at, address)));
}

/// Is everything that is pending before the write?
fn follows(facts: &OrderFacts, address: &Operand, value: &Operand) -> bool {
    let mut by = facts.of(value);
    by.extend(facts.of(address));
    let same = facts.block.iter().flatten().filter(|(_, other)| other == address);
    by.extend(same.map(|(load, _)| *load));
    facts.pending.iter().all(|load| by.contains(load))
}

fn computed_from(facts: &OrderFacts, value: &Rvalue) -> BTreeSet<LoadId> {
    match value {
        Rvalue::Use(a) | Rvalue::Cast { a, .. } | Rvalue::Unary { a, .. } => facts.of(a),
        Rvalue::Binary { op, a, b, .. } if op.is_comparison() && a != b => {
            facts.of(a).union(&facts.of(b)).copied().collect()
        }
        Rvalue::Binary { op: BinOp::Add | BinOp::Sub, a, b: Operand::Const { .. }, .. } => {
            facts.of(a)
        }
        _ => BTreeSet::new(),
    }
}
