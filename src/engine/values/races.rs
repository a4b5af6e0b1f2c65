//! Data races, where they are undefined behaviour: no two accesses may be left without an order.
//!
//! Two accesses of a cell by different threads, one a write, not both atomic, are ordered if all of one site happen
//! before each of the other (`ThreadView::is_done`).

use super::memory::FlowCell;
use super::threads::{AccessSite, StartedThreads, ThreadIdx};
use super::view::ThreadView;
use ir::{MemoryOrder, Span};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SiteKey {
    pub cell: FlowCell,
    pub site: AccessSite,
    pub thread: ThreadIdx,
}

#[derive(Clone, Debug)]
struct SiteAccess {
    write: bool,
    atomic: bool,
    span: Span,
    /// Of all states in which it was done.
    views: Vec<ThreadView>,
}

#[derive(Default)]
pub struct SiteAccesses {
    all: FxHashMap<SiteKey, SiteAccess>,
}

impl SiteAccesses {
    pub fn note(
        &mut self,
        key: SiteKey,
        write: bool,
        order: MemoryOrder,
        span: Span,
        view: &ThreadView,
    ) {
        let atomic = order != MemoryOrder::Plain;
        let access =
            self.all.entry(key).or_insert(SiteAccess { write, atomic, span, views: Vec::new() });
        if !access.views.contains(view) {
            access.views.push(view.clone());
        }
    }

    /// All accesses of shared cells, and whether they write.
    pub fn sites(&self) -> impl Iterator<Item = (SiteKey, bool)> + '_ {
        self.all.iter().map(|(key, access)| (*key, access.write))
    }

    /// The first access that may race.
    pub fn race(&self, threads: &StartedThreads) -> Option<Span> {
        let mut by_cell: FxHashMap<FlowCell, Vec<(&SiteKey, &SiteAccess)>> = FxHashMap::default();
        self.all.iter().for_each(|(key, a)| by_cell.entry(key.cell).or_default().push((key, a)));
        let mut found = None;
        for accesses in by_cell.values() {
            for (i, (x, a)) in accesses.iter().enumerate() {
                for (y, b) in &accesses[i..] {
                    let apart = x.thread == y.thread && threads.of(x.thread).single;
                    let conflict = (a.write || b.write) && !(a.atomic && b.atomic);
                    if !apart && conflict && !precedes(x, b) && !precedes(y, a) {
                        let span = Some(a.span.min(b.span));
                        found = if found.is_none() { span } else { found.min(span) };
                    }
                }
            }
        }
        found
    }
}

/// Do all accesses of the site happen before each of these?
fn precedes(first: &SiteKey, second: &SiteAccess) -> bool {
    second.views.iter().all(|view| view.is_done(first.site))
}
