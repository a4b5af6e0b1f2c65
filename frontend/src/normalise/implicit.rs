//! Declarations without a type: `main() { ... }`, `static x;`, `const y = 3;`.
//!
//! C before C99 read them as `int`, and gcc still does with a warning. They are recognised by their
//! shape: specifiers without a type, then a name that is no type, then what can follow a declared
//! name. To tell types from other names the names of all `typedef`s so far are kept, without scopes:
//! a name that is a type somewhere and a variable without a type elsewhere is not worth more.

use super::view::{Brace, TokenView};
use super::words::{is_attribute, is_specifier, is_type_word};
use rustc_hash::FxHashSet;

#[derive(Default)]
pub struct ImplicitInt<'a> {
    typedefs: FxHashSet<&'a [u8]>,
}

impl<'a> ImplicitInt<'a> {
    /// Looks for a declaration that starts with the word `i`.
    pub fn look(&mut self, view: &mut TokenView<'a>, i: usize, at_file_scope: bool) {
        if at_file_scope && starts_external(view, i) {
            self.declaration(view, i, true);
        } else if is_specifier(view.text(i)) && starts_specifiers(view, i, at_file_scope) {
            self.declaration(view, i, false);
        }
    }

    fn declaration(&self, view: &mut TokenView<'a>, start: usize, external: bool) {
        let mut name = start;
        let mut specifiers = 0;
        loop {
            name = match view.text(name) {
                word if is_attribute(word) && view.text(name + 1) == b"(" => view.skip(name + 1),
                b"__extension__" => name + 1,
                word if is_specifier(word) => {
                    specifiers += 1;
                    name + 1
                }
                _ => break,
            }
        }
        if specifiers == 0 && !external {
            return;
        }
        if view.text(name) == b"*" && specifiers > 0 {
            view.insert_before(name, "int ");
        } else if self.is_variable(view, name) && self.declares(view, name, start, external) {
            match (start..name).find(|&i| view.text(i) == b"auto") {
                Some(auto) if view.text(name + 1) == b"=" => view.replace(auto, "__obmc_auto"),
                _ => view.insert_before(name, "int "),
            }
        }
    }

    fn is_variable(&self, view: &TokenView, i: usize) -> bool {
        view.is_name(i) && !self.typedefs.contains(view.text(i))
    }

    /// What follows the name makes it a declared one.
    fn declares(&self, view: &TokenView<'a>, name: usize, start: usize, external: bool) -> bool {
        match view.text(name + 1) {
            b";" | b"=" | b"," | b"[" => true,
            b")" => view.text(start) == b"register",
            b"(" => {
                let next = view.skip_attributes(view.skip(name + 1));
                match view.text(next) {
                    b";" | b"," | b"{" => true,
                    _ => external && self.starts_declaration(view, next),
                }
            }
            _ => false,
        }
    }

    /// Does the word start a type?
    pub(crate) fn is_type(&self, view: &TokenView, i: usize) -> bool {
        let word = view.text(i);
        is_type_word(word) || is_specifier(word) || self.typedefs.contains(word)
    }

    pub(crate) fn starts_declaration(&self, view: &TokenView, i: usize) -> bool {
        let word = view.text(i);
        if word == b"__extension__" {
            return self.starts_declaration_word(view, i + 1);
        }
        self.starts_declaration_word(view, i)
    }

    fn starts_declaration_word(&self, view: &TokenView, i: usize) -> bool {
        let word = view.text(i);
        let typename = || self.typedefs.contains(word) && view.text(i + 1) == b"*";
        let specifier = is_specifier(word) && word != b"__extension__";
        is_type_word(word) || specifier || (view.is_name(i) && (view.is_name(i + 1) || typename()))
    }

    /// Keeps the names that the `typedef` at `i` declares.
    pub(crate) fn note_typedef(&mut self, view: &TokenView<'a>, i: usize) {
        let mut at = i + 1;
        loop {
            let text = view.text(at);
            match text {
                b"" | b";" | b"typedef" | b"}" => return,
                b"{" | b"[" => at = view.skip(at),
                b"(" if !matches!(view.text(at + 1), b"*" | b"(") => at = view.skip(at),
                _ => {
                    if view.is_name(at) && ends_declarator(view.text(at + 1)) {
                        self.typedefs.insert(text);
                    }
                    at += 1;
                }
            }
        }
    }
}

fn ends_declarator(next: &[u8]) -> bool {
    matches!(next, b";" | b"," | b")" | b"[" | b"(") || is_attribute(next)
}

/// Nothing of the same declaration stands before it.
fn starts_external(view: &TokenView, i: usize) -> bool {
    match view.before(i) {
        b"" | b";" => true,
        b"}" => view.brace(view.partner(i - 1)) == Brace::Other,
        _ => false,
    }
}

/// The first specifier of a declaration in a block, of a parameter or of an old-style parameter.
fn starts_specifiers(view: &TokenView, i: usize, at_file_scope: bool) -> bool {
    match view.before(i) {
        b";" | b"{" | b"(" | b"," => true,
        b"}" => view.brace(view.partner(i - 1)) == Brace::Other,
        b")" => {
            let open = view.partner(i - 1);
            at_file_scope && open > 0 && view.is_name(open - 1)
        }
        _ => false,
    }
}
