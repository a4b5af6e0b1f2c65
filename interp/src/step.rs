//! One step of one thread.

use crate::choice::Inputs;
use crate::observe::{Access, Observer};
use crate::state::State;
use crate::value::{ObjKey, Tid};
use frontend::ir::{AtomicKind, Program, Span};

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
    /// `Stop::Bound`.
    Bound(u32),
    /// `Config::max_depth` reached: the answer is bounded.
    Recursion,
    Unreachable,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Violation {
    pub kind: ViolationKind,
    pub what: String,
    pub thread: Tid,
    pub span: Span,
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
    /// Depends on the end of that thread; enabled once `ended`. Also for `Ended` questions.
    Join {
        thread: Tid,
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
}

/// A program that cannot be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    pub what: String,
    pub span: Span,
}

impl<'p> Interp<'p> {
    pub fn new(program: &'p Program, config: Config) -> Result<Interp<'p>, Unsupported> {
        Ok(Interp { program, config })
    }

    /// The state in which the first thread is about to enter `Program::entry`.
    pub fn initial(&self) -> State {
        todo!()
    }

    /// Executes one instruction or one whole atomic block of a thread.
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
        let _ = (state, thread, inputs as *const I as *const u8, observer as *const O as *const u8);
        todo!()
    }

    /// What the thread would do next, without doing it. Local steps may still make choices, be
    /// cut, or violate a property.
    pub fn next(&self, state: &State, thread: Tid) -> Next {
        todo!("{state:?}{thread:?}")
    }

    /// A 128-bit hash of all that influences the future of a state, and of nothing else: dead
    /// registers, names of symbols, forgotten objects do not count. Costs what has changed since
    /// the state's ancestors were hashed. Drops what is not needed any more, hence `&mut`.
    pub fn digest(&self, state: &mut State) -> u128 {
        todo!("{state:?}")
    }

    /// Is the process alive, uncut, and every running thread (at least one) blocked? Tries each
    /// thread on a copy with the first answer to each choice.
    pub fn deadlocked(&self, state: &State) -> bool {
        todo!("{state:?}")
    }

    /// The span of the next instruction of a thread.
    pub fn span(&self, state: &State, thread: Tid) -> Span {
        todo!("{state:?}{thread:?}")
    }
}
