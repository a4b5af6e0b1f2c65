//! Inline functions with another definition beside them (C11 6.7.4p7).
//!
//! Which of the two a call uses is open, and with GNU's `gnu_inline` an optimiser decides it, too. If they are the same
//! nothing depends on it: headers are read by several units. If they differ, a mention of the function is not modelled.
//!
//! Cost: such a definition is built for each unit that has one, and compared instruction by instruction.

use super::declarator::Parameter;
use super::{Result, Unit};
use ir::types::FunctionType;
use ir::walk;
use ir::*;
use lang_c::ast;

impl Unit<'_> {
    /// Holds a second definition against the one that is there.
    pub(super) fn compare_definitions(
        &mut self,
        id: FuncId,
        name: &str,
        ty: FunctionType,
        params: Vec<Parameter>,
        definition: &ast::FunctionDefinition,
    ) -> Result<()> {
        let second = self.link.add_function(name, self.at);
        self.build(second, name, ty, params, definition)?;
        if !self.are_alike(id, second) {
            let what = format!("`{name}`, whose inline definition differs from another one");
            self.link.bindings.not_clear(id, what);
        }
        Ok(())
    }

    fn are_alike(&self, a: FuncId, b: FuncId) -> bool {
        let [a, b] = [a, b].map(|id| &self.link.functions[id.index()].blocks);
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.are_blocks_alike(a, b))
    }

    fn are_blocks_alike(&self, a: &Block, b: &Block) -> bool {
        let mut end = b.end.clone();
        if let (Some(a), Some(b)) = (walk::end_operand(&a.end), walk::end_operand_mut(&mut end)) {
            self.take_if_alike(a, b);
        }
        let insts = a.insts.iter().zip(&b.insts);
        let alike = a.insts.len() == b.insts.len() && a.end == end;
        alike && insts.into_iter().all(|(a, b)| self.are_instructions_alike(a, b))
    }

    fn are_instructions_alike(&self, a: &Inst, b: &Inst) -> bool {
        let mut kind = b.kind.clone();
        let operands = walk::operands(&a.kind).into_iter().zip(walk::operands_mut(&mut kind));
        operands.for_each(|(a, b)| self.take_if_alike(a, b));
        a.kind == kind
    }

    /// Literals are objects of their own.
    fn take_if_alike(&self, a: &Operand, b: &mut Operand) {
        let (Operand::Object { object: x, offset }, Operand::Object { object: y, offset: other }) =
            (*a, *b)
        else {
            return;
        };
        let [x, y] = [x, y].map(|id| &self.link.objects[id.index()]);
        let constant = x.kind == ObjectKind::Constant && y.kind == ObjectKind::Constant;
        let plain = x.relocations.is_empty() && y.relocations.is_empty();
        if constant && plain && x.bytes == y.bytes && offset == other {
            *b = *a;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{LP64, function, has, hasnt, units};

    const MAIN: &str = "int f(void); int main(void) { return f(); }";

    #[test]
    fn the_same_definition_twice() {
        let header = "inline int f(void) { return \"ab\"[1] + 1; }";
        let p = units(LP64, &[header, &format!("extern {header}"), MAIN]);
        hasnt(&function(&p, "main"), &["unsupported"]);
    }

    #[test]
    fn definitions_that_differ() {
        let one = "inline int f(void) { return 1; }";
        let two = "int f(void) { return 2; }";
        for order in [[one, two, MAIN], [two, one, MAIN]] {
            has(&function(&units(LP64, &order), "main"), &["unsupported"]);
        }
        let both = format!(
            "extern inline __attribute__((gnu_inline)) int f(void) {{ return 1; }} {two} {MAIN}"
        );
        has(&function(&units(LP64, &[&both]), "main"), &["unsupported"]);
    }
}
