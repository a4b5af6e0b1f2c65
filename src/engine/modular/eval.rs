//! Values of operands and operators.
//!
//! Arithmetic is exact in the numbers first and then made to fit the type. Symbols survive only what
//! cannot wrap. An address survives additions and conversions that keep its bits; whatever else is
//! done to it makes it any address.

use super::interval::Interval;
use super::overflow;
use super::state::State;
use super::value::{Base, Ownership, Region, Sym, Symbol, TemplateId, Value};
use ir::arith::number;
use ir::types::{Machine, Scalar};
use ir::*;
use std::collections::BTreeMap;

/// What indices are, if they are not addresses in disguise.
const INDICES: Interval = Interval { lo: -(1 << 31), hi: 1 << 32 };

/// Where operands are evaluated: in a thread of a template, with its state.
pub struct Eval<'a> {
    pub program: &'a Program,
    pub template: TemplateId,
    pub state: &'a State,
    /// Nothing follows a signed overflow (`Question::overflow_ends`).
    pub overflow_ends: bool,
    /// Is this register a counter of a loop that we are in?
    pub counts: &'a dyn Fn(Reg) -> bool,
    /// Is it the index of something?
    pub indexes: &'a dyn Fn(Reg) -> bool,
}

impl Eval<'_> {
    fn machine(&self) -> Machine {
        self.program.machine
    }

    pub fn operand(&self, operand: &Operand) -> Value {
        let at = |region, owner, offset: i64| Value::address(region, owner, i128::from(offset));
        match *operand {
            Operand::Const { bits, ty } if ty.is_float() => Value::constant(i128::from(bits)),
            Operand::Const { bits, ty } => Value::constant(number(bits, ty, self.machine())),
            Operand::Reg(reg) => self.register(reg),
            Operand::Object { object, offset } => match self.program.objects[object.index()].kind {
                ObjectKind::ThreadLocal => {
                    at(Region::ThreadLocal(self.template, object), Ownership::Own, offset)
                }
                _ => at(Region::Object(object), Ownership::Any, offset),
            },
            Operand::Slot { slot, offset } => {
                at(Region::Slot(self.template, slot), Ownership::Own, offset)
            }
            Operand::Function(f) => at(Region::Function(f), Ownership::Any, 0),
        }
    }

    fn register(&self, reg: Reg) -> Value {
        let mut value = self.state.reg(reg);
        let is_index = value.sym.is_some_and(|sym| sym.symbol.is_index());
        if value.as_number().is_some() && (value.sym.is_none() || is_index) {
            let symbol = match (self.counts)(reg) {
                true => Some(Symbol::Counter(reg)),
                false if !is_index && (self.indexes)(reg) => Some(Symbol::Index(reg)),
                false => None,
            };
            let own = symbol.map(|symbol| Sym { symbol, scale: 1, rest: Interval::ZERO });
            value.sym = own.or(value.sym);
        }
        value
    }

    pub fn rvalue(&self, value: &Rvalue) -> Value {
        match value {
            Rvalue::Use(a) => self.operand(a),
            Rvalue::Undef(_) => Value::garbage(),
            Rvalue::Unary { op, ty, a, .. } => self.unary(*op, *ty, &self.operand(a)),
            Rvalue::Binary { op, ty, a, b, checked } => {
                let wraps = !(self.overflow_ends && *checked && overflow::is_checked(*op, *ty));
                self.binary(*op, *ty, &self.operand(a), &self.operand(b), wraps)
            }
            Rvalue::Cast { from, to, a } => self.cast(*from, *to, &self.operand(a)),
            Rvalue::PtrAdd { base, index, scale } => {
                self.pointer(&self.operand(base), &self.operand(index), i128::from(*scale))
            }
        }
    }

    fn unary(&self, op: UnOp, ty: Scalar, a: &Value) -> Value {
        match a.as_number() {
            _ if a.is_bottom() => Value::default(),
            Some(n) if !ty.is_float() => {
                let n = n.fit(ty, self.machine()).negated();
                let n = if op == UnOp::Not { n.plus(Interval::one(-1)) } else { n };
                Value::number(n.fit(ty, self.machine()))
            }
            _ => a.scrambled(),
        }
    }

    fn binary(&self, op: BinOp, ty: Scalar, a: &Value, b: &Value, wraps: bool) -> Value {
        if a.is_bottom() || b.is_bottom() {
            return Value::default();
        }
        if ty.is_float() {
            return match op.is_comparison() {
                true => Value::number(Interval::BOOL),
                false if a.may_be_address() || b.may_be_address() => Value::anything(),
                false => Value::any_number(),
            };
        }
        match (a.as_number(), b.as_number()) {
            (Some(x), Some(y)) => self.numbers(op, ty, (a, x), (b, y), wraps),
            _ if op.is_comparison() => Value::number(compare_addresses(op, a, b)),
            // Integers that may be addresses: sums and differences can be null, wrap around, or lead
            // to another object.
            _ => Value::anything(),
        }
    }

    fn numbers(
        &self,
        op: BinOp,
        ty: Scalar,
        a: (&Value, Interval),
        b: (&Value, Interval),
        wraps: bool,
    ) -> Value {
        let x = a.1.fit(ty, self.machine());
        let shift = matches!(op, BinOp::Shl | BinOp::Shr);
        let y = if shift { b.1 } else { b.1.fit(ty, self.machine()) };
        let range = Interval::range(ty, self.machine());
        let exact = Interval::binary(op, x, y);
        if op.is_comparison() {
            return Value::number(exact.unwrap_or(Interval::BOOL));
        }
        let Some(exact) = exact else { return Value::number(range) };
        let Some(exact) = (if wraps { Some(exact) } else { exact.meet(range) }) else {
            return Value::default();
        };
        // A symbol says what the numbers are, so they must have been of this type before, too.
        let kept = exact.within(range) && x == a.1 && y == b.1;
        let sym = if kept { combine(op, (a.0.sym, x), (b.0.sym, y)) } else { None };
        Value { sym, ..Value::number(exact.fit(ty, self.machine())) }
    }

    pub fn cast(&self, from: Scalar, to: Scalar, a: &Value) -> Value {
        let machine = self.machine();
        if a.is_bottom() {
            return Value::default();
        }
        if from.is_float() || to.is_float() {
            return if from == to { a.clone() } else { a.scrambled() };
        }
        if a.may_be_address() {
            let keeps = to.bits(machine) >= machine.pointer_bits().max(from.bits(machine));
            return if keeps { a.clone() } else { a.scrambled() };
        }
        let Some(num) = a.num else { return Value::default() };
        let before = num.fit(from, machine);
        let after = before.fit(to, machine);
        let same = before == after && before == num;
        let narrower = to.bits(machine) < from.bits(machine);
        Value {
            num: Some(after),
            made: a.made,
            sym: if same { a.sym } else { None },
            tag: if narrower { None } else { a.tag },
            ..Value::default()
        }
    }

    fn pointer(&self, base: &Value, index: &Value, scale: i128) -> Value {
        if base.is_bottom() || index.is_bottom() {
            return Value::default();
        }
        let Some(n) = index.as_number() else { return Value::anything() };
        let index_type = Scalar::Int { bits: self.machine().pointer_bits(), signed: true };
        let fitted = n.fit(index_type, self.machine());
        // An index so large that this wraps around is outside of the object, and then the access counts
        // among those that are assumed to stay inside (`is_evident`).
        let Some(by) = fitted.times(Interval::one(scale)) else {
            return Value { made: base.num.is_some(), ..base.moved(Interval::TOP, 1) };
        };
        let mut moved = base.moved(by, scale);
        let weaker = |sym: &Sym| {
            sym.symbol.is_index() && index.sym.is_some_and(|other| !other.symbol.is_index())
        };
        moved.sym = moved.sym.filter(|sym| !weaker(sym));
        // Null and a large enough number may be the address of any object.
        moved.made |= base.num.is_some() && index.made && !n.within(INDICES);
        let of_base = base.sym.filter(|sym| !weaker(sym));
        if let (None, Some(sym)) = (of_base, index.sym.filter(|_| fitted == n)) {
            let start = base.addrs.values().copied().reduce(Interval::hull);
            let rest = sym.rest.times(Interval::one(scale)).zip(start);
            let scaled = sym.scale.checked_mul(scale);
            moved.sym = rest.zip(scaled).map(|((rest, start), scale)| Sym {
                scale,
                rest: rest.plus(start),
                ..sym
            });
        }
        moved
    }
}

/// The symbol of a result that is exact, if one side has one.
fn combine(op: BinOp, a: (Option<Sym>, Interval), b: (Option<Sym>, Interval)) -> Option<Sym> {
    let is_index = |sym: Sym| sym.symbol.is_index();
    let without = |(sym, n): (Option<Sym>, Interval), other: Option<Sym>| {
        (sym.filter(|sym| !is_index(*sym) || other.is_none()), n)
    };
    let (a, b) = match (a.0, b.0) {
        (Some(x), Some(y)) if is_index(x) != is_index(y) => (without(a, b.0), without(b, a.0)),
        _ => (a, b),
    };
    match (op, a, b) {
        (BinOp::Add, (Some(s), _), (None, n)) | (BinOp::Add, (None, n), (Some(s), _)) => {
            Some(Sym { rest: s.rest.plus(n), ..s })
        }
        (BinOp::Sub, (Some(s), _), (None, n)) => Some(Sym { rest: s.rest.plus(n.negated()), ..s }),
        (BinOp::Mul, (Some(s), _), (None, n)) | (BinOp::Mul, (None, n), (Some(s), _)) => {
            let by = n.constant().filter(|by| *by != 0)?;
            let scale = s.scale.checked_mul(by)?;
            Some(Sym { scale, rest: s.rest.times(Interval::one(by))?, ..s })
        }
        _ => None,
    }
}

/// Addresses of objects are not null; nothing else is known of their order.
fn compare_addresses(op: BinOp, a: &Value, b: &Value) -> Interval {
    let object = |v: &Value| v.num.is_none() && !v.lost;
    let differ = object(a) && b.is_null() || object(b) && a.is_null() || apart(a, b);
    match op {
        BinOp::Eq if differ => Interval::ZERO,
        BinOp::Ne if differ => Interval::one(1),
        _ => Interval::BOOL,
    }
}

/// Functions are at different places if they are different.
fn apart(a: &Value, b: &Value) -> bool {
    match (functions(a), functions(b)) {
        (Some(a), Some(b)) => a.iter().all(|f| !b.contains(f)),
        _ => false,
    }
}

fn functions(value: &Value) -> Option<Vec<FuncId>> {
    let is_one = |base: &Base| match base.region {
        Region::Function(f) => Some(f),
        _ => None,
    };
    let only = value.num.is_none() && !value.lost;
    if only { value.addrs.keys().map(is_one).collect() } else { None }
}

/// The one function that the value is, if there is only one: where it begins.
pub fn one_function(value: &Value) -> Option<Base> {
    match functions(value)?.as_slice() {
        [f] => {
            let base = Base { region: Region::Function(*f), owner: Ownership::Any };
            (value.addrs.get(&base) == Some(&Interval::ZERO)).then_some(base)
        }
        _ => None,
    }
}

/// Only what `refine` needs of a value: null taken away or kept.
pub fn without_null(value: &Value) -> Value {
    match value.num {
        Some(Interval::ZERO) => Value { num: None, ..value.clone() },
        _ => value.clone(),
    }
}

pub fn only_null(value: &Value) -> Value {
    let num = if value.lost {
        Some(Interval::ZERO)
    } else {
        value.num.and_then(|n| n.meet(Interval::ZERO))
    };
    Value { num, addrs: BTreeMap::new(), lost: false, ..value.clone() }
}
