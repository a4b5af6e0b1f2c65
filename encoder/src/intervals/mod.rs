//! How large a value can be, depending on who reads from whom.
//!
//! Two threads that add to each other's numbers: a solver that sees only bits tries one interleaving
//! after the other to find out how large they get. But who reads from the `m`-th write of the other
//! thread cannot have influenced more than what comes before its own read. So for each candidate
//! `(w, r)` an interval of what `w` writes *if `r` reads it*:
//!
//! - it is computed from the value of `w`, a term over reads `r'` before `w`;
//! - what `r'` can have seen comes from candidates `(w', r')`, but from none that `r` is before: from
//!   `w'` to `r'` to `w` to `r` everything goes forward in a linearization.
//!
//! Likewise for a write, by what the last read in it has read: an earlier read of the same cell has not
//! seen a write after that one (coherence).
//!
//! Invariant: in every execution in which the candidate is chosen and the guard holds the term is in the
//! interval. By induction along a linearization: all that an interval is computed from happened before.
//! (A read that is not enabled does not matter to an enabled write: its value may as well be in the
//! interval that was taken for it. So the guard of the write is needed.) Where the computation comes
//! back to itself, as with three threads it may, it is any number.
//!
//! Cost: the terms of each candidate's write once, and the candidates of its reads; `WORK` at most. (Intervals: Cousot and Cousot,
//! 1977. Of candidates, as of "relations" in Haas, Meyer, Ponce de León, but of values.)
//!
//! - `interval.rs`: what operators make of intervals

mod interval;
#[cfg(test)]
mod tests;

use crate::order::StaticOrder;
use crate::term::{BitOp, Op, Pool, Sort, Term, Var, mask};
use crate::{Encoding, EventId, EventKind, NodeId};
use interval::Interval;
use ir::memory_model::Guarantee;
use rustc_hash::{FxHashMap, FxHashSet};

/// The proof above is about linearizations.
pub const ASSUMES: &[Guarantee] = &[Guarantee::Linearization];

/// Terms and candidates that are looked at, at most.
const WORK: usize = 200_000;
/// Candidates behind each other: each is a call inside of a call.
const DEPTH: u32 = 120;
/// More bounds than these cost more than they save.
const MOST: usize = 4_000;
/// Wider words are addresses more often than numbers.
const WIDEST: u8 = 32;

/// If the candidate is chosen and the guard holds the term is from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TermBound {
    /// An index of `Encoding::rf`.
    pub pair: u32,
    pub guard: Term,
    pub of: Term,
    pub low: u64,
    pub high: u64,
}

impl TermBound {
    /// That the term is in there.
    pub fn holds(&self, pool: &mut Pool) -> Term {
        let width = pool.width(self.of);
        let (low, high) = (pool.bits(self.low, width), pool.bits(self.high, width));
        let (above, below) = (pool.ule(low, self.of), pool.ule(self.of, high));
        pool.and(above, below)
    }
}

/// Needs: `order` is that of `encoding`. Gives: bounds of words that are computed.
pub fn find(encoding: &Encoding, order: &StaticOrder) -> Vec<TermBound> {
    let mut finder = IntervalFinder::new(encoding, order);
    let mut found = Vec::new();
    for pair in 0..encoding.rf.len() {
        let write = encoding.rf[pair].0;
        if finder.counts(write) {
            let interval = finder.pair(pair as u32, 0);
            finder.tell(&mut found, pair as u32, write, interval);
        }
    }
    for write in (0..encoding.events.len()).map(EventId::new) {
        if encoding.events[write.index()].kind == EventKind::Write && finder.counts(write) {
            finder.by_last_read(write, &mut found);
        }
    }
    if found.len() > MOST { Vec::new() } else { found }
}

#[derive(Clone, Copy)]
enum Memo {
    Unknown,
    Busy,
    Known(Interval),
}

struct IntervalFinder<'a> {
    encoding: &'a Encoding,
    order: &'a StaticOrder,
    pairs: Vec<Vec<u32>>, // of each read
    reads: FxHashMap<Var, Vec<EventId>>,
    known: Vec<Memo>, // of each candidate
    counting: FxHashMap<EventId, bool>,
    work: usize,
}

/// What reads before a write can have seen.
#[derive(Clone, Copy)]
enum Premise {
    /// The write comes before this node.
    Before(NodeId),
    /// This read has seen this write.
    Seen(EventId, EventId),
}

impl<'a> IntervalFinder<'a> {
    fn new(encoding: &'a Encoding, order: &'a StaticOrder) -> IntervalFinder<'a> {
        let mut pairs = vec![Vec::new(); encoding.events.len()];
        for (i, (_, read)) in encoding.rf.iter().enumerate() {
            pairs[read.index()].push(i as u32);
        }
        let mut reads: FxHashMap<Var, Vec<EventId>> = FxHashMap::default();
        for (i, event) in
            encoding.events.iter().enumerate().filter(|(_, e)| e.kind == EventKind::Read)
        {
            for var in variables(&encoding.pool, event.value) {
                reads.entry(var).or_default().push(EventId::new(i));
            }
        }
        let known = vec![Memo::Unknown; encoding.rf.len()];
        IntervalFinder {
            encoding,
            order,
            pairs,
            reads,
            known,
            counting: FxHashMap::default(),
            work: WORK,
        }
    }

    fn node(&self, event: EventId) -> NodeId {
        self.encoding.events[event.index()].node
    }

    /// Is what it writes computed, from something that was read?
    fn counts(&mut self, write: EventId) -> bool {
        if let Some(known) = self.counting.get(&write) {
            return *known;
        }
        let pool = &self.encoding.pool;
        let value = self.encoding.events[write.index()].value;
        let (mut computed, mut read) = (false, false);
        if pool.width(value) > WIDEST {
            return false;
        }
        for t in terms(pool, value, &mut self.work) {
            match pool.op(t) {
                Op::Binary(BitOp::Add | BitOp::Sub | BitOp::Mul, ..) => computed = true,
                Op::Var(var) => read |= self.reads.contains_key(&var),
                _ => {}
            }
        }
        self.counting.insert(write, computed && read);
        computed && read
    }

    /// What the write of a candidate can be, if it is chosen.
    fn pair(&mut self, pair: u32, depth: u32) -> Interval {
        let (write, read) = self.encoding.rf[pair as usize];
        let value = self.encoding.events[write.index()].value;
        let any = Interval::any(self.encoding.pool.width(value));
        match self.known[pair as usize] {
            Memo::Known(interval) => return interval,
            Memo::Busy => return any,
            Memo::Unknown if depth > DEPTH => return any,
            Memo::Unknown => {}
        }
        self.known[pair as usize] = Memo::Busy;
        let found = self.value(write, Premise::Before(self.node(read)), depth).unwrap_or(any);
        self.known[pair as usize] = Memo::Known(found);
        found
    }

    /// What is written; `None` if that is too much work.
    fn value(&mut self, write: EventId, given: Premise, depth: u32) -> Option<Interval> {
        let pool = &self.encoding.pool;
        let value = self.encoding.events[write.index()].value;
        let mut found: FxHashMap<Term, Interval> = FxHashMap::default();
        let all = terms(pool, value, &mut self.work);
        for t in all {
            let interval = match pool.op(t) {
                Op::Var(var) => self.variable(t, var, write, given, depth),
                _ => interval::apply(pool, t, |o| found[&o]),
            };
            found.insert(t, interval);
        }
        found.get(&value).copied().filter(|_| self.work > 0)
    }

    /// What the variable of reads before the write can be.
    fn variable(
        &mut self,
        t: Term,
        var: Var,
        write: EventId,
        given: Premise,
        depth: u32,
    ) -> Interval {
        let any = Interval::any(self.encoding.pool.width(t));
        let reads = self.reads.get(&var).cloned().unwrap_or_default();
        let mut all: Option<Interval> = None;
        for read in reads {
            if !self.order.reaches(self.node(read), self.node(write)) {
                return any;
            }
            for pair in self.pairs[read.index()].clone() {
                self.work = self.work.saturating_sub(1);
                if self.work == 0 {
                    return any;
                }
                if self.is_possible(pair, given) {
                    let seen = self.pair(pair, depth + 1);
                    let Some(one) = self.inside(read, t, seen) else { return any };
                    all = Some(all.map_or(one, |all| all.hull(one)));
                }
            }
        }
        all.unwrap_or(any)
    }

    /// What the variable of a read is, if the read is in this interval; `None`: anything.
    fn inside(&self, read: EventId, var: Term, seen: Interval) -> Option<Interval> {
        let pool = &self.encoding.pool;
        let value = self.encoding.events[read.index()].value;
        let most = match pool.op(value) {
            _ if value == var => return Some(seen),
            Op::ZeroExt(a) if a == var => mask(pool.width(var)),
            Op::SignExt(a) if a == var => mask(pool.width(var)) >> 1,
            _ => return None,
        };
        let fits = seen.high <= most || matches!(pool.op(value), Op::ZeroExt(_));
        (fits && seen.low <= most).then_some(Interval { low: seen.low, high: seen.high.min(most) })
    }

    fn is_possible(&self, pair: u32, given: Premise) -> bool {
        let (write, read) = self.encoding.rf[pair as usize];
        match given {
            Premise::Before(node) => !self.order.reaches(node, self.node(write)),
            Premise::Seen(last, seen) if read == last => write == seen,
            Premise::Seen(last, seen) => {
                let cell = |event: EventId| self.encoding.events[event.index()].cell;
                let earlier = self.order.before(self.node(read), self.node(last));
                let later = self.order.before(self.node(seen), self.node(write));
                let after = self.order.reaches(self.node(last), self.node(write));
                !(after || cell(read) == cell(last) && earlier && later)
            }
        }
    }

    /// Bounds of a write by what the last read in it has seen.
    fn by_last_read(&mut self, write: EventId, found: &mut Vec<TermBound>) {
        let value = self.encoding.events[write.index()].value;
        let all = terms(&self.encoding.pool, value, &mut self.work);
        let reads = all.iter().filter_map(|&t| match self.encoding.pool.op(t) {
            Op::Var(var) => self.reads.get(&var),
            _ => None,
        });
        let reads: Vec<EventId> = reads.flatten().copied().collect();
        let Some(&last) = reads.iter().max_by_key(|&&r| self.order.place(self.node(r))) else {
            return;
        };
        let first = |r: &EventId| self.order.reaches(self.node(*r), self.node(last));
        if !reads.iter().all(first) || !self.order.reaches(self.node(last), self.node(write)) {
            return;
        }
        for pair in self.pairs[last.index()].clone() {
            let seen = self.encoding.rf[pair as usize].0;
            if let Some(interval) = self.value(write, Premise::Seen(last, seen), 0) {
                self.tell(found, pair, write, interval);
            }
        }
    }

    fn tell(&self, found: &mut Vec<TermBound>, pair: u32, write: EventId, interval: Interval) {
        let event = &self.encoding.events[write.index()];
        if self.work > 0 && interval != Interval::any(self.encoding.pool.width(event.value)) {
            let Interval { low, high } = interval;
            found.push(TermBound { pair, guard: event.guard, of: event.value, low, high });
        }
    }
}

/// All terms in it that are words, operands first. Empty if that is too much work.
fn terms(pool: &Pool, t: Term, work: &mut usize) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        let is_word = matches!(pool.sort(t), Sort::Bits(_));
        if is_word && seen.insert(t) {
            *work = work.saturating_sub(1);
            if *work == 0 {
                return Vec::new();
            }
            pool.operands(t, |o| stack.push(o));
        }
    }
    let mut all: Vec<Term> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

/// The variables of a read's value.
fn variables(pool: &Pool, value: Term) -> Vec<Var> {
    let (mut stack, mut found) = (vec![value], Vec::new());
    while let Some(t) = stack.pop() {
        match pool.op(t) {
            Op::Var(var) => found.push(var),
            _ => pool.operands(t, |o| stack.push(o)),
        }
    }
    found
}
