//! Random scripts: a small problem, then a search over it that now and then lets it grow.
//!
//! The generator is blind: it does not know what the theory answers, and the replayer skips what
//! makes no sense. Literals are drawn from a small pool, so one literal plays several roles, and
//! guards are as often negative as positive.

use super::random::Random;
use super::script::{Script, Step};
use crate::types::Lit;

/// How large and of what kind.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Threads.
    pub chains: u32,
    /// Nodes at the start.
    pub nodes: u32,
    /// Memory locations.
    pub cells: u32,
    /// Variables to draw from.
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
    let random = Random::new(seed);
    let mut maker = Maker { shape, random, steps: Vec::new(), nodes: 0, writes: 0, reads: 0 };
    (0..shape.nodes).for_each(|_| maker.node());
    (0..shape.rfs).for_each(|_| maker.rf());
    (0..shape.aliases).for_each(|_| maker.alias());
    (0..shape.pairs).for_each(|_| maker.pair());
    if maker.random.chance(50) {
        maker.edge();
    }
    (0..shape.steps).for_each(|_| maker.search());
    Script(maker.steps)
}

struct Maker {
    shape: Shape,
    random: Random,
    steps: Vec<Step>,
    nodes: u32,
    writes: u32,
    reads: u32,
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
        let guard = self.random.chance(60).then(|| self.lit());
        self.steps.push(Step::Write { name: self.writes, node, cell, guard });
        self.writes += 1;
    }

    fn read(&mut self, node: u32, cell: u32) {
        self.steps.push(Step::Read { name: self.reads, node, cell });
        self.reads += 1;
    }

    fn rf(&mut self) {
        let (write, read) = (self.random.below(self.writes), self.random.below(self.reads));
        // Mostly within a cell, as an encoder does; the replayer does not insist.
        let cell_of =
            |steps: &[Step], which: &dyn Fn(&Step) -> Option<u32>| steps.iter().find_map(which);
        let wc = cell_of(&self.steps, &|s| match *s {
            Step::Write { name, cell, .. } if name == write => Some(cell),
            _ => None,
        });
        let rc = cell_of(&self.steps, &|s| match *s {
            Step::Read { name, cell, .. } if name == read => Some(cell),
            _ => None,
        });
        if wc == rc || self.random.chance(10) {
            let lit = self.lit();
            self.steps.push(Step::Rf { lit, write, read });
        }
    }

    fn alias(&mut self) {
        let (write, read) = (self.random.below(self.writes), self.random.below(self.reads));
        let lit = self.lit();
        self.steps.push(Step::Alias { write, read, lit });
    }

    fn pair(&mut self) {
        let (from, to) = (self.random.below(self.nodes), self.random.below(self.nodes));
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
        self.steps.push(Step::Edge { from, to });
    }

    fn search(&mut self) {
        match self.random.below(100) {
            0..=39 => {
                let lit = self.lit();
                self.steps.push(Step::Assign(lit));
            }
            40..=64 => self.steps.push(Step::Propagate),
            65..=76 => self.steps.push(Step::Echo),
            77..=88 => self.steps.push(Step::Push),
            89..=95 => {
                let level = self.random.below(5);
                self.steps.push(Step::Back(level));
            }
            96 => {
                let lit = self.lit();
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
    }

    fn lit(&mut self) -> Lit {
        let var = 1 + self.random.below(self.shape.vars);
        if self.random.chance(25) { Lit::negative(var) } else { Lit::positive(var) }
    }
}
