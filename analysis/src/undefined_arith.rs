//! Division by zero, and shifts by too much.
//!
//! C does not define them. Machines end the process that divides by zero, and so does every engine: what follows is
//! not part of the answer. Of an amount to shift by, engines take the low bits, as x86 does; a compiler need not. Both
//! are assumptions where the operand is no constant. Where nothing may be assumed (`--strict`) such an operation is
//! reached like anything else that is not modelled, so only a program that really does it gets no answer.
//!
//! Cost: a look at each instruction; in the strict case a branch for each such operation.

use ir::types::Scalar;
use ir::*;

const DIVISIONS: &str = "division by zero ends the execution; C leaves it undefined";
const SHIFTS: &str = "shifts are by less than their operand's width; C leaves others undefined (low bits count here)";
/// Library functions that divide what they are given.
const DIVIDE: [&str; 5] = ["div", "ldiv", "lldiv", "imaxdiv", "__obmc_divide"];

/// What becomes of operations that C does not define for their operands.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum UndefinedArith {
    /// A proof assumes that there are none: an execution that divides by zero ends, of an amount to shift by the low bits count.
    #[default]
    Assumed,
    /// They are not modelled.
    Refused,
}

pub fn settle(program: &mut Program, arithmetic: UndefinedArith) {
    let users = program.functions.iter_mut().filter(|f| divides_for_users(f));
    match arithmetic {
        UndefinedArith::Assumed => {
            let mut found: Vec<(String, Span)> = Vec::new();
            for f in users {
                for inst in f.blocks.iter().flat_map(|b| &b.insts) {
                    let Some(operand) = risk(f, &inst.kind) else { continue };
                    let text = operand.risk.assumption();
                    if found.iter().all(|(other, _)| other != text) {
                        found.push((text.to_owned(), inst.span));
                    }
                }
            }
            program.ignored.extend(found);
        }
        UndefinedArith::Refused => users.for_each(refuse),
    }
}

fn divides_for_users(f: &Function) -> bool {
    match f.origin {
        Origin::User => true,
        Origin::Model => DIVIDE.contains(&f.name.as_str()),
        Origin::Assembly => false,
    }
}

/// What C does not define.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Risk {
    Zero,
    /// Of the operand that is shifted.
    Width(u8),
}

impl Risk {
    fn what(self) -> &'static str {
        match self {
            Risk::Zero => "division by zero",
            Risk::Width(_) => "a shift by its operand's width or more",
        }
    }

    fn assumption(self) -> &'static str {
        match self {
            Risk::Zero => DIVISIONS,
            Risk::Width(_) => SHIFTS,
        }
    }
}

/// What an integer is divided or shifted by, in its own type.
#[derive(Clone, Copy)]
struct RiskyOperand {
    risk: Risk,
    ty: Scalar,
    by: Operand,
}

/// `None` if it is seen to be good.
fn risk(f: &Function, kind: &InstKind) -> Option<RiskyOperand> {
    let InstKind::Assign { value: Rvalue::Binary { op, ty, b: by, .. }, .. } = *kind else {
        return None;
    };
    match op {
        BinOp::Div | BinOp::Rem if !ty.is_float() => {
            let good = matches!(by, Operand::Const { bits, .. } if bits != 0);
            (!good).then_some(RiskyOperand { risk: Risk::Zero, ty, by })
        }
        BinOp::Shl | BinOp::Shr => {
            let Scalar::Int { bits: width, .. } = ty else { return None };
            let good = most(f, by).is_some_and(|most| most < u64::from(width));
            let risk = Risk::Width(width);
            let ty = match by {
                Operand::Const { ty, .. } => ty,
                Operand::Reg(reg) => f.regs[reg.index()].ty,
                _ => return None,
            };
            (!good).then_some(RiskyOperand { risk, ty, by })
        }
        _ => None,
    }
}

/// The largest number that it can be: a constant, or one that is masked where it is made.
fn most(f: &Function, operand: Operand) -> Option<u64> {
    let reg = match operand {
        Operand::Const { bits, .. } => return Some(bits),
        Operand::Reg(reg) => reg,
        _ => return None,
    };
    let insts = f.blocks.iter().flat_map(|b| &b.insts);
    let mut made = insts.filter(|i| walk::defined(&i.kind) == Some(reg));
    match (&made.next()?.kind, made.next()) {
        (InstKind::Assign { value: Rvalue::Binary { op: BinOp::And, b, .. }, .. }, None) => {
            let Operand::Const { bits, .. } = *b else { return None };
            Some(bits).filter(|_| !f.params.contains(&reg))
        }
        _ => None,
    }
}

fn refuse(f: &mut Function) {
    let mut work: Vec<usize> = (0..f.blocks.len()).collect();
    while let Some(block) = work.pop() {
        let insts = &f.blocks[block].insts;
        let found = insts.iter().enumerate().find_map(|(at, i)| Some((at, risk(f, &i.kind)?)));
        work.extend(found.map(|(at, operand)| refuse_at(f, block, at, operand)));
    }
}

/// Asks before the operation, and gives the block of what is behind it.
fn refuse_at(f: &mut Function, block: usize, at: usize, operand: RiskyOperand) -> usize {
    let stands = f.blocks[block].at(at);
    let otherwise = f.split_block(block, at);
    let after = f.split_block(otherwise.index(), 1);
    let what = InstKind::Unsupported { what: operand.risk.what().to_owned() };
    let refused = Block::new(vec![Inst::new(what, stands)], Terminator::Stop(Stop::Abort), stands);
    let then = f.add_block(refused);
    let cond = ask(f, block, stands, operand);
    f.blocks[block].end = Terminator::Branch { cond, then, otherwise };
    after.index()
}

/// Is the operand bad? A width is a power of two, so an amount is too large if it has any higher bit (as a negative one
/// has).
fn ask(f: &mut Function, block: usize, at: At, operand: RiskyOperand) -> Operand {
    let mut assign = |ty: Scalar, value: Rvalue| {
        let dst = Reg(f.regs.len() as u32);
        f.regs.push(RegInfo { name: None, ty, of: None, span: at.span });
        f.blocks[block].insts.push(Inst::new(InstKind::Assign { dst, value }, at));
        Operand::Reg(dst)
    };
    let RiskyOperand { risk, ty, by } = operand;
    let zero = Operand::Const { bits: 0, ty };
    let binary = |op, a, b| Rvalue::Binary { op, ty, a, b, checked: false };
    match risk {
        Risk::Zero => assign(Scalar::I32, binary(BinOp::Eq, by, zero)),
        Risk::Width(width) => {
            let all = match ty {
                Scalar::Int { bits, .. } if bits < 64 => (1 << bits) - 1,
                _ => u64::MAX,
            };
            let high = Operand::Const { bits: all & !(u64::from(width) - 1), ty };
            let high = assign(ty, binary(BinOp::And, by, high));
            assign(Scalar::I32, binary(BinOp::Ne, high, zero))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DIVISIONS, UndefinedArith};
    use crate::from_c::program;
    use ir::{print, verify};

    fn settled(body: &str, arithmetic: UndefinedArith) -> ir::Program {
        let mut p = crate::prepare(program(&format!("int f(int n, unsigned m) {{ {body} }}")));
        super::settle(&mut p, arithmetic);
        assert!(verify::program(&p).is_empty(), "{:?}", verify::program(&p));
        p
    }

    #[test]
    fn only_divisors_that_may_be_zero_count() {
        let assumes = |body: &str| {
            settled(body, UndefinedArith::Assumed).ignored.iter().any(|(text, _)| text == DIVISIONS)
        };
        assert!(assumes("return 7 / n;"));
        assert!(assumes("return m % (unsigned)n;"));
        assert!(assumes("return n / 0;"));
        assert!(!assumes("return n / 7 + n % 2;"));
        assert!(!assumes("const int k = 4; return m / k;"));
        assert!(!assumes("return 1.0 / n;"));
    }

    #[test]
    fn only_shifts_that_may_be_too_far_count() {
        let assumes = |body: &str| {
            settled(body, UndefinedArith::Assumed)
                .ignored
                .iter()
                .any(|(text, _)| text == super::SHIFTS)
        };
        assert!(assumes("return 1 << n;"));
        assert!(assumes("return m >> 32;"));
        assert!(assumes("return 1 << -1;"));
        assert!(assumes("return 1 << (n & 32);"));
        assert!(!assumes("return n << 3 | m >> 31;"));
        assert!(!assumes("return m >> (n & 31);"));
        assert!(!assumes("return (int)((unsigned long)m >> 40);"));
    }

    #[test]
    fn each_division_is_asked_about_once() {
        let refused = |body: &str| {
            print::program(&settled(body, UndefinedArith::Refused)).matches("unsupported").count()
        };
        assert_eq!(refused("return 7 / n + 8 % n + 3 / (n + 1);"), 3);
        assert_eq!(refused("return n / 7;"), 0);
        assert_eq!(refused("return (1 << n) + (m >> (unsigned long)n) + (n >> 2);"), 2);
    }
}
