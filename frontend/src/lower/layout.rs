//! Record layout by the System V psABI, as gcc does it on i386 and x86-64.
//!
//! A bit-field goes to the next bit unless it would then cover more storage units of its declared
//! type than that type has; a zero width closes the unit.
//!
//! Bit-fields that neither a zero width nor another member separates are one memory location (C11
//! 3.14): to write one is to write all of them, and no byte beyond them. The location is accessed
//! in one piece of 1, 2, 4 or 8 bytes where there is room for it between the members before and
//! behind, else (`char c; int b : 20;`, or many bit-fields) in several.

use super::{Result, Unit};
use ir::types::{BitField, Field, Layout, Machine, Rank, Scalar, Type, TypeId, Types};
use ir::{InstKind, Span};
use lang_c::ast;
use lang_c::span::Node;
use rustc_hash::FxHashSet;

/// What the attributes of a record say.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct RecordAttributes {
    pub packed: bool,
    pub align: Option<u64>,
    /// No member is aligned to more.
    pub pack: Option<u64>,
}

/// Places members one after the other (or all at 0 for a union).
struct Placer<'t> {
    types: &'t Types,
    union: bool,
    packed: bool,
    most_align: u64,
    /// Where the next member may start, in bits.
    bit: u64,
    /// The largest member so far, in bits (unions).
    extent: u64,
    align: u64,
    fields: Vec<Field>,
    /// Bit-fields whose piece is not chosen yet: index in `fields`, first bit, width.
    open: Vec<(usize, u64, u64)>,
    /// The byte where the members that are open start.
    open_from: u64,
}

pub(crate) struct Member {
    pub span: Span,
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
    let most_align = attributes.pack.filter(|n| *n > 0).unwrap_or(u64::MAX);
    let mut placer = Placer { union, packed, most_align, ..Placer::empty(types) };
    for member in members {
        match member.width {
            Some(width) => placer.bit_field(member, width),
            None => placer.plain(member),
        }
    }
    let align = placer.align.max(attributes.align.unwrap_or(1));
    let size = placer.extent.max(placer.bit).div_ceil(8).next_multiple_of(align);
    placer.close(size);
    Layout { size, align, fields: placer.fields }
}

impl Placer<'_> {
    fn member_align(&self, member: &Member) -> u64 {
        let natural = if self.packed || member.packed { 1 } else { self.types.align(member.ty) };
        natural.max(member.align.unwrap_or(1)).min(self.most_align)
    }

    fn plain(&mut self, member: Member) {
        let align = self.member_align(&member);
        let offset = self.start().div_ceil(8).next_multiple_of(align);
        let size = self.types.size(member.ty).unwrap_or(0);
        if !self.union {
            self.close(offset);
            self.open_from = offset + size;
        }
        self.fields.push(Field { name: member.name, ty: member.ty, offset, align, bits: None });
        self.align = self.align.max(align);
        self.advance((offset + size) * 8);
    }

    /// As gcc places them (`place_field`): a `#pragma pack` lets them lie across units, as `packed` does, and keeps
    /// their types' alignment up to its own, as `packed` does not.
    fn bit_field(&mut self, member: Member, width: u64) {
        let size = self.types.size(member.ty).unwrap_or(4) * 8;
        // i386 aligns `long long` to 4 bytes inside of records, so it has two units.
        let natural = self.types.align(member.ty);
        let unit = natural * 8;
        if width == 0 {
            let next = self.start().next_multiple_of(unit);
            if !self.union {
                self.close(next / 8);
                self.open_from = next / 8;
            }
            return self.advance(next);
        }
        let own = member.align.unwrap_or(1).min(self.most_align);
        let mut at = self.start();
        if member.align.is_some() {
            at = at.next_multiple_of(own * 8);
        }
        let (packed, limited) = (self.packed || member.packed, self.most_align != u64::MAX);
        if !packed && !limited && (at + width).div_ceil(unit) - at / unit > size / unit {
            at = at.next_multiple_of(unit);
        }
        if let Some(name) = member.name {
            let natural = if packed && !limited { 1 } else { natural.min(self.most_align) };
            self.align = self.align.max(natural).max(own);
            self.open.push((self.fields.len(), at, width));
            // `close` fills in where it is accessed.
            let (ty, offset) = (member.ty, at / 8);
            self.fields.push(Field { name: Some(name), ty, offset, align: 1, bits: None });
        }
        self.advance(at + width);
    }

    /// Nothing but bit-fields lies between `open_from` and `end`: chooses their pieces.
    fn close(&mut self, end: u64) {
        let open = std::mem::take(&mut self.open);
        let all = open.first().zip(open.last()).map(|(first, last)| (first.1, last.1 + last.2));
        for (index, at, width) in open {
            // The members of a union are no neighbours.
            let (first, last) = all.filter(|_| !self.union).unwrap_or((at, at + width));
            let (start, bytes) = location(first / 8, last.div_ceil(8), self.open_from, end);
            let shift = (at - start * 8) as u32;
            self.fields[index].offset = start;
            self.fields[index].bits = Some(BitField { shift, width: width as u8, bytes });
        }
    }

    fn empty(types: &Types) -> Placer<'_> {
        Placer {
            types,
            union: false,
            packed: false,
            most_align: u64::MAX,
            bit: 0,
            extent: 0,
            align: 1,
            fields: Vec::new(),
            open: Vec::new(),
            open_from: 0,
        }
    }

    fn start(&self) -> u64 {
        if self.union { 0 } else { self.bit }
    }

    fn advance(&mut self, to: u64) {
        self.extent = self.extent.max(to);
        self.bit = if self.union { 0 } else { to };
    }
}

/// Start and size of the bytes through which those from `first` to `last` are accessed: a power of
/// two of them inside of `from..end`, aligned if possible; if there is none, just these.
fn location(first: u64, last: u64, from: u64, end: u64) -> (u64, u32) {
    let bytes = (last - first).next_power_of_two();
    let inside = |start: &u64| {
        *start >= from && *start <= first && last <= start + bytes && start + bytes <= end
    };
    let candidates = [first / bytes * bytes, first, end.saturating_sub(bytes)];
    match candidates.into_iter().find(inside) {
        Some(start) if bytes <= 8 => (start, bytes as u32),
        _ => (first, (last - first) as u32),
    }
}

/// What one access of a bit-field moves: at which byte of the location, and how wide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FieldPiece {
    pub offset: u32,
    pub ty: Scalar,
}

impl FieldPiece {
    /// Where in the piece the field starts, in bits; before it, if negative.
    pub fn shift(self, bits: BitField) -> i64 {
        i64::from(bits.shift) - i64::from(self.offset) * 8
    }

    /// Has the field bits in it?
    pub fn holds(self, bits: BitField, machine: Machine) -> bool {
        let start = self.shift(bits);
        start < i64::from(self.ty.bits(machine)) && start + i64::from(bits.width) > 0
    }
}

/// The accesses that take all of a bit-field's location: one if its bytes are a power of two.
pub(crate) fn pieces(bits: BitField) -> Vec<FieldPiece> {
    let mut pieces = Vec::new();
    let mut offset = 0;
    while offset < bits.bytes {
        let rest = bits.bytes - offset;
        let bytes = [8, 4, 2, 1].into_iter().find(|n| *n <= rest).unwrap_or(1);
        pieces
            .push(FieldPiece { offset, ty: Scalar::Int { bits: bytes as u8 * 8, signed: false } });
        offset += bytes;
    }
    pieces
}

/// `struct { .. }`: what C11 has for anonymous members. A tag or a typedef's name alone declares no member, as
/// with gcc without `-fms-extensions`.
fn without_tag(item: &ast::SpecifierQualifier) -> bool {
    let ast::SpecifierQualifier::TypeSpecifier(specifier) = item else { return false };
    matches!(&specifier.node, ast::TypeSpecifier::Struct(record) if record.node.identifier.is_none())
}

impl Unit<'_> {
    /// The members that one `struct` declaration line declares.
    pub fn members(&mut self, field: &Node<ast::StructField>) -> Result<Vec<Member>> {
        let mut base = self.specifier_qualifiers(&field.node.specifiers, field.span)?;
        base.ty = self.shaped(base.ty, &base.attributes);
        let (align, packed) = (base.attributes.alignment(), base.attributes.packed);
        if field.node.declarators.is_empty() {
            let anonymous = matches!(self.link.types.get(base.ty), Type::Record(_))
                && field.node.specifiers.iter().any(|item| without_tag(&item.node));
            let span = self.span(field.span);
            let (name, ty, width) = (None, base.ty, None);
            let member = Member { span, name, ty, width, align, packed };
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
        let span = self.mark(declarator.span);
        let mut member = Member { span, name: None, ty: base, width: None, align, packed };
        if let Some(inner) = &declarator.node.declarator {
            let declared = self.declarator(inner, base)?;
            let own = declared.attributes.clone();
            member.align = align.max(own.align);
            member.packed |= own.packed;
            member.name = declared.name;
            member.ty = self.shaped(declared.ty, &own);
            if self.is_variable_array(member.ty) {
                // GNU's: the layout is known at run time only.
                let what = "a member of variable size".into();
                self.emit(InstKind::Unsupported { what });
                let elem = self.link.types.intern(Type::Int { rank: Rank::Char, signed: true });
                member.ty = self.link.types.intern(Type::Array { elem, len: Some(0) });
            }
        }
        if let Some(width) = &declarator.node.bit_width {
            let width = self.constant_u64(width)?;
            self.at = span;
            let limit = match self.link.types.get(member.ty) {
                Type::Bool => 1,
                _ => self.link.types.size(member.ty).unwrap_or(0) * 8,
            };
            let integer = matches!(self.link.types.get(member.ty), Type::Bool | Type::Int { .. })
                && self.link.types.scalar(member.ty).is_some();
            if !integer || width > limit || (width == 0 && member.name.is_some()) {
                return Err(self.error("invalid bit-field"));
            }
            member.width = Some(width);
        } else if matches!(self.link.types.get(member.ty), Type::Function(_)) {
            return Err(self.error("a member cannot be a function"));
        }
        Ok(member)
    }

    /// Members need sizes, except for a flexible array at the end, and names of their own.
    pub(crate) fn check_members(&self, members: &[Member], union: bool) -> Result<()> {
        let mut names = FxHashSet::default();
        for (i, member) in members.iter().enumerate() {
            let at = |message: String| Err(self.error_at(member.span, message));
            let name = member.name.as_deref().unwrap_or("this member");
            let flexible = match self.link.types.get(member.ty) {
                Type::Array { elem, len: None } => self.link.types.size(*elem).is_some(),
                _ => false,
            };
            let last = i + 1 == members.len() && i > 0 && !union;
            let sized = self.link.types.size(member.ty).is_some() && !self.is_void(member.ty);
            if flexible && !last {
                return at(format!("only the last member of a struct can be `{name}[]`"));
            }
            if !sized && !flexible {
                return at(format!("`{name}` has an incomplete type"));
            }
            let mut own = Vec::new();
            match &member.name {
                Some(name) => own.push(name.clone()),
                None => self.names_inside(member.ty, &mut own),
            }
            if let Some(name) = own.into_iter().find(|name| !names.insert(name.clone())) {
                return at(format!("a second member `{name}`"));
            }
        }
        Ok(())
    }

    /// The names that an anonymous member adds to its parent's.
    fn names_inside(&self, ty: TypeId, out: &mut Vec<String>) {
        let Type::Record(record) = *self.link.types.get(ty) else { return };
        let Some(layout) = &self.link.types.record(record).layout else { return };
        for field in &layout.fields {
            match &field.name {
                Some(name) => out.push(name.clone()),
                None => self.names_inside(field.ty, out),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::testing::{error, program, value, values};

    fn bits(record: &str, name: &str) -> (u64, BitField) {
        let p = program(&format!("struct s {{ {record} }} x;"));
        let types = &p.types;
        let Type::Record(r) = types.get(p.objects[0].ty) else { panic!("no record") };
        let layout = types.record(*r).layout.as_ref().expect("complete");
        let field = layout.fields.iter().find(|f| f.name.as_deref() == Some(name)).expect("field");
        (field.offset, field.bits.expect("a bit-field"))
    }

    /// Sizes as gcc 12 has them, with and without `-m32`.
    #[test]
    fn sizes_and_alignments_are_those_of_gcc() {
        for (record, lp64, ilp32) in [
            ("char a; int b;", (8, 4), (8, 4)),
            ("char a; double b;", (16, 8), (12, 4)),
            ("char a; long long b;", (16, 8), (12, 4)),
            ("char a; long b; short c;", (24, 8), (12, 4)),
            ("char a; long double b;", (32, 16), (16, 4)),
            ("char a; _Atomic long long b;", (16, 8), (16, 8)),
            ("int a : 3; int b : 5;", (4, 4), (4, 4)),
            ("int a : 20; int b : 20;", (8, 4), (8, 4)),
            ("char a; int b : 20;", (4, 4), (4, 4)),
            ("char a; int b : 25;", (8, 4), (8, 4)),
            ("int a : 3; int : 0; int b : 3;", (8, 4), (8, 4)),
            ("char a : 3; char : 0; char b : 3;", (2, 1), (2, 1)),
            ("char a; int : 5; char b;", (3, 1), (3, 1)),
            ("short a : 9; short b : 9;", (4, 2), (4, 2)),
            ("int a; int c : 20; long long b : 40;", (16, 8), (12, 4)),
            ("long long a : 40; long long b : 30;", (16, 8), (12, 4)),
            ("_Bool a : 1; _Bool b : 1;", (1, 1), (1, 1)),
            ("char a; int b[];", (4, 4), (4, 4)),
            ("char a; int b[0];", (4, 4), (4, 4)),
            ("int a; char b[3];", (8, 4), (8, 4)),
            ("char a; int b __attribute__((packed));", (5, 1), (5, 1)),
            ("char a; char b __attribute__((aligned(8)));", (16, 8), (16, 8)),
            ("char a; struct { char c; int d; }; char e;", (16, 4), (16, 4)),
            ("union { char a[5]; int b; } u; char c;", (12, 4), (12, 4)),
            ("", (0, 1), (0, 1)),
        ] {
            let before = format!("struct s {{ {record} }};");
            let size = values(&before, "sizeof(struct s)");
            let align = values(&before, "_Alignof(struct s)");
            assert_eq!((size.0, align.0), lp64, "{record}");
            assert_eq!((size.1, align.1), ilp32, "{record} (ILP32)");
        }
    }

    #[test]
    fn attributes_of_a_record_are_not_those_of_a_member() {
        let inner = "struct __attribute__((aligned(8))) { long a; short b; } i; char d[3];";
        let text =
            format!("struct s {{ char c; struct __attribute__((packed)) {{ {inner} }} p; }};");
        assert_eq!(values(&text, "sizeof(struct s)"), (20, 12));
        assert_eq!(values(&text, "_Alignof(struct s)"), (1, 1));
        let inner = "char x; int y __attribute__((aligned(8)));";
        let text =
            format!("struct s {{ char c; struct __attribute__((packed)) {{ {inner} }} p; }};");
        assert_eq!(values(&text, "sizeof(struct s)"), (24, 24));
        let text = "struct s { char c; __attribute__((packed)) struct { int x; } p; };";
        assert_eq!(values(text, "sizeof(struct s)"), (5, 5));
    }

    #[test]
    fn packed_records_have_no_holes() {
        let packed = "struct __attribute__((packed)) s { char a; int b; long c; };";
        assert_eq!(values(packed, "sizeof(struct s)"), (13, 9));
        let packed = "struct s { char a; int b; } __attribute__((packed));";
        assert_eq!(value(packed, "sizeof(struct s)"), 5);
        let packed = "struct s { int a : 17; int b : 7; } __attribute__((packed));";
        assert_eq!(value(packed, "sizeof(struct s)"), 3);
        let aligned = "struct s { char a; } __attribute__((aligned(32)));";
        assert_eq!(value(aligned, "sizeof(struct s) + _Alignof(struct s)"), 64);
        let wide = "struct s { char a : 4; long b : 63; } __attribute__((packed));";
        assert_eq!(value(wide, "sizeof(struct s)"), 9);
        assert_eq!(value("union u { char a; int b : 3; char c[3]; };", "sizeof(union u)"), 4);
    }

    #[test]
    fn bit_fields_are_accessed_with_their_neighbours_and_nothing_else() {
        assert_eq!(
            bits("int a : 3; int b : 5;", "b"),
            (0, BitField { shift: 3, width: 5, bytes: 1 })
        );
        assert_eq!(bits("int a : 20;", "a"), (0, BitField { shift: 0, width: 20, bytes: 4 }));
        assert_eq!(
            bits("int a : 6; int b : 4;", "b"),
            (0, BitField { shift: 6, width: 4, bytes: 2 })
        );
        // The byte before belongs to `c`, the one behind to `d`.
        assert_eq!(
            bits("char c; int a : 20;", "a"),
            (1, BitField { shift: 0, width: 20, bytes: 3 })
        );
        assert_eq!(
            bits("int a : 20; char d;", "a"),
            (0, BitField { shift: 0, width: 20, bytes: 3 })
        );
        assert_eq!(
            bits("char c; int a : 12;", "a"),
            (1, BitField { shift: 0, width: 12, bytes: 2 })
        );
        assert_eq!(bits("int a : 12; int : 0; int b : 3;", "b").0, 4);
        // All that nothing separates is one location, however long.
        let location = |shift, width, bytes| (0, BitField { shift, width, bytes });
        assert_eq!(bits("int a : 8; int b : 8;", "b"), location(8, 8, 2));
        assert_eq!(bits("int a : 30; int b : 30; int c : 30;", "c"), location(64, 30, 12));
        assert_eq!(bits("char a : 8; struct { char c : 8; } n;", "a"), location(0, 8, 1));
        assert_eq!(bits("int a : 8; int : 4; int b : 8;", "b"), location(12, 8, 4));
    }

    #[test]
    fn pieces_cover_all_bytes() {
        let of = |bytes| {
            let all = pieces(BitField { shift: 0, width: 1, bytes });
            all.iter().map(|p| (p.offset, p.ty)).collect::<Vec<_>>()
        };
        let int = |bits| Scalar::Int { bits, signed: false };
        assert_eq!(of(4), [(0, int(32))]);
        assert_eq!(of(3), [(0, int(16)), (2, int(8))]);
        assert_eq!(of(9), [(0, int(64)), (8, int(8))]);
    }

    #[test]
    fn members_must_have_a_size_and_a_name_of_their_own() {
        for (text, message) in [
            ("struct s { struct s x; };", "1:21: `x` has an incomplete type"),
            ("struct s { struct t x; int y; };", "1:21: `x` has an incomplete type"),
            ("struct s { void x; };", "1:17: `x` has an incomplete type"),
            ("struct s { struct t x[2]; };", "1:21: `x` has an incomplete type"),
            (
                "struct s { int n; int a[]; int b; };",
                "1:23: only the last member of a struct can be `a[]`",
            ),
            ("union u { int n; int a[]; };", "1:22: only the last member of a struct can be `a[]`"),
            ("struct s { int a; char a; };", "1:24: a second member `a`"),
            ("struct s { int a; union { int b; int a; }; };", "1:19: a second member `a`"),
            ("struct s { int x(void); };", "1:17: a member cannot be a function"),
        ] {
            assert_eq!(error(text), message, "{text}");
        }
        program("struct s { struct s *next; struct { int a; } b, c; int d[]; };");
    }

    #[test]
    fn bad_bit_fields() {
        for member in
            ["int a : 33", "int a : 0", "_Bool b : 2", "float a : 3", "int *a : 3", "int a : -1"]
        {
            let text = format!("struct s {{ {member}; }};");
            let e = error(&text);
            assert!(e.contains("bit-field") || e.contains("negative"), "{text}: {e}");
        }
        assert!(
            error("int n; struct s { int a : n; };")
                .contains("1:27: this must be an integer constant")
        );
    }
}
