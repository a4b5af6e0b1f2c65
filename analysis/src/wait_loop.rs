//! Loops that wait for a condition variable: two iterations stand for all.
//!
//! `while (!ready) pthread_cond_wait(&c, &m);` may wake up as often as it likes, so no bound is enough
//! for it. But where signals do not count (`PropertyKind::ignores_signals`), a wait is an unlock and a
//! lock, and from one lock to the next such a loop locks, looks and unlocks: nothing has changed.
//!
//! Take an execution in which a thread makes k iterations, the last one perhaps not to its end.
//! Iterations that do not wait have no effect and are left out. Of those that wait, take the first up
//! to its unlock and the last but one from its lock on: all that happened in between in this thread
//! are whole stretches from a lock to the next unlock, which are left out. What is left is an execution
//! of two iterations with the same end: registers that are needed behind the wait are the same each
//! time, others were only kept from the mutex for a while, and a lock that read from a stretch's unlock
//! reads from the one before it, which was ordered before it anyway. So the second jump back need not
//! be followed, and that is no bound of the answer. A race or an error of an iteration is one of its
//! last, for the execution that ends there; so not where threads learn of each other without
//! synchronising, and a race is with what comes after the loop (`spin::Goal::Unordered`).
//!
//! Who could tell whether the mutex is taken would notice: `trylock` and timed locks, cancellation and
//! robust mutexes switch this off (`OBSERVERS`). That a mutex is unlocked by its owner, and not
//! destroyed while a thread waits with it, is what POSIX asks for; else behaviour is undefined.
//!
//! A function that waits once, and computes nothing but from its arguments before that, is a wait as
//! well (`uv_cond_wait`, `cnd_wait`).
//!
//! Cost: a walk over each innermost loop that has exactly one such call. (Spin loops become single looks
//! in the same way, `spin.rs`; Kokologiannakis and Vafeiadis: GenMC, CAV 2021, has them as assumptions.)

use super::flags::Flags;
use super::iteration::FunctionShape;
use super::live::LivePoints;
use super::loops::{self, LoopInfo, LoopKind};
use super::points_to::{Context, PointsTo};
use super::pure::{Purities, Purity};
use ir::cfg::Cfg;
use ir::*;
use ir::{atomic, walk};
use rustc_hash::FxHashSet;

/// The bound that is enough: one iteration that waits, and the last.
pub const ENOUGH: u32 = 2;

const WAITS: &[&str] = &["pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait"];

/// Functions whose results depend on whether another thread holds a mutex just now.
const OBSERVERS: &[&str] = &[
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "pthread_mutexattr_setrobust",
    "pthread_cancel",
];

/// A place in a function.
type InstPlace = (BlockId, usize);

/// The names of such loops, for a property that ignores signals.
pub fn find(program: &Program) -> FxHashSet<String> {
    let purities = Purities::new(program);
    let waits = waiting(program, &purities);
    if !waits.contains(&true) || observed(program) {
        return FxHashSet::default();
    }
    let purities = purities.with_waits(&waits);
    let inside = atomic::called_inside(program);
    let outside = (0..program.functions.len()).filter(|i| !inside[*i]);
    outside.flat_map(|i| of_function(program, FuncId(i as u32), &waits, &purities)).collect()
}

fn of_function(program: &Program, id: FuncId, waits: &[bool], purities: &Purities) -> Vec<String> {
    let function = &program.functions[id.index()];
    let all = loops::named_loops_of(program, id);
    let innermost = |n: usize| all.iter().all(|l| l.parent != Some(n));
    let candidates = all.iter().enumerate().filter_map(|(n, info)| {
        let simple = innermost(n) && info.kind == LoopKind::Natural;
        let call = only_call(function, waits, info.body.iter().copied())?;
        simple.then_some((info, call))
    });
    let mut candidates = candidates.peekable();
    if candidates.peek().is_none() {
        return Vec::new();
    }
    let flags = Flags::new(program);
    let shape = FunctionShape::new(program, id, purities, &flags);
    let live = LivePoints::new(function);
    let depths = atomic::Depths::new(function, |_| {});
    let repeats = |(info, call): &(&LoopInfo, InstPlace)| {
        depths.at(info.head) == Some(0)
            && is_plain(function, info)
            && needs_nothing_new(function, info, &live, *call)
            && shape.iteration(info).is_some_and(|iteration| iteration.reload.is_none())
    };
    candidates.filter(repeats).map(|(info, _)| info.name.clone()).collect()
}

/// Waits outside of atomic blocks.
fn is_plain(function: &Function, info: &LoopInfo) -> bool {
    let mut insts = info.body.iter().flat_map(|b| &function.blocks[b.index()].insts);
    !insts.any(|i| matches!(i.kind, InstKind::AtomicBegin { .. } | InstKind::AtomicEnd))
}

/// Is what is passed to the wait, and what is needed behind it, the same in each iteration?
fn needs_nothing_new(
    function: &Function,
    info: &LoopInfo,
    live: &LivePoints,
    call: InstPlace,
) -> bool {
    let (block, index) = call;
    let kind = &function.blocks[block.index()].insts[index].kind;
    let result = walk::defined(kind);
    let behind = live.before(block, index + 1).iter().copied().filter(|r| Some(*r) != result);
    let passed = walk::operands(kind).into_iter().filter_map(register);
    behind.chain(passed).all(|reg| is_invariant(function, info, reg, &mut FxHashSet::default()))
}

fn register(operand: &Operand) -> Option<Reg> {
    match operand {
        Operand::Reg(reg) => Some(*reg),
        _ => None,
    }
}

/// A register that no iteration changes, or that each computes from such ones.
fn is_invariant(function: &Function, info: &LoopInfo, reg: Reg, seen: &mut FxHashSet<Reg>) -> bool {
    let insts = info.body.iter().flat_map(|b| &function.blocks[b.index()].insts);
    let mut written = insts.filter(|i| walk::defined(&i.kind) == Some(reg));
    let Some(inst) = written.next() else { return true };
    let InstKind::Assign { value, .. } = &inst.kind else { return false };
    if written.next().is_some() || matches!(value, Rvalue::Undef(_)) || !seen.insert(reg) {
        return false;
    }
    let mut from = walk::operands(&inst.kind).into_iter().filter_map(register);
    from.all(|reg| is_invariant(function, info, reg, seen))
}

fn observed(program: &Program) -> bool {
    let points_to = PointsTo::new(program, Context::ModelCalls);
    let mut functions = program.functions.iter().zip(0..);
    functions.any(|(f, i)| {
        f.has_body() && OBSERVERS.contains(&f.name.as_str()) && points_to.reaches(FuncId(i))
    })
}

/// For each function: does a call of it wait exactly once, or stop, and do nothing else?
fn waiting(program: &Program, purities: &Purities) -> Vec<bool> {
    let ours = |f: &Function| f.origin == Origin::Model && WAITS.contains(&f.name.as_str());
    let mut waits: Vec<bool> = program.functions.iter().map(ours).collect();
    while waits.contains(&true) {
        let wraps =
            |i: &usize| !waits[*i] && wraps(program, &program.functions[*i], &waits, purities);
        let Some(next) = (0..waits.len()).find(wraps) else { break };
        waits[next] = true;
    }
    waits
}

fn wraps(program: &Program, function: &Function, waits: &[bool], purities: &Purities) -> bool {
    let every = (0..function.blocks.len()).map(|b| BlockId(b as u32));
    let Some(call) = only_call(function, waits, every) else { return false };
    let cfg = Cfg::new(function);
    if cfg.has_cycle() {
        return false;
    }
    let before = reaching(&cfg, |b| b == call.0);
    let returns = |b: BlockId| matches!(function.blocks[b.index()].end, Terminator::Return(_));
    let returning = reaching(&cfg, returns);
    function.blocks.iter().enumerate().all(|(b, block)| {
        block.insts.iter().enumerate().all(|(i, inst)| {
            let here = (BlockId(b as u32), i);
            let leads_there = before[b] && (here.0 != call.0 || here < call);
            let purity = || purities.inside(program, &inst.kind);
            match here == call {
                true => true,
                false if leads_there => purity() == Purity::Silent,
                false => !returning[b] || purity() != Purity::Effects,
            }
        })
    })
}

/// Blocks from which such a block can be reached.
fn reaching(cfg: &Cfg, is: impl Fn(BlockId) -> bool) -> Vec<bool> {
    let mut found = vec![false; cfg.succs.len()];
    // Without cycles, once from the end does.
    for b in cfg.order.iter().rev() {
        found[b.index()] = is(*b) || cfg.succs[b.index()].iter().any(|s| found[s.index()]);
    }
    found
}

/// The only call in these blocks that waits.
fn only_call(
    function: &Function,
    waits: &[bool],
    blocks: impl Iterator<Item = BlockId>,
) -> Option<InstPlace> {
    let is_wait = |inst: &Inst| match inst.kind {
        InstKind::Call { callee: Callee::Direct(f), .. } => waits[f.index()],
        _ => false,
    };
    let mut calls = blocks.flat_map(|b| {
        let insts = function.blocks[b.index()].insts.iter().enumerate();
        insts.filter(|(_, inst)| is_wait(inst)).map(move |(i, _)| (b, i))
    });
    let first = calls.next()?;
    calls.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::from_c;

    /// How many loops of a thread wait, with `body` in place of the loop.
    fn found(globals: &str, body: &str) -> usize {
        let text = format!(
            "typedef union {{ long all[6]; }} pthread_cond_t; typedef union {{ long all[5]; }} pthread_mutex_t;
             int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
             int pthread_mutex_lock(pthread_mutex_t *), pthread_mutex_unlock(pthread_mutex_t *);
             int pthread_mutex_trylock(pthread_mutex_t *);
             void abort(void);
             pthread_cond_t c, d; pthread_mutex_t m; int ready, turn;
             {globals}
             int main(void) {{ int local = 0; pthread_mutex_lock(&m); {body} pthread_mutex_unlock(&m); return local; }}"
        );
        find(&crate::prepare(from_c::program(&text))).len()
    }

    #[test]
    fn a_loop_that_only_waits() {
        assert_eq!(found("", "while (!ready) pthread_cond_wait(&c, &m);"), 1);
        assert_eq!(
            found(
                "",
                "while (ready != turn) { if (ready == 7) break; pthread_cond_wait(&c, &m); }"
            ),
            1
        );
        assert_eq!(found("", "for (;;) { pthread_cond_wait(&c, &m); if (ready) break; }"), 1);
        assert_eq!(found("", "while (!ready) if (pthread_cond_wait(&c, &m)) abort();"), 1);
    }

    #[test]
    fn functions_that_wait_once() {
        let wrapper = "void wait(pthread_cond_t *c, pthread_mutex_t *m) { if (pthread_cond_wait(c, m)) abort(); }";
        assert_eq!(found(wrapper, "while (!ready) wait(&c, &m);"), 1);
        let looks = "void wait(pthread_cond_t *c, pthread_mutex_t *m) { int old = turn; pthread_cond_wait(c, m); if (old != turn) abort(); }";
        assert_eq!(found(looks, "while (!ready) wait(&c, &m);"), 0);
        let counts =
            "void wait(pthread_cond_t *c, pthread_mutex_t *m) { turn++; pthread_cond_wait(c, m); }";
        assert_eq!(found(counts, "while (!ready) wait(&c, &m);"), 0);
        let maybe = "void wait(pthread_cond_t *c, pthread_mutex_t *m) { if (turn) return; pthread_cond_wait(c, m); }";
        assert_eq!(found(maybe, "while (!ready) wait(&c, &m);"), 0);
    }

    #[test]
    fn iterations_that_leave_something_behind() {
        assert_eq!(found("", "while (!ready) { turn++; pthread_cond_wait(&c, &m); }"), 0);
        assert_eq!(found("", "while (!ready) { local++; pthread_cond_wait(&c, &m); }"), 0);
        assert_eq!(
            found(
                "",
                "while (!ready) { int old = turn; pthread_cond_wait(&c, &m); if (old != turn) break; }"
            ),
            0
        );
        assert_eq!(
            found(
                "",
                "int first = 1; while (!ready) { pthread_cond_wait(&c, &m); first = 0; } local = first;"
            ),
            0
        );
    }

    #[test]
    fn two_waits_and_changing_ones() {
        assert_eq!(
            found(
                "",
                "while (!ready) { if (turn) pthread_cond_wait(&c, &m); else pthread_cond_wait(&d, &m); }"
            ),
            0
        );
        assert_eq!(
            found("pthread_cond_t *which;", "while (!ready) pthread_cond_wait(which, &m);"),
            0
        );
    }

    #[test]
    fn who_could_tell_that_the_mutex_is_taken() {
        let other = "void *other(void *a) { return pthread_mutex_trylock(&m) ? a : 0; }";
        assert_eq!(found(other, "while (!ready) pthread_cond_wait(&c, &m); other(0);"), 0);
        assert_eq!(found(other, "while (!ready) pthread_cond_wait(&c, &m);"), 1);
        let table = format!("{other} void *(*table[])(void *) = {{ other }};");
        assert_eq!(found(&table, "while (!ready) pthread_cond_wait(&c, &m); table[0](0);"), 0);
    }
}
