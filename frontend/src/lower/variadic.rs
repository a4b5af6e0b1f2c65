//! Functions with `...`: arguments without a parameter lie in memory of the caller.
//!
//! A function that uses `va_start` has one more parameter than it declares: where they lie, `STRIDE`
//! bytes for each; a struct lies there by its address. Direct calls are brought in line when the
//! program is complete, since only the definition tells. Calls through pointers always pass the
//! address, and who does not look for it does not see it. A `va_list` is the address of the next
//! argument, at the beginning of what the ABI calls one: an array of one element on LP64 (so that a
//! function that is given one moves its caller's on), a pointer on ILP32.
//!
//! An argument that is not there is an access beyond the area. Floating numbers lie in the second half of their
//! place, as they have registers of their own on most machines: one that is asked for as an integer, or the other way
//! round, is any value. Other types that differ are read as memory would be.

use super::call::Args;
use super::linkage::operand_type;
use super::place::Lvalue;
use super::{Result, Unit, Value};
use ir::types::{Scalar, Type, TypeId, Types};
use ir::{Function, Inst, InstKind, MemoryOrder, Operand, Rvalue, SlotId, SlotInfo, Span};
use lang_c::ast;
use lang_c::span::Node;

/// Enough for every scalar.
const STRIDE: u64 = 16;
/// Where a floating number lies in its place.
const FLOAT: u64 = 8;
const NULL: Operand = Operand::Const { bits: 0, ty: Scalar::Ptr };

impl Unit<'_> {
    pub(crate) fn va_list_type(&mut self) -> TypeId {
        if self.link.types.machine.pointer_bytes() != 8 {
            return self.void_pointer();
        }
        let elem = self.link.types.intern(Type::Opaque { name: "va_list", size: 24, align: 8 });
        self.link.types.intern(Type::Array { elem, len: Some(1) })
    }

    /// The pointer in a `va_list`.
    fn va_place(&mut self, list: &Node<ast::Expression>) -> Result<Lvalue> {
        if self.link.types.machine.pointer_bytes() != 8 {
            return self.place(list);
        }
        let value = self.expr(list)?;
        let (addr, ..) = self.scalar(value, "a `va_list`")?;
        Ok(Lvalue::Memory { addr, ty: self.void_pointer() })
    }

    pub(crate) fn va_builtin(&mut self, name: &str, args: Args<'_>) -> Result<()> {
        let Some(list) = args.first() else {
            return Err(self.error(format!("`{name}` needs a `va_list`")));
        };
        let place = self.va_place(list)?;
        let ty = self.void_pointer();
        match (name, args.get(1)) {
            ("va_start", _) => {
                let at = self.at;
                let area = match self.f.va_area {
                    Some(reg) => reg,
                    None => self.f.temp(Scalar::Ptr, at),
                };
                self.f.va_area = Some(area);
                self.write(place, Value::Scalar { op: Operand::Reg(area), ty })
            }
            ("va_copy", Some(from)) => {
                let from = self.va_place(from)?;
                let value = self.read(from)?;
                self.write(place, value)
            }
            ("va_copy", None) => Err(self.error("`va_copy` needs two lists")),
            _ => Ok(()),
        }
    }

    pub(crate) fn va_arg(&mut self, node: &ast::VaArgExpression) -> Result<Value> {
        let ty = self.type_name(&node.type_name)?;
        let narrow = match self.link.types.scalar(ty) {
            Some(Scalar::Int { bits, .. }) => bits < 32,
            Some(scalar) => scalar == Scalar::F32,
            None => false,
        };
        if narrow {
            // Arguments have promoted types; gcc ends the process here.
            let name = self.link.types.name(ty);
            self.emit(InstKind::Unsupported {
                what: format!("an argument of type `{name}` in `...`"),
            });
        }
        let list = self.va_place(&node.va_list)?;
        let next = self.read(list)?;
        let (addr, pointer, _) = self.scalar(next, "a `va_list`")?;
        let value = match self.link.types.scalar(ty) {
            Some(scalar) if scalar.is_float() => {
                let size = self.size_type();
                let index = self.bits(FLOAT, size);
                let half = Rvalue::PtrAdd { base: addr, index, scale: 1 };
                let addr = self.assign(Scalar::Ptr, half);
                self.read(Lvalue::Memory { addr, ty })?
            }
            Some(_) => self.read(Lvalue::Memory { addr, ty })?,
            None => {
                let record = self.read(Lvalue::Memory { addr, ty: pointer })?;
                let (addr, ..) = self.scalar(record, "a `va_list`")?;
                Value::Memory { addr, ty }
            }
        };
        let size = self.size_type();
        let index = self.bits(STRIDE, size);
        let after = self.assign(Scalar::Ptr, Rvalue::PtrAdd { base: addr, index, scale: 1 });
        self.write(list, Value::Scalar { op: after, ty: pointer })?;
        Ok(value)
    }

    /// Replaces the operands from `fixed` on by one that tells where they lie.
    pub(crate) fn pass_area(&mut self, operands: &mut Vec<Operand>, fixed: usize) {
        let extra: Vec<Operand> = operands.split_off(fixed.min(operands.len()));
        let info = area_info(&mut self.link.types, extra.len(), self.at);
        let slot = self.f.temporary(info);
        for (i, value) in extra.into_iter().enumerate() {
            let ty = operand_type(&self.f.regs, value);
            self.emit(store(slot, i, value, ty));
        }
        operands.push(Operand::Slot { slot, offset: 0 });
    }
}

/// The same for a direct call in a complete program: instructions before the call, and after it.
pub(crate) fn pass_area(
    f: &mut Function,
    types: &mut Types,
    args: &mut Vec<Operand>,
    fixed: usize,
    span: Span,
) -> (Vec<Inst>, Option<Inst>) {
    if args.len() < fixed {
        args.resize(fixed, NULL);
    }
    let extra = args.split_off(fixed);
    f.slots.push(area_info(types, extra.len(), span));
    let slot = SlotId(f.slots.len() as u32 - 1);
    args.push(Operand::Slot { slot, offset: 0 });
    let inst = |kind| Inst::new(kind, span);
    let mut before = vec![inst(InstKind::SlotLive(slot))];
    for (i, value) in extra.into_iter().enumerate() {
        let ty = operand_type(&f.regs, value);
        before.push(inst(store(slot, i, value, ty)));
    }
    (before, Some(inst(InstKind::SlotDead(slot))))
}

fn area_info(types: &mut Types, arguments: usize, span: Span) -> SlotInfo {
    let size = STRIDE * arguments as u64;
    let ty = types.intern(Type::Opaque { name: "arguments", size, align: STRIDE });
    SlotInfo { name: None, ty, size, align: STRIDE, span }
}

fn store(slot: SlotId, i: usize, value: Operand, ty: Scalar) -> InstKind {
    let half = if ty.is_float() { FLOAT } else { 0 };
    let addr = Operand::Slot { slot, offset: (STRIDE * i as u64 + half) as i64 };
    InstKind::Store { addr, value, ty, order: MemoryOrder::Plain }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{error, function, has, hasnt, ir, program};

    const SUM: &str = "int sum(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);
        int s = 0; while (n--) s += __builtin_va_arg(l, int); __builtin_va_end(l); return s; }";

    #[test]
    fn calls_pass_an_area() {
        let p = program(&format!("{SUM} int f(char c) {{ return sum(2, c, 3.0f); }}"));
        let text = function(&p, "f");
        has(&text, &["live $", "store i32 $", "store f64 $", "call sum(2, $", "dead $"]);
        has(&function(&p, "sum"), &["store ptr $l", "load ptr $l", "load i32 %", "ptradd"]);
        let p = program(&format!("{SUM} int f(void) {{ return sum(0); }}"));
        has(&function(&p, "f"), &["live $", "call sum(0, $"]);
    }

    #[test]
    fn calls_before_the_definition_and_through_pointers() {
        let p = program(&format!("int sum(int, ...); int f(void) {{ return sum(1, 7); }} {SUM}"));
        has(&function(&p, "f"), &["store i32 $", "call sum(1, $"]);
        let p =
            program(&format!("{SUM} int (*p)(int, ...) = sum; int f(void) {{ return p(1, 7); }}"));
        has(&function(&p, "f"), &["store i32 $", "call *%"]);
    }

    #[test]
    fn who_does_not_look_gets_nothing() {
        let p = program("int g(int n, ...) { return n; } int f(void) { return g(1, 2); }");
        hasnt(&function(&p, "f"), &["store"]);
    }

    #[test]
    fn what_does_not_go() {
        has(&error("void f(int n, ...) { __builtin_va_start(); }"), &["needs a `va_list`"]);
        let text = "void f(int n) { __builtin_va_list l; __builtin_va_start(l, n); }";
        has(&error(text), &["`va_start` in `f`, which has no `...`"]);
        hasnt(
            &ir("void f(int n, ...) { __builtin_va_list a, b; __builtin_va_copy(a, b); }"),
            &["unsupp"],
        );
    }
}
