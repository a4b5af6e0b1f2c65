//! Loads, stores and frees: from an address to bytes, with all that can be wrong about it.
//!
//! An invalid access is a violation if memory safety is checked. Otherwise, one that surely crashes
//! (null, a write to a constant) ends the execution. Any other leaves C's definition and may go on,
//! and the observer is told, since then nothing can be proven any more: a freed block stays as it was
//! and can be used; an invalid store or `free` does nothing; an invalid load cuts the thread, since any
//! value that we chose for it could be held against us. (`Config::undefined_ends`: stores and frees cut
//! the thread, too.) A pointer that was never given a value is used wrongly whatever its bits are:
//! nothing is tried out.

use crate::choice::{ChoiceSource, Inputs};
use crate::exec::{Exec, ExecResult, Halt};
use crate::memory::Birth;
use crate::observe::{Access, Death, InvalidAccess, Observer};
use crate::state::Home;
use crate::step::{Cut, ViolationKind};
use crate::symbol::Domain;
use crate::value::{ObjKey, Part, SymId, Value};
use ir::types::Scalar;
use ir::{AtomicKind, MemoryOrder, ObjectKind, Operand};

/// Addresses below crash.
pub(crate) const NULL_PAGE: u64 = 4096;

/// What is wrong with an access.
#[derive(Debug)]
pub(crate) struct Invalid {
    what: String,
    /// No machine goes on after this.
    crashes: bool,
}

/// A range of bytes inside of a live object.
#[derive(Clone, Copy, Debug)]
struct ByteRange {
    home: Home,
    key: ObjKey,
    offset: u64,
}

impl<I: Inputs + ?Sized, O: Observer + ?Sized> Exec<'_, '_, I, O> {
    pub fn load(&mut self, addr: Value, ty: Scalar, order: MemoryOrder) -> ExecResult<Value> {
        let size = ty.bytes(self.interp.space.machine());
        let place = self.resolve(addr, size, false)?;
        let plain = self.state.object(place.home).filter(|o| o.is_plain(place.offset, size));
        let value = match plain {
            Some(object) => Value::Int(object.read(place.offset, size)),
            None => self.load_symbolic(place, size, ty)?,
        };
        self.tell(place, size, false, order, ty, value);
        Ok(value)
    }

    pub fn store(
        &mut self,
        addr: &Operand,
        value: Value,
        ty: Scalar,
        order: MemoryOrder,
    ) -> ExecResult {
        let size = ty.bytes(self.interp.space.machine());
        let Some(place) = self.resolve_write(addr, size)? else { return Ok(()) };
        // The address may have been the same symbol.
        let value = self.reread(value);
        self.write(place, size, value);
        self.tell(place, size, true, order, ty, value);
        Ok(())
    }

    fn write(&mut self, place: ByteRange, size: u64, value: Value) {
        let Some(object) = self.state.object_mut(place.home) else { return };
        match value {
            Value::Int(bits) => object.write(place.offset, size, bits),
            Value::Sym { id, shift, add } => {
                object.write_sym(place.offset, size, id, Part { shift, add })
            }
        }
        self.interp.note_store(self.state, place.home, place.offset, size);
    }

    fn tell(
        &mut self,
        at: ByteRange,
        size: u64,
        write: bool,
        order: MemoryOrder,
        ty: Scalar,
        value: Value,
    ) {
        let access = Access {
            object: at.key,
            offset: at.offset,
            size,
            write,
            order,
            user_atomic: self.atomic.contains(&AtomicKind::User),
            internal_atomic: self.atomic.contains(&AtomicKind::Internal),
            id: self.id,
            span: self.span,
        };
        self.observer.access(self.state, self.thread, &access, ty, value);
    }

    /// Some byte is not a number: undefined bytes become symbols, a whole symbol stays one, and
    /// whatever is mixed is decided.
    fn load_symbolic(&mut self, place: ByteRange, size: u64, ty: Scalar) -> ExecResult<Value> {
        self.name_undefined(place, size, ty)?;
        if let Some(value) = self.one_symbol(place, size) {
            return Ok(value);
        }
        while let Some(id) = self.first_symbol(place, size) {
            self.force(id)?;
        }
        let object = self.state.object(place.home);
        Ok(Value::Int(object.map_or(0, |o| o.read(place.offset, size))))
    }

    fn name_undefined(&mut self, place: ByteRange, size: u64, ty: Scalar) -> ExecResult {
        let Some(object) = self.state.object(place.home) else { return Ok(()) };
        let range = place.offset..place.offset + size;
        let undefined: Vec<u64> = range.filter(|&i| object.is_undef(i)).collect();
        if undefined.len() as u64 == size {
            let source = match object.birth {
                Birth::Heap(..) => ChoiceSource::UninitialisedHeap,
                // Others have given it a value: to use it is not wrong by itself.
                _ if self.is_external(place) && self.interp.config.undefined_ends => {
                    ChoiceSource::Unknown
                }
                _ => ChoiceSource::Uninitialised,
            };
            self.observer.undefined(self.thread, place.key, place.offset, size);
            let value = self.fresh(self.interp.all_values(ty), source)?;
            self.write(place, size, value);
            return Ok(());
        }
        for offset in undefined {
            self.observer.undefined(self.thread, place.key, offset, 1);
            let value = self.fresh(Domain::full(8, false), ChoiceSource::Uninitialised)?;
            self.write(ByteRange { offset, ..place }, 1, value);
        }
        Ok(())
    }

    fn is_external(&self, place: ByteRange) -> bool {
        matches!(place.home, Home::Static(i)
            if self.interp.program.objects[i].kind == ObjectKind::External)
    }

    /// The bytes are consecutive bytes of one symbol.
    fn one_symbol(&self, place: ByteRange, size: u64) -> Option<Value> {
        let bytes = self.state.object(place.home)?.sym_bytes(place.offset, size);
        let first = bytes.first()?;
        let consecutive = bytes.len() as u64 == size
            && bytes.iter().enumerate().all(|(i, b)| {
                (b.id, b.add) == (first.id, first.add)
                    && usize::from(b.part) == usize::from(first.part) + i
            });
        consecutive.then_some(Value::Sym { id: first.id, shift: first.part, add: first.add })
    }

    fn first_symbol(&self, place: ByteRange, size: u64) -> Option<SymId> {
        Some(self.state.object(place.home)?.sym_bytes(place.offset, size).first()?.id)
    }

    /// As `resolve`; `None` for an invalid write, which does nothing.
    fn resolve_write(&mut self, operand: &Operand, size: u64) -> ExecResult<Option<ByteRange>> {
        let addr = self.operand(operand);
        if !self.is_indeterminate(addr) {
            self.force_pointer(addr)?;
        }
        match self.resolve(self.reread(addr), size, true) {
            Err(Halt::Cut(Cut::InvalidAccess(what))) if self.goes_on(operand, &what) => {
                self.observer.invalid_access(self.thread, &what, InvalidAccess::Write, self.span);
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    /// Behind an invalid write. A pointer to no object at all may come from elsewhere, and be right,
    /// unless it can only be steps away from objects of the program.
    fn goes_on(&self, operand: &Operand, what: &str) -> bool {
        let known = || {
            let frame = self.state.top(self.thread);
            frame.is_some_and(|frame| self.interp.comes_from_objects(frame.func, operand))
        };
        !self.interp.config.undefined_ends || what == WRITE_NOWHERE && !known()
    }

    /// Finds the bytes that an access touches.
    fn resolve(&mut self, addr: Value, size: u64, write: bool) -> ExecResult<ByteRange> {
        if self.is_indeterminate(addr) {
            self.refuse_examined_pointer(addr)?;
            let verb = if write { "write" } else { "read" };
            return Err(self.undefined(format!("{verb} through an uninitialised pointer")));
        }
        let addr = self.force_pointer(addr)?;
        let (home, key, offset) = match self.interp.find(self.state, addr, size, write) {
            Ok(found) => found,
            Err(invalid) if invalid.crashes => return Err(self.invalid(invalid.what)),
            Err(invalid) => return Err(self.undefined(invalid.what)),
        };
        if self.state.object(home).is_some_and(|o| o.is_freed()) {
            let verb = if write { "write" } else { "read" };
            let what =
                format!("{verb} of {} after its end", self.interp.object_name(self.state, key));
            if write && self.interp.config.undefined_ends {
                return Err(self.undefined(what));
            }
            let access = if write { InvalidAccess::Write } else { InvalidAccess::FreedRead };
            self.observer.invalid_access(self.thread, &what, access, self.span);
        }
        // A made-up address that happens to be right: now others know the object.
        let foreign =
            self.state.object(home).and_then(|o| o.owner).is_some_and(|t| t != self.thread);
        if foreign {
            self.interp.escape(self.state, addr);
        }
        Ok(ByteRange { home, key, offset })
    }

    pub fn invalid(&self, what: String) -> Halt {
        if self.interp.config.memsafety {
            Halt::Violation(ViolationKind::ValidDeref, what)
        } else {
            Halt::Cut(Cut::Trap(what))
        }
    }

    /// Something that C does not define and that need not crash.
    pub fn undefined(&self, what: String) -> Halt {
        if self.interp.config.memsafety {
            Halt::Violation(ViolationKind::ValidDeref, what)
        } else {
            Halt::Cut(Cut::InvalidAccess(what))
        }
    }

    pub fn free(&mut self, ptr: &Operand) -> ExecResult {
        let value = self.operand(ptr);
        if self.is_indeterminate(value) {
            let what = "free of an uninitialised pointer";
            if self.interp.config.memsafety {
                // To free null would be fine.
                self.take_for_not_null(value);
                return Err(Halt::Violation(ViolationKind::ValidFree, what.into()));
            }
            return self.wrong_free(what.into());
        }
        let addr = self.force_pointer(value)?;
        if addr == 0 {
            return Ok(());
        }
        match self.heap_block(addr) {
            Ok(key) if self.interp.config.memsafety => self.kill(key, Death::Freed),
            Ok(key) => self.set_freed(key),
            Err(what) if self.interp.config.memsafety => {
                return Err(Halt::Violation(ViolationKind::ValidFree, what));
            }
            Err(what) => return self.wrong_free(what),
        }
        Ok(())
    }

    fn wrong_free(&mut self, what: String) -> ExecResult {
        if self.interp.config.undefined_ends {
            return Err(self.undefined(what));
        }
        self.observer.invalid_access(self.thread, &what, InvalidAccess::Write, self.span);
        Ok(())
    }

    /// Freed memory mostly stays readable: without the check for it, programs that look at it
    /// afterwards (lock-free structures do) go on with what was there.
    fn set_freed(&mut self, key: ObjKey) {
        let Some((home, _)) = self.state.entry_at(&self.interp.space, self.interp.space.base(key))
        else {
            return;
        };
        let Some(object) = self.state.object(home) else { return };
        let (size, private) = (object.size(), object.owner.is_some());
        self.observer.died(self.state, self.thread, key, size, private, Death::Freed, self.at());
        if let Some(object) = self.state.object_mut(home) {
            object.set_freed();
        }
    }

    /// The live heap block that starts at this address.
    fn heap_block(&self, addr: u64) -> Result<ObjKey, String> {
        let Some((home, key)) = self.state.entry_at(&self.interp.space, addr) else {
            return Err("free of a pointer to no object".into());
        };
        match self.state.object(home) {
            None => Err(self.freed_before(key)),
            Some(o) if o.is_freed() => Err(self.freed_before(key)),
            Some(o) if !matches!(o.birth, Birth::Heap(..)) => {
                Err("free of an object that was not allocated".into())
            }
            Some(_) if self.interp.space.base(key) != addr => {
                Err("free of a pointer into the middle of a block".into())
            }
            Some(_) => Ok(key),
        }
    }

    fn freed_before(&self, key: ObjKey) -> String {
        format!("free of {} after its end", self.interp.object_name(self.state, key))
    }

    pub fn object_size(&mut self, ptr: &Operand) -> ExecResult<u64> {
        let value = self.operand(ptr);
        if self.is_indeterminate(value) {
            return Err(self.undefined("size of what an uninitialised pointer points to".into()));
        }
        let addr = self.force_pointer(value)?;
        let found = self.state.entry_at(&self.interp.space, addr);
        let object = found
            .filter(|&(_, key)| self.interp.space.base(key) == addr)
            .and_then(|(home, _)| self.state.object(home));
        let size = object.map(|o| o.size());
        size.ok_or_else(|| self.undefined("size of something that is not a live object".into()))
    }
}

const WRITE_NOWHERE: &str = "write through an invalid pointer";
const READ_NOWHERE: &str = "read through an invalid pointer";

/// Is what is wrong with an access that its address is that of no object, and may come from elsewhere?
pub fn is_nowhere(what: &str) -> bool {
    [READ_NOWHERE, WRITE_NOWHERE].contains(&what)
}
/// No program that means the object gets so far from it.
const FAR: u64 = 1 << 16;

fn nowhere(write: bool) -> String {
    match write {
        true => WRITE_NOWHERE.into(),
        false => READ_NOWHERE.into(),
    }
}

impl crate::step::Interp<'_> {
    /// The live object and offset of an access, or what is wrong with it.
    pub(crate) fn find(
        &self,
        state: &crate::state::State,
        addr: u64,
        size: u64,
        write: bool,
    ) -> Result<(Home, ObjKey, u64), Invalid> {
        let verb = if write { "write" } else { "read" };
        let Some((home, key)) = state.entry_at(&self.space, addr) else {
            let null = addr < NULL_PAGE;
            let what = match null {
                true => format!("{verb} through a null pointer"),
                false => nowhere(write),
            };
            return Err(Invalid { what, crashes: null });
        };
        let Some(object) = state.object(home) else {
            let what = format!("{verb} of {} after its end", self.object_name(state, key));
            return Err(Invalid { what, crashes: false });
        };
        let offset = addr.wrapping_sub(self.space.base(key));
        let far = (offset as i64).unsigned_abs() > FAR.max(2 * object.size());
        if far && self.config.undefined_ends {
            return Err(Invalid { what: nowhere(write), crashes: false });
        }
        if !object.holds(offset, size) {
            let what = format!(
                "{verb} of {size} bytes at offset {} of {}, which has {} bytes",
                offset as i64,
                self.object_name(state, key),
                object.size()
            );
            return Err(Invalid { what, crashes: false });
        }
        let constant = matches!(home, Home::Static(i)
            if self.program.objects[i].kind == ObjectKind::Constant);
        if write && constant {
            return Err(Invalid { what: "write to a constant".into(), crashes: true });
        }
        // On the stack nothing protects it: undefined all the same, but no crash.
        if write && object.is_constant() {
            return Err(Invalid { what: "write to a constant".into(), crashes: false });
        }
        Ok((home, key, offset))
    }
}
