//! `syscall` with a number that is known here: system calls that programs make without the library.
//!
//! Futexes have a model of their own, whose missing arguments are 0. Numbers are those of x86, as in
//! our headers. Any other call stays one of `syscall`, which is not modelled.

use super::call::Args;
use super::{Linkage, Result, Unit, Value};
use analysis::points_to::address_taken_in;
use ir::types::{Machine, Rank, Type, TypeId};
use ir::walk;
use ir::*;

/// The model in `models/futex.c`.
const FUTEX: &str = "__obmc_futex";

enum SystemCall {
    Futex,
    /// The same as a library function without arguments.
    Plain(&'static str),
}

impl Unit<'_> {
    /// `None` if the name or the number is none of ours.
    pub(crate) fn syscall(&mut self, name: &str, args: Args, at: Span) -> Result<Option<Value>> {
        let Some((number, rest)) = args.split_first() else { return Ok(None) };
        if name != "syscall" || self.defined.contains(name) {
            return Ok(None);
        }
        let number = self.try_constant(number)?;
        let long = self.int_of(Rank::Long, true);
        let result = match number.and_then(|n| known(n, self.link.types.machine)) {
            None => return Ok(None),
            Some(SystemCall::Futex) => self.futex(rest, long, at)?,
            Some(SystemCall::Plain(function)) => {
                self.arguments(rest)?;
                self.call_named(function, &[], at)?
            }
        };
        self.convert(result, long).map(Some)
    }

    fn int_of(&mut self, rank: Rank, signed: bool) -> TypeId {
        self.link.types.intern(Type::Int { rank, signed })
    }

    fn futex(&mut self, args: Args, long: TypeId, at: Span) -> Result<Value> {
        let word = self.void_pointer();
        let (int, unsigned) = (self.int_type(), self.int_of(Rank::Int, false));
        let third = self.int_of(Rank::Long, false);
        let mut operands = Vec::new();
        for (i, ty) in [word, int, unsigned, third, word, unsigned].into_iter().enumerate() {
            let value = match args.get(i) {
                Some(arg) => self.expr(arg)?,
                None => Value::Scalar { op: self.bits(0, int), ty: int },
            };
            operands.extend(self.argument(value, Some(ty))?);
        }
        self.at = at;
        let callee = Callee::Direct(self.function_named(FUTEX));
        let scalar = self.link.types.scalar(long);
        let dst = scalar.map(|s| self.f.temp(s, at));
        self.emit(InstKind::Call { dst, callee, args: operands });
        Ok(dst.map_or(Value::Void, |reg| Value::Scalar { op: Operand::Reg(reg), ty: long }))
    }
}

impl Linkage {
    /// Does the program look at what a futex other than a wait returns? Functions that only hand it on
    /// do not.
    pub(crate) fn counts_wakes(&self) -> bool {
        let Some(&futex) = self.externs.get(FUTEX) else { return false };
        let taken = address_taken_in(&self.functions, &self.objects);
        let mut results = vec![futex];
        let mut next = 0;
        while let Some(&of) = results.get(next) {
            next += 1;
            for (i, f) in self.functions.iter().enumerate() {
                let id = FuncId(i as u32);
                match fate(f, of) {
                    Fate::Dropped => {}
                    Fate::Returned if taken.contains(&id) => return true,
                    Fate::Returned if results.contains(&id) => {}
                    Fate::Returned => results.push(id),
                    Fate::Used => return true,
                }
            }
        }
        false
    }
}

/// What becomes of results in a function that calls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fate {
    Dropped,
    Returned,
    Used,
}

fn fate(f: &Function, of: FuncId) -> Fate {
    let insts = || f.blocks.iter().flat_map(|b| &b.insts);
    let result = |inst: &Inst| match &inst.kind {
        InstKind::Call { dst, callee: Callee::Direct(to), args } if *to == of => {
            dst.filter(|_| !is_wait(args))
        }
        _ => None,
    };
    let mut regs: Vec<Reg> = insts().filter_map(result).collect();
    let mut next = 0;
    let mut fate = Fate::Dropped;
    while let Some(&reg) = regs.get(next) {
        next += 1;
        for inst in insts().filter(|i| walk::operands(&i.kind).contains(&&Operand::Reg(reg))) {
            match inst.kind {
                InstKind::Assign { dst, value: Rvalue::Use(_) | Rvalue::Cast { .. } } => {
                    if !regs.contains(&dst) {
                        regs.push(dst);
                    }
                }
                _ => return Fate::Used,
            }
        }
        for end in f.blocks.iter().map(|b| &b.end) {
            match end {
                _ if walk::end_operand(end) != Some(&Operand::Reg(reg)) => {}
                Terminator::Return(_) => fate = Fate::Returned,
                _ => return Fate::Used,
            }
        }
    }
    fate
}

/// By the operation, where it is a constant; all others of our calls have no such argument.
fn is_wait(args: &[Operand]) -> bool {
    const WAITS: [u64; 2] = [0, 9];
    matches!(args, [_, Operand::Const { bits, .. }, _, _, _, _] if WAITS.contains(&(bits & 127)))
}

fn known(number: i128, machine: Machine) -> Option<SystemCall> {
    match (machine, number) {
        (Machine::Lp64, 202) | (Machine::Ilp32, 240) => Some(SystemCall::Futex),
        (Machine::Lp64, 186) | (Machine::Ilp32, 224) => Some(SystemCall::Plain("gettid")),
        (Machine::Lp64, 24) | (Machine::Ilp32, 158) => Some(SystemCall::Plain("sched_yield")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{ILP32, has, hasnt, ir, ir_on};

    const DECLARED: &str = "long syscall(long, ...); int w;";

    fn body(text: &str) -> String {
        ir(&format!("{DECLARED} void f(void) {{ {text} }}"))
    }

    #[test]
    fn futexes_have_a_model() {
        has(
            &body("syscall(202, &w, 0, 5, (void *)0);"),
            &["call __obmc_futex(@w, 0, 5, 0, null, 0)"],
        );
        has(&body("syscall(202, &w, 129, 1);"), &["call __obmc_futex(@w, 129, 1, 0, null, 0)"]);
        has(
            &body("syscall(202, &w, 3, 1, 0x7fffffff, &w, 0);"),
            &["call __obmc_futex(@w, 3, 1, 2147483647, @w, 0)"],
        );
        let on_32 = ir_on(ILP32, &format!("{DECLARED} void f(void) {{ syscall(240, &w, 0, 0); }}"));
        has(&on_32, &["call __obmc_futex("]);
    }

    #[test]
    fn small_calls_are_functions() {
        has(&body("w = syscall(186);"), &["call gettid()"]);
        has(&body("syscall(24);"), &["call sched_yield()"]);
    }

    #[test]
    fn anything_else_is_an_ordinary_call() {
        has(&body("syscall(1, w);"), &["call syscall(1"]);
        has(&body("syscall(w);"), &["call syscall("]);
        let own = ir("long syscall(long n) { return n; } void f(void) { syscall(202); }");
        has(&own, &["call syscall(202)"]);
        hasnt(&own, &["__obmc_futex"]);
    }
}
