//! Syntax errors in words: what was found, what was expected, and what may be missing.

use crate::error::Error;
use crate::source::{Files, SourceMap};
use ir::names;
use lang_c::driver::SyntaxError;

/// The text around a syntax error.
pub struct Syntax<'a> {
    pub text: &'a [u8],
    pub map: &'a SourceMap,
}

/// A token of the normalised text; empty at its end.
#[derive(Clone, Copy)]
struct FoundToken<'a> {
    start: usize,
    text: &'a [u8],
}

impl FoundToken<'_> {
    fn is_name(&self) -> bool {
        self.text.first().is_some_and(|&b| is_word_byte(b) && !b.is_ascii_digit())
    }

    fn show(&self) -> String {
        let text = String::from_utf8_lossy(self.text);
        let short: String = names::decode(&text).chars().take(40).collect();
        format!("`{short}`")
    }
}

impl<'a> Syntax<'a> {
    pub fn describe(&self, error: &SyntaxError, files: &Files) -> Error {
        let wants = |token: &str| error.expected.contains(token);
        let found = self.found(error);
        let what = match found.text {
            [] => "unexpected end of file".to_owned(),
            _ => format!("unexpected {}", found.show()),
        };
        let message = match expected(wants) {
            list if list.is_empty() => what,
            list => format!("{what}, expected {list}"),
        };
        let hint = self.hint(found, wants);
        files.error(self.map.span(found.start), message, hint.as_deref())
    }

    /// The parser stops behind a keyword that it would have liked to be the start of a name.
    fn found(&self, error: &SyntaxError) -> FoundToken<'a> {
        let at = error.offset.min(self.text.len());
        let inside = error.expected.iter().all(|e| matches!(*e, "[_a-zA-Z0-9]" | "identifier"));
        match self.token_before(at) {
            Some(word) if inside && word.start + word.text.len() == at && word.is_name() => word,
            _ => self.token_from(at),
        }
    }

    fn token_from(&self, at: usize) -> FoundToken<'a> {
        let blanks = self.text[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let start = at + blanks;
        let rest = &self.text[start..];
        let word = rest.iter().take_while(|&&b| is_word_byte(b)).count();
        let len = match rest.first() {
            Some(b'"') => 1 + rest[1..].iter().take_while(|&&b| b != b'"').count() + 1,
            _ => word.max(1),
        };
        FoundToken { start, text: &rest[..len.min(rest.len())] }
    }

    fn token_before(&self, at: usize) -> Option<FoundToken<'a>> {
        let end = self.text[..at].iter().rposition(|b| !b.is_ascii_whitespace())? + 1;
        let word = self.text[..end].iter().rev().take_while(|&&b| is_word_byte(b)).count();
        let start = end - word.max(1);
        Some(FoundToken { start, text: &self.text[start..end] })
    }

    fn hint(&self, found: FoundToken, wants: impl Fn(&str) -> bool) -> Option<String> {
        let before = self.token_before(found.start)?;
        let line = |f: FoundToken| self.map.span(f.start).line;
        let same_line = line(before) == line(found);
        let declares = found.is_name() || found.text == b"*";
        if declares && before.is_name() && same_line && !is_keyword(before) {
            return Some(unknown_type(before));
        }
        if wants(";") && (!same_line || found.text.is_empty()) {
            return Some(format!("a `;` may be missing at the end of line {}", line(before)));
        }
        if found.is_name() && !is_keyword(found) && wants("<typedef_name>") {
            return Some(unknown_type(found));
        }
        None
    }
}

fn unknown_type(name: FoundToken) -> String {
    format!("is {} a type? its header may be missing", name.show())
}

fn is_keyword(word: FoundToken) -> bool {
    crate::normalise::is_reserved(word.text)
}

fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

/// The most telling ones of what the parser would have taken, in words.
fn expected(wants: impl Fn(&str) -> bool) -> String {
    let mut list = Vec::new();
    for token in [";", ")", "]", "}", ":", ",", "("] {
        if wants(token) {
            list.push(format!("`{token}`"));
        }
    }
    if wants("<typedef_name>") {
        list.push("a type".to_owned());
    } else if wants("~") {
        list.push("an expression".to_owned());
    } else if wants("[_a-zA-Z]") || wants("identifier") {
        list.push("a name".to_owned());
    }
    list.truncate(3);
    match list.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
