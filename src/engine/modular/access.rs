//! Loads, stores and ends of objects: what they find, leave, and tell the log.
//!
//! A region that only one thread uses is in that thread's state, and so is all of memory while the
//! first thread is alone. What several threads use is the interference's: a load may find whatever
//! anybody stores there. A block that no other thread knows yet (`New`) is used by its maker alone,
//! so these accesses race with none: a thread that learns of the block later learns it from a start of a
//! thread or by an access that itself does not race. (With accesses that do not synchronise that
//! may be wrong, and such accesses count like others: `Question::weak`.)

use super::grain::Spot;
use super::interval::Interval;
use super::log::{Access, Touch};
use super::memory::{Adding, OffsetRange};
use super::question::Unclear;
use super::state::{Kept, State};
use super::sync::{ElementLocks, LockFamily};
use super::value::{Base, Ownership, Region, Slice, Symbol, Tag, Value};
use super::walk::{Flow, Walk};
use ir::types::Scalar;
use ir::*;

/// What kind of access it is, for the log.
#[derive(Clone, Copy, Default)]
pub struct AccessKind {
    pub write: bool,
    pub atomic: bool,
    pub death: bool,
    pub by_lock: Option<LockFamily>,
    pub number: Option<Interval>,
}

impl Walk<'_, '_> {
    /// Where an access through this address may go; `None`: no execution goes on here.
    pub fn targets(&self, address: &Value) -> Result<Option<Vec<(Base, Interval)>>, Unclear> {
        if address.lost {
            return self.unclear("an address that may be any");
        }
        let nowhere = address.num.is_none_or(|n| n.within(Interval::NEAR_NULL));
        if !nowhere && (address.made || address.addrs.is_empty()) {
            return self.unclear("an address that is made of a number");
        }
        if address.addrs.is_empty() {
            return Ok(None);
        }
        if address.addrs.keys().any(|b| matches!(b.region, Region::Function(_))) {
            return self.unclear("an access to a function");
        }
        Ok(Some(address.addrs.iter().map(|(base, offset)| (*base, *offset)).collect()))
    }

    pub fn load(
        &mut self,
        state: &mut State,
        addr: &Operand,
        ty: Scalar,
        order: MemoryOrder,
    ) -> Result<Option<Value>, Unclear> {
        let address = self.value(state, addr);
        let Some(targets) = self.targets(&address)? else {
            self.miss(&address);
            return Ok(None);
        };
        let size = ty.bytes(self.interference.flat.program.machine);
        let how = AccessKind { atomic: order != MemoryOrder::Plain, ..AccessKind::default() };
        let mut found = Value::default();
        for (base, offset) in &targets {
            self.touch(state, (addr, &address), (*base, *offset), size, how);
            let spot = Spot::new(*offset, address.grain);
            let value = match self.in_state(state, base.region) {
                true => state.memory.load(base.region, spot, size, &self.interference.first()),
                false => self.interference.look(base.region, spot, size),
            };
            found = found.join(&value);
        }
        if found.is_bottom() {
            return Ok(None);
        }
        if !found.may_be_address() && !ty.is_float() {
            found.num = found.num.map(|n| n.fit(ty, self.interference.flat.program.machine));
        }
        if self.logging {
            self.log.tell_found(self.site(), found.as_number());
        }
        if found.tag.is_none() {
            found.tag = self.slice_of(&address, &targets, size).map(Tag::Read);
        }
        Ok(Some(found))
    }

    pub fn store(
        &mut self,
        state: &mut State,
        addr: &Operand,
        value: Value,
        ty: Scalar,
        order: MemoryOrder,
    ) -> Result<Flow, Unclear> {
        let address = self.value(state, addr);
        let Some(targets) = self.targets(&address)? else {
            self.miss(&address);
            return Ok(Flow::Ends);
        };
        let size = ty.bytes(self.interference.flat.program.machine);
        let atomic = order != MemoryOrder::Plain;
        let how =
            AccessKind { write: true, atomic, number: value.as_number(), ..AccessKind::default() };
        let slice = self.slice_of(&address, &targets, size);
        let one_place = targets.len() == 1 && address.num.is_none_or(|n| n == Interval::ZERO);
        for (base, offset) in &targets {
            self.touch(state, (addr, &address), (*base, *offset), size, how);
            self.overwrite_ids(state, base.region, &value, slice);
            state.overwrite_locks(base.region, *offset, size);
            let meets =
                |locks: ElementLocks| locks.are_met(base.region, *offset, address.sym, size);
            state.elements.retain(|lock, _| !meets(lock.at));
            let spot = Spot::new(*offset, address.grain);
            self.put(state, *base, spot, size, &value, one_place);
        }
        Ok(Flow::On)
    }

    pub fn put(
        &mut self,
        state: &mut State,
        base: Base,
        spot: Spot,
        size: u64,
        value: &Value,
        one_place: bool,
    ) {
        let region = base.region;
        // Values in memory outlive the iteration of the loop, and reads of the place change.
        let mut value = value.clone();
        value.sym = None;
        value.tag = value.tag.filter(|tag| *tag != Tag::Itself);
        state.forget_tags(|tag| matches!(tag, Tag::Read(slice) if slice.region == region));
        if self.interference.is_shared(region) {
            self.blocks_are_shown(state, &value);
            let known: Vec<Region> = value.addrs.keys().map(|b| b.region).collect();
            state.age(|r| known.contains(&r));
            value = value.published();
        }
        if !self.in_state(state, region) {
            self.interference.put(region, spot, size, &value);
            return;
        }
        let place = spot.at.constant().map(|offset| OffsetRange { offset, size });
        match place {
            Some(place) if one_place && self.interference.is_one_object(region) => {
                state.memory.write(region, place, value);
            }
            _ => {
                let how = Adding { first: &self.interference.first(), widen: None };
                state.memory.add(region, spot, size, &value, &how);
            }
        }
    }

    /// Is the region's contents part of the thread's own state?
    fn in_state(&self, state: &State, region: Region) -> bool {
        self.alone(state) || !self.interference.is_shared(region)
    }

    /// The address in terms of a counter, if it is in one region and iterations do not overlap.
    fn slice_of(&self, address: &Value, targets: &[(Base, Interval)], size: u64) -> Option<Slice> {
        let (&[(base, _)], Some(sym)) = (targets, address.sym) else { return None };
        let (Symbol::Counter(counter), Some(offset)) = (sym.symbol, sym.rest.constant()) else {
            return None;
        };
        let apart = sym.scale.unsigned_abs() >= u128::from(size);
        apart.then_some(Slice { region: base.region, counter, scale: sym.scale, offset })
    }

    /// Ids of threads may be stored, or lost.
    fn overwrite_ids(
        &self,
        state: &mut State,
        region: Region,
        value: &Value,
        slice: Option<Slice>,
    ) {
        for (template, kept) in &mut state.kept {
            let Kept::In { slice: known, pending } = kept else { continue };
            // An id that has its place already may be written over the others.
            let is_new = *pending && value.tag == Some(Tag::Thread(*template));
            if is_new && slice.is_some() && (known.is_none() || *known == slice) {
                (*known, *pending) = (slice, false);
            } else if known.is_some_and(|known| known.region == region) {
                *kept = Kept::Lost;
            }
        }
    }

    /// Tells interference and log of an access.
    pub fn touch(
        &mut self,
        state: &State,
        (operand, address): (&Operand, &Value),
        (base, offset): (Base, Interval),
        size: u64,
        how: AccessKind,
    ) {
        self.interference.use_region(self.template, base);
        if !self.logging {
            return;
        }
        let touch = Touch {
            base,
            offset,
            size,
            write: how.write,
            by_lock: how.by_lock.is_some(),
            number: how.number,
            astray: address.num.is_some_and(|n| n != Interval::ZERO),
            locks: state.locks.clone(),
            quiet: self.interference.is_quiet(self.template, state),
            alone: self.alone(state),
        };
        self.log.tell_touch(self.site(), touch);
        let direct = !matches!(operand, Operand::Reg(_));
        if !self.is_evident(direct, address, base, offset, size) {
            self.log.trusted.insert(self.span);
        }
        if self.interference.question.memory {
            self.judge(state, direct, address, (base, offset), size, how.write);
        }
        self.note(state, (base, offset), address.sym, size, how);
    }

    fn note(
        &mut self,
        state: &State,
        (base, offset): (Base, Interval),
        sym: Option<super::value::Sym>,
        size: u64,
        how: AccessKind,
    ) {
        if !self.interference.is_shared(base.region) {
            return;
        }
        let access = Access {
            template: self.template,
            base,
            offset,
            size,
            sym,
            write: how.write,
            atomic: how.atomic || state.in_user_block(),
            death: how.death,
            by_lock: how.by_lock,
            number: how.number,
            locks: state.locks.clone(),
            elements: state.elements.clone(),
            quiet: self.interference.is_quiet(self.template, state),
            alone: self.alone(state),
            alive: state.alive.keys().copied().collect(),
            started: state.started.clone(),
            used: state.used.clone(),
            around: self.graph.only_loop(self.at.0).map(|l| l.head),
            at: self.at,
            span: self.span,
        };
        match base.owner == Ownership::New && !self.interference.question.weak {
            true => self.log.early.push(access),
            false => self.log.accesses.push(access),
        }
    }

    /// Does the access stay in an object that lives, as far as one can see from here?
    pub fn is_evident(
        &self,
        direct: bool,
        address: &Value,
        base: Base,
        at: Interval,
        size: u64,
    ) -> bool {
        let program = &self.interference.flat.program;
        let (bytes, lives) = match base.region {
            Region::Object(o) => (i128::from(program.objects[o.index()].size), true),
            Region::ThreadLocal(_, o) => {
                (i128::from(program.objects[o.index()].size), base.owner == Ownership::Own)
            }
            Region::Slot(template, slot) => {
                let function =
                    &program.functions[self.interference.template(template).root.index()];
                (i128::from(function.slots[slot.index()].size), direct)
            }
            Region::Heap(..) => {
                let size = self.interference.heap.get(&base.region).map_or(0, |b| b.size.lo);
                (size, !self.interference.freed.contains(&base.region))
            }
            Region::Function(_) => (0, false),
        };
        let inside = at.lo >= 0 && at.hi + i128::from(size) <= bytes;
        inside && lives && address.num.is_none_or(|n| n == Interval::ZERO)
    }

    /// The objects of the region that are meant end: like a write of all their bytes.
    pub fn ends(&mut self, state: &mut State, region: Region, owner: Ownership) {
        let all = Interval { lo: 0, hi: 1 << 62 };
        // The user of the object may be another thread; the one that ends it need not use it.
        if self.logging && self.interference.users.contains_key(&region) {
            self.interference.use_region(self.template, Base { region, owner });
            let how = AccessKind { write: true, death: true, ..AccessKind::default() };
            self.note(state, (Base { region, owner }, all), None, 1, how);
        }
        state.overwrite_locks(region, all, 1);
        state.elements.retain(|lock, _| lock.at.region != region);
        state.lose_ids(region);
    }

    pub fn free(&mut self, state: &mut State, ptr: &Operand) -> Result<Flow, Unclear> {
        let value = self.value(state, ptr);
        if self.interference.question.memory {
            self.block_is_freed(state, &value);
        }
        if value.lost {
            return self.unclear("an address that may be any is freed");
        }
        for base in value.addrs.keys() {
            if !matches!(base.region, Region::Heap(..)) {
                self.log.trusted.insert(self.span);
                continue;
            }
            if base.owner != Ownership::New && self.logging {
                self.log.trusted.insert(self.span);
            }
            if self.interference.freed.insert(base.region) {
                self.interference.changed = true;
            }
            self.ends(state, base.region, base.owner);
        }
        Ok(Flow::On)
    }
}
