//! Whether two string literals are one object is for the compiler to say (C11 6.4.5p7), and equal
//! ones mostly are, or one is the tail of another. No verdict may rest on either answer.
//!
//! Where two pointers to characters are compared, a function of ours is called first: it stops with
//! "not modelled" if they point into two literals that may share their bytes. It gets its body when
//! all literals of the program are known; a program without such literals loses the calls.
//!
//! Cost: for each comparison, a few instructions per literal that may share.

use super::{Linkage, Unit, Value};
use ir::types::{Scalar, Type, TypeId};
use ir::*;

const NAME: &str = "__obmc_literals_";
const WHAT: &str = "a comparison of string literals that may be one";
const CONSTANTS: &str = "compound literals of const types are objects of their own, where such \
                         addresses are compared; C lets equal ones be one";

/// Literals that end alike: their last bytes may be the same object's.
struct Tail {
    bytes: i64,
    /// The literals with their sizes.
    ends: Vec<(ObjectId, i64)>,
}

impl Unit<'_> {
    /// Before the addresses of what may be string literals are compared.
    pub(crate) fn ask_about_literals(&mut self, a: Value, b: Value) {
        self.note_compared_constants(a, b);
        let (Some(width), Origin::User) = (self.literal_width(a, b), self.origin) else { return };
        let (Value::Scalar { op: a, .. }, Value::Scalar { op: b, .. }) = (a, b) else { return };
        let is_known = |op| matches!(op, Operand::Const { .. } | Operand::Slot { .. });
        if is_known(a) || is_known(b) {
            return;
        }
        let f = self.link.extern_function(&format!("{NAME}{width}"), self.at);
        self.emit(InstKind::Call { dst: None, callee: Callee::Direct(f), args: vec![a, b] });
    }

    /// Both may lead to compound literals that are constant.
    fn note_compared_constants(&mut self, a: Value, b: Value) {
        let constant = |value| match value {
            Value::Scalar { ty, .. } => {
                self.pointee(ty).is_some_and(|to| self.link.types.is_constant(to))
            }
            _ => false,
        };
        if self.origin == Origin::User && constant(a) && constant(b) {
            self.link.constants.compared.get_or_insert(self.at);
        }
    }

    /// The width of the characters, if both point to such.
    fn literal_width(&mut self, a: Value, b: Value) -> Option<u64> {
        let width = |unit: &Self, value: Value| {
            let Value::Scalar { ty, .. } = value else { return None };
            let to: TypeId = unit.pointee(ty)?;
            match unit.link.types.get(to) {
                Type::Void => Some(1),
                Type::Int { .. } => unit.link.types.size(to),
                _ => None,
            }
        };
        let (a, b) = (width(self, a)?, width(self, b)?);
        Some(a.max(b)).filter(|w| matches!(w, 1 | 2 | 4))
    }
}

/// Compound literals of `const` types: equal ones may be one object, too (C11 6.5.2.5p7).
#[derive(Default)]
pub struct ConstantLiterals {
    pub count: usize,
    /// Where addresses of such types are compared.
    compared: Option<Span>,
}

impl Linkage {
    pub(crate) fn settle_literals(&mut self) {
        if let (Some(span), 2..) = (self.constants.compared, self.constants.count) {
            self.ignored.push((CONSTANTS.to_owned(), span));
        }
        for width in [1, 2, 4] {
            let Some(&id) = self.externs.get(&format!("{NAME}{width}")) else { continue };
            let tails = self.sharing(width);
            if tails.is_empty() {
                self.drop_calls(id);
            } else {
                self.define_asking(id, &tails);
            }
        }
    }

    /// For each literal, those that end like it.
    fn sharing(&self, width: u64) -> Vec<Tail> {
        let mut sorted: Vec<(Vec<u8>, ObjectId)> = Vec::new();
        for &id in &self.literals {
            let object = &self.objects[id.index()];
            if let Type::Array { elem, .. } = *self.types.get(object.ty)
                && self.types.size(elem) == Some(width)
            {
                sorted.push((object.bytes.iter().rev().copied().collect(), id));
            }
        }
        // By their texts from behind, those with a common end stand side by side.
        sorted.sort();
        let mut tails = Vec::new();
        for (i, (text, _)) in sorted.iter().enumerate() {
            let again = i > 0 && sorted[i - 1].0 == *text;
            let like = sorted[i..].iter().take_while(|(other, _)| other.starts_with(text));
            let ends: Vec<(ObjectId, i64)> =
                like.map(|(other, id)| (*id, other.len() as i64)).collect();
            if ends.len() > 1 && !again {
                tails.push(Tail { bytes: text.len() as i64, ends });
            }
        }
        tails
    }

    pub(super) fn drop_calls(&mut self, id: FuncId) {
        let asks = |inst: &Inst| matches!(inst.kind, InstKind::Call { callee: Callee::Direct(f), .. } if f == id);
        for block in self.functions.iter_mut().flat_map(|f| &mut f.blocks) {
            block.insts.retain(|inst| !asks(inst));
        }
    }

    fn define_asking(&mut self, id: FuncId, tails: &[Tail]) {
        let f = &mut self.functions[id.index()];
        let mut code = Code { f, insts: Vec::new() };
        let (a, b) = (code.reg(Scalar::Ptr), code.reg(Scalar::Ptr));
        let mut unclear = int(0);
        for tail in tails {
            let (x, y) = (code.which(tail, a), code.which(tail, b));
            let both = code.binary(BinOp::Mul, Scalar::I32, x, y);
            let both = code.binary(BinOp::Ne, Scalar::I32, both, int(0));
            let differ = code.binary(BinOp::Ne, Scalar::I32, x, y);
            let here = code.binary(BinOp::And, Scalar::I32, both, differ);
            unclear = code.binary(BinOp::Or, Scalar::I32, unclear, here);
        }
        let insts = std::mem::take(&mut code.insts);
        let block = |insts, end| Block::new(insts, end, Span::NONE);
        let stop = Inst::new(InstKind::Unsupported { what: WHAT.into() }, Span::NONE);
        let ask = Terminator::Branch { cond: unclear, then: BlockId(1), otherwise: BlockId(2) };
        f.params = vec![a, b];
        f.origin = Origin::Model;
        f.span = Span::NONE;
        f.blocks = vec![
            block(insts, ask),
            block(vec![stop], Terminator::Stop(Stop::Unreachable)),
            block(Vec::new(), Terminator::Return(None)),
        ];
    }
}

fn int(n: u64) -> Operand {
    Operand::Const { bits: n, ty: Scalar::I32 }
}

struct Code<'f> {
    f: &'f mut Function,
    insts: Vec<Inst>,
}

impl Code<'_> {
    fn reg(&mut self, ty: Scalar) -> Reg {
        self.f.regs.push(RegInfo { of: None, name: None, ty, span: Span::NONE });
        Reg(self.f.regs.len() as u32 - 1)
    }

    fn binary(&mut self, op: BinOp, ty: Scalar, a: Operand, b: Operand) -> Operand {
        let dst = self.reg(Scalar::I32);
        let value = Rvalue::Binary { op, ty, a, b, checked: false };
        self.insts.push(Inst::new(InstKind::Assign { dst, value }, Span::NONE));
        Operand::Reg(dst)
    }

    /// The number of the literal whose tail the address is in, from 1; 0 if in none of them.
    fn which(&mut self, tail: &Tail, address: Reg) -> Operand {
        let mut number = int(0);
        for (i, &(object, end)) in tail.ends.iter().enumerate() {
            let first = Operand::Object { object, offset: end - tail.bytes };
            let (a, last) = (Operand::Reg(address), Operand::Object { object, offset: end });
            let behind = self.binary(BinOp::Ge, Scalar::Ptr, a, first);
            let before = self.binary(BinOp::Le, Scalar::Ptr, a, last);
            let inside = self.binary(BinOp::And, Scalar::I32, behind, before);
            let one = self.binary(BinOp::Mul, Scalar::I32, inside, int(i as u64 + 1));
            number = self.binary(BinOp::Or, Scalar::I32, number, one);
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{function, has, hasnt, program};

    #[test]
    fn only_literals_that_may_be_one_are_asked_about() {
        let f = "int f(char *p, char *q) { return p == q; }";
        let apart = program(&format!("{f} char *a = \"ab\", *b = \"ba\";"));
        hasnt(&function(&apart, "f"), &["call"]);
        let tail = program(&format!("{f} char *a = \"ab\", *b = \"cab\";"));
        has(&function(&tail, "f"), &["call __obmc_literals_1(p.0, q.1)"]);
        has(&function(&tail, "__obmc_literals_1"), &["ge ptr %0, @", "unsupported"]);
        // Characters of other widths share nothing with them.
        let wide = program(&format!("{f} char *a = \"a\"; int *b = L\"a\";"));
        hasnt(&function(&wide, "f"), &["call"]);
        let null = program("int f(char *p) { return p == 0; } char *a = \"a\", *b = \"a\";");
        hasnt(&function(&null, "f"), &["call"]);
    }
}
