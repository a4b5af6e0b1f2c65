//! `setjmp` and `longjmp` as ordinary control flow.
//!
//! Idea: each `setjmp` in the text has a word in its frame, whose address stands for frame and place.
//! The model (`models/jump.c`) keeps it in the buffer. `longjmp` makes it the *target* of its thread
//! and returns; behind each call that may jump, a thread with a target goes to the end of its
//! function, or back behind the `setjmp` whose word the target is.
//!
//! Invariant: a thread has a target only on the way from a `longjmp` to its `setjmp`, and the frame of
//! that is alive below: the model has read the word, so a frame that has ended is an invalid access.
//! Storage on the way ends as at any return; nothing is cleaned up, as in glibc. Jumps out of library
//! functions that keep something for later, and out of atomic blocks, are not modelled.
//!
//! What locals hold afterwards is in `locals.rs`.
//!
//! Cost: nothing without `setjmp` or `longjmp`; else a load and a branch for each call that may jump.
//! Any call through a pointer may, if a function that may jump has its address taken.

mod locals;

use super::points_to::address_taken;
use ir::atomic::{self, Depths};
use ir::types::{Rank, Scalar, Type, TypeId};
use ir::*;
use locals::Kept;

pub const SAVES: [&str; 5] =
    ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__sigsetjmp_cancel"];
const JUMPS: [&str; 4] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];
/// Library functions that call back and keep nothing for later, with parts of our models.
const TRANSPARENT: [&str; 10] = [
    "raise",
    "send_to_myself",
    "__obmc_take_signal",
    "call_handler",
    "__obmc_run_abort_handler",
    "qsort",
    "qsort_r",
    "bsearch",
    "lfind",
    "lsearch",
];
/// What a word is called: to read that of a frame that has ended is an invalid access.
const WORD: &str = "the frame of setjmp";
const TARGET: &str = "__obmc_jump_target";
const VALUE: &str = "__obmc_jump_value";

/// Writes the jumps of a program out.
pub fn settle(program: &mut Program) {
    let Some(jumps) = Jumps::of(program) else { return };
    for id in 0..program.functions.len() {
        if jumps.concern(&program.functions[id]) {
            let function = std::mem::replace(&mut program.functions[id], nothing());
            let (function, assumed) = JumpWriter::new(function, &jumps, program).write();
            program.functions[id] = function;
            program.ignored.extend(assumed);
        }
    }
}

fn nothing() -> Function {
    Function {
        name: String::new(),
        span: Span::NONE,
        origin: Origin::Model,
        ret: None,
        params: Vec::new(),
        regs: Vec::new(),
        slots: Vec::new(),
        atomic: false,
        blocks: Vec::new(),
    }
}

/// What a call has to do with jumps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum JumpRole {
    None,
    /// It saves a context.
    Saves,
    /// It may end by a jump.
    May,
    /// It is a jump.
    Jumps,
}

struct Jumps {
    /// By function.
    roles: Vec<JumpRole>,
    /// Of calls through pointers.
    indirect: JumpRole,
    target: Operand,
    value: Operand,
    /// Of the words.
    word: TypeId,
    word_bytes: u64,
}

impl Jumps {
    /// `None` if the program has nothing to do with jumps.
    fn of(program: &mut Program) -> Option<Jumps> {
        let roles: Vec<JumpRole> = program.functions.iter().map(role_of).collect();
        if roles.iter().all(|role| *role == JumpRole::None) {
            return None;
        }
        let word = program.types.intern(Type::Int { rank: Rank::Long, signed: false });
        let word_bytes = program.types.size(word)?;
        let mut jumps = Jumps {
            roles,
            indirect: JumpRole::None,
            target: object(program, TARGET)?,
            value: object(program, VALUE)?,
            word,
            word_bytes,
        };
        jumps.spread(program);
        jumps.refuse_pointers(program);
        Some(jumps)
    }

    /// Callers of what may jump may, too.
    fn spread(&mut self, program: &Program) {
        let taken = address_taken(program);
        loop {
            let jumps =
                |f: &FuncId| matches!(self.roles[f.index()], JumpRole::May | JumpRole::Jumps);
            if taken.iter().any(jumps) {
                self.indirect = JumpRole::May;
            }
            let found: Vec<usize> = (0..program.functions.len())
                .filter(|i| {
                    self.roles[*i] == JumpRole::None && self.calls_jump(&program.functions[*i])
                })
                .collect();
            if found.is_empty() {
                return;
            }
            found.into_iter().for_each(|i| self.roles[i] = JumpRole::May);
        }
    }

    fn calls_jump(&self, f: &Function) -> bool {
        let mut insts = f.blocks.iter().flat_map(|b| &b.insts);
        insts.any(|inst| matches!(self.role(&inst.kind), JumpRole::May | JumpRole::Jumps))
    }

    fn role(&self, kind: &InstKind) -> JumpRole {
        match kind {
            InstKind::Call { callee: Callee::Direct(f), .. } => self.roles[f.index()],
            InstKind::Call { callee: Callee::Indirect(_), .. } => self.indirect,
            _ => JumpRole::None,
        }
    }

    /// `setjmp` through a pointer has no word; C does not allow it.
    fn refuse_pointers(&self, program: &mut Program) {
        for f in
            address_taken(program).into_iter().filter(|f| self.roles[f.index()] == JumpRole::Saves)
        {
            let function = &mut program.functions[f.index()];
            let what = format!("`{}` through a pointer", function.name);
            let inst = Inst::new(InstKind::Unsupported { what }, function.span);
            function.blocks.iter_mut().take(1).for_each(|b| b.insts.insert(0, inst.clone()));
        }
    }

    /// Is there something to write out in the function?
    fn concern(&self, f: &Function) -> bool {
        let mut insts = f.blocks.iter().flat_map(|b| &b.insts);
        insts.any(|inst| self.role(&inst.kind) != JumpRole::None)
    }
}

/// Is it `longjmp` or one of its kin?
pub(crate) fn is_jump(f: &Function) -> bool {
    role_of(f) == JumpRole::Jumps
}

fn role_of(f: &Function) -> JumpRole {
    match f.name.as_str() {
        _ if f.origin != Origin::Model || !f.has_body() => JumpRole::None,
        name if SAVES.contains(&name) => JumpRole::Saves,
        name if JUMPS.contains(&name) => JumpRole::Jumps,
        _ => JumpRole::None,
    }
}

fn object(program: &Program, name: &str) -> Option<Operand> {
    let found = program.objects.iter().position(|o| o.name == name)?;
    Some(Operand::Object { object: ObjectId(found as u32), offset: 0 })
}

/// A `setjmp` in the text.
struct SetjmpSite {
    /// The block that ends with the call.
    block: BlockId,
    /// Where it goes on.
    landing: BlockId,
    /// Its word.
    slot: SlotId,
    span: Span,
    result: Reg,
}

/// One function while its jumps are written out.
struct JumpWriter<'a> {
    f: Function,
    jumps: &'a Jumps,
    program: &'a Program,
    sites: Vec<SetjmpSite>,
}

impl<'a> JumpWriter<'a> {
    fn new(f: Function, jumps: &'a Jumps, program: &'a Program) -> JumpWriter<'a> {
        JumpWriter { f, jumps, program, sites: Vec::new() }
    }

    fn write(mut self) -> (Function, Vec<(String, Span)>) {
        self.find_sites();
        let types = &self.program.types;
        let kept: Vec<Kept> =
            self.sites.iter().map(|site| Kept::at(&mut self.f, types, site)).collect();
        let assumed = kept.iter().filter_map(|k| k.assumed.clone()).collect();
        for (number, kept) in kept.iter().enumerate() {
            self.save(number, kept);
        }
        let away = self.away(&kept);
        let depths = Depths::new(&self.f, |_| {});
        for block in (0..self.f.blocks.len() as u32).map(BlockId) {
            self.leave_after_calls(block, depths.at(block).unwrap_or(0), away);
        }
        (self.f, assumed)
    }

    /// Each `setjmp` becomes the last instruction of its block.
    fn find_sites(&mut self) {
        let mut block = 0;
        while block < self.f.blocks.len() {
            let insts = &self.f.blocks[block].insts;
            let saves = |inst: &Inst| self.jumps.role(&inst.kind) == JumpRole::Saves;
            if let Some(at) = insts.iter().position(saves) {
                let landing = self.f.split_block(block, at + 1);
                self.add_site(BlockId(block as u32), landing);
            }
            block += 1;
        }
    }

    fn add_site(&mut self, block: BlockId, landing: BlockId) {
        let Some(inst) = self.f.blocks[block.index()].insts.last() else { return };
        let span = inst.span;
        let slot = SlotId(self.f.slots.len() as u32);
        let (ty, size) = (self.jumps.word, self.jumps.word_bytes);
        let name = Some(WORD.to_owned());
        self.f.slots.push(SlotInfo { name, ty, size, align: size, span });
        let spare = self.reg(Scalar::I32, span);
        let insts = &mut self.f.blocks[block.index()].insts;
        let Some(Inst { kind: InstKind::Call { dst, args, .. }, .. }) = insts.last_mut() else {
            return;
        };
        let result = *dst.get_or_insert(spare);
        args.push(Operand::Slot { slot, offset: 0 });
        let live = Inst::new(InstKind::SlotLive(slot), span);
        self.f.blocks[0].insts.insert(0, live);
        self.sites.push(SetjmpSite { block, landing, slot, span, result });
    }

    /// Remembers at a site what is looked at when it is come back to.
    fn save(&mut self, number: usize, kept: &Kept) {
        let SetjmpSite { block, span, .. } = self.sites[number];
        if self.is_atomic(block) {
            let what = "setjmp in an atomic block".to_owned();
            let at = self.f.blocks[block.index()].insts.len() - 1;
            let inst = Inst::new(InstKind::Unsupported { what }, span);
            self.f.blocks[block.index()].insts.insert(at, inst);
        }
        self.f.blocks[block.index()].insts.extend(kept.copies(span));
    }

    /// Does the block end inside of an atomic block?
    fn is_atomic(&self, block: BlockId) -> bool {
        let start = Depths::new(&self.f, |_| {}).at(block).unwrap_or(0);
        let insts = &self.f.blocks[block.index()].insts;
        insts.iter().fold(start, |depth, inst| atomic::after(depth, &inst.kind)) > 0
    }

    fn reg(&mut self, ty: Scalar, span: Span) -> Reg {
        self.f.regs.push(RegInfo { name: None, ty, of: None, span });
        Reg(self.f.regs.len() as u32 - 1)
    }

    fn block(&mut self, insts: Vec<InstKind>, end: Terminator, span: Span) -> BlockId {
        let insts = insts.into_iter().map(|kind| Inst::new(kind, span)).collect();
        self.f.blocks.push(Block::new(insts, end, span));
        BlockId(self.f.blocks.len() as u32 - 1)
    }

    /// The block where a thread with a target looks for its place.
    fn away(&mut self, kept: &[Kept]) -> BlockId {
        let mut next = self.out();
        for (number, kept) in kept.iter().enumerate().rev() {
            let back = self.back(number, kept);
            let SetjmpSite { slot, span, .. } = self.sites[number];
            let (target, same) = (self.reg(Scalar::Ptr, span), self.reg(Scalar::I32, span));
            let slot = Operand::Slot { slot, offset: 0 };
            let insts = vec![self.load(target, self.jumps.target, Scalar::Ptr), {
                let (a, b) = (Operand::Reg(target), slot);
                let value = Rvalue::Binary { op: BinOp::Eq, ty: Scalar::Ptr, a, b, checked: false };
                InstKind::Assign { dst: same, value }
            }];
            let cond = Operand::Reg(same);
            next =
                self.block(insts, Terminator::Branch { cond, then: back, otherwise: next }, span);
        }
        next
    }

    fn load(&self, dst: Reg, addr: Operand, ty: Scalar) -> InstKind {
        InstKind::Load { dst, addr, ty, order: MemoryOrder::Plain }
    }

    /// Returns to the caller, which goes on from there.
    fn out(&mut self) -> BlockId {
        let span = self.f.span;
        let mut insts = Vec::new();
        if self.f.origin == Origin::Model && !TRANSPARENT.contains(&self.f.name.as_str()) {
            let what = format!("longjmp out of `{}`", self.f.name);
            insts.push(InstKind::Unsupported { what });
        }
        let value = self.f.ret.map(|ty| {
            let dst = self.reg(ty, span);
            insts.push(InstKind::Assign { dst, value: Rvalue::Undef(ty) });
            Operand::Reg(dst)
        });
        self.block(insts, Terminator::Return(value), span)
    }

    /// Goes on behind a `setjmp`.
    fn back(&mut self, number: usize, kept: &Kept) -> BlockId {
        let SetjmpSite { landing, span, result, .. } = self.sites[number];
        let ty = self.f.regs[result.index()].ty;
        let null = Operand::Const { bits: 0, ty: Scalar::Ptr };
        let (addr, order) = (self.jumps.target, MemoryOrder::Plain);
        let mut insts = vec![InstKind::Store { addr, value: null, ty: Scalar::Ptr, order }];
        insts.extend(kept.ended.iter().map(|slot| InstKind::SlotDead(*slot)));
        if kept.has_arrays {
            let what = "longjmp back into a function with arrays of variable length".to_owned();
            insts.push(InstKind::Unsupported { what });
        }
        let landing = kept.forget(self, landing, span);
        insts.push(self.load(result, self.jumps.value, ty));
        self.block(insts, Terminator::Goto(landing), span)
    }

    /// Cuts a block behind each call that may jump.
    fn leave_after_calls(&mut self, mut block: BlockId, mut depth: u32, away: BlockId) {
        let mut at = 0;
        while let Some(inst) = self.f.blocks[block.index()].insts.get(at) {
            let (role, span) = (self.jumps.role(&inst.kind), inst.span);
            depth = atomic::after(depth, &inst.kind);
            at += 1;
            if !matches!(role, JumpRole::May | JumpRole::Jumps) {
                continue;
            }
            let next = self.f.split_block(block.index(), at);
            let away = if depth > 0 { self.out_of_atomic_block(span) } else { away };
            self.f.blocks[block.index()].end = match role {
                JumpRole::Jumps => Terminator::Goto(away),
                _ => self.ask_for_target(block, away, next, span),
            };
            (block, at) = (next, 0);
        }
    }

    fn out_of_atomic_block(&mut self, span: Span) -> BlockId {
        let what = "longjmp out of an atomic block".to_owned();
        self.block(vec![InstKind::Unsupported { what }], Terminator::Stop(Stop::Abort), span)
    }

    fn ask_for_target(
        &mut self,
        block: BlockId,
        then: BlockId,
        otherwise: BlockId,
        span: Span,
    ) -> Terminator {
        let (target, has) = (self.reg(Scalar::Ptr, span), self.reg(Scalar::I32, span));
        let load = self.load(target, self.jumps.target, Scalar::Ptr);
        let (a, b) = (Operand::Reg(target), Operand::Const { bits: 0, ty: Scalar::Ptr });
        let value = Rvalue::Binary { op: BinOp::Ne, ty: Scalar::Ptr, a, b, checked: false };
        let ask = InstKind::Assign { dst: has, value };
        let insts = [load, ask].into_iter().map(|kind| Inst::new(kind, span));
        self.f.blocks[block.index()].insts.extend(insts);
        Terminator::Branch { cond: Operand::Reg(has), then, otherwise }
    }
}

#[cfg(test)]
mod tests;
