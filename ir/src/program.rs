//! The typed intermediate representation: what every engine executes or encodes.
//!
//! A program is a set of functions, each a control-flow graph of simple instructions over
//! *registers* (scalar locals whose address is never taken) and *memory*. Memory is made of objects:
//! static ones (`Object`: globals, static locals, string literals), frame *slots* (locals that need
//! an address) and heap blocks. All C typing, conversions, layout and short-circuiting are done by
//! the lowering; an instruction states its widths and signs itself.
//!
//! Semantics (the interpreter in `interp` is the definition, this is the contract):
//! - Values are bit patterns of at most 64 bits, pointers included; memory is bytes.
//! - Plain IR arithmetic wraps. `checked` marks arithmetic whose overflow is undefined in C.
//! - Everything between `AtomicBegin` and the matching `AtomicEnd` (they nest) is one indivisible
//!   step of its thread. If a `Wait` in it is not satisfied, none of it has happened yet.
//! - `Wait` blocks its thread until the condition holds; `Assume` stops the execution's thread for
//!   good. Only the former can be part of a deadlock.

use crate::id::*;
use crate::kernel::Kernel;
use crate::property::PropertyKind;
use crate::types::{Machine, Scalar, TypeId, Types};
use smallvec::{SmallVec, smallvec};

#[derive(Clone, Debug)]
pub struct Program {
    pub machine: Machine,
    pub types: Types,
    pub files: Vec<String>,
    pub objects: Vec<Object>,
    pub functions: Vec<Function>,
    /// Where the first thread starts.
    pub entry: FuncId,
    /// The kinds of properties that it was loaded for: with each of them it would have been the same.
    pub kinds: Vec<PropertyKind>,
    /// What the text says and is taken not to be there: a sentence and its place.
    pub ignored: Vec<(String, Span)>,
    /// Places whose accesses the user lets race: they are not told.
    pub tolerated: Vec<(Span, Span)>,
    /// Accesses that are volatile, and plain all the same.
    pub volatile: Vec<Span>,
    /// How many numbers `number` has given to instructions.
    pub numbered: u32,
    /// Loops and cut recursions as users know them, since they were numbered. Passes may add to it.
    pub loops: Vec<NamedLoop>,
}

/// A loop, whatever becomes of it: blocks that passes copy keep its number (`Block::head_of`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedLoop {
    /// `main.0`
    pub name: String,
    /// Where its head stands in the source.
    pub span: Span,
    pub kind: Repetition,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// A cycle of the graph.
    Loop,
    /// A call that closes a cycle of calls.
    Recursion,
}

/// An object with static or thread storage duration.
#[derive(Clone, Debug)]
pub struct Object {
    pub name: String,
    pub ty: TypeId,
    pub size: u64,
    pub align: u64,
    pub span: Span,
    pub kind: ObjectKind,
    /// Initial bytes; what is missing at the end is zero.
    pub bytes: Vec<u8>,
    /// Addresses to be written over `bytes` before the program starts: (offset, address).
    pub relocations: Vec<(u64, Operand)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    Global,
    /// One instance per thread, initialised when the thread starts.
    ThreadLocal,
    /// A string literal or other constant: writing to it is an invalid access.
    Constant,
    /// `extern` without a definition in the program: its initial contents are arbitrary.
    External,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub span: Span,
    pub origin: Origin,
    pub ret: Option<Scalar>,
    /// Registers that receive the arguments, in order. A call may pass fewer (the rest is
    /// arbitrary) or more (the rest is dropped).
    pub params: Vec<Reg>,
    pub regs: Vec<RegInfo>,
    pub slots: Vec<SlotInfo>,
    /// The whole function is one atomic block (`__VERIFIER_atomic_*`). The lowering has already put
    /// `AtomicBegin` and `AtomicEnd` in; kept for display.
    pub atomic: bool,
    /// Empty for a function without a body: a call returns an arbitrary value, touches nothing and
    /// is an assumption of the verdict. Block 0 is the entry.
    pub blocks: Vec<Block>,
}

impl Program {
    /// Numbers all instructions and ends of blocks. From here on, passes keep numbers.
    pub fn number(&mut self) {
        let mut next = (0..).map(InstId);
        for block in self.functions.iter_mut().flat_map(|f| &mut f.blocks) {
            for inst in &mut block.insts {
                inst.id = next.next().unwrap_or(InstId::NONE);
            }
            block.end_id = next.next().unwrap_or(InstId::NONE);
        }
        self.numbered = next.next().map_or(u32::MAX, |id| id.0);
    }

    /// The verifier says that there is one; a bound that was reached is never forgotten.
    pub fn named_loop(&self, id: LoopId) -> NamedLoop {
        let unknown =
            || NamedLoop { name: id.0.to_string(), span: Span::NONE, kind: Repetition::Loop };
        self.loops.get(id.index()).cloned().unwrap_or_else(unknown)
    }

    /// Is the place in one of our models of library functions?
    pub fn is_in_model(&self, span: Span) -> bool {
        let mut models = self.functions.iter().filter(|f| f.origin == Origin::Model);
        span.line > 0 && models.any(|f| f.is_written_in(span.file))
    }
}

impl Function {
    pub fn has_body(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// Does the file have its text? Functions that the lowering makes have none.
    pub fn is_written_in(&self, file: FileId) -> bool {
        self.has_body() && self.span.line > 0 && self.span.file == file
    }

    /// Moves the instructions from `at` on, and the block's end, to a new block. The old one goes there; a pass that
    /// asks something in between gives it another end.
    pub fn split_block(&mut self, block: usize, at: usize) -> BlockId {
        let next = BlockId(self.blocks.len() as u32);
        let own = &mut self.blocks[block];
        let (cut, end_at) = (own.at(at), own.end_at());
        let rest = own.insts.split_off(at);
        let end = std::mem::replace(&mut own.end, Terminator::Goto(next));
        (own.end_span, own.end_id) = (cut.span, cut.id);
        self.blocks.push(Block::new(rest, end, end_at));
        next
    }

    pub fn add_block(&mut self, block: Block) -> BlockId {
        self.blocks.push(block);
        BlockId(self.blocks.len() as u32 - 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// Written by the user.
    User,
    /// Our C model of a library function (`frontend/models`): traces show the call, not the inside.
    Model,
    /// Inline assembly, as a function without a body: a call gives any value. The lowering has put
    /// the accesses of its memory operands around it. No violation is shown behind such a call.
    Assembly,
}

#[derive(Clone, Debug)]
pub struct RegInfo {
    /// The source variable, `None` for a temporary.
    pub name: Option<String>,
    pub ty: Scalar,
    /// What C calls its type, for readers: what a pointer points to. Of a call's result, what the
    /// `void *` becomes: readers want to know what a block of the heap is for.
    pub of: Option<TypeId>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct SlotInfo {
    /// `None` for compiler temporaries (compound literals, by-value aggregates).
    pub name: Option<String>,
    pub ty: TypeId,
    pub size: u64,
    pub align: u64,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub insts: Vec<Inst>,
    pub end: Terminator,
    pub end_span: Span,
    pub end_id: InstId,
    /// The loop that it is the head of.
    pub head_of: Option<LoopId>,
}

impl Block {
    /// A block that is no loop's head.
    pub fn new(insts: Vec<Inst>, end: Terminator, at: impl Into<At>) -> Block {
        let At { id: end_id, span: end_span } = at.into();
        Block { insts, end, end_span, end_id, head_of: None }
    }

    /// The instruction with this index, or the end.
    pub fn at(&self, index: usize) -> At {
        self.insts.get(index).map_or(self.end_at(), Inst::at)
    }

    pub fn end_at(&self) -> At {
        At { id: self.end_id, span: self.end_span }
    }
}

#[derive(Clone, Debug)]
pub struct Inst {
    pub kind: InstKind,
    pub span: Span,
    pub id: InstId,
}

impl Inst {
    /// What a pass makes stands for an instruction that was there.
    pub fn new(kind: InstKind, at: impl Into<At>) -> Inst {
        let At { id, span } = at.into();
        Inst { kind, span, id }
    }

    pub fn at(&self) -> At {
        At { id: self.id, span: self.span }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// The low bits of `bits` as wide as `ty`; the high bits are zero.
    Const {
        bits: u64,
        ty: Scalar,
    },
    Reg(Reg),
    /// Address of byte `offset` of a static object (of the running thread's instance if
    /// thread-local).
    Object {
        object: ObjectId,
        offset: i64,
    },
    /// Address of byte `offset` of a live slot of the running frame.
    Slot {
        slot: SlotId,
        offset: i64,
    },
    Function(FuncId),
}

/// What is undefined about a second join.
pub const JOINED_BEFORE: &str =
    "use of a thread's id after the thread was joined, or detached and ended";

/// What C or POSIX leaves undefined and is no access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Misuse {
    UsedDestroyed,
    DestroyedLocked,
    /// The same of read-write locks, spin locks, semaphores, condition variables.
    UsedAnotherDestroyed,
    DestroyedAnotherHeld,
    /// A barrier that is zero: not made yet, or not any more.
    BarrierWithoutSize,
    /// A mutex or its kin that was never initialised.
    NeverInitialised,
    /// `__builtin_unreachable`.
    Unreachable,
    /// `mtx_timedlock` of a mutex that was not made for it.
    UntimedLock,
    /// A jump or a return between `pthread_cleanup_push` and `pthread_cleanup_pop`.
    LeftCleanup,
    /// `atoi` and its kin of a number that their result cannot hold.
    UnfitNumber,
    /// `%s` of a null pointer, which glibc prints.
    NullText,
    /// `aligned_alloc` with what is no power of two.
    UnfitAlignment,
}

impl Misuse {
    pub const ALL: [Misuse; 12] = [
        Misuse::UsedDestroyed,
        Misuse::DestroyedLocked,
        Misuse::UsedAnotherDestroyed,
        Misuse::DestroyedAnotherHeld,
        Misuse::BarrierWithoutSize,
        Misuse::NeverInitialised,
        Misuse::Unreachable,
        Misuse::UntimedLock,
        Misuse::LeftCleanup,
        Misuse::UnfitNumber,
        Misuse::NullText,
        Misuse::UnfitAlignment,
    ];

    /// What our models of library functions call it.
    pub fn named(name: &str) -> Option<Misuse> {
        Misuse::ALL.into_iter().find(|misuse| misuse.texts().0 == name)
    }

    /// For readers.
    pub fn words(self) -> &'static str {
        self.texts().1
    }

    /// The name and the words.
    fn texts(self) -> (&'static str, &'static str) {
        match self {
            Misuse::UsedDestroyed => ("used destroyed", "the use of a mutex that was destroyed"),
            Misuse::DestroyedLocked => ("destroyed locked", "destroying a mutex that is locked"),
            Misuse::UsedAnotherDestroyed => (
                "used another destroyed",
                "the use of a lock, condition variable or semaphore that was destroyed",
            ),
            Misuse::DestroyedAnotherHeld => {
                ("destroyed another held", "destroying a lock that is held")
            }
            Misuse::BarrierWithoutSize => {
                ("barrier without size", "the use of a barrier that is not initialised")
            }
            Misuse::NeverInitialised => (
                "never initialised",
                "the use of a lock, condition variable, semaphore or barrier that was never initialised",
            ),
            Misuse::Unreachable => {
                ("unreachable", "__builtin_unreachable, which is undefined where it is reached")
            }
            Misuse::UntimedLock => ("untimed lock", "mtx_timedlock of a mutex without mtx_timed"),
            Misuse::LeftCleanup => (
                "left cleanup",
                "a jump or a return out of pthread_cleanup_push and pthread_cleanup_pop",
            ),
            Misuse::UnfitNumber => {
                ("unfit number", "atoi, atol or atoll of a number that does not fit the result")
            }
            Misuse::NullText => ("null text", "%s with a null pointer"),
            Misuse::UnfitAlignment => {
                ("unfit alignment", "aligned_alloc with an alignment that is no power of two")
            }
        }
    }

    /// The bytes of the mutex are there, so no access is wrong, and machines go on in some way.
    pub fn is_of_mutexes_destroyed_too_early(self) -> bool {
        matches!(self, Misuse::UsedDestroyed | Misuse::DestroyedLocked)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum InstKind {
    Assign {
        dst: Reg,
        value: Rvalue,
    },
    Load {
        dst: Reg,
        addr: Operand,
        ty: Scalar,
        order: MemoryOrder,
    },
    Store {
        addr: Operand,
        value: Operand,
        ty: Scalar,
        order: MemoryOrder,
    },
    /// The slot's lifetime starts: a new object with arbitrary contents. If it is already live (a
    /// jump back into its scope) the old one ends first.
    SlotLive(SlotId),
    /// The slot's lifetime ends, if it is live. Slots still live when the frame returns end there.
    SlotDead(SlotId),
    /// The slot was defined `const`, and here its initialisation ends (or, if not `constant`, starts
    /// again): from now on a write to it is an invalid access.
    SlotConst {
        slot: SlotId,
        constant: bool,
    },
    Call {
        dst: Option<Reg>,
        callee: Callee,
        args: Vec<Operand>,
    },
    /// An input: any value of `ty`, truncated to the first `bits` bits (1 for `_Bool`).
    Nondet {
        dst: Reg,
        ty: Scalar,
        bits: u8,
        name: String,
    },
    /// Stops this thread for good if the condition is zero.
    Assume(Operand),
    /// Blocks this thread until the condition is not zero. Always inside an atomic block that loads
    /// what the condition depends on, so that waiting re-evaluates it.
    Wait(Operand),
    /// The property unreach-call is violated by getting here (`assert`, `reach_error`, ...).
    Error {
        what: String,
    },
    AtomicBegin {
        kind: AtomicKind,
    },
    AtomicEnd,
    /// `kernel`: what the Linux kernel's memory model knows it by; to others it is a fence of the order.
    Fence {
        order: MemoryOrder,
        kernel: Option<Kernel>,
    },
    /// Starts a thread in `function` with the one argument; `dst` receives its id (never 0). Before
    /// the thread starts, the id is stored at `place`, plainly and in the type of `dst`. A place that
    /// is null is none, unless invalid accesses are asked for.
    Spawn {
        dst: Reg,
        place: Option<Operand>,
        function: Operand,
        arg: Operand,
    },
    /// Blocks until the thread has ended; `dst` receives its return value. An id that never
    /// was a thread's is unsupported (the engine says UNKNOWN). A thread is joined once: then the life
    /// of its id is over, and another join is undefined, like an invalid access.
    Join {
        dst: Reg,
        thread: Operand,
    },
    /// `dst` is 1 if that thread has ended, else 0.
    Ended {
        dst: Reg,
        thread: Operand,
    },
    /// The id of the running thread: 1 for the first.
    ThreadSelf {
        dst: Reg,
    },
    /// A heap block (or, for `alloca`, one that ends with the frame) of `size` bytes: arbitrary
    /// contents, or zero. The address is aligned to 16.
    Alloc {
        dst: Reg,
        size: Operand,
        zeroed: bool,
        storage: Storage,
    },
    /// `free`: null is allowed; anything but the start of a live heap block violates valid-free. For
    /// a block of the running frame: a variable-length array ends before the frame does.
    Free {
        ptr: Operand,
        storage: Storage,
    },
    /// The size in bytes of the live object that `ptr` points to the start of.
    ObjectSize {
        dst: Reg,
        ptr: Operand,
    },
    /// C that is not modelled. Reaching it makes the answer UNKNOWN.
    Unsupported {
        what: String,
    },
    /// What C or POSIX leaves undefined and is no access. An execution ends here as at an invalid access in a
    /// question about something else; it violates no property.
    Undefined {
        misuse: Misuse,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub enum Rvalue {
    Use(Operand),
    /// An arbitrary but fixed value: an uninitialised local.
    Undef(Scalar),
    Unary {
        op: UnOp,
        ty: Scalar,
        a: Operand,
        checked: bool,
    },
    /// `a` and `b` have type `ty`, except that a shift's `b` may be any integer type (its own).
    /// Comparisons give an `int` 0 or 1. One that is `checked` picks the target of a call: it uses
    /// its pointer as the call would.
    Binary {
        op: BinOp,
        ty: Scalar,
        a: Operand,
        b: Operand,
        checked: bool,
    },
    /// C's conversion. Integers truncate, or extend by the sign of `from`; float to integer
    /// truncates towards zero (out of range: arbitrary in C, wraps here).
    Cast {
        from: Scalar,
        to: Scalar,
        a: Operand,
    },
    /// `base + index * scale` for a pointer and a pointer-wide signed index. A result outside of
    /// the object that `base` points into (one past the end is inside) may never alias another
    /// object.
    PtrAdd {
        base: Operand,
        index: Operand,
        scale: u64,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    /// Arithmetic negation, also of floats.
    Neg,
    /// Bitwise complement.
    Not,
}

/// The operand type says whether division, right shift and order are signed, unsigned or float.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// Division by zero traps: the execution ends there.
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinOp {
    pub fn is_comparison(self) -> bool {
        matches!(self, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge)
    }

    /// The comparison that holds where this one does not.
    pub fn negated(self) -> BinOp {
        match self {
            BinOp::Eq => BinOp::Ne,
            BinOp::Ne => BinOp::Eq,
            BinOp::Lt => BinOp::Ge,
            BinOp::Le => BinOp::Gt,
            BinOp::Gt => BinOp::Le,
            BinOp::Ge => BinOp::Lt,
            other => other,
        }
    }

    /// The same comparison with its sides exchanged.
    pub fn mirrored(self) -> BinOp {
        match self {
            BinOp::Lt => BinOp::Gt,
            BinOp::Le => BinOp::Ge,
            BinOp::Gt => BinOp::Lt,
            BinOp::Ge => BinOp::Le,
            same => same,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    Direct(FuncId),
    /// Through a pointer; anything but the address of a function is an invalid access.
    Indirect(Operand),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicKind {
    /// `__VERIFIER_atomic_*`: plain accesses inside count as atomic for data races.
    User,
    /// A read-modify-write or a library model: accesses inside are what their `MemoryOrder` says.
    Internal,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    Heap,
    Frame,
}

/// C11 memory orders. Engines for sequential consistency need them only to define data races.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum MemoryOrder {
    /// Not an atomic operation.
    Plain,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl MemoryOrder {
    pub fn acquires(self) -> bool {
        matches!(self, MemoryOrder::Acquire | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
    }

    pub fn releases(self) -> bool {
        matches!(self, MemoryOrder::Release | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Terminator {
    Goto(BlockId),
    Branch {
        cond: Operand,
        then: BlockId,
        otherwise: BlockId,
    },
    /// Cases are distinct bit patterns of the operand's type.
    Switch {
        value: Operand,
        cases: Vec<(u64, BlockId)>,
        default: BlockId,
    },
    Return(Option<Operand>),
    /// `pthread_exit`: ends the thread, not the process, even in the first thread.
    ExitThread(Operand),
    /// The execution ends here.
    Stop(Stop),
}

impl Terminator {
    pub fn successors(&self) -> SmallVec<[BlockId; 2]> {
        match self {
            Terminator::Goto(b) => smallvec![*b],
            Terminator::Branch { then, otherwise, .. } => smallvec![*then, *otherwise],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|&(_, b)| b).chain([*default]).collect()
            }
            Terminator::Return(_) | Terminator::ExitThread(_) | Terminator::Stop(_) => smallvec![],
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stop {
    /// `exit`, with the leak check of a normal end.
    Exit,
    /// `abort` and other ends without a leak check.
    Abort,
    /// The unwinding bound of the loop was reached; the thread stops and the answer is bounded.
    Bound(LoopId),
    /// Control flow that C says cannot happen (`__builtin_unreachable`).
    Unreachable,
}
