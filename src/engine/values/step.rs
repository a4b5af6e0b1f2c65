//! What instructions do to a state.

use super::explore::{Attempt, AttemptStop, ProblemKind};
use super::memory::{CellScope, FlowCell, ObjectBase};
use super::precision::GuessedCells;
use super::state::ThreadState;
use super::table::{ReadPlace, SeenWrite};
use super::threads::{MAIN, ThreadIdx};
use super::value::{Computation, FlowValue, rvalue};
use ir::types::Scalar;
use ir::{
    BlockId, Callee, Function, Inst, InstKind, MemoryOrder, ObjectKind, Operand, Reg, Rvalue,
    SlotId, Span, Storage, Terminator, walk,
};
use solver::weak::Grounding;
use std::collections::BTreeMap;

/// Where a thread goes behind an instruction.
enum StepNext {
    On(ThreadState),
    /// It ends here, or goes on from states that were put aside.
    Over,
}

type Step = Result<StepNext, AttemptStop>;

/// Bytes of a block that there is always room for.
const SMALL: u64 = 1 << 16;

impl Attempt<'_, '_> {
    /// From a state to where threads may differ in what they see or do.
    pub fn follow(&mut self, thread: ThreadIdx, mut state: ThreadState) -> Result<(), AttemptStop> {
        let program = self.world.program;
        let function = &program.functions[self.world.threads.of(thread).function.index()];
        loop {
            let block = &function.blocks[state.block.index()];
            let Some(inst) = block.insts.get(state.index as usize) else {
                return self.end(thread, state, &block.end, block.end_span);
            };
            match self.inst(thread, state, inst)? {
                StepNext::On(next) => state = next,
                StepNext::Over => return Ok(()),
            }
        }
    }

    fn function(&self, thread: ThreadIdx) -> &Function {
        &self.world.program.functions[self.world.threads.of(thread).function.index()]
    }

    fn operand(&self, thread: ThreadIdx, state: &ThreadState, operand: &Operand) -> FlowValue {
        match *operand {
            Operand::Const { bits, .. } => FlowValue::Bits(bits),
            Operand::Reg(reg) => state.reg(reg),
            Operand::Object { object, offset } => {
                let local = self.world.program.objects[object.index()].kind;
                let base = match local {
                    ObjectKind::ThreadLocal => ObjectBase::Own(thread, object),
                    _ => ObjectBase::Static(object),
                };
                FlowValue::Address { base, offset }
            }
            Operand::Slot { slot, offset } => {
                FlowValue::Address { base: ObjectBase::Slot(thread, slot), offset }
            }
            Operand::Function(f) => FlowValue::Function(f),
        }
    }

    fn set(&self, thread: ThreadIdx, state: &mut ThreadState, reg: Reg, value: FlowValue) {
        let function = self.world.threads.of(thread).function;
        let loose = self.precision.is_loose_reg(function, reg);
        state.regs.insert(reg, if loose { FlowValue::ANY } else { value });
    }

    /// The register gets a value, and the thread goes on.
    fn assign(
        &self,
        thread: ThreadIdx,
        mut state: ThreadState,
        reg: Reg,
        value: FlowValue,
    ) -> StepNext {
        self.set(thread, &mut state, reg, value);
        on(state)
    }

    /// The same, later.
    fn put_aside(
        &mut self,
        thread: ThreadIdx,
        mut state: ThreadState,
        reg: Reg,
        value: FlowValue,
    ) -> Result<(), AttemptStop> {
        self.set(thread, &mut state, reg, value);
        state.index += 1;
        self.push(thread, state)
    }

    fn doubt(&mut self, state: &ThreadState, what: &str, span: Span) -> Step {
        self.problem(state, ProblemKind::Doubt, what, span);
        Ok(StepNext::Over)
    }

    fn inst(&mut self, thread: ThreadIdx, mut state: ThreadState, inst: &Inst) -> Step {
        let span = inst.span;
        Ok(match &inst.kind {
            InstKind::Assign { dst, value } => return self.compute(thread, state, *dst, value),
            InstKind::Load { dst, addr, ty, order } => {
                let address = self.operand(thread, &state, addr);
                return self.load(thread, state, (*dst, *order), address, *ty, span);
            }
            InstKind::Store { addr, value, ty, order } => {
                let address = self.operand(thread, &state, addr);
                let value = self.operand(thread, &state, value);
                return self.store(thread, state, (value, *order), address, *ty, span);
            }
            InstKind::SlotLive(slot) => {
                self.forget(thread, &mut state, *slot);
                state.ended.remove(slot);
                on(state)
            }
            InstKind::SlotDead(slot) => {
                self.forget(thread, &mut state, *slot);
                state.ended.insert(*slot);
                on(state)
            }
            InstKind::Call { dst, callee, .. } => {
                return self.call(thread, state, *dst, *callee, span);
            }
            InstKind::Nondet { dst, bits: 1, .. } => {
                for bit in 0..2 {
                    self.put_aside(thread, state.clone(), *dst, FlowValue::Bits(bit))?;
                }
                StepNext::Over
            }
            InstKind::Nondet { dst, .. }
            | InstKind::Ended { dst, .. }
            | InstKind::ObjectSize { dst, .. } => self.assign(thread, state, *dst, FlowValue::ANY),
            InstKind::ThreadSelf { dst } => {
                let id = if thread == MAIN { FlowValue::Bits(1) } else { FlowValue::ANY };
                self.assign(thread, state, *dst, id)
            }
            InstKind::Assume(condition) => {
                let value = self.operand(thread, &state, condition);
                match value.truth() {
                    Some(false) => self.cut(state),
                    _ => on(state.guessed(value.guess())),
                }
            }
            InstKind::Wait(condition) => {
                let value = self.operand(thread, &state, condition);
                match value.truth() {
                    Some(false) => StepNext::Over,
                    _ => on(state.guessed(value.guess())),
                }
            }
            InstKind::Error { what } => {
                if !state.phantom {
                    self.problem(&state, ProblemKind::Error, what, span);
                }
                StepNext::Over
            }
            InstKind::AtomicBegin { kind } => {
                state.blocks.begin(*kind);
                on(state)
            }
            InstKind::AtomicEnd => {
                state.blocks.end();
                if !state.blocks.is_in_any() {
                    state.block_reads.clear();
                }
                on(state)
            }
            InstKind::Fence { kernel: None, .. } => on(state),
            InstKind::Spawn { dst, place, function, arg } => {
                let function = self.operand(thread, &state, function);
                let arg = self.operand(thread, &state, arg);
                return self.spawn(thread, state, (*dst, *place), function, arg, span);
            }
            InstKind::Join { dst: _, thread: joined } => {
                let joined = self.operand(thread, &state, joined);
                return self.join(thread, state, joined, span);
            }
            InstKind::Alloc { storage: Storage::Frame, .. } => {
                return self.doubt(&state, "a block that ends with its function", span);
            }
            InstKind::Alloc { dst, size, zeroed, .. } => {
                let size = self.operand(thread, &state, size);
                return self.allocate(thread, state, *dst, size, *zeroed);
            }
            InstKind::Free { .. } => return self.doubt(&state, "the end of a block", span),
            InstKind::SlotConst { .. } => {
                return self.doubt(&state, "a constant variable in memory", span);
            }
            InstKind::Fence { kernel: Some(_), .. } => {
                return self.doubt(&state, "a fence of the kernel", span);
            }
            InstKind::Unsupported { what } => return self.doubt(&state, what, span),
        })
    }

    /// The execution does not go on like this. Where the model lets writes come before the read that decides it,
    /// they are seen all the same.
    fn cut(&self, mut state: ThreadState) -> StepNext {
        match self.world.grounding {
            Grounding::Dependencies => {
                state.phantom = true;
                on(state)
            }
            _ => StepNext::Over,
        }
    }

    fn compute(
        &mut self,
        thread: ThreadIdx,
        mut state: ThreadState,
        dst: Reg,
        value: &Rvalue,
    ) -> Step {
        let function = self.function(thread);
        let operand =
            |op: &Operand| (self.operand(thread, &state, op), walk::operand_type(function, op));
        let outcome = rvalue(self.world.program.machine, value, operand);
        Ok(match outcome {
            Computation::Value(value) => self.assign(thread, state, dst, value),
            Computation::Ends => {
                self.set(thread, &mut state, dst, FlowValue::ANY);
                self.cut(state)
            }
        })
    }

    /// Does the object of an access live for sure? Another thread's variable may have ended with the thread, and
    /// so may one of another thread that is started at the same place.
    fn lives(&self, thread: ThreadIdx, state: &ThreadState, base: ObjectBase) -> bool {
        let (owner, ended) = match base {
            ObjectBase::Static(_) | ObjectBase::Block(..) => return true,
            ObjectBase::Own(owner, _) => (owner, false),
            ObjectBase::Slot(owner, slot) => (owner, state.ended.contains(&slot)),
        };
        let is_own = self.world.threads.of(thread).single || !self.world.memory.has_escaped(base);
        owner == thread && is_own && !ended
    }

    /// The cell of an access, or why there is none.
    fn cell(
        &mut self,
        thread: ThreadIdx,
        state: &ThreadState,
        address: FlowValue,
        ty: Scalar,
    ) -> Result<FlowCell, &'static str> {
        let FlowValue::Address { base, offset } = address else {
            return Err("an access through a pointer that may be anything");
        };
        if !self.lives(thread, state, base) {
            return Err("an access to a variable that may have ended");
        }
        let program = self.world.program;
        let bytes = ty.bytes(program.machine);
        self.world.memory.access(program, &self.world.threads, (base, offset), bytes)
    }

    fn load(
        &mut self,
        thread: ThreadIdx,
        state: ThreadState,
        (dst, order): (Reg, MemoryOrder),
        address: FlowValue,
        ty: Scalar,
        span: Span,
    ) -> Step {
        let cell = match self.cell(thread, &state, address, ty) {
            Ok(cell) => cell,
            Err(why) => return self.doubt(&state.guessed(address.guess()), why, span),
        };
        if self.kind(cell) == CellScope::Private {
            let initial = self.world.memory.initial(self.world.program, cell);
            let value = state.own.get(&cell).map_or(initial, |(value, _)| *value);
            return Ok(self.assign(thread, state, dst, value));
        }
        self.note(thread, &state, cell, (false, order, span));
        if self.precision.tracks(cell) {
            self.read(thread, state, ReadPlace::Cell(cell))?;
            return Ok(StepNext::Over);
        }
        let known = self.precision.is_loose(cell);
        let guess = if known { GuessedCells::NONE } else { GuessedCells::of(cell) };
        Ok(self.assign(thread, state, dst, FlowValue::Any(guess)))
    }

    /// Behind a read that sees this write.
    pub fn continue_read(
        &mut self,
        thread: ThreadIdx,
        state: &ThreadState,
        place: ReadPlace,
        write: &SeenWrite,
    ) -> Result<(), AttemptStop> {
        let function = self.function(thread);
        let inst = &function.blocks[state.block.index()].insts[state.index as usize].kind;
        let (dst, acquires) = match inst {
            InstKind::Load { dst, order, .. } => {
                (*dst, order.acquires() && !state.blocks.in_user())
            }
            InstKind::Join { dst, .. } => (*dst, true),
            _ => return Ok(()),
        };
        let mut next = state.clone().guessed(write.guess);
        if let (Some(view), true) = (&write.released, acquires) {
            next.view.learn(view);
        }
        match place {
            ReadPlace::End(ended) => {
                next.joined.insert(ended);
            }
            ReadPlace::Cell(cell) if next.blocks.is_in_any() => {
                let seen = (write.site, write.value);
                if *next.block_reads.entry(cell).or_insert(seen) != seen {
                    return Ok(());
                }
            }
            ReadPlace::Cell(_) => {}
        }
        self.put_aside(thread, next, dst, write.value)
    }

    fn store(
        &mut self,
        thread: ThreadIdx,
        mut state: ThreadState,
        (value, order): (FlowValue, MemoryOrder),
        address: FlowValue,
        ty: Scalar,
        span: Span,
    ) -> Step {
        let cell = match self.cell(thread, &state, address, ty) {
            Ok(cell) => cell,
            Err(why) => return self.doubt(&state.guessed(address.guess()), why, span),
        };
        if let ObjectBase::Static(object) = self.world.memory.cell(cell).base {
            if self.world.program.objects[object.index()].kind == ObjectKind::Constant {
                return self.doubt(&state, "a write to a constant", span);
            }
        }
        let site = self.world.threads.site(thread, state.at());
        let kind = self.kind(cell);
        if kind == CellScope::Private {
            let value = if self.precision.is_loose(cell) { FlowValue::ANY } else { value };
            state.own.insert(cell, (value, site));
            return Ok(on(state));
        }
        self.escape(value)?;
        self.note(thread, &state, cell, (true, order, span));
        if !self.precision.tracks(cell) {
            return Ok(on(state));
        }
        state.block_reads.remove(&cell);
        if kind == CellScope::Exact && self.follows_order() {
            let sites = self.world.seen.get(&cell).map(|sites| sites.writes.clone());
            state.view.overwrite(cell, sites.unwrap_or_default().into_iter());
            state.own.insert(cell, (value, site));
        }
        let guess = state.guess.and(value.guess());
        state.index += 1;
        let releases = order.releases() && !state.blocks.in_user();
        let released = if releases { self.published(thread, &state) } else { None };
        self.write(ReadPlace::Cell(cell), SeenWrite { site, value, released, guess })?;
        Ok(StepNext::On(state))
    }

    /// Nothing of a thread's argument or result is lost in such a type.
    fn is_pointer_wide(&self, ty: Scalar) -> bool {
        let machine = self.world.program.machine;
        !ty.is_float() && ty.bits(machine) == machine.pointer_bits()
    }

    /// Another thread may get the address.
    fn escape(&mut self, value: FlowValue) -> Result<(), AttemptStop> {
        match self.world.memory.escape(value) {
            true => Err(AttemptStop::Again),
            false => Ok(()),
        }
    }

    fn forget(&self, thread: ThreadIdx, state: &mut ThreadState, slot: SlotId) {
        let memory = &self.world.memory;
        state.own.retain(|cell, _| memory.cell(*cell).base != ObjectBase::Slot(thread, slot));
    }

    fn call(
        &mut self,
        thread: ThreadIdx,
        state: ThreadState,
        dst: Option<Reg>,
        callee: Callee,
        span: Span,
    ) -> Step {
        let Callee::Direct(f) = callee else {
            return self.doubt(&state, "a call through a pointer", span);
        };
        if self.world.program.functions[f.index()].has_body() {
            return self.doubt(&state, "a call of a function that calls itself", span);
        }
        self.bodiless.insert((f, span));
        Ok(match dst {
            Some(dst) => self.assign(thread, state, dst, FlowValue::ANY),
            None => on(state),
        })
    }

    fn spawn(
        &mut self,
        thread: ThreadIdx,
        mut state: ThreadState,
        (dst, place): (Reg, Option<Operand>),
        function: FlowValue,
        arg: FlowValue,
        span: Span,
    ) -> Step {
        let FlowValue::Function(started) = function else {
            return self.doubt(&state.guessed(function.guess()), "the start of a thread", span);
        };
        let program = self.world.program;
        let child = match self.world.threads.started(program, thread, state.at(), started) {
            Ok(child) => child,
            Err(why) => return self.doubt(&state, why, span),
        };
        self.escape(arg)?;
        let place = place.map(|place| self.operand(thread, &state, &place));
        if let Some(address) = place.filter(|place| place.truth() != Some(false)) {
            let ty = self.function(thread).regs[dst.index()].ty;
            let id = (FlowValue::Thread(child), MemoryOrder::Plain);
            state = match self.store(thread, state, id, address, ty, span)? {
                StepNext::On(state) => state,
                StepNext::Over => return Ok(StepNext::Over),
            };
            state.index -= 1;
        }
        state.joined.remove(&child);
        state.index += 1;
        self.set(thread, &mut state, dst, FlowValue::Thread(child));
        let body = &program.functions[started.index()];
        let param = body.params.first().map(|reg| {
            let ty = body.regs[reg.index()].ty;
            (*reg, if self.is_pointer_wide(ty) { arg } else { FlowValue::ANY })
        });
        let regs: BTreeMap<Reg, FlowValue> = param.into_iter().collect();
        let view = self.published(thread, &state).unwrap_or_default();
        self.push(child, ThreadState::start(regs, view, state.guess))?;
        Ok(StepNext::On(state))
    }

    fn join(
        &mut self,
        thread: ThreadIdx,
        state: ThreadState,
        joined: FlowValue,
        span: Span,
    ) -> Step {
        let threads = &self.world.threads;
        let known = match joined {
            FlowValue::Thread(child) => Some(child).filter(|child| {
                let child = threads.of(*child);
                child.single && child.parent == Some(thread)
            }),
            _ => None,
        };
        match known {
            Some(child) if !state.joined.contains(&child) => {
                self.read(thread, state, ReadPlace::End(child))?;
                Ok(StepNext::Over)
            }
            _ => self.doubt(
                &state.guessed(joined.guess()),
                "a join of a thread that is not known",
                span,
            ),
        }
    }

    fn allocate(
        &mut self,
        thread: ThreadIdx,
        state: ThreadState,
        dst: Reg,
        size: FlowValue,
        zeroed: bool,
    ) -> Step {
        let site = self.world.threads.site(thread, state.at());
        let base = ObjectBase::Block(thread, site.0);
        let size = match size {
            FlowValue::Bits(size) => Some(size),
            _ => None,
        };
        self.world.memory.allocate(base, size, zeroed);
        if self.world.malloc_may_fail || size.is_none_or(|size| size > SMALL) {
            self.put_aside(thread, state.clone(), dst, FlowValue::Bits(0))?;
        }
        Ok(self.assign(thread, state, dst, FlowValue::Address { base, offset: 0 }))
    }

    fn end(
        &mut self,
        thread: ThreadIdx,
        state: ThreadState,
        end: &Terminator,
        span: Span,
    ) -> Result<(), AttemptStop> {
        match end {
            Terminator::Goto(to) => self.push(thread, state.go(*to)),
            Terminator::Branch { cond, then, otherwise } => {
                let value = self.operand(thread, &state, cond);
                match value.truth() {
                    Some(true) => self.push(thread, state.go(*then)),
                    Some(false) => self.push(thread, state.go(*otherwise)),
                    None => self.fork(thread, state, value, &[*then, *otherwise]),
                }
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.operand(thread, &state, value);
                if let FlowValue::Bits(bits) = value {
                    let case = cases.iter().find(|(case, _)| *case == bits);
                    return self.push(thread, state.go(case.map_or(*default, |(_, to)| *to)));
                }
                let to: Vec<BlockId> = cases.iter().map(|(_, to)| *to).chain([*default]).collect();
                self.fork(thread, state, value, &to)
            }
            Terminator::Return(_) if thread == MAIN => Ok(()),
            Terminator::Return(value) => {
                let wide = |v: &Operand| {
                    self.is_pointer_wide(walk::operand_type(self.function(thread), v))
                };
                let value = value.filter(wide);
                let value = value.map_or(FlowValue::ANY, |v| self.operand(thread, &state, &v));
                self.ended(thread, state, value)
            }
            Terminator::ExitThread(value) => {
                let value = self.operand(thread, &state, value);
                self.ended(thread, state, value)
            }
            Terminator::Stop(ir::Stop::Bound(_)) => {
                self.doubt(&state, "a loop or a recursion beyond its bound", span).map(|_| ())
            }
            Terminator::Stop(_) => Ok(()),
        }
    }

    fn fork(
        &mut self,
        thread: ThreadIdx,
        state: ThreadState,
        value: FlowValue,
        targets: &[BlockId],
    ) -> Result<(), AttemptStop> {
        let state = state.guessed(value.guess());
        targets.iter().try_for_each(|to| self.push(thread, state.clone().go(*to)))
    }

    fn ended(
        &mut self,
        thread: ThreadIdx,
        state: ThreadState,
        value: FlowValue,
    ) -> Result<(), AttemptStop> {
        self.escape(value)?;
        let site = self.world.threads.site(thread, state.at());
        let released = self.published(thread, &state);
        let write = SeenWrite { site, value, released, guess: state.guess };
        self.write(ReadPlace::End(thread), write)
    }
}

fn on(mut state: ThreadState) -> StepNext {
    state.index += 1;
    StepNext::On(state)
}
