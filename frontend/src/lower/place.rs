//! Places: what an lvalue designates, how it is read, written and copied.

use super::layout::{FieldPiece, pieces};
use super::scope::Symbol;
use super::wide::WidePair;
use super::{Hint, Result, Unit, Value};
use ir::types::{
    BitField, FOREIGN, Qualifiers, REVERSED, Rank, Record, RecordId, Scalar, Type, TypeId,
};
use ir::*;
use lang_c::ast;
use lang_c::span::Node;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Lvalue {
    Register { reg: Reg, ty: TypeId },
    Memory { addr: Operand, ty: TypeId },
    Bits { addr: Operand, ty: TypeId, bits: BitField },
}

impl Lvalue {
    pub fn ty(self) -> TypeId {
        match self {
            Lvalue::Register { ty, .. } | Lvalue::Memory { ty, .. } | Lvalue::Bits { ty, .. } => ty,
        }
    }
}

impl Unit<'_> {
    pub fn place(&mut self, node: &Node<ast::Expression>) -> Result<Lvalue> {
        if let Some(place) = self.try_place(node)? {
            return Ok(place);
        }
        match self.expr(node)? {
            Value::Memory { addr, ty } => Ok(Lvalue::Memory { addr, ty }),
            _ => {
                self.mark(node.span);
                Err(self.error("this is a value, not something that has an address"))
            }
        }
    }

    /// The place that an expression designates; `None` if it is not of that kind.
    pub(crate) fn try_place(&mut self, node: &Node<ast::Expression>) -> Result<Option<Lvalue>> {
        use ast::Expression as E;
        match &node.node {
            E::Identifier(id) => self.name_place(&id.node.name, node),
            E::Member(member) => self.member_place(member).map(Some),
            E::StringLiteral(s) => {
                self.mark(node.span);
                match self.string(&s.node) {
                    Value::Memory { addr, ty } => Ok(Some(Lvalue::Memory { addr, ty })),
                    _ => Ok(None),
                }
            }
            E::Call(call) if is_complex_part(&call.node) => {
                self.arguments(&call.node.arguments)?;
                self.mark(node.span);
                Ok(Some(self.complex_part()))
            }
            E::CompoundLiteral(literal) => self.compound_literal(literal).map(Some),
            E::UnaryOperator(unary)
                if unary.node.operator.node == ast::UnaryOperator::Indirection =>
            {
                let value = self.expr(&unary.node.operand)?;
                self.mark(node.span);
                self.pointed_to(value, &unary.node.operand).map(Some)
            }
            E::BinaryOperator(binary)
                if binary.node.operator.node == ast::BinaryOperator::Index =>
            {
                self.element_place(binary).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn name_place(&mut self, name: &str, node: &Node<ast::Expression>) -> Result<Option<Lvalue>> {
        self.mark(node.span);
        let Some(symbol) = self.lookup(name).cloned() else {
            return self.unknown_name(name).map(Some);
        };
        if self.is_outer_local(name) {
            return Ok(Some(self.outer_local(name, symbol)));
        }
        Ok(Some(match symbol {
            Symbol::Register { reg, ty } => Lvalue::Register { reg, ty },
            Symbol::Slot { slot, ty } => {
                Lvalue::Memory { addr: Operand::Slot { slot, offset: 0 }, ty }
            }
            Symbol::Object { object } | Symbol::Constexpr { object, .. } => {
                let ty = self.link.objects[object.index()].ty;
                Lvalue::Memory { addr: Operand::Object { object, offset: 0 }, ty }
            }
            Symbol::Vla { addr, ty } => Lvalue::Memory { addr: Operand::Reg(addr), ty },
            Symbol::Nested { function, ty } => {
                Lvalue::Memory { addr: Operand::Function(function), ty }
            }
            Symbol::Function { ty, .. } => {
                let f = self.function_named(name);
                Lvalue::Memory { addr: Operand::Function(f), ty }
            }
            Symbol::Constant { .. } => return Ok(None),
            Symbol::Typedef(_) => return Err(self.error(format!("`{name}` is a type"))),
        }))
    }

    /// What a nested function sees of the function around it is not modelled.
    fn outer_local(&mut self, name: &str, symbol: Symbol) -> Lvalue {
        let what = format!("a nested function that uses `{name}` of the function around it");
        self.emit(InstKind::Unsupported { what });
        let (Symbol::Register { ty, .. } | Symbol::Slot { ty, .. } | Symbol::Vla { ty, .. }) =
            symbol
        else {
            let (addr, ty) = (Operand::Const { bits: 0, ty: Scalar::Ptr }, self.int_type());
            return Lvalue::Memory { addr, ty };
        };
        Lvalue::Memory { addr: self.temp_slot(ty), ty }
    }

    fn unknown_name(&mut self, name: &str) -> Result<Lvalue> {
        if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            let text = vec![format!("\"{}\"", self.f.name)];
            if let Value::Memory { addr: Operand::Object { object, offset }, ty } =
                self.string(&text)
            {
                // One object in the whole function, and no literal.
                self.link.literals.retain(|literal| *literal != object);
                let constant = self.link.types.qualified(ty, Qualifiers::CONST);
                self.link.objects[object.index()].ty = constant;
                if let Some(scope) = self.scopes.get_mut(1) {
                    scope.names.insert(name.to_owned(), Symbol::Object { object });
                }
                let addr = Operand::Object { object, offset };
                return Ok(Lvalue::Memory { addr, ty: constant });
            }
        }
        if let Some(ty) = self.known_prototype(name)? {
            let f = self.function_named(name);
            return Ok(Lvalue::Memory { addr: Operand::Function(f), ty });
        }
        let shown = ir::names::decode(name);
        Err(self
            .error(format!("`{shown}` is not declared"))
            .hint("is a declaration or an #include missing?"))
    }

    fn member_place(&mut self, node: &Node<ast::MemberExpression>) -> Result<Lvalue> {
        let member = &node.node;
        let (addr, ty) = match member.operator.node {
            ast::MemberOperator::Direct => match self.place(&member.expression)? {
                Lvalue::Memory { addr, ty } => (addr, ty),
                _ => {
                    self.mark(node.span);
                    return Err(self.error("this is not a struct or union"));
                }
            },
            ast::MemberOperator::Indirect => {
                let pointer = self.expr(&member.expression)?;
                self.mark(node.span);
                let (op, ty, _) = self.scalar(pointer, "the operand of `->`")?;
                match self.pointee(ty) {
                    Some(to) => (op, to),
                    None => return Err(self.error("the operand of `->` is not a pointer")),
                }
            }
        };
        self.mark(node.span);
        let name = &member.identifier.node.name;
        let asked_about = matches!(name.as_str(), "tv_sec" | "tv_nsec" | "sa_sigaction");
        if self.origin == Origin::User && asked_about {
            // Clocks ask whether anybody looks at them, signals which kind of handlers there are.
            self.link.own.insert(name.clone());
        }
        self.field_place(addr, ty, name)
    }

    pub(crate) fn field_place(&mut self, addr: Operand, ty: TypeId, name: &str) -> Result<Lvalue> {
        let bare = self.link.types.strip_atomic(ty);
        let Type::Record(record) = *self.link.types.get(bare) else {
            let name = self.link.types.name(ty);
            return Err(self.error(format!("`{name}` is not a struct or union")));
        };
        if self.link.types.record(record).layout.is_none() {
            let name = self.link.types.name(ty);
            return Err(self.error(format!("`{name}` is not complete here")));
        }
        let qualifiers = ty.qualifiers();
        let Some((offset, ty, bits)) = self.find_field(record, name) else {
            let record = self.link.types.name(bare);
            return Err(self.error(format!("`{record}` has no member `{name}`")));
        };
        let ty = self.link.types.qualified(ty, qualifiers);
        let addr = self.offset(addr, offset);
        let Record { reversed, foreign, .. } = *self.link.types.record(record);
        if reversed && self.link.types.size(ty) != Some(1) {
            self.emit(InstKind::Unsupported { what: REVERSED.into() });
        } else if foreign {
            self.emit(InstKind::Unsupported { what: FOREIGN.into() });
        }
        Ok(match bits {
            None => Lvalue::Memory { addr, ty },
            Some(bits) => Lvalue::Bits { addr, ty, bits },
        })
    }

    /// A member by name, also inside anonymous members.
    fn find_field(
        &mut self,
        record: RecordId,
        name: &str,
    ) -> Option<(u64, TypeId, Option<BitField>)> {
        let path = self.link.member_path(record, name)?;
        let (mut record, mut start) = (record, 0);
        for index in path {
            self.note_member(record, index);
            let field = self.link.types.record(record).layout.as_ref()?.fields.get(index)?;
            match (&field.name, self.link.types.get(field.ty)) {
                (None, Type::Record(inner)) => {
                    start += field.offset;
                    record = *inner;
                }
                _ => return Some((start + field.offset, field.ty, field.bits)),
            }
        }
        None
    }

    pub(crate) fn type_of_member(&mut self, record: RecordId, name: &str) -> Option<TypeId> {
        self.find_field(record, name).map(|(_, ty, _)| ty)
    }

    /// The alignment that a member has as it is declared.
    pub(crate) fn field_align(&mut self, record: RecordId, name: &str) -> Option<u64> {
        let path = self.link.member_path(record, name)?;
        let (mut record, mut align) = (record, None);
        for index in path {
            let field = self.link.types.record(record).layout.as_ref()?.fields.get(index)?;
            align = Some(field.align);
            if let (None, Type::Record(inner)) = (&field.name, self.link.types.get(field.ty)) {
                record = *inner;
            }
        }
        align
    }

    /// What an expression points to, whose value is the pointer or the start of its array.
    pub(crate) fn pointed_to(
        &mut self,
        value: Value,
        base: &Node<ast::Expression>,
    ) -> Result<Lvalue> {
        let ty = self.type_of_value(value);
        self.note_byte(ty, base);
        self.deref(value)
    }

    pub fn deref(&mut self, value: Value) -> Result<Lvalue> {
        let (op, ty, _) = self.scalar(value, "the operand of `*`")?;
        match self.pointee(ty) {
            Some(to) => Ok(Lvalue::Memory { addr: op, ty: to }),
            None => {
                let name = self.link.types.name(ty);
                Err(self.error(format!("`{name}` is not a pointer")))
            }
        }
    }

    /// The value in a place; arrays and functions decay to pointers.
    pub fn read(&mut self, place: Lvalue) -> Result<Value> {
        let ty = place.ty();
        match place {
            Lvalue::Register { reg, .. } => {
                let ty = self.link.types.strip_atomic(ty);
                Ok(Value::Scalar { op: Operand::Reg(reg), ty })
            }
            Lvalue::Bits { addr, bits, .. } => self.read_bits(addr, ty, bits),
            Lvalue::Memory { addr, .. } => match *self.link.types.get(ty) {
                Type::Array { elem, .. } | Type::VariableArray { elem, .. } => {
                    let ty = self.pointer_to(elem);
                    Ok(Value::Scalar { op: addr, ty })
                }
                Type::Function(_) => {
                    let ty = self.pointer_to(ty);
                    Ok(Value::Scalar { op: addr, ty })
                }
                Type::Void => Ok(Value::Void),
                _ => Ok(self.read_memory(addr, ty)),
            },
        }
    }

    fn read_memory(&mut self, addr: Operand, ty: TypeId) -> Value {
        let Some(scalar) = self.link.types.scalar(ty) else {
            return match self.link.types.get(ty) {
                Type::Atomic(_) => self.load_block(addr, ty, MemoryOrder::SeqCst),
                _ => self.widened(Value::Memory { addr, ty: self.link.types.plain(ty) }),
            };
        };
        let order = self.access_order(ty);
        let op = self.load(addr, scalar, order);
        Value::Scalar { op, ty: self.link.types.strip_atomic(ty) }
    }

    /// Of a single access: what is volatile may count as atomic, and then that is assumed.
    fn access_order(&mut self, ty: TypeId) -> MemoryOrder {
        match self.order_of(ty) {
            MemoryOrder::Plain if ty.is_volatile() => self.link.volatile.of_access(self.at),
            order => order,
        }
    }

    pub(crate) fn order_of(&self, ty: TypeId) -> MemoryOrder {
        match self.link.types.get(ty) {
            Type::Atomic(_) => MemoryOrder::SeqCst,
            _ => MemoryOrder::Plain,
        }
    }

    /// Reads a bit-field and promotes it as C11 6.3.1.1 says.
    fn read_bits(&mut self, addr: Operand, ty: TypeId, bits: BitField) -> Result<Value> {
        let signed = self.link.types.scalar(ty).is_some_and(Scalar::is_signed);
        let machine = self.link.types.machine;
        let mut pieces = pieces(bits);
        pieces.retain(|piece| piece.holds(bits, machine));
        let (loaded, piece, shift) = match pieces[..] {
            [only] => {
                let from = self.offset(addr, u64::from(only.offset));
                (self.load(from, only.ty, MemoryOrder::Plain), only.ty, only.shift(bits) as u8)
            }
            _ => (self.gather(addr, bits, &pieces), Scalar::U64, 0),
        };
        let width = piece.bits(machine);
        let wide = Scalar::Int { bits: width, signed };
        let loaded = self.cast(piece, wide, loaded);
        let up = self.scalar_const(u64::from(width - shift - bits.width), Scalar::I32);
        let down = self.scalar_const(u64::from(width - bits.width), Scalar::I32);
        let high = self.binary(BinOp::Shl, wide, loaded, up, false);
        let value = self.binary(BinOp::Shr, wide, high, down, false);
        // As gcc has it, the width counts and not the declared type.
        let to = match bits.width {
            0..32 => self.int_type(),
            32 => self.link.types.intern(Type::Int { rank: Rank::Int, signed }),
            33..64 => self.link.types.bit_precise(ty),
            _ => ty,
        };
        let scalar = self.link.types.scalar(to).unwrap_or(Scalar::I32);
        Ok(Value::Scalar { op: self.cast(wide, scalar, value), ty: to })
    }

    /// The field in the low bits of 64, from several pieces.
    fn gather(&mut self, addr: Operand, bits: BitField, pieces: &[FieldPiece]) -> Operand {
        let mut all = self.scalar_const(0, Scalar::U64);
        for piece in pieces {
            let from = self.offset(addr, u64::from(piece.offset));
            let value = self.load(from, piece.ty, MemoryOrder::Plain);
            let value = self.cast(piece.ty, Scalar::U64, value);
            let value = self.shift_by(value, -piece.shift(bits));
            all = self.binary(BinOp::Or, Scalar::U64, all, value, false);
        }
        all
    }

    /// Left for a positive amount, right for a negative one.
    fn shift_by(&mut self, value: Operand, amount: i64) -> Operand {
        let op = if amount < 0 { BinOp::Shr } else { BinOp::Shl };
        let amount = self.scalar_const(amount.unsigned_abs(), Scalar::I32);
        self.binary(op, Scalar::U64, value, amount, false)
    }

    /// Writes a value that already has the place's type.
    pub fn write(&mut self, place: Lvalue, value: Value) -> Result<()> {
        match (place, value) {
            (Lvalue::Register { reg, .. }, Value::Scalar { op, .. }) => self.set(reg, op),
            (Lvalue::Memory { addr, ty }, Value::Scalar { op, .. }) => {
                let Some(scalar) = self.link.types.scalar(ty) else {
                    return Err(self.error("cannot assign to this"));
                };
                let order = self.access_order(ty);
                self.store(addr, op, scalar, order);
            }
            (Lvalue::Bits { addr, bits, .. }, Value::Scalar { op, ty }) => {
                self.write_bits(addr, bits, op, ty);
            }
            (Lvalue::Memory { addr, ty }, value @ (Value::Memory { .. } | Value::Wide { .. })) => {
                self.write_memory(addr, ty, value)?;
            }
            _ => return Err(self.error("cannot assign to this")),
        }
        Ok(())
    }

    fn write_memory(&mut self, to: Operand, ty: TypeId, value: Value) -> Result<()> {
        let order = self.order_of(ty);
        match value {
            value if order != MemoryOrder::Plain => self.store_block(to, ty, value, order),
            Value::Wide { lo, hi, .. } => {
                self.store_pair(to, WidePair { lo, hi }, MemoryOrder::Plain);
                Ok(())
            }
            Value::Memory { addr, .. } => self.copy(to, addr, ty),
            _ => Err(self.error("cannot assign to this")),
        }
    }

    /// Writes all of the location that the field is in, as C11 has it.
    fn write_bits(&mut self, addr: Operand, bits: BitField, op: Operand, ty: TypeId) {
        let from = self.link.types.scalar(ty).unwrap_or(Scalar::I32);
        let mask = u64::MAX >> (64 - bits.width);
        let value = self.cast(from, Scalar::U64, op);
        let mask_op = self.scalar_const(mask, Scalar::U64);
        let value = self.binary(BinOp::And, Scalar::U64, value, mask_op, false);
        for piece in pieces(bits) {
            let at = self.offset(addr, u64::from(piece.offset));
            if !piece.holds(bits, self.link.types.machine) {
                let same = self.load(at, piece.ty, MemoryOrder::Plain);
                self.store(at, same, piece.ty, MemoryOrder::Plain);
                continue;
            }
            let up = piece.shift(bits);
            let mask = if up < 0 { mask >> -up } else { mask << up };
            let keep = self.scalar_const(!mask, piece.ty);
            let value = self.shift_by(value, up);
            let mut new = self.cast(Scalar::U64, piece.ty, value);
            // A piece that is the field's alone is not read.
            if !matches!(keep, Operand::Const { bits: 0, .. }) {
                let old = self.load(at, piece.ty, MemoryOrder::Plain);
                let old = self.binary(BinOp::And, piece.ty, old, keep, false);
                new = self.binary(BinOp::Or, piece.ty, old, new, false);
            }
            self.store(at, new, piece.ty, MemoryOrder::Plain);
        }
    }

    /// An object that was there before holds anything from here on.
    pub(crate) fn make_arbitrary(&mut self, addr: Operand, ty: TypeId) -> Result<()> {
        let mut leaves = Vec::new();
        if !self.leaves(ty, 0, &mut leaves) {
            return self.make_all_arbitrary(addr, ty);
        }
        for leaf in leaves {
            let value = self.assign(leaf.ty, Rvalue::Undef(leaf.ty));
            let at = self.offset(addr, leaf.offset);
            self.store(at, value, leaf.ty, MemoryOrder::Plain);
        }
        Ok(())
    }

    /// The same for a large object, in a loop over its bytes.
    fn make_all_arbitrary(&mut self, addr: Operand, ty: TypeId) -> Result<()> {
        let bytes = self.link.types.align(ty).min(8);
        let piece = Scalar::Int { bits: bytes as u8 * 8, signed: false };
        let wide = Scalar::Int { bits: self.link.types.machine.pointer_bits(), signed: true };
        let count = self.scalar_const(self.link.types.size(ty).unwrap_or(0) / bytes, wide);
        let (span, index) = (self.at, self.f.temp(wide, self.at));
        let (zero, one) = (self.scalar_const(0, wide), self.scalar_const(1, wide));
        self.set(index, zero);
        let (head, body, end) = (self.f.new_block(), self.f.new_block(), self.f.new_block());
        self.f.goto(head, span);
        self.f.continue_at(head);
        let cond = self.binary(BinOp::Lt, wide, Operand::Reg(index), count, false);
        self.f.end(Terminator::Branch { cond, then: body, otherwise: end }, span);
        self.f.continue_at(body);
        let at = self.pointer_add(addr, Operand::Reg(index), bytes);
        let value = self.assign(piece, Rvalue::Undef(piece));
        self.store(at, value, piece, MemoryOrder::Plain);
        let next = self.binary(BinOp::Add, wide, Operand::Reg(index), one, false);
        self.set(index, next);
        self.f.goto(head, span);
        self.f.continue_at(end);
        Ok(())
    }
}

/// What the normaliser makes of `__real__ z` and `__imag__ z`.
fn is_complex_part(call: &ast::CallExpression) -> bool {
    matches!(&call.callee.node, ast::Expression::Identifier(id)
        if matches!(id.node.name.as_str(), "__obmc_real" | "__obmc_imag"))
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{error, function, has, hasnt, ir, program, type_of};

    #[test]
    fn bit_fields_are_read_and_promoted() {
        let s = "struct { unsigned a : 3; int b : 5; unsigned c : 32; unsigned long long d : 3, e : 40; _Bool g : 1; } s;";
        assert_eq!(type_of(s, "+s.a"), "int");
        assert_eq!(type_of(s, "+s.c"), "unsigned int");
        assert_eq!(type_of(s, "+s.d"), "int");
        assert_eq!(type_of(s, "+s.e"), "unsigned long long");
        assert_eq!(type_of(s, "+s.g"), "int");
        let text = format!("{s} int f(void) {{ return s.b; }}");
        has(&ir(&text), &["load u64 @s", "cast u64 to i64", "shl i64 %1, 56", "shr i64 %2, 59"]);
    }

    #[test]
    fn writing_a_bit_field_keeps_its_neighbours() {
        let text = "struct { int a : 3, b : 5; } s; int f(int x) { return s.a = x; }";
        let ir = ir(text);
        has(&ir, &["and u64", ", 7", "load u8 @s", "and u8", ", 248", "or u8", "store u8 @s"]);
        // The value of the assignment is what was stored.
        has(&ir, &["store u8", "shl i32 x.0, 29", "shr i32", ", 29", "return"]);
        let text = "struct { char c; int a : 8; } s; void f(int x) { s.a = x; }";
        hasnt(&crate::lower::testing::ir(text), &["load"]);
    }

    #[test]
    fn a_bit_field_between_other_members_takes_several_accesses() {
        let text = "struct { char c; int b : 20; } s; int f(int x) { s.b = x; return s.b; }";
        let ir = ir(text);
        has(&ir, &["store u16 @s+1", "shr u64", "load u8 @s+3", ", 240", "store u8 @s+3"]);
        has(&ir, &["load u16 @s+1", "load u8 @s+3", "shl u64", ", 16", "or u64", "shl i64"]);
        hasnt(&ir, &["u32 @s", "@s,", "@s\n"]);
    }

    #[test]
    fn members_of_anonymous_members() {
        let s = "struct { int a; union { int b; struct { short c, d; }; }; } s, *p;";
        has(&ir(&format!("{s} int f(void) {{ return s.d; }}")), &["load i16 @s+6"]);
        has(&ir(&format!("{s} int *f(void) {{ return &p->b; }}")), &["ptradd %0, 4 * 1"]);
    }

    #[test]
    fn wrong_members() {
        for (text, message) in [
            (
                "struct s { int a; } x; int f(void) { return x.b; }",
                "1:45: `struct s` has no member `b`",
            ),
            ("int x; int f(void) { return x.b; }", "1:29: `int` is not a struct or union"),
            ("int f(int x) { return x.b; }", "1:23: this is not a struct or union"),
            ("int f(int x) { return x->b; }", "1:23: the operand of `->` is not a pointer"),
            (
                "struct s; int f(struct s *p) { return p->b; }",
                "1:39: `struct s` is not complete here",
            ),
            ("int f(int x) { return *x; }", "1:23: `int` is not a pointer"),
            ("typedef int t; int f(void) { return sizeof(t) + t; }", "1:"),
            ("int f(void) { return x; }", "1:22: `x` is not declared"),
        ] {
            let e = error(text);
            assert!(e.starts_with(message), "{text}: {e}");
        }
    }

    #[test]
    fn structs_are_copied_leaf_by_leaf() {
        let text =
            "struct s { char c; int i; struct { short h[2]; } n; } a, b; void f(void) { a = b; }";
        let leaves = [
            "load i8 @b\n",
            "store i8 @a,",
            "load i32 @b+4",
            "store i32 @a+4",
            "load i16 @b+8",
            "store i16 @a+8",
            "load i16 @b+10",
            "store i16 @a+10",
        ];
        has(&ir(text), &leaves);
        let text = "struct s { int a[100]; } a, b; void f(void) { a = b; }";
        has(&ir(text), &["call memcpy(@a, @b, 400)"]);
        let text = "union u { char c[6]; int i; } a, b; void f(void) { a = b; }";
        has(&ir(text), &["load u32 @b\n", "load u32 @b+4"]);
    }

    #[test]
    fn the_name_of_the_function() {
        let p = program("const char *f(void) { return __func__; }");
        has(&function(&p, "f"), &["return @"]);
        assert_eq!(p.objects[0].bytes, b"f\0");
    }

    #[test]
    fn results_of_calls_have_members() {
        let text = "struct s { int a, b; } g(void); int f(void) { return g().b; }";
        has(&ir(text), &["live $0", "call g($0)", "load i32 $0+4"]);
    }
}
