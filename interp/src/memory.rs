//! Objects: bytes, some of which are not known yet.
//!
//! A byte is a number, *undefined* (never written: it becomes part of a fresh symbol when read), or
//! byte `k` of a symbol. The last two are rare and kept beside the numbers, which are zero there, so
//! that equal contents are equal data.

use crate::value::{Part, SymId, Tid};
use fixedbitset::FixedBitSet;
use ir::types::TypeId;
use ir::{FuncId, ObjectId, SlotId, Span};
use std::sync::OnceLock;
use xxhash_rust::xxh3::Xxh3;

/// What an object is an instance of, for readers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Birth {
    Static(ObjectId),
    ThreadLocal(ObjectId),
    Slot(FuncId, SlotId),
    /// Its type, if the program tells, and its number among those of a type (or of a place).
    Heap(Span, Option<TypeId>, u32),
    Alloca(Span),
}

/// One byte that belongs to a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymByte {
    pub offset: u64,
    pub id: SymId,
    /// Which byte of the symbol, counted from the lowest.
    pub part: u8,
    /// Of the symbol plus this.
    pub add: i64,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub birth: Birth,
    /// The only thread that can know the address, as long as there is only one.
    pub owner: Option<Tid>,
    /// It was freed, but memory safety is not checked: what it holds stays, as it commonly does.
    freed: bool,
    /// It was defined `const`, and is initialised.
    constant: bool,
    bytes: Vec<u8>,
    /// One bit per byte, or nothing if all are defined.
    undef: FixedBitSet,
    /// By ascending offset.
    syms: Vec<SymByte>,
    /// False: surely holds no address of an arena. Only saves scans.
    pub may_point: bool,
    hash: OnceLock<u128>,
}

impl Object {
    pub fn zeroed(birth: Birth, owner: Option<Tid>, size: u64) -> Object {
        Object {
            birth,
            owner,
            freed: false,
            constant: false,
            bytes: vec![0; size as usize],
            undef: FixedBitSet::new(),
            syms: Vec::new(),
            may_point: false,
            hash: OnceLock::new(),
        }
    }

    pub fn undefined(birth: Birth, owner: Option<Tid>, size: u64) -> Object {
        let mut object = Object::zeroed(birth, owner, size);
        object.undef.grow(size as usize);
        object.undef.insert_range(..);
        object
    }

    pub(crate) fn is_freed(&self) -> bool {
        self.freed
    }

    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Is `[offset, offset + size)` inside?
    pub fn holds(&self, offset: u64, size: u64) -> bool {
        offset.checked_add(size).is_some_and(|end| end <= self.size())
    }

    /// Needs: inside. Is every byte a number?
    pub fn is_plain(&self, offset: u64, size: u64) -> bool {
        (self.undef.is_empty() || !(offset..offset + size).any(|i| self.is_undef(i)))
            && self.sym_bytes(offset, size).is_empty()
    }

    pub(crate) fn is_undef(&self, offset: u64) -> bool {
        self.undef.contains(offset as usize)
    }

    /// The symbolic bytes in a range.
    pub(crate) fn sym_bytes(&self, offset: u64, size: u64) -> &[SymByte] {
        if self.syms.is_empty() {
            return &[];
        }
        let from = self.syms.partition_point(|s| s.offset < offset);
        let to = self.syms.partition_point(|s| s.offset < offset + size);
        &self.syms[from..to]
    }

    pub(crate) fn all_sym_bytes(&self) -> &[SymByte] {
        &self.syms
    }

    /// Needs: inside. Undefined and symbolic bytes are 0.
    pub fn bytes(&self, from: u64, to: u64) -> &[u8] {
        &self.bytes[from as usize..to as usize]
    }

    /// Needs: inside, at most 8 bytes. Undefined and symbolic bytes read as 0.
    pub fn read(&self, offset: u64, size: u64) -> u64 {
        let mut buffer = [0; 8];
        let (at, n) = (offset as usize, size as usize);
        buffer[..n].copy_from_slice(&self.bytes[at..at + n]);
        u64::from_le_bytes(buffer)
    }

    /// Needs: inside, at most 8 bytes.
    pub fn write(&mut self, offset: u64, size: u64, bits: u64) {
        self.define(offset, size);
        let (at, n) = (offset as usize, size as usize);
        self.bytes[at..at + n].copy_from_slice(&bits.to_le_bytes()[..n]);
    }

    /// Becomes equal in what it holds to one of the same size; what is known about it stays.
    pub(crate) fn take_contents(&mut self, from: &Object) {
        self.bytes.clone_from(&from.bytes);
        self.undef.clone_from(&from.undef);
        self.syms.clone_from(&from.syms);
        self.hash.take();
    }

    /// Needs: inside. The bytes become bytes `part..part + size` of the symbol plus a number.
    pub(crate) fn write_sym(
        &mut self,
        offset: u64,
        size: u64,
        id: SymId,
        Part { shift, add }: Part,
    ) {
        self.write(offset, size, 0);
        let at = self.syms.partition_point(|s| s.offset < offset);
        let new = (0..size).map(|i| SymByte { offset: offset + i, id, part: shift + i as u8, add });
        self.syms.splice(at..at, new);
    }

    /// Replaces a symbol by its value.
    pub fn substitute(&mut self, id: SymId, value: i128) {
        self.hash.take();
        for s in self.syms.iter().filter(|s| s.id == id) {
            let shift = (8 * u32::from(s.part)).min(127);
            self.bytes[s.offset as usize] = ((value + i128::from(s.add)) >> shift) as u8;
        }
        self.syms.retain(|s| s.id != id);
    }

    pub fn mentions(&self, id: SymId) -> bool {
        self.syms.iter().any(|s| s.id == id)
    }

    fn define(&mut self, offset: u64, size: u64) {
        self.hash.take();
        if !self.undef.is_empty() {
            self.undef.remove_range(offset as usize..(offset + size) as usize);
            if self.undef.is_clear() {
                self.undef = FixedBitSet::new();
            }
        }
        if !self.syms.is_empty() {
            self.syms.retain(|s| s.offset < offset || s.offset >= offset + size);
        }
    }

    /// Initial contents of a static object, before anything runs.
    pub fn initialise(&mut self, bytes: &[u8]) {
        let n = bytes.len().min(self.bytes.len());
        self.bytes[..n].copy_from_slice(&bytes[..n]);
    }

    /// Every pointer-wide number at any byte offset that shares a byte with the range.
    pub fn windows(&self, offset: u64, size: u64, width: u64) -> impl Iterator<Item = u64> + '_ {
        let from = offset.saturating_sub(width - 1) as usize;
        let to = (offset.saturating_add(size).saturating_add(width - 1)).min(self.size()) as usize;
        let range = self.bytes.get(from..to).unwrap_or(&[]);
        range.windows(width as usize).map(|w| {
            let mut buffer = [0; 8];
            buffer[..w.len()].copy_from_slice(w);
            u64::from_le_bytes(buffer)
        })
    }

    pub(crate) fn all_windows(&self, width: u64) -> impl Iterator<Item = u64> + '_ {
        self.windows(0, self.size(), width)
    }

    /// `free` without the check for memory safety.
    pub(crate) fn set_freed(&mut self) {
        self.freed = true;
        self.hash.take();
    }

    pub fn is_constant(&self) -> bool {
        self.constant
    }

    pub fn set_constant(&mut self, constant: bool) {
        self.constant = constant;
        self.hash.take();
    }

    /// Of the contents; symbols only by place, their names are added by `digest.rs`.
    pub fn hash(&self) -> u128 {
        *self.hash.get_or_init(|| {
            let mut h = Xxh3::new();
            h.update(&self.size().to_le_bytes());
            h.update(&self.bytes);
            for w in self.undef.as_slice() {
                h.update(&w.to_le_bytes());
            }
            for s in &self.syms {
                h.update(&s.offset.to_le_bytes());
                h.update(&[s.part]);
                h.update(&s.add.to_le_bytes());
            }
            // What kind of storage it is decides whether it may be freed or has leaked.
            let heap = matches!(self.birth, Birth::Heap(..));
            h.update(&[heap as u8, self.freed as u8 | (self.constant as u8) << 1]);
            h.digest128()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(size: u64) -> Object {
        Object::undefined(Birth::Heap(Span::NONE, None, 1), None, size)
    }

    #[test]
    fn bytes_become_defined_by_writing() {
        let mut o = object(70);
        assert!(o.is_undef(69) && !o.is_plain(0, 1));
        o.write(0, 8, 0x0807_0605_0403_0201);
        assert!(o.is_plain(0, 8) && !o.is_plain(4, 8));
        assert_eq!(o.read(2, 4), 0x0605_0403);
        for i in 0..70 {
            o.write(i, 1, 1);
        }
        let mut all_ones = Object::zeroed(o.birth, None, 70);
        all_ones.initialise(&[1; 70]);
        assert_eq!(o.hash(), all_ones.hash());
    }

    #[test]
    fn symbols_live_beside_the_bytes() {
        let mut o = object(8);
        o.write(0, 8, u64::MAX);
        o.write_sym(2, 4, SymId(7), Part { shift: 0, add: 0 });
        assert_eq!(o.sym_bytes(0, 4).len(), 2);
        assert!(!o.is_plain(5, 1) && o.is_plain(6, 2));
        o.write(3, 1, 0x55);
        assert_eq!(o.sym_bytes(0, 8).len(), 3);
        o.substitute(SymId(7), -2);
        assert_eq!(o.read(0, 8), 0xffff_ffff_55fe_ffff);
        o.write_sym(0, 4, SymId(8), Part { shift: 1, add: -1 });
        o.substitute(SymId(8), 0x1_0000);
        assert_eq!(o.read(0, 4), 0xff);
    }

    #[test]
    fn hash_sees_contents_only() {
        let (mut a, mut b) = (object(4), object(4));
        a.write(0, 4, 5);
        assert_ne!(a.hash(), b.hash());
        b.write(0, 4, 5);
        b.owner = Some(Tid(1));
        assert_eq!(a.hash(), b.hash());
    }

    #[test]
    fn windows_see_every_offset() {
        let mut o = Object::zeroed(Birth::Heap(Span::NONE, None, 1), None, 12);
        o.write(3, 8, 0x1122_3344_5566_7788);
        assert!(o.all_windows(8).any(|w| w == 0x1122_3344_5566_7788));
        assert!(o.windows(10, 1, 8).any(|w| w == 0x1122_3344_5566_7788));
        assert_eq!(o.windows(11, 1, 8).count(), 1);
        assert_eq!(object(3).all_windows(8).count(), 0);
    }
}
