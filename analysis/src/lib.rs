//! Analyses of the IR and passes over it: plain data in, plain data out.
//!
//! `prepare` is the list that every engine starts from; it changes no verdict. `unrolled` goes on to
//! graphs without cycles for engines that encode. Debug builds verify the program after each pass.
//! Loops are numbered and named in the prepared program (`loops::number`), so `obmc show --loops`,
//! `--unwindset` and bounded verdicts all speak of the same ones.
//!
//! - `accelerate.rs`: loops that search: iterations that do nothing are accelerated
//! - `address_bits.rs`: which computations look at single bits of an address
//! - `allocation.rs`: where a heap block is asked for first
//! - `callgraph.rs`: who calls whom, and where threads start: `obmc show --threads`
//! - `compared.rs`: are addresses of different objects put in order?
//! - `constants.rs`: which registers hold a known constant where: constant propagation within one
//!   function
//! - `escape.rs`: which slots and heap blocks other threads may reach
//! - `exits.rs`: loops that can be left, and loops that are meant to run for ever
//! - `flags.rs`: static objects that only ever hold 0 or 1: locks, mostly
//! - `fnptr.rs`: calls through pointers become choices between direct calls
//! - `from_c.rs`: for tests: programs from C text
//! - `idle.rs`: iterations that change nothing end their thread
//! - `inline.rs`: inlining of direct calls, for engines that want a thread to be one graph
//! - `iteration.rs`: one iteration of a loop without inner loops: does it change anything when it
//!   goes back to the head, and in how many steps does it look?
//! - `jumps`: `setjmp` and `longjmp` as ordinary control flow
//! - `lengths.rs`: arrays of variable length: can the length be negative?
//! - `live.rs`: which registers may still be read: liveness at the start of each block (`Live`),
//!   or before each instruction (`LivePoints`)
//! - `null.rs`: pointers that are null in every execution: parameters that get the constant 0 in
//!   every call, such as the second one of `pthread_join` mostly
//! - `order.rs`: does the order of two operands matter? Answered when the whole program is known
//! - `overflow.rs`: signed overflow as an error that can be reached
//! - `own_id.rs`: does anybody but its creator look where the id of a new thread is stored?
//! - `promote.rs`: slots that are only loaded and stored as a whole become registers
//! - `pure.rs`: which functions a spin loop may call: those that change nothing that anyone else
//!   can see
//! - `residues.rs`: counters that grow for ever, modulo a power of two
//! - `simplify.rs`: makes functions smaller without changing what they do: known constants are
//!   written out, decided branches become jumps, empty blocks and straight lines are merged, and
//!   what cannot be reached or is never read goes
//! - `spin.rs`: spin loops: a loop that only looks until something changes becomes one look
//! - `spurious.rs`: weak compare-and-exchanges that are tried again until they succeed
//! - `symbolic.rs`: values along one path through a loop body, and which branches they decide
//! - `trip_count.rs`: loops whose number of iterations is known: the bound that is enough to
//!   unroll them completely
//! - `undefined_arith.rs`: division by zero, shifts by too much: an assumption, or not modelled
//! - `unroll.rs`: loop unrolling
//! - `wait_loop.rs`: loops that wait for a condition variable: two iterations stand for all
//! - `points_to`: which objects and functions a value may be the address of: one set for each
//!   register, and one for the contents of each place in memory, for the whole program and all
//!   threads together

pub mod accelerate;
pub mod address_bits;
pub mod allocation;
pub mod callgraph;
pub mod compared;
pub mod constants;
pub mod escape;
pub mod exits;
pub mod flags;
pub mod fnptr;
#[cfg(test)]
mod from_c;
pub mod idle;
pub mod inline;
pub mod iteration;
pub mod jumps;
pub mod lengths;
pub mod live;
pub mod loops;
pub mod null;
pub mod order;
pub mod overflow;
pub mod own_id;
pub mod plain;
pub mod points_to;
pub mod promote;
pub mod pure;
pub mod residues;
pub mod simplify;
pub mod spin;
pub mod spurious;
pub mod symbolic;
pub mod trip_count;
pub mod undefined_arith;
pub mod unroll;
pub mod wait_loop;

use ir::{FuncId, Inst, InstKind, NamedLoop, Operand, Program, Repetition, Stop, Terminator};
use loops::LoopInfo;
use rustc_hash::FxHashSet;
use std::cell::OnceCell;

type Pass = (&'static str, fn(&mut Program));

/// What every engine wants: smaller, and the same behaviour.
const PREPARE: &[Pass] = &[
    ("simplify", simplify::simplify),
    ("promote", |p| {
        promote::promote(p);
    }),
    ("simplify", simplify::simplify),
];

/// The program that loops are named in and that the explorer runs.
pub fn prepare(mut program: Program) -> Program {
    for (name, pass) in PREPARE {
        pass(&mut program);
        check(name, &program);
    }
    if spurious::settle(&mut program) > 0 {
        simplify::simplify(&mut program);
        check("spurious", &program);
    }
    loops::number(&mut program);
    program
}

/// A program whose threads are graphs without calls (where `inline` can) and without cycles (where
/// the bounds say so), and the loops and recursions that it had before. Calls go first: a loop in a model
/// such as `memset` may have a known number of iterations in one call and not in another. Copies of a
/// loop share its name, and so its bound. Loops whose iterations are known, up to
/// `known_iterations`, get the bound that is enough for them, unless they are bounded by name.
pub fn unrolled(
    program: Program,
    bounds: &unroll::Bounds,
    known_iterations: u32,
    calls: &inline::Limits,
) -> Result<(Program, Vec<NamedLoop>), unroll::TooLarge> {
    let (program, named, _) = flattened(program, bounds, known_iterations, calls, false)?;
    Ok((program, named))
}

/// As `unrolled`, for proofs only: iterations that do nothing are accelerated (`accelerate`), where
/// the number of iterations is not known. `None` if no loop has such iterations.
pub fn unrolled_accelerated(
    program: Program,
    bounds: &unroll::Bounds,
    known_iterations: u32,
    calls: &inline::Limits,
) -> Result<Option<(Program, Vec<NamedLoop>)>, unroll::TooLarge> {
    let (program, named, loops_accelerated) =
        flattened(program, bounds, known_iterations, calls, true)?;
    Ok((loops_accelerated > 0).then_some((program, named)))
}

fn flattened(
    mut program: Program,
    bounds: &unroll::Bounds,
    known_iterations: u32,
    calls: &inline::Limits,
    accelerated: bool,
) -> Result<(Program, Vec<NamedLoop>, usize), unroll::TooLarge> {
    fnptr::resolve(&mut program);
    check("fnptr", &program);
    let roots = roots(&program);
    inline::inline(&mut program, &roots, calls);
    check("inline", &program);
    // Here a loop sees what it calls.
    if spurious::settle(&mut program) > 0 {
        check("spurious", &program);
    }
    let loops_accelerated =
        if accelerated { accelerate_all(&mut program, &roots, known_iterations) } else { 0 };
    check("accelerate", &program);
    loops::number(&mut program);
    let all = loops::loops(&program);
    let named = named(&program, &all);
    let enough = trip_count::enough(&program, &all, known_iterations);
    let covers = |name: &str| bounds.covers(name);
    let bound = |i: usize| {
        if covers(&all[i].name) {
            return Some(wait_loop::ENOUGH);
        }
        let by_name = bounds.per_loop.get(&all[i].name).copied();
        let otherwise = bounds.unknown.get(&all[i].name).copied().or(bounds.default);
        by_name.or(enough[i]).or(otherwise)
    };
    unroll::unroll_by(&mut program, &all, bound, bounds.max_blocks())?;
    end_covered(&mut program, covers);
    check("unroll", &program);
    simplify::simplify(&mut program);
    check("simplify", &program);
    Ok((program, named, loops_accelerated))
}

/// These loops as users know them, and the recursions that were cut.
fn named(program: &Program, found: &[LoopInfo]) -> Vec<NamedLoop> {
    let recursions = program.loops.iter().filter(|l| l.kind == Repetition::Recursion);
    let loops = found.iter().filter_map(|l| program.loops.get(l.id?.index()));
    recursions.chain(loops).cloned().collect()
}

/// What is cut off of these loops is no loss: their threads stop there for good.
fn end_covered(program: &mut Program, covers: impl Fn(&str) -> bool) {
    let covered: Vec<bool> = program.loops.iter().map(|l| covers(&l.name)).collect();
    let never = InstKind::Assume(Operand::Const { bits: 0, ty: ir::types::Scalar::I32 });
    for block in program.functions.iter_mut().flat_map(|f| &mut f.blocks) {
        if let Terminator::Stop(Stop::Bound(id)) = block.end
            && covered.get(id.index()) == Some(&true)
        {
            block.insts.push(Inst::new(never.clone(), block.end_at()));
            block.end = Terminator::Stop(Stop::Unreachable);
        }
    }
}

/// Accelerates all loops that it can; gives their number.
fn accelerate_all(program: &mut Program, roots: &[FuncId], known_iterations: u32) -> usize {
    let found = loops::loops(program);
    let enough = trip_count::enough(program, &found, known_iterations);
    let mut loops_accelerated = 0;
    for (i, info) in found.iter().enumerate() {
        if roots.contains(&info.function) && enough[i].is_none() {
            let inner = found.iter().any(|l| l.parent == Some(i));
            loops_accelerated += usize::from(accelerate::accelerate(program, info, inner));
        }
    }
    loops_accelerated
}

/// The functions in which threads start, the first thread's among them.
pub fn roots(program: &Program) -> Vec<FuncId> {
    let points_to = OnceCell::new();
    let mut roots = FxHashSet::default();
    roots.insert(program.entry);
    for (i, f) in program.functions.iter().enumerate() {
        for inst in f.blocks.iter().flat_map(|b| &b.insts) {
            if let InstKind::Spawn { function, .. } = &inst.kind {
                // Hardly ever a pointer.
                if let Operand::Function(f) = function {
                    roots.insert(*f);
                    continue;
                }
                let points_to = points_to.get_or_init(|| {
                    points_to::PointsTo::new(program, points_to::Context::Insensitive)
                });
                roots.extend(callgraph::functions(program, points_to, FuncId(i as u32), function));
            }
        }
    }
    let mut roots: Vec<FuncId> = roots.into_iter().collect();
    roots.retain(|f| program.functions[f.index()].has_body());
    roots.sort();
    roots
}

fn check(pass: &str, program: &Program) {
    if cfg!(debug_assertions) {
        let problems = ir::verify::program(program);
        assert!(problems.is_empty(), "after {pass}: {problems:#?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::{End, parse, random_program, run};
    use ir::{Inst, InstId, Stop};
    use rustc_hash::FxHashMap;
    use std::mem::discriminant;

    fn insts(p: &Program) -> impl Iterator<Item = &Inst> {
        p.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.insts)
    }

    /// Every access of the unrolled program is the one with its number in the program as it was read.
    #[test]
    fn numbers_survive_the_passes() {
        let mut copies = 0;
        for seed in 0..60 {
            let text = random_program(seed).replace("fn main", "fn f")
                + "fn main(n) {\na: x = call f(n, 2)\ny = call f(x, n)\nret y\n}\n";
            let original = parse(&text);
            let by_id: FxHashMap<InstId, &Inst> = insts(&original).map(|i| (i.id, i)).collect();
            assert_eq!(by_id.len(), insts(&original).count(), "each has its own number");
            let (limits, bounds) = (inline::Limits::default(), unroll::Bounds::all(3));
            let (flat, _) =
                unrolled(prepare(original.clone()), &bounds, 10, &limits).expect("small");
            let mut seen = FxHashSet::default();
            for inst in insts(&flat) {
                let (InstKind::Load { .. } | InstKind::Store { .. }) = inst.kind else { continue };
                let old = by_id[&inst.id];
                assert_eq!(discriminant(&old.kind), discriminant(&inst.kind), "{text}");
                assert_eq!(old.span, inst.span, "{text}");
                copies += usize::from(!seen.insert(inst.id));
            }
        }
        assert!(copies > 100, "only {copies} copies");
    }

    #[test]
    fn loops_keep_their_names() {
        let text = "global g
            fn f(n) {
            a: goto w
            w: x = load @g
            if x h w
            h: i = i + n
            c = i < 9
            if c h o
            o: ret i
            }
            fn main() {
            a: x = call f(2)
            y = call f(x)
            ret y
            }";
        let mut p = prepare(parse(text));
        assert_eq!(names(&p), ["f.0", "f.1"]);
        assert_eq!(spin::collapse(&mut p, spin::Goal::Reachability), 1);
        assert_eq!(names(&p), ["f.1"], "the loop that is left is still the second one");
        let (limits, bounds) = (inline::Limits::default(), unroll::Bounds::default());
        let (flat, named) = unrolled(p, &bounds, 1, &limits).expect("small");
        assert_eq!(names(&flat), ["f.1", "f.1"], "one in each copy of the function");
        assert_eq!(named.len(), 2);
    }

    fn names(p: &Program) -> Vec<String> {
        loops::loops(p).into_iter().map(|l| l.name).collect()
    }

    #[test]
    fn the_whole_list_keeps_behaviour() {
        for seed in 0..150 {
            let text = random_program(seed).replace("fn main", "fn f")
                + "fn main(n) {\na: i = 0\nx = n\ngoto h\nh: x = call f(x, i)\nstore @h x\n\
                   i = i + 1\nc = i < 3\nif c h o\no: ret x\n}\n";
            // Registers that were never written are 0 for the evaluator; say so.
            let text = text.replace("L0:\n", "E: c = 0\nd = 0\ngoto L0\nL0:\n");
            let original = parse(&text);
            let limits = inline::Limits::default();
            let bounds = unroll::Bounds::all(2);
            let prepared = prepare(original.clone());
            let (flat, _) = unrolled(prepared, &bounds, 10, &limits).expect("small");
            assert!(loops::loops_of(&flat.functions[1], FuncId(1)).is_empty());
            for input in 0..4 {
                let (a, b) = (run(&original, input, 3000), run(&flat, input, 100_000));
                match b.end {
                    End::Stop(Stop::Bound(id)) => {
                        assert!(flat.loops[id.index()].name.starts_with("f."), "{text}");
                        assert!(a.stores.starts_with(&b.stores), "{text}");
                    }
                    _ => assert_eq!((a.end, a.stores), (b.end, b.stores), "{text}"),
                }
            }
        }
    }
}
