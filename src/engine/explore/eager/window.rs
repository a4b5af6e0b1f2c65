//! What threads have done early: the eager accesses of each thread since its last visible step.
//!
//! Until the thread makes its next visible step, another execution may have other threads' steps before
//! these accesses. So a thread that touches the same bytes meanwhile, one of the two writing, refutes the
//! guess. Exempt are threads that were started, or have learnt that the thread has ended, after
//! the access: no execution has them before it.
//!
//! The windows are part of a state. They cost little: few accesses, which mostly follow from where the
//! thread stands.

use super::super::footprint::Footprint;
use super::sites::SiteId;
use interp::{Access, ObjKey, State, Tid};
use ir::At;
use std::rc::Rc;
use xxhash_rust::xxh3::Xxh3;

/// A size that no object has.
const EVERYTHING: u64 = 1 << 62;

/// How a step is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Others get a turn before and after it.
    Visible,
    /// Together with what came before it in its thread, by the guess.
    Eager,
    /// The same, since it commutes with all that others can still do.
    Free,
}

/// A step as it is entered here.
#[derive(Clone, Copy, Debug)]
pub struct WindowStep {
    pub thread: Tid,
    pub role: Role,
    pub site: SiteId,
}

/// Accesses that are not eager after all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refuted(pub Vec<SiteId>);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Early {
    object: ObjKey,
    offset: u64,
    size: u64,
    write: bool,
    /// Threads that come after it in any case, by their bits.
    exempt: u64,
    site: SiteId,
}

impl Early {
    fn conflicts(&self, thread: Tid, access: &Access) -> bool {
        (self.write || access.write)
            && self.object == access.object
            && self.offset < access.offset + access.size
            && access.offset < self.offset + self.size
            && self.exempt & bit(thread) == 0
    }

    fn is_same(&self, access: &Access) -> bool {
        (self.object, self.offset, self.size, self.write)
            == (access.object, access.offset, access.size, access.write)
    }
}

/// Of each thread, by its number.
#[derive(Clone, Default, Debug)]
pub struct Windows(Vec<Rc<Vec<Early>>>);

impl Windows {
    /// Enters what a step has done, or tried if it is blocked.
    pub fn enter(
        &mut self,
        state: &State,
        step: WindowStep,
        did: &Footprint,
    ) -> Result<(), Refuted> {
        self.0.resize_with(state.threads().count(), Rc::default);
        let deaths =
            did.deaths.iter().map(|&object| Access::whole(object, EVERYTHING, At::NOWHERE));
        let accesses = did.accesses.iter().chain(&did.attempts).copied().chain(deaths);
        self.learn_ends(state, step.thread, did);
        for access in accesses {
            self.check(step.thread, &access)?;
            if step.role == Role::Eager {
                self.add(step, &access);
            }
        }
        if step.role == Role::Visible && !self.0[step.thread.index()].is_empty() {
            self.0[step.thread.index()] = Rc::default();
        }
        if did.spawns {
            self.start(step.thread, Tid::from_index(self.0.len() - 1));
        }
        Ok(())
    }

    fn check(&self, thread: Tid, access: &Access) -> Result<(), Refuted> {
        let mut wrong = Vec::new();
        for (other, window) in self.0.iter().enumerate() {
            if other != thread.index() {
                let hit = window.iter().filter(|early| early.conflicts(thread, access));
                wrong.extend(hit.map(|early| early.site));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(Refuted(wrong)) }
    }

    fn add(&mut self, step: WindowStep, access: &Access) {
        let window = &mut self.0[step.thread.index()];
        if window.iter().any(|early| early.exempt == 0 && early.is_same(access)) {
            return;
        }
        Rc::make_mut(window).push(Early {
            object: access.object,
            offset: access.offset,
            size: access.size,
            write: access.write,
            exempt: 0,
            site: step.site,
        });
    }

    /// A new thread comes after what its starter comes after, and after what that has done.
    fn start(&mut self, parent: Tid, child: Tid) {
        for (of, window) in self.0.iter_mut().enumerate() {
            let after = |early: &Early| of == parent.index() || early.exempt & bit(parent) != 0;
            if window.iter().any(after) {
                let exempt = Rc::make_mut(window).iter_mut().filter(|early| after(early));
                exempt.for_each(|early| early.exempt |= bit(child));
            }
        }
    }

    /// Who knows that a thread has ended comes after all of it.
    fn learn_ends(&mut self, state: &State, thread: Tid, did: &Footprint) {
        for other in did.asks.iter().filter(|&&other| state.has_ended(other)) {
            let window = &mut self.0[other.index()];
            if !window.is_empty() {
                let all = Rc::make_mut(window).iter_mut();
                all.for_each(|early| early.exempt |= bit(thread));
            }
        }
    }

    pub fn digest(&self) -> u128 {
        if self.0.iter().all(|window| window.is_empty()) {
            return 0;
        }
        let mut hasher = Xxh3::new();
        for window in &self.0 {
            let mut sorted: Vec<&Early> = window.iter().collect();
            sorted.sort_unstable();
            hasher.update(&(sorted.len() as u64).to_le_bytes());
            for early in sorted {
                hasher.update(&early.object.0.to_le_bytes());
                hasher.update(&early.offset.to_le_bytes());
                hasher.update(&early.size.to_le_bytes());
                hasher.update(&early.exempt.to_le_bytes());
                hasher.update(&[u8::from(early.write)]);
            }
        }
        hasher.digest128()
    }
}

/// Threads with a large number are never exempt.
fn bit(thread: Tid) -> u64 {
    1u64.checked_shl(thread.0).unwrap_or(0)
}
