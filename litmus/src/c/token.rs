//! Tokens of the C that litmus tests are written in.

use crate::error::Error;
use crate::words::number;

#[derive(Clone, PartialEq, Debug)]
pub enum Token {
    Name(String),
    Number(i64),
    Sign(&'static str),
}

const SIGNS: &[&str] = &[
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "++", "--", "+=", "-=", "(", ")", "{",
    "}", "[", "]", ";", ",", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "?",
    ":", ".",
];

/// Tokens with their lines.
pub fn tokens(text: &str, first_line: usize) -> Result<Vec<(Token, usize)>, Error> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (text, first_line);
    while let Some(c) = rest.chars().next() {
        let comment = comment_len(rest);
        let len = if c.is_whitespace() {
            c.len_utf8()
        } else if comment > 0 {
            comment
        } else if c.is_ascii_digit() {
            let len = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let n = number(&rest[..len])
                .ok_or_else(|| Error::new(line, format!("`{}` is no number", &rest[..len])))?;
            tokens.push((Token::Number(n), line));
            len
        } else if c.is_ascii_alphabetic() || c == '_' {
            let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let len = rest.find(|c| !inside(c)).unwrap_or(rest.len());
            tokens.push((Token::Name(rest[..len].to_string()), line));
            len
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            tokens.push((Token::Sign(sign), line));
            sign.len()
        } else {
            return Err(Error::new(line, format!("unexpected character `{c}`")));
        };
        line += rest[..len].matches('\n').count();
        rest = &rest[len..];
    }
    Ok(tokens)
}

fn comment_len(rest: &str) -> usize {
    if rest.starts_with("//") {
        rest.find('\n').unwrap_or(rest.len())
    } else if rest.starts_with("/*") {
        rest.find("*/").map_or(rest.len(), |i| i + 2)
    } else {
        0
    }
}
