//! Eager accesses: those that are executed together with what came before them in their thread,
//! because no other thread can do anything that conflicts with them right before them.
//!
//! Most accesses of a concurrent program are like that: data under a lock, a node before it is
//! published, what was taken out of a queue. `may_access.rs` cannot see it, since other threads do
//! touch the same memory at other times. So which accesses (by their place in the program) are eager is
//! *guessed* (`train.rs` has the first guess), and the search itself checks the guess: a state remembers what each thread has done
//! eagerly since its last visible step (`window.rs`). If another thread does anything that conflicts with
//! it before the thread makes its next visible step, the access is not eager, and the search begins
//! anew without it. What is found meanwhile is a real execution in any case.
//!
//! Why nothing is lost if nothing is refuted. Let s be any execution. Follow it in the reduced search:
//! do its steps in their order, each followed by all eager and free steps (`invisible.rs`) that are
//! next then, and leave out what was done already. Claim: every step does there what it does in s. If
//! not, there are two steps that conflict, x before y in s and y before x in the search; take the pair with
//! the first such x. Then y was done early. If it was free, it commutes with all that others can
//! do from then on, so with x. Thus y was eager, and when the search does x, the thread of y has made
//! no visible step since y: the search makes visible steps when s does, and s does y after x. So x meets
//! y in its window, whether x is visible, eager, free, or a block that is only tried, and the guess was
//! refuted. Hence violations and deadlocks of s are those of an execution of the reduced search. Sleep
//! sets leave no state of it out (a thread sleeps with all that it would do, eager accesses included),
//! and windows are part of the states.
//! This is about interleavings (`ASSUMES`).
//!
//! The idea is that of interleaving only synchronisation and checking for data races meanwhile
//! (Musuvathi and Qadeer, PLDI 2007), for any access instead of plain ones, without clocks, and
//! with remembered states.
//!
//! - `sites.rs`: instructions by number
//! - `window.rs`: what threads have done early

mod sites;
mod window;

pub use window::{Refuted, Role, WindowStep, Windows};

use super::invisible::Visibility;
use fixedbitset::FixedBitSet;
use interp::{State, Tid};
use ir::memory_model::Guarantee;
use ir::{AtomicKind, Block, BlockId, Function, InstKind, Program};
use sites::Sites;

pub const ASSUMES: &[Guarantee] = &[Guarantee::Linearization];

/// A guess: which accesses are eager.
pub struct Eager {
    sites: Sites,
    eager: FixedBitSet,
}

impl Eager {
    /// All that could be.
    pub fn all(program: &Program) -> Eager {
        let sites = Sites::of(program);
        let mut eager = FixedBitSet::with_capacity(sites.len());
        for (f, function) in program.functions.iter().enumerate() {
            for (b, block) in function.blocks.iter().enumerate() {
                let at = BlockId(b as u32);
                for i in (0..block.insts.len()).filter(|&i| is_access(function, at, i)) {
                    eager.insert(sites.at(ir::FuncId(f as u32), at, i).index());
                }
            }
        }
        Eager { sites, eager }
    }

    pub fn is_empty(&self) -> bool {
        self.eager.is_clear()
    }

    /// How the next step of a thread is to be done; `None`: it has nothing to do with others.
    pub fn step(&self, state: &State, thread: Tid, kind: Visibility) -> Option<WindowStep> {
        let site = self.sites.of_thread(state, thread)?;
        let role = match kind {
            Visibility::Local => return None,
            Visibility::Free => Role::Free,
            Visibility::Visible if self.eager.contains(site.index()) => Role::Eager,
            Visibility::Visible => Role::Visible,
        };
        Some(WindowStep { thread, role, site })
    }

    /// Gives up what has turned out to be wrong.
    pub fn refute(&mut self, refuted: &Refuted) {
        refuted.0.iter().for_each(|site| self.eager.set(site.index(), false));
    }
}

/// A load, a store, or an atomic block that cannot be blocked.
fn is_access(function: &Function, block: BlockId, inst: usize) -> bool {
    match function.blocks[block.index()].insts[inst].kind {
        InstKind::Load { .. } | InstKind::Store { .. } => true,
        InstKind::AtomicBegin { kind: AtomicKind::Internal } => {
            only_accesses(function, block, inst)
        }
        _ => false,
    }
}

/// Does an atomic block consist of accesses and computations, so that it cannot be blocked?
fn only_accesses(function: &Function, begin: BlockId, inst: usize) -> bool {
    let mut open = vec![begin];
    let mut seen = vec![begin];
    while let Some(at) = open.pop() {
        let Some(block) = function.blocks.get(at.index()) else { return false };
        let from = if at == begin && seen.len() == 1 { inst + 1 } else { 0 };
        match rest_of_block(block, from) {
            Rest::Ends => {}
            Rest::Refused => return false,
            Rest::GoesOn => {
                let successors = block.end.successors();
                if successors.is_empty() || successors.contains(&begin) {
                    return false;
                }
                for next in successors {
                    if !seen.contains(&next) {
                        seen.push(next);
                        open.push(next);
                    }
                }
            }
        }
    }
    true
}

enum Rest {
    Ends,
    GoesOn,
    Refused,
}

fn rest_of_block(block: &Block, from: usize) -> Rest {
    for inst in block.insts.iter().skip(from) {
        match inst.kind {
            InstKind::AtomicEnd => return Rest::Ends,
            InstKind::Load { .. } | InstKind::Store { .. } | InstKind::Assign { .. } => {}
            _ => return Rest::Refused,
        }
    }
    Rest::GoesOn
}
