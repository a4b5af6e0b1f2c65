//! Instructions: what each does to the state and tells the interference.

use super::blocks::Life;
use super::branch;
use super::interval::Interval;
use super::overflow;
use super::question::Unclear;
use super::state::State;
use super::sync;
use super::value::{Ownership, Region, Symbol, Tag, TemplateId, Value};
use super::walk::{Flow, Walk};
use ir::types::Scalar;
use ir::*;

impl Walk<'_, '_> {
    pub fn unclear<T>(&self, why: impl Into<String>) -> Result<T, Unclear> {
        Err(Unclear::new(why, self.span))
    }

    /// The first thread, before it has started another one.
    pub fn alone(&self, state: &State) -> bool {
        self.template == TemplateId::MAIN && state.alone()
    }

    pub fn inst(&mut self, state: &mut State, kind: &InstKind) -> Result<Flow, Unclear> {
        match kind {
            InstKind::Assign { dst, value } => {
                if self.logging && self.may_overflow(state, value) {
                    self.log.overflows.push(self.span);
                    if matches!(value, Rvalue::Binary { op, ty, .. } if overflow::is_checked(*op, *ty))
                    {
                        self.log.ends.insert(self.span);
                    }
                }
                let value = self.eval(state).rvalue(value);
                self.assign(state, *dst, value);
            }
            InstKind::Load { dst, addr, ty, order } => {
                let Some(value) = self.load(state, addr, *ty, *order)? else {
                    return Ok(Flow::Ends);
                };
                self.assign(state, *dst, value);
            }
            InstKind::Store { addr, value, ty, order } => {
                let value = self.value(state, value);
                return self.store(state, addr, value, *ty, *order);
            }
            InstKind::SlotLive(slot) | InstKind::SlotDead(slot) => {
                let region = Region::Slot(self.template, *slot);
                self.ends(state, region, Ownership::Own);
                state.memory.forget(region);
                let is_new = matches!(kind, InstKind::SlotLive(_));
                if self.interference.question.memory {
                    match is_new {
                        true => self.slot_begins(state, *slot),
                        false => drop(state.slots.insert(*slot, Life::Freed)),
                    }
                }
                if is_new && self.interference.is_shared(region) && !self.alone(state) {
                    // A new object at the place of an old one: it holds anything. (Where it only ends,
                    // accesses to it are outside of any object.)
                    let bytes = self.function.slots[slot.index()].size.max(1);
                    let all = Interval { lo: 0, hi: i128::from(bytes) - 1 };
                    self.interference.put(region, all.into(), 1, &Value::garbage());
                }
            }
            InstKind::Call { dst, callee, args } => return self.call(state, *dst, callee, args),
            InstKind::Nondet { dst, ty, bits, .. } => {
                let value = self.input(*ty, *bits);
                self.assign(state, *dst, value);
            }
            InstKind::Assume(cond) | InstKind::Wait(cond) => {
                if matches!(kind, InstKind::Wait(_)) {
                    self.hang("something else that is waited for");
                }
                let code: &Block = &self.function.blocks[self.at.0.index()];
                let possible = branch::assume(self, state, &code.insts[..self.at.1], cond, true);
                return Ok(if possible { Flow::On } else { Flow::Ends });
            }
            InstKind::Error { what } => {
                if self.logging {
                    self.log.errors.push((what.clone(), self.span));
                    self.log.error_sites.insert(self.site());
                }
            }
            InstKind::AtomicBegin { kind } => state.atomic.push(*kind),
            InstKind::AtomicEnd => {
                state.atomic.pop();
            }
            InstKind::Fence { .. } | InstKind::SlotConst { .. } => {}
            InstKind::Spawn { dst, place, function, arg } => {
                return self.spawn(state, *dst, place.as_ref(), function, arg);
            }
            InstKind::Join { dst, thread } => self.join(state, *dst, thread),
            InstKind::Ended { dst, .. } => self.assign(state, *dst, Value::number(Interval::BOOL)),
            InstKind::ThreadSelf { dst } => {
                let id = Value { tag: Some(Tag::Itself), ..Value::number(THREAD_IDS) };
                self.assign(state, *dst, id);
            }
            InstKind::Alloc { dst, size, zeroed, storage } => {
                self.allocate(state, *dst, size, *zeroed, *storage)?;
            }
            InstKind::Free { ptr, storage: Storage::Heap } => return self.free(state, ptr),
            InstKind::Free { storage: Storage::Frame, .. } => return self.unclear("alloca"),
            InstKind::ObjectSize { dst, .. } => self.assign(state, *dst, Value::any_number()),
            InstKind::Unsupported { what } => return self.unclear(what.clone()),
            InstKind::Undefined { misuse } => return self.unclear(misuse.words()),
        }
        Ok(Flow::On)
    }

    /// Null, and no address at all.
    fn is_nothing(&self, value: &Value) -> bool {
        value.is_bottom() || value.is_null()
    }

    fn may_overflow(&self, state: &State, value: &Rvalue) -> bool {
        let type_of = |operand: &Operand| match operand {
            Operand::Const { ty, .. } => *ty,
            Operand::Reg(r) => self.function.regs[r.index()].ty,
            _ => Scalar::Ptr,
        };
        let look = |operand: &Operand| (self.value(state, operand), type_of(operand));
        overflow::is_possible(self.interference.flat.program.machine, value, look)
    }

    /// A register gets a value. A counter must get what it had and its step.
    pub fn assign(&mut self, state: &mut State, dst: Reg, mut value: Value) {
        if self.graph.counting.contains(&dst) {
            if let Some(counter) = self.graph.counts(self.at.0, dst) {
                let expected = value.sym.is_some_and(|s| {
                    s.symbol == Symbol::Counter(dst)
                        && s.scale == 1
                        && s.rest == Interval::one(counter.step)
                });
                if !expected && !value.is_bottom() {
                    self.interference.mark_unsteady(self.template, dst);
                }
            }
            self.next_round(state, dst);
            state.forget_counter(dst);
            if matches!(value.sym, Some(s) if s.symbol == Symbol::Counter(dst)) {
                value.sym = None;
            }
        }
        if self.graph.indices.contains(&dst) || self.graph.counting.contains(&dst) {
            state.forget_index(dst);
            value.sym = value.sym.filter(|sym| sym.symbol != Symbol::Index(dst));
        }
        if let Some(old) = state.regs.insert(dst, value) {
            self.name_is_dropped(state, &old);
        }
    }

    fn input(&self, ty: Scalar, bits: u8) -> Value {
        let machine = self.interference.flat.program.machine;
        match ty {
            Scalar::Ptr => Value::anything(),
            _ if bits < ty.bits(machine) => Value::number(Interval { lo: 0, hi: (1 << bits) - 1 }),
            _ if ty.is_float() => Value::any_number(),
            _ => Value::number(Interval::range(ty, machine)),
        }
    }

    fn call(
        &mut self,
        state: &mut State,
        dst: Option<Reg>,
        callee: &Callee,
        args: &[Operand],
    ) -> Result<Flow, Unclear> {
        let id = match callee {
            Callee::Direct(id) => id,
            // What is left where every function that it may be was tried (`fnptr::resolve`).
            Callee::Indirect(pointer) if self.is_nothing(&self.value(state, pointer)) => {
                self.miss(&self.value(state, pointer));
                return Ok(Flow::Ends);
            }
            Callee::Indirect(_) => return self.unclear("a call through a pointer"),
        };
        let function: &Function = &self.interference.flat.program.functions[id.index()];
        if function.has_body() {
            return self.unclear(format!("a call of `{}`, which is not inlined", function.name));
        }
        if function.origin == Origin::Model {
            return match sync::call(&function.name) {
                Some(call) => self.sync(state, call, dst, args),
                None => self.unclear(format!("`{}`", function.name)),
            };
        }
        if self.logging {
            self.log.bodiless.insert((*id, self.span));
        }
        let result = match function.ret {
            Some(Scalar::Ptr) => Value::anything(),
            None if function.origin == Origin::Assembly => Value::anything(),
            _ => Value::any_number(),
        };
        if let Some(dst) = dst {
            self.assign(state, dst, result);
        }
        Ok(Flow::On)
    }

    fn allocate(
        &mut self,
        state: &mut State,
        dst: Reg,
        size: &Operand,
        zeroed: bool,
        storage: Storage,
    ) -> Result<(), Unclear> {
        if storage == Storage::Frame {
            return self.unclear("alloca");
        }
        let size = self.value(state, size).as_number().unwrap_or(Interval::TOP);
        let region = Region::Heap(self.template, self.at.0, self.at.1 as u32);
        self.interference.add_blocks(region, size, zeroed);
        state.age(|r| r == region);
        if self.interference.question.memory {
            self.block_is_made(state, region);
        }
        if self.interference.is_one_object(region) {
            state.memory.forget(region);
        }
        let mut value = Value::address(region, Ownership::New, 0);
        // More than half of the address space is never given.
        let bits = self.interference.flat.program.machine.pointer_bits();
        let hopeless = size.lo < 0 || size.hi >> (bits - 1) != 0;
        if self.interference.question.malloc_may_fail || hopeless {
            value.num = Some(Interval::ZERO);
        }
        self.assign(state, dst, value);
        Ok(())
    }
}

/// What ids of threads may be.
pub const THREAD_IDS: Interval = Interval { lo: 1, hi: 0x7fff_ffff };
