//! Keywords since C23, in programs that do not use them as names of their own.
//!
//! Macros of `stdbool.h` and its kin are gone when this is read. A word that is left is the keyword,
//! or the program declares it, as many older ones do (`typedef int bool;`, `enum { false, true };`).
//! A declaration comes before all uses, so one walk tells, without scopes.

use super::view::{Brace, TokenView};
use super::words::{is_specifier, is_type_word};
use rustc_hash::FxHashSet;

#[derive(Default)]
pub struct NewWords<'a> {
    /// The program's own.
    own: FxHashSet<&'a [u8]>,
}

impl<'a> NewWords<'a> {
    pub fn look(&mut self, view: &mut TokenView<'a>, i: usize, brace: Option<Brace>) {
        let Some(old) = spelling(view.text(i)) else { return };
        if declares(view, i, brace) {
            self.own.insert(view.text(i));
        }
        if !self.own.contains(view.text(i)) {
            view.replace(i, old);
        }
    }
}

/// How C11 says it.
fn spelling(word: &[u8]) -> Option<&'static str> {
    Some(match word {
        b"bool" => "_Bool",
        b"true" => "((_Bool)1)",
        b"false" => "((_Bool)0)",
        b"nullptr" => "((void *)0)",
        b"alignas" => "_Alignas",
        b"thread_local" => "_Thread_local",
        b"constexpr" => "const __attribute__((obmc_constexpr))",
        b"typeof_unqual" => "__typeof",
        _ => return None,
    })
}

fn declares(view: &TokenView, i: usize, brace: Option<Brace>) -> bool {
    let (before, next) = (view.before(i), view.text(i + 1));
    let behind_type = is_type_word(before) || is_specifier(before) || before == b"}";
    let enumerates = brace == Some(Brace::Enum) && matches!(before, b"{" | b",");
    let assigned = next == b"=" && view.text(i + 2) != b"=";
    // Not `const bool)`, nor `int alignas(16) x`.
    let named = is_type_word(before) && matches!(view.text(i), b"true" | b"false" | b"nullptr");
    assigned
        || matches!(next, b";" | b",") && behind_type
        || matches!(next, b"(" | b")" | b"[") && named
        || enumerates && next != b"("
}
