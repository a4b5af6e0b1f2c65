//! Deadlocks: every thread that was started has ended or waits in vain, and one waits.
//!
//! A thread waits in vain where the condition of a `Wait` does not hold, or where it joins a thread
//! that does not end; both are terms, so a deadlock is one, too. What is left is that waiting is for
//! good: a block that waits looks at memory as all others have left it. So, if a deadlock is asked
//! for (`Purpose::Deadlock`, a free choice), the reads of a block that waits count although it does
//! not come to its end, and whatever others write to the cells that it reads comes before it
//! (`orders`). It publishes nothing, so several such blocks do not hinder each other.
//!
//! A thread that is cut off (a failed assumption, a bound, an error) has neither ended nor waits, and
//! `main` ends only by `pthread_exit`: where it returns, or anybody exits, the process ends and
//! none is deadlocked.
//!
//! Why this is all of it: an execution that ends in a deadlock is a line of the nodes that happen,
//! and the blocks that wait can be put behind it. Why not more: in a line with these orders each
//! read of a waiting block sees the last write of all. (An input that the block itself asks for might
//! be another one the next time: then the replay decides.)
//!
//! A livelock is the same with a thread among them that waits where a spin loop was collapsed
//! (`analysis::spin`), whatever the others wait for. Loops that stay loops are for bounds.
//!
//! Cost: a term per place that waits, and an order per block that waits and node of another thread
//! that writes what it reads.

use super::state::WalkState;
use super::{Purpose, Walk};
use crate::event::{Fault, GoalKind, NodeId, ThreadId};
use crate::object::CellKey;
use crate::term::{Sort, Term};
use ir::Property;
use ir::{BlockId, Span};
use rustc_hash::FxHashMap;

/// Orders between blocks that wait and what others write.
const ORDERS: usize = 200_000;

/// Why a thread does not go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wait {
    /// For a lock, a thread, or the like.
    Blocked,
    /// In a loop that has become a wait.
    Spins,
}

/// Who waits in vain, in one walk.
#[derive(Default)]
pub(super) struct Stuck {
    threads: Vec<(ThreadId, Term)>,
    /// Those that spin.
    spinning: Vec<Term>,
    /// By atomic block.
    pub blocks: FxHashMap<NodeId, Term>,
}

impl Walk<'_> {
    fn asks_who_waits(&self) -> bool {
        matches!(self.config.property, Property::NoDeadlock | Property::NoLivelock)
    }

    /// The thread goes on only if `holds` does.
    pub(super) fn about_to_wait(&mut self, state: &WalkState, holds: Term, why: Wait) {
        if !self.asks_who_waits() {
            return;
        }
        let in_vain = self.pool.not(holds);
        let stuck = self.pool.and(state.guard, in_vain);
        if self.pool.is_false(stuck) {
            return;
        }
        self.stuck.threads.push((self.thread, stuck));
        if why == Wait::Spins {
            self.stuck.spinning.push(stuck);
        }
        if let Some(atomic) = &state.atomic {
            let never = self.pool.bool(false);
            let block = self.stuck.blocks.entry(atomic.node).or_insert(never);
            *block = self.pool.or(*block, stuck);
        }
    }

    /// A block that starts a thread may wait afterwards, and then has not started it.
    pub(super) fn about_to_spawn(&mut self, state: &WalkState) {
        if self.asks_who_waits() && state.atomic.is_some() {
            let what = "a thread that is started in an atomic block".to_string();
            self.goal(state, GoalKind::Unsupported(what), state.guard);
        }
    }

    /// The choice to look for a deadlock.
    fn asked(&mut self) -> Term {
        self.var(Purpose::Deadlock, Sort::Bool)
    }

    /// When the reads of blocks that wait count.
    pub(super) fn waiting_blocks(&mut self) -> Vec<(NodeId, Term)> {
        let mut blocks: Vec<_> = self.stuck.blocks.iter().map(|(&n, &t)| (n, t)).collect();
        blocks.sort_unstable();
        let asked = self.asked();
        blocks.iter_mut().for_each(|(_, stuck)| *stuck = self.pool.and(asked, *stuck));
        blocks
    }

    /// The goal, and what must be in order for it.
    pub(super) fn deadlock_goal(&mut self) -> Vec<(Term, NodeId, NodeId)> {
        if !self.asks_who_waits() {
            return Vec::new();
        }
        self.thread = ThreadId(0);
        self.at = crate::ProgramPoint { block: BlockId(0), index: 0 };
        self.span = Span::NONE;
        let always = WalkState::new(self.pool.bool(true));
        let Some(orders) = self.last_looks() else {
            let what = "too many pairs of writes and blocks that wait".to_string();
            self.goal(&always, GoalKind::Unsupported(what), always.guard);
            return Vec::new();
        };
        let deadlock = self.deadlock();
        let (fault, words) = match self.config.property {
            Property::NoLivelock => (Fault::Livelock, "a thread spins for ever"),
            _ => (Fault::Deadlock, "every thread that is left waits for ever"),
        };
        self.goal(&always, GoalKind::Error(fault, words.into()), deadlock);
        orders
    }

    fn deadlock(&mut self) -> Term {
        let mut waits = vec![self.pool.bool(false); self.running.len()];
        for (thread, stuck) in std::mem::take(&mut self.stuck.threads) {
            let sum = &mut waits[thread.index()];
            *sum = self.pool.or(*sum, stuck);
        }
        let spinning = std::mem::take(&mut self.stuck.spinning);
        let somebody = match self.config.property {
            Property::NoLivelock => self.pool.or_all(spinning),
            _ => self.pool.or_all(waits.iter().copied()),
        };
        let mut all = vec![self.asked(), somebody];
        for (running, &waits) in self.running.iter().zip(&waits) {
            if running.met {
                let absent = self.pool.not(running.guard);
                all.push(self.pool.or_all([absent, running.ended, waits]));
            }
        }
        self.pool.and_all(all)
    }

    /// What others write to the cells that a waiting block reads comes before it. `None` if that
    /// is too much.
    fn last_looks(&mut self) -> Option<Vec<(Term, NodeId, NodeId)>> {
        let mut writes: FxHashMap<CellKey, Vec<(NodeId, Term)>> = FxHashMap::default();
        for (&(node, cell), export) in &self.exports {
            writes.entry(cell).or_default().push((node, export.guard));
        }
        let mut reads: FxHashMap<NodeId, Vec<CellKey>> = FxHashMap::default();
        for &(node, cell) in self.imports.keys() {
            reads.entry(node).or_default().push(cell);
        }
        let mut orders = Vec::new();
        for (block, stuck) in self.waiting_blocks() {
            let thread = self.nodes[block.index()].thread;
            let mut before: FxHashMap<NodeId, Term> = FxHashMap::default();
            for cell in reads.get(&block).into_iter().flatten() {
                for &(node, guard) in writes.get(cell).into_iter().flatten() {
                    if self.nodes[node.index()].thread != thread {
                        let never = self.pool.bool(false);
                        let written = before.entry(node).or_insert(never);
                        *written = self.pool.or(*written, guard);
                    }
                }
            }
            let mut before: Vec<(NodeId, Term)> = before.into_iter().collect();
            before.sort_unstable();
            for (node, written) in before {
                orders.push((self.pool.and(stuck, written), node, block));
            }
            if orders.len() > ORDERS {
                return None;
            }
        }
        orders.retain(|(condition, ..)| !self.pool.is_false(*condition));
        Some(orders)
    }
}
