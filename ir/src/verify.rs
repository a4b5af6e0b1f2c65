//! Is an IR program well-formed? The passes promise to keep it so; debug builds ask after each one.
//!
//! Types agree if they are equally wide and both floats or both not: signs matter only where an
//! instruction states them itself. Cost: one walk over the program.

use crate::id::*;
use crate::program::*;
use crate::types::Scalar;
use crate::{atomic, walk};

/// A violated rule, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub function: Option<FuncId>,
    pub span: Span,
    pub message: String,
}

/// All problems found, in program order; none means well-formed.
pub fn program(program: &Program) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut checker = VerifierPass {
        program,
        id: None,
        span: Span::NONE,
        problems: &mut problems,
        function: None,
    };
    checker.objects();
    let inside = match checker.ids_are_in_range() {
        true => atomic::called_inside(program),
        false => return problems,
    };
    for (i, f) in program.functions.iter().enumerate() {
        let id = FuncId(i as u32);
        let problems = &mut problems;
        let mut checker =
            VerifierPass { program, id: Some(id), span: f.span, problems, function: Some(f) };
        checker.function(f, inside[i]);
    }
    problems
}

struct VerifierPass<'a> {
    program: &'a Program,
    id: Option<FuncId>,
    function: Option<&'a Function>,
    span: Span,
    problems: &'a mut Vec<Problem>,
}

impl VerifierPass<'_> {
    fn report(&mut self, message: String) {
        self.problems.push(Problem { function: self.id, span: self.span, message });
    }

    fn expect(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.report(message());
        }
    }

    fn objects(&mut self) {
        let program = self.program;
        let width = program.machine.pointer_bytes();
        for o in &program.objects {
            self.span = o.span;
            let len = o.bytes.len() as u64;
            self.expect(len <= o.size, || format!("`{}` has more bytes than its size", o.name));
            self.expect(o.align.is_power_of_two(), || format!("`{}`: alignment", o.name));
            for (offset, address) in &o.relocations {
                let inside = offset.checked_add(width).is_some_and(|end| end <= o.size);
                self.expect(inside, || format!("`{}`: relocation outside", o.name));
                let is_static = matches!(address, Operand::Object { .. } | Operand::Function(_));
                self.expect(is_static, || format!("`{}`: relocation is no address", o.name));
                self.operand(address);
            }
        }
    }

    /// Everything after this may index without asking.
    fn ids_are_in_range(&mut self) -> bool {
        let program = self.program;
        let entry = program.functions.get(program.entry.index());
        self.expect(entry.is_some_and(Function::has_body), || "entry has no body".into());
        for (i, f) in program.functions.iter().enumerate() {
            (self.id, self.function, self.span) = (Some(FuncId(i as u32)), Some(f), f.span);
            for p in &f.params {
                self.reg(*p);
            }
            for block in &f.blocks {
                for inst in &block.insts {
                    self.span = inst.span;
                    self.number(inst.id);
                    self.inst_ids(&inst.kind);
                }
                self.span = block.end_span;
                self.number(block.end_id);
                self.loop_ids(block);
                walk::end_operand(&block.end).into_iter().for_each(|o| self.operand(o));
                for b in block.end.successors() {
                    self.expect(b.index() < f.blocks.len(), || format!("no block b{}", b.0));
                }
            }
        }
        self.problems.is_empty()
    }

    fn number(&mut self, id: InstId) {
        let known = self.program.numbered == 0 || id.0 < self.program.numbered;
        self.expect(known, || "a pass has forgotten which instruction this stands for".into());
    }

    fn loop_ids(&mut self, block: &Block) {
        let stopped = match block.end {
            Terminator::Stop(Stop::Bound(id)) => Some(id),
            _ => None,
        };
        for id in block.head_of.into_iter().chain(stopped) {
            let known = id.index() < self.program.loops.len();
            self.expect(known, || format!("no loop {}", id.0));
        }
    }

    fn inst_ids(&mut self, kind: &InstKind) {
        walk::operands(kind).into_iter().for_each(|o| self.operand(o));
        if let Some(r) = walk::defined(kind) {
            self.reg(r);
        }
        match kind {
            InstKind::SlotLive(s) | InstKind::SlotDead(s) | InstKind::SlotConst { slot: s, .. } => {
                self.slot(*s);
            }
            InstKind::Call { callee: Callee::Direct(f), .. } => {
                self.operand(&Operand::Function(*f));
            }
            _ => {}
        }
    }

    fn reg(&mut self, reg: Reg) {
        let known = self.function.is_some_and(|f| reg.index() < f.regs.len());
        self.expect(known, || format!("no register %{}", reg.0));
    }

    fn slot(&mut self, slot: SlotId) {
        let known = self.function.is_some_and(|f| slot.index() < f.slots.len());
        self.expect(known, || format!("no slot ${}", slot.0));
    }

    fn operand(&mut self, operand: &Operand) {
        let program = self.program;
        match operand {
            Operand::Const { bits, ty } => {
                let clean = crate::fold::truncate(program.machine, *ty, *bits) == *bits;
                self.expect(clean, || format!("constant {bits:#x} is wider than its type"));
            }
            Operand::Reg(r) => self.reg(*r),
            Operand::Slot { slot, .. } => self.slot(*slot),
            Operand::Object { object, .. } => {
                let known = object.index() < program.objects.len();
                self.expect(known, || format!("no object {}", object.0));
            }
            Operand::Function(f) => {
                let known = f.index() < program.functions.len();
                self.expect(known, || format!("no function {}", f.0));
            }
        }
    }

    fn function(&mut self, f: &Function, called_inside: bool) {
        let mut params = f.params.clone();
        params.sort();
        params.dedup();
        self.expect(params.len() == f.params.len(), || "a register is two parameters".into());
        let mut mismatches = Vec::new();
        let depths = atomic::Depths::new(f, |b| mismatches.push(b));
        for b in mismatches {
            self.report(format!("b{} is reached at different depths of atomic blocks", b.0));
        }
        for (i, block) in f.blocks.iter().enumerate() {
            let mut depth = depths.at(BlockId(i as u32));
            for inst in &block.insts {
                self.span = inst.span;
                self.types(f, &inst.kind);
                let may_wait = called_inside || depth != Some(0);
                let waits = matches!(inst.kind, InstKind::Wait(_));
                self.expect(!waits || may_wait, || "wait outside of an atomic block".into());
                let ends = inst.kind == InstKind::AtomicEnd;
                self.expect(!ends || may_wait, || "end without an atomic block".into());
                depth = depth.map(|d| atomic::after(d, &inst.kind));
            }
            self.span = block.end_span;
            self.end(f, &block.end);
        }
    }

    fn same(&mut self, what: &str, got: Scalar, wanted: Scalar) {
        let machine = self.program.machine;
        let same = got.bits(machine) == wanted.bits(machine) && got.is_float() == wanted.is_float();
        self.expect(same, || format!("{what} is {got:?}, not {wanted:?}"));
    }

    fn typed(&mut self, f: &Function, what: &str, operand: &Operand, wanted: Scalar) {
        self.same(what, walk::operand_type(f, operand), wanted);
    }

    fn dst(&mut self, f: &Function, dst: Reg, wanted: Scalar) {
        self.same("the result's register", f.regs[dst.index()].ty, wanted);
    }

    fn types(&mut self, f: &Function, kind: &InstKind) {
        match kind {
            InstKind::Assign { dst, value } => {
                let ty = self.rvalue(f, value);
                self.dst(f, *dst, ty);
            }
            InstKind::Load { dst, addr, ty, .. } => {
                self.typed(f, "the address", addr, Scalar::Ptr);
                self.dst(f, *dst, *ty);
            }
            InstKind::Store { addr, value, ty, .. } => {
                self.typed(f, "the address", addr, Scalar::Ptr);
                self.typed(f, "the stored value", value, *ty);
            }
            InstKind::Call { callee: Callee::Indirect(pointer), .. } => {
                self.typed(f, "the callee", pointer, Scalar::Ptr);
            }
            InstKind::Nondet { dst, ty, bits, .. } => {
                self.dst(f, *dst, *ty);
                let fits = (1..=ty.bits(self.program.machine)).contains(bits);
                self.expect(fits, || format!("an input of {bits} bits"));
            }
            InstKind::Spawn { place, function, arg, .. } => {
                if let Some(place) = place {
                    self.typed(f, "the place for the thread's id", place, Scalar::Ptr);
                }
                self.typed(f, "the thread's function", function, Scalar::Ptr);
                self.typed(f, "the thread's argument", arg, Scalar::Ptr);
            }
            InstKind::Alloc { dst, .. } => self.dst(f, *dst, Scalar::Ptr),
            InstKind::Free { ptr, .. } | InstKind::ObjectSize { ptr, .. } => {
                self.typed(f, "the address", ptr, Scalar::Ptr);
            }
            _ => {}
        }
    }

    /// The type of the result.
    fn rvalue(&mut self, f: &Function, value: &Rvalue) -> Scalar {
        match value {
            Rvalue::Use(a) => walk::operand_type(f, a),
            Rvalue::Undef(ty) => *ty,
            Rvalue::Unary { ty, a, .. } => {
                self.typed(f, "the operand", a, *ty);
                *ty
            }
            Rvalue::Binary { op, ty, a, b, .. } => {
                self.typed(f, "the left operand", a, *ty);
                let shift = matches!(op, BinOp::Shl | BinOp::Shr);
                if !shift {
                    self.typed(f, "the right operand", b, *ty);
                }
                if op.is_comparison() { Scalar::I32 } else { *ty }
            }
            Rvalue::Cast { from, to, a } => {
                self.typed(f, "the operand", a, *from);
                *to
            }
            Rvalue::PtrAdd { base, index, .. } => {
                self.typed(f, "the base", base, Scalar::Ptr);
                self.typed(f, "the index", index, Scalar::Ptr);
                Scalar::Ptr
            }
        }
    }

    fn end(&mut self, f: &Function, end: &Terminator) {
        match end {
            Terminator::Switch { cases, .. } => {
                let mut bits: Vec<u64> = cases.iter().map(|c| c.0).collect();
                bits.sort();
                bits.dedup();
                self.expect(bits.len() == cases.len(), || "a case occurs twice".into());
            }
            Terminator::Return(Some(value)) => match f.ret {
                Some(ret) => self.typed(f, "the returned value", value, ret),
                None => self.report("a value is returned from void".into()),
            },
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::parse;

    fn messages(p: &Program) -> Vec<String> {
        program(p).into_iter().map(|p| p.message).collect()
    }

    #[test]
    fn a_good_program_has_no_problems() {
        let p = parse(
            "global x
             fn main(c) {
             a: begin
             t = load @x
             wait t
             end
             switch t 0: a 1: b b
             b: ret t
             }",
        );
        assert_eq!(messages(&p), Vec::<String>::new());
    }

    #[test]
    fn ids_out_of_range() {
        let mut p = parse("fn main() {\na: ret\n}");
        p.functions[0].blocks[0].end = Terminator::Branch {
            cond: Operand::Reg(Reg(7)),
            then: BlockId(0),
            otherwise: BlockId(9),
        };
        assert_eq!(messages(&p), ["no register %7", "no block b9"]);
        p.functions[0].blocks.clear();
        assert_eq!(messages(&p), ["entry has no body"]);
    }

    #[test]
    fn types_must_agree() {
        let p = parse("global x\nfn main(p) {\na: t = 1\nstore p t\nt = load t\np = t\nret p\n}");
        assert_eq!(
            messages(&p),
            [
                "the address is Int { bits: 32, signed: true }, not Ptr",
                "the result's register is Ptr, not Int { bits: 32, signed: true }",
                "the returned value is Ptr, not Int { bits: 32, signed: true }",
            ]
        );
    }

    #[test]
    fn waits_need_an_atomic_block() {
        let p = parse("fn main() {\na: wait 1\nret\n}");
        assert_eq!(messages(&p), ["wait outside of an atomic block"]);
        let p = parse(
            "fn f() {\na: wait 1\nret\n}\nfn main() {\na: begin\nt = call f()\nend\nend\nret\n}",
        );
        assert_eq!(messages(&p), ["end without an atomic block"]);
    }

    #[test]
    fn cases_are_distinct_and_constants_clean() {
        let mut p = parse("fn main(c) {\na: switch c 1: a 1: b b\nb: ret\n}");
        assert_eq!(messages(&p), ["a case occurs twice"]);
        p.functions[0].blocks[0].end = Terminator::Goto(BlockId(1));
        p.functions[0].blocks[1].end =
            Terminator::Return(Some(Operand::Const { bits: 1 << 32, ty: Scalar::I32 }));
        assert_eq!(messages(&p), ["constant 0x100000000 is wider than its type"]);
    }
}
