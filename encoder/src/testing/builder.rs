//! Encodings by hand.
//!
//! ```text
//! let mut b = Builder::new();
//! let x = b.cell("x", 8, 0);
//! let (main, t) = (b.main(), b.thread());   // a thread starts where its creator is then
//! b.store(main, x, 1);
//! let v = b.load(t, x);
//! b.join(main, t);
//! let encoding = b.finish();                // with all candidates
//! ```
//!
//! Each thread has a *path*: the guard that its next events get. A read's variable must matter only
//! where its path holds, as in encodings of programs.

use crate::reads_from::candidates;
use crate::*;
use ir::{BlockId, FuncId, Span};

pub struct Builder {
    pub encoding: Encoding,
    paths: Vec<Term>,
}

const PLACE: ProgramPoint = ProgramPoint { block: BlockId(0), index: 0 };

impl Default for Builder {
    fn default() -> Self {
        Builder::new()
    }
}

impl Builder {
    /// The main thread with its initial node.
    pub fn new() -> Builder {
        let encoding = Encoding {
            pool: Pool::new(),
            threads: Vec::new(),
            nodes: Vec::new(),
            cells: Vec::new(),
            events: Vec::new(),
            edges: Vec::new(),
            waits: Vec::new(),
            rf: Vec::new(),
            facts: Vec::new(),
            goals: Vec::new(),
            inputs: Vec::new(),
            undefined: Vec::new(),
            fences: Vec::new(),
            coenabled: Vec::new(),
            weak: Default::default(),
        };
        let mut builder = Builder { encoding, paths: Vec::new() };
        let main = builder.push_thread(None);
        builder.node(main, NodeKind::Init);
        builder
    }

    fn push_thread(&mut self, spawned_at: Option<NodeId>) -> ThreadId {
        let yes = self.pool().bool(true);
        let guard = spawned_at.map_or(yes, |node| self.encoding.nodes[node.index()].guard);
        let nodes = Vec::new();
        let thread = ThreadSkeleton { function: FuncId(0), spawned_at, guard, nodes, ended: guard };
        self.encoding.threads.push(thread);
        self.paths.push(guard);
        ThreadId::new(self.encoding.threads.len() - 1)
    }

    pub fn pool(&mut self) -> &mut Pool {
        &mut self.encoding.pool
    }

    pub fn main(&self) -> ThreadId {
        ThreadId(0)
    }

    /// A cell with its initial value.
    pub fn cell(&mut self, name: &str, width: u8, value: u64) -> CellId {
        self.encoding.cells.push(Cell { name: name.into(), width });
        let cell = CellId::new(self.encoding.cells.len() - 1);
        let (value, yes) = (self.pool().bits(value, width), self.pool().bool(true));
        self.event(EventKind::Write, NodeId(0), cell, yes, value);
        cell
    }

    /// A thread that main starts now.
    pub fn thread(&mut self) -> ThreadId {
        self.thread_of(ThreadId(0))
    }

    /// A thread that `creator` starts now.
    pub fn thread_of(&mut self, creator: ThreadId) -> ThreadId {
        let spawn = self.node(creator, NodeKind::Spawn);
        let thread = self.push_thread(Some(spawn));
        let first = self.node(thread, NodeKind::Access);
        self.encoding.edges.push((spawn, first));
        thread
    }

    pub fn path(&self, thread: ThreadId) -> Term {
        self.paths[thread.index()]
    }

    pub fn set_path(&mut self, thread: ThreadId, path: Term) {
        self.paths[thread.index()] = path;
    }

    /// The thread goes on only if this holds.
    pub fn assume(&mut self, thread: ThreadId, condition: Term) {
        let path = self.path(thread);
        let path = self.pool().and(path, condition);
        self.set_path(thread, path);
    }

    /// An empty node at the end of a thread.
    pub fn node(&mut self, thread: ThreadId, kind: NodeKind) -> NodeId {
        let guard = self.path(thread);
        self.encoding.nodes.push(Node { thread, kind, at: PLACE, span: Span::NONE, guard });
        let node = NodeId::new(self.encoding.nodes.len() - 1);
        self.encoding.threads[thread.index()].nodes.push(node);
        node
    }

    pub fn event(
        &mut self,
        kind: EventKind,
        node: NodeId,
        cell: CellId,
        guard: Term,
        value: Term,
    ) -> EventId {
        self.encoding.events.push(Event {
            kind,
            node,
            cell,
            guard,
            value,
            order: ir::MemoryOrder::Plain,
            span: Span::NONE,
        });
        EventId::new(self.encoding.events.len() - 1)
    }

    pub fn write(&mut self, thread: ThreadId, cell: CellId, value: Term) -> EventId {
        let node = self.node(thread, NodeKind::Access);
        self.event(EventKind::Write, node, cell, self.path(thread), value)
    }

    /// `write` of a constant.
    pub fn store(&mut self, thread: ThreadId, cell: CellId, value: u64) -> EventId {
        let width = self.encoding.cells[cell.index()].width;
        let value = self.pool().bits(value, width);
        self.write(thread, cell, value)
    }

    /// Gives the event and its variable.
    pub fn read(&mut self, thread: ThreadId, cell: CellId) -> (EventId, Term) {
        let node = self.node(thread, NodeKind::Access);
        let var = self.variable(cell);
        (self.event(EventKind::Read, node, cell, self.path(thread), var), var)
    }

    /// `read`, the variable only.
    pub fn load(&mut self, thread: ThreadId, cell: CellId) -> Term {
        self.read(thread, cell).1
    }

    /// A variable as wide as a cell.
    pub fn variable(&mut self, cell: CellId) -> Term {
        let width = self.encoding.cells[cell.index()].width;
        self.pool().fresh(Sort::Bits(width))
    }

    /// Reads and writes a cell in one node; `new` makes the new value of the old one.
    pub fn update(
        &mut self,
        thread: ThreadId,
        cell: CellId,
        new: impl FnOnce(&mut Pool, Term) -> Term,
    ) -> (EventId, EventId) {
        let node = self.node(thread, NodeKind::Atomic);
        let (var, path) = (self.variable(cell), self.path(thread));
        let read = self.event(EventKind::Read, node, cell, path, var);
        let value = new(self.pool(), var);
        (read, self.event(EventKind::Write, node, cell, path, value))
    }

    /// Waits until the cell is 0 and makes it 1. The read exists only if the lock succeeds.
    pub fn lock(&mut self, thread: ThreadId, cell: CellId) -> (EventId, EventId) {
        let node = self.node(thread, NodeKind::Atomic);
        let var = self.variable(cell);
        let width = self.pool().width(var);
        let (zero, one) = (self.pool().bits(0, width), self.pool().bits(1, width));
        let free = self.pool().eq(var, zero);
        self.assume(thread, free);
        let path = self.path(thread);
        self.encoding.nodes[node.index()].guard = path;
        let read = self.event(EventKind::Read, node, cell, path, var);
        (read, self.event(EventKind::Write, node, cell, path, one))
    }

    /// `thread` goes on only after all of `child`, if that comes to its end.
    pub fn join(&mut self, thread: ThreadId, child: ThreadId) {
        self.wait_for(thread, child);
        let ended = self.path(child);
        self.assume(thread, ended);
    }

    /// What `thread` does next comes after all of `child`.
    pub fn wait_for(&mut self, thread: ThreadId, child: ThreadId) {
        let end = self.node(child, NodeKind::End);
        let join = self.node(thread, NodeKind::Join);
        self.encoding.edges.push((end, join));
    }

    /// When `condition` holds, `thread` goes on only after all of `child`.
    pub fn join_if(&mut self, thread: ThreadId, child: ThreadId, condition: Term) {
        let end = self.node(child, NodeKind::End);
        let join = self.node(thread, NodeKind::Join);
        self.encoding.waits.push((condition, end, join));
    }

    /// Is it reachable that the path of `thread` and this hold?
    pub fn goal(&mut self, thread: ThreadId, condition: Term) {
        let path = self.path(thread);
        let guard = self.pool().and(path, condition);
        let kind = GoalKind::Error(Fault::Reach, String::new());
        let (at, span) = (PLACE, Span::NONE);
        self.encoding.goals.push(Goal { kind, guard, thread, at, node: None, span });
    }

    /// The encoding with all candidates.
    pub fn finish(mut self) -> Encoding {
        candidates(&mut self.encoding);
        self.encoding
    }
}
