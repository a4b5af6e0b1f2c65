//! What is known along one path of an action.

use super::guess::{Key, ThreadIndex};
use crate::system::{SourcePoint, Trail};
use encoder::{Pool, Term};
use ir::{BlockId, Reg};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What holds whenever a location is reached, of what only its own thread changes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Known {
    pub regs: BTreeMap<Reg, u64>,
    /// Addresses as computed from other registers of the thread.
    pub exprs: BTreeMap<Reg, Term>,
    pub mem: BTreeMap<Key, u64>,
    /// Threads that the first one has started, if that is one number.
    pub started: Option<u64>,
    /// Nothing has happened yet.
    pub fresh: bool,
}

impl Known {
    /// What both say.
    pub fn meet(&self, other: &Known) -> Known {
        fn common<K: Ord + Copy, V: Copy + PartialEq>(
            a: &BTreeMap<K, V>,
            b: &BTreeMap<K, V>,
        ) -> BTreeMap<K, V> {
            let same = a.iter().filter(|(k, v)| b.get(k) == Some(v));
            same.map(|(k, v)| (*k, *v)).collect()
        }
        Known {
            regs: common(&self.regs, &other.regs),
            exprs: common(&self.exprs, &other.exprs),
            mem: common(&self.mem, &other.mem),
            started: self.started.filter(|n| other.started == Some(*n)),
            fresh: self.fresh && other.fresh,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Sym {
    pub thread: ThreadIndex,
    /// What holds where the action starts.
    pub known: Rc<Known>,
    /// What the action has written.
    pub regs: BTreeMap<Reg, Term>,
    pub mem: BTreeMap<Key, Term>,
    pub guard: Term,
    /// What it has stored to global variables, with the guard there.
    pub stores: Vec<(Term, Key, Term)>,
    /// The step that others can notice is done.
    pub visible: bool,
    /// Atomic blocks around.
    pub depth: u32,
    /// Heads of loops on the way.
    pub heads: Vec<BlockId>,
    /// A branch was not decided by what is known.
    pub forked: bool,
    pub exact: bool,
    pub steps: usize,
    pub trail: Trail,
    pub started: Option<u64>,
    pub fresh: bool,
}

impl Sym {
    pub fn new(pool: &mut Pool, thread: ThreadIndex, known: Known) -> Sym {
        Sym {
            thread,
            regs: BTreeMap::new(),
            mem: BTreeMap::new(),
            guard: pool.bool(true),
            stores: Vec::new(),
            visible: false,
            depth: 0,
            heads: Vec::new(),
            forked: false,
            exact: true,
            steps: 0,
            trail: Trail::default(),
            started: known.started,
            fresh: known.fresh,
            known: Rc::new(known),
        }
    }

    /// Only the first thread runs.
    pub fn alone(&self) -> bool {
        self.thread == 0 && self.started == Some(0)
    }

    pub fn assume(&mut self, pool: &mut Pool, fact: Term) {
        self.guard = pool.and(self.guard, fact);
    }

    pub fn is_dead(&self, pool: &Pool) -> bool {
        pool.is_false(self.guard)
    }
}

/// How an instruction goes on.
pub enum Flow {
    Next,
    /// It belongs to the next action.
    Stop,
    /// No execution that matters goes on from here.
    Dead,
    /// The thread goes no further, but others may see what it has done.
    Gone,
    /// The thread is at its end.
    End,
}

/// Where an action leads.
pub enum Goal {
    At(SourcePoint),
    End,
    Stuck,
    Error(String),
    Doubt(String),
}
