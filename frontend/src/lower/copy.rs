//! Copies of whole objects: one rule for assignment, `memcpy` and `memset`.
//!
//! An object is copied member by member, each in one access of its own width, so that another thread
//! can see (and a cell of the encoding can be) a part of it. `memcpy` of as many bytes as its operand's
//! type has does the same, and the bytes between the members too. What has more members than
//! `MOST_LEAVES`, and what has no type, goes by the largest words that divide its size
//! (`models/copy.c`).

use super::layout::pieces;
use super::sequence::Got;
use super::{Result, Unit, Value};
use ir::types::{RecordId, Scalar, Type, TypeId};
use ir::{Callee, InstKind, MemoryOrder, Operand};

/// More leaves than this are copied by `memcpy`.
const MOST_LEAVES: usize = 64;

/// A piece of a record or array that one load or store moves.
#[derive(Clone, Copy)]
pub(super) struct CopiedPiece {
    pub offset: u64,
    pub ty: Scalar,
}

/// What a library function does with many bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bulk {
    Copy,
    Move,
    Set,
}

impl Unit<'_> {
    /// Copies a whole object of type `ty`, leaf by leaf so that every access keeps its own width.
    pub fn copy(&mut self, to: Operand, from: Operand, ty: TypeId) -> Result<()> {
        if to == from {
            return Ok(());
        }
        self.note_copied_lock(from, ty);
        let size = self.link.types.size(ty).unwrap_or(0);
        let mut leaves = Vec::new();
        if self.leaves(ty, 0, &mut leaves) {
            for leaf in &leaves {
                let value = self.load_leaf(from, leaf);
                self.store_leaf(to, leaf, value);
            }
            return Ok(());
        }
        self.call_memory("memcpy", to, from, size);
        Ok(())
    }

    /// Calls `memcpy`-like `name(to, from, size)` of the model library.
    pub(crate) fn call_memory(&mut self, name: &str, to: Operand, from: Operand, size: u64) {
        let f = self.function_named(name);
        let size_type = self.size_type();
        let size = self.bits(size, size_type);
        let callee = Callee::Direct(f);
        self.emit(InstKind::Call { dst: None, callee, args: vec![to, from, size] });
    }

    /// Collects the leaves in order; `false` if there are too many.
    pub(super) fn leaves(&self, ty: TypeId, at: u64, out: &mut Vec<CopiedPiece>) -> bool {
        let types = &self.link.types;
        if let Some(scalar) = types.scalar(ty) {
            out.push(CopiedPiece { offset: at, ty: scalar });
            return out.len() <= MOST_LEAVES;
        }
        match types.get(ty) {
            Type::Array { elem, len } => {
                let size = types.size(*elem).unwrap_or(0);
                (0..len.unwrap_or(0)).all(|i| self.leaves(*elem, at + i * size, out))
            }
            Type::Record(r) if !types.record(*r).union => self.record_leaves(*r, at, out),
            _ => {
                let size = types.size(ty).unwrap_or(0);
                chunks(at, size, types.align(ty), out);
                out.len() <= MOST_LEAVES
            }
        }
    }

    fn record_leaves(&self, record: RecordId, at: u64, out: &mut Vec<CopiedPiece>) -> bool {
        let Some(layout) = &self.link.types.record(record).layout else { return true };
        layout.fields.iter().all(|field| match field.bits {
            None => self.leaves(field.ty, at + field.offset, out),
            Some(bits) => {
                for piece in pieces(bits) {
                    let offset = at + field.offset + u64::from(piece.offset);
                    let leaf = CopiedPiece { offset, ty: piece.ty };
                    // Neighbouring bit-fields share their piece.
                    if !out.iter().any(|l| l.offset == leaf.offset && l.ty == leaf.ty) {
                        out.push(leaf);
                    }
                }
                out.len() <= MOST_LEAVES
            }
        })
    }

    /// `memcpy`, `memmove` or `memset` of an object whose type is known: as an assignment does it.
    /// Gives the result of the call, or `None` if it is another call.
    pub(crate) fn copy_by_members(&mut self, callee: Callee, values: &[Got]) -> Option<Value> {
        let Callee::Direct(f) = callee else { return None };
        let kind = match self.link.functions[f.index()].name.as_str() {
            "memcpy" => Bulk::Copy,
            "memmove" => Bulk::Move,
            "memset" => Bulk::Set,
            _ => return None,
        };
        let [Got::Value(to), Got::Value(second), Got::Value(size)] = values else { return None };
        let Value::Scalar { op: Operand::Const { bits: size, .. }, .. } = *size else {
            return None;
        };
        let Value::Scalar { op: target, ty: pointer } = *to else { return None };
        let Value::Scalar { op: second, ty: other } = *second else { return None };
        if kind == Bulk::Copy && !self.is_one(pointer, size) && !are_apart(target, second) {
            return None; // the model looks whether they overlap
        }
        let leaves = match kind {
            Bulk::Set => self.all_leaves(pointer, size)?,
            Bulk::Copy | Bulk::Move => {
                self.all_leaves(pointer, size).or_else(|| self.all_leaves(other, size))?
            }
        };
        match (kind, second) {
            (Bulk::Set, Operand::Const { bits: byte, .. }) => self.fill_with(target, &leaves, byte),
            (Bulk::Set, _) => return None,
            _ if self.pointee(other).is_none() => return None,
            // All of it is read before any of it is written, since they may overlap.
            (Bulk::Move, from) => {
                let values: Vec<Operand> =
                    leaves.iter().map(|leaf| self.load_leaf(from, leaf)).collect();
                leaves.iter().zip(values).for_each(|(leaf, v)| self.store_leaf(target, leaf, v));
            }
            (Bulk::Copy, from) => leaves.iter().for_each(|leaf| {
                let value = self.load_leaf(from, leaf);
                self.store_leaf(target, leaf, value);
            }),
        }
        let ty = self.void_pointer();
        Some(Value::Scalar { op: target, ty })
    }

    /// Is it one object of the type that is pointed to? Two of them are the same one, or apart.
    fn is_one(&self, pointer: TypeId, size: u64) -> bool {
        let ty = self.pointee(pointer);
        ty.and_then(|ty| self.link.types.size(ty)) == Some(size)
    }

    /// The pieces of `size` bytes that a pointer points to, with those between members.
    fn all_leaves(&self, pointer: TypeId, size: u64) -> Option<Vec<CopiedPiece>> {
        let types = &self.link.types;
        let ty = self.pointee(pointer)?;
        let one = types.size(ty).filter(|one| *one > 0 && size % one == 0)?;
        if self.is_void(ty) {
            return None;
        }
        if size / one > MOST_LEAVES as u64 {
            return None;
        }
        let mut leaves = Vec::new();
        let few = (0..size / one).all(|i| self.leaves(ty, i * one, &mut leaves));
        leaves.sort_by_key(|leaf| leaf.offset);
        let (mut all, mut at) = (Vec::new(), 0);
        for leaf in leaves {
            // Bit-fields may share bytes with their neighbours.
            if leaf.offset < at {
                return None;
            }
            chunks(at, leaf.offset - at, 8, &mut all);
            at = leaf.offset + leaf.ty.bytes(types.machine);
            all.push(leaf);
        }
        chunks(at, size.checked_sub(at)?, 8, &mut all);
        (few && size > 0 && all.len() <= MOST_LEAVES).then_some(all)
    }

    fn fill_with(&mut self, to: Operand, leaves: &[CopiedPiece], byte: u64) {
        let pattern = (byte & 0xff) * (u64::MAX / 255);
        for leaf in leaves {
            let bits = leaf.ty.bits(self.link.types.machine);
            let ty = Scalar::Int { bits, signed: false };
            let value = self.scalar_const(pattern, ty);
            self.store_leaf(to, &CopiedPiece { offset: leaf.offset, ty }, value);
        }
    }

    fn load_leaf(&mut self, from: Operand, leaf: &CopiedPiece) -> Operand {
        let source = self.offset(from, leaf.offset);
        self.load(source, leaf.ty, MemoryOrder::Plain)
    }

    fn store_leaf(&mut self, to: Operand, leaf: &CopiedPiece, value: Operand) {
        let target = self.offset(to, leaf.offset);
        self.store(target, value, leaf.ty, MemoryOrder::Plain);
    }
}

/// Are they addresses in two objects?
fn are_apart(a: Operand, b: Operand) -> bool {
    match (a, b) {
        (Operand::Object { object: a, .. }, Operand::Object { object: b, .. }) => a != b,
        (Operand::Slot { slot: a, .. }, Operand::Slot { slot: b, .. }) => a != b,
        (Operand::Object { .. }, Operand::Slot { .. })
        | (Operand::Slot { .. }, Operand::Object { .. }) => true,
        _ => false,
    }
}

/// Untyped storage (unions) in aligned pieces.
fn chunks(mut at: u64, size: u64, align: u64, out: &mut Vec<CopiedPiece>) {
    let end = at + size;
    while at < end && out.len() <= MOST_LEAVES {
        let fits = |n: &u64| *n <= align.max(1) && at % n == 0 && at + n <= end;
        let bytes = [8, 4, 2, 1].into_iter().find(fits).unwrap_or(1);
        out.push(CopiedPiece {
            offset: at,
            ty: Scalar::Int { bits: bytes as u8 * 8, signed: false },
        });
        at += bytes;
    }
}
