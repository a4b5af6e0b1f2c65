//! What a thread knows of the accesses that happen before its next step.
//!
//! - `done`: sites of which every access, in the whole execution, happens before.
//! - `stale`: for a cell, sites of which every write to it comes, in coherence order, before one that happens
//!   before. No read from here on sees such a write: the read would come before the later one, which happens
//!   before it.
//!
//! A thread learns what another one has published by a release that it acquires, by its start, or by its end. It
//! publishes what it knows, and its own sites: those that it has passed for good, if there is one such thread.
//! A write makes everything stale that is done at its cell; so does a thread's own last write with what it has
//! written there before.
//!
//! Invariant: both are subsets of what holds in each execution that the state stands for.

use super::memory::FlowCell;
use super::threads::AccessSite;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

type Sites = BTreeSet<AccessSite>;

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ThreadView(Rc<KnownOrder>);

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct KnownOrder {
    done: Sites,
    stale: BTreeMap<FlowCell, Sites>,
}

impl ThreadView {
    pub fn is_stale(&self, cell: FlowCell, site: AccessSite) -> bool {
        self.0.stale.get(&cell).is_some_and(|sites| sites.contains(&site))
    }

    pub fn is_done(&self, site: AccessSite) -> bool {
        self.0.done.contains(&site)
    }

    pub fn learn(&mut self, other: &ThreadView) {
        if Rc::ptr_eq(&self.0, &other.0) || *other == ThreadView::default() {
            return;
        }
        let known = Rc::make_mut(&mut self.0);
        known.done.extend(&other.0.done);
        for (cell, sites) in &other.0.stale {
            known.stale.entry(*cell).or_default().extend(sites);
        }
    }

    /// The thread writes to a cell: what is done there is overwritten, among `sites` those that write to it.
    pub fn overwrite(&mut self, cell: FlowCell, sites: impl Iterator<Item = AccessSite>) {
        let known = Rc::make_mut(&mut self.0);
        let done = sites.filter(|site| known.done.contains(site)).chain([AccessSite::INITIAL]);
        known.stale.entry(cell).or_default().extend(done);
    }

    /// The thread itself has passed these sites; of the cells that it has written, which were last and all sites
    /// that write there.
    pub fn published(
        &self,
        passed: impl Iterator<Item = AccessSite>,
        own: impl Iterator<Item = (FlowCell, AccessSite, Sites)>,
    ) -> ThreadView {
        let mut view = self.clone();
        let known = Rc::make_mut(&mut view.0);
        let passed: Sites = passed.collect();
        for (cell, last, written) in own {
            let before = written.intersection(&passed).filter(|site| **site != last);
            known.stale.entry(cell).or_default().extend(before.copied());
        }
        known.done.extend(passed);
        view
    }
}
