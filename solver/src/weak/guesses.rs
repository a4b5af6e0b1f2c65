//! Reads-from and coherence as literals, with what coherence says about them at once.
//!
//! If `po-loc | rf | co | fr` is acyclic in the model, reading from a write orders that write with what the
//! reader's thread does to the location before and behind; these are clauses from the start. The model
//! would find them, one by one.

use super::Builder;
use encoder::{EventId, Kind, Term};
use relational::{Place, When};
use rustc_hash::FxHashMap;
use theory::Lit;

/// Clauses about two reads of a thread, at most.
const MAX_PAIRS: usize = 100_000;

/// A read that may read from a write.
struct Candidate {
    write: usize,
    read: usize,
    chosen: Term,
}

impl Builder<'_> {
    /// Gives the literals of `Encoding::rf`, which it fills.
    pub(super) fn guess(&mut self) -> Vec<Lit> {
        self.lock_starts_free();
        let order = self.coherence();
        let (candidates, rf) = self.reads_from();
        if self.coherent {
            self.own_accesses(&order, &candidates);
            self.two_reads(&order, &candidates);
        }
        if self.model.cat.is_atomic() {
            self.updates(&candidates);
        }
        rf
    }

    /// The initial write of the blocks' lock, and who may take it from whom.
    fn lock_starts_free(&mut self) {
        if self.locked.is_empty() {
            return;
        }
        let always = self.encoding.pool.bool(true);
        let location = self.hidden(2 * self.encoding.threads.len());
        let initial = self.push(Place::Initial, always, Some(location), vec!["M", "W", "IW", "NA"]);
        let locked = self.locked.clone();
        for &(read, own) in &locked {
            let writes = locked.iter().map(|&(_, write)| write).filter(|&write| write != own);
            let writes: Vec<usize> = writes.chain([initial]).collect();
            let list = writes.into_iter().map(|write| self.candidate(write, read)).collect();
            self.exactly_one(read, list);
        }
    }

    fn candidate(&mut self, write: usize, read: usize) -> Candidate {
        let chosen = self.fresh();
        let lit = self.literals.lit(&self.encoding.pool, chosen);
        self.universe.rf.push((write, read, Some(lit)));
        let pool = &mut self.encoding.pool;
        for guard in [self.guards[write], self.guards[read]] {
            self.facts.push(pool.implies_term(chosen, guard));
        }
        Candidate { write, read, chosen }
    }

    fn exactly_one(&mut self, read: usize, list: Vec<Candidate>) {
        let pool = &mut self.encoding.pool;
        let some = pool.or_all(list.iter().map(|c| c.chosen));
        self.facts.push(pool.implies_term(self.guards[read], some));
        for (i, a) in list.iter().enumerate() {
            for b in &list[i + 1..] {
                let both = pool.and(a.chosen, b.chosen);
                self.facts.push(pool.not(both));
            }
        }
    }

    /// The order of all writes, pair by pair.
    fn coherence(&mut self) -> FxHashMap<(usize, usize), Term> {
        let mut guessed = FxHashMap::default();
        let locations: Vec<u32> = (0..self.hidden(2 * self.encoding.threads.len() + 1)).collect();
        for location in locations {
            let writes = self.universe.coherence.writes(location).to_vec();
            for (i, &a) in writes.iter().enumerate() {
                for &b in &writes[i + 1..] {
                    self.order_writes(a, b, &mut guessed);
                }
            }
        }
        guessed
    }

    fn order_writes(&mut self, a: usize, b: usize, guessed: &mut FxHashMap<(usize, usize), Term>) {
        let initial = |e: usize| self.universe.events[e].place == Place::Initial;
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
                guessed.insert((a, b), first);
            }
        }
    }

    fn reads_from(&mut self) -> (Vec<Candidate>, Vec<Lit>) {
        let mut rf = Vec::new();
        let mut all = Vec::new();
        let mut pairs = Vec::new();
        for r in 0..self.encoding.events.len() {
            if self.encoding.events[r].kind != Kind::Read {
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
        write.kind == Kind::Write
            && write.cell == read.cell
            && !(self.coherent && self.universe.same_thread(a, b) && b < a)
    }

    /// The term "the first comes before the second".
    fn before_term(&mut self, order: &FxHashMap<(usize, usize), Term>, a: usize, b: usize) -> Term {
        let pool = &mut self.encoding.pool;
        match (order.get(&(a, b)), order.get(&(b, a))) {
            (Some(&t), _) => t,
            (_, Some(&t)) => pool.not(t),
            _ => pool.bool(self.universe.coherence.before(a, b) == When::Always),
        }
    }

    /// A read from a write comes after what its thread wrote before, and before what it writes later.
    fn own_accesses(&mut self, order: &FxHashMap<(usize, usize), Term>, all: &[Candidate]) {
        for &Candidate { write, read, chosen } in all {
            let Some(location) = self.universe.events[read].location else { continue };
            for other in self.universe.coherence.writes(location).to_vec() {
                if other == write || !self.universe.same_thread(other, read) {
                    continue;
                }
                let ordered = match other < read {
                    true => self.before_term(order, other, write),
                    false => self.before_term(order, write, other),
                };
                let pool = &mut self.encoding.pool;
                let both = pool.and(chosen, self.guards[other]);
                self.facts.push(pool.implies_term(both, ordered));
            }
        }
    }

    /// Two reads of a thread see writes in their order.
    fn two_reads(&mut self, order: &FxHashMap<(usize, usize), Term>, all: &[Candidate]) {
        let mut groups: FxHashMap<(Option<u32>, u32), Vec<&Candidate>> = FxHashMap::default();
        for candidate in all {
            let event = &self.universe.events[candidate.read];
            if let Place::Thread(thread) = event.place {
                groups.entry((event.location, thread)).or_default().push(candidate);
            }
        }
        let mut count = 0;
        for group in groups.into_values() {
            for first in &group {
                for second in &group {
                    if first.read >= second.read || first.write == second.write {
                        continue;
                    }
                    count += 1;
                    if count > MAX_PAIRS {
                        return;
                    }
                    let ordered = self.before_term(order, first.write, second.write);
                    let pool = &mut self.encoding.pool;
                    let both = pool.and(first.chosen, second.chosen);
                    self.facts.push(pool.implies_term(both, ordered));
                }
            }
        }
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
