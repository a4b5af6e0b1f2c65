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

/// An initialiser without its node.
#[derive(Clone, Copy)]
pub(crate) enum Init<'n> {
    One(&'n Node<Expression>),
    List(&'n [Node<InitializerListItem>]),
}

impl<'n> From<&'n Node<Initializer>> for Init<'n> {
    fn from(node: &'n Node<Initializer>) -> Init<'n> {
        match &node.node {
            Initializer::Expression(e) => Init::One(e),
            Initializer::List(list) => Init::List(list),
        }
    }
}

/// An aggregate that is being filled, and the number of the member that comes next.
#[derive(Clone)]
struct Level {
    part: Part,
    next: u64,
    /// A union takes one member.
    full: bool,
}

/// A member of an aggregate: where and what.
#[derive(Clone, Copy)]
struct Part {
    offset: u64,
    ty: TypeId,
    bits: Option<BitField>,
}

type Leaves<'n> = Vec<Leaf<'n>>;

/// Limits for ranges and indices in designators; no program that is written by hand gets there.
const MOST_LEAVES: usize = 1 << 22;
const MOST_BYTES: u64 = 1 << 28;

/// The name of a static object that a compound literal at file scope is.
const COMPOUND_LITERAL: &str = "<compound literal>";

impl Level {
    fn new(part: Part) -> Level {
        Level { part, next: 0, full: false }
    }

    /// Goes on at this member.
    fn seek(&mut self, index: u64) {
        self.next = index;
        self.full = false;
    }
}

/// An aggregate with at most this many bytes is initialised by separate stores.
const MOST_ZERO_STORES: u64 = 64;

impl Unit<'_> {
    /// `int a[] = ...` gets its length from the initialiser.
    pub fn complete_by_initializer(&mut self, ty: TypeId, init: Init) -> Result<TypeId> {
        let Type::Array { elem, len: None } = *self.link.types.get(ty) else { return Ok(ty) };
        let len = match self.string_in(init) {
            Some(literal) if self.is_char(elem) => self.string_units(literal).1.len() as u64,
            _ => {
                let mut leaves = Vec::new();
                self.object(Part { offset: 0, ty, bits: None }, init, &mut leaves)?;
                let size = self.link.types.size(elem).unwrap_or(1).max(1);
                leaves.iter().map(|l| l.offset / size + 1).max().unwrap_or(0)
            }
        };
        Ok(self.link.types.intern(Type::Array { elem, len: Some(len) }))
    }

    /// Initialises an automatic object.
    pub fn initialize(&mut self, to: Operand, ty: TypeId, init: Init) -> Result<()> {
        let span = self.at;
        let mut leaves = Vec::new();
        self.object(Part { offset: 0, ty, bits: None }, init, &mut leaves)?;
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
    pub fn static_initializer(&mut self, object: ObjectId, ty: TypeId, init: Init) -> Result<()> {
        let ty = self.complete_by_initializer(ty, init)?;
        let mut leaves = Vec::new();
        self.object(Part { offset: 0, ty, bits: None }, init, &mut leaves)?;
        self.merge_object_type(object, ty);
        // A flexible array member may extend past the type.
        let end = |l: &Leaf| l.offset + self.link.types.size(l.ty).unwrap_or(0);
        let size = leaves.iter().map(end).max().unwrap_or(0);
        let entry = &mut self.link.objects[object.index()];
        entry.size = entry.size.max(size);
        // The rest is zero anyway: `int a[1 << 28] = { 1 }` is cheap.
        if size > MOST_BYTES {
            return Err(self.error("this initialiser is too large"));
        }
        entry.bytes = vec![0; size as usize];
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
        let value = self.settled(|unit| {
            let value = unit.expr(leaf.value)?;
            unit.mark(leaf.value.span);
            unit.convert(value, ty)
        })?;
        let scalar = self.link.types.scalar(ty);
        let word = self.link.types.machine.pointer_bytes();
        match (value, scalar) {
            (Some(Value::Scalar { op: Operand::Const { bits, .. }, .. }), Some(scalar)) => {
                self.forget_relocations(object, leaf);
                self.poke_constant(object, leaf, scalar, bits);
                Ok(())
            }
            (
                Some(Value::Scalar {
                    op: op @ (Operand::Object { .. } | Operand::Function(_)),
                    ..
                }),
                Some(scalar),
            ) if scalar.bytes(self.link.types.machine) == word && leaf.bits.is_none() => {
                self.forget_relocations(object, leaf);
                self.link.objects[object.index()].relocations.push((leaf.offset, op));
                Ok(())
            }
            (Some(Value::Memory { addr: Operand::Object { object: from, offset }, .. }), None)
                if self.link.objects[from.index()].name == COMPOUND_LITERAL =>
            {
                self.forget_relocations(object, leaf);
                self.copy_static(object, leaf, from, offset);
                Ok(())
            }
            _ => {
                self.mark(leaf.value.span);
                Err(self.error("this initialiser is not a constant"))
            }
        }
    }

    /// A later initialiser of the same part takes the place of an earlier one.
    fn forget_relocations(&mut self, object: ObjectId, leaf: &Leaf) {
        let end = leaf.offset + self.link.types.size(leaf.ty).unwrap_or(0);
        let relocations = &mut self.link.objects[object.index()].relocations;
        // Nearly always the parts come in order, and there is nothing to look for.
        if relocations.last().is_some_and(|(at, _)| *at >= leaf.offset) {
            relocations.retain(|(at, _)| !(leaf.offset..end).contains(at));
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
    pub fn scalar_initializer(&mut self, init: Init) -> Result<Value> {
        match init {
            Init::One(e) => self.expr(e),
            Init::List([]) => {
                let ty = self.int_type();
                Ok(Value::Scalar { op: self.bits(0, ty), ty })
            }
            Init::List([only]) => self.scalar_initializer((&*only.node.initializer).into()),
            Init::List([_, second, ..]) => {
                self.mark(second.span);
                Err(self.error("more initialisers than members"))
            }
        }
    }

    /// GNU and C99 compound literals: an object of the enclosing block, or static at file scope.
    pub fn compound_literal(&mut self, node: &Node<ast::CompoundLiteral>) -> Result<Place> {
        let span = self.mark(node.span);
        let ty = self.type_name(&node.node.type_name)?;
        let init = Init::List(&node.node.initializer_list);
        let ty = self.complete_by_initializer(ty, init)?;
        let Some(size) = self.link.types.size(ty) else {
            return Err(self.error("this compound literal has an incomplete type"));
        };
        if !self.at_file_scope() {
            let addr = self.temp_slot(ty);
            self.initialize(addr, ty, init)?;
            return Ok(Place::Memory { addr, ty });
        }
        let align = self.link.types.align(ty);
        let object = self.link.add_object(Object {
            name: COMPOUND_LITERAL.into(),
            ty,
            size,
            align,
            span,
            kind: ObjectKind::Global,
            bytes: Vec::new(),
            relocations: Vec::new(),
        });
        self.static_initializer(object, ty, init)?;
        Ok(Place::Memory { addr: Operand::Object { object, offset: 0 }, ty })
    }

    /// One object from one initialiser.
    fn object<'n>(&mut self, part: Part, init: Init<'n>, out: &mut Leaves<'n>) -> Result<()> {
        match init {
            Init::One(value) => self.whole(part, value, out),
            Init::List([only])
                if only.node.designation.is_empty() && self.takes_as_whole(part, only) =>
            {
                self.object(part, (&*only.node.initializer).into(), out)
            }
            Init::List([]) => Ok(()),
            Init::List([_, second, ..]) if !self.is_aggregate(part.ty) => {
                self.mark(second.span);
                Err(self.error("more initialisers than members"))
            }
            Init::List(list) => {
                let mut levels = vec![Level::new(part)];
                for item in list {
                    self.item(&mut levels, item, out)?;
                }
                Ok(())
            }
        }
    }

    /// A scalar in braces, or a string for a character array in braces.
    fn takes_as_whole(&self, part: Part, item: &Node<InitializerListItem>) -> bool {
        match (&*item.node.initializer).into() {
            _ if !self.is_aggregate(part.ty) => true,
            Init::One(e) => self.string_for(part.ty, e).is_some(),
            Init::List(_) => false,
        }
    }

    /// An object from one expression.
    fn whole<'n>(
        &mut self,
        part: Part,
        value: &'n Node<Expression>,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        let Part { offset, mut ty, bits } = part;
        if let Type::Array { elem, len } = *self.link.types.get(ty) {
            match self.string_for(ty, value) {
                // A flexible array member is as long as its string.
                Some(literal) if len.is_none() => {
                    let len = Some(self.string_units(literal).1.len() as u64);
                    ty = self.link.types.intern(Type::Array { elem, len });
                }
                Some(_) => {}
                None if matches!(value.node, Expression::CompoundLiteral(_)) => {}
                None => {
                    self.mark(value.span);
                    return Err(self.error("an array needs a list in braces"));
                }
            }
        }
        if out.len() == MOST_LEAVES {
            return Err(self.error("this initialiser is too large"));
        }
        out.push(Leaf { offset, ty, bits, value });
        Ok(())
    }

    /// One item of a list in braces: its designators move the position, then it initialises what
    /// stands there, and the position moves on (C11 6.7.9).
    fn item<'n>(
        &mut self,
        levels: &mut Vec<Level>,
        item: &'n Node<InitializerListItem>,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        if !item.node.designation.is_empty() {
            levels.truncate(1);
            self.designate(levels, &item.node.designation, item, out)?;
        }
        self.fill(levels, item, out)
    }

    /// Moves the position to what the designators name. Of a range, all but the last is initialised
    /// here.
    fn designate<'n>(
        &mut self,
        levels: &mut Vec<Level>,
        designators: &[Node<ast::Designator>],
        item: &'n Node<InitializerListItem>,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        let Some((first, rest)) = designators.split_first() else { return Ok(()) };
        self.mark(first.span);
        let at = self.at;
        let (from, to) = match &first.node {
            ast::Designator::Member(id) => {
                return self.designate_member(levels, &id.node.name, rest, item, out);
            }
            ast::Designator::Index(e) => {
                let i = self.constant_u64(e)?;
                (i, i)
            }
            ast::Designator::Range(r) => {
                (self.constant_u64(&r.node.from)?, self.constant_u64(&r.node.to)?)
            }
        };
        self.at = at;
        let is_array = levels
            .last()
            .is_some_and(|l| matches!(self.link.types.get(l.part.ty), Type::Array { .. }));
        if !is_array || from > to {
            return Err(self.error("this designator does not fit here"));
        }
        for i in from..to {
            let mut one = levels.clone();
            self.step_in(&mut one, i, rest.is_empty())?;
            self.designate(&mut one, rest, item, out)?;
            self.fill(&mut one, item, out)?;
        }
        self.step_in(levels, to, rest.is_empty())?;
        self.designate(levels, rest, item, out)
    }

    /// A designator `.name`, which may lie inside of anonymous members.
    fn designate_member<'n>(
        &mut self,
        levels: &mut Vec<Level>,
        name: &str,
        rest: &[Node<ast::Designator>],
        item: &'n Node<InitializerListItem>,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        let part = levels.last().map(|l| l.part);
        let path = match part.map(|p| self.link.types.get(p.ty)) {
            Some(Type::Record(record)) => self.member_path(*record, name),
            _ => None,
        };
        let Some(path) = path else {
            return Err(self.error(format!("there is no member `{name}` here")));
        };
        for (i, &index) in path.iter().enumerate() {
            let last = i + 1 == path.len();
            self.step_in(levels, index, last && rest.is_empty())?;
        }
        self.designate(levels, rest, item, out)
    }

    /// Makes member `index` the next one, or if more designators follow, the one to be filled.
    fn step_in(&mut self, levels: &mut Vec<Level>, index: u64, last: bool) -> Result<()> {
        let Some(level) = levels.last_mut() else { return Ok(()) };
        level.seek(index);
        let Some(inner) = self.part(level.part, index) else {
            return Err(self.error("this designator is out of range"));
        };
        if !last {
            self.take(level);
            levels.push(Level::new(inner));
        }
        Ok(())
    }

    /// The member at the level's position, which then moves on. `None`: the aggregate is full.
    fn take(&self, level: &mut Level) -> Option<Part> {
        let part = self.part(level.part, level.next).filter(|_| !level.full)?;
        level.next += 1;
        level.full = matches!(*self.link.types.get(level.part.ty), Type::Record(r)
            if self.link.types.record(r).union);
        Some(part)
    }

    /// Initialises the next member with this item; an aggregate whose braces were left out takes
    /// it for its own first member.
    fn fill<'n>(
        &mut self,
        levels: &mut Vec<Level>,
        item: &'n Node<InitializerListItem>,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        let init = (&*item.node.initializer).into();
        while let Some(level) = levels.last_mut() {
            let Some(member) = self.take(level) else {
                levels.pop();
                continue;
            };
            if let Init::One(e) = init
                && self.is_aggregate(member.ty)
                && !self.initializes_whole(member.ty, e)?
            {
                levels.push(Level::new(member));
                continue;
            }
            // Braces below the first level end what they initialise.
            return self.object(member, init, out);
        }
        self.mark(item.span);
        Err(self.error("more initialisers than members"))
    }

    /// Positions that lead to a named member, through the anonymous ones that contain it.
    fn member_path(&self, record: RecordId, name: &str) -> Option<Vec<u64>> {
        let layout = self.link.types.record(record).layout.as_ref()?;
        for (i, field) in layout.fields.iter().enumerate() {
            match (&field.name, self.link.types.get(field.ty)) {
                (Some(own), _) if own == name => return Some(vec![i as u64]),
                (None, Type::Record(inner)) => {
                    if let Some(mut path) = self.member_path(*inner, name) {
                        path.insert(0, i as u64);
                        return Some(path);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Member number `index`; `None` past the end.
    fn part(&self, of: Part, index: u64) -> Option<Part> {
        match *self.link.types.get(of.ty) {
            Type::Array { elem, len } => {
                let size = self.link.types.size(elem)?;
                let inside = len.is_none_or(|len| index < len);
                let offset = of.offset.checked_add(index.checked_mul(size)?)?;
                inside.then_some(Part { offset, ty: elem, bits: None })
            }
            Type::Record(record) => {
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
        let other = match &e.node {
            // Quickly, and without lowering twice what may nest.
            Expression::Constant(_) | Expression::StringLiteral(_) => return Ok(false),
            Expression::CompoundLiteral(c) => self.type_name(&c.node.type_name)?,
            _ => self.type_of(e)?,
        };
        Ok(self.link.types.strip_atomic(other) == ty)
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

    fn string_in<'n>(&self, init: Init<'n>) -> Option<&'n Vec<String>> {
        match init {
            Init::One(e) => match &e.node {
                Expression::StringLiteral(s) => Some(&s.node),
                _ => None,
            },
            Init::List([only]) if only.node.designation.is_empty() => {
                self.string_in((&*only.node.initializer).into())
            }
            Init::List(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{error, has, hasnt, ir, object, program, value};

    fn bytes(text: &str) -> String {
        object(&program(text), "x")
    }

    #[test]
    fn elided_braces() {
        assert_eq!(
            bytes("int x[2][2] = {1, 2, 3};"),
            "global int [2] [2], 16 bytes = [01 00 00 00 02 00 00 00 03]"
        );
        assert_eq!(
            bytes("struct { char a[2], b; } x[] = {1, 2, 3, 4};").split(", ").nth(1),
            Some("6 bytes = [01 02 03 04]")
        );
        assert_eq!(
            bytes("struct { struct { char a, b; } s; char c; } x = {{1}, 2};"),
            "global struct <anonymous>, 3 bytes = [01 00 02]"
        );
        assert_eq!(
            bytes("char x[2][2] = {{1}, 2, 3};"),
            "global char [2] [2], 4 bytes = [01 00 02 03]"
        );
        assert_eq!(error("int x[2] = {1, 2, 3};"), "1:19: more initialisers than members");
        assert_eq!(error("int x = {1, 2};"), "1:13: more initialisers than members");
    }

    #[test]
    fn designators() {
        assert_eq!(
            bytes("char x[] = {[2] = 1, 2, [0] = 3};"),
            "global char [4], 4 bytes = [03 00 01 02]"
        );
        assert_eq!(
            bytes("char x[5] = {[1 ... 3] = 7, 8};"),
            "global char [5], 5 bytes = [00 07 07 07 08]"
        );
        assert_eq!(
            bytes("struct s { char a, b, c; } x = {.b = 1, 2};"),
            "global struct s, 3 bytes = [00 01 02]"
        );
        assert_eq!(
            bytes("struct s { char a; union { char b; short h; }; } x = {.h = 258};"),
            "global struct s, 4 bytes = [00 00 02 01]"
        );
        assert_eq!(
            bytes("union u { char a; short b; } x = {.b = 258};"),
            "global union u, 2 bytes = [02 01]"
        );
        for (text, message) in [
            ("int x[2] = {[2] = 1};", "1:13: this designator is out of range"),
            ("int x[2] = {.a = 1};", "1:13: there is no member `a` here"),
            ("struct s { int a; } x = {[0] = 1};", "1:26: this designator does not fit here"),
            ("int x[9] = {[3 ... 2] = 1};", "1:13: this designator does not fit here"),
        ] {
            assert_eq!(error(text), message);
        }
    }

    /// C11 6.7.9 paragraph 17: a plain initialiser goes on behind the designated subobject.
    #[test]
    fn plain_initialisers_go_on_after_nested_designators() {
        let s = "struct { char a[2]; struct { char b, c; } s; char d; }";
        assert_eq!(
            bytes(&format!("{s} x = {{.s.b = 1, 2, 3}};")),
            "global struct <anonymous>, 5 bytes = [00 00 01 02 03]"
        );
        assert_eq!(
            bytes(&format!("{s} x = {{.a[1] = 1, 2, 3, 4}};")),
            "global struct <anonymous>, 5 bytes = [00 01 02 03 04]"
        );
        assert_eq!(
            bytes(&format!("{s} x = {{.a = 1, 2, 3}};")),
            "global struct <anonymous>, 5 bytes = [01 02 03]"
        );
        assert_eq!(
            bytes("char x[3][2] = {[1][1] = 1, 2};"),
            "global char [2] [3], 6 bytes = [00 00 00 01 02]"
        );
        assert_eq!(
            bytes("struct { char a, b; } x[3] = {[0 ... 1].b = 5, 6};").split(" = ").nth(1),
            Some("[00 05 00 05 06]")
        );
        let anonymous = "struct { union { char a; char b; }; char c; } x = {.b = 1, 2};";
        assert_eq!(bytes(anonymous).split(" = ").nth(1), Some("[01 02]"));
    }

    #[test]
    fn strings() {
        assert_eq!(bytes("char x[3] = \"abc\";"), "global char [3], 3 bytes = \"abc\"");
        assert_eq!(bytes("char x[] = {\"ab\"};"), "global char [3], 3 bytes = \"ab\"");
        assert_eq!(
            bytes("char x[2][3] = {\"a\", \"bc\"};"),
            "global char [3] [2], 6 bytes = [61 00 00 62 63]"
        );
        assert_eq!(
            bytes("struct { int n; char s[]; } x = {1, \"abc\"};"),
            "global struct <anonymous>, 8 bytes = [01 00 00 00 61 62 63]"
        );
        let p = program("char *x[] = {\"a\", 0, \"b\"};");
        assert_eq!(object(&p, "x"), "global char * [3], 24 bytes = zero +0: @\"a\" +16: @\"b\"");
        has(
            &ir("void g(char *); void f(void) { char s[4] = \"ab\"; g(s); }"),
            &[
                "store i8 $s.0, 97",
                "store i8 $s.0+1, 98",
                "store i8 $s.0+2, 0",
                "store i8 $s.0+3, 0",
            ],
        );
        assert_eq!(error("char s[3] = 5;"), "1:13: an array needs a list in braces");
    }

    #[test]
    fn flexible_arrays_extend_the_object() {
        assert_eq!(
            bytes("struct { char n; char a[]; } x = {1, {2, 3}};"),
            "global struct <anonymous>, 3 bytes = [01 02 03]"
        );
    }

    #[test]
    fn addresses_in_static_initialisers() {
        let relocated = |text: &str| object(&program(text), "x");
        assert!(relocated("int y[4]; int *x = &y[2];").ends_with("+0: @y+8"));
        assert!(relocated("int y[4]; int *x = y + 1;").ends_with("+0: @y+4"));
        assert!(
            relocated("void f(void); void (*x)(void) = f; void f(void) {}").ends_with("+0: &f")
        );
        assert!(relocated("struct { int a, b; } y; int *x = &y.b;").ends_with("+0: @y+4"));
        assert!(relocated("int y; long x = (long)&y;").ends_with("+0: @y"));
        assert!(relocated("int y; char *x = (char *)&y + 2;").ends_with("+0: @y+2"));
        assert!(relocated("extern int y[]; int *x = &y[3];").ends_with("+0: @y+12"));
        assert!(relocated("int *x = (int[]){1, 2};").ends_with("+0: @<compound literal>"));
        assert!(
            relocated("struct s *x; struct s { struct s *n; } y = {&y}; struct s *x = &y;")
                .ends_with("+0: @y")
        );
        // A later initialiser of the same part wins.
        assert_eq!(
            relocated("int y; int *x[1] = {[0] = &y, [0] = 0};"),
            "global int * [1], 8 bytes = zero"
        );
        assert!(relocated("int y, z; int *x[1] = {[0] = &y, [0] = &z};").ends_with("zero +0: @z"));
        for text in [
            "int y; int x = y;",
            "int f(void); int x = f();",
            "struct s { int a; } y; struct s x = y;",
            "int y; char x = (char)(long)&y;",
        ] {
            assert!(error(text).contains("this initialiser is not a constant"), "{text}");
        }
    }

    #[test]
    fn static_constants_may_overflow() {
        assert_eq!(bytes("int x = 1 << 31;"), "global int, 4 bytes = [00 00 00 80]");
        assert_eq!(bytes("int x = 2147483647 + 1;"), "global int, 4 bytes = [00 00 00 80]");
        assert_eq!(
            bytes("double x = 1 / 2.0;"),
            "global double, 8 bytes = [00 00 00 00 00 00 e0 3f]"
        );
        assert_eq!(
            bytes("struct { int a : 4; int b : 4; } x = {-1, 3};"),
            "global struct <anonymous>, 4 bytes = [3f]"
        );
        assert_eq!(bytes("_Bool x = 7;"), "global _Bool, 1 bytes = [01]");
    }

    #[test]
    fn automatic_aggregates_are_cleared_around_their_initialisers() {
        let text = "struct s { int a, b, c; }; void g(struct s *); void f(int n) { struct s x = {.b = n}; g(&x); }";
        has(
            &ir(text),
            &["live $x.0", "store u32 $x.0, 0", "store u32 $x.0+8, 0", "store i32 $x.0+4, n.0"],
        );
        let text = "void g(int *); void f(void) { int x[100] = {1}; g(x); }";
        has(&ir(text), &["call memset($x.0, 0, 400)", "store i32 $x.0, 1"]);
        hasnt(
            &ir(
                "struct s { int a; } y; void g(struct s *); void f(void) { struct s x = y; g(&x); }",
            ),
            &[", 0"],
        );
    }

    #[test]
    fn structs_initialise_struct_members_as_a_whole() {
        let text = "struct s { int a, b; }; struct t { struct s s; int c; } h; void g(struct t *); \
                    void f(struct s s) { struct t x = {s, 3}; g(&x); }";
        has(&ir(text), &["store i32 $x.1,", "store i32 $x.1+4,", "store i32 $x.1+8, 3"]);
    }

    #[test]
    fn compound_literals_live_in_their_block() {
        let text = "struct s { int a, b; }; void g(struct s *); void f(int n) { { g(&(struct s){n}); } n = 1; }";
        has(
            &ir(text),
            &[
                "live $0",
                "store u32 $0+4, 0",
                "store i32 $0, n.0",
                "call g($0)",
                "dead $0",
                "n.0 = 1",
            ],
        );
        assert_eq!(value("", "sizeof((int[]){1, 2, 3})"), 12);
    }

    #[test]
    fn initialising_an_atomic_variable_is_not_atomic() {
        has(
            &ir("void g(_Atomic int *); void f(void) { _Atomic int x = 1; g(&x); x = 2; }"),
            &["store i32 $x.0, 1\n", "store i32 $x.0, 2 seq_cst"],
        );
    }
}
