//! Indeterminate values, used as addresses.
//!
//! An uninitialised pointer may be any number, also one that is an address here. The interpreter has
//! other addresses, and for it such a use is wrong whatever the number is. An execution in which a
//! made-up value equals the very address that is used reaches a goal of its own (`GoalKind::Chance`):
//! errors are looked for without it first. If there are only others, and the replay does not show
//! them, they are open. What is computed from such a value is not recognised; then the replay says
//! that it invalid.
//!
//! Cost: one comparison for each such use and each variable as wide as a pointer, up to `MAX`.

use super::state::WalkState;
use super::{Purpose, Walk};
use crate::event::{Goal, GoalKind, Maker, NodeId, ProgramPoint, ThreadId, Undefined};
use crate::object::{Birth, ByteView, CellKey, ObjectId};
use crate::term::{Sort, Term};
use crate::value::Numbers;
use ir::Span;

/// Comparisons in a program.
const MAX: usize = 20_000;

/// A use of an address that may be a made-up number, and is a good address when the guard holds.
pub(super) struct Chance {
    guard: Term,
    address: Term,
    thread: ThreadId,
    at: ProgramPoint,
    node: Option<NodeId>,
    span: Span,
}

impl Walk<'_> {
    /// May this be a number that was never an address?
    pub(super) fn is_arbitrary(&mut self, address: Term) -> bool {
        !matches!(self.value_of(address).numbers, Numbers::List(_))
    }

    pub(super) fn chance(&mut self, state: &WalkState, address: Term, good: Term) {
        let guard = self.pool.and(state.guard, good);
        if self.pool.is_false(guard) || !self.is_arbitrary(address) {
            return;
        }
        let node = state.atomic.as_ref().map(|a| a.node);
        let (thread, at, span) = (self.thread, self.at, self.span);
        self.chances.push(Chance { guard, address, thread, at, node, span });
    }

    pub(super) fn chance_goals(&mut self) {
        let chances = std::mem::take(&mut self.chances);
        if chances.is_empty() {
            return;
        }
        let wide = Sort::Bits(self.pointer_width());
        let made_up = |purpose: &Purpose| {
            matches!(purpose, Purpose::First(_) | Purpose::Result(..) | Purpose::Register(..))
        };
        let vars =
            self.vars.iter().filter(|((purpose, sort), _)| *sort == wide && made_up(purpose));
        let mut vars: Vec<Term> = vars.map(|(_, &var)| var).collect();
        vars.sort_unstable();
        if vars.len() * chances.len() > MAX {
            return;
        }
        for Chance { guard, address, thread, at, node, span } in chances {
            let hits: Vec<Term> = vars.iter().map(|&v| self.pool.eq(v, address)).collect();
            let hit = self.pool.or_all(hits);
            let guard = self.pool.and(guard, hit);
            if !self.pool.is_false(guard) {
                self.goals.push(Goal { kind: GoalKind::Chance, guard, thread, at, node, span });
            }
        }
    }

    /// What memory holds at first, where that may be anything: a replay wants to know. A large array has
    /// cells from earlier walks only: what is read of it, each read says.
    pub(super) fn undefined(&self) -> Vec<Undefined> {
        let mut all = Vec::new();
        for i in 0..self.space.objects.len() {
            let id = ObjectId(i as u32);
            let Some(of) = self.maker(id) else { continue };
            let in_cells = !matches!(self.space.view(id), ByteView::LargeArray { .. });
            if in_cells && self.space.find(self.space.get(id).birth) == Some(id) {
                let cells = self.space.contents_of(id);
                all.extend(cells.into_iter().filter_map(|cell| self.undefined_cell(of, cell)));
            }
        }
        all
    }

    /// Who makes an object, if the interpreter knows it, too.
    pub(super) fn maker(&self, id: ObjectId) -> Option<Maker> {
        match self.space.get(id).birth {
            Birth::Static(object) => Some(Maker::Program(object)),
            Birth::ThreadLocal(t, object) => Some(Maker::ThreadLocal(t, object)),
            Birth::Slot(t, at) | Birth::Heap(t, at) | Birth::Frame(t, at) => {
                Some(Maker::Instruction(t, at))
            }
            _ => None,
        }
    }

    fn undefined_cell(&self, of: Maker, cell: CellKey) -> Option<Undefined> {
        let info = self.space.cell(cell);
        let (offset, bytes) = (info.offset, info.bytes);
        let value = *self.vars.get(&(Purpose::First(cell), Sort::Bits(bytes * 8)))?;
        Some(Undefined { of, offset, bytes, value })
    }
}
