//! x86-64 in AT&T's notation: moves, arithmetic in registers, `xchg`, fences. Events of a locked instruction are in `A` and `X`.

use super::{AsmLowering, immediate, operands};
use crate::error::Error;
use crate::ir::{AccessMode, Expr, Inst, Reg};
use crate::value::BinOp;

/// The 64-bit name and the size of a register.
fn sized(name: &str) -> Option<(String, u8)> {
    const OLD: &[&str] = &["ax", "bx", "cx", "dx", "si", "di", "sp", "bp"];
    let name = name.strip_prefix('%').unwrap_or(name).to_ascii_lowercase();
    for (prefix, bytes) in [("r", 8), ("e", 4)] {
        if let Some(rest) = name.strip_prefix(prefix).filter(|rest| OLD.contains(rest)) {
            return Some((format!("r{rest}"), bytes));
        }
    }
    let number = name.strip_prefix('r')?;
    let (number, bytes) = number.strip_suffix('d').map_or((number, 8), |n| (n, 4));
    let number: u32 = number.parse().ok()?;
    (8..16).contains(&number).then_some((format!("r{number}"), bytes))
}

pub fn register(name: &str) -> Option<String> {
    sized(name).map(|(name, _)| name)
}

enum X64Operand {
    Reg(Reg, u8),
    Memory(Expr),
    Immediate(i64),
}

fn operand(lower: &mut AsmLowering<'_>, text: &str) -> Result<X64Operand, Error> {
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        return Ok(X64Operand::Memory(match register(inner) {
            Some(name) if inner.starts_with('%') => Expr::Reg(lower.reg_named(&name)),
            _ if inner.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
                lower.symbol(inner)
            }
            _ => return Err(lower.error(format!("the address `{text}` is not supported"))),
        }));
    }
    if let Some((name, bytes)) = sized(text) {
        return Ok(X64Operand::Reg(lower.reg_named(&name), bytes));
    }
    let number = text.strip_prefix('$').and_then(immediate);
    number
        .map(X64Operand::Immediate)
        .ok_or_else(|| lower.error(format!("the operand `{text}` is not supported")))
}

pub fn instruction(lower: &mut AsmLowering<'_>, text: &str) -> Result<(), Error> {
    let (mnemonic, parts) = operands(text);
    let mut ops = Vec::new();
    for part in &parts {
        ops.push(operand(lower, part)?);
    }
    let mnemonic = mnemonic.to_ascii_lowercase();
    let (base, suffix) = match mnemonic.as_str() {
        "movl" | "xchgl" => (&mnemonic[..mnemonic.len() - 1], Some(4)),
        "movq" | "xchgq" => (&mnemonic[..mnemonic.len() - 1], Some(8)),
        other => (other, None),
    };
    let of_registers = ops.iter().find_map(|op| match op {
        X64Operand::Reg(_, bytes) => Some(*bytes),
        _ => None,
    });
    let bytes = suffix.or(of_registers);
    let inst = match (base, ops.as_slice(), bytes) {
        ("nop", [], _) => return Ok(()),
        (
            "add" | "sub" | "and" | "or" | "xor",
            [from @ (X64Operand::Reg(..) | X64Operand::Immediate(_)), X64Operand::Reg(to, _)],
            Some(bytes),
        ) => {
            let op = match base {
                "add" => BinOp::Add,
                "sub" => BinOp::Sub,
                "and" => BinOp::And,
                "or" => BinOp::Or,
                _ => BinOp::Xor,
            };
            let result = Expr::binary(op, Expr::Reg(*to), scalar(from));
            Inst::Set { to: *to, expr: Expr::Unsigned(bytes, Box::new(result)) }
        }
        ("mfence", [], _) => Inst::Fence { tags: vec!["mfence", "MFENCE"], address: None },
        ("sfence", [], _) => Inst::Fence { tags: vec!["sfence", "SFENCE"], address: None },
        ("lfence", [], _) => Inst::Fence { tags: vec!["lfence", "LFENCE"], address: None },
        ("mov", [X64Operand::Memory(address), X64Operand::Reg(to, _)], Some(bytes)) => {
            let (to, address, access) = (*to, address.clone(), AccessMode::new(bytes, &[]));
            Inst::Load { to, address, access, signed: false, exclusive: false }
        }
        (
            "mov",
            [from @ (X64Operand::Reg(..) | X64Operand::Immediate(_)), X64Operand::Memory(address)],
            Some(bytes),
        ) => {
            let (address, access) = (address.clone(), AccessMode::new(bytes, &[]));
            Inst::Store { address, value: scalar(from), access }
        }
        (
            "mov",
            [from @ (X64Operand::Reg(..) | X64Operand::Immediate(_)), X64Operand::Reg(to, _)],
            Some(bytes),
        ) => Inst::Set { to: *to, expr: Expr::Unsigned(bytes, Box::new(scalar(from))) },
        ("xchg", [X64Operand::Reg(reg, _), X64Operand::Memory(address)], Some(bytes))
        | ("xchg", [X64Operand::Memory(address), X64Operand::Reg(reg, _)], Some(bytes)) => {
            let (old, access) = (lower.hidden(), AccessMode::new(bytes, &["A", "X"]));
            let (read, write) = (access.clone(), access);
            let (address, value) = (address.clone(), Expr::Reg(*reg));
            lower.push(Inst::Rmw {
                to: old,
                address,
                value,
                when: None,
                read,
                write,
                failed: None,
            });
            Inst::Set { to: *reg, expr: Expr::Unsigned(bytes, Box::new(Expr::Reg(old))) }
        }
        _ => return Err(lower.unsupported(text)),
    };
    lower.push(inst);
    Ok(())
}

fn scalar(operand: &X64Operand) -> Expr {
    match operand {
        X64Operand::Reg(reg, _) => Expr::Reg(*reg),
        X64Operand::Immediate(i) => Expr::int(*i),
        X64Operand::Memory(address) => address.clone(), // the callers exclude it
    }
}
