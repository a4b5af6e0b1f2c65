//! What a proof takes from sequential consistency.
//!
//! Engines interleave threads. C promises interleavings only to programs without data races whose
//! atomic accesses are all `seq_cst`; to others a machine may show more executions. A SAFE of such a
//! program is about the interleavings, and says so. An UNSAFE needs no such word: an interleaving is
//! an execution of every memory model.
//!
//! Two things count, in the user's code: atomic accesses with a weaker order (what models of the
//! library do inside stands for what the library promises), and races between accesses of which one
//! is plain, `volatile` or not. Fences make nothing weaker. Weaker accesses are counted in the text,
//! before the first thread starts only if they are not in the entry function. Races are looked for
//! in a few executions with the race monitor, so one that is told is real, and no program that
//! synchronises is blamed; that none was seen says nothing.
//!
//! Cost: a scan of the program, an analysis of pointers if it finds something; else, for proofs
//! about programs with threads, `MAX_STEPS` steps of the interpreter per schedule at most.

use crate::contract::{Answer, Property, Reason, Remark, Verdict};
use analysis::callgraph;
use analysis::escape::Shared;
use analysis::points_to::{Context, PointsTo};
use interp::{Config, Interp, RaceMonitor, State, StepResult, Tid};
use ir::MemoryModel;
use ir::{
    BlockId, Callee, FuncId, Function, Inst, InstKind, MemoryOrder, Operand, Origin, Program, Span,
};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Of one execution that is watched for races.
const MAX_STEPS: usize = 5_000;

/// Atomic accesses of the user's that are not `seq_cst`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weaker {
    pub count: usize,
    pub first: Span,
}

/// Needs: the program as it was written, before loops are collapsed.
pub fn weaker(program: &Program) -> Option<Weaker> {
    let users = program.functions.iter().filter(|f| f.origin == Origin::User);
    let mut insts = users.flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
    if !insts.any(|inst| weak_address(inst).is_some()) {
        return None;
    }
    let points_to = PointsTo::new(program, Context::Insensitive);
    let calls = Calls { program, points_to: &points_to };
    let runs = calls.reached(program.entry);
    if !runs.iter().any(|f| starts_directly(&program.functions[f.index()])) {
        return None;
    }
    let shared = Shared::new(program, &points_to);
    let mut places = BTreeSet::new();
    for &id in &runs {
        let function = &program.functions[id.index()];
        if function.origin != Origin::User {
            continue;
        }
        let alone = if id == program.entry { calls.alone() } else { FxHashSet::default() };
        for (b, block) in function.blocks.iter().enumerate() {
            for (n, inst) in block.insts.iter().enumerate() {
                let met = |addr| shared.address(&points_to, id, addr);
                if weak_address(inst).is_some_and(met) && !alone.contains(&(b, n)) {
                    places.insert(inst.span);
                }
            }
        }
    }
    Some(Weaker { count: places.len(), first: *places.first()? })
}

/// What orders accesses on machines, and no rule of C makes compilers keep it.
pub const DEPENDENCIES: &str =
    "what is computed from a relaxed load depends on it in the machine code as in the source";

/// What compilers choose by the processor that they are told to compile for.
pub const LDAR: &str = "acquire loads are LDAR on Armv8; where they are LDAPR (-march=armv8.3-a), \
                        --target armv8-rcpc asks about that";

/// Of the user's: what is behind an acquire load needs no dependency.
pub fn first_relaxed_load(program: &Program) -> Option<Span> {
    first_load(program, |order| order != MemoryOrder::Plain && !order.acquires())
}

pub fn first_acquire_load(program: &Program) -> Option<Span> {
    first_load(program, |order| order == MemoryOrder::Acquire)
}

/// Of the user's, in the order of the text.
fn first_load(program: &Program, has: impl Fn(MemoryOrder) -> bool) -> Option<Span> {
    let users = program.functions.iter().filter(|f| f.origin == Origin::User);
    let insts = users.flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
    let wanted = |inst: &&Inst| matches!(&inst.kind, InstKind::Load { order, .. } if has(*order));
    insts.filter(wanted).map(|inst| inst.span).min()
}

fn weak_address(inst: &Inst) -> Option<&Operand> {
    match &inst.kind {
        InstKind::Load { addr, order, .. } | InstKind::Store { addr, order, .. } => {
            let weak = !matches!(order, MemoryOrder::Plain | MemoryOrder::SeqCst);
            weak.then_some(addr)
        }
        _ => None,
    }
}

fn starts_directly(function: &Function) -> bool {
    let mut insts = function.blocks.iter().flat_map(|b| &b.insts);
    insts.any(|inst| matches!(inst.kind, InstKind::Spawn { .. }))
}

struct Calls<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
}

impl Calls<'_> {
    /// What an instruction calls or starts.
    fn callees(&self, caller: FuncId, inst: &Inst) -> Vec<FuncId> {
        let pointer = match &inst.kind {
            InstKind::Call { callee: Callee::Direct(f), .. } => return vec![*f],
            InstKind::Call { callee: Callee::Indirect(pointer), .. } => pointer,
            InstKind::Spawn { function, .. } => function,
            _ => return Vec::new(),
        };
        callgraph::functions(self.program, self.points_to, caller, pointer)
    }

    fn reached(&self, from: FuncId) -> FxHashSet<FuncId> {
        let mut reached = FxHashSet::default();
        let mut open = vec![from];
        while let Some(id) = open.pop() {
            if reached.insert(id) {
                let blocks = &self.program.functions[id.index()].blocks;
                open.extend(blocks.iter().flat_map(|b| &b.insts).flat_map(|i| self.callees(id, i)));
            }
        }
        reached
    }

    /// The instructions of the entry function, by block and number, that only run before any other
    /// thread does.
    fn alone(&self) -> FxHashSet<(usize, usize)> {
        let entry = self.program.entry;
        let function = &self.program.functions[entry.index()];
        let starts = |f: &FuncId| starts_directly(&self.program.functions[f.index()]);
        let may_start = |inst: &Inst| {
            matches!(inst.kind, InstKind::Spawn { .. })
                || self.callees(entry, inst).iter().any(|&f| self.reached(f).iter().any(starts))
        };
        let mut alone = FxHashSet::default();
        let mut behind: Vec<BlockId> = Vec::new();
        for (b, block) in function.blocks.iter().enumerate() {
            let start = block.insts.iter().position(may_start);
            alone.extend((0..start.unwrap_or(block.insts.len())).map(|n| (b, n)));
            behind.extend(start.iter().flat_map(|_| block.end.successors()));
        }
        let mut seen = FxHashSet::default();
        while let Some(block) = behind.pop() {
            if seen.insert(block) {
                alone.retain(|(b, _)| *b != block.index());
                behind.extend(function.blocks[block.index()].end.successors());
            }
        }
        alone
    }
}

/// How the threads of an execution take turns.
#[derive(Clone, Copy)]
struct Turns {
    /// Steps of a thread before the next one has its turn.
    length: usize,
    newest_first: bool,
}

const SCHEDULES: [Turns; 3] = [
    Turns { length: MAX_STEPS, newest_first: false },
    Turns { length: MAX_STEPS, newest_first: true },
    Turns { length: 7, newest_first: false },
];

/// Where a race happens in one of a few executions.
pub fn race(program: &Program) -> Option<Span> {
    if !program.functions.iter().any(starts_directly) {
        return None;
    }
    let interp = Interp::new(program, Config { eager_inputs: true, ..Config::default() }).ok()?;
    SCHEDULES.iter().find_map(|turns| race_in(&interp, *turns))
}

fn race_in(interp: &Interp<'_>, turns: Turns) -> Option<Span> {
    let mut state = interp.initial();
    let mut monitor = RaceMonitor::new();
    let mut left = MAX_STEPS;
    loop {
        let mut running: Vec<Tid> = state.running().collect();
        if turns.newest_first {
            running.reverse();
        }
        let before = left;
        for thread in running {
            for _ in 0..turns.length.min(left) {
                let place = place(interp, &state, thread);
                let result = interp.step(&mut state, thread, &mut interp::First, &mut monitor);
                if monitor.race().is_some() {
                    return Some(place);
                }
                match result {
                    StepResult::Ran => left -= 1,
                    StepResult::Blocked => break,
                    StepResult::Ended | StepResult::Stopped { .. } => {
                        left -= 1;
                        break;
                    }
                    _ => return None,
                }
            }
        }
        if left == before || left == 0 {
            return None;
        }
    }
}

fn place(interp: &Interp<'_>, state: &State, thread: Tid) -> Span {
    interp.caller_of_model(state, thread).map_or(interp.span(state, thread), |(_, span)| span)
}

/// What is assumed where the program has more executions than its interleavings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    Weaker(Weaker),
    Race(Span),
}

/// Says on what a proof rests, unless it is said already.
pub fn assume(verdict: &mut Verdict, cause: Cause, model: MemoryModel) {
    let opening = opening(model);
    let said = verdict.assumptions.iter().any(|remark| remark.text.starts_with(&opening));
    if said || !matches!(verdict.answer, Answer::Safe | Answer::Bounded { .. }) {
        return;
    }
    let (what, span) = match cause {
        Cause::Weaker(Weaker { count: 1, first }) => ("1 access is weaker".into(), first),
        Cause::Weaker(Weaker { count, first }) => {
            (format!("{count} accesses are weaker, first here"), first)
        }
        Cause::Race(span) => ("there is a data race here".into(), span),
    };
    verdict.assumptions.push(Remark::new(opening + &what, span));
}

/// The program's own model has an answer of its own.
pub fn settle(verdict: &mut Verdict, model: MemoryModel) {
    let opening = opening(model);
    verdict.assumptions.retain(|remark| !remark.text.starts_with(&opening));
}

fn opening(model: MemoryModel) -> String {
    format!("holds under {}; ", model.title())
}

/// A race that was found on the way is a cause for what was proven before.
pub fn learn(verdicts: &mut [&mut Verdict], model: MemoryModel) {
    let race = verdicts.iter().find_map(|verdict| match &**verdict {
        Verdict { property: Property::NoDataRace, answer: Answer::Unsafe(v), .. } => Some(v.span),
        _ => None,
    });
    let Some(span) = race else { return };
    for verdict in verdicts {
        assume(verdict, Cause::Race(span), model);
    }
}

/// `--strict`: what rests on an assumption is not known.
pub fn be_strict(verdict: &mut Verdict) {
    if !verdict.assumptions.is_empty() {
        let text = "something had to be assumed, which --strict does not allow";
        verdict.answer = Answer::Unknown(Reason::Other(text.into()));
    }
}
