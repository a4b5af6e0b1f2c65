//! What calls that lock and unlock do to the state (`sync.rs` says which they are).

use super::access::AccessKind;
use super::interval::Interval;
use super::question::Unclear;
use super::state::State;
use super::sync::{
    Call, ElementLock, ElementLocks, LAST_OF_CONDITION, Lock, LockFamily, LockMode, Sync,
};
use super::value::{Region, Sym, Tag, Value};
use super::walk::{Flow, Walk};
use ir::types::Machine;
use ir::*;
use std::collections::BTreeSet;

impl Walk<'_, '_> {
    pub fn sync(
        &mut self,
        state: &mut State,
        (call, family): (Call, LockFamily),
        dst: Option<Reg>,
        args: &[Operand],
    ) -> Result<Flow, Unclear> {
        if self.interference.flat.has_robust_locks {
            return self.unclear("a lock that outlives its owner");
        }
        let may_set_errno = matches!(call, Call::SemTry | Call::SemPost);
        if may_set_errno && self.interference.flat.reads_errno {
            return self.unclear("a semaphore that may set errno");
        }
        let mut result = Value::number(Interval { lo: 0, hi: 110 });
        if let (Call::Detach | Call::BeginDetached, Some(thread)) = (call, args.first()) {
            self.detach(state, thread, call == Call::BeginDetached);
        } else if call != Call::Record {
            let Some(arg) = args.get(call.argument()) else {
                return self.unclear("a lock is missing");
            };
            if self.interference.question.races || self.interference.question.memory {
                let last = family.last_word(self.interference.flat.program.machine);
                self.look_at(state, arg, last)?;
                if let (Call::Wait, Some(condition)) = (call, args.first()) {
                    self.look_at(state, condition, LAST_OF_CONDITION)?;
                }
            }
            if args.len() > call.argument() + 1
                && let Some(deadline) = args.last()
            {
                self.read_deadline(state, deadline)?;
            }
            let address = self.value(state, arg);
            let Some(targets) = self.targets(&address)? else {
                self.miss(&address);
                return Ok(Flow::Ends);
            };
            let size = family.bytes();
            let by_lock = Some(family);
            let how = AccessKind { write: true, atomic: true, by_lock, ..AccessKind::default() };
            for (base, offset) in targets {
                self.touch(state, (arg, &address), (base, offset), size, how);
                state.lose_ids(base.region);
                // A read of a lock may find anything.
                for word in (0..i128::from(size)).step_by(4) {
                    let at = offset.plus(Interval::one(word));
                    self.put(state, base, at.into(), 4, &Value::garbage(), false);
                }
            }
            let lock = self.lock_at(&address, family);
            if self.logging {
                self.log.tell_sync(self.site(), Sync { call, family, lock });
            }
            if let Some(lock) = lock
                && self.logging
            {
                self.log.locks.insert(lock);
            }
            let element = self.element_at(&address, family).filter(|_| lock.is_none());
            if let Some(element) = element
                && self.logging
            {
                self.log.elements.insert(element.at);
            }
            let held = holds(state, lock)
                || element.is_some_and(|lock| state.elements.contains_key(&lock));
            if (call, family) == (Call::Unlock, LockFamily::ReadWrite) && !held {
                return self.unclear("a read-write lock that may be unlocked without being held");
            }
            // Whatever is meant, others of this object may be the same one.
            let regions: BTreeSet<Region> = address.addrs.keys().map(|base| base.region).collect();
            if !matches!(call, Call::Lock(_)) {
                state.elements.retain(|lock, _| !regions.contains(&lock.at.region));
            }
            result = match (call, element) {
                (Call::Lock(mode), Some(element)) => {
                    self.hang("a lock that is not known by its name");
                    state.elements.insert(element, mode);
                    result
                }
                (Call::Unlock, Some(_)) if held => {
                    self.release(state, lock, &address, held);
                    result
                }
                _ => self.act(state, call, lock, &address),
            };
        }
        if let Some(dst) = dst {
            self.assign(state, dst, result);
        }
        Ok(Flow::On)
    }

    /// Reads a word of a lock atomically.
    fn look_at(&mut self, state: &mut State, arg: &Operand, word: i128) -> Result<(), Unclear> {
        let address = self.value(state, arg);
        let targets = self.targets(&address)?.unwrap_or_default();
        self.miss_if(targets.is_empty(), &address);
        let how = AccessKind { write: false, atomic: true, ..AccessKind::default() };
        for (base, offset) in targets {
            let at = offset.plus(Interval::one(word));
            self.touch(state, (arg, &address), (base, at), 4, how);
        }
        Ok(())
    }

    /// Timed functions have a deadline as their last argument: seconds and nanoseconds, read plainly.
    fn read_deadline(&mut self, state: &mut State, arg: &Operand) -> Result<(), Unclear> {
        let address = self.value(state, arg);
        let targets = self.targets(&address)?.unwrap_or_default();
        self.miss_if(targets.is_empty(), &address);
        let size = match self.interference.flat.program.machine {
            Machine::Lp64 => 16,
            Machine::Ilp32 => 8,
        };
        for (base, offset) in targets {
            self.touch(state, (arg, &address), (base, offset), size, AccessKind::default());
        }
        Ok(())
    }

    fn act(&mut self, state: &mut State, call: Call, lock: Option<Lock>, address: &Value) -> Value {
        let mut result = Value::number(Interval { lo: 0, hi: 110 });
        match call {
            Call::Lock(mode) => {
                self.wait_for(state, lock);
                self.take(state, lock, mode);
            }
            Call::SemWait => {
                self.hang("a semaphore that is waited for");
                self.take(state, lock, LockMode::Write);
                result = Value::number(Interval { lo: -1, hi: 0 });
            }
            Call::Try(mode) => {
                self.may_take(state, lock);
                result.tag = self.usable(lock).map(|lock| Tag::Tried(lock, mode));
            }
            Call::SemTry => {
                result = Value::number(Interval { lo: -1, hi: 0 });
                result.tag = self.usable(lock).map(|lock| Tag::Tried(lock, LockMode::Write));
            }
            Call::Unlock => self.release(state, lock, address, holds(state, lock)),
            Call::SemPost => {
                self.release(state, lock, address, holds(state, lock));
                result = Value::number(Interval { lo: -1, hi: 0 });
            }
            Call::Wait => {
                self.hang("a condition that is waited for");
                self.release(state, lock, address, holds(state, lock));
                self.take(state, lock, LockMode::Write);
            }
            Call::Record | Call::Detach | Call::BeginDetached => {}
        }
        result
    }

    /// The one lock that an address is, if it is one.
    fn lock_at(&self, address: &Value, family: LockFamily) -> Option<Lock> {
        if address.addrs.len() != 1 || address.num.is_some_and(|n| n != Interval::ZERO) {
            return None;
        }
        let (base, offset) = address.addrs.iter().next()?;
        let offset = offset.constant()?;
        self.interference.is_unique(base.region).then_some(Lock {
            region: base.region,
            offset,
            family,
        })
    }

    /// The lock of an element that an address is, if it is one.
    fn element_at(&self, address: &Value, family: LockFamily) -> Option<ElementLock> {
        let mut addrs = address.addrs.keys();
        let (Some(base), None) = (addrs.next(), addrs.next()) else { return None };
        let (Sym { symbol, scale, rest }, region) = (address.sym?, base.region);
        let clean = address.num.is_none_or(|n| n == Interval::ZERO);
        let known = matches!(family, LockFamily::Mutex | LockFamily::Spin | LockFamily::ReadWrite);
        let apart = scale.unsigned_abs() >= u128::from(family.bytes());
        let one = self.interference.is_unique(region);
        let at = ElementLocks { region, scale, offset: rest.constant()?, family };
        (clean && known && apart && one).then_some(ElementLock { symbol, at })
    }

    fn usable(&self, lock: Option<Lock>) -> Option<Lock> {
        lock.filter(|lock| !self.interference.is_broken(*lock))
    }

    /// What an earlier attempt has said does not tell any more whether the lock is held.
    fn may_take(&mut self, state: &mut State, lock: Option<Lock>) {
        let Some(lock) = lock else {
            return self.hang("a lock that is not known by its name");
        };
        if lock.family != LockFamily::Semaphore {
            state.forget_tags(|tag| matches!(tag, Tag::Tried(l, _) if *l == lock));
            state.may_hold.insert(lock);
        }
    }

    fn take(&mut self, state: &mut State, lock: Option<Lock>, mode: LockMode) {
        self.may_take(state, lock);
        if let Some(lock) = self.usable(lock) {
            let held = state.locks.entry(lock).or_insert(mode);
            *held = (*held).max(mode);
        }
    }

    /// Whatever may be meant is not held any more. Who releases a lock without holding it breaks it.
    fn release(&mut self, state: &mut State, lock: Option<Lock>, address: &Value, held: bool) {
        let meant = |l: &Lock| {
            address.addrs.iter().any(|(b, at)| b.region == l.region && at.contains(l.offset))
        };
        state.locks.retain(|l, _| !meant(l));
        match lock {
            Some(lock) => drop(state.may_hold.remove(&lock)),
            None => self.hang("a lock that is not known by its name"),
        }
        state.forget_tags(|tag| matches!(tag, Tag::Tried(l, _) if meant(l)));
        if !held && self.logging {
            for (base, at) in &address.addrs {
                self.interference.break_locks(base.region, *at);
            }
        }
    }
}

fn holds(state: &State, lock: Option<Lock>) -> bool {
    lock.is_some_and(|lock| state.locks.contains_key(&lock))
}
