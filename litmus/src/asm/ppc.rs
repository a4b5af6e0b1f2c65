//! Power: loads, stores, `lwarx`/`stwcx.`, barriers, comparisons into `CR0`.

use super::{AsmLowering, base_and_offset, immediate, operands};
use crate::error::Error;
use crate::ir::{AccessMode, Expr, Inst, Status};
use crate::value::BinOp;

pub fn register(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let number: u32 = lower.strip_prefix('r')?.parse().ok()?;
    (number < 32).then_some(format!("r{number}"))
}

pub fn instruction(lower: &mut AsmLowering<'_>, text: &str) -> Result<Option<String>, Error> {
    let (mnemonic, ops) = operands(text);
    let mnemonic = mnemonic.to_ascii_lowercase();
    let int =
        |text: &str| immediate(text).ok_or_else(|| lower.error(format!("`{text}` is no number")));
    match (mnemonic.as_str(), ops.as_slice()) {
        ("nop", []) => {}
        ("li", [to, value]) => {
            let expr = Expr::int(int(value)?);
            lower.set(to, expr)?;
        }
        ("lis", [to, value]) => {
            let expr = Expr::int(int(value)? << 16);
            lower.set(to, expr)?;
        }
        ("mr", [to, from]) => {
            let expr = lower.reg(from)?;
            lower.set(to, expr)?;
        }
        ("addi" | "addis" | "ori" | "xori" | "andi.", [to, from, value]) => {
            let (op, shift) = match mnemonic.as_str() {
                "addi" => (BinOp::Add, 0),
                "addis" => (BinOp::Add, 16),
                "ori" => (BinOp::Or, 0),
                "xori" => (BinOp::Xor, 0),
                _ => (BinOp::And, 0),
            };
            let value = Expr::int(int(value)? << shift);
            // Register 0 as a base is the number 0.
            let zero = mnemonic.starts_with("addi") && *from == "r0";
            let from = if zero { Expr::int(0) } else { lower.reg(from)? };
            lower.set(to, Expr::binary(op, from, value))?;
        }
        ("add" | "subf" | "sub" | "xor" | "or" | "and" | "mullw", [to, a, b]) => {
            let (mut a, mut b) = (lower.reg(a)?, lower.reg(b)?);
            let op = match mnemonic.as_str() {
                "add" => BinOp::Add,
                "xor" => BinOp::Xor,
                "or" => BinOp::Or,
                "and" => BinOp::And,
                "mullw" => BinOp::Mul,
                "subf" => {
                    std::mem::swap(&mut a, &mut b);
                    BinOp::Sub
                }
                _ => BinOp::Sub,
            };
            lower.set(to, Expr::binary(op, a, b))?;
        }
        ("extsw", [to, from]) => {
            let from = lower.reg(from)?;
            lower.set(to, Expr::Signed(4, Box::new(from)))?;
        }
        ("clrldi", [to, from, bits]) => {
            let keep = 64i64.saturating_sub(int(bits)?);
            let from = lower.reg(from)?;
            let mask = if keep >= 64 { -1 } else { (1i64 << keep.max(0)).wrapping_sub(1) };
            lower.set(to, Expr::binary(BinOp::And, from, Expr::int(mask)))?;
        }
        (
            "lwz" | "lwa" | "ld" | "lbz" | "lhz" | "lwzx" | "lwax" | "ldx" | "lwarx",
            [to, rest @ ..],
        ) => {
            let bytes = size(&mnemonic);
            let address = address(lower, &mnemonic, rest)?;
            let to = lower.reg_operand(to)?;
            let exclusive = mnemonic == "lwarx";
            let tags: &[&'static str] = if exclusive { &["X", "EX"] } else { &[] };
            let signed = matches!(mnemonic.as_str(), "lwa" | "lwax");
            let access = AccessMode::new(bytes, tags);
            lower.push(Inst::Load { to, address, access, signed, exclusive });
        }
        ("stw" | "std" | "stb" | "sth" | "stwx" | "stdx", [value, rest @ ..]) => {
            let address = address(lower, &mnemonic, rest)?;
            let value = lower.reg(value)?;
            let access = AccessMode::new(size(&mnemonic), &[]);
            lower.push(Inst::Store { address, value, access });
        }
        ("stwcx.", [value, rest @ ..]) => {
            let address = address(lower, "stwx", rest)?;
            let value = lower.reg(value)?;
            let to = lower.reg_named("CR0");
            let status = Status { to, success: 0, failure: 1, carries_dependency: false };
            let access = AccessMode::new(4, &["X", "EX"]);
            lower.push(Inst::StoreExclusive { status, address, value, access });
        }
        ("cmpw" | "cmpd" | "cmpwi" | "cmplwi" | "cmplw", [a, b]) => {
            let a = lower.reg(a)?;
            let b = match immediate(b) {
                Some(value) => Expr::int(value),
                None => lower.reg(b)?,
            };
            let to = lower.reg_named("CR0");
            let word = |e: Expr| if mnemonic == "cmpd" { e } else { Expr::Signed(4, Box::new(e)) };
            lower.push(Inst::Set { to, expr: super::ordering(word(a), word(b)) });
        }
        ("beq" | "bne" | "blt" | "bgt" | "ble" | "bge", [label]) => {
            let flags = Expr::Reg(lower.reg_named("CR0"));
            let op = match mnemonic.as_str() {
                "beq" => BinOp::Eq,
                "bne" => BinOp::Ne,
                "blt" => BinOp::Lt,
                "bgt" => BinOp::Gt,
                "ble" => BinOp::Le,
                _ => BinOp::Ge,
            };
            lower.push(Inst::Branch { when: Expr::binary(op, flags, Expr::int(0)), target: 0 });
            return Ok(Some(label.to_string()));
        }
        ("b", [label]) => {
            lower.push(Inst::Jump(0));
            return Ok(Some(label.to_string()));
        }
        ("sync" | "hwsync", []) => lower.fence(&["sync", "SYNC"]),
        ("lwsync", []) => lower.fence(&["lwsync", "LWSYNC"]),
        ("isync", []) => lower.fence(&["isync", "ISYNC"]),
        ("eieio", []) => lower.fence(&["eieio", "EIEIO"]),
        _ => return Err(lower.unsupported(text)),
    }
    Ok(None)
}

fn size(mnemonic: &str) -> u8 {
    match mnemonic {
        "ld" | "std" | "ldx" | "stdx" => 8,
        "lbz" | "stb" => 1,
        "lhz" | "sth" => 2,
        _ => 4,
    }
}

/// `4(r2)`, or two registers.
fn address(lower: &mut AsmLowering<'_>, mnemonic: &str, ops: &[&str]) -> Result<Expr, Error> {
    match ops {
        [operand] => base_and_offset(lower, operand),
        [a, b] if mnemonic.ends_with('x') => {
            let a = if *a == "0" || *a == "r0" { Expr::int(0) } else { lower.reg(a)? };
            Ok(Expr::binary(BinOp::Add, a, lower.reg(b)?))
        }
        _ => Err(lower.error("this address is not supported")),
    }
}
