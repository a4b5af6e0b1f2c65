//! Branches that only ask what another branch has decided.
//!
//! `if (a && b)` is lowered to a register that is set on three ways, which meet in a block that
//! branches on it. A state there is the join of the three, and knows neither `a` nor `b`. So each way
//! gets a copy of such a block of its own. (Heads of loops stay: loops are known by them.)

use ir::cfg::Cfg;
use ir::*;

/// Instructions of a block that is copied, at most, and blocks that a function may get.
const SHORT: usize = 3;
const GROWTH: usize = 2;

pub fn thread_jumps(function: &mut Function) {
    let limit = function.blocks.len() * GROWTH + 16;
    let cfg = Cfg::new(function);
    // Backwards: a block that is copied may lead to one that was.
    for block in cfg.order.iter().rev() {
        let preds = &cfg.preds[block.index()];
        let place = cfg.place(*block);
        let is_head = preds.iter().any(|p| cfg.place(*p) >= place);
        if preds.len() < 2 || is_head || !asks_only(&function.blocks[block.index()]) {
            continue;
        }
        for pred in &preds[1..] {
            if function.blocks.len() >= limit {
                return;
            }
            split(function, *pred, *block);
        }
        // What only jumps there goes on with the copy itself, so that it sees the condition's origin.
        absorb(function, preds[0], *block);
    }
}

fn asks_only(block: &Block) -> bool {
    let pure = |inst: &Inst| matches!(inst.kind, InstKind::Assign { .. });
    let branches = matches!(block.end, Terminator::Branch { .. });
    branches && block.insts.len() <= SHORT && block.insts.iter().all(pure)
}

/// The way from `from` gets a copy of `to`.
fn split(function: &mut Function, from: BlockId, to: BlockId) {
    if matches!(function.blocks[from.index()].end, Terminator::Goto(_)) {
        return absorb(function, from, to);
    }
    let copy = BlockId(function.blocks.len() as u32);
    let block = function.blocks[to.index()].clone();
    function.blocks.push(block);
    for target in ir::walk::targets_mut(&mut function.blocks[from.index()].end) {
        if *target == to {
            *target = copy;
        }
    }
}

/// If `from` only jumps to `to`, it takes its instructions and its end.
fn absorb(function: &mut Function, from: BlockId, to: BlockId) {
    if !matches!(function.blocks[from.index()].end, Terminator::Goto(target) if target == to) {
        return;
    }
    let Block { insts, end, end_span, .. } = function.blocks[to.index()].clone();
    let block = &mut function.blocks[from.index()];
    block.insts.extend(insts);
    (block.end, block.end_span) = (end, end_span);
}
