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
        let (template, outputs) = match node {
            ast::AsmStatement::GnuBasic(text) => (&text.node, 0),
            ast::AsmStatement::GnuExtended(asm) => {
                let written = |o: &&lang_c::span::Node<ast::GnuAsmOperand>| {
                    o.node.constraints.node.concat().contains('=')
                };
                (&asm.template.node, asm.outputs.iter().filter(written).count())
            }
        };
        let text: String = template.iter().map(|s| s.trim_matches('"')).collect();
        let text = text.replace("\\n", ";").replace("\\t", " ");
        let words: Vec<&str> = text
            .split(';')
            .filter_map(|line| line.split_whitespace().next())
            .map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()))
            .collect();
        let known = |w: &&str| FENCES.contains(w) || PAUSES.contains(w) || w.is_empty();
        if outputs > 0 || !words.iter().all(known) {
            self.emit(InstKind::Unsupported { what: "inline assembly".into() });
        } else if words.iter().any(|w| FENCES.contains(w)) {
            self.emit(InstKind::Fence { order: Order::SeqCst });
        }
        Ok(())
    }
}
