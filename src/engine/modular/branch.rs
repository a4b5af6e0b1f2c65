//! What a branch tells about the registers that its condition was computed from.
//!
//! The condition's definition is looked for in the block that ends with the branch. Comparisons of
//! numbers narrow both sides, those with null sort addresses from null, and a result of `trylock`
//! that is zero means that the lock is held.

use super::eval::{one_function, only_null, without_null};
use super::interval::{Interval, refine};
use super::state::State;
use super::value::{Base, Region, Tag, Value};
use super::walk::Walk;
use ir::types::Scalar;
use ir::walk::{defined, operand_type};
use ir::*;

/// Needs: the instructions after which the state is. Gives: can the condition be so? If yes the
/// state says that it is.
pub fn assume(
    walk: &Walk<'_, '_>,
    state: &mut State,
    insts: &[Inst],
    cond: &Operand,
    truth: bool,
) -> bool {
    assume_from(walk, state, (insts, insts.len()), cond, truth)
}

/// The same for a register that was defined before instruction `before` and is the same since.
fn assume_from(
    walk: &Walk<'_, '_>,
    state: &mut State,
    (insts, before): (&[Inst], usize),
    cond: &Operand,
    truth: bool,
) -> bool {
    let Operand::Reg(reg) = cond else {
        let float = matches!(cond, Operand::Const { ty, .. } if ty.is_float());
        let value = walk.value(state, cond);
        return float || can_be(&value, truth);
    };
    // The bits of a float do not tell whether it is zero: there are two zeros.
    let ty = operand_type(walk.function, cond);
    if ty.is_float() {
        return true;
    }
    if !narrow_to_truth(walk, state, (*reg, ty), truth) {
        return false;
    }
    let Some(def) = (0..before).rev().find(|i| defined(&insts[*i].kind) == Some(*reg)) else {
        return true;
    };
    let InstKind::Assign { value, .. } = &insts[def].kind else { return true };
    let fresh = |operand: &Operand| match operand {
        Operand::Reg(r) => !insts[def..].iter().any(|i| defined(&i.kind) == Some(*r)),
        _ => true,
    };
    let machine = walk.interference.flat.program.machine;
    match value {
        Rvalue::Use(a @ Operand::Reg(_)) if fresh(a) => {
            assume_from(walk, state, (insts, def), a, truth)
        }
        Rvalue::Cast { from, to, a: a @ Operand::Reg(_) }
            if fresh(a) && !from.is_float() && to.bits(machine) >= from.bits(machine) =>
        {
            assume_from(walk, state, (insts, def), a, truth)
        }
        Rvalue::Binary { op, ty, a, b, .. } if op.is_comparison() && fresh(a) && fresh(b) => {
            let op = if truth { *op } else { op.negated() };
            if !compare(walk, state, op, *ty, (a, b)) {
                return false;
            }
            let zero = |o: &Operand| matches!(o, Operand::Const { bits: 0, .. });
            match op {
                BinOp::Eq | BinOp::Ne
                    if zero(b) && !ty.is_float() && matches!(a, Operand::Reg(_)) =>
                {
                    assume_from(walk, state, (insts, def), a, op == BinOp::Ne)
                }
                _ => true,
            }
        }
        _ => true,
    }
}

fn can_be(value: &Value, truth: bool) -> bool {
    match truth {
        true => value.may_be_address() || value.num.is_some_and(|n| n != Interval::ZERO),
        false => value.lost || value.num.is_some_and(|n| n.contains(0)),
    }
}

fn narrow_to_truth(
    walk: &Walk<'_, '_>,
    state: &mut State,
    (reg, ty): (Reg, Scalar),
    truth: bool,
) -> bool {
    let mut value = state.reg(reg);
    let fitted = value.num.map(|n| n.fit(ty, walk.interference.flat.program.machine));
    if fitted != value.num {
        (value.num, value.sym) = (fitted, None);
    }
    if !can_be(&value, truth) {
        return false;
    }
    let narrowed = match (truth, value.as_number()) {
        (true, Some(n)) => Value { num: refine(BinOp::Ne, n, Interval::ZERO), ..value },
        (true, None) => without_null(&value),
        (false, _) => only_null(&value),
    };
    put(state, reg, narrowed);
    true
}

/// The register is known to hold this: if it is a lock's zero, the lock is held.
fn put(state: &mut State, reg: Reg, value: Value) {
    if let Some(Tag::Tried(lock, mode)) = value.tag
        && value.is_null()
    {
        let held = state.locks.entry(lock).or_insert(mode);
        *held = (*held).max(mode);
    }
    // `take` and `release` forget such tags, so nothing has happened to the lock since.
    if let (Some(Tag::Tried(lock, _)), Some(n)) = (value.tag, value.as_number())
        && !n.contains(0)
    {
        state.may_hold.remove(&lock);
    }
    state.regs.insert(reg, value);
}

fn compare(
    walk: &Walk<'_, '_>,
    state: &mut State,
    op: BinOp,
    ty: Scalar,
    (a, b): (&Operand, &Operand),
) -> bool {
    if ty.is_float() {
        return true;
    }
    let (x, y) = (walk.value(state, a), walk.value(state, b));
    if x.is_bottom() || y.is_bottom() {
        return false;
    }
    narrow(walk, state, op, ty, (a, &x), &y) && narrow(walk, state, op.mirrored(), ty, (b, &y), &x)
}

fn narrow(
    walk: &Walk<'_, '_>,
    state: &mut State,
    op: BinOp,
    ty: Scalar,
    (operand, value): (&Operand, &Value),
    other: &Value,
) -> bool {
    let Operand::Reg(reg) = operand else { return true };
    let machine = walk.interference.flat.program.machine;
    let old = state.reg(*reg);
    let narrowed = match (value.as_number(), other.as_number()) {
        (Some(n), Some(m)) => {
            let Some(left) = refine(op, n.fit(ty, machine), m.fit(ty, machine)) else {
                return false;
            };
            Value { num: Some(left), ..old }
        }
        (None, _) if other.is_null() && op == BinOp::Eq => only_null(&old),
        (None, _) if other.is_null() && op == BinOp::Ne => without_null(&old),
        (None, _) if !value.lost && matches!(op, BinOp::Eq | BinOp::Ne) => {
            let Some(function) = one_function(other) else { return true };
            sort_out(old, function, op == BinOp::Eq)
        }
        _ => return true,
    };
    let feasible = !narrowed.is_bottom();
    put(state, *reg, narrowed);
    feasible
}

/// Is it the function? It has one address, and nothing else has it.
fn sort_out(mut value: Value, function: Base, truth: bool) -> Value {
    let other = |base: &Base| matches!(base.region, Region::Function(_)) && *base != function;
    let excluded = |base: &Base| if truth { other(base) } else { *base == function };
    value.addrs.retain(|base, at| !excluded(base) || *at != Interval::ZERO);
    value
}

/// Can the value of a switch be this case? If yes the state says so.
pub fn is_case(
    walk: &Walk<'_, '_>,
    state: &mut State,
    operand: &Operand,
    value: &Value,
    bits: u64,
) -> bool {
    let Some(n) = value.as_number() else { return !value.is_bottom() };
    let ty = operand_type(walk.function, operand);
    let machine = walk.interference.flat.program.machine;
    let case = ir::arith::number(bits, ty, machine);
    let possible = n.fit(ty, machine).contains(case);
    if let (true, Operand::Reg(reg)) = (possible, operand) {
        let only = Value { num: Some(Interval::one(case)), ..state.reg(*reg) };
        put(state, *reg, only);
    }
    possible
}
