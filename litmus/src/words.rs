//! Tokens of initial states, conditions and operands: names, numbers, punctuation.

use crate::error::Error;

#[derive(Clone, PartialEq, Debug)]
pub enum Word {
    Name(String),
    Number(i64),
    Sign(&'static str),
}

const SIGNS: &[&str] = &[
    "/\\", "\\/", "==", "!=", "<=", ">=", "&&", "||", "->", "=", "<", ">", "~", "(", ")", "[", "]",
    "{", "}", ";", ",", ":", "*", "&", "+", "-", "!", "#",
];

/// A list of words that is read from the front.
#[derive(Clone, Debug)]
pub struct Words {
    words: Vec<(Word, usize)>,
    at: usize,
    last_line: usize,
}

impl Words {
    /// `first_line`: of the text.
    pub fn new(text: &str, first_line: usize) -> Result<Self, Error> {
        let mut words = Vec::new();
        let mut line = first_line;
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if c == '\n' {
                line += 1;
            }
            if c.is_whitespace() {
                rest = &rest[c.len_utf8()..];
                continue;
            }
            let (word, len) = word(rest)
                .ok_or_else(|| Error::new(line, format!("unexpected character `{c}`")))?;
            words.push((word, line));
            rest = &rest[len..];
        }
        Ok(Self { words, at: 0, last_line: line })
    }

    pub fn line(&self) -> usize {
        self.words.get(self.at).map_or(self.last_line, |(_, line)| *line)
    }

    pub fn peek(&self) -> Option<&Word> {
        self.peek_at(0)
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> Option<&Word> {
        self.words.get(self.at + ahead).map(|(word, _)| word)
    }

    pub fn next(&mut self) -> Option<Word> {
        let word = self.peek().cloned();
        self.at += usize::from(word.is_some());
        word
    }

    pub fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Word::Sign(s)) if *s == sign)
    }

    pub fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn eat_name(&mut self, name: &str) -> bool {
        let found = matches!(self.peek(), Some(Word::Name(n)) if n == name);
        self.at += usize::from(found);
        found
    }

    pub fn want(&mut self, sign: &str) -> Result<(), Error> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{sign}`"))),
        }
    }

    pub fn name(&mut self) -> Result<String, Error> {
        match self.peek() {
            Some(Word::Name(name)) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    /// A number with an optional sign.
    pub fn number(&mut self) -> Result<i64, Error> {
        let negative = self.eat("-");
        match self.next() {
            Some(Word::Number(n)) if negative => Ok(n.wrapping_neg()),
            Some(Word::Number(n)) => Ok(n),
            _ => Err(self.unexpected("a number")),
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.words.len()
    }

    pub fn unexpected(&self, wanted: &str) -> Error {
        let found = match self.peek() {
            None => "the end".into(),
            Some(Word::Name(name)) => format!("`{name}`"),
            Some(Word::Number(n)) => format!("`{n}`"),
            Some(Word::Sign(sign)) => format!("`{sign}`"),
        };
        Error::new(self.line(), format!("expected {wanted}, found {found}"))
    }
}

fn word(rest: &str) -> Option<(Word, usize)> {
    let first = rest.chars().next()?;
    if first.is_ascii_digit() {
        let len = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        return Some((Word::Number(number(&rest[..len])?), len));
    }
    if first.is_ascii_alphabetic() || matches!(first, '_' | '%' | '$' | '.') {
        let inside =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '%' | '$' | '\'');
        let len = rest[1..].find(|c| !inside(c)).map_or(rest.len(), |i| i + 1);
        return Some((Word::Name(rest[..len].to_string()), len));
    }
    let sign = SIGNS.iter().find(|s| rest.starts_with(**s))?;
    Some((Word::Sign(sign), sign.len()))
}

/// C's integer constants; wrapped to 64 bits.
pub fn number(text: &str) -> Option<i64> {
    let text = text.trim_end_matches(['u', 'U', 'l', 'L']).replace('_', "");
    let (digits, radix) = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => (digits.to_string(), 16),
        None => match text.strip_prefix("0b") {
            Some(digits) => (digits.to_string(), 2),
            None => (text, 10),
        },
    };
    u64::from_str_radix(&digits, radix).ok().map(|n| n as i64)
}
