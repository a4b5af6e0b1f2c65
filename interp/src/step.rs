//! One step of one thread: what can be asked, what can come out.
//!
//! `Interp` holds what is computed once per program. The work of a step is done in `exec.rs`; what a
//! step would touch is foretold in `next.rs`.

use crate::address::{Region, Space};
use crate::choice::{About, ChoiceSource, First, Inputs};
use crate::exec::Exec;
use crate::liveness::Liveness;
use crate::memory::{Birth, Object};
use crate::observe::{Access, Observer};
use crate::state::{Arena, ArenaEntry, Frame, Life, State, Statics, Thread};
use crate::symbol::{Domain, SymbolEntry};
use crate::value::{ObjKey, Tid, Value};
use analysis::points_to::{Context, Pointee, PointsTo};
use ir::arith::mask;
use ir::types::Scalar;
use ir::{
    self, At, AtomicKind, Block, FuncId, InstId, LoopId, ObjectId, ObjectKind, Operand, Program,
    Span,
};
use std::sync::OnceLock;
use triomphe::Arc;

/// How many new symbols there may be before unused ones are looked for.
const COLLECT_EVERY: u64 = 256;

/// What to look for, and how far to go.
#[derive(Clone, Debug)]
pub struct Config {
    /// `Error` instructions violate unreach-call. Otherwise they stop the thread.
    pub unreach: bool,
    /// Invalid accesses, bad frees and leaks are violations. Otherwise the former stop the thread.
    pub memsafety: bool,
    /// Overflows of `checked` arithmetic are violations. Otherwise they wrap.
    pub overflow: bool,
    pub malloc_may_fail: bool,
    /// Invalid stores and frees stop the thread like invalid loads, instead of doing nothing.
    pub undefined_ends: bool,
    /// Ask for the value of a symbol as soon as it appears instead of when it matters.
    pub eager_inputs: bool,
    /// Frames per thread.
    pub max_depth: usize,
    /// Instructions in one atomic block.
    pub max_atomic: u64,
    /// Bytes in one object.
    pub max_object: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            unreach: true,
            memsafety: false,
            overflow: false,
            malloc_may_fail: false,
            undefined_ends: false,
            eager_inputs: false,
            max_depth: 10_000,
            max_atomic: 1_000_000,
            max_object: 1 << 26,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepResult {
    /// One instruction (or one atomic block) was executed; the thread goes on.
    Ran,
    /// A `Wait` or `Join` is not satisfied. The state is exactly as it was.
    Blocked,
    /// The thread returned from its function or exited. The process goes on.
    Ended,
    /// The thread was cut and will never step again; the others go on. (For reachability this is
    /// the same as the end of the process: whatever the others do now they could have done before.)
    Stopped { why: Cut, span: Span },
    /// The entry function returned, or `exit`: nothing can step any more.
    ProcessEnded,
    /// The state is as far as the step got; do not step it any more.
    Violation(Violation),
    /// The step needs something that is not modelled: the answer is UNKNOWN.
    Unsupported { what: String, span: Span },
    /// `Inputs::choose` refused to answer the choice asked at `span`; discard the state.
    Refused { what: String, span: Span },
}

/// Why a thread was cut.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Cut {
    Assume,
    Abort,
    /// An `Error` instruction with `Config::unreach` off.
    Error,
    /// An invalid access, division by zero and the like, with the check for it off; says what.
    Trap(String),
    /// An invalid read, with the check for it off; says what.
    InvalidAccess(String),
    /// `Stop::Bound`.
    Bound(LoopId),
    /// `Config::max_depth` reached: the answer is bounded.
    Recursion,
    Unreachable,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Violation {
    pub kind: ViolationKind,
    pub what: String,
    pub thread: Tid,
    /// The instruction, and where it stands.
    pub id: InstId,
    pub span: Span,
}

impl Violation {
    pub fn at(&self) -> At {
        At { id: self.id, span: self.span }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ViolationKind {
    UnreachCall,
    ValidDeref,
    ValidFree,
    ValidMemtrack,
    NoOverflow,
}

impl ViolationKind {
    pub fn name(self) -> &'static str {
        match self {
            ViolationKind::UnreachCall => "unreach-call",
            ViolationKind::ValidDeref => "valid-deref",
            ViolationKind::ValidFree => "valid-free",
            ViolationKind::ValidMemtrack => "valid-memtrack",
            ViolationKind::NoOverflow => "no-overflow",
        }
    }
}

/// What a thread would do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// It has ended or was stopped, or the process has ended.
    Ended,
    /// Touches nothing that another thread can see or change: commutes with every step of others.
    Local,
    /// A load or store of memory that others may know.
    Access(Access),
    /// An atomic block: what it touches is known only by running it (on a copy, with an observer).
    Atomic {
        kind: AtomicKind,
        span: Span,
    },
    /// The end of the life of an object that others may know (`free`, end of scope, a return), or
    /// a question about it (`ObjectSize`): depends on every access to these.
    Lifetime {
        objects: Vec<ObjKey>,
        span: Span,
    },
    Spawn {
        span: Span,
    },
    /// Depends on the end of that thread. `waits`: enabled only once it has ended; otherwise an
    /// `Ended` question.
    Join {
        thread: Tid,
        waits: bool,
        span: Span,
    },
    /// The last step of this thread: depends on joins of it.
    Exit {
        span: Span,
    },
    /// Ends the process: depends on everything.
    ProcessEnd {
        span: Span,
    },
    /// An access through an address that is not chosen yet: depends on everything.
    Unknown {
        span: Span,
    },
}

/// An interpreter for one program: immutable tables made once, shared by all states.
#[derive(Debug)]
pub struct Interp<'p> {
    pub program: &'p Program,
    pub config: Config,
    pub(crate) space: Space,
    /// By function, once it is asked for: few executions see all of them.
    liveness: Vec<OnceLock<Liveness>>,
    /// Asked where a store goes to no object, which few executions do.
    points_to: OnceLock<PointsTo>,
    /// The program takes inputs by `__VERIFIER_nondet_*`: fresh memory may stand for one, too.
    pub(crate) is_harness: bool,
}

/// A program that cannot be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    pub what: String,
    pub span: Span,
}

impl<'p> Interp<'p> {
    pub fn new(program: &'p Program, config: Config) -> Result<Interp<'p>, Unsupported> {
        let refuse = |what: &str, span| Err(Unsupported { what: what.into(), span });
        let Some(entry) = program.functions.get(program.entry.index()).filter(|f| f.has_body())
        else {
            return refuse("the entry function has no body", Span::NONE);
        };
        if let Some(big) = program.objects.iter().find(|o| o.size > config.max_object) {
            return refuse(&format!("`{}` is too large to execute", big.name), big.span);
        }
        let space = match Space::new(program) {
            Ok(space) => space,
            Err(what) => return refuse(&what, entry.span),
        };
        let liveness = vec![OnceLock::new(); program.functions.len()];
        let is_harness = config.memsafety && takes_inputs(program);
        let points_to = OnceLock::new();
        Ok(Interp { program, config, space, liveness, points_to, is_harness })
    }

    /// Is whatever the operand may be an address in, or steps away from, objects of the program?
    pub(crate) fn comes_from_objects(&self, function: FuncId, operand: &Operand) -> bool {
        let find = || PointsTo::new(self.program, Context::Insensitive);
        let targets = match operand {
            Operand::Reg(_) => self.points_to.get_or_init(find).targets(function, operand),
            _ => return matches!(operand, Operand::Object { .. } | Operand::Slot { .. }),
        };
        !targets.is_empty() && !targets.contains(&Pointee::Unknown)
    }

    /// The static object with this key.
    pub fn static_of(&self, key: ObjKey) -> Option<ObjectId> {
        match self.space.key_region(key) {
            Region::Static(id) => Some(id),
            _ => None,
        }
    }

    pub(crate) fn liveness(&self, function: FuncId) -> &Liveness {
        let find = if self.config.memsafety { Liveness::with_pointers } else { Liveness::of };
        let i = function.index();
        self.liveness[i].get_or_init(|| find(&self.program.functions[i]))
    }

    /// The state in which the first thread is about to enter `Program::entry`.
    pub fn initial(&self) -> State {
        let statics = self.program.objects.iter().enumerate();
        let objects = statics.map(|(i, o)| Arc::new(self.static_object(ObjectId(i as u32), o)));
        let mut state = State {
            threads: Vec::new(),
            statics: Arc::new(Statics { objects: objects.collect(), summary: OnceLock::new() }),
            arenas: Vec::new(),
            symbols: Arc::new(Vec::new()),
            created: 0,
            collect_at: COLLECT_EVERY,
            allocations: Arc::default(),
            ended: false,
            exit_value: None,
            invented: None,
        };
        self.add_thread(&mut state, self.program.entry, &[]);
        state
    }

    fn static_object(&self, id: ObjectId, object: &ir::Object) -> Object {
        let birth = Birth::Static(id);
        match object.kind {
            ObjectKind::ThreadLocal => Object::zeroed(birth, None, 0),
            ObjectKind::External => Object::undefined(birth, None, object.size),
            ObjectKind::Global | ObjectKind::Constant => self.filled(birth, None, object),
        }
    }

    fn filled(&self, birth: Birth, owner: Option<Tid>, from: &ir::Object) -> Object {
        let mut object = Object::zeroed(birth, owner, from.size);
        object.initialise(&from.bytes);
        let width = self.pointer_bytes();
        for &(offset, target) in &from.relocations {
            if let (Some(addr), true) = (self.static_address(target), object.holds(offset, width)) {
                object.write(offset, width, addr);
            }
        }
        object
    }

    /// The address that a relocation or operand names, if it is the same for all threads.
    pub(crate) fn static_address(&self, op: Operand) -> Option<u64> {
        match op {
            Operand::Const { bits, .. } => Some(bits),
            Operand::Function(f) => Some(self.space.function(f)),
            Operand::Object { object, offset } => {
                let base = self.space.base(self.space.static_key(object));
                Some(self.to_pointer(base.wrapping_add_signed(offset)))
            }
            Operand::Reg(_) | Operand::Slot { .. } => None,
        }
    }

    /// A new thread about to enter a function, with its thread-local objects. Parameters without
    /// an argument are symbols.
    pub(crate) fn add_thread(&self, state: &mut State, func: FuncId, args: &[Value]) -> Tid {
        let thread = Tid::from_index(state.threads.len());
        let mut arena = Arena::empty();
        for &id in &self.space.thread_locals {
            let from = &self.program.objects[id.index()];
            let object = self.filled(Birth::ThreadLocal(id), Some(thread), from);
            arena.entries.push(ArenaEntry {
                slot: self.space.thread_local_slot(id),
                count: self.space.slots_for(from.size).unwrap_or(1),
                life: Life::Live(Arc::new(object)),
            });
        }
        state.arenas.push(Arc::new(arena));
        let frame = self.frame(state, func, args);
        state.threads.push(Arc::new(Thread::new(frame)));
        thread
    }

    /// A frame at the start of a function.
    pub(crate) fn frame(&self, state: &mut State, func: FuncId, args: &[Value]) -> Frame {
        let function = &self.program.functions[func.index()];
        let mut frame = Frame::new(func, function.regs.len(), function.slots.len());
        for (i, &reg) in function.params.iter().enumerate() {
            let value = args.get(i).copied().unwrap_or_else(|| {
                let domain = self.all_values(function.regs[reg.index()].ty);
                let about = About {
                    serial: state.created,
                    at: function.span.into(),
                    source: ChoiceSource::Unknown,
                };
                Value::sym(state.add_symbol(SymbolEntry { domain, about: Arc::new(about) }))
            });
            frame.set(reg, value);
        }
        frame
    }

    /// Executes one instruction or one whole atomic block of a thread. A thread that is not running
    /// does nothing; one that does not exist is `Unsupported`, so that a made-up schedule is noticed.
    pub fn step<I, O>(
        &self,
        state: &mut State,
        thread: Tid,
        inputs: &mut I,
        observer: &mut O,
    ) -> StepResult
    where
        I: Inputs + ?Sized,
        O: Observer + ?Sized,
    {
        if !state.is_running(thread) {
            return not_running(state, thread);
        }
        if state.created >= state.collect_at {
            self.digest(state);
            state.collect_at = state.created + COLLECT_EVERY;
        }
        Exec::new(self, state, thread, inputs, observer).run()
    }

    /// Is the process alive, uncut, and every running thread (at least one) blocked? Tries each
    /// thread on a copy with the first answer to each choice.
    pub fn deadlocked(&self, state: &State) -> bool {
        let blocked = |t| {
            let mut copy = state.clone();
            self.step(&mut copy, t, &mut First, &mut ()) == StepResult::Blocked
        };
        !state.ended()
            && !state.is_cut()
            && state.running().next().is_some()
            && state.running().all(blocked)
    }

    /// The span of the next instruction of a thread.
    pub fn span(&self, state: &State, thread: Tid) -> Span {
        state.top(thread).map_or(Span::NONE, |frame| {
            let block = self.block(frame);
            block.insts.get(frame.index).map_or(block.end_span, |inst| inst.span)
        })
    }

    pub(crate) fn block(&self, frame: &Frame) -> &'p Block {
        &self.program.functions[frame.func.index()].blocks[frame.block.index()]
    }

    pub(crate) fn pointer_bytes(&self) -> u64 {
        self.space.machine().pointer_bytes()
    }

    pub(crate) fn to_pointer(&self, addr: u64) -> u64 {
        addr & mask(self.space.machine().pointer_bits())
    }

    /// The domain of a symbol of this type; a float's is that of its bits.
    pub(crate) fn all_values(&self, ty: Scalar) -> Domain {
        Domain::full(ty.bits(self.space.machine()), ty.is_signed())
    }
}

fn takes_inputs(program: &Program) -> bool {
    let own = program.functions.iter().filter(|f| f.origin == ir::Origin::User);
    let mut insts = own.flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
    insts.any(|inst| matches!(inst.kind, ir::InstKind::Nondet { .. }))
}

fn not_running(state: &State, thread: Tid) -> StepResult {
    if state.ended() {
        return StepResult::ProcessEnded;
    }
    match state.status_of(thread) {
        Some(_) => StepResult::Ended,
        None => {
            let what = format!("a step of thread {}, which does not exist", thread.0);
            StepResult::Unsupported { what, span: Span::NONE }
        }
    }
}
