//! Arrays of variable length: can the length be negative?
//!
//! Such a declaration is undefined (C11 6.7.6.2 paragraph 5), and the lowering makes a branch to an
//! `Unsupported` of it. Where constants say that it is taken, it stays. Where they say nothing, the
//! length comes from an input or a loop; that it is no negative one is an assumption of the verdict
//! then, and executions in which it is end there.
//!
//! Cost: a look at each instruction, and constant propagation in functions with such arrays.

use super::constants::{Constants, decided};
use ir::types::Scalar;
use ir::*;

/// What the lowering says of such a declaration.
pub const NEGATIVE: &str = "an array with a negative length, or larger than memory";

const ASSUMPTION: &str = "the length of an array is not negative, and its size fits into memory";

pub fn settle(program: &mut Program) {
    for f in 0..program.functions.len() {
        let open = open_blocks(program, f);
        for block in open {
            let inst = &mut program.functions[f].blocks[block.index()].insts[0];
            program.ignored.push((ASSUMPTION.to_owned(), inst.span));
            inst.kind = InstKind::Assume(Operand::Const { bits: 0, ty: Scalar::I32 });
        }
    }
}

/// The blocks that say so, where constants do not tell whether they are reached.
fn open_blocks(program: &Program, f: usize) -> Vec<BlockId> {
    let function = &program.functions[f];
    let blocks = || (0..function.blocks.len() as u32).map(BlockId);
    let says = |b: &BlockId| match function.blocks[b.index()].insts.first().map(|i| &i.kind) {
        Some(InstKind::Unsupported { what }) => what == NEGATIVE,
        _ => false,
    };
    let found: Vec<BlockId> = blocks().filter(says).collect();
    if found.is_empty() {
        return found;
    }
    let constants = Constants::new(program, function);
    let goes_there = |b: BlockId| {
        let before = blocks().filter(|p| {
            matches!(function.blocks[p.index()].end, Terminator::Branch { then, .. } if then == b)
        });
        let mut known = before.filter_map(|p| Some((p, constants.at_end(program, function, p)?)));
        known.any(|(p, known)| decided(&function.blocks[p.index()].end, &known) == Some(b))
    };
    let reached = |b: &BlockId| constants.at_start(*b).is_some();
    found.into_iter().filter(|b| reached(b) && !goes_there(*b)).collect()
}

#[cfg(test)]
mod tests {
    use crate::from_c::program;

    #[test]
    fn only_unknown_lengths_are_assumed() {
        let of = |length: &str| {
            let text = format!("int main(void) {{ int n = {length}; int a[n]; return sizeof a; }}");
            let program = program(&text);
            let text = ir::print::program(&program);
            (!program.ignored.is_empty(), text.contains(super::NEGATIVE))
        };
        assert_eq!(of("-1"), (false, true));
        assert!(!of("3").0);
        assert_eq!(of("__VERIFIER_nondet_int()"), (true, false));
    }
}
