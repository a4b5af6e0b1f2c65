//! Pointer arithmetic stays in its object.
//!
//! Objects lie close to each other, since small addresses make small formulas. A pointer to one of
//! several objects that may leave the one is compared with the ends of all of them, so that it does
//! not turn into a pointer to another. (Accesses look only for objects that the pointer may be of: a
//! pointer to a single object need not be watched.)

use super::Walk;
use super::state::WalkState;
use crate::ChosenInput;
use crate::object::ObjectId;
use crate::term::{BitOp, Term};
use crate::value::{AbstractValue, Offsets};
use ir::Operand;

/// An address of nothing.
const POISON: u64 = 0xdea0;

impl Walk<'_> {
    pub(super) fn pointer_add(
        &mut self,
        state: &WalkState,
        base: &Operand,
        index: &Operand,
        scale: u64,
    ) -> Term {
        let (base, index) = (self.operand(state, base), self.operand(state, index));
        let width = self.pointer_width();
        let index = self.resized(index, width);
        let scale = self.pool.bits(scale, width);
        let offset = self.pool.binary(BitOp::Mul, index, scale);
        let sum = self.pool.add(base, offset);
        let sum = self.kept_apart(base, sum);
        // The interpreter makes up a new value from an indeterminate one.
        if self.is_arbitrary(base) {
            self.inputs.push(ChosenInput { thread: self.thread, at: self.at, value: sum });
        }
        sum
    }

    /// A pointer that may leave one object for the addresses of another never gets there: as in the
    /// interpreter, it is poisoned then.
    fn kept_apart(&mut self, base: Term, sum: Term) -> Term {
        let value = self.value_of(sum);
        if !self.may_cross(&value) {
            return sum;
        }
        let width = self.pointer_width();
        let mut stays = self.pool.eq(base, sum);
        for &(id, _) in &value.objects {
            let first = self.pool.bits(self.space.address(id, 0), width);
            let last =
                self.pool.bits(self.space.address(id, self.space.get(id).size as i64), width);
            let pool = &mut self.pool;
            let within = [(first, base), (base, last), (first, sum), (sum, last)]
                .map(|(low, high)| pool.ule(low, high));
            let both = pool.and_all(within);
            stays = pool.or(stays, both);
        }
        let poison = self.pool.bits(POISON, width);
        let result = self.pool.ite(stays, sum, poison);
        if result != sum {
            let inside = |&(id, offsets): &(ObjectId, Offsets)| {
                Some((id, offsets.clamped(self.space.get(id).size)?))
            };
            let objects = value.objects.iter().filter_map(inside).collect();
            let kept = AbstractValue { numbers: value.numbers.clone(), objects };
            self.values.set(result, kept.join(&AbstractValue::number(POISON)));
        }
        result
    }

    /// Do the addresses of one object, off its ends, meet those of another?
    fn may_cross(&self, value: &AbstractValue) -> bool {
        if value.objects.len() < 2 {
            return false;
        }
        let range = |id: ObjectId| {
            let object = self.space.get(id);
            (i128::from(object.base), i128::from(object.base) + i128::from(object.size))
        };
        value.objects.iter().any(|&(id, offsets)| {
            let (base, end) = range(id);
            let (low, high) = (base + i128::from(offsets.low), base + i128::from(offsets.high));
            let leaves = low < base || high > end;
            let meets = |&(other, _): &(ObjectId, Offsets)| {
                let (from, to) = range(other);
                other != id && low <= to && from <= high
            };
            leaves && value.objects.iter().any(meets)
        })
    }
}
