//! One iteration of a loop without inner loops: does it change anything when it goes back to the head,
//! and in how many steps does it look?
//!
//! All paths through the body are walked, with `symbolic` ruling out those that cannot be. Only the
//! steps of paths that leave count, since an iteration that goes back is as good as none.
//!
//! **Look and exchange.** A load outside of atomic blocks, followed by an atomic block that has loaded
//! the same address before it stores anything, is one step if the path says that both loads
//! gave the same value: nothing of this thread happens in between, so the first load may as well
//! happen right before the block, where it gives that value. (`old = x; CAS(&x, old, new)`; what
//! others did to `x` in between does not matter if it holds the same value again.)
//!
//! **Reloads.** A compare-and-exchange that fails and leaves what it saw in the register that it
//! compares with next changes that register, so its iteration is not as good as none. But the loop does
//! the same as one that begins each iteration by loading the register, whatever it held at first:
//! - an iteration that succeeds with the value `c` it began with has found `c` in memory, so a load
//!   right before it gives `c`; and what a failing iteration has left is what a load in its place
//!   gives;
//! - a load of `v` followed by a success is, if the register held `v` anyway, that success alone, else
//!   a failing iteration in place of the load.
//!
//! For this every path that leaves must have found the register's value, every path that goes back
//! must not have and must change nothing else, and iterations must neither stop nor choose inputs.
//!
//! Cost: a walk per path, and at most `MAX_PATHS` of them.

use super::constants::Constants;
use super::flags::Flags;
use super::live::Live;
use super::loops::LoopInfo;
use super::pure::{Purities, Purity};
use super::symbolic::{LoopTerm, LoopTerms, PathFacts};
use ir::cfg::Cfg;
use ir::types::Scalar;
use ir::walk;
use ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Block visits in one loop that we are ready to make.
const MAX_PATHS: usize = 256;

/// What is known of a function before its loops are looked at.
pub struct FunctionShape<'a> {
    program: &'a Program,
    id: FuncId,
    function: &'a Function,
    purities: &'a Purities,
    flags: &'a Flags,
    cfg: Cfg,
    live: Live,
    constants: Constants,
}

/// What all paths through the body have in common.
pub struct Iteration {
    /// The most steps of a path that leaves which other threads could see apart.
    pub steps: u32,
    /// Every way out is outside of the atomic blocks that the body begins.
    pub closed: bool,
    /// A failing iteration may itself violate a property.
    pub tells: bool,
    /// What a failing iteration leaves changed: only good if each iteration begins with this load.
    pub reload: Option<InstKind>,
}

/// A register that a failing iteration has loaded anew.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Reload {
    reg: Reg,
    addr: LoopTerm,
    ty: Scalar,
}

/// A load in an atomic block.
#[derive(Clone, Copy)]
struct BlockLoad {
    addr: LoopTerm,
    ty: Scalar,
    value: LoopTerm,
}

impl BlockLoad {
    fn is_at(&self, addr: LoopTerm, ty: Scalar) -> bool {
        self.addr == addr && self.ty == ty
    }
}

/// A path on its way through the body.
#[derive(Clone, Default)]
struct PathWalker {
    path: PathFacts,
    effect: bool,
    steps: u32,
    /// In atomic blocks of the body.
    depth: u32,
    /// The only step so far is a load outside of atomic blocks.
    alone: Option<BlockLoad>,
    /// What atomic blocks have loaded before anything was stored.
    looked: Vec<BlockLoad>,
    /// What the present atomic block has loaded: address to value.
    loaded: FxHashMap<LoopTerm, LoopTerm>,
    /// Loaded values that are 0 or 1.
    flags: FxHashSet<LoopTerm>,
    /// Stores over a loaded value: no effect if both are equal.
    rewrites: Vec<(LoopTerm, LoopTerm)>,
}

impl<'a> FunctionShape<'a> {
    pub fn new(
        program: &'a Program,
        id: FuncId,
        purities: &'a Purities,
        flags: &'a Flags,
    ) -> FunctionShape<'a> {
        let function = &program.functions[id.index()];
        let cfg = Cfg::new(function);
        FunctionShape {
            program,
            id,
            function,
            purities,
            flags,
            live: Live::new(function, &cfg),
            constants: Constants::new(program, function),
            cfg,
        }
    }

    /// `None` if an iteration may change something.
    pub fn iteration(&self, info: &LoopInfo) -> Option<Iteration> {
        let mut terms = LoopTerms::new(self.program.machine);
        let mut iteration = Iteration { steps: 0, closed: true, tells: false, reload: None };
        let mut stack = vec![(info.head, PathWalker::default())];
        let mut paths = 0;
        let written = self.written(info);
        let (mut left, mut back) = (Vec::new(), Vec::new());
        while let Some((block, mut walker)) = stack.pop() {
            paths += 1;
            let block = &self.function.blocks[block.index()];
            for inst in &block.insts {
                iteration.tells |= tells(&inst.kind);
                self.step(&mut walker, &mut terms, &inst.kind)?;
            }
            for (next, walker) in branches(walker, &mut terms, &block.end) {
                if next == info.head {
                    back.push(self.change(info, &walker, &mut terms, &written)?);
                } else if info.body.binary_search(&next).is_ok() {
                    stack.push((next, walker));
                } else {
                    iteration.closed &= walker.depth == 0;
                    iteration.steps = iteration.steps.max(walker.visible_steps(&mut terms));
                    left.push(walker);
                }
            }
            if paths > MAX_PATHS {
                return None;
            }
        }
        if back.iter().any(Option::is_some) {
            iteration.reload = Some(self.reload(info, &back, &left, &mut terms)?);
        }
        Some(iteration)
    }

    /// The load that each iteration may begin with.
    fn reload(
        &self,
        info: &LoopInfo,
        back: &[Option<Reload>],
        left: &[PathWalker],
        terms: &mut LoopTerms,
    ) -> Option<InstKind> {
        let reload = (*back.first()?)?;
        let found = |walker: &PathWalker| {
            let initial = terms.initial(reload.reg);
            let mut looks = walker.looked.iter().filter(|l| l.is_at(reload.addr, reload.ty));
            walker.steps == 1 && looks.any(|look| walker.path.equal(terms, look.value, initial))
        };
        if back.iter().any(|b| *b != Some(reload)) || !left.iter().all(found) {
            return None;
        }
        let insts = || info.body.iter().flat_map(|b| &self.function.blocks[b.index()].insts);
        let defined: FxHashSet<Reg> = insts().filter_map(|i| walk::defined(&i.kind)).collect();
        let mut fixed = |addr: &Operand| match addr {
            Operand::Object { .. } => true,
            Operand::Reg(r) => !defined.contains(r) && terms.initial(*r) == reload.addr,
            _ => false,
        };
        let mut plain = |kind: &InstKind| match kind {
            InstKind::Assign { value: Rvalue::Binary { op, .. }, .. } => {
                !matches!(op, BinOp::Div | BinOp::Rem)
            }
            InstKind::Load { addr, .. } | InstKind::Store { addr, .. } => fixed(addr),
            InstKind::Assign { .. } | InstKind::AtomicBegin { .. } | InstKind::AtomicEnd => true,
            _ => false,
        };
        if !insts().all(|i| plain(&i.kind)) {
            return None;
        }
        insts().find_map(|i| match &i.kind {
            InstKind::Load { addr, ty, order, .. }
                if PathFacts::default().operand(terms, addr) == reload.addr && *ty == reload.ty =>
            {
                Some(InstKind::Load { dst: reload.reg, addr: *addr, ty: *ty, order: *order })
            }
            _ => None,
        })
    }

    /// Registers written in the loop whose value at the head matters.
    fn written(&self, info: &LoopInfo) -> Vec<Reg> {
        let live = self.live.at_start(info.head);
        let insts = info.body.iter().flat_map(|b| &self.function.blocks[b.index()].insts);
        let written: FxHashSet<Reg> = insts.filter_map(|i| walk::defined(&i.kind)).collect();
        written.into_iter().filter(|r| live.contains(r)).collect()
    }

    /// `None` if an atomic block ends that began before the loop.
    fn step(&self, walker: &mut PathWalker, terms: &mut LoopTerms, kind: &InstKind) -> Option<()> {
        let alone = walker.depth == 0;
        match kind {
            InstKind::AtomicBegin { .. } => {
                walker.steps += u32::from(alone);
                walker.depth += 1;
            }
            InstKind::AtomicEnd => {
                walker.depth = walker.depth.checked_sub(1)?;
                if walker.depth == 0 {
                    walker.loaded.clear();
                }
            }
            InstKind::Load { dst, addr, ty, .. } => {
                walker.steps += u32::from(alone);
                let flag = self.flags.at(self.program, self.id, addr, *ty);
                let addr = walker.path.operand(terms, addr);
                walker.path.inst(terms, self.function, kind);
                let value = walker.path.reg(terms, *dst);
                let look = BlockLoad { addr, ty: *ty, value };
                if alone {
                    walker.alone = (walker.steps == 1).then_some(look);
                } else {
                    walker.loaded.insert(addr, value);
                    if !walker.effect && walker.rewrites.is_empty() {
                        walker.looked.push(look);
                    }
                }
                if flag {
                    walker.flags.insert(value);
                }
                return Some(());
            }
            InstKind::Store { addr, value, .. } => {
                walker.steps += u32::from(alone);
                let addr = walker.path.operand(terms, addr);
                let value = walker.path.operand(terms, value);
                match walker.loaded.remove(&addr) {
                    Some(old) => walker.rewrites.push((old, value)),
                    None => walker.effect = true,
                }
                // The address may be another's too.
                walker.loaded.clear();
            }
            _ => match self.purities.inst(self.program, kind) {
                Purity::Silent => {}
                Purity::Reads => walker.steps += 2 * u32::from(alone),
                Purity::Effects => {
                    walker.steps += 2 * u32::from(alone);
                    walker.effect = true;
                }
            },
        }
        walker.path.inst(terms, self.function, kind);
        Some(())
    }

    /// What a path back to the head changes: nothing, or a register that it has loaded (in one step,
    /// finding something else than the register held). `None` if it changes more.
    fn change(
        &self,
        info: &LoopInfo,
        walker: &PathWalker,
        terms: &mut LoopTerms,
        written: &[Reg],
    ) -> Option<Option<Reload>> {
        let mut value = |term: LoopTerm| {
            let is_set =
                walker.flags.contains(&term) && walker.path.truth(terms, term) == Some(true);
            if is_set { Some(1) } else { walker.path.value(terms, term) }
        };
        let mut same = |(old, new): &(LoopTerm, LoopTerm)| {
            let values = value(*old).zip(value(*new));
            old == new || values.is_some_and(|(old, new)| old == new)
        };
        if walker.effect || walker.depth != 0 || !walker.rewrites.iter().all(&mut same) {
            return None;
        }
        let mut unchanged = |reg: &Reg| {
            let term = walker.path.reg(terms, *reg);
            let (program, function) = (self.program, self.function);
            let entry = || self.constants.on_entry(program, function, &self.cfg, info, *reg);
            let back_to_start = || match (walker.path.value(terms, term), entry()) {
                (Some(value), Some(Operand::Const { bits, .. })) => value == bits,
                _ => false,
            };
            back_to_start() || term == terms.initial(*reg)
        };
        let mut changed = written.iter().filter(|reg| !unchanged(reg));
        let Some(&reg) = changed.next() else { return Some(None) };
        if changed.next().is_some() || walker.steps != 1 {
            return None;
        }
        let (new, initial) = (walker.path.reg(terms, reg), terms.initial(reg));
        let look = walker.looked.iter().find(|look| look.value == new)?;
        let (addr, ty) = (look.addr, look.ty);
        let fits = self.function.regs[reg.index()].ty == ty;
        let found = walker.path.unequal(terms, new, initial);
        (fits && found).then_some(Some(Reload { reg, addr, ty }))
    }
}

impl PathWalker {
    /// A load and an atomic block that has found the same are one step.
    fn visible_steps(&self, terms: &mut LoopTerms) -> u32 {
        let mut same = |first: BlockLoad| {
            let mut looks = self.looked.iter().filter(|l| l.is_at(first.addr, first.ty));
            looks.any(|look| self.path.equal(terms, first.value, look.value))
        };
        match self.alone {
            Some(first) if self.steps == 2 && same(first) => 1,
            _ => self.steps,
        }
    }
}

/// May executing this violate a property other than unreach-call?
fn tells(kind: &InstKind) -> bool {
    match kind {
        InstKind::Load { addr, order, .. } | InstKind::Store { addr, order, .. } => {
            *order == MemoryOrder::Plain || !matches!(addr, Operand::Object { .. })
        }
        InstKind::Assign { value, .. } => match value {
            Rvalue::Unary { checked, .. } => *checked,
            Rvalue::Binary { op, checked, .. } => *checked || matches!(op, BinOp::Div | BinOp::Rem),
            _ => false,
        },
        InstKind::Call { .. } | InstKind::ObjectSize { .. } => true,
        _ => false,
    }
}

/// The ways on from the end of a block, without those that the path rules out.
fn branches(
    walker: PathWalker,
    terms: &mut LoopTerms,
    end: &Terminator,
) -> Vec<(BlockId, PathWalker)> {
    let ways = walker.path.branches(terms, end).into_iter();
    ways.map(|(to, path)| (to, PathWalker { path, ..walker.clone() })).collect()
}
