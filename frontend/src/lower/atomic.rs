//! GCC's `__atomic_*` and `__sync_*` builtins, which `<stdatomic.h>` is made of.
//!
//! A load or store is one instruction with its order. A read-modify-write is an internal atomic
//! block of a load and a store: the load has the acquire half of the order, the store the release
//! half. A weak compare-exchange may fail although the values are equal: an input says so.

use super::atomic_order::{BITS, CONSUME, SEQ_CST, constant, memory_order};
use super::call::Args;
use super::{Result, Unit, Value};
use analysis::spurious;
use ir::types::{Scalar, Type, TypeId};
use ir::*;
use lang_c::ast::{self, BinaryOperator as B};
use lang_c::span::{Node, Span as Bytes};

/// The location that an atomic operation works on.
#[derive(Clone, Copy)]
pub(super) struct AtomicTarget {
    pub addr: Operand,
    pub ty: TypeId,
    pub scalar: Scalar,
}

/// When a compare-exchange fails.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    /// If the values differ.
    Strong,
    /// Or for no reason.
    Weak,
}

/// Builtins whose first argument is no location.
const NO_OPERAND: [&str; 6] =
    ["thread_fence", "signal_fence", "always_lock_free", "is_lock_free", "test_and_set", "clear"];

pub(super) enum Fetch {
    Old,
    New,
}

impl Unit<'_> {
    /// `None` if the name is no atomic builtin.
    pub(crate) fn atomic_builtin(
        &mut self,
        name: &str,
        args: Args,
        at: Span,
    ) -> Result<Option<Value>> {
        if let Some(rest) = name.strip_prefix("__atomic_") {
            return self.gnu_atomic(rest, args, at);
        }
        if let Some(rest) = name.strip_prefix("__c11_atomic_") {
            return self.clang_atomic(rest, args, at);
        }
        match name.strip_prefix("__sync_") {
            Some(rest) => self.sync(rest, args, at),
            None => Ok(None),
        }
    }

    /// `atomic_init`: no atomic access, so every conflicting access races (C11, 7.17.2.2).
    fn atomic_init(&mut self, args: Args) -> Result<Value> {
        if args.len() < 2 {
            return Err(self.error("too few arguments for `atomic_init`"));
        }
        if self.works_on_block(args)? {
            return self.block_init(args);
        }
        let target = self.target(args, 0)?;
        let value = self.expr(&args[1])?;
        self.store_to(target, value, MemoryOrder::Plain)?;
        Ok(Value::Void)
    }

    pub(super) fn gnu_atomic(&mut self, rest: &str, args: Args, at: Span) -> Result<Option<Value>> {
        // `__atomic_load_4` and the like are `__atomic_load_n` on a number of bytes.
        if let Some(sized) = self.sized_atomic(rest, args, at)? {
            return Ok(Some(sized));
        }
        let wanted = match rest {
            "load_n" | "clear" | "test_and_set" | "is_lock_free" | "always_lock_free" => 2,
            "thread_fence" | "signal_fence" => 1,
            "exchange" => 4,
            "compare_exchange" | "compare_exchange_n" => 6,
            _ => 3,
        };
        if args.len() < wanted {
            return Err(self.error(format!("too few arguments for `__atomic_{rest}`")));
        }
        if let Some(value) = self.by_order(rest, args, at)? {
            return Ok(Some(value));
        }
        if !NO_OPERAND.contains(&rest) && self.works_on_block(args)? {
            return self.block_atomic(rest, args, at);
        }
        Ok(Some(match rest {
            "load_n" => {
                let target = self.target(args, 0)?;
                let order = self.order(args, 1, at)?;
                self.load_from(target, order)
            }
            "load" => {
                let target = self.target(args, 0)?;
                let to = self.target(args, 1)?;
                let order = self.order(args, 2, at)?;
                let value = self.load_from(target, order);
                self.store_to(to, value, MemoryOrder::Plain)?;
                Value::Void
            }
            "store_n" => {
                let target = self.target(args, 0)?;
                let value = self.expr(&args[1])?;
                let order = self.order(args, 2, at)?;
                self.store_to(target, value, order)?;
                Value::Void
            }
            "store" => {
                let target = self.target(args, 0)?;
                let from = self.target(args, 1)?;
                let order = self.order(args, 2, at)?;
                let order = self.order_of_store(order, args);
                let value = self.load_from(from, MemoryOrder::Plain);
                self.store_to(target, value, order)?;
                Value::Void
            }
            "exchange_n" => {
                let target = self.target(args, 0)?;
                let value = self.expr(&args[1])?;
                let order = self.order(args, 2, at)?;
                self.exchange(target, value, order)?
            }
            "exchange" => {
                let target = self.target(args, 0)?;
                let from = self.target(args, 1)?;
                let to = self.target(args, 2)?;
                let order = self.order(args, 3, at)?;
                let value = self.load_from(from, MemoryOrder::Plain);
                let old = self.exchange(target, value, order)?;
                self.store_to(to, old, MemoryOrder::Plain)?;
                Value::Void
            }
            "compare_exchange_n" | "compare_exchange" => {
                let target = self.target(args, 0)?;
                let expected = self.target(args, 1)?;
                let desired = if rest == "compare_exchange" {
                    let from = self.target(args, 2)?;
                    self.load_from(from, MemoryOrder::Plain)
                } else {
                    self.expr(&args[2])?
                };
                let strength = match self.expr(&args[3])? {
                    Value::Scalar { op: Operand::Const { bits: 0, .. }, .. } => Strength::Strong,
                    _ => Strength::Weak,
                };
                let order = self.order(args, 4, at)?;
                let failure = self.order(args, 5, at)?;
                self.compare_exchange(target, expected, desired, (order, failure), strength)?
            }
            "test_and_set" => {
                let target = self.flag(args)?;
                let order = self.order(args, 1, at)?;
                let one = self.int_constant(1);
                let old = self.exchange(target, one, order)?;
                let bool_ty = self.link.types.intern(Type::Bool);
                self.convert(old, bool_ty)?
            }
            "clear" => {
                let target = self.flag(args)?;
                let order = self.order(args, 1, at)?;
                let zero = self.int_constant(0);
                self.store_to(target, zero, order)?;
                Value::Void
            }
            "thread_fence" => {
                // A fence that consumes is one that acquires (7.17.4.1).
                let order = memory_order(self.order_number(args, 0, at)?);
                self.emit(InstKind::Fence { order, kernel: None });
                Value::Void
            }
            "signal_fence" => {
                self.expr(&args[0])?;
                Value::Void
            }
            "always_lock_free" | "is_lock_free" => return self.lock_free(rest, args, at),
            _ => return self.gnu_fetch(rest, args, at),
        }))
    }

    /// What clang's `<stdatomic.h>` is made of.
    fn clang_atomic(&mut self, rest: &str, args: Args, at: Span) -> Result<Option<Value>> {
        match rest {
            "init" => self.atomic_init(args).map(Some),
            "compare_exchange_strong" | "compare_exchange_weak" if args.len() == 5 => {
                let weak = constant(rest.ends_with("weak").into(), &args[2]);
                let mut args = args.to_vec();
                args.insert(3, weak);
                self.gnu_atomic("compare_exchange_n", &args, at)
            }
            "load" | "store" | "exchange" => self.gnu_atomic(&format!("{rest}_n"), args, at),
            "thread_fence" | "signal_fence" => self.gnu_atomic(rest, args, at),
            _ if rest.starts_with("fetch_") => self.gnu_atomic(rest, args, at),
            _ => Ok(None),
        }
    }

    /// `__atomic_fetch_add_8(p, v, o)`: libatomic's functions, which work on any pointer.
    fn sized_atomic(&mut self, rest: &str, args: Args, at: Span) -> Result<Option<Value>> {
        let Some((name, size)) = rest.rsplit_once('_') else { return Ok(None) };
        let Some(words) = unsigned_of(size) else { return Ok(None) };
        let name = match name {
            "load" | "store" | "exchange" | "compare_exchange" => format!("{name}_n"),
            name => name.to_owned(),
        };
        let mut args = args.to_vec();
        let pointers = if name == "compare_exchange_n" { 2 } else { 1 };
        for arg in args.iter_mut().take(pointers) {
            *arg = cast_to_pointer(arg.clone(), &words);
        }
        self.gnu_atomic(&name, &args, at)
    }

    /// Sizes that x86 has an instruction for; what 16 bytes are depends on the machine.
    fn lock_free(&mut self, name: &str, args: Args, at: Span) -> Result<Option<Value>> {
        let size = self.try_constant(&args[0])?;
        self.at = at;
        let always = name == "always_lock_free";
        let ty = self.link.types.intern(Type::Bool);
        Ok(Some(match size {
            Some(1 | 2 | 4 | 8) => Value::Scalar { op: self.bits(1, ty), ty },
            Some(_) if always => Value::Scalar { op: self.bits(0, ty), ty },
            _ => self.unsupported_value(&format!("__atomic_{name} of other sizes"), ty),
        }))
    }

    fn gnu_fetch(&mut self, rest: &str, args: Args, at: Span) -> Result<Option<Value>> {
        let (fetch, op) = if let Some(op) = rest.strip_prefix("fetch_") {
            (Fetch::Old, op)
        } else if let Some(op) = rest.strip_suffix("_fetch") {
            (Fetch::New, op)
        } else {
            return Ok(None);
        };
        self.counts_elements_or_bytes(&args[0])?;
        let target = self.target(args, 0)?;
        let value = self.expr(&args[1])?;
        let order = self.order(args, 2, at)?;
        self.fetch(target, op, value, order, fetch)
    }

    /// `atomic_fetch_add` of an `_Atomic` pointer: C17 counts elements (7.17.7.5), and so does clang;
    /// gcc's header makes of it the builtin, which counts bytes.
    fn counts_elements_or_bytes(&mut self, arg: &Node<ast::Expression>) -> Result<()> {
        let ty = self.type_of(arg)?;
        let Some(to) = self.pointee(ty) else { return Ok(()) };
        let inner = self.link.types.strip_atomic(to);
        let element = self.pointee(inner).filter(|_| inner != to);
        if element.and_then(|e| self.link.types.size(e)).is_some_and(|size| size != 1) {
            let what = "atomic_fetch_add or _sub of a pointer: bytes with gcc, elements by C17";
            self.emit(InstKind::Unsupported { what: what.into() });
        }
        Ok(())
    }

    fn sync(&mut self, rest: &str, args: Args, at: Span) -> Result<Option<Value>> {
        // `__sync_fetch_and_add_4` and the like say which type they take.
        if let Some((name, size)) = rest.rsplit_once('_')
            && let Some(words) = unsigned_of(size)
        {
            let mut args = args.to_vec();
            for arg in args.iter_mut().take(1) {
                *arg = cast_to_pointer(arg.clone(), &words);
            }
            return self.sync(name, &args, at);
        }
        if rest == "synchronize" {
            self.emit(InstKind::Fence { order: MemoryOrder::SeqCst, kernel: None });
            return Ok(Some(Value::Void));
        }
        if args.is_empty() || (args.len() < 2 && rest != "lock_release") {
            return Err(self.error(format!("too few arguments for `__sync_{rest}`")));
        }
        if self.works_on_block(args)? {
            return self.block_sync(rest, args, at);
        }
        let target = self.target(args, 0)?;
        let order = MemoryOrder::SeqCst;
        if let Some(op) = rest.strip_prefix("fetch_and_") {
            let value = self.expr(&args[1])?;
            self.at = at;
            return self.fetch(target, op, value, order, Fetch::Old);
        }
        if let Some(op) = rest.strip_suffix("_and_fetch") {
            let value = self.expr(&args[1])?;
            self.at = at;
            return self.fetch(target, op, value, order, Fetch::New);
        }
        Ok(Some(match rest {
            "lock_test_and_set" => {
                let value = self.expr(&args[1])?;
                self.at = at;
                self.exchange(target, value, MemoryOrder::Acquire)?
            }
            "lock_release" => {
                self.at = at;
                let zero = self.int_constant(0);
                self.store_to(target, zero, MemoryOrder::Release)?;
                Value::Void
            }
            "bool_compare_and_swap" | "val_compare_and_swap" if args.len() >= 3 => {
                let expected = self.expr(&args[1])?;
                let desired = self.expr(&args[2])?;
                self.at = at;
                let (old, equal) = self.swap_if_equal(
                    target,
                    expected,
                    desired,
                    (order, order),
                    order,
                    Strength::Strong,
                )?;
                if rest.starts_with("bool") { equal } else { old }
            }
            _ => return Ok(None),
        }))
    }

    pub(crate) fn int_constant(&mut self, value: u64) -> Value {
        let ty = self.int_type();
        Value::Scalar { op: self.bits(value, ty), ty }
    }

    /// What the pointer argument points to.
    pub(super) fn target(&mut self, args: Args, i: usize) -> Result<AtomicTarget> {
        let value = self.expr(&args[i])?;
        self.mark(args[i].span);
        let (addr, ty, _) = self.scalar(value, "an atomic operand")?;
        let Some(to) = self.pointee(ty) else {
            return Err(self.error("an atomic operation needs a pointer"));
        };
        let to = self.link.types.strip_atomic(to);
        match self.link.types.scalar(to) {
            Some(scalar) => Ok(AtomicTarget { addr, ty: to, scalar }),
            None if self.is_void(to) => Err(self.error("an atomic operation on `void`")),
            None => {
                let name = self.link.types.name(to);
                let what = format!("an atomic operation on `{name}`");
                self.emit(InstKind::Unsupported { what });
                let ty = self.int_type();
                Ok(AtomicTarget { addr, ty, scalar: Scalar::I32 })
            }
        }
    }

    /// `atomic_flag` and friends: the first byte.
    fn flag(&mut self, args: Args) -> Result<AtomicTarget> {
        let value = self.expr(&args[0])?;
        let (addr, _, _) = self.scalar(value, "an atomic operand")?;
        let ty = self.link.types.intern(Type::Bool);
        Ok(AtomicTarget { addr, ty, scalar: Scalar::U8 })
    }

    /// The memory order of an access.
    pub(super) fn order(&mut self, args: Args, i: usize, at: Span) -> Result<MemoryOrder> {
        let order = self.order_number(args, i, at)?;
        if order == CONSUME {
            self.note_consume(at);
        }
        Ok(memory_order(order))
    }

    /// A memory order argument, which is a constant (`atomic_order.rs`).
    fn order_number(&mut self, args: Args, i: usize, at: Span) -> Result<u64> {
        let value = self.expr(&args[i])?;
        self.at = at;
        Ok(match value {
            Value::Scalar { op: Operand::Const { bits, .. }, .. } => bits & BITS,
            _ => SEQ_CST,
        })
    }

    /// C orders only what depends on the value (5.1.2.4, dependency-ordered before): less than `acquire`.
    fn note_consume(&mut self, at: Span) {
        let text =
            "memory_order_consume orders as much as memory_order_acquire, as compilers have it";
        if self.link.ignored.iter().all(|(other, _)| other != text) {
            self.link.ignored.push((text.to_owned(), at));
        }
    }

    pub(super) fn load_from(&mut self, from: AtomicTarget, order: MemoryOrder) -> Value {
        let op = self.load(from.addr, from.scalar, order);
        Value::Scalar { op, ty: from.ty }
    }

    pub(super) fn store_to(
        &mut self,
        to: AtomicTarget,
        value: Value,
        order: MemoryOrder,
    ) -> Result<()> {
        let value = self.convert(value, to.ty)?;
        let (op, _, _) = self.scalar(value, "an atomic operand")?;
        self.store(to.addr, op, to.scalar, order);
        Ok(())
    }

    /// An internal atomic block around a load and what follows.
    pub(super) fn read_modify_write<T>(
        &mut self,
        target: AtomicTarget,
        order: MemoryOrder,
        rest: impl FnOnce(&mut Self, Value) -> Result<T>,
    ) -> Result<T> {
        self.emit(InstKind::AtomicBegin { kind: AtomicKind::Internal });
        let old = self.load_from(target, load_half(order));
        let result = rest(self, old)?;
        self.emit(InstKind::AtomicEnd);
        Ok(result)
    }

    pub(super) fn exchange(
        &mut self,
        target: AtomicTarget,
        value: Value,
        order: MemoryOrder,
    ) -> Result<Value> {
        let value = self.convert(value, target.ty)?;
        self.read_modify_write(target, order, |unit, old| {
            unit.store_to(target, value, store_half(order))?;
            Ok(old)
        })
    }

    pub(super) fn fetch(
        &mut self,
        target: AtomicTarget,
        op: &str,
        value: Value,
        order: MemoryOrder,
        fetch: Fetch,
    ) -> Result<Option<Value>> {
        let operator = match op {
            "add" => B::Plus,
            "sub" => B::Minus,
            "and" | "nand" => B::BitwiseAnd,
            "or" => B::BitwiseOr,
            "xor" => B::BitwiseXor,
            _ => return Ok(None),
        };
        let ty = target.ty;
        let value = self.convert(value, ty)?;
        let result = self.read_modify_write(target, order, |unit, old| {
            let new = unit.wrapping(&operator, old, value, target)?;
            let new = if op == "nand" { unit.complement(new, target)? } else { new };
            unit.store_to(target, new, store_half(order))?;
            Ok(if matches!(fetch, Fetch::Old) { old } else { new })
        })?;
        Ok(Some(result))
    }

    /// Atomic arithmetic wraps and does not promote; on pointers it counts bytes.
    fn wrapping(
        &mut self,
        operator: &B,
        a: Value,
        b: Value,
        target: AtomicTarget,
    ) -> Result<Value> {
        let op = match operator {
            B::Plus => BinOp::Add,
            B::Minus => BinOp::Sub,
            B::BitwiseAnd => BinOp::And,
            B::BitwiseOr => BinOp::Or,
            _ => BinOp::Xor,
        };
        let (a, _, _) = self.scalar(a, "an atomic operand")?;
        let (b, _, _) = self.scalar(b, "an atomic operand")?;
        let mut result = self.binary(op, target.scalar, a, b, false);
        if *self.link.types.get(target.ty) == Type::Bool {
            let truth = self.truth(result, target.scalar);
            result = self.cast(Scalar::I32, target.scalar, truth);
        }
        Ok(Value::Scalar { op: result, ty: target.ty })
    }

    fn complement(&mut self, value: Value, target: AtomicTarget) -> Result<Value> {
        let (a, _, _) = self.scalar(value, "an atomic operand")?;
        let op = self.unary(UnOp::Not, target.scalar, a, false);
        Ok(Value::Scalar { op, ty: target.ty })
    }

    /// Gives the old value and whether the swap happened (`_Bool`). `loads` are the orders of the
    /// load in success and in failure: if only one of them acquires, then the load that decides is
    /// relaxed, and the outcome that acquires loads once more in the same atomic block.
    pub(super) fn swap_if_equal(
        &mut self,
        target: AtomicTarget,
        expected: Value,
        desired: Value,
        loads: (MemoryOrder, MemoryOrder),
        store: MemoryOrder,
        strength: Strength,
    ) -> Result<(Value, Value)> {
        if target.scalar == Scalar::Ptr && self.origin == Origin::User {
            self.link.pointer_exchanges.push(self.at);
        }
        let expected = self.convert(expected, target.ty)?;
        let desired = self.convert(desired, target.ty)?;
        let (expected, _, _) = self.scalar(expected, "an atomic operand")?;
        let (success, failure) = loads;
        let alike = success.acquires() == failure.acquires();
        let first = if alike { success.min(failure) } else { MemoryOrder::Relaxed };
        let acquire = |unit: &mut Self, order: MemoryOrder| {
            if !alike && order.acquires() {
                unit.load_from(target, order);
            }
        };
        self.read_modify_write(target, first, |unit, old| {
            let (old_op, _, _) = unit.scalar(old, "an atomic operand")?;
            let equal = unit.binary(BinOp::Eq, target.scalar, old_op, expected, false);
            let swap = |unit: &mut Self| {
                acquire(unit, success);
                unit.store_to(target, desired, store)
            };
            let keep = |unit: &mut Self| {
                acquire(unit, failure);
                Ok(())
            };
            let done = match strength {
                Strength::Strong => {
                    unit.if_else(equal, swap, keep).0?;
                    equal
                }
                Strength::Weak => {
                    let at = unit.at;
                    let done = unit.f.temp(Scalar::I32, at);
                    let fails = unit.f.temp(Scalar::I32, at);
                    let set = |unit: &mut Self, value| {
                        let value = unit.scalar_const(value, Scalar::I32);
                        unit.set(done, value);
                    };
                    let keep = |unit: &mut Self| {
                        set(unit, 0);
                        keep(unit)
                    };
                    let perhaps = |unit: &mut Self| {
                        let name = spurious::FAILURE.to_owned();
                        let ty = Scalar::I32;
                        unit.emit(InstKind::Nondet { dst: fails, ty, bits: 1, name });
                        let swap = |unit: &mut Self| {
                            set(unit, 1);
                            swap(unit)
                        };
                        let (kept, swapped) = unit.if_else(Operand::Reg(fails), keep, swap);
                        kept.and(swapped)
                    };
                    unit.if_else(equal, perhaps, keep).0?;
                    Operand::Reg(done)
                }
            };
            let ty = unit.link.types.intern(Type::Bool);
            let op = unit.cast(Scalar::I32, Scalar::U8, done);
            Ok((old, Value::Scalar { op, ty }))
        })
    }

    fn compare_exchange(
        &mut self,
        target: AtomicTarget,
        expected: AtomicTarget,
        desired: Value,
        (order, failure): (MemoryOrder, MemoryOrder),
        strength: Strength,
    ) -> Result<Value> {
        let wanted = self.load_from(expected, MemoryOrder::Plain);
        let loads = (load_half(order), load_half(failure));
        let store = store_half(order);
        let (old, equal) = self.swap_if_equal(target, wanted, desired, loads, store, strength)?;
        let (cond, _, scalar) = self.scalar(equal, "an atomic operand")?;
        let cond = self.truth(cond, scalar);
        let (_, stored) =
            self.if_else(cond, |_| Ok(()), |unit| unit.store_to(expected, old, MemoryOrder::Plain));
        stored?;
        Ok(equal)
    }
}

/// The unsigned type of so many bytes.
fn unsigned_of(size: &str) -> Option<Vec<ast::TypeSpecifier>> {
    use ast::TypeSpecifier as T;
    Some(match size {
        "1" => vec![T::Unsigned, T::Char],
        "2" => vec![T::Unsigned, T::Short],
        "4" => vec![T::Unsigned, T::Int],
        "8" => vec![T::Unsigned, T::Long, T::Long],
        "16" => {
            let name = "__obmc_uint128".to_owned();
            vec![T::TypedefName(Node::new(ast::Identifier { name }, Bytes::none()))]
        }
        _ => return None,
    })
}

/// `(WORDS *)arg`
fn cast_to_pointer(
    arg: Node<ast::Expression>,
    words: &[ast::TypeSpecifier],
) -> Node<ast::Expression> {
    let span = arg.span;
    let specifier = |word: &ast::TypeSpecifier| {
        let word = Node::new(word.clone(), span);
        Node::new(ast::SpecifierQualifier::TypeSpecifier(word), span)
    };
    let declarator = ast::Declarator {
        kind: Node::new(ast::DeclaratorKind::Abstract, span),
        derived: vec![Node::new(ast::DerivedDeclarator::Pointer(Vec::new()), span)],
        extensions: Vec::new(),
    };
    let type_name = ast::TypeName {
        specifiers: words.iter().map(specifier).collect(),
        declarator: Some(Node::new(declarator, span)),
    };
    let type_name = Node::new(type_name, span);
    let cast = ast::CastExpression { type_name, expression: Box::new(arg) };
    Node::new(ast::Expression::Cast(Box::new(Node::new(cast, span))), span)
}

pub(super) fn load_half(order: MemoryOrder) -> MemoryOrder {
    match order {
        MemoryOrder::SeqCst => MemoryOrder::SeqCst,
        order if order.acquires() => MemoryOrder::Acquire,
        _ => MemoryOrder::Relaxed,
    }
}

pub(super) fn store_half(order: MemoryOrder) -> MemoryOrder {
    match order {
        MemoryOrder::SeqCst => MemoryOrder::SeqCst,
        order if order.releases() => MemoryOrder::Release,
        _ => MemoryOrder::Relaxed,
    }
}

#[cfg(test)]
mod tests;
