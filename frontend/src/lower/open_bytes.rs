//! Bytes that hold no member's value: padding, and what a union has beside the member that was stored.
//!
//! A store to a member leaves them with unspecified values (C11 6.2.6.1 paragraphs 6 and 7). Ours keeps
//! them, as compilers mostly do, and a program may look: by another member of the union, by a character
//! pointer into a struct, or by a copy of the struct into something that has none. That they are kept is
//! an assumption of the verdict then. Types decide, not executions: a union of which members of different
//! sizes are used counts, whether or not the wrong one is ever read. (`memcmp`: `glibc.rs`.)
//!
//! Cost: a look at each member of a union and each conversion of a pointer; a points-to analysis if bytes of
//! structs with padding may be read.

use super::call::Args;
use super::scope::Symbol;
use super::{Result, Unit};
use analysis::points_to::{Context, Pointee, PointsTo};
use ir::types::{Field, RecordId, Type, TypeId, Types};
use ir::*;
use lang_c::ast::{BinaryOperator, Expression, MemberOperator, UnaryOperator};
use lang_c::span::Node;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

const UNION: &str = "bytes of a union beside the member that is stored keep their values; C leaves \
                     them open";
const BYTES: &str = "padding keeps its bytes, which are read here, when a member beside it is stored; \
                     C leaves them open";
/// Larger objects are not looked at bit by bit.
const MOST_BYTES: u64 = 1 << 16;
/// Library functions that give a pointer to a function of the program's.
const PASS_ON: [&str; 9] = [
    "pthread_create",
    "thrd_create",
    "pthread_setspecific",
    "tss_set",
    "qsort",
    "bsearch",
    "_pthread_cleanup_push",
    "atomic_store",
    "atomic_exchange",
];

/// What a program does with such bytes.
#[derive(Default)]
pub struct OpenBytes {
    /// Members of unions that are used, each with its first place.
    members: BTreeMap<RecordId, BTreeMap<usize, Span>>,
    /// Records that pointers to characters or `void` may lead to.
    views: FxHashSet<RecordId>,
    /// Where characters are read through a pointer.
    reads: FxHashSet<Span>,
    /// Nothing is noted: an expression is looked at for its type only, or its pointers are converted for
    /// a library function or a comparison.
    quiet: bool,
}

impl Unit<'_> {
    pub(crate) fn note_member(&mut self, record: RecordId, index: usize) {
        if self.origin == Origin::User && self.link.types.record(record).union {
            let members = self.link.open_bytes.members.entry(record).or_default();
            members.entry(index).or_insert(self.at);
        }
    }

    /// A pointer to a record is converted.
    pub(crate) fn note_view(&mut self, from: TypeId, to: TypeId) {
        let (Some(from), Some(to)) = (self.pointee(from), self.pointee(to)) else { return };
        let is_byte = self.is_void(to) || self.link.types.size(to) == Some(1);
        if self.origin != Origin::User || self.link.open_bytes.quiet || !is_byte {
            return;
        }
        match *self.link.types.get(from) {
            Type::Record(record) => drop(self.link.open_bytes.views.insert(record)),
            Type::LongDouble if !self.is_void(to) => {
                self.link.ignored.push((BYTES.to_owned(), self.at));
            }
            _ => {}
        }
    }

    /// Without notes, if that is so.
    pub(crate) fn quietly<T>(&mut self, quiet: bool, lower: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.link.open_bytes.quiet;
        self.link.open_bytes.quiet = before || quiet;
        let result = lower(self);
        self.link.open_bytes.quiet = before;
        result
    }

    /// What a library function gets it keeps for itself, mostly.
    pub(crate) fn keeps_to_itself(&self, callee: Callee) -> bool {
        let Callee::Direct(id) = callee else { return false };
        !PASS_ON.contains(&self.link.functions[id.index()].name.as_str())
    }

    /// An element or a target of a pointer is used: characters of an array in its own object are no
    /// bytes of something else.
    pub(crate) fn note_byte(&mut self, ty: TypeId, base: &Node<Expression>) {
        let is_byte = self.pointee(ty).and_then(|to| self.link.types.size(to)) == Some(1);
        if !is_byte || self.origin != Origin::User {
            return;
        }
        let base = self.declared_type(base).map(|ty| self.link.types.get(ty));
        if !matches!(base, Some(Type::Array { .. })) {
            self.link.open_bytes.reads.insert(self.at);
        }
    }

    /// The type of a chain of members and elements, by declarations only: nothing is lowered again.
    pub(super) fn declared_type(&mut self, node: &Node<Expression>) -> Option<TypeId> {
        match &node.node {
            Expression::Identifier(id) => match *self.lookup(&id.node.name)? {
                Symbol::Register { ty, .. } | Symbol::Slot { ty, .. } => Some(ty),
                Symbol::Object { object } => Some(self.link.objects[object.index()].ty),
                _ => None,
            },
            Expression::Member(member) => {
                let of = self.declared_type(&member.node.expression)?;
                let record = match member.node.operator.node {
                    MemberOperator::Direct => of,
                    MemberOperator::Indirect => self.element(of)?,
                };
                let Type::Record(record) = *self.link.types.get(record) else { return None };
                self.type_of_member(record, &member.node.identifier.node.name)
            }
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Index => {
                let of = self.declared_type(&b.node.lhs)?;
                self.element(of)
            }
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Indirection => {
                let of = self.declared_type(&u.node.operand)?;
                self.element(of)
            }
            _ => None,
        }
    }

    /// What an array or a pointer leads to.
    fn element(&self, ty: TypeId) -> Option<TypeId> {
        match *self.link.types.get(ty) {
            Type::Array { elem, .. } => Some(elem),
            _ => self.pointee(ty),
        }
    }

    /// A copy of an object with padding into one of scalars, or into one of which nothing is known.
    pub(crate) fn note_copied_padding(&mut self, name: &str, args: Args) -> Result<()> {
        let copies =
            matches!(name, "memcpy" | "memmove" | "__builtin_memcpy" | "__builtin_memmove");
        let noted = copies && self.origin == Origin::User && !self.link.open_bytes.quiet;
        let ([to, from, ..], true) = (args, noted) else { return Ok(()) };
        let object = |unit: &mut Self, arg| unit.quietly(true, |unit| unit.object_of(arg));
        let (to, from) = (object(self, to)?, object(self, from)?);
        let scalars = to.is_some_and(|to| self.is_void(to) || self.link.types.scalar(to).is_some());
        if scalars && from.is_some_and(|from| has_open_bits(&self.link.types, from)) {
            self.link.ignored.push((BYTES.to_owned(), self.at));
        }
        Ok(())
    }

    /// What an argument points to.
    fn object_of(&mut self, arg: &Node<Expression>) -> Result<Option<TypeId>> {
        let ty = self.type_of(arg)?;
        Ok(self.element(ty))
    }
}

/// Notes the assumptions at the first place of each kind.
pub fn settle(program: &mut Program, found: OpenBytes) {
    let unions = union_read(&program.types, &found).map(|span| (UNION.to_owned(), span));
    let bytes = padding_read(program, found).map(|span| (BYTES.to_owned(), span));
    program.ignored.extend(unions.into_iter().chain(bytes));
}

fn union_read(types: &Types, found: &OpenBytes) -> Option<Span> {
    let first = |(record, used): (&RecordId, &BTreeMap<usize, Span>)| {
        let fields = &types.record(*record).layout.as_ref()?.fields;
        let bits = |member: &usize| {
            let mut bits = Bits::none(types.record(*record).layout.as_ref()?.size)?;
            bits.add_field(types, fields.get(*member)?, 0);
            Some(bits)
        };
        let reads = used.iter().filter_map(|(member, span)| Some((bits(member)?, *span)));
        let mut reads = reads.collect::<Vec<_>>();
        reads.sort_by_key(|(_, span)| *span);
        let stores = reads.clone();
        reads.into_iter().find(|(r, _)| stores.iter().any(|(s, _)| !r.is_within(s))).map(|r| r.1)
    };
    found.members.iter().filter_map(first).min()
}

fn padding_read(program: &Program, found: OpenBytes) -> Option<Span> {
    let open = |record: &RecordId| record_has_open_bits(&program.types, *record);
    let views: FxHashSet<RecordId> = found.views.into_iter().filter(open).collect();
    if views.is_empty() || found.reads.is_empty() {
        return None;
    }
    let points_to = PointsTo::new(program, Context::Insensitive);
    let meets = |place: Pointee| {
        let ty = match place {
            Pointee::Object(object) => program.objects[object.index()].ty,
            Pointee::Slot(f, slot) => program.functions[f.index()].slots[slot.index()].ty,
            Pointee::Function(_) => return false,
            Pointee::Heap(..) | Pointee::Unknown => return true,
        };
        contains(&program.types, ty, &views)
    };
    let functions = program.functions.iter().enumerate();
    let insts = functions.filter(|(_, f)| f.origin == Origin::User).flat_map(|(i, f)| {
        let id = FuncId(i as u32);
        f.blocks.iter().flat_map(|b| &b.insts).map(move |inst| (id, inst))
    });
    let reads = insts.filter(|(_, inst)| found.reads.contains(&inst.span));
    let reads = reads.filter_map(|(f, inst)| match &inst.kind {
        // A larger one, at the same place, finds the pointer.
        InstKind::Load { addr, ty, .. } if ty.bytes(program.machine) == 1 => {
            Some((f, addr, inst.span))
        }
        _ => None,
    });
    let mut reads = reads.filter(|(f, addr, _)| points_to.targets(*f, addr).into_iter().any(meets));
    reads.next().map(|(_, _, span)| span)
}

fn has_open_bits(types: &Types, ty: TypeId) -> bool {
    match *types.get(ty) {
        Type::Array { elem, .. } | Type::Atomic(elem) => has_open_bits(types, elem),
        Type::Record(record) => record_has_open_bits(types, record),
        _ => false,
    }
}

fn record_has_open_bits(types: &Types, record: RecordId) -> bool {
    let Some(layout) = &types.record(record).layout else { return false };
    let Some(mut bits) = Bits::none(layout.size) else { return true };
    if types.record(record).union {
        let whole = |f| {
            let mut bits = bits.clone();
            bits.add_field(types, f, 0);
            bits.is_full()
        };
        return !layout.fields.iter().all(whole);
    }
    bits.add_record(types, record, 0);
    let inner = |f: &Field| f.bits.is_none() && has_open_bits(types, f.ty);
    !bits.is_full() || layout.fields.iter().any(inner)
}

/// Which bits of an object hold values.
#[derive(Clone)]
struct Bits(Vec<u8>);

impl Bits {
    fn none(size: u64) -> Option<Bits> {
        (size <= MOST_BYTES).then(|| Bits(vec![0; size as usize]))
    }

    fn is_full(&self) -> bool {
        self.0.iter().all(|byte| *byte == 0xff)
    }

    fn is_within(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, others)| mine & !others == 0)
    }

    fn add_field(&mut self, types: &Types, field: &Field, at: u64) {
        let at = at + field.offset;
        match field.bits {
            None => self.add(types, field.ty, at),
            Some(bits) => {
                let first = at * 8 + u64::from(bits.shift);
                (first..first + u64::from(bits.width)).for_each(|bit| self.add_bit(bit));
            }
        }
    }

    fn add_bit(&mut self, bit: u64) {
        if let Some(byte) = self.0.get_mut((bit / 8) as usize) {
            *byte |= 1 << (bit % 8);
        }
    }

    fn add_record(&mut self, types: &Types, record: RecordId, at: u64) {
        let fields = types.record(record).layout.iter().flat_map(|l| &l.fields);
        fields.for_each(|field| self.add_field(types, field, at));
    }

    fn add(&mut self, types: &Types, ty: TypeId, at: u64) {
        match *types.get(ty) {
            Type::Record(record) => self.add_record(types, record, at),
            Type::Atomic(inner) => self.add(types, inner, at),
            Type::Array { elem, len } if matches!(types.get(elem), Type::Record(_)) => {
                let size = types.size(elem).unwrap_or(0);
                (0..len.unwrap_or(0)).for_each(|i| self.add(types, elem, at + i * size));
            }
            _ => {
                let end = at + types.size(ty).unwrap_or(0);
                let bytes = self.0.iter_mut().skip(at as usize).take((end - at) as usize);
                bytes.for_each(|byte| *byte = 0xff);
            }
        }
    }
}

fn contains(types: &Types, ty: TypeId, records: &FxHashSet<RecordId>) -> bool {
    match types.get(ty) {
        Type::Array { elem, .. } | Type::Atomic(elem) => contains(types, *elem, records),
        Type::Record(r) => {
            let fields = types.record(*r).layout.iter().flat_map(|l| &l.fields);
            records.contains(r) || fields.into_iter().any(|f| contains(types, f.ty, records))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::program;

    fn assumed(text: &str) -> Vec<&'static str> {
        let ignored = program(text).ignored;
        let known = |what: &String| [super::UNION, super::BYTES].into_iter().find(|k| k == what);
        ignored.iter().filter_map(|(what, _)| known(what)).collect()
    }

    #[test]
    fn unions_whose_members_leave_bytes_open() {
        let read = |members: &str, uses: &str| {
            !assumed(&format!("union u {{ {members} }}; int f(union u *p) {{ {uses} }}")).is_empty()
        };
        assert!(read("char c; int i;", "p->c = 1; return p->i;"));
        assert!(read("char c; int i;", "union u x = {.c = 1}; return x.i;"));
        assert!(!read("char c; int i;", "p->i = 1; return p->i;"));
        assert!(!read("float c; int i;", "p->c = 1; return p->i;"));
        assert!(!read("struct { short a, b; } s; int i;", "p->s.a = 1; return p->i;"));
        assert!(read("struct { char a; short b; } s; int i;", "p->s.a = 1; return p->i;"));
        assert!(!read("struct { int a : 8, b : 24; } s; int i;", "p->s.a = 1; return p->i;"));
        assert!(read("struct { int a : 8, b : 23; } s; int i;", "p->s.a = 1; return p->i;"));
        assert!(!read("struct { char a; short b; } s; int i;", "p->s.a = 1; return p->s.b;"));
    }

    #[test]
    fn bytes_of_structs_with_padding() {
        let read = |uses: &str| {
            let declared = "struct s { char c; int i; } g; struct t { int a, b; } h; char *name;";
            !assumed(&format!("{declared} void *memcpy(void *, const void *, unsigned long); int f(int i) {{ {uses} }}")).is_empty()
        };
        assert!(read("char *p = (char *)&g; return p[i];"));
        assert!(read("void *v = &g; return *(unsigned char *)v;"));
        assert!(read("return ((char *)&g)[i];"));
        assert!(!read("char *p = (char *)&h; return p[i];"));
        assert!(!read("void *v = &g; name = \"a\"; return name[i] + (v != 0);"));
        assert!(!read("void *v = &g; return ((struct s *)v)->c;"));
        assert!(read("unsigned long w; memcpy(&w, &g, 8); return w;"));
        assert!(!read("struct s w; memcpy(&w, &g, 8); return w.c;"));
        assert!(!read("unsigned long w; memcpy(&w, &h, 8); return w;"));
    }

    /// Nothing is lowered again on each level.
    #[test]
    fn deep_levels() {
        let copies = (0..40).fold("a".to_owned(), |to, _| format!("memcpy({to}, a, 1)"));
        let loads = (0..400).fold("0".to_owned(), |i, _| format!("*(p + {i})"));
        let declared = "char a[4]; void *memcpy(void *, const void *, unsigned long);";
        let body = format!("char *p = a; {copies}; return {loads};");
        assert!(assumed(&format!("{declared} int f(void) {{ {body} }}")).is_empty());
    }
}
