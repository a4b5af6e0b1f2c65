//! x86: plain loads and stores, fences, and `XCHG`, which is locked.
//!
//! Events of a locked instruction are in `A` and in `X`. Accesses are of 32 bits.

use super::{AsmLowering, immediate, operands};
use crate::error::Error;
use crate::ir::{AccessMode, Expr, Inst, Reg};
use crate::value::BinOp;

const REGISTERS: &[&str] = &["EAX", "EBX", "ECX", "EDX", "ESI", "EDI", "ESP", "EBP"];
const LOCKED: &[&str] = &["A", "X"];

pub fn register(name: &str) -> Option<String> {
    let name = name.to_ascii_uppercase();
    REGISTERS.contains(&name.as_str()).then_some(name)
}

enum X86Operand {
    Reg(Reg),
    Memory(Expr),
    Immediate(i64),
}

fn operand(lower: &mut AsmLowering<'_>, text: &str) -> Result<X86Operand, Error> {
    if let Some(inner) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        let inner = inner.trim();
        return Ok(X86Operand::Memory(match register(inner) {
            Some(name) => Expr::Reg(lower.reg_named(&name)),
            None if inner.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
                lower.symbol(inner)
            }
            None => return Err(lower.error(format!("the address `{text}` is not supported"))),
        }));
    }
    if let Some(name) = register(text) {
        return Ok(X86Operand::Reg(lower.reg_named(&name)));
    }
    match immediate(text.strip_prefix('$').unwrap_or(text)) {
        Some(n) => Ok(X86Operand::Immediate(n)),
        None => Err(lower.error(format!("the operand `{text}` is not supported"))),
    }
}

pub fn instruction(lower: &mut AsmLowering<'_>, text: &str) -> Result<(), Error> {
    let (mnemonic, parts) = operands(text);
    let mut ops = Vec::new();
    for part in &parts {
        ops.push(operand(lower, part)?);
    }
    let plain = AccessMode::new(4, &[]);
    let inst = match (mnemonic.to_ascii_uppercase().as_str(), ops.as_slice()) {
        ("MOV", [X86Operand::Reg(to), X86Operand::Memory(address)]) => {
            let (to, address) = (*to, address.clone());
            Inst::Load { to, address, access: plain, signed: true, exclusive: false }
        }
        ("MOV", [X86Operand::Reg(to), value]) => Inst::Set { to: *to, expr: scalar(value) },
        ("MOV", [X86Operand::Memory(_), X86Operand::Memory(_)]) => {
            return Err(lower.unsupported(text));
        }
        ("MOV", [X86Operand::Memory(address), value]) => {
            Inst::Store { address: address.clone(), value: scalar(value), access: plain }
        }
        ("XCHG", [X86Operand::Memory(address), X86Operand::Reg(reg)])
        | ("XCHG", [X86Operand::Reg(reg), X86Operand::Memory(address)]) => {
            let (old, access) = (lower.hidden(), AccessMode::new(4, LOCKED));
            lower.push(Inst::Rmw {
                to: old,
                address: address.clone(),
                value: Expr::Reg(*reg),
                when: None,
                read: access.clone(),
                write: access,
                failed: None,
            });
            Inst::Set { to: *reg, expr: Expr::Reg(old) }
        }
        ("ADD", [X86Operand::Reg(to), value @ (X86Operand::Reg(_) | X86Operand::Immediate(_))]) => {
            let sum = Expr::binary(BinOp::Add, Expr::Reg(*to), scalar(value));
            Inst::Set { to: *to, expr: Expr::Signed(4, Box::new(sum)) }
        }
        ("XOR", [X86Operand::Reg(to), value @ (X86Operand::Reg(_) | X86Operand::Immediate(_))]) => {
            Inst::Set { to: *to, expr: Expr::binary(BinOp::Xor, Expr::Reg(*to), scalar(value)) }
        }
        ("MFENCE", []) => Inst::Fence { tags: vec!["mfence", "MFENCE"], address: None },
        ("SFENCE", []) => Inst::Fence { tags: vec!["sfence", "SFENCE"], address: None },
        ("LFENCE", []) => Inst::Fence { tags: vec!["lfence", "LFENCE"], address: None },
        _ => return Err(lower.unsupported(text)),
    };
    lower.push(inst);
    Ok(())
}

fn scalar(operand: &X86Operand) -> Expr {
    match operand {
        X86Operand::Reg(reg) => Expr::Reg(*reg),
        X86Operand::Immediate(i) => Expr::int(*i),
        X86Operand::Memory(address) => address.clone(), // the callers exclude it
    }
}
