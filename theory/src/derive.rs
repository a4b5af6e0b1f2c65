//! The rules: what follows from a read-from pair and a third access.
//!
//! Let `r` read from `w`, and let `w'` be another write that meets `r` (all three touch the same
//! memory). `w'` must not come between `w` and `r`. So, when `rf(w, r)`, the guard of `w'` and (if
//! addresses may differ) the alias literal of `w'` and `r` are true:
//!
//! - write serialization: `w' < r` gives `w' < w`;
//! - from-read: `w < w'` gives `r < w'`;
//! - preventive: if `w < w' < r`, not all three literals can be true; when two are, the third is
//!   denied before anybody decides it.
//!
//! One function, `consider`, looks at such a triple and does whatever its state permits. What
//! remains is to consider a triple whenever its *last* premise arrives, and there are four ways:
//! a new ordered pair (`delta`), the rf literal (`read_from`), the guard (`enabled`) and the alias
//! literal (`met`). A trigger may look too early or too often, never too seldom.
//!
//! Two more rules deny literals: `a < b` denies every literal that claims `b < a` (rf, ws and any
//! other order), or that `a` and `b` are apart; and two atomic read-modify-writes that are both
//! enabled cannot read from the same write, since each would have to come before the other.
//!
//! Nothing is changed here: findings go to an `Agenda`.
//!
//! Invariant: when literals and edges have all been looked at, the order is closed under the rules
//! and no open literal is left that they deny.
//! Cost: a delta looks at the candidates of the accesses inside its interval; an rf literal at the
//! writes of its cell; a guard at the reads of its cell and at the candidates of those behind it.
//! (He, Sun, Fan: PLDI 2021; Zennou, Atig, Biswas, Bouajjani, Enea, Erradi: ATVA 2020 for the
//! saturation; Sun, Fan, He: OOPSLA 2022 for prevention.)

use crate::cycle::{Clocks, Delta};
use crate::layout::{Rf, TheoryLayout};
use crate::reason::{EdgeReason, Why};
use crate::trail::Trail;
use crate::types::*;
use std::collections::VecDeque;

/// What the rules found and the theory has not yet done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agenda {
    pub edges: VecDeque<(Node, Node, EdgeReason)>,
    pub denied: Vec<(Lit, Why)>, // literals that must be false
}

/// Candidates whose literal is true, by read and by write.
#[derive(Clone, Debug, Default)]
pub(crate) struct Active {
    pub by_read: Vec<Vec<RfId>>,
    pub by_write: Vec<Vec<RfId>>,
}

/// The rules over a fixed state.
pub(crate) struct Rules<'a> {
    pub layout: &'a TheoryLayout,
    pub trail: &'a Trail,
    pub clocks: &'a Clocks,
    pub active: &'a Active,
    pub agenda: &'a mut Agenda,
}

/// How far a set of premises has come.
enum Premises {
    AllTrue,
    /// All but this one, which has no value.
    AllBut(Lit),
    /// One is false, or two are open.
    NotYet,
}

impl Rules<'_> {
    /// Trigger: new ordered pairs.
    pub fn delta(&mut self, delta: Delta) {
        let layout = self.layout;
        for &write in &layout.writes_at[delta.from.index()] {
            self.overwriter_before_reads(write, delta);
            self.source_before_writes(write, delta);
        }
        let denied = layout.denied_by[delta.from.index()].between(delta.chain, delta.lo, delta.hi);
        for pair in denied {
            self.deny(layout.pair(pair).lit, Why::Ordered(pair));
        }
    }

    /// `w' < r` is new.
    fn overwriter_before_reads(&mut self, other: Write, Delta { chain, lo, hi, .. }: Delta) {
        for (read, alias) in self.layout.reads_meeting(other, chain, lo, hi) {
            for &rf in &self.layout.read(read).candidates {
                self.consider(rf, other, alias);
            }
        }
    }

    /// `w < w'` is new.
    fn source_before_writes(&mut self, write: Write, Delta { chain, lo, hi, .. }: Delta) {
        let info = self.layout.write(write);
        let cell = &self.layout.cells[info.cell.index()];
        if !info.aliased && cell.writes.between(chain, lo, hi).next().is_none() {
            return;
        }
        for &rf in &info.candidates {
            let Rf { lit, read, .. } = self.layout.rf(rf);
            let hi = match self.trail.value(lit) {
                Some(false) => continue,
                Some(true) => hi,
                // While the literal is open only writes before the read matter.
                None => hi.min(self.clocks.last(self.layout.read_node(read), chain)),
            };
            for (other, alias) in self.layout.writes_meeting(read, chain, lo, hi) {
                self.consider(rf, other, alias);
            }
        }
    }

    /// Trigger: an rf literal is true.
    pub fn read_from(&mut self, id: RfId) {
        let rf = self.layout.rf(id);
        let (write, read) = (self.layout.write_node(rf.write), self.layout.read_node(rf.read));
        for chain in self.layout.chain_ids() {
            let end = self.clocks.last(read, chain);
            let start = self.clocks.first(write, chain).max(end);
            let length = self.layout.length(chain);
            for (other, alias) in self.layout.writes_meeting(rf.read, chain, 0, end) {
                self.consider(id, other, alias);
            }
            for (other, alias) in self.layout.writes_meeting(rf.read, chain, start, length) {
                self.consider(id, other, alias);
            }
        }
        for &other in &self.layout.write(rf.write).candidates {
            self.consider_updates(id, other);
        }
    }

    /// Trigger: the guard of a write is true.
    pub fn enabled(&mut self, other: Write) {
        let layout = self.layout;
        let info = layout.write(other);
        let same = layout.cells[info.cell.index()].reads.all().map(|read| (read, None));
        let guests = info.guests.all().map(|(read, lit)| (read, Some(lit)));
        for (read, alias) in same.chain(guests) {
            self.met(other, read, alias);
        }
        for read in layout.cells[info.cell.index()].reads.all() {
            if layout.read(read).update == Some(other) {
                self.update_enabled(read);
            }
        }
    }

    /// Trigger: the alias literal of a write and a read is true.
    ///
    /// Only true candidates can order a write that is not before the read.
    pub fn met(&mut self, other: Write, read: Read, alias: Option<Lit>) {
        let info = self.layout.read(read);
        let before = self.before(self.layout.write_node(other), info.node);
        let candidates = if before { &info.candidates } else { &self.active.by_read[read.index()] };
        for &rf in candidates {
            self.consider(rf, other, alias);
        }
    }

    /// The write part of the read-modify-write that starts with `read` is enabled.
    fn update_enabled(&mut self, read: Read) {
        for &id in &self.layout.read(read).candidates {
            let rf = self.layout.rf(id);
            let others = match self.trail.value(rf.lit) {
                Some(true) => &self.layout.write(rf.write).candidates,
                Some(false) => continue,
                None => &self.active.by_write[rf.write.index()],
            };
            for &other in others {
                self.consider_updates(id, other);
            }
        }
    }

    /// The triple of a candidate and a write that may come between: see the head of the file.
    fn consider(&mut self, id: RfId, other: Write, alias: Option<Lit>) {
        let rf = self.layout.rf(id);
        let (w, r) = (self.layout.write_node(rf.write), self.layout.read_node(rf.read));
        let o = self.layout.write_node(other);
        if o == w || o == r {
            return; // the order inside a node is not ours
        }
        let (before, after) = (self.before(o, r), self.before(w, o));
        match self.premises([Some(rf.lit), self.layout.write(other).guard, alias]) {
            Premises::AllTrue => {
                if before {
                    self.order(o, w, EdgeReason::WriteSerialization { rf: id, other, alias });
                }
                if after {
                    self.order(r, o, EdgeReason::FromRead { rf: id, other, alias });
                }
            }
            Premises::AllBut(open) if before && after => {
                self.deny(open, Why::Between { rf: id, other, alias });
            }
            _ => {}
        }
    }

    /// Two read-modify-writes that read from the same write.
    fn consider_updates(&mut self, one: RfId, two: RfId) {
        let Some(premises) = update_premises(self.layout, one, two) else { return };
        if let Premises::AllBut(open) = self.premises(premises) {
            self.deny(open, Why::Updates(one, two));
        }
    }

    fn premises<const N: usize>(&self, lits: [Option<Lit>; N]) -> Premises {
        let mut open = None;
        for lit in lits.into_iter().flatten() {
            match self.trail.value(lit) {
                Some(true) => {}
                Some(false) => return Premises::NotYet,
                None if open.is_none_or(|other| other == lit) => open = Some(lit),
                None => return Premises::NotYet,
            }
        }
        open.map_or(Premises::AllTrue, Premises::AllBut)
    }

    fn before(&self, a: Node, b: Node) -> bool {
        self.clocks.before(self.layout, a, b)
    }

    fn order(&mut self, from: Node, to: Node, reason: EdgeReason) {
        if !self.before(from, to) {
            self.agenda.edges.push_back((from, to, reason));
        }
    }

    /// A literal that is already true is denied too: the theory makes a conflict of it.
    fn deny(&mut self, lit: Lit, why: Why) {
        if self.trail.value(lit) != Some(false) {
            self.agenda.denied.push((lit, why));
        }
    }
}

/// The literals that cannot all be true when `one` and `two` lead from one write to two atomic
/// read-modify-writes of one cell; `None` if they do not.
pub(crate) fn update_premises(
    layout: &TheoryLayout,
    one: RfId,
    two: RfId,
) -> Option<[Option<Lit>; 4]> {
    let (a, b) = (layout.rf(one), layout.rf(two));
    let (ra, rb) = (layout.read(a.read), layout.read(b.read));
    let source = layout.write_node(a.write);
    let apart = ra.node != rb.node && ra.node != source && rb.node != source;
    if a.write != b.write || a.lit == b.lit || ra.cell != rb.cell || !apart {
        return None;
    }
    let (ua, ub) = (ra.update?, rb.update?);
    Some([Some(a.lit), Some(b.lit), layout.write(ua).guard, layout.write(ub).guard])
}
