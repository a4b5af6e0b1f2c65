//! What a transition touched, and when two transitions commute.
//!
//! Two transitions of different threads are independent if no byte is written by one and touched by
//! the other, no object dies in one and is touched in the other, not both start threads (ids are
//! given in order) or join the same one, and neither ends a thread that the other asks about; with
//! clocks, not both are atomic blocks of the user, which synchronise. The end of the process
//! commutes with everything unless leaks are looked for: what follows it was explored before it.

use interp::{Access, Death, ObjKey, Observer, State, Tid, Value};
use ir::types::Scalar;
use ir::{At, AtomicKind, FuncId, Span};

#[derive(Clone, Default, Debug)]
pub struct Footprint {
    pub accesses: Vec<Access>,
    /// Of an atomic block that was blocked: what it read (and asked) decides whether it still is.
    pub attempts: Vec<Access>,
    /// Objects whose life ended.
    pub deaths: Vec<ObjKey>,
    /// Those of them that `free` ended: a write of all of it, for races.
    pub frees: Vec<Access>,
    pub spawns: bool,
    pub ends: Option<Tid>,
    pub asks: Vec<Tid>,
    /// Of these, the threads that it has joined.
    pub joins: Vec<Tid>,
    /// An atomic block of the user.
    pub user_block: bool,
    /// One whose order with others of the kind matters, since clocks are kept.
    pub synchronises: bool,
    /// Depends on everything: the end of the process when leaks matter.
    pub total: bool,
}

impl Footprint {
    pub fn independent(&self, other: &Footprint) -> bool {
        !self.conflicts(other)
    }

    fn conflicts(&self, other: &Footprint) -> bool {
        self.total
            || other.total
            || (self.spawns && other.spawns)
            || (self.synchronises && other.synchronises)
            || self.joins.iter().any(|thread| other.joins.contains(thread))
            || self.touched().any(|a| other.touched().any(|b| a.conflicts(b)))
            || self.disturbs(other)
            || other.disturbs(self)
    }

    /// Does a death or an end in here concern the other?
    fn disturbs(&self, other: &Footprint) -> bool {
        let dies = |object| self.deaths.contains(&object);
        other.touched().any(|a| dies(a.object))
            || other.deaths.iter().any(|&object| dies(object))
            || self.ends.is_some_and(|thread| other.asks.contains(&thread))
    }

    fn touched(&self) -> impl Iterator<Item = &Access> {
        self.accesses.iter().chain(&self.attempts)
    }

    /// Both.
    pub fn and(mut self, other: &Footprint) -> Footprint {
        self.absorb(other);
        self
    }

    pub fn absorb(&mut self, other: &Footprint) {
        extend_new(&mut self.accesses, &other.accesses);
        extend_new(&mut self.attempts, &other.attempts);
        extend_new(&mut self.deaths, &other.deaths);
        extend_new(&mut self.frees, &other.frees);
        extend_new(&mut self.asks, &other.asks);
        extend_new(&mut self.joins, &other.joins);
        self.spawns |= other.spawns;
        self.user_block |= other.user_block;
        self.synchronises |= other.synchronises;
        self.ends = self.ends.or(other.ends);
        self.total |= other.total;
    }
}

fn extend_new<T: Copy + PartialEq>(all: &mut Vec<T>, more: &[T]) {
    for &item in more {
        if !all.contains(&item) {
            all.push(item);
        }
    }
}

impl Observer for Footprint {
    fn access(&mut self, _: &State, _: Tid, access: &Access, _: Scalar, _: Value) {
        if !self.accesses.contains(access) {
            self.accesses.push(*access);
        }
    }

    fn atomic_begin(&mut self, _: Tid, kind: AtomicKind, _: Span) {
        self.user_block |= kind == AtomicKind::User;
    }

    fn undone(&mut self, _: Tid) {
        let attempts = std::mem::take(&mut self.accesses);
        let asks = std::mem::take(&mut self.asks);
        *self = Footprint { attempts, asks, ..Footprint::default() };
    }

    fn spawn(&mut self, _: &State, _: Tid, _: Tid, _: FuncId, _: Span) {
        self.spawns = true;
    }

    fn join(&mut self, _: Tid, child: Tid, _: Span) {
        self.asks.push(child);
        self.joins.push(child);
    }

    fn asked_ended(&mut self, _: Tid, other: Tid, _: bool, _: Span) {
        self.asks.push(other);
    }

    fn thread_end(&mut self, _: &State, thread: Tid, _: Value, _: Span) {
        self.ends = Some(thread);
    }

    fn died(
        &mut self,
        _: &State,
        _: Tid,
        object: ObjKey,
        size: u64,
        private: bool,
        why: Death,
        at: At,
    ) {
        if private {
            return;
        }
        self.deaths.push(object);
        if why == Death::Freed {
            self.frees.push(Access::whole(object, size, at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::MemoryOrder;

    fn access(object: u32, offset: u64, write: bool) -> Footprint {
        let access = Access {
            object: ObjKey(object),
            offset,
            size: 4,
            write,
            order: MemoryOrder::Plain,
            user_atomic: false,
            internal_atomic: false,
            id: ir::InstId::NONE,
            span: Span::NONE,
        };
        Footprint { accesses: vec![access], ..Footprint::default() }
    }

    #[test]
    fn reads_commute_and_writes_do_not() {
        assert!(access(1, 0, false).independent(&access(1, 0, false)));
        assert!(!access(1, 0, false).independent(&access(1, 0, true)));
        assert!(!access(1, 0, true).independent(&access(1, 2, true)));
        assert!(access(1, 0, true).independent(&access(1, 4, true)));
        assert!(access(1, 0, true).independent(&access(2, 0, true)));
    }

    #[test]
    fn a_death_concerns_every_access_to_the_object() {
        let death = Footprint { deaths: vec![ObjKey(1)], ..Footprint::default() };
        assert!(!death.independent(&access(1, 4, false)));
        assert!(!access(1, 4, false).independent(&death));
        assert!(death.independent(&access(2, 4, false)));
        assert!(!death.independent(&death));
    }

    #[test]
    fn an_end_concerns_who_asks_for_it() {
        let end = Footprint { ends: Some(Tid(2)), ..Footprint::default() };
        let ask = |tid| Footprint { asks: vec![Tid(tid)], ..Footprint::default() };
        assert!(!end.independent(&ask(2)));
        assert!(end.independent(&ask(3)));
        let join = |tid| Footprint { joins: vec![Tid(tid)], ..ask(tid) };
        assert!(join(2).independent(&ask(2)) && join(2).independent(&join(3)));
        assert!(!join(2).independent(&join(2)));
    }

    #[test]
    fn two_spawns_do_not_commute() {
        let spawn = Footprint { spawns: true, ..Footprint::default() };
        assert!(!spawn.independent(&spawn));
        assert!(spawn.independent(&access(1, 0, true)));
    }

    #[test]
    fn blocks_of_the_user_commute_unless_clocks_are_kept() {
        let block = Footprint { user_block: true, ..access(1, 0, true) };
        let other = Footprint { user_block: true, ..access(2, 0, true) };
        assert!(block.independent(&other));
        let clocked = |f: Footprint| Footprint { synchronises: true, ..f };
        assert!(!clocked(block).independent(&clocked(other.clone())));
        assert!(clocked(other).independent(&access(1, 0, true)));
    }
}
