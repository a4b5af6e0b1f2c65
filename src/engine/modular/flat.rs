//! The program as this analysis reads it: each thread function one graph with loops.
//!
//! Calls are inlined as for the symbolic engine, except those that lock and unlock (`sync.rs`): they
//! stay calls, known by name. Then each start function is looked through once for what its loops
//! tell: registers that count, loops that go up to a bound.

use super::own_globals::localise;
use super::sync::{self, LockFamily};
use super::thread_jumps::thread_jumps;
use super::thread_locals::localise_thread_locals;
use analysis::live::Live;
use analysis::loops::{LoopKind, loops_of};
use analysis::{fnptr, inline, promote, roots, simplify};
use ir::cfg::{Cfg, Dominators};
use ir::types::Scalar;
use ir::walk;
use ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// More blocks in one thread than this are not looked at.
const MAX_BLOCKS: usize = 20_000;

pub struct Flat {
    pub program: Program,
    /// Facts for each function that threads start in.
    pub graphs: FxHashMap<FuncId, Graph>,
    /// The program itself looks at errno. The functions that lock have no bodies here, so no analysis sees
    /// them set it.
    pub reads_errno: bool,
    /// A thread that takes such a lock may get it in a bad state, or not at all.
    pub has_robust_locks: bool,
    /// Numbers at which what is stored may stop to grow: those that the user compares with or divides by.
    pub stops: Vec<i128>,
}

/// What is known of one start function.
pub struct Graph {
    pub cfg: Cfg,
    dominators: Dominators,
    pub live: Live,
    pub loops: Vec<Loop>,
    /// For each block the innermost loop around it.
    pub innermost: Vec<Option<usize>>,
    /// Registers that count in some loop.
    pub counting: FxHashSet<Reg>,
    /// Registers that an index is computed from, where there are locks at indices.
    pub indices: FxHashSet<Reg>,
}

pub struct Loop {
    pub head: BlockId,
    pub body: FxHashSet<BlockId>,
    pub parent: Option<usize>,
    pub counters: Vec<Counter>,
    /// The block that leaves the loop from its head, and what is known of the counter there.
    pub sweep: Option<Sweep>,
    /// Blocks that are passed in every completed iteration, once.
    pub every_round: FxHashSet<BlockId>,
}

/// A register that each iteration of the loop changes once, by the same step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counter {
    pub reg: Reg,
    pub step: i128,
    pub at: (BlockId, usize),
}

/// The loop goes on while `counter < bound` (`<=`), and is left at `exit` when that is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sweep {
    pub counter: Reg,
    pub ty: Scalar,
    pub bound: Operand,
    pub inclusive: bool,
    pub exit: BlockId,
}

/// How semaphores are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Semaphores {
    /// As locks, which they are if who posts has waited before.
    Locks,
    /// As numbers, by what their functions do.
    Numbers,
}

impl Semaphores {
    fn is_call(self, family: LockFamily) -> bool {
        self == Semaphores::Locks || family != LockFamily::Semaphore
    }
}

impl Flat {
    pub fn new(program: &Program, semaphores: Semaphores) -> Flat {
        let mut program = program.clone();
        fnptr::resolve(&mut program);
        let reads_errno = mentions(&program, "__errno_location");
        let has_robust_locks = mentions(&program, "pthread_mutexattr_setrobust");
        for function in &mut program.functions {
            let call = sync::call(&function.name).filter(|_| function.origin == Origin::Model);
            if call.is_some_and(|(_, family)| semaphores.is_call(family)) {
                function.blocks.clear();
            }
        }
        let roots = roots(&program);
        let limits = inline::Limits { depth: 1, max_blocks: MAX_BLOCKS };
        inline::inline(&mut program, &roots, &limits);
        keep_only(&mut program, &roots);
        simplify::simplify(&mut program);
        localise(&mut program, &roots);
        localise_thread_locals(&mut program, &roots);
        promote::promote(&mut program);
        simplify::simplify(&mut program);
        for root in &roots {
            thread_jumps(&mut program.functions[root.index()]);
        }
        let graph = |id: &FuncId| (*id, Graph::new(&program.functions[id.index()], *id));
        let graphs = roots.iter().map(graph).collect();
        let stops = stops(&program, &roots);
        Flat { program, graphs, reads_errno, has_robust_locks, stops }
    }
}

/// More numbers are not looked at.
const MAX_NUMBERS: usize = 6;

/// `x % n` and `x < n` leave n - 1, a step behind that n. The least ones: large ones are like limits of types.
fn stops(program: &Program, roots: &[FuncId]) -> Vec<i128> {
    let insts = roots.iter().flat_map(|root| &program.functions[root.index()].blocks);
    let number = |inst: &Inst| match &inst.kind {
        InstKind::Assign {
            value: Rvalue::Binary { op, ty: Scalar::Int { .. }, a, b, .. }, ..
        } if *op == BinOp::Rem || op.is_comparison() => {
            let constant = |o: &Operand| match o {
                Operand::Const { bits, ty } => Some(arith::number(*bits, *ty, program.machine)),
                _ => None,
            };
            constant(b).or_else(|| constant(a)).filter(|n| *n > 2)
        }
        _ => None,
    };
    let found: BTreeSet<i128> = insts.flat_map(|block| &block.insts).filter_map(number).collect();
    found.into_iter().take(MAX_NUMBERS).flat_map(|n| [n - 1, n]).collect()
}

/// Does the user's code call the function?
fn mentions(program: &Program, name: &str) -> bool {
    let own = program.functions.iter().filter(|f| f.origin == Origin::User);
    let mut insts = own.flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
    insts.any(|inst| walk::direct_callee(program, &inst.kind).is_some_and(|f| f.name == name))
}

/// The others were inlined, or are not called any more, unless they use `alloca`: such a call
/// is not understood anyway.
fn keep_only(program: &mut Program, roots: &[FuncId]) {
    for (i, function) in program.functions.iter_mut().enumerate() {
        if !roots.contains(&FuncId(i as u32)) && function.blocks.len() > 1 {
            function.blocks.truncate(1);
            function.blocks[0].insts.clear();
            function.blocks[0].end = Terminator::Stop(Stop::Unreachable);
        }
    }
}

impl Graph {
    /// Does every way to the second instruction pass the first one?
    pub fn is_before(&self, a: (BlockId, usize), b: (BlockId, usize)) -> bool {
        match a.0 == b.0 {
            true => a.1 < b.1,
            false => self.dominators.dominates(a.0, b.0),
        }
    }

    fn new(function: &Function, id: FuncId) -> Graph {
        let cfg = Cfg::new(function);
        let live = Live::new(function, &cfg);
        let found = loops_of(function, id);
        let mut innermost: Vec<Option<usize>> = vec![None; function.blocks.len()];
        let mut by_depth: Vec<usize> = (0..found.len()).collect();
        by_depth.sort_by_key(|i| found[*i].depth);
        for i in by_depth {
            for b in &found[i].body {
                innermost[b.index()] = Some(i);
            }
        }
        let dominators = cfg.dominators();
        let look = |i: usize| {
            let info = &found[i];
            let body: FxHashSet<BlockId> = info.body.iter().copied().collect();
            let natural = info.kind == LoopKind::Natural;
            let once = |b: &&BlockId| {
                natural
                    && innermost[b.index()] == Some(i)
                    && info.latches.iter().all(|l| dominators.dominates(**b, *l))
            };
            let every_round: FxHashSet<BlockId> = info.body.iter().filter(once).copied().collect();
            let counters = counters(function, &body, &every_round);
            let sweep = if natural {
                sweep(function, info.head, &body, &counters, &innermost)
            } else {
                None
            };
            Loop { head: info.head, body, parent: info.parent, counters, sweep, every_round }
        };
        let loops: Vec<Loop> = (0..found.len()).map(look).collect();
        let counting = loops.iter().flat_map(|l| &l.counters).map(|c| c.reg).collect();
        let indices = indices(function);
        Graph { cfg, dominators, live, loops, innermost, counting, indices }
    }

    /// Can the block be entered more than once by one thread?
    pub fn repeats(&self, block: BlockId) -> bool {
        self.innermost[block.index()].is_some()
    }

    /// The loop around the block, if it is the only one.
    pub fn only_loop(&self, block: BlockId) -> Option<&Loop> {
        let inner = &self.loops[self.innermost[block.index()]?];
        inner.parent.is_none().then_some(inner)
    }

    pub fn loop_of_head(&self, head: BlockId) -> Option<&Loop> {
        self.loops.iter().find(|l| l.head == head)
    }

    /// Does this instruction of the loop come before the counter's step in each iteration?
    pub fn before_step(&self, looping: &Loop, counter: Reg, at: (BlockId, usize)) -> bool {
        let counter = looping.counters.iter().find(|c| c.reg == counter);
        counter.is_some_and(|c| match c.at.0 == at.0 {
            true => at.1 < c.at.1,
            false => self.dominators.dominates(at.0, c.at.0),
        })
    }

    /// Does a way from this block enter a loop?
    pub fn enters_loop(&self, block: BlockId) -> bool {
        let heads = self.cfg.succs[block.index()].iter().filter_map(|s| self.loop_of_head(*s));
        heads.into_iter().any(|l| !l.body.contains(&block))
    }

    /// Does this register count in a loop around the block?
    pub fn counts(&self, block: BlockId, reg: Reg) -> Option<Counter> {
        if !self.counting.contains(&reg) {
            return None;
        }
        let around = |l: &&Loop| l.body.contains(&block);
        let counters = self.loops.iter().filter(around).flat_map(|l| &l.counters);
        counters.copied().find(|c| c.reg == reg)
    }
}

/// Registers from which the places of elements are computed, by steps that lose nothing; none if no call has
/// such an address as an argument: what an index is matters for locks only.
fn indices(function: &Function) -> FxHashSet<Reg> {
    let insts = || function.blocks.iter().flat_map(|block| &block.insts);
    let reg = |operand: &Operand| match operand {
        Operand::Reg(reg) => Some(*reg),
        _ => None,
    };
    let args = insts().filter_map(|inst| match &inst.kind {
        InstKind::Call { args, .. } => Some(args),
        _ => None,
    });
    let mut addresses: FxHashSet<Reg> = args.flatten().filter_map(reg).collect();
    let mut found = FxHashSet::default();
    close(&mut addresses, insts().map(|inst| &inst.kind), |value| match value {
        Rvalue::Use(a) => reg(a),
        Rvalue::PtrAdd { base, .. } => reg(base),
        _ => None,
    });
    let is_locked = insts().any(|inst| match &inst.kind {
        InstKind::Assign { dst, value: Rvalue::PtrAdd { index, .. } } => {
            reg(index).is_some() && addresses.contains(dst)
        }
        _ => false,
    });
    if !is_locked {
        return found;
    }
    found.extend(insts().filter_map(|inst| match &inst.kind {
        InstKind::Assign { value: Rvalue::PtrAdd { index, .. }, .. } => reg(index),
        _ => None,
    }));
    close(&mut found, insts().map(|inst| &inst.kind), |value| match value {
        Rvalue::Use(a) | Rvalue::Cast { a, .. } => reg(a),
        Rvalue::Binary { op: BinOp::Add | BinOp::Sub | BinOp::Mul, a, b, .. } => {
            reg(a).filter(|_| matches!(b, Operand::Const { .. }))
        }
        _ => None,
    });
    found
}

/// Adds what these registers are computed from.
fn close<'k>(
    regs: &mut FxHashSet<Reg>,
    kinds: impl Iterator<Item = &'k InstKind> + Clone,
    source: impl Fn(&Rvalue) -> Option<Reg>,
) {
    let mut before = usize::MAX;
    while before != regs.len() {
        before = regs.len();
        for kind in kinds.clone() {
            if let InstKind::Assign { dst, value } = kind
                && regs.contains(dst)
            {
                regs.extend(source(value));
            }
        }
    }
}

/// Assignments to each register in these blocks.
fn assignments(
    function: &Function,
    body: &FxHashSet<BlockId>,
) -> FxHashMap<Reg, Vec<(BlockId, usize)>> {
    let mut found: FxHashMap<Reg, Vec<(BlockId, usize)>> = FxHashMap::default();
    for b in body {
        for (i, inst) in function.blocks[b.index()].insts.iter().enumerate() {
            if let Some(reg) = walk::defined(&inst.kind) {
                found.entry(reg).or_default().push((*b, i));
            }
        }
    }
    found
}

fn counters(
    function: &Function,
    body: &FxHashSet<BlockId>,
    once: &FxHashSet<BlockId>,
) -> Vec<Counter> {
    let mut found = Vec::new();
    for (reg, places) in assignments(function, body) {
        let &[(block, at)] = places.as_slice() else { continue };
        if !once.contains(&block) {
            continue;
        }
        if let Some((from, step)) = linear(&function.blocks[block.index()], at + 1, reg)
            && from == reg
            && step != 0
        {
            found.push(Counter { reg, step, at: (block, at) });
        }
    }
    found.sort_by_key(|c| c.reg);
    found
}

/// What a register holds before instruction `at` as a register at the block's start plus a number.
fn linear(block: &Block, at: usize, reg: Reg) -> Option<(Reg, i128)> {
    let (mut reg, mut sum, mut at) = (reg, 0, at);
    while let Some(def) = (0..at).rev().find(|i| walk::defined(&block.insts[*i].kind) == Some(reg))
    {
        let InstKind::Assign { value, .. } = &block.insts[def].kind else { return None };
        let (next, add) = match value {
            Rvalue::Use(Operand::Reg(r)) => (*r, 0),
            Rvalue::Binary {
                op: BinOp::Add,
                a: Operand::Reg(r),
                b: Operand::Const { bits, ty },
                ..
            }
            | Rvalue::Binary {
                op: BinOp::Add,
                b: Operand::Reg(r),
                a: Operand::Const { bits, ty },
                ..
            } => (*r, signed(*bits, *ty)),
            Rvalue::Binary {
                op: BinOp::Sub,
                a: Operand::Reg(r),
                b: Operand::Const { bits, ty },
                ..
            } => (*r, -signed(*bits, *ty)),
            _ => return None,
        };
        (reg, sum, at) = (next, sum + add, def);
    }
    Some((reg, sum))
}

fn signed(bits: u64, ty: ir::types::Scalar) -> i128 {
    let machine = ir::types::Machine::Lp64;
    ir::arith::wrap(i128::from(bits), ty.bits(machine), true)
}

/// The shape `head: c = counter < bound; if c ... else exit`, with a bound that never changes.
fn sweep(
    function: &Function,
    head: BlockId,
    body: &FxHashSet<BlockId>,
    counters: &[Counter],
    innermost: &[Option<usize>],
) -> Option<Sweep> {
    let block = &function.blocks[head.index()];
    let Terminator::Branch { cond: Operand::Reg(cond), then, otherwise } = block.end else {
        return None;
    };
    if !body.contains(&then) || body.contains(&otherwise) {
        return None;
    }
    let def = (0..block.insts.len())
        .rev()
        .find(|i| walk::defined(&block.insts[*i].kind) == Some(cond))?;
    let InstKind::Assign { value: Rvalue::Binary { op, ty, a, b, .. }, .. } =
        &block.insts[def].kind
    else {
        return None;
    };
    let (counter, bound, inclusive) = match (op, a, b) {
        (BinOp::Lt | BinOp::Le, Operand::Reg(r), bound) => (*r, *bound, *op == BinOp::Le),
        (BinOp::Gt | BinOp::Ge, bound, Operand::Reg(r)) => (*r, *bound, *op == BinOp::Ge),
        _ => return None,
    };
    let (counter, 0) = linear(block, def, counter)? else { return None };
    let counts = counters.iter().any(|c| c.reg == counter && c.step == 1);
    let bound = match bound {
        Operand::Reg(reg) => match linear(block, def, reg)? {
            (reg, 0) if never_changes(function, reg, innermost) => Operand::Reg(reg),
            _ => return None,
        },
        Operand::Const { .. } => bound,
        _ => return None,
    };
    counts.then_some(Sweep { counter, ty: *ty, bound, inclusive, exit: otherwise })
}

/// Is it assigned once in the whole function and not in a loop, so that it is the same wherever it
/// is used?
fn never_changes(function: &Function, reg: Reg, innermost: &[Option<usize>]) -> bool {
    let mut places = Vec::new();
    for (b, block) in function.blocks.iter().enumerate() {
        let writes = block.insts.iter().filter(|i| walk::defined(&i.kind) == Some(reg));
        places.extend(writes.map(|_| b));
    }
    let is_param = function.params.contains(&reg);
    places.len() + usize::from(is_param) == 1 && places.iter().all(|b| innermost[*b].is_none())
}
