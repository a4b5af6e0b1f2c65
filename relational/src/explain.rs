//! From facts about an execution to literals.

use crate::universe::{GuessIndex, Universe};
use cat::Fact;
use rustc_hash::FxHashSet;
use theory::Lit;

pub struct Explainer<'a> {
    pub universe: &'a Universe,
    pub index: &'a GuessIndex,
    /// The events that the facts number.
    pub executed: &'a [usize],
    pub holds: &'a dyn Fn(Lit) -> bool,
}

/// Literals, and the events that they imply.
#[derive(Default)]
struct CoreLiterals {
    lits: Vec<Lit>,
    events: FxHashSet<usize>,
    implied: FxHashSet<usize>,
}

impl Explainer<'_> {
    /// True literals that imply the facts.
    pub fn literals(&self, facts: &[Fact<'_>]) -> Vec<Lit> {
        let mut found = CoreLiterals::default();
        for &fact in facts {
            self.fact(fact, &mut found);
        }
        let guards = found.events.difference(&found.implied);
        let guards = guards.filter_map(|&e| self.universe.events[e].guard);
        let mut lits: Vec<Lit> = found.lits.into_iter().chain(guards).collect();
        lits.sort_unstable();
        lits.dedup();
        lits
    }

    fn fact(&self, fact: Fact<'_>, found: &mut CoreLiterals) {
        match fact {
            Fact::Event(e) => {
                found.events.insert(self.executed[e]);
            }
            Fact::Has(name, a, b) => self.has(name, self.executed[a], self.executed[b], found),
            Fact::Lacks(name, a, b) => self.lacks(name, self.executed[a], self.executed[b], found),
            Fact::Missing(e) => {
                found.lits.extend(self.universe.events[e].guard.map(|lit| !lit));
            }
            Fact::Events => self.skeleton(found),
            Fact::Everything => self.everything(found),
        }
    }

    fn has(&self, name: &str, a: usize, b: usize, found: &mut CoreLiterals) {
        found.events.extend([a, b]);
        match name {
            "rf" => {
                if let Some(&Some(lit)) = self.index.rf.get(&(a, b)) {
                    found.lits.push(lit);
                    found.implied.extend([a, b]);
                }
            }
            "co" => found.lits.extend(self.universe.coherence.before(a, b).literal()),
            _ => {
                // Given twice, one without a condition: that is enough.
                let edges = self.index.edges(name, a, b).filter(|when| when.is_none_or(self.holds));
                let cheapest = edges.min_by_key(|when| when.is_some());
                found.lits.extend(cheapest.flatten());
            }
        }
    }

    fn lacks(&self, name: &str, a: usize, b: usize, found: &mut CoreLiterals) {
        match name {
            "rf" => {
                let rf = self.index.rf.get(&(a, b)).copied().flatten();
                found.lits.extend(rf.map(|lit| !lit));
            }
            "co" => found.lits.extend(self.universe.coherence.before(b, a).literal()),
            _ => found.lits.extend(self.index.edges(name, a, b).flatten().map(|lit| !lit)),
        }
    }

    /// Which events are executed, and which of their edges hold.
    fn skeleton(&self, found: &mut CoreLiterals) {
        let guards = self.universe.events.iter().filter_map(|event| event.guard);
        let edges = self.universe.edges.iter().filter_map(|edge| edge.when);
        found.lits.extend(guards.chain(edges).map(|lit| self.signed(lit)));
    }

    fn everything(&self, found: &mut CoreLiterals) {
        self.skeleton(found);
        let rf = self.universe.rf.iter().filter_map(|&(.., lit)| lit);
        found.lits.extend(rf.filter(|&lit| (self.holds)(lit)));
        let co = self.universe.coherence.pairs(&self.universe.events, self.executed, self.holds);
        let lit = |(a, b)| self.universe.coherence.before(a, b).literal();
        found.lits.extend(co.into_iter().filter_map(lit));
    }

    fn signed(&self, lit: Lit) -> Lit {
        if (self.holds)(lit) { lit } else { !lit }
    }
}
