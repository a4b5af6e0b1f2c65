//! What a unit defines for others and what it needs of them, as a linker sees it, from the text alone.
//!
//! Which units of a project belong to a program is asked before anything is parsed. Both lists are
//! generous: a name too many costs a unit that is read in vain. What a unit needs are the prototypes
//! and `extern` objects that stay when dead declarations go.

use super::dead_declarations::Shaken;
use super::lex;
use super::view::TokenView;
use super::words::is_type_word;
use crate::error::Error;
use crate::source::Files;
use rustc_hash::FxHashSet;

/// Names with external linkage.
#[derive(Clone, Default, Debug)]
pub struct Symbols {
    pub defines: FxHashSet<String>,
    /// Those that are functions with a body, for sure.
    pub bodies: FxHashSet<String>,
    pub needs: FxHashSet<String>,
}

/// Needs: preprocessed text.
pub fn symbols(input: &[u8], name: &str) -> Result<Symbols, Error> {
    let input = &*super::digraphs::replaced(input);
    let lexed = lex::lex(input, name, &mut Files::default())?;
    let mut edits = Vec::new();
    let shaken = Shaken(TokenView { input, tokens: &lexed.tokens, edits: &mut edits });
    let mut found = Symbols::default();
    for range in shaken.kept_items() {
        add(&shaken, range, &mut found);
    }
    found.needs.retain(|name| !found.defines.contains(name));
    Ok(found)
}

fn add(shaken: &Shaken, range: std::ops::Range<usize>, found: &mut Symbols) {
    let outside: Vec<usize> = shaken.outside_brackets(range.clone()).collect();
    let has = |word: &[u8]| outside.iter().any(|&i| shaken.text(i) == word);
    if has(b"typedef") || has(b"static") {
        return;
    }
    let is_body = shaken.text(range.end - 1) == b"}";
    if let Some(name) = shaken.function(range.clone()) {
        let name = String::from_utf8_lossy(name).into_owned();
        if !is_body {
            found.needs.insert(name);
        } else if !has(b"inline") && !has(b"__inline") && !has(b"__inline__") {
            found.bodies.insert(name.clone());
            found.defines.insert(name);
        } else {
            found.defines.insert(name);
        }
        return;
    }
    let declares = has(b"extern") && !has(b"=");
    let is_tag = |i: usize| matches!(shaken.0.before(i), b"struct" | b"union" | b"enum");
    let is_name = |i: &usize| shaken.0.is_name(*i) && !is_type_word(shaken.text(*i)) && !is_tag(*i);
    let names = declarators(shaken, range).into_iter().filter(is_name);
    let names = names.map(|i| String::from_utf8_lossy(shaken.text(i)).into_owned());
    if declares { found.needs.extend(names) } else { found.defines.extend(names) }
}

/// The tokens of a declaration without initialisers and bodies.
fn declarators(shaken: &Shaken, range: std::ops::Range<usize>) -> Vec<usize> {
    let (mut tokens, mut at, mut value) = (Vec::new(), range.start, false);
    while at < range.end {
        match shaken.text(at) {
            b"=" => value = true,
            b"," => value = false,
            _ => {}
        }
        let opens = matches!(shaken.text(at), b"{" | b"[") || value && shaken.text(at) == b"(";
        if !value && !opens {
            tokens.push(at);
        }
        at = if opens { shaken.0.skip(at) } else { at + 1 };
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> (Vec<String>, Vec<String>) {
        let found = symbols(text.as_bytes(), "a.i").unwrap();
        let sorted = |set: FxHashSet<String>| {
            let mut list: Vec<String> = set.into_iter().collect();
            list.sort();
            list
        };
        (sorted(found.defines), sorted(found.needs))
    }

    #[test]
    fn definitions_and_what_they_use() {
        let text = "typedef int t; extern int used; extern int unused; int f(t); int g(t);\n\
            static int mine(void) { return f(used); } int given = 3, more[2]; extern int (*p)(int);\n\
            struct tag { int a; }; int h(void) { return mine() + p(1); }";
        let (defines, needs) = of(text);
        assert_eq!(defines, ["given", "h", "more"]);
        assert_eq!(needs, ["f", "p", "used"]);
        let (defines, needs) = of(
            "int f(void); int f(void) { return f(); } static inline int g(void) { return h(); }",
        );
        assert_eq!(defines, ["f"]);
        assert!(needs.is_empty());
    }
}
