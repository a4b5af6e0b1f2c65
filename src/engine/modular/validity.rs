//! Memory safety: does every access stay inside of an object that lives?
//!
//! Proven only where it is evident, so without any assumption: addresses that are nothing but addresses (no
//! null, nothing that was never written), offsets inside of a global, of a thread's own thread-local
//! variable, or of one of its own slots. A slot lives where it is named; where it is reached through a
//! pointer, it must live as long as its function. What is constant is not written to. Of heap blocks those are
//! followed that one thread has for itself (`blocks.rs`). A call through a pointer that is no function,
//! and a thread that may be joined twice, stop the proof. Why this carries over to any number of threads:
//! the walk covers every access of every execution (`interference.rs`), and what is evident of an access
//! does not depend on what other threads do.

use super::interval::Interval;
use super::state::State;
use super::value::{Base, Ownership, Region, Value};
use super::walk::Walk;
use ir::*;

impl Walk<'_, '_> {
    /// Something that is not proven, where it is asked for.
    pub fn flaw(&mut self, what: &'static str) {
        if self.logging && self.interference.question.memory {
            self.log.flaws.insert((self.span, what));
        }
    }

    /// An address leads nowhere; if there is one at all, that is an invalid access.
    pub fn miss(&mut self, address: &Value) {
        self.miss_if(true, address);
    }

    pub fn miss_if(&mut self, nowhere: bool, address: &Value) {
        if nowhere && !address.is_bottom() {
            self.flaw("an access through null");
        }
    }

    /// An access to one of the places that an address may be.
    pub fn judge(
        &mut self,
        state: &State,
        direct: bool,
        address: &Value,
        (base, at): (Base, Interval),
        size: u64,
        write: bool,
    ) {
        let lasting = base.owner == Ownership::Own && self.lasts(base.region)
            || self.slot_lives(state, base) && !self.is_made_constant(base.region);
        let inside = match base.region {
            Region::Heap(..) => self.is_own_block(state, base, at, size),
            _ => self.is_evident(direct || lasting, address, base, at, size),
        };
        if address.num.is_some() || !inside {
            self.flaw("an access that may be outside of a living object");
        }
        if write && self.is_constant(base.region) {
            self.flaw("something constant that is written to");
        }
    }

    fn is_constant(&self, region: Region) -> bool {
        let Region::Object(id) = region else { return false };
        self.interference.flat.program.objects[id.index()].kind == ObjectKind::Constant
    }

    fn is_made_constant(&self, region: Region) -> bool {
        let Region::Slot(_, slot) = region else { return false };
        let of =
            |inst: &Inst| matches!(inst.kind, InstKind::SlotConst { slot: s, .. } if s == slot);
        self.function.blocks.iter().any(|block| block.insts.iter().any(of))
    }

    /// Does the slot end, or become constant, only where the function does?
    fn lasts(&self, region: Region) -> bool {
        let Region::Slot(template, slot) = region else { return false };
        let of = |inst: &Inst| matches!(inst.kind, InstKind::SlotDead(s) | InstKind::SlotConst { slot: s, .. } if s == slot);
        let harmless =
            |inst: &Inst| matches!(inst.kind, InstKind::SlotDead(_) | InstKind::Assign { .. });
        let ends = |block: &Block| match block.insts.iter().position(of) {
            None => true,
            Some(i) => {
                block.insts[i..].iter().all(harmless)
                    && matches!(block.end, Terminator::Return(_) | Terminator::ExitThread(_))
            }
        };
        let lives = |block: &Block| {
            block
                .insts
                .iter()
                .filter(|i| matches!(i.kind, InstKind::SlotLive(s) if s == slot))
                .count()
        };
        template == self.template
            && self.function.blocks.iter().all(ends)
            && self.function.blocks.iter().map(lives).sum::<usize>() <= 1
            && self.lives_from_the_start(slot)
    }

    /// Nothing but the first block makes the slot, so a pointer to it is one to this very object.
    fn lives_from_the_start(&self, slot: SlotId) -> bool {
        let made = |block: &Block| {
            block.insts.iter().any(|i| matches!(i.kind, InstKind::SlotLive(s) if s == slot))
        };
        !self.function.blocks.iter().skip(1).any(made)
    }
}
