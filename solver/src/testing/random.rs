//! Random event structures against all their interleavings.

use super::build::{Builder, MAIN};
use super::execute::reachable;
use super::{METHODS, Make, Session};
use crate::Outcome;
use encoder::MemoryModel;
use encoder::{Term, ThreadId};
use obmc_testing::Dice;

/// What a random program is made of.
struct Shape {
    threads: u32,
    length: u32,
    inputs: u32,
    joins: bool,
}

pub fn against_all_interleavings(make: &impl Make) {
    compare(make, &Shape { threads: 2, length: 4, inputs: 0, joins: false }, 0..40);
    compare(make, &Shape { threads: 3, length: 2, inputs: 0, joins: false }, 100..140);
}

pub fn with_inputs_and_joins(make: &impl Make) {
    compare(make, &Shape { threads: 2, length: 3, inputs: 1, joins: true }, 200..260);
}

/// More of them, for those who have time.
pub fn many(make: &impl Make, seeds: std::ops::Range<u64>) {
    compare(make, &Shape { threads: 2, length: 5, inputs: 0, joins: false }, seeds.clone());
    compare(make, &Shape { threads: 3, length: 3, inputs: 0, joins: false }, seeds.clone());
    compare(make, &Shape { threads: 4, length: 2, inputs: 0, joins: false }, seeds.clone());
    compare(make, &Shape { threads: 2, length: 4, inputs: 2, joins: true }, seeds);
}

fn compare(make: &impl Make, shape: &Shape, seeds: std::ops::Range<u64>) {
    let mut seen = [0, 0];
    for seed in seeds {
        let (builder, goal) = program(&mut Dice::new(seed), shape);
        let inputs = builder.inputs.clone();
        let encoding = builder.finish();
        let truth = reachable(&encoding, &inputs, goal);
        for method in METHODS {
            let mut session = Session::new(make, encoding.clone(), MemoryModel::Sc, method);
            let got = session.solve(&[goal]);
            assert_eq!(got == Outcome::Sat, truth, "seed {seed} {method:?} says {got:?}");
            let mut weak = Session::new(make, encoding.clone(), MemoryModel::Wsc, method);
            let got = weak.solve(&[goal]);
            assert!(
                got == Outcome::Sat || !truth,
                "seed {seed} {method:?} is weak and says {got:?}"
            );
        }
        seen[usize::from(truth)] += 1;
    }
    assert!(seen[0] > 4 && seen[1] > 4, "one-sided: {seen:?}");
}

/// A thread under construction: what it has read.
struct Author<'a> {
    builder: &'a mut Builder,
    random: &'a mut Dice,
    thread: ThreadId,
    reads: Vec<Term>,
    inputs: Vec<Term>,
}

fn program(random: &mut Dice, shape: &Shape) -> (Builder, Term) {
    let mut builder = Builder::new(3, 2);
    let inputs: Vec<Term> = (0..shape.inputs).map(|_| builder.input()).collect();
    let threads: Vec<ThreadId> = (0..shape.threads).map(|_| builder.thread()).collect();
    let mut reads = Vec::new();
    for &thread in &threads {
        let mut author = Author {
            builder: &mut builder,
            random,
            thread,
            reads: Vec::new(),
            inputs: inputs.clone(),
        };
        (0..shape.length).for_each(|_| author.step());
        reads.append(&mut author.reads);
    }
    if shape.joins {
        for &thread in &threads {
            let when = inputs[random.index(inputs.len())];
            builder.join_if(when, thread);
        }
        for cell in 0..2 {
            reads.push(builder.read(MAIN, cell));
        }
    }
    let goal = goal(&mut builder, random, &reads);
    (builder, goal)
}

/// Most reads have a certain value. Not all, else few goals are reachable.
fn goal(builder: &mut Builder, random: &mut Dice, reads: &[Term]) -> Term {
    let mut all = Vec::new();
    for &read in reads {
        if random.chance(70) {
            all.push(builder.is(read, u64::from(random.below(3))));
        }
    }
    builder.pool().and_all(all)
}

impl Author<'_> {
    fn step(&mut self) {
        let (guard, cell) = (self.guard(), self.random.below(2));
        match self.random.below(10) {
            0..4 => {
                let read = self.builder.read_if(guard, self.thread, cell);
                self.reads.push(read);
            }
            4..8 => {
                let value = self.value();
                self.builder.write_if(guard, self.thread, cell, value);
            }
            _ => {
                let read = self.builder.increment_if(guard, self.thread, cell);
                self.reads.push(read);
            }
        }
    }

    /// Something that the thread knows.
    fn guard(&mut self) -> Term {
        if !self.inputs.is_empty() && self.random.chance(20) {
            return self.inputs[self.random.index(self.inputs.len())];
        }
        match self.reads.last() {
            Some(&read) if self.random.chance(30) => {
                let value = u64::from(self.random.below(2));
                self.builder.is(read, value)
            }
            _ => self.builder.pool().bool(true),
        }
    }

    fn value(&mut self) -> Term {
        match self.reads.last() {
            Some(&read) if self.random.chance(25) => read,
            _ => {
                let value = 1 + u64::from(self.random.below(2));
                self.builder.number(value)
            }
        }
    }
}
