//! The function being built: blocks, registers, slots, scopes of storage, jump targets.
//!
//! `current` is where the next instruction goes; after a jump it is a fresh block that nothing
//! reaches (dead code is lowered like any other and removed later).
//!
//! Storage scopes form a tree. A slot is live from its declaration to the end of its scope; a jump
//! kills the slots of the scopes that it leaves and starts those of the scopes that it enters, which
//! for `goto` is settled when the function is finished and all labels are known. Before a slot dies
//! that somebody cleans up, that function is called, for the last declared one first.

use crate::ir::*;
use crate::types::{Scalar, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScopeId(usize);

#[derive(Clone, Debug)]
struct Storage {
    parent: Option<ScopeId>,
    slots: Vec<SlotId>,
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
    own_slots: usize,
    gotos: usize,
}

#[derive(Clone, Debug)]
struct Label {
    block: BlockId,
    /// Known once the label is defined.
    place: Option<(ScopeId, Vec<SlotId>)>,
}

#[derive(Clone, Debug)]
struct Goto {
    /// The otherwise empty block that jumps.
    from: BlockId,
    scope: ScopeId,
    /// The slots that are live there.
    live: FxHashSet<SlotId>,
    label: String,
    span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Builder {
    pub name: String,
    pub regs: Vec<RegInfo>,
    pub slots: Vec<SlotInfo>,
    pub blocks: Vec<Block>,
    pub current: BlockId,
    storage: Vec<Storage>,
    pub scope: ScopeId,
    pub breaks: Vec<JumpTarget>,
    pub continues: Vec<JumpTarget>,
    pub switches: Vec<Switch>,
    labels: FxHashMap<String, Label>,
    gotos: Vec<Goto>,
    /// What is called before a slot dies, in the order of the declarations.
    cleanups: Vec<(SlotId, FuncId)>,
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
            storage: vec![Storage { parent: None, slots: Vec::new() }],
            scope: ScopeId(0),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            labels: FxHashMap::default(),
            gotos: Vec::new(),
            cleanups: Vec::new(),
            addressed: Default::default(),
            ret: None,
            ret_addr: None,
            va_area: None,
            atomic: false,
        };
        builder.current = builder.new_block();
        builder
    }

    pub fn new_block(&mut self) -> BlockId {
        let end = Terminator::Stop(Stop::Unreachable);
        self.blocks.push(Block { insts: Vec::new(), end, end_span: Span::NONE });
        BlockId(self.blocks.len() as u32 - 1)
    }

    pub fn emit(&mut self, kind: InstKind, span: Span) {
        self.blocks[self.current.index()].insts.push(Inst { kind, span });
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

    pub fn continue_at(&mut self, block: BlockId) {
        self.current = block;
    }

    pub fn temp(&mut self, ty: Scalar, span: Span) -> Reg {
        self.named_reg(None, ty, span)
    }

    pub fn named_reg(&mut self, name: Option<&str>, ty: Scalar, span: Span) -> Reg {
        self.regs.push(RegInfo { name: name.map(str::to_owned), ty, span });
        Reg(self.regs.len() as u32 - 1)
    }

    /// A slot of the innermost scope whose lifetime starts here.
    pub fn slot(&mut self, info: SlotInfo) -> SlotId {
        let span = info.span;
        self.slots.push(info);
        let slot = SlotId(self.slots.len() as u32 - 1);
        self.storage[self.scope.0].slots.push(slot);
        self.emit(InstKind::SlotLive(slot), span);
        slot
    }

    pub fn enter_scope(&mut self) {
        self.storage.push(Storage { parent: Some(self.scope), slots: Vec::new() });
        self.scope = ScopeId(self.storage.len() - 1);
    }

    /// Kills the innermost scope's slots and leaves it.
    pub fn leave_scope(&mut self, span: Span) {
        self.kill(self.storage[self.scope.0].slots.clone(), span);
        if let Some(parent) = self.storage[self.scope.0].parent {
            self.scope = parent;
        }
    }

    /// Jumps out to an enclosing construct.
    pub fn jump(&mut self, target: JumpTarget, span: Span) {
        self.kill(self.slots_between(self.scope, target.scope), span);
        self.goto(target.block, span);
    }

    /// Ends slots, cleaned up.
    fn kill(&mut self, slots: Vec<SlotId>, span: Span) {
        let dead = slots.iter().copied().map(InstKind::SlotDead);
        for kind in self.cleaning(|slot| slots.contains(&slot)).into_iter().chain(dead) {
            self.emit(kind, span);
        }
    }

    /// The slot is cleaned up from here on.
    pub fn clean_up_by(&mut self, function: FuncId, slot: SlotId) {
        self.cleanups.push((slot, function));
    }

    /// What a return does: the slots die with the frame.
    pub fn clean_up_all(&mut self, span: Span) {
        let live = self.live_slots();
        for kind in self.cleaning(|slot| live.contains(&slot)) {
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

    /// Slots of the scopes from `inner` up to but without `outer`.
    fn slots_between(&self, inner: ScopeId, outer: ScopeId) -> Vec<SlotId> {
        let outside = self.ancestors(outer);
        let mut slots = Vec::new();
        let mut scope = Some(inner);
        while let Some(id) = scope {
            if outside.contains(&id) {
                break;
            }
            slots.extend(self.storage[id.0].slots.iter().copied());
            scope = self.storage[id.0].parent;
        }
        slots
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
    pub fn define_label(&mut self, name: &str, span: Span) -> bool {
        let block = self.label(name);
        self.goto(block, span);
        self.continue_at(block);
        let place = Some((self.scope, self.live_slots()));
        let Some(label) = self.labels.get_mut(name) else { return false };
        let fresh = label.place.is_none();
        label.place = place;
        fresh
    }

    pub fn goto_label(&mut self, name: &str, span: Span) {
        let to = self.label(name);
        let from = self.new_block();
        self.goto(from, span);
        self.continue_at(from);
        self.goto(to, span);
        let live = self.live_slots().into_iter().collect();
        self.gotos.push(Goto { from, scope: self.scope, live, label: name.to_owned(), span });
    }

    /// Slots that are declared so far in the scopes around.
    fn live_slots(&self) -> Vec<SlotId> {
        let around = self.ancestors(self.scope);
        around.iter().flat_map(|s| self.storage[s.0].slots.iter().copied()).collect()
    }

    /// The block that a switch jumps to for a label at `block`: it starts the slots of the scopes
    /// that the jump enters.
    pub fn case_entry(&mut self, block: BlockId, switch: ScopeId, span: Span) -> BlockId {
        let entered = self.slots_between(self.scope, switch);
        if entered.is_empty() {
            return block;
        }
        let entry = self.new_block();
        let live = |s| Inst { kind: InstKind::SlotLive(s), span };
        self.blocks[entry.index()].insts = entered.into_iter().map(live).collect();
        self.blocks[entry.index()].end = Terminator::Goto(block);
        self.blocks[entry.index()].end_span = span;
        entry
    }

    /// Starts a block that `roll_back` throws away with everything else.
    pub fn checkpoint(&mut self) -> Checkpoint {
        let point = Checkpoint {
            current: self.current,
            blocks: self.blocks.len(),
            regs: self.regs.len(),
            slots: self.slots.len(),
            storage: self.storage.len(),
            own_slots: self.storage[self.scope.0].slots.len(),
            gotos: self.gotos.len(),
        };
        self.current = self.new_block();
        point
    }

    pub fn roll_back(&mut self, to: Checkpoint) {
        self.current = to.current;
        self.blocks.truncate(to.blocks);
        self.regs.truncate(to.regs);
        self.slots.truncate(to.slots);
        self.cleanups.retain(|(slot, _)| slot.index() < to.slots);
        self.storage[self.scope.0].slots.truncate(to.own_slots);
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

    /// Has nothing happened since but computing new registers?
    pub fn is_pure_since(&self, point: &Checkpoint) -> bool {
        let fresh = |inst: &Inst| matches!(inst.kind, InstKind::Assign { dst, .. } if dst.index() >= point.regs);
        self.current.index() == point.blocks
            && self.blocks[self.current.index()].insts.iter().all(fresh)
    }

    /// Settles the storage effects of all gotos. `Err`: a label that is used and not defined.
    pub fn settle_gotos(&mut self) -> Result<(), (String, Span)> {
        for goto in std::mem::take(&mut self.gotos) {
            let place = self.labels.get(&goto.label).and_then(|l| l.place.clone());
            let Some((scope, live)) = place else { return Err((goto.label, goto.span)) };
            let dead = self.slots_between(goto.scope, scope);
            let cleaning = self.cleaning(|s| goto.live.contains(&s) && !live.contains(&s));
            // Entered scopes, and declarations of the same scope that are jumped over.
            let born = live.into_iter().filter(|s| !goto.live.contains(s));
            let dead = dead.into_iter().map(InstKind::SlotDead);
            let born = born.map(InstKind::SlotLive);
            let span = goto.span;
            let kinds = cleaning.into_iter().chain(dead).chain(born);
            let insts = kinds.map(|kind| Inst { kind, span }).collect();
            self.blocks[goto.from.index()].insts = insts;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{has, hasnt, ir, program};

    #[test]
    fn goto_out_of_scopes_ends_their_slots() {
        let text = "void g(int *); void f(void) { int a; g(&a); { int b; g(&b); { int c; g(&c); goto out; } } out: g(&a); }";
        let ir = ir(text);
        // One block of the jump ends both; the normal ends of the scopes are dead code behind it.
        has(&ir, &["dead $c.2\ndead $b.1\ngoto "]);
        hasnt(&ir, &["dead $a.0\ngoto"]);
    }

    #[test]
    fn goto_into_a_scope_starts_its_slots() {
        let text = "void g(int *); void f(int n) { if (n) goto in; { int a; g(&a); in: g(&a); } }";
        let ir = ir(text);
        assert_eq!(ir.matches("live $a.0").count(), 2, "{ir}");
        // Only what is declared before the label.
        let text = "void g(int *); void f(int n) { if (n) goto in; { in: ; int a; g(&a); } }";
        assert_eq!(crate::lower::testing::ir(text).matches("live $a.0").count(), 1);
    }

    #[test]
    fn goto_over_a_declaration_of_the_same_block_starts_it() {
        let text = "void g(int *); void f(int n) { if (n) goto over; int a; g(&a); over: g(&a); }";
        let ir = ir(text);
        assert_eq!(ir.matches("live $a.0").count(), 2, "{ir}");
    }

    #[test]
    fn goto_backwards_keeps_what_is_alive() {
        let text = "void g(int *); void f(int n) { int a; again: g(&a); if (n) goto again; }";
        let ir = ir(text);
        assert_eq!(ir.matches("live $a.0").count(), 1, "{ir}");
        assert_eq!(ir.matches("dead $a.0").count(), 1, "{ir}");
    }

    #[test]
    fn rolling_back_leaves_nothing() {
        let p = program(
            "void f(int n) { sizeof(({ l: if (n) goto l; int a[3]; a[n]; })) + sizeof(n ? 1 : 2L); }",
        );
        let f = &p.functions[0];
        assert_eq!((f.regs.len(), f.slots.len()), (1, 0));
        assert_eq!(f.blocks.iter().map(|b| b.insts.len()).sum::<usize>(), 0);
        // The same label, seen twice: once for its type, once for real.
        program("int f(int n) { __auto_type x = ({ l: if (n) goto l; 3; }); return x; }");
    }
}
