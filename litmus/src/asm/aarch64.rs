//! AArch64: moves and arithmetic, loads and stores (plain, acquire, release, exclusive), barriers.
//!
//! The results of `CAS` and of selections depend on their operands in ways of their own (Arm's pick
//! dependencies), which neither all nor none of the operands would be right for: only models that
//! compute dependencies themselves are asked about them.
//!
//! `Wn` is the low half of `Xn`; writing it clears the upper half. What is computed from the status
//! of a store-exclusive does not depend on the store.

use super::{AsmLowering, aarch64_atomic as atomic, aarch64_flags as flags, immediate, operands};
use crate::error::Error;
use crate::ir::{AccessMode, Expr, Inst, Reg, Status};
use crate::value::BinOp;

pub fn register(name: &str) -> Option<String> {
    let upper = name.to_ascii_uppercase();
    if matches!(upper.as_str(), "XZR" | "WZR" | "SP") {
        return Some(if upper == "SP" { upper } else { "XZR".into() });
    }
    let symbolic = name.strip_prefix(['X', 'W', 'x', 'w']).filter(|rest| rest.starts_with('%'));
    if symbolic.is_some() {
        return symbolic.map(str::to_string); // with its width
    }
    let number: u32 = upper.strip_prefix(['X', 'W'])?.parse().ok()?;
    (number < 31).then_some(format!("X{number}"))
}

/// Is the name that of the low half?
fn is_word(name: &str) -> bool {
    name.starts_with(['w', 'W'])
}

pub fn bytes(name: &str) -> u8 {
    if is_word(name) { 4 } else { 8 }
}

/// The value of a register as an operand.
pub fn reg(lower: &mut AsmLowering<'_>, name: &str) -> Result<Expr, Error> {
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
pub fn set(lower: &mut AsmLowering<'_>, to: &str, expr: Expr) -> Result<(), Error> {
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
            let when = flags::condition(lower, condition).ok_or_else(|| lower.unsupported(text))?;
            lower.push(Inst::Branch { when, target: 0 });
            return Ok(Some(label.to_string()));
        }
    }
    match (mnemonic.as_str(), ops.as_slice()) {
        ("NOP", []) => {}
        ("CMP" | "CMN" | "TST", [a, rest @ ..]) if !rest.is_empty() => {
            let (like, a, b) = (*a, reg(lower, a)?, extended(lower, rest, text)?);
            match mnemonic.as_str() {
                "CMP" => flags::compare(lower, BinOp::SubFlags, like, a, b),
                "CMN" => flags::compare(lower, BinOp::AddFlags, like, a, b),
                _ => flags::compare(lower, BinOp::AndFlags, like, a, b),
            }
        }
        ("CBZ" | "CBNZ", [a, label]) => {
            let op = if mnemonic == "CBZ" { BinOp::Eq } else { BinOp::Ne };
            let a = reg(lower, a)?;
            lower.push(Inst::Branch { when: Expr::binary(op, a, Expr::int(0)), target: 0 });
            return Ok(Some(label.to_string()));
        }
        ("TBZ" | "TBNZ", [a, bit, label]) => {
            let op = if mnemonic == "TBZ" { BinOp::Eq } else { BinOp::Ne };
            let bit = number(bit).filter(|b| (0..64).contains(b));
            let mask = 1i64.wrapping_shl(bit.ok_or_else(|| lower.unsupported(text))? as u32);
            let masked = Expr::binary(BinOp::And, reg(lower, a)?, Expr::int(mask));
            lower.push(Inst::Branch { when: Expr::binary(op, masked, Expr::int(0)), target: 0 });
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
        _ if moved(lower, &mnemonic, &ops, text)? => {}
        _ if arithmetic(lower, &mnemonic, &ops, text)? => {}
        _ if bit_field(lower, &mnemonic, &ops, text)? => {}
        _ if flags::selection(lower, &mnemonic, &ops)? => {}
        _ if pair(lower, &mnemonic, &ops)? => {}
        _ if load(lower, &mnemonic, &ops, text)? => {}
        _ if store(lower, &mnemonic, &ops, text)? => {}
        _ if atomic::swap(lower, &mnemonic, &ops, text)? => {}
        _ if atomic::compare_and_swap(lower, &mnemonic, &ops, text)? => {}
        _ => return Err(lower.unsupported(text)),
    }
    Ok(None)
}

/// `#1` or `1`.
fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    immediate(text.strip_prefix('#').unwrap_or(text))
}

/// `#1`, or a register.
fn value(lower: &mut AsmLowering<'_>, text: &str) -> Result<Expr, Error> {
    match number(text) {
        Some(number) => Ok(Expr::int(number)),
        None => reg(lower, text),
    }
}

/// `MOV` and what changes one register on its way, and the moves of 16 bits of a constant.
fn moved(
    lower: &mut AsmLowering<'_>,
    mnemonic: &str,
    ops: &[&str],
    text: &str,
) -> Result<bool, Error> {
    match (mnemonic, ops) {
        ("MOV", [to, from]) => {
            let from = value(lower, from)?;
            set(lower, to, from)?;
        }
        ("MVN", [to, from]) => {
            let from = value(lower, from)?;
            set(lower, to, Expr::binary(BinOp::Xor, from, Expr::int(-1)))?;
        }
        ("NEG", [to, from @ ..]) if !from.is_empty() => {
            let from = extended(lower, from, text)?;
            set(lower, to, Expr::binary(BinOp::Sub, Expr::int(0), from))?;
        }
        (word, [to, from]) if part_of_word(word).is_some() => {
            let from = reg(lower, from)?;
            set(lower, to, narrowed(word, from))?;
        }
        ("MADD" | "MSUB", [to, a, b, c]) => {
            let product = Expr::binary(BinOp::Mul, reg(lower, a)?, reg(lower, b)?);
            let op = if mnemonic == "MADD" { BinOp::Add } else { BinOp::Sub };
            let c = reg(lower, c)?;
            set(lower, to, Expr::binary(op, c, product))?;
        }
        ("MOVZ" | "MOVN" | "MOVK", [to, constant, shift @ ..]) => {
            let shift = match shift {
                [] => Some(0),
                [shift] => shifted_by(shift).filter(|(word, _)| word == "LSL").map(|(_, by)| by),
                _ => None,
            };
            let (constant, shift) = number(constant)
                .zip(shift.filter(|by| (0..64).contains(by)))
                .ok_or_else(|| lower.unsupported(text))?;
            let constant = constant.wrapping_shl(shift as u32);
            let expr = match mnemonic {
                "MOVZ" => Expr::int(constant),
                "MOVN" => Expr::int(!constant),
                _ => {
                    let kept = Expr::int(!0xffffi64.wrapping_shl(shift as u32));
                    let kept = Expr::binary(BinOp::And, reg(lower, to)?, kept);
                    Expr::binary(BinOp::Or, kept, Expr::int(constant))
                }
            };
            set(lower, to, expr)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// `ADD`, `LSR` and their kin; those with an `S` set the flags, too.
fn arithmetic(
    lower: &mut AsmLowering<'_>,
    mnemonic: &str,
    ops: &[&str],
    text: &str,
) -> Result<bool, Error> {
    let [to, a, rest @ ..] = ops else { return Ok(false) };
    if rest.is_empty() {
        return Ok(false);
    }
    let (op, inverted) = match mnemonic {
        "ADD" | "ADDS" => (BinOp::Add, false),
        "SUB" | "SUBS" => (BinOp::Sub, false),
        "AND" | "ANDS" => (BinOp::And, false),
        "BIC" | "BICS" => (BinOp::And, true),
        "EOR" => (BinOp::Xor, false),
        "EON" => (BinOp::Xor, true),
        "ORR" => (BinOp::Or, false),
        "ORN" => (BinOp::Or, true),
        "MUL" => (BinOp::Mul, false),
        "LSL" => (BinOp::Shl, false),
        "LSR" => (BinOp::Shr, false),
        "ASR" => (BinOp::Sar, false),
        _ => return Ok(false),
    };
    let (first, mut second) = (reg(lower, a)?, extended(lower, rest, text)?);
    let first = match op {
        BinOp::Shr => Expr::Unsigned(bytes(to), Box::new(first)),
        _ => first,
    };
    if matches!(op, BinOp::Shl | BinOp::Shr | BinOp::Sar) {
        let last = Expr::int(8 * i64::from(bytes(to)) - 1);
        second = Expr::binary(BinOp::And, second, last);
    }
    if inverted {
        second = Expr::binary(BinOp::Xor, second, Expr::int(-1));
    }
    if mnemonic.ends_with('S') {
        let flags = match op {
            BinOp::Add => BinOp::AddFlags,
            BinOp::Sub => BinOp::SubFlags,
            _ => BinOp::AndFlags,
        };
        flags::compare(lower, flags, to, first.clone(), second.clone());
    }
    set(lower, to, Expr::binary(op, first, second))?;
    Ok(true)
}

/// `SXTB` and its kin: how many bytes they extend.
fn part_of_word(word: &str) -> Option<u8> {
    match word.strip_prefix("SXT").or_else(|| word.strip_prefix("UXT"))? {
        "B" => Some(1),
        "H" => Some(2),
        "W" => Some(4),
        _ => None,
    }
}

/// The low bytes that the word names, extended as it says.
fn narrowed(word: &str, expr: Expr) -> Expr {
    match (part_of_word(word), word.starts_with('S')) {
        (Some(bytes), true) => Expr::Signed(bytes, Box::new(expr)),
        (Some(bytes), false) => Expr::Unsigned(bytes, Box::new(expr)),
        (None, _) => expr,
    }
}

/// `UBFM` and `SBFM`: some bits of a register, moved.
fn bit_field(
    lower: &mut AsmLowering<'_>,
    mnemonic: &str,
    ops: &[&str],
    text: &str,
) -> Result<bool, Error> {
    let ("UBFM" | "SBFM", [to, from, r, s]) = (mnemonic, ops) else { return Ok(false) };
    let bits = 8 * i64::from(bytes(to));
    let inside = |text: &str| number(text).filter(|n| (0..bits).contains(n));
    let (r, s) = inside(r).zip(inside(s)).ok_or_else(|| lower.unsupported(text))?;
    let from = reg(lower, from)?;
    // The field goes to the top of 64 bits, and from there to its place with or without its sign.
    let top = Expr::binary(BinOp::Shl, from, Expr::int(63 - s));
    let down = if mnemonic == "UBFM" { BinOp::Shr } else { BinOp::Sar };
    let expr = match s >= r {
        true => Expr::binary(down, top, Expr::int(63 - s + r)),
        false => {
            let field = Expr::binary(down, top, Expr::int(63 - s));
            Expr::binary(BinOp::Shl, field, Expr::int(bits - r))
        }
    };
    set(lower, to, expr)?;
    Ok(true)
}

/// `LSL #2` or `LSL 2`; `SXTW`.
fn shifted_by(text: &str) -> Option<(String, i64)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let amount = match text[end..].trim() {
        "" => 0,
        amount => number(amount)?,
    };
    Some((text[..end].to_ascii_uppercase(), amount))
}

/// A last operand: `#1`, `W2`, `W2,SXTW` or `X2,LSL #2`.
fn extended(lower: &mut AsmLowering<'_>, ops: &[&str], text: &str) -> Result<Expr, Error> {
    let first = value(lower, ops[0])?;
    let Some(extend) = ops.get(1) else { return Ok(first) };
    let (word, amount) = shifted_by(extend).ok_or_else(|| lower.unsupported(text))?;
    let (value, op) = match word.as_str() {
        "LSL" | "SXTX" | "UXTX" => (first, BinOp::Shl),
        word if part_of_word(word).is_some() => (narrowed(word, first), BinOp::Shl),
        "LSR" => (Expr::Unsigned(bytes(ops[0]), Box::new(first)), BinOp::Shr),
        "ASR" => (first, BinOp::Sar),
        _ => return Err(lower.unsupported(text)),
    };
    Ok(match amount {
        0 => value,
        _ => Expr::binary(op, value, Expr::int(amount)),
    })
}

/// `[X1]`, `[X1,#4]`, `[X1,W2,SXTW]`; `[X1,#4]!` and `[X1],#4` change the base register.
struct Addressing {
    address: Expr,
    /// The register that changes, and its value afterwards.
    base: Option<(Reg, Expr)>,
}

impl Addressing {
    /// Needs: `places` are the operands from the address on.
    fn of(lower: &mut AsmLowering<'_>, places: &[&str]) -> Result<Option<Addressing>, Error> {
        let (place, behind) = match places {
            [place] => (*place, None),
            [place, step] => match number(step) {
                Some(step) => (*place, Some(step)),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let (place, before) = match place.strip_suffix('!') {
            Some(place) => (place.trim(), true),
            None => (place, false),
        };
        let inner = place.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
        let inner =
            inner.ok_or_else(|| lower.error(format!("the address `{place}` is not supported")))?;
        let parts: Vec<&str> = inner.split(',').map(str::trim).collect();
        let base = lower.reg_operand(parts[0])?;
        let address = match parts.len() {
            1 => Expr::Reg(base),
            _ => Expr::binary(BinOp::Add, Expr::Reg(base), extended(lower, &parts[1..], place)?),
        };
        let base = match behind {
            Some(step) => Some((base, Expr::binary(BinOp::Add, Expr::Reg(base), Expr::int(step)))),
            None => before.then(|| (base, address.clone())),
        };
        Ok(Some(Addressing { address, base }))
    }

    /// After the access.
    fn finish(self, lower: &mut AsmLowering<'_>) {
        if let Some((to, expr)) = self.base {
            lower.push(Inst::Set { to, expr });
        }
    }
}

pub fn address(lower: &mut AsmLowering<'_>, text: &str) -> Result<Expr, Error> {
    match Addressing::of(lower, &[text])? {
        Some(Addressing { address, base: None }) => Ok(address),
        _ => Err(lower.error(format!("the address `{text}` is not supported"))),
    }
}

/// `LDP` and `STP`: two accesses without an order.
fn pair(lower: &mut AsmLowering<'_>, mnemonic: &str, ops: &[&str]) -> Result<bool, Error> {
    let ("LDP" | "STP", [first, second, place @ ..]) = (mnemonic, ops) else { return Ok(false) };
    let Some(place) = Addressing::of(lower, place)? else { return Ok(false) };
    let size = bytes(first);
    // Not joined: dependencies flow from one step to a later one.
    let base = lower.hidden();
    lower.push(Inst::Set { to: base, expr: place.address.clone() });
    let access = |lower: &mut AsmLowering<'_>, register: &str, offset: u8| {
        let address = Expr::binary(BinOp::Add, Expr::Reg(base), Expr::int(offset.into()));
        let access = AccessMode::new(size, &[]);
        Ok(match mnemonic {
            "LDP" => {
                let (to, signed) = (target(lower, register)?, size == 8);
                Inst::Load { to, address, access, signed, exclusive: false }
            }
            _ => Inst::Store { address, value: reg(lower, register)?, access },
        })
    };
    let one = access(lower, first, 0)?;
    let other = access(lower, second, size)?;
    [one, Inst::Joined, other].into_iter().for_each(|inst| lower.push(inst));
    place.finish(lower);
    Ok(true)
}

/// Mnemonics with a size at the end: `LDRB`, `STLRH`.
pub fn sized<'m>(mnemonic: &'m str, register: &str) -> (&'m str, u8) {
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
    let [to, place @ ..] = ops else { return Ok(false) };
    let (base, size) = sized(mnemonic, to);
    let (tags, exclusive): (&[&'static str], bool) = match base {
        "LDR" | "LDUR" | "LDRS" | "LDURS" | "LDRSW" | "LDURSW" => (&[], false),
        "LDAR" => (&["A"], false),
        "LDAPR" => (&["Q"], false),
        "LDXR" => (&["X", "EX"], true),
        "LDAXR" => (&["A", "X", "EX"], true),
        _ => return Ok(false),
    };
    let Some(place) = Addressing::of(lower, place)? else { return Ok(false) };
    let address = place.address.clone();
    if base.starts_with("LDRS") || base.starts_with("LDURS") {
        let size = if base.ends_with('W') { 4 } else { size };
        let (hidden, access) = (lower.hidden(), AccessMode::new(size, tags));
        lower.push(Inst::Load { to: hidden, address, access, signed: true, exclusive });
        set(lower, to, Expr::Signed(size, Box::new(Expr::Reg(hidden))))?;
    } else {
        let (to, access) = (target(lower, to)?, AccessMode::new(size, tags));
        lower.push(Inst::Load { to, address, access, signed: size == 8, exclusive });
    }
    place.finish(lower);
    Ok(true)
}

fn store(
    lower: &mut AsmLowering<'_>,
    mnemonic: &str,
    ops: &[&str],
    _text: &str,
) -> Result<bool, Error> {
    match ops {
        [value, place @ ..] if matches!(sized(mnemonic, value).0, "STR" | "STUR" | "STLR") => {
            let (base, size) = sized(mnemonic, value);
            let tags: &[&'static str] = if base == "STLR" { &["L"] } else { &[] };
            let Some(place) = Addressing::of(lower, place)? else { return Ok(false) };
            let (address, value) = (place.address.clone(), reg(lower, value)?);
            lower.push(Inst::Store { address, value, access: AccessMode::new(size, tags) });
            place.finish(lower);
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

/// The tag of `DMB` or `DSB` with this option.
pub fn barrier(mnemonic: &str, option: &str) -> Option<&'static str> {
    cat::predefined_set(&format!("{mnemonic}.{}", option.to_ascii_uppercase()))
}
