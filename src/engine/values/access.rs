//! Reads and writes of a thread: which cell, and what it may see there.

use super::explore::{Attempt, AttemptStop};
use super::memory::{CellScope, FlowCell, ObjectBase};
use super::precision::GuessedCells;
use super::state::ThreadState;
use super::step::{Step, StepNext, on};
use super::table::{ReadPlace, SeenWrite};
use super::threads::ThreadIdx;
use super::value::FlowValue;
use ir::types::Scalar;
use ir::{InstKind, MemoryOrder, ObjectKind, Reg, SlotId, Span};

impl Attempt<'_, '_> {
    /// Does the object of an access live for sure? Another thread's variable may have ended with the thread, and
    /// so may one of another thread that is started at the same place.
    pub(super) fn lives(&self, thread: ThreadIdx, state: &ThreadState, base: ObjectBase) -> bool {
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

    pub(super) fn load(
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

    pub(super) fn store(
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
    pub(super) fn is_pointer_wide(&self, ty: Scalar) -> bool {
        let machine = self.world.program.machine;
        !ty.is_float() && ty.bits(machine) == machine.pointer_bits()
    }

    /// Another thread may get the address.
    pub(super) fn escape(&mut self, value: FlowValue) -> Result<(), AttemptStop> {
        match self.world.memory.escape(value) {
            true => Err(AttemptStop::Again),
            false => Ok(()),
        }
    }

    pub(super) fn forget(&self, thread: ThreadIdx, state: &mut ThreadState, slot: SlotId) {
        let memory = &self.world.memory;
        state.own.retain(|cell, _| memory.cell(*cell).base != ObjectBase::Slot(thread, slot));
    }
}
