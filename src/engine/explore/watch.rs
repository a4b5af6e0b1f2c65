//! The explorer's eyes during a step: footprint, race monitor, and calls into the void.

use super::footprint::Footprint;
use super::touched::TouchedBytes;
use analysis::address_bits::Peek;
use interp::{
    Access, Death, Interp, InvalidAccess, ObjKey, Observer, RaceMonitor, State, Tid, Value,
};
use ir::types::Scalar;
use ir::{At, AtomicKind, FuncId, MemoryOrder, Span};

/// An access that C does not define, where executions go on.
#[derive(Clone, Debug)]
pub struct UndefinedAccess {
    pub what: String,
    pub access: InvalidAccess,
    pub span: Span,
}

pub struct Watch<'a> {
    pub footprint: Option<&'a mut Footprint>,
    pub monitor: Option<&'a mut RaceMonitor>,
    pub touched: Option<(&'a Interp<'a>, &'a mut TouchedBytes)>,
    pub assumed: &'a mut Vec<(FuncId, Span)>,
    pub invalid: &'a mut Vec<UndefinedAccess>,
    pub peeks: &'a mut Vec<(FuncId, Peek, Span)>,
}

/// Tells an event to every observer.
macro_rules! tell {
    ($self:ident, $event:ident ( $($arg:expr),* )) => {
        if let Some(footprint) = &mut $self.footprint {
            footprint.$event($($arg),*);
        }
        if let Some(monitor) = &mut $self.monitor {
            monitor.$event($($arg),*);
        }
    };
}

impl Observer for Watch<'_> {
    fn access(&mut self, state: &State, thread: Tid, access: &Access, ty: Scalar, value: Value) {
        tell!(self, access(state, thread, access, ty, value));
        if let Some((interp, touched)) = &mut self.touched
            && interp.static_of(access.object).is_some()
        {
            touched.access(access);
        }
    }

    fn atomic_begin(&mut self, thread: Tid, kind: AtomicKind, span: Span) {
        tell!(self, atomic_begin(thread, kind, span));
        if let (Some(footprint), Some(_)) = (&mut self.footprint, &self.monitor) {
            footprint.synchronises = footprint.user_block;
        }
    }

    fn atomic_end(&mut self, thread: Tid, span: Span) {
        tell!(self, atomic_end(thread, span));
    }

    fn undone(&mut self, thread: Tid) {
        tell!(self, undone(thread));
        if let Some((_, touched)) = &mut self.touched {
            touched.undone();
        }
    }

    fn fence(&mut self, thread: Tid, order: MemoryOrder, span: Span) {
        tell!(self, fence(thread, order, span));
    }

    fn spawn(&mut self, state: &State, parent: Tid, child: Tid, func: FuncId, span: Span) {
        tell!(self, spawn(state, parent, child, func, span));
    }

    fn join(&mut self, thread: Tid, child: Tid, span: Span) {
        tell!(self, join(thread, child, span));
    }

    fn asked_ended(&mut self, thread: Tid, other: Tid, ended: bool, span: Span) {
        tell!(self, asked_ended(thread, other, ended, span));
    }

    fn thread_end(&mut self, state: &State, thread: Tid, value: Value, span: Span) {
        tell!(self, thread_end(state, thread, value, span));
    }

    fn born(&mut self, state: &State, thread: Tid, object: ObjKey, size: u64, span: Span) {
        tell!(self, born(state, thread, object, size, span));
    }

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
        tell!(self, died(state, thread, object, size, private, why, at));
    }

    fn invalid_access(&mut self, _: Tid, what: &str, access: InvalidAccess, span: Span) {
        self.invalid.push(UndefinedAccess { what: what.to_owned(), access, span });
    }

    fn peek(&mut self, func: FuncId, peek: Peek, span: Span) {
        self.peeks.push((func, peek, span));
    }

    fn assumed(&mut self, _: Tid, func: FuncId, span: Span) {
        if !self.assumed.contains(&(func, span)) {
            self.assumed.push((func, span));
        }
    }
}
