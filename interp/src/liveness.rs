//! Which registers matter at which point of a function.
//!
//! A register whose value will not be read again must not tell two states apart, nor keep a dead
//! object's address reserved. Classic backward analysis, once per function; afterwards a table with
//! one bit set per program point.

use ir::types::Scalar;
use ir::{Block, BlockId, Callee, Function, Inst, InstKind, Operand, Reg, Rvalue, Terminator};

/// Live registers before each instruction of each block; the last point is the terminator's.
#[derive(Clone, Debug)]
pub struct Liveness {
    words: usize,
    /// Per block: where its points start in `bits`, in points.
    starts: Vec<usize>,
    bits: Vec<u64>,
}

impl Liveness {
    pub fn of(func: &Function) -> Liveness {
        let words = func.regs.len().div_ceil(64);
        let mut starts = Vec::with_capacity(func.blocks.len());
        let mut points = 0;
        for block in &func.blocks {
            starts.push(points);
            points += block.insts.len() + 1;
        }
        let mut live = Liveness { words, starts, bits: vec![0; points * words] };
        live.solve(func);
        live
    }

    /// Where leaks are looked for, the user's pointers matter until the end: a block that one of
    /// them names is not lost at `exit`, whether or not it will be read again.
    pub fn with_pointers(func: &Function) -> Liveness {
        let mut live = Liveness::of(func);
        let named = |r: &ir::RegInfo| r.name.is_some() && r.ty == Scalar::Ptr;
        for (i, _) in func.regs.iter().enumerate().filter(|(_, r)| named(r)) {
            for point in live.bits.chunks_mut(live.words) {
                point[i / 64] |= 1 << (i % 64);
            }
        }
        live
    }

    /// The registers live before instruction `index` of the block (its terminator's index is the
    /// number of instructions).
    pub fn before(&self, block: BlockId, index: usize) -> impl Iterator<Item = Reg> + '_ {
        self.set(block.index(), index).iter().enumerate().flat_map(|(i, &word)| {
            let mut word = word;
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros();
                    word &= word - 1;
                    Reg(i as u32 * 64 + bit)
                })
            })
        })
    }

    fn set(&self, block: usize, index: usize) -> &[u64] {
        let at = (self.starts[block] + index) * self.words;
        &self.bits[at..at + self.words]
    }

    /// Iterates to the fixpoint, last blocks first.
    fn solve(&mut self, func: &Function) {
        let mut live = vec![0; self.words];
        let mut changed = true;
        while changed {
            changed = false;
            for (i, block) in func.blocks.iter().enumerate().rev() {
                changed |= self.solve_block(i, block, &mut live);
            }
        }
    }

    /// Did the set at the block's start grow? `live` is room to work in.
    fn solve_block(&mut self, index: usize, block: &Block, live: &mut [u64]) -> bool {
        live.fill(0);
        for next in block.end.successors() {
            if next.index() < self.starts.len() {
                live.iter_mut().zip(self.set(next.index(), 0)).for_each(|(a, b)| *a |= b);
            }
        }
        terminator_uses(&block.end, &mut |op| mark(live, op));
        let mut grew = self.put(index, block.insts.len(), live);
        for (i, inst) in block.insts.iter().enumerate().rev() {
            if let Some(Reg(r)) = defined(inst) {
                live[r as usize / 64] &= !(1 << (r % 64));
            }
            uses(inst, &mut |op| mark(live, op));
            grew = self.put(index, i, live);
        }
        grew
    }

    /// Is it another set than before?
    fn put(&mut self, block: usize, index: usize, live: &[u64]) -> bool {
        let at = (self.starts[block] + index) * self.words;
        let set = &mut self.bits[at..at + self.words];
        let other = set != live;
        set.copy_from_slice(live);
        other
    }
}

fn mark(live: &mut [u64], op: &Operand) {
    if let Operand::Reg(Reg(r)) = op {
        live[*r as usize / 64] |= 1 << (r % 64);
    }
}

/// The register that an instruction writes.
pub fn defined(inst: &Inst) -> Option<Reg> {
    match &inst.kind {
        InstKind::Assign { dst, .. }
        | InstKind::Load { dst, .. }
        | InstKind::Nondet { dst, .. }
        | InstKind::Spawn { dst, .. }
        | InstKind::Join { dst, .. }
        | InstKind::Ended { dst, .. }
        | InstKind::ThreadSelf { dst }
        | InstKind::Alloc { dst, .. }
        | InstKind::ObjectSize { dst, .. } => Some(*dst),
        InstKind::Call { dst, .. } => *dst,
        _ => None,
    }
}

fn uses(inst: &Inst, f: &mut impl FnMut(&Operand)) {
    match &inst.kind {
        InstKind::Assign { value, .. } => rvalue_uses(value, f),
        InstKind::Load { addr, .. } => f(addr),
        InstKind::Store { addr, value, .. } => {
            f(addr);
            f(value);
        }
        InstKind::Call { callee, args, .. } => {
            if let Callee::Indirect(op) = callee {
                f(op);
            }
            args.iter().for_each(f);
        }
        InstKind::Assume(op) | InstKind::Wait(op) => f(op),
        InstKind::Spawn { place, function, arg, .. } => {
            place.iter().for_each(&mut *f);
            f(function);
            f(arg);
        }
        InstKind::Join { thread, .. } | InstKind::Ended { thread, .. } => f(thread),
        InstKind::Alloc { size, .. } => f(size),
        InstKind::Free { ptr, .. } | InstKind::ObjectSize { ptr, .. } => f(ptr),
        InstKind::SlotLive(_)
        | InstKind::SlotDead(_)
        | InstKind::SlotConst { .. }
        | InstKind::Nondet { .. }
        | InstKind::Error { .. }
        | InstKind::AtomicBegin { .. }
        | InstKind::AtomicEnd
        | InstKind::Fence { .. }
        | InstKind::ThreadSelf { .. }
        | InstKind::Unsupported { .. } => {}
    }
}

fn rvalue_uses(value: &Rvalue, f: &mut impl FnMut(&Operand)) {
    match value {
        Rvalue::Undef(_) => {}
        Rvalue::Use(a) | Rvalue::Unary { a, .. } | Rvalue::Cast { a, .. } => f(a),
        Rvalue::Binary { a, b, .. } => {
            f(a);
            f(b);
        }
        Rvalue::PtrAdd { base, index, .. } => {
            f(base);
            f(index);
        }
    }
}

fn terminator_uses(end: &Terminator, f: &mut impl FnMut(&Operand)) {
    match end {
        Terminator::Branch { cond, .. } => f(cond),
        Terminator::Switch { value, .. } => f(value),
        Terminator::Return(Some(value)) | Terminator::ExitThread(value) => f(value),
        Terminator::Goto(_) | Terminator::Return(None) | Terminator::Stop(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{FunctionBuilder, int};
    use ir::BinOp;

    #[test]
    fn a_register_lives_through_empty_blocks_in_any_order() {
        let mut f = FunctionBuilder::new("f");
        let x = f.reg();
        let (last, middle, first) = (f.block(), f.block(), f.block());
        f.set(x, int(1)).goto(first);
        f.at(first).goto(middle);
        f.at(middle).goto(last);
        f.at(last).ret(Some(Operand::Reg(x)));
        let live = Liveness::of(&f.build());
        for block in [first, middle, last] {
            assert_eq!(live.before(block, 0).collect::<Vec<_>>(), [x]);
        }
        assert_eq!(live.before(BlockId(0), 1).collect::<Vec<_>>(), [x]);
    }

    #[test]
    fn loop_variable_lives_round_the_loop_and_not_after() {
        let mut f = FunctionBuilder::new("f");
        let (i, c, t) = (f.reg(), f.reg(), f.reg());
        let (head, body, exit) = (f.block(), f.block(), f.block());
        f.set(i, int(0)).goto(head);
        f.at(head).binary(c, BinOp::Lt, Operand::Reg(i), int(3));
        f.branch(Operand::Reg(c), body, exit);
        f.at(body)
            .binary(t, BinOp::Add, Operand::Reg(i), int(1))
            .set(i, Operand::Reg(t))
            .goto(head);
        f.at(exit).ret(Some(int(0)));
        let live = Liveness::of(&f.build());
        let at = |b: BlockId, n| live.before(b, n).collect::<Vec<_>>();
        assert_eq!(at(BlockId(0), 0), []);
        assert_eq!(at(head, 0), [i]);
        assert_eq!(at(head, 1), [i, c]);
        assert_eq!(at(body, 1), [t]);
        assert_eq!(at(exit, 0), []);
    }
}
