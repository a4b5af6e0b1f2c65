//! Atomic instructions of AArch64: a read and a write in one.

use super::AsmLowering;
use super::aarch64::{address, reg, register, set, sized};
use crate::error::Error;
use crate::ir::{AccessMode, Expr, Inst, Tags};
use crate::value::BinOp;

/// Of read and write: `A` in the name is acquire, `L` release.
fn tags(orders: &str) -> Option<(Tags, Tags)> {
    let (mut read, mut write): (Tags, Tags) = (vec!["X"], vec!["X"]);
    match orders {
        "" => {}
        "A" => read.push("A"),
        "L" => write.push("L"),
        "AL" => {
            read.push("A");
            write.push("L");
        }
        _ => return None,
    }
    Some((read, write))
}

/// `SWP`, `LDADD` and their kin, with `A` and `L` for acquire and release.
pub fn swap(
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
    let (mut read, write) = tags(&base[name.len()..]).ok_or_else(|| lower.unsupported(text))?;
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

/// `CAS` and its kin: the first register is compared, and gets what was read. Where that was equal,
/// the result is the register's own or the memory's value, whichever comes sooner.
pub fn compare_and_swap(
    lower: &mut AsmLowering<'_>,
    mnemonic: &str,
    ops: &[&str],
    text: &str,
) -> Result<bool, Error> {
    let [compared, new, place] = ops else { return Ok(false) };
    let (base, size) = sized(mnemonic, compared);
    let Some(orders) = base.strip_prefix("CAS") else { return Ok(false) };
    let (mut read, write) = tags(orders).ok_or_else(|| lower.unsupported(text))?;
    if register(compared).as_deref() == Some("XZR") {
        read.retain(|tag| *tag != "A");
        read.push("NoRet");
    }
    let address = address(lower, place)?;
    let (expected, value) = (reg(lower, compared)?, reg(lower, new)?);
    let (to, signed) = (lower.hidden(), |e: Expr| Expr::Signed(size, Box::new(e)));
    let equal = Expr::binary(BinOp::Eq, signed(Expr::Reg(to)), signed(expected.clone()));
    let (read, write) =
        (AccessMode { bytes: size, tags: read }, AccessMode { bytes: size, tags: write });
    let when = Some(equal.clone());
    lower.push(Inst::Rmw { to, address, value, when, read, write, failed: None });
    let either = Expr::Either(Box::new([Expr::Reg(to), expected]));
    let result = Expr::Pick(Box::new([equal, either, Expr::Reg(to)]));
    set(lower, compared, Expr::Unsigned(size, Box::new(result)))?;
    Ok(true)
}
