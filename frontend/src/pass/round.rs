//! One round of a loop without inner loops: does it change anything when it goes back to the head,
//! and in how many steps does it look?
//!
//! All paths through the body are walked, with `symbolic` ruling out those that cannot be. Cost: a
//! walk per path, and at most `MAX_PATHS` of them.

use super::cfg::Cfg;
use super::constants::Constants;
use super::flags::Flags;
use super::live::Live;
use super::loops::LoopInfo;
use super::pure::{Purities, Purity};
use super::symbolic::{Path, Term, Terms};
use super::walk;
use crate::ir::*;
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
pub struct Round {
    /// The most steps that other threads could see apart.
    pub steps: u32,
    /// Every way out is outside of the atomic blocks that the body begins.
    pub closed: bool,
    /// A failing round may itself violate a property.
    pub tells: bool,
}

/// A path on its way through the body.
#[derive(Clone, Default)]
struct Walker {
    path: Path,
    effect: bool,
    steps: u32,
    /// In atomic blocks of the body.
    depth: u32,
    /// What the present atomic block has loaded: address to value.
    loaded: FxHashMap<Term, Term>,
    /// Loaded values that are 0 or 1.
    flags: FxHashSet<Term>,
    /// Stores over a loaded value: no effect if both are equal.
    rewrites: Vec<(Term, Term)>,
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

    /// `None` if a round may change something.
    pub fn round(&self, info: &LoopInfo) -> Option<Round> {
        let mut terms = Terms::new(self.program.machine);
        let mut round = Round { steps: 0, closed: true, tells: false };
        let mut stack = vec![(info.head, Walker::default())];
        let mut paths = 0;
        let written = self.written(info);
        while let Some((block, mut walker)) = stack.pop() {
            paths += 1;
            let block = &self.function.blocks[block.index()];
            for inst in &block.insts {
                round.tells |= tells(&inst.kind);
                self.step(&mut walker, &mut terms, &inst.kind)?;
            }
            round.steps = round.steps.max(walker.steps);
            for (next, walker) in branches(walker, &mut terms, &block.end) {
                if next == info.head {
                    self.changes_nothing(info, &walker, &mut terms, &written)?;
                } else if info.body.binary_search(&next).is_ok() {
                    stack.push((next, walker));
                } else {
                    round.closed &= walker.depth == 0;
                }
            }
            if paths > MAX_PATHS {
                return None;
            }
        }
        Some(round)
    }

    /// Registers written in the loop whose value at the head matters.
    fn written(&self, info: &LoopInfo) -> Vec<Reg> {
        let live = self.live.at_start(info.head);
        let insts = info.body.iter().flat_map(|b| &self.function.blocks[b.index()].insts);
        let written: FxHashSet<Reg> = insts.filter_map(|i| walk::defined(&i.kind)).collect();
        written.into_iter().filter(|r| live.contains(r)).collect()
    }

    /// `None` if an atomic block ends that began before the loop.
    fn step(&self, walker: &mut Walker, terms: &mut Terms, kind: &InstKind) -> Option<()> {
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
                if !alone {
                    walker.loaded.insert(addr, value);
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

    fn changes_nothing(
        &self,
        info: &LoopInfo,
        walker: &Walker,
        terms: &mut Terms,
        written: &[Reg],
    ) -> Option<()> {
        let mut value = |term: Term| {
            let is_set =
                walker.flags.contains(&term) && walker.path.truth(terms, term) == Some(true);
            if is_set { Some(1) } else { walker.path.value(terms, term) }
        };
        let mut same = |(old, new): &(Term, Term)| {
            let values = value(*old).zip(value(*new));
            old == new || values.is_some_and(|(old, new)| old == new)
        };
        if walker.effect || walker.depth != 0 || !walker.rewrites.iter().all(&mut same) {
            return None;
        }
        let unchanged = |reg: &Reg| {
            let term = walker.path.reg(terms, *reg);
            let (program, function) = (self.program, self.function);
            let entry = || self.constants.on_entry(program, function, &self.cfg, info, *reg);
            let back_to_start = || match (walker.path.value(terms, term), entry()) {
                (Some(value), Some(Operand::Const { bits, .. })) => value == bits,
                _ => false,
            };
            back_to_start() || term == terms.initial(*reg)
        };
        written.iter().all(unchanged).then_some(())
    }
}

/// May executing this violate a property other than unreach-call?
fn tells(kind: &InstKind) -> bool {
    match kind {
        InstKind::Load { addr, order, .. } | InstKind::Store { addr, order, .. } => {
            *order == Order::Plain || !matches!(addr, Operand::Object { .. })
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
fn branches(walker: Walker, terms: &mut Terms, end: &Terminator) -> Vec<(BlockId, Walker)> {
    let mut ways = Vec::new();
    match end {
        Terminator::Goto(to) => ways.push((*to, walker)),
        Terminator::Branch { cond, then, otherwise } => {
            let cond = walker.path.operand(terms, cond);
            for (to, holds) in [(*then, true), (*otherwise, false)] {
                let mut next = walker.clone();
                if next.path.assume(terms, cond, holds) {
                    ways.push((to, next));
                }
            }
        }
        Terminator::Switch { value, cases, default } => {
            let value = walker.path.operand(terms, value);
            let mut rest = walker.clone();
            let mut rest_is_possible = true;
            for (bits, to) in cases {
                let mut next = walker.clone();
                if next.path.assume_equal(terms, value, *bits, true) {
                    ways.push((*to, next));
                }
                rest_is_possible &= rest.path.assume_equal(terms, value, *bits, false);
            }
            if rest_is_possible {
                ways.push((*default, rest));
            }
        }
        Terminator::Return(_) | Terminator::ExitThread(_) | Terminator::Stop(_) => {}
    }
    ways
}
