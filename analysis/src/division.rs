//! Division by zero.
//!
//! C does not define it; machines end the process, and so does every engine: what follows is not part
//! of the answer. That is an assumption where a divisor is no constant. Where nothing may be assumed
//! (`--strict`) a division by zero is reached like anything else that is not modelled, so only a program
//! that really divides by zero gets no answer.
//!
//! Cost: a look at each instruction; in the strict case a branch for each division.

use ir::types::Scalar;
use ir::*;

const ASSUMPTION: &str = "division by zero ends the execution; C leaves it undefined";
const WHAT: &str = "division by zero";
/// Library functions that divide what they are given.
const DIVIDE: [&str; 5] = ["div", "ldiv", "lldiv", "imaxdiv", "__obmc_divide"];

/// What becomes of a division by zero.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Zero {
    /// The execution ends.
    #[default]
    Ends,
    /// It is not modelled.
    Refused,
}

pub fn settle(program: &mut Program, zero: Zero) {
    let users = program.functions.iter_mut().filter(|f| divides_for_users(f));
    match zero {
        Zero::Ends => {
            let first = users.flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
            let first = first.filter(|i| divisor(&i.kind).is_some()).map(|i| i.span).next();
            program.ignored.extend(first.map(|span| (ASSUMPTION.to_owned(), span)));
        }
        Zero::Refused => users.for_each(refuse),
    }
}

fn divides_for_users(f: &Function) -> bool {
    match f.origin {
        Origin::User => true,
        Origin::Model => DIVIDE.contains(&f.name.as_str()),
        Origin::Assembly => false,
    }
}

/// What an integer is divided by, if that is no constant other than zero.
fn divisor(kind: &InstKind) -> Option<(Scalar, Operand)> {
    let InstKind::Assign { value: Rvalue::Binary { op, ty, b, .. }, .. } = *kind else {
        return None;
    };
    let divides = matches!(op, BinOp::Div | BinOp::Rem) && !ty.is_float();
    let safe = matches!(b, Operand::Const { bits, .. } if bits != 0);
    (divides && !safe).then_some((ty, b))
}

fn refuse(f: &mut Function) {
    let mut work: Vec<usize> = (0..f.blocks.len()).collect();
    while let Some(block) = work.pop() {
        let insts = &f.blocks[block].insts;
        let found = insts.iter().enumerate().find_map(|(at, i)| Some((at, divisor(&i.kind)?)));
        work.extend(found.map(|(at, (ty, by))| refuse_at(f, block, at, ty, by)));
    }
}

/// Asks before the division, and gives the block of what is behind it.
fn refuse_at(f: &mut Function, block: usize, at: usize, ty: Scalar, by: Operand) -> usize {
    let (zero, next) = (f.blocks.len() as u32, f.blocks.len() as u32 + 1);
    let rest = f.blocks[block].insts.split_off(at);
    let stands = rest.first().map_or(f.blocks[block].end_at(), Inst::at);
    let span = stands.span;
    let is_zero = Reg(f.regs.len() as u32);
    f.regs.push(RegInfo { name: None, ty: Scalar::I32, of: None, span });
    let (op, b) = (BinOp::Eq, Operand::Const { bits: 0, ty });
    let value = Rvalue::Binary { op, ty, a: by, b, checked: false };
    let ask = InstKind::Assign { dst: is_zero, value };
    f.blocks[block].insts.push(Inst::new(ask, stands));
    let (cond, then) = (Operand::Reg(is_zero), BlockId(zero));
    let branch = Terminator::Branch { cond, then, otherwise: BlockId(next) };
    let end = std::mem::replace(&mut f.blocks[block].end, branch);
    let end_at = f.blocks[block].end_at();
    (f.blocks[block].end_span, f.blocks[block].end_id) = (stands.span, stands.id);
    let what = InstKind::Unsupported { what: WHAT.to_owned() };
    let insts = vec![Inst::new(what, stands)];
    f.blocks.push(Block::new(insts, Terminator::Stop(Stop::Abort), stands));
    let mut rest = rest.into_iter();
    let division: Vec<Inst> = rest.next().into_iter().collect();
    let after = BlockId(next + 1);
    f.blocks.push(Block::new(division, Terminator::Goto(after), stands));
    f.blocks.push(Block::new(rest.collect(), end, end_at));
    after.index()
}

#[cfg(test)]
mod tests {
    use super::{ASSUMPTION, Zero};
    use crate::from_c::program;
    use ir::{print, verify};

    fn settled(body: &str, zero: Zero) -> ir::Program {
        let mut p = crate::prepare(program(&format!("int f(int n, unsigned m) {{ {body} }}")));
        super::settle(&mut p, zero);
        assert!(verify::program(&p).is_empty(), "{:?}", verify::program(&p));
        p
    }

    #[test]
    fn only_divisors_that_may_be_zero_count() {
        let assumes = |body: &str| {
            settled(body, Zero::Ends).ignored.iter().any(|(text, _)| text == ASSUMPTION)
        };
        assert!(assumes("return 7 / n;"));
        assert!(assumes("return m % (unsigned)n;"));
        assert!(assumes("return n / 0;"));
        assert!(!assumes("return n / 7 + n % 2;"));
        assert!(!assumes("const int k = 4; return m / k;"));
        assert!(!assumes("return 1.0 / n;"));
    }

    #[test]
    fn each_division_is_asked_about_once() {
        let refused = |body: &str| {
            print::program(&settled(body, Zero::Refused)).matches("unsupported").count()
        };
        assert_eq!(refused("return 7 / n + 8 % n + 3 / (n + 1);"), 3);
        assert_eq!(refused("return n / 7;"), 0);
    }
}
