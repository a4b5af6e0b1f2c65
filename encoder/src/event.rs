//! Events: what threads do to shared memory, as plain data.
//!
//! A *thread* here is one start of a thread function: `main`, and one for each place of an unrolled
//! thread that starts another. Its *nodes* stand in program order (ways that exclude each other stand
//! one after the other, which does no harm). A node is one indivisible step: a plain access, or an
//! atomic block with all its accesses, or a point without accesses (start, end, spawn, join).
//!
//! Invariant: in one node there is at most one read and at most one write of a cell, and the read
//! comes first.

use crate::term::Term;
use ir::{BlockId, FuncId, Kernel, LoopId, MemoryOrder, ObjectId, Span};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            pub fn new(i: usize) -> $name {
                $name(i as u32)
            }

            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(/** Of `Encoding::threads`; 0 is the first. */ ThreadId);
id!(/** Of `Encoding::nodes`. */ NodeId);
id!(/** Of `Encoding::cells`. */ CellId);
id!(/** Of `Encoding::events`. */ EventId);

#[derive(Clone, Debug)]
pub struct ThreadSkeleton {
    pub function: FuncId,
    /// The node that starts it; `None` for the first.
    pub spawned_at: Option<NodeId>,
    /// It exists when this holds.
    pub guard: Term,
    /// In program order. The last one is the thread's end.
    pub nodes: Vec<NodeId>,
    /// It returns or exits when this holds (and not when it blocks, stops or fails).
    pub ended: Term,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub thread: ThreadId,
    pub kind: NodeKind,
    /// The instruction that the node begins with.
    pub at: ProgramPoint,
    pub span: Span,
    /// The node happens (as a whole) when this holds. Writes imply it; a read may be enabled without
    /// it, in an atomic block that does not come to its end or an access that violates the property.
    pub guard: Term,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// The initial contents of memory: the first node of the first thread.
    Init,
    Access,
    Atomic,
    Spawn,
    Join,
    /// A new object with its initial contents, or the end of one.
    Lifetime,
    End,
}

/// An instruction of the thread's function; `index == insts.len()` is the terminator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ProgramPoint {
    pub block: BlockId,
    pub index: u32,
}

impl ProgramPoint {
    /// Stands for the value of a parameter that is not passed.
    pub fn of_parameter(i: usize) -> ProgramPoint {
        ProgramPoint { block: BlockId(u32::MAX), index: i as u32 }
    }
}

/// What some bytes hold before anybody writes them, where that may be anything.
#[derive(Clone, Copy, Debug)]
pub struct Undefined {
    pub of: Maker,
    pub offset: u64,
    pub bytes: u8,
    pub value: Term,
}

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Maker {
    Program(ObjectId),
    /// One of each thread.
    ThreadLocal(ThreadId, ObjectId),
    Instruction(ThreadId, ProgramPoint),
}

#[derive(Clone, Debug)]
pub struct Cell {
    /// For people: `x`, `a[2].next`.
    pub name: String,
    /// In bits.
    pub width: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventKind {
    Read,
    Write,
}

#[derive(Clone, Debug)]
pub struct Event {
    pub kind: EventKind,
    pub node: NodeId,
    pub cell: CellId,
    pub guard: Term,
    /// As wide as the cell. A read's is a variable, perhaps extended.
    pub value: Term,
    /// C11's; of an indivisible operation, the strongest of its reads or writes of the cell.
    pub order: MemoryOrder,
    pub span: Span,
}

/// A fence of C11. Sequential consistency needs none; weaker models order the nodes around it.
#[derive(Clone, Debug)]
pub struct Fence {
    pub thread: ThreadId,
    /// The last node of the thread before it.
    pub after: Option<NodeId>,
    pub guard: Term,
    pub order: MemoryOrder,
    /// The Linux kernel's name of it.
    pub kernel: Option<Kernel>,
    pub span: Span,
}

/// Something whose reachability is asked.
#[derive(Clone, Debug)]
pub struct Goal {
    pub kind: GoalKind,
    pub guard: Term,
    pub thread: ThreadId,
    pub at: ProgramPoint,
    /// The node in the middle of which it is reached: its atomic block, or an access that fails.
    pub node: Option<NodeId>,
    pub span: Span,
}

/// Bytes of a block that a replay can make.
pub(crate) const LARGEST_BLOCK: u64 = 1 << 20;

/// What an error violates, as the interpreter tells violations apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    Reach,
    Overflow,
    /// Two threads are about to do accesses that race; `coenabled::racing` tells which.
    Race,
    /// An object is used, and its end is not ordered with that.
    Unordered,
    /// The execution is no interleaving.
    NotRobust,
    /// Memory is used where there is none.
    Deref,
    /// The same through a number that may be anything: what is at an address of no object,
    /// a replay says, since the encoding has other addresses than the interpreter.
    ArbitraryAddress,
    Free,
    Leak,
    /// All threads that are left wait.
    Deadlock,
    /// The same, and one of them spins.
    Livelock,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalKind {
    /// The property is violated: which part of it, and how.
    Error(Fault, String),
    /// `Stop::Bound`: the loop could go on.
    Bound(LoopId),
    /// Something that is not modelled.
    Unsupported(String),
    /// Memory is used as C does not define.
    InvalidAccess(String),
    /// Inline assembly is run: an execution that gets here shows no error.
    Assembly,
    /// An indeterminate value equals the address that is used here: if it is that value, a
    /// replay has another address there.
    Chance,
    /// A block of more than `LARGEST_BLOCK` bytes is made: no replay can show what follows.
    LargeBlock,
}
