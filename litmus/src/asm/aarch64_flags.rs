//! The flags of AArch64: comparisons set `NZCV` (four bits, N the highest), conditions look at them,
//! selections and branches depend on a condition.

use super::AsmLowering;
use super::aarch64::{bytes, reg, set};
use crate::error::Error;
use crate::ir::{Expr, Inst};
use crate::value::BinOp;

const N: i64 = 8;
const Z: i64 = 4;
const C: i64 = 2;
const V: i64 = 1;

/// `NZCV` gets the flags of `op` over the operands, which are as wide as the register `like`.
pub fn compare(lower: &mut AsmLowering<'_>, op: fn(u8) -> BinOp, like: &str, a: Expr, b: Expr) {
    let to = lower.reg_named("NZCV");
    lower.push(Inst::Set { to, expr: Expr::binary(op(bytes(like)), a, b) });
}

/// The condition as an expression that is not zero where it holds.
pub fn condition(lower: &mut AsmLowering<'_>, name: &str) -> Option<Expr> {
    let flags = Expr::Reg(lower.reg_named("NZCV"));
    let bit = |n: i64| {
        let masked = Expr::binary(BinOp::And, flags.clone(), Expr::int(n));
        Expr::binary(BinOp::Ne, masked, Expr::int(0))
    };
    let not = |e: Expr| Expr::binary(BinOp::Eq, e, Expr::int(0));
    let both = |a: Expr, b: Expr| Expr::binary(BinOp::LogicalAnd, a, b);
    let signs_agree = || Expr::binary(BinOp::Eq, bit(N), bit(V));
    Some(match name.to_ascii_uppercase().as_str() {
        "EQ" => bit(Z),
        "NE" => not(bit(Z)),
        "CS" | "HS" => bit(C),
        "CC" | "LO" => not(bit(C)),
        "MI" => bit(N),
        "PL" => not(bit(N)),
        "VS" => bit(V),
        "VC" => not(bit(V)),
        "HI" => both(bit(C), not(bit(Z))),
        "LS" => not(both(bit(C), not(bit(Z)))),
        "GE" => signs_agree(),
        "LT" => not(signs_agree()),
        "GT" => both(not(bit(Z)), signs_agree()),
        "LE" => not(both(not(bit(Z)), signs_agree())),
        _ => return None,
    })
}

/// `CSEL`, `CSET` and their kin. What is picked is data, the condition is not.
pub fn selection(lower: &mut AsmLowering<'_>, mnemonic: &str, ops: &[&str]) -> Result<bool, Error> {
    let changed = |op: &str, e: Expr| match op {
        "INC" => Expr::binary(BinOp::Add, e, Expr::int(1)),
        "INV" => Expr::binary(BinOp::Xor, e, Expr::int(-1)),
        "NEG" => Expr::binary(BinOp::Sub, Expr::int(0), e),
        _ => e,
    };
    let (to, name, yes, no) = match (mnemonic, ops) {
        ("CSEL" | "CSINC" | "CSINV" | "CSNEG", [to, a, b, name]) => {
            let (a, b) = (reg(lower, a)?, reg(lower, b)?);
            (to, name, a, changed(&mnemonic[2..], b))
        }
        ("CINC" | "CINV" | "CNEG", [to, a, name]) => {
            let a = reg(lower, a)?;
            (to, name, changed(&mnemonic[1..], a.clone()), a)
        }
        ("CSET", [to, name]) => (to, name, Expr::int(1), Expr::int(0)),
        ("CSETM", [to, name]) => (to, name, Expr::int(-1), Expr::int(0)),
        _ => return Ok(false),
    };
    let Some(when) = condition(lower, name) else { return Ok(false) };
    set(lower, to, Expr::Pick(Box::new([when, yes, no])))?;
    Ok(true)
}
