//! An execution that need not have a schedule: a graph of events under a memory model.

use ir::{Order, Span};
use solver::weak::Model;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct WeakExecution {
    pub model: Arc<Model>,
    /// What the model was asked about.
    pub graph: cat::Graph,
    /// By event of the graph.
    pub events: Vec<WeakEvent>,
    /// It shows a race: a flag of the model, not an error that a thread gets to.
    pub race: bool,
}

/// An access of the program; or a fence, the start or the end of a thread, which have no place.
#[derive(Clone, Debug)]
pub struct WeakEvent {
    /// As in traces; initial writes have none.
    pub thread: Option<u32>,
    pub access: Option<WeakAccess>,
}

#[derive(Clone, Debug)]
pub struct WeakAccess {
    pub write: bool,
    /// Half of a read-modify-write.
    pub rmw: bool,
    pub order: Order,
    pub span: Span,
    /// What is accessed.
    pub name: String,
    pub value: String,
}
