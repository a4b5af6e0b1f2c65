//! Large encodings for measuring: threads of loads, stores and locked increments.

use super::Builder;
use crate::*;
use obmc_testing::Dice;

/// So many threads with so many accesses each, over so many cells.
pub fn large(threads: u32, accesses: u32, cells: u32, seed: u64) -> Encoding {
    let mut random = Dice::new(seed);
    let mut b = Builder::new();
    let cells: Vec<CellId> = (0..cells).map(|i| b.cell(&format!("x{i}"), 32, 0)).collect();
    let children: Vec<ThreadId> = (0..threads).map(|_| b.thread()).collect();
    let one = b.pool().bits(1, 32);
    for &t in &children {
        let mut value = one;
        for i in 0..accesses {
            let cell = cells[random.index(cells.len())];
            match random.below(8) {
                0..4 => value = b.load(t, cell),
                4 => {
                    b.update(t, cell, |p, v| p.add(v, one));
                }
                5 if i % 10 == 0 => {
                    let k = b.pool().bits(u64::from(random.below(9)), 32);
                    let differs = b.pool().eq(value, k);
                    let differs = b.pool().not(differs);
                    b.assume(t, differs);
                }
                _ => {
                    let new = b.pool().add(value, one);
                    b.write(t, cell, new);
                }
            }
        }
        b.wait_for(ThreadId(0), t);
    }
    for &cell in &cells {
        let v = b.load(ThreadId(0), cell);
        let good = b.pool().truth(v);
        b.goal(ThreadId(0), good);
    }
    b.finish()
}
