//! Counters: plain fields, read by the driver once at the end.

use crate::reason::{EdgeReason, Why};

/// What happened since the theory was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Calls of `propagate`.
    pub propagations: u64,
    /// Orders built anew after a growth.
    pub rebuilds: u64,
    /// Edges from literals (rf, ws and other pairs).
    pub literal_edges: u64,
    /// Edges by write serialization.
    pub ws_edges: u64,
    /// Edges by from-read.
    pub fr_edges: u64,
    /// Intervals of newly reached positions.
    pub deltas: u64,
    /// Conflicts found.
    pub conflicts: u64,
    /// Literals denied because the order says the opposite.
    pub denied_by_order: u64,
    /// Literals denied because a write stands between.
    pub denied_between: u64,
    /// Literals denied because two read-modify-writes would share a source.
    pub denied_updates: u64,
    /// Explanations made, conflicts included.
    pub explained: u64,
    /// Literals in them.
    pub literals: u64,
    /// Literals that minimization dropped.
    pub dropped: u64,
}

impl Stats {
    pub(crate) fn count_edge(&mut self, reason: EdgeReason) {
        match reason {
            EdgeReason::Static => {}
            EdgeReason::Literal(_) => self.literal_edges += 1,
            EdgeReason::WriteSerialization { .. } => self.ws_edges += 1,
            EdgeReason::FromRead { .. } => self.fr_edges += 1,
        }
    }

    pub(crate) fn count_denial(&mut self, why: Why) {
        match why {
            Why::Ordered(_) => self.denied_by_order += 1,
            Why::Between { .. } => self.denied_between += 1,
            Why::Updates(..) => self.denied_updates += 1,
        }
    }
}
