//! Partial order reduction: which threads are enough to look at in a state.
//!
//! - `source.rs`: source sets by what threads may still do: `local`, `static`, and `aware` of what the
//!   abstraction can tell apart

pub mod source;

use crate::graph::Vector;
use crate::system::ThreadId;

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
    fn choose<V: View>(&self, at: &Vector, view: &mut V) -> Result<Vec<ThreadId>, V::Error>;
}
