//! Atomic operations on what no register holds: structs and `__int128`.
//!
//! Such an operation is one internal atomic block with an access per leaf, each with the order that
//! the operation has, whether the machine has an instruction for it or takes a lock. A
//! compare-and-exchange compares bytes, so also those between members; where a type has some, none
//! knows what is in them, and that is not modelled.

use super::atomic::{Fetch, Strength, load_half, store_half};
use super::call::Args;
use super::copy::CopiedPiece;
use super::wide::WidePair;
use super::{Result, Unit, Value};
use analysis::spurious;
use ir::types::{Scalar, Type, TypeId};
use ir::*;
use lang_c::ast;
use lang_c::span::Node;

/// The location that an atomic operation works on.
#[derive(Clone)]
pub(super) struct BlockTarget {
    pub addr: Operand,
    pub ty: TypeId,
    leaves: Vec<CopiedPiece>,
}

impl Unit<'_> {
    /// Does an atomic builtin work on a block, as its first argument says?
    pub(super) fn works_on_block(&mut self, args: Args) -> Result<bool> {
        let Some(first) = args.first() else { return Ok(false) };
        let pointer = self.type_of(first)?;
        let to = match *self.link.types.get(self.link.types.strip_atomic(pointer)) {
            Type::Pointer(to) | Type::Array { elem: to, .. } => self.link.types.strip_atomic(to),
            _ => return Ok(false),
        };
        let record = matches!(self.link.types.get(to), Type::Record(_));
        Ok((record || self.is_int128(to)) && self.link.types.size(to).is_some())
    }

    /// What the pointer argument points to.
    fn block(&mut self, arg: &Node<ast::Expression>) -> Result<BlockTarget> {
        let value = self.expr(arg)?;
        self.mark(arg.span);
        let (addr, ty, _) = self.scalar(value, "an atomic operand")?;
        match self.pointee(ty) {
            Some(to) => Ok(self.block_at(addr, to)),
            None => Err(self.error("an atomic operation needs a pointer")),
        }
    }

    fn block_at(&mut self, addr: Operand, ty: TypeId) -> BlockTarget {
        let ty = self.link.types.strip_atomic(ty);
        let mut leaves = Vec::new();
        if !self.leaves(ty, 0, &mut leaves) {
            let name = self.link.types.name(ty);
            self.emit(InstKind::Unsupported { what: format!("an atomic operation on `{name}`") });
            leaves.clear();
        }
        // Floats move and compare as what they are made of.
        for leaf in &mut leaves {
            leaf.ty = match leaf.ty {
                Scalar::F32 => Scalar::U32,
                Scalar::F64 => Scalar::U64,
                ty => ty,
            };
        }
        BlockTarget { addr, ty, leaves }
    }

    fn load_leaves(&mut self, from: &BlockTarget, order: MemoryOrder) -> Vec<Operand> {
        let load = |leaf: &CopiedPiece| {
            let addr = self.offset(from.addr, leaf.offset);
            self.load(addr, leaf.ty, order)
        };
        from.leaves.iter().map(load).collect()
    }

    fn store_leaves(&mut self, to: &BlockTarget, values: &[Operand], order: MemoryOrder) {
        for (leaf, value) in to.leaves.iter().zip(values) {
            let addr = self.offset(to.addr, leaf.offset);
            self.store(addr, *value, leaf.ty, order);
        }
    }

    fn atomically<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.emit(InstKind::AtomicBegin { kind: AtomicKind::Internal });
        let result = inside(self);
        self.emit(InstKind::AtomicEnd);
        result
    }

    /// The leaves of a value of the block's type.
    fn leaves_of(&mut self, value: Value, like: &BlockTarget) -> Result<Vec<Operand>> {
        match self.convert(value, like.ty)? {
            Value::Wide { lo, hi, .. } => Ok(vec![lo, hi]),
            Value::Memory { addr, .. } => {
                let from = BlockTarget { addr, ..like.clone() };
                Ok(self.load_leaves(&from, MemoryOrder::Plain))
            }
            _ => Err(self.error("this operand has another type than the atomic object")),
        }
    }

    /// A value made of its leaves.
    fn joined(&mut self, leaves: &[Operand], like: &BlockTarget) -> Value {
        if let ([lo, hi], true) = (leaves, self.is_int128(like.ty)) {
            return Value::Wide { lo: *lo, hi: *hi, ty: like.ty };
        }
        let addr = self.temp_slot(like.ty);
        let to = BlockTarget { addr, ..like.clone() };
        self.store_leaves(&to, leaves, MemoryOrder::Plain);
        Value::Memory { addr, ty: like.ty }
    }

    /// Reads an atomic object that no register holds.
    pub(crate) fn load_block(&mut self, addr: Operand, ty: TypeId, order: MemoryOrder) -> Value {
        let from = self.block_at(addr, ty);
        let leaves = self.atomically(|unit| unit.load_leaves(&from, order));
        self.joined(&leaves, &from)
    }

    pub(crate) fn store_block(
        &mut self,
        to: Operand,
        ty: TypeId,
        value: Value,
        order: MemoryOrder,
    ) -> Result<()> {
        let to = self.block_at(to, ty);
        let leaves = self.leaves_of(value, &to)?;
        self.atomically(|unit| unit.store_leaves(&to, &leaves, order));
        Ok(())
    }

    /// `__atomic_*` on a block.
    pub(super) fn block_atomic(
        &mut self,
        name: &str,
        args: Args,
        at: Span,
    ) -> Result<Option<Value>> {
        let target = self.block(&args[0])?;
        Ok(Some(match name {
            "load_n" | "load" => {
                let to = match name {
                    "load" => Some(self.block(&args[1])?),
                    _ => None,
                };
                let order = self.order(args, args.len() - 1, at)?;
                let leaves = self.atomically(|unit| unit.load_leaves(&target, order));
                match to {
                    None => self.joined(&leaves, &target),
                    Some(to) => {
                        self.store_leaves(&to, &leaves, MemoryOrder::Plain);
                        Value::Void
                    }
                }
            }
            "store_n" | "store" => {
                let leaves = self.operand_leaves(name == "store", &args[1], &target)?;
                let order = self.order(args, 2, at)?;
                self.atomically(|unit| unit.store_leaves(&target, &leaves, order));
                Value::Void
            }
            "exchange_n" | "exchange" => {
                let leaves = self.operand_leaves(name == "exchange", &args[1], &target)?;
                let to = match name {
                    "exchange" => Some(self.block(&args[2])?),
                    _ => None,
                };
                let order = self.order(args, args.len() - 1, at)?;
                let old = self.exchange_leaves(&target, &leaves, order);
                match to {
                    None => self.joined(&old, &target),
                    Some(to) => {
                        self.store_leaves(&to, &old, MemoryOrder::Plain);
                        Value::Void
                    }
                }
            }
            "compare_exchange_n" | "compare_exchange" => {
                let expected = self.block(&args[1])?;
                let by_address = name == "compare_exchange";
                let desired = self.operand_leaves(by_address, &args[2], &target)?;
                let strength = match self.expr(&args[3])? {
                    Value::Scalar { op: Operand::Const { bits: 0, .. }, .. } => Strength::Strong,
                    _ => Strength::Weak,
                };
                let orders = (self.order(args, 4, at)?, self.order(args, 5, at)?);
                let wanted = self.load_leaves(&expected, MemoryOrder::Plain);
                let (old, equal) =
                    self.compare_leaves(&target, &wanted, &desired, orders, strength);
                let keep = |_: &mut Self| ();
                self.if_else(equal, keep, |unit| {
                    unit.store_leaves(&expected, &old, MemoryOrder::Plain)
                });
                self.as_bool(equal)
            }
            _ => return self.block_fetch(name, target, args, at),
        }))
    }

    /// An argument that is a value, or the address of one.
    fn operand_leaves(
        &mut self,
        by_address: bool,
        arg: &Node<ast::Expression>,
        like: &BlockTarget,
    ) -> Result<Vec<Operand>> {
        if by_address {
            let from = self.block(arg)?;
            return Ok(self.load_leaves(&from, MemoryOrder::Plain));
        }
        let value = self.expr(arg)?;
        self.leaves_of(value, like)
    }

    fn exchange_leaves(
        &mut self,
        target: &BlockTarget,
        new: &[Operand],
        order: MemoryOrder,
    ) -> Vec<Operand> {
        self.atomically(|unit| {
            let old = unit.load_leaves(target, load_half(order));
            unit.store_leaves(target, new, store_half(order));
            old
        })
    }

    /// The old leaves, and whether they were what was wanted. Where only one outcome acquires, the
    /// leaves are loaded once more in it, as for registers.
    fn compare_leaves(
        &mut self,
        target: &BlockTarget,
        wanted: &[Operand],
        desired: &[Operand],
        (success, failure): (MemoryOrder, MemoryOrder),
        strength: Strength,
    ) -> (Vec<Operand>, Operand) {
        let machine = self.link.types.machine;
        let covered: u64 = target.leaves.iter().map(|leaf| leaf.ty.bytes(machine)).sum();
        if self.link.types.size(target.ty) != Some(covered) {
            let name = self.link.types.name(target.ty);
            let what =
                format!("a compare-and-exchange of `{name}`, which has bytes between its members");
            self.emit(InstKind::Unsupported { what });
        }
        let store = store_half(success);
        let (success, failure) = (load_half(success), load_half(failure));
        let alike = success.acquires() == failure.acquires();
        let first = if alike { success.min(failure) } else { MemoryOrder::Relaxed };
        self.atomically(|unit| {
            let old = unit.load_leaves(target, first);
            let mut equal = unit.scalar_const(1, Scalar::I32);
            for ((leaf, a), b) in target.leaves.iter().zip(&old).zip(wanted) {
                let same = unit.binary(BinOp::Eq, leaf.ty, *a, *b, false);
                equal = match equal {
                    Operand::Const { .. } => same,
                    equal => unit.binary(BinOp::And, Scalar::I32, equal, same, false),
                };
            }
            let again = |unit: &mut Self, order: MemoryOrder| {
                if !alike && order.acquires() {
                    unit.load_leaves(target, order);
                }
            };
            let swap = |unit: &mut Self| {
                again(unit, success);
                unit.store_leaves(target, desired, store);
            };
            let done = match strength {
                Strength::Strong => {
                    unit.if_else(equal, swap, |unit| again(unit, failure));
                    equal
                }
                Strength::Weak => unit.weakly(equal, swap, |unit| again(unit, failure)),
            };
            (old, done)
        })
    }

    /// May fail although the values are equal: an input says so. Gives whether it was done.
    fn weakly(
        &mut self,
        equal: Operand,
        swap: impl FnOnce(&mut Self),
        keep: impl Fn(&mut Self),
    ) -> Operand {
        let done = self.f.temp(Scalar::I32, self.at);
        let fails = self.f.temp(Scalar::I32, self.at);
        let (zero, one) = (self.scalar_const(0, Scalar::I32), self.scalar_const(1, Scalar::I32));
        self.set(done, zero);
        let perhaps = |unit: &mut Self| {
            let (name, ty) = (spurious::FAILURE.to_owned(), Scalar::I32);
            unit.emit(InstKind::Nondet { dst: fails, ty, bits: 1, name });
            let swap = |unit: &mut Self| {
                unit.set(done, one);
                swap(unit);
            };
            unit.if_else(Operand::Reg(fails), &keep, swap);
        };
        self.if_else(equal, perhaps, &keep);
        Operand::Reg(done)
    }

    /// `atomic_init`, which is no atomic access.
    pub(super) fn block_init(&mut self, args: Args) -> Result<Value> {
        let target = self.block(&args[0])?;
        let leaves = self.operand_leaves(false, &args[1], &target)?;
        self.store_leaves(&target, &leaves, MemoryOrder::Plain);
        Ok(Value::Void)
    }

    fn as_bool(&mut self, truth: Operand) -> Value {
        let ty = self.link.types.intern(Type::Bool);
        Value::Scalar { op: self.cast(Scalar::I32, Scalar::U8, truth), ty }
    }

    fn block_fetch(
        &mut self,
        name: &str,
        target: BlockTarget,
        args: Args,
        at: Span,
    ) -> Result<Option<Value>> {
        let (fetch, op) = match (name.strip_prefix("fetch_"), name.strip_suffix("_fetch")) {
            (Some(op), _) => (Fetch::Old, op),
            (None, Some(op)) => (Fetch::New, op),
            _ => return Ok(None),
        };
        let value = self.expr(&args[1])?;
        let order = self.order(args, 2, at)?;
        self.fetch_block(target, op, value, order, fetch)
    }

    /// Wraps around, like the atomic operations on smaller integers.
    fn fetch_block(
        &mut self,
        target: BlockTarget,
        op: &str,
        value: Value,
        order: MemoryOrder,
        fetch: Fetch,
    ) -> Result<Option<Value>> {
        if !self.is_int128(target.ty) {
            return Err(self.error("this atomic operation needs an integer"));
        }
        let [lo, hi] = self.leaves_of(value, &target)?[..] else { return Ok(None) };
        let b = WidePair { lo, hi };
        let compute = |unit: &mut Self, a: WidePair| {
            let bits = |unit: &mut Self, op| WidePair {
                lo: unit.binary(op, Scalar::U64, a.lo, b.lo, false),
                hi: unit.binary(op, Scalar::U64, a.hi, b.hi, false),
            };
            Some(match op {
                "add" => unit.wide_add(a, b, false),
                "sub" => unit.wide_sub(a, b, false),
                "and" => bits(unit, BinOp::And),
                "or" => bits(unit, BinOp::Or),
                "xor" => bits(unit, BinOp::Xor),
                "nand" => {
                    let both = bits(unit, BinOp::And);
                    WidePair {
                        lo: unit.unary(UnOp::Not, Scalar::U64, both.lo, false),
                        hi: unit.unary(UnOp::Not, Scalar::U64, both.hi, false),
                    }
                }
                _ => return None,
            })
        };
        Ok(self.atomically(|unit| {
            let old = unit.load_leaves(&target, load_half(order));
            let [lo, hi] = old[..] else { return None };
            let new = compute(unit, WidePair { lo, hi })?;
            let new = [new.lo, new.hi];
            unit.store_leaves(&target, &new, store_half(order));
            Some(unit.joined(if matches!(fetch, Fetch::Old) { &old } else { &new }, &target))
        }))
    }

    /// `__sync_*` on a block.
    pub(super) fn block_sync(&mut self, name: &str, args: Args, at: Span) -> Result<Option<Value>> {
        let target = self.block(&args[0])?;
        let order = MemoryOrder::SeqCst;
        if let Some((fetch, op)) =
            match (name.strip_prefix("fetch_and_"), name.strip_suffix("_and_fetch")) {
                (Some(op), _) => Some((Fetch::Old, op)),
                (None, Some(op)) => Some((Fetch::New, op)),
                _ => None,
            }
        {
            let value = self.expr(&args[1])?;
            self.at = at;
            return self.fetch_block(target, op, value, order, fetch);
        }
        Ok(Some(match name {
            "bool_compare_and_swap" | "val_compare_and_swap" if args.len() >= 3 => {
                let wanted = self.operand_leaves(false, &args[1], &target)?;
                let desired = self.operand_leaves(false, &args[2], &target)?;
                self.at = at;
                let orders = (order, order);
                let (old, equal) =
                    self.compare_leaves(&target, &wanted, &desired, orders, Strength::Strong);
                match name.starts_with("bool") {
                    true => self.as_bool(equal),
                    false => self.joined(&old, &target),
                }
            }
            "lock_test_and_set" => {
                let new = self.operand_leaves(false, &args[1], &target)?;
                self.at = at;
                let old = self.exchange_leaves(&target, &new, MemoryOrder::Acquire);
                self.joined(&old, &target)
            }
            "lock_release" => {
                let int = self.int_type();
                let zero = Value::Scalar { op: self.bits(0, int), ty: int };
                let zero = self.leaves_of(zero, &target)?;
                self.atomically(|unit| unit.store_leaves(&target, &zero, MemoryOrder::Release));
                Value::Void
            }
            _ => return Ok(None),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{has, ir};

    #[test]
    fn an_atomic_struct_moves_in_one_block() {
        let s = "struct s { void *p; unsigned long n; };";
        let text = format!("{s} _Atomic struct s x; void f(struct s v) {{ x = v; }}");
        has(
            &ir(&text),
            &[
                "atomic_begin\n",
                "store ptr @x, ",
                "seq_cst",
                "store u64 @x+8, ",
                "seq_cst",
                "atomic_end",
            ],
        );
        let text = format!(
            "{s} _Atomic struct s x; unsigned long f(void) {{ struct s v = x; return v.n; }}"
        );
        has(
            &ir(&text),
            &["atomic_begin\n", "load ptr @x seq_cst", "load u64 @x+8 seq_cst", "atomic_end"],
        );
        let text = format!(
            "{s} _Bool f(struct s *t, struct s *e, struct s d) {{ return __atomic_compare_exchange(t, e, &d, 0, 4, 2); }}"
        );
        has(
            &ir(&text),
            &[
                "atomic_begin\n",
                "load ptr t.0 acquire",
                "eq ptr",
                "eq u64",
                "and i32",
                "release",
                "atomic_end",
            ],
        );
    }

    #[test]
    fn bytes_between_members_are_not_compared() {
        let text = "struct s { char c; int i; }; _Bool f(struct s *t, struct s *e, struct s *d) { return __atomic_compare_exchange(t, e, d, 0, 5, 5); }";
        has(&ir(text), &["unsupported \"a compare-and-exchange of `struct s`"]);
    }
}
