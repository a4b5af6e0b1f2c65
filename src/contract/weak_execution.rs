//! An execution that need not have a schedule: a graph of events under a memory model.

use super::Remark;
use ir::{Inst, InstKind, MemoryOrder, ObjectKind, Operand, Program, Span, Terminator};
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
    /// Of the trace, if that tells it.
    pub step: Option<usize>,
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

/// What is not checked under such a model: the first place where an object ends that another thread may still use, and
/// the first local constant.
pub fn unchecked_ends(program: &Program) -> Vec<Remark> {
    let first = |text: &str, counts: fn(&Program, Placed) -> bool| {
        let spans = placed(program).filter(|at| counts(program, *at)).map(|at| at.inst.span);
        let first = spans.min_by_key(|span| (*span == Span::NONE, *span));
        first.map(|span| Remark::new(text, span))
    };
    let lives = "objects are used while they live: not checked under this memory model";
    let constants = "constants are not written to: not checked under this memory model";
    let lives = first(lives, |program, at| ends_object(at) || gives_its_own(program, at.inst));
    let constants = first(constants, |_, at| {
        matches!(at.inst.kind, InstKind::SlotConst { constant: true, .. })
    });
    lives.into_iter().chain(constants).collect()
}

#[derive(Clone, Copy)]
struct Placed<'p> {
    inst: &'p Inst,
    /// In a block at whose end the process ends.
    last: bool,
}

fn placed(program: &Program) -> impl Iterator<Item = Placed<'_>> {
    analysis::roots(program).into_iter().flat_map(move |id| {
        program.functions[id.index()].blocks.iter().flat_map(move |block| {
            let last = id == program.entry && matches!(block.end, Terminator::Return(_));
            block.insts.iter().map(move |inst| Placed { inst, last })
        })
    })
}

/// The locals of `main` that end where it returns end with the process.
fn ends_object(at: Placed) -> bool {
    match at.inst.kind {
        InstKind::Free { .. } => true,
        InstKind::SlotDead(_) => !at.last,
        _ => false,
    }
}

/// Does it use the address of a thread-local object, which ends with its thread, as a value?
fn gives_its_own(program: &Program, inst: &Inst) -> bool {
    let own = |operand: &&Operand| match operand {
        Operand::Object { object, .. } => {
            program.objects[object.index()].kind == ObjectKind::ThreadLocal
        }
        _ => false,
    };
    let is_access = matches!(inst.kind, InstKind::Load { .. } | InstKind::Store { .. });
    ir::walk::operands(&inst.kind).iter().skip(is_access.into()).any(own)
}
