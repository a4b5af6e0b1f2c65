//! RISC-V: loads and stores of all sizes, `lr`/`sc`, AMOs, fences, branches.
//!
//! Both halves of an AMO carry its annotations: it is one memory operation. A `.aq` alone is `Acq`,
//! a `.rl` alone `Rel`, both together `AcqRel`. What is computed from the result of `sc` depends on
//! the store.

use super::{AsmLowering, base_and_offset, immediate, operands};
use crate::error::Error;
use crate::ir::{AccessMode, Expr, Inst, Status, Tags};
use crate::value::BinOp;

const ABI: &[(&str, u32)] = &[
    ("zero", 0),
    ("ra", 1),
    ("sp", 2),
    ("gp", 3),
    ("tp", 4),
    ("t0", 5),
    ("t1", 6),
    ("t2", 7),
    ("s0", 8),
    ("fp", 8),
    ("s1", 9),
    ("a0", 10),
    ("a1", 11),
    ("a2", 12),
    ("a3", 13),
    ("a4", 14),
    ("a5", 15),
    ("a6", 16),
    ("a7", 17),
    ("s2", 18),
    ("s3", 19),
    ("s4", 20),
    ("s5", 21),
    ("s6", 22),
    ("s7", 23),
    ("s8", 24),
    ("s9", 25),
    ("s10", 26),
    ("s11", 27),
    ("t3", 28),
    ("t4", 29),
    ("t5", 30),
    ("t6", 31),
];

pub fn register(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let known = ABI.iter().find(|(abi, _)| *abi == lower).map(|(_, n)| *n);
    let number = known.or_else(|| lower.strip_prefix('x')?.parse().ok())?;
    (number < 32).then_some(format!("x{number}"))
}

/// A register's value; `x0` is zero.
fn reg(lower: &mut AsmLowering<'_>, name: &str) -> Result<Expr, Error> {
    match register(name).as_deref() {
        Some("x0") => Ok(Expr::int(0)),
        _ => lower.reg(name),
    }
}

fn set(lower: &mut AsmLowering<'_>, to: &str, expr: Expr) -> Result<(), Error> {
    match register(to).as_deref() {
        Some("x0") => Ok(()),
        _ => lower.set(to, expr),
    }
}

pub fn instruction(lower: &mut AsmLowering<'_>, text: &str) -> Result<Option<String>, Error> {
    let (mnemonic, ops) = operands(text);
    let mnemonic = mnemonic.to_ascii_lowercase();
    let (base, suffix) = annotations(&mnemonic);
    let int = |lower: &AsmLowering<'_>, text: &str| {
        immediate(text).ok_or_else(|| lower.error(format!("`{text}` is no number")))
    };
    if let Some(op) = arithmetic(base) {
        if let [to, a, b] = ops.as_slice() {
            let a = reg(lower, a)?;
            let b = match immediate(b) {
                Some(value) => Expr::int(value),
                None => reg(lower, b)?,
            };
            let result = Expr::binary(op, a, b);
            let word = base.ends_with('w');
            let result = if word { Expr::Signed(4, Box::new(result)) } else { result };
            set(lower, to, result)?;
            return Ok(None);
        }
    }
    match (base, ops.as_slice()) {
        ("nop", []) => {}
        ("li", [to, value]) => {
            let value = Expr::int(int(lower, value)?);
            set(lower, to, value)?;
        }
        ("lui", [to, value]) => {
            let value = Expr::int(int(lower, value)? << 12);
            set(lower, to, value)?;
        }
        ("mv", [to, from]) => {
            let from = reg(lower, from)?;
            set(lower, to, from)?;
        }
        ("sext.w", [to, from]) => {
            let from = reg(lower, from)?;
            set(lower, to, Expr::Signed(4, Box::new(from)))?;
        }
        ("lb" | "lh" | "lw" | "ld" | "lbu" | "lhu" | "lwu", [to, address]) => {
            let address = base_and_offset(lower, address)?;
            let to = target(lower, to)?;
            let access = AccessMode { bytes: size(base), tags: suffix };
            let signed = !base.ends_with('u');
            lower.push(Inst::Load { to, address, access, signed, exclusive: false });
        }
        ("sb" | "sh" | "sw" | "sd", [value, address]) => {
            let address = base_and_offset(lower, address)?;
            let value = reg(lower, value)?;
            let access = AccessMode { bytes: size(base), tags: suffix };
            lower.push(Inst::Store { address, value, access });
        }
        ("lr.w" | "lr.d", [to, address]) => {
            let address = base_and_offset(lower, address)?;
            let to = target(lower, to)?;
            let access = AccessMode { bytes: size(&base[3..]), tags: with(suffix, &["X", "EX"]) };
            lower.push(Inst::Load { to, address, access, signed: true, exclusive: true });
        }
        ("sc.w" | "sc.d", [status, value, address]) => {
            let address = base_and_offset(lower, address)?;
            let value = reg(lower, value)?;
            let to = target(lower, status)?;
            let status = Status { to, success: 0, failure: 1, carries_dependency: true };
            let access = AccessMode { bytes: size(&base[3..]), tags: with(suffix, &["X", "EX"]) };
            lower.push(Inst::StoreExclusive { status, address, value, access });
        }
        (amo, [to, value, address]) if amo.starts_with("amo") => {
            let (name, width) = amo[3..].split_once('.').unwrap_or((&amo[3..], "w"));
            let op = match name {
                "swap" => None,
                "add" => Some(BinOp::Add),
                "or" => Some(BinOp::Or),
                "and" => Some(BinOp::And),
                "xor" => Some(BinOp::Xor),
                _ => return Err(lower.unsupported(text)),
            };
            let address = base_and_offset(lower, address)?;
            let value = reg(lower, value)?;
            let to = target(lower, to)?;
            let old = lower.hidden();
            let value = match op {
                Some(op) => Expr::binary(op, Expr::Reg(old), value),
                None => value,
            };
            let access = AccessMode { bytes: size(width), tags: with(suffix, &["X", "AMO"]) };
            let (read, write) = (access.clone(), access);
            lower.push(Inst::Rmw {
                to: old,
                address,
                value,
                when: None,
                read,
                write,
                failed: None,
            });
            lower.push(Inst::Set { to, expr: Expr::Reg(old) });
        }
        ("beq" | "bne" | "blt" | "bge", [a, b, label]) => {
            let (a, b) = (reg(lower, a)?, reg(lower, b)?);
            let op = match base {
                "beq" => BinOp::Eq,
                "bne" => BinOp::Ne,
                "blt" => BinOp::Lt,
                _ => BinOp::Ge,
            };
            lower.push(Inst::Branch { when: Expr::binary(op, a, b), target: 0 });
            return Ok(Some(label.to_string()));
        }
        ("beqz" | "bnez", [a, label]) => {
            let op = if base == "beqz" { BinOp::Eq } else { BinOp::Ne };
            let a = reg(lower, a)?;
            lower.push(Inst::Branch { when: Expr::binary(op, a, Expr::int(0)), target: 0 });
            return Ok(Some(label.to_string()));
        }
        ("j", [label]) => {
            lower.push(Inst::Jump(0));
            return Ok(Some(label.to_string()));
        }
        ("fence", []) => lower.fence(&["Fence.rw.rw"]),
        ("fence.tso", []) => lower.fence(&["Fence.tso"]),
        ("fence.i", []) => lower.fence(&["Fence.i"]),
        ("fence", [before, after]) => {
            let tag = fence(before, after).ok_or_else(|| lower.unsupported(text))?;
            lower.fence(&[tag]);
        }
        _ => return Err(lower.unsupported(text)),
    }
    Ok(None)
}

fn target(lower: &mut AsmLowering<'_>, name: &str) -> Result<crate::ir::Reg, Error> {
    match register(name).as_deref() {
        Some("x0") => Ok(lower.hidden()),
        _ => lower.reg_operand(name),
    }
}

fn with(mut tags: Tags, more: &[&'static str]) -> Tags {
    tags.extend(more);
    tags
}

/// The mnemonic without `.aq` and `.rl`, and what they mean.
fn annotations(mnemonic: &str) -> (&str, Tags) {
    for (ending, tag) in
        [(".aq.rl", "AcqRel"), (".aqrl", "AcqRel"), (".aq", "Acq"), (".rl", "Rel"), (".sc", "Sc")]
    {
        if let Some(base) = mnemonic.strip_suffix(ending) {
            return (base, vec![tag]);
        }
    }
    (mnemonic, Vec::new())
}

fn arithmetic(name: &str) -> Option<BinOp> {
    Some(match name {
        "add" | "addi" | "addw" | "addiw" => BinOp::Add,
        "sub" | "subw" => BinOp::Sub,
        "xor" | "xori" => BinOp::Xor,
        "or" | "ori" => BinOp::Or,
        "and" | "andi" => BinOp::And,
        "sll" | "slli" => BinOp::Shl,
        "srl" | "srli" => BinOp::Shr,
        "sra" | "srai" => BinOp::Sar,
        "slt" | "slti" => BinOp::Lt,
        "mul" => BinOp::Mul,
        _ => return None,
    })
}

fn size(name: &str) -> u8 {
    match name.trim_end_matches('u').chars().last() {
        Some('b') => 1,
        Some('h') => 2,
        Some('d') => 8,
        _ => 4,
    }
}

/// Device accesses are not distinguished from those of memory.
fn fence(before: &str, after: &str) -> Option<&'static str> {
    let part = |text: &str| (text.contains('r'), text.contains('w'));
    Some(match (part(before), part(after)) {
        ((true, true), (true, true)) => "Fence.rw.rw",
        ((true, true), (true, false)) => "Fence.rw.r",
        ((true, true), (false, true)) => "Fence.rw.w",
        ((true, false), (true, true)) => "Fence.r.rw",
        ((true, false), (true, false)) => "Fence.r.r",
        ((true, false), (false, true)) => "Fence.r.w",
        ((false, true), (true, true)) => "Fence.w.rw",
        ((false, true), (true, false)) => "Fence.w.r",
        ((false, true), (false, true)) => "Fence.w.w",
        _ => return None,
    })
}
