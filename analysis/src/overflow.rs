//! Signed overflow as an error that can be reached.
//!
//! Before each operator that C checks stands the question whether its result leaves the type, and behind a yes
//! an error. So whatever proves that no error is reached proves that nothing overflows: up to its first
//! overflow an execution is one of this program, and errors of the program itself end it, as they do where
//! overflow is asked for. What is an overflow `ir::arith` says, and the questions here are the same, except
//! that a product of two 64-bit numbers that are no constants always counts as one.
//!
//! Cost: a few instructions and three blocks for each operator.

use ir::types::{Machine, Scalar};
use ir::*;

const WIDE: Scalar = Scalar::Int { bits: 64, signed: true };

/// The program whose errors are the overflows of this one.
pub fn as_errors(program: &Program) -> Program {
    let mut program = program.clone();
    let machine = program.machine;
    for f in &mut program.functions {
        (0..f.blocks.len()).for_each(|block| end_at_errors(f, block));
        let mut work: Vec<usize> = (0..f.blocks.len()).collect();
        while let Some(block) = work.pop() {
            let insts = &f.blocks[block].insts;
            let found = insts.iter().position(|i| is_checked(&i.kind, machine));
            work.extend(found.map(|at| ask_before(f, block, at, machine)));
        }
    }
    program
}

fn end_at_errors(f: &mut Function, block: usize) {
    let is_error = |i: &Inst| matches!(i.kind, InstKind::Error { .. });
    let Some(at) = f.blocks[block].insts.iter().position(is_error) else { return };
    let stands = f.blocks[block].insts[at].at();
    let block = &mut f.blocks[block];
    block.insts.truncate(at);
    block.end = Terminator::Stop(Stop::Abort);
    (block.end_span, block.end_id) = (stands.span, stands.id);
}

fn is_checked(kind: &InstKind, machine: Machine) -> bool {
    let InstKind::Assign { value, .. } = kind else { return false };
    match value {
        Rvalue::Unary { op: UnOp::Neg, ty, checked: true, .. } => is_signed(*ty),
        Rvalue::Binary { op, ty, checked: true, .. } => match op {
            BinOp::Shl | BinOp::Shr => !ty.is_float() && ty.bits(machine) > 0,
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem => is_signed(*ty),
            _ => false,
        },
        _ => false,
    }
}

fn is_signed(ty: Scalar) -> bool {
    matches!(ty, Scalar::Int { signed: true, .. })
}

/// Asks before an operator, and gives the block of what is behind it.
fn ask_before(f: &mut Function, block: usize, at: usize, machine: Machine) -> usize {
    let stands = f.blocks[block].at(at);
    let otherwise = f.split_block(block, at);
    let cond = match &mut f.blocks[otherwise.index()].insts[0].kind {
        InstKind::Assign { value, .. } => {
            let asked = value.clone();
            uncheck(value);
            Questions { f, block, stands, machine }.leaves(&asked)
        }
        _ => no(),
    };
    let error = Inst::new(InstKind::Error { what: "signed overflow".to_owned() }, stands);
    let then = f.add_block(Block::new(vec![error], Terminator::Stop(Stop::Abort), stands));
    f.blocks[block].end = Terminator::Branch { cond, then, otherwise };
    otherwise.index()
}

fn uncheck(value: &mut Rvalue) {
    if let Rvalue::Unary { checked, .. } | Rvalue::Binary { checked, .. } = value {
        *checked = false;
    }
}

fn no() -> Operand {
    Operand::Const { bits: 0, ty: Scalar::I32 }
}

fn yes() -> Operand {
    Operand::Const { bits: 1, ty: Scalar::I32 }
}

/// Instructions at the end of a block that ask something; answers are `int`, 0 or 1.
struct Questions<'f> {
    f: &'f mut Function,
    block: usize,
    stands: At,
    machine: Machine,
}

impl Questions<'_> {
    fn leaves(&mut self, value: &Rvalue) -> Operand {
        match value {
            Rvalue::Unary { ty, a, .. } => self.is(*a, *ty, least(*ty, self.machine)),
            Rvalue::Binary { op, ty, a, b, .. } => match op {
                BinOp::Div | BinOp::Rem => {
                    let least = self.is(*a, *ty, least(*ty, self.machine));
                    let minus = self.is(*b, *ty, ones(*ty, self.machine));
                    self.binary(BinOp::And, Scalar::I32, least, minus)
                }
                BinOp::Shl | BinOp::Shr => self.shift_leaves(*op, *ty, *a, *b),
                _ if ty.bits(self.machine) < 64 => self.narrow_leaves(*op, *ty, *a, *b),
                _ => self.wide_leaves(*op, *ty, *a, *b),
            },
            _ => no(),
        }
    }

    /// The exact result, in a wider type, is not what is left of it in its own.
    fn narrow_leaves(&mut self, op: BinOp, ty: Scalar, a: Operand, b: Operand) -> Operand {
        let (a, b) = (self.cast(ty, WIDE, a), self.cast(ty, WIDE, b));
        let exact = self.binary(op, WIDE, a, b);
        let result = self.cast(WIDE, ty, exact);
        let back = self.cast(ty, WIDE, result);
        self.binary(BinOp::Ne, WIDE, exact, back)
    }

    fn wide_leaves(&mut self, op: BinOp, ty: Scalar, a: Operand, b: Operand) -> Operand {
        if op == BinOp::Mul {
            return match (constant(a), constant(b)) {
                (_, Some(k)) => self.multiple_leaves(ty, a, k as i64),
                (Some(k), _) => self.multiple_leaves(ty, b, k as i64),
                _ => yes(),
            };
        }
        // Of numbers with one sign (of a difference: with two), the result has another one.
        let result = self.binary(op, ty, a, b);
        let turned = self.binary(BinOp::Xor, ty, a, result);
        let other = if op == BinOp::Add { result } else { a };
        let signs = self.binary(BinOp::Xor, ty, b, other);
        let both = self.binary(BinOp::And, ty, turned, signs);
        self.binary(BinOp::Lt, ty, both, Operand::Const { bits: 0, ty })
    }

    /// A 64-bit number times a constant.
    fn multiple_leaves(&mut self, ty: Scalar, a: Operand, k: i64) -> Operand {
        let (low, high) = match k {
            0 | 1 => return no(),
            -1 => return self.is(a, ty, i64::MIN as u64),
            2.. => (i64::MIN / k, i64::MAX / k),
            _ => (i64::MAX / k, i64::MIN / k),
        };
        let number = |n: i64| Operand::Const { bits: n as u64, ty };
        let less = self.binary(BinOp::Lt, ty, a, number(low));
        let more = self.binary(BinOp::Gt, ty, a, number(high));
        self.binary(BinOp::Or, Scalar::I32, less, more)
    }

    fn shift_leaves(&mut self, op: BinOp, ty: Scalar, a: Operand, b: Operand) -> Operand {
        let by = walk::operand_type(self.f, &b);
        let number = |n: u64| Operand::Const { bits: n, ty: by };
        let less = self.binary(BinOp::Lt, by, b, number(0));
        let more = self.binary(BinOp::Ge, by, b, number(u64::from(ty.bits(self.machine))));
        let amount = self.binary(BinOp::Or, Scalar::I32, less, more);
        if op == BinOp::Shr || !is_signed(ty) {
            return amount;
        }
        let negative = self.binary(BinOp::Lt, ty, a, Operand::Const { bits: 0, ty });
        let shifted = self.binary(BinOp::Shl, ty, a, b);
        let back = self.binary(BinOp::Shr, ty, shifted, b);
        let lost = self.binary(BinOp::Ne, ty, back, a);
        let value = self.binary(BinOp::Or, Scalar::I32, negative, lost);
        self.binary(BinOp::Or, Scalar::I32, amount, value)
    }

    fn is(&mut self, a: Operand, ty: Scalar, bits: u64) -> Operand {
        self.binary(BinOp::Eq, ty, a, Operand::Const { bits, ty })
    }

    fn binary(&mut self, op: BinOp, ty: Scalar, a: Operand, b: Operand) -> Operand {
        let result = if op.is_comparison() { Scalar::I32 } else { ty };
        self.assign(result, Rvalue::Binary { op, ty, a, b, checked: false })
    }

    fn cast(&mut self, from: Scalar, to: Scalar, a: Operand) -> Operand {
        self.assign(to, Rvalue::Cast { from, to, a })
    }

    fn assign(&mut self, ty: Scalar, value: Rvalue) -> Operand {
        let dst = Reg(self.f.regs.len() as u32);
        self.f.regs.push(RegInfo { name: None, ty, of: None, span: self.stands.span });
        let inst = Inst::new(InstKind::Assign { dst, value }, self.stands);
        self.f.blocks[self.block].insts.push(inst);
        Operand::Reg(dst)
    }
}

fn constant(operand: Operand) -> Option<u64> {
    match operand {
        Operand::Const { bits, .. } => Some(bits),
        _ => None,
    }
}

fn ones(ty: Scalar, machine: Machine) -> u64 {
    u64::MAX >> (64 - ty.bits(machine))
}

fn least(ty: Scalar, machine: Machine) -> u64 {
    1 << (ty.bits(machine) - 1)
}
