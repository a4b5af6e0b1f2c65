//! Which registers hold a known constant where: constant propagation within one function.
//!
//! At the start of each block we know a map from registers to constants; a register that is missing
//! may hold anything. Ways that meet keep what they agree on, and only edges that the constants
//! allow are followed, so maps only shrink and the walk ends. Only registers that may still be read
//! are kept, which keeps the maps small.
//!
//! Constants are numbers and addresses of static objects and functions; never of slots, which name
//! a new object each time they come to life.

use super::live::{Live, LiveSet};
use super::loops::LoopInfo;
use ir::cfg::{Cfg, Near};
use ir::fold;
use ir::types::Scalar;
use ir::walk;
use ir::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What is known at one point: each value is a constant or a static address.
pub type KnownValues = FxHashMap<Reg, Operand>;

pub struct Constants {
    /// At the start of each block; `None` if the constants say that it is never reached.
    entry: Vec<Option<KnownValues>>,
}

impl Constants {
    pub fn new(program: &Program, function: &Function) -> Constants {
        let cfg = Cfg::new(function);
        let live = Live::new(function, &cfg);
        let mut entry: Vec<Option<KnownValues>> = vec![None; function.blocks.len()];
        // Places in reverse postorder, first things first: few blocks are looked at twice.
        let mut work = BTreeSet::new();
        if let Some(first) = entry.first_mut() {
            *first = Some(KnownValues::default());
            work.insert(0);
        }
        while let Some(place) = work.pop_first() {
            let b = cfg.order[place as usize];
            let block = &function.blocks[b.index()];
            let mut known = entry[b.index()].clone().unwrap_or_default();
            for inst in &block.insts {
                step(program, function, &mut known, &inst.kind);
            }
            for s in possible(&block.end, &known) {
                if meet(&mut entry[s.index()], &known, live.at_start(s)) {
                    work.extend(cfg.place(s));
                }
            }
        }
        Constants { entry }
    }

    pub fn at_start(&self, block: BlockId) -> Option<&KnownValues> {
        self.entry[block.index()].as_ref()
    }

    /// The constant that the register holds whenever the loop is entered at its head.
    pub(crate) fn on_entry(
        &self,
        program: &Program,
        function: &Function,
        cfg: &Cfg,
        info: &LoopInfo,
        reg: Reg,
    ) -> Option<Operand> {
        let mut start = None;
        // The function's own start is an entry too, and registers hold nothing there.
        if info.head.0 == 0 {
            return None;
        }
        for p in &cfg.preds[info.head.index()] {
            if info.body.binary_search(p).is_ok() {
                continue;
            }
            let Some(known) = self.at_end(program, function, *p) else { continue };
            let value = *known.get(&reg)?;
            if start.is_some_and(|s| s != value) {
                return None;
            }
            start = Some(value);
        }
        start
    }

    /// What is known when `block` ends; `None` if it is never reached.
    pub fn at_end(
        &self,
        program: &Program,
        function: &Function,
        block: BlockId,
    ) -> Option<KnownValues> {
        let mut known = self.at_start(block)?.clone();
        for inst in &function.blocks[block.index()].insts {
            step(program, function, &mut known, &inst.kind);
        }
        Some(known)
    }
}

/// Keeps what both agree on; true if that is less than before, or the first that we hear.
fn meet(old: &mut Option<KnownValues>, new: &KnownValues, live: LiveSet) -> bool {
    let Some(old) = old else {
        let value = |r: &Reg| Some((*r, *new.get(r)?));
        *old = Some(live.iter().filter_map(value).collect());
        return true;
    };
    let before = old.len();
    old.retain(|r, v| new.get(r) == Some(v));
    old.len() < before
}

/// The effect of one instruction on what is known.
pub fn step(program: &Program, function: &Function, known: &mut KnownValues, kind: &InstKind) {
    let Some(dst) = walk::defined(kind) else { return };
    let value = match kind {
        InstKind::Assign { value, .. } => evaluate(program, function, known, value),
        _ => None,
    };
    match value.and_then(|v| typed(program, function.regs[dst.index()].ty, v)) {
        Some(value) => known.insert(dst, value),
        None => known.remove(&dst),
    };
}

/// The constant as a register of type `ty` holds it.
fn typed(program: &Program, ty: Scalar, value: Operand) -> Option<Operand> {
    match value {
        Operand::Const { bits, .. } => {
            Some(Operand::Const { bits: fold::truncate(program.machine, ty, bits), ty })
        }
        _ => (ty == Scalar::Ptr).then_some(value),
    }
}

/// The operand as a constant, if it is one.
pub fn constant(known: &KnownValues, operand: &Operand) -> Option<Operand> {
    match operand {
        Operand::Const { .. } | Operand::Object { .. } | Operand::Function(_) => Some(*operand),
        Operand::Reg(r) => known.get(r).copied(),
        Operand::Slot { .. } => None,
    }
}

/// The constant that a right-hand side gives. Arithmetic whose overflow somebody may want to hear
/// of is left alone when it overflows.
pub fn evaluate(
    program: &Program,
    function: &Function,
    known: &KnownValues,
    value: &Rvalue,
) -> Option<Operand> {
    if let Rvalue::Use(a) = value {
        return constant(known, a);
    }
    if let Rvalue::PtrAdd { base, index, scale } = value {
        return element(program, known, base, index, *scale);
    }
    if let Rvalue::Binary { op: op @ (BinOp::Eq | BinOp::Ne), a, b, .. } = value
        && let Some(Operand::Function(f)) = constant(known, a)
        && let Some(Operand::Function(g)) = constant(known, b)
    {
        let holds = (f == g) == (*op == BinOp::Eq);
        return Some(Operand::Const { bits: u64::from(holds), ty: Scalar::I32 });
    }
    let folded = fold::rvalue(program.machine, value, |o| match constant(known, o)? {
        Operand::Const { bits, .. } => Some((bits, walk::operand_type(function, o))),
        _ => None,
    })?;
    let (checked, ty) = match value {
        Rvalue::Unary { ty, checked, .. } => (*checked, *ty),
        Rvalue::Binary { op, ty, checked, .. } => {
            (*checked, if op.is_comparison() { Scalar::I32 } else { *ty })
        }
        Rvalue::Cast { to, .. } => (false, *to),
        _ => return None,
    };
    (!(checked && folded.overflow)).then_some(Operand::Const { bits: folded.bits, ty })
}

/// A constant element of a static object, as long as it stays inside: outside, the address keeps
/// the memory of where it came from.
fn element(
    program: &Program,
    known: &KnownValues,
    base: &Operand,
    index: &Operand,
    scale: u64,
) -> Option<Operand> {
    let Operand::Object { object, offset } = constant(known, base)? else { return None };
    let Operand::Const { bits, .. } = constant(known, index)? else { return None };
    let signed = Scalar::Int { bits: program.machine.pointer_bits(), signed: true };
    let index = i64::try_from(fold::number(program.machine, signed, bits)).ok()?;
    let offset = index.checked_mul(i64::try_from(scale).ok()?)?.checked_add(offset)?;
    let size = program.objects[object.index()].size;
    let inside = u64::try_from(offset).is_ok_and(|o| o <= size);
    inside.then_some(Operand::Object { object, offset })
}

/// Is the operand known to be zero, or not to be?
pub fn truth(known: &KnownValues, operand: &Operand) -> Option<bool> {
    match constant(known, operand)? {
        Operand::Const { bits, .. } => Some(bits != 0),
        _ => Some(true),
    }
}

/// Where a block may go.
fn possible(end: &Terminator, known: &KnownValues) -> Near {
    decided(end, known).map_or_else(|| end.successors(), |b| Near::from_slice(&[b]))
}

/// The one target of a terminator whose condition is known.
pub fn decided(end: &Terminator, known: &KnownValues) -> Option<BlockId> {
    match end {
        Terminator::Goto(b) => Some(*b),
        Terminator::Branch { cond, then, otherwise } => {
            Some(if truth(known, cond)? { *then } else { *otherwise })
        }
        Terminator::Switch { value, cases, default } => match constant(known, value)? {
            Operand::Const { bits, .. } => {
                Some(cases.iter().find(|c| c.0 == bits).map_or(*default, |c| c.1))
            }
            _ => None,
        },
        _ => None,
    }
}
