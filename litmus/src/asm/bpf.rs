//! BPF: the disassembler's notation, `r1 = *(u32 *)(r10 + 0)`.
//!
//! Atomic operations that return a value are in `SC`, `load_acquire` is in `AQ`, `store_release` in
//! `RL`.

use super::AsmLowering;
use crate::error::Error;
use crate::ir::{AccessMode, Expr, Inst};
use crate::value::BinOp;
use crate::words::{Word, Words};

pub fn register(name: &str) -> Option<String> {
    let number: u32 = name.strip_prefix('r')?.parse().ok()?;
    (number < 11).then_some(format!("r{number}"))
}

pub fn instruction(lower: &mut AsmLowering<'_>, text: &str) -> Result<Option<String>, Error> {
    let mut words = Words::new(text, lower.line)?;
    let label = statement(lower, &mut words, text)?;
    match words.is_done() {
        true => Ok(label),
        false => Err(lower.unsupported(text)),
    }
}

fn statement(
    lower: &mut AsmLowering<'_>,
    words: &mut Words,
    text: &str,
) -> Result<Option<String>, Error> {
    if words.eat_name("goto") {
        lower.push(Inst::Jump(0));
        return words.name().map(Some);
    }
    if words.eat_name("if") {
        let left = operand(lower, words)?;
        let Some(Word::Sign(sign)) = words.next() else { return Err(lower.unsupported(text)) };
        let right = operand(lower, words)?;
        let when = comparison(sign, left, right).ok_or_else(|| lower.unsupported(text))?;
        if !words.eat_name("goto") {
            return Err(words.unexpected("`goto`"));
        }
        lower.push(Inst::Branch { when, target: 0 });
        return words.name().map(Some);
    }
    if words.eat_name("lock") {
        words.want("*")?;
        let (address, bytes) = place(lower, words)?;
        words.want("+")?;
        words.want("=")?;
        let value = operand(lower, words)?;
        add(lower, address, bytes, value, &["X"]);
        return Ok(None);
    }
    if words.eat_name("store_release") {
        words.want("(")?;
        let (address, bytes) = place(lower, words)?;
        words.want(",")?;
        let value = operand(lower, words)?;
        words.want(")")?;
        lower.push(Inst::Store { address, value, access: AccessMode::new(bytes, &["RL"]) });
        return Ok(None);
    }
    if words.eat("*") {
        let (address, bytes) = place(lower, words)?;
        words.want("=")?;
        let value = operand(lower, words)?;
        lower.push(Inst::Store { address, value, access: AccessMode::new(bytes, &[]) });
        return Ok(None);
    }
    let to = words.name()?;
    let op = [("+", BinOp::Add), ("-", BinOp::Sub), ("&", BinOp::And)];
    for (sign, op) in op {
        if words.eat(sign) {
            words.want("=")?;
            let (left, right) = (lower.reg(&to)?, operand(lower, words)?);
            lower.set(&to, Expr::binary(op, left, right))?;
            return Ok(None);
        }
    }
    words.want("=")?;
    assignment(lower, words, &to)?;
    Ok(None)
}

fn assignment(lower: &mut AsmLowering<'_>, words: &mut Words, to: &str) -> Result<(), Error> {
    let plain_load = words.eat("*");
    if plain_load || words.eat_name("load_acquire") {
        if !plain_load {
            words.want("(")?;
        }
        let (address, bytes) = place(lower, words)?;
        if !plain_load {
            words.want(")")?;
        }
        let to = lower.reg_operand(to)?;
        let access = AccessMode::new(bytes, if plain_load { &[] } else { &["AQ"] });
        lower.push(Inst::Load { to, address, access, signed: false, exclusive: false });
        return Ok(());
    }
    if words.eat_name("atomic_fetch_add") {
        words.want("(")?;
        let (address, bytes) = place(lower, words)?;
        words.want(",")?;
        let value = operand(lower, words)?;
        words.want(")")?;
        let old = add(lower, address, bytes, value, &["X", "SC"]);
        return lower.set(to, old);
    }
    for (name, bytes) in [("cmpxchg_64", 8), ("cmpxchg32_32", 4)] {
        if words.eat_name(name) {
            words.want("(")?;
            let address = sum(lower, words)?;
            words.want(",")?;
            let wanted = operand(lower, words)?;
            words.want(",")?;
            let value = operand(lower, words)?;
            words.want(")")?;
            let old = lower.hidden();
            let when = Some(Expr::binary(BinOp::Eq, Expr::Reg(old), wanted));
            let access = AccessMode::new(bytes, &["X", "SC"]);
            let (read, write) = (access.clone(), access);
            lower.push(Inst::Rmw { to: old, address, value, when, read, write, failed: None });
            return lower.set(to, Expr::Reg(old));
        }
    }
    let value = operand(lower, words)?;
    lower.set(to, value)
}

/// Gives: what was there.
fn add(
    lower: &mut AsmLowering<'_>,
    address: Expr,
    bytes: u8,
    value: Expr,
    tags: &[&'static str],
) -> Expr {
    let old = lower.hidden();
    let value = Expr::binary(BinOp::Add, Expr::Reg(old), value);
    let access = AccessMode::new(bytes, tags);
    let (read, write) = (access.clone(), access);
    lower.push(Inst::Rmw { to: old, address, value, when: None, read, write, failed: None });
    Expr::Reg(old)
}

fn operand(lower: &mut AsmLowering<'_>, words: &mut Words) -> Result<Expr, Error> {
    match words.peek() {
        Some(Word::Name(_)) => {
            let name = words.name()?;
            lower.reg(&name)
        }
        _ => words.number().map(Expr::int),
    }
}

/// `(u32 *)(r1 + 0)`: an address and a size.
/// Comparisons are unsigned.
fn comparison(sign: &str, a: Expr, b: Expr) -> Option<Expr> {
    let not = |e: Expr| Expr::binary(BinOp::Eq, e, Expr::int(0));
    Some(match sign {
        "==" => Expr::binary(BinOp::Eq, a, b),
        "!=" => Expr::binary(BinOp::Ne, a, b),
        "<" => Expr::binary(BinOp::Below, a, b),
        ">" => Expr::binary(BinOp::Below, b, a),
        ">=" => not(Expr::binary(BinOp::Below, a, b)),
        "<=" => not(Expr::binary(BinOp::Below, b, a)),
        _ => return None,
    })
}

fn place(lower: &mut AsmLowering<'_>, words: &mut Words) -> Result<(Expr, u8), Error> {
    words.want("(")?;
    let bytes = match words.name()?.as_str() {
        "u8" => 1,
        "u16" => 2,
        "u32" => 4,
        "u64" => 8,
        _ => return Err(words.unexpected("u8, u16, u32 or u64")),
    };
    words.want("*")?;
    words.want(")")?;
    words.want("(")?;
    let address = sum(lower, words)?;
    words.want(")")?;
    Ok((address, bytes))
}

/// `r1 + 0`
fn sum(lower: &mut AsmLowering<'_>, words: &mut Words) -> Result<Expr, Error> {
    let name = words.name()?;
    let base = lower.reg(&name)?;
    if !words.eat("+") {
        return Ok(base);
    }
    Ok(match words.number()? {
        0 => base,
        offset => Expr::binary(BinOp::Add, base, Expr::int(offset)),
    })
}
