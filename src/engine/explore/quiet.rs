//! Which steps are nobody's business.
//!
//! A step is quiet if it commutes with every step that any other thread can ever do, whatever
//! happens before: then trying it first is enough (a persistent set of one thread). The
//! interpreter's `Local` steps are. With the reduction on, also: joining a thread that has ended, if
//! nobody else can join one, ending a thread when nobody ever asks "has it ended?" without waiting for it, starting a thread
//! when nobody else can start one, and accesses to memory that no other live thread's remaining
//! code can touch in a conflicting way (`future.rs`).
//!
//! The end of the process is never quiet: it would hide what the others could do before it. Nor
//! does it stand in the way of quiet steps: the only thing seen at the end are leaks, and what is
//! lost once stays lost, so a late end shows all that an early one shows.

use super::future::Future;
use interp::{Interp, Next, State, Tid};

pub struct Quiet<'p> {
    future: Option<Future<'p>>,
}

impl<'p> Quiet<'p> {
    pub fn new(future: Option<Future<'p>>) -> Quiet<'p> {
        Quiet { future }
    }

    pub fn is_quiet(&self, interp: &Interp<'_>, state: &State, thread: Tid) -> bool {
        match (interp.next(state, thread), &self.future) {
            (Next::Local, _) => true,
            (Next::Ended | Next::ProcessEnd { .. }, _) | (_, None) => false,
            (Next::Join { thread: other, waits: false, .. }, Some(_)) if is_over(state, other) => {
                true
            }
            (_, Some(future)) => future.is_quiet(state, thread),
        }
    }
}

fn is_over(state: &State, thread: Tid) -> bool {
    state.has_ended(thread)
}
