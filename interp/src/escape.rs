//! Who can know an object: private objects, dead ones that are still pointed to, leaks.
//!
//! An object belongs to its creating thread until its address is put where another thread can find
//! it: into an object that is not private, or handed to a new thread, or returned from one. Then it
//! has escaped, with everything that its contents point to. Contents are looked at through windows
//! as wide as a pointer at *every* byte offset, so pointers stored byte by byte are seen as well;
//! numbers that only look like pointers make the answer more careful, never wrong.
//!
//! A dead object keeps its slots while such a window, or a live register, still points into them:
//! then a dangling access is found, and a new object never aliases an old pointer. (So a freed block
//! that is reused at once while an old pointer to it is compared with a new one, the ABA problem, is
//! not seen; C calls the old pointer's value indeterminate.)

use crate::memory::{Birth, Object};
use crate::state::{ArenaEntry, Frame, Home, Life, State, Status};
use crate::step::Interp;
use crate::value::{ObjKey, Part, Tid, Value};
use ir::{InstKind, Reg};
use rustc_hash::FxHashSet;
use triomphe::Arc;

impl Interp<'_> {
    /// Makes what `addr` points to known to all threads, with all that can be reached from it.
    pub(crate) fn escape(&self, state: &mut State, addr: u64) {
        let mut pending = vec![addr];
        while let Some(addr) = pending.pop() {
            if !self.space.may_be_arena(addr) {
                continue;
            }
            let Some((home, _)) = state.entry_at(&self.space, addr) else { continue };
            if state.object(home).is_none_or(|o| o.owner.is_none()) {
                continue;
            }
            if let Some(object) = state.object_mut(home) {
                object.owner = None;
                if object.may_point {
                    pending.extend(object.all_windows(self.pointer_bytes()));
                }
            }
        }
    }

    pub(crate) fn escape_value(&self, state: &mut State, value: Value) {
        if let Value::Int(addr) = value {
            self.escape(state, addr);
        }
    }

    /// After a store: notes pointers in the object, and lets what they point to escape if the
    /// object itself is shared.
    pub(crate) fn note_store(&self, state: &mut State, home: Home, offset: u64, size: u64) {
        let Some(object) = state.object(home) else { return };
        let windows = object.windows(offset, size, self.pointer_bytes());
        let found: Vec<u64> = windows.filter(|&w| self.space.may_be_arena(w)).collect();
        if found.is_empty() {
            return;
        }
        let shared = object.owner.is_none();
        if !object.may_point {
            if let Some(object) = state.object_mut(home) {
                object.may_point = true;
            }
        }
        if shared {
            found.into_iter().for_each(|addr| self.escape(state, addr));
        }
    }

    /// Registers whose value may be read again.
    pub(crate) fn live_registers<'a>(
        &'a self,
        frame: &'a Frame,
        top: bool,
    ) -> impl Iterator<Item = Reg> + 'a {
        let result = if top { None } else { self.pending_result(frame) };
        self.liveness(frame.func)
            .before(frame.block, frame.index)
            .filter(move |&r| Some(r) != result)
    }

    /// The register that the call a frame waits for will write.
    pub(crate) fn pending_result(&self, frame: &Frame) -> Option<Reg> {
        let block = &self.program.functions[frame.func.index()].blocks[frame.block.index()];
        match &block.insts.get(frame.index.checked_sub(1)?)?.kind {
            InstKind::Call { dst, .. } => *dst,
            _ => None,
        }
    }

    /// Calls `f` with every number that threads can still use as an address.
    fn live_values(&self, state: &State, mut f: impl FnMut(u64)) {
        for thread in &state.threads {
            if let Value::Int(bits) = thread.result {
                f(bits);
            }
        }
        self.live_register_values(state, f);
    }

    fn live_register_values(&self, state: &State, mut f: impl FnMut(u64)) {
        for thread in &state.threads {
            for (i, frame) in thread.frames.iter().enumerate() {
                let top = i + 1 == thread.frames.len();
                for reg in self.live_registers(frame, top) {
                    if let Value::Int(bits) = frame.regs[reg.index()] {
                        f(bits);
                    }
                }
            }
        }
    }

    /// Calls `f` with every window of every live object that may hold pointers.
    fn live_windows(&self, state: &State, mut f: impl FnMut(u64)) {
        for (_, object) in state.homes().filter(|(_, o)| o.may_point) {
            object.all_windows(self.pointer_bytes()).for_each(&mut f);
        }
    }

    /// Dead objects without a pointer to them give their slots back.
    pub(crate) fn drop_forgotten(&self, state: &mut State) {
        if !state.arenas.iter().any(|a| a.has_dead()) {
            return;
        }
        let mut held: FxHashSet<(usize, u32)> = FxHashSet::default();
        let mut note = |addr: u64| {
            if !self.space.may_be_arena(addr) {
                return;
            }
            if let Some((Home::Arena(a, i), _)) = state.entry_at(&self.space, addr) {
                held.insert((a, state.arenas[a].entries[i].slot));
            }
        };
        self.live_values(state, &mut note);
        self.live_windows(state, &mut note);
        for a in 0..state.arenas.len() {
            let forgotten = |e: &ArenaEntry| e.is_dead() && !held.contains(&(a, e.slot));
            if state.arenas[a].entries.iter().any(forgotten) {
                state.arena_mut(a).entries.retain(|e| !forgotten(e));
            }
        }
    }

    /// A new object in a thread's arena. `None`: the address space is exhausted.
    pub(crate) fn give_birth(
        &self,
        state: &mut State,
        owner: Tid,
        object: Object,
    ) -> Option<ObjKey> {
        let count = self.space.slots_for(object.size())?;
        let a = owner.index();
        if state.arenas[a].has_dead() {
            self.drop_forgotten(state);
        }
        let (i, slot) = state.arenas[a].gap(count, self.space.arena_slots())?;
        let entry = ArenaEntry { slot, count, life: Life::Live(Arc::new(object)) };
        state.arena_mut(a).entries.insert(i, entry);
        Some(self.space.arena_key(owner, slot))
    }

    /// The end of a live object. Pointers to it stay invalid as long as there are any.
    pub(crate) fn bury(&self, state: &mut State, key: ObjKey) {
        let Some((Home::Arena(a, i), _)) = state.entry_at(&self.space, self.space.base(key)) else {
            return;
        };
        let entry = &mut state.arena_mut(a).entries[i];
        if let Life::Live(object) = &entry.life {
            entry.life = Life::Dead(object.birth);
        }
    }

    /// A heap block that nothing leads to any more, judged at the end of the process: no one can
    /// join then, so what a thread has returned leads nowhere by itself.
    pub(crate) fn leaked(&self, state: &State) -> Option<Birth> {
        let mut reached: FxHashSet<Home> = FxHashSet::default();
        let mut pending: Vec<u64> = Vec::new();
        let is_heap = |o: &Object| matches!(o.birth, Birth::Heap(..));
        for (_, object) in state.homes().filter(|(_, o)| !is_heap(o)) {
            pending.extend(object.all_windows(self.pointer_bytes()));
        }
        self.live_register_values(state, |v| pending.push(v));
        while let Some(addr) = pending.pop() {
            if !self.space.may_be_arena(addr) {
                continue;
            }
            let Some((home, _)) = state.entry_at(&self.space, addr) else { continue };
            let Some(object) = state.object(home) else { continue };
            if reached.insert(home) {
                pending.extend(object.all_windows(self.pointer_bytes()));
            }
        }
        let lost = state.homes().find(|(home, o)| is_heap(o) && !reached.contains(home));
        lost.map(|(_, o)| o.birth)
    }
}

impl State {
    /// Replaces a symbol in all registers and results.
    pub(crate) fn replace_in_registers(
        &mut self,
        id: crate::value::SymId,
        with: impl Fn(RegisterOf, Part) -> Value,
    ) {
        let named = |v: &Value| matches!(v, Value::Sym { id: i, .. } if *i == id);
        for t in 0..self.threads.len() {
            let thread = &self.threads[t];
            if !named(&thread.result) && !thread.frames.iter().any(|f| f.regs.iter().any(named)) {
                continue;
            }
            let thread = self.thread_mut(Tid::from_index(t));
            if let Value::Sym { shift, add, .. } = thread.result.filter(named) {
                thread.result = with(RegisterOf::Result, Part { shift, add });
            }
            for frame in thread.frames.iter_mut().filter(|f| f.regs.iter().any(named)) {
                let frame = crate::state::frame_mut(frame);
                let func = frame.func;
                for (r, value) in frame.regs.iter_mut().enumerate() {
                    if let Value::Sym { shift, add, .. } = value.filter(named) {
                        let register = RegisterOf::Frame { func, reg: Reg(r as u32) };
                        *value = with(register, Part { shift, add });
                    }
                }
            }
        }
    }

    pub(crate) fn is_running(&self, thread: Tid) -> bool {
        !self.ended && self.status_of(thread) == Some(Status::Running)
    }
}

/// Which register a symbol is replaced in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RegisterOf {
    Result,
    Frame { func: ir::FuncId, reg: Reg },
}

impl Value {
    fn filter(self, keep: impl Fn(&Value) -> bool) -> Value {
        if keep(&self) { self } else { Value::ZERO }
    }
}
