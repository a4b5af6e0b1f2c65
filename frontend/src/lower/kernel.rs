//! The Linux kernel's primitives, as `<linux/lkmm.h>` (ours, and Dartagnan's `lkmm.h`) writes them:
//! `__LKMM_load(place, size, order)` and the like.
//!
//! Accesses have C11's orders: `once` is relaxed, a full barrier (`mb`) around a read-modify-write is
//! seq_cst. Fences keep the kernel's name besides. What a C11 order cannot say about an access is a mark
//! before it: an operation without a result, a spin lock. A spin lock waits, since spinning has no effect.

use super::atomic::{AtomicTarget, Fetch, Strength};
use super::call::Args;
use super::{Result, Unit, Value};
use ir::types::Scalar;
use ir::*;

/// In the order of the header's `enum __LKMM_memory_order`.
const FENCES: [Option<Kernel>; 14] = [
    None,
    None,
    None,
    Some(Kernel::Mb),
    Some(Kernel::Wmb),
    Some(Kernel::Rmb),
    Some(Kernel::RcuLock),
    Some(Kernel::RcuUnlock),
    Some(Kernel::SyncRcu),
    Some(Kernel::BeforeAtomic),
    Some(Kernel::AfterAtomic),
    Some(Kernel::AfterSpinlock),
    Some(Kernel::Barrier),
    Some(Kernel::AfterUnlockLock),
];

/// In the order of `enum __LKMM_operation`.
const OPERATIONS: [&str; 4] = ["add", "sub", "and", "or"];

impl Unit<'_> {
    /// `None` if it is no primitive of the kernel's.
    pub(crate) fn kernel_builtin(
        &mut self,
        name: &str,
        args: Args,
        at: Span,
    ) -> Result<Option<Value>> {
        let Some(rest) = name.strip_prefix("__LKMM_") else { return Ok(None) };
        let wanted = match rest {
            "fence" | "SPIN_LOCK" | "SPIN_UNLOCK" => 1,
            "load" => 3,
            "store" | "xchg" | "atomic_op" => 4,
            "atomic_op_return" | "atomic_fetch_op" => 5,
            "cmpxchg" => 6,
            _ => return Ok(None),
        };
        if self.defined.contains(name) {
            return Ok(None);
        }
        if args.len() != wanted {
            return Err(self.error(format!("{} arguments given, {wanted} wanted", args.len())));
        }
        if wanted > 1 {
            return self.kernel_access(rest, args, at).map(Some);
        }
        if rest == "fence" {
            return self.kernel_fence(args, at).map(Some);
        }
        let lock = self.expr(&args[0])?;
        let (addr, _, _) = self.scalar(lock, "a lock")?;
        self.at = at;
        let lock = AtomicTarget { addr, ty: self.int_type(), scalar: Scalar::I32 };
        self.spin(lock, rest == "SPIN_LOCK").map(Some)
    }

    fn kernel_fence(&mut self, args: Args, at: Span) -> Result<Value> {
        let number = self.constant_int(&args[0])?;
        self.at = at;
        match usize::try_from(number).ok().and_then(|n| FENCES.get(n).copied().flatten()) {
            Some(kernel) => self.mark_kernel(kernel),
            None => self.emit(InstKind::Unsupported { what: "a fence of the kernel's".into() }),
        }
        Ok(Value::Void)
    }

    fn mark_kernel(&mut self, kernel: Kernel) {
        self.emit(InstKind::Fence { order: kernel.order(), kernel: Some(kernel) });
    }

    fn kernel_access(&mut self, name: &str, args: Args, at: Span) -> Result<Value> {
        let place = self.target(args, 0)?;
        match name {
            "load" => {
                let order = self.kernel_order(args, 2, at)?;
                Ok(self.load_from(place, order))
            }
            "store" => {
                let value = self.expr(&args[2])?;
                let order = self.kernel_order(args, 3, at)?;
                self.store_to(place, value, order)?;
                Ok(Value::Void)
            }
            "xchg" => {
                let value = self.expr(&args[2])?;
                let order = self.kernel_order(args, 3, at)?;
                self.exchange(place, value, order)
            }
            "cmpxchg" => {
                let (old, new) = (self.expr(&args[2])?, self.expr(&args[3])?);
                let order = self.kernel_order(args, 4, at)?;
                let load = if order == MemoryOrder::Release { MemoryOrder::Relaxed } else { order };
                let loads = (load, load);
                Ok(self.swap_if_equal(place, old, new, loads, order, Strength::Strong)?.0)
            }
            _ => self.kernel_operation(name, place, args, at),
        }
    }

    fn kernel_operation(
        &mut self,
        name: &str,
        place: AtomicTarget,
        args: Args,
        at: Span,
    ) -> Result<Value> {
        let value = self.expr(&args[2])?;
        let (order, last, fetch) = match name {
            "atomic_op" => (MemoryOrder::Relaxed, 3, Fetch::New),
            "atomic_op_return" => (self.kernel_order(args, 3, at)?, 4, Fetch::New),
            _ => (self.kernel_order(args, 3, at)?, 4, Fetch::Old),
        };
        let number = self.constant_int(&args[last])?;
        self.at = at;
        let operation = usize::try_from(number).ok().and_then(|n| OPERATIONS.get(n).copied());
        let Some(operation) = operation else {
            return Err(self.error("no such operation of the kernel's"));
        };
        if name == "atomic_op" {
            self.mark_kernel(Kernel::NoReturn);
        }
        let result = self.fetch(place, operation, value, order, fetch)?;
        Ok(result.filter(|_| name != "atomic_op").unwrap_or(Value::Void))
    }

    fn kernel_order(&mut self, args: Args, i: usize, at: Span) -> Result<MemoryOrder> {
        let number = self.constant_int(&args[i])?;
        self.at = at;
        Ok(match number {
            0 => MemoryOrder::Relaxed,
            1 => MemoryOrder::Acquire,
            2 => MemoryOrder::Release,
            _ => MemoryOrder::SeqCst,
        })
    }

    fn spin(&mut self, lock: AtomicTarget, take: bool) -> Result<Value> {
        let int = |unit: &mut Self, value: u64| Value::Scalar {
            op: unit.bits(value, lock.ty),
            ty: lock.ty,
        };
        let (zero, one) = (int(self, 0), int(self, 1));
        if take {
            self.mark_kernel(Kernel::Lock);
            self.read_modify_write(lock, MemoryOrder::Acquire, |unit, old| {
                let (old, _, _) = unit.scalar(old, "a lock")?;
                let (free, _, _) = unit.scalar(zero, "a lock")?;
                let is_free = unit.binary(BinOp::Eq, lock.scalar, old, free, false);
                unit.emit(InstKind::Wait(is_free));
                unit.store_to(lock, one, MemoryOrder::Relaxed)
            })?;
        } else {
            self.mark_kernel(Kernel::Unlock);
            self.store_to(lock, zero, MemoryOrder::Release)?;
        }
        Ok(int(self, 0))
    }
}
