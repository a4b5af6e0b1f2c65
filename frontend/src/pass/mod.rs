//! Passes over the IR: plain data in, plain data out.
//!
//! `prepare` is the list that every engine starts from; it changes no verdict. `unrolled` goes on to
//! graphs without cycles for engines that encode. Debug builds verify the program after each pass.
//! Loops are named in the prepared program, so `obmc show --loops`, `--unwindset` and bounded
//! verdicts all speak of the same ones.

pub mod atomic;
pub mod callgraph;
pub mod cfg;
pub mod constants;
pub mod escape;
pub mod fnptr;
pub mod inline;
pub mod live;
pub mod loops;
pub mod points_to;
pub mod promote;
pub mod pure;
pub mod simplify;
pub mod spin;
pub mod symbolic;
pub mod trip_count;
pub mod unroll;
pub mod walk;

use crate::ir::{FuncId, Program};
use loops::LoopInfo;
use rustc_hash::FxHashSet;

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
    program
}

/// A program whose threads are graphs without calls (where `inline` can) and without cycles (where
/// the bounds say so), and the list that `Stop::Bound` refers to. Loops whose rounds are known get
/// the bound that is enough for them, up to `known_rounds`, unless they are bounded by name.
pub fn unrolled(
    mut program: Program,
    bounds: &unroll::Bounds,
    known_rounds: u32,
    calls: &inline::Limits,
) -> Result<(Program, Vec<LoopInfo>), unroll::TooLarge> {
    let mut found = loops::loops(&program);
    let mut bounds = bounds.clone();
    for (info, enough) in found.iter().zip(trip_count::enough(&program, &found, known_rounds)) {
        if let Some(enough) = enough {
            bounds.per_loop.entry(info.name.clone()).or_insert(enough);
        }
    }
    unroll::unroll(&mut program, &found, &bounds)?;
    check("unroll", &program);
    fnptr::resolve(&mut program);
    check("fnptr", &program);
    let roots = roots(&program);
    inline::inline(&mut program, &roots, calls, &mut found);
    check("inline", &program);
    simplify::simplify(&mut program);
    check("simplify", &program);
    Ok((program, found))
}

/// The functions in which threads start, the first thread's among them.
pub fn roots(program: &Program) -> Vec<FuncId> {
    let points_to = points_to::PointsTo::new(program);
    let mut roots = FxHashSet::default();
    roots.insert(program.entry);
    for (i, f) in program.functions.iter().enumerate() {
        for inst in f.blocks.iter().flat_map(|b| &b.insts) {
            if let crate::ir::InstKind::Spawn { function, .. } = &inst.kind {
                let id = FuncId(i as u32);
                roots.extend(callgraph::functions(program, &points_to, id, function));
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
        let problems = crate::verify::program(program);
        assert!(problems.is_empty(), "after {pass}: {problems:#?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Stop;
    use crate::testing::{End, parse, random_program, run};

    #[test]
    fn the_whole_list_keeps_behaviour() {
        for seed in 0..150 {
            let text = random_program(seed).replace("fn main", "fn f")
                + "fn main(n) {\na: i = 0\nx = n\ngoto h\nh: x = call f(x, i)\nstore @h x\n\
                   i = i + 1\nc = i < 3\nif c h o\no: ret x\n}\n";
            // Registers that nobody has written are 0 for the evaluator; say so.
            let text = text.replace("L0:\n", "E: c = 0\nd = 0\ngoto L0\nL0:\n");
            let original = parse(&text);
            let limits = inline::Limits::default();
            let bounds = unroll::Bounds::all(2);
            let prepared = prepare(original.clone());
            let (flat, found) = unrolled(prepared, &bounds, 10, &limits).expect("small");
            assert!(loops::loops_of(&flat.functions[1], FuncId(1)).is_empty());
            for input in 0..4 {
                let (a, b) = (run(&original, input, 3000), run(&flat, input, 100_000));
                match b.end {
                    End::Stop(Stop::Bound(i)) => {
                        assert!(found[i as usize].name.starts_with("f."), "{text}");
                        assert!(a.stores.starts_with(&b.stores), "{text}");
                    }
                    _ => assert_eq!((a.end, a.stores), (b.end, b.stores), "{text}"),
                }
            }
        }
    }
}
