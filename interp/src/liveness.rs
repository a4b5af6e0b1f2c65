//! Which registers matter at which point of a function.
//!
//! A register whose value will not be read again must not tell two states apart, nor keep a dead
//! object's address reserved. `analysis::live` finds these, once per function.

use analysis::live::LivePoints;
use ir::types::Scalar;
use ir::{BlockId, Function, Reg, RegInfo};

#[derive(Clone, Debug)]
pub struct Liveness {
    live: LivePoints,
    /// Matter everywhere, ascending.
    always: Vec<Reg>,
}

impl Liveness {
    pub fn of(func: &Function) -> Liveness {
        Liveness { live: LivePoints::new(func), always: Vec::new() }
    }

    /// Where leaks are looked for, the user's pointers matter until the end: a block that one of
    /// them names is not lost at `exit`, whether or not it will be read again.
    pub(crate) fn with_pointers(func: &Function) -> Liveness {
        let named = |r: &RegInfo| r.name.is_some() && r.ty == Scalar::Ptr;
        let pointers = func.regs.iter().enumerate().filter(|(_, r)| named(r));
        Liveness { always: pointers.map(|(i, _)| Reg(i as u32)).collect(), ..Liveness::of(func) }
    }

    /// The registers that matter before instruction `index` of the block, always in the same order.
    pub fn before(&self, block: BlockId, index: usize) -> impl Iterator<Item = Reg> + '_ {
        let live = self.live.before(block, index).iter().copied();
        let others = live.filter(|r| self.always.binary_search(r).is_err());
        others.chain(self.always.iter().copied())
    }
}
