//! What only memory models other than sequential consistency want to know of a program: dependencies
//! between its events, and where its cells are.
//!
//! A dependency is syntactic: the address, the value or the branch mentions what was read, whatever the
//! values are. It is what the lowered program says; a compiler may do away with it.

use crate::event::{CellId, EventId, Maker};
use crate::term::Term;
use ir::FileId;

#[derive(Clone, Debug, Default)]
pub struct Weak {
    pub dependencies: Vec<Dependency>,
    /// By cell: the object and the offset, for those that the program can name.
    pub places: Vec<Option<(Maker, u64)>>,
    /// The cells that say whether an object is alive.
    pub lives: Vec<CellId>,
    /// Writes that stand for what memory holds at first: of objects that are there from the start, and of
    /// those that are made later.
    pub initial: Vec<EventId>,
    /// Which events are in an atomic block of the user.
    pub in_user_block: Vec<EventId>,
    /// Reads of indivisible operations that may write the same place, also where they never do. Sorted.
    pub updates: Vec<EventId>,
    /// Atomic blocks of this text are operations of the system that synchronise with each other.
    pub system: Option<FileId>,
}

/// The second event depends on what the first has read, if the condition holds (a way was taken).
#[derive(Clone, Copy, Debug)]
pub struct Dependency {
    pub kind: DependencyKind,
    pub from: EventId,
    pub to: EventId,
    pub when: Term,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum DependencyKind {
    Address,
    Data,
    /// A branch that the thread has gone through.
    Control,
    /// One whose ways have not met again.
    Arm,
}
