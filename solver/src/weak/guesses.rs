//! Reads-from and coherence as literals.

use super::Builder;
use encoder::{EventId, EventKind, Term};
use relational::{EventOwner, When};
use rustc_hash::FxHashMap;
use theory::Lit;

/// Above this many candidates of one read, "at most one" is left to the theory of a coherent model.
const PAIRWISE: usize = 40;

/// A read that may read from a write.
pub(super) struct Candidate {
    pub write: usize,
    pub read: usize,
    pub chosen: Term,
}

impl Builder<'_> {
    /// Gives the literals of `Encoding::rf`, which it fills.
    pub(super) fn guess(&mut self) -> Vec<Lit> {
        self.lock_starts_free();
        self.coherence();
        let (candidates, rf) = self.reads_from();
        self.last_looks(&candidates);
        self.serialise(&candidates);
        if !self.coherent && self.model.cat.is_atomic() {
            self.updates(&candidates);
        }
        rf
    }

    pub(super) fn candidate(&mut self, write: usize, read: usize) -> Candidate {
        let chosen = self.fresh();
        let lit = self.literals.lit(&self.encoding.pool, chosen);
        self.universe.rf.push((write, read, Some(lit)));
        let pool = &mut self.encoding.pool;
        for guard in [self.guards[write], self.guards[read]] {
            self.facts.push(pool.implies_term(chosen, guard));
        }
        Candidate { write, read, chosen }
    }

    pub(super) fn exactly_one(&mut self, read: usize, list: Vec<Candidate>) {
        let pool = &mut self.encoding.pool;
        let some = pool.or_all(list.iter().map(|c| c.chosen));
        self.facts.push(pool.implies_term(self.guards[read], some));
        if self.coherent && list.len() > PAIRWISE {
            return;
        }
        for (i, a) in list.iter().enumerate() {
            for b in &list[i + 1..] {
                let both = pool.and(a.chosen, b.chosen);
                self.facts.push(pool.not(both));
            }
        }
    }

    /// The order of all writes, pair by pair.
    fn coherence(&mut self) {
        let locations: Vec<u32> = (0..self.hidden(2 * self.encoding.threads.len() + 1)).collect();
        for location in locations {
            let writes = self.universe.coherence.writes(location).to_vec();
            for (i, &a) in writes.iter().enumerate() {
                for &b in &writes[i + 1..] {
                    self.order_writes(a, b);
                }
            }
        }
    }

    fn order_writes(&mut self, a: usize, b: usize) {
        let initial = |e: usize| self.universe.events[e].place == EventOwner::Initial;
        match (initial(a), initial(b)) {
            (true, _) => self.universe.coherence.know(a, b),
            (_, true) => self.universe.coherence.know(b, a),
            _ if self.coherent && self.universe.same_thread(a, b) => {
                self.universe.coherence.know(a.min(b), a.max(b));
            }
            _ => {
                let first = self.fresh();
                let lit = self.literals.lit(&self.encoding.pool, first);
                self.universe.coherence.guess(a, b, lit);
            }
        }
    }

    fn reads_from(&mut self) -> (Vec<Candidate>, Vec<Lit>) {
        let mut rf = Vec::new();
        let mut all = Vec::new();
        let mut pairs = Vec::new();
        for r in 0..self.encoding.events.len() {
            if self.encoding.events[r].kind != EventKind::Read {
                continue;
            }
            let mut list = Vec::new();
            for w in 0..self.encoding.events.len() {
                if self.may_read(w, r) {
                    let candidate = self.candidate(self.place[w], self.place[r]);
                    let (write, read) = (&self.encoding.events[w], &self.encoding.events[r]);
                    let pool = &mut self.encoding.pool;
                    let same = pool.eq(write.value, read.value);
                    self.facts.push(pool.implies_term(candidate.chosen, same));
                    rf.push(self.literals.lit(&self.encoding.pool, candidate.chosen));
                    pairs.push((EventId::new(w), EventId::new(r)));
                    list.push(candidate);
                }
            }
            let copies: Vec<Candidate> = list
                .iter()
                .map(|&Candidate { write, read, chosen }| Candidate { write, read, chosen })
                .collect();
            self.exactly_one(self.place[r], list);
            all.extend(copies);
        }
        self.encoding.rf = pairs;
        (all, rf)
    }

    fn may_read(&self, w: usize, r: usize) -> bool {
        let (write, read) = (&self.encoding.events[w], &self.encoding.events[r]);
        let (a, b) = (self.place[w], self.place[r]);
        write.kind == EventKind::Write
            && write.cell == read.cell
            && !(self.coherent && self.universe.same_thread(a, b) && b < a)
    }

    /// A block that waits for ever has seen what memory holds in the end: no source of its reads is
    /// overwritten. (Nothing comes behind such a read, and what it reads is not overwritten: in our models
    /// no axiom can forbid it. That stores become visible at last is assumed, as machines do it.)
    fn last_looks(&mut self, all: &[Candidate]) {
        let is_block =
            |n: &encoder::NodeId| self.encoding.nodes[n.index()].kind == encoder::NodeKind::Atomic;
        let looks: Vec<_> =
            self.encoding.waits.iter().filter(|(_, _, to)| is_block(to)).copied().collect();
        if looks.is_empty() {
            return;
        }
        let mut sources: FxHashMap<usize, Vec<&Candidate>> = FxHashMap::default();
        all.iter().for_each(|c| sources.entry(c.read).or_default().push(c));
        for (stuck, writes, block) in looks {
            for (write, read) in self.pairs(writes, block) {
                for source in sources.get(&read).into_iter().flatten() {
                    self.not_overwritten(stuck, source, write);
                }
            }
        }
    }

    /// Writes of the one node, and reads of the other, of the same cell.
    fn pairs(&self, writes: encoder::NodeId, reads: encoder::NodeId) -> Vec<(usize, usize)> {
        let of = |node: encoder::NodeId, kind: EventKind| {
            let events = self.by_node.get(&node).into_iter().flatten();
            events.filter(move |e| self.encoding.events[e.index()].kind == kind)
        };
        let cell = |e: &EventId| self.encoding.events[e.index()].cell;
        let mut out = Vec::new();
        for w in of(writes, EventKind::Write) {
            for r in of(reads, EventKind::Read).filter(|r| cell(r) == cell(w)) {
                out.push((self.place[w.index()], self.place[r.index()]));
            }
        }
        out
    }

    fn not_overwritten(&mut self, stuck: Term, source: &Candidate, write: usize) {
        let Some(before) = self.comes_before(source.write, write) else { return };
        let (read, write) = (self.guards[source.read], self.guards[write]);
        self.exclude(&[stuck, source.chosen, read, write, before]);
    }

    /// When one write comes before another one of its location; never if `None`.
    pub(super) fn comes_before(&mut self, first: usize, second: usize) -> Option<Term> {
        match self.universe.coherence.before(first, second) {
            When::Never => None,
            When::Always => Some(self.encoding.pool.bool(true)),
            When::If(lit) => {
                let term = self.literals.terms[lit.var() as usize]?;
                Some(if lit.is_negative() { self.encoding.pool.not(term) } else { term })
            }
        }
    }

    /// Not all of them.
    pub(super) fn exclude(&mut self, terms: &[Term]) {
        let pool = &mut self.encoding.pool;
        let all = pool.and_all(terms.iter().copied());
        self.facts.push(pool.not(all));
    }

    /// No two read-modify-writes of different threads update the same write.
    fn updates(&mut self, all: &[Candidate]) {
        let relation = super::target::rmw_relation(self.model.target);
        let updates = self.universe.edges.iter().filter(|e| e.relation == relation);
        let mut writes: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        updates.for_each(|edge| writes.entry(edge.from).or_default().push(edge.to));
        let mut by_source: FxHashMap<usize, Vec<(&Candidate, usize)>> = FxHashMap::default();
        for candidate in all {
            for &write in writes.get(&candidate.read).into_iter().flatten() {
                by_source.entry(candidate.write).or_default().push((candidate, write));
            }
        }
        for group in by_source.into_values() {
            for (i, (a, x)) in group.iter().enumerate() {
                for (b, y) in &group[i + 1..] {
                    if self.universe.same_thread(a.read, b.read) {
                        continue;
                    }
                    let guards = [self.guards[*x], self.guards[*y]];
                    let pool = &mut self.encoding.pool;
                    let all = pool.and_all([a.chosen, b.chosen, guards[0], guards[1]]);
                    self.facts.push(pool.not(all));
                }
            }
        }
    }
}
