//! Calls through pointers become choices between direct calls.
//!
//! `(*p)(x)` with the possible targets f and g becomes: if p is &f call f, else if p is &g call g,
//! else the old call. The comparisons are `checked`: a pointer that was never given a value must not
//! be found to be f by chance. After this pass an indirect call that is left behind a choice can
//! only be an invalid access; calls whose targets are not known, or too many, are left alone and
//! counted.

use super::points_to::{Context, Pointee, PointsTo};
use ir::types::Scalar;
use ir::*;

/// More targets than this are not spelled out.
const MAX_TARGETS: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Resolved {
    pub calls: usize,
    /// Calls whose pointer may be anything or has too many targets.
    pub left: usize,
}

pub fn resolve(program: &mut Program) -> Resolved {
    let insts = program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
    let indirect = |i: &Inst| matches!(i.kind, InstKind::Call { callee: Callee::Indirect(_), .. });
    if !insts.into_iter().any(indirect) {
        return Resolved::default();
    }
    let points_to = PointsTo::new(program, Context::Insensitive);
    let mut resolved = Resolved::default();
    for i in 0..program.functions.len() {
        let id = FuncId(i as u32);
        // Only the blocks that are there now: what we append needs no second look, except the rest
        // of a split block, which `resolve_block` walks itself.
        for b in 0..program.functions[i].blocks.len() {
            resolve_block(&mut program.functions[i], id, b, &points_to, &mut resolved);
        }
    }
    resolved
}

fn resolve_block(
    function: &mut Function,
    id: FuncId,
    mut block: usize,
    points_to: &PointsTo,
    resolved: &mut Resolved,
) {
    let mut at = 0;
    while at < function.blocks[block].insts.len() {
        if let InstKind::Call { callee: Callee::Indirect(pointer), .. } =
            function.blocks[block].insts[at].kind
        {
            match targets(points_to, id, &pointer) {
                Some(targets) => {
                    resolved.calls += 1;
                    block = expand(function, block, at, pointer, &targets);
                    at = 0;
                    continue;
                }
                None => resolved.left += 1,
            }
        }
        at += 1;
    }
}

/// All functions that the pointer may be, if we know them.
fn targets(points_to: &PointsTo, id: FuncId, pointer: &Operand) -> Option<Vec<FuncId>> {
    let mut functions = Vec::new();
    for place in points_to.targets(id, pointer) {
        match place {
            Pointee::Function(f) => functions.push(f),
            Pointee::Unknown => return None,
            _ => {}
        }
    }
    (functions.len() <= MAX_TARGETS).then_some(functions)
}

/// Gives the block where the code after the call has gone.
fn expand(
    function: &mut Function,
    block: usize,
    at: usize,
    pointer: Operand,
    targets: &[FuncId],
) -> usize {
    let next = function.split_block(block, at + 1);
    let jump = Terminator::Goto(next);
    let old = &mut function.blocks[block];
    let Some(call) = old.insts.pop() else { return block };
    let (span, at) = (call.span, call.at());
    (old.end_span, old.end_id) = (at.span, at.id);
    let mut test = block;
    for target in targets {
        let cond = Reg(function.regs.len() as u32);
        function.regs.push(RegInfo { of: None, name: None, ty: Scalar::I32, span });
        let (then, otherwise) = (function.blocks.len(), function.blocks.len() + 1);
        let mut direct = call.clone();
        if let InstKind::Call { callee, .. } = &mut direct.kind {
            *callee = Callee::Direct(*target);
        }
        function.blocks.push(Block::new(vec![direct], jump.clone(), at));
        function.blocks.push(Block::new(vec![], jump.clone(), at));
        let value = Rvalue::Binary {
            op: BinOp::Eq,
            ty: Scalar::Ptr,
            a: pointer,
            b: Operand::Function(*target),
            checked: true,
        };
        let tested = &mut function.blocks[test];
        tested.insts.push(Inst::new(InstKind::Assign { dst: cond, value }, at));
        tested.end = Terminator::Branch {
            cond: Operand::Reg(cond),
            then: BlockId(then as u32),
            otherwise: BlockId(otherwise as u32),
        };
        test = otherwise;
    }
    function.blocks[test].insts.push(call);
    next.index()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::{End, parse, run};
    use ir::{print, verify};

    const TABLE: &str = "global one = &f
        global two = &g
        global x
        extern lib()
        fn f(n) {
        a: store @x 1
        r = n + 1
        ret r
        }
        fn g(n) {
        a: store @x 2
        r = n + 2
        ret r
        }
        fn never(n) {
        a: ret 7
        }
        fn main() {
        a: c = nondet
        p = load @one
        if c b d
        b: p = load @two
        goto d
        d: r = call p(10)
        r = call p(r)
        q = cast &never
        ret r
        }";

    #[test]
    fn calls_become_choices() {
        let p = parse(TABLE);
        let mut q = p.clone();
        assert_eq!(resolve(&mut q), Resolved { calls: 2, left: 0 });
        assert_eq!(verify::program(&q), []);
        let text = print::program(&q);
        assert_eq!(text.matches("call f(").count(), 2, "{text}");
        assert_eq!(text.matches("call never(").count(), 0, "{text}");
        for seed in 0..8 {
            let (a, b) = (run(&p, seed, 1000), run(&q, seed, 1000));
            assert!(matches!(a.end, End::Return(12 | 14)));
            assert_eq!((a.end, a.stores), (b.end, b.stores));
        }
    }

    #[test]
    fn unknown_pointers_are_left() {
        let mut p = parse("extern lib()\nfn main() {\na: p = call lib()\nr = call p()\nret r\n}");
        assert_eq!(resolve(&mut p), Resolved { calls: 0, left: 1 });
    }
}
