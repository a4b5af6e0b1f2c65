//! ARMv7: loads and stores of words, moves, barriers.

use super::{AsmLowering, immediate, operands};
use crate::error::Error;
use crate::ir::{AccessMode, Expr, Inst, Status};
use crate::value::BinOp;

pub fn register(name: &str) -> Option<String> {
    let upper = name.to_ascii_uppercase();
    let number = match upper.as_str() {
        "FP" => 11,
        "IP" => 12,
        "SP" => 13,
        "LR" => 14,
        _ => upper.strip_prefix('R')?.parse().ok()?,
    };
    (number < 15).then_some(format!("R{number}"))
}

fn value(lower: &mut AsmLowering<'_>, text: &str) -> Result<Expr, Error> {
    match text.strip_prefix('#').and_then(immediate) {
        Some(number) => Ok(Expr::int(number)),
        None => lower.reg(text),
    }
}

fn address(lower: &mut AsmLowering<'_>, text: &str) -> Result<Expr, Error> {
    let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
    let bad =
        |lower: &AsmLowering<'_>| lower.error(format!("the address `{text}` is not supported"));
    let inner = inner.ok_or_else(|| bad(lower))?;
    let parts: Vec<&str> = inner.split(',').map(str::trim).collect();
    let base = lower.reg(parts[0])?;
    match parts[1..] {
        [] => Ok(base),
        [offset] => Ok(Expr::binary(BinOp::Add, base, value(lower, offset)?)),
        [offset, shift] => {
            let amount = shift.to_ascii_lowercase();
            let amount =
                amount.strip_prefix("lsl").map(str::trim).and_then(|t| t.strip_prefix('#'));
            let amount = amount.and_then(immediate).ok_or_else(|| bad(lower))?;
            let offset = Expr::binary(BinOp::Shl, lower.reg(offset)?, Expr::int(amount));
            Ok(Expr::binary(BinOp::Add, base, offset))
        }
        _ => Err(bad(lower)),
    }
}

pub fn instruction(lower: &mut AsmLowering<'_>, text: &str) -> Result<Option<String>, Error> {
    let (mnemonic, ops) = operands(text);
    let mnemonic = mnemonic.to_ascii_uppercase();
    match (mnemonic.as_str(), ops.as_slice()) {
        ("NOP", []) => {}
        ("MOV" | "MOVW", [to, from]) => {
            let from = value(lower, from)?;
            lower.set(to, from)?;
        }
        ("MOVT", [to, from]) => {
            let low = Expr::binary(BinOp::And, lower.reg(to)?, Expr::int(0xffff));
            let high = Expr::binary(BinOp::Shl, value(lower, from)?, Expr::int(16));
            lower.set(to, Expr::Signed(4, Box::new(Expr::binary(BinOp::Or, low, high))))?;
        }
        ("ADD" | "SUB" | "EOR" | "ORR" | "AND", [to, a, b]) => {
            let op = match mnemonic.as_str() {
                "ADD" => BinOp::Add,
                "SUB" => BinOp::Sub,
                "EOR" => BinOp::Xor,
                "ORR" => BinOp::Or,
                _ => BinOp::And,
            };
            let (a, b) = (lower.reg(a)?, value(lower, b)?);
            lower.set(to, Expr::binary(op, a, b))?;
        }
        ("LDR" | "LDREX", [to, place]) => {
            let address = address(lower, place)?;
            let to = lower.reg_operand(to)?;
            let exclusive = mnemonic == "LDREX";
            let access = AccessMode::new(4, if exclusive { &["X", "EX"] } else { &[] });
            lower.push(Inst::Load { to, address, access, signed: true, exclusive });
        }
        ("STR", [from, place]) => {
            let address = address(lower, place)?;
            let value = lower.reg(from)?;
            lower.push(Inst::Store { address, value, access: AccessMode::new(4, &[]) });
        }
        ("STREX", [status, from, place]) => {
            let address = address(lower, place)?;
            let value = lower.reg(from)?;
            let to = lower.reg_operand(status)?;
            let status = Status { to, success: 0, failure: 1, carries_dependency: false };
            let access = AccessMode::new(4, &["X", "EX"]);
            lower.push(Inst::StoreExclusive { status, address, value, access });
        }
        ("CMP", [a, b]) => {
            let (a, b) = (lower.reg(a)?, value(lower, b)?);
            let to = lower.reg_named("NZCV");
            lower.push(Inst::Set { to, expr: super::ordering(a, b) });
        }
        ("BEQ" | "BNE", [label]) => {
            let flags = Expr::Reg(lower.reg_named("NZCV"));
            let op = if mnemonic == "BEQ" { BinOp::Eq } else { BinOp::Ne };
            lower.push(Inst::Branch { when: Expr::binary(op, flags, Expr::int(0)), target: 0 });
            return Ok(Some(label.to_string()));
        }
        ("B", [label]) => {
            lower.push(Inst::Jump(0));
            return Ok(Some(label.to_string()));
        }
        ("ISB", _) => lower.fence(&["ISB"]),
        ("DMB" | "DSB", []) => lower.fence(if mnemonic == "DMB" { &["DMB"] } else { &["DSB"] }),
        ("DMB" | "DSB", [option]) => {
            let tag = super::aarch64::barrier(&mnemonic, option)
                .ok_or_else(|| lower.unsupported(text))?;
            // The full system is the barrier without an option.
            let plain = if mnemonic == "DMB" { "DMB" } else { "DSB" };
            let full = option.eq_ignore_ascii_case("SY");
            lower.fence(&[if full { plain } else { tag }]);
        }
        _ => return Err(lower.unsupported(text)),
    }
    Ok(None)
}
