//! What the successes of ordered threads hand on.
//!
//! If only the marks of a group write a cell, apart from one write that is certain and comes
//! before all of them, then each success sees what the one before has left: the marks come in
//! the order of the threads, at most one in each, and none happens unless one does in the thread
//! before. And a read that comes after all marks sees what the last success has left. A solver can
//! find that out by itself, but only try by try; so we say it.
//!
//! Cost: a fact for each mark and each such read, over terms that are linear in the marks.

use super::NodeIndex;
use crate::guards::Guards;
use crate::order::StaticOrder;
use crate::term::Term;
use crate::{CellId, Encoding, EventId, EventKind, NodeId};

/// Needs: `marks` are exchanges of one cell, ordered as `mark` says; of each member, its own.
pub(crate) fn state_values(encoding: &mut Encoding, index: &NodeIndex, marks: &[Vec<EventId>]) {
    let Some(&some) = marks.first().and_then(|m| m.first()) else { return };
    let cell = encoding.events[some.index()].cell;
    let order = StaticOrder::new(encoding);
    let Some(first) = first_write(encoding, &order, cell, marks) else { return };
    let Some(reads) = reads_of(encoding, index, marks) else { return };
    let first = encoding.events[first.index()].value;
    let left: Vec<Term> = marks.iter().map(|m| choice(encoding, m, None)).collect();
    for (i, reads) in reads.iter().enumerate() {
        let before = if i == 0 { first } else { left[i - 1] };
        for (&mark, &read) in marks[i].iter().zip(reads) {
            let guard = encoding.events[mark.index()].guard;
            say_equal(encoding, guard, read, before);
        }
    }
    let mut last = first;
    for member in marks {
        last = choice(encoding, member, Some(last));
    }
    for read in later_reads(encoding, &order, cell, marks) {
        let guard = encoding.events[read.index()].guard;
        say_equal(encoding, guard, read, last);
    }
}

/// The one write of the cell that is no mark, if it is certain and comes before all marks.
fn first_write(
    encoding: &Encoding,
    order: &StaticOrder,
    cell: CellId,
    marks: &[Vec<EventId>],
) -> Option<EventId> {
    let is_mark = |e: EventId| marks.iter().any(|m| m.contains(&e));
    let of_cell = |e: &EventId| {
        let event = &encoding.events[e.index()];
        event.cell == cell && event.kind == EventKind::Write && !is_mark(*e)
    };
    let mut others = (0..encoding.events.len()).map(EventId::new).filter(of_cell);
    let first = others.next().filter(|_| others.next().is_none())?;
    let event = &encoding.events[first.index()];
    let before = nodes(encoding, marks).all(|n| order.before(event.node, n));
    (before && encoding.pool.is_true(event.guard)).then_some(first)
}

fn nodes<'a>(
    encoding: &'a Encoding,
    marks: &'a [Vec<EventId>],
) -> impl Iterator<Item = NodeId> + 'a {
    marks.iter().flatten().map(|e| encoding.events[e.index()].node)
}

/// Of each mark, the read in its node, which happens whenever the mark does.
fn reads_of(
    encoding: &Encoding,
    index: &NodeIndex,
    marks: &[Vec<EventId>],
) -> Option<Vec<Vec<EventId>>> {
    let mut guards = Guards::default();
    let mut read_of = |mark: &EventId| {
        let write = &encoding.events[mark.index()];
        let read = *index.events(write.node).iter().find(|e| {
            let event = &encoding.events[e.index()];
            event.kind == EventKind::Read && event.cell == write.cell
        })?;
        let guard = encoding.events[read.index()].guard;
        guards.entails(&encoding.pool, write.guard, guard).then_some(read)
    };
    marks.iter().map(|m| m.iter().map(&mut read_of).collect()).collect()
}

/// Reads outside of the group that come after all marks.
fn later_reads(
    encoding: &Encoding,
    order: &StaticOrder,
    cell: CellId,
    marks: &[Vec<EventId>],
) -> Vec<EventId> {
    let later = |e: &EventId| {
        let event = &encoding.events[e.index()];
        event.kind == EventKind::Read
            && event.cell == cell
            && nodes(encoding, marks).all(|n| order.before(n, event.node))
    };
    (0..encoding.events.len()).map(EventId::new).filter(later).collect()
}

/// The value of the enabled one of these writes; `none` if there is none (or: there is one).
fn choice(encoding: &mut Encoding, writes: &[EventId], none: Option<Term>) -> Term {
    let Encoding { pool, events, .. } = encoding;
    let mut values = writes.iter().rev().map(|e| &events[e.index()]);
    let mut value = none.or_else(|| values.next().map(|e| e.value));
    for event in values {
        value = value.map(|v| pool.ite(event.guard, event.value, v));
    }
    value.unwrap_or_else(|| pool.bits(0, 1))
}

fn say_equal(encoding: &mut Encoding, guard: Term, read: EventId, value: Term) {
    let pool = &mut encoding.pool;
    let same = pool.eq(encoding.events[read.index()].value, value);
    let fact = pool.implies_term(guard, same);
    if !pool.is_true(fact) {
        encoding.facts.push(fact);
    }
}
