//! Executions that are no interleavings: a cycle of program order, reads-from, coherence and from-read.
//!
//! The solver selects steps from thread to thread (rf, co, fr) and steps along program order between
//! neighbours. A selected step into an event needs one out of it, so selected steps go on for ever, which
//! in a finite graph is a cycle. Each cycle gives such a selection: threads are entered and left, and
//! what is between is program order. (Shasha, Snir: Efficient and correct execution of parallel
//! programs that share memory, TOPLAS 1988.)
//!
//! Cost: a variable per pair of conflicting accesses of different threads, and one per access.

use super::Builder;
use encoder::{Fault, Goal, GoalKind, Term, ThreadId};
use ir::Span;
use relational::{EventOwner, When};
use theory::Lit;

/// A step that may be selected.
struct CycleStep {
    from: usize,
    to: usize,
    selected: Term,
}

impl Builder<'_> {
    /// Adds a goal for an execution with a cycle.
    pub(super) fn cycle(&mut self) {
        let steps = self.between_threads();
        let count = self.universe.events.len();
        let mut into = vec![Vec::new(); count];
        let mut out = vec![Vec::new(); count];
        for step in &steps {
            out[step.from].push(step.selected);
            into[step.to].push(step.selected);
        }
        for event in 1..count {
            if self.universe.same_thread(event - 1, event) {
                let along = self.fresh();
                out[event - 1].push(along);
                into[event].push(along);
            }
        }
        for (into, out) in into.into_iter().zip(out) {
            let pool = &mut self.encoding.pool;
            let goes_on = pool.or_all(out);
            for step in into {
                self.facts.push(pool.implies_term(step, goes_on));
            }
        }
        let guard = self.encoding.pool.or_all(steps.iter().map(|step| step.selected));
        let Some(node) = self.encoding.nodes.first() else { return };
        let what = "not robust: an execution is no interleaving".to_string();
        let kind = GoalKind::Error(Fault::NotRobust, what);
        let (thread, at) = (ThreadId(0), node.at);
        self.encoding.goals.push(Goal { kind, guard, thread, at, node: None, span: Span::NONE });
    }

    /// Reads-from, coherence and from-read between different threads.
    fn between_threads(&mut self) -> Vec<CycleStep> {
        let mut steps = Vec::new();
        for (write, read, lit) in self.universe.rf.clone() {
            let guard = self.guards[read];
            let reads = lit.map_or(guard, |lit| self.term(lit));
            self.step(write, read, reads, &mut steps);
            let Some(location) = self.universe.events[read].location else { continue };
            for later in self.universe.coherence.writes(location).to_vec() {
                let before = self.before(write, later);
                let pool = &mut self.encoding.pool;
                let overwritten = pool.and_all([reads, before, self.guards[later]]);
                self.step(read, later, overwritten, &mut steps);
            }
        }
        let locations: Vec<u32> = self.universe.events.iter().filter_map(|e| e.location).collect();
        let mut locations = locations;
        locations.sort_unstable();
        locations.dedup();
        for location in locations {
            let writes = self.universe.coherence.writes(location).to_vec();
            for &first in &writes {
                for &second in writes.iter().filter(|second| **second != first) {
                    let before = self.before(first, second);
                    let guards = [self.guards[first], self.guards[second]];
                    let both = self.encoding.pool.and_all([before, guards[0], guards[1]]);
                    self.step(first, second, both, &mut steps);
                }
            }
        }
        steps
    }

    /// A step, if it leads from one thread to another.
    fn step(&mut self, from: usize, to: usize, when: Term, steps: &mut Vec<CycleStep>) {
        let initial = |e: usize| self.universe.events[e].place == EventOwner::Initial;
        let useless = initial(from) || initial(to) || self.universe.same_thread(from, to);
        if useless || self.encoding.pool.is_false(when) {
            return;
        }
        let selected = self.fresh();
        self.facts.push(self.encoding.pool.implies_term(selected, when));
        steps.push(CycleStep { from, to, selected });
    }

    fn before(&mut self, first: usize, second: usize) -> Term {
        match self.universe.coherence.before(first, second) {
            When::Always => self.encoding.pool.bool(true),
            When::Never => self.encoding.pool.bool(false),
            When::If(lit) => self.term(lit),
        }
    }

    fn term(&mut self, lit: Lit) -> Term {
        let term = self.literals.terms[lit.var() as usize];
        let term = term.unwrap_or_else(|| unreachable!("all literals here have terms"));
        if lit.is_negative() { self.encoding.pool.not(term) } else { term }
    }
}
