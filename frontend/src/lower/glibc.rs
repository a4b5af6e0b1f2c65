//! What glibc's and gcc's own headers leave of a function in preprocessed text.
//!
//! - `pthread_cleanup_push` becomes variables `__cancel_routine` and `__cancel_arg`, a jump that comes
//!   back if the thread ends, and calls with a buffer. We push the handler that is in scope, as our own
//!   header does, and the jump never comes back.
//! - `atomic_init` becomes a store with the literal order 0. For races it is no atomic access (C11
//!   7.17.2.2); that such a store is one of these is an assumption.
//! - `memcmp` and `memchr` of structs also look at padding, which has any value (6.2.6.1p6): that it is as ours is
//!   an assumption.

use super::call::Args;
use super::scope::Symbol;
use super::{Result, Unit, Value};
use ir::types::{Scalar, Type, TypeId};
use ir::*;
use lang_c::ast::{Constant, Expression, Identifier};
use lang_c::span::Node;

const HANDLER: [&str; 2] = ["__cancel_routine", "__cancel_arg"];
const BUFFER: &str = "__cancel_buf";
/// What gcc calls the pointer in its macros.
const STORED_TO: &str = "__atomic_store_ptr";
const INIT: &str = "a store with the literal order 0 that gcc's <stdatomic.h> has written is \
                    atomic_init";
const PADDING: &str =
    "padding is zero, or as it was copied, where memcmp or memchr looks at it; C leaves it open";

impl Unit<'_> {
    /// The calls of glibc's `pthread_cleanup_push` and `pthread_cleanup_pop`.
    pub(crate) fn glibc_cleanup(&mut self, name: &str, args: Args) -> Result<Option<Value>> {
        let calls =
            ["__sigsetjmp_cancel", "__pthread_register_cancel", "__pthread_unregister_cancel"];
        let is_macro = HANDLER.iter().all(|variable| self.lookup(variable).is_some());
        let (true, true, Some(buffer)) = (calls.contains(&name), is_macro, args.first()) else {
            return Ok(None);
        };
        if name == calls[0] {
            return Ok(Some(self.int_constant(0)));
        }
        let buffer = self.pointer_value(buffer)?;
        let (function, mut rest) = match name == calls[1] {
            true => ("_pthread_cleanup_push", Vec::new()),
            false => ("_pthread_cleanup_pop", vec![self.scalar_const(0, Scalar::I32)]),
        };
        if name == calls[1] {
            for variable in HANDLER {
                let name = Identifier { name: variable.to_owned() };
                let id = Box::new(Node::new(name, args[0].span));
                let id = Node::new(Expression::Identifier(id), args[0].span);
                rest.push(self.pointer_value(&id)?);
            }
        }
        let callee = Callee::Direct(self.function_named(function));
        let args = [vec![buffer], rest].concat();
        self.emit(InstKind::Call { dst: None, callee, args });
        if let (true, Some(&Symbol::Slot { slot, .. })) = (name == calls[1], self.lookup(BUFFER)) {
            let leave = self.function_named("__obmc_leave_cleanup");
            self.f.clean_up_by(leave, slot);
        }
        Ok(Some(Value::Void))
    }

    fn pointer_value(&mut self, node: &Node<Expression>) -> Result<Operand> {
        let value = self.expr(node)?;
        Ok(self.scalar(value, "a pointer")?.0)
    }

    /// The order of `__atomic_store`, unless it is what `atomic_init` has become.
    pub(crate) fn order_of_store(&mut self, order: MemoryOrder, args: Args) -> MemoryOrder {
        let to = matches!(&args[0].node, Expression::Identifier(id) if id.node.name == STORED_TO);
        let literal = matches!(&args[2].node, Expression::Constant(c)
            if matches!(&c.node, Constant::Integer(n) if n.number.chars().all(|digit| digit == '0')));
        if !(to && literal && self.link.property.is(PropertyKind::Races)) {
            return order;
        }
        self.link.ignored.push((INIT.to_owned(), self.at));
        MemoryOrder::Plain
    }

    /// Notes a look at bytes that no member has.
    pub(crate) fn note_padding(&mut self, name: &str, args: Args) -> Result<()> {
        let objects = match name {
            "memcmp" | "bcmp" => 2,
            "memchr" | "memrchr" => 1,
            _ => 0,
        };
        if self.origin != Origin::User {
            return Ok(());
        }
        for arg in args.iter().take(objects) {
            let ty = self.type_of(arg)?;
            let to = match *self.link.types.get(ty) {
                Type::Array { elem, .. } => Some(elem),
                _ => self.pointee(ty),
            };
            if to.is_some_and(|to| self.has_padding(to)) {
                self.link.ignored.push((PADDING.to_owned(), self.at));
                break;
            }
        }
        Ok(())
    }

    fn has_padding(&self, ty: TypeId) -> bool {
        let types = &self.link.types;
        let mut leaves = Vec::new();
        let few = self.leaves(ty, 0, &mut leaves);
        let bytes: u64 = leaves.iter().map(|leaf| leaf.ty.bytes(types.machine)).sum();
        few && !leaves.is_empty() && types.size(ty).is_some_and(|size| bytes < size)
    }
}
