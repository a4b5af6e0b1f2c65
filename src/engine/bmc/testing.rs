//! Encodings by hand, for tests: every access to a global is a node that happens.

use super::follow::Unrolled;
use analysis::{inline, unroll};
use encoder::{
    ChosenInput, Encoding, Event, EventKind, Fault, Goal, GoalKind, Node, NodeId, NodeKind, Op,
    Pool, ProgramPoint, Sort, Term, ThreadId, ThreadSkeleton,
};
use frontend::{LoadOptions, Source};
use ir::types::Machine;
use ir::{AtomicKind, FuncId, InstKind, Operand, Program, Terminator};
use rustc_hash::FxHashMap;

const HEAD: &str = "typedef unsigned long pthread_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_join(pthread_t, void **);
    int __VERIFIER_nondet_int(void); short __VERIFIER_nondet_short(void);
    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
    void reach_error(void);
    ";

/// A program of `main` and at most one other thread, without branches around its nodes.
pub struct Hand {
    original: Program,
    program: Program,
    pub encoding: Encoding,
    pub goal: Goal,
    values: FxHashMap<Term, u64>,
}

pub fn prepared(text: &str) -> Program {
    let text = format!("{HEAD}{text}");
    let unit = Source { name: "test.c", text: text.as_bytes(), moved: &[] };
    let program = frontend::load(&[unit], Machine::Lp64, &LoadOptions::default());
    analysis::prepare(program.expect("valid C"))
}

impl Hand {
    pub fn new(text: &str) -> Hand {
        let original = prepared(text);
        let (bounds, calls) = (unroll::Bounds::all(2), inline::Limits::default());
        let unrolled = analysis::unrolled(original.clone(), &bounds, 10, &calls);
        let (program, _) = unrolled.expect("small");
        let mut pool = Pool::new();
        let yes = pool.bool(true);
        let nothing = ProgramPoint { block: ir::BlockId(0), index: 0 };
        let goal = Goal {
            kind: GoalKind::Error(Fault::Reach, "error".into()),
            guard: yes,
            thread: ThreadId(0),
            at: nothing,
            node: None,
            span: ir::Span::NONE,
        };
        let encoding = Encoding {
            pool,
            threads: vec![],
            nodes: vec![],
            cells: vec![],
            events: vec![],
            edges: vec![],
            waits: vec![],
            rf: vec![],
            facts: vec![],
            goals: vec![],
            inputs: vec![],
            undefined: vec![],
            fences: Vec::new(),
            coenabled: Vec::new(),
            weak: Default::default(),
        };
        let values = FxHashMap::default();
        let mut hand = Hand { original, program, encoding, goal, values };
        let roots = analysis::roots(&hand.program);
        let entry = hand.program.entry;
        for root in std::iter::once(entry).chain(roots.into_iter().filter(|r| *r != entry)) {
            hand.thread(root);
        }
        let spawn = hand.encoding.nodes.iter().position(|n| n.kind == NodeKind::Spawn);
        for thread in hand.encoding.threads.iter_mut().skip(1) {
            thread.spawned_at = spawn.map(NodeId::new);
        }
        hand
    }

    pub fn unrolled(&self) -> Unrolled<'_> {
        Unrolled { program: &self.program, original: &self.original }
    }

    /// All nodes of a thread but its end.
    pub fn nodes(&self, thread: usize) -> Vec<NodeId> {
        let all = self.encoding.threads[thread].nodes.iter().copied();
        all.filter(|n| self.encoding.nodes[n.index()].kind != NodeKind::End).collect()
    }

    /// The only node of this kind.
    pub fn node(&self, thread: usize, kind: NodeKind) -> NodeId {
        let of = |n: &&NodeId| self.encoding.nodes[n.index()].kind == kind;
        let mut found = self.encoding.threads[thread].nodes.iter().filter(of);
        *found.next().expect("a node")
    }

    /// The node does not happen (what it reads is still read).
    pub fn deny(&mut self, node: NodeId) {
        self.encoding.nodes[node.index()].guard = self.encoding.pool.bool(false);
    }

    /// The value of the n-th input of `main`.
    pub fn input(&mut self, n: usize, value: u64) {
        self.values.insert(self.encoding.inputs[n].value, value);
    }

    pub fn value(&self, t: Term) -> u64 {
        match self.encoding.pool.op(t) {
            Op::Bool(b) => u64::from(b),
            _ => self.values.get(&t).copied().unwrap_or(0),
        }
    }

    fn thread(&mut self, function: FuncId) {
        let id = ThreadId::new(self.encoding.threads.len());
        let yes = self.encoding.pool.bool(true);
        let thread =
            ThreadSkeleton { function, spawned_at: None, guard: yes, nodes: vec![], ended: yes };
        self.encoding.threads.push(thread);
        let mut atomic = None;
        let blocks = self.program.functions[function.index()].blocks.clone();
        for (b, block) in blocks.iter().enumerate() {
            for (i, inst) in block.insts.iter().enumerate() {
                let at = ProgramPoint { block: ir::BlockId(b as u32), index: i as u32 };
                let shared = |o: &Operand| matches!(o, Operand::Object { .. });
                let kind = match &inst.kind {
                    InstKind::AtomicBegin { kind: AtomicKind::User } => NodeKind::Atomic,
                    InstKind::AtomicEnd => {
                        atomic = None;
                        continue;
                    }
                    InstKind::Spawn { .. } => NodeKind::Spawn,
                    InstKind::Join { .. } => NodeKind::Join,
                    InstKind::Load { addr, .. } | InstKind::Store { addr, .. } if shared(addr) => {
                        NodeKind::Access
                    }
                    InstKind::Nondet { .. } => {
                        let value = self.encoding.pool.fresh(Sort::Bits(64));
                        self.encoding.inputs.push(ChosenInput { thread: id, at, value });
                        continue;
                    }
                    InstKind::Error { .. } => {
                        self.goal.at = at;
                        self.goal.span = inst.span;
                        continue;
                    }
                    _ => continue,
                };
                let node = atomic.unwrap_or_else(|| self.push(id, kind, at, inst.span));
                if kind == NodeKind::Atomic {
                    atomic = Some(node);
                }
                if matches!(inst.kind, InstKind::Load { .. }) {
                    let value = self.encoding.pool.fresh(Sort::Bits(32));
                    let cell = encoder::CellId(0);
                    let event = Event {
                        kind: EventKind::Read,
                        node,
                        cell,
                        guard: yes,
                        value,
                        order: ir::MemoryOrder::Plain,
                        span: inst.span,
                    };
                    self.encoding.events.push(event);
                }
            }
            if matches!(block.end, Terminator::Return(_)) {
                let at =
                    ProgramPoint { block: ir::BlockId(b as u32), index: block.insts.len() as u32 };
                self.push(id, NodeKind::End, at, block.end_span);
            }
        }
    }

    fn push(
        &mut self,
        thread: ThreadId,
        kind: NodeKind,
        at: ProgramPoint,
        span: ir::Span,
    ) -> NodeId {
        let id = NodeId::new(self.encoding.nodes.len());
        let guard = self.encoding.pool.bool(true);
        self.encoding.nodes.push(Node { thread, kind, at, span, guard });
        self.encoding.threads[thread.index()].nodes.push(id);
        id
    }
}
