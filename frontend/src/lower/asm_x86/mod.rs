//! The x86 assembly that atomic operations are written in, exactly.
//!
//! A template that consists of these instructions, with operands as they are usually given, means
//! what the processor does: `lock` before `inc`, `dec`, `add`, `sub`, `and`, `or`, `xor`, `xadd` and
//! `cmpxchg`; `xchg`, which locks by itself; `sete` and `setne` or an output `=@ccz` for what came out.
//! The memory operand is a constraint `m`, or an address in a register, `(%0)`; how large it is says the
//! suffix, whatever the operand's type (a `char` or a struct stands for any memory). Each is one
//! sequentially consistent read-modify-write. A plain `mov` between memory and a register is an atomic
//! load or store, which acquires or releases, as on x86; but one of `volatile` memory is how drivers reach
//! registers of a device (`readl`, `writel`), which no object of the program stands for. Where something is
//! not understood, what was emitted is taken back, and the template is left to `asm.rs`.
//!
//! - `parse.rs`: templates as instructions
//! - `wide.rs`: `cmpxchg16b`, and moves between registers that a template names itself

mod parse;
mod wide;

use super::asm::{Evaluated, constraint, is_memory};
use super::atomic::{AtomicTarget, Fetch, Strength};
use super::place::Lvalue;
use super::{Result, Unit, Value};
use ir::types::{Rank, Scalar, Type, TypeId};
use ir::{BinOp, MemoryOrder, Operand, Rvalue};
use lang_c::ast::{GnuAsmOperand, GnuExtendedAsmStatement};
use lang_c::span::Node;
use parse::{Arg, Line, UPDATES, parse};

/// Registers that a constraint names.
const NAMED: &[&str] = &["a", "b", "c", "d", "S", "D"];

/// The operands of a statement, outputs first, and what the template has done so far.
struct AsmRun<'a> {
    operands: Vec<(&'a Node<GnuAsmOperand>, &'a Evaluated)>,
    outputs: usize,
    /// What the register of each operand holds; that of an input that shares an output's is there.
    /// Behind them those that only the template names.
    registers: Vec<Option<Value>>,
    /// Moves between registers of which nothing is known: from, to.
    copies: Vec<(usize, usize)>,
    /// Outputs in memory that were written.
    written: Vec<bool>,
    /// Was the last result zero, or the comparison equal?
    zero: Option<Operand>,
}

impl Unit<'_> {
    /// False, and nothing emitted, if it is anything else.
    pub(super) fn x86_atomic(
        &mut self,
        asm: &GnuExtendedAsmStatement,
        outputs: &[Evaluated],
        inputs: &[Evaluated],
    ) -> Result<bool> {
        let nodes = asm.outputs.iter().chain(&asm.inputs);
        let operands: Vec<_> = nodes.zip(outputs.iter().chain(inputs)).collect();
        let Some(lines) =
            parse(&asm.template.node, &operands.iter().map(|o| o.0).collect::<Vec<_>>())
        else {
            return Ok(false);
        };
        let before = self.f.clone();
        let count = operands.len();
        let (registers, written) = (vec![None; count + wide::OWN.len()], vec![false; count]);
        let (outputs, copies) = (outputs.len(), Vec::new());
        let mut run = AsmRun { operands, outputs, registers, copies, written, zero: None };
        let done = self.run_template(&lines, &mut run)?;
        if done.is_none() {
            self.f = before;
        }
        Ok(done.is_some())
    }

    fn run_template(&mut self, lines: &[Line], run: &mut AsmRun<'_>) -> Result<Option<()>> {
        self.fill_registers(run)?;
        for line in lines {
            let done = match line.op {
                "sete" | "setz" => self.set_flag(line, run, true),
                "setne" | "setnz" => self.set_flag(line, run, false),
                "mov" if run.is_between_registers(line) => run.copy(line),
                "mov" => self.moved(line, run)?,
                "cmpxchg16b" => self.cmpxchg16b(line, run)?,
                _ => self.locked(line, run)?,
            };
            if done.is_none() {
                return Ok(None);
            }
        }
        for i in 0..run.outputs {
            if let Some(zero) = flag_output(run.operands[i].0) {
                let Some(value) = self.flag_value(run, zero) else { return Ok(None) };
                run.registers[i] = Some(value);
            }
            match (run.operands[i].1, run.registers[i]) {
                (Evaluated::Place(_), None) if run.is_memory(i) && run.written[i] => {}
                (Evaluated::Place(place), Some(value)) => {
                    let value = self.convert(value, place.ty())?;
                    self.write(*place, value)?;
                }
                _ => return Ok(None),
            }
        }
        Ok((!lines.is_empty()).then_some(()))
    }

    /// What the registers hold when the template begins.
    fn fill_registers(&mut self, run: &mut AsmRun<'_>) -> Result<()> {
        for i in 0..run.operands.len() {
            let (node, operand) = run.operands[i];
            match *operand {
                Evaluated::Value(value) => {
                    let home = run.home(i);
                    run.registers[home] = Some(self.kept(value));
                }
                Evaluated::Place(place) if !run.is_memory(i) && !constraint(node).contains('=') => {
                    let value = self.read(place)?;
                    run.registers[i] = Some(self.kept(value));
                }
                Evaluated::Place(_) => {}
            }
        }
        Ok(())
    }

    /// The value as it is now: outputs may be written over it.
    fn kept(&mut self, value: Value) -> Value {
        match value {
            Value::Scalar { op: op @ Operand::Reg(reg), ty } => {
                let scalar = self.f.regs[reg.index()].ty;
                Value::Scalar { op: self.assign(scalar, Rvalue::Use(op)), ty }
            }
            other => other,
        }
    }

    /// `sete` and its kin write one byte.
    fn set_flag(&mut self, line: &Line, run: &mut AsmRun<'_>, zero: bool) -> Option<()> {
        let [Arg::Operand(i)] = line.args[..] else { return None };
        if line.locked || i >= run.outputs || run.is_memory(i) || self.size_of(run, i) != Some(1) {
            return None;
        }
        run.registers[i] = Some(self.flag_value(run, zero)?);
        Some(())
    }

    /// Is the flag set, or is it not?
    fn flag_value(&mut self, run: &AsmRun<'_>, zero: bool) -> Option<Value> {
        let ty = self.int_type();
        let none = Operand::Const { bits: 0, ty: Scalar::I32 };
        let op = match (run.zero?, zero) {
            (flag, true) => flag,
            (flag, false) => self.binary(BinOp::Eq, Scalar::I32, flag, none, false),
        };
        Some(Value::Scalar { op, ty })
    }

    /// A load, or a store of a register or a number.
    fn moved(&mut self, line: &Line, run: &mut AsmRun<'_>) -> Result<Option<()>> {
        let [from, to] = line.args[..] else { return Ok(None) };
        if line.locked || run.is_in_memory(from) == run.is_in_memory(to) {
            return Ok(None);
        }
        let (place, other) = if run.is_in_memory(from) { (from, to) } else { (to, from) };
        if run.is_volatile(place) {
            return Ok(None);
        }
        let Some(target) = self.target_of(line, place, Some(other), run) else { return Ok(None) };
        if run.is_in_memory(from) {
            let size = self.link.types.size(target.ty);
            let home = match to {
                Arg::Register(letter) if size == Some(8) => run.named(letter),
                Arg::Operand(i) if self.size_of(run, run.home(i)) == size => run.home(i),
                _ => return Ok(None),
            };
            if !run.may_change(home) {
                return Ok(None);
            }
            run.registers[home] = Some(self.load_from(target, MemoryOrder::Acquire));
            return Ok(Some(()));
        }
        let Some(value) = self.value_of(from, target, run) else { return Ok(None) };
        if let Arg::Operand(i) = to {
            run.written[i] = true;
        }
        self.store_to(target, value, MemoryOrder::Release)?;
        Ok(Some(()))
    }

    /// A read-modify-write of memory.
    fn locked(&mut self, line: &Line, run: &mut AsmRun<'_>) -> Result<Option<()>> {
        let in_memory = |arg: &Arg| run.is_in_memory(*arg);
        let Some(at) = line.args.iter().position(in_memory) else { return Ok(None) };
        let other = match line.args[..] {
            [_] => None,
            [a, b] => Some(if at == 0 { b } else { a }),
            _ => return Ok(None),
        };
        let Some(target) = self.target_of(line, line.args[at], other, run) else {
            return Ok(None);
        };
        let value = other.and_then(|arg| self.value_of(arg, target, run));
        let last = at + 1 == line.args.len();
        if line.op != "xchg" && !(line.locked && last) {
            return Ok(None);
        }
        if let Arg::Operand(i) = line.args[at] {
            run.written[i] = true;
        }
        let order = MemoryOrder::SeqCst;
        let one =
            Value::Scalar { op: Operand::Const { bits: 1, ty: Scalar::I32 }, ty: self.int_type() };
        let (op, by) = match (line.op, value) {
            ("inc", None) if other.is_none() => ("add", one),
            ("dec", None) if other.is_none() => ("sub", one),
            ("not", None) if other.is_none() => {
                let ty = self.unsigned(8);
                let ones = Value::Scalar { op: self.bits(u64::MAX, ty), ty };
                let flipped = self.fetch(target, "xor", ones, order, Fetch::New)?;
                return Ok(flipped.map(|_| ()));
            }
            (op, Some(by)) if UPDATES.contains(&op) => (op, by),
            ("xadd" | "xchg", Some(by)) => {
                let Some(Arg::Operand(i)) = other else { return Ok(None) };
                let home = run.home(i);
                if home >= run.outputs {
                    return Ok(None); // it would change an input
                }
                run.registers[home] = match line.op {
                    "xadd" => self.fetch(target, "add", by, order, Fetch::Old)?,
                    _ => Some(self.exchange(target, by, order)?),
                };
                return Ok(Some(()));
            }
            ("cmpxchg", Some(new)) => return self.cmpxchg(target, new, run),
            _ => return Ok(None),
        };
        let Some(new) = self.fetch(target, op, by, order, Fetch::New)? else { return Ok(None) };
        let (new, ..) = self.scalar(new, "an operand")?;
        let zero = Operand::Const { bits: 0, ty: target.scalar };
        run.zero = Some(self.binary(BinOp::Eq, target.scalar, new, zero, false));
        Ok(Some(()))
    }

    fn cmpxchg(
        &mut self,
        target: AtomicTarget,
        new: Value,
        run: &mut AsmRun<'_>,
    ) -> Result<Option<()>> {
        let Some(accumulator) = run.accumulator() else { return Ok(None) };
        let expected = self.value_of(Arg::Operand(accumulator), target, run);
        let Some(expected) = expected else { return Ok(None) };
        let order = MemoryOrder::SeqCst;
        let (old, equal) =
            self.swap_if_equal(target, expected, new, (order, order), order, Strength::Strong)?;
        let (equal, _, scalar) = self.scalar(equal, "an operand")?;
        run.zero = Some(self.truth(equal, scalar));
        run.registers[accumulator] = Some(old);
        Ok(Some(()))
    }

    fn target_of(
        &mut self,
        line: &Line,
        arg: Arg,
        other: Option<Arg>,
        run: &AsmRun<'_>,
    ) -> Option<AtomicTarget> {
        let (addr, ty) = match arg {
            Arg::Operand(i) => match *run.operands[i].1 {
                Evaluated::Place(Lvalue::Memory { addr, ty }) => (addr, ty),
                _ => return None,
            },
            Arg::At { base, offset } => match run.registers[run.home(base)]? {
                Value::Scalar { op, .. } => (self.offset(op, offset), self.unsigned(line.bytes?)),
                _ => return None,
            },
            Arg::Number(_) | Arg::Register(_) => return None,
        };
        let ty = self.link.types.strip_atomic(ty);
        let ty = match line.bytes {
            Some(bytes) if self.link.types.size(ty) != Some(bytes) || self.is_record(ty) => {
                self.type_beside(other, bytes, run)
            }
            _ => ty,
        };
        let scalar = self.link.types.scalar(ty)?;
        let size = self.link.types.size(ty)?;
        let is_number = matches!(scalar, Scalar::Int { .. } | Scalar::Ptr);
        let fits = size <= 8 && line.bytes.is_none_or(|bytes| bytes == size);
        (is_number && fits).then_some(AtomicTarget { addr, ty, scalar })
    }

    fn is_record(&self, ty: TypeId) -> bool {
        self.link.types.scalar(ty).is_none()
    }

    /// The type of the register that goes with the memory, if it is as large: a pointer stays one.
    fn type_beside(&mut self, other: Option<Arg>, bytes: u64, run: &AsmRun<'_>) -> TypeId {
        let ty = match other {
            Some(Arg::Operand(i)) => match (run.registers[run.home(i)], run.operands[i].1) {
                (Some(Value::Scalar { ty, .. }), _) => Some(ty),
                (_, Evaluated::Place(place)) => Some(place.ty()),
                _ => None,
            },
            _ => None,
        };
        let ty = ty.map(|ty| self.link.types.strip_atomic(ty));
        let fits = |ty: &TypeId| {
            let number =
                matches!(self.link.types.scalar(*ty), Some(Scalar::Int { .. } | Scalar::Ptr));
            number && self.link.types.size(*ty) == Some(bytes)
        };
        ty.filter(fits).unwrap_or_else(|| self.unsigned(bytes))
    }

    fn unsigned(&mut self, bytes: u64) -> TypeId {
        let rank = match bytes {
            1 => Rank::Char,
            2 => Rank::Short,
            4 => Rank::Int,
            _ => Rank::LongLong,
        };
        self.link.types.intern(Type::Int { rank, signed: false })
    }

    /// As large as the memory operand, or a number that is extended to that.
    fn value_of(&mut self, arg: Arg, target: AtomicTarget, run: &AsmRun<'_>) -> Option<Value> {
        match arg {
            Arg::Number(n) => {
                let ty = self.unsigned(8);
                Some(Value::Scalar { op: self.bits(n, ty), ty })
            }
            Arg::At { .. } | Arg::Register(_) => None,
            Arg::Operand(i) => {
                let value = run.registers[run.home(i)]?;
                let Value::Scalar { op, ty } = value else { return None };
                let constant = matches!(op, Operand::Const { .. });
                let same = self.link.types.size(ty) == self.link.types.size(target.ty);
                (constant || same).then_some(value)
            }
        }
    }

    fn size_of(&mut self, run: &AsmRun<'_>, i: usize) -> Option<u64> {
        match run.operands[i].1 {
            Evaluated::Place(place) => self.link.types.size(place.ty()),
            Evaluated::Value(_) => None,
        }
    }
}

impl AsmRun<'_> {
    fn is_memory(&self, i: usize) -> bool {
        is_memory(self.operands[i].0)
    }

    /// Is it memory that the program calls volatile?
    fn is_volatile(&self, arg: Arg) -> bool {
        let Arg::Operand(i) = arg else { return false };
        matches!(*self.operands[i].1, Evaluated::Place(place) if place.ty().is_volatile())
    }

    fn is_in_memory(&self, arg: Arg) -> bool {
        match arg {
            Arg::Operand(i) => self.is_memory(i),
            Arg::At { .. } => true,
            Arg::Number(_) | Arg::Register(_) => false,
        }
    }

    /// The output that an input shares its register with, or itself.
    fn home(&self, i: usize) -> usize {
        let text = constraint(self.operands[i].0);
        if i >= self.outputs && NAMED.contains(&text.as_str()) {
            let same = |o: &usize| constraint(self.operands[*o].0) == format!("={text}");
            return (0..self.outputs).find(same).unwrap_or(i);
        }
        let tied = text.parse().ok();
        tied.filter(|&output: &usize| i >= self.outputs && output < self.outputs).unwrap_or(i)
    }

    /// An output, or a register that is the template's own.
    fn may_change(&self, register: usize) -> bool {
        register < self.outputs || register >= self.operands.len()
    }

    /// The operand in `eax`.
    fn accumulator(&self) -> Option<usize> {
        let in_eax = |i: &usize| {
            let text = constraint(self.operands[*i].0);
            text.trim_start_matches(['=', '+', '&']) == "a"
        };
        (0..self.operands.len()).find(in_eax)
    }
}

/// An output that is a flag: whether the last result was zero, or was not.
fn flag_output(operand: &Node<GnuAsmOperand>) -> Option<bool> {
    match constraint(operand).as_str() {
        "=@ccz" | "=@cce" => Some(true),
        "=@ccnz" | "=@ccne" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{has, hasnt, ir};

    fn asm(statement: &str) -> String {
        ir(&format!(
            "int f(int *p, int x, int y) {{ char c = 2; __asm__ volatile({statement}); return c + x; }}"
        ))
    }

    fn exact(statement: &str, expected: &[&str]) {
        let text = asm(statement);
        hasnt(&text, &["unsupported", "inline assembly"]);
        has(&text, expected);
    }

    const UPDATE: [&str; 4] =
        ["atomic_begin", "load i32 p.0 seq_cst", "store i32 p.0, %", "atomic_end"];

    #[test]
    fn updates() {
        for (template, op) in [
            ("\"lock; incl %0\" : \"+m\"(*p)", "add i32"),
            ("\"lock\\n\\tdecl %0\" : \"=m\"(*p) : \"m\"(*p) : \"memory\"", "sub i32"),
            ("\"lock addl %1,%0\" : \"+m\"(*p) : \"ir\"(x) : \"cc\"", "add i32"),
            ("\"lock ; orl $4, %[v]\" : [v] \"+m\"(*p)", "or i32"),
            ("\"lock; andl %1, (%0)\" : : \"r\"(p), \"r\"(x) : \"memory\"", "and u32"),
        ] {
            let text = asm(template);
            hasnt(&text, &["unsupported", "inline assembly"]);
            has(&text, &["atomic_begin", "seq_cst", op, "atomic_end"]);
        }
        exact(
            "\"lock; decl %0; sete %1\" : \"+m\"(*p), \"=qm\"(c) : : \"memory\"",
            &["sub i32", "eq i32"],
        );
    }

    #[test]
    fn exchanges() {
        exact("\"lock; xaddl %0, %1\" : \"+r\"(x), \"+m\"(*p) : : \"memory\"", &UPDATE);
        exact(
            "\"xchgl %0, %1\" : \"=r\"(x), \"+m\"(*p) : \"0\"(y) : \"memory\"",
            &["= y.2", "store i32 p.0, %"],
        );
        let cas =
            ["load i32 p.0 seq_cst", "eq i32", "store i32 p.0, 7 seq_cst", "atomic_end", "x.1 = %"];
        exact("\"lock; cmpxchgl %2,%1\" : \"=a\"(x), \"+m\"(*p) : \"r\"(7), \"0\"(y)", &cas);
        let text =
            "\"lock cmpxchgl %3, %1; sete %0\" : \"=q\"(c), \"+m\"(*p), \"+a\"(x) : \"r\"(7)";
        exact(text, &cas);
    }

    #[test]
    fn flags_moves_and_memory_of_any_type() {
        let cas = ["load i32 p.0 seq_cst", "eq i32", "store i32 p.0, 7 seq_cst", "atomic_end"];
        let flag = "\"lock cmpxchgl %3, %0\" : \"+m\"(*p), \"=@ccz\"(c), \"+a\"(x) : \"r\"(7)";
        exact(flag, &cas);
        let shared =
            "\"lock cmpxchgl %2, %0; setz %1\" : \"+m\"(*p), \"=a\"(c) : \"q\"(7), \"a\"(x)";
        exact(shared, &cas);
        exact("\"movl %1, %0\" : \"=r\"(x) : \"m\"(*(char *)p)", &["load i32 p.0 acquire"]);
        exact("\"movl %1, %0\" : \"=m\"(*(char *)p) : \"ir\"(x)", &["store i32 p.0, %"]);
        let record = "\"lock; xaddl %1, %0\" : \"+m\"(*(struct { long a[9]; } *)p), \"+r\"(x)";
        exact(record, &UPDATE);
        exact("\"lock notl %0\" : \"+m\"(*p)", &["xor i32", "atomic_end"]);
    }

    #[test]
    fn two_words() {
        let f = |body: &str| {
            let text = format!(
                "typedef unsigned long u; int f(u *t, u *c, u *s) {{ char z = 0; u v[2]; {body} return z; }}"
            );
            ir(&text)
        };
        let cas = [
            "atomic_begin",
            "load u64 t.0 seq_cst",
            "eq u64",
            "and i32",
            "store u64 t.0",
            "atomic_end",
        ];
        let in_registers = f(
            "__asm__(\"lock; cmpxchg16b %0; setz %3\" : \"+m\"(*t), \"=a\"(v[0]), \"=d\"(v[1]), \"=q\"(z) \
             : \"a\"(c[0]), \"d\"(c[1]), \"b\"(s[0]), \"c\"(s[1]) : \"memory\");",
        );
        let loaded = f(
            "__asm__(\"movq 0(%4), %%rax; movq 8(%4), %%rdx; lock; cmpxchg16b %0; setz %1\" : \"+m\"(*t), \
             \"=q\"(z) : \"b\"(s[0]), \"c\"(s[1]), \"q\"(c) : \"memory\", \"%rax\", \"%rdx\");",
        );
        for text in [in_registers, loaded] {
            hasnt(&text, &["unsupported", "inline assembly"]);
            has(&text, &cas);
        }
        let load = "__asm__(\"movq %%rdx, %%rcx; movq %%rax, %%rbx; lock; cmpxchg16b %2\" : \"=a\"(v[0]), \
                    \"=d\"(v[1]) : \"m\"(*t) : \"rbx\", \"rcx\", \"memory\");";
        hasnt(&f(load), &["inline assembly", "store u64 t.0"]);
        for other in [
            load.replace("%%rdx, %%rcx", "%%rcx, %%rdx"),
            load.replace("lock; ", ""),
            load.replace("movq %%rax, %%rbx; ", ""),
            load.replace("movq %%rdx, %%rcx", "movl %%rdx, %%rcx"),
        ] {
            hasnt(&f(&other), &["atomic_begin"]);
        }
    }

    #[test]
    fn the_rest_is_left_alone() {
        for template in [
            "\"incl %0\" : \"+m\"(*p)",
            "\"movl %0, %1\" : \"=r\"(x) : \"r\"(y)",
            "\"lock; movl %1, %0\" : \"=m\"(*p) : \"r\"(y)",
            "\"movl %1, %0\" : \"=r\"(x) : \"m\"(*(volatile int *)p)",
            "\"movl %1, %0\" : : \"r\"(x), \"m\"(*(volatile int *)p)",
            "\"movq %1, %0\" : \"=r\"(x) : \"m\"(*p)",
            "\"incl %0\" : \"+m\"(*p), \"=@ccz\"(c)",
            "\"lock; incl %0\" : \"+m\"(*p), \"=@ccs\"(c)",
            "\"lock; incl %0; hlt\" : \"+m\"(*p)",
            "\"lock; incl %0\" : \"+m\"(*p), \"=r\"(x)",
            "\"lock; incl %0\" : \"+r\"(x)",
            "\"lock; xaddl %%eax, %0\" : \"+m\"(*p)",
            "\"lock; addl %0, %1\" : \"+m\"(*p) : \"r\"(x)",
            "\"lock; xaddl %1, %0\" : \"+m\"(*p) : \"r\"(x)",
            "\"lock; cmpxchgl %1, %0\" : \"+m\"(*p) : \"r\"(x)",
            "\"sete %0\" : \"=q\"(c)",
            "\"lock; decl %0; sete %1\" : \"+m\"(*p), \"=q\"(x)",
        ] {
            let text = asm(template);
            has(&text, &["inline assembly"]);
            hasnt(&text, &["atomic_begin"]);
        }
    }
}
