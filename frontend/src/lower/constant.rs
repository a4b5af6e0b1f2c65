//! Constant expressions and the types of expressions, by lowering them and looking at the result.

use super::{Result, Unit, Value};
use crate::fold;
use crate::ir::Operand;
use crate::types::TypeId;
use lang_c::ast;
use lang_c::span::Node;

impl Unit<'_> {
    /// Runs `lower` into a block that is thrown away.
    pub fn aside<T>(&mut self, lower: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (current, at) = (self.f.current, self.at);
        self.f.current = self.f.new_block();
        let result = lower(self);
        self.f.current = current;
        if result.is_ok() {
            self.at = at;
        }
        result
    }

    /// The type of an expression before decay; evaluates nothing.
    pub fn type_of(&mut self, node: &Node<ast::Expression>) -> Result<TypeId> {
        self.aside(|unit| match unit.try_place(node)? {
            Some(place) => Ok(place.ty()),
            None => {
                let value = unit.expr(node)?;
                Ok(unit.type_of_value(value))
            }
        })
    }

    pub fn try_constant(&mut self, node: &Node<ast::Expression>) -> Result<Option<i128>> {
        let value = self.aside(|unit| unit.expr(node))?;
        Ok(match value {
            Value::Scalar { op: Operand::Const { bits, ty }, .. } if !ty.is_float() => {
                Some(fold::number(self.link.types.machine, ty, bits))
            }
            _ => None,
        })
    }

    pub fn constant_int(&mut self, node: &Node<ast::Expression>) -> Result<i128> {
        match self.try_constant(node)? {
            Some(value) => Ok(value),
            None => {
                self.mark(node.span);
                Err(self.error("this must be an integer constant"))
            }
        }
    }

    pub fn constant_u64(&mut self, node: &Node<ast::Expression>) -> Result<u64> {
        let value = self.constant_int(node)?;
        u64::try_from(value).map_err(|_| self.error("this must not be negative"))
    }
}
