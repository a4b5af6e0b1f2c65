//! Partial order reduction: which threads are enough to look at in a state.
//!
//! - `source.rs`: source sets by what threads may still do: `local`, `static`, and `aware` of what the
//!   abstraction can tell apart
//! - `monotonic.rs`: of independent neighbours the smaller thread first, for labels (`impact`)
//! - `quasi.rs`: paths that are the only ones of their class, for symbolic execution

pub mod monotonic;
pub mod quasi;
pub mod source;

use crate::graph::Vector;
use crate::system::ThreadId;
use fixedbitset::FixedBitSet;

/// Which dependence counts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Por {
    Off,
    /// Only steps on what is the thread's own are taken alone.
    Local,
    /// Steps depend on each other if they share a cell that one of them writes.
    Static,
    /// As `Static`, for cells that the abstraction speaks of only.
    #[default]
    Aware,
    /// Of independent neighbours the smaller thread's step first.
    Monotonic,
    /// As `Monotonic`, and steps that share cells are independent where they are known to commute.
    Conditional,
    /// One path of each class of equivalent ones.
    Quasi,
}

/// What a reduction asks about the state that it is about.
pub trait View {
    type Error;

    /// Is an action of the thread enabled in the abstraction?
    fn moves(&mut self, thread: ThreadId) -> Result<bool, Self::Error>;

    /// Is some action of the thread enabled in every state that is covered?
    fn surely_moves(&mut self, thread: ThreadId) -> Result<bool, Self::Error>;
}

/// A choice of threads whose actions are enough in a state.
pub trait Reduce {
    /// `observed`: the cells that states speak of and that may still matter from here on, if that is
    /// known.
    fn choose<V: View>(
        &self,
        at: &Vector,
        observed: Option<&FixedBitSet>,
        view: &mut V,
    ) -> Result<Vec<ThreadId>, V::Error>;
}
