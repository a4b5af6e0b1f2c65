//! Which registers may still be read: liveness at the start of each block.
//!
//! Backwards from the exits until nothing changes; sets hold only registers that travel between
//! blocks.

use super::cfg::Cfg;
use super::walk;
use crate::ir::{Block, BlockId, Function, Operand, Reg};
use rustc_hash::FxHashSet;

pub struct Live(Vec<FxHashSet<Reg>>);

impl Live {
    pub fn new(function: &Function, cfg: &Cfg) -> Live {
        let summaries: Vec<_> = function.blocks.iter().map(summary).collect();
        let mut live: Vec<FxHashSet<Reg>> = summaries.iter().map(|s| s.0.clone()).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for b in cfg.order.iter().rev().map(|b| b.index()) {
                let before = live[b].len();
                for s in &cfg.succs[b] {
                    let passed: Vec<Reg> =
                        live[s.index()].difference(&summaries[b].1).copied().collect();
                    live[b].extend(passed);
                }
                changed |= live[b].len() > before;
            }
        }
        Live(live)
    }

    pub fn at_start(&self, block: BlockId) -> &FxHashSet<Reg> {
        &self.0[block.index()]
    }
}

/// What a block reads before it writes it, and what it writes.
fn summary(block: &Block) -> (FxHashSet<Reg>, FxHashSet<Reg>) {
    let (mut reads, mut writes) = (FxHashSet::default(), FxHashSet::default());
    let mut read = |o: &Operand, writes: &FxHashSet<Reg>| match o {
        Operand::Reg(r) if !writes.contains(r) => {
            reads.insert(*r);
        }
        _ => {}
    };
    for inst in &block.insts {
        walk::operands(&inst.kind).into_iter().for_each(|o| read(o, &writes));
        writes.extend(walk::defined(&inst.kind));
    }
    walk::end_operand(&block.end).into_iter().for_each(|o| read(o, &writes));
    (reads, writes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::parse;

    #[test]
    fn around_a_loop() {
        let p = parse(
            "fn main(n, unused) {
             a: i = 0
             goto h
             h: c = i < n
             if c b o
             b: i = i + 1
             goto h
             o: ret n
             }",
        );
        let f = &p.functions[0];
        let live = Live::new(f, &Cfg::new(f));
        let names = |b: u32| {
            let regs = live.at_start(BlockId(b)).iter();
            let mut names: Vec<_> = regs.filter_map(|r| f.regs[r.index()].name.clone()).collect();
            names.sort();
            names
        };
        assert_eq!(names(0), ["n"]);
        assert_eq!(names(1), ["i", "n"]);
        assert_eq!(names(3), ["n"]);
    }
}
