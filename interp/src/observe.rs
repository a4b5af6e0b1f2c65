//! What happens in a step, told to an observer.
//!
//! All methods do nothing by default and `step` is generic over its observer, so that `()` costs
//! nothing. Events inside an atomic block that turns out to be blocked are followed by `undone`.

use crate::choice::About;
use crate::state::State;
use crate::symbol::Domain;
use crate::value::{ObjKey, Tid, Value};
use analysis::address_bits::Peek;
use ir::types::Scalar;
use ir::{At, AtomicKind, FuncId, InstId, MemoryOrder, Reg, Span};

/// One access to memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    pub object: ObjKey,
    pub offset: u64,
    pub size: u64,
    pub write: bool,
    /// What the instruction says; see `atomic`.
    pub order: MemoryOrder,
    /// In a `User` atomic block.
    pub user_atomic: bool,
    /// In an `Internal` atomic block (a read-modify-write or a library model).
    pub internal_atomic: bool,
    pub id: InstId,
    pub span: Span,
}

impl Access {
    /// A plain write of a whole object, which is what `free` counts as.
    pub fn whole(object: ObjKey, size: u64, at: At) -> Access {
        let At { id, span } = at;
        let (user_atomic, internal_atomic) = (false, false);
        let (offset, write, order) = (0, true, MemoryOrder::Plain);
        Access { object, offset, size, write, order, user_atomic, internal_atomic, id, span }
    }

    pub fn at(&self) -> At {
        At { id: self.id, span: self.span }
    }

    /// Does it count as atomic for data races?
    pub fn atomic(&self) -> bool {
        self.user_atomic || self.order != MemoryOrder::Plain
    }

    /// The order that counts: a `User` atomic block makes it sequentially consistent.
    pub fn effective_order(&self) -> MemoryOrder {
        if self.user_atomic { MemoryOrder::SeqCst } else { self.order }
    }

    /// Do they touch a common byte, at least one writing?
    pub fn conflicts(&self, other: &Access) -> bool {
        (self.write || other.write) && self.overlaps(other)
    }

    pub fn overlaps(&self, other: &Access) -> bool {
        self.object == other.object
            && self.offset < other.offset + other.size
            && other.offset < self.offset + self.size
    }
}

/// Why an object's life ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Death {
    Freed,
    ScopeEnd,
}

/// What became of an access that C does not define.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InvalidAccess {
    /// A read of a freed block, which gave what was there.
    FreedRead,
    /// A write (done only if the block was freed) or a bad `free` (not done): the thread goes on.
    Write,
}

#[allow(unused_variables, clippy::too_many_arguments)]
pub trait Observer {
    /// An instruction or terminator is about to run.
    fn instruction(&mut self, state: &State, thread: Tid, func: FuncId, span: Span) {}
    /// A load or store, after it was done. `ty` and `value` as loaded or stored.
    fn access(&mut self, state: &State, thread: Tid, access: &Access, ty: Scalar, value: Value) {}
    /// A register was assigned.
    fn assign(
        &mut self,
        state: &State,
        thread: Tid,
        func: FuncId,
        dst: Reg,
        value: Value,
        span: Span,
    ) {
    }
    fn atomic_begin(&mut self, thread: Tid, kind: AtomicKind, span: Span) {}
    fn atomic_end(&mut self, thread: Tid, span: Span) {}
    /// The atomic block that has begun is blocked: nothing since `instruction` has happened.
    fn undone(&mut self, thread: Tid) {}
    fn fence(&mut self, thread: Tid, order: MemoryOrder, span: Span) {}
    fn spawn(&mut self, state: &State, parent: Tid, child: Tid, func: FuncId, span: Span) {}
    /// `thread` has joined with the ended `child`.
    fn join(&mut self, thread: Tid, child: Tid, span: Span) {}
    /// `thread` looked whether `other` has ended.
    fn asked_ended(&mut self, thread: Tid, other: Tid, ended: bool, span: Span) {}
    fn thread_end(&mut self, state: &State, thread: Tid, value: Value, span: Span) {}
    fn call(&mut self, state: &State, thread: Tid, func: FuncId, args: &[Value], span: Span) {}
    fn ret(&mut self, state: &State, thread: Tid, func: FuncId, value: Option<Value>, span: Span) {}
    /// A new object, of `size` bytes.
    fn born(&mut self, state: &State, thread: Tid, object: ObjKey, size: u64, span: Span) {}
    /// The end of a live object (told while it is still there). `private`: no other thread can
    /// have known it.
    fn died(
        &mut self,
        state: &State,
        thread: Tid,
        object: ObjKey,
        size: u64,
        private: bool,
        why: Death,
        at: At,
    ) {
    }
    /// Bytes that were never written are read: the next symbol stands for them.
    fn undefined(&mut self, thread: Tid, object: ObjKey, offset: u64, size: u64) {}
    /// A symbol was created by a `Nondet` or by reading what was never written.
    fn symbol(&mut self, thread: Tid, about: &About, domain: &Domain) {}
    /// What is known about a symbol from now on.
    fn narrowed(&mut self, thread: Tid, about: &About, domain: &Domain) {}
    /// An access or `free` that C does not define and that need not crash either, with the check
    /// for it off. (InvalidAccess reads of anything but freed blocks are told by `Cut::InvalidAccess`.)
    fn invalid_access(&mut self, thread: Tid, what: &str, access: InvalidAccess, span: Span) {}
    /// A computation looks at single bits of what is an address in our layout, or a number that
    /// equals one.
    fn peek(&mut self, func: FuncId, peek: Peek, span: Span) {}
    /// A function without a body was called: assumed to return anything and to touch nothing.
    fn assumed(&mut self, thread: Tid, func: FuncId, span: Span) {}
}

impl Observer for () {}

macro_rules! to_both {
    ($($name:ident($($arg:ident: $ty:ty),*);)*) => {
        /// Two observers at once.
        impl<A: Observer, B: Observer> Observer for (A, B) {
            $(fn $name(&mut self, $($arg: $ty),*) {
                self.0.$name($($arg),*);
                self.1.$name($($arg),*);
            })*
        }

        /// Perhaps none.
        impl<A: Observer> Observer for Option<A> {
            $(fn $name(&mut self, $($arg: $ty),*) {
                if let Some(observer) = self {
                    observer.$name($($arg),*);
                }
            })*
        }

        impl<A: Observer + ?Sized> Observer for &mut A {
            $(fn $name(&mut self, $($arg: $ty),*) {
                (**self).$name($($arg),*);
            })*
        }
    };
}

to_both! {
    instruction(state: &State, thread: Tid, func: FuncId, span: Span);
    access(state: &State, thread: Tid, access: &Access, ty: Scalar, value: Value);
    assign(state: &State, thread: Tid, func: FuncId, dst: Reg, value: Value, span: Span);
    atomic_begin(thread: Tid, kind: AtomicKind, span: Span);
    atomic_end(thread: Tid, span: Span);
    undone(thread: Tid);
    fence(thread: Tid, order: MemoryOrder, span: Span);
    spawn(state: &State, parent: Tid, child: Tid, func: FuncId, span: Span);
    join(thread: Tid, child: Tid, span: Span);
    asked_ended(thread: Tid, other: Tid, ended: bool, span: Span);
    thread_end(state: &State, thread: Tid, value: Value, span: Span);
    call(state: &State, thread: Tid, func: FuncId, args: &[Value], span: Span);
    ret(state: &State, thread: Tid, func: FuncId, value: Option<Value>, span: Span);
    born(state: &State, thread: Tid, object: ObjKey, size: u64, span: Span);
    died(state: &State, thread: Tid, object: ObjKey, size: u64, private: bool, why: Death, at: At);
    undefined(thread: Tid, object: ObjKey, offset: u64, size: u64);
    symbol(thread: Tid, about: &About, domain: &Domain);
    narrowed(thread: Tid, about: &About, domain: &Domain);
    invalid_access(thread: Tid, what: &str, access: InvalidAccess, span: Span);
    peek(func: FuncId, peek: Peek, span: Span);
    assumed(thread: Tid, func: FuncId, span: Span);
}
