//! Where the ways of a branch meet again: immediate post-dominators of a graph without cycles.
//!
//! A way that only leads to where the process stops for good (a failed assertion, the bound of a loop) is none:
//! nothing is inside of an arm because another arm does not go on.

use ir::{BlockId, Function, Stop, Terminator};

/// By block: the first block that all ways from it go through; `None` if that is the end.
/// Needs: the blocks in topological order.
pub(crate) fn meeting_points(f: &Function, order: &[BlockId]) -> Vec<Option<BlockId>> {
    let count = f.blocks.len();
    let end = count; // of the function
    let mut stops = vec![false; count];
    let mut parent = vec![end; count];
    let mut depth = vec![0usize; count + 1];
    for &b in order.iter().rev() {
        let block = &f.blocks[b.index()];
        let next = block.end.successors();
        let goes_on: Vec<usize> =
            next.into_iter().map(|s| s.index()).filter(|&s| !stops[s]).collect();
        stops[b.index()] = match &block.end {
            Terminator::Stop(stop) => !matches!(stop, Stop::Exit),
            Terminator::Return(_) | Terminator::ExitThread(_) => false,
            _ => goes_on.is_empty(),
        };
        let common = |mut x: usize, mut y: usize| {
            while x != y {
                if depth[x] >= depth[y] && x != end { x = parent[x] } else { y = parent[y] }
            }
            x
        };
        let meet = goes_on.into_iter().reduce(common).unwrap_or(end);
        parent[b.index()] = meet;
        depth[b.index()] = depth[meet] + 1;
    }
    parent.into_iter().map(|p| (p != end).then_some(BlockId(p as u32))).collect()
}
