//! Division by zero, shifts by too much, and floating numbers that do not fit the integer which they become.
//!
//! C does not define them. Machines end the process that divides by zero, and so does every engine: what follows is
//! not part of the answer. Of an amount to shift by, engines take the low bits, as x86 does; a compiler need not. Both
//! are assumptions where the operand is no constant. Where nothing may be assumed (`--strict`) such an operation is
//! reached like anything else that is not modelled, so only a program that really does it gets no answer. That is so
//! for conversions of floating numbers in any case: machines and compilers do not agree what becomes of one that does
//! not fit (x86 has one number for all of them, gcc takes the nearest where it computes a constant).
//!
//! Cost: a look at each instruction; in the strict case a branch for each such operation, and always two comparisons
//! for such a conversion.

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
    let mut found: Vec<(String, Span)> = Vec::new();
    for f in program.functions.iter_mut().filter(|f| divides_for_users(f)) {
        for inst in f.blocks.iter().flat_map(|b| &b.insts) {
            let Some(operand) = risk(f, &inst.kind) else { continue };
            let Some(text) = operand.risk.assumption() else { continue };
            if found.iter().all(|(other, _)| other != text) {
                found.push((text.to_owned(), inst.span));
            }
        }
        refuse(f, arithmetic);
    }
    if arithmetic == UndefinedArith::Assumed {
        program.ignored.extend(found);
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
    /// Of the integer that a floating number becomes.
    Fit {
        bits: u8,
        signed: bool,
    },
}

impl Risk {
    fn what(self) -> &'static str {
        match self {
            Risk::Zero => "division by zero",
            Risk::Width(_) => "a shift by its operand's width or more",
            Risk::Fit { .. } => "a floating number that does not fit the integer which it becomes",
        }
    }

    /// `None`: it is never assumed.
    fn assumption(self) -> Option<&'static str> {
        match self {
            Risk::Zero => Some(DIVISIONS),
            Risk::Width(_) => Some(SHIFTS),
            Risk::Fit { .. } => None,
        }
    }
}

/// What an integer is divided or shifted by, or what is converted, in its own type.
#[derive(Clone, Copy)]
struct RiskyOperand {
    risk: Risk,
    ty: Scalar,
    by: Operand,
}

/// `None` if it is seen to be good.
fn risk(f: &Function, kind: &InstKind) -> Option<RiskyOperand> {
    let (op, ty, by) = match *kind {
        InstKind::Assign { value: Rvalue::Binary { op, ty, b, .. }, .. } => (op, ty, b),
        InstKind::Assign { value: Rvalue::Cast { from, to, a }, .. } if from.is_float() => {
            let Scalar::Int { bits, signed } = to else { return None };
            return Some(RiskyOperand { risk: Risk::Fit { bits, signed }, ty: from, by: a });
        }
        _ => return None,
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

fn refuse(f: &mut Function, arithmetic: UndefinedArith) {
    let refused = |operand: &RiskyOperand| {
        arithmetic == UndefinedArith::Refused || operand.risk.assumption().is_none()
    };
    let mut work: Vec<usize> = (0..f.blocks.len()).collect();
    while let Some(block) = work.pop() {
        let insts = &f.blocks[block].insts;
        let found = insts
            .iter()
            .enumerate()
            .find_map(|(at, i)| Some((at, risk(f, &i.kind).filter(refused)?)));
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
        Risk::Fit { bits, signed } => {
            let (above, low, below) = bounds(ty, bits, signed);
            let low = assign(Scalar::I32, binary(above, by, low));
            let high = assign(Scalar::I32, binary(BinOp::Lt, by, below));
            let both =
                Rvalue::Binary { op: BinOp::And, ty: Scalar::I32, a: low, b: high, checked: false };
            let fits = assign(Scalar::I32, both);
            let (ty, b) = (Scalar::I32, Operand::Const { bits: 0, ty: Scalar::I32 });
            assign(ty, Rvalue::Binary { op: BinOp::Eq, ty, a: fits, b, checked: false })
        }
    }
}

/// Numbers of the floating type that fit an integer are above the first bound and below the second one: above the number
/// before the lowest one, or where the format has no such number, not below the lowest one. A NaN is neither.
fn bounds(ty: Scalar, bits: u8, signed: bool) -> (BinOp, Operand, Operand) {
    let lowest = if signed { -(2f64.powi(i32::from(bits) - 1)) } else { 0.0 };
    let highest = 2f64.powi(i32::from(bits) - i32::from(signed));
    let number = |value: f64| match ty {
        Scalar::F32 => Operand::Const { bits: u64::from((value as f32).to_bits()), ty },
        _ => Operand::Const { bits: value.to_bits(), ty },
    };
    let precision = if ty == Scalar::F32 { 24 } else { 53 };
    match signed && bits > precision {
        true => (BinOp::Ge, number(lowest), number(highest)),
        false => (BinOp::Gt, number(lowest - 1.0), number(highest)),
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

    #[test]
    fn conversions_to_integers_are_always_asked_about() {
        for arithmetic in [UndefinedArith::Assumed, UndefinedArith::Refused] {
            let printed = |body: &str| print::program(&settled(body, arithmetic));
            assert_eq!(
                printed("double d = n; return (int)(d * 2);").matches("unsupported").count(),
                1
            );
            assert_eq!(printed("float d = m; return d > 1;").matches("unsupported").count(), 0);
            assert_eq!(printed("return (int)2.5;").matches("unsupported").count(), 0);
            assert_eq!(printed("return (int)1e10;").matches("unsupported").count(), 1);
        }
    }
}
