//! Writes that a read would see, but not with this value.
//!
//! The guard of a read may speak of its own value: the read of a lock exists only if the lock is
//! free. Then a write of a constant that makes such a conjunct false is no candidate. It still
//! counts, though: it must not be the last write before the read. So it goes to `filtered`.
//!
//! A read whose value is an extended variable cannot see what does not fit. Since no guard disables
//! it then, it stays for ever (`stuck`).
//!
//! Cost: the conjuncts of one variable are evaluated once per constant.

use super::{PruneState, variable};
use crate::eval::Evaluator;
use crate::term::{Op, Pool, Term, mask};
use crate::{EventId, EventKind};
use rustc_hash::FxHashMap;

/// How many conjuncts, and how many terms in each, are looked at.
const SMALL: usize = 32;
/// How many constants a write may choose from.
const CHOICES: usize = 8;

impl PruneState<'_> {
    /// Did any pair go?
    pub(super) fn filter_values(&mut self) -> bool {
        let mut changed = false;
        for read in self.reads() {
            let value = self.value(read);
            let Some(var) = variable(&self.encoding.pool, value) else { continue };
            changed |= self.filter_by_guard(read, var);
            if var != value {
                changed |= self.filter_by_width(read);
            }
        }
        changed
    }

    fn filter_by_guard(&mut self, read: EventId, var: Term) -> bool {
        let about = conjuncts_about(&self.encoding.pool, self.guard(read), var);
        if about.is_empty() {
            return false;
        }
        let mut known: FxHashMap<u64, bool> = FxHashMap::default();
        let pool = &self.encoding.pool;
        let bits = mask(pool.width(var));
        let mut allows = |k: u64| {
            *known.entry(k & bits).or_insert_with(|| {
                let mut evaluator = Evaluator::new(pool, |_| k & bits);
                about.iter().all(|&t| evaluator.holds(t))
            })
        };
        let events = &self.encoding.events;
        let seen = |w: &EventId| match constants(pool, events[w.index()].value) {
            Some(choices) => choices.into_iter().any(&mut allows),
            None => true,
        };
        let (stay, go) =
            std::mem::take(&mut self.sources[read.index()]).into_iter().partition(seen);
        self.move_filtered(read, stay, go)
    }

    fn filter_by_width(&mut self, read: EventId) -> bool {
        let value = self.value(read);
        let sources = std::mem::take(&mut self.sources[read.index()]);
        let (stay, go) = sources.into_iter().partition(|&w| {
            let same = self.encoding.pool.eq(self.value(w), value);
            !self.encoding.pool.is_false(same)
        });
        let changed = self.move_filtered(read, stay, go);
        self.stuck[read.index()] |= changed;
        changed
    }

    fn move_filtered(&mut self, read: EventId, stay: Vec<EventId>, go: Vec<EventId>) -> bool {
        debug_assert!(self.kind(read) == EventKind::Read);
        let changed = !go.is_empty();
        self.sources[read.index()] = stay;
        self.filtered[read.index()].extend(go);
        changed
    }
}

/// The conjuncts of a guard in which `var` is the only variable.
fn conjuncts_about(pool: &Pool, guard: Term, var: Term) -> Vec<Term> {
    if guard < var {
        return Vec::new(); // operands are older
    }
    pool.conjuncts(guard).into_iter().take(SMALL).filter(|&t| only_about(pool, t, var)).collect()
}

fn only_about(pool: &Pool, t: Term, var: Term) -> bool {
    let (mut stack, mut found) = (vec![t], false);
    for _ in 0..SMALL {
        let Some(t) = stack.pop() else { return found };
        match pool.op(t) {
            Op::Var(_) if t != var => return false,
            Op::Var(_) => found = true,
            _ => pool.operands(t, |o| stack.push(o)),
        }
    }
    false
}

/// The constants that a term can be, if it is a small choice of constants.
fn constants(pool: &Pool, t: Term) -> Option<Vec<u64>> {
    let (mut stack, mut found) = (vec![t], Vec::new());
    while let Some(t) = stack.pop() {
        match pool.op(t) {
            Op::Bits(k) => found.push(k),
            Op::Ite(_, a, b) => stack.extend([a, b]),
            _ => return None,
        }
        if found.len() + stack.len() > CHOICES {
            return None;
        }
    }
    Some(found)
}
