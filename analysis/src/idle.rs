//! Idle iterations: a thread that has changed nothing since the head of a loop does not go back there.
//!
//! A loop that tries again (`while (!CAS(...))` with help for others on the way) has iterations that store
//! something and others that have only looked. One that has only looked, and goes back, is left out of an
//! execution without a trace: the thread is at the head as before, memory is as before, and reads (and
//! fences) that are missing forbid nothing. So it is enough to follow executions without any. A register says
//! whether the present iteration has changed something: a store, whatever else others may notice, or a
//! register whose value at the head matters. On the way back it is assumed to say so.
//!
//! `spin.rs` is for loops of which no iteration that goes back changes anything. This pass is for the others,
//! under memory models in which events of reads and fences may be left out.
//!
//! Invariant: every execution that is left is one of the program (the thread was not scheduled again), and if
//! the program violates a property in a thread's own step, so does an execution that is left.
//! Cost: linear in the program, besides liveness.

use super::live::Live;
use super::loops::{self, LoopInfo, LoopKind};
use super::pure::{Purities, Purity};
use ir::cfg::Cfg;
use ir::types::Scalar;
use ir::*;
use ir::{atomic, walk};
use rustc_hash::FxHashSet;

/// Is a violation the step of one thread, which an idle iteration of it, or of another, does not make? Or that
/// all wait or have ended, of which none goes back to the head of a loop any more?
pub fn is_sound_for(property: Property) -> bool {
    matches!(property, Property::UnreachCall | Property::NoOverflow | Property::NoDeadlock)
}

/// Cuts idle iterations; gives the number of loops that may have some.
pub fn cut(program: &mut Program) -> usize {
    let purities = Purities::new(program);
    let inside = atomic::called_inside(program);
    let mut count = 0;
    for (i, inside) in inside.into_iter().enumerate() {
        let found = if inside { Vec::new() } else { find(program, FuncId(i as u32), &purities) };
        count += found.len();
        apply(&mut program.functions[i], &found);
    }
    count
}

/// A loop, and the instructions that change something for those who are at its head or elsewhere.
struct IdleLoop {
    info: LoopInfo,
    effects: FxHashSet<(BlockId, usize)>,
}

fn find(program: &Program, id: FuncId, purities: &Purities) -> Vec<IdleLoop> {
    let function = &program.functions[id.index()];
    let cfg = Cfg::new(function);
    let all = loops::loops_in(function, id, &cfg);
    if all.is_empty() {
        return Vec::new();
    }
    let live = Live::new(function, &cfg);
    let depths = atomic::Depths::new(function, |_| {});
    let outside = |l: &LoopInfo| l.kind == LoopKind::Natural && depths.at(l.head) == Some(0);
    let wanted = all.into_iter().filter(outside).map(|info| {
        let at_head = live.at_start(info.head);
        let changes = |inst: &Inst| {
            let matters = walk::defined(&inst.kind).is_some_and(|reg| at_head.contains(&reg));
            // The kernel's critical sections come in pairs.
            let kernel = matches!(inst.kind, InstKind::Fence { kernel: Some(_), .. });
            matters
                || kernel
                || matches!(inst.kind, InstKind::Store { .. })
                || purities.inst(program, &inst.kind) == Purity::Effects
        };
        let of_block = |b: &BlockId| {
            let insts = function.blocks[b.index()].insts.iter().enumerate();
            insts.filter(|(_, inst)| changes(inst)).map(|(n, _)| (*b, n)).collect::<Vec<_>>()
        };
        let effects = info.body.iter().flat_map(of_block).collect();
        IdleLoop { info, effects }
    });
    wanted.filter(|found| may_be_idle(function, found)).collect()
}

/// Is there a way back to the head without an effect? If there is nothing else, `spin` knows better.
fn may_be_idle(function: &Function, IdleLoop { info, effects }: &IdleLoop) -> bool {
    let quiet = |b: BlockId| !effects.iter().any(|(block, _)| *block == b);
    let (mut open, mut seen) = (vec![info.head], FxHashSet::default());
    while let Some(block) = open.pop() {
        if !quiet(block) || !seen.insert(block) {
            continue;
        }
        for next in function.blocks[block.index()].end.successors() {
            if next == info.head {
                return !effects.is_empty();
            }
            open.extend(info.body.binary_search(&next).is_ok().then_some(next));
        }
    }
    false
}

fn apply(function: &mut Function, found: &[IdleLoop]) {
    for IdleLoop { info, .. } in found {
        let reg = RegInfo { name: None, ty: Scalar::I32, of: None, span: info.span };
        function.regs.push(reg);
    }
    let first = function.regs.len() - found.len();
    let flag = |at: usize| Reg((first + at) as u32);
    let set = |at: usize, bits: u64, stands: At| {
        let value = Rvalue::Use(Operand::Const { bits, ty: Scalar::I32 });
        Inst::new(InstKind::Assign { dst: flag(at), value }, stands)
    };
    // What is made stands for the loop's head, or for the effect that it tells.
    let heads: Vec<At> = found
        .iter()
        .map(|f| At { span: f.info.span, ..function.blocks[f.info.head.index()].at(0) })
        .collect();
    for (b, block) in function.blocks.iter_mut().enumerate() {
        let b = BlockId(b as u32);
        let mut insts = Vec::with_capacity(block.insts.len());
        let begins = found.iter().enumerate().filter(|(_, f)| f.info.head == b);
        insts.extend(begins.map(|(at, _)| set(at, 0, heads[at])));
        for (n, inst) in std::mem::take(&mut block.insts).into_iter().enumerate() {
            let stands = inst.at();
            insts.push(inst);
            let told = found.iter().enumerate().filter(|(_, f)| f.effects.contains(&(b, n)));
            insts.extend(told.map(|(at, _)| set(at, 1, stands)));
        }
        block.insts = insts;
    }
    for (at, IdleLoop { info, .. }) in found.iter().enumerate() {
        let kind = InstKind::Assume(Operand::Reg(flag(at)));
        let insts = vec![Inst::new(kind, heads[at])];
        let back = BlockId(function.blocks.len() as u32);
        let end = Terminator::Goto(info.head);
        function.blocks.push(Block::new(insts, end, heads[at]));
        for latch in &info.latches {
            let targets = walk::targets_mut(&mut function.blocks[latch.index()].end);
            targets.into_iter().filter(|t| **t == info.head).for_each(|t| *t = back);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::parse;
    use ir::{print, verify};

    fn cut_text(lines: &str) -> (usize, String) {
        let text =
            format!("global x\nglobal y\nfn main(n) {{\na: e = 0\ngoto h\n{lines}\no: ret e\n}}");
        let mut program = parse(&text);
        let count = cut(&mut program);
        assert_eq!(verify::program(&program), []);
        (count, print::program(&program))
    }

    #[test]
    fn who_only_looked_does_not_go_back() {
        let (count, text) = cut_text("h: t = load @x\nif t b h\nb: store @y 1\nif t h o");
        assert_eq!(count, 1);
        assert_eq!(text.matches("assume").count(), 1, "{text}");
    }

    #[test]
    fn who_always_changes_something_is_left_alone() {
        assert_eq!(cut_text("h: t = load @x\nstore @y 1\nif t h o").0, 0);
        assert_eq!(cut_text("h: e = e + 1\nt = load @x\nif t h o").0, 0);
    }

    #[test]
    fn loops_that_only_look_are_for_the_other_pass() {
        assert_eq!(cut_text("h: t = load @x\nif t h o").0, 0);
    }

    #[test]
    fn loops_in_atomic_blocks_stay() {
        let text = "global x\nglobal y\nfn main(n) {\na: begin\ngoto h\nh: t = load @x\nif t b h\nb: store @y 1\nif t h o\no: end\nret 0\n}";
        let mut program = parse(text);
        assert_eq!(cut(&mut program), 0);
    }
}
