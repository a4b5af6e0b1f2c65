//! x86-64 in AT&T's notation: moves, `xchg`, fences. Events of a locked instruction are in `A` and `X`.

use super::{Lowering, immediate, operands};
use crate::error::Error;
use crate::ir::{Access, Expr, Inst, Reg};

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

enum Operand {
    Reg(Reg, u8),
    Memory(Expr),
    Immediate(i64),
}

fn operand(lower: &mut Lowering<'_>, text: &str) -> Result<Operand, Error> {
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        return Ok(Operand::Memory(match register(inner) {
            Some(name) if inner.starts_with('%') => Expr::Reg(lower.reg_named(&name)),
            _ if inner.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
                lower.symbol(inner)
            }
            _ => return Err(lower.error(format!("the address `{text}` is not supported"))),
        }));
    }
    if let Some((name, bytes)) = sized(text) {
        return Ok(Operand::Reg(lower.reg_named(&name), bytes));
    }
    let number = text.strip_prefix('$').and_then(immediate);
    number
        .map(Operand::Immediate)
        .ok_or_else(|| lower.error(format!("the operand `{text}` is not supported")))
}

pub fn instruction(lower: &mut Lowering<'_>, text: &str) -> Result<(), Error> {
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
        Operand::Reg(_, bytes) => Some(*bytes),
        _ => None,
    });
    let bytes = suffix.or(of_registers);
    let inst = match (base, ops.as_slice(), bytes) {
        ("mfence", [], _) => Inst::Fence { tags: vec!["mfence", "MFENCE"], address: None },
        ("sfence", [], _) => Inst::Fence { tags: vec!["sfence", "SFENCE"], address: None },
        ("lfence", [], _) => Inst::Fence { tags: vec!["lfence", "LFENCE"], address: None },
        ("mov", [Operand::Memory(address), Operand::Reg(to, _)], Some(bytes)) => {
            let (to, address, access) = (*to, address.clone(), Access::new(bytes, &[]));
            Inst::Load { to, address, access, signed: false, exclusive: false }
        }
        (
            "mov",
            [from @ (Operand::Reg(..) | Operand::Immediate(_)), Operand::Memory(address)],
            Some(bytes),
        ) => {
            let (address, access) = (address.clone(), Access::new(bytes, &[]));
            Inst::Store { address, value: scalar(from), access }
        }
        (
            "mov",
            [from @ (Operand::Reg(..) | Operand::Immediate(_)), Operand::Reg(to, _)],
            Some(bytes),
        ) => Inst::Set { to: *to, expr: Expr::Unsigned(bytes, Box::new(scalar(from))) },
        ("xchg", [Operand::Reg(reg, _), Operand::Memory(address)], Some(bytes))
        | ("xchg", [Operand::Memory(address), Operand::Reg(reg, _)], Some(bytes)) => {
            let (old, access) = (lower.hidden(), Access::new(bytes, &["A", "X"]));
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

fn scalar(operand: &Operand) -> Expr {
    match operand {
        Operand::Reg(reg, _) => Expr::Reg(*reg),
        Operand::Immediate(i) => Expr::int(*i),
        Operand::Memory(address) => address.clone(), // the callers exclude it
    }
}
