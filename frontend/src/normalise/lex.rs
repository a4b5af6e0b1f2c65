//! Bytes to tokens, with comments, line markers and encodings dealt with on the way.
//!
//! A token is a stretch of the input; nothing is copied. What the parser must not see in this form
//! (comments, escapes that it does not know, bytes that are not UTF-8) is written down as an edit.
//! Brackets are matched here, because the parser could only say that the file ended too early.

use super::limits::Limits;
use super::{Edit, pack};
use crate::error::Error;
use crate::source::{Files, Lines};
use ir::names;
use std::borrow::Cow;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LexemeKind {
    Word,
    Number,
    /// A string literal with its prefix.
    Text,
    /// A character constant with its prefix.
    Char,
    /// One byte; longer operators are several tokens.
    Punct,
}

#[derive(Clone, Copy, Debug)]
pub struct Lexeme {
    pub kind: LexemeKind,
    pub start: u32,
    pub end: u32,
    /// Of a bracket: the token index of the other one. Of anything else: its own.
    pub partner: u32,
}

pub struct Lexed {
    pub tokens: Vec<Lexeme>,
    pub edits: Vec<Edit>,
    pub lines: Lines,
    /// Where the text starts, behind a byte order mark.
    pub first: usize,
    pub packs: Vec<pack::Pragma>,
}

const MEANINGFUL_PRAGMAS: &[&[u8]] = &[b"omp", b"weak", b"scalar_storage_order"];

/// Offsets are kept in 32 bits.
const MAX_BYTES: usize = 1 << 30;

pub fn lex(input: &[u8], name: &str, files: &mut Files) -> Result<Lexed, Error> {
    let first = if input.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let lines = Lines::new(files.intern(name), first);
    let mut lexer = Lexer {
        input,
        at: first,
        files,
        line_start: true,
        open: Vec::new(),
        limits: Limits::new(),
        out: Lexed {
            tokens: Vec::with_capacity(input.len().min(1 << 26) / 4),
            edits: Vec::new(),
            lines,
            first,
            packs: Vec::new(),
        },
    };
    lexer.check_encoding()?;
    while lexer.step()? {}
    lexer.check_closed()?;
    Ok(lexer.out)
}

struct Lexer<'a> {
    input: &'a [u8],
    at: usize,
    files: &'a mut Files,
    /// Only blanks so far in this line: a `#` starts a directive.
    line_start: bool,
    /// Token indices of the brackets that are open.
    open: Vec<u32>,
    limits: Limits,
    out: Lexed,
}

impl<'a> Lexer<'a> {
    fn check_encoding(&self) -> Result<(), Error> {
        let input = self.input;
        if input.len() > MAX_BYTES {
            return Err(self.error(0, "the file is larger than 1 GiB", None));
        }
        if input.starts_with(b"\xff\xfe") || input.starts_with(b"\xfe\xff") {
            let hint = "save it as UTF-8, e.g. with `iconv -f UTF-16 -t UTF-8`";
            return Err(self.error(0, "the file is UTF-16 text", Some(hint)));
        }
        Ok(())
    }

    fn check_closed(&self) -> Result<(), Error> {
        let Some(&index) = self.open.last() else { return Ok(()) };
        let token = self.out.tokens[index as usize];
        let open = self.input[token.start as usize] as char;
        let close = closing(open as u8) as char;
        let hint = format!("a `{close}` is missing after it, or the file is cut off");
        Err(self.error(token.start as usize, format!("`{open}` is never closed"), Some(&hint)))
    }

    /// Lexes what stands at `at`; false at the end.
    fn step(&mut self) -> Result<bool, Error> {
        let Some(&b) = self.input.get(self.at) else { return Ok(false) };
        match b {
            b'\n' => self.newline(),
            b' ' | b'\t' => self.at += 1,
            b'\r' | 0x0b | 0x0c => self.blank(self.at + 1),
            b'#' if self.line_start => self.directive()?,
            b'/' if self.peek(1) == b'*' => self.block_comment()?,
            b'/' if self.peek(1) == b'/' => self.line_comment(),
            b'\\' if self.splice_len(self.at) > 0 => self.splice(),
            b'"' | b'\'' => self.literal(self.at)?,
            b'0'..=b'9' => self.number()?,
            b'.' if self.peek(1).is_ascii_digit() => self.number()?,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'\\' | 0x80.. => self.word()?,
            b'(' | b'[' | b'{' => self.open_bracket()?,
            b')' | b']' | b'}' => self.close_bracket(b)?,
            b'!'..=b'~' if b != b'@' && b != b'`' => {
                self.push(LexemeKind::Punct, self.at, self.at + 1)?;
            }
            _ => return Err(self.unexpected_byte(b)),
        }
        Ok(true)
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.input.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn error(&self, at: usize, message: impl Into<String>, hint: Option<&str>) -> Error {
        self.files.error(self.out.lines.span(at), message, hint)
    }

    fn edit(&mut self, start: usize, end: usize, text: impl Into<Cow<'static, str>>) {
        self.out.edits.push(Edit { start, end, rank: i64::MAX, text: text.into() });
    }

    /// Shows the parser a space instead of the input up to `end`, and goes there.
    fn blank(&mut self, end: usize) {
        self.edit(self.at, end, " ");
        self.at = end;
    }

    fn newline(&mut self) {
        self.at += 1;
        self.out.lines.start(self.at);
        self.line_start = true;
    }

    fn push(&mut self, kind: LexemeKind, start: usize, end: usize) -> Result<(), Error> {
        let index = self.out.tokens.len() as u32;
        let (start32, end32) = (start as u32, end as u32);
        self.out.tokens.push(Lexeme { kind, start: start32, end: end32, partner: index });
        self.at = end;
        self.line_start = false;
        self.limits.take(kind, &self.input[start..end]);
        if self.limits.exceeded() {
            let hint = "split the expression or statement into smaller ones";
            return Err(self.error(start, "the program is too deeply nested", Some(hint)));
        }
        Ok(())
    }

    fn open_bracket(&mut self) -> Result<(), Error> {
        let sizeof = self.out.tokens.last().is_some_and(|t| {
            matches!(
                &self.input[t.start as usize..t.end as usize],
                b"sizeof" | b"_Alignof" | b"__alignof__" | b"__alignof"
            )
        });
        self.push(LexemeKind::Punct, self.at, self.at + 1)?;
        self.limits.open(sizeof);
        self.open.push(self.out.tokens.len() as u32 - 1);
        Ok(())
    }

    fn close_bracket(&mut self, found: u8) -> Result<(), Error> {
        let Some(index) = self.open.pop() else {
            let message = format!("`{}` closes nothing", found as char);
            return Err(self.error(
                self.at,
                message,
                Some("one too many, or its opening is missing"),
            ));
        };
        let partner = self.out.tokens[index as usize];
        let wanted = closing(self.input[partner.start as usize]);
        if wanted != found {
            return Err(self.wrong_bracket(partner, wanted, found));
        }
        self.limits.close();
        self.push(LexemeKind::Punct, self.at, self.at + 1)?;
        let last = self.out.tokens.len() - 1;
        self.out.tokens[last].partner = index;
        self.out.tokens[index as usize].partner = last as u32;
        Ok(())
    }

    fn wrong_bracket(&self, open: Lexeme, wanted: u8, found: u8) -> Error {
        let start = open.start as usize;
        let line = self.out.lines.span(start).line;
        let (opened, wanted) = (self.input[start] as char, wanted as char);
        let message = format!("expected `{wanted}`, found `{}`", found as char);
        let hint = format!("the `{opened}` of line {line} is still open");
        self.error(self.at, message, Some(&hint))
    }

    fn unexpected_byte(&self, b: u8) -> Error {
        match b {
            0 => {
                let hint = "this looks like a binary file or UTF-16 text, not C source";
                self.error(self.at, "unexpected NUL byte", Some(hint))
            }
            b'!'..=b'~' => self.error(self.at, format!("unexpected `{}`", b as char), None),
            _ => self.error(self.at, format!("unexpected byte 0x{b:02x}"), None),
        }
    }

    /// Length of a backslash and the end of line behind it (GNU allows blanks between), or 0.
    fn splice_len(&self, at: usize) -> usize {
        let blanks = self.input[at + 1..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r'));
        let end = at + 1 + blanks.count();
        if self.input.get(end) == Some(&b'\n') { end + 1 - at } else { 0 }
    }

    fn splice(&mut self) {
        let len = self.splice_len(self.at);
        self.blank(self.at + len);
        self.out.lines.start(self.at);
    }

    fn block_comment(&mut self) -> Result<(), Error> {
        let start = self.at;
        let mut at = start + 2;
        loop {
            match self.input.get(at) {
                None => {
                    let hint = Some("a `*/` is missing");
                    return Err(self.error(start, "the comment is never closed", hint));
                }
                Some(b'*') if self.input.get(at + 1) == Some(&b'/') => break,
                Some(b'\n') => self.out.lines.start(at + 1),
                Some(_) => {}
            }
            at += 1;
        }
        self.blank(at + 2);
        Ok(())
    }

    fn line_comment(&mut self) {
        let end = self.line_end(self.at, |_| false);
        self.blank(end);
    }

    /// The end of the line that goes on over splices, or the first place where `stop` holds.
    fn line_end(&mut self, mut at: usize, stop: impl Fn(&[u8]) -> bool) -> usize {
        while at < self.input.len() && self.input[at] != b'\n' && !stop(&self.input[at..]) {
            let splice = if self.input[at] == b'\\' { self.splice_len(at) } else { 0 };
            if splice > 0 {
                at += splice;
                self.out.lines.start(at);
            } else {
                at += 1;
            }
        }
        at
    }

    fn directive(&mut self) -> Result<(), Error> {
        let start = self.at;
        let end = self.line_end(start, |rest| rest.starts_with(b"/*"));
        let body = self.input[start + 1..end].trim_ascii();
        let word_len = body.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        let (word, rest) = body.split_at(word_len);
        match word {
            b"" if body.is_empty() => {}
            b"pragma" => self.ignore_pragma(start, rest.trim_ascii()),
            b"ident" | b"sccs" => {}
            b"line" => self.line_marker(start, rest.trim_ascii())?,
            _ if word.first().is_some_and(u8::is_ascii_digit) => self.line_marker(start, body)?,
            _ => return Err(self.unexpected_directive(start, word)),
        }
        self.blank(end);
        Ok(())
    }

    /// Most pragmas speak to the compiler; some change what the program means.
    fn ignore_pragma(&mut self, start: usize, body: &[u8]) {
        if let Some(arguments) = pack::arguments(&String::from_utf8_lossy(body)) {
            return self.out.packs.push(pack::Pragma { at: start, arguments });
        }
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let word: Vec<u8> = body.iter().copied().take_while(is_word).collect();
        if MEANINGFUL_PRAGMAS.contains(&word.as_slice()) {
            let word = String::from_utf8_lossy(&word);
            let text = format!("`#pragma {word}` is not modelled: taken not to be there");
            let span = self.error(start, "", None).span;
            self.files.ignored.push((text, span));
        }
    }

    fn unexpected_directive(&self, start: usize, word: &[u8]) -> Error {
        let word = String::from_utf8_lossy(word);
        let message = format!("`#{word}` in a text that should be preprocessed already");
        let hint = "preprocess it with `cc -E`, or give it a name that ends in .c";
        self.error(start, message, Some(hint))
    }

    /// `12 "file.c" 1 3` and the like.
    fn line_marker(&mut self, start: usize, body: &[u8]) -> Result<(), Error> {
        let digits = body.iter().take_while(|b| b.is_ascii_digit()).count();
        let number = std::str::from_utf8(&body[..digits]).ok().and_then(|d| d.parse().ok());
        let Some(line) = number else {
            return Err(self.error(start, "a line marker without a line number", None));
        };
        let file = quoted(body[digits..].trim_ascii_start()).map(|name| self.files.intern(&name));
        self.out.lines.mark(file, line);
        Ok(())
    }

    fn number(&mut self) -> Result<(), Error> {
        let start = self.at;
        let mut at = start;
        while let Some(&b) = self.input.get(at) {
            let next = self.input.get(at + 1).copied().unwrap_or(0);
            at += match b {
                b'e' | b'E' | b'p' | b'P' if matches!(next, b'+' | b'-') => {
                    let hex = self.input[start..].starts_with(b"0x")
                        || self.input[start..].starts_with(b"0X");
                    if hex && matches!(b, b'e' | b'E') { 1 } else { 2 }
                }
                b'.' | b'_' => 1,
                b if b.is_ascii_alphanumeric() => 1,
                b'\'' if next.is_ascii_hexdigit() => {
                    self.edit(at, at + 1, "");
                    1
                }
                _ => break,
            };
        }
        self.push(LexemeKind::Number, start, at)
    }

    fn word(&mut self) -> Result<(), Error> {
        let start = self.at;
        let mut plain = true;
        while let Some(&b) = self.input.get(self.at) {
            match b {
                b'_' => self.at += 1,
                b if b.is_ascii_alphanumeric() => self.at += 1,
                b'$' | 0x80.. => {
                    self.odd_letter()?;
                    plain = false;
                }
                b'\\' => {
                    if !self.inside_word()? {
                        break;
                    }
                    plain = false;
                }
                _ => break,
            }
        }
        let word = &self.input[start..self.at];
        if matches!(self.peek(0), b'"' | b'\'') && matches!(word, b"L" | b"u" | b"U" | b"u8") {
            return self.literal(start);
        }
        if !plain || word.starts_with(b"__obmc_x") {
            self.rename(start);
        }
        self.push(LexemeKind::Word, start, self.at)
    }

    /// Checks the character at `at`, which is no plain letter, and goes past it.
    fn odd_letter(&mut self) -> Result<(), Error> {
        let Some(c) = char_at(self.input, self.at) else {
            let message = format!("byte 0x{:02x} is not UTF-8 text", self.input[self.at]);
            let hint = "outside of strings and comments only UTF-8 is allowed";
            return Err(self.error(self.at, message, Some(hint)));
        };
        if c != '$' && !c.is_alphanumeric() {
            let hint = match c {
                '\u{2018}'..='\u{201f}' => Some("a typographic quote: write \" or '"),
                '\u{a0}' => Some("a no-break space: write a plain one"),
                _ => None,
            };
            let message = format!("unexpected character `{}`", c.escape_debug());
            return Err(self.error(self.at, message, hint));
        }
        self.at += c.len_utf8();
        Ok(())
    }

    /// A backslash in or before a name: a splice with more of the name behind it, or `\u00e9`.
    /// False if the name ends before it.
    fn inside_word(&mut self) -> Result<bool, Error> {
        let splice = self.splice_len(self.at);
        if splice > 0 {
            let next = self.input.get(self.at + splice).copied().unwrap_or(0);
            let more = next.is_ascii_alphanumeric() || matches!(next, b'_' | b'$' | 0x80..);
            if more {
                self.at += splice;
                self.out.lines.start(self.at);
            }
            return Ok(more);
        }
        match universal(&self.input[self.at..]) {
            Some((c, len)) if c.is_alphanumeric() => {
                self.at += len;
                Ok(true)
            }
            _ => Err(self.error(self.at, "stray `\\`", None)),
        }
    }

    /// Gives the name from `start` to `at` a spelling that the parser accepts.
    fn rename(&mut self, start: usize) {
        let mut name = String::new();
        let mut at = start;
        while at < self.at {
            let splice = if self.input[at] == b'\\' { self.splice_len(at) } else { 0 };
            if splice > 0 {
                at += splice;
            } else if let Some((c, len)) = universal(&self.input[at..]) {
                name.push(c);
                at += len;
            } else if let Some(c) = char_at(self.input, at) {
                name.push(c);
                at += c.len_utf8();
            } else {
                at += 1;
            }
        }
        let code = names::encode(&name).into_owned();
        self.edit(start, self.at, code);
    }

    /// A string or character constant; `at` is at its quote, `start` at its prefix.
    fn literal(&mut self, start: usize) -> Result<(), Error> {
        let quote = self.input[self.at];
        self.at += 1;
        loop {
            match self.peek(0) {
                b if b == quote => break,
                b'\n' => return Err(self.unterminated(start, quote)),
                0 if self.at >= self.input.len() => return Err(self.unterminated(start, quote)),
                0 => return Err(self.unexpected_byte(0)),
                b'\\' => self.escape(),
                b if b < 0x80 => self.at += 1,
                b => match char_at(self.input, self.at) {
                    Some(c) => self.at += c.len_utf8(),
                    None => {
                        self.edit(self.at, self.at + 1, format!("\\{b:03o}"));
                        self.at += 1;
                    }
                },
            }
        }
        let kind = if quote == b'"' { LexemeKind::Text } else { LexemeKind::Char };
        if kind == LexemeKind::Char && self.input[start..].starts_with(b"u8") {
            self.edit(start, start + 2, "((unsigned char)");
            self.edit(self.at + 1, self.at + 1, ")");
        }
        self.push(kind, start, self.at + 1)
    }

    fn unterminated(&self, start: usize, quote: u8) -> Error {
        let what = if quote == b'"' { "string" } else { "character constant" };
        let hint = format!("a `{}` is missing in this line", quote as char);
        self.error(start, format!("the {what} is never closed"), Some(&hint))
    }

    /// A backslash in a literal. The parser knows C11's escapes but `\u`.
    fn escape(&mut self) {
        let splice = self.splice_len(self.at);
        if splice > 0 {
            self.edit(self.at, self.at + splice, "");
            self.at += splice;
            self.out.lines.start(self.at);
            return;
        }
        match self.peek(1) {
            b'e' | b'E' => {
                self.edit(self.at, self.at + 2, "\\033");
                self.at += 2;
            }
            b'\''
            | b'"'
            | b'?'
            | b'\\'
            | b'a'
            | b'b'
            | b'f'
            | b'n'
            | b'r'
            | b't'
            | b'v'
            | b'0'..=b'7' => self.at += 2,
            b'x' if self.peek(2).is_ascii_hexdigit() => self.at += 2,
            _ => match universal(&self.input[self.at..]) {
                Some((c, len)) => {
                    let text =
                        if c.is_ascii() { format!("\\{:03o}", c as u32) } else { c.to_string() };
                    self.edit(self.at, self.at + len, text);
                    self.at += len;
                }
                // As gcc does with an unknown escape: it stands for its character.
                None => {
                    self.edit(self.at, self.at + 1, "");
                    self.at += 1;
                }
            },
        }
    }
}

fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

/// The UTF-8 character at `at`, if there is one.
fn char_at(input: &[u8], at: usize) -> Option<char> {
    let end = input.len().min(at + 4);
    let bytes = &input[at..end];
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => std::str::from_utf8(&bytes[..e.valid_up_to()]).ok()?,
    };
    valid.chars().next()
}

/// `\u00e9` or `\U000000e9` with its length.
fn universal(input: &[u8]) -> Option<(char, usize)> {
    let digits = match input {
        [b'\\', b'u', ..] => 4,
        [b'\\', b'U', ..] => 8,
        _ => return None,
    };
    let hex = input.get(2..2 + digits)?;
    if !hex.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let code = u32::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()?;
    Some((char::from_u32(code)?, 2 + digits))
}

/// The text of a leading `"..."`, with its escapes undone.
fn quoted(input: &[u8]) -> Option<String> {
    let mut bytes = input.strip_prefix(b"\"")?.iter().copied();
    let mut name = Vec::new();
    loop {
        match bytes.next()? {
            b'"' => return Some(String::from_utf8_lossy(&name).into_owned()),
            b'\\' => name.push(bytes.next()?),
            b => name.push(b),
        }
    }
}
