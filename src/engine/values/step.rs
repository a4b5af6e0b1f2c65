//! What instructions do to a state; accesses are in `access.rs`, starts, ends and joins in `handover.rs`.

use super::explore::{Attempt, AttemptStop, ProblemKind};
use super::memory::ObjectBase;
use super::state::ThreadState;
use super::threads::{MAIN, ThreadIdx};
use super::value::{Computation, FlowValue, rvalue};
use ir::{
    BlockId, Callee, Function, Inst, InstKind, ObjectKind, Operand, Reg, Rvalue, Span, Storage,
    Terminator, walk,
};
use solver::weak::Grounding;

/// Where a thread goes behind an instruction.
pub(super) enum StepNext {
    On(ThreadState),
    /// It ends here, or goes on from states that were put aside.
    Over,
}

pub(super) type Step = Result<StepNext, AttemptStop>;

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

    pub(super) fn function(&self, thread: ThreadIdx) -> &Function {
        &self.world.program.functions[self.world.threads.of(thread).function.index()]
    }

    pub(super) fn operand(
        &self,
        thread: ThreadIdx,
        state: &ThreadState,
        operand: &Operand,
    ) -> FlowValue {
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

    pub(super) fn set(
        &self,
        thread: ThreadIdx,
        state: &mut ThreadState,
        reg: Reg,
        value: FlowValue,
    ) {
        let function = self.world.threads.of(thread).function;
        let loose = self.precision.is_loose_reg(function, reg);
        state.regs.insert(reg, if loose { FlowValue::ANY } else { value });
    }

    /// The register gets a value, and the thread goes on.
    pub(super) fn assign(
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
    pub(super) fn put_aside(
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

    pub(super) fn doubt(&mut self, state: &ThreadState, what: &str, span: Span) -> Step {
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
            InstKind::Undefined { misuse } => return self.doubt(&state, misuse.words(), span),
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
}

pub(super) fn on(mut state: ThreadState) -> StepNext {
    state.index += 1;
    StepNext::On(state)
}
