//! Loops that search: iterations that do nothing are accelerated.
//!
//! `for (i = lower; i < upper && !found; i++) if (a[i] == needle) { found = 1; result = i; }` has
//! *idle* iterations: from the head back to the head without any effect, and all that is left of
//! them is that some registers have grown by a constant. (Writing any other register that will be
//! read is an effect, too.) What such an iteration has read matters no
//! more. So at the head the thread may be accelerated: any number of idle iterations at once, `i +=
//! k`. The iteration that follows is not idle: it has an effect, leaves the loop, or never comes to
//! its end. With a bound on the effects, the loop has one on its iterations.
//!
//! **What is covered.** Every state that an execution of the program comes to (memory, threads, and
//! all registers that will be read) the accelerated program comes to as well. Take an execution and
//! leave out, in each stay in the loop, every idle iteration that was completed. Nothing of it is
//! missed by others, since it wrote nothing; the next iteration begins with the registers that the
//! acceleration gives it for `k` = the number of iterations left out (modulo 2^64, and registers
//! have no more bits); what it had read was in registers that are not read any more. An iteration
//! that is under way stays, with all that can happen in it: an error, an overflow, an access that
//! is invalid or races, a wait. So what does not happen in the accelerated program does not happen
//! at all, for every property of states.
//!
//! **What is not.** The accelerated program has more executions: it is not asked whether the iterations
//! that were left out were idle indeed. An error in it means nothing, so this is for proofs only.
//! To lose less, the acceleration keeps what comparisons in idle iterations promise: each of them
//! had `i < n`, so the last one had, and `i` did not wrap on the way (`IterationBound`).
//!
//! How: the loop's blocks are copied. The copy is for iterations without effect so far; its first
//! effect goes on in the original, whose path back leads to the acceleration; its own path back is
//! an idle iteration and stops. The head's block becomes the acceleration, so that the loop keeps
//! its name.
//!
//! Only loops without inner loops, and only integers are accelerated: a pointer that leaves its
//! object may be poisoned on the way. Cost: a walk over each path of an iteration, at most
//! `MAX_VISITS` blocks.

use super::live::Live;
use super::loops::{LoopInfo, LoopKind};
use super::symbolic::{Leaf, LoopTerm, LoopTerms, PathFacts};
use ir::arith::{mask, wrap};
use ir::cfg::Cfg;
use ir::memory_model::Guarantee;
use ir::types::{Machine, Scalar};
use ir::walk;
use ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Visits of blocks on all paths of an iteration.
const MAX_VISITS: usize = 256;

/// Iterations are left out between accesses that keep their order.
pub const ASSUMES: &[Guarantee] = &[Guarantee::ProgramOrder];

/// Accelerates the loop, if it has idle iterations. `inner` tells whether there are loops inside.
pub fn accelerate(program: &mut Program, info: &LoopInfo, inner: bool) -> bool {
    if info.kind != LoopKind::Natural || inner {
        return false;
    }
    let machine = program.machine;
    let function = &mut program.functions[info.function.index()];
    match idle(function, info, machine) {
        Some(idle) => {
            Copier::new(function, info, machine).apply(&idle);
            true
        }
        None => false,
    }
}

/// What all idle iterations of a loop have in common.
struct Idle {
    effects: Effects,
    /// What is added in each iteration to registers that matter; not 0.
    steps: Vec<(Reg, u64)>,
    bounds: Vec<IterationBound>,
}

/// In every idle iteration: `reg op other`; `None` for what may be another number in each iteration.
struct IterationBound {
    reg: Reg,
    step: u64,
    ty: Scalar,
    op: BinOp,
    other: Option<Operand>,
}

/// What an iteration that counts as idle does not do: change memory or threads, or one of these
/// registers.
#[derive(Default)]
struct Effects(FxHashSet<Reg>);

impl Effects {
    fn has(&self, kind: &InstKind) -> bool {
        changes_more(kind) || walk::defined(kind).is_some_and(|r| self.0.contains(&r))
    }
}

/// Does it change more than a register?
fn changes_more(kind: &InstKind) -> bool {
    !matches!(
        kind,
        InstKind::Assign { .. }
            | InstKind::Load { .. }
            | InstKind::Nondet { .. }
            | InstKind::Assume(_)
            | InstKind::Wait(_)
            | InstKind::AtomicBegin { .. }
            | InstKind::AtomicEnd
            | InstKind::Fence { .. }
            | InstKind::Ended { .. }
            | InstKind::ThreadSelf { .. }
            | InstKind::ObjectSize { .. }
    )
}

/// `None` if there are no idle iterations.
fn idle(function: &Function, info: &LoopInfo, machine: Machine) -> Option<Idle> {
    let live = Live::new(function, &Cfg::new(function));
    let body = info.body.iter().flat_map(|b| &function.blocks[b.index()].insts);
    let written: FxHashSet<Reg> = body.filter_map(|i| walk::defined(&i.kind)).collect();
    let mut regs: Vec<Reg> = live.at_start(info.head).iter().copied().collect();
    regs.retain(|r| written.contains(r));
    regs.sort_unstable();
    let mut effects = Effects::default();
    loop {
        let mut terms = LoopTerms::new(machine);
        let paths = idle_paths(function, info, &effects, &mut terms)?;
        let known = effects.0.len();
        let mut steps = Vec::new();
        for &reg in &regs {
            let ty = function.regs[reg.index()].ty;
            match common_step(&mut terms, &paths, reg, ty, machine) {
                Some(0) => {}
                Some(step) => steps.push((reg, step)),
                None => {
                    effects.0.insert(reg);
                }
            }
        }
        // Fewer iterations are idle now: the others may have the same step.
        if effects.0.len() == known {
            let bounds = bounds(function, &terms, &paths, &steps);
            return Some(Idle { effects, steps, bounds });
        }
    }
}

/// What all idle iterations promise.
fn bounds(
    function: &Function,
    terms: &LoopTerms,
    paths: &[PathFacts],
    steps: &[(Reg, u64)],
) -> Vec<IterationBound> {
    let Some((first, rest)) = paths.split_first() else { return Vec::new() };
    let changing: FxHashMap<Reg, u64> = steps.iter().copied().collect();
    let mut facts: Vec<(LoopTerm, bool)> = first.facts().collect();
    facts.retain(|fact| rest.iter().all(|p| p.facts().any(|other| other == *fact)));
    facts.sort_unstable();
    let types = |r: Reg| function.regs[r.index()].ty;
    let bound = |(term, holds)| bound(terms, term, holds, &changing, types);
    facts.into_iter().filter_map(bound).collect()
}

/// All ways from the head back to it without an effect; `None` if there are none, or too many.
fn idle_paths(
    function: &Function,
    info: &LoopInfo,
    effects: &Effects,
    terms: &mut LoopTerms,
) -> Option<Vec<PathFacts>> {
    let mut done = Vec::new();
    let mut stack = vec![(info.head, PathFacts::default())];
    let mut visits = 0;
    while let Some((block, mut path)) = stack.pop() {
        visits += 1;
        if visits > MAX_VISITS {
            return None;
        }
        let block = &function.blocks[block.index()];
        let mut insts = block.insts.iter().map(|inst| &inst.kind);
        if !insts.all(|kind| !effects.has(kind) && goes_on(&mut path, terms, function, kind)) {
            continue;
        }
        for (next, path) in path.branches(terms, &block.end) {
            if next == info.head {
                done.push(path);
            } else if info.body.binary_search(&next).is_ok() {
                stack.push((next, path));
            }
        }
    }
    (!done.is_empty()).then_some(done)
}

/// Does the path go on behind this?
fn goes_on(
    path: &mut PathFacts,
    terms: &mut LoopTerms,
    function: &Function,
    kind: &InstKind,
) -> bool {
    path.inst(terms, function, kind);
    match kind {
        InstKind::Assume(cond) | InstKind::Wait(cond) => {
            let cond = path.operand(terms, cond);
            path.assume(terms, cond, true)
        }
        _ => true,
    }
}

/// What all paths have added to a register.
fn common_step(
    terms: &mut LoopTerms,
    paths: &[PathFacts],
    reg: Reg,
    ty: Scalar,
    machine: Machine,
) -> Option<u64> {
    let (first, rest) = paths.split_first()?;
    let common = step(terms, first, reg, ty, machine)?;
    rest.iter().all(|p| step(terms, p, reg, ty, machine) == Some(common)).then_some(common)
}

/// What a path has added to a register.
fn step(
    terms: &mut LoopTerms,
    path: &PathFacts,
    reg: Reg,
    ty: Scalar,
    machine: Machine,
) -> Option<u64> {
    let term = path.reg(terms, reg);
    if term == terms.initial(reg) {
        return Some(0);
    }
    let added = terms.added_to(term, reg, ty)?;
    is_number(ty).then_some(added & mask(ty.bits(machine)))
}

fn is_number(ty: Scalar) -> bool {
    !ty.is_float() && ty != Scalar::Ptr
}

fn bound(
    terms: &LoopTerms,
    term: LoopTerm,
    holds: bool,
    steps: &FxHashMap<Reg, u64>,
    types: impl Fn(Reg) -> Scalar,
) -> Option<IterationBound> {
    let (op, ty, a, b) = terms.comparison(term)?;
    let op = if holds { op } else { op.negated() };
    let (reg, op, other) = match (a, b) {
        (Leaf::Reg(r), b) if steps.contains_key(&r) => (r, op, b),
        (a, Leaf::Reg(r)) if steps.contains_key(&r) => (r, op.mirrored(), a),
        _ => return None,
    };
    // Equality does not say what it compares.
    let ty = if matches!(op, BinOp::Eq | BinOp::Ne) { types(reg) } else { ty };
    let other = match other {
        Leaf::Reg(r) if steps.contains_key(&r) || types(r) != types(reg) => None,
        Leaf::Reg(r) => Some(Operand::Reg(r)),
        Leaf::Const(bits) => Some(Operand::Const { bits, ty }),
        Leaf::Other => None,
    };
    let step = *steps.get(&reg)?;
    (ty == types(reg)).then_some(IterationBound { reg, step, ty, op, other })
}

/// Rewrites one loop.
struct Copier<'a> {
    function: &'a mut Function,
    info: &'a LoopInfo,
    machine: Machine,
    jump: Vec<Inst>,
}

impl<'a> Copier<'a> {
    fn new(function: &'a mut Function, info: &'a LoopInfo, machine: Machine) -> Copier<'a> {
        Copier { function, info, machine, jump: Vec::new() }
    }

    fn apply(mut self, idle: &Idle) {
        let copies = self.copy_blocks(&idle.effects);
        self.write_leap(idle);
        let at = self.at();
        let head = &mut self.function.blocks[self.info.head.index()];
        let end = Terminator::Goto(copies[&self.info.head]);
        let head_of = head.head_of;
        *head = Block { head_of, ..Block::new(self.jump, end, at) };
    }

    /// What is made stands for the loop's head.
    fn at(&self) -> At {
        let head = &self.function.blocks[self.info.head.index()];
        At { span: self.info.span, ..head.at(0) }
    }

    /// The iterations without effect so far.
    fn copy_blocks(&mut self, effects: &Effects) -> FxHashMap<BlockId, BlockId> {
        let base = self.function.blocks.len() as u32;
        let place = |i: usize| BlockId(base + i as u32);
        let body = self.info.body.iter().enumerate();
        let copies: FxHashMap<_, _> = body.map(|(i, b)| (*b, place(i))).collect();
        let stop = place(self.info.body.len());
        let mut rests = Vec::new();
        for b in &self.info.body {
            let mut block = self.function.blocks[b.index()].clone();
            match block.insts.iter().position(|i| effects.has(&i.kind)) {
                Some(at) => {
                    let insts = block.insts.split_off(at + 1);
                    let rest = Block::new(insts, block.end.clone(), block.end_at());
                    block.end = Terminator::Goto(BlockId(stop.0 + 1 + rests.len() as u32));
                    rests.push(rest);
                }
                None => {
                    for target in walk::targets_mut(&mut block.end) {
                        *target = match copies.get(target) {
                            _ if *target == self.info.head => stop,
                            Some(copy) => *copy,
                            None => *target,
                        };
                    }
                }
            }
            self.function.blocks.push(block);
        }
        let zero = Operand::Const { bits: 0, ty: Scalar::I32 };
        let at = self.at();
        let insts = vec![Inst::new(InstKind::Assume(zero), at)];
        let end = Terminator::Stop(Stop::Unreachable);
        self.function.blocks.push(Block::new(insts, end, at));
        self.function.blocks.extend(rests);
        copies
    }

    fn write_leap(&mut self, idle: &Idle) {
        let iterations = self.register(Scalar::U64);
        let name = "iterations that do nothing".to_string();
        self.push(InstKind::Nondet { dst: iterations, ty: Scalar::U64, bits: 64, name });
        let mut after = FxHashMap::default();
        for &(reg, step) in &idle.steps {
            let ty = self.function.regs[reg.index()].ty;
            let count = Rvalue::Cast { from: Scalar::U64, to: ty, a: Operand::Reg(iterations) };
            let count = self.assign(ty, count);
            let way = self.binary(BinOp::Mul, ty, count, Operand::Const { bits: step, ty });
            after.insert(reg, self.binary(BinOp::Add, ty, Operand::Reg(reg), way));
        }
        for bound in &idle.bounds {
            if let Some(promise) = self.promise(bound, after[&bound.reg]) {
                self.push(InstKind::Assume(promise));
            }
        }
        for &(reg, _) in &idle.steps {
            self.push(InstKind::Assign { dst: reg, value: Rvalue::Use(after[&reg]) });
        }
    }

    /// What the bound says about a register after the acceleration. With `i < n` and a positive
    /// step: if no `i` below `n` can wrap, then `i` has not moved, or has grown and was below `n` a
    /// step ago. (By induction over the iterations. `i != n` with a step of 1: if it starts at or
    /// below `n`, it stays there. What is less than anything does not wrap by 1, either.)
    fn promise(&mut self, bound: &IterationBound, after: Operand) -> Option<Operand> {
        let IterationBound { reg, step, ty, op, other } = *bound;
        let (before, width) = (Operand::Reg(reg), ty.bits(self.machine));
        let signed = ty.is_signed();
        let (lowest, highest) = limits(width, signed);
        let distance = wrap(i128::from(step), width, true);
        let constant = |k: i128| Operand::Const { bits: k as u64 & mask(width), ty };
        let (forth, back) =
            if distance > 0 { (BinOp::Lt, BinOp::Le) } else { (BinOp::Gt, BinOp::Ge) };
        // The farthest `other` for which nothing wraps.
        let farthest = match (op, distance > 0) {
            (BinOp::Lt, true) => highest - distance + 1,
            (BinOp::Le, true) => highest - distance,
            (BinOp::Gt, false) => lowest - distance - 1,
            (BinOp::Ge, false) => lowest - distance,
            (BinOp::Ne, _) if distance.abs() == 1 => {
                let other = other?;
                let starts = self.binary(back, ty, before, other);
                let moved = self.binary(back, ty, before, after);
                let there = self.binary(back, ty, after, other);
                let stays = self.and(moved, there);
                return Some(self.unless(starts, stays));
            }
            _ => return None,
        };
        let still = self.binary(BinOp::Eq, ty, before, after);
        let moved = self.binary(forth, ty, before, after);
        let Some(other) = other else {
            let strict = matches!(op, BinOp::Lt | BinOp::Gt) && distance.abs() == 1;
            return strict.then(|| self.or(still, moved));
        };
        let last = self.binary(BinOp::Sub, ty, after, Operand::Const { bits: step, ty });
        let held = self.binary(op, ty, last, other);
        let moved = self.and(moved, held);
        let good = self.or(still, moved);
        if !(lowest..=highest).contains(&farthest) {
            return None;
        }
        let near = self.binary(back, ty, other, constant(farthest));
        Some(self.unless(near, good))
    }

    /// `condition` implies `then`; both are 0 or 1.
    fn unless(&mut self, condition: Operand, then: Operand) -> Operand {
        let zero = Operand::Const { bits: 0, ty: Scalar::I32 };
        let not = self.binary(BinOp::Eq, Scalar::I32, condition, zero);
        self.or(not, then)
    }

    fn and(&mut self, a: Operand, b: Operand) -> Operand {
        self.binary(BinOp::And, Scalar::I32, a, b)
    }

    fn or(&mut self, a: Operand, b: Operand) -> Operand {
        self.binary(BinOp::Or, Scalar::I32, a, b)
    }

    fn binary(&mut self, op: BinOp, ty: Scalar, a: Operand, b: Operand) -> Operand {
        let result = if op.is_comparison() { Scalar::I32 } else { ty };
        self.assign(result, Rvalue::Binary { op, ty, a, b, checked: false })
    }

    fn assign(&mut self, ty: Scalar, value: Rvalue) -> Operand {
        let dst = self.register(ty);
        self.push(InstKind::Assign { dst, value });
        Operand::Reg(dst)
    }

    fn register(&mut self, ty: Scalar) -> Reg {
        let span = self.info.span;
        self.function.regs.push(RegInfo { of: None, ty, name: None, span });
        Reg(self.function.regs.len() as u32 - 1)
    }

    fn push(&mut self, kind: InstKind) {
        self.jump.push(Inst::new(kind, self.at()));
    }
}

/// The least and the greatest number of a type.
fn limits(width: u8, signed: bool) -> (i128, i128) {
    match signed {
        true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        false => (0, (1i128 << width) - 1),
    }
}

#[cfg(test)]
mod tests;
