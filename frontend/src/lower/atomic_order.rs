//! Orders of atomic operations that are known at run time only: one operation for each that it may be.
//!
//! `set(&x, 1, memory_order_relaxed)` where `set` hands its parameter on to `atomic_store_explicit` is a relaxed
//! store. A compiler may take an order that it does not know for `seq_cst`, but need not, and does not once it has
//! inlined `set`. So the argument is looked at, and the operation is lowered with each constant that it may have. What
//! C does not allow there (a store that acquires) is not modelled; where it is written out it counts as `seq_cst`, which
//! is an assumption of the verdict then.

use super::call::Args;
use super::{Result, Unit, Value};
use ir::types::Scalar;
use ir::*;
use lang_c::ast;
use lang_c::span::Node;

/// An argument that decides what an operation is.
struct Deciding {
    place: usize,
    /// Each has an operation of its own.
    values: &'static [u64],
    /// What all the others are.
    otherwise: u64,
}

pub(super) const CONSUME: u64 = 1;
const ACQUIRE: u64 = 2;
pub(super) const SEQ_CST: u64 = 5;
/// Those of the order: gcc puts hints for the machine above them.
pub(super) const BITS: u64 = 0xffff;

/// One that consumes counts as one that acquires, which is an assumption of the verdict (`note_consume`).
pub(super) fn memory_order(number: u64) -> MemoryOrder {
    match number {
        0 => MemoryOrder::Relaxed,
        CONSUME | ACQUIRE => MemoryOrder::Acquire,
        3 => MemoryOrder::Release,
        4 => MemoryOrder::AcqRel,
        _ => MemoryOrder::SeqCst,
    }
}

impl Deciding {
    /// Whether an operation is weak is a flag, of which all values are good.
    fn allows(&self, value: u64) -> bool {
        self.otherwise != SEQ_CST || value == SEQ_CST || self.values.contains(&value)
    }

    fn order(place: usize, values: &'static [u64]) -> Deciding {
        Deciding { place, values, otherwise: SEQ_CST }
    }
}

/// Relaxed, consume, acquire.
const OF_LOADS: &[u64] = &[0, 1, 2];
/// Relaxed, release.
const OF_STORES: &[u64] = &[0, 3];
const OF_UPDATES: &[u64] = &[0, 1, 2, 3, 4];

fn deciding(builtin: &str) -> Vec<Deciding> {
    match builtin {
        "load_n" => vec![Deciding::order(1, OF_LOADS)],
        "load" => vec![Deciding::order(2, OF_LOADS)],
        "store_n" | "store" => vec![Deciding::order(2, OF_STORES)],
        "clear" => vec![Deciding::order(1, OF_STORES)],
        "test_and_set" => vec![Deciding::order(1, OF_UPDATES)],
        "exchange_n" => vec![Deciding::order(2, OF_UPDATES)],
        "exchange" => vec![Deciding::order(3, OF_UPDATES)],
        "compare_exchange_n" | "compare_exchange" => vec![
            Deciding { place: 3, values: &[0], otherwise: 1 },
            Deciding::order(4, OF_UPDATES),
            Deciding::order(5, OF_LOADS),
        ],
        "thread_fence" => vec![Deciding::order(0, OF_UPDATES)],
        _ if builtin.starts_with("fetch_") || builtin.ends_with("_fetch") => {
            vec![Deciding::order(2, OF_UPDATES)]
        }
        _ => Vec::new(),
    }
}

impl Unit<'_> {
    /// `None` if all that decides is constant.
    pub(super) fn by_order(&mut self, rest: &str, args: Args, at: Span) -> Result<Option<Value>> {
        for open in deciding(rest) {
            if let Some(given) = self.try_constant(&args[open.place])? {
                if open.allows(given as u64 & BITS) {
                    continue;
                }
                self.note_order(at);
                let replaced = Replaced { rest, args, open: &open, at };
                return self.as_if_constant(&replaced, open.otherwise).map(Some);
            }
            let value = self.expr(&args[open.place])?;
            let ty = self.int_type();
            let value = self.convert(value, ty)?;
            let (op, _, scalar) = self.scalar(value, "a memory order")?;
            let given = self.assign(scalar, Rvalue::Use(op));
            self.at = at;
            let replaced = Replaced { rest, args, open: &open, at };
            let case = Case { replaced, given, scalar };
            return self.each_order(&case, open.values).map(Some);
        }
        Ok(None)
    }

    fn each_order(&mut self, case: &Case<'_>, values: &[u64]) -> Result<Value> {
        let [first, others @ ..] = values else {
            self.refuse_other_orders(case);
            return self.as_if_constant(&case.replaced, case.replaced.open.otherwise);
        };
        let wanted = self.scalar_const(*first, case.scalar);
        let is_it = self.binary(BinOp::Eq, case.scalar, case.given, wanted, false);
        let mut ty = None;
        let then = |unit: &mut Self| {
            let value = unit.as_if_constant(&case.replaced, *first)?;
            ty = Some(unit.type_of_value(value));
            Ok(value)
        };
        let value =
            self.one_or_other(is_it, case.replaced.at, then, |unit| unit.each_order(case, others))?;
        // What `?:` promotes.
        let small = ty.filter(|ty| self.link.types.scalar(*ty).is_some());
        small.map_or(Ok(value), |ty| self.convert(value, ty))
    }

    /// What is left is the strongest order, or none that C allows.
    fn refuse_other_orders(&mut self, case: &Case<'_>) {
        if case.replaced.open.otherwise != SEQ_CST {
            return;
        }
        let wanted = self.scalar_const(SEQ_CST, case.scalar);
        let is_it = self.binary(BinOp::Eq, case.scalar, case.given, wanted, false);
        let refuse = |unit: &mut Self| {
            let what =
                "a memory order that C does not allow for the operation, known at run time only";
            unit.emit(InstKind::Unsupported { what: what.into() });
        };
        self.if_else(is_it, |_| (), refuse);
    }

    /// What C does not allow is undefined, and gcc, which warns, takes the strongest order.
    fn note_order(&mut self, at: Span) {
        let text = "a memory order that C does not allow for the operation counts as \
                    memory_order_seq_cst, as gcc has it";
        if self.link.ignored.iter().all(|(other, _)| other != text) {
            self.link.ignored.push((text.to_owned(), at));
        }
    }

    fn as_if_constant(&mut self, case: &Replaced<'_>, value: u64) -> Result<Value> {
        // Whether it ever consumes is not known here, so it is no assumption of every such wrapper.
        let consumes = value == CONSUME && case.open.otherwise == SEQ_CST;
        if consumes && case.rest != "thread_fence" {
            self.at = case.at;
            let what = "memory_order_consume, known at run time only";
            self.emit(InstKind::Unsupported { what: what.into() });
        }
        let value = if consumes { ACQUIRE } else { value };
        let mut args = case.args.to_vec();
        let place = &mut args[case.open.place];
        *place = constant(value, place);
        self.at = case.at;
        let lowered = self.gnu_atomic(case.rest, &args, case.at)?;
        lowered.ok_or_else(|| self.error(format!("no `__atomic_{}` of this kind", case.rest)))
    }
}

/// An operation with another number in the place of an argument.
struct Replaced<'a> {
    rest: &'a str,
    args: Args<'a>,
    open: &'a Deciding,
    at: Span,
}

struct Case<'a> {
    replaced: Replaced<'a>,
    given: Operand,
    scalar: Scalar,
}

/// A number in the place of an expression.
pub(super) fn constant(value: u64, of: &Node<ast::Expression>) -> Node<ast::Expression> {
    let suffix =
        ast::IntegerSuffix { size: ast::IntegerSize::Int, unsigned: false, imaginary: false };
    let number =
        ast::Integer { base: ast::IntegerBase::Decimal, number: value.to_string().into(), suffix };
    let constant = Node::new(ast::Constant::Integer(number), of.span);
    Node::new(ast::Expression::Constant(Box::new(constant)), of.span)
}
