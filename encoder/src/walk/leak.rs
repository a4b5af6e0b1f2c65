//! Lost memory: blocks that nothing leads to when the process ends.
//!
//! The process ends where its first thread returns or somebody calls `exit`. There one node looks at
//! all memory at once: which blocks there are (made and not freed), and which cells hold the address
//! of one. A block is lost if no chain of such cells leads to it from a global or a local that lives.
//! Registers are not looked at, though the interpreter does: others may still have a block in hand.
//! So what is not lost here is not lost there, and whether something is lost a replay says.
//!
//! Only cells as wide as a pointer are looked at: an address that was copied byte by byte is not
//! seen, which makes more lost, not less.
//!
//! Under other memory models there is no such place to look from: a block that is made and that neither the
//! first thread nor one that it has joined frees is a doubt (`doubts`), whatever leads to it.
//!
//! Cost: a read for each cell that ever held the address of a block, at each end of the process;
//! chains are followed in as many passes as there are blocks. With too many of either, a block that
//! is there at the end is a doubt.

use super::Walk;
use super::state::WalkState;
use crate::Encoding;
use crate::event::{Fault, Goal, GoalKind, NodeKind, ProgramPoint, ThreadId};
use crate::object::{ALIVE, Birth, CellKey, Contents, ObjectId};
use crate::order::StaticOrder;
use crate::term::Term;
use crate::value::Offsets;

/// Blocks among which chains are followed.
const BLOCKS: usize = 16;
/// Cells that one end of the process looks at.
const CELLS: usize = 256;

/// Blocks that were made and freed, under other memory models.
#[derive(Default)]
pub(super) struct Leaks {
    made: Vec<(ObjectId, Term)>,
    pub freed: Vec<(ObjectId, Term, ThreadId)>,
    /// When the process ends.
    ends: Vec<Term>,
    /// Another thread than the first may end it.
    exits: bool,
}

impl Leaks {
    /// Blocks that may be there when the process ends.
    pub fn doubts(self, encoding: &mut Encoding) {
        let order = StaticOrder::new(encoding);
        let end = |t: ThreadId| encoding.threads[t.index()].nodes.last().copied();
        let first = end(ThreadId(0));
        let in_time = |t: ThreadId| match (end(t), first) {
            _ if t == ThreadId(0) => true,
            (Some(end), Some(first)) => !self.exits && order.before(end, first),
            _ => false,
        };
        let freed: Vec<_> = self.freed.into_iter().filter(|&(_, _, t)| in_time(t)).collect();
        for (block, made) in self.made {
            let of_block = freed.iter().filter(|(b, ..)| *b == block).map(|&(_, guard, _)| guard);
            let gone = encoding.pool.or_all(of_block.collect::<Vec<_>>());
            let left = encoding.pool.not(gone);
            let ended = encoding.pool.or_all(self.ends.iter().copied());
            let guard = encoding.pool.and_all([made, left, ended]);
            let what = "whether memory is lost, under this memory model".to_string();
            let at = ProgramPoint { block: ir::BlockId(0), index: 0 };
            let (thread, span) = (ThreadId(0), ir::Span::NONE);
            let kind = GoalKind::Unsupported(what);
            encoding.goals.push(Goal { kind, guard, thread, at, node: None, span });
        }
    }
}

/// What leads to a block, when.
struct Link {
    /// The block that it stands in; none for other objects.
    from: Option<usize>,
    to: usize,
    holds: Term,
}

impl Walk<'_> {
    /// The first thread returns (then its locals are gone), or somebody calls `exit`.
    pub(super) fn end_of_process(&mut self, state: &mut WalkState, returns: bool) {
        self.leaks.exits |= self.thread != ThreadId(0);
        self.leaks.ends.push(state.guard);
        if !self.checks_memory() || self.config.weak {
            return;
        }
        let goals = self.goals.len();
        let blocks: Vec<ObjectId> = self.objects(|b| matches!(b, Birth::Heap(..)));
        let there: Vec<Term> = blocks.iter().map(|&b| self.is_there(state, b)).collect();
        let some = self.pool.or_all(there.iter().copied());
        if self.pool.is_false(some) {
            return;
        }
        match self.links(state, &blocks, &there, returns) {
            Some(links) => self.lost(state, &there, &links),
            None => {
                let guard = self.pool.and(state.guard, some);
                let what = "whether memory is lost at the end of the process".to_string();
                self.goal(state, GoalKind::Unsupported(what), guard);
            }
        }
        // It looks and does nothing: no thread needs to step over it.
        if let (Some(node), None) = (self.current, &state.atomic) {
            self.nodes[node.index()].guard = self.pool.bool(false);
            self.goals[goals..].iter_mut().for_each(|goal| goal.node = Some(node));
        }
    }

    fn objects(&self, wanted: impl Fn(&Birth) -> bool) -> Vec<ObjectId> {
        let all = self.space.objects.iter().enumerate();
        all.filter(|(_, o)| wanted(&o.birth)).map(|(i, _)| ObjectId(i as u32)).collect()
    }

    /// An object that is made on the way was made.
    pub(super) fn note_birth(&mut self, state: &mut WalkState, object: ObjectId, guard: Term) {
        if self.config.weak && matches!(self.space.get(object).birth, Birth::Heap(..)) {
            self.leaks.made.push((object, guard));
        }
        if !self.checks_memory() || self.config.weak {
            return;
        }
        let made = self.hidden(Birth::Made(object), "made", 1, Contents::Zero);
        let Some(cell) = self.only_cell(made, 1) else { return };
        let one = self.pool.bits(1, 8);
        self.store_cell(state, cell, one, guard, guard, NodeKind::Lifetime);
    }

    /// Was it made, and is it alive?
    fn is_there(&mut self, state: &mut WalkState, object: ObjectId) -> Term {
        let mut there = self.pool.bool(true);
        let made = self.space.find(Birth::Made(object));
        for cell in [made.and_then(|made| self.only_cell(made, 1)), self.space.get(object).alive] {
            let Some(cell) = cell else { continue };
            let guard = self.pool.and(state.guard, there);
            if self.pool.is_false(guard) {
                continue;
            }
            let value = self.load_cell(state, cell, guard, NodeKind::Access);
            let holds = self.pool.truth(value);
            there = self.pool.and(there, holds);
        }
        there
    }

    /// `None`: there are too many.
    fn links(
        &mut self,
        state: &mut WalkState,
        blocks: &[ObjectId],
        there: &[Term],
        returns: bool,
    ) -> Option<Vec<Link>> {
        let thread = self.thread;
        let gone = |b: &Birth| match b {
            Birth::Slot(t, _) | Birth::Frame(t, _) => returns && *t == thread,
            Birth::Counter | Birth::Ended(_) | Birth::Joined(_) | Birth::Made(_) => true,
            Birth::Static(_) | Birth::ThreadLocal(..) | Birth::Heap(..) => false,
        };
        let mut links = Vec::new();
        let mut count = 0;
        for object in self.objects(|b| !gone(b)) {
            let cells = self.cells_with_blocks(object);
            count += cells.len();
            if cells.is_empty() {
                continue;
            }
            if blocks.len() > BLOCKS || count > CELLS {
                return None;
            }
            let from = blocks.iter().position(|&b| b == object);
            let here = match from {
                Some(i) => there[i],
                None => self.is_there(state, object),
            };
            for cell in cells {
                self.links_of(state, cell, here, from, blocks, &mut links);
            }
        }
        Some(links)
    }

    /// The cells of an object that have ever held the address of a block.
    fn cells_with_blocks(&self, object: ObjectId) -> Vec<CellKey> {
        let holds = |c: &CellKey| {
            let cell = self.space.cell(*c);
            let value = cell.value.objects.iter().map(|&(o, _)| self.space.get(o).birth);
            cell.offset != ALIVE
                && (cell.holds_block || value.into_iter().any(|b| matches!(b, Birth::Heap(..))))
        };
        self.space.cells_of(object).into_iter().filter(holds).collect()
    }

    fn links_of(
        &mut self,
        state: &mut WalkState,
        cell: CellKey,
        here: Term,
        from: Option<usize>,
        blocks: &[ObjectId],
        links: &mut Vec<Link>,
    ) {
        let guard = self.pool.and(state.guard, here);
        if self.pool.is_false(guard) {
            return;
        }
        let address = self.load_cell(state, cell, guard, NodeKind::Access);
        for &(object, offsets) in &self.value_of(address).objects {
            let Some(to) = blocks.iter().position(|&b| b == object) else { continue };
            let points = self.points_into(address, object, offsets);
            let holds = self.pool.and(here, points);
            links.push(Link { from, to, holds });
        }
    }

    /// Is this the address of an object, or of what comes right after it?
    fn points_into(&mut self, address: Term, object: ObjectId, offsets: Offsets) -> Term {
        let width = self.pointer_width();
        if offsets.stride == 0 {
            let place = self.pool.bits(self.space.address(object, offsets.low), width);
            return self.pool.eq(address, place);
        }
        let first = self.pool.bits(self.space.address(object, 0), width);
        let size = self.pool.bits(self.space.get(object).size, width);
        let last = self.pool.add(first, size);
        let (from, to) = (self.pool.ule(first, address), self.pool.ule(address, last));
        self.pool.and(from, to)
    }

    fn lost(&mut self, state: &WalkState, there: &[Term], links: &[Link]) {
        let mut reached = vec![self.pool.bool(false); there.len()];
        for _ in 0..there.len() {
            let before = reached.clone();
            for link in links {
                let holds = match link.from {
                    Some(from) => self.pool.and(before[from], link.holds),
                    None => link.holds,
                };
                reached[link.to] = self.pool.or(reached[link.to], holds);
            }
            if reached == before {
                break;
            }
        }
        for (&there, &reached) in there.iter().zip(&reached) {
            let forgotten = self.pool.not(reached);
            let lost = self.pool.and(there, forgotten);
            self.error(state, Fault::Leak, lost, "memory is lost");
        }
    }
}
