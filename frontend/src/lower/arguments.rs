//! What `main` is given: any number of arguments, from none (C11 5.1.2.2.1).
//!
//! `argv` is an array of `argc` pointers with a null behind them, of the right size, if there are few
//! arguments; else, and always for what the pointers point to, it is an unknown pointer, and
//! using one is UNKNOWN. The pointers arrive in parameters that no caller passes. A `main` that does
//! not mention its parameters pays nothing.
//!
//! Where the words are known (`LoadOptions::arguments`), they and the array are objects that live as long as
//! the program, and may be written to (C11 5.1.2.2.1p2).

use super::declarator::Parameter;
use super::{Unit, scan};
use ir::types::{Rank, Scalar, Type, TypeId};
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
        start: Span,
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
        if let Some(words) = self.link.arguments.clone() {
            let list = scalar(self, 1) == Some(Scalar::Ptr);
            self.at = start;
            self.known_arguments(regs, &words, list);
            for (i, reg) in regs.iter().enumerate().skip(2) {
                if mentioned(i) && scalar(self, i) == Some(Scalar::Ptr) {
                    self.assume_not_null(*reg);
                }
            }
            self.f.goto(rest, self.at);
            return;
        }
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

    fn known_arguments(&mut self, regs: &[Reg], words: &[String], list: bool) {
        self.link.ignored.push(("the program is called with the words of --arg".into(), self.at));
        let count = self.scalar_const(words.len() as u64, Scalar::I32);
        self.emit(InstKind::Assign { dst: regs[0], value: Rvalue::Use(count) });
        if !list {
            return;
        }
        let list = self.list_of_arguments(words);
        let list = Rvalue::Use(Operand::Object { object: list, offset: 0 });
        self.emit(InstKind::Assign { dst: regs[1], value: list });
    }

    fn list_of_arguments(&mut self, words: &[String]) -> ObjectId {
        let machine = self.link.types.machine;
        let word = machine.pointer_bytes();
        let char_type = self.link.types.intern(Type::Int { rank: Rank::Char, signed: true });
        let pointer = self.pointer_to(char_type);
        let mut relocations = Vec::new();
        for (i, text) in words.iter().enumerate() {
            let mut bytes = text.clone().into_bytes();
            bytes.push(0);
            let ty = Type::Array { elem: char_type, len: Some(bytes.len() as u64) };
            let ty = self.link.types.intern(ty);
            let object = self.argument_object(format!("argv[{i}]"), ty, 1, bytes, Vec::new());
            relocations.push((i as u64 * word, Operand::Object { object, offset: 0 }));
        }
        let len = words.len() as u64 + 1;
        let ty = self.link.types.intern(Type::Array { elem: pointer, len: Some(len) });
        let bytes = vec![0; (len * word) as usize];
        self.argument_object("argv[]".into(), ty, word, bytes, relocations)
    }

    fn argument_object(
        &mut self,
        name: String,
        ty: TypeId,
        align: u64,
        bytes: Vec<u8>,
        relocations: Vec<(u64, Operand)>,
    ) -> ObjectId {
        let (size, kind, span) = (bytes.len() as u64, ObjectKind::Global, self.at);
        self.link.add_object(Object { name, ty, size, align, span, kind, bytes, relocations })
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
    use crate::{LoadOptions, Source};

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
    fn words_that_are_known_are_objects() {
        let text = "int main(int argc, char **argv) { return argv[1][0] + argc; }";
        let source = Source { name: "a.c", text: text.as_bytes(), moved: &[] };
        let arguments = Some(vec!["prog".to_owned(), "8".to_owned()]);
        let options = LoadOptions { arguments, ..LoadOptions::default() };
        let program = crate::load(&[source], LP64, &options).expect("a program");
        has(&function(&program, "main"), &["argc.0 = 2", "argv.1 = @argv[]"]);
        hasnt(&function(&program, "main"), &["alloca", "assume"]);
        let list = program.objects.iter().find(|o| o.name == "argv[]").expect("the list");
        assert_eq!((list.size, list.relocations.len()), (24, 2));
        let word = program.objects.iter().find(|o| o.name == "argv[1]").expect("the word");
        assert_eq!(word.bytes, b"8\0");
        assert_eq!(program.ignored.len(), 1);
    }

    #[test]
    fn a_main_that_is_called_is_another_matter() {
        let text = "int main(int n, char **v) { return n ? main(n - 1, v) : 0; }";
        has(&function(&units(LP64, &[text]), "main"), &["unsupported"]);
    }
}
