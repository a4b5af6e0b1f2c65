//! What `main` is given: any number of arguments, from none (C11 5.1.2.2.1).
//!
//! `argv` is an array of `argc` pointers with a null behind them, of the right size, if there are few
//! arguments; else, and always for what the pointers point to, it is an unknown pointer, and
//! using one is UNKNOWN. The pointers arrive in parameters that no caller passes. A `main` that does
//! not mention its parameters pays nothing.

use super::declarator::Parameter;
use super::{Unit, scan};
use ir::types::Scalar;
use ir::*;
use lang_c::ast;
use lang_c::span::Node;

/// With more arguments than this, `argv` is not known.
const FEW: u64 = 3;

impl Unit<'_> {
    /// Puts the arguments in place before all that is built so far.
    pub(crate) fn receive_arguments(
        &mut self,
        regs: &mut Vec<Reg>,
        params: &[Parameter],
        body: &Node<ast::Statement>,
    ) {
        let mentioned = |i: usize| {
            params
                .get(i)
                .and_then(|p| p.name.as_ref())
                .is_some_and(|name| scan::mentions(body, name))
        };
        let scalar =
            |unit: &Self, i: usize| params.get(i).and_then(|p| unit.link.types.scalar(p.ty));
        let (count, list) = (mentioned(0) || mentioned(1), mentioned(1));
        if !count || scalar(self, 0) != Some(Scalar::I32) || regs.len() != params.len() {
            return;
        }
        self.link.receives_arguments = true;
        let rest = self.f.new_block();
        self.f.blocks.swap(0, rest.index());
        self.f.continue_at(BlockId(0));
        let zero = self.scalar_const(0, Scalar::I32);
        let natural = self.binary(BinOp::Ge, Scalar::I32, Operand::Reg(regs[0]), zero, false);
        self.emit(InstKind::Assume(natural));
        for (i, reg) in regs.iter().enumerate().skip(1) {
            if mentioned(i) && scalar(self, i) == Some(Scalar::Ptr) {
                self.assume_not_null(*reg);
            }
        }
        let at = self.at;
        if list && scalar(self, 1) == Some(Scalar::Ptr) {
            let texts: Vec<Reg> = (0..FEW).map(|_| self.f.temp(Scalar::Ptr, at)).collect();
            self.few_arguments(regs[0], regs[1], &texts, rest);
            regs.extend(texts);
        } else {
            self.f.goto(rest, at);
        }
    }

    /// An array for each small number of arguments.
    fn few_arguments(&mut self, count: Reg, list: Reg, texts: &[Reg], rest: BlockId) {
        let at = self.at;
        let word = self.link.types.machine.pointer_bytes();
        let size_type = self.size_type();
        let null = self.scalar_const(0, Scalar::Ptr);
        let blocks: Vec<BlockId> = (0..=texts.len()).map(|_| self.f.new_block()).collect();
        let cases = blocks.iter().enumerate().map(|(n, block)| (n as u64, *block)).collect();
        let value = Operand::Reg(count);
        self.f.end(Terminator::Switch { value, cases, default: rest }, at);
        for (n, block) in blocks.into_iter().enumerate() {
            self.f.continue_at(block);
            let size = self.bits((n as u64 + 1) * word, size_type);
            let storage = Storage::Frame;
            self.emit(InstKind::Alloc { dst: list, size, zeroed: false, storage });
            for (i, text) in texts[..n].iter().enumerate() {
                self.assume_not_null(*text);
                let to = self.offset(Operand::Reg(list), i as u64 * word);
                self.store(to, Operand::Reg(*text), Scalar::Ptr, MemoryOrder::Plain);
            }
            let to = self.offset(Operand::Reg(list), n as u64 * word);
            self.store(to, null, Scalar::Ptr, MemoryOrder::Plain);
            self.f.goto(rest, at);
        }
    }

    fn assume_not_null(&mut self, pointer: Reg) {
        let there = self.truth(Operand::Reg(pointer), Scalar::Ptr);
        self.emit(InstKind::Assume(there));
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{LP64, function, has, hasnt, units};

    #[test]
    fn what_is_not_mentioned_costs_nothing() {
        let main = |text: &str| function(&units(LP64, &[text]), "main");
        hasnt(&main("int main(int argc, char **argv) { return 0; }"), &["assume"]);
        let count = main("int main(int argc, char **argv) { return argc; }");
        has(&count, &["ge i32 argc.0, 0", "assume %"]);
        hasnt(&count, &["alloca"]);
        let list = main("int main(int argc, char **argv) { return argv[argc] == 0; }");
        has(&list, &["switch argc.0 [0: b", "alloca 8", "alloca 16", "alloca 24", "alloca 32"]);
    }

    #[test]
    fn a_main_that_is_called_is_another_matter() {
        let text = "int main(int n, char **v) { return n ? main(n - 1, v) : 0; }";
        has(&function(&units(LP64, &[text]), "main"), &["unsupported"]);
    }
}
