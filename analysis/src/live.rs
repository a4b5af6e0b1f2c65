//! Which registers may still be read: liveness at the start of each block.
//!
//! Only registers that travel between blocks count: those that some block reads before it writes
//! them. They get numbers of their own, a set is a row of bits, and rows are solved backwards from
//! the exits until nothing changes.

use ir::cfg::Cfg;
use ir::walk;
use ir::{Block, BlockId, Function, Operand, Reg};

pub struct Live {
    /// All sets in one list, each ascending.
    regs: Vec<Reg>,
    /// Where the set of each block starts in `regs`, and where the last one ends.
    starts: Vec<u32>,
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

impl Live {
    pub fn new(function: &Function, cfg: &Cfg) -> Live {
        let travellers = Travellers::of(function);
        let mut reads = travellers.rows(function);
        let mut writes = travellers.rows(function);
        for (b, block) in function.blocks.iter().enumerate() {
            travellers.summary(block, reads.row(b), writes.row(b));
        }
        solve(&mut reads, &writes, cfg);
        travellers.listed(&reads, function.blocks.len())
    }

    pub fn at_start(&self, block: BlockId) -> LiveSet<'_> {
        let range = self.starts[block.index()] as usize..self.starts[block.index() + 1] as usize;
        LiveSet(&self.regs[range])
    }
}

/// What a block reads, or passes on to those behind it without writing it.
fn solve(live: &mut Rows, writes: &Rows, cfg: &Cfg) {
    let mut changed = live.width > 0;
    while changed {
        changed = false;
        for b in cfg.order.iter().rev().map(|b| b.index()) {
            for s in cfg.succs[b].iter().map(|s| s.index()) {
                for w in 0..live.width {
                    let (here, there) = (b * live.width + w, s * live.width + w);
                    let more = live.bits[there] & !writes.bits[here] & !live.bits[here];
                    live.bits[here] |= more;
                    changed |= more != 0;
                }
            }
        }
    }
}

/// A set of travellers for each block.
struct Rows {
    bits: Vec<u64>,
    /// Words of one set.
    width: usize,
}

impl Rows {
    fn row(&mut self, block: usize) -> &mut [u64] {
        &mut self.bits[block * self.width..(block + 1) * self.width]
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

    fn rows(&self, function: &Function) -> Rows {
        let width = self.regs.len().div_ceil(64);
        Rows { bits: vec![0; width * function.blocks.len()], width }
    }

    /// What a block reads before it writes it, and what it writes.
    fn summary(&self, block: &Block, reads: &mut [u64], writes: &mut [u64]) {
        let mut read = |operand: &Operand, writes: &[u64]| {
            if let Some((word, bit)) = self.place(operand) {
                reads[word] |= bit & !writes[word];
            }
        };
        for inst in &block.insts {
            walk::operands(&inst.kind).into_iter().for_each(|o| read(o, writes));
            let written = walk::defined(&inst.kind).map(Operand::Reg);
            if let Some((word, bit)) = written.and_then(|o| self.place(&o)) {
                writes[word] |= bit;
            }
        }
        walk::end_operand(&block.end).into_iter().for_each(|o| read(o, writes));
    }

    /// The word and the bit of a traveller.
    fn place(&self, operand: &Operand) -> Option<(usize, u64)> {
        let Operand::Reg(r) = operand else { return None };
        let number = self.number[r.index()];
        (number != NONE).then_some((number as usize / 64, 1 << (number % 64)))
    }

    fn listed(&self, rows: &Rows, blocks: usize) -> Live {
        let mut live = Live { regs: Vec::new(), starts: Vec::with_capacity(blocks + 1) };
        for b in 0..blocks {
            live.starts.push(live.regs.len() as u32);
            for w in 0..rows.width {
                let mut bits = rows.bits[b * rows.width + w];
                while bits != 0 {
                    live.regs.push(self.regs[w * 64 + bits.trailing_zeros() as usize]);
                    bits &= bits - 1;
                }
            }
        }
        live.starts.push(live.regs.len() as u32);
        live
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

    /// Sets grow along the graph until nothing is new, one register at a time.
    fn slow(function: &Function, cfg: &Cfg, reg: Reg) -> Vec<bool> {
        let mut live = vec![false; function.blocks.len()];
        for _ in 0..=function.blocks.len() {
            for &b in &cfg.order {
                let mut here = cfg.succs[b.index()].iter().any(|s| live[s.index()]);
                let block = &function.blocks[b.index()];
                here |= walk::end_operand(&block.end) == Some(&Operand::Reg(reg));
                for inst in block.insts.iter().rev() {
                    here &= walk::defined(&inst.kind) != Some(reg);
                    here |= walk::operands(&inst.kind).contains(&&Operand::Reg(reg));
                }
                live[b.index()] = here;
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
                for r in (0..f.regs.len() as u32).map(Reg) {
                    let slow = slow(f, &cfg, r);
                    for &b in &cfg.order {
                        let found = live.at_start(b).contains(&r);
                        assert_eq!(found, slow[b.index()], "seed {seed}, {r:?} in {b:?}");
                    }
                }
            }
        }
    }
}
