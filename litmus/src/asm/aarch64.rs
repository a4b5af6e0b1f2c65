//! AArch64: loads and stores (plain, acquire, release, exclusive), atomic instructions, barriers,
//! comparisons into `NZCV`.
//!
//! Not here: `CAS`, `CSEL` and `CSET`, whose results depend on their operands in ways of their own
//! (Arm's pick dependencies), which neither all nor none of the operands would be right for.
//!
//! `Wn` is the low half of `Xn`; writing it clears the upper half. What is computed from the status
//! of a store-exclusive does not depend on the store.

use super::{AsmLowering, immediate, operands};
use crate::error::Error;
use crate::ir::{AccessMode, Expr, Inst, Reg, Status, Tags};
use crate::value::BinOp;

pub fn register(name: &str) -> Option<String> {
    let upper = name.to_ascii_uppercase();
    if matches!(upper.as_str(), "XZR" | "WZR" | "SP") {
        return Some(if upper == "SP" { upper } else { "XZR".into() });
    }
    let number: u32 = upper.strip_prefix(['X', 'W'])?.parse().ok()?;
    (number < 31).then_some(format!("X{number}"))
}

/// Is the name that of the low half?
fn is_word(name: &str) -> bool {
    name.starts_with(['w', 'W'])
}

fn bytes(name: &str) -> u8 {
    if is_word(name) { 4 } else { 8 }
}

/// The value of a register as an operand.
fn reg(lower: &mut AsmLowering<'_>, name: &str) -> Result<Expr, Error> {
    if register(name).as_deref() == Some("XZR") {
        return Ok(Expr::int(0));
    }
    let value = lower.reg(name)?;
    Ok(if is_word(name) { Expr::Signed(4, Box::new(value)) } else { value })
}

fn target(lower: &mut AsmLowering<'_>, name: &str) -> Result<Reg, Error> {
    match register(name).as_deref() {
        Some("XZR") => Ok(lower.hidden()),
        _ => lower.reg_operand(name),
    }
}

/// Writes a register; writing the low half clears the upper one.
fn set(lower: &mut AsmLowering<'_>, to: &str, expr: Expr) -> Result<(), Error> {
    let expr = if is_word(to) { Expr::Unsigned(4, Box::new(expr)) } else { expr };
    let to = target(lower, to)?;
    lower.push(Inst::Set { to, expr });
    Ok(())
}

pub fn instruction(lower: &mut AsmLowering<'_>, text: &str) -> Result<Option<String>, Error> {
    let (mnemonic, ops) = operands(text);
    let mnemonic = mnemonic.to_ascii_uppercase();
    if let Some(condition) = mnemonic.strip_prefix("B.") {
        if let [label] = ops.as_slice() {
            let when = condition_of(lower, condition).ok_or_else(|| lower.unsupported(text))?;
            lower.push(Inst::Branch { when, target: 0 });
            return Ok(Some(label.to_string()));
        }
    }
    match (mnemonic.as_str(), ops.as_slice()) {
        ("NOP", []) => {}
        ("MOV" | "MOVZ", [to, from]) => {
            let from = value(lower, from)?;
            set(lower, to, from)?;
        }
        ("ADD" | "SUB" | "EOR" | "ORR" | "AND" | "MUL" | "LSL" | "LSR", [to, a, rest @ ..])
            if !rest.is_empty() =>
        {
            let op = match mnemonic.as_str() {
                "ADD" => BinOp::Add,
                "SUB" => BinOp::Sub,
                "EOR" => BinOp::Xor,
                "ORR" => BinOp::Or,
                "AND" => BinOp::And,
                "LSL" => BinOp::Shl,
                "LSR" => BinOp::Shr,
                _ => BinOp::Mul,
            };
            let a = reg(lower, a)?;
            let b = extended(lower, rest, text)?;
            set(lower, to, Expr::binary(op, a, b))?;
        }
        ("CMP", [a, rest @ ..]) if !rest.is_empty() => {
            let a = reg(lower, a)?;
            let b = extended(lower, rest, text)?;
            let to = lower.reg_named("NZCV");
            lower.push(Inst::Set { to, expr: super::ordering(a, b) });
        }
        ("CBZ" | "CBNZ", [a, label]) => {
            let op = if mnemonic == "CBZ" { BinOp::Eq } else { BinOp::Ne };
            let a = reg(lower, a)?;
            lower.push(Inst::Branch { when: Expr::binary(op, a, Expr::int(0)), target: 0 });
            return Ok(Some(label.to_string()));
        }
        ("B", [label]) => {
            lower.push(Inst::Jump(0));
            return Ok(Some(label.to_string()));
        }
        ("ISB", _) => lower.fence(&["ISB"]),
        ("DMB" | "DSB", [option]) => {
            let tag = barrier(&mnemonic, option).ok_or_else(|| lower.unsupported(text))?;
            lower.fence(&[tag]);
        }
        _ if load(lower, &mnemonic, &ops, text)? => {}
        _ if store(lower, &mnemonic, &ops, text)? => {}
        _ if atomic(lower, &mnemonic, &ops, text)? => {}
        _ => return Err(lower.unsupported(text)),
    }
    Ok(None)
}

/// `#1`, or a register.
fn value(lower: &mut AsmLowering<'_>, text: &str) -> Result<Expr, Error> {
    match text.strip_prefix('#').and_then(immediate).or_else(|| immediate(text)) {
        Some(number) => Ok(Expr::int(number)),
        None => reg(lower, text),
    }
}

/// A last operand: `#1`, `W2`, `W2,SXTW` or `X2,LSL #2`.
fn extended(lower: &mut AsmLowering<'_>, ops: &[&str], text: &str) -> Result<Expr, Error> {
    let first = value(lower, ops[0])?;
    let Some(extend) = ops.get(1) else { return Ok(first) };
    let (word, amount) = extend.split_once('#').unwrap_or((extend, "0"));
    let amount = immediate(amount).ok_or_else(|| lower.unsupported(text))?;
    let value = match word.trim().to_ascii_uppercase().as_str() {
        "SXTW" => Expr::Signed(4, Box::new(first)),
        "UXTW" => Expr::Unsigned(4, Box::new(first)),
        "LSL" | "SXTX" | "UXTX" => first,
        _ => return Err(lower.unsupported(text)),
    };
    Ok(match amount {
        0 => value,
        _ => Expr::binary(BinOp::Shl, value, Expr::int(amount)),
    })
}

/// `[X1]`, `[X1,#4]`, `[X1,W2,SXTW]`.
fn address(lower: &mut AsmLowering<'_>, text: &str) -> Result<Expr, Error> {
    let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
    let inner =
        inner.ok_or_else(|| lower.error(format!("the address `{text}` is not supported")))?;
    let parts: Vec<&str> = inner.split(',').map(str::trim).collect();
    let base = lower.reg(parts[0])?;
    Ok(match parts.len() {
        1 => base,
        _ => Expr::binary(BinOp::Add, base, extended(lower, &parts[1..], text)?),
    })
}

/// Mnemonics with a size at the end: `LDRB`, `STLRH`.
fn sized<'m>(mnemonic: &'m str, register: &str) -> (&'m str, u8) {
    match mnemonic.strip_suffix('B') {
        Some(base) => (base, 1),
        None => match mnemonic.strip_suffix('H') {
            Some(base) => (base, 2),
            None => (mnemonic, bytes(register)),
        },
    }
}

fn load(
    lower: &mut AsmLowering<'_>,
    mnemonic: &str,
    ops: &[&str],
    _text: &str,
) -> Result<bool, Error> {
    let [to, place] = ops else { return Ok(false) };
    let (base, size) = sized(mnemonic, to);
    let (tags, exclusive): (&[&'static str], bool) = match base {
        "LDR" | "LDUR" => (&[], false),
        "LDAR" => (&["A"], false),
        "LDAPR" => (&["Q"], false),
        "LDXR" => (&["X", "EX"], true),
        "LDAXR" => (&["A", "X", "EX"], true),
        _ => return Ok(false),
    };
    let address = address(lower, place)?;
    let to = target(lower, to)?;
    let signed = size == 8;
    lower.push(Inst::Load { to, address, access: AccessMode::new(size, tags), signed, exclusive });
    Ok(true)
}

fn store(
    lower: &mut AsmLowering<'_>,
    mnemonic: &str,
    ops: &[&str],
    _text: &str,
) -> Result<bool, Error> {
    match ops {
        [value, place] => {
            let (base, size) = sized(mnemonic, value);
            let tags: &[&'static str] = match base {
                "STR" | "STUR" => &[],
                "STLR" => &["L"],
                _ => return Ok(false),
            };
            let address = address(lower, place)?;
            let value = reg(lower, value)?;
            lower.push(Inst::Store { address, value, access: AccessMode::new(size, tags) });
        }
        [status, value, place] => {
            let (base, size) = sized(mnemonic, value);
            let tags: &[&'static str] = match base {
                "STXR" => &["X", "EX"],
                "STLXR" => &["L", "X", "EX"],
                _ => return Ok(false),
            };
            let address = address(lower, place)?;
            let value = reg(lower, value)?;
            let to = target(lower, status)?;
            let status = Status { to, success: 0, failure: 1, carries_dependency: false };
            lower.push(Inst::StoreExclusive {
                status,
                address,
                value,
                access: AccessMode::new(size, tags),
            });
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// `SWP`, `LDADD` and their kin, with `A` and `L` for acquire and release.
fn atomic(
    lower: &mut AsmLowering<'_>,
    mnemonic: &str,
    ops: &[&str],
    text: &str,
) -> Result<bool, Error> {
    let Some(first) = ops.first() else { return Ok(false) };
    let (base, size) = sized(mnemonic, first);
    const NAMES: &[&str] =
        &["SWP", "LDADD", "STADD", "LDEOR", "LDSET", "LDCLR", "STEOR", "STSET", "STCLR"];
    let Some(name) = NAMES.iter().find(|n| base.starts_with(**n)) else { return Ok(false) };
    let (mut read, mut write): (Tags, Tags) = (vec!["X"], vec!["X"]);
    match &base[name.len()..] {
        "" => {}
        "A" => read.push("A"),
        "L" => write.push("L"),
        "AL" => {
            read.push("A");
            write.push("L");
        }
        _ => return Err(lower.unsupported(text)),
    }
    let old = lower.hidden();
    // Without a result the read is no acquire, and barriers for loads do not see it.
    let result = ops.get(1).filter(|_| !name.starts_with("ST"));
    if result.is_none_or(|r| register(r).as_deref() == Some("XZR")) {
        read.retain(|tag| *tag != "A");
        read.push("NoRet");
    }
    let (read, write) =
        (AccessMode { bytes: size, tags: read }, AccessMode { bytes: size, tags: write });
    let (place, operand, result) = match (*name, ops) {
        (name, [operand, place]) if name.starts_with("ST") => (place, operand, None),
        (name, [operand, result, place]) if !name.starts_with("ST") => {
            (place, operand, Some(result))
        }
        _ => return Err(lower.unsupported(text)),
    };
    let address = address(lower, place)?;
    let operand_value = reg(lower, operand)?;
    let seen = Expr::Reg(old);
    let value = match &name[name.len() - 3..] {
        "ADD" => Expr::binary(BinOp::Add, seen.clone(), operand_value),
        "EOR" => Expr::binary(BinOp::Xor, seen.clone(), operand_value),
        "SET" => Expr::binary(BinOp::Or, seen.clone(), operand_value),
        "CLR" => Expr::binary(BinOp::AndNot, seen.clone(), operand_value),
        _ => operand_value,
    };
    lower.push(Inst::Rmw { to: old, address, value, when: None, read, write, failed: None });
    if let Some(result) = result {
        set(lower, result, seen)?;
    }
    Ok(true)
}

fn condition_of(lower: &mut AsmLowering<'_>, name: &str) -> Option<Expr> {
    let op = match name.to_ascii_uppercase().as_str() {
        "EQ" => BinOp::Eq,
        "NE" => BinOp::Ne,
        "LT" => BinOp::Lt,
        "LE" => BinOp::Le,
        "GT" => BinOp::Gt,
        "GE" => BinOp::Ge,
        _ => return None,
    };
    let flags = Expr::Reg(lower.reg_named("NZCV"));
    Some(Expr::binary(op, flags, Expr::int(0)))
}

/// The tag of `DMB` or `DSB` with this option.
pub fn barrier(mnemonic: &str, option: &str) -> Option<&'static str> {
    cat::predefined_set(&format!("{mnemonic}.{}", option.to_ascii_uppercase()))
}
