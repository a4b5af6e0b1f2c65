//! Numbers in globals that the first thread has for itself, as registers.
//!
//! `int n = input(); for (i = 0; i < n; i++) start(...)`: with `n` in a global that nobody else mentions, each
//! iteration loads it anew, and nothing tells that two loops go up to the same bound. As a register it is one
//! bound. Only globals that are set at one place, once, on the way to all that reads them: others may be part
//! of a relation between cells.
//!
//! Needs: calls are inlined. What is called by a pointer that is not known ends the analysis.

use ir::cfg::Cfg;
use ir::types::Scalar;
use ir::*;
use ir::{walk, walk::operands};
use rustc_hash::{FxHashMap, FxHashSet};

type Place = (BlockId, usize);

/// Where a global is used, as a whole and as one type.
struct Uses {
    ty: Scalar,
    loads: Vec<Place>,
    stores: Vec<Place>,
}

/// Replaces such globals; gives how many.
pub fn localise(program: &mut Program, roots: &[FuncId]) -> usize {
    let own = own(program, roots);
    let function = &mut program.functions[program.entry.index()];
    let mut same: FxHashMap<Reg, Reg> = FxHashMap::default();
    let mut defined: FxHashMap<Reg, u32> = function.params.iter().map(|reg| (*reg, 1)).collect();
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        walk::defined(&inst.kind).into_iter().for_each(|reg| *defined.entry(reg).or_default() += 1);
    }
    for (object, uses) in &own {
        let Object { name, ty: of, span, .. } = &program.objects[object.index()];
        let number = Reg(function.regs.len() as u32);
        let (name, of) = (Some(name.clone()), Some(*of));
        function.regs.push(RegInfo { name, ty: uses.ty, of, span: *span });
        for (block, index) in uses.stores.iter().chain(&uses.loads) {
            let kind = &mut function.blocks[block.index()].insts[*index].kind;
            let (dst, value) = match *kind {
                InstKind::Store { value, .. } => (number, value),
                InstKind::Load { dst, .. } => (dst, Operand::Reg(number)),
                _ => continue,
            };
            if dst != number && defined.get(&dst) == Some(&1) {
                same.insert(dst, number);
            }
            *kind = InstKind::Assign { dst, value: Rvalue::Use(value) };
        }
    }
    for block in &mut function.blocks {
        let insts = block.insts.iter_mut().flat_map(|inst| walk::operands_mut(&mut inst.kind));
        for operand in insts.chain(walk::end_operand_mut(&mut block.end)) {
            if let Operand::Reg(reg) = operand
                && let Some(number) = same.get(reg)
            {
                *operand = Operand::Reg(*number);
            }
        }
    }
    own.len()
}

/// Globals that only the first thread's function mentions, and sets once. There is one such thread if nothing
/// names its function.
fn own(program: &Program, roots: &[FuncId]) -> Vec<(ObjectId, Uses)> {
    let entry = &program.functions[program.entry.index()];
    if is_named(program, program.entry) {
        return Vec::new();
    }
    let mut found: FxHashMap<ObjectId, Uses> = FxHashMap::default();
    let mut others: FxHashSet<ObjectId> = FxHashSet::default();
    let relocated = program.objects.iter().flat_map(|object| &object.relocations);
    relocated.for_each(|(_, address)| mention(address, &mut others));
    for root in roots {
        for (b, block) in program.functions[root.index()].blocks.iter().enumerate() {
            walk::end_operand(&block.end).into_iter().for_each(|o| mention(o, &mut others));
            for (i, inst) in block.insts.iter().enumerate() {
                let mut all = operands(&inst.kind);
                if *root == program.entry
                    && let Some((object, ty, stores)) = whole(&inst.kind, program)
                {
                    let none = Uses { ty, loads: Vec::new(), stores: Vec::new() };
                    let uses = found.entry(object).or_insert(none);
                    if uses.ty == ty {
                        let to = if stores { &mut uses.stores } else { &mut uses.loads };
                        to.push((BlockId(b as u32), i));
                        all.remove(0);
                    }
                }
                all.into_iter().for_each(|o| mention(o, &mut others));
            }
        }
    }
    let cfg = Cfg::new(entry);
    let is_own =
        |(object, uses): &(ObjectId, Uses)| !others.contains(object) && is_set_before(&cfg, uses);
    let mut own: Vec<_> = found.into_iter().filter(is_own).collect();
    own.sort_unstable_by_key(|(object, _)| *object);
    own
}

/// Is it set once, on every way to a load?
fn is_set_before(cfg: &Cfg, uses: &Uses) -> bool {
    let [(block, index)] = uses.stores[..] else { return false };
    let dominators = cfg.dominators();
    let before = |load: &Place| match load.0 == block {
        true => index < load.1,
        false => dominators.dominates(block, load.0),
    };
    uses.loads.iter().all(before) && !is_in_loop(cfg, block)
}

fn is_in_loop(cfg: &Cfg, block: BlockId) -> bool {
    let mut seen = FxHashSet::default();
    let mut todo = vec![block];
    while let Some(at) = todo.pop() {
        for next in &cfg.succs[at.index()] {
            if *next == block {
                return true;
            }
            if seen.insert(*next) {
                todo.push(*next);
            }
        }
    }
    false
}

fn is_named(program: &Program, id: FuncId) -> bool {
    let is_it = |operand: &Operand| *operand == Operand::Function(id);
    let insts = program.functions.iter().flat_map(|f| &f.blocks).flat_map(|block| &block.insts);
    let mut relocated = program.objects.iter().flat_map(|object| &object.relocations);
    insts.flat_map(|inst| operands(&inst.kind)).any(is_it)
        || relocated.any(|(_, address)| is_it(address))
}

fn mention(operand: &Operand, to: &mut FxHashSet<ObjectId>) {
    if let Operand::Object { object, .. } = operand {
        to.insert(*object);
    }
}

/// A plain access to all of a global, which is its first operand; is it a store?
fn whole(kind: &InstKind, program: &Program) -> Option<(ObjectId, Scalar, bool)> {
    let (addr, ty, order, stores) = match kind {
        InstKind::Load { addr, ty, order, .. } => (addr, ty, order, false),
        InstKind::Store { addr, ty, order, .. } => (addr, ty, order, true),
        _ => return None,
    };
    let (Operand::Object { object, offset: 0 }, Scalar::Int { .. }) = (addr, ty) else {
        return None;
    };
    let known = &program.objects[object.index()];
    let plain = known.kind == ObjectKind::Global && known.relocations.is_empty();
    let all = known.size == ty.bytes(program.machine) && *order == MemoryOrder::Plain;
    (plain && all).then_some((*object, *ty, stores))
}
