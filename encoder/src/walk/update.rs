//! Which reads are the first half of a read-modify-write, whether or not the second half ever happens.
//!
//! A compare-and-exchange that cannot succeed has no write, and its read looks like any other. On
//! x86 it is an instruction with a lock all the same. So it is the text that decides: the rest of the atomic
//! block may write through the same address.

use super::Walk;
use ir::{InstKind, Operand};

impl Walk<'_> {
    /// May the rest of the atomic block that the walk is in write through this address?
    pub(super) fn is_stored_back(&self, to: &Operand) -> bool {
        if !self.config.weak {
            return false;
        }
        let function = self.running[self.thread.index()].function;
        let blocks = &self.program.functions[function.index()].blocks;
        let mut seen = vec![false; blocks.len()];
        let mut todo = vec![(self.at.block, self.at.index as usize)];
        while let Some((id, from)) = todo.pop() {
            let block = &blocks[id.index()];
            match block.insts[from..].iter().find_map(|inst| stores(&inst.kind, to)) {
                Some(true) => return true,
                Some(false) => continue,
                None => {}
            }
            for next in block.end.successors() {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    todo.push((next, 0));
                }
            }
        }
        false
    }
}

/// Does it store there, or end the block? Anything else decides nothing.
fn stores(kind: &InstKind, to: &Operand) -> Option<bool> {
    match kind {
        InstKind::AtomicEnd => Some(false),
        InstKind::Store { addr, .. } if addr == to => Some(true),
        _ => None,
    }
}
