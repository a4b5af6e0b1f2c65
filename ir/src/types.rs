//! C types, interned, with their sizes and layout for ILP32 and LP64.
//!
//! A `TypeId` is an index into one `Types` table; equal types have equal ids, so type equality is a
//! comparison of numbers. Records are nominal and completed after they are first named. `const`,
//! `volatile` and `restrict` are bits of the id beside that index, so that who asks what kind of type
//! it is need not know of them; `_Atomic`, which changes what an access means, is a type of its own.
//!
//! Layout follows the System V psABI for i386 and x86-64, the one that gcc uses on Linux.

use rustc_hash::FxHashMap;

/// The two data models. Both are little-endian with 8-bit bytes and signed plain `char`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Machine {
    Ilp32,
    Lp64,
}

impl Machine {
    pub fn pointer_bytes(self) -> u64 {
        match self {
            Machine::Ilp32 => 4,
            Machine::Lp64 => 8,
        }
    }

    pub fn pointer_bits(self) -> u8 {
        self.pointer_bytes() as u8 * 8
    }
}

/// What one load or store moves and one register holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// `bits` is 8, 16, 32 or 64.
    Int {
        bits: u8,
        signed: bool,
    },
    F32,
    F64,
    /// As wide as the machine's pointers; an unsigned integer to the engines.
    Ptr,
}

impl Scalar {
    pub const I32: Scalar = Scalar::Int { bits: 32, signed: true };
    pub const U8: Scalar = Scalar::Int { bits: 8, signed: false };
    pub const U32: Scalar = Scalar::Int { bits: 32, signed: false };
    pub const U64: Scalar = Scalar::Int { bits: 64, signed: false };

    pub fn bits(self, machine: Machine) -> u8 {
        match self {
            Scalar::Int { bits, .. } => bits,
            Scalar::F32 => 32,
            Scalar::F64 => 64,
            Scalar::Ptr => machine.pointer_bits(),
        }
    }

    pub fn bytes(self, machine: Machine) -> u64 {
        u64::from(self.bits(machine) / 8)
    }

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::Int { signed: true, .. })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(pub u32);

/// Any of `const`, `volatile` and `restrict`, as bits of a `TypeId`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Qualifiers(u32);

impl Qualifiers {
    pub const CONST: Qualifiers = Qualifiers(1 << 31);
    pub const VOLATILE: Qualifiers = Qualifiers(1 << 30);
    pub const RESTRICT: Qualifiers = Qualifiers(1 << 29);
    const ALL: u32 = 7 << 29;

    pub fn and(self, other: Qualifiers) -> Qualifiers {
        Qualifiers(self.0 | other.0)
    }
}

impl TypeId {
    /// Without qualifiers: the type that a value has.
    pub fn bare(self) -> TypeId {
        TypeId(self.0 & !Qualifiers::ALL)
    }

    pub fn qualifiers(self) -> Qualifiers {
        Qualifiers(self.0 & Qualifiers::ALL)
    }

    pub fn is_volatile(self) -> bool {
        self.has(Qualifiers::VOLATILE)
    }

    fn has(self, qualifier: Qualifiers) -> bool {
        self.0 & qualifier.0 != 0
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RecordId(pub u32);

/// Conversion rank of the integer types, lowest first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// `signed char`, which is not `char`.
    SignedChar,
    Char,
    Short,
    Int,
    Long,
    LongLong,
    Int128,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Bool,
    /// Plain `char` is `Int { Char, signed: true }`.
    Int {
        rank: Rank,
        signed: bool,
    },
    Float,
    Double,
    LongDouble,
    Pointer(TypeId),
    /// `None`: incomplete (`int a[]`) or a flexible array member.
    Array {
        elem: TypeId,
        len: Option<u64>,
    },
    /// As long as a register of the function says that `id` was made for (`lower/vla.rs`).
    VariableArray {
        elem: TypeId,
        id: u32,
    },
    Record(RecordId),
    Function(FunctionType),
    /// `_Atomic T`: same layout as `T`, every access is an atomic operation.
    Atomic(TypeId),
    /// A type we parse but do not model (`_Complex`, vectors) or use in our own way
    /// (`__builtin_va_list`); it has a size.
    Opaque {
        name: &'static str,
        size: u64,
        align: u64,
    },
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    pub ret: TypeId,
    pub params: Vec<TypeId>,
    pub variadic: bool,
    /// False for `f()`: the arguments are not known.
    pub prototyped: bool,
}

/// What is not modelled of a record with an attribute.
pub const REVERSED: &str = "a member in a storage order of another machine";
pub const FOREIGN: &str = "bit-fields of a record with the attribute `ms_struct`";

#[derive(Clone, Debug)]
pub struct Record {
    pub union: bool,
    pub tag: Option<String>,
    /// The first typedef of a record without a tag: for readers only.
    pub alias: Option<String>,
    /// `None` until the record is completed.
    pub layout: Option<Layout>,
    /// GNU's `transparent_union`: a parameter takes arguments of its members' types.
    pub transparent: bool,
    /// GNU's `scalar_storage_order` of another machine.
    pub reversed: bool,
    /// GNU's `ms_struct`, with bit-fields: where members are is not known.
    pub foreign: bool,
}

#[derive(Clone, Debug)]
pub struct Layout {
    pub size: u64,
    pub align: u64,
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for anonymous members and unnamed bit-fields.
    pub name: Option<String>,
    pub ty: TypeId,
    /// In bytes from the record's start. For a bit-field: of its memory location.
    pub offset: u64,
    pub align: u64,
    pub bits: Option<BitField>,
}

/// The bits `[shift, shift + width)` of the `bytes` little-endian bytes at `Field::offset`. Those
/// bytes are one memory location of C11: all bit-fields that nothing separates, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    pub shift: u32,
    pub width: u8,
    pub bytes: u32,
}

/// The table of all types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    pub machine: Machine,
    types: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
    records: Vec<Record>,
    /// Types that differ from another one in their alignment only, as typedefs can say.
    aligned: FxHashMap<TypeId, (TypeId, u64)>,
    /// Types of bit-fields that are wider than `int`: gcc computes in just so many bits.
    bit_precise: FxHashMap<TypeId, TypeId>,
}

impl Types {
    pub fn new(machine: Machine) -> Types {
        let (ids, aligned, bit_precise) = Default::default();
        Types { machine, types: Vec::new(), ids, records: Vec::new(), aligned, bit_precise }
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// The type, with an alignment of its own.
    pub fn aligned(&mut self, id: TypeId, align: u64) -> TypeId {
        let plain = self.plain(id);
        let same = |(_, known): &(&TypeId, &(TypeId, u64))| **known == (plain, align);
        let found = self.aligned.iter().find(same).map(|(id, _)| *id);
        let new = found.unwrap_or_else(|| {
            self.types.push(self.get(plain).clone());
            let new = TypeId(self.types.len() as u32 - 1);
            self.aligned.insert(new, (plain, align));
            new
        });
        TypeId(new.0 | id.qualifiers().0)
    }

    /// The type of a bit-field of that type that has fewer bits, and more than `int`.
    pub fn bit_precise(&mut self, id: TypeId) -> TypeId {
        let plain = self.plain(id);
        let found = self.bit_precise.iter().find(|(_, known)| **known == plain).map(|(id, _)| *id);
        found.unwrap_or_else(|| {
            self.types.push(self.get(plain).clone());
            let new = TypeId(self.types.len() as u32 - 1);
            self.bit_precise.insert(new, plain);
            new
        })
    }

    pub fn is_bit_precise(&self, id: TypeId) -> bool {
        self.bit_precise.contains_key(&id.bare())
    }

    /// Without qualifiers, an alignment of its own and a number of bits of its own.
    pub fn plain(&self, id: TypeId) -> TypeId {
        let id = id.bare();
        let id = self.bit_precise.get(&id).copied().unwrap_or(id);
        self.aligned.get(&id).map_or(id, |(plain, _)| *plain)
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.bare().0 as usize]
    }

    /// The type with more qualifiers; those of an array are its elements'.
    pub fn qualified(&mut self, id: TypeId, more: Qualifiers) -> TypeId {
        match *self.get(id) {
            Type::Array { elem, len } => {
                let elem = self.qualified(elem, more);
                self.intern(Type::Array { elem, len })
            }
            Type::VariableArray { elem, id } => {
                let elem = self.qualified(elem, more);
                self.intern(Type::VariableArray { elem, id })
            }
            Type::Function(_) => id,
            _ => TypeId(id.0 | more.0),
        }
    }

    /// Is an object of this type, defined so, never written? (`const volatile` may change.)
    pub fn is_constant(&self, id: TypeId) -> bool {
        match *self.get(id) {
            Type::Array { elem, .. } | Type::VariableArray { elem, .. } => self.is_constant(elem),
            _ => id.has(Qualifiers::CONST) && !id.has(Qualifiers::VOLATILE),
        }
    }

    /// The same but for qualifiers anywhere.
    pub fn alike(&self, a: TypeId, b: TypeId) -> bool {
        match (self.get(a), self.get(b)) {
            (Type::Pointer(a), Type::Pointer(b)) => self.alike(*a, *b),
            (Type::Array { elem: a, len: m }, Type::Array { elem: b, len: n }) => {
                m == n && self.alike(*a, *b)
            }
            (Type::Function(_), Type::Function(_)) => true,
            _ => self.plain(a) == self.plain(b),
        }
    }

    /// Compatible types (C11 6.2.7), the qualifiers of the types themselves aside.
    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        let same = |a: TypeId, b: TypeId| a.qualifiers() == b.qualifiers() && self.compatible(a, b);
        match (self.get(a), self.get(b)) {
            (Type::Pointer(a), Type::Pointer(b)) => same(*a, *b),
            (Type::Array { elem: a, len: m }, Type::Array { elem: b, len: n }) => {
                (m == n || m.is_none() || n.is_none()) && same(*a, *b)
            }
            // A length that is not constant goes with any.
            (
                Type::VariableArray { elem: a, .. },
                Type::VariableArray { elem: b, .. } | Type::Array { elem: b, .. },
            )
            | (Type::Array { elem: a, .. }, Type::VariableArray { elem: b, .. }) => same(*a, *b),
            (Type::Function(f), Type::Function(g)) => self.compatible_functions(f, g),
            (Type::Atomic(a), Type::Atomic(b)) => self.compatible(*a, *b),
            _ => self.plain(a) == self.plain(b),
        }
    }

    fn compatible_functions(&self, f: &FunctionType, g: &FunctionType) -> bool {
        let open = !f.prototyped && f.params.is_empty() || !g.prototyped && g.params.is_empty();
        let params = f.params.len() == g.params.len()
            && f.params.iter().zip(&g.params).all(|(a, b)| self.compatible(*a, *b));
        self.compatible(f.ret, g.ret) && (open || params && f.variadic == g.variadic)
    }

    pub fn new_record(&mut self, union: bool, tag: Option<String>) -> RecordId {
        let (transparent, reversed, foreign) = (false, false, false);
        self.records.push(Record {
            union,
            tag,
            alias: None,
            layout: None,
            transparent,
            reversed,
            foreign,
        });
        RecordId(self.records.len() as u32 - 1)
    }

    /// Why the bytes of a value of this type are not known, if they are not.
    pub fn strangeness(&self, ty: TypeId) -> Option<&'static str> {
        match self.get(self.strip_atomic(ty)) {
            Type::Array { elem, .. } => self.strangeness(*elem),
            Type::Record(r) => {
                let record = self.record(*r);
                let fields = record.layout.iter().flat_map(|layout| &layout.fields);
                let inside = || fields.clone().find_map(|field| self.strangeness(field.ty));
                match record {
                    Record { foreign: true, .. } => Some(FOREIGN),
                    Record { reversed: true, .. } => Some(REVERSED),
                    _ => inside(),
                }
            }
            _ => None,
        }
    }

    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id.0 as usize]
    }

    pub fn complete(&mut self, id: RecordId, layout: Layout) {
        self.records[id.0 as usize].layout = Some(layout);
    }

    /// The type of the value in an object of this type: `T` for `_Atomic T` and for `const T`.
    pub fn strip_atomic(&self, id: TypeId) -> TypeId {
        match self.get(id) {
            Type::Atomic(inner) => self.plain(*inner),
            _ => self.plain(id),
        }
    }

    /// Size in bytes; `None` for incomplete and function types. `void` has size 1 as in GNU C.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        Some(match self.get(id) {
            Type::Void | Type::Bool => 1,
            Type::Int { rank, .. } => self.rank_bytes(*rank),
            Type::Float => 4,
            Type::Double => 8,
            Type::LongDouble => match self.machine {
                Machine::Ilp32 => 12,
                Machine::Lp64 => 16,
            },
            Type::Pointer(_) => self.machine.pointer_bytes(),
            Type::Array { elem, len } => self.size(*elem)?.checked_mul((*len)?)?,
            Type::Record(r) => self.record(*r).layout.as_ref()?.size,
            Type::Function(_) | Type::VariableArray { .. } => return None,
            Type::Atomic(inner) => self.size(*inner)?,
            Type::Opaque { size, .. } => *size,
        })
    }

    pub fn align(&self, id: TypeId) -> u64 {
        if let Some((_, align)) = self.aligned.get(&id.bare()) {
            return *align;
        }
        match self.get(id) {
            Type::Void | Type::Bool | Type::Function(_) => 1,
            Type::Int { rank, .. } => self.int_align(self.rank_bytes(*rank)),
            Type::Float => 4,
            Type::Double => self.int_align(8),
            Type::LongDouble => match self.machine {
                Machine::Ilp32 => 4,
                Machine::Lp64 => 16,
            },
            Type::Pointer(_) => self.machine.pointer_bytes(),
            Type::Array { elem, .. } | Type::VariableArray { elem, .. } => self.align(*elem),
            Type::Record(r) => self.record(*r).layout.as_ref().map_or(1, |l| l.align),
            Type::Atomic(inner) => match self.size(*inner) {
                Some(size @ (1 | 2 | 4 | 8 | 16)) => size,
                _ => self.align(*inner),
            },
            Type::Opaque { align, .. } => *align,
        }
    }

    /// i386 aligns 8-byte scalars to 4 inside records; outside it makes no difference that we can see.
    fn int_align(&self, bytes: u64) -> u64 {
        match self.machine {
            Machine::Ilp32 => bytes.min(4),
            Machine::Lp64 => bytes,
        }
    }

    pub fn rank_bytes(&self, rank: Rank) -> u64 {
        match rank {
            Rank::SignedChar | Rank::Char => 1,
            Rank::Short => 2,
            Rank::Int => 4,
            Rank::Long => self.machine.pointer_bytes(),
            Rank::LongLong => 8,
            Rank::Int128 => 16,
        }
    }

    /// How a value of this type travels; `None` for aggregates, `void`, functions and opaque types.
    pub fn scalar(&self, id: TypeId) -> Option<Scalar> {
        match self.get(id) {
            Type::Bool => Some(Scalar::U8),
            Type::Int { rank: Rank::Int128, .. } => None,
            Type::Int { rank, signed } => {
                Some(Scalar::Int { bits: self.rank_bytes(*rank) as u8 * 8, signed: *signed })
            }
            Type::Float => Some(Scalar::F32),
            Type::Double => Some(Scalar::F64),
            Type::Pointer(_) => Some(Scalar::Ptr),
            Type::Atomic(inner) => self.scalar(*inner),
            _ => None,
        }
    }

    /// C's name of the type, for messages and traces.
    pub fn name(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Void => "void".into(),
            Type::Bool => "_Bool".into(),
            Type::Int { rank, signed } => int_name(*rank, *signed).into(),
            Type::Float => "float".into(),
            Type::Double => "double".into(),
            Type::LongDouble => "long double".into(),
            Type::Pointer(to) => match self.get(*to) {
                Type::Function(f) => format!("{} (*)({})", self.name(f.ret), self.param_names(f)),
                _ => format!("{} *", self.name(*to)),
            },
            Type::Array { .. } | Type::VariableArray { .. } => self.array_name(id),
            Type::Record(r) => {
                let record = self.record(*r);
                let kind = if record.union { "union" } else { "struct" };
                match (&record.tag, &record.alias) {
                    (None, Some(alias)) => alias.clone(),
                    (tag, _) => format!("{kind} {}", tag.as_deref().unwrap_or("<anonymous>")),
                }
            }
            Type::Function(f) => format!("{} ({})", self.name(f.ret), self.param_names(f)),
            Type::Atomic(inner) => format!("_Atomic {}", self.name(*inner)),
            Type::Opaque { name, .. } => (*name).into(),
        }
    }

    /// Dimensions from the outside in, as C writes them.
    fn array_name(&self, mut id: TypeId) -> String {
        let mut dimensions = String::new();
        loop {
            id = match self.get(id) {
                Type::Array { elem, len } => {
                    dimensions += &len.map_or("[]".into(), |n| format!("[{n}]"));
                    *elem
                }
                Type::VariableArray { elem, .. } => {
                    dimensions += "[*]";
                    *elem
                }
                _ => break,
            };
        }
        format!("{} {dimensions}", self.name(id))
    }

    fn param_names(&self, f: &FunctionType) -> String {
        let mut names: Vec<String> = f.params.iter().map(|&p| self.name(p)).collect();
        if f.variadic {
            names.push("...".into());
        }
        names.join(", ")
    }

    /// The innermost scalar of `id` that contains byte `offset`, written as a path such as
    /// `[2].next`, with its type. Stops early where no named part contains the byte.
    pub fn path_at(&self, id: TypeId, offset: u64) -> (String, TypeId) {
        match self.get(id) {
            Type::Array { elem, .. } => match self.size(*elem) {
                Some(size) if size > 0 => {
                    let (rest, ty) = self.path_at(*elem, offset % size);
                    (format!("[{}]{rest}", offset / size), ty)
                }
                _ => (String::new(), id),
            },
            Type::Record(r) => self.field_path(*r, id, offset),
            Type::Atomic(inner) => self.path_at(*inner, offset),
            _ => (String::new(), id),
        }
    }

    /// The part of `id` that an address in it is meant to be of, as a path: the outermost one of
    /// type `wanted` that begins there, or else the outermost one that is no array.
    pub fn part_at(&self, id: TypeId, offset: u64, wanted: Option<TypeId>) -> String {
        let exact = wanted.and_then(|wanted| self.part(id, offset, &|ty| self.alike(ty, wanted)));
        let any = || self.part(id, offset, &|ty| !matches!(self.get(ty), Type::Array { .. }));
        exact.or_else(any).unwrap_or_else(|| self.path_at(id, offset).0)
    }

    fn part(&self, id: TypeId, offset: u64, fits: &dyn Fn(TypeId) -> bool) -> Option<String> {
        if offset == 0 && fits(id) {
            return Some(String::new());
        }
        match self.get(id) {
            Type::Array { elem, .. } => {
                let size = self.size(*elem).filter(|size| *size > 0)?;
                let rest = self.part(*elem, offset % size, fits)?;
                Some(format!("[{}]{rest}", offset / size))
            }
            Type::Record(r) => {
                let field = self.field_at(*r, offset)?;
                let rest = self.part(field.ty, offset - field.offset, fits)?;
                Some(field.name.as_ref().map_or(String::new(), |name| format!(".{name}")) + &rest)
            }
            Type::Atomic(inner) => self.part(*inner, offset, fits),
            _ => None,
        }
    }

    fn field_at(&self, record: RecordId, offset: u64) -> Option<&Field> {
        let fields = self.record(record).layout.as_ref().map_or(&[][..], |l| &l.fields);
        fields.iter().find(|f| {
            let size = self.size(f.ty).unwrap_or(u64::MAX);
            f.offset <= offset && offset - f.offset < size
        })
    }

    fn field_path(&self, record: RecordId, id: TypeId, offset: u64) -> (String, TypeId) {
        let Some(field) = self.field_at(record, offset) else { return (String::new(), id) };
        let (rest, ty) = self.path_at(field.ty, offset - field.offset);
        match &field.name {
            Some(name) => (format!(".{name}{rest}"), ty),
            None => (rest, ty),
        }
    }
}

fn int_name(rank: Rank, signed: bool) -> &'static str {
    match (rank, signed) {
        (Rank::SignedChar, _) => "signed char",
        (Rank::Char, true) => "char",
        (Rank::Char, false) => "unsigned char",
        (Rank::Short, true) => "short",
        (Rank::Short, false) => "unsigned short",
        (Rank::Int, true) => "int",
        (Rank::Int, false) => "unsigned int",
        (Rank::Long, true) => "long",
        (Rank::Long, false) => "unsigned long",
        (Rank::LongLong, true) => "long long",
        (Rank::LongLong, false) => "unsigned long long",
        (Rank::Int128, true) => "__int128",
        (Rank::Int128, false) => "unsigned __int128",
    }
}
