//! Data races.
//!
//! If every atomic access in the program acquires (reads) and releases (writes), then what a read
//! takes its value from happens before it. Any execution can then be cut down to what happens before
//! two racing accesses, and still is one; in its last state both are next. So a program has a race
//! iff in some reachable state two threads are about to do conflicting accesses, not both atomic:
//! no clocks are needed (`RaceMode::Adjacent`).
//!
//! With a relaxed access or a fence in user code that argument fails, and the interpreter's vector
//! clocks become part of the state (`RaceMode::Clocks`). The relaxed halves of read-modify-writes
//! in our library models do no harm: a lock that is taken continues the release sequence of the
//! unlock before it. Only who reads the state of a lock and goes on in any case (`trylock` and its
//! kin, `sem_getvalue`) learns something without synchronising; these count as user code.

use super::footprint::Footprint;
use super::points_to::PointsTo;
use frontend::ir::{FuncId, Function, InstKind, Order, Origin, Program};
use interp::{Access, First, Interp, Next, State, StepResult, Tid};
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RaceMode {
    Adjacent,
    Clocks,
}

pub type Pair = [(Tid, Access); 2];

pub fn mode(program: &Program, points_to: &PointsTo<'_>) -> RaceMode {
    let runs = |&(i, _): &(usize, &Function)| points_to.reaches(FuncId(i as u32));
    let mut functions = program.functions.iter().enumerate().filter(runs);
    match functions.any(|(_, f)| counts_as_user(f) && is_weak(f)) {
        true => RaceMode::Clocks,
        false => RaceMode::Adjacent,
    }
}

/// The same for all functions, run or not.
pub fn may_be_weak(program: &Program) -> bool {
    program.functions.iter().any(|f| counts_as_user(f) && is_weak(f))
}

fn counts_as_user(function: &Function) -> bool {
    let looks = ["try", "timed", "getvalue"].iter().any(|part| function.name.contains(part));
    function.origin == Origin::User || looks
}

/// Has it an atomic read that does not acquire, an atomic write that does not release, or a fence?
fn is_weak(function: &Function) -> bool {
    let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
    insts.any(|inst| match inst.kind {
        InstKind::Load { order, .. } => order != Order::Plain && !order.acquires(),
        InstKind::Store { order, .. } => order != Order::Plain && !order.releases(),
        InstKind::Fence { .. } => true,
        _ => false,
    })
}

/// A race between a single access that is next in this state and what another thread does next.
/// (Two atomic blocks are compared when both have been tried; that comes late in a depth-first
/// search, while this sees a plain access beside an atomic block at once.)
pub fn beside_access(interp: &Interp<'_>, state: &State) -> Option<Pair> {
    let mut single: Vec<(Tid, Access)> = Vec::new();
    let mut blocks: Vec<Tid> = Vec::new();
    for thread in state.running() {
        match interp.next(state, thread) {
            Next::Access(access) => {
                if let Some(&other) = single.iter().find(|(_, other)| races(other, &access)) {
                    return Some([other, (thread, access)]);
                }
                single.push((thread, access));
            }
            Next::Atomic { .. } => blocks.push(thread),
            _ => {}
        }
    }
    if single.iter().all(|(_, access)| access.atomic()) {
        return None;
    }
    blocks.into_iter().find_map(|thread| {
        let inside = accesses_of_block(interp, state, thread);
        let race = |&access: &Access| {
            let other = single.iter().find(|(_, other)| races(other, &access))?;
            Some([*other, (thread, access)])
        };
        inside.iter().find_map(race)
    })
}

/// What an atomic block touches, if it can run now: found by running it on a copy.
fn accesses_of_block(interp: &Interp<'_>, state: &State, thread: Tid) -> Vec<Access> {
    let mut footprint = Footprint::default();
    match interp.step(&mut state.clone(), thread, &mut First, &mut footprint) {
        StepResult::Ran => footprint.accesses,
        _ => Vec::new(),
    }
}

/// A race between two operations, whatever they are. One of them must be an access: two ends of one
/// object's life are a double free, which is no race but a matter of memory safety.
pub fn adjacent(a: &(Tid, Rc<Footprint>), b: &(Tid, Rc<Footprint>)) -> Option<Pair> {
    let accesses = |of: &Footprint, other: &Footprint| {
        of.accesses.iter().find_map(|&x| Some((x, touched(other).find(|y| races(&x, y))?)))
    };
    if let Some((x, y)) = accesses(&a.1, &b.1) {
        return Some([(a.0, x), (b.0, y)]);
    }
    accesses(&b.1, &a.1).map(|(y, x)| [(a.0, x), (b.0, y)])
}

/// The accesses of an operation; the end of an object's life is a plain write of all of it.
pub fn touched(footprint: &Footprint) -> impl Iterator<Item = Access> + '_ {
    let deaths = footprint.deaths.iter();
    let deaths = deaths.map(|&(object, size, span)| Access::whole(object, size, span));
    footprint.accesses.iter().copied().chain(deaths)
}

fn races(a: &Access, b: &Access) -> bool {
    a.conflicts(b) && !(a.atomic() && b.atomic())
}
