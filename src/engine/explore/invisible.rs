//! Which steps are invisible to other threads.
//!
//! A step is invisible if it commutes with every step that any other thread can ever do, whatever
//! happens before: then trying it first is enough (a persistent set of one thread). The
//! interpreter's `Local` steps are. With the reduction on, also: joining a thread that has ended, if
//! no other thread can join one, ending a thread when none ever asks "has it ended?" without waiting
//! for it, starting a thread when no other can start one, and accesses to memory that no other
//! live thread's remaining code can touch in a conflicting way (`may_access.rs`).
//!
//! The end of the process is never invisible: it would hide what the others could do before it. Nor
//! does it stand in the way of invisible steps: the only thing seen at the end are leaks, and what is
//! lost once stays lost, so a late end shows all that an early one shows.

use super::may_access::MayAccess;
use interp::{Interp, Next, State, Tid};

/// What a step has to do with other threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// It touches nothing that another thread can see or change.
    Local,
    /// It commutes with all that others can still do.
    Free,
    Visible,
}

pub struct Invisible<'p> {
    pub may_access: Option<MayAccess<'p>>,
}

impl<'p> Invisible<'p> {
    pub fn new(may_access: Option<MayAccess<'p>>) -> Invisible<'p> {
        Invisible { may_access }
    }

    pub fn kind(&self, interp: &Interp<'_>, state: &State, thread: Tid) -> Visibility {
        let free = match (interp.next(state, thread), &self.may_access) {
            (Next::Local, _) => return Visibility::Local,
            (Next::Ended | Next::ProcessEnd { .. }, _) | (_, None) => false,
            (Next::Join { thread: other, waits: false, .. }, Some(_)) if is_over(state, other) => {
                true
            }
            (_, Some(may_access)) => may_access.is_invisible(state, thread),
        };
        if free { Visibility::Free } else { Visibility::Visible }
    }
}

fn is_over(state: &State, thread: Tid) -> bool {
    state.has_ended(thread)
}
