//! Expressions: one arm per kind of the syntax tree; the rules live in the neighbouring files.

use super::operator::assigns;
use super::place::Lvalue;
use super::scope::Symbol;
use super::{Result, Scope, Unit, Value};
use ir::types::{RecordId, Scalar, Type, TypeId};
use ir::*;
use lang_c::ast;
use lang_c::span::{Node, Span as Bytes};

impl Unit<'_> {
    pub fn expr(&mut self, node: &Node<ast::Expression>) -> Result<Value> {
        use ast::Expression as E;
        self.mark(node.span);
        match &node.node {
            E::Identifier(id) => self.identifier(&id.node.name, node),
            E::Constant(c) => self.constant(&c.node),
            E::GenericSelection(g) => self.generic_selection(g),
            E::Call(call) => self.call(call),
            E::SizeOfTy(s) => self.size_of_type(&s.node.0, node.span),
            E::SizeOfVal(s) => self.size_of_value(&s.node.0, node.span),
            E::AlignOf(a) => {
                let align = self.align_of_type(&a.node.0)?;
                Ok(self.size_constant(align))
            }
            E::UnaryOperator(unary) => self.unary_expr(unary),
            E::Cast(cast) => self.cast_expr(cast),
            E::BinaryOperator(binary) => self.binary_expr(binary),
            E::Conditional(c) => self.conditional(c),
            E::Comma(list) => {
                let mut last = Value::Void;
                for item in list.iter() {
                    last = self.expr(item)?;
                }
                Ok(last)
            }
            E::OffsetOf(o) => self.offset_of(o),
            E::VaArg(v) => self.va_arg(&v.node),
            E::Statement(body) => self.statement_expr(body),
            E::Member(_) | E::CompoundLiteral(_) | E::StringLiteral(_) => {
                let place = self.place(node)?;
                self.mark(node.span);
                self.read(place)
            }
        }
    }

    fn identifier(&mut self, name: &str, node: &Node<ast::Expression>) -> Result<Value> {
        if let Some(&Symbol::Constexpr { bits, ty, .. }) = self.lookup(name) {
            return Ok(Value::Scalar { op: self.bits(bits, ty), ty });
        }
        if let Some(&Symbol::Constant { value, ty }) = self.lookup(name) {
            return Ok(Value::Scalar { op: self.bits(value as u64, ty), ty });
        }
        let place = self.place(node)?;
        self.read(place)
    }

    fn size_constant(&mut self, value: u64) -> Value {
        let ty = self.size_type();
        Value::Scalar { op: self.bits(value, ty), ty }
    }

    fn size_value(&mut self, ty: TypeId, at: Bytes) -> Result<Value> {
        match self.bytes_of(ty) {
            Some(op) => Ok(Value::Scalar { op, ty: self.size_type() }),
            None if matches!(self.link.types.get(ty), Type::Function(_)) => {
                Ok(self.size_constant(1))
            }
            None => {
                self.mark(at);
                let name = self.link.types.name(ty);
                Err(self.error(format!("the size of `{name}` is not known here")))
            }
        }
    }

    fn size_of_type(&mut self, name: &Node<ast::TypeName>, at: Bytes) -> Result<Value> {
        let ty = self.type_name(name)?;
        self.size_value(ty, at)
    }

    fn size_of_value(&mut self, node: &Node<ast::Expression>, at: Bytes) -> Result<Value> {
        let mut ty = self.type_of(node)?;
        if self.is_bit_field(node)? {
            self.mark(at);
            self.emit(InstKind::Unsupported { what: "the size of a bit-field's type".into() });
        }
        // C11 6.5.3.4: this one is evaluated.
        if self.is_variable_array(ty) {
            ty = self.place(node)?.ty();
        }
        self.size_value(ty, at)
    }

    fn cast_expr(&mut self, node: &Node<ast::CastExpression>) -> Result<Value> {
        let to = self.type_name(&node.node.type_name)?;
        let value = self.expr(&node.node.expression)?;
        self.mark(node.span);
        // GNU C: a cast to a union type builds the union.
        if let Type::Record(record) = *self.link.types.get(to)
            && self.link.types.record(record).union
            && !matches!(value, Value::Memory { ty, .. } if self.link.types.plain(ty) == self.link.types.plain(to))
        {
            return self.union_of(record, to, value);
        }
        self.convert(value, to)
    }

    /// A union whose first member of the value's type has that value.
    fn union_of(&mut self, record: RecordId, ty: TypeId, value: Value) -> Result<Value> {
        let from = self.type_of_value(value);
        let fields = self.link.types.record(record).layout.as_ref().map_or(&[][..], |l| &l.fields);
        if !fields.iter().any(|f| f.ty.bare() == from.bare() && f.bits.is_none() && f.offset == 0) {
            let name = self.link.types.name(from);
            return Err(self.error(format!("no member of the union is a `{name}`")));
        }
        let addr = self.temp_slot(ty);
        self.write(super::place::Lvalue::Memory { addr, ty: from }, value)?;
        Ok(Value::Memory { addr, ty })
    }

    fn conditional(&mut self, node: &Node<ast::ConditionalExpression>) -> Result<Value> {
        let c = &node.node;
        if is_named(&c.then_expression, SAME) {
            return self.elvis(c);
        }
        let cond = self.condition(&c.condition)?;
        if let Operand::Const { bits, .. } = cond {
            let (taken, other) = if bits != 0 {
                (&c.then_expression, &c.else_expression)
            } else {
                (&c.else_expression, &c.then_expression)
            };
            let rest = self.aside(|unit| unit.expr(other))?;
            let value = self.expr(taken)?;
            self.mark(node.span);
            let ty = self.conditional_type(value, rest);
            return self.convert_operand(value, ty);
        }
        let whole = self.span(node.span);
        let then = |unit: &mut Self| unit.expr(&c.then_expression);
        self.one_or_other(cond, whole, then, |unit| unit.expr(&c.else_expression))
    }

    /// One value or the other, at run time.
    pub(crate) fn one_or_other(
        &mut self,
        cond: Operand,
        whole: Span,
        then: impl FnOnce(&mut Self) -> Result<Value>,
        otherwise: impl FnOnce(&mut Self) -> Result<Value>,
    ) -> Result<Value> {
        let at = self.at;
        let (yes, no, end) = (self.f.new_block(), self.f.new_block(), self.f.new_block());
        self.f.end(Terminator::Branch { cond, then: yes, otherwise: no }, at);
        self.f.continue_at(yes);
        let a = then(self)?;
        let a_end = self.f.current;
        self.f.continue_at(no);
        let b = otherwise(self)?;
        let b_end = self.f.current;
        self.at = whole;
        let ty = self.conditional_type(a, b);
        if self.is_int128(ty) {
            return self.wide_conditional([(a, a_end), (b, b_end)], end, ty);
        }
        let result = match self.link.types.scalar(ty) {
            Some(scalar) => Some(self.f.temp(scalar, at)),
            None if self.is_void(ty) => None,
            None => Some(self.f.temp(Scalar::Ptr, at)),
        };
        for (value, from) in [(a, a_end), (b, b_end)] {
            self.f.continue_at(from);
            let converted = self.convert_operand(value, ty)?;
            if let (Value::Scalar { op, .. } | Value::Memory { addr: op, .. }, Some(reg)) =
                (converted, result)
            {
                self.set(reg, op);
            }
            self.f.goto(end, at);
        }
        self.f.continue_at(end);
        Ok(match (result, self.link.types.scalar(ty)) {
            (None, _) => Value::Void,
            (Some(reg), Some(_)) => Value::Scalar { op: Operand::Reg(reg), ty },
            (Some(reg), None) => Value::Memory { addr: Operand::Reg(reg), ty },
        })
    }

    fn wide_conditional(
        &mut self,
        ways: [(Value, BlockId); 2],
        end: BlockId,
        ty: TypeId,
    ) -> Result<Value> {
        let at = self.at;
        let (low, high) = (self.f.temp(Scalar::U64, at), self.f.temp(Scalar::U64, at));
        for (value, from) in ways {
            self.f.continue_at(from);
            let value = self.convert(value, ty)?;
            if let Value::Wide { lo, hi, .. } = self.widened(value) {
                self.set(low, lo);
                self.set(high, hi);
            }
            self.f.goto(end, at);
        }
        self.f.continue_at(end);
        Ok(Value::Wide { lo: Operand::Reg(low), hi: Operand::Reg(high), ty })
    }

    /// GNU's `a ?: b`, which the normaliser writes as `a ? __obmc_same : b`.
    fn elvis(&mut self, c: &ast::ConditionalExpression) -> Result<Value> {
        let value = self.expr(&c.condition)?;
        let precise = self.precise_type(value);
        let (op, from, scalar) = self.scalar(value, "a condition")?;
        let from = precise.unwrap_or(from);
        let value = Value::Scalar { op: self.assign(scalar, Rvalue::Use(op)), ty: from };
        let at = self.at;
        let cond = self.truth(op, scalar);
        let (yes, no, end) = (self.f.new_block(), self.f.new_block(), self.f.new_block());
        self.f.end(Terminator::Branch { cond, then: yes, otherwise: no }, at);
        self.f.continue_at(no);
        let other = self.expr(&c.else_expression)?;
        let other_end = self.f.current;
        self.at = at;
        let ty = self.conditional_type(value, other);
        let Some(result_ty) = self.link.types.scalar(ty) else {
            return Err(self.error("both sides of `?:` must be scalars"));
        };
        let result = self.f.temp(result_ty, at);
        for (value, from) in [(value, yes), (other, other_end)] {
            self.f.continue_at(from);
            let value = self.convert_operand(value, ty)?;
            let (op, _, _) = self.scalar(value, "this operand")?;
            self.set(result, op);
            self.f.goto(end, at);
        }
        self.f.continue_at(end);
        Ok(Value::Scalar { op: Operand::Reg(result), ty })
    }

    /// C11 6.5.15. Operands that do not go together show when they are converted to the result.
    fn conditional_type(&mut self, a: Value, b: Value) -> TypeId {
        let (ta, tb) = (self.type_of_value(a), self.type_of_value(b));
        if ta == tb && self.link.types.scalar(ta).is_none() {
            return ta;
        }
        if self.is_void(ta) || self.is_void(tb) {
            return self.link.types.intern(Type::Void);
        }
        let null = |v| matches!(v, Value::Scalar { op: Operand::Const { bits: 0, .. }, .. });
        match (self.pointee(ta), self.pointee(tb)) {
            (Some(_), None) => ta,
            (None, Some(_)) => tb,
            // A null pointer constant takes the other's type, any other `void *` wins.
            (Some(_), Some(y)) if self.is_void(y) && y == y.bare() && null(b) => ta,
            (Some(x), Some(_)) if self.is_void(x) && x == x.bare() && null(a) => tb,
            (Some(x), Some(y)) => {
                let to = if self.is_void(y) { y } else { x };
                let both = x.qualifiers().and(y.qualifiers());
                let to = self.link.types.qualified(to, both);
                self.pointer_to(to)
            }
            (None, None) => self.common_type_of(a, b),
        }
    }

    fn offset_of(&mut self, node: &Node<ast::OffsetOfExpression>) -> Result<Value> {
        let ty = self.type_name(&node.node.type_name)?;
        self.mark(node.span);
        let designator = &node.node.designator.node;
        let null = Operand::Const { bits: 0, ty: Scalar::Ptr };
        let mut place = self.field_place(null, ty, &designator.base.node.name)?;
        for member in &designator.members {
            let super::place::Lvalue::Memory { addr, ty } = place else {
                return Err(self.error("offsetof a bit-field"));
            };
            place = match &member.node {
                ast::OffsetMember::Member(id) | ast::OffsetMember::IndirectMember(id) => {
                    self.field_place(addr, ty, &id.node.name)?
                }
                ast::OffsetMember::Index(index) => {
                    let index = self.expr(index)?;
                    let base = self.read(place)?;
                    let element = self.pointer_offset(base, index, false)?;
                    self.deref(element)?
                }
            };
        }
        let super::place::Lvalue::Memory { addr, .. } = place else {
            return Err(self.error("offsetof a bit-field"));
        };
        let ty = self.size_type();
        let scalar = self.link.types.scalar(ty).unwrap_or(Scalar::U64);
        Ok(Value::Scalar { op: self.cast(Scalar::Ptr, scalar, addr), ty })
    }

    fn generic_selection(&mut self, node: &Node<ast::GenericSelection>) -> Result<Value> {
        let value = self.aside(|unit| unit.expr(&node.node.expression))?;
        let wanted = self.type_of_value(value);
        if self.precise_type(value).is_some() || self.is_bit_field(&node.node.expression)? {
            self.mark(node.span);
            self.emit(InstKind::Unsupported { what: "the type of a bit-field in _Generic".into() });
        }
        let mut default = None;
        for association in &node.node.associations {
            match &association.node {
                ast::GenericAssociation::Type(t) => {
                    let ty = self.type_name(&t.node.type_name)?;
                    if ty.bare() == ty && self.link.types.compatible(ty, wanted) {
                        return self.expr(&t.node.expression);
                    }
                }
                ast::GenericAssociation::Default(e) => default = Some(e),
            }
        }
        match default {
            Some(e) => self.expr(e),
            None => {
                self.mark(node.span);
                let name = self.link.types.name(wanted);
                Err(self.error(format!("no association of this _Generic matches `{name}`")))
            }
        }
    }

    /// A bit-field whose type compilers do not agree about: gcc has one of its width, clang that of
    /// its declaration.
    fn is_bit_field(&mut self, node: &Node<ast::Expression>) -> Result<bool> {
        use ast::{Expression as E, UnaryOperator as U};
        match &node.node {
            E::Member(_) => {
                let place = self.aside(|unit| unit.place(node))?;
                let Lvalue::Bits { ty, bits, .. } = place else { return Ok(false) };
                let scalar = self.link.types.scalar(ty).unwrap_or(Scalar::U8);
                let boolean = matches!(self.link.types.get(ty), Type::Bool);
                let full = scalar.bytes(self.link.types.machine) * 8 == u64::from(bits.width);
                Ok(!full && !boolean)
            }
            E::Comma(list) => match list.last() {
                Some(last) => self.is_bit_field(last),
                None => Ok(false),
            },
            E::BinaryOperator(binary) if assigns(&binary.node.operator.node) => {
                self.is_bit_field(&binary.node.lhs)
            }
            E::UnaryOperator(unary)
                if matches!(
                    unary.node.operator.node,
                    U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement
                ) =>
            {
                self.is_bit_field(&unary.node.operand)
            }
            _ => Ok(false),
        }
    }

    /// GNU's `({ ...; value; })`.
    fn statement_expr(&mut self, body: &Node<ast::Statement>) -> Result<Value> {
        let ast::Statement::Compound(items) = &body.node else {
            self.statement(body)?;
            return Ok(Value::Void);
        };
        let outer = self.f.scope;
        self.scopes.push(Scope::default());
        self.f.enter_scope();
        let value = self.last_value(items, outer);
        self.scopes.pop();
        let at = self.at;
        self.f.leave_scope(at);
        value
    }

    fn last_value(
        &mut self,
        items: &[Node<ast::BlockItem>],
        outer: super::builder::ScopeId,
    ) -> Result<Value> {
        let Some((last, before)) = items.split_last() else { return Ok(Value::Void) };
        for item in before {
            self.block_item(item)?;
        }
        let ast::BlockItem::Statement(statement) = &last.node else {
            self.block_item(last)?;
            return Ok(Value::Void);
        };
        // Labels do not take the value away.
        let mut statement = statement;
        while let ast::Statement::Labeled(labeled) = &statement.node {
            self.label(labeled)?;
            statement = &labeled.node.statement;
        }
        let ast::Statement::Expression(Some(e)) = &statement.node else {
            self.statement(statement)?;
            return Ok(Value::Void);
        };
        let value = self.expr(e)?;
        let Value::Memory { addr, ty } = value else { return Ok(value) };
        // The struct may be a local of the block that ends here.
        let inner = std::mem::replace(&mut self.f.scope, outer);
        let saved = self.temp_slot(ty);
        self.f.scope = inner;
        self.copy(saved, addr, ty)?;
        Ok(Value::Memory { addr: saved, ty })
    }
}

/// What the normaliser puts between `?` and `:` if nothing was there.
const SAME: &str = "__obmc_same";

fn is_named(node: &Node<ast::Expression>, name: &str) -> bool {
    matches!(&node.node, ast::Expression::Identifier(id) if id.node.name == name)
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{
        ILP32, error, has, hasnt, ir, ir_on, type_of, type_on, value, values,
    };

    #[test]
    fn conditional_types() {
        let vars = "int *ip; char *cp; void *vp; int i; char c; unsigned u; double d; struct s { int a; } s, t;";
        for (e, ty) in [
            ("i ? ip : 0", "int *"),
            ("i ? 0 : ip", "int *"),
            ("i ? ip : (void *)0", "int *"),
            ("i ? (void *)0 : ip", "int *"),
            ("i ? ip : vp", "void *"),
            ("i ? vp : ip", "void *"),
            ("i ? c : c", "int"),
            ("i ? i : u", "unsigned int"),
            ("i ? i : d", "double"),
            ("1 ? i : d", "double"),
            ("i ? s : t", "struct s"),
            ("ip ?: 0", "int *"),
            ("c ?: 2L", "long"),
            ("(i, d)", "double"),
        ] {
            assert_eq!(type_of(vars, e), ty, "{e}");
        }
        assert!(
            error("struct s { int a; } s; int f(int i) { return (i ? s : 1, 0); }")
                .starts_with("1:")
        );
    }

    #[test]
    fn conditionals_evaluate_one_side() {
        let text = "int g(void), h(void); int f(int n) { return n ? g() : h(); }";
        has(
            &ir(text),
            &["if n.0 goto b1 else b2", "b1:", "call g()", "b2:", "call h()", "b3:", "return %"],
        );
        hasnt(&ir("int g(void); int f(void) { return 1 ? 3 : g(); }"), &["call"]);
        let text = "int g(void), h(void); int f(void) { return g() ?: h(); }";
        assert_eq!(ir(text).matches("call g()").count(), 1);
        assert_eq!(ir(text).matches("call h()").count(), 1);
        let text = "struct s { int a, b; } x, y; void f(int n) { struct s z = n ? x : y; x = z; }";
        has(&ir(text), &["= @x", "= @y", "load i32"]);
        has(&ir("void g(void); void f(int n) { n ? g() : (void)0; }"), &["call g()"]);
    }

    #[test]
    fn sizes() {
        let before = "int a[3]; struct s { char c; int i; } s; int g(void);";
        for (e, lp64, ilp32) in [
            ("sizeof a", 12, 12),
            ("sizeof(a + 0)", 8, 4),
            ("sizeof a[0]", 4, 4),
            ("sizeof &a", 8, 4),
            ("sizeof(struct s)", 8, 8),
            ("sizeof s.c", 1, 1),
            ("sizeof(char)", 1, 1),
            ("sizeof \'a\'", 4, 4),
            ("sizeof(s.c + 0)", 4, 4),
            ("sizeof(long)", 8, 4),
            ("sizeof(long double)", 16, 12),
            ("sizeof(void)", 1, 1),
            ("sizeof g", 1, 1),
            ("sizeof(g())", 4, 4),
            ("sizeof \"abc\"", 4, 4),
            ("_Alignof(int)", 4, 4),
            ("__alignof__(s)", 4, 4),
            ("__builtin_offsetof(struct s, i)", 4, 4),
        ] {
            assert_eq!(values(before, e), (lp64, ilp32), "{e}");
        }
        assert_eq!(type_of("", "sizeof 1"), "unsigned long");
        assert_eq!(type_on(ILP32, "", "sizeof 1"), "unsigned int");
        assert_eq!(
            error("struct s; int f(void) { return sizeof(struct s); }"),
            "1:32: the size of `struct s` is not known here"
        );
    }

    #[test]
    fn offsets_of_nested_members() {
        let s = "struct s { int a; struct { char b; short c[4]; } n[3]; };";
        assert_eq!(value(s, "__builtin_offsetof(struct s, n[1].c[2])"), 4 + 10 + 2 + 4);
        assert_eq!(value(s, "(long)&((struct s *)0)->n[2]"), 24);
        assert!(
            error("struct s { int b : 3; }; int x = __builtin_offsetof(struct s, b);")
                .contains("offsetof a bit-field")
        );
    }

    #[test]
    fn variable_length_arrays() {
        let text = "void g(int *); unsigned long f(int n) { int a[n + 1]; g(a); return sizeof a; }";
        has(
            &ir(text),
            &[
                "add i32 n.0, 1",
                "cast i32 to u64",
                "mul u64",
                ", 4",
                "alloca",
                "call g(a.",
                "return %",
            ],
        );
        has(
            &ir("unsigned long f(int n) { return sizeof(int[n]); }"),
            &["mul u64", ", 4", "return"],
        );
        has(
            &ir("unsigned long f(int n) { int a[n][4]; return sizeof a[0]; }"),
            &["mul u64", ", 16", "return 16"],
        );
    }

    #[test]
    fn generic_selection() {
        let g = "_Generic((x), int: 1, long: 2, char *: 3, default: 4)";
        assert_eq!(value("int x;", g), 1);
        assert_eq!(value("long x;", g), 2);
        assert_eq!(value("char x[3];", g), 3);
        assert_eq!(value("float x;", g), 4);
        assert_eq!(value("_Atomic int x;", g), 1);
        assert_eq!(
            error("int x = _Generic(1.0, int: 1);"),
            "1:9: no association of this _Generic matches `double`"
        );
    }

    #[test]
    fn statement_expressions() {
        let text = "int f(int n) { return ({ int x = n; x++; x; }); }";
        has(&ir(text), &["x.1 = n.0", "add i32", "return x.1"]);
        let text = "struct s { int a; }; int f(void) { return ({ struct s x = {3}; x; }).a; }";
        has(
            &ir(text),
            &[
                "live $x.0",
                "store i32 $x.0, 3",
                "live $1",
                "store i32 $1,",
                "dead $x.0",
                "load i32 $1",
                "return",
            ],
        );
        has(
            &ir("void g(void); void f(void) { ({ g(); }); ({ ; }); ({ int x; }); }"),
            &["call g()"],
        );
    }

    #[test]
    fn commas_evaluate_all_and_give_the_last() {
        has(
            &ir("int g(int); int f(void) { return g(1), g(2), 3; }"),
            &["call g(1)", "call g(2)", "return 3"],
        );
    }

    #[test]
    fn casts() {
        has(&ir("void f(int x) { (void)x; }"), &["return"]);
        has(&ir("long f(void *p) { return (long)p; }"), &["cast ptr to i64"]);
        has(&ir_on(ILP32, "long long f(void *p) { return (long long)p; }"), &["cast ptr to i64"]);
        let text = "union u { int a; float b; } g; void f(void) { g = (union u)3; }";
        has(&ir(text), &["store i32 $0, 3", "load u32 $0", "store u32 @g"]);
        let text = "union u { int a; } g; void f(char *p) { g = (union u)p; }";
        assert!(error(text).contains("no member of the union is a `char *`"));
    }
}
