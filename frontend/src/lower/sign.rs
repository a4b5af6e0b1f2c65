//! Results of which C defines only the sign (`strcmp`), or only whether they are 0 (`isalpha`).
//!
//! The models give any such number, which costs a choice. Where the program only compares the result
//! with 0, as nearly all do, the choice makes no difference: the call goes to a variant of the model
//! that gives -1, 0 or 1.
//!
//! And a class test that glibc's macros have made a look into a table is the call that was written.

use super::{Linkage, Result, Unit, Value};
use crate::models;
use ir::walk;
use ir::*;
use lang_c::ast;
use lang_c::span::Node;
use rustc_hash::{FxHashMap, FxHashSet};

/// What the name of such a variant begins with, and whether it keeps the sign.
const VARIANTS: [(&str, bool); 2] = [("__obmc_sign_", true), ("__obmc_truth_", false)];

/// Another function that gives the same answers when it is asked less.
#[derive(Clone, Copy)]
struct Variant {
    function: FuncId,
    /// It may be asked for its sign, and not only whether it is 0.
    has_sign: bool,
}

impl Linkage {
    /// Before models are linked: sends calls to variants where that makes no difference.
    pub(crate) fn use_twins(&mut self) {
        let variants = self.variants();
        if variants.is_empty() {
            return;
        }
        for f in &mut self.functions {
            for (block, at, dst, variant) in calls(f, &variants) {
                if dst.is_none_or(|reg| is_compared_with_0(f, reg, variant.has_sign))
                    && let InstKind::Call { callee, .. } = &mut f.blocks[block].insts[at].kind
                {
                    *callee = Callee::Direct(variant.function);
                }
            }
        }
    }

    /// The functions without a body that have a variant.
    fn variants(&mut self) -> FxHashMap<FuncId, Variant> {
        let mut found = Vec::new();
        for (i, f) in self.functions.iter().enumerate().filter(|(_, f)| !f.has_body()) {
            for (prefix, has_sign) in VARIANTS {
                let name = format!("{prefix}{}", f.name);
                if models::defined(&name).is_some() {
                    found.push((FuncId(i as u32), name, f.span, has_sign));
                }
            }
        }
        let variant = |link: &mut Linkage, name: &str, at, has_sign| Variant {
            function: link.extern_function(name, at),
            has_sign,
        };
        found.iter().map(|(id, name, at, sign)| (*id, variant(self, name, *at, *sign))).collect()
    }
}

/// Where these are called, and where the result goes.
fn calls(
    f: &Function,
    variants: &FxHashMap<FuncId, Variant>,
) -> Vec<(usize, usize, Option<Reg>, Variant)> {
    let mut found = Vec::new();
    for (b, block) in f.blocks.iter().enumerate() {
        for (i, inst) in block.insts.iter().enumerate() {
            if let InstKind::Call { dst, callee: Callee::Direct(id), .. } = &inst.kind
                && let Some(&variant) = variants.get(id)
            {
                found.push((b, i, *dst, variant));
            }
        }
    }
    found
}

/// The register, and all that it is copied to, is only compared with 0.
fn is_compared_with_0(f: &Function, reg: Reg, has_sign: bool) -> bool {
    let mut same: FxHashSet<Reg> = FxHashSet::from_iter([reg]);
    loop {
        let before = same.len();
        for inst in f.blocks.iter().flat_map(|b| &b.insts) {
            let is_used = |op: &&Operand| matches!(op, Operand::Reg(r) if same.contains(r));
            if !walk::operands(&inst.kind).into_iter().any(|op| is_used(&op)) {
                continue;
            }
            match &inst.kind {
                InstKind::Assign { dst, value: Rvalue::Use(_) } => drop(same.insert(*dst)),
                InstKind::Assign { value: Rvalue::Binary { op, a, b, .. }, .. }
                    if is_comparison(*op, has_sign) && (is_zero(a) || is_zero(b)) => {}
                _ => return false,
            }
        }
        if same.len() == before {
            break;
        }
    }
    f.blocks.iter().all(|block| match &block.end {
        Terminator::Branch { .. } => true,
        end => !matches!(walk::end_operand(end), Some(Operand::Reg(r)) if same.contains(r)),
    })
}

fn is_comparison(op: BinOp, has_sign: bool) -> bool {
    match op {
        BinOp::Eq | BinOp::Ne => true,
        BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => has_sign,
        _ => false,
    }
}

fn is_zero(op: &Operand) -> bool {
    matches!(op, Operand::Const { bits: 0, .. })
}

impl Unit<'_> {
    /// `(*__ctype_b_loc())[c] & CLASS`; `None` if it is anything else.
    pub(crate) fn class_test(
        &mut self,
        node: &ast::BinaryOperatorExpression,
    ) -> Result<Option<Value>> {
        if node.operator.node != ast::BinaryOperator::BitwiseAnd {
            return Ok(None);
        }
        let Some(index) = index_into_classes(&node.lhs) else { return Ok(None) };
        let class = self.try_constant(&node.rhs)?.and_then(class_of);
        match class.filter(|_| !self.defined.contains(CLASSES)) {
            Some(class) => {
                let at = self.at;
                self.call_named(class, std::slice::from_ref(index), at).map(Some)
            }
            None => Ok(None),
        }
    }
}

const CLASSES: &str = "__ctype_b_loc";

fn index_into_classes(node: &Node<ast::Expression>) -> Option<&Node<ast::Expression>> {
    let ast::Expression::BinaryOperator(index) = &node.node else { return None };
    let ast::Expression::UnaryOperator(table) = &index.node.lhs.node else { return None };
    let ast::Expression::Call(call) = &table.node.operand.node else { return None };
    let ast::Expression::Identifier(callee) = &call.node.callee.node else { return None };
    let looked_up = index.node.operator.node == ast::BinaryOperator::Index
        && table.node.operator.node == ast::UnaryOperator::Indirection
        && callee.node.name == CLASSES;
    looked_up.then_some(&*index.node.rhs)
}

/// The bits of glibc's <ctype.h> on little-endian machines.
fn class_of(bits: i128) -> Option<&'static str> {
    Some(match bits {
        0x100 => "isupper",
        0x200 => "islower",
        0x400 => "isalpha",
        0x800 => "isdigit",
        0x1000 => "isxdigit",
        0x2000 => "isspace",
        0x4000 => "isprint",
        0x8000 => "isgraph",
        1 => "isblank",
        2 => "iscntrl",
        4 => "ispunct",
        8 => "isalnum",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{has, hasnt, ir};

    const DECLARED: &str = "int strcmp(const char *, const char *); int isdigit(int); int g(int);
        const unsigned short **__ctype_b_loc(void);";

    fn body(text: &str) -> String {
        ir(&format!("{DECLARED} int f(char *a, char *b) {{ int n = 0; {text} return n; }}"))
    }

    #[test]
    fn comparisons_with_0_need_no_choice() {
        for text in [
            "if (strcmp(a, b)) n = 1;",
            "if (!strcmp(a, b)) n = 1;",
            "n = strcmp(a, b) < 0;",
            "int r = strcmp(a, b); if (r == 0) n = 1; else if (r > 0) n = 2;",
            "strcmp(a, b);",
        ] {
            has(&body(text), &["call __obmc_sign_strcmp("]);
        }
        has(&body("while (isdigit(*a)) a++;"), &["call __obmc_truth_isdigit("]);
    }

    #[test]
    fn a_result_that_is_compared_with_other_numbers_is_any() {
        has(&body("n = isdigit(*a) > 0;"), &["call isdigit("]);
        for text in [
            "n = strcmp(a, b);",
            "if (strcmp(a, b) == 1) n = 1;",
            "n = strcmp(a, b) * 2;",
            "g(strcmp(a, b));",
        ] {
            let text = body(text);
            has(&text, &["call strcmp("]);
            hasnt(&text, &["__obmc_sign"]);
        }
    }

    #[test]
    fn class_tests_of_macros() {
        let text = body("if ((*__ctype_b_loc())[(int)(*a)] & (unsigned short)2048) n = 1;");
        has(&text, &["call __obmc_truth_isdigit("]);
        has(&body("n = (*__ctype_b_loc())[*a] & 2048;"), &["call isdigit("]);
        has(&body("n = (*__ctype_b_loc())[*a] & 3;"), &["call __ctype_b_loc("]);
    }
}
