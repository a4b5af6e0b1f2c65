//! An execution that need not have a schedule: a graph of events under a memory model.

use super::Remark;
use ir::{Inst, InstKind, MemoryOrder, Program, Span, Terminator};
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
    pub order: MemoryOrder,
    pub span: Span,
    /// What is accessed.
    pub name: String,
    pub value: String,
}

/// What is not checked under such a model: the first place where an object ends that another thread may
/// still use. (The locals of `main` that end where it returns end with the process.)
pub fn unchecked_ends(program: &Program) -> Option<Remark> {
    let ends = analysis::roots(program).into_iter().flat_map(|id| {
        let blocks = program.functions[id.index()].blocks.iter();
        blocks.flat_map(move |block| {
            let last = id == program.entry && matches!(block.end, Terminator::Return(_));
            let ends = move |inst: &&Inst| match inst.kind {
                InstKind::Free { .. } => true,
                InstKind::SlotDead(_) => !last,
                _ => false,
            };
            block.insts.iter().filter(ends).map(|inst| inst.span)
        })
    });
    let text = "objects are used while they live: not checked under this memory model".to_string();
    ends.min_by_key(|span| (*span == Span::NONE, *span)).map(|span| Remark { text, span })
}
