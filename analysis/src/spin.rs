//! Spin loops: a loop that only looks until something changes becomes one look.
//!
//! If an iteration that goes back to the head has changed nothing, executions without that iteration
//! are as good as those with it, so it is enough to follow the iteration that leaves: the jump back
//! is replaced by a block that lets the thread stop there for good. Every execution that is left is
//! one of the original (the thread was just not scheduled again), and every violation of a safety
//! property that was possible is still possible.
//!
//! In a deadlock every thread has ended or is blocked, so each has left the spin loops that it came to, and
//! the iterations that failed can be left out as well. But a thread that spins for ever is not blocked: for
//! no-deadlock (`Goal::Deadlock`) the path back is always an assumption that fails, and no deadlock is told of
//! executions in which one did.
//!
//! For no-livelock a thread that spins for ever is what is looked for. A loop that becomes a wait is
//! left in the same executions, so the thread spins for ever exactly where it waits for ever; `waits`
//! tells such a wait from those of locks. Loops of the other form stay loops, and so do those without
//! a way out (`exits`): they are meant to run for ever.
//!
//! Two forms. `Assume(0)` on the path back: the loads of the iteration stay separate, so other threads
//! may run between them. If the iteration is a single indivisible step anyway (one load, or one atomic
//! block such as a compare-and-exchange), the loop becomes an atomic block with `Wait(0)` on the way
//! back: the thread is then blocked instead of dead, which engines like better.
//!
//! **Races with what comes behind.** A plain access of a failing iteration may race with one that another thread
//! makes only when it has seen, without synchronising, what this thread does behind the loop. So where
//! threads learn of each other without synchronising (`Goal::Unordered`), a loop with such accesses keeps its
//! first iteration: it may fail and go on, and all other failing ones are left out. That is enough for any
//! one access.
//!
//! An iteration has changed nothing if on every path back to the head that the path's own branches allow
//! (see `iteration`) there is no effect, and every register that the head or what follows may read
//! has the value that it had when the loop was entered. A compare-and-exchange that reloads what it
//! expects when it fails changes a register; `iteration` tells when each iteration may begin with a
//! load instead, and then the whole loop is one step, too.

use super::exits;
use super::flags::Flags;
use super::iteration::FunctionShape;
use super::loops::{self, LoopInfo, LoopKind};
use super::plain::Plain;
use super::pure::Purities;
use ir::cfg::Cfg;
use ir::memory_model::Guarantee;
use ir::types::Scalar;
use ir::*;
use ir::{atomic, walk};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the failing iterations may still be needed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Only unreach-call: what a failing iteration reads does not matter.
    Reachability,
    /// Also data races, memory safety and overflow, which a failing iteration may itself violate.
    AnySafety,
    /// The same where a failing iteration may race with what others do behind the loop's end.
    Unordered,
    /// All threads blocked: one that spins is not.
    Deadlock,
    /// Who spins for ever: loops must not be left by a path that ends in between.
    Livelock,
}

impl Goal {
    /// `None` keeps spin loops.
    pub fn of(property: Property) -> Option<Goal> {
        match property {
            Property::UnreachCall => Some(Goal::Reachability),
            Property::NoDataRace | Property::ValidMemsafety | Property::NoOverflow => {
                Some(Goal::AnySafety)
            }
            Property::NoDeadlock => Some(Goal::Deadlock),
            // An iteration that changes nothing may read what no interleaving shows.
            Property::Robust => None,
            Property::NoLivelock => Some(Goal::Livelock),
        }
    }
}

/// An iteration that changes nothing is left out: other accesses of the thread keep their order, and
/// what it would have read, a later iteration reads.
pub const ASSUMES: &[Guarantee] = &[Guarantee::ProgramOrder, Guarantee::Coherence];

/// Collapses all spin loops; gives their number.
pub fn collapse(program: &mut Program, goal: Goal) -> usize {
    if !program.functions.iter().any(may_loop) {
        return 0;
    }
    let purities = Purities::new(program);
    let flags = Flags::new(program);
    let plain = matches!(goal, Goal::AnySafety | Goal::Unordered).then(|| Plain::new(program));
    let inside = atomic::called_inside(program);
    let mut count = 0;
    for (i, inside) in inside.into_iter().enumerate() {
        // Collapsing a loop may make the one around it an innermost one.
        while let Some((info, form)) =
            find(program, FuncId(i as u32), &purities, &flags, inside, (goal, plain.as_ref()))
        {
            let back = match form {
                Form::Block | Form::Load(_) if goal != Goal::Deadlock => InstKind::Wait(NEVER),
                _ => InstKind::Assume(NEVER),
            };
            apply(&mut program.functions[i], &info, form, back);
            count += 1;
        }
    }
    count
}

/// Every cycle has an edge that does not lead to a later block.
fn may_loop(function: &Function) -> bool {
    let mut blocks = function.blocks.iter().enumerate();
    blocks.any(|(i, block)| block.end.successors().iter().any(|to| to.index() <= i))
}

/// Is this the wait of a spin loop that was collapsed?
pub fn waits(block: &Block, index: usize) -> bool {
    let last = index + 1 == block.insts.len();
    let never = |inst: &Inst| matches!(inst.kind, InstKind::Wait(Operand::Const { bits: 0, .. }));
    let stops = block.end == Terminator::Stop(Stop::Unreachable);
    last && stops && block.insts.get(index).is_some_and(never)
}

/// Does the atomic block that begins here wait as a spin loop does, and not for a lock?
pub fn begins_spin(function: &Function, block: BlockId, index: usize) -> bool {
    let start = &function.blocks[block.index()];
    let begins =
        |inst: &Inst| matches!(inst.kind, InstKind::AtomicBegin { kind: AtomicKind::Internal });
    if !start.insts.get(index).is_some_and(begins) {
        return false;
    }
    let (mut todo, mut seen) = (vec![(block, index + 1, 1u32)], FxHashSet::default());
    let mut spins = false;
    while let Some((block, from, mut depth)) = todo.pop() {
        let block = &function.blocks[block.index()];
        for (i, inst) in block.insts.iter().enumerate().skip(from) {
            match inst.kind {
                InstKind::AtomicBegin { .. } => depth += 1,
                InstKind::AtomicEnd => depth = depth.saturating_sub(1),
                InstKind::Wait(_) if waits(block, i) => spins = true,
                InstKind::Wait(_) | InstKind::Join { .. } => return false,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        if depth > 0 {
            let next = block.end.successors().into_iter().filter(|b| seen.insert(*b));
            todo.extend(next.map(|b| (b, 0, depth)));
        }
    }
    spins
}

const NEVER: Operand = Operand::Const { bits: 0, ty: Scalar::I32 };

/// What becomes of the iteration.
#[derive(Clone, PartialEq, Debug)]
enum Form {
    /// Steps as before: others may run between them.
    Steps,
    /// As `Steps`, behind a first iteration that may fail.
    Second,
    /// One atomic block.
    Block,
    /// One atomic block, behind this load.
    Load(InstKind),
}

/// The first spin loop of a function.
fn find(
    program: &Program,
    id: FuncId,
    purities: &Purities,
    flags: &Flags,
    called_inside: bool,
    (goal, plain): (Goal, Option<&Plain>), // `Plain` for races
) -> Option<(LoopInfo, Form)> {
    let function = &program.functions[id.index()];
    let found = loops::loops_of(function, id);
    let has_inner = |i: usize| found.iter().any(|l| l.parent == Some(i));
    let innermost = |(i, l): &(usize, &LoopInfo)| l.kind == LoopKind::Natural && !has_inner(*i);
    let mut candidates = found.iter().enumerate().filter(innermost).peekable();
    candidates.peek()?;
    let shape = FunctionShape::new(program, id, purities, flags);
    let depths = atomic::Depths::new(function, |_| {});
    candidates.find_map(|(_, info)| {
        let blocks = || info.body.iter().map(|b| &function.blocks[b.index()]);
        let steady = || blocks().flat_map(|b| &b.insts).all(|i| is_steady(program, &i.kind, 0));
        if goal == Goal::Livelock && !(exits::has_way_out(function, info) && steady()) {
            return None;
        }
        let iteration = shape.iteration(info)?;
        let outermost = !called_inside && depths.at(info.head) == Some(0);
        let mut insts = blocks().flat_map(|b| &b.insts);
        let calls = |kind: &InstKind| matches!(kind, InstKind::Call { .. });
        let mut touches = |plain: &Plain| insts.any(|i| plain.touched(&i.kind) || calls(&i.kind));
        let touches = plain.is_some_and(&mut touches);
        // A failing iteration of a `Block` is invisible: not if it could race.
        let quiet = plain.is_none() || !(iteration.tells || touches);
        let one_step = iteration.steps == 1 && iteration.closed && info.head.0 != 0;
        let form = match (outermost && quiet && one_step, iteration.reload) {
            (true, None) => Form::Block,
            (false, None) if goal == Goal::Livelock => return None,
            (false, None) if goal == Goal::Unordered && touches => {
                (info.head.0 != 0).then_some(Form::Second)?
            }
            (false, None) => Form::Steps,
            // The values of failing iterations are not the same ones: some may overflow.
            (true, Some(load)) if plain.is_none() => Form::Load(load),
            (_, Some(_)) => return None,
        };
        Some((info.clone(), form))
    })
}

/// Calls that are followed.
const MAX_DEPTH: u32 = 4;

/// Does a failing iteration with this always come back to the head, whatever the inputs are?
fn is_steady(program: &Program, kind: &InstKind, depth: u32) -> bool {
    match kind {
        InstKind::Assume(_)
        | InstKind::Wait(_)
        | InstKind::Nondet { .. }
        | InstKind::Join { .. }
        | InstKind::Call { callee: Callee::Indirect(_), .. } => false,
        InstKind::Call { callee: Callee::Direct(f), dst, .. } => {
            let callee = &program.functions[f.index()];
            let insts = || callee.blocks.iter().flat_map(|b| &b.insts);
            let steady = |i: &Inst| is_steady(program, &i.kind, depth + 1);
            let straight = || depth < MAX_DEPTH && !Cfg::new(callee).has_cycle();
            if callee.has_body() { straight() && insts().all(steady) } else { dst.is_none() }
        }
        _ => true,
    }
}

/// A copy of the body before the loop: who enters the loop enters the copy, and what goes back there goes to
/// the loop.
fn peel(function: &mut Function, info: &LoopInfo) {
    let old = function.blocks.len() as u32;
    let copy = |b: BlockId| match info.body.binary_search(&b) {
        Ok(at) => BlockId(old + at as u32),
        Err(_) => b,
    };
    let copies: Vec<Block> = info
        .body
        .iter()
        .map(|b| {
            let mut block = function.blocks[b.index()].clone();
            let on = |t: &mut BlockId| *t = if *t == info.head { *t } else { copy(*t) };
            walk::targets_mut(&mut block.end).into_iter().for_each(on);
            block
        })
        .collect();
    for (b, block) in function.blocks.iter_mut().enumerate() {
        if info.body.binary_search(&BlockId(b as u32)).is_err() {
            let enters = walk::targets_mut(&mut block.end).into_iter().filter(|t| **t == info.head);
            enters.for_each(|t| *t = copy(*t));
        }
    }
    function.blocks.extend(copies);
}

/// Closes the way back by `back`.
fn apply(function: &mut Function, info: &LoopInfo, form: Form, back: InstKind) {
    if form == Form::Second {
        peel(function, info);
        return apply(function, info, Form::Steps, back);
    }
    let at = At { span: info.span, ..function.blocks[info.head.index()].at(0) };
    let inside = |b: usize| info.body.binary_search(&BlockId(b as u32)).is_ok();
    let old = function.blocks.len();
    let blocks = &mut function.blocks;
    blocks[info.head.index()].head_of = None;
    let add = |blocks: &mut Vec<Block>, kind: InstKind, end: Terminator| {
        blocks.push(Block::new(vec![Inst::new(kind, at)], end, at));
        BlockId(blocks.len() as u32 - 1)
    };
    let dead_end = Terminator::Stop(Stop::Unreachable);
    let atomic = form != Form::Steps;
    let back = add(blocks, back, dead_end);
    let begin = InstKind::AtomicBegin { kind: AtomicKind::Internal };
    let enter = match form {
        Form::Steps | Form::Second => info.head,
        Form::Block => add(blocks, begin, Terminator::Goto(info.head)),
        Form::Load(load) => {
            let look = add(blocks, load, Terminator::Goto(info.head));
            add(blocks, begin, Terminator::Goto(look))
        }
    };
    let mut leave: FxHashMap<BlockId, BlockId> = FxHashMap::default();
    for b in 0..old {
        let mut end = blocks[b].end.clone();
        for target in walk::targets_mut(&mut end) {
            *target = match (inside(b), *target == info.head) {
                (true, true) => back,
                (false, true) => enter,
                (true, false) if atomic && !inside(target.index()) => *leave
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
    use ir::testing::parse;
    use ir::{print, verify};

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
    fn the_first_iteration_stays_where_it_may_race_with_what_comes_behind() {
        let loop_ = "h: t = load @x\nif t o b\nb: u = load @y\nc = u == 5\nif c o h";
        let text = body(loop_);
        let loads = |text: &str| text.matches("load").count();
        let (count, once) = collapsed(&text, Goal::AnySafety);
        assert_eq!((count, loads(&once)), (1, 2), "{once}");
        let (count, twice) = collapsed(&text, Goal::Unordered);
        assert_eq!((count, loads(&twice)), (1, 4), "{twice}");
        assert_eq!(twice.matches("assume 0").count(), 1, "{twice}");
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
        // The last value is the one that was loaded in the iteration that leaves.
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
        // `expected` is not reset, but it is not read.
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

    /// `old = x; CAS(&x, old, old + 1)`, with something in between.
    fn look_and_exchange(between: &str, address: &str) -> String {
        format!(
            "h: r = load_sc {address}
             {between}
             n = r + 1
             begin
             t = load_sc @l
             ok = t == r
             if ok s j
             s: store_sc @l n
             goto j
             j: end
             if ok o h"
        )
    }

    #[test]
    fn a_look_and_an_exchange_of_the_same_are_one_step() {
        assert_eq!(check(&look_and_exchange("", "@l")), "wait");
        assert_eq!(check(&look_and_exchange("", "@x")), "assume", "another address");
        assert_eq!(check(&look_and_exchange("u = load @y", "@l")), "assume", "a step between");
        let exact = look_and_exchange("", "@l").replace("t == r", "t == 5");
        assert_eq!(check(&exact), "assume", "it may have found something else");
        // Leaves also if it fails.
        let once = look_and_exchange("", "@l").replace("if ok o h", "if n o h");
        assert_eq!(check(&once), "kept");
    }

    /// `r` is what the exchange expects; one that fails puts there what it has found.
    fn reloading(fails: &str) -> String {
        format!(
            "h: n = r + 1
             begin
             t = load_sc @l
             ok = t == r
             if ok s j
             s: store_sc @l n
             goto j
             j: end
             if ok o f
             f: t = t
             {fails}
             goto h"
        )
    }

    #[test]
    fn an_exchange_that_reloads_is_one_step() {
        assert_eq!(check(&reloading("r = t")), "wait");
        assert_eq!(check(&reloading("r = n")), "kept", "not what it has found");
        assert_eq!(check(&reloading("r = t\ne = e + 1\nstore @y e")), "kept", "more changes");
        let count = reloading("r = t\ne = e + 1").replace("n = r + 1", "n = r + e");
        assert_eq!(check(&count), "kept", "iterations are counted");
        // An iteration that stops in between, or leaves before it has looked.
        assert_eq!(check(&reloading("r = t").replace("begin", "assume n\nbegin")), "kept");
        assert_eq!(check(&reloading("r = t").replace("begin", "if n g o\ng: begin")), "kept");
        // Another word than the one that is compared.
        assert_eq!(check(&reloading("u = load_sc @y\nr = u")), "kept");
        let (count, _) = collapsed(&body(&reloading("r = t")), Goal::AnySafety);
        assert_eq!(count, 0, "the sum of a failing iteration may overflow");
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
        let mixed = plain.replace("load @x", "load_sc @x").replace("a: e = 0", "a: store @x 0");
        let (_, text) = collapsed(&mixed.replace("r = 7", "e = 0\nr = 7"), Goal::AnySafety);
        assert!(text.contains("assume 0"), "an atomic look may race with a plain store: {text}");
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
