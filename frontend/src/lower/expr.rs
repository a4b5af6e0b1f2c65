//! Expressions: one arm per kind of the syntax tree; the rules live in the neighbouring files.

use super::scope::Symbol;
use super::{Result, Scope, Unit, Value};
use crate::ir::*;
use crate::types::{Scalar, Type, TypeId};
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
            E::SizeOfTy(s) => {
                let ty = self.type_name(&s.node.0)?;
                self.size_value(ty, node.span)
            }
            E::SizeOfVal(s) => self.size_of_value(&s.node.0, node.span),
            E::AlignOf(a) => {
                let ty = self.type_name(&a.node.0)?;
                let align = self.link.types.align(ty);
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
            E::VaArg(v) => {
                let ty = self.type_name(&v.node.type_name)?;
                Ok(self.unsupported_value("va_arg", ty))
            }
            E::Statement(body) => self.statement_expr(body),
            E::Member(_) | E::CompoundLiteral(_) | E::StringLiteral(_) => {
                let place = self.place(node)?;
                self.mark(node.span);
                self.read(place)
            }
        }
    }

    fn identifier(&mut self, name: &str, node: &Node<ast::Expression>) -> Result<Value> {
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
        match self.link.types.size(ty) {
            Some(size) => Ok(self.size_constant(size)),
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

    fn size_of_value(&mut self, node: &Node<ast::Expression>, at: Bytes) -> Result<Value> {
        if let ast::Expression::Identifier(id) = &node.node
            && let Some(&Symbol::Vla { bytes, .. }) = self.lookup(&id.node.name)
        {
            let ty = self.size_type();
            return Ok(Value::Scalar { op: Operand::Reg(bytes), ty });
        }
        let ty = self.type_of(node)?;
        self.size_value(ty, at)
    }

    fn cast_expr(&mut self, node: &Node<ast::CastExpression>) -> Result<Value> {
        let to = self.type_name(&node.node.type_name)?;
        let value = self.expr(&node.node.expression)?;
        self.mark(node.span);
        // GNU C: a cast to a union type builds the union.
        if let Type::Record(record) = *self.link.types.get(to)
            && self.link.types.record(record).union
            && !matches!(value, Value::Memory { ty, .. } if ty == to)
        {
            return Ok(self.unsupported_value("a cast to a union type", to));
        }
        self.convert(value, to)
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
            let ty = self.conditional_type(value, rest)?;
            return self.convert(value, ty);
        }
        let at = self.at;
        let (yes, no, end) = (self.f.new_block(), self.f.new_block(), self.f.new_block());
        self.f.end(Terminator::Branch { cond, then: yes, otherwise: no }, at);
        self.f.continue_at(yes);
        let a = self.expr(&c.then_expression)?;
        let a_end = self.f.current;
        self.f.continue_at(no);
        let b = self.expr(&c.else_expression)?;
        let b_end = self.f.current;
        self.mark(node.span);
        let ty = self.conditional_type(a, b)?;
        let result = match self.link.types.scalar(ty) {
            Some(scalar) => Some(self.f.temp(scalar, at)),
            None if self.is_void(ty) => None,
            None => Some(self.f.temp(Scalar::Ptr, at)),
        };
        for (value, from) in [(a, a_end), (b, b_end)] {
            self.f.continue_at(from);
            let converted = self.convert(value, ty)?;
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

    /// GNU's `a ?: b`, which the normaliser writes as `a ? __obmc_same : b`.
    fn elvis(&mut self, c: &ast::ConditionalExpression) -> Result<Value> {
        let value = self.expr(&c.condition)?;
        let (op, from, scalar) = self.scalar(value, "a condition")?;
        let value = Value::Scalar { op: self.assign(scalar, Rvalue::Use(op)), ty: from };
        let other = self.aside(|unit| unit.expr(&c.else_expression))?;
        let ty = self.conditional_type(value, other)?;
        let Some(result_ty) = self.link.types.scalar(ty) else {
            return Err(self.error("both sides of `?:` must be scalars"));
        };
        let result = self.f.temp(result_ty, self.at);
        let Value::Scalar { op, .. } = value else { return Ok(Value::Void) };
        let cond = self.truth(op, scalar);
        let kept = |unit: &mut Self| {
            let value = unit.convert(value, ty)?;
            let (op, _, _) = unit.scalar(value, "a condition")?;
            unit.set(result, op);
            Ok(())
        };
        let replaced = |unit: &mut Self| {
            let value = unit.expr(&c.else_expression)?;
            let value = unit.convert(value, ty)?;
            let (op, _, _) = unit.scalar(value, "this operand")?;
            unit.set(result, op);
            Ok(())
        };
        let (a, b) = self.if_else(cond, kept, replaced);
        a.and(b)?;
        Ok(Value::Scalar { op: Operand::Reg(result), ty })
    }

    /// C11 6.5.15.
    fn conditional_type(&mut self, a: Value, b: Value) -> Result<TypeId> {
        let (ta, tb) = (self.type_of_value(a), self.type_of_value(b));
        if ta == tb && self.link.types.scalar(ta).is_none() {
            return Ok(ta);
        }
        if self.is_void(ta) || self.is_void(tb) {
            return Ok(self.link.types.intern(Type::Void));
        }
        match (self.pointee(ta), self.pointee(tb)) {
            (Some(_), None) => Ok(ta),
            (None, Some(_)) => Ok(tb),
            (Some(x), Some(_)) => {
                let null =
                    |v| matches!(v, Value::Scalar { op: Operand::Const { bits: 0, .. }, .. });
                let first = if self.is_void(x) { null(b) } else { !null(a) || null(b) };
                Ok(if first { ta } else { tb })
            }
            (None, None) => {
                let (a, b) = (self.promote(a)?, self.promote(b)?);
                let (ta, tb) = (self.type_of_value(a), self.type_of_value(b));
                Ok(self.common_type(ta, tb))
            }
        }
    }

    fn offset_of(&mut self, node: &Node<ast::OffsetOfExpression>) -> Result<Value> {
        let ty = self.type_name(&node.node.type_name)?;
        self.mark(node.span);
        let designator = &node.node.designator.node;
        let null = Operand::Const { bits: 0, ty: Scalar::Ptr };
        let mut place = self.field_place(null, ty, &designator.base.node.name)?;
        for member in &designator.members {
            let super::place::Place::Memory { addr, ty } = place else {
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
        let super::place::Place::Memory { addr, .. } = place else {
            return Err(self.error("offsetof a bit-field"));
        };
        let ty = self.size_type();
        let scalar = self.link.types.scalar(ty).unwrap_or(Scalar::U64);
        Ok(Value::Scalar { op: self.cast(Scalar::Ptr, scalar, addr), ty })
    }

    fn generic_selection(&mut self, node: &Node<ast::GenericSelection>) -> Result<Value> {
        let value = self.aside(|unit| unit.expr(&node.node.expression))?;
        let wanted = self.type_of_value(value);
        let mut default = None;
        for association in &node.node.associations {
            match &association.node {
                ast::GenericAssociation::Type(t) => {
                    let ty = self.type_name(&t.node.type_name)?;
                    if ty == wanted {
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
