//! Each thread function as one graph: calls inlined, short counted loops unrolled.
//!
//! Loops that start or join threads, or make blocks, are unrolled far if their number of iterations is
//! known: each thread and each block is then made at a place of its own.

use analysis::{fnptr, inline, loops, roots, simplify, spurious, trip_count, unroll};
use ir::*;

/// Blocks that one thread may grow to.
const MAX_BLOCKS: usize = 20_000;
/// Iterations of loops that make threads or blocks.
const MAKING: u32 = 600;
/// Iterations of other loops.
const SHORT: u32 = 10;

/// `None` if it becomes too large.
pub fn flatten(program: &Program) -> Option<Program> {
    let mut program = program.clone();
    fnptr::resolve(&mut program);
    let roots = roots(&program);
    let limits = inline::Limits { depth: 1, max_blocks: MAX_BLOCKS };
    inline::inline(&mut program, &roots, &limits);
    spurious::settle(&mut program);
    simplify::simplify(&mut program);
    let found = loops::loops(&program);
    let enough = trip_count::enough(&program, &found, MAKING);
    let bound = |i: usize| {
        let most = if makes(&program.functions[found[i].function.index()], &found[i].body) {
            MAKING
        } else {
            SHORT
        };
        enough[i].filter(|n| *n <= most)
    };
    let bounds: Vec<Option<u32>> = (0..found.len()).map(bound).collect();
    unroll::unroll_by(&mut program, &found, |i| bounds[i], MAX_BLOCKS).ok()?;
    simplify::simplify(&mut program);
    Some(program)
}

fn makes(function: &Function, body: &[BlockId]) -> bool {
    let insts = body.iter().flat_map(|b| &function.blocks[b.index()].insts);
    insts.into_iter().any(|inst| {
        matches!(inst.kind, InstKind::Spawn { .. } | InstKind::Join { .. } | InstKind::Alloc { .. })
    })
}
