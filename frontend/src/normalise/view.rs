//! Looking around in the tokens, and writing edits down.

use super::Edit;
use super::lex::{Lexeme, LexemeKind};
use super::words;
use std::borrow::Cow;

pub struct TokenView<'a> {
    pub input: &'a [u8],
    pub tokens: &'a [Lexeme],
    pub edits: &'a mut Vec<Edit>,
}

/// What a pair of braces holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Brace {
    /// The members of a struct or union.
    Record,
    /// Enumerators.
    Enum,
    /// Statements or an initialiser.
    Other,
}

impl<'a> TokenView<'a> {
    /// Of a token; empty beyond the last one.
    pub fn text(&self, i: usize) -> &'a [u8] {
        self.tokens.get(i).map_or(&[], |t| &self.input[t.start as usize..t.end as usize])
    }

    /// Of the token before `i`; empty if there is none.
    pub fn before(&self, i: usize) -> &'a [u8] {
        i.checked_sub(1).map_or(&[], |p| self.text(p))
    }

    pub fn kind(&self, i: usize) -> Option<LexemeKind> {
        self.tokens.get(i).map(|t| t.kind)
    }

    /// The other bracket of a pair.
    pub fn partner(&self, i: usize) -> usize {
        self.tokens.get(i).map_or(i, |t| t.partner as usize)
    }

    /// The token behind `i`, or behind the whole group that opens there.
    pub fn skip(&self, i: usize) -> usize {
        self.partner(i).max(i) + 1
    }

    /// A word that can be the name of something.
    pub fn is_name(&self, i: usize) -> bool {
        self.kind(i) == Some(LexemeKind::Word) && !words::is_reserved(self.text(i))
    }

    /// Behind all `__attribute__((...))` and `asm("...")` groups that start at `i`.
    pub(crate) fn skip_attributes(&self, mut i: usize) -> usize {
        while self.text(i + 1) == b"("
            && (words::is_attribute(self.text(i)) || words::is_asm(self.text(i)))
        {
            i = self.skip(i + 1);
        }
        i
    }

    /// The `)` at `i` ends a group whose opening stands behind such a word.
    pub(crate) fn closes_after(&self, i: usize, word: impl Fn(&[u8]) -> bool) -> bool {
        self.text(i) == b")" && word(self.before(self.partner(i)))
    }

    /// The first token from `i` on, outside of groups, that is `wanted`; `None` if `stop` or the
    /// end of the enclosing group comes first.
    pub fn find(&self, mut i: usize, wanted: &[u8], stop: impl Fn(&[u8]) -> bool) -> Option<usize> {
        loop {
            let text = self.text(i);
            if text == wanted {
                return Some(i);
            }
            if text.is_empty() || stop(text) || self.partner(i) < i {
                return None;
            }
            i = self.skip(i);
        }
    }

    pub fn brace(&self, open: usize) -> Brace {
        let mut i = open;
        let mut tag = false;
        while let Some(p) = i.checked_sub(1) {
            match self.text(p) {
                b"struct" | b"union" => return Brace::Record,
                b"enum" => return Brace::Enum,
                b")" if self.closes_after(p, words::is_attribute) => i = self.partner(p) - 1,
                b"]" if self.text(self.partner(p) + 1) == b"[" => i = self.partner(p),
                _ if self.is_name(p) && !tag => {
                    tag = true;
                    i = p;
                }
                _ => return Brace::Other,
            }
        }
        Brace::Other
    }

    pub fn replace(&mut self, i: usize, text: impl Into<Cow<'static, str>>) {
        self.replace_range(i, i, text);
    }

    pub(crate) fn delete(&mut self, first: usize, last: usize) {
        self.replace_range(first, last, " ");
    }

    /// Both ends belong to the range; an empty one is left alone.
    pub fn replace_range(&mut self, first: usize, last: usize, text: impl Into<Cow<'static, str>>) {
        if first > last {
            return;
        }
        if let (Some(a), Some(b)) = (self.tokens.get(first), self.tokens.get(last)) {
            self.push(a.start, b.end, i64::MAX, text.into());
        }
    }

    /// What is inserted before the same token stands in the order of the calls.
    pub(crate) fn insert_before(&mut self, i: usize, text: &'static str) {
        if let Some(t) = self.tokens.get(i) {
            self.push(t.start, t.start, self.edits.len() as i64, text.into());
        }
    }

    /// What is inserted behind the same token stands in the reverse order of the calls: the outer
    /// construct asks first and closes last.
    pub(crate) fn insert_after(&mut self, i: usize, text: impl Into<Cow<'static, str>>) {
        if let Some(t) = self.tokens.get(i) {
            self.push(t.end, t.end, -1 - self.edits.len() as i64, text.into());
        }
    }

    fn push(&mut self, start: u32, end: u32, rank: i64, text: Cow<'static, str>) {
        self.edits.push(Edit { start: start as usize, end: end as usize, rank, text });
    }
}
