//! Instructions by number.

use interp::{State, Tid};
use ir::{BlockId, FuncId, Program};

/// An instruction or terminator of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SiteId(u32);

impl SiteId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The numbers of all instructions of a program.
pub struct Sites {
    /// Of the first instruction, by function and block.
    first: Vec<Vec<u32>>,
    len: u32,
}

impl Sites {
    pub fn of(program: &Program) -> Sites {
        let mut len = 0;
        let mut number = |block: &ir::Block| {
            len += block.insts.len() as u32 + 1;
            len - block.insts.len() as u32 - 1
        };
        let functions = program.functions.iter();
        let first = functions.map(|f| f.blocks.iter().map(&mut number).collect()).collect();
        Sites { first, len }
    }

    pub fn len(&self) -> usize {
        self.len as usize
    }

    pub fn at(&self, function: FuncId, block: BlockId, inst: usize) -> SiteId {
        SiteId(self.first[function.index()][block.index()] + inst as u32)
    }

    /// Where a running thread stands.
    pub fn of_thread(&self, state: &State, thread: Tid) -> Option<SiteId> {
        let (function, block, inst) = state.frames(thread).next_back()?;
        Some(self.at(function, block, inst))
    }
}
