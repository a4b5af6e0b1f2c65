//! Counters without their high bits: a program with fewer values and more executions.
//!
//! Tickets and sequence numbers grow for ever, so a program that hands them out has no end of states although
//! little depends on them. Sums, differences, products and bitwise operations know the low bits of their
//! results from the low bits of their operands. So numbers that are only computed with, copied, stored in static
//! variables of their own and compared with each other can be kept modulo a power of two. What a comparison then
//! says is that two numbers differ, or nothing: numbers with equal residues are equal or not, as an input says.
//! A mask of low bits (`n & 1`) is exact.
//!
//! Registers and static cells between which numbers flow are in one class, and a class is reduced as a whole. It
//! stays as it is if one of its numbers is used in any other way (as a condition, index, argument, by
//! another thread's start, by a checked operation), if it is compared with a constant (which the residue
//! would hardly decide), or if nothing in it grows.
//!
//! Invariant: every execution of the program, under any memory model, is one of the reduced program with every
//! number of a reduced class replaced by its residue: the same instructions, accesses and branches. So a
//! proof about the reduced program is one about the program; a violation is none.
//! Cost: linear in the program.

use super::live::LivePoints;
use super::{fnptr, inline, roots, simplify};
use ir::types::Scalar;
use ir::*;
use ir::{walk, walk::operands};
use rustc_hash::{FxHashMap, FxHashSet};

/// Blocks that one thread may grow to.
const MAX_BLOCKS: usize = 20_000;

/// The program with its counters modulo 2^`bits` (at most 8), if it has some; calls are inlined, so that locks
/// that are passed by their address are seen.
pub fn reduced(program: &Program, bits: u32) -> Option<Program> {
    if !has_counters(program) {
        return None;
    }
    let mut program = program.clone();
    fnptr::resolve(&mut program);
    let roots = roots(&program);
    inline::inline(&mut program, &roots, &inline::Limits { depth: 1, max_blocks: MAX_BLOCKS });
    simplify::simplify(&mut program);
    program.functions.iter_mut().for_each(drop_unread);
    let classes = Classes::of(&program, (1 << bits) - 1);
    classes.any().then(|| classes.reduce(program))
}

/// Inlining leaves addresses in registers that nothing reads any more. And a variable that is set before it is
/// read need not be anything before that.
fn drop_unread(function: &mut Function) {
    drop_dead_undefs(function);
    let ends = function.blocks.iter().filter_map(|block| walk::end_operand(&block.end));
    let read: FxHashSet<Operand> =
        insts(function).flat_map(|inst| operands(&inst.kind)).chain(ends).copied().collect();
    let unread = |inst: &Inst| match &inst.kind {
        InstKind::Assign { dst, value } => {
            !read.contains(&Operand::Reg(*dst)) && simplify::is_harmless(value)
        }
        _ => false,
    };
    for block in &mut function.blocks {
        block.insts.retain(|inst| !unread(inst));
    }
}

fn drop_dead_undefs(function: &mut Function) {
    let undef = |inst: &Inst| match inst.kind {
        InstKind::Assign { dst, value: Rvalue::Undef(_) } => Some(dst),
        _ => None,
    };
    if !insts(function).any(|inst| undef(inst).is_some()) {
        return;
    }
    let live = LivePoints::new(function);
    for (b, block) in function.blocks.iter_mut().enumerate() {
        let mut behind = 0;
        block.insts.retain(|inst| {
            behind += 1;
            undef(inst).is_none_or(|dst| live.before(BlockId(b as u32), behind).contains(&dst))
        });
    }
}

/// May there be some? At a glance: does the user add something without a check?
pub fn has_counters(program: &Program) -> bool {
    let user = program.functions.iter().filter(|f| f.origin == Origin::User);
    user.flat_map(insts).any(|inst| grows(&inst.kind))
}

fn insts(function: &Function) -> impl Iterator<Item = &Inst> {
    function.blocks.iter().flat_map(|block| &block.insts)
}

fn is_ring(op: BinOp) -> bool {
    matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor)
}

/// Does it make a new number, without a check?
fn grows(kind: &InstKind) -> bool {
    let InstKind::Assign { value, .. } = kind else { return false };
    matches!(
        value,
        Rvalue::Binary {
            op: BinOp::Add | BinOp::Sub | BinOp::Mul,
            ty: Scalar::Int { .. },
            checked: false,
            ..
        }
    )
}

/// Where a number is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Holder {
    Register(FuncId, Reg),
    /// Object, offset, size.
    Cell(ObjectId, i64, u64),
}

/// What is known of a class.
#[derive(Clone, Copy, Default, Debug)]
struct ClassFacts {
    /// It must keep all of its bits.
    exact: bool,
    grows: bool,
}

struct Classes {
    mask: u64,
    machine: ir::types::Machine,
    numbers: FxHashMap<Holder, usize>,
    parents: Vec<usize>,
    facts: Vec<ClassFacts>,
    /// Objects of which something else than a number is known by its address.
    exposed: FxHashSet<ObjectId>,
}

impl Classes {
    fn of(program: &Program, mask: u64) -> Classes {
        let mut classes = Classes {
            mask,
            machine: program.machine,
            numbers: FxHashMap::default(),
            parents: Vec::new(),
            facts: Vec::new(),
            exposed: FxHashSet::default(),
        };
        for (i, function) in program.functions.iter().enumerate() {
            classes.scan(FuncId(i as u32), function);
        }
        classes.scan_objects(program);
        classes
    }

    fn number(&mut self, holder: Holder) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(holder).or_insert(next);
        if number == next {
            self.parents.push(next);
            self.facts.push(ClassFacts::default());
        }
        self.root(number)
    }

    fn root(&self, mut number: usize) -> usize {
        while self.parents[number] != number {
            number = self.parents[number];
        }
        number
    }

    fn unite(&mut self, a: Holder, b: Holder) {
        let (a, b) = (self.number(a), self.number(b));
        self.parents[a] = b;
        let of_a = self.facts[a];
        self.facts[b].exact |= of_a.exact;
        self.facts[b].grows |= of_a.grows;
    }

    fn keep(&mut self, holder: Holder) {
        let number = self.number(holder);
        self.facts[number].exact = true;
    }

    /// A use that nothing is known of.
    fn keep_operand(&mut self, function: FuncId, operand: &Operand) {
        match *operand {
            Operand::Reg(reg) => self.keep(Holder::Register(function, reg)),
            Operand::Object { object, .. } => {
                self.exposed.insert(object);
            }
            _ => {}
        }
    }

    fn scan(&mut self, id: FuncId, function: &Function) {
        function.params.iter().for_each(|reg| self.keep(Holder::Register(id, *reg)));
        for block in &function.blocks {
            block.insts.iter().for_each(|inst| self.scan_inst(id, &inst.kind));
            walk::end_operand(&block.end).into_iter().for_each(|o| self.keep_operand(id, o));
        }
    }

    fn scan_inst(&mut self, id: FuncId, kind: &InstKind) {
        match kind {
            InstKind::Load { dst, addr, ty, .. } => {
                let dst = Holder::Register(id, *dst);
                match self.cell(addr, *ty) {
                    Some(cell) => self.unite(dst, cell),
                    None => self.keep_all(id, kind),
                }
            }
            InstKind::Store { addr, value, ty, .. } => match self.cell(addr, *ty) {
                Some(cell) => self.flow(id, value, cell),
                None => self.keep_all(id, kind),
            },
            InstKind::Assign { dst, value } => {
                if !self.scan_value(id, *dst, value) {
                    self.keep_all(id, kind);
                } else if grows(kind) {
                    let number = self.number(Holder::Register(id, *dst));
                    self.facts[number].grows = true;
                }
            }
            kind => self.keep_all(id, kind),
        }
    }

    fn keep_all(&mut self, id: FuncId, kind: &InstKind) {
        operands(kind).into_iter().for_each(|o| self.keep_operand(id, o));
        let dst = walk::defined(kind);
        dst.into_iter().for_each(|dst| self.keep(Holder::Register(id, dst)));
    }

    /// A number gets there.
    fn flow(&mut self, id: FuncId, from: &Operand, to: Holder) {
        match *from {
            Operand::Const { .. } => {
                self.number(to);
            }
            Operand::Reg(reg) => self.unite(Holder::Register(id, reg), to),
            _ => {
                self.keep(to);
                self.keep_operand(id, from);
            }
        }
    }

    /// Is it a computation that residues go through?
    fn scan_value(&mut self, id: FuncId, dst: Reg, value: &Rvalue) -> bool {
        let to = Holder::Register(id, dst);
        match value {
            Rvalue::Use(a) => self.flow(id, a, to),
            Rvalue::Undef(Scalar::Int { .. }) => {
                self.number(to);
            }
            Rvalue::Cast { from: Scalar::Int { .. }, to: Scalar::Int { .. }, a } => {
                self.flow(id, a, to);
            }
            Rvalue::Unary { ty: Scalar::Int { .. }, a, checked: false, .. } => self.flow(id, a, to),
            Rvalue::Binary { op, ty: Scalar::Int { .. }, a, b, checked: false } => match op {
                BinOp::And if self.masks(a) || self.masks(b) => {}
                op if is_ring(*op) => {
                    self.flow(id, a, to);
                    self.flow(id, b, to);
                }
                op if op.is_comparison() => match (a, b) {
                    (Operand::Reg(a), Operand::Reg(b)) => {
                        self.unite(Holder::Register(id, *a), Holder::Register(id, *b));
                    }
                    _ => [a, b].into_iter().for_each(|o| self.keep_operand(id, o)),
                },
                _ => return false,
            },
            _ => return false,
        }
        true
    }

    /// Does nothing but low bits come through?
    fn masks(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Const { bits, .. } if bits & !self.mask == 0)
    }

    /// A cell that is named by its address.
    fn cell(&self, addr: &Operand, ty: Scalar) -> Option<Holder> {
        let (&Operand::Object { object, offset }, Scalar::Int { bits, .. }) = (addr, ty) else {
            return None;
        };
        Some(Holder::Cell(object, offset, u64::from(bits / 8)))
    }

    /// Cells that overlap, or of objects that are known otherwise, stay as they are.
    fn scan_objects(&mut self, program: &Program) {
        for (_, operand) in program.objects.iter().flat_map(|o| &o.relocations) {
            if let Operand::Object { object, .. } = operand {
                self.exposed.insert(*object);
            }
        }
        let cell = |holder: &Holder| match *holder {
            Holder::Cell(object, offset, size) => Some((object, offset, size)),
            Holder::Register(..) => None,
        };
        let mut cells: Vec<(ObjectId, i64, u64)> = self.numbers.keys().filter_map(cell).collect();
        cells.sort_unstable();
        let overlap = |(a, b): &(&(ObjectId, i64, u64), &(ObjectId, i64, u64))| {
            a.0 == b.0 && b.1 < a.1 + a.2 as i64
        };
        let kept: Vec<ObjectId> =
            cells.iter().zip(cells.iter().skip(1)).filter(overlap).map(|(a, _)| a.0).collect();
        self.exposed.extend(kept);
        for (object, offset, size) in cells {
            let known = &program.objects[object.index()];
            let inside = offset >= 0 && offset as u64 + size <= known.size;
            let plain = known.kind == ObjectKind::Global && known.relocations.is_empty();
            if !inside || !plain || self.exposed.contains(&object) {
                self.keep(Holder::Cell(object, offset, size));
            }
        }
    }

    fn is_reduced(&self, holder: Holder) -> bool {
        let facts = self.numbers.get(&holder).map(|number| self.facts[self.root(*number)]);
        facts.is_some_and(|facts| facts.grows && !facts.exact)
    }

    fn reduces(&self, id: FuncId, operand: &Operand) -> bool {
        matches!(operand, Operand::Reg(reg) if self.is_reduced(Holder::Register(id, *reg)))
    }

    fn any(&self) -> bool {
        self.numbers.keys().any(|h| matches!(h, Holder::Cell(..)) && self.is_reduced(*h))
    }

    fn reduce(&self, mut program: Program) -> Program {
        for holder in self.numbers.keys().filter(|h| self.is_reduced(**h)) {
            if let Holder::Cell(object, offset, size) = *holder {
                self.reduce_bytes(&mut program.objects[object.index()].bytes, offset, size);
            }
        }
        for (i, function) in program.functions.iter_mut().enumerate() {
            self.reduce_function(FuncId(i as u32), function);
        }
        program
    }

    /// Machines are little-endian, and a mask has a byte at most.
    fn reduce_bytes(&self, bytes: &mut [u8], offset: i64, size: u64) {
        let at = offset as usize;
        for (i, byte) in bytes.iter_mut().skip(at).take(size as usize).enumerate() {
            *byte = if i == 0 { *byte & self.mask as u8 } else { 0 };
        }
    }

    fn reduce_function(&self, id: FuncId, function: &mut Function) {
        let mut blocks = std::mem::take(&mut function.blocks);
        for block in &mut blocks {
            let mut insts = Vec::with_capacity(block.insts.len());
            for inst in std::mem::take(&mut block.insts) {
                self.reduce_inst(id, function, inst, &mut insts);
            }
            block.insts = insts;
        }
        function.blocks = blocks;
    }

    fn reduce_inst(&self, id: FuncId, function: &mut Function, mut inst: Inst, to: &mut Vec<Inst>) {
        let at = inst.at();
        if let InstKind::Store { addr, value, ty, .. } = &mut inst.kind {
            let cell = self.cell(addr, *ty).filter(|cell| self.is_reduced(*cell));
            if let (Some(_), Operand::Const { bits, .. }) = (cell, value) {
                *bits &= self.mask;
            }
        }
        let InstKind::Assign { dst, ref value } = inst.kind else { return to.push(inst) };
        match *value {
            Rvalue::Binary { op, a, .. } if op.is_comparison() && self.reduces(id, &a) => {
                let register = |function: &mut Function| {
                    let info = RegInfo { name: None, ty: Scalar::I32, of: None, span: at.span };
                    function.regs.push(info);
                    Reg(function.regs.len() as u32 - 1)
                };
                let (same, input) = (register(function), register(function));
                let name = "numbers with equal low bits".to_string();
                let asked = InstKind::Nondet { dst: input, ty: Scalar::I32, bits: 1, name };
                let compared = InstKind::Assign { dst: same, value: value.clone() };
                let (a, b) = (Operand::Reg(same), Operand::Reg(input));
                let combined = |op| Rvalue::Binary { op, ty: Scalar::I32, a, b, checked: false };
                let value = match op {
                    BinOp::Eq => combined(BinOp::And),
                    BinOp::Ne => combined(BinOp::Or),
                    _ => Rvalue::Use(b),
                };
                let chosen = InstKind::Assign { dst, value };
                to.extend([compared, asked, chosen].map(|kind| Inst::new(kind, at)));
            }
            Rvalue::Undef(ty) if self.is_reduced(Holder::Register(id, dst)) => {
                let bits = self.mask.count_ones() as u8;
                let name = "low bits of a number that was not set".to_string();
                return to.push(Inst::new(InstKind::Nondet { dst, ty, bits, name }, at));
            }
            _ => to.push(inst),
        }
        if self.is_reduced(Holder::Register(id, dst)) {
            let ty = function.regs[dst.index()].ty;
            debug_assert!(ty.bits(self.machine) >= 8);
            let (a, b) = (Operand::Reg(dst), Operand::Const { bits: self.mask, ty });
            let value = Rvalue::Binary { op: BinOp::And, ty, a, b, checked: false };
            to.push(Inst::new(InstKind::Assign { dst, value }, at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::from_c;
    use ir::{print, verify};

    /// The reduced form of two counters, and what a thread does with them.
    fn reduced_text(body: &str) -> Option<String> {
        let text = format!("unsigned next = 9, serving = 21; int r;\nint main(void) {{ {body} }}");
        let program = reduced(&crate::prepare(from_c::program(&text)), 2)?;
        assert_eq!(verify::program(&program), []);
        Some(print::program(&program))
    }

    #[test]
    fn tickets_keep_their_low_bits() {
        let text = reduced_text(
            "for (;;) { unsigned t = next++; while (serving != t); serving = t + 5; }",
        );
        let text = text.expect("a counter");
        for part in ["@next: unsigned int, 4 bytes = [01", "@serving: unsigned int, 4 bytes = [01"]
        {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert_eq!(text.matches("and u32").count(), 3, "{text}");
        assert_eq!(text.matches("nondet").count(), 1, "{text}");
        assert_eq!(text.matches("or i32").count(), 1, "{text}");
    }

    #[test]
    fn locks_that_are_passed_by_their_address_are_seen() {
        let text = "struct l { unsigned a, b; } l;\n\
            static unsigned take(struct l *l) { return __atomic_fetch_add(&l->a, 1, 0); }\n\
            int main(void) { for (;;) { unsigned t = take(&l); while (l.b != t); l.b = t + 1; } }";
        assert!(reduced(&crate::prepare(from_c::program(text)), 2).is_some());
    }

    #[test]
    fn stored_constants_are_residues_and_masks_are_exact() {
        let text = reduced_text("for (;;) { next = 7; next += serving; r = next & 1; }");
        let text = text.expect("a counter");
        assert!(text.contains("store u32 @next, 3"), "{text}");
        assert!(!text.contains("nondet"), "{text}");
    }

    #[test]
    fn numbers_that_matter_otherwise_stay() {
        for body in [
            "for (;;) { next++; if (next == 3) r = 1; }",
            "for (;;) { next++; if (next) r = 1; }",
            "int *p = &r; for (;;) { next++; if (r) p = (int *)&next; *p = 1; }",
            "for (;;) { next++; r = next; if (r > 2) return 1; }",
            "for (;;) { next++; r = next / 2; }",
            "for (;;) { next++; ((char *)&next)[1] = 1; }",
            "int a[4]; for (;;) { a[next++] = 1; }",
            "for (;;) { r++; }",
            "for (;;) { next = serving; }",
        ] {
            assert_eq!(reduced_text(body), None, "{body}");
        }
    }
}
