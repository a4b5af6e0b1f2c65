//! Loop unrolling.
//!
//! A bound N for a loop cuts off the N-th jump back to its head, counted from each entry into the
//! loop: `for (i = 0; i < k; i++)` is left only with N > k. The loop's blocks are copied N - 1
//! times, a jump back in one copy goes to the head of the next, and in the last copy to a block
//! that stops with `Stop::Bound`. Inner loops go first, so that copies of them are already straight.
//!
//! This needs no structure: any cycle passes through the head of a loop around it (see `loops`), so
//! the result has no cycle where every loop has a bound. A jump into the middle of a loop enters its
//! first copy.

use super::loops::{self, LoopInfo};
use super::wait_loop;
use ir::walk;
use ir::{At, Block, BlockId, Function, LoopId, Origin, Program, Stop, Terminator};
use rustc_hash::{FxHashMap, FxHashSet};

/// How often loops may be passed. Without a bound a loop is left as it is.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    pub default: Option<u32>,
    /// By name, such as `main.0`; stronger than the default.
    pub per_loop: FxHashMap<String, u32>,
    /// By name as well, but only for loops whose number of iterations is not known.
    pub unknown: FxHashMap<String, u32>,
    /// Loops of which `wait_loop::ENOUGH` iterations stand for all, by name.
    pub waits: FxHashSet<String>,
    /// Blocks that one function may grow to; `None` for `DEFAULT_MAX_BLOCKS`.
    pub max_blocks: Option<usize>,
}

pub(crate) const DEFAULT_MAX_BLOCKS: usize = 2_000_000;

impl Bounds {
    pub fn all(bound: u32) -> Bounds {
        Bounds { default: Some(bound), ..Bounds::default() }
    }

    pub fn max_blocks(&self) -> usize {
        self.max_blocks.unwrap_or(DEFAULT_MAX_BLOCKS)
    }

    /// The user has not asked for less than what is enough for a loop that waits.
    pub fn covers(&self, name: &str) -> bool {
        let asked = self.per_loop.get(name);
        self.waits.contains(name) && asked.is_none_or(|n| *n >= wait_loop::ENOUGH)
    }

    pub fn of(&self, name: &str) -> Option<u32> {
        self.per_loop.get(name).copied().or(self.default)
    }
}

/// The unrolled program would be too large; the loop that broke the limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge {
    pub name: String,
}

/// Unrolls by the bounds. `loops` are the loops of this very program. On `Err` the program is partly
/// unrolled and of no use.
pub fn unroll(program: &mut Program, loops: &[LoopInfo], bounds: &Bounds) -> Result<(), TooLarge> {
    unroll_by(program, loops, |i| bounds.of(&loops[i].name), bounds.max_blocks())
}

/// A copy of the program with its user's loops cut off.
pub fn bounded(
    program: &Program,
    bound: &dyn Fn(&LoopInfo) -> Option<u32>,
) -> Result<Program, TooLarge> {
    let found = loops::loops(program);
    let of_user = |l: &&LoopInfo| program.functions[l.function.index()].origin == Origin::User;
    let named = found.iter().filter(of_user).filter_map(|l| Some((l.name.clone(), bound(l)?)));
    let bounds = Bounds { per_loop: named.collect(), ..Bounds::default() };
    let mut copy = program.clone();
    unroll(&mut copy, &found, &bounds)?;
    Ok(copy)
}

/// As `unroll`, with the bound of `loops[i]` from a function.
pub fn unroll_by(
    program: &mut Program,
    loops: &[LoopInfo],
    bound_of: impl Fn(usize) -> Option<u32>,
    max_blocks: usize,
) -> Result<(), TooLarge> {
    let mut order: Vec<usize> = (0..loops.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(loops[i].depth));
    let mut bodies: Vec<Vec<BlockId>> = loops.iter().map(|l| l.body.clone()).collect();
    for i in order {
        let Some(bound) = bound_of(i) else { continue };
        let id = loops::id_of(program, &loops[i]);
        let function = &mut program.functions[loops[i].function.index()];
        let copies = bound.max(1) as usize - 1;
        let grown = bodies[i].len().checked_mul(copies).map(|n| n + function.blocks.len());
        if grown.is_none_or(|n| n >= max_blocks) {
            return Err(TooLarge { name: loops[i].name.clone() });
        }
        let added = unroll_one(function, &loops[i], id, &bodies[i], copies);
        let mut outer = loops[i].parent;
        while let Some(o) = outer {
            bodies[o].extend(&added);
            outer = loops[o].parent;
        }
    }
    Ok(())
}

/// Gives the blocks that were added and belong to loops around this one.
fn unroll_one(
    function: &mut Function,
    info: &LoopInfo,
    id: LoopId,
    body: &[BlockId],
    copies: usize,
) -> Vec<BlockId> {
    let base = function.blocks.len();
    let place: FxHashMap<BlockId, usize> = body.iter().enumerate().map(|(i, b)| (*b, i)).collect();
    let stop = BlockId((base + copies * body.len()) as u32);
    let block_in = |copy: usize, b: BlockId| match place.get(&b) {
        Some(i) if copy > 0 => BlockId((base + (copy - 1) * body.len() + i) as u32),
        _ => b,
    };
    let target_from = |copy: usize, b: BlockId| match b == info.head {
        true if copy < copies => block_in(copy + 1, b),
        true => stop,
        false => block_in(copy, b),
    };
    for copy in 1..=copies {
        for b in body {
            let mut block = function.blocks[b.index()].clone();
            redirect(&mut block, |b| target_from(copy, b));
            function.blocks.push(block);
        }
    }
    for b in body {
        redirect(&mut function.blocks[b.index()], |b| target_from(0, b));
    }
    let at = At { span: info.span, ..function.blocks[info.head.index()].at(0) };
    function.blocks.push(cut(at, id));
    (base as u32..stop.0).map(BlockId).collect()
}

fn redirect(block: &mut Block, to: impl Fn(BlockId) -> BlockId) {
    for target in walk::targets_mut(&mut block.end) {
        *target = to(*target);
    }
}

fn cut(at: At, id: LoopId) -> Block {
    Block::new(vec![], Terminator::Stop(Stop::Bound(id)), at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::{loops, number};
    use ir::testing::{End, parse, random_program, run};
    use ir::verify;

    fn unrolled(text: &str, bounds: &Bounds) -> (Program, Vec<LoopInfo>) {
        let mut p = parse(text);
        number(&mut p);
        let found = loops(&p);
        unroll(&mut p, &found, bounds).expect("small");
        assert_eq!(verify::program(&p), []);
        (p, found)
    }

    const COUNT_TO_3: &str = "global g
        fn main() {
        a: i = 0
        goto head
        head: c = i < 3
        if c body out
        body: store @g i
        i = i + 1
        goto head
        out: ret i
        }";

    #[test]
    fn a_loop_of_k_iterations_is_left_with_more_than_k() {
        let (p, _) = unrolled(COUNT_TO_3, &Bounds::all(3));
        let cut = run(&p, 0, 1000);
        assert_eq!((cut.end, cut.stores.len()), (End::Stop(Stop::Bound(LoopId(0))), 3));
        let (p, _) = unrolled(COUNT_TO_3, &Bounds::all(4));
        assert_eq!(run(&p, 0, 1000).end, End::Return(3));
        assert_eq!(loops(&p), []);
    }

    #[test]
    fn bound_one_passes_the_head_once() {
        let (p, _) = unrolled(COUNT_TO_3, &Bounds::all(1));
        let cut = run(&p, 0, 1000);
        assert_eq!((cut.end, cut.stores.len()), (End::Stop(Stop::Bound(LoopId(0))), 1));
    }

    #[test]
    fn bounds_by_name_and_loops_without_bounds() {
        let text = "global g
            fn main() {
            a: i = 0
            goto outer
            outer: c = i < 2
            if c start out
            start: j = 0
            goto inner
            inner: c = j < 2
            if c body done
            body: store @g j
            j = j + 1
            goto inner
            done: i = i + 1
            goto outer
            out: ret i
            }";
        let mut bounds = Bounds::default();
        bounds.per_loop.insert("main.1".into(), 3);
        let (p, found) = unrolled(text, &bounds);
        assert_eq!(found.len(), 2);
        assert_eq!(loops(&p).len(), 1);
        assert_eq!(run(&p, 0, 1000).end, End::Return(2));
        bounds.per_loop.insert("main.0".into(), 2);
        let (p, _) = unrolled(text, &bounds);
        let cut = run(&p, 0, 1000);
        assert_eq!((cut.end, cut.stores.len()), (End::Stop(Stop::Bound(LoopId(0))), 4));
    }

    #[test]
    fn growth_has_a_limit() {
        let mut p = parse(COUNT_TO_3);
        let found = loops(&p);
        let result = unroll(&mut p, &found, &Bounds::all(u32::MAX));
        assert_eq!(result, Err(TooLarge { name: "main.0".into() }));
    }

    /// The definition, step by step: where a run of the original is cut off.
    fn cut_in(path: &[BlockId], found: &[LoopInfo], bound: u32) -> Option<(usize, usize)> {
        let mut count = vec![0; found.len()];
        for (step, pair) in path.windows(2).enumerate() {
            for (i, l) in found.iter().enumerate() {
                let inside = |b: BlockId| l.body.binary_search(&b).is_ok();
                match (inside(pair[0]), inside(pair[1])) {
                    (true, true) if pair[1] == l.head => count[i] += 1,
                    (false, true) => count[i] = 0,
                    _ => {}
                }
                if count[i] == bound {
                    return Some((step, i));
                }
            }
        }
        None
    }

    #[test]
    fn random_graphs_are_cut_where_the_definition_says() {
        let mut cuts = 0;
        for seed in 0..600 {
            let text = random_program(seed);
            let original = parse(&text);
            let bound = 1 + seed as u32 % 3;
            let (p, found) = unrolled(&text, &Bounds::all(bound));
            assert_eq!(loops(&p), [], "{text}");
            for input in 0..4 {
                let (a, b) = (run(&original, input, 2000), run(&p, input, 200_000));
                match cut_in(&a.path, &found, bound) {
                    None => assert_eq!((a.end, a.stores), (b.end, b.stores), "{text}"),
                    Some((step, cut)) => {
                        assert_eq!(b.end, End::Stop(Stop::Bound(LoopId(cut as u32))), "{text}");
                        assert_eq!(b.path.len(), step + 2, "{text}");
                        assert!(a.stores.starts_with(&b.stores), "{text}");
                        cuts += 1;
                    }
                }
            }
        }
        assert!(cuts > 100, "only {cuts} runs were cut");
    }
}
