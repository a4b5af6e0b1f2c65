//! In which order the writes of a location reach memory: what is known, what is guessed.
//!
//! Every two writes of a location are a pair that is ordered for good or has a literal. A guess orders all
//! of them; whether it is a line is checked here. (In a tournament that is none, three are in a circle.)

use crate::universe::RelationalEvent;
use rustc_hash::FxHashMap;
use theory::Lit;

/// Circles of one location that one guess is told.
const PER_LOCATION: usize = 20;

#[derive(Clone, Debug, Default)]
pub struct Coherence {
    /// Writes by location.
    writes: FxHashMap<u32, Vec<usize>>,
    /// By the smaller event and the larger one: the first comes first if this holds.
    pairs: FxHashMap<(usize, usize), PairOrder>,
}

#[derive(Clone, Copy, Debug)]
enum PairOrder {
    Known(bool),
    Guessed(Lit),
}

/// A condition on guesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    Always,
    Never,
    If(Lit),
}

impl When {
    /// What it depends on.
    pub fn literal(self) -> Option<Lit> {
        match self {
            When::If(lit) => Some(lit),
            When::Always | When::Never => None,
        }
    }
}

impl Coherence {
    pub fn add_write(&mut self, location: u32, write: usize) {
        self.writes.entry(location).or_default().push(write);
    }

    pub fn writes(&self, location: u32) -> &[usize] {
        self.writes.get(&location).map_or(&[], Vec::as_slice)
    }

    /// The first comes before the second.
    pub fn know(&mut self, first: usize, second: usize) {
        self.pairs.insert((first.min(second), first.max(second)), PairOrder::Known(first < second));
    }

    /// The first comes before the second if the literal holds, else after it.
    pub fn guess(&mut self, first: usize, second: usize, lit: Lit) {
        let lit = if first < second { lit } else { !lit };
        self.pairs.insert((first.min(second), first.max(second)), PairOrder::Guessed(lit));
    }

    /// When does the first come before the second?
    pub fn before(&self, first: usize, second: usize) -> When {
        match self.pairs.get(&(first.min(second), first.max(second))) {
            Some(PairOrder::Known(forward)) if *forward == (first < second) => When::Always,
            Some(PairOrder::Guessed(lit)) => When::If(if first < second { *lit } else { !*lit }),
            None | Some(PairOrder::Known(_)) => When::Never,
        }
    }

    fn holds(&self, first: usize, second: usize, holds: &dyn Fn(Lit) -> bool) -> bool {
        match self.before(first, second) {
            When::Always => true,
            When::Never => false,
            When::If(lit) => holds(lit),
        }
    }

    fn locations(&self, events: &[RelationalEvent], executed: &[usize]) -> Vec<Vec<usize>> {
        let mut lines: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for &e in executed {
            let writes = events[e].sets.contains(&"W");
            if let (Some(location), true) = (events[e].location, writes) {
                lines.entry(location).or_default().push(e);
            }
        }
        let mut lines: Vec<_> = lines.into_values().collect();
        lines.sort_unstable();
        lines
    }

    /// Sets of literals of which not all can be true: guesses that go in a circle.
    pub fn cycles(
        &self,
        events: &[RelationalEvent],
        executed: &[usize],
        holds: &dyn Fn(Lit) -> bool,
    ) -> Vec<Vec<Lit>> {
        let mut out = Vec::new();
        for writes in self.locations(events, executed) {
            let mut found = 0;
            for (i, &a) in writes.iter().enumerate() {
                for (j, &b) in writes.iter().enumerate().skip(i + 1) {
                    for &c in &writes[j + 1..] {
                        for [x, y, z] in [[a, b, c], [a, c, b]] {
                            if found < PER_LOCATION && self.circle(x, y, z, holds) {
                                out.push(self.clause(events, [x, y, z]));
                                found += 1;
                            }
                        }
                    }
                }
            }
        }
        out
    }

    fn circle(&self, a: usize, b: usize, c: usize, holds: &dyn Fn(Lit) -> bool) -> bool {
        self.holds(a, b, holds) && self.holds(b, c, holds) && self.holds(c, a, holds)
    }

    fn clause(&self, events: &[RelationalEvent], [a, b, c]: [usize; 3]) -> Vec<Lit> {
        let pairs = [(a, b), (b, c), (c, a)];
        let lits = pairs.iter().filter_map(|&(x, y)| self.before(x, y).literal());
        lits.chain([a, b, c].iter().filter_map(|&e| events[e].guard)).collect()
    }

    /// All pairs of executed writes in their order.
    pub fn pairs(
        &self,
        events: &[RelationalEvent],
        executed: &[usize],
        holds: &dyn Fn(Lit) -> bool,
    ) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        for writes in self.locations(events, executed) {
            for &a in &writes {
                out.extend(writes.iter().filter(|&&b| self.holds(a, b, holds)).map(|&b| (a, b)));
            }
        }
        out
    }
}
