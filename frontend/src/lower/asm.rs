//! Inline assembly: an empty template is a compiler barrier, fences are fences, the rest is not
//! modelled.

use super::{Result, Unit};
use crate::ir::{InstKind, Order};
use lang_c::ast;

/// Mnemonics whose only effect is to order memory accesses or to wait a moment.
const FENCES: &[&str] =
    &["mfence", "lfence", "sfence", "dmb", "dsb", "isb", "sync", "lwsync", "fence"];
const PAUSES: &[&str] = &["nop", "pause", "yield", "rep"];

impl Unit<'_> {
    pub fn asm(&mut self, node: &ast::AsmStatement) -> Result<()> {
        match node {
            ast::AsmStatement::GnuBasic(text) => self.asm_text(&text.node, 0),
            ast::AsmStatement::GnuExtended(asm) => {
                let written = |o: &&lang_c::span::Node<ast::GnuAsmOperand>| {
                    o.node.constraints.node.concat().contains('=')
                };
                let outputs = asm.outputs.iter().filter(written).count();
                self.asm_text(&asm.template.node, outputs);
            }
        }
        Ok(())
    }

    /// Also what looks like a call: `asm("nop");`.
    pub fn asm_text(&mut self, template: &[String], outputs: usize) {
        let text: String = template.iter().map(|s| s.trim_matches('"')).collect();
        let text = text.replace("\\n", ";").replace("\\t", " ");
        let words: Vec<&str> = text
            .split(';')
            .filter_map(|line| line.split_whitespace().next())
            .map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()))
            .collect();
        let known = |w: &&str| FENCES.contains(w) || PAUSES.contains(w) || w.is_empty();
        if outputs == 0 && is_locked_nothing(&text) {
            self.emit(InstKind::Fence { order: Order::SeqCst });
        } else if outputs > 0 || !words.iter().all(known) {
            self.emit(InstKind::Unsupported { what: "inline assembly".into() });
        } else if words.iter().any(|w| FENCES.contains(w)) {
            self.emit(InstKind::Fence { order: Order::SeqCst });
        }
    }
}

/// `lock; addl $0,0(%%esp)` and the like: a fence of old x86 code.
fn is_locked_nothing(text: &str) -> bool {
    let flat: String = text.split(|c: char| c.is_whitespace() || c == ';').collect();
    let Some(rest) = flat.strip_prefix("lock") else { return false };
    let adds_nothing = ["add", "or"].iter().any(|op| {
        rest.strip_prefix(op)
            .is_some_and(|r| r.trim_start_matches(['b', 'w', 'l', 'q']).starts_with("$0,"))
    });
    adds_nothing
        && (rest.ends_with("(%%esp)")
            || rest.ends_with("(%%rsp)")
            || rest.ends_with("(%esp)")
            || rest.ends_with("(%rsp)"))
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{has, hasnt, ir};

    fn asm(statement: &str) -> String {
        ir(&format!("void f(int x) {{ {statement}; }}"))
    }

    #[test]
    fn barriers_and_fences() {
        hasnt(&asm("__asm__ volatile(\"\" ::: \"memory\")"), &["fence", "unsupported"]);
        hasnt(&asm("__asm__ volatile(\"\" : \"+r\"(x))"), &["fence", "unsupported"]);
        hasnt(&asm("asm(\"pause\")"), &["fence", "unsupported"]);
        has(&asm("__asm__ __volatile__(\"mfence\" ::: \"memory\")"), &["fence seq_cst"]);
        has(&asm("asm(\"nop\\n\\tmfence\")"), &["fence seq_cst"]);
        has(&asm("asm volatile(\"lock; addl $0,0(%%rsp)\" ::: \"memory\")"), &["fence seq_cst"]);
    }

    #[test]
    fn the_rest_is_not_modelled() {
        for text in [
            "asm(\"lock; addl $1,0(%%rsp)\")",
            "asm(\"incl %0\" : \"+m\"(x))",
            "asm(\"\" : \"=r\"(x) : \"0\"(1))",
            "asm(\"mfence; hlt\")",
        ] {
            has(&asm(text), &["unsupported \"inline assembly\""]);
        }
    }
}
