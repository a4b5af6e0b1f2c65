//! Initialisers: the flat list of leaves that `brace` makes of them, to stores or to bytes.

use super::brace::{Init, Subobject};
use super::leaves::{Leaf, Leaves};
use super::place::Lvalue;
use super::sequence::{EvaluatedOperand, Got, Wanted};
use super::wide::WidePair;
use super::{Result, Unit, Value};
use ir::types::{Rank, Scalar, Type, TypeId};
use ir::*;
use lang_c::ast::{self, Expression};
use lang_c::span::Node;
use rustc_hash::FxHashMap;

/// Limit for indices in designators; no program that is written by hand gets there.
const MOST_BYTES: u64 = 1 << 28;

/// The name of a static object that a compound literal at file scope is.
const COMPOUND_LITERAL: &str = "<compound literal>";

/// C says both that the whole is initialised by one expression and that its rest is zero.
const TORN: &str = "an initialiser for a part of what another one has initialised";

/// An aggregate with at most this many bytes is initialised by separate stores.
const MOST_ZERO_STORES: u64 = 64;

impl Unit<'_> {
    /// `int a[] = ...` gets its length from the initialiser.
    pub(crate) fn complete_by_initializer(&mut self, ty: TypeId, init: Init) -> Result<TypeId> {
        let Type::Array { elem, len: None } = *self.link.types.get(ty) else { return Ok(ty) };
        let len = match self.string_in(init) {
            Some(literal) if self.is_char(elem) => self.string_units(literal).1.len() as u64,
            _ => {
                let mut leaves = Leaves::default();
                self.object(Subobject { offset: 0, ty, bits: None }, init, &mut leaves)?;
                let size = self.link.types.size(elem).unwrap_or(1).max(1);
                leaves.last().map_or(0, |last| last / size + 1)
            }
        };
        Ok(self.link.types.intern(Type::Array { elem, len: Some(len) }))
    }

    /// Initialises an automatic object.
    pub(crate) fn initialize(&mut self, to: Operand, ty: TypeId, init: Init) -> Result<()> {
        let span = self.at;
        let mut leaves = Leaves::default();
        self.object(Subobject { offset: 0, ty, bits: None }, init, &mut leaves)?;
        self.at = span;
        if self.link.types.scalar(ty).is_none() {
            if let (Some(what), false) = (self.link.types.strangeness(ty), leaves.is_empty()) {
                self.emit(InstKind::Unsupported { what: what.into() });
            }
            if leaves.torn() {
                self.emit(InstKind::Unsupported { what: TORN.into() });
            }
            self.clear_around(to, ty, &leaves)?;
        }
        // `[0 ... 3] = f()` calls once.
        let mut known: FxHashMap<*const Node<Expression>, Value> = FxHashMap::default();
        let mut done = Vec::new();
        for leaf in leaves {
            let addr = self.offset(to, leaf.offset);
            if let Some(literal) = self.string_for(leaf.ty, leaf.value) {
                self.store_string(addr, leaf.ty, literal)?;
                continue;
            }
            let value = match known.get(&std::ptr::from_ref(leaf.value)) {
                Some(value) => *value,
                None => {
                    let from = self.f.mark_here();
                    let value = self.expr(leaf.value)?;
                    let (got, to) = (Got::Value(value), self.f.mark_here());
                    done.push(EvaluatedOperand { wanted: Wanted::Value, got, from, to });
                    value
                }
            };
            known.insert(leaf.value, value);
            self.mark(leaf.value.span);
            let ty = leaf.ty;
            let place = match leaf.bits {
                None => Lvalue::Memory { addr, ty },
                Some(bits) => Lvalue::Bits { addr, ty, bits },
            };
            let value = self.convert(value, ty)?;
            // Initialising an _Atomic object is not an atomic operation.
            match (place, value) {
                (Lvalue::Memory { .. }, Value::Scalar { op, .. }) => {
                    if let Some(scalar) = self.link.types.scalar(ty) {
                        self.store(addr, op, scalar, MemoryOrder::Plain);
                    }
                }
                (Lvalue::Memory { addr, .. }, Value::Wide { lo, hi, .. }) => {
                    self.store_pair(addr, WidePair { lo, hi }, MemoryOrder::Plain);
                }
                (Lvalue::Memory { addr, .. }, Value::Memory { addr: from, .. }) => {
                    let ty = self.link.types.strip_atomic(ty);
                    self.copy(addr, from, ty)?;
                }
                _ => self.write(place, value)?,
            }
        }
        self.at = span;
        self.compare_initialisers(&done);
        Ok(())
    }

    /// Zeroes what the leaves do not cover.
    fn clear_around(&mut self, to: Operand, ty: TypeId, leaves: &Leaves) -> Result<()> {
        let size = self.link.types.size(ty).unwrap_or(0);
        if leaves.len() == 1
            && let Some(only) = leaves.iter().next()
            && only.offset == 0
            && self.link.types.plain(only.ty) == self.link.types.plain(ty)
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
            self.store(addr, zero, scalar, MemoryOrder::Plain);
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
            self.store(addr, value, scalar, MemoryOrder::Plain);
        }
        Ok(())
    }

    /// Initialises an object of static storage duration.
    pub(crate) fn static_initializer(
        &mut self,
        object: ObjectId,
        ty: TypeId,
        init: Init,
    ) -> Result<()> {
        let ty = self.complete_by_initializer(ty, init)?;
        let mut leaves = Leaves::default();
        self.object(Subobject { offset: 0, ty, bits: None }, init, &mut leaves)?;
        self.merge_object_type(object, ty);
        if let (Some(what), false) = (self.link.types.strangeness(ty), leaves.is_empty()) {
            self.link.bindings.no_model(object, what.into());
        }
        if leaves.torn() {
            self.link.bindings.no_model(object, TORN.into());
        }
        // A flexible array member may extend past the type.
        let end = |l: &Leaf| match l.bits {
            Some(bits) => l.offset + u64::from(bits.bytes),
            None => l.offset + self.link.types.size(l.ty).unwrap_or(0),
        };
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
        self.note_overflow();
        let scalar = self.link.types.scalar(ty);
        let word = self.link.types.machine.pointer_bytes();
        match (value, scalar) {
            (Some(Value::Scalar { op: Operand::Const { bits, .. }, .. }), Some(scalar)) => {
                self.forget_relocations(object, leaf);
                self.poke_constant(object, leaf, scalar, bits);
                Ok(())
            }
            (
                Some(Value::Wide {
                    lo: Operand::Const { bits: lo, .. },
                    hi: Operand::Const { bits: hi, .. },
                    ..
                }),
                _,
            ) => {
                self.forget_relocations(object, leaf);
                self.poke(object, leaf.offset, &lo.to_le_bytes());
                self.poke(object, leaf.offset + 8, &hi.to_le_bytes());
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
            (
                Some(value @ Value::Memory { addr: Operand::Object { object: from, offset }, .. }),
                None,
            ) if self.link.objects[from.index()].name == COMPOUND_LITERAL
                || self.is_constant_object(value) =>
            {
                self.forget_relocations(object, leaf);
                self.copy_static(object, leaf, from, offset);
                Ok(())
            }
            _ if self.is_wide(ty) => {
                let name = self.link.types.name(ty);
                self.link.bindings.no_model(object, format!("an initialiser of `{name}`"));
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
            let at = u64::from(field.shift) + u64::from(bit);
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
    pub(crate) fn scalar_initializer(&mut self, init: Init) -> Result<Value> {
        match init {
            Init::One(e) => self.expr(e),
            Init::List([]) => {
                let ty = self.int_type();
                Ok(Value::Scalar { op: self.bits(0, ty), ty })
            }
            Init::List([first, ..]) => self.scalar_initializer((&*first.node.initializer).into()),
        }
    }

    /// GNU and C99 compound literals: an object of the enclosing block, or static at file scope.
    pub(crate) fn compound_literal(&mut self, node: &Node<ast::CompoundLiteral>) -> Result<Lvalue> {
        let span = self.mark(node.span);
        let ty = self.type_name(&node.node.type_name)?;
        let init = Init::List(&node.node.initializer_list);
        let ty = self.complete_by_initializer(ty, init)?;
        let Some(size) = self.link.types.size(ty) else {
            return Err(self.error("this compound literal has an incomplete type"));
        };
        let align = self.link.types.align(ty);
        self.link.constants.count += usize::from(self.link.types.is_constant(ty));
        if !self.at_file_scope() {
            let info = SlotInfo { name: None, ty, size, align, span };
            let slot = self.f.slot(info);
            let addr = Operand::Slot { slot, offset: 0 };
            self.set_constant(slot, ty, false);
            self.initialize(addr, ty, init)?;
            self.set_constant(slot, ty, true);
            return Ok(Lvalue::Memory { addr, ty });
        }
        let object = self.link.add_object(Object {
            name: COMPOUND_LITERAL.into(),
            ty,
            size,
            align,
            span,
            kind: match self.link.types.is_constant(ty) {
                true => ObjectKind::Constant,
                false => ObjectKind::Global,
            },
            bytes: Vec::new(),
            relocations: Vec::new(),
        });
        self.static_initializer(object, ty, init)?;
        Ok(Lvalue::Memory { addr: Operand::Object { object, offset: 0 }, ty })
    }

    fn is_char(&self, ty: TypeId) -> bool {
        matches!(
            self.link.types.get(ty),
            Type::Int { rank: Rank::SignedChar | Rank::Char | Rank::Int | Rank::Short, .. }
        )
    }

    /// The string literal that initialises a character array.
    pub(crate) fn string_for<'n>(
        &self,
        ty: TypeId,
        e: &'n Node<Expression>,
    ) -> Option<&'n Vec<String>> {
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
    fn strings() {
        assert_eq!(bytes("char x[3] = \"abc\";"), "global char [3], 3 bytes = \"abc\"");
        assert_eq!(bytes("char x[] = {\"ab\"};"), "global char [3], 3 bytes = \"ab\"");
        assert_eq!(
            bytes("char x[2][3] = {\"a\", \"bc\"};"),
            "global char [2][3], 6 bytes = [61 00 00 62 63]"
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
