//! The walk: each thread once, block by block, with terms for registers and guards for paths.
//!
//! The graph has no cycles, so blocks go in topological order; where ways meet, their states are
//! merged with `ite`. What one thread alone uses is kept in the state and costs nothing; an access to
//! what others use too becomes an event (`memory.rs`, `cells.rs`). A started thread is walked where it is started
//! (`thread.rs`).
//!
//! Which cells are shared and what their values can be is learnt while walking (`Space`). `encode`
//! walks again until a walk teaches nothing new, and the last walk is the encoding. Variables are
//! named by where they arise, so all walks build the same terms.
//!
//! - `arith.rs`: right-hand sides as terms: the arithmetic of `ir::arith`, symbolically
//! - `cells.rs`: reads and writes of cells, as events where other threads use them too
//! - `chance.rs`: indeterminate values, used as addresses
//! - `coenabled.rs`: where threads may halt for a race: before what others may touch too
//! - `control.rs`: where control goes at the end of a block: guards for the ways, and the ends of
//!   ways
//! - `arms.rs`: where the ways of a branch meet again
//! - `dependency.rs`: which reads a value, an address or a branch was computed from
//! - `finish.rs`: from the last walk to an encoding: dense cells, events with their guards, first
//!   values
//! - `harmless.rs`: A wrong `free` after which no error can come is no doubt
//! - `large_array.rs`: objects that are too large for cells: what is never written is a function of
//!   the address
//! - `leak.rs`: lost memory: blocks that nothing leads to when the process ends
//! - `lifetime.rs`: objects: how they come into being, what they hold at first, and how they end
//! - `pointer.rs`: pointer arithmetic stays in its object
//! - `stuck.rs`: deadlocks: every thread that was started has ended or waits in vain, and one
//!   waits
//! - `update.rs`: which reads are the first half of a read-modify-write

mod arith;
mod arms;
mod cells;
mod chance;
mod coenabled;
mod control;
mod dependency;
mod finish;
mod harmless;
mod large_array;
mod leak;
mod lifetime;
mod memory;
mod pointer;
mod state;
mod stuck;
#[cfg(test)]
mod tests;
mod thread;
mod update;

use crate::event::*;
use crate::object::{CellKey, ObjectId, Space, WideningThreshold};
use crate::term::{Pool, Sort, Term};
use crate::value::{AbstractValue, AbstractValues};
use crate::{ChosenInput, Config, Encoding, Unencodable};
use analysis::live::Live;
use analysis::points_to::PointsTo;
use ir::cfg::Cfg;
use ir::{self, AtomicKind, BlockId, Callee, FuncId, InstKind};
use ir::{Operand, Origin, Program, Reg, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use state::{Atomic, WalkState};
use std::cell::OnceCell;
use std::rc::Rc;
use stuck::Wait;
use thread::{Registry, Running};

/// Walks that may teach something.
const WALKS: u32 = 120;
/// Walks that are worth it for cells whose values keep growing.
const WALKS_BEFORE_WIDENING: u32 = 64;

/// Walks until nothing new is learnt.
pub fn encode(program: &Program, config: &Config) -> Result<Encoding, Unencodable> {
    encode_while(program, config, &|| true)
}

/// The same, as long as `go_on` says so. It is asked once per block, and may take its time.
pub fn encode_while(
    program: &Program,
    config: &Config,
    go_on: &dyn Fn() -> bool,
) -> Result<Encoding, Unencodable> {
    let mut walk = Walk::new(program, config, go_on);
    let mut threshold = WideningThreshold::More;
    for n in 1..=WALKS {
        walk.start_over();
        walk.space.next_walk(threshold);
        walk.all()?;
        walk.see_first_values();
        let next = walk.threshold(n);
        let good = threshold != WideningThreshold::Enough || next == WideningThreshold::Enough;
        if !walk.space.take_changed() && good {
            return Ok(walk.finish());
        }
        threshold = if threshold == WideningThreshold::None { threshold } else { next };
    }
    Err(Unencodable { what: "the values of pointers are too involved".into(), span: Span::NONE })
}

/// What a variable is for; the same in every walk.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Purpose {
    /// What an instruction gives: an input, an undefined value.
    Result(ThreadId, ProgramPoint),
    /// What an instruction reads from a cell, in so many bits.
    Read(ThreadId, ProgramPoint, CellKey, u8),
    /// What an instruction reads from a large object.
    LargeArray(ThreadId, ProgramPoint, ObjectId),
    /// What a cell holds before anybody writes it.
    First(CellKey),
    /// An allocation fails.
    Failure(ThreadId, ProgramPoint),
    /// A register that was never written.
    Register(ThreadId, Reg),
    Id(ThreadId),
    Started(ThreadId),
    Ended(ThreadId),
    Returned(ThreadId),
    /// A thread stops here for good.
    CoEnabled(ThreadId, ProgramPoint),
    /// A deadlock is looked for.
    Deadlock,
}

/// A read of a cell in a node, until the walk is done.
struct Import {
    var: Term,
    guard: Term,
    order: ir::MemoryOrder,
    span: Span,
    /// With other orders (`Config::weak`): an order, and when it is that.
    orders: Vec<(ir::MemoryOrder, Term)>,
}

/// A write of a cell in a node, until the walk is done.
struct Export {
    value: Term,
    guard: Term,
    span: Span,
}

/// What is computed once per function.
struct Plan {
    order: Vec<BlockId>,
    live: Live,
    /// Where the ways from each block meet again (`Config::weak`).
    meet: Vec<Option<BlockId>>,
}

pub(crate) struct Walk<'p> {
    program: &'p Program,
    config: &'p Config,
    go_on: &'p dyn Fn() -> bool,
    pool: Pool,
    space: Space,
    registry: Registry,
    vars: FxHashMap<(Purpose, Sort), Term>,
    plans: FxHashMap<FuncId, Rc<Plan>>,
    /// Hardly ever needed.
    points_to: OnceCell<PointsTo>,
    images: FxHashMap<ir::ObjectId, Rc<Vec<u8>>>,
    // The rest belongs to one walk.
    values: AbstractValues,
    running: Vec<Running>,
    nodes: Vec<Node>,
    imports: FxHashMap<(NodeId, CellKey), Import>,
    exports: FxHashMap<(NodeId, CellKey), Export>,
    /// Of writes that are atomic.
    write_orders: FxHashMap<(NodeId, CellKey), ir::MemoryOrder>,
    fences: Vec<Fence>,
    births: Vec<(ObjectId, NodeId, Term)>,
    /// Addresses and values, by large object.
    vast_reads: FxHashMap<ObjectId, Vec<(Term, Term)>>,
    edges: Vec<(NodeId, NodeId)>,
    /// Condition, the thread that is waited for, the node that waits.
    waits: Vec<(Term, ThreadId, NodeId)>,
    facts: Vec<Term>,
    goals: Vec<Goal>,
    inputs: Vec<ChosenInput>,
    chances: Vec<chance::Chance>,
    coenabled: coenabled::CoEnabledAccesses,
    stuck: stuck::Stuck,
    leaks: leak::Leaks,
    dependencies: dependency::Dependencies,
    /// Accesses in atomic blocks of the user.
    in_user_block: Vec<NodeId>,
    /// Reads whose operation may write the same place.
    updates: FxHashSet<(NodeId, CellKey)>,
    /// The running instruction is such a read.
    updating: bool,
    /// Starts of threads so far.
    starts: u32,
    /// Where the walk is.
    thread: ThreadId,
    at: ProgramPoint,
    span: Span,
    /// Of the running access.
    order: ir::MemoryOrder,
    /// The node of the running instruction, once it has one.
    current: Option<NodeId>,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program, config: &'p Config, go_on: &'p dyn Fn() -> bool) -> Walk<'p> {
        let mut pool = Pool::new();
        // `meet` wants it to be the oldest.
        pool.bool(true);
        let mut space = Space::new(program);
        space.weak = config.weak;
        Walk {
            program,
            config,
            go_on,
            pool,
            space,
            registry: Registry::default(),
            vars: FxHashMap::default(),
            plans: FxHashMap::default(),
            points_to: OnceCell::new(),
            images: FxHashMap::default(),
            values: AbstractValues::default(),
            running: Vec::new(),
            nodes: Vec::new(),
            imports: FxHashMap::default(),
            exports: FxHashMap::default(),
            write_orders: FxHashMap::default(),
            fences: Vec::new(),
            births: Vec::new(),
            vast_reads: FxHashMap::default(),
            edges: Vec::new(),
            waits: Vec::new(),
            facts: Vec::new(),
            goals: Vec::new(),
            inputs: Vec::new(),
            chances: Vec::new(),
            coenabled: coenabled::CoEnabledAccesses::default(),
            stuck: stuck::Stuck::default(),
            leaks: leak::Leaks::default(),
            dependencies: dependency::Dependencies::default(),
            in_user_block: Vec::new(),
            updates: FxHashSet::default(),
            updating: false,
            starts: 0,
            thread: ThreadId(0),
            at: ProgramPoint { block: BlockId(0), index: 0 },
            span: Span::NONE,
            order: ir::MemoryOrder::Plain,
            current: None,
        }
    }

    fn start_over(&mut self) {
        self.values.clear();
        self.running.clear();
        self.nodes.clear();
        self.imports.clear();
        self.exports.clear();
        self.write_orders.clear();
        self.fences.clear();
        self.births.clear();
        self.vast_reads.clear();
        self.edges.clear();
        self.waits.clear();
        self.facts.clear();
        self.goals.clear();
        self.inputs.clear();
        self.chances.clear();
        self.coenabled = coenabled::CoEnabledAccesses::default();
        self.stuck = stuck::Stuck::default();
        self.leaks = leak::Leaks::default();
        self.dependencies = dependency::Dependencies::default();
        self.in_user_block.clear();
        self.updates.clear();
        self.starts = 0;
    }

    /// One walk: the first thread, and through it all others.
    fn all(&mut self) -> Result<(), Unencodable> {
        let entry = self.program.entry;
        let first = self.registry.first();
        let (always, one) = (self.pool.bool(true), self.pool.bits(1, 32));
        self.begin_thread(first, entry, always, one);
        self.at = ProgramPoint { block: BlockId(0), index: 0 };
        let span = self.program.functions[entry.index()].span;
        let init = self.push_node(first, NodeKind::Init, always, span);
        debug_assert_eq!(init, NodeId(0));
        let function = &self.program.functions[entry.index()];
        let mut state = WalkState::new(always);
        for (i, &param) in function.params.iter().enumerate() {
            let ty = function.regs[param.index()].ty;
            let value = self.var(Purpose::Register(first, param), self.bits_of(ty));
            self.inputs.push(ChosenInput {
                thread: first,
                at: ProgramPoint::of_parameter(i),
                value,
            });
            state.regs.insert(param, value);
        }
        self.walk_thread(first, entry, state)
    }

    /// How to treat values that keep growing, after so many walks.
    fn threshold(&self, walks: u32) -> WideningThreshold {
        // Also those that only blocks write which never come to their end.
        let endless = self.space.all_cells().any(|cell| self.space.is_endless(cell));
        // Cells that values go round through grow at the same pace; count the slower ones too.
        let growing = self.exports.keys().filter(|(_, cell)| self.space.has_grown(*cell)).count();
        let wanted = growing as u32 + 2;
        match endless {
            false => WideningThreshold::More,
            _ if wanted > WALKS_BEFORE_WIDENING
                || self.nodes.len() > 20 * WALKS_BEFORE_WIDENING as usize =>
            {
                WideningThreshold::None
            }
            _ if walks >= wanted => WideningThreshold::Enough,
            _ => WideningThreshold::More,
        }
    }

    fn plan(&mut self, function: FuncId) -> Result<Rc<Plan>, Unencodable> {
        if let Some(plan) = self.plans.get(&function) {
            return Ok(plan.clone());
        }
        let f = &self.program.functions[function.index()];
        let cfg = Cfg::new(f);
        let mut place = vec![usize::MAX; f.blocks.len()];
        for (i, b) in cfg.order.iter().enumerate() {
            place[b.index()] = i;
        }
        let back = |b: &&BlockId| {
            cfg.succs[b.index()].iter().any(|s| place[s.index()] <= place[b.index()])
        };
        if let Some(b) = cfg.order.iter().find(back) {
            let span = f.blocks[b.index()].end_span;
            return Err(Unencodable { what: "a loop that is not unrolled".into(), span });
        }
        let live = Live::new(f, &cfg);
        let meet = if self.config.weak { arms::meeting_points(f, &cfg.order) } else { Vec::new() };
        let plan = Rc::new(Plan { order: cfg.order, live, meet });
        self.plans.insert(function, plan.clone());
        Ok(plan)
    }

    /// All blocks of the running thread, from a state at its start.
    fn walk_blocks(&mut self, function: FuncId, state: WalkState) -> Result<(), Unencodable> {
        let plan = self.plan(function)?;
        let f = &self.program.functions[function.index()];
        let mut incoming: Vec<Vec<WalkState>> = vec![Vec::new(); f.blocks.len()];
        incoming[0].push(state);
        for &b in &plan.order {
            if !(self.go_on)() {
                return Err(Unencodable { what: "no time is left".into(), span: self.span });
            }
            for state in std::mem::take(&mut incoming[b.index()]) {
                for (to, next) in self.walk_block(b, &f.blocks[b.index()], state, &plan)? {
                    self.arrive(&mut incoming[to.index()], next);
                }
            }
            if self.nodes.len() > self.config.max_events {
                let what = format!("more than {} shared accesses", self.config.max_events);
                return Err(Unencodable { what, span: self.span });
            }
        }
        Ok(())
    }

    /// Ways that meet become one, unless they are in different atomic blocks (which can meet only
    /// where a thread is about to stop): those walk on separately.
    fn arrive(&mut self, waiting: &mut Vec<WalkState>, state: WalkState) {
        match waiting.iter().position(|w| w.same_atomic(&state)) {
            None => waiting.push(state),
            Some(i) => {
                let other = waiting.swap_remove(i);
                let merged = self.merge(other, state);
                waiting.push(merged);
            }
        }
    }

    fn walk_block(
        &mut self,
        id: BlockId,
        block: &ir::Block,
        mut state: WalkState,
        plan: &Plan,
    ) -> Result<Vec<(BlockId, WalkState)>, Unencodable> {
        dependency::arms_end(&mut state, id);
        for (i, inst) in block.insts.iter().enumerate() {
            if self.pool.is_false(state.guard) {
                return Ok(vec![]);
            }
            self.at = ProgramPoint { block: id, index: i as u32 };
            self.span = inst.span;
            self.current = None;
            let goals = self.goals.len();
            self.before_instruction(&state, &inst.kind);
            self.inst(&mut state, &inst.kind)?;
            self.after_instruction(&mut state, &inst.kind);
            self.settle_node(&state, goals);
        }
        if self.pool.is_false(state.guard) {
            return Ok(vec![]);
        }
        self.at = ProgramPoint { block: id, index: block.insts.len() as u32 };
        self.span = block.end_span;
        self.current = None;
        Ok(self.terminator(state, &block.end, plan))
    }

    /// An access that violates the property is a node that does not happen, and its goals are
    /// reached in the middle of it: `goals` is the first of them.
    fn settle_node(&mut self, state: &WalkState, goals: usize) {
        let Some(node) = self.current.filter(|_| self.checks_memory()) else { return };
        if let NodeKind::Access | NodeKind::Lifetime = self.nodes[node.index()].kind {
            self.nodes[node.index()].guard = state.guard;
            let own = self.goals[goals..].iter_mut().filter(|g| g.node.is_none());
            own.for_each(|g| g.node = Some(node));
        }
    }

    fn inst(&mut self, state: &mut WalkState, inst: &InstKind) -> Result<(), Unencodable> {
        match inst {
            InstKind::Assign { dst, value } => {
                let value = self.rvalue(state, value);
                state.regs.insert(*dst, value);
            }
            InstKind::Load { dst, addr, ty, order } => {
                self.order = *order;
                self.updating = state.atomic.is_some() && self.is_stored_back(addr);
                let value = self.load(state, addr, *ty, *order);
                self.updating = false;
                self.order = ir::MemoryOrder::Plain;
                self.inputs.push(ChosenInput { thread: self.thread, at: self.at, value });
                state.regs.insert(*dst, value);
            }
            InstKind::Store { addr, value, ty, order } => {
                let value = self.operand(state, value);
                self.order = *order;
                self.store(state, addr, value, *ty, *order);
                self.order = ir::MemoryOrder::Plain;
            }
            InstKind::SlotLive(slot) => self.slot_live(state, *slot),
            InstKind::SlotDead(slot) => self.slot_dead(state, *slot),
            InstKind::SlotConst { slot, constant } => self.slot_const(state, *slot, *constant),
            InstKind::Call { dst, callee, .. } => self.call(state, *dst, callee),
            InstKind::Nondet { dst, ty, bits, .. } => {
                let full = self.bits_of(*ty);
                let Sort::Bits(width) = full else { return Ok(()) };
                let var = self.result_var(Sort::Bits((*bits).min(width)));
                let value = self.pool.zero_ext(var, width);
                self.inputs.push(ChosenInput { thread: self.thread, at: self.at, value });
                state.regs.insert(*dst, value);
            }
            InstKind::Assume(cond) | InstKind::Wait(cond) => {
                let value = self.operand(state, cond);
                let holds = self.pool.truth(value);
                if let InstKind::Wait(_) = inst {
                    let never = matches!(cond, Operand::Const { bits: 0, .. });
                    let why = if never { Wait::Spins } else { Wait::Blocked };
                    self.about_to_wait(state, holds, why);
                }
                state.guard = self.pool.and(state.guard, holds);
            }
            InstKind::Error { what } => {
                if self.config.property == ir::Property::UnreachCall {
                    self.goal(state, GoalKind::Error(Fault::Reach, what.clone()), state.guard);
                }
                state.guard = self.pool.bool(false);
            }
            InstKind::AtomicBegin { kind } => self.atomic_begin(state, *kind),
            InstKind::AtomicEnd => self.atomic_end(state),
            InstKind::Fence { order, kernel } => self.fence(state, *order, *kernel),
            InstKind::Spawn { dst, place, function, arg } => {
                self.spawn(state, *dst, place.as_ref(), function, arg)?;
            }
            InstKind::Join { dst, thread } => self.join(state, *dst, thread),
            InstKind::Ended { dst, thread } => self.ended(state, *dst, thread),
            InstKind::ThreadSelf { dst } => {
                let id = self.running[self.thread.index()].id;
                let id = self.resized(id, self.reg_width(*dst));
                state.regs.insert(*dst, id);
            }
            InstKind::Alloc { dst, size, zeroed, storage } => {
                self.alloc(state, *dst, size, *zeroed, *storage);
            }
            InstKind::Free { ptr, storage: ir::Storage::Heap } => self.free(state, ptr),
            InstKind::Free { ptr, storage: ir::Storage::Frame } => self.end_array(state, ptr),
            InstKind::ObjectSize { dst, ptr } => self.object_size(state, *dst, ptr),
            InstKind::Unsupported { what } => self.unsupported(state, what.clone()),
            InstKind::Undefined { misuse } => self.misuse(state, misuse.words().to_owned()),
        }
        Ok(())
    }

    /// A call that inlining has left.
    fn call(&mut self, state: &mut WalkState, dst: Option<Reg>, callee: &Callee) {
        let body = |f: &FuncId| self.program.functions[f.index()].has_body();
        match callee {
            Callee::Direct(f) if !body(f) => {
                if self.program.functions[f.index()].origin == Origin::Assembly {
                    if state.atomic.is_some() {
                        return self
                            .unsupported(state, "inline assembly in an atomic block".into());
                    }
                    self.goal(state, GoalKind::Assembly, state.guard);
                }
                let Some(dst) = dst else { return };
                let width = self.reg_width(dst);
                let value = self.result_var(Sort::Bits(width));
                self.inputs.push(ChosenInput { thread: self.thread, at: self.at, value });
                state.regs.insert(dst, value);
            }
            Callee::Direct(f) => {
                let name = &self.program.functions[f.index()].name;
                let what = format!("the call of `{name}` cannot be unfolded");
                self.unsupported(state, what);
            }
            Callee::Indirect(pointer) => self.lost_call(state, pointer),
        }
    }

    /// A call whose targets are not known, or whose pointer is none of them.
    fn lost_call(&mut self, state: &mut WalkState, pointer: &Operand) {
        let address = self.operand(state, pointer);
        let width = self.pointer_width();
        let (first, end) = crate::object::function_addresses(self.program);
        let [page, first, end] =
            [memory::NULL_PAGE, first, end].map(|at| self.pool.bits(at, width));
        let null = self.pool.ult(address, page);
        let function = {
            let (from, to) = (self.pool.ule(first, address), self.pool.ult(address, end));
            self.pool.and(from, to)
        };
        let some = self.pool.and(state.guard, function);
        let what = "a call through a pointer that is not known";
        self.goal(state, GoalKind::Unsupported(what.into()), some);
        let either = self.pool.or(null, function);
        let data = self.pool.not(either);
        let what = "call through a pointer that is no function";
        if self.checks_memory() {
            let fault =
                if self.is_arbitrary(address) { Fault::ArbitraryAddress } else { Fault::Deref };
            self.error(state, fault, null, "call through a null pointer");
            self.error(state, fault, data, what);
        } else {
            let guard = self.pool.and(state.guard, data);
            let arbitrary = self.is_arbitrary(address);
            let kind = self.not_defined(what, arbitrary);
            self.goal(state, kind, guard);
        }
        state.guard = self.pool.bool(false);
    }

    fn unsupported(&mut self, state: &mut WalkState, what: String) {
        self.goal(state, GoalKind::Unsupported(what), state.guard);
        state.guard = self.pool.bool(false);
    }

    /// No access is wrong, so it is no violation of memory safety.
    fn misuse(&mut self, state: &mut WalkState, what: String) {
        if self.checks_memory() {
            return self.unsupported(state, what);
        }
        self.goal(state, GoalKind::InvalidAccess(what), state.guard);
        state.guard = self.pool.bool(false);
    }

    fn goal(&mut self, state: &WalkState, kind: GoalKind, guard: Term) {
        if self.pool.is_false(guard) {
            return;
        }
        let node = state.atomic.as_ref().map(|a| a.node);
        let (thread, at, span) = (self.thread, self.at, self.span);
        self.goals.push(Goal { kind, guard, thread, at, node, span });
    }

    fn var(&mut self, purpose: Purpose, sort: Sort) -> Term {
        if let Some(&t) = self.vars.get(&(purpose, sort)) {
            return t;
        }
        let t = self.pool.fresh(sort);
        self.vars.insert((purpose, sort), t);
        t
    }

    /// The arbitrary value that the running instruction gives.
    fn result_var(&mut self, sort: Sort) -> Term {
        self.var(Purpose::Result(self.thread, self.at), sort)
    }

    fn push_node(&mut self, thread: ThreadId, kind: NodeKind, guard: Term, span: Span) -> NodeId {
        let id = NodeId::new(self.nodes.len());
        self.nodes.push(Node { thread, kind, at: self.at, span, guard });
        self.running[thread.index()].nodes.push(id);
        id
    }

    /// The node of the running instruction: its atomic block, or one of its own.
    fn node(&mut self, state: &WalkState, kind: NodeKind) -> NodeId {
        if let Some(atomic) = &state.atomic {
            return atomic.node;
        }
        if let Some(node) = self.current {
            return node;
        }
        let node = self.push_node(self.thread, kind, state.guard, self.span);
        self.current = Some(node);
        node
    }

    fn fence(&mut self, state: &WalkState, order: ir::MemoryOrder, kernel: Option<ir::Kernel>) {
        let (thread, guard, span) = (self.thread, state.guard, self.span);
        let after = self.running[thread.index()].nodes.last().copied();
        self.fences.push(Fence { thread, after, guard, order, kernel, span });
    }

    fn atomic_begin(&mut self, state: &mut WalkState, kind: AtomicKind) {
        match &mut state.atomic {
            Some(atomic) => atomic.begin(kind),
            None => {
                let never = self.pool.bool(false);
                let node = self.push_node(self.thread, NodeKind::Atomic, never, self.span);
                state.atomic = Some(Atomic::new(node, kind, state.guard));
            }
        }
    }

    fn atomic_end(&mut self, state: &mut WalkState) {
        let Some(atomic) = &mut state.atomic else { return };
        if !atomic.end() {
            return;
        }
        let Some(atomic) = state.atomic.take() else { return };
        self.about_to_publish(state, &atomic);
        let done = self.nodes[atomic.node.index()].guard;
        self.nodes[atomic.node.index()].guard = self.pool.or(done, state.guard);
        self.publish(state, &atomic);
    }

    fn value_of(&mut self, t: Term) -> Rc<AbstractValue> {
        self.values.of(&self.pool, &self.space, t)
    }

    fn bits_of(&self, ty: ir::types::Scalar) -> Sort {
        Sort::Bits(ty.bits(self.program.machine))
    }

    fn pointer_width(&self) -> u8 {
        self.program.machine.pointer_bits()
    }

    fn reg_width(&self, reg: Reg) -> u8 {
        let function = self.running[self.thread.index()].function;
        let f = &self.program.functions[function.index()];
        f.regs[reg.index()].ty.bits(self.program.machine)
    }

    fn operand(&mut self, state: &WalkState, op: &Operand) -> Term {
        match op {
            Operand::Const { bits, ty } => self.pool.bits(*bits, ty.bits(self.program.machine)),
            Operand::Reg(r) => match state.regs.get(r) {
                Some(&t) => t,
                None => {
                    let sort = Sort::Bits(self.reg_width(*r));
                    self.var(Purpose::Register(self.thread, *r), sort)
                }
            },
            Operand::Object { object, offset } => {
                let id = self.static_object(*object);
                let address = self.space.address(id, *offset);
                self.pool.bits(address, self.pointer_width())
            }
            Operand::Slot { slot, offset } => {
                let width = self.pointer_width();
                let base = match state.slots.get(slot) {
                    Some(&t) => t,
                    None => self.pool.bits(0, width),
                };
                let offset = self.pool.bits(*offset as u64, width);
                self.pool.add(base, offset)
            }
            Operand::Function(f) => {
                self.pool.bits(crate::object::function_address(*f), self.pointer_width())
            }
        }
    }

    /// Truncates or extends with zeros.
    fn resized(&mut self, t: Term, width: u8) -> Term {
        crate::arith::resize(&mut self.pool, t, width, false)
    }
}
