//! Monotonic paths: of neighbouring steps that are independent the smaller thread's comes first.
//!
//! Of the shortest executions to an error take the one whose sequence of threads is least in the
//! order of words. No step of it can be swapped with a neighbour to make it less, so it is enough to
//! follow steps that are not smaller than an independent step right before them. (Kahlon, Wang, Gupta:
//! Monotonic partial order reduction, CAV 2009; Wachter, Kroening, Ouaknine: Verifying multi-threaded
//! software with Impact, FMCAD 2013.) Which steps are left out depends on the step before. So
//! a node that is covered by another one owes it what it would have followed itself: the cover, with
//! another step before it, follows that, too.
//!
//! *Conditional dependence*: accesses to `v[i]` and `v[j]` share cells, and commute where `i != j`. That
//! two steps do, from any state in which both can be done one after the other, is a formula over the
//! state before them (`commute`). Where it holds the steps are independent; whoever leaves one out puts the
//! formula on the node before them, since a node that this one covers relies on it, too.

use crate::replace::Replace;
use crate::system::{ActionId, CellId, System, Target, vars};
use encoder::Term;

/// Is the second action left out right behind the first?
pub fn skips(system: &System, before: ActionId, next: ActionId) -> bool {
    let (a, b) = (system.action(before), system.action(next));
    b.thread < a.thread && shared(system, before, next) == 0
}

/// Cells by which two actions depend on each other.
fn shared(system: &System, one: ActionId, other: ActionId) -> usize {
    let (a, b) = (system.action(one), system.action(other));
    let mut used = b.reads.clone();
    used.union_with(&b.writes);
    let mut shared = a.writes.clone();
    shared.intersect_with(&used);
    let mut read = a.reads.clone();
    read.intersect_with(&b.writes);
    shared.union_with(&read);
    shared.count_ones(..)
}

/// May it depend on the state whether the second action has to be followed behind the first? A single
/// cell is the same in every state.
pub(crate) fn may_commute(system: &System, before: ActionId, next: ActionId) -> bool {
    let (a, b) = (system.action(before), system.action(next));
    let ends = |id| matches!(system.action(id).to, Target::To(_));
    b.thread < a.thread && ends(before) && ends(next) && shared(system, before, next) > 1
}

/// Where the first action and then the second can be done, the other order can, and does the same: a
/// condition on cells, if inputs do not matter.
pub fn commute(system: &mut System, first: ActionId, second: ActionId) -> Option<Term> {
    let (a, b) = (system.action(first).clone(), system.action(second).clone());
    let map = |updates: &[(CellId, Term)], system: &System| {
        let pairs = updates.iter().map(|(c, t)| (system.cell(*c).var, *t));
        Replace::new(pairs.collect::<Vec<_>>())
    };
    let (mut after_a, mut after_b) = (map(&a.updates, system), map(&b.updates, system));
    let pool = &mut system.pool;
    let then = after_a.apply(pool, b.guard);
    let possible = pool.and(a.guard, then);
    let then = after_b.apply(pool, a.guard);
    let mut same = pool.and(b.guard, then);
    let mut written = a.writes.clone();
    written.union_with(&b.writes);
    for cell in written.ones() {
        let var = system.cells[cell].var;
        let of = |updates: &[(CellId, Term)]| {
            updates.iter().find(|(c, _)| c.index() == cell).map_or(var, |(_, t)| *t)
        };
        let pool = &mut system.pool;
        let (by_b, by_a) =
            (after_a.apply(pool, of(&b.updates)), after_b.apply(pool, of(&a.updates)));
        let equal = pool.eq(by_b, by_a);
        same = pool.and(same, equal);
    }
    let pool = &mut system.pool;
    let not = pool.not(possible);
    let both = pool.or(not, same);
    let about_cells = vars(pool, both).iter().all(|var| system.by_var.contains_key(var));
    about_cells.then_some(both)
}
