//! The cone of influence: events that no question depends on.
//!
//! Goals, facts and waits are questions, except facts that only say what a variable is (a name for a
//! term): the term is needed if the name is. A read is needed if its variable occurs in one, or in the
//! guard of a needed event or the value of a needed write. A write is needed if it is a source of a
//! needed read, or was filtered there and is not harmless. Everything else goes: an execution of
//! what is left can be completed, since a read that is not needed may see whatever comes last before
//! it, and a write that is no source of a read is never what comes last before it.
//!
//! To be exact, a read goes only if there is always *some* write before it (the initial one, most of
//! the time), or if a write was filtered by its guard: with that value, it is disabled. And it stays
//! if what it sees was filtered by its width.
//!
//! A replay follows the nodes that are left, so it must know which of them happen: the guards of
//! starts of threads, and of nodes with needed events, are needed. Joins and ends are not worth that:
//! one that is not known any more counts as not happening, since nothing behind it is needed.
//!
//! Cost: linear in terms and candidates.

use super::{PruneState, variable};
use crate::{EventId, NodeKind, Op, Sort, Term};
use rustc_hash::FxHashMap;

/// How many writes of a thread we ask.
const REACH: usize = 8;

/// What is needed, and what remains to be looked at.
struct Marks {
    reads: FxHashMap<Term, Vec<EventId>>, // by variable
    names: FxHashMap<Term, Term>,         // of variables that facts define
    seen: Vec<bool>,                      // of each term
    needed: Vec<bool>,                    // of each event
    terms: Vec<Term>,
    open: Vec<EventId>, // needed reads
}

impl PruneState<'_> {
    /// Did any event go?
    pub(super) fn cone(&mut self) -> bool {
        let mut marks = self.marks();
        for read in self.reads() {
            if !self.dispensable(read) {
                marks.need_read(read);
            }
        }
        loop {
            if let Some(t) = marks.terms.pop() {
                self.mark_term(&mut marks, t);
            } else if let Some(read) = marks.open.pop() {
                self.mark_read(&mut marks, read);
            } else {
                break;
            }
        }
        let gone = (0..self.alive.len()).filter(|&i| self.alive[i] && !marks.needed[i]).count();
        if gone > 0 {
            self.forget_variables(&marks.needed);
            self.alive.iter_mut().zip(&marks.needed).for_each(|(alive, &needed)| *alive &= needed);
            self.forget_dead();
        }
        gone > 0
    }

    /// The variables of reads that go mean nothing from now on.
    fn forget_variables(&mut self, needed: &[bool]) {
        for read in self.reads().into_iter().filter(|r| !needed[r.index()]) {
            self.forgotten.extend(variable(&self.encoding.pool, self.value(read)));
        }
    }

    /// Nodes of which it is not known whether they happen count as not happening.
    pub(super) fn disable_unknown_nodes(&mut self) {
        if self.forgotten.is_empty() {
            return;
        }
        let pool = &mut self.encoding.pool;
        let mut unknown = vec![false; pool.len()];
        self.forgotten.iter().for_each(|var| unknown[var.index()] = true);
        for t in pool.terms() {
            let mut found = unknown[t.index()];
            pool.operands(t, |o| found |= unknown[o.index()]);
            unknown[t.index()] = found;
        }
        let never = pool.bool(false);
        for node in self.encoding.nodes.iter_mut().filter(|n| unknown[n.guard.index()]) {
            node.guard = never;
        }
    }

    fn marks(&self) -> Marks {
        let encoding = &*self.encoding;
        let mut reads: FxHashMap<Term, Vec<EventId>> = FxHashMap::default();
        for read in self.reads() {
            if let Some(var) = variable(&encoding.pool, self.value(read)) {
                reads.entry(var).or_default().push(read);
            }
        }
        let (names, facts) = self.definitions(&reads);
        let goals = encoding.goals.iter().map(|g| g.guard);
        let waits = encoding.waits.iter().map(|w| w.0);
        let spawns = encoding.nodes.iter().filter(|n| n.kind == NodeKind::Spawn).map(|n| n.guard);
        let threads = encoding.threads.iter().map(|t| t.guard);
        let goal_nodes = encoding.goals.iter().filter_map(|g| g.node);
        let blocks = goal_nodes.map(|n| encoding.nodes[n.index()].guard);
        Marks {
            reads,
            names,
            seen: vec![false; encoding.pool.len()],
            needed: vec![false; self.alive.len()],
            terms: facts
                .into_iter()
                .chain(goals)
                .chain(waits)
                .chain(spawns)
                .chain(threads)
                .chain(blocks)
                .collect(),
            open: Vec::new(),
        }
    }

    /// The facts that define a variable which is no read's, by variable, and the others.
    fn definitions(
        &self,
        reads: &FxHashMap<Term, Vec<EventId>>,
    ) -> (FxHashMap<Term, Term>, Vec<Term>) {
        let (mut names, mut others) = (FxHashMap::default(), Vec::new());
        for &fact in &self.encoding.facts {
            match self.definition(fact, reads) {
                Some((var, t)) if !names.contains_key(&var) => {
                    names.insert(var, t);
                }
                _ => others.push(fact),
            }
        }
        (names, others)
    }

    /// `var == t`, or for Booleans also `var != t`.
    fn definition(
        &self,
        fact: Term,
        reads: &FxHashMap<Term, Vec<EventId>>,
    ) -> Option<(Term, Term)> {
        let pool = &self.encoding.pool;
        let equality = match pool.op(fact) {
            Op::Not(inner) => inner,
            _ => fact,
        };
        let Op::Eq(a, b) = pool.op(equality) else { return None };
        if equality != fact && pool.sort(a) != Sort::Bool {
            return None;
        }
        let name = |t: &Term| matches!(pool.op(*t), Op::Var(_)) && !reads.contains_key(t);
        let var = [a, b].into_iter().find(name)?;
        Some((var, if var == a { b } else { a }))
    }

    fn mark_term(&self, marks: &mut Marks, t: Term) {
        if std::mem::replace(&mut marks.seen[t.index()], true) {
            return;
        }
        if let Op::Var(_) = self.encoding.pool.op(t) {
            for read in marks.reads.get(&t).cloned().unwrap_or_default() {
                marks.need_read(read);
            }
            marks.terms.extend(marks.names.get(&t));
        }
        self.encoding.pool.operands(t, |o| marks.terms.push(o));
    }

    fn mark_read(&mut self, marks: &mut Marks, read: EventId) {
        marks.terms.extend([self.guard(read), self.value(read), self.node_guard(read)]);
        let mut writes = self.sources[read.index()].clone();
        for filtered in self.filtered[read.index()].clone() {
            if !marks.needed[filtered.index()] && !self.harmless(filtered, read) {
                writes.push(filtered);
            }
        }
        for write in writes {
            if !std::mem::replace(&mut marks.needed[write.index()], true) {
                marks.terms.extend([self.guard(write), self.value(write), self.node_guard(write)]);
            }
        }
    }

    fn node_guard(&self, e: EventId) -> Term {
        self.encoding.nodes[self.node(e).index()].guard
    }

    /// May it go if its value is not needed?
    fn dispensable(&mut self, read: EventId) -> bool {
        let var = variable(&self.encoding.pool, self.value(read));
        // Reads that share a variable see the same, whether or not anybody else cares.
        if self.stuck[read.index()] || var.is_none_or(|var| self.shared.contains(&var)) {
            return false;
        }
        !self.filtered[read.index()].is_empty() || self.always_sees(read)
    }

    /// Is there a write before it whenever it is enabled?
    fn always_sees(&mut self, read: EventId) -> bool {
        let (node, cell) = (self.node(read), self.encoding.events[read.index()].cell.index());
        let guard = self.guard(read);
        (0..self.order.threads()).any(|thread| {
            let end = self.order.count_before(node, thread);
            let lane = self.writes[cell].between(thread, 0, end);
            let first = lane.iter().take(REACH / 2);
            let some = first.chain(lane.iter().rev().take(REACH / 2));
            let some: Vec<EventId> = some.map(|&(_, w)| w).collect();
            some.into_iter().any(|w| self.entails(guard, self.guard(w)))
        })
    }
}

impl Marks {
    fn need_read(&mut self, read: EventId) {
        if !std::mem::replace(&mut self.needed[read.index()], true) {
            self.open.push(read);
        }
    }
}
