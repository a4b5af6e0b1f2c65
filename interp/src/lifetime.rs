//! Objects begin and end: slots of frames, heap blocks, arrays of variable length.

use crate::choice::{Choice, ChoiceKind, Inputs};
use crate::exec::{Exec, ExecResult, Halt};
use crate::memory::{Birth, Object};
use crate::observe::{Death, Observer};
use crate::value::{ObjKey, Value};
use ir::{Operand, Reg, SlotId, Storage};

impl<I: Inputs + ?Sized, O: Observer + ?Sized> Exec<'_, '_, I, O> {
    pub fn slot_live(&mut self, slot: SlotId) -> ExecResult {
        self.slot_dead(slot);
        let Some(frame) = self.state.top(self.thread) else { return Ok(()) };
        let info = &self.interp.program.functions[frame.func.index()].slots[slot.index()];
        let birth = Birth::Slot(frame.func, slot);
        self.check_size(info.size)?;
        let object = Object::undefined(birth, Some(self.thread), info.size);
        let key = self.give_birth(object)?;
        if let Some(frame) = self.state.top_mut(self.thread) {
            frame.slots[slot.index()] = Some(key);
        }
        Ok(())
    }

    pub fn slot_dead(&mut self, slot: SlotId) {
        let key = self.state.top(self.thread).and_then(|f| f.slots[slot.index()]);
        if let (Some(key), Some(frame)) = (key, self.state.top_mut(self.thread)) {
            frame.slots[slot.index()] = None;
            self.kill(key, Death::ScopeEnd);
        }
    }

    pub fn slot_const(&mut self, slot: SlotId, constant: bool) {
        let key = self.state.top(self.thread).and_then(|f| f.slots[slot.index()]);
        let Some(base) = key.map(|key| self.interp.space.base(key)) else { return };
        let entry = self.state.entry_at(&self.interp.space, base);
        if let Some(object) = entry.and_then(|(home, _)| self.state.object_mut(home)) {
            object.set_constant(constant);
        }
    }

    pub fn alloc(
        &mut self,
        dst: Reg,
        size: &Operand,
        zeroed: bool,
        storage: Storage,
    ) -> ExecResult {
        let size = self.forced(size)?;
        let heap = storage == Storage::Heap;
        // No allocator can give more than half of the address space.
        let hopeless = size >> (self.interp.space.machine().pointer_bits() - 1) != 0;
        if heap && (hopeless || self.allocation_fails()?) {
            self.set(dst, Value::ZERO);
            return Ok(());
        }
        self.check_size(size)?;
        let caller = self.interp.caller_of_model(self.state, self.thread);
        let span = caller.map_or(self.span, |(_, span)| span);
        let birth = if heap {
            self.interp.heap_birth(self.state, self.thread, dst, span)
        } else {
            Birth::Alloca(span)
        };
        let make = if zeroed { Object::zeroed } else { Object::undefined };
        let key = self.give_birth(make(birth, Some(self.thread), size))?;
        if let (false, Some(frame)) = (heap, self.state.top_mut(self.thread)) {
            frame.allocas.push(key);
        }
        self.set(dst, Value::Int(self.interp.space.base(key)));
        Ok(())
    }

    /// The end of a variable-length array before that of its frame.
    pub fn end_array(&mut self, ptr: &Operand) -> ExecResult {
        let addr = self.forced(ptr)?;
        let found = self.state.entry_at(&self.interp.space, addr);
        let (Some((_, key)), Some(frame)) = (found, self.state.top_mut(self.thread)) else {
            return Ok(());
        };
        let arrays = frame.allocas.len();
        frame.allocas.retain(|k| *k != key);
        if frame.allocas.len() < arrays {
            self.kill(key, Death::ScopeEnd);
        }
        Ok(())
    }

    fn allocation_fails(&mut self) -> ExecResult<bool> {
        if !self.interp.config.malloc_may_fail {
            return Ok(false);
        }
        let (thread, span) = (self.thread, self.span);
        let choice = Choice { thread, span, kind: ChoiceKind::AllocFails };
        let answer = self.inputs.choose(&choice);
        Ok(answer.ok_or_else(|| Halt::Refused("whether malloc fails".into()))? == 1)
    }

    fn check_size(&self, size: u64) -> ExecResult {
        if size > self.interp.config.max_object {
            return Err(Halt::Unsupported(format!("an object of {size} bytes")));
        }
        Ok(())
    }

    fn give_birth(&mut self, object: Object) -> ExecResult<ObjKey> {
        let size = object.size();
        let key = self.interp.give_birth(self.state, self.thread, object);
        let exhausted = || Halt::Unsupported("the address space of a thread is exhausted".into());
        let key = key.ok_or_else(exhausted)?;
        self.observer.born(self.state, self.thread, key, size, self.span);
        Ok(key)
    }

    /// The end of a live object.
    pub fn kill(&mut self, key: ObjKey, why: Death) {
        let Some(object) = self.state.object_of(&self.interp.space, key) else { return };
        let (size, private) = (object.size(), object.owner.is_some());
        self.observer.died(self.state, self.thread, key, size, private, why, self.at());
        self.interp.bury(self.state, key);
    }
}
