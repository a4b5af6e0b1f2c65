//! Large seeded graphs for benches and scale tests: threads that read and write a few cells in a
//! random schedule, and the literals of that schedule. Since a schedule exists, assigning them all
//! meets no conflict; in between, wrong literals can be tried.

use crate::types::*;
use crate::{Config, Theory};
use obmc_testing::Dice;

/// A built problem and the literals that are true in the schedule behind it.
#[derive(Clone, Debug)]
pub struct Big {
    /// With everything added and nothing assigned.
    pub theory: Theory,
    /// One rf literal per read that has one, in random order.
    pub schedule: Vec<Lit>,
    /// How many rf literals there are; they are numbered from 1.
    pub candidates: u32,
}

/// `events` events in `threads` threads, over `events / 20 + 1` cells, each read having `choices`
/// wrong candidates besides the right one.
pub fn big(events: u32, threads: u32, choices: u32, seed: u64) -> Big {
    let mut random = Dice::new(seed);
    let mut theory = Theory::new(Config::default());
    let chains: Vec<Chain> = (0..threads).map(|_| theory.add_chain()).collect();
    let cells = events / 20 + 1;
    let first = theory.add_chain();
    let start = theory.add_node(first);
    let mut writes: Vec<Vec<Write>> =
        (0..cells).map(|cell| vec![theory.add_write(start, Cell(cell), None)]).collect();
    let mut reads = Vec::new();
    let mut begun = vec![false; threads as usize];
    for _ in 0..events {
        let thread = random.below(threads) as usize;
        let node = theory.add_node(chains[thread]);
        if !std::mem::replace(&mut begun[thread], true) {
            theory.add_edge(start, node);
        }
        let cell = random.below(cells) as usize;
        if random.chance(40) {
            writes[cell].push(theory.add_write(node, Cell(cell as u32), None));
        } else {
            let right = writes[cell][writes[cell].len() - 1];
            reads.push((theory.add_read(node, Cell(cell as u32)), cell, right));
        }
    }
    let mut schedule = Vec::new();
    let mut var = 0;
    for (read, cell, right) in reads {
        let mut add = |theory: &mut Theory, write| {
            var += 1;
            theory.add_rf(Lit::positive(var), write, read);
            Lit::positive(var)
        };
        schedule.push(add(&mut theory, right));
        for _ in 0..choices {
            let wrong = writes[cell][random.below(writes[cell].len() as u32) as usize];
            if wrong != right {
                add(&mut theory, wrong);
            }
        }
    }
    for i in (1..schedule.len()).rev() {
        schedule.swap(i, random.below(i as u32 + 1) as usize);
    }
    Big { theory, schedule, candidates: var }
}
