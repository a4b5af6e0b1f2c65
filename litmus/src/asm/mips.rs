//! MIPS: loads and stores of words, arithmetic, `sync`.

use super::{AsmLowering, base_and_offset, immediate, operands};
use crate::error::Error;
use crate::ir::{AccessMode, Expr, Inst};
use crate::value::BinOp;

const NAMES: &[&str] = &[
    "zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6",
    "t7", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp",
    "ra",
];

pub fn register(name: &str) -> Option<String> {
    let name = name.strip_prefix('$').unwrap_or(name).to_ascii_lowercase();
    let known = NAMES.iter().position(|n| *n == name);
    let number = known.or_else(|| name.parse().ok())?;
    (number < 32).then_some(format!("${number}"))
}

fn reg(lower: &mut AsmLowering<'_>, name: &str) -> Result<Expr, Error> {
    match register(name).as_deref() {
        Some("$0") => Ok(Expr::int(0)),
        _ => lower.reg(name),
    }
}

pub fn instruction(lower: &mut AsmLowering<'_>, text: &str) -> Result<Option<String>, Error> {
    let (mnemonic, ops) = operands(text);
    let mnemonic = mnemonic.to_ascii_lowercase();
    let int = |lower: &AsmLowering<'_>, text: &str| {
        immediate(text).ok_or_else(|| lower.error(format!("`{text}` is no number")))
    };
    match (mnemonic.as_str(), ops.as_slice()) {
        ("nop", []) => {}
        ("li", [to, value]) => {
            let expr = Expr::int(int(lower, value)?);
            lower.set(to, expr)?;
        }
        ("move", [to, from]) => {
            let expr = reg(lower, from)?;
            lower.set(to, expr)?;
        }
        ("ori" | "xori" | "andi", [to, a, b]) => {
            let op = match mnemonic.as_str() {
                "ori" => BinOp::Or,
                "xori" => BinOp::Xor,
                _ => BinOp::And,
            };
            let (a, b) = (reg(lower, a)?, Expr::int(int(lower, b)?));
            lower.set(to, Expr::binary(op, a, b))?;
        }
        ("xor" | "or" | "and" | "addu" | "subu", [to, a, b]) => {
            let op = match mnemonic.as_str() {
                "xor" => BinOp::Xor,
                "or" => BinOp::Or,
                "and" => BinOp::And,
                "addu" => BinOp::Add,
                _ => BinOp::Sub,
            };
            let (a, b) = (reg(lower, a)?, reg(lower, b)?);
            lower.set(to, Expr::binary(op, a, b))?;
        }
        ("lw", [to, place]) => {
            let address = base_and_offset(lower, place)?;
            let to = lower.reg_operand(to)?;
            let access = AccessMode::new(4, &[]);
            lower.push(Inst::Load { to, address, access, signed: true, exclusive: false });
        }
        ("sw", [from, place]) => {
            let address = base_and_offset(lower, place)?;
            let value = reg(lower, from)?;
            lower.push(Inst::Store { address, value, access: AccessMode::new(4, &[]) });
        }
        ("beq" | "bne", [a, b, label]) => {
            let op = if mnemonic == "beq" { BinOp::Eq } else { BinOp::Ne };
            let (a, b) = (reg(lower, a)?, reg(lower, b)?);
            lower.push(Inst::Branch { when: Expr::binary(op, a, b), target: 0 });
            return Ok(Some(label.to_string()));
        }
        ("sync", []) => lower.fence(&["sync", "SYNC"]),
        _ => return Err(lower.unsupported(text)),
    }
    Ok(None)
}
