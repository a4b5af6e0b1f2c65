//! Reads whose value is a term.
//!
//! If all sources of a read are totally ordered before it, `w1 < ... < wk < r`, it sees the last
//! enabled one of them: its value is `wk`'s if `wk` is enabled, else the value of the one before, and
//! so on. No order is left to be found out, so the read goes, and its variable is replaced by that
//! term everywhere. This is right where the read is disabled, too, since there its variable does not
//! matter. A single source is the simplest case; all of a program before its first thread starts,
//! and after the last one is joined, is forwarded this way.
//!
//! That some source is enabled when the read is, is said as a fact if it is not obvious.
//!
//! If the guard of the read speaks of its variable (a lock's), replacing would force the read to
//! happen whenever it can; then the equality is said as a fact, under the guard.
//!
//! The same is done if two reads share a variable.
//!
//! Writes that were filtered by value must be harmless: before all sources that can happen
//! together with them.
//!
//! Sources that only add have no need of a line (`sum.rs`).

use super::sum::Sums;
use super::{PruneState, variable};
use crate::substitute::Substitution;
use crate::term::{Pool, Term};
use crate::{Encoding, EventId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The longest chain of sources that becomes a term.
const LONGEST: usize = 128;
/// How many terms are looked at for a variable; beyond, it is taken to occur.
const LOOK: usize = 2000;

impl PruneState<'_> {
    /// How many reads were forwarded?
    pub(super) fn settle(&mut self) -> usize {
        let mut map = FxHashMap::default();
        let mut forwarded = Vec::new();
        let mut sums = Sums::default();
        for read in self.reads() {
            if !(self.go_on)() {
                break;
            }
            let value = self.last_of_line(read).or_else(|| self.sum(read, &mut sums));
            if let Some(value) = value {
                self.say_enabled(read);
                forwarded.push((read, value));
                self.replacement(read, value, &mut map);
            }
        }
        let mut substitution = Substitution::new(map);
        substitution.resolve(&mut self.encoding.pool);
        for &(read, value) in &forwarded {
            self.say_equal(read, value, &substitution);
            self.alive[read.index()] = false;
        }
        self.substitute(&mut substitution);
        self.drop_disabled();
        forwarded.len()
    }

    /// What `read` sees, if its sources are totally ordered before it.
    fn last_of_line(&mut self, read: EventId) -> Option<Term> {
        let line = self.line(read)?;
        let filtered = self.filtered[read.index()].clone();
        if !filtered.into_iter().all(|w| self.harmless(w, read)) {
            return None;
        }
        let (&first, rest) = line.split_first()?;
        let mut value = self.value(first);
        for &write in rest {
            let (guard, new) = (self.guard(write), self.value(write));
            let certain = self.entails(self.guard(read), guard);
            value = if certain { new } else { self.encoding.pool.ite(guard, new, value) };
        }
        Some(value)
    }

    /// The sources in their order, if they have one and come before the read.
    fn line(&self, read: EventId) -> Option<Vec<EventId>> {
        let mut line = self.sources[read.index()].clone();
        if line.is_empty() || line.len() > LONGEST || !line.iter().all(|&w| self.before(w, read)) {
            return None;
        }
        // Later ones have more before them.
        let age = |w: &EventId| -> u64 {
            let threads = 0..self.order.threads();
            threads.map(|t| u64::from(self.order.count_before(self.node(*w), t))).sum()
        };
        line.sort_by_cached_key(age);
        line.windows(2).all(|pair| self.before(pair[0], pair[1])).then_some(line)
    }

    fn say_enabled(&mut self, read: EventId) {
        let guard = self.guard(read);
        let sources = self.sources[read.index()].clone();
        let guards: Vec<Term> = sources.into_iter().map(|w| self.guard(w)).collect();
        if guards.iter().any(|&g| self.entails(guard, g)) {
            return;
        }
        let some = self.encoding.pool.or_all(guards);
        if !self.entails(guard, some) {
            self.say(guard, some);
        }
    }

    fn say(&mut self, guard: Term, implied: Term) {
        let fact = self.encoding.pool.implies_term(guard, implied);
        if !self.encoding.pool.is_true(fact) {
            self.encoding.facts.push(fact);
        }
    }

    fn replacement(&mut self, read: EventId, value: Term, map: &mut FxHashMap<Term, Term>) {
        let pool = &mut self.encoding.pool;
        let event = &self.encoding.events[read.index()];
        let Some(var) = variable(pool, event.value) else { return };
        if !self.shared.contains(&var) && !mentions(pool, event.guard, var) {
            let narrow = pool.extract(value, 0, pool.width(var));
            map.insert(var, narrow);
        }
    }

    /// Whatever the replacement does not say by itself.
    fn say_equal(&mut self, read: EventId, value: Term, substitution: &Substitution) {
        let var = variable(&self.encoding.pool, self.value(read));
        let replaced = var.is_some_and(|var| !substitution.kept(var));
        if !replaced || var != Some(self.value(read)) {
            let same = self.encoding.pool.eq(self.value(read), value);
            self.say(self.guard(read), same);
        }
    }

    fn substitute(&mut self, substitution: &mut Substitution) {
        if substitution.is_empty() {
            return;
        }
        let alive = &self.alive;
        for_each_term(self.encoding, |i| alive[i], |pool, t| *t = substitution.apply(pool, *t));
        let pool = &self.encoding.pool;
        self.encoding.facts.retain(|&t| !pool.is_true(t));
        self.encoding.waits.retain(|w| !pool.is_false(w.0));
        self.certain_waits();
    }

    /// A wait whose condition has become true is an edge.
    fn certain_waits(&mut self) {
        let Encoding { pool, waits, edges, .. } = &mut *self.encoding;
        let order = &mut self.order;
        waits.retain(|&(condition, from, to)| {
            let certain = pool.is_true(condition) && order.add(from, to);
            if certain {
                edges.push((from, to));
            }
            !certain
        });
    }
}

/// All terms that mean something.
fn for_each_term(
    encoding: &mut Encoding,
    alive: impl Fn(usize) -> bool,
    mut f: impl FnMut(&mut Pool, &mut Term),
) {
    let Encoding { pool, threads, nodes, events, waits, facts, goals, inputs, coenabled, .. } =
        encoding;
    for (_, event) in events.iter_mut().enumerate().filter(|(i, _)| alive(*i)) {
        f(pool, &mut event.guard);
        f(pool, &mut event.value);
    }
    facts.iter_mut().for_each(|t| f(pool, t));
    goals.iter_mut().for_each(|goal| f(pool, &mut goal.guard));
    waits.iter_mut().for_each(|wait| f(pool, &mut wait.0));
    nodes.iter_mut().for_each(|node| f(pool, &mut node.guard));
    inputs.iter_mut().for_each(|input| f(pool, &mut input.value));
    for halt in coenabled {
        f(pool, &mut halt.guard);
        halt.touches.iter_mut().for_each(|touch| f(pool, &mut touch.guard));
    }
    for thread in threads {
        f(pool, &mut thread.guard);
        f(pool, &mut thread.ended);
    }
}

/// Does `var` occur in `t`? When in doubt, yes.
pub(super) fn mentions(pool: &Pool, t: Term, var: Term) -> bool {
    let (mut stack, mut seen) = (vec![t], FxHashSet::default());
    while let Some(t) = stack.pop() {
        if t == var || seen.len() > LOOK {
            return true;
        }
        // Operands are older than their users.
        if t > var && seen.insert(t) {
            pool.operands(t, |o| stack.push(o));
        }
    }
    false
}
