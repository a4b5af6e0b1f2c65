//! The meaning itself: is there an interleaving in which every read sees what its rf says?
//!
//! Small random executions (all events happen, every read has one source) are decided by trying
//! all interleavings. The theory with a "before" literal for each two writes of a cell must agree:
//! some choice of the literals is consistent exactly when an interleaving exists. Without those
//! literals (weak sequential consistency) it must at least never reject what has an interleaving.

use crate::{Cell, Lit, Node, Read, ScheduleSearch, Theory, Write};
use obmc_testing::Dice;

#[derive(Clone, Copy)]
enum Event {
    Write(u32, Write),
    Read(u32, Read),
}

struct Execution {
    theory: Theory,
    threads: Vec<Vec<Event>>,
    sources: Vec<Option<Write>>, // of each read
}

/// Two initial writes, then `threads` threads with `length` events over two cells.
fn random_execution(random: &mut Dice, threads: u32, length: u32) -> Execution {
    let mut theory = Theory::default();
    let start = theory.add_chain();
    let start = theory.add_node(start);
    let mut writes: Vec<Vec<Write>> =
        (0..2).map(|cell| vec![theory.add_write(start, Cell(cell), None)]).collect();
    let mut lines = Vec::new();
    let mut reads = Vec::new();
    for _ in 0..threads {
        let chain = theory.add_chain();
        let mut line = Vec::new();
        for position in 0..length {
            let node = theory.add_node(chain);
            if position == 0 {
                theory.add_edge(start, node);
            }
            let cell = random.below(2);
            if random.chance(45) {
                let write = theory.add_write(node, Cell(cell), None);
                writes[cell as usize].push(write);
                line.push(Event::Write(cell, write));
            } else {
                let read = theory.add_read(node, Cell(cell));
                reads.push((read, cell as usize));
                line.push(Event::Read(cell, read));
            }
        }
        lines.push(line);
    }
    let mut sources = Vec::new();
    for (i, &(read, cell)) in reads.iter().enumerate() {
        let source = writes[cell][random.below(writes[cell].len() as u32) as usize];
        let lit = Lit::positive(i as u32);
        theory.add_rf(lit, source, read);
        theory.assign(lit);
        sources.push(Some(source));
    }
    Execution { theory, threads: lines, sources }
}

impl Execution {
    /// Tries all interleavings from the given positions and memory.
    fn interleaves(&self, at: &mut [usize], memory: [Write; 2]) -> bool {
        if at.iter().zip(&self.threads).all(|(&at, line)| at == line.len()) {
            return true;
        }
        for thread in 0..at.len() {
            let Some(&event) = self.threads[thread].get(at[thread]) else { continue };
            let mut memory = memory;
            match event {
                Event::Write(cell, write) => memory[cell as usize] = write,
                Event::Read(cell, read) => {
                    if self.sources[read.index()] != Some(memory[cell as usize]) {
                        continue;
                    }
                }
            }
            at[thread] += 1;
            let found = self.interleaves(at, memory);
            at[thread] -= 1;
            if found {
                return true;
            }
        }
        false
    }
}

/// The second stage by hand: order one open pair of writes both paths, in the same instance.
fn serializable(theory: &mut Theory, var: &mut u32) -> bool {
    if theory.propagate().is_err() {
        return false;
    }
    let Some((a, b)) = theory.unordered_writes().into_iter().next() else { return true };
    let (a, b): (Node, Node) = (theory.node_of(a), theory.node_of(b));
    for (from, to) in [(a, b), (b, a)] {
        let level = theory.level();
        theory.push();
        *var += 1;
        let lit = Lit::positive(*var);
        theory.add_before(lit, from, to);
        theory.assign(lit);
        let found = serializable(theory, var);
        theory.backtrack(level);
        if found {
            return true;
        }
    }
    false
}

/// The schedule exists exactly when an interleaving does, and is one.
fn check_schedule(execution: &Execution, truth: bool, seed: u64) {
    let schedule = match execution.theory.linearize(10_000) {
        ScheduleSearch::Found(nodes) => nodes,
        other => {
            return assert_eq!((other, truth), (ScheduleSearch::Impossible, false), "seed {seed}");
        }
    };
    assert!(truth, "seed {seed}");
    let length = execution.threads[0].len();
    let mut memory = [Write(0), Write(1)];
    let mut at = vec![0; execution.threads.len()];
    for node in schedule.into_iter().filter(|node| node.index() > 0) {
        let (thread, position) = ((node.index() - 1) / length, (node.index() - 1) % length);
        assert_eq!(at[thread], position, "seed {seed}: out of program order");
        at[thread] += 1;
        match execution.threads[thread][position] {
            Event::Write(cell, write) => memory[cell as usize] = write,
            Event::Read(cell, read) => {
                assert_eq!(execution.sources[read.index()], Some(memory[cell as usize]));
            }
        }
    }
}

fn compare(threads: u32, length: u32, seeds: std::ops::Range<u64>) {
    let mut seen = [0, 0];
    for seed in seeds {
        let mut random = Dice::new(seed);
        let mut execution = random_execution(&mut random, threads, length);
        let truth = execution.interleaves(&mut vec![0; threads as usize], [Write(0), Write(1)]);
        let weak = execution.theory.propagate().is_ok();
        assert!(weak || !truth, "seed {seed}: weak consistency rejects an interleaving");
        if weak {
            check_schedule(&execution, truth, seed);
        }
        assert_eq!(serializable(&mut execution.theory, &mut 1000), truth, "seed {seed}");
        seen[usize::from(truth)] += 1;
    }
    assert!(seen[0] > 50 && seen[1] > 50, "one-sided: {seen:?}");
}

#[test]
fn two_threads() {
    compare(2, 4, 0..3000);
}

#[test]
fn three_threads() {
    compare(3, 3, 0..3000);
}

#[test]
fn four_threads() {
    compare(4, 2, 0..2000);
}
