//! The functions that C tests call: C11's atomics, and the Linux kernel's primitives.
//!
//! Each becomes accesses and fences with the tags of its model. A read-modify-write is two events;
//! in C11 the read has the acquire half of its order and the write the release half, in the kernel
//! both carry the annotation and the model sorts out which half it orders.

use super::{BYTES, CLowering, Lowered};
use crate::ir::{AccessMode, Arch, Expr, Inst, Tags};
use crate::value::BinOp;

/// `memory_order_...`
#[derive(Clone, Copy, PartialEq, Eq)]
enum OrderWord {
    Relaxed,
    Consume,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl OrderWord {
    fn read(self) -> Tags {
        vec![
            "A",
            match self {
                OrderWord::Relaxed | OrderWord::Release => "RLX",
                OrderWord::Consume => "CON",
                OrderWord::Acquire | OrderWord::AcqRel => "ACQ",
                OrderWord::SeqCst => "SC",
            },
        ]
    }

    fn write(self) -> Tags {
        vec![
            "A",
            match self {
                OrderWord::Relaxed | OrderWord::Acquire | OrderWord::Consume => "RLX",
                OrderWord::Release | OrderWord::AcqRel => "REL",
                OrderWord::SeqCst => "SC",
            },
        ]
    }

    fn fence(self) -> Tags {
        vec![
            "A",
            match self {
                OrderWord::Relaxed => "RLX",
                OrderWord::Consume => "CON",
                OrderWord::Acquire => "ACQ",
                OrderWord::Release => "REL",
                OrderWord::AcqRel => "ACQ_REL",
                OrderWord::SeqCst => "SC",
            },
        ]
    }
}

/// What a read-modify-write gives.
#[derive(Clone, Copy)]
enum Gives {
    Old,
    New,
    /// Is the new value zero?
    IsZero,
    IsNegative,
}

impl CLowering<'_> {
    /// A call; its name and `(` are read.
    pub(super) fn call(&mut self, name: &str) -> Lowered<Expr> {
        if self.state.arch == Arch::Msg {
            return self.message(name);
        }
        if let Some(done) = self.c11(name)? {
            return Ok(done);
        }
        if let Some(done) = self.kernel(name)? {
            return Ok(done);
        }
        Err(self.error(format!("the function `{name}` is not supported")))
    }

    /// What participants do with a topic.
    fn message(&mut self, name: &str) -> Lowered<Expr> {
        match name {
            "send" => {
                let (topic, value) = (self.arg(false)?, self.arg(true)?);
                self.store(topic, value, &[]);
                Ok(Expr::int(0))
            }
            "receive" => {
                let topic = self.arg(true)?;
                Ok(self.load(topic, &[]))
            }
            _ => Err(self.error("participants only `send(topic, value)` and `receive(topic)`")),
        }
    }

    /// One argument and the `,` or `)` behind it.
    fn arg(&mut self, last: bool) -> Lowered<Expr> {
        let arg = self.expr()?.expr;
        self.want(if last { ")" } else { "," })?;
        Ok(arg)
    }

    /// The address of an argument that is a place: `*x` in `READ_ONCE(*x)`.
    fn place_arg(&mut self, last: bool) -> Lowered<Expr> {
        let address = if self.eat("*") {
            self.unary()?.expr
        } else {
            return self.element_arg(last);
        };
        self.want(if last { ")" } else { "," })?;
        Ok(address)
    }

    /// `x[i]`: the address of an element.
    fn element_arg(&mut self, last: bool) -> Lowered<Expr> {
        let Some(super::Token::Name(name)) = self.peek().cloned() else {
            return Err(self.unexpected("`*` and a pointer"));
        };
        self.at += 1;
        let base = self.name(&name);
        self.want("[")?;
        let index = self.expr()?;
        self.want("]")?;
        self.want(if last { ")" } else { "," })?;
        Ok(super::combine(BinOp::Add, base, index).expr)
    }

    fn order_arg(&mut self, last: bool) -> Lowered<OrderWord> {
        let order = match self.peek() {
            Some(super::Token::Name(name)) => match name.as_str() {
                "memory_order_relaxed" => OrderWord::Relaxed,
                "memory_order_consume" => OrderWord::Consume,
                "memory_order_acquire" => OrderWord::Acquire,
                "memory_order_release" => OrderWord::Release,
                "memory_order_acq_rel" => OrderWord::AcqRel,
                "memory_order_seq_cst" => OrderWord::SeqCst,
                _ => return Err(self.unexpected("a memory order")),
            },
            _ => return Err(self.unexpected("a memory order")),
        };
        self.at += 1;
        self.want(if last { ")" } else { "," })?;
        Ok(order)
    }

    fn c11(&mut self, name: &str) -> Lowered<Option<Expr>> {
        let (base, explicit) = match name.strip_suffix("_explicit") {
            Some(base) => (base, true),
            None => (name, false),
        };
        // Of the kernel's functions, only these share a prefix: `atomic_fetch_add(v, x)` has its
        // arguments the other way round.
        if !explicit && self.state.arch == Arch::Lkmm {
            return Ok(None);
        }
        let order = |this: &mut Self| match explicit {
            true => this.order_arg(true),
            false => Ok(OrderWord::SeqCst),
        };
        let op = match base.strip_prefix("atomic_fetch_") {
            Some("add") => Some(BinOp::Add),
            Some("sub") => Some(BinOp::Sub),
            Some("or") => Some(BinOp::Or),
            Some("and") => Some(BinOp::And),
            Some("xor") => Some(BinOp::Xor),
            _ => None,
        };
        Ok(Some(match base {
            "atomic_load" => {
                let address = self.arg(!explicit)?;
                let tags = order(self)?.read();
                self.load(address, &tags)
            }
            "atomic_store" | "atomic_init" => {
                let address = self.arg(false)?;
                let value = self.arg(!explicit)?;
                let tags = if base == "atomic_init" { vec!["NA"] } else { order(self)?.write() };
                self.store(address, value, &tags);
                Expr::int(0)
            }
            "atomic_exchange" => {
                let address = self.arg(false)?;
                let value = self.arg(!explicit)?;
                let order = order(self)?;
                self.rmw(address, |_| value, None, order.read(), order.write(), None).0
            }
            _ if op.is_some() => {
                let address = self.arg(false)?;
                let value = self.arg(!explicit)?;
                let order = order(self)?;
                let op = op.unwrap_or(BinOp::Add);
                let new = |old: Expr| Expr::binary(op, old, value);
                self.rmw(address, new, None, order.read(), order.write(), None).0
            }
            "atomic_compare_exchange_strong" => self.compare_exchange(explicit)?,
            "atomic_thread_fence" => {
                let tags = self.order_arg(true)?.fence();
                self.push(Inst::Fence { tags, address: None });
                Expr::int(0)
            }
            _ => return Ok(None),
        }))
    }

    /// The expected value is read from memory, and written there on failure.
    fn compare_exchange(&mut self, explicit: bool) -> Lowered<Expr> {
        let address = self.arg(false)?;
        let expected = self.arg(false)?;
        let desired = self.arg(!explicit)?;
        let (success, failure) = match explicit {
            true => (self.order_arg(false)?, self.order_arg(true)?),
            false => (OrderWord::SeqCst, OrderWord::SeqCst),
        };
        let wanted = self.load(expected.clone(), &["NA"]);
        let same = |old: Expr| Expr::binary(BinOp::Eq, old, wanted.clone());
        let failed = Some(failure.read());
        let (old, done) =
            self.rmw(address, |_| desired, Some(&same), success.read(), success.write(), failed);
        let branch = self.code.len();
        self.push(Inst::Branch { when: done.clone(), target: 0 });
        self.branches += 1;
        self.store(expected, old, &["NA"]);
        self.land(branch);
        self.end_branch();
        Ok(done)
    }

    /// Gives: what was read, and whether there was a write.
    fn rmw(
        &mut self,
        address: Expr,
        new: impl FnOnce(Expr) -> Expr,
        when: Option<&dyn Fn(Expr) -> Expr>,
        read: Tags,
        write: Tags,
        failed: Option<Tags>,
    ) -> (Expr, Expr) {
        let old = self.hidden();
        let seen = Expr::Reg(old);
        let when = when.map(|when| when(seen.clone()));
        let done = when.clone().unwrap_or(Expr::int(1));
        let access = |tags| AccessMode { bytes: BYTES, tags };
        self.push(Inst::Rmw {
            to: old,
            address,
            value: new(seen.clone()),
            when,
            read: access(read),
            write: access(write),
            failed,
        });
        (seen, done)
    }

    fn kernel(&mut self, name: &str) -> Lowered<Option<Expr>> {
        if let Some(tag) = fence(name) {
            self.want(")")?;
            self.push(Inst::Fence { tags: vec![tag], address: None });
            return Ok(Some(Expr::int(0)));
        }
        let zero = Expr::int(0);
        Ok(Some(match name {
            "READ_ONCE" | "rcu_dereference" => {
                let address = self.place_arg(true)?;
                self.load(address, &["ONCE"])
            }
            "atomic_read" => {
                let address = self.arg(true)?;
                self.load(address, &["ONCE"])
            }
            "smp_load_acquire" | "atomic_read_acquire" => {
                let address = self.arg(true)?;
                self.load(address, &["ACQUIRE"])
            }
            "WRITE_ONCE" | "rcu_assign_pointer" | "smp_store_mb" => {
                let address = self.place_arg(false)?;
                let value = self.arg(true)?;
                let tag = if name == "rcu_assign_pointer" { "RELEASE" } else { "ONCE" };
                self.store(address, value, &[tag]);
                if name == "smp_store_mb" {
                    self.push(Inst::Fence { tags: vec!["MB"], address: None });
                }
                zero
            }
            "smp_store_release" | "atomic_set" | "atomic_set_release" => {
                let address = self.arg(false)?;
                let value = self.arg(true)?;
                let tag = if name == "atomic_set" { "ONCE" } else { "RELEASE" };
                self.store(address, value, &[tag]);
                zero
            }
            "spin_lock" => {
                let address = self.arg(true)?;
                let (old, _) = self.rmw(
                    address,
                    |_| Expr::int(1),
                    None,
                    vec!["LKR", "ACQUIRE"],
                    vec!["LKW"],
                    None,
                );
                self.push(Inst::Assume(Expr::binary(BinOp::Eq, old, Expr::int(0))));
                zero
            }
            "spin_trylock" => {
                let address = self.arg(true)?;
                let free = |old: Expr| Expr::binary(BinOp::Eq, old, Expr::int(0));
                let (_, done) = self.rmw(
                    address,
                    |_| Expr::int(1),
                    Some(&free),
                    vec!["LKR", "ACQUIRE"],
                    vec!["LKW"],
                    Some(vec!["LF"]),
                );
                done
            }
            "spin_is_locked" => {
                let address = self.arg(true)?;
                let seen = self.load(address, &[]);
                let locked = Expr::binary(BinOp::Ne, seen.clone(), Expr::int(0));
                self.push(Inst::Tag { when: locked.clone(), tags: vec!["LF"] });
                let free = Expr::binary(BinOp::Eq, seen, Expr::int(0));
                self.push(Inst::Tag { when: free, tags: vec!["RU"] });
                locked
            }
            "spin_unlock" => {
                let address = self.arg(true)?;
                self.store(address, Expr::int(0), &["UL", "RELEASE"]);
                zero
            }
            "srcu_read_lock" | "srcu_down_read" => {
                let address = self.arg(true)?;
                self.load(address, &["Srcu-lock"])
            }
            "srcu_read_unlock" | "srcu_up_read" => {
                let address = self.arg(false)?;
                let cookie = self.arg(true)?;
                self.store(address, cookie, &["Srcu-unlock"]);
                zero
            }
            "synchronize_srcu" | "synchronize_srcu_expedited" => {
                let address = Some(self.arg(true)?);
                self.push(Inst::Fence { tags: vec!["Sync-srcu"], address });
                zero
            }
            _ => return self.kernel_rmw(name),
        }))
    }

    fn kernel_rmw(&mut self, name: &str) -> Lowered<Option<Expr>> {
        let (base, tag) = annotation(name);
        let tags = vec!["RMW", tag];
        match base {
            "xchg" | "atomic_xchg" => {
                let address = self.arg(false)?;
                let value = self.arg(true)?;
                return Ok(Some(self.rmw(address, |_| value, None, tags.clone(), tags, None).0));
            }
            "cmpxchg" | "atomic_cmpxchg" => {
                let address = self.arg(false)?;
                let wanted = self.arg(false)?;
                let value = self.arg(true)?;
                let same = |old: Expr| Expr::binary(BinOp::Eq, old, wanted.clone());
                let done = self.rmw(address, |_| value, Some(&same), tags.clone(), tags, None);
                return Ok(Some(done.0));
            }
            "atomic_add_unless" => {
                let address = self.arg(false)?;
                let value = self.arg(false)?;
                let unless = self.arg(true)?;
                let other = |old: Expr| Expr::binary(BinOp::Ne, old, unless.clone());
                let new = |old: Expr| Expr::binary(BinOp::Add, old, value);
                return Ok(Some(self.rmw(address, new, Some(&other), tags.clone(), tags, None).1));
            }
            _ => {}
        }
        let Some(rest) = base.strip_prefix("atomic_") else { return Ok(None) };
        let (rest, mut gives, returns) = match rest.strip_prefix("fetch_") {
            Some(rest) => (rest, Gives::Old, true),
            None => match rest.strip_suffix("_return") {
                Some(rest) => (rest, Gives::New, true),
                None => (rest, Gives::New, false),
            },
        };
        let (rest, returns) = match (rest.strip_suffix("_and_test"), rest.strip_suffix("_negative"))
        {
            (Some(rest), _) => {
                gives = Gives::IsZero;
                (rest, true)
            }
            (_, Some(rest)) => {
                gives = Gives::IsNegative;
                (rest, true)
            }
            _ => (rest, returns),
        };
        let (op, fixed) = match rest {
            "add" => (BinOp::Add, None),
            "sub" => (BinOp::Sub, None),
            "and" => (BinOp::And, None),
            "or" => (BinOp::Or, None),
            "xor" => (BinOp::Xor, None),
            "andnot" => (BinOp::AndNot, None),
            "inc" => (BinOp::Add, Some(1)),
            "dec" => (BinOp::Sub, Some(1)),
            _ => return Ok(None),
        };
        let value = match fixed {
            Some(n) => Expr::int(n),
            None => self.arg(false)?,
        };
        let address = self.arg(true)?;
        let tags = if returns { tags } else { vec!["RMW", "NORETURN"] };
        let new = |old: Expr| Expr::binary(op, old, value.clone());
        let (old, _) = self.rmw(address, new, None, tags.clone(), tags, None);
        let result = Expr::binary(op, old.clone(), value);
        Ok(Some(match gives {
            Gives::Old => old,
            Gives::New => result,
            Gives::IsZero => Expr::binary(BinOp::Eq, result, Expr::int(0)),
            Gives::IsNegative => Expr::binary(BinOp::Lt, result, Expr::int(0)),
        }))
    }
}

fn fence(name: &str) -> Option<&'static str> {
    Some(match name {
        "smp_mb" => "MB",
        "smp_rmb" => "Rmb",
        "smp_wmb" => "Wmb",
        "barrier" => "Barrier",
        "smp_mb__before_atomic" => "Before-atomic",
        "smp_mb__after_atomic" => "After-atomic",
        "smp_mb__after_spinlock" => "After-spinlock",
        "smp_mb__after_unlock_lock" => "After-unlock-lock",
        "smp_mb__after_srcu_read_unlock" => "After-srcu-read-unlock",
        "rcu_read_lock" => "Rcu-lock",
        "rcu_read_unlock" => "Rcu-unlock",
        "synchronize_rcu" | "synchronize_rcu_expedited" => "Sync-rcu",
        _ => return None,
    })
}

/// The kernel's suffixes; without one, a function that returns a value is a full barrier.
fn annotation(name: &str) -> (&str, &'static str) {
    for (suffix, tag) in [("_relaxed", "ONCE"), ("_acquire", "ACQUIRE"), ("_release", "RELEASE")] {
        if let Some(base) = name.strip_suffix(suffix) {
            return (base, tag);
        }
    }
    (name, "MB")
}
