//! The subobjects that an initialiser names, each with its expression.
//!
//! A later initialiser of a subobject takes the place of an earlier one, whole or in parts (C11
//! 6.7.9 paragraph 19): `{.s.a = 1, .s = {.b = 2}}` leaves `s.a` zero, and `{.u.a = 1, .u.b = 2}`
//! has only `b`. What is dropped is not evaluated, as with gcc. Leaves are kept by their place, in
//! which order they are evaluated, as gcc does; that the order is open is the caller's business.
//! Invariant: two leaves are apart, or one is part of the other and was written later.
//! Cost: a logarithm per leaf.

use ir::types::{BitField, TypeId};
use lang_c::ast::Expression;
use lang_c::span::Node;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// One subobject and what it is initialised with.
pub(crate) struct Leaf<'n> {
    pub offset: u64,
    pub ty: TypeId,
    pub bits: Option<BitField>,
    pub value: &'n Node<Expression>,
}

/// A stretch of bytes of the object.
#[derive(Clone, Copy)]
pub(crate) struct ByteExtent {
    pub offset: u64,
    pub size: u64,
}

/// By offset, the larger first, then by the first bit.
type LeafKey = (u64, Reverse<u64>, u32);

/// See the module.
#[derive(Default)]
pub(crate) struct Leaves<'n> {
    by_place: BTreeMap<LeafKey, Leaf<'n>>,
    /// Which member a union has, by its place and type.
    members: FxHashMap<(u64, TypeId), u64>,
    /// Where the last subobject begins that was initialised, by `{}`, too.
    last: Option<u64>,
    /// A struct was initialised as a whole, then a part of it: gcc zeroes the rest, clang does not.
    torn: bool,
}

impl<'n> Leaves<'n> {
    pub fn len(&self) -> usize {
        self.by_place.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_place.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Leaf<'n>> {
        self.by_place.values()
    }

    pub fn last(&self) -> Option<u64> {
        self.last
    }

    pub(crate) fn torn(&self) -> bool {
        self.torn
    }

    /// Something is initialised here, be it without an expression.
    pub fn touch(&mut self, offset: u64) {
        self.last = self.last.max(Some(offset));
    }

    /// The leaf takes the place of all that is inside of it.
    pub fn put(&mut self, leaf: Leaf<'n>, size: u64) {
        let extent = ByteExtent { offset: leaf.offset, size };
        let shift = leaf.bits.map_or(0, |bits| bits.shift);
        if leaf.bits.is_none() {
            self.drop_inside(extent);
        }
        self.by_place.insert((leaf.offset, Reverse(size), shift), leaf);
    }

    /// Forgets what was said about this stretch.
    pub(crate) fn drop_inside(&mut self, extent: ByteExtent) {
        let ByteExtent { offset, size } = extent;
        if size == 0 {
            return;
        }
        let end = offset.saturating_add(size);
        self.torn |= self.by_place.range(..(offset, Reverse(size), 0)).next_back().is_some_and(
            |(&(start, Reverse(other), _), leaf)| {
                start.saturating_add(other) > offset && other > size && leaf.is_torn_by_parts()
            },
        );
        let inside: Vec<LeafKey> = self
            .by_place
            .range((offset, Reverse(size), 0)..(end, Reverse(u64::MAX), 0))
            .map(|(&place, _)| place)
            .collect();
        for place in inside {
            self.by_place.remove(&place);
        }
    }

    /// The union at this place has this member now, and nothing else of it.
    pub fn choose(&mut self, union: TypeId, extent: ByteExtent, member: u64) {
        let before = self.members.insert((extent.offset, union), member);
        if before.is_some_and(|before| before != member) {
            self.drop_inside(extent);
        }
    }
}

impl Leaf<'_> {
    /// Strings can be overwritten in parts; storage units of bit-fields are shared anyway.
    fn is_torn_by_parts(&self) -> bool {
        self.bits.is_none() && !matches!(self.value.node, Expression::StringLiteral(_))
    }
}

impl<'n> IntoIterator for Leaves<'n> {
    type Item = Leaf<'n>;
    type IntoIter = std::collections::btree_map::IntoValues<LeafKey, Leaf<'n>>;

    fn into_iter(self) -> Self::IntoIter {
        self.by_place.into_values()
    }
}
