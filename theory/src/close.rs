//! The loop that closes the order: next edge, its consequences, next literal, repeat.
//!
//! Edges go first, so that every rule sees an order that is as complete as it can be. Findings of
//! the rules land on the agenda; from there edges are inserted and denials become implied literals,
//! each with the age of the graph at that moment, which bounds its later explanation.
//!
//! Invariant: on `Ok`, agenda and literal queue are empty and the order is closed under all rules.
//! Cost: that of `Clocks::insert` and of the rules, per edge; nothing is scanned as a whole.

use crate::derive::Rules;
use crate::graph::OrderEdge;
use crate::layout::{Claim, LiteralRole};
use crate::minimize::minimize;
use crate::reason::{Conflict, EdgePath, EdgeReason, ReasonChain, ReasonView, Why};
use crate::trail::Undo;
use crate::types::*;
use crate::{Implied, Theory};

impl Theory {
    pub(crate) fn close(&mut self) -> Result<(), Conflict> {
        if self.stale {
            self.rebuild()?;
        }
        self.recheck_late()?;
        loop {
            if let Some((from, to, reason)) = self.agenda.edges.pop_front() {
                self.insert(OrderEdge { from, to, reason })?;
            } else if let Some(lit) = self.trail.next() {
                self.activate(lit)?;
            } else {
                return Ok(());
            }
        }
    }

    /// The layout has grown: starts again from the chains, with the literals of level 0 waiting.
    fn rebuild(&mut self) -> Result<(), Conflict> {
        self.stale = false;
        self.stats.rebuilds += 1;
        self.layout.arrange();
        self.trail.restart();
        self.graph.reset(self.layout.places.len());
        self.active.by_read = vec![Vec::new(); self.layout.reads.len()];
        self.active.by_write = vec![Vec::new(); self.layout.writes.len()];
        self.implied.clear();
        self.implied_at.iter_mut().for_each(|at| *at = None);
        self.told = 0;
        self.agenda.edges.clear();
        self.agenda.denied.clear();
        self.deltas.clear();
        self.clocks.reset(&self.layout, &mut self.deltas);
        for &(from, to) in &self.layout.edges {
            self.agenda.edges.push_back((from, to, EdgeReason::Static));
        }
        self.deny_loops();
        self.derive_deltas()
    }

    /// No node comes before or stands apart from itself.
    fn deny_loops(&mut self) {
        for (i, pair) in self.layout.pairs.iter().enumerate() {
            if pair.from == pair.to {
                self.agenda.denied.push((pair.lit, Why::Ordered(PairId::new(i))));
            }
        }
    }

    /// Literals that were added in the middle of a search: the order may have decided them before.
    fn recheck_late(&mut self) -> Result<(), Conflict> {
        if !std::mem::take(&mut self.recheck) {
            return Ok(());
        }
        for &id in &self.late {
            let pair = self.layout.pair(id);
            let before = |a, b| self.clocks.before(&self.layout, a, b);
            let apart = pair.claim == Claim::Apart && before(pair.from, pair.to);
            if pair.from == pair.to || before(pair.to, pair.from) || apart {
                self.agenda.denied.push((pair.lit, Why::Ordered(id)));
            } else if self.trail.is_true(pair.lit) && pair.claim == Claim::Before {
                let edge = (pair.from, pair.to, EdgeReason::Literal(pair.lit));
                self.agenda.edges.push_back(edge);
            }
        }
        if self.level() == 0 {
            self.late.clear();
        }
        self.absorb()
    }

    /// Adds an edge, unless it says nothing new.
    fn insert(&mut self, edge: OrderEdge) -> Result<(), Conflict> {
        let OrderEdge { from, to, reason } = edge;
        if from == to || self.clocks.before(&self.layout, to, from) {
            return Err(self.cycle(edge));
        }
        let known = self.clocks.before(&self.layout, from, to);
        if known && !matches!(reason, EdgeReason::Literal(_)) {
            return Ok(());
        }
        self.graph.push(edge);
        self.trail.record(Undo::Edge);
        self.stats.count_edge(reason);
        if !known {
            self.clocks.insert(&self.layout, (from, to), &mut self.trail, &mut self.deltas);
        }
        self.derive_deltas()
    }

    fn derive_deltas(&mut self) -> Result<(), Conflict> {
        let mut deltas = std::mem::take(&mut self.deltas);
        self.stats.deltas += deltas.len() as u64;
        let mut rules = self.rules();
        deltas.drain(..).for_each(|delta| rules.delta(delta));
        self.deltas = deltas;
        self.absorb()
    }

    fn rules(&mut self) -> Rules<'_> {
        Rules {
            layout: &self.layout,
            trail: &self.trail,
            clocks: &self.clocks,
            active: &self.active,
            agenda: &mut self.agenda,
        }
    }

    /// A literal is true: every role it plays looks at the order.
    fn activate(&mut self, lit: Lit) -> Result<(), Conflict> {
        if let Some(denied) = self.record_of(!lit) {
            return Err(self.contradiction(lit, denied.why, denied.age));
        }
        for i in 0..self.layout.roles(lit).len() {
            match self.layout.roles(lit)[i] {
                LiteralRole::Pair(pair) => self.claim(pair),
                LiteralRole::Rf(rf) => {
                    self.set_active(rf);
                    self.rules().read_from(rf);
                }
                LiteralRole::Guard(write) => self.rules().enabled(write),
                LiteralRole::Alias(write, read, alias) => {
                    self.rules().met(write, read, Some(alias))
                }
            }
        }
        self.absorb()
    }

    fn claim(&mut self, pair: PairId) {
        let pair = self.layout.pair(pair);
        if pair.claim == Claim::Before {
            self.agenda.edges.push_back((pair.from, pair.to, EdgeReason::Literal(pair.lit)));
        }
    }

    fn set_active(&mut self, id: RfId) {
        let rf = self.layout.rf(id);
        self.active.by_read[rf.read.index()].push(id);
        self.active.by_write[rf.write.index()].push(id);
        self.trail.record(Undo::Active(id));
    }

    /// Turns denials into implied literals, or into a conflict if the literal is true.
    fn absorb(&mut self) -> Result<(), Conflict> {
        let mut denied = std::mem::take(&mut self.agenda.denied);
        let result = denied.drain(..).try_for_each(|(lit, why)| self.deny(lit, why));
        self.agenda.denied = denied;
        result
    }

    fn deny(&mut self, lit: Lit, why: Why) -> Result<(), Conflict> {
        if self.trail.value(lit) == Some(false) || self.record_of(!lit).is_some() {
            return Ok(());
        }
        let age = self.graph.age();
        if self.trail.is_true(lit) || self.record_of(lit).is_some() {
            return Err(self.contradiction(lit, why, age));
        }
        if self.implied_at.len() <= lit.index() | 1 {
            self.implied_at.resize((lit.index() | 1) + 1, None);
        }
        self.implied_at[(!lit).index()] = Some(self.implied.len() as u32);
        self.implied.push(Implied { lit: !lit, why, age });
        self.trail.record(Undo::Implied);
        self.stats.count_denial(why);
        Ok(())
    }

    pub(crate) fn record_of(&self, lit: Lit) -> Option<Implied> {
        let at = self.implied_at.get(lit.index()).copied().flatten()?;
        Some(self.implied[at as usize])
    }

    /// The edge closes a cycle.
    fn cycle(&mut self, edge: OrderEdge) -> Conflict {
        let age = self.graph.age();
        let mut proof = ReasonChain::default();
        proof.add_reason(self.view(), edge.reason, age);
        proof.add_path(EdgePath { from: edge.to, to: edge.from, limit: age });
        self.conflict_of(proof)
    }

    /// `lit` is denied, but it is true, or its truth is implied.
    fn contradiction(&mut self, lit: Lit, why: Why, age: EdgeId) -> Conflict {
        let mut proof = ReasonChain::default();
        proof.add_why(self.view(), why, age);
        if self.trail.is_true(lit) {
            return self.conflict_of(proof);
        }
        // Both ways are closed. Each proof names the literal it excludes; those two cancel out.
        let mut lits = self.finish(proof, Some(lit));
        if let Some(Implied { why, age, .. }) = self.record_of(lit) {
            let mut other = ReasonChain::default();
            other.add_why(self.view(), why, age);
            lits.extend(self.finish(other, Some(!lit)));
        }
        self.latest_first(&mut lits);
        Conflict { lits }
    }

    fn conflict_of(&mut self, proof: ReasonChain) -> Conflict {
        Conflict { lits: self.finish(proof, None) }
    }

    /// The literals of a proof that must be true for it, without `target`, the one it excludes.
    pub(crate) fn finish(&mut self, mut proof: ReasonChain, target: Option<Lit>) -> Vec<Lit> {
        let mut search = std::mem::take(&mut self.search);
        proof.unfold(self.view(), &mut search);
        self.search = search;
        let before = proof.lits.len();
        if self.config.minimize && self.level() > 0 {
            minimize(self.view(), &self.root, &mut proof, target);
        }
        self.stats.dropped += (before - proof.lits.len()) as u64;
        let mut lits = proof.lits;
        lits.retain(|&lit| Some(lit) != target && !self.trail.is_root(lit));
        debug_assert!(lits.iter().all(|&lit| self.trail.is_true(lit)), "a premise is not true");
        self.latest_first(&mut lits);
        self.stats.explained += 1;
        self.stats.literals += lits.len() as u64;
        lits
    }

    fn latest_first(&self, lits: &mut Vec<Lit>) {
        lits.sort_by_key(|&lit| std::cmp::Reverse(self.trail.position(lit)));
        lits.dedup();
    }

    pub(crate) fn view(&self) -> ReasonView<'_> {
        ReasonView {
            layout: &self.layout,
            trail: &self.trail,
            clocks: &self.clocks,
            graph: &self.graph,
        }
    }

    /// Takes back the newest change.
    pub(crate) fn undo(&mut self, change: Undo) {
        match change {
            Undo::First(node, chain, old) => self.clocks.restore_first(node, chain, old),
            Undo::Last(node, chain, old) => self.clocks.restore_last(node, chain, old),
            Undo::Edge => self.graph.pop(),
            Undo::Active(id) => {
                let rf = self.layout.rf(id);
                self.active.by_read[rf.read.index()].pop();
                self.active.by_write[rf.write.index()].pop();
            }
            Undo::Implied => {
                if let Some(implied) = self.implied.pop() {
                    self.implied_at[implied.lit.index()] = None;
                }
            }
        }
    }
}
