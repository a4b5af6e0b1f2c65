//! Makes functions smaller without changing what they do: known constants are written out, decided
//! branches become jumps, empty blocks and straight lines are merged, and what cannot be reached
//! or is never read goes.
//!
//! A block that is the head of a loop stays even if it is empty: without it two loops could become
//! one, and names and bounds of loops would change. Loads stay too, as they may race or fail.

use super::constants::{self, Constants, KnownValues};
use super::loops;
use ir::cfg::Cfg;
use ir::walk;
use ir::*;
use rustc_hash::FxHashSet;

pub fn simplify(program: &mut Program) {
    let mut functions = std::mem::take(&mut program.functions);
    for function in functions.iter_mut().filter(|f| f.has_body()) {
        simplify_function(program, function);
    }
    program.functions = functions;
}

/// Asks the program for its objects and the machine, not for other functions.
pub(crate) fn simplify_function(program: &Program, function: &mut Function) {
    write_out_constants(program, function);
    drop_unread(function);
    thread_jumps(function);
    merge_lines(function);
}

fn write_out_constants(program: &Program, function: &mut Function) {
    let constants = Constants::new(program, function);
    let mut blocks = std::mem::take(&mut function.blocks);
    for (i, block) in blocks.iter_mut().enumerate() {
        let Some(mut known) = constants.at_start(BlockId(i as u32)).cloned() else { continue };
        for inst in &mut block.insts {
            for operand in walk::operands_mut(&mut inst.kind) {
                substitute(operand, &known);
            }
            constants::step(program, function, &mut known, &inst.kind);
            write_out_result(&mut inst.kind, &known);
        }
        if let Some(operand) = walk::end_operand_mut(&mut block.end) {
            substitute(operand, &known);
        }
        if let Some(target) = constants::decided(&block.end, &known) {
            block.end = Terminator::Goto(target);
        }
        block.insts.retain(|i| !always_holds(&i.kind));
    }
    function.blocks = blocks;
}

fn always_holds(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Assume(c) if constants::truth(&KnownValues::default(), c) == Some(true))
}

fn write_out_result(kind: &mut InstKind, known: &KnownValues) {
    match kind {
        InstKind::Assign { dst, value } => {
            if let Some(constant) = known.get(dst) {
                *value = Rvalue::Use(*constant);
            }
        }
        InstKind::Call { callee, .. } => {
            if let Callee::Indirect(Operand::Function(f)) = callee {
                *callee = Callee::Direct(*f);
            }
        }
        _ => {}
    }
}

fn substitute(operand: &mut Operand, known: &KnownValues) {
    if let Some(constant) = constants::constant(known, operand) {
        *operand = constant;
    }
}

/// Drops assignments to temporaries that are never read. Named registers stay: traces show them.
fn drop_unread(function: &mut Function) {
    loop {
        let mut read = vec![false; function.regs.len()];
        for block in &function.blocks {
            let insts = block.insts.iter().flat_map(|i| walk::operands(&i.kind));
            for operand in insts.chain(walk::end_operand(&block.end)) {
                if let Operand::Reg(r) = operand {
                    read[r.index()] = true;
                }
            }
        }
        let regs = &function.regs;
        let useless = |inst: &Inst| match &inst.kind {
            InstKind::Assign { dst, value } => {
                regs[dst.index()].name.is_none() && !read[dst.index()] && is_harmless(value)
            }
            _ => false,
        };
        let mut dropped = false;
        for block in &mut function.blocks {
            let before = block.insts.len();
            block.insts.retain(|i| !useless(i));
            dropped |= block.insts.len() < before;
        }
        if !dropped {
            return;
        }
    }
}

/// Can computing this neither trap nor be reported?
pub fn is_harmless(value: &Rvalue) -> bool {
    match value {
        Rvalue::Use(_) | Rvalue::Undef(_) => true,
        Rvalue::Cast { from, to, .. } => to.is_float() || !from.is_float(),
        Rvalue::PtrAdd { .. } => false,
        Rvalue::Unary { checked, .. } => !checked,
        Rvalue::Binary { op, checked, ty, .. } => {
            !checked && (ty.is_float() || !matches!(op, BinOp::Div | BinOp::Rem))
        }
    }
}

/// Lets jumps to an empty block go where it goes.
fn thread_jumps(function: &mut Function) {
    if function.blocks.iter().any(|b| passes_on(b).is_some()) {
        let end = ends_of_jumps(function);
        for block in &mut function.blocks {
            for target in walk::targets_mut(&mut block.end) {
                *target = end[target.index()];
            }
        }
    }
    for block in &mut function.blocks {
        if let Terminator::Branch { then, otherwise, .. } = block.end {
            if then == otherwise {
                block.end = Terminator::Goto(then);
            }
        }
    }
}

/// Where an empty block goes.
fn passes_on(block: &Block) -> Option<BlockId> {
    match block.end {
        Terminator::Goto(to) if block.insts.is_empty() => Some(to),
        _ => None,
    }
}

/// For each block where a jump to it comes to something.
fn ends_of_jumps(function: &Function) -> Vec<BlockId> {
    let cfg = Cfg::new(function);
    let loops = loops::loops_in(function, FuncId(0), &cfg);
    let heads: FxHashSet<BlockId> = loops.iter().map(|l| l.head).collect();
    // Backwards: where a jump goes on, its end is already known, except back to a head, which stays.
    let mut end: Vec<BlockId> = (0..function.blocks.len() as u32).map(BlockId).collect();
    for b in cfg.order.into_iter().rev().filter(|b| !heads.contains(b)) {
        if let Some(to) = passes_on(&function.blocks[b.index()]) {
            end[b.index()] = end[to.index()];
        }
    }
    end
}

/// Appends a block to the only one that jumps to it, and drops what no path reaches.
fn merge_lines(function: &mut Function) {
    let cfg = Cfg::new(function);
    let only_pred = |b: BlockId| match cfg.preds[b.index()][..] {
        [p] if b.0 != 0 && p != b => Some(p),
        _ => None,
    };
    // In reverse postorder, so that a line is merged from its start.
    let mut into: Vec<BlockId> = (0..function.blocks.len() as u32).map(BlockId).collect();
    for &b in &cfg.order {
        let Some(p) = only_pred(b) else { continue };
        if function.blocks[into[p.index()].index()].end != Terminator::Goto(b) {
            continue;
        }
        let target = into[p.index()];
        into[b.index()] = target;
        let hollow = Block::new(vec![], Terminator::Stop(Stop::Unreachable), At::NOWHERE);
        let mut tail = std::mem::replace(&mut function.blocks[b.index()], hollow);
        let block = &mut function.blocks[target.index()];
        block.insts.append(&mut tail.insts);
        block.end = tail.end;
        (block.end_span, block.end_id) = (tail.end_span, tail.end_id);
    }
    keep(function, |b| cfg.is_reachable(b) && into[b.index()] == b);
}

/// Drops the other blocks, to which no jump of these goes.
fn keep(function: &mut Function, stays: impl Fn(BlockId) -> bool) {
    let mut new = vec![BlockId(0); function.blocks.len()];
    let mut count = 0;
    for (i, id) in new.iter_mut().enumerate() {
        *id = BlockId(count);
        count += u32::from(stays(BlockId(i as u32)));
    }
    if count as usize == new.len() {
        return;
    }
    let mut index = 0;
    function.blocks.retain(|_| {
        index += 1;
        stays(BlockId(index - 1))
    });
    for block in &mut function.blocks {
        for target in walk::targets_mut(&mut block.end) {
            *target = new[target.index()];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::{parse, random_program, run};
    use ir::{print, verify};

    fn simplified(text: &str) -> Program {
        let mut p = parse(text);
        simplify(&mut p);
        assert_eq!(verify::program(&p), []);
        p
    }

    #[test]
    fn a_decided_branch_leaves_one_block() {
        let p = simplified(
            "fn main() {
             a: x = 2
             y = x * 3
             c = y == 6
             if c b d
             b: goto e
             d: y = nondet
             goto e
             e: ret y
             }",
        );
        let text = print::program(&p);
        assert_eq!(p.functions[0].blocks.len(), 1, "{text}");
        assert!(text.contains("return 6"), "{text}");
    }

    #[test]
    fn a_loop_variable_is_no_constant() {
        let p = simplified(
            "fn main() {
             a: x = 0
             k = 4
             goto b
             b: c = x < k
             if c d e
             d: x = x + 1
             goto b
             e: ret x
             }",
        );
        let text = print::program(&p);
        assert!(text.contains("lt i32 x.0, 4"), "{text}");
        assert!(text.contains("return x.0"), "{text}");
    }

    #[test]
    fn empty_loop_heads_stay() {
        let p = simplified(
            "fn main(c) {
             a: goto outer
             outer: goto inner
             inner: x = nondet
             if x inner last
             last: if c outer out
             out: ret
             }",
        );
        assert_eq!(loops::loops(&p).len(), 2);
    }

    #[test]
    fn overflow_that_counts_is_kept() {
        let mut p = parse("fn main() {\na: x = 2147483647\ny = x + 1\nret y\n}");
        let InstKind::Assign { value: Rvalue::Binary { checked, .. }, .. } =
            &mut p.functions[0].blocks[0].insts[1].kind
        else {
            panic!()
        };
        *checked = true;
        simplify(&mut p);
        let text = print::program(&p);
        assert!(text.contains("add i32 2147483647, 1 checked"), "{text}");
    }

    #[test]
    fn a_known_function_is_called_directly() {
        let p = simplified("fn f() {\na: ret 1\n}\nfn main() {\na: p = &f\nt = call p()\nret t\n}");
        assert!(print::program(&p).contains("call f()"));
    }

    #[test]
    fn elements_inside_an_object_become_addresses() {
        let mut p = parse("global x\nfn main() {\na: p = @x\nt = load p\nret t\n}");
        let add = |bits| {
            let value = Rvalue::PtrAdd {
                base: Operand::Object { object: ObjectId(0), offset: 0 },
                index: Operand::Const { bits, ty: ir::types::Scalar::Ptr },
                scale: 4,
            };
            Inst::new(InstKind::Assign { dst: Reg(0), value }, Span::NONE)
        };
        let mut far = p.clone();
        p.functions[0].blocks[0].insts[0] = add(1);
        far.functions[0].blocks[0].insts[0] = add(u64::MAX);
        simplify(&mut p);
        simplify(&mut far);
        assert!(print::program(&p).contains("load i32 @x+4"));
        assert!(print::program(&far).contains("load i32 p.0"));
    }

    #[test]
    fn random_programs_do_the_same() {
        for seed in 0..400 {
            let text = random_program(seed);
            let before = parse(&text);
            let after = simplified(&text);
            for input in 0..4 {
                let (a, b) = (run(&before, input, 4000), run(&after, input, 4000));
                if b.end != ir::testing::End::Steps && a.end != ir::testing::End::Steps {
                    assert_eq!((a.end, a.stores), (b.end, b.stores), "{text}");
                }
            }
        }
    }
}
