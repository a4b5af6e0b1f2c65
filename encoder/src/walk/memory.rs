//! Memory: which cells an access may touch, and what it does to them.
//!
//! The address of an access is compared with every place that it can be (`AbstractValue`); each gives an
//! access to the cells there, guarded by the comparison. Whatever is left of the address is null
//! (the thread crashes: it ends) or invalid (undefined: a goal of its own, so that no engine calls the
//! program safe). If memory safety is asked about, all of that is an error, and so is any use of an
//! object that has ended.

use super::Walk;
use super::state::WalkState;
use crate::coenabled::{ConflictingAccess, Manner};
use crate::event::{Fault, GoalKind, NodeKind};
use crate::object::{Birth, ByteView, ObjectId};
use crate::term::Term;
use crate::value::{AbstractValue, Numbers};
use ir::Property;
use ir::types::Scalar;
use ir::{MemoryOrder, Operand};
use smallvec::SmallVec;

pub(super) const TOO_MANY: &str = "a pointer or index with too many targets";
/// Places that one access may touch.
const TARGETS: usize = 1024;
/// Addresses below crash.
pub(super) const NULL_PAGE: u64 = 4096;

/// Where an access may go.
struct Targets {
    /// Condition, object, offset.
    places: SmallVec<[(Term, ObjectId, u64); 2]>,
    /// Condition, large object.
    large: SmallVec<[(Term, ObjectId); 1]>,
    /// It goes to one of them.
    valid: Term,
    /// It goes nowhere that C allows, and does not crash.
    invalid: Term,
    /// It goes nowhere that we can tell, in a block that has more places than we know.
    blurred: Term,
    /// It may be a number that was never an address.
    arbitrary: bool,
}

/// One place that a store may write: if `here` holds, under `guard`.
#[derive(Clone, Copy)]
pub(super) struct Write {
    pub object: ObjectId,
    pub offset: u64,
    pub here: Term,
    pub guard: Term,
}

/// Who looks at an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// By name: it is live.
    Named,
    /// Through a pointer.
    Pointer,
}

impl Walk<'_> {
    pub(super) fn load(
        &mut self,
        state: &mut WalkState,
        addr: &Operand,
        ty: Scalar,
        order: MemoryOrder,
    ) -> Term {
        let address = self.operand(state, addr);
        let bytes = ty.bytes(self.program.machine);
        let targets = self.targets(state, address, bytes, false);
        self.chance(state, address, targets.valid);
        self.about_to_access(state, access(state, false, order), &targets.places, bytes);
        self.about_to_read_large_array(state, access(state, false, order), &targets.large);
        let mut value: Option<Term> = None;
        let mut valid = targets.valid;
        for &(here, object, offset) in targets.places.iter().rev() {
            let guard = self.pool.and(state.guard, here);
            if self.pool.is_false(guard) {
                continue;
            }
            let (guard, live) = self.check_alive(state, object, guard, trust(addr), false);
            if !self.pool.is_true(live) {
                let usable = self.pool.implies_term(here, live);
                valid = self.pool.and(valid, usable);
            }
            let read = self.load_bytes(state, object, offset, bytes, guard);
            value = Some(match value {
                None => read,
                Some(other) => self.pool.ite(here, read, other),
            });
        }
        for &(here, object) in &targets.large {
            let guard = self.pool.and(state.guard, here);
            let (_, live) = self.check_alive(state, object, guard, trust(addr), false);
            let usable = self.pool.implies_term(here, live);
            valid = self.pool.and(valid, usable);
            let read = self.vast_read(state, object, address, bytes);
            value = Some(match value {
                None => read,
                Some(other) => self.pool.ite(here, read, other),
            });
        }
        self.nowhere(state, &targets, "read");
        state.guard = self.pool.and(state.guard, valid);
        value.unwrap_or_else(|| {
            let width = ty.bits(self.program.machine);
            self.pool.bits(0, width)
        })
    }

    pub(super) fn store(
        &mut self,
        state: &mut WalkState,
        addr: &Operand,
        value: Term,
        ty: Scalar,
        order: MemoryOrder,
    ) {
        let address = self.operand(state, addr);
        let bytes = ty.bytes(self.program.machine);
        let targets = self.targets(state, address, bytes, true);
        self.chance(state, address, targets.valid);
        self.about_to_access(state, access(state, true, order), &targets.places, bytes);
        let (writes, go_on) = self.writes(state, &targets, trust(addr));
        for write in writes {
            self.store_bytes(state, value, write);
        }
        state.guard = self.pool.and(state.guard, go_on);
    }

    /// Where a new thread's id is stored, and when that goes well: a place that is null is none,
    /// unless invalid accesses are asked for. Begins the node of the start.
    pub(super) fn place_for_id(
        &mut self,
        state: &mut WalkState,
        addr: &Operand,
        bytes: u64,
    ) -> SmallVec<[Write; 2]> {
        let address = self.operand(state, addr);
        let targets = self.targets(state, address, bytes, true);
        self.chance(state, address, targets.valid);
        self.about_to_access(
            state,
            access(state, true, MemoryOrder::Plain),
            &targets.places,
            bytes,
        );
        self.node(state, NodeKind::Spawn);
        let (writes, mut go_on) = self.writes(state, &targets, trust(addr));
        if !self.checks_memory() {
            let zero = self.pool.bits(0, self.pointer_width());
            let null = self.pool.eq(address, zero);
            go_on = self.pool.or(go_on, null);
        }
        state.guard = self.pool.and(state.guard, go_on);
        writes
    }

    /// What a store writes, and when the thread goes on behind it.
    fn writes(
        &mut self,
        state: &mut WalkState,
        targets: &Targets,
        trust: Trust,
    ) -> (SmallVec<[Write; 2]>, Term) {
        let mut writes = SmallVec::new();
        let mut crash = self.pool.bool(false);
        let mut usable = self.pool.bool(true);
        for &(here, object, offset) in &targets.places {
            let guard = self.pool.and(state.guard, here);
            if self.pool.is_false(guard) {
                continue;
            }
            if self.space.get(object).constant {
                crash = self.pool.or(crash, here);
                continue;
            }
            let (guard, live) = self.check_alive(state, object, guard, trust, true);
            let open = self.check_writable(state, object, guard);
            let (guard, live) = (self.pool.and(guard, open), self.pool.and(live, open));
            let lives = self.pool.implies_term(here, live);
            usable = self.pool.and(usable, lives);
            let here = self.pool.and(here, live);
            writes.push(Write { object, offset, here, guard });
        }
        self.nowhere(state, targets, "write");
        let no_crash = self.pool.not(crash);
        let go_on = if self.checks_memory() {
            self.error(state, Fault::Deref, crash, "write to a constant");
            self.pool.and(targets.valid, usable)
        } else if self.config.undefined_ends && !targets.arbitrary {
            self.pool.and(targets.valid, usable)
        } else {
            // A invalid write does nothing; a null one ends the thread.
            self.pool.or(targets.valid, targets.invalid)
        };
        (writes, self.pool.and(go_on, no_crash))
    }

    pub(super) fn checks_memory(&self) -> bool {
        self.config.property == Property::ValidMemsafety
    }

    pub(super) fn error(&mut self, state: &WalkState, fault: Fault, bad: Term, what: &str) {
        let guard = self.pool.and(state.guard, bad);
        self.goal(state, GoalKind::Error(fault, what.into()), guard);
    }

    /// An address that goes to no place: the violation that is looked for, or invalid.
    fn nowhere(&mut self, state: &WalkState, targets: &Targets, verb: &str) {
        let &Targets { valid, invalid, blurred, arbitrary, .. } = targets;
        let never = if self.checks_memory() { self.pool.not(valid) } else { invalid };
        if self.pool.is_false(never) && self.pool.is_false(blurred) {
            return;
        }
        let what = format!("{verb} through an invalid pointer");
        let unknown = self.pool.and(state.guard, blurred);
        let far = "an access far into a block whose size is not known".to_string();
        self.goal(state, GoalKind::Unsupported(far), unknown);
        let sharp = self.pool.not(blurred);
        if self.checks_memory() {
            let fault = if arbitrary { Fault::ArbitraryAddress } else { Fault::Deref };
            let invalid = self.pool.not(valid);
            let bad = self.pool.and(invalid, sharp);
            return self.error(state, fault, bad, &what);
        }
        let invalid = self.pool.and(invalid, sharp);
        let guard = self.pool.and(state.guard, invalid);
        let kind = self.not_defined(what, arbitrary);
        self.goal(state, kind, guard);
    }

    /// The kind of goal for what C does not define. If executions end there, an arbitrary number is not
    /// that: it may well point to memory that the encoding does not have.
    pub(super) fn not_defined(&self, what: impl Into<String>, arbitrary: bool) -> GoalKind {
        match arbitrary && self.config.undefined_ends {
            true => GoalKind::Unsupported("the use of a pointer from nowhere".into()),
            false => GoalKind::InvalidAccess(what.into()),
        }
    }

    /// A use of a dead object is undefined. A freed block keeps its contents, as it commonly does; a
    /// dead slot is gone: the guard and the condition then say that it is alive. If memory safety is
    /// the question, they say so of blocks as well.
    fn check_alive(
        &mut self,
        state: &mut WalkState,
        object: ObjectId,
        guard: Term,
        trust: Trust,
        write: bool,
    ) -> (Term, Term) {
        let always = self.pool.bool(true);
        let (Trust::Pointer, Some(cell)) = (trust, self.space.get(object).alive) else {
            return (guard, always);
        };
        let asked = self.checks_memory();
        let heap = matches!(self.space.get(object).birth, Birth::Heap(..));
        // What a freed block held can still be read. Under other models that objects live is assumed.
        if !write && heap && !asked || self.config.weak && !asked {
            return (guard, always);
        }
        let value = self.life(state, cell, guard, NodeKind::Access);
        let live = self.pool.truth(value);
        let dead = self.pool.not(live);
        let bad = self.pool.and(guard, dead);
        let verb = if write { "write" } else { "read" };
        let what = format!("{verb} of `{}` after its end", self.space.get(object).name);
        let kind =
            if asked { GoalKind::Error(Fault::Deref, what) } else { GoalKind::InvalidAccess(what) };
        self.goal(state, kind, bad);
        let goes_on = heap && !asked && !self.config.undefined_ends;
        if goes_on { (guard, always) } else { (self.pool.and(guard, live), live) }
    }

    fn targets(
        &mut self,
        state: &mut WalkState,
        address: Term,
        bytes: u64,
        write: bool,
    ) -> Targets {
        let value = self.value_of(address);
        let mut large: SmallVec<[ObjectId; 1]> = SmallVec::new();
        let mut places: SmallVec<[(ObjectId, u64); 4]> = SmallVec::new();
        let mut inside = true;
        for &(id, offsets) in &value.objects {
            match self.space.view(id) {
                ByteView::LargeArray { bytes: grid } if !write && grid == bytes => {
                    large.push(id);
                    continue;
                }
                ByteView::LargeArray { .. } => self.refuse_large_array(state, id),
                ByteView::Cells | ByteView::Refused => {}
            }
            let object = self.space.get(id);
            let last = object.size as i64 - bytes as i64;
            inside &= offsets.low >= 0 && offsets.high <= last && object.actual.is_none();
            match offsets.within(last, TARGETS - places.len().min(TARGETS)) {
                Some(list) => places.extend(list.into_iter().map(|o| (id, o as u64))),
                None => {
                    if !write {
                        self.wants_large_array(id, bytes);
                    }
                    self.unsupported(state, TOO_MANY.into());
                    break;
                }
            }
        }
        self.judge(address, bytes, &value, &places, &large, inside)
    }

    fn judge(
        &mut self,
        address: Term,
        bytes: u64,
        value: &AbstractValue,
        places: &[(ObjectId, u64)],
        large: &[ObjectId],
        inside: bool,
    ) -> Targets {
        let width = self.pointer_width();
        let inside = inside && large.is_empty();
        let arbitrary = !matches!(value.numbers, Numbers::List(_));
        let numbers = match &value.numbers {
            Numbers::List(l) if l.is_empty() => Some(0),
            Numbers::List(l) => l.last().copied(),
            Numbers::Range(_, hi) => Some(*hi),
            Numbers::Any => None,
        };
        let certain = inside && matches!(&value.numbers, Numbers::List(l) if l.is_empty());
        let mut valid = self.pool.bool(false);
        let mut out = SmallVec::new();
        for &(id, offset) in places {
            let here = if certain && places.len() == 1 {
                self.pool.bool(true)
            } else {
                let place = self.pool.bits(self.space.address(id, offset as i64), width);
                self.pool.eq(address, place)
            };
            let here = match self.space.get(id).actual {
                None => here,
                Some(actual) => {
                    let end = self.pool.bits(offset + bytes, width);
                    let fits = self.pool.ule(end, actual);
                    self.pool.and(here, fits)
                }
            };
            if !self.pool.is_false(here) {
                valid = self.pool.or(valid, here);
                out.push((here, id, offset));
            }
        }
        let mut spread = SmallVec::new();
        let mut askew = self.pool.bool(false);
        for &id in large {
            let found = self.inside(address, id, bytes);
            askew = self.pool.or(askew, found.askew);
            if !self.pool.is_false(found.here) {
                valid = self.pool.or(valid, found.here);
                spread.push((found.here, id));
            }
        }
        if certain {
            valid = self.pool.bool(true);
        }
        let invalid = if inside && numbers.is_some_and(|hi| hi < NULL_PAGE) {
            self.pool.bool(false)
        } else {
            let page = self.pool.bits(NULL_PAGE, width);
            let null = self.pool.ult(address, page);
            let either = self.pool.or(valid, null);
            self.pool.not(either)
        };
        let blurred = self.blurred(value, valid);
        let blurred = self.pool.or(blurred, askew);
        let impossible = self.impossible(value);
        let possible = self.pool.not(impossible);
        let (invalid, blurred) =
            (self.pool.and(invalid, possible), self.pool.and(blurred, possible));
        Targets { places: out, large: spread, valid, invalid, blurred, arbitrary }
    }

    /// Only the first bytes of a block whose size is not known have cells.
    fn blurred(&mut self, value: &AbstractValue, valid: Term) -> Term {
        let width = self.pointer_width();
        let mut long = self.pool.bool(false);
        for &(id, _) in &value.objects {
            let Some(actual) = self.space.get(id).actual else { continue };
            let size = self.pool.bits(self.space.get(id).size, width);
            let longer = self.pool.ult(size, actual);
            long = self.pool.or(long, longer);
        }
        let nowhere = self.pool.not(valid);
        self.pool.and(long, nowhere)
    }
}

/// What an access is, as far as races are concerned.
fn access(state: &WalkState, write: bool, order: MemoryOrder) -> ConflictingAccess {
    let manner = match order {
        _ if state.in_user_block() => Manner::Block,
        MemoryOrder::Plain => Manner::Plain,
        _ => Manner::Atomic,
    };
    ConflictingAccess::access(write, manner)
}

fn trust(addr: &Operand) -> Trust {
    match addr {
        Operand::Slot { .. } | Operand::Object { .. } => Trust::Named,
        _ => Trust::Pointer,
    }
}
