//! Encodings by hand: threads that read and write a few cells.
//!
//! The first thread writes the initial values and may start and join others. A read gives a term; in
//! a read that does not happen it is 0, so that a program's meaning is a function of its schedule
//! and its inputs.

use encoder::{
    Cell, CellId, Encoding, Event, EventId, EventKind, Node, NodeId, NodeKind, Pool, ProgramPoint,
    Sort, Term, ThreadId, ThreadSkeleton,
};
use ir::{BlockId, FuncId, Span};

/// The thread that is there from the start.
pub const MAIN: ThreadId = ThreadId(0);

pub struct Builder {
    pub encoding: Encoding,
    width: u8,
    always: Term,
    /// Free Boolean variables.
    pub inputs: Vec<Term>,
}

impl Builder {
    /// `cells` cells of `width` bits that are 0 at first.
    pub fn new(width: u8, cells: u32) -> Builder {
        let mut pool = Pool::new();
        let always = pool.bool(true);
        let cells = (0..cells).map(|i| Cell { name: format!("c{i}"), width }).collect();
        let encoding = Encoding {
            pool,
            threads: Vec::new(),
            nodes: Vec::new(),
            cells,
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
        let mut builder = Builder { encoding, width, always, inputs: Vec::new() };
        builder.new_thread(None);
        let start = builder.node(MAIN, NodeKind::Init, always);
        let zero = builder.number(0);
        for cell in 0..builder.encoding.cells.len() {
            builder.event(EventKind::Write, start, CellId::new(cell), always, zero);
        }
        builder
    }

    pub fn pool(&mut self) -> &mut Pool {
        &mut self.encoding.pool
    }

    pub fn number(&mut self, value: u64) -> Term {
        let width = self.width;
        self.pool().bits(value, width)
    }

    /// `a` is `value`.
    pub fn is(&mut self, a: Term, value: u64) -> Term {
        let value = self.number(value);
        self.pool().eq(a, value)
    }

    /// `reads[i]` is `values[i]`, for all of them.
    pub fn are(&mut self, reads: &[Term], values: &[u64]) -> Term {
        let all: Vec<Term> =
            reads.iter().zip(values).map(|(&read, &value)| self.is(read, value)).collect();
        self.pool().and_all(all)
    }

    pub fn input(&mut self) -> Term {
        let input = self.pool().fresh(Sort::Bool);
        self.inputs.push(input);
        input
    }

    fn new_thread(&mut self, spawned_at: Option<NodeId>) -> ThreadId {
        let always = self.always;
        let thread = ThreadSkeleton {
            function: FuncId(0),
            spawned_at,
            guard: always,
            nodes: Vec::new(),
            ended: always,
        };
        self.encoding.threads.push(thread);
        ThreadId::new(self.encoding.threads.len() - 1)
    }

    fn node(&mut self, thread: ThreadId, kind: NodeKind, guard: Term) -> NodeId {
        let id = NodeId::new(self.encoding.nodes.len());
        let at = ProgramPoint { block: BlockId(0), index: id.0 };
        self.encoding.nodes.push(Node { thread, kind, at, span: Span::NONE, guard });
        let thread = &mut self.encoding.threads[thread.index()];
        if let (None, Some(start)) = (thread.nodes.last(), thread.spawned_at) {
            self.encoding.edges.push((start, id));
        }
        thread.nodes.push(id);
        id
    }

    fn event(&mut self, kind: EventKind, node: NodeId, cell: CellId, guard: Term, value: Term) {
        self.encoding.events.push(Event {
            kind,
            node,
            cell,
            guard,
            value,
            order: ir::MemoryOrder::Plain,
            span: Span::NONE,
        });
    }

    /// A new thread, started by the first one after all that it has done so far.
    pub fn thread(&mut self) -> ThreadId {
        let at = self.node(MAIN, NodeKind::Spawn, self.always);
        self.new_thread(Some(at))
    }

    /// The first thread waits for another one, if `when` holds.
    pub fn join_if(&mut self, when: Term, thread: ThreadId) {
        let end = self.node(thread, NodeKind::End, self.always);
        let join = self.node(MAIN, NodeKind::Join, when);
        if when == self.always {
            self.encoding.edges.push((end, join));
        } else {
            self.encoding.waits.push((when, end, join));
        }
    }

    pub fn join(&mut self, thread: ThreadId) {
        self.join_if(self.always, thread);
    }

    pub fn write_if(&mut self, guard: Term, thread: ThreadId, cell: u32, value: Term) {
        let node = self.node(thread, NodeKind::Access, guard);
        self.event(EventKind::Write, node, CellId(cell), guard, value);
    }

    pub fn write(&mut self, thread: ThreadId, cell: u32, value: u64) {
        let value = self.number(value);
        self.write_if(self.always, thread, cell, value);
    }

    pub fn read_if(&mut self, guard: Term, thread: ThreadId, cell: u32) -> Term {
        let node = self.node(thread, NodeKind::Access, guard);
        self.read_at(node, guard, cell)
    }

    pub fn read(&mut self, thread: ThreadId, cell: u32) -> Term {
        self.read_if(self.always, thread, cell)
    }

    fn read_at(&mut self, node: NodeId, guard: Term, cell: u32) -> Term {
        let sort = Sort::Bits(self.width);
        let value = self.pool().fresh(sort);
        self.event(EventKind::Read, node, CellId(cell), guard, value);
        let zero = self.number(0);
        self.pool().ite(guard, value, zero)
    }

    /// Reads a cell and writes one more than that, indivisibly.
    pub fn increment_if(&mut self, guard: Term, thread: ThreadId, cell: u32) -> Term {
        let node = self.node(thread, NodeKind::Atomic, guard);
        let old = self.read_at(node, guard, cell);
        let one = self.number(1);
        let new = self.pool().add(old, one);
        self.event(EventKind::Write, node, CellId(cell), guard, new);
        old
    }

    pub fn increment(&mut self, thread: ThreadId, cell: u32) -> Term {
        self.increment_if(self.always, thread, cell)
    }

    /// The encoding with every candidate for reading-from.
    pub fn finish(mut self) -> Encoding {
        let events = &self.encoding.events;
        for (r, read) in events.iter().enumerate().filter(|(_, e)| e.kind == EventKind::Read) {
            for (w, write) in events.iter().enumerate() {
                let meets = write.kind == EventKind::Write && write.cell == read.cell;
                if meets && write.node != read.node {
                    self.encoding.rf.push((EventId::new(w), EventId::new(r)));
                }
            }
        }
        self.encoding
    }
}
