//! Text to tokens.
//!
//! Names may hold `.`, `-` and `'` inside (`po-loc`, `DMB.SY`, `fence.r.rw`). Comments are `(* *)`,
//! which nest, `/* */`, and `//` or `#` to the end of the line. Each token knows its place.

use crate::error::{Complaint, Span};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Tok {
    Name(String),
    Text(String),
    Zero,
    /// Punctuation: one of `PUNCTUATION`.
    Sign(&'static str),
    End,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub tok: Tok,
    pub span: Span,
}

/// Longest first.
const PUNCTUATION: &[&str] = &[
    "^-1", "^+", "^*", "^?", "->", "||", "&&", "++", "|", ";", "\\", "&", "~", "*", "+", "?", "(",
    ")", "[", "]", "{", "}", ",", "=", "_", "!",
];

pub(crate) fn tokens(text: &str, file: usize) -> Result<Vec<Token>, Complaint> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at = skip_blank(text, at, file)?;
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { break };
        let (tok, len) = if is_name_start(rest) {
            let len = name_len(rest);
            (Tok::Name(rest[..len].to_string()), len)
        } else if first == '0' {
            (Tok::Zero, 1)
        } else if first == '"' {
            let close = rest[1..].find('"');
            let len = close.ok_or_else(|| {
                let span = Span { file, start: at, end: at + 1 };
                Complaint::new(span, "this string does not end").hint("add the closing \"")
            })?;
            (Tok::Text(rest[1..1 + len].to_string()), len + 2)
        } else if let Some(sign) = PUNCTUATION.iter().find(|p| rest.starts_with(**p)) {
            (Tok::Sign(sign), sign.len())
        } else {
            let span = Span { file, start: at, end: at + first.len_utf8() };
            return Err(Complaint::new(span, format!("cat has no character `{first}`")));
        };
        tokens.push(Token { tok, span: Span { file, start: at, end: at + len } });
        at += len;
    }
    tokens.push(Token { tok: Tok::End, span: Span { file, start: text.len(), end: text.len() } });
    Ok(tokens)
}

fn is_name_start(rest: &str) -> bool {
    let mut chars = rest.chars();
    match chars.next() {
        Some(c) if c.is_ascii_alphabetic() => true,
        Some('_') => chars.next().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_'),
        _ => false,
    }
}

fn name_len(rest: &str) -> usize {
    let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '\'');
    let len = rest.find(|c| !inside(c)).unwrap_or(rest.len());
    // A name does not end in `.` or `-`.
    rest[..len].trim_end_matches(['.', '-']).len()
}

fn skip_blank(text: &str, mut at: usize, file: usize) -> Result<usize, Complaint> {
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start().len();
        let rest = &text[at..];
        if rest.starts_with("//") || rest.starts_with('#') {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("(*") {
            at += comment(rest).ok_or_else(|| unended(file, at))?;
        } else if rest.starts_with("/*") {
            at += rest.find("*/").ok_or_else(|| unended(file, at))? + 2;
        } else {
            return Ok(at);
        }
    }
}

fn unended(file: usize, at: usize) -> Complaint {
    Complaint::new(Span { file, start: at, end: at + 2 }, "this comment does not end")
}

/// The length of the comment that `rest` starts with. Comments nest, as with herd7; one that does not end
/// so is Dat3M's, whose comments end at the first `*)` (they may mention `(*p)`).
fn comment(rest: &str) -> Option<usize> {
    nested(rest).or_else(|| rest[2..].find("*)").map(|at| at + 4))
}

/// The length of a nested comment that `rest` starts with.
fn nested(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let (mut depth, mut at) = (0usize, 0);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"(*" => (depth, at) = (depth + 1, at + 2),
            b"*)" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
