//! Who may read from whom: the candidates, before anything clever is done about them.
//!
//! A read may see every write of its cell in another node that does not come after it in every
//! execution. What comes after it is a suffix of each thread, so the candidates are prefixes.
//!
//! Invariant: in every linearization of nodes that respects the static order, the last enabled
//! write before an enabled read, if there is one, is a candidate. `prune` keeps it and lives from it.
//! Cost: `T log n` per read, plus the candidates.

use crate::order::{Lanes, StaticOrder};
use crate::{CellId, Encoding, EventId, EventKind};

/// Fills `Encoding::rf`.
pub fn candidates(encoding: &mut Encoding) {
    let order = StaticOrder::new(encoding);
    let writes = lanes(encoding, &order, EventKind::Write);
    let mut rf = Vec::new();
    for (i, event) in encoding.events.iter().enumerate() {
        if event.kind != EventKind::Read {
            continue;
        }
        let lanes = &writes[event.cell.index()];
        for thread in 0..order.threads() {
            let end = order.first_after(event.node, thread);
            let other = |e: &EventId| encoding.events[e.index()].node != event.node;
            let before = lanes.between(thread, 0, end).iter().map(|&(_, w)| w).filter(other);
            rf.extend(before.map(|w| (w, EventId::new(i))));
        }
    }
    encoding.rf = rf;
}

/// The events of one kind by cell.
pub fn lanes(encoding: &Encoding, order: &StaticOrder, kind: EventKind) -> Vec<Lanes> {
    let mut lanes = vec![Lanes::new(order.threads()); encoding.cells.len()];
    for (i, event) in encoding.events.iter().enumerate() {
        let CellId(cell) = event.cell;
        if let (true, Some(place)) = (event.kind == kind, order.place(event.node)) {
            lanes[cell as usize].push(place, EventId::new(i));
        }
    }
    lanes.iter_mut().for_each(Lanes::sort);
    lanes
}
