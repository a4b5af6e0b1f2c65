//! The shape of one function's control flow: predecessors, reverse postorder, dominators.
//!
//! Blocks that cannot be reached from block 0 have no place in the order and no dominator.
//! Dominators are found by walking up the tree until nothing changes: quadratic at worst, close to
//! linear on real code. (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm, 2001.)

use crate::{BlockId, Function};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Neighbours of a block: nearly always one or two.
pub type Near = SmallVec<[BlockId; 2]>;

pub struct Cfg {
    pub succs: Vec<Near>,
    /// Only from reachable blocks, each once.
    pub preds: Vec<Near>,
    /// Reachable blocks, each before its successors except along retreating edges.
    pub order: Vec<BlockId>,
    /// Place in `order`.
    place: Vec<Option<u32>>,
}

impl Cfg {
    pub fn new(function: &Function) -> Cfg {
        let succs: Vec<Near> =
            function.blocks.iter().map(|b| distinct(b.end.successors())).collect();
        let order = reverse_postorder(&succs);
        let mut place = vec![None; succs.len()];
        let mut preds = vec![Near::new(); succs.len()];
        for (i, b) in order.iter().enumerate() {
            place[b.index()] = Some(i as u32);
            for s in &succs[b.index()] {
                preds[s.index()].push(*b);
            }
        }
        Cfg { succs, preds, order, place }
    }

    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.place[block.index()].is_some()
    }

    /// Place of a block in reverse postorder; `None` if it cannot be reached.
    pub fn place(&self, block: BlockId) -> Option<u32> {
        self.place[block.index()]
    }

    /// Does an edge go back in the order? There is no cycle without one.
    pub fn has_cycle(&self) -> bool {
        let back = |(i, b): (usize, &BlockId)| {
            self.succs[b.index()].iter().any(|&s| self.place(s).is_some_and(|p| p as usize <= i))
        };
        self.order.iter().enumerate().any(back)
    }

    pub fn dominators(&self) -> Dominators {
        let mut idom: Vec<Option<u32>> = vec![None; self.order.len()];
        if idom.is_empty() {
            return Dominators { idom, place: Vec::new() };
        }
        idom[0] = Some(0);
        let mut changed = true;
        while changed {
            changed = false;
            for i in 1..self.order.len() {
                let known = self.preds[self.order[i].index()]
                    .iter()
                    .filter_map(|p| self.place(*p))
                    .filter(|p| idom[*p as usize].is_some());
                let new = known.reduce(|a, b| meet(&idom, a, b));
                if new.is_some() && idom[i] != new {
                    idom[i] = new;
                    changed = true;
                }
            }
        }
        Dominators { idom, place: self.place.clone() }
    }
}

/// The nearest common ancestor of two places whose dominators are known.
fn meet(idom: &[Option<u32>], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        let later = if a > b { &mut a } else { &mut b };
        *later = idom[*later as usize].unwrap_or(0);
    }
    a
}

pub struct Dominators {
    /// By place in reverse postorder.
    idom: Vec<Option<u32>>,
    place: Vec<Option<u32>>,
}

impl Dominators {
    /// Does every path from the entry to `b` go through `a`? (A block dominates itself.)
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (Some(a), Some(mut b)) = (self.place[a.index()], self.place[b.index()]) else {
            return false;
        };
        while b > a {
            b = self.idom[b as usize].unwrap_or(0);
        }
        a == b
    }
}

/// Without repetition, first occurrences in order.
fn distinct(blocks: Near) -> Near {
    match blocks[..] {
        [] | [_] => blocks,
        [a, b] if a != b => blocks,
        _ => {
            let mut seen = FxHashSet::default();
            blocks.into_iter().filter(|b| seen.insert(*b)).collect()
        }
    }
}

/// Depth first with an explicit stack: input decides how deep a graph is.
fn reverse_postorder(succs: &[Near]) -> Vec<BlockId> {
    let mut post = Vec::with_capacity(succs.len());
    let mut seen = vec![false; succs.len()];
    let mut stack = Vec::new();
    if let Some(first) = seen.first_mut() {
        *first = true;
        stack.push((BlockId(0), 0));
    }
    while let Some((block, next)) = stack.last_mut() {
        // From the last successor to the first: then the order follows the source.
        let all = &succs[block.index()];
        if *next == all.len() {
            post.push(*block);
            stack.pop();
            continue;
        }
        *next += 1;
        let succ = all[all.len() - *next];
        if !std::mem::replace(&mut seen[succ.index()], true) {
            stack.push((succ, 0));
        }
    }
    post.reverse();
    post
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::parse;

    #[test]
    fn diamond_with_a_loop_and_dead_code() {
        let p = parse(
            "fn main(c) {
             a: if c b d
             b: goto e
             d: goto e
             e: if c a f
             f: ret
             g: goto e
             }",
        );
        let cfg = Cfg::new(&p.functions[0]);
        let order: Vec<u32> = cfg.order.iter().map(|b| b.0).collect();
        assert_eq!(order, [0, 1, 2, 3, 4]);
        assert_eq!(cfg.preds[3][..], [BlockId(1), BlockId(2)]);
        assert!(!cfg.is_reachable(BlockId(5)));
        let dom = cfg.dominators();
        assert!(dom.dominates(BlockId(0), BlockId(3)));
        assert!(dom.dominates(BlockId(3), BlockId(4)));
        assert!(dom.dominates(BlockId(4), BlockId(4)));
        assert!(!dom.dominates(BlockId(1), BlockId(3)));
        assert!(!dom.dominates(BlockId(5), BlockId(3)));
    }
}
