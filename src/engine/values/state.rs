//! A thread somewhere in its function.

use super::memory::FlowCell;
use super::precision::GuessedCells;
use super::threads::{AccessSite, ThreadIdx};
use super::value::FlowValue;
use super::view::ThreadView;
use analysis::live::LiveSet;
use ir::{AtomicKind, BlockId, Reg, SlotId};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ThreadState {
    pub block: BlockId,
    pub index: u32,
    /// Registers that are not there may hold anything.
    pub regs: BTreeMap<Reg, FlowValue>,
    /// What the thread itself has written last, and where.
    pub own: BTreeMap<FlowCell, (FlowValue, AccessSite)>,
    pub view: ThreadView,
    /// Its variables whose life has ended, until it begins again.
    pub ended: BTreeSet<SlotId>,
    /// Threads that it has joined.
    pub joined: BTreeSet<ThreadIdx>,
    /// An assumption does not hold: it is followed for its writes, since the model lets them come first.
    pub phantom: bool,
    pub blocks: OpenBlocks,
    /// What the atomic block has read: it sees each cell once.
    pub block_reads: BTreeMap<FlowCell, (AccessSite, FlowValue)>,
    pub guess: GuessedCells,
}

/// Atomic blocks that it is in, and the outermost one of the user.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct OpenBlocks {
    depth: u32,
    user: Option<u32>,
}

impl OpenBlocks {
    pub fn begin(&mut self, kind: AtomicKind) {
        self.depth += 1;
        if kind == AtomicKind::User {
            self.user.get_or_insert(self.depth);
        }
    }

    pub fn end(&mut self) {
        self.user.take_if(|depth| *depth == self.depth);
        self.depth = self.depth.saturating_sub(1);
    }

    pub fn is_in_any(self) -> bool {
        self.depth > 0
    }

    pub fn in_user(self) -> bool {
        self.user.is_some()
    }
}

impl ThreadState {
    pub fn start(
        regs: BTreeMap<Reg, FlowValue>,
        view: ThreadView,
        guess: GuessedCells,
    ) -> ThreadState {
        ThreadState {
            block: BlockId(0),
            index: 0,
            regs,
            own: BTreeMap::new(),
            view,
            ended: BTreeSet::new(),
            joined: BTreeSet::new(),
            phantom: false,
            blocks: OpenBlocks::default(),
            block_reads: BTreeMap::new(),
            guess,
        }
    }

    pub fn at(&self) -> (BlockId, u32) {
        (self.block, self.index)
    }

    pub fn reg(&self, reg: Reg) -> FlowValue {
        self.regs.get(&reg).copied().unwrap_or(FlowValue::ANY)
    }

    pub fn go(mut self, block: BlockId) -> ThreadState {
        self.block = block;
        self.index = 0;
        self
    }

    /// What decides where it goes was guessed with these cells.
    pub fn guessed(mut self, guess: GuessedCells) -> ThreadState {
        self.guess = self.guess.and(guess);
        self
    }

    /// Without what is never looked at again.
    pub fn keep(&mut self, live: LiveSet<'_>) {
        self.regs.retain(|reg, value| live.contains(reg) && *value != FlowValue::ANY);
    }
}
