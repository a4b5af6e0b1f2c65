//! Accesses that C does not define, as conditions on words.
//!
//! An access that the system cannot place is a limit of the system, and stays a doubt. It is undefined
//! only where that is known for certain: its address was computed by steps from the start of objects
//! whose sizes are known (`a[i]`, `*(p + i)` where all that `p` is ever given in this function is such an
//! address), and is inside of none of them. Whatever passes through memory or comes from elsewhere is not
//! looked at.
//!
//! An access through null (or a member of null) ends the process, whatever `--undefined` says: that is
//! what machines do, and what the other engines say.

use super::Build;
use super::guess::Maker;
use super::sym::Sym;
use super::thread::ThreadBuild;
use encoder::Term;
use ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Addresses below are null, or a member of null.
const NULL_PAGE: u64 = 4096;

/// Where an address begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Root {
    Object(ObjectId),
    Slot(SlotId),
    Block(BlockId, usize),
}

/// What a register is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RegisterSource {
    Address(Operand),
    Block(BlockId, usize),
    /// Anything else.
    Other,
}

/// All that each register of a function is given.
#[derive(Default)]
pub struct Definitions(FxHashMap<Reg, Vec<RegisterSource>>);

impl Definitions {
    pub fn new(function: &Function) -> Definitions {
        let mut all: FxHashMap<Reg, Vec<RegisterSource>> = FxHashMap::default();
        for param in &function.params {
            all.entry(*param).or_default().push(RegisterSource::Other);
        }
        for (block, code) in function.blocks.iter().enumerate() {
            for (index, inst) in code.insts.iter().enumerate() {
                let Some(reg) = walk::defined(&inst.kind) else { continue };
                let given = match &inst.kind {
                    InstKind::Assign { value: Rvalue::Use(a), .. } => RegisterSource::Address(*a),
                    InstKind::Assign { value: Rvalue::PtrAdd { base, .. }, .. } => {
                        RegisterSource::Address(*base)
                    }
                    InstKind::Alloc { .. } => RegisterSource::Block(BlockId(block as u32), index),
                    _ => RegisterSource::Other,
                };
                all.entry(reg).or_default().push(given);
            }
        }
        Definitions(all)
    }

    /// The objects that an address is computed from, if that is all that it can be.
    fn roots(&self, operand: &Operand) -> Option<FxHashSet<Root>> {
        let (mut roots, mut seen) = (FxHashSet::default(), FxHashSet::default());
        let mut open = vec![*operand];
        while let Some(operand) = open.pop() {
            match operand {
                Operand::Object { object, .. } => _ = roots.insert(Root::Object(object)),
                Operand::Slot { slot, .. } => _ = roots.insert(Root::Slot(slot)),
                Operand::Reg(reg) if !seen.insert(reg) => {}
                Operand::Reg(reg) => {
                    for given in self.0.get(&reg)? {
                        match *given {
                            RegisterSource::Address(from) => open.push(from),
                            RegisterSource::Block(at, index) => {
                                _ = roots.insert(Root::Block(at, index))
                            }
                            RegisterSource::Other => return None,
                        }
                    }
                }
                Operand::Const { .. } | Operand::Function(_) => return None,
            }
        }
        (!roots.is_empty()).then_some(roots)
    }
}

impl Build<'_> {
    /// An access through null is the end.
    pub(crate) fn traps_at_null(&mut self, thread: &mut ThreadBuild, sym: &mut Sym, address: Term) {
        // Of an object's own address this is not asked.
        if !self.is_computed_address(address) {
            let page = self.pool.bits(NULL_PAGE, self.pool.width(address));
            let null = self.pool.ult(address, page);
            self.stops_if(thread, sym, null);
        }
    }

    /// That an access is outside of all objects that its address can be of, if these are known.
    pub fn outside(
        &mut self,
        thread: &ThreadBuild,
        operand: Option<&Operand>,
        address: Term,
        size: u64,
    ) -> Option<Term> {
        let operand = operand.filter(|_| self.config.undefined_ends)?;
        let graphs = self.graphs.clone();
        let roots = graphs[&thread.function].defs.roots(operand)?;
        let mut outside = self.pool.bool(true);
        for root in roots {
            let inside = self.inside(thread.index, root, address, size)?;
            let not = self.pool.not(inside);
            outside = self.pool.and(outside, not);
        }
        Some(outside)
    }

    fn inside(&mut self, thread: usize, root: Root, address: Term, size: u64) -> Option<Term> {
        let maker = match root {
            Root::Object(id) => match self.program.objects[id.index()].kind {
                ObjectKind::ThreadLocal => Maker::ThreadLocal(thread, id),
                ObjectKind::Global | ObjectKind::Constant => Maker::Static(id),
                _ => return None,
            },
            Root::Slot(slot) => Maker::Slot(thread, slot),
            Root::Block(block, index) => Maker::Block(thread, block, index),
        };
        let object = *self.guess.makers.get(&maker)?;
        let object = self.guess.objects[object.0];
        let Some(last) = object.size.checked_sub(size) else {
            return Some(self.pool.bool(false));
        };
        let bits = self.pool.width(address);
        let (base, last) = (self.pool.bits(object.base, bits), self.pool.bits(last, bits));
        let offset = self.pool.sub(address, base);
        Some(self.pool.ule(offset, last))
    }
}
