//! How far each loop is followed, and which ones go further next time.
//!
//! Loops that the user has bounded keep that bound. All others start with `START` unwindings (unless
//! their number of unwindings is known, which `analysis::unrolled` finds out) and grow by
//! themselves, each only when an execution gets to its end: 2, 3, 5, 9, 17, ... Recursion is
//! bounded by one depth for all functions, which grows in the same way.

use crate::contract;
use analysis::inline;
use analysis::unroll::Bounds;
use ir::{NamedLoop, Repetition};
use rustc_hash::{FxHashMap, FxHashSet};

const START: u32 = 2;
/// Blocks of one function. Much more than what can be solved, and small enough to be refused fast.
const MAX_BLOCKS: usize = 300_000;
/// Loops with known unwindings up to here are unrolled completely at once.
pub const KNOWN_ITERATIONS: u32 = 1000;

#[derive(Clone, Debug)]
pub struct BoundsPlan {
    /// By the user, by name.
    fixed: FxHashMap<String, u32>,
    waits: FxHashSet<String>,
    grown: FxHashMap<String, u32>,
    depth: u32,
    /// The user has bounded everything.
    depth_fixed: bool,
}

impl BoundsPlan {
    /// A bound for all loops is one for recursion, too.
    pub fn new(given: contract::Bounds) -> BoundsPlan {
        let contract::Bounds { per_loop: fixed, everywhere, waits } = given;
        let depth = everywhere.unwrap_or(START);
        let depth_fixed = everywhere.is_some();
        BoundsPlan { fixed, waits, grown: FxHashMap::default(), depth, depth_fixed }
    }

    pub fn bounds(&self) -> Bounds {
        Bounds {
            default: Some(START),
            per_loop: self.fixed.clone(),
            unknown: self.grown.clone(),
            waits: self.waits.clone(),
            max_blocks: Some(MAX_BLOCKS),
        }
    }

    pub fn calls(&self) -> inline::Limits {
        inline::Limits { depth: self.depth, max_blocks: MAX_BLOCKS }
    }

    /// May this loop go further?
    pub fn grows(&self, info: &NamedLoop) -> bool {
        match info.kind {
            Repetition::Recursion => !self.depth_fixed,
            Repetition::Loop => !self.fixed.contains_key(&info.name),
        }
    }

    /// Raises the bounds of these loops that may grow, each once.
    pub fn grow<'a>(&mut self, reached: impl Iterator<Item = &'a NamedLoop>) {
        let before = self.clone();
        for info in reached.filter(|info| before.grows(info)) {
            if info.kind == Repetition::Recursion {
                self.depth = next(before.depth);
            } else {
                let now = before.grown.get(&info.name).copied().unwrap_or(START);
                self.grown.insert(info.name.clone(), next(now));
            }
        }
    }

    /// The bound that a loop has now, if it is not by a known number of unwindings.
    pub fn of(&self, info: &NamedLoop) -> u32 {
        match info.kind {
            Repetition::Recursion => self.depth,
            Repetition::Loop => {
                let fixed = self.fixed.get(&info.name).or(self.grown.get(&info.name));
                fixed.copied().unwrap_or(START)
            }
        }
    }
}

fn next(bound: u32) -> u32 {
    bound.saturating_mul(2).saturating_sub(1).max(bound.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::Span;

    fn info(name: &str, kind: Repetition) -> NamedLoop {
        NamedLoop { name: name.into(), kind, span: Span::NONE }
    }

    #[test]
    fn only_loops_that_were_reached_and_not_bounded_grow() {
        let fixed = FxHashMap::from_iter([("main.0".to_string(), 7)]);
        let mut plan = BoundsPlan::new(contract::Bounds { per_loop: fixed, ..Default::default() });
        let [a, b, c] = ["main.0", "main.1", "main.2"].map(|n| info(n, Repetition::Loop));
        // Copies of one loop are one loop.
        for _ in 0..3 {
            plan.grow([&a, &b, &b].into_iter());
        }
        assert_eq!((plan.of(&a), plan.of(&b), plan.of(&c)), (7, 9, 2));
        assert_eq!(plan.bounds().per_loop.get("main.0"), Some(&7));
        assert_eq!(plan.bounds().unknown.get("main.1"), Some(&9));
        assert_eq!(plan.calls().depth, 2);
    }

    #[test]
    fn recursion_grows_unless_everything_is_bounded() {
        let recursion = info("f.recursion", Repetition::Recursion);
        let mut plan = BoundsPlan::new(contract::Bounds::default());
        plan.grow([&recursion].into_iter());
        assert_eq!(plan.calls().depth, 3);
        let mut plan =
            BoundsPlan::new(contract::Bounds { everywhere: Some(4), ..Default::default() });
        plan.grow([&recursion].into_iter());
        assert_eq!(plan.calls().depth, 4);
    }
}
