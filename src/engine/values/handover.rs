//! Starts and ends of threads, and joins: what they hand over.

use super::explore::{Attempt, AttemptStop};
use super::state::ThreadState;
use super::step::{Step, StepNext};
use super::table::{ReadPlace, SeenWrite};
use super::threads::ThreadIdx;
use super::value::FlowValue;
use ir::{MemoryOrder, Operand, Reg, Span};
use std::collections::BTreeMap;

impl Attempt<'_, '_> {
    pub(super) fn spawn(
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

    pub(super) fn join(
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

    pub(super) fn ended(
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
