//! Which registers may still be read: liveness at the start of each block (`Live`), or before each
//! instruction (`LivePoints`).
//!
//! Only registers that travel between blocks count at their starts: those that some block reads
//! before it writes them. They get numbers of their own, and sets of these are solved backwards from
//! the exits until nothing changes. Within a block, one look backwards does for all points.
//!
//! Blocks that cannot be reached pass nothing on to those before them.

use fixedbitset::FixedBitSet;
use ir::cfg::Cfg;
use ir::walk;
use ir::{Block, BlockId, Function, Operand, Reg};

/// Sets of registers, one behind the other in one list, each ascending.
#[derive(Clone, Debug)]
struct Sets {
    regs: Vec<Reg>,
    /// Where each set starts in `regs`, and where the last one ends.
    starts: Vec<usize>,
}

impl Sets {
    fn new() -> Sets {
        Sets { regs: Vec::new(), starts: vec![0] }
    }

    fn push(&mut self, set: impl IntoIterator<Item = Reg>) {
        self.regs.extend(set);
        self.starts.push(self.regs.len());
    }

    fn get(&self, i: usize) -> LiveSet<'_> {
        LiveSet(&self.regs[self.starts[i]..self.starts[i + 1]])
    }
}

/// Some registers, ascending.
#[derive(Clone, Copy)]
pub struct LiveSet<'a>(&'a [Reg]);

impl<'a> LiveSet<'a> {
    pub fn contains(self, reg: &Reg) -> bool {
        self.0.binary_search(reg).is_ok()
    }

    pub fn iter(self) -> std::slice::Iter<'a, Reg> {
        self.0.iter()
    }

    pub fn len(self) -> usize {
        self.0.len()
    }

    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

/// What is live at the start of each block.
pub struct Live(Sets);

impl Live {
    pub fn new(function: &Function, cfg: &Cfg) -> Live {
        let travellers = Travellers::of(function);
        let (mut live, writes): (Vec<_>, Vec<_>) =
            function.blocks.iter().map(|block| travellers.summary(block)).unzip();
        if !travellers.regs.is_empty() {
            solve(&mut live, &writes, cfg);
        }
        let mut sets = Sets::new();
        live.iter().for_each(|set| sets.push(set.ones().map(|i| travellers.regs[i])));
        Live(sets)
    }

    pub fn at_start(&self, block: BlockId) -> LiveSet<'_> {
        self.0.get(block.index())
    }
}

/// What is live before each instruction.
#[derive(Clone, Debug)]
pub struct LivePoints {
    /// Block by block, the last point of each first.
    sets: Sets,
    /// The number of the set at the start of each block.
    starts: Vec<usize>,
}

impl LivePoints {
    pub fn new(function: &Function) -> LivePoints {
        let cfg = Cfg::new(function);
        let live = Live::new(function, &cfg);
        let mut sets = Sets::new();
        let mut starts = Vec::with_capacity(function.blocks.len());
        let mut points = 0;
        for (b, block) in function.blocks.iter().enumerate() {
            let behind = cfg.succs[b].iter().flat_map(|&s| live.at_start(s).iter().copied());
            push_points(block, behind.collect(), &mut sets);
            points += block.insts.len() + 1;
            starts.push(points - 1);
        }
        LivePoints { sets, starts }
    }

    /// The registers live before instruction `index` of the block (its terminator's index is the
    /// number of instructions).
    pub fn before(&self, block: BlockId, index: usize) -> LiveSet<'_> {
        self.sets.get(self.starts[block.index()] - index)
    }
}

/// From the terminator to the first instruction; `live` is what is live behind the block.
fn push_points(block: &Block, mut live: Vec<Reg>, sets: &mut Sets) {
    live.sort_unstable();
    live.dedup();
    walk::end_operand(&block.end).into_iter().for_each(|o| mark(&mut live, o));
    sets.push(live.iter().copied());
    for inst in block.insts.iter().rev() {
        let written = walk::defined(&inst.kind).and_then(|r| live.binary_search(&r).ok());
        written.map(|at| live.remove(at));
        walk::operands(&inst.kind).into_iter().for_each(|o| mark(&mut live, o));
        sets.push(live.iter().copied());
    }
}

fn mark(live: &mut Vec<Reg>, operand: &Operand) {
    let Operand::Reg(r) = operand else { return };
    if let Err(at) = live.binary_search(r) {
        live.insert(at, *r);
    }
}

/// What a block reads, or passes on from those behind it without writing it.
fn solve(live: &mut [FixedBitSet], writes: &[FixedBitSet], cfg: &Cfg) {
    let mut more = FixedBitSet::new();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for b in cfg.order.iter().rev().map(|b| b.index()) {
            for s in cfg.succs[b].iter().map(|s| s.index()) {
                more.clone_from(&live[s]);
                more.difference_with(&writes[b]);
                if !more.is_subset(&live[b]) {
                    live[b].union_with(&more);
                    changed = true;
                }
            }
        }
    }
}

/// Registers that some block reads before it writes them.
struct Travellers {
    /// Ascending.
    regs: Vec<Reg>,
    /// The number of each register among them; `NONE` for the others.
    number: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Travellers {
    fn of(function: &Function) -> Travellers {
        let mut travels = vec![false; function.regs.len()];
        // In which block a register was last written: one list serves all blocks.
        let mut written = vec![NONE; function.regs.len()];
        for (b, block) in function.blocks.iter().enumerate() {
            let b = b as u32;
            let mut read = |operand: &Operand, written: &[u32]| {
                if let Operand::Reg(r) = operand {
                    travels[r.index()] |= written[r.index()] != b;
                }
            };
            for inst in &block.insts {
                walk::operands(&inst.kind).into_iter().for_each(|o| read(o, &written));
                if let Some(r) = walk::defined(&inst.kind) {
                    written[r.index()] = b;
                }
            }
            walk::end_operand(&block.end).into_iter().for_each(|o| read(o, &written));
        }
        let mut number = written;
        let mut regs = Vec::new();
        for (r, number) in number.iter_mut().enumerate() {
            *number = NONE;
            if travels[r] {
                *number = regs.len() as u32;
                regs.push(Reg(r as u32));
            }
        }
        Travellers { regs, number }
    }

    /// What a block reads before it writes it, and what it writes.
    fn summary(&self, block: &Block) -> (FixedBitSet, FixedBitSet) {
        let none = FixedBitSet::with_capacity(self.regs.len());
        let (mut reads, mut writes) = (none.clone(), none);
        let mut read = |operand: &Operand, writes: &FixedBitSet| {
            let number = self.number(operand).filter(|&n| !writes.contains(n));
            number.into_iter().for_each(|n| reads.insert(n));
        };
        for inst in &block.insts {
            walk::operands(&inst.kind).into_iter().for_each(|o| read(o, &writes));
            let written = walk::defined(&inst.kind).map(Operand::Reg);
            let number = written.and_then(|o| self.number(&o));
            number.into_iter().for_each(|n| writes.insert(n));
        }
        walk::end_operand(&block.end).into_iter().for_each(|o| read(o, &writes));
        (reads, writes)
    }

    fn number(&self, operand: &Operand) -> Option<usize> {
        let Operand::Reg(r) = operand else { return None };
        let number = self.number[r.index()];
        (number != NONE).then_some(number as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::{parse, random_program};

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

    /// Before each instruction of each block: sets grow along the graph until nothing is new, one
    /// register at a time.
    fn slow(function: &Function, cfg: &Cfg, reg: Reg) -> Vec<Vec<bool>> {
        let points = |block: &Block| vec![false; block.insts.len() + 1];
        let mut live: Vec<Vec<bool>> = function.blocks.iter().map(points).collect();
        for _ in 0..=function.blocks.len() {
            for &b in &cfg.order {
                let mut here = cfg.succs[b.index()].iter().any(|s| live[s.index()][0]);
                let block = &function.blocks[b.index()];
                here |= walk::end_operand(&block.end) == Some(&Operand::Reg(reg));
                live[b.index()][block.insts.len()] = here;
                for (i, inst) in block.insts.iter().enumerate().rev() {
                    here &= walk::defined(&inst.kind) != Some(reg);
                    here |= walk::operands(&inst.kind).contains(&&Operand::Reg(reg));
                    live[b.index()][i] = here;
                }
            }
        }
        live
    }

    #[test]
    fn random_functions() {
        for seed in 0..200 {
            let program = parse(&random_program(seed));
            for f in &program.functions {
                let cfg = Cfg::new(f);
                let live = Live::new(f, &cfg);
                let points = LivePoints::new(f);
                for r in (0..f.regs.len() as u32).map(Reg) {
                    let slow = slow(f, &cfg, r);
                    for &b in &cfg.order {
                        let slow = &slow[b.index()];
                        let found = live.at_start(b).contains(&r);
                        assert_eq!(found, slow[0], "seed {seed}, {r:?} in {b:?}");
                        for (i, &slow) in slow.iter().enumerate() {
                            let found = points.before(b, i).contains(&r);
                            assert_eq!(found, slow, "seed {seed}, {r:?} in {b:?} at {i}");
                        }
                    }
                }
            }
        }
    }

    /// Names of what is live there, in order.
    fn names(f: &Function, points: &LivePoints, block: u32, index: usize) -> Vec<String> {
        let regs = points.before(BlockId(block), index).iter();
        let mut names: Vec<_> = regs.filter_map(|r| f.regs[r.index()].name.clone()).collect();
        names.sort();
        names
    }

    #[test]
    fn through_empty_blocks_in_any_order() {
        let p = parse(
            "fn main() {
             a: x = 1
             goto d
             b: ret x
             c: goto b
             d: goto c
             }",
        );
        let f = &p.functions[0];
        let points = LivePoints::new(f);
        assert!(names(f, &points, 0, 0).is_empty());
        assert_eq!(names(f, &points, 0, 1), ["x"]);
        for block in 1..4 {
            assert_eq!(names(f, &points, block, 0), ["x"]);
        }
    }

    #[test]
    fn at_each_point_of_a_loop_and_not_behind_it() {
        let p = parse(
            "fn main() {
             a: i = 0
             goto h
             h: c = i < 3
             if c b o
             b: t = i + 1
             i = t
             goto h
             o: ret 0
             }",
        );
        let f = &p.functions[0];
        let points = LivePoints::new(f);
        assert!(names(f, &points, 0, 0).is_empty());
        assert_eq!(names(f, &points, 1, 0), ["i"]);
        assert_eq!(names(f, &points, 1, 1), ["c", "i"]);
        assert_eq!(names(f, &points, 2, 1), ["t"]);
        assert!(names(f, &points, 3, 0).is_empty());
    }
}
