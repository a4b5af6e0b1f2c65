//! What a register or a cell may hold: numbers, addresses, and what else is known of them.
//!
//! Addresses are regions with offsets. A region is all objects that come from one place in the
//! program: a global, or all slots or heap blocks of one template of threads. `Whose` tells which of
//! the objects of a region is meant, as seen by the thread that holds the value; memory that other
//! threads see holds `Any` only (`Value::published`).
//!
//! Symbols tell threads of one template apart: `value = scale * symbol + rest`, where the symbol is a
//! loop's counter, or, in a thread that the loop has started, what the counter was then.

use super::grain::Grain;
use super::interval::Interval;
use super::sync::{Lock, LockMode};
use ir::{BlockId, FuncId, ObjectId, Reg, SlotId};
use std::collections::BTreeMap;

/// All threads that one `Spawn` starts, or the first thread (0).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TemplateId(pub u32);

impl TemplateId {
    pub const MAIN: TemplateId = TemplateId(0);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Region {
    Object(ObjectId),
    ThreadLocal(TemplateId, ObjectId),
    Slot(TemplateId, SlotId),
    /// The blocks that one `Alloc` makes in threads of a template.
    Heap(TemplateId, BlockId, u32),
    Function(FuncId),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ownership {
    /// The block that this thread's `Alloc` has made last; no other thread knows it yet.
    New,
    /// One that belongs to this very thread: its slot, or a block that it has made.
    Own,
    /// A `New` block of the thread that started this one, given to this one and no other.
    Transferred,
    Any,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Base {
    pub region: Region,
    pub owner: Ownership,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// What a loop's counter holds now.
    Counter(Reg),
    /// What that counter of the starting thread held when this thread was started.
    Start(Reg),
    /// What a register holds now that is the index of something.
    Index(Reg),
}

impl Symbol {
    /// Only for want of anything that tells threads apart.
    pub fn is_index(self) -> bool {
        matches!(self, Symbol::Index(_))
    }
}

/// The number, or the offset in whatever region: `scale * symbol + rest`, without wrapping.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sym {
    pub symbol: Symbol,
    pub scale: i128,
    pub rest: Interval,
}

/// Where a value comes from, if that matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tag {
    /// The id of the thread of this template that was started last.
    Thread(TemplateId),
    /// The id of the thread that has it in a register.
    Itself,
    /// What a function that tries to lock has said: 0 is success.
    Tried(Lock, LockMode),
    /// Read from `region` at `scale * counter + offset`.
    Read(Slice),
}

/// The places `scale * counter + offset` of a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Slice {
    pub region: Region,
    pub counter: Reg,
    pub scale: i128,
    pub offset: i128,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Value {
    /// Numbers that are no addresses; `None`: it is none.
    pub num: Option<Interval>,
    /// The number may be one that the program has made on purpose, even an address for which it has
    /// taken the bits elsewhere; not one near null, null moved, or what was never written.
    pub made: bool,
    pub addrs: BTreeMap<Base, Interval>,
    /// What the offsets of all addresses have in common.
    pub grain: Grain,
    /// It may be any address.
    pub lost: bool,
    pub sym: Option<Sym>,
    pub tag: Option<Tag>,
}

impl Value {
    pub fn number(num: Interval) -> Value {
        Value { num: Some(num), made: !num.within(Interval::NEAR_NULL), ..Value::default() }
    }

    /// What was there before anybody has written, or what locks keep in their words.
    pub fn garbage() -> Value {
        Value { num: Some(Interval::TOP), ..Value::default() }
    }

    pub fn constant(n: i128) -> Value {
        Value::number(Interval::one(n))
    }

    pub fn any_number() -> Value {
        Value::number(Interval::TOP)
    }

    pub fn anything() -> Value {
        Value { lost: true, ..Value::any_number() }
    }

    pub fn address(region: Region, owner: Ownership, offset: i128) -> Value {
        let addrs = BTreeMap::from([(Base { region, owner }, Interval::one(offset))]);
        Value { addrs, grain: Grain::one(offset), ..Value::default() }
    }

    /// No execution gets here with a value.
    pub fn is_bottom(&self) -> bool {
        self.num.is_none() && self.addrs.is_empty() && !self.lost
    }

    /// May it lead to memory?
    pub fn may_be_address(&self) -> bool {
        self.lost || !self.addrs.is_empty()
    }

    pub fn is_null(&self) -> bool {
        self.num == Some(Interval::ZERO) && !self.may_be_address()
    }

    pub fn as_number(&self) -> Option<Interval> {
        if self.may_be_address() { None } else { self.num }
    }

    pub fn untagged(mut self) -> Value {
        (self.sym, self.tag) = (None, None);
        self
    }

    /// As another thread sees it.
    pub fn published(&self) -> Value {
        let mut seen =
            Value { num: self.num, made: self.made, lost: self.lost, ..Value::default() };
        seen.grain = self.grain;
        for (base, offset) in &self.addrs {
            seen.add_address(Base { owner: Ownership::Any, ..*base }, *offset);
        }
        seen
    }

    /// The bytes of it in another order, or a part of them.
    pub fn scrambled(&self) -> Value {
        match self.is_bottom() {
            true => Value::default(),
            false => Value { lost: self.may_be_address(), ..Value::any_number() },
        }
    }

    pub fn add_address(&mut self, base: Base, offset: Interval) {
        let entry = self.addrs.entry(base).or_insert(offset);
        *entry = entry.hull(offset);
    }

    pub fn join(&self, other: &Value) -> Value {
        self.merge(other, Interval::hull)
    }

    pub fn widen(&self, newer: &Value) -> Value {
        self.merge(newer, Interval::widen)
    }

    pub fn widen_to(&self, newer: &Value, stops: &[i128]) -> Value {
        self.merge(newer, |a, b| a.widen_to(b, stops))
    }

    fn merge(&self, other: &Value, hull: impl Fn(Interval, Interval) -> Interval) -> Value {
        if self == other || other.is_bottom() {
            return self.clone();
        }
        if self.is_bottom() {
            return other.clone();
        }
        let num = match (self.num, other.num) {
            (Some(a), Some(b)) => Some(hull(a, b)),
            (a, b) => a.or(b),
        };
        let mut addrs = self.addrs.clone();
        for (base, offset) in &other.addrs {
            let entry = addrs.entry(*base).or_insert(*offset);
            *entry = hull(*entry, *offset);
        }
        let sym = match (self.sym, other.sym) {
            (Some(a), Some(b)) if a.symbol == b.symbol && a.scale == b.scale => {
                Some(Sym { rest: hull(a.rest, b.rest), ..a })
            }
            _ => None,
        };
        let tag = if self.tag == other.tag { self.tag } else { None };
        let made = self.made || other.made;
        let grain = match (self.addrs.is_empty(), other.addrs.is_empty()) {
            (true, _) => other.grain,
            (_, true) => self.grain,
            _ => self.grain.join(other.grain),
        };
        Value { num, made, addrs, grain, lost: self.lost || other.lost, sym, tag }
    }

    /// With `by`, a multiple of `scale`, added to the offsets. A number beside them, null or not, becomes
    /// any number.
    pub fn moved(&self, by: Interval, scale: i128) -> Value {
        if by == Interval::ZERO {
            return Value { tag: None, ..self.clone() };
        }
        let shift = |offset: &Interval| clamp(offset.plus(by));
        let wraps = self.addrs.values().any(|offset| shift(offset) != offset.plus(by));
        let grain = self.grain.moved(by.constant(), scale);
        let grain = if wraps { grain.wrapped() } else { grain };
        let addrs = self.addrs.iter().map(|(base, offset)| (*base, shift(offset))).collect();
        let sym = self.sym.map(|s| Sym { rest: clamp(s.rest.plus(by)), ..s });
        let num = self.num.map(|_| Interval::TOP);
        Value { num, made: self.made, addrs, grain, lost: self.lost, sym, tag: None }
    }

    /// Every block that this thread made last is now one of those that it has made.
    pub fn age(&mut self, aged: impl Fn(Region) -> bool) {
        let is_new = |base: &Base| base.owner == Ownership::New && aged(base.region);
        if !self.addrs.keys().any(is_new) {
            return;
        }
        for (base, offset) in std::mem::take(&mut self.addrs) {
            let owner = if is_new(&base) { Ownership::Own } else { base.owner };
            self.add_address(Base { owner, ..base }, offset);
        }
    }
}

/// An offset beyond all numbers may be any: addresses wrap around.
fn clamp(offset: Interval) -> Interval {
    if offset.within(Interval::TOP) { offset } else { Interval::TOP }
}

#[cfg(test)]
mod tests {
    use super::*;

    const G: Region = Region::Object(ObjectId(0));
    const H: Region = Region::Heap(TemplateId::MAIN, BlockId(1), 0);

    #[test]
    fn a_join_keeps_what_both_say() {
        let a = Value::constant(1).join(&Value::constant(5));
        assert_eq!(a.num, Some(Interval { lo: 1, hi: 5 }));
        let tagged = Value { tag: Some(Tag::Thread(TemplateId(1))), ..Value::any_number() };
        assert_eq!(tagged.join(&tagged).tag, tagged.tag);
        assert_eq!(tagged.join(&Value::any_number()).tag, None);
        let either = Value::constant(0).join(&Value::address(G, Ownership::Any, 4));
        assert!(either.may_be_address() && either.num == Some(Interval::ZERO));
        assert_eq!(Value::default().join(&either), either);
    }

    #[test]
    fn others_see_no_owner() {
        let mut value =
            Value::address(H, Ownership::New, 0).join(&Value::address(H, Ownership::Own, 8));
        assert_eq!(value.addrs.len(), 2);
        let seen = value.published();
        let any = Base { region: H, owner: Ownership::Any };
        assert_eq!(seen.addrs, BTreeMap::from([(any, Interval { lo: 0, hi: 8 })]));
        value.age(|region| region == H);
        assert!(value.addrs.keys().all(|b| b.owner == Ownership::Own));
    }
}
