//! The function being built: blocks, registers, slots, scopes of storage, jump targets.
//!
//! `current` is where the next instruction goes; after a jump it is a fresh block that nothing
//! reaches (dead code is lowered like any other and removed later).
//!
//! Storage scopes form a tree. A local lives from the entry of its block to its end (C11 6.2.4p6); a
//! jump kills the slots of the scopes that it leaves and starts those of the scopes that it enters,
//! which is settled when the function is finished and all labels are known. It cannot be told whether a
//! slot starts at its declaration instead, unless control can come back to before it: so only slots
//! behind a label of their block, or in what a loop repeats, start *early*, at the entry. An array of
//! variable length lives from its declaration until that is left, backwards too; a register whose
//! declaration is jumped over is arbitrary. Before a slot dies that somebody cleans up, that function
//! is called, for the last declared one first.

use analysis::order::UnsequencedPair;
use ir::types::{Scalar, TypeId};
use ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScopeId(usize);

/// What a scope declares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Local {
    Slot(SlotId),
    /// A variable-length array: where the register points.
    Array(Reg),
    Register(Reg),
}

#[derive(Clone, Debug)]
struct BlockScope {
    parent: Option<ScopeId>,
    locals: Vec<Local>,
    /// Where it is entered from above: a block and how many instructions it then had.
    entry: (BlockId, usize),
    /// Control may come back to before what is declared from here on.
    repeats: bool,
    /// Slots that start at the entry.
    early: Vec<SlotId>,
}

impl BlockScope {
    fn new(parent: Option<ScopeId>, entry: (BlockId, usize)) -> BlockScope {
        BlockScope { parent, locals: Vec::new(), entry, repeats: false, early: Vec::new() }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpTarget {
    pub block: BlockId,
    pub scope: ScopeId,
}

#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub ty: TypeId,
    pub cases: Vec<(u64, BlockId)>,
    /// The values in `cases`.
    pub taken: FxHashSet<u64>,
    /// Ranges that have too many values for `cases`: the first, how many follow, and where to go.
    pub ranges: Vec<(u64, u64, BlockId)>,
    pub default: Option<BlockId>,
    /// Where the switch itself stands: a jump to a case enters the scopes inside of it.
    pub scope: ScopeId,
}

/// A point to go back to: what is built after it is thrown away.
pub(crate) struct Checkpoint {
    current: BlockId,
    blocks: usize,
    regs: usize,
    slots: usize,
    storage: usize,
    own_locals: usize,
    gotos: usize,
    unsequenced: usize,
    sizes: usize,
}

#[derive(Clone, Debug)]
struct Label {
    block: BlockId,
    /// Known once the label is defined.
    place: Option<(ScopeId, Vec<Local>)>,
}

#[derive(Clone, Debug)]
struct Goto {
    /// The otherwise empty block that jumps.
    from: BlockId,
    scope: ScopeId,
    /// What is declared there.
    live: Vec<Local>,
    label: String,
    way: Way,
    span: Span,
}

/// How a jump says where it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Named,
    /// By an address: gcc does not clean up what such a jump leaves.
    Computed,
}

/// A jump out to an enclosing construct; it has killed what was declared before it.
#[derive(Clone, Debug)]
struct Exit {
    from: BlockId,
    scope: ScopeId,
    to: ScopeId,
    slots: usize,
    span: Span,
}

/// The way from a switch to one of its labels.
#[derive(Clone, Debug)]
struct SwitchEntry {
    block: BlockId,
    switch: ScopeId,
    scope: ScopeId,
    live: Vec<Local>,
    span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Builder {
    pub name: String,
    pub regs: Vec<RegInfo>,
    pub slots: Vec<SlotInfo>,
    pub blocks: Vec<Block>,
    pub current: BlockId,
    storage: Vec<BlockScope>,
    pub scope: ScopeId,
    pub breaks: Vec<JumpTarget>,
    pub continues: Vec<JumpTarget>,
    pub switches: Vec<Switch>,
    labels: FxHashMap<String, Label>,
    gotos: Vec<Goto>,
    exits: Vec<Exit>,
    entries: Vec<SwitchEntry>,
    /// `goto *p`: where `p` is, and the jump but for its label.
    computed: Vec<(Reg, Goto)>,
    /// Labels whose address is taken; it is that of the byte with their number in the object.
    pub label_addresses: Vec<String>,
    pub label_object: Option<ObjectId>,
    /// What is called before a slot dies, in the order of the declarations.
    cleanups: Vec<(SlotId, FuncId)>,
    /// Results of calls in memory: they end with the full expression (C11 6.2.4).
    results: Vec<SlotId>,
    /// Types of variable size, by number: where their size in bytes is.
    pub sizes: Vec<(u32, Reg)>,
    /// Locals that need an address, by name.
    pub addressed: FxHashSet<String>,
    /// The declared result type.
    pub ret: Option<TypeId>,
    /// Where a struct result goes.
    pub ret_addr: Option<Reg>,
    /// Where the arguments of `...` lie, if that is asked.
    pub va_area: Option<Reg>,
    /// Open `__VERIFIER_atomic_` function: returns must close the block.
    pub atomic: bool,
    /// Whether the order of operands matters, to be answered later.
    pub unsequenced: Vec<UnsequencedPair>,
    /// How many instructions do more than compute.
    pub effects: usize,
}

impl Builder {
    /// A builder whose code is thrown away: file scope.
    pub fn scratch() -> Builder {
        Builder::new("")
    }

    pub fn new(name: &str) -> Builder {
        let mut builder = Builder {
            name: name.to_owned(),
            regs: Vec::new(),
            slots: Vec::new(),
            blocks: Vec::new(),
            current: BlockId(0),
            storage: vec![BlockScope::new(None, (BlockId(0), 0))],
            scope: ScopeId(0),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            labels: FxHashMap::default(),
            gotos: Vec::new(),
            exits: Vec::new(),
            entries: Vec::new(),
            computed: Vec::new(),
            label_addresses: Vec::new(),
            label_object: None,
            cleanups: Vec::new(),
            results: Vec::new(),
            sizes: Vec::new(),
            addressed: Default::default(),
            ret: None,
            ret_addr: None,
            va_area: None,
            atomic: false,
            unsequenced: Vec::new(),
            effects: 0,
        };
        builder.current = builder.new_block();
        builder
    }

    pub fn new_block(&mut self) -> BlockId {
        let end = Terminator::Stop(Stop::Unreachable);
        self.blocks.push(Block::new(Vec::new(), end, Span::NONE));
        BlockId(self.blocks.len() as u32 - 1)
    }

    pub fn emit(&mut self, kind: InstKind, span: Span) {
        self.effects += usize::from(match &kind {
            InstKind::Assign { dst, .. } => self.regs[dst.index()].name.is_some(),
            InstKind::Load { order, .. } => *order != MemoryOrder::Plain,
            _ => true,
        });
        self.blocks[self.current.index()].insts.push(Inst::new(kind, span));
    }

    /// Until the program is numbered: what is known of a call (`called_as.rs`).
    pub fn number_last(&mut self, number: InstId) {
        if let Some(last) = self.blocks[self.current.index()].insts.last_mut() {
            last.id = number;
        }
    }

    /// Ends the current block; what follows is unreachable until `continue_at`.
    pub fn end(&mut self, end: Terminator, span: Span) {
        let block = &mut self.blocks[self.current.index()];
        block.end = end;
        block.end_span = span;
        self.current = self.new_block();
    }

    pub fn goto(&mut self, to: BlockId, span: Span) {
        self.end(Terminator::Goto(to), span);
    }

    pub(crate) fn continue_at(&mut self, block: BlockId) {
        self.current = block;
    }

    pub(crate) fn temp(&mut self, ty: Scalar, span: Span) -> Reg {
        self.named_reg(None, None, ty, span)
    }

    /// `of`: its type in C.
    pub(crate) fn named_reg(
        &mut self,
        name: Option<&str>,
        of: Option<TypeId>,
        ty: Scalar,
        span: Span,
    ) -> Reg {
        self.regs.push(RegInfo { name: name.map(str::to_owned), ty, of, span });
        Reg(self.regs.len() as u32 - 1)
    }

    /// A slot of the innermost scope for an object of the program.
    pub fn slot(&mut self, info: SlotInfo) -> SlotId {
        if !self.storage[self.scope.0].repeats {
            return self.temporary(info);
        }
        let slot = self.add_slot(info);
        self.storage[self.scope.0].early.push(slot);
        slot
    }

    /// A slot of the innermost scope whose lifetime starts here.
    pub fn temporary(&mut self, info: SlotInfo) -> SlotId {
        let span = info.span;
        let slot = self.add_slot(info);
        self.emit(InstKind::SlotLive(slot), span);
        slot
    }

    /// A temporary for the result of a call.
    pub fn result(&mut self, info: SlotInfo) -> SlotId {
        let slot = self.temporary(info);
        self.results.push(slot);
        slot
    }

    /// How many results of calls there are.
    pub fn results(&self) -> usize {
        self.results.len()
    }

    /// Ends the results of calls behind the first ones.
    pub fn end_results(&mut self, first: usize, span: Span) {
        for slot in self.results.split_off(first.min(self.results.len())) {
            self.emit(InstKind::SlotDead(slot), span);
        }
    }

    fn add_slot(&mut self, info: SlotInfo) -> SlotId {
        self.slots.push(info);
        let slot = SlotId(self.slots.len() as u32 - 1);
        self.declare(Local::Slot(slot));
        slot
    }

    /// The innermost scope has one more local.
    pub fn declare(&mut self, local: Local) {
        self.storage[self.scope.0].locals.push(local);
    }

    /// Does the slot live since the entry of its block? Then its declaration may be reached again.
    pub(crate) fn is_early(&self, slot: SlotId) -> bool {
        self.storage[self.scope.0].early.contains(&slot)
    }

    /// What the innermost scope declares from here on may be come back to.
    pub fn repeats(&mut self) {
        self.storage[self.scope.0].repeats = true;
    }

    pub(crate) fn enter_scope(&mut self) {
        let entry = (self.current, self.blocks[self.current.index()].insts.len());
        self.storage.push(BlockScope::new(Some(self.scope), entry));
        self.scope = ScopeId(self.storage.len() - 1);
    }

    /// Ends the innermost scope's locals and leaves it.
    pub(crate) fn leave_scope(&mut self, span: Span) {
        self.kill(self.storage[self.scope.0].locals.clone(), span);
        if let Some(parent) = self.storage[self.scope.0].parent {
            self.scope = parent;
        }
    }

    /// Jumps out to an enclosing construct.
    pub fn jump(&mut self, target: JumpTarget, span: Span) {
        self.kill(self.locals_between(self.scope, target.scope), span);
        let (from, slots) = (self.current, self.slots.len());
        self.exits.push(Exit { from, scope: self.scope, to: target.scope, slots, span });
        self.goto(target.block, span);
    }

    /// Ends locals, cleaned up.
    fn kill(&mut self, locals: Vec<Local>, span: Span) {
        let cleaning = self.cleaning(|slot| locals.contains(&Local::Slot(slot)));
        for kind in cleaning.into_iter().chain(locals.into_iter().filter_map(end)) {
            self.emit(kind, span);
        }
    }

    /// The slot is cleaned up from here on.
    pub(crate) fn clean_up_by(&mut self, function: FuncId, slot: SlotId) {
        self.cleanups.push((slot, function));
    }

    /// What a return does: the slots die with the frame.
    pub(crate) fn clean_up_all(&mut self, span: Span) {
        let live = self.declared();
        for kind in self.cleaning(|slot| live.contains(&Local::Slot(slot))) {
            self.emit(kind, span);
        }
    }

    fn cleaning(&self, dies: impl Fn(SlotId) -> bool) -> Vec<InstKind> {
        let dying = self.cleanups.iter().rev().filter(|(slot, _)| dies(*slot));
        let call = |&(slot, function): &(SlotId, FuncId)| InstKind::Call {
            dst: None,
            callee: Callee::Direct(function),
            args: vec![Operand::Slot { slot, offset: 0 }],
        };
        dying.map(call).collect()
    }

    /// The scopes from `inner` up to but without `outer` and those around it.
    fn scopes_between(&self, inner: ScopeId, outer: ScopeId) -> Vec<ScopeId> {
        let outside = self.ancestors(outer);
        self.ancestors(inner).into_iter().take_while(|s| !outside.contains(s)).collect()
    }

    /// What those declare so far.
    fn locals_between(&self, inner: ScopeId, outer: ScopeId) -> Vec<Local> {
        let scopes = self.scopes_between(inner, outer).into_iter();
        scopes.flat_map(|s| self.storage[s.0].locals.iter().copied()).collect()
    }

    /// What those start at their entry.
    fn early_between(&self, inner: ScopeId, outer: ScopeId) -> Vec<SlotId> {
        let scopes = self.scopes_between(inner, outer).into_iter();
        scopes.flat_map(|s| self.storage[s.0].early.iter().copied()).collect()
    }

    fn ancestors(&self, scope: ScopeId) -> Vec<ScopeId> {
        std::iter::successors(Some(scope), |s| self.storage[s.0].parent).collect()
    }

    fn label(&mut self, name: &str) -> BlockId {
        if let Some(label) = self.labels.get(name) {
            return label.block;
        }
        let block = self.new_block();
        self.labels.insert(name.to_owned(), Label { block, place: None });
        block
    }

    /// Defines a label here. `false` if it already has a place.
    pub(crate) fn define_label(&mut self, name: &str, span: Span) -> bool {
        let block = self.label(name);
        self.goto(block, span);
        self.continue_at(block);
        let place = Some((self.scope, self.declared()));
        for scope in self.ancestors(self.scope) {
            self.storage[scope.0].repeats = true;
        }
        let Some(label) = self.labels.get_mut(name) else { return false };
        let fresh = label.place.is_none();
        label.place = place;
        fresh
    }

    pub(crate) fn goto_label(&mut self, name: &str, span: Span) {
        let to = self.label(name);
        let from = self.new_block();
        self.goto(from, span);
        self.continue_at(from);
        self.goto(to, span);
        let live = self.declared();
        let (scope, label, way) = (self.scope, name.to_owned(), Way::Named);
        self.gotos.push(Goto { from, scope, live, label, way, span });
    }

    /// What is declared so far in the scopes around.
    fn declared(&self) -> Vec<Local> {
        let around = self.ancestors(self.scope);
        around.iter().flat_map(|s| self.storage[s.0].locals.iter().copied()).collect()
    }

    /// The block that a switch jumps to for a label at `block`: it starts the slots of the scopes
    /// that the jump enters.
    pub(crate) fn case_entry(&mut self, block: BlockId, switch: ScopeId, span: Span) -> BlockId {
        if self.scope == switch {
            return block;
        }
        let entry = self.new_block();
        self.blocks[entry.index()].end = Terminator::Goto(block);
        self.blocks[entry.index()].end_span = span;
        let live = self.locals_between(self.scope, switch);
        self.entries.push(SwitchEntry { block: entry, switch, scope: self.scope, live, span });
        entry
    }

    /// Starts a block that `roll_back` throws away with everything else.
    pub(crate) fn checkpoint(&mut self) -> Checkpoint {
        let point = Checkpoint {
            current: self.current,
            blocks: self.blocks.len(),
            regs: self.regs.len(),
            slots: self.slots.len(),
            storage: self.storage.len(),
            own_locals: self.storage[self.scope.0].locals.len(),
            gotos: self.gotos.len(),
            unsequenced: self.unsequenced.len(),
            sizes: self.sizes.len(),
        };
        self.current = self.new_block();
        point
    }

    pub(crate) fn roll_back(&mut self, to: Checkpoint) {
        self.current = to.current;
        self.blocks.truncate(to.blocks);
        self.unsequenced.truncate(to.unsequenced);
        self.regs.truncate(to.regs);
        self.slots.truncate(to.slots);
        self.sizes.truncate(to.sizes);
        self.computed.retain(|(_, goto)| goto.from.index() < to.blocks);
        self.cleanups.retain(|(slot, _)| slot.index() < to.slots);
        self.results.retain(|slot| slot.index() < to.slots);
        let scope = &mut self.storage[self.scope.0];
        scope.locals.truncate(to.own_locals);
        scope.early.retain(|slot| slot.index() < to.slots);
        self.exits.retain(|exit| exit.from.index() < to.blocks);
        self.entries.retain(|entry| entry.block.index() < to.blocks);
        if self.storage.len() > to.storage {
            // Only a statement expression has scopes, labels and gotos of its own.
            self.storage.truncate(to.storage);
            self.gotos.truncate(to.gotos);
            self.labels.retain(|_, l| l.block.index() < to.blocks);
            for label in self.labels.values_mut() {
                label.place.take_if(|(scope, _)| scope.0 >= to.storage);
            }
        }
    }

    /// Is it a pointer, or a number that the running block makes of one?
    pub fn is_address(&self, mut reg: Reg) -> bool {
        for inst in self.blocks[self.current.index()].insts.iter().rev() {
            match &inst.kind {
                InstKind::Assign { dst, value } if *dst == reg => match value {
                    Rvalue::Use(Operand::Reg(from)) => reg = *from,
                    Rvalue::Cast { from: Scalar::Ptr, .. } => return true,
                    Rvalue::Cast { a: Operand::Reg(from), .. } => reg = *from,
                    _ => return false,
                },
                _ => {}
            }
        }
        self.regs[reg.index()].ty == Scalar::Ptr
    }

    /// Has nothing happened since but computing new registers, and reading?
    pub(crate) fn is_pure_since(&self, point: &Checkpoint) -> bool {
        let fresh = |inst: &Inst| {
            matches!(inst.kind, InstKind::Assign { dst, .. } | InstKind::Load { dst, .. }
                if dst.index() >= point.regs)
        };
        self.current.index() == point.blocks
            && self.blocks[self.current.index()].insts.iter().all(fresh)
    }

    /// `goto *p`, `p` being in a register of its own: which labels there are is known at the end.
    pub(crate) fn goto_computed(&mut self, target: Reg, span: Span) {
        let (from, scope) = (self.current, self.scope);
        let live = self.declared();
        let (label, way) = (String::new(), Way::Computed);
        self.computed.push((target, Goto { from, scope, live, label, way, span }));
        self.end(Terminator::Stop(Stop::Unreachable), span);
    }

    /// Makes comparisons with all addresses of labels of computed gotos.
    pub(crate) fn settle_computed(&mut self) {
        for (target, goto) in std::mem::take(&mut self.computed) {
            self.current = goto.from;
            let (span, object) = (goto.span, self.label_object);
            for (number, label) in self.label_addresses.clone().into_iter().enumerate() {
                let Some(object) = object else { break };
                let to = self.label(&label);
                let from = self.new_block();
                let next = self.new_block();
                let (a, b) =
                    (Operand::Reg(target), Operand::Object { object, offset: number as i64 });
                let value = Rvalue::Binary { op: BinOp::Eq, ty: Scalar::Ptr, a, b, checked: false };
                let dst = self.temp(Scalar::I32, span);
                self.emit(InstKind::Assign { dst, value }, span);
                let cond = Operand::Reg(dst);
                self.end(Terminator::Branch { cond, then: from, otherwise: next }, span);
                self.current = from;
                self.goto(to, span);
                self.gotos.push(Goto { from, label, ..goto.clone() });
                self.current = next;
            }
            let what = "a computed goto to what is no label of this function".into();
            self.emit(InstKind::Unsupported { what }, span);
            self.end(Terminator::Stop(Stop::Abort), span);
        }
    }

    /// Settles the storage effects of all jumps and entries. `Err`: a label that is used and not
    /// defined.
    pub(crate) fn settle_storage(&mut self) -> Result<(), (String, Span)> {
        for goto in std::mem::take(&mut self.gotos) {
            let place = self.labels.get(&goto.label).and_then(|l| l.place.clone());
            let Some((scope, declared)) = place else { return Err((goto.label, goto.span)) };
            let kinds = self.on_the_way(&goto, scope, declared);
            let insts = kinds.into_iter().map(|kind| Inst::new(kind, goto.span));
            self.blocks[goto.from.index()].insts = insts.collect();
        }
        for entry in std::mem::take(&mut self.entries) {
            let early = self.early_between(entry.scope, entry.switch);
            let kinds = self.starting(&entry.live, early);
            let insts = kinds.into_iter().map(|kind| Inst::new(kind, entry.span));
            self.blocks[entry.block.index()].insts = insts.collect();
        }
        for exit in std::mem::take(&mut self.exits) {
            let later = self.early_between(exit.scope, exit.to).into_iter();
            let dead = later.filter(|slot| slot.index() >= exit.slots).map(InstKind::SlotDead);
            let insts = dead.map(|kind| Inst::new(kind, exit.span));
            self.blocks[exit.from.index()].insts.extend(insts);
        }
        self.start_early_slots();
        Ok(())
    }

    /// What a `goto` ends and starts.
    fn on_the_way(&self, goto: &Goto, scope: ScopeId, declared: Vec<Local>) -> Vec<InstKind> {
        let left = self.locals_between(goto.scope, scope);
        let gone = |local: &Local| goto.live.contains(local) && !declared.contains(local);
        let mut kinds = self.cleaning(|slot| gone(&Local::Slot(slot)));
        if goto.way == Way::Computed && !kinds.is_empty() {
            let what = "a computed goto out of the scope of a cleanup".into();
            kinds.insert(0, InstKind::Unsupported { what });
        }
        let ends = |local: &Local| match local {
            Local::Slot(_) => left.contains(local),
            Local::Array(_) | Local::Register(_) => gone(local),
        };
        let early = self.early_between(goto.scope, scope).into_iter().map(Local::Slot);
        let early = early.filter(|local| !goto.live.contains(local));
        kinds.extend(goto.live.iter().copied().chain(early).filter(ends).filter_map(end));
        // Entered scopes, and declarations of the same scope that are jumped over.
        let around = self.early_between(goto.scope, ScopeId(0));
        let lives = |local: &Local| {
            goto.live.contains(local) || matches!(local, Local::Slot(s) if around.contains(s))
        };
        let new: Vec<Local> = declared.into_iter().filter(|local| !lives(local)).collect();
        kinds.extend(self.starting(&new, self.early_between(scope, goto.scope)));
        kinds
    }

    /// Begins slots and makes registers arbitrary, as where a declaration is jumped over.
    fn starting(&self, locals: &[Local], early: Vec<SlotId>) -> Vec<InstKind> {
        let slots = locals.iter().filter_map(|local| match *local {
            Local::Slot(slot) => Some(slot).filter(|slot| !early.contains(slot)),
            Local::Array(_) | Local::Register(_) => None,
        });
        let regs = locals.iter().filter_map(|local| match *local {
            Local::Register(reg) => Some(reg),
            Local::Array(_) | Local::Slot(_) => None,
        });
        let undefined = |dst: Reg| {
            let value = Rvalue::Undef(self.regs[dst.index()].ty);
            InstKind::Assign { dst, value }
        };
        let live = slots.chain(early.iter().copied()).map(InstKind::SlotLive);
        live.chain(regs.map(undefined)).collect()
    }

    /// Puts the starts of early slots where their scopes are entered.
    fn start_early_slots(&mut self) {
        let mut starts: Vec<((BlockId, usize), SlotId)> = Vec::new();
        for scope in &self.storage {
            starts.extend(scope.early.iter().map(|slot| (scope.entry, *slot)));
        }
        // From the back, so that no place moves before its turn.
        starts.sort_by_key(|(entry, slot)| std::cmp::Reverse((*entry, *slot)));
        for ((block, at), slot) in starts {
            let span = self.slots[slot.index()].span;
            let kind = InstKind::SlotLive(slot);
            self.blocks[block.index()].insts.insert(at, Inst::new(kind, span));
        }
    }
}

/// What ends a local.
fn end(local: Local) -> Option<InstKind> {
    match local {
        Local::Slot(slot) => Some(InstKind::SlotDead(slot)),
        Local::Array(at) => Some(InstKind::Free { ptr: Operand::Reg(at), storage: Storage::Frame }),
        Local::Register(_) => None,
    }
}

#[cfg(test)]
mod tests;
