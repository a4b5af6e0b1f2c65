//! Spin loops: a loop that only looks until something changes becomes one look.
//!
//! If a round that goes back to the head has changed nothing, executions without that round are as
//! good as those with it, so it is enough to follow the round that leaves: the jump back is replaced
//! by a block that lets the thread stop there for good. Every execution that is left is one of the
//! original (the thread was just not scheduled again), and every violation of a safety property
//! that was possible is still possible. Deadlock is no safety property of this kind: a thread that
//! spins for ever is not blocked. Do not use this pass for no-deadlock.
//!
//! Two forms. `Assume(0)` on the way back: the loads of the round stay separate, so other threads
//! may run between them. If the round is a single indivisible step anyway (one load, or one atomic
//! block such as a compare-and-exchange), the loop becomes an atomic block with `Wait(0)` on the way
//! back: the thread is then blocked instead of dead, which engines like better.
//!
//! A round has changed nothing if on every path back to the head that the path's own branches allow
//! (see `symbolic`) there is no effect, and every register that the head or what follows may read
//! has the value that it had when the loop was entered.

use super::cfg::Cfg;
use super::constants::Constants;
use super::live::Live;
use super::loops::{self, LoopInfo, LoopKind};
use super::pure::{Purities, Purity};
use super::symbolic::{Path, Term, Terms};
use super::{atomic, walk};
use crate::ir::*;
use crate::types::Scalar;
use rustc_hash::{FxHashMap, FxHashSet};

/// Paths through one loop body that we are ready to look at.
const MAX_PATHS: usize = 256;

/// What the failing rounds may still be needed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Only unreach-call: what a failing round reads does not matter.
    Reachability,
    /// Also data races, memory safety and overflow, which a failing round may itself violate.
    AnySafety,
}

/// Collapses all spin loops; gives their number.
pub fn collapse(program: &mut Program, goal: Goal) -> usize {
    let purities = Purities::new(program);
    let inside = atomic::called_inside(program);
    let mut count = 0;
    for (i, inside) in inside.into_iter().enumerate() {
        // Collapsing a loop may make the one around it an innermost one.
        while let Some((info, form)) = find(program, FuncId(i as u32), &purities, inside, goal) {
            apply(&mut program.functions[i], &info, form);
            count += 1;
        }
    }
    count
}

/// How the way back is closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Assume,
    Wait,
}

/// The first spin loop of a function.
fn find(
    program: &Program,
    id: FuncId,
    purities: &Purities,
    called_inside: bool,
    goal: Goal,
) -> Option<(LoopInfo, Form)> {
    let function = &program.functions[id.index()];
    let found = loops::loops_of(function, id);
    let has_inner = |i: usize| found.iter().any(|l| l.parent == Some(i));
    let innermost = |(i, l): &(usize, &LoopInfo)| l.kind == LoopKind::Natural && !has_inner(*i);
    let mut candidates = found.iter().enumerate().filter(innermost).peekable();
    candidates.peek()?;
    let cfg = Cfg::new(function);
    let shape = FunctionShape {
        program,
        function,
        purities,
        live: Live::new(function, &cfg),
        constants: Constants::new(program, function),
        depths: atomic::Depths::new(function, |_| {}),
        cfg,
    };
    candidates.find_map(|(_, info)| {
        let round = shape.round(info)?;
        let outermost = !called_inside && shape.depths.at(info.head) == Some(0);
        let quiet = goal == Goal::Reachability || !round.tells;
        let one_step = round.steps == 1 && round.closed && info.head.0 != 0;
        let form = if outermost && quiet && one_step { Form::Wait } else { Form::Assume };
        Some((info.clone(), form))
    })
}

struct FunctionShape<'a> {
    program: &'a Program,
    function: &'a Function,
    purities: &'a Purities,
    cfg: Cfg,
    live: Live,
    constants: Constants,
    depths: atomic::Depths,
}

/// What all paths through the body have in common.
struct Round {
    /// The most steps that other threads could see apart.
    steps: u32,
    /// Every way out is outside of the atomic blocks that the body begins.
    closed: bool,
    /// A failing round may itself violate a property.
    tells: bool,
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
    /// Stores over a loaded value: no effect if both are equal.
    rewrites: Vec<(Term, Term)>,
}

impl FunctionShape<'_> {
    /// `None` if a round may change something.
    fn round(&self, info: &LoopInfo) -> Option<Round> {
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
            InstKind::Load { dst, addr, .. } => {
                walker.steps += u32::from(alone);
                let addr = walker.path.operand(terms, addr);
                walker.path.inst(terms, self.function, kind);
                if !alone {
                    let value = walker.path.reg(terms, *dst);
                    walker.loaded.insert(addr, value);
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
        let same = |(old, new): &(Term, Term)| {
            let values = walker.path.value(terms, *old).zip(walker.path.value(terms, *new));
            old == new || values.is_some_and(|(old, new)| old == new)
        };
        if walker.effect || walker.depth != 0 || !walker.rewrites.iter().all(same) {
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

fn apply(function: &mut Function, info: &LoopInfo, form: Form) {
    let span = info.span;
    let inside = |b: usize| info.body.binary_search(&BlockId(b as u32)).is_ok();
    let old = function.blocks.len();
    let blocks = &mut function.blocks;
    let add = |blocks: &mut Vec<Block>, kind: InstKind, end: Terminator| {
        blocks.push(Block { insts: vec![Inst { kind, span }], end, end_span: span });
        BlockId(blocks.len() as u32 - 1)
    };
    let zero = Operand::Const { bits: 0, ty: Scalar::I32 };
    let dead_end = Terminator::Stop(Stop::Unreachable);
    let back = match form {
        Form::Assume => add(blocks, InstKind::Assume(zero), dead_end),
        Form::Wait => add(blocks, InstKind::Wait(zero), dead_end),
    };
    let begin = InstKind::AtomicBegin { kind: AtomicKind::Internal };
    let enter = match form {
        Form::Assume => info.head,
        Form::Wait => add(blocks, begin, Terminator::Goto(info.head)),
    };
    let mut leave: FxHashMap<BlockId, BlockId> = FxHashMap::default();
    for b in 0..old {
        let mut end = blocks[b].end.clone();
        for target in walk::targets_mut(&mut end) {
            *target = match (inside(b), *target == info.head) {
                (true, true) => back,
                (false, true) => enter,
                (true, false) if form == Form::Wait && !inside(target.index()) => *leave
                    .entry(*target)
                    .or_insert_with(|| add(blocks, InstKind::AtomicEnd, Terminator::Goto(*target))),
                _ => *target,
            };
        }
        blocks[b].end = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::parse;
    use crate::{print, verify};

    fn collapsed(text: &str, goal: Goal) -> (usize, String) {
        let mut p = parse(text);
        let count = collapse(&mut p, goal);
        assert_eq!(verify::program(&p), []);
        let text = print::program(&p);
        if count > 0 {
            assert!(loops::loops(&p).is_empty(), "{text}");
        }
        (count, text)
    }

    fn body(lines: &str) -> String {
        format!(
            "global x
             global y
             global l
             fn yield() {{
             a: ret 0
             }}
             fn change() {{
             a: store @y 1
             ret 0
             }}
             fn main(n) {{
             a: e = 0
             r = 7
             goto h
             {lines}
             o: ret r
             }}"
        )
    }

    fn check(lines: &str) -> &'static str {
        let (count, text) = collapsed(&body(lines), Goal::Reachability);
        match (count, text.contains("wait 0"), text.contains("assume 0")) {
            (0, false, false) => "kept",
            (1, true, false) => "wait",
            (1, false, true) => "assume",
            _ => panic!("{text}"),
        }
    }

    #[test]
    fn one_load_waits() {
        assert_eq!(
            check(
                "h: t = load @x
if t o h"
            ),
            "wait"
        );
        assert_eq!(
            check(
                "h: t = load @x
c = t == 0
if c b o
b: u = call yield()
goto h"
            ),
            "wait"
        );
    }

    #[test]
    fn several_loads_stay_apart() {
        let peterson = "h: t = load @x
if t b o
b: u = load @y
c = u == 1
if c h o";
        assert_eq!(check(peterson), "assume");
    }

    #[test]
    fn inputs_are_chosen_anew_in_each_round() {
        assert_eq!(check("h: t = load @x\nu = nondet\nc = t == u\nif c o h"), "assume");
    }

    #[test]
    fn effects_keep_the_loop() {
        assert_eq!(
            check(
                "h: t = load @x
if t o b
b: store @y 1
goto h"
            ),
            "kept"
        );
        assert_eq!(
            check(
                "h: t = load @x
if t o b
b: u = call change()
goto h"
            ),
            "kept"
        );
        assert_eq!(
            check(
                "h: t = load @x
if t o b
b: live $s
goto h"
            ),
            "kept"
        );
    }

    #[test]
    fn registers_that_matter_keep_the_loop() {
        assert_eq!(
            check(
                "h: t = load @x
if t o b
b: n = n + 1
r = n
goto h"
            ),
            "kept"
        );
        assert_eq!(
            check(
                "h: t = load @x
if t o b
b: r = 5
goto h"
            ),
            "kept"
        );
        // The last value is the one that was loaded in the round that leaves.
        assert_eq!(
            check(
                "h: r = load @x
if r o h"
            ),
            "wait"
        );
        // Set to what it was before.
        assert_eq!(
            check(
                "h: t = load @x
if t o b
b: r = 7
goto h"
            ),
            "wait"
        );
    }

    #[test]
    fn compare_and_exchange() {
        let cas = "h: begin
             old = load_sc @l
             ok = old == 0
             if ok s f
             s: store_sc @l 1
             goto j
             f: e = old
             goto j
             j: end
             no = ok == 0";
        assert_eq!(
            check(&format!(
                "{cas}
if no b o
b: e = 0
goto h"
            )),
            "wait"
        );
        // Leaves by failing: then succeeding goes back, and has stored.
        assert_eq!(
            check(&format!(
                "{cas}
if no o b
b: goto h"
            )),
            "kept"
        );
        // `expected` is not reset, but nobody reads it.
        assert_eq!(
            check(&format!(
                "{cas}
if no h o"
            )),
            "wait"
        );
        // `expected` matters after the loop.
        assert_eq!(
            check(&format!(
                "{cas}
if no b o
b: r = e
goto h"
            )),
            "kept"
        );
    }

    #[test]
    fn by_the_old_value() {
        let exchange = |value: &str| {
            format!(
                "h: begin
                 old = load_sc @l
                 store_sc @l {value}
                 end
                 c = old == 1
                 if c h o"
            )
        };
        assert_eq!(check(&exchange("1")), "wait", "1 over 1 changes nothing");
        assert_eq!(check(&exchange("2")), "kept");
    }

    #[test]
    fn failing_rounds_may_matter() {
        let plain = body(
            "h: t = load @x
if t o h",
        );
        let (_, text) = collapsed(&plain, Goal::AnySafety);
        assert!(text.contains("assume 0"), "a failing read may race: {text}");
        let (_, text) = collapsed(&plain.replace("load @x", "load_sc @x"), Goal::AnySafety);
        assert!(text.contains("wait 0"), "{text}");
    }

    #[test]
    fn inside_an_atomic_block_nothing_waits() {
        assert_eq!(
            check(
                "h: begin
goto i
i: t = load @x
if t j i
j: end
goto o"
            ),
            "assume"
        );
    }

    #[test]
    fn outer_loops_follow() {
        let nested = "h: t = load @x
if t o i
i: u = load @y
if u h i";
        let (count, text) = collapsed(&body(nested), Goal::Reachability);
        assert_eq!(count, 2, "{text}");
    }
}
