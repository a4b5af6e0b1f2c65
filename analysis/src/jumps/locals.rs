//! What the locals of a function hold when control comes back to its `setjmp`.
//!
//! C11 7.13.2.1p3: those that are not volatile and were changed since are indeterminate; all others
//! hold what they held at the jump. So variables in registers that are written somewhere behind the
//! `setjmp` are copied there, and may be anything afterwards if they differ from the copy. The same
//! goes for slots that are only loaded and stored as a whole. For other slots (arrays, structs, those
//! whose address goes elsewhere) it is not known whether they were changed: they keep what they hold,
//! which is an assumption.
//!
//! Storage of scopes inside of the one with the `setjmp` ends.

use super::{JumpWriter, SetjmpSite, WORD};
use crate::live::Live;
use fixedbitset::FixedBitSet;
use ir::cfg::Cfg;
use ir::types::{Scalar, Type, TypeId, Types};
use ir::walk;
use ir::*;

const ASSUMPTION: &str = "objects that are not volatile hold after longjmp what they were changed to \
                          since setjmp; C leaves it open";
/// The type of a buffer.
const BUFFER: &str = "__jmp_buf_tag";

/// A variable and its copy.
#[derive(Clone, Copy, Debug)]
struct Copied {
    variable: JumpVariable,
    ty: Scalar,
    copy: Reg,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum JumpVariable {
    Reg(Reg),
    Slot(SlotId),
}

/// What a `setjmp` remembers, and what ends when it is come back to.
pub struct Kept {
    copied: Vec<Copied>,
    pub ended: Vec<SlotId>,
    pub has_arrays: bool,
    pub assumed: Option<(String, Span)>,
}

impl Kept {
    pub fn at(f: &mut Function, types: &Types, site: &SetjmpSite) -> Kept {
        let look = AfterSetjmp::new(f, types, site.landing);
        let regs = look.registers().map(|r| (JumpVariable::Reg(r), f.regs[r.index()].ty));
        let slots = look.slots().filter_map(|s| Some((JumpVariable::Slot(s), look.whole(s)?)));
        let variables: Vec<(JumpVariable, Scalar)> = regs.chain(slots).collect();
        let unclear = look.slots().any(|slot| look.whole(slot).is_none());
        let ended = (0..f.slots.len()).filter(|s| !look.alive.contains(*s));
        let ended = ended.map(|s| SlotId(s as u32)).collect();
        let assumed = unclear.then(|| (ASSUMPTION.to_owned(), site.span));
        let has_arrays = has_arrays(f);
        let copied = variables.into_iter().map(|(variable, ty)| {
            f.regs.push(RegInfo { name: None, ty, of: None, span: site.span });
            Copied { variable, ty, copy: Reg(f.regs.len() as u32 - 1) }
        });
        Kept { copied: copied.collect(), ended, has_arrays, assumed }
    }

    /// The copies are made.
    pub fn copies(&self, span: Span) -> Vec<Inst> {
        let copy = |c: &Copied| Inst::new(c.read(c.copy), span);
        self.copied.iter().map(copy).collect()
    }

    /// The way to the landing on which what was changed becomes arbitrary.
    pub fn forget(&self, writer: &mut JumpWriter, landing: BlockId, span: Span) -> BlockId {
        self.copied.iter().fold(landing, |next, copied| copied.forget(writer, next, span))
    }
}

impl Copied {
    fn read(&self, dst: Reg) -> InstKind {
        match self.variable {
            JumpVariable::Reg(r) => InstKind::Assign { dst, value: Rvalue::Use(Operand::Reg(r)) },
            JumpVariable::Slot(slot) => {
                let addr = Operand::Slot { slot, offset: 0 };
                InstKind::Load { dst, addr, ty: self.ty, order: MemoryOrder::Plain }
            }
        }
    }

    fn forget(&self, writer: &mut JumpWriter, next: BlockId, span: Span) -> BlockId {
        let (now, any) = (writer.reg(self.ty, span), writer.reg(self.ty, span));
        let changed = writer.reg(Scalar::I32, span);
        let mut forget = vec![InstKind::Assign { dst: any, value: Rvalue::Undef(self.ty) }];
        let value = Operand::Reg(any);
        forget.push(match self.variable {
            JumpVariable::Reg(dst) => InstKind::Assign { dst, value: Rvalue::Use(value) },
            JumpVariable::Slot(slot) => {
                let addr = Operand::Slot { slot, offset: 0 };
                InstKind::Store { addr, value, ty: self.ty, order: MemoryOrder::Plain }
            }
        });
        let then = writer.block(forget, Terminator::Goto(next), span);
        let (a, b) = (Operand::Reg(now), Operand::Reg(self.copy));
        let value = Rvalue::Binary { op: BinOp::Ne, ty: self.ty, a, b, checked: false };
        let ask = vec![self.read(now), InstKind::Assign { dst: changed, value }];
        let cond = Operand::Reg(changed);
        writer.block(ask, Terminator::Branch { cond, then, otherwise: next }, span)
    }
}

/// A function as it is seen from the place behind a `setjmp`.
struct AfterSetjmp<'a> {
    f: &'a Function,
    types: &'a Types,
    /// Registers that are read behind it.
    live: Vec<Reg>,
    /// Slots that live there.
    alive: FixedBitSet,
    /// Registers and slots that are written behind it.
    assigned: FixedBitSet,
    stored: FixedBitSet,
    /// Slots whose address is used.
    escaped: FixedBitSet,
}

impl<'a> AfterSetjmp<'a> {
    fn new(f: &'a Function, types: &'a Types, landing: BlockId) -> AfterSetjmp<'a> {
        let cfg = Cfg::new(f);
        let live = Live::new(f, &cfg).at_start(landing).iter().copied().collect();
        let mut look = AfterSetjmp {
            f,
            types,
            live,
            alive: alive_at(f, &cfg, landing),
            assigned: FixedBitSet::with_capacity(f.regs.len()),
            stored: FixedBitSet::with_capacity(f.slots.len()),
            escaped: FixedBitSet::with_capacity(f.slots.len()),
        };
        for block in reachable(&cfg, landing).ones() {
            f.blocks[block].insts.iter().for_each(|inst| look.see(&inst.kind));
        }
        f.blocks.iter().flat_map(|b| &b.insts).for_each(|inst| look.see_addresses(&inst.kind));
        look
    }

    fn see(&mut self, kind: &InstKind) {
        if let Some(reg) = walk::defined(kind) {
            self.assigned.insert(reg.index());
        }
        if let InstKind::Store { addr: Operand::Slot { slot, .. }, .. } = kind {
            self.stored.insert(slot.index());
        }
    }

    fn see_addresses(&mut self, kind: &InstKind) {
        let escape = |escaped: &mut FixedBitSet, operand: &Operand| {
            if let Operand::Slot { slot, .. } = operand {
                escaped.insert(slot.index());
            }
        };
        match kind {
            InstKind::Load { .. } => {}
            InstKind::Store { value, .. } => escape(&mut self.escaped, value),
            _ => walk::operands(kind).into_iter().for_each(|o| escape(&mut self.escaped, o)),
        }
    }

    /// Variables in registers that may have been changed.
    fn registers(&self) -> impl Iterator<Item = Reg> {
        self.live.iter().copied().filter(|reg| {
            let info = &self.f.regs[reg.index()];
            let is_volatile = info.of.is_some_and(TypeId::is_volatile);
            info.name.is_some() && !is_volatile && self.assigned.contains(reg.index())
        })
    }

    /// Variables in memory that may have been changed.
    fn slots(&self) -> impl Iterator<Item = SlotId> {
        let slots = self.alive.ones().filter(|s| self.stored[*s] || self.escaped[*s]);
        slots.map(|s| SlotId(s as u32)).filter(|slot| {
            let info = &self.f.slots[slot.index()];
            let is_buffer = self.types.name(info.ty).contains(BUFFER);
            let named = info.name.as_deref().is_some_and(|name| name != WORD);
            named && !is_volatile(self.types, info.ty) && !is_buffer
        })
    }

    /// The type of a slot that is only loaded and stored as a whole.
    fn whole(&self, slot: SlotId) -> Option<Scalar> {
        let ty = self.types.scalar(self.f.slots[slot.index()].ty)?;
        let mut insts = self.f.blocks.iter().flat_map(|b| &b.insts);
        let whole = |inst: &Inst| match &inst.kind {
            InstKind::Load { addr: Operand::Slot { slot: s, offset }, ty: t, .. }
            | InstKind::Store { addr: Operand::Slot { slot: s, offset }, ty: t, .. } => {
                *s != slot || (*offset == 0 && *t == ty)
            }
            _ => true,
        };
        (!self.escaped[slot.index()] && insts.all(whole)).then_some(ty)
    }
}

fn is_volatile(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Array { elem, .. } => is_volatile(types, *elem),
        _ => ty.is_volatile(),
    }
}

/// Arrays of variable length and `alloca`.
fn has_arrays(f: &Function) -> bool {
    let mut insts = f.blocks.iter().flat_map(|b| &b.insts);
    insts.any(|i| matches!(i.kind, InstKind::Alloc { storage: Storage::Frame, .. }))
}

fn reachable(cfg: &Cfg, from: BlockId) -> FixedBitSet {
    let mut seen = FixedBitSet::with_capacity(cfg.succs.len());
    let mut work = vec![from];
    while let Some(block) = work.pop() {
        if !seen.put(block.index()) {
            work.extend(cfg.succs[block.index()].iter().copied());
        }
    }
    seen
}

/// The slots that may live at the start of a block.
fn alive_at(f: &Function, cfg: &Cfg, block: BlockId) -> FixedBitSet {
    let mut alive = vec![FixedBitSet::with_capacity(f.slots.len()); f.blocks.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for b in &cfg.order {
            let mut now = alive[b.index()].clone();
            for inst in &f.blocks[b.index()].insts {
                match inst.kind {
                    InstKind::SlotLive(slot) => now.insert(slot.index()),
                    InstKind::SlotDead(slot) => now.set(slot.index(), false),
                    _ => {}
                }
            }
            for next in &cfg.succs[b.index()] {
                let before = alive[next.index()].count_ones(..);
                alive[next.index()].union_with(&now);
                changed |= alive[next.index()].count_ones(..) != before;
            }
        }
    }
    std::mem::take(&mut alive[block.index()])
}
