//! Abstract domains.
//!
//! - `cartesian.rs`: values of tracked cells, and a conjunction of literals over predicates: the
//!   domains `explicit` and `predicates`
//! - `intervals.rs`: bounds of cells that have too many values, as predicates: the domain `intervals`
//! - `parts.rs`: questions that share no variable

pub mod cartesian;
pub mod intervals;
mod parts;

use crate::ask::Stop;
use crate::system::{ActionId, System};
use encoder::Term;
use fixedbitset::FixedBitSet;
use std::fmt::Debug;
use std::hash::Hash;

/// What is known of the cells where a vector of locations is reached.
///
/// Soundness: `post` covers what the action does from every state that the element covers, `None` if
/// it does nothing; `leq(a, b)` only if `b` covers what `a` does; `formula` is true exactly in the
/// states that are covered.
pub trait Domain {
    type Elem: Clone + Eq + Hash + Debug;

    fn initial(&mut self, system: &mut System) -> Result<Self::Elem, Stop>;

    fn post(
        &mut self,
        system: &mut System,
        elem: &Self::Elem,
        action: ActionId,
    ) -> Result<Option<Self::Elem>, Stop>;

    /// Is the action enabled in every state that the element covers?
    fn enables(&mut self, system: &mut System, elem: &Self::Elem, action: ActionId) -> bool;

    /// Forgets all but these cells.
    fn forget(&self, elem: Self::Elem, keep: &FixedBitSet) -> Self::Elem;

    fn leq(&self, a: &Self::Elem, b: &Self::Elem) -> bool;

    fn formula(&self, system: &mut System, elem: &Self::Elem) -> Vec<Term>;
}
