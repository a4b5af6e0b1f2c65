//! Objects that are too large for cells: what is never written is a function of the address.
//!
//! `int a[n]` of unknown length, read at an index that may be anything, has more places than an
//! access can be compared with. If no thread ever writes to the object, all reads see its first
//! contents: zeros, or unknown values. Then a read is a fresh value, and any two reads at
//! the same address have the same value (Ackermann's reduction: a function exists that gives each
//! address its value if and only if these equalities hold, whatever else is true; so they are facts
//! that need no guard). Whether the address is inside of the object is one comparison with its size.
//!
//! Two accesses must be the same place or have nothing in common, so all have one size, and are
//! aligned to it. An object that is written, read in two sizes or read too often is refused: cells
//! are all there is for it, as for small ones. Both are learnt from walk to walk (`ByteView`), like the
//! classes of cells: the last walk has met no access that does not fit.
//!
//! An array of variable length can also have a size that no object has: `int a[n]` with a negative
//! `n`, or with more bytes than half of the address space. That is undefined; as far as the process
//! comes at all, an access that goes beyond what there is of it crashes, like one through a null
//! pointer (`impossible`). For memory safety it is an error like others.
//!
//! Cost: a comparison of two addresses for each pair of reads.

use super::Walk;
use super::state::WalkState;
use crate::event::GoalKind;
use crate::object::{Birth, ByteView, Contents, ObjectId};
use crate::term::{Sort, Term};
use crate::value::{AbstractValue, Numbers};
use crate::walk::Purpose;

/// Reads of one object.
const READS: usize = 200;
/// Bytes that a block of unknown size gets, if there is room: enough for an `int` to count some
/// hundred bytes each.
const ROOM: u64 = 1 << 40;
/// All that an object can have there, or less if others need room, too.
const ROOMS_OF_32_BITS: [u64; 2] = [1 << 31, 1 << 28];

/// Blocks end below.
const END_OF_32_BITS: u64 = 0xf000_0000;

/// What `targets` finds out about an access to a large object.
pub(super) struct Inside {
    /// It is at a place of the object.
    pub here: Term,
    /// It is inside, but not where others are.
    pub askew: Term,
}

impl Walk<'_> {
    /// Too many places: may the object be large from the next walk on?
    pub(super) fn wants_large_array(&mut self, id: ObjectId, bytes: u64) {
        if self.space.view(id) == ByteView::Cells && bytes.is_power_of_two() && self.is_plain(id) {
            self.space.set_view(id, ByteView::LargeArray { bytes });
        }
    }

    /// Does it hold zeros or anything, and is it not written so far?
    fn is_plain(&mut self, id: ObjectId) -> bool {
        let plain = match self.space.get(id).contents {
            Contents::Zero | Contents::Undefined => true,
            Contents::Image(image) => {
                let object = &self.program.objects[image.index()];
                object.relocations.is_empty() && object.bytes.iter().all(|&b| b == 0)
            }
            Contents::Number(_) => false,
        };
        plain && !self.space.is_written(id)
    }

    /// An access to a large object that does not fit: from the next walk on it is large no more.
    pub(super) fn refuse_large_array(&mut self, state: &mut WalkState, id: ObjectId) {
        self.space.set_view(id, ByteView::Refused);
        self.unsupported(state, super::memory::TOO_MANY.into());
    }

    /// How many bytes a block of unknown size gets.
    pub(super) fn open_size(&self, birth: Birth, usual: u64) -> u64 {
        let (rooms, end) = match self.pointer_width() {
            32 => (&ROOMS_OF_32_BITS[..], END_OF_32_BITS),
            _ => (&[ROOM][..], 1 << 46),
        };
        match self.space.view_of(birth) {
            ByteView::LargeArray { .. } => {
                let found = rooms.iter().find(|room| self.space.has_room(birth, **room, end));
                found.copied().unwrap_or(usual)
            }
            _ => usual,
        }
    }

    /// An array of variable length that has more bytes than an object can have, and nothing else, is
    /// pointed to: a thread that touches it crashes.
    pub(super) fn impossible(&mut self, value: &AbstractValue) -> Term {
        let never = self.pool.bool(false);
        let [(id, _)] = value.objects[..] else { return never };
        let object = self.space.get(id);
        let crashes = |n: &u64| *n < super::memory::NULL_PAGE;
        let alone = matches!(&value.numbers, Numbers::List(l) if l.iter().all(crashes));
        match (object.birth, object.actual) {
            (Birth::Frame(..), Some(actual)) if alone && !self.checks_memory() => {
                let zero = self.pool.bits(0, self.pointer_width());
                self.pool.slt(actual, zero)
            }
            _ => never,
        }
    }

    pub(super) fn inside(&mut self, address: Term, id: ObjectId, bytes: u64) -> Inside {
        let width = self.pointer_width();
        let object = self.space.get(id);
        let (base, last, actual) = (object.base, object.size.checked_sub(bytes), object.actual);
        let never = self.pool.bool(false);
        let Some(last) = last else { return Inside { here: never, askew: never } };
        let base = self.pool.bits(base, width);
        let offset = self.pool.sub(address, base);
        let last = self.pool.bits(last, width);
        let mut fits = self.pool.ule(offset, last);
        if let Some(actual) = actual {
            let bytes = self.pool.bits(bytes, width);
            let end = self.pool.add(offset, bytes);
            let within = self.pool.ule(end, actual);
            fits = self.pool.and(fits, within);
        }
        let aligned = self.aligned(offset, bytes);
        let other = self.pool.not(aligned);
        Inside { here: self.pool.and(fits, aligned), askew: self.pool.and(fits, other) }
    }

    fn aligned(&mut self, offset: Term, bytes: u64) -> Term {
        let bits = bytes.trailing_zeros() as u8;
        if bits == 0 {
            return self.pool.bool(true);
        }
        let low = self.pool.extract(offset, 0, bits);
        let zero = self.pool.bits(0, bits);
        self.pool.eq(low, zero)
    }

    /// What is at this address of it.
    pub(super) fn vast_read(
        &mut self,
        state: &mut WalkState,
        id: ObjectId,
        address: Term,
        bytes: u64,
    ) -> Term {
        let width = bytes as u8 * 8;
        if self.space.get(id).contents != Contents::Undefined {
            return self.pool.bits(0, width);
        }
        let known = self.vast_reads.get(&id).cloned().unwrap_or_default();
        if let Some(&(_, value)) = known.iter().find(|(a, _)| *a == address) {
            return value;
        }
        let purpose = Purpose::LargeArray(self.thread, self.at, id);
        let value = self.var(purpose, Sort::Bits(width));
        if known.len() >= READS {
            self.refuse_large_array(state, id);
            return value;
        }
        for &(other, there) in known.iter() {
            let same = self.pool.eq(address, other);
            let equal = self.pool.eq(value, there);
            let fact = self.pool.implies_term(same, equal);
            if !self.pool.is_true(fact) {
                self.facts.push(fact);
            }
        }
        self.vast_reads.entry(id).or_default().push((address, value));
        value
    }

    /// The interpreter runs no execution with a block of so many bytes.
    pub(super) fn note_huge(&mut self, state: &WalkState, size: Term, guard: Term) {
        let most = self.pool.bits(crate::event::LARGEST_BLOCK, self.pointer_width());
        let large = self.pool.ult(most, size);
        let guard = self.pool.and(guard, large);
        self.goal(state, GoalKind::LargeBlock, guard);
    }
}
