//! Monotonic paths: of neighbouring steps that are independent the smaller thread's comes first.
//!
//! Of the shortest executions to an error take the one whose sequence of threads is least in the
//! order of words. No step of it can be swapped with a neighbour to make it less, so it is enough to
//! follow steps that are not smaller than an independent step right before them. (Kahlon, Wang, Gupta:
//! Monotonic partial order reduction, CAV 2009; Wachter, Kroening, Ouaknine: Verifying multi-threaded
//! software with Impact, FMCAD 2013.) Which steps are left out depends on the step before. So
//! a node that is covered by another one owes it what it would have followed itself: the cover, with
//! another step before it, follows that, too.

use crate::system::{ActionId, System};

/// Is the second action left out right behind the first?
pub fn skips(system: &System, before: ActionId, next: ActionId) -> bool {
    let (a, b) = (system.action(before), system.action(next));
    b.thread < a.thread
        && a.writes.is_disjoint(&b.writes)
        && a.writes.is_disjoint(&b.reads)
        && a.reads.is_disjoint(&b.writes)
}
