//! What a thread would do next, without doing it.
//!
//! Steps that touch only what is private to the thread are `Local`: they commute with every step of
//! every other thread, so an explorer may run them at once.

use crate::observe::Access;
use crate::state::{Frame, Home, State};
use crate::step::{Interp, Next};
use crate::value::{ObjKey, Tid, Value};
use ir::{At, Inst, InstKind, MemoryOrder, ObjectKind, Operand, Span, Stop, Terminator};

impl Interp<'_> {
    /// What the thread would do next, without doing it. Local steps may still make choices, be
    /// cut, or violate a property.
    pub fn next(&self, state: &State, thread: Tid) -> Next {
        let frame = if state.is_running(thread) { state.top(thread) } else { None };
        let Some(frame) = frame else { return Next::Ended };
        let block = self.block(frame);
        match block.insts.get(frame.index) {
            Some(inst) => self.next_inst(state, thread, frame, inst),
            None => self.next_end(state, thread, frame, &block.end, block.end_span),
        }
    }

    fn next_inst(&self, state: &State, thread: Tid, frame: &Frame, inst: &Inst) -> Next {
        let span = inst.span;
        match &inst.kind {
            InstKind::Load { addr, ty, order, .. } => {
                let size = ty.bytes(self.space.machine());
                self.next_access(state, thread, addr, size, false, *order, inst.at())
            }
            InstKind::Store { addr, ty, order, .. } => {
                let size = ty.bytes(self.space.machine());
                self.next_access(state, thread, addr, size, true, *order, inst.at())
            }
            InstKind::SlotLive(slot)
            | InstKind::SlotDead(slot)
            | InstKind::SlotConst { slot, .. } => {
                self.lifetime(state, thread, frame.slots[slot.index()].into_iter(), span)
            }
            InstKind::Free { ptr, .. } | InstKind::ObjectSize { ptr, .. } => {
                let Value::Int(addr) = self.operand(state, thread, ptr) else {
                    return Next::Unknown { span };
                };
                let key = state.entry_at(&self.space, addr).map(|(_, key)| key);
                self.lifetime(state, thread, key.into_iter(), span)
            }
            InstKind::Join { thread: op, .. } | InstKind::Ended { thread: op, .. } => {
                match self.operand(state, thread, op) {
                    Value::Int(id) => match state.has_thread(id) {
                        Some(thread) => {
                            let waits = matches!(inst.kind, InstKind::Join { .. });
                            Next::Join { thread, waits, span }
                        }
                        // Whether it is a thread may still change.
                        None => Next::Unknown { span },
                    },
                    Value::Sym { .. } => Next::Unknown { span },
                }
            }
            InstKind::AtomicBegin { kind } => Next::Atomic { kind: *kind, span },
            InstKind::Wait(_) => Next::Unknown { span },
            InstKind::Spawn { .. } => Next::Spawn { span },
            _ => Next::Local,
        }
    }

    fn next_end(
        &self,
        state: &State,
        thread: Tid,
        frame: &Frame,
        end: &Terminator,
        span: Span,
    ) -> Next {
        let last = state.thread(thread).frames.len() <= 1;
        match end {
            Terminator::Return(_) if !last => self.lifetime(state, thread, frame.objects(), span),
            Terminator::Return(_) if thread == Tid::FIRST => Next::ProcessEnd { span },
            Terminator::Return(_) | Terminator::ExitThread(_) => {
                self.next_exit(state, thread, span)
            }
            Terminator::Stop(Stop::Exit) => Next::ProcessEnd { span },
            _ => Next::Local,
        }
    }

    /// Objects that end with the thread and that others may use make it more than an exit.
    fn next_exit(&self, state: &State, thread: Tid, span: Span) -> Next {
        let locals = self.space.thread_locals.iter();
        let locals =
            locals.map(|&id| self.space.arena_key(thread, self.space.thread_local_slot(id)));
        let frames = state.thread(thread).frames.iter().flat_map(|f| f.objects());
        match self.lifetime(state, thread, frames.chain(locals), span) {
            Next::Local => Next::Exit { span },
            _ => Next::Unknown { span },
        }
    }

    /// Local if all these objects are private to the thread (or dead already).
    fn lifetime(
        &self,
        state: &State,
        thread: Tid,
        keys: impl Iterator<Item = ObjKey>,
        span: Span,
    ) -> Next {
        let shared = |key: &ObjKey| {
            state.object_of(&self.space, *key).is_some_and(|o| o.owner != Some(thread))
        };
        let objects: Vec<ObjKey> = keys.filter(shared).collect();
        if objects.is_empty() { Next::Local } else { Next::Lifetime { objects, span } }
    }

    #[allow(clippy::too_many_arguments)]
    fn next_access(
        &self,
        state: &State,
        thread: Tid,
        addr: &Operand,
        size: u64,
        write: bool,
        order: MemoryOrder,
        At { id, span }: At,
    ) -> Next {
        let Value::Int(addr) = self.operand(state, thread, addr) else {
            return Next::Unknown { span };
        };
        // An access that is wrong now stays wrong whatever others do.
        let Ok((home, object, offset)) = self.find(state, addr, size, write) else {
            return Next::Local;
        };
        let owner = state.object(home).and_then(|o| o.owner);
        if owner == Some(thread) || self.is_constant(home) {
            return Next::Local;
        }
        if owner.is_some() {
            return Next::Unknown { span };
        }
        let (user_atomic, internal_atomic) = (false, false);
        Next::Access(Access {
            object,
            offset,
            size,
            write,
            order,
            user_atomic,
            internal_atomic,
            id,
            span,
        })
    }

    fn is_constant(&self, home: Home) -> bool {
        matches!(home, Home::Static(i) if self.program.objects[i].kind == ObjectKind::Constant)
    }
}
