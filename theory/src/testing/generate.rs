//! Random scripts: a small problem, then a search over it that now and then lets it grow.
//!
//! The generator is blind: it does not know what the theory answers, and the replayer skips what
//! makes no sense. Literals are drawn from a small pool, so one literal plays several roles, and
//! guards are as often negative as positive.

use super::script::{Script, Step};
use crate::types::Lit;
use obmc_testing::Dice;

/// How large and of what kind.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Threads.
    pub chains: u32,
    /// Nodes at the start.
    pub nodes: u32,
    /// Memory locations.
    pub cells: u32,
    /// Variables to draw from; 0 gives every role its own.
    pub vars: u32,
    /// Candidate pairs.
    pub rfs: u32,
    /// Pair literals of each kind.
    pub pairs: u32,
    /// Alias literals.
    pub aliases: u32,
    /// Calls after the building.
    pub steps: u32,
}

/// The script of a seed.
pub fn generate(shape: Shape, seed: u64) -> Script {
    let random = Dice::new(seed);
    let (writes, reads) = (Vec::new(), Vec::new());
    let steps = Vec::new();
    let mut maker = Maker { shape, random, steps, nodes: 0, writes, reads, vars: shape.vars };
    (0..shape.nodes).for_each(|_| maker.node());
    (0..shape.rfs).for_each(|_| maker.rf());
    (0..shape.aliases).for_each(|_| maker.alias());
    (0..shape.pairs).for_each(|_| maker.pair());
    if maker.random.chance(50) {
        maker.edge();
    }
    // Most of the search should happen above level 0: there explanations have something to say.
    maker.steps.extend([Step::Propagate, Step::Push]);
    (0..shape.steps).for_each(|_| maker.search());
    Script(maker.steps)
}

struct Maker {
    shape: Shape,
    random: Dice,
    steps: Vec<Step>,
    nodes: u32,
    writes: Vec<(u32, u32)>, // node and cell of each
    reads: Vec<(u32, u32)>,
    vars: u32, // so far
}

fn len<T>(things: &[T]) -> u32 {
    things.len() as u32
}

impl Maker {
    fn node(&mut self) {
        let name = self.nodes;
        let step = if name > 0 && self.random.chance(15) {
            Step::After { name, node: self.random.below(name) }
        } else {
            Step::Node { name, chain: self.random.below(self.shape.chains) }
        };
        self.steps.push(step);
        self.nodes += 1;
        let cell = self.random.below(self.shape.cells);
        match self.random.below(10) {
            0..=3 => self.write(name, cell),
            4..=6 => self.read(name, cell),
            7..=8 => {
                self.read(name, cell);
                self.write(name, cell);
            }
            _ => {
                self.write(name, cell);
                self.read(name, (cell + 1) % self.shape.cells);
            }
        }
    }

    fn write(&mut self, node: u32, cell: u32) {
        let guard = self.random.chance(55).then(|| self.lit());
        self.steps.push(Step::Write { name: len(&self.writes), node, cell, guard });
        self.writes.push((node, cell));
    }

    fn read(&mut self, node: u32, cell: u32) {
        self.steps.push(Step::Read { name: len(&self.reads), node, cell });
        self.reads.push((node, cell));
    }

    /// Mostly within a cell, as an encoder does, and mostly from a write that was created before:
    /// the order of creation is a schedule, and only where a schedule exists can proofs get long.
    fn rf(&mut self) {
        let (w, r) = (self.random.below(len(&self.writes)), self.random.below(len(&self.reads)));
        let (Some(&write), Some(&read)) = (self.writes.get(w as usize), self.reads.get(r as usize))
        else {
            return;
        };
        let usual = write.1 == read.1 && write.0 < read.0;
        if usual || self.random.chance(if write.1 == read.1 { 40 } else { 5 }) {
            let lit = self.lit();
            self.steps.push(Step::Rf { lit, write: w, read: r });
        }
    }

    fn alias(&mut self) {
        let write = self.random.below(len(&self.writes));
        let read = self.random.below(len(&self.reads));
        let lit = self.lit();
        self.steps.push(Step::Alias { write, read, lit });
    }

    fn pair(&mut self) {
        let (from, to) = (self.random.below(self.nodes), self.random.below(self.nodes));
        let (from, to) =
            if self.random.chance(70) { (from.min(to), from.max(to)) } else { (from, to) };
        let lit = self.lit();
        let apart = self.random.chance(30);
        self.steps.push(if apart {
            Step::Apart { lit, from, to }
        } else {
            Step::Before { lit, from, to }
        });
    }

    fn edge(&mut self) {
        let (from, to) = (self.random.below(self.nodes), self.random.below(self.nodes));
        if from != to {
            self.steps.push(Step::Edge { from: from.min(to), to: from.max(to) });
        }
    }

    fn search(&mut self) {
        match self.random.below(100) {
            0..=44 => {
                let lit = self.any_lit();
                self.steps.push(Step::Assign(lit));
            }
            45..=64 => self.steps.push(Step::Propagate),
            65..=76 => self.steps.push(Step::Echo),
            77..=88 => self.steps.push(Step::Push),
            89..=95 => {
                let level = self.random.below(6) + u32::from(self.random.chance(80));
                self.steps.push(Step::Back(level));
                self.steps.push(Step::Push);
            }
            96 => {
                let lit = self.any_lit();
                self.steps.push(Step::ForEver(lit));
            }
            97 => self.pair(),
            _ => self.grow(),
        }
    }

    /// One more node, back at level 0 as a deeper bound would.
    fn grow(&mut self) {
        if self.random.chance(50) {
            self.steps.push(Step::Back(0));
        }
        self.node();
        self.rf();
        self.rf();
        self.steps.push(Step::Push);
    }

    /// A literal for a new role.
    fn lit(&mut self) -> Lit {
        if self.shape.vars > 0 {
            return self.any_lit();
        }
        self.vars += 1;
        Lit::positive(self.vars)
    }

    /// A literal to assign.
    fn any_lit(&mut self) -> Lit {
        let var = 1 + self.random.below(self.vars);
        if self.random.chance(25) { Lit::negative(var) } else { Lit::positive(var) }
    }
}
