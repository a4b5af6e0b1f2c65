//! Record layout by the System V psABI, as gcc does it on i386 and x86-64.
//!
//! A bit-field goes into the storage unit of its declared type that contains the current bit if it
//! fits there, else into the next one; a zero width closes the unit. It is accessed through the
//! smallest aligned piece that holds its bits, so that it shares a memory location with neighbouring
//! bit-fields and with nothing else.

use super::{Result, Unit};
use crate::types::{BitField, Field, Layout, Scalar, Type, TypeId, Types};
use lang_c::ast;
use lang_c::span::Node;

/// What the attributes of a record say.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct RecordAttributes {
    pub packed: bool,
    pub align: Option<u64>,
}

/// Places members one after the other (or all at 0 for a union).
struct Placer<'t> {
    types: &'t Types,
    union: bool,
    packed: bool,
    /// Where the next member may start, in bits.
    bit: u64,
    /// The largest member so far, in bits (unions).
    extent: u64,
    align: u64,
    fields: Vec<Field>,
}

pub(crate) struct Member {
    pub name: Option<String>,
    pub ty: TypeId,
    pub width: Option<u64>,
    pub align: Option<u64>,
    pub packed: bool,
}

pub(crate) fn layout(
    types: &Types,
    union: bool,
    members: Vec<Member>,
    attributes: RecordAttributes,
) -> Layout {
    let packed = attributes.packed;
    let mut placer =
        Placer { types, union, packed, bit: 0, extent: 0, align: 1, fields: Vec::new() };
    for member in members {
        match member.width {
            Some(width) => placer.bit_field(member, width),
            None => placer.plain(member),
        }
    }
    let align = placer.align.max(attributes.align.unwrap_or(1));
    let size = placer.extent.max(placer.bit).div_ceil(8).next_multiple_of(align);
    Layout { size, align, fields: placer.fields }
}

impl Placer<'_> {
    fn member_align(&self, member: &Member) -> u64 {
        let natural = if self.packed || member.packed { 1 } else { self.types.align(member.ty) };
        natural.max(member.align.unwrap_or(1))
    }

    fn plain(&mut self, member: Member) {
        let align = self.member_align(&member);
        let offset = self.start().div_ceil(8).next_multiple_of(align);
        let size = self.types.size(member.ty).unwrap_or(0);
        self.fields.push(Field { name: member.name, ty: member.ty, offset, bits: None });
        self.align = self.align.max(align);
        self.advance((offset + size) * 8);
    }

    fn bit_field(&mut self, member: Member, width: u64) {
        let unit = self.types.size(member.ty).unwrap_or(4) * 8;
        if width == 0 {
            let next = self.start().next_multiple_of(unit);
            return self.advance(next);
        }
        let mut at = self.start();
        let packed = self.packed || member.packed;
        if !packed && at / unit != (at + width - 1) / unit {
            at = at.next_multiple_of(unit);
        }
        if member.name.is_some() && !packed {
            self.align = self.align.max(self.member_align(&member));
        }
        if let Some(name) = member.name {
            let (offset, bits) = access_piece(at, width);
            self.fields.push(Field { name: Some(name), ty: member.ty, offset, bits: Some(bits) });
        }
        self.advance(at + width);
    }

    fn start(&self) -> u64 {
        if self.union { 0 } else { self.bit }
    }

    fn advance(&mut self, to: u64) {
        self.extent = self.extent.max(to);
        self.bit = if self.union { 0 } else { to };
    }
}

/// The smallest aligned piece of 1, 2, 4 or 8 bytes that holds bits `[at, at + width)`; if none
/// does (packed records), the byte offset with a shift that still fits 64 bits.
fn access_piece(at: u64, width: u64) -> (u64, BitField) {
    for bytes in [1, 2, 4, 8] {
        let bits = bytes * 8;
        if at / bits == (at + width - 1) / bits {
            let shift = (at % bits) as u8;
            return (at / bits * bytes, BitField { shift, width: width as u8 });
        }
    }
    (at / 8, BitField { shift: (at % 8) as u8, width: width as u8 })
}

/// The integer that a bit-field's bits are read from and written to.
pub(crate) fn piece_scalar(bits: BitField) -> Scalar {
    let end = u32::from(bits.shift) + u32::from(bits.width);
    let size = end.div_ceil(8).next_power_of_two() * 8;
    Scalar::Int { bits: size.min(64) as u8, signed: false }
}

impl Unit<'_> {
    /// The members that one `struct` declaration line declares.
    pub fn members(&mut self, field: &Node<ast::StructField>) -> Result<Vec<Member>> {
        let base = self.specifier_qualifiers(&field.node.specifiers, field.span)?;
        let (align, packed) = (base.align, base.packed);
        if field.node.declarators.is_empty() {
            let anonymous = matches!(self.link.types.get(base.ty), Type::Record(_));
            let member = Member { name: None, ty: base.ty, width: None, align, packed };
            return Ok(if anonymous { vec![member] } else { Vec::new() });
        }
        let mut members = Vec::new();
        for declarator in &field.node.declarators {
            members.push(self.member(declarator, base.ty, align, packed)?);
        }
        Ok(members)
    }

    fn member(
        &mut self,
        declarator: &Node<ast::StructDeclarator>,
        base: TypeId,
        align: Option<u64>,
        packed: bool,
    ) -> Result<Member> {
        self.mark(declarator.span);
        let mut member = Member { name: None, ty: base, width: None, align, packed };
        if let Some(inner) = &declarator.node.declarator {
            let declared = self.declarator(inner, base)?;
            let own = self.attributes(&inner.node.extensions)?;
            member.align = align.max(own.align).max(declared.align);
            member.packed |= own.packed;
            member.name = declared.name;
            member.ty = declared.ty;
        }
        if let Some(width) = &declarator.node.bit_width {
            let width = self.constant_u64(width)?;
            let limit = self.link.types.size(member.ty).unwrap_or(0) * 8;
            let integer = self.link.types.scalar(member.ty).is_some_and(|s| !s.is_float());
            if !integer || width > limit || (width == 0 && member.name.is_some()) {
                return Err(self.error("invalid bit-field"));
            }
            member.width = Some(width);
        } else if matches!(self.link.types.get(member.ty), Type::Function(_)) {
            return Err(self.error("a member cannot be a function"));
        }
        Ok(member)
    }
}
