//! Data races as states: two operations that conflict are next. When that is all: `mode.rs`.

use super::footprint::Footprint;
use crate::contract::inputs::{Choices, Sampling};
use interp::{Access, Interp, Next, State, StepResult, Tid};
use ir::AtomicKind;
use std::rc::Rc;

pub type Pair = [(Tid, Access); 2];

/// A race between a single access that is next in this state and what another thread does next.
/// (Two atomic blocks are compared when both have been tried; that comes late in a depth-first
/// search, while this sees a plain access beside an atomic block at once.)
pub fn beside_access(interp: &Interp<'_>, sampling: &Sampling, state: &State) -> Option<Pair> {
    let mut single: Vec<(Tid, Access)> = Vec::new();
    let mut blocks: Vec<(Tid, AtomicKind)> = Vec::new();
    for thread in state.running() {
        match interp.next(state, thread) {
            Next::Access(access) => {
                if let Some(&other) = single.iter().find(|(_, other)| races(other, &access)) {
                    return Some([other, (thread, access)]);
                }
                single.push((thread, access));
            }
            Next::Atomic { kind, .. } => blocks.push((thread, kind)),
            _ => {}
        }
    }
    if single.iter().all(|(_, access)| access.atomic()) {
        return None;
    }
    let beside = blocks.iter().find_map(|&(thread, _)| {
        let inside = accesses_of_block(interp, sampling, state, thread);
        let race = |&access: &Access| {
            let other = single.iter().find(|(_, other)| races(other, &access))?;
            Some([*other, (thread, access)])
        };
        inside.iter().find_map(race)
    });
    let writes = single.iter().filter(|(_, access)| access.write && !access.atomic());
    let mut pairs = writes.flat_map(|write| {
        let users = blocks.iter().filter(|(_, kind)| *kind == AtomicKind::User);
        users.map(move |&(thread, _)| (*write, thread))
    });
    beside
        .or_else(|| pairs.find_map(|(write, block)| behind(interp, sampling, state, write, block)))
}

/// A race between a write and a block of the user that touches what was written only if it is run
/// right behind the write: by what it reads there it goes another way, or comes to its end.
fn behind(
    interp: &Interp<'_>,
    sampling: &Sampling,
    state: &State,
    write: (Tid, Access),
    block: Tid,
) -> Option<Pair> {
    let mut choices = Choices::new(sampling);
    loop {
        choices.rewind();
        let mut after = state.clone();
        let mut footprint = Footprint::default();
        let wrote = interp.step(&mut after, write.0, &mut choices, &mut ());
        if wrote == StepResult::Ran
            && interp.step(&mut after, block, &mut choices, &mut footprint) == StepResult::Ran
            && let Some(&access) = footprint.accesses.iter().find(|a| races(a, &write.1))
        {
            return Some([write, (block, access)]);
        }
        if !choices.advance() {
            return None;
        }
    }
}

/// What an atomic block touches, if it can run now: found by running it on copies, once for each
/// choice of its inputs.
fn accesses_of_block(
    interp: &Interp<'_>,
    sampling: &Sampling,
    state: &State,
    thread: Tid,
) -> Vec<Access> {
    let mut choices = Choices::new(sampling);
    let mut all = Footprint::default();
    loop {
        choices.rewind();
        let mut footprint = Footprint::default();
        let ran = interp.step(&mut state.clone(), thread, &mut choices, &mut footprint);
        if ran == StepResult::Ran {
            all.absorb(&footprint);
        }
        if !choices.advance() {
            return all.accesses;
        }
    }
}

/// A race between two operations, whatever they are. One of them must be an access: two `free`s of one
/// block are no race but a matter of memory safety.
pub fn adjacent(a: &(Tid, Rc<Footprint>), b: &(Tid, Rc<Footprint>)) -> Option<Pair> {
    if a.1.user_block && b.1.user_block {
        return None; // as if under one lock
    }
    let accesses = |of: &Footprint, other: &Footprint| {
        of.accesses.iter().find_map(|&x| Some((x, touched(other).find(|y| races(&x, y))?)))
    };
    if let Some((x, y)) = accesses(&a.1, &b.1) {
        return Some([(a.0, x), (b.0, y)]);
    }
    accesses(&b.1, &a.1).map(|(y, x)| [(a.0, x), (b.0, y)])
}

/// The accesses of an operation; `free` is a plain write of all of the block.
pub fn touched(footprint: &Footprint) -> impl Iterator<Item = Access> + '_ {
    footprint.accesses.iter().chain(&footprint.frees).copied()
}

fn races(a: &Access, b: &Access) -> bool {
    a.conflicts(b) && !(a.atomic() && b.atomic())
}
