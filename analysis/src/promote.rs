//! Slots that are only loaded and stored as a whole become registers.
//!
//! Their address was taken only for an operation that the lowering has meanwhile spelled out, such
//! as the `expected` of a compare-and-exchange. A register needs no memory, no lifetime and no
//! thought about other threads.

use ir::types::{Machine, Scalar};
use ir::walk;
use ir::*;
use rustc_hash::FxHashMap;

/// Gives how many slots became registers.
pub fn promote(program: &mut Program) -> usize {
    let machine = program.machine;
    program.functions.iter_mut().map(|f| promote_in(f, machine)).sum()
}

/// What we know of a slot so far.
#[derive(Clone, Copy, PartialEq)]
enum SlotUse {
    Unused,
    Whole(Scalar),
    Address,
}

fn promote_in(function: &mut Function, machine: Machine) -> usize {
    let mut regs: Vec<Option<Reg>> = vec![None; function.slots.len()];
    for (slot, found) in uses(function, machine).into_iter().enumerate() {
        if let SlotUse::Whole(ty) = found {
            let SlotInfo { name, span, ty: of, .. } = function.slots[slot].clone();
            regs[slot] = Some(Reg(function.regs.len() as u32));
            function.regs.push(RegInfo { name, ty, of: Some(of), span });
        }
    }
    for block in &mut function.blocks {
        block.insts.retain(|i| match i.kind {
            InstKind::SlotDead(s) | InstKind::SlotConst { slot: s, .. } => {
                regs[s.index()].is_none()
            }
            _ => true,
        });
        keep_ids(block, &regs);
        for inst in &mut block.insts {
            rewrite(&mut inst.kind, &regs, &function.regs);
        }
    }
    regs.iter().flatten().count()
}

fn uses(function: &Function, machine: Machine) -> Vec<SlotUse> {
    let mut found = vec![SlotUse::Unused; function.slots.len()];
    let mut whole = |slot: SlotId, offset: i64, ty: Scalar| {
        let fits = offset == 0 && function.slots[slot.index()].size == ty.bytes(machine);
        let entry = &mut found[slot.index()];
        *entry = match *entry {
            SlotUse::Unused if fits => SlotUse::Whole(ty),
            SlotUse::Whole(old) if fits && old.is_float() == ty.is_float() => SlotUse::Whole(old),
            _ => SlotUse::Address,
        };
    };
    let mut addresses = Vec::new();
    for block in &function.blocks {
        for inst in &block.insts {
            let mut operands = walk::operands(&inst.kind);
            match &inst.kind {
                // An atomic access orders others, whatever it is about.
                InstKind::Load {
                    addr: Operand::Slot { slot, offset },
                    ty,
                    order: MemoryOrder::Plain,
                    ..
                }
                | InstKind::Store {
                    addr: Operand::Slot { slot, offset },
                    ty,
                    order: MemoryOrder::Plain,
                    ..
                } => {
                    whole(*slot, *offset, *ty);
                    operands.remove(0);
                }
                InstKind::Spawn { dst, place: Some(Operand::Slot { slot, offset }), .. } => {
                    whole(*slot, *offset, function.regs[dst.index()].ty);
                    operands.pop();
                }
                _ => {}
            }
            addresses.extend(operands);
        }
        addresses.extend(walk::end_operand(&block.end));
    }
    for operand in addresses {
        if let Operand::Slot { slot, .. } = operand {
            found[slot.index()] = SlotUse::Address;
        }
    }
    for slot in written_constants(function) {
        found[slot.index()] = SlotUse::Address;
    }
    found
}

/// The id of a new thread goes to the register when the thread exists: no other thread looks there.
fn keep_ids(block: &mut Block, regs: &[Option<Reg>]) {
    for i in (0..block.insts.len()).rev() {
        let at = block.insts[i].at();
        let InstKind::Spawn { dst, place, .. } = &mut block.insts[i].kind else { continue };
        let Some(Operand::Slot { slot, .. }) = place else { continue };
        let Some(reg) = regs[slot.index()] else { continue };
        *place = None;
        let value = Rvalue::Use(Operand::Reg(*dst));
        let keep = Inst::new(InstKind::Assign { dst: reg, value }, at);
        block.insts.insert(i + 1, keep);
    }
}

/// Slots that are defined `const`, and stored to elsewhere than right before that.
fn written_constants(function: &Function) -> Vec<SlotId> {
    let insts = || {
        let blocks = function.blocks.iter().enumerate();
        blocks.flat_map(|(b, block)| block.insts.iter().enumerate().map(move |(i, x)| (b, i, x)))
    };
    let mut ends: FxHashMap<SlotId, (usize, usize)> = FxHashMap::default();
    for (b, i, inst) in insts() {
        if let InstKind::SlotConst { slot, .. } = inst.kind {
            // One that is initialised again has more than one end.
            ends.entry(slot).and_modify(|end| *end = (0, 0)).or_insert((b, i));
        }
    }
    let late = |(b, i, inst): (usize, usize, &Inst)| match inst.kind {
        InstKind::Store { addr: Operand::Slot { slot, .. }, .. } => {
            let &(block, end) = ends.get(&slot)?;
            (b != block || i > end).then_some(slot)
        }
        _ => None,
    };
    if ends.is_empty() { Vec::new() } else { insts().filter_map(late).collect() }
}

fn rewrite(kind: &mut InstKind, regs: &[Option<Reg>], infos: &[RegInfo]) {
    let reg = |addr: &Operand| match addr {
        Operand::Slot { slot, .. } => regs[slot.index()],
        _ => None,
    };
    let (dst, value) = match kind {
        InstKind::Load { dst, addr, .. } => match reg(addr) {
            Some(r) => (*dst, Rvalue::Use(Operand::Reg(r))),
            None => return,
        },
        InstKind::Store { addr, value, .. } => match reg(addr) {
            Some(r) => (r, Rvalue::Use(*value)),
            None => return,
        },
        InstKind::SlotLive(slot) => match regs[slot.index()] {
            Some(r) => (r, Rvalue::Undef(infos[r.index()].ty)),
            None => return,
        },
        _ => return,
    };
    *kind = InstKind::Assign { dst, value };
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::{End, parse, run};
    use ir::{print, verify};

    #[test]
    fn whole_accesses_only() {
        let mut p = parse(
            "global pg
             fn main() {
             a: live $p
             live $q
             store $p @pg
             pr = load $p
             store $q pr
             store @pg $q
             pr = load $q
             c = pr == @pg
             dead $p
             ret c
             }",
        );
        assert_eq!(promote(&mut p), 1);
        assert_eq!(verify::program(&p), []);
        let text = print::program(&p);
        assert!(!text.contains("load ptr $p") && text.contains("load ptr $q"), "{text}");
        assert_eq!(run(&p, 0, 100).end, End::Return(1));
    }

    #[test]
    fn a_constant_that_is_written_to_stays_in_memory() {
        let lower = |text: &str| {
            let mut p = crate::from_c::program(text);
            crate::simplify::simplify(&mut p);
            promote(&mut p)
        };
        assert_eq!(lower("int f(void) { const int x = 1; return *&x; }"), 1);
        assert_eq!(lower("int f(void) { const int x = 1; *(int *)&x = 2; return x; }"), 0);
    }

    #[test]
    fn parts_of_a_slot_stay_in_memory() {
        let mut p = parse("fn main() {\na: live $s\nstore $s 1\nx = load $s\nret x\n}");
        assert_eq!(promote(&mut p), 0, "4 of 8 bytes");
    }
}
