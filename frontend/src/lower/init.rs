//! Initialisers: C's brace rules (C11 6.7.9) to a flat list of leaves, then to stores or to bytes.

use super::place::Place;
use super::{Result, Unit, Value};
use crate::ir::*;
use crate::types::{BitField, Rank, RecordId, Scalar, Type, TypeId};
use lang_c::ast::{self, Expression, Initializer, InitializerListItem};
use lang_c::span::Node;

/// One subobject and what it is initialised with.
struct Leaf<'n> {
    offset: u64,
    ty: TypeId,
    bits: Option<BitField>,
    value: &'n Node<Expression>,
}

/// Items of one brace level, consumed from the front.
struct Items<'n> {
    list: &'n [Node<InitializerListItem>],
    next: usize,
}

/// A member of an aggregate: where and what.
#[derive(Clone, Copy)]
struct Part {
    offset: u64,
    ty: TypeId,
    bits: Option<BitField>,
}

type Leaves<'n> = Vec<Leaf<'n>>;

/// An aggregate with at most this many bytes is initialised by separate stores.
const MOST_ZERO_STORES: u64 = 64;

impl Unit<'_> {
    /// `int a[] = ...` gets its length from the initialiser.
    pub fn complete_by_initializer(
        &mut self,
        ty: TypeId,
        init: &Node<Initializer>,
    ) -> Result<TypeId> {
        let Type::Array { elem, len: None } = *self.link.types.get(ty) else { return Ok(ty) };
        let len = match self.string_in(init) {
            Some(literal) if self.is_char(elem) => self.string_units(literal).1.len() as u64,
            _ => {
                let mut leaves = Vec::new();
                self.object(Part { offset: 0, ty, bits: None }, &init.node, &mut leaves)?;
                let size = self.link.types.size(elem).unwrap_or(1).max(1);
                leaves.iter().map(|l| l.offset / size + 1).max().unwrap_or(0)
            }
        };
        Ok(self.link.types.intern(Type::Array { elem, len: Some(len) }))
    }

    /// Initialises an automatic object.
    pub fn initialize(&mut self, to: Operand, ty: TypeId, init: &Node<Initializer>) -> Result<()> {
        let span = self.at;
        let mut leaves = Vec::new();
        self.object(Part { offset: 0, ty, bits: None }, &init.node, &mut leaves)?;
        self.at = span;
        if self.link.types.scalar(ty).is_none() {
            self.clear_around(to, ty, &leaves)?;
        }
        for leaf in leaves {
            let addr = self.offset(to, leaf.offset);
            if let Some(literal) = self.string_for(leaf.ty, leaf.value) {
                self.store_string(addr, leaf.ty, literal)?;
                continue;
            }
            let value = self.expr(leaf.value)?;
            self.mark(leaf.value.span);
            let ty = leaf.ty;
            let place = match leaf.bits {
                None => Place::Memory { addr, ty },
                Some(bits) => Place::Bits { addr, ty, bits },
            };
            let value = self.convert(value, ty)?;
            // Initialising an _Atomic object is not an atomic operation.
            match (place, value) {
                (Place::Memory { .. }, Value::Scalar { op, .. }) => {
                    if let Some(scalar) = self.link.types.scalar(ty) {
                        self.store(addr, op, scalar, Order::Plain);
                    }
                }
                _ => self.write(place, value)?,
            }
        }
        Ok(())
    }

    /// Zeroes what the leaves do not cover.
    fn clear_around(&mut self, to: Operand, ty: TypeId, leaves: &Leaves) -> Result<()> {
        let size = self.link.types.size(ty).unwrap_or(0);
        if let [only] = &leaves[..]
            && only.offset == 0
            && only.ty == ty
        {
            return Ok(());
        }
        if size > MOST_ZERO_STORES {
            let zero = Operand::Const { bits: 0, ty: Scalar::I32 };
            self.call_memory("memset", to, zero, size);
            return Ok(());
        }
        let mut covered = vec![false; size as usize];
        for leaf in leaves.iter().filter(|l| l.bits.is_none()) {
            let end = leaf.offset + self.link.types.size(leaf.ty).unwrap_or(0);
            for byte in leaf.offset..end.min(size) {
                covered[byte as usize] = true;
            }
        }
        let mut at = 0;
        while at < size {
            let free = |n: &u64| {
                at % n == 0
                    && at + n <= size
                    && covered[at as usize..(at + n) as usize].iter().all(|c| !c)
            };
            let Some(bytes) = [8, 4, 2, 1].into_iter().find(free) else {
                at += 1;
                continue;
            };
            let scalar = Scalar::Int { bits: bytes as u8 * 8, signed: false };
            let addr = self.offset(to, at);
            let zero = self.scalar_const(0, scalar);
            self.store(addr, zero, scalar, Order::Plain);
            at += bytes;
        }
        Ok(())
    }

    fn store_string(&mut self, to: Operand, ty: TypeId, s: &ast::StringLiteral) -> Result<()> {
        let (elem, mut units) = self.string_units(s);
        let width = self.link.types.size(elem).unwrap_or(1);
        let room = self.link.types.size(ty).unwrap_or(0) / width.max(1);
        units.resize(room as usize, 0);
        let scalar = self.link.types.scalar(elem).unwrap_or(Scalar::U8);
        if room * width > MOST_ZERO_STORES {
            if let Value::Memory { addr, ty: literal } = self.string(s) {
                let size = self.link.types.size(literal).unwrap_or(0).min(room * width);
                let zero = Operand::Const { bits: 0, ty: Scalar::I32 };
                self.call_memory("memset", to, zero, room * width);
                self.call_memory("memcpy", to, addr, size);
            }
            return Ok(());
        }
        for (i, unit) in units.into_iter().enumerate() {
            let addr = self.offset(to, i as u64 * width);
            let value = self.scalar_const(u64::from(unit), scalar);
            self.store(addr, value, scalar, Order::Plain);
        }
        Ok(())
    }

    /// Initialises an object of static storage duration.
    pub fn static_initializer(
        &mut self,
        object: ObjectId,
        ty: TypeId,
        init: &Node<Initializer>,
    ) -> Result<()> {
        let mut leaves = Vec::new();
        self.object(Part { offset: 0, ty, bits: None }, &init.node, &mut leaves)?;
        let ty = self.complete_by_initializer(ty, init)?;
        self.merge_object_type(object, ty);
        // A flexible array member may extend past the type.
        let end = |l: &Leaf| l.offset + self.link.types.size(l.ty).unwrap_or(0);
        let size = leaves.iter().map(end).max().unwrap_or(0);
        let entry = &mut self.link.objects[object.index()];
        entry.size = entry.size.max(size);
        entry.bytes = vec![0; if leaves.is_empty() { 0 } else { entry.size as usize }];
        entry.relocations.clear();
        for leaf in leaves {
            self.static_leaf(object, &leaf)?;
        }
        Ok(())
    }

    fn static_leaf(&mut self, object: ObjectId, leaf: &Leaf) -> Result<()> {
        if let Some(literal) = self.string_for(leaf.ty, leaf.value) {
            let (elem, units) = self.string_units(literal);
            let width = self.link.types.size(elem).unwrap_or(1) as usize;
            let room = self.link.types.size(leaf.ty).unwrap_or(units.len() as u64 * width as u64);
            let bytes = units.iter().flat_map(|u| u.to_le_bytes()[..width].to_vec());
            for (i, byte) in bytes.take(room as usize).enumerate() {
                self.poke(object, leaf.offset + i as u64, &[byte]);
            }
            return Ok(());
        }
        let ty = leaf.ty;
        let value = self.aside(|unit| {
            let value = unit.expr(leaf.value)?;
            unit.mark(leaf.value.span);
            unit.convert(value, ty)
        })?;
        let scalar = self.link.types.scalar(ty);
        match (value, scalar) {
            (Value::Scalar { op: Operand::Const { bits, .. }, .. }, Some(scalar)) => {
                self.poke_constant(object, leaf, scalar, bits);
                Ok(())
            }
            (Value::Scalar { op: op @ (Operand::Object { .. } | Operand::Function(_)), .. }, _) => {
                self.link.objects[object.index()].relocations.push((leaf.offset, op));
                Ok(())
            }
            (Value::Memory { addr: Operand::Object { object: from, offset }, .. }, None) => {
                self.copy_static(object, leaf, from, offset);
                Ok(())
            }
            _ => {
                self.mark(leaf.value.span);
                Err(self.error("this initialiser is not a constant"))
            }
        }
    }

    fn poke(&mut self, object: ObjectId, offset: u64, bytes: &[u8]) {
        let entry = &mut self.link.objects[object.index()];
        for (i, byte) in bytes.iter().enumerate() {
            if let Some(cell) = entry.bytes.get_mut(offset as usize + i) {
                *cell = *byte;
            }
        }
    }

    fn poke_constant(&mut self, object: ObjectId, leaf: &Leaf, scalar: Scalar, bits: u64) {
        let width = scalar.bytes(self.link.types.machine) as usize;
        let Some(field) = leaf.bits else {
            return self.poke(object, leaf.offset, &bits.to_le_bytes()[..width]);
        };
        let entry = &mut self.link.objects[object.index()];
        let mask = u64::MAX >> (64 - field.width);
        for bit in 0..field.width {
            let at = u64::from(field.shift + bit);
            if let Some(cell) = entry.bytes.get_mut((leaf.offset + at / 8) as usize) {
                let set = (bits & mask) >> bit & 1;
                *cell = *cell & !(1 << (at % 8)) | (set as u8) << (at % 8);
            }
        }
    }

    /// A constant compound literal inside a static initialiser: its bytes are known already.
    fn copy_static(&mut self, object: ObjectId, leaf: &Leaf, from: ObjectId, offset: i64) {
        let size = self.link.types.size(leaf.ty).unwrap_or(0);
        let source = self.link.objects[from.index()].clone();
        for i in 0..size {
            let byte = source.bytes.get((offset as u64 + i) as usize).copied().unwrap_or(0);
            self.poke(object, leaf.offset + i, &[byte]);
        }
        let inside = |at: &u64| (offset as u64..offset as u64 + size).contains(at);
        for (at, op) in source.relocations.iter().filter(|(at, _)| inside(at)) {
            let at = leaf.offset + at - offset as u64;
            self.link.objects[object.index()].relocations.push((at, *op));
        }
    }

    /// The one expression of a scalar's initialiser, with or without braces.
    pub fn scalar_initializer(&mut self, init: &Node<Initializer>) -> Result<Value> {
        match &init.node {
            Initializer::Expression(e) => self.expr(e),
            Initializer::List(items) => match items.first() {
                Some(item) => self.scalar_initializer(&item.node.initializer),
                None => {
                    let ty = self.int_type();
                    Ok(Value::Scalar { op: self.bits(0, ty), ty })
                }
            },
        }
    }

    /// GNU and C99 compound literals: an object of the enclosing block, or static at file scope.
    pub fn compound_literal(&mut self, node: &Node<ast::CompoundLiteral>) -> Result<Place> {
        let span = self.mark(node.span);
        let ty = self.type_name(&node.node.type_name)?;
        let init = Initializer::List(node.node.initializer_list.clone());
        let init = Node::new(init, node.span);
        let ty = self.complete_by_initializer(ty, &init)?;
        let Some(size) = self.link.types.size(ty) else {
            return Err(self.error("this compound literal has an incomplete type"));
        };
        if !self.at_file_scope() {
            let addr = self.temp_slot(ty);
            self.initialize(addr, ty, &init)?;
            return Ok(Place::Memory { addr, ty });
        }
        let align = self.link.types.align(ty);
        let object = self.link.add_object(Object {
            name: "<compound literal>".into(),
            ty,
            size,
            align,
            span,
            kind: ObjectKind::Global,
            bytes: Vec::new(),
            relocations: Vec::new(),
        });
        self.static_initializer(object, ty, &init)?;
        Ok(Place::Memory { addr: Operand::Object { object, offset: 0 }, ty })
    }

    /// One object from one initialiser.
    fn object<'n>(
        &mut self,
        part: Part,
        init: &'n Initializer,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        let aggregate = self.is_aggregate(part.ty);
        match init {
            Initializer::Expression(value) => {
                let Part { offset, ty, bits } = part;
                if aggregate
                    && matches!(self.link.types.get(ty), Type::Array { .. })
                    && self.string_for(ty, value).is_none()
                    && !matches!(value.node, Expression::CompoundLiteral(_))
                {
                    self.mark(value.span);
                    return Err(self.error("an array needs a list in braces"));
                }
                out.push(Leaf { offset, ty, bits, value });
                Ok(())
            }
            Initializer::List(list) if !aggregate => match list.first() {
                Some(item) => self.object(part, &item.node.initializer.node, out),
                None => Ok(()),
            },
            Initializer::List(list) => {
                if let [only] = &list[..]
                    && only.node.designation.is_empty()
                    && let Initializer::Expression(e) = &only.node.initializer.node
                    && self.string_for(part.ty, e).is_some()
                {
                    return self.object(part, &only.node.initializer.node, out);
                }
                let mut items = Items { list, next: 0 };
                self.braced(part, &mut items, out)?;
                if items.next < list.len() {
                    self.mark(list[items.next].span);
                    return Err(self.error("more initialisers than members"));
                }
                Ok(())
            }
        }
    }

    /// A whole brace level: designators move the position, everything else goes on from it.
    fn braced<'n>(
        &mut self,
        part: Part,
        items: &mut Items<'n>,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        let mut index = 0;
        while let Some(item) = items.list.get(items.next) {
            let Some((first, rest)) = item.node.designation.split_first() else {
                let Some(member) = self.next_part(part, index) else { return Ok(()) };
                self.member_init(member, items, out)?;
                index += 1;
                continue;
            };
            self.mark(first.span);
            items.next += 1;
            let (from, to) = self.designated(part, &first.node)?;
            for i in from..=to {
                let Some(member) = self.part(part, i) else {
                    return Err(self.error("this designator is out of range"));
                };
                self.designated_init(member, rest, &item.node.initializer.node, out)?;
            }
            if !rest.is_empty()
                && items.list.get(items.next).is_some_and(|i| i.node.designation.is_empty())
            {
                return Err(self.error("initialisers after a nested designator are not supported"));
            }
            index = to + 1;
        }
        Ok(())
    }

    /// The next item for this member; without braces of its own an aggregate takes several.
    fn member_init<'n>(
        &mut self,
        member: Part,
        items: &mut Items<'n>,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        let item = &items.list[items.next];
        let init = &item.node.initializer.node;
        if let Initializer::Expression(e) = init
            && self.is_aggregate(member.ty)
            && !self.initializes_whole(member.ty, e)?
        {
            return self.elided(member, items, out);
        }
        items.next += 1;
        self.object(member, init, out)
    }

    /// An aggregate whose braces were left out: fills its members until it is full.
    fn elided<'n>(
        &mut self,
        part: Part,
        items: &mut Items<'n>,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        let mut index = 0;
        while let Some(item) = items.list.get(items.next) {
            if !item.node.designation.is_empty() {
                return Ok(());
            }
            let Some(member) = self.next_part(part, index) else { return Ok(()) };
            self.member_init(member, items, out)?;
            index += 1;
        }
        Ok(())
    }

    fn designated_init<'n>(
        &mut self,
        part: Part,
        rest: &[Node<ast::Designator>],
        init: &'n Initializer,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        let Some((first, rest)) = rest.split_first() else {
            return self.object(part, init, out);
        };
        let (from, to) = self.designated(part, &first.node)?;
        for i in from..=to {
            let Some(member) = self.part(part, i) else {
                return Err(self.error("this designator is out of range"));
            };
            self.designated_init(member, rest, init, out)?;
        }
        Ok(())
    }

    /// Member numbers that a designator names.
    fn designated(&mut self, part: Part, designator: &ast::Designator) -> Result<(u64, u64)> {
        match designator {
            ast::Designator::Index(e) => {
                let i = self.constant_u64(e)?;
                Ok((i, i))
            }
            ast::Designator::Range(r) => {
                Ok((self.constant_u64(&r.node.from)?, self.constant_u64(&r.node.to)?))
            }
            ast::Designator::Member(id) => {
                let name = &id.node.name;
                let found = match *self.link.types.get(part.ty) {
                    Type::Record(record) => self.member_index(record, name),
                    _ => None,
                };
                match found {
                    Some(i) => Ok((i, i)),
                    None => Err(self.error(format!("there is no member `{name}` here"))),
                }
            }
        }
    }

    /// Position of a named member, or of the anonymous one that contains it. Positions past the
    /// direct members stand for the contents of anonymous ones.
    fn member_index(&self, record: RecordId, name: &str) -> Option<u64> {
        let layout = self.link.types.record(record).layout.as_ref()?;
        let direct = layout.fields.iter().position(|f| f.name.as_deref() == Some(name));
        if let Some(i) = direct {
            return Some(i as u64);
        }
        let inside = self.anonymous_parts(record).iter().position(|p| p.0 == name)?;
        Some((ANONYMOUS + inside) as u64)
    }

    fn anonymous_parts(&self, record: RecordId) -> Vec<(String, Part)> {
        let Some(layout) = &self.link.types.record(record).layout else { return Vec::new() };
        let mut parts = Vec::new();
        for field in layout.fields.iter().filter(|f| f.name.is_none()) {
            let Type::Record(inner) = *self.link.types.get(field.ty) else { continue };
            let Some(layout) = &self.link.types.record(inner).layout else { continue };
            for f in &layout.fields {
                let offset = field.offset + f.offset;
                if let Some(name) = &f.name {
                    parts.push((name.clone(), Part { offset, ty: f.ty, bits: f.bits }));
                }
            }
            for (name, part) in self.anonymous_parts(inner) {
                let offset = field.offset + part.offset;
                parts.push((name, Part { offset, ..part }));
            }
        }
        parts
    }

    /// The member that follows without a designator: a union has only its first.
    fn next_part(&self, of: Part, index: u64) -> Option<Part> {
        match *self.link.types.get(of.ty) {
            Type::Record(r) if self.link.types.record(r).union && index > 0 => None,
            _ => self.part(of, index),
        }
    }

    /// Member number `index`; `None` past the end.
    fn part(&self, of: Part, index: u64) -> Option<Part> {
        match *self.link.types.get(of.ty) {
            Type::Array { elem, len } => {
                let size = self.link.types.size(elem)?;
                let inside = len.is_none_or(|len| index < len);
                let offset = of.offset + index * size;
                inside.then_some(Part { offset, ty: elem, bits: None })
            }
            Type::Record(record) => {
                if index >= ANONYMOUS as u64 {
                    let parts = self.anonymous_parts(record);
                    let part = parts.get(index as usize - ANONYMOUS)?.1;
                    return Some(Part { offset: of.offset + part.offset, ..part });
                }
                let layout = self.link.types.record(record).layout.as_ref()?;
                let field = layout.fields.get(index as usize)?;
                let offset = of.offset + field.offset;
                Some(Part { offset, ty: field.ty, bits: field.bits })
            }
            _ => None,
        }
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.link.types.get(ty), Type::Array { .. } | Type::Record(_))
    }

    /// Does this expression initialise the aggregate as a whole?
    fn initializes_whole(&mut self, ty: TypeId, e: &Node<Expression>) -> Result<bool> {
        if matches!(self.link.types.get(ty), Type::Array { .. }) {
            return Ok(self.string_for(ty, e).is_some());
        }
        Ok(self.type_of(e)? == ty)
    }

    fn is_char(&self, ty: TypeId) -> bool {
        matches!(
            self.link.types.get(ty),
            Type::Int { rank: Rank::Char | Rank::Int | Rank::Short, .. }
        )
    }

    /// The string literal that initialises a character array.
    fn string_for<'n>(&self, ty: TypeId, e: &'n Node<Expression>) -> Option<&'n Vec<String>> {
        let Type::Array { elem, .. } = *self.link.types.get(ty) else { return None };
        match &e.node {
            Expression::StringLiteral(s) if self.is_char(elem) => Some(&s.node),
            _ => None,
        }
    }

    fn string_in<'n>(&self, init: &'n Node<Initializer>) -> Option<&'n Vec<String>> {
        match &init.node {
            Initializer::Expression(e) => match &e.node {
                Expression::StringLiteral(s) => Some(&s.node),
                _ => None,
            },
            Initializer::List(items) => match &items[..] {
                [only] if only.node.designation.is_empty() => {
                    self.string_in(&only.node.initializer)
                }
                _ => None,
            },
        }
    }
}

/// Member numbers from here on name the contents of anonymous members.
const ANONYMOUS: usize = 1 << 20;
