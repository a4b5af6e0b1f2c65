//! Bytes of a file to preprocessing tokens, one at a time.
//!
//! Lines that end in a backslash are joined before anything else is looked at (`Text`); `joints`
//! remembers where, so that lines and columns stay those of the file. Comments count as blanks.
//!
//! Invariant: `next_in_line` never reads past the end of the line, so a directive sees its own
//! tokens only, and what it changes (line numbers, the file) holds for the token behind it.

use super::token::{Kind, Symbols, Token};
use std::rc::Rc;

/// A file, or some pieces of one, with joined lines.
#[derive(Default)]
pub struct Text {
    pub bytes: Vec<u8>,
    joints: Vec<Joint>,
}

/// At this offset starts a line whose number is not that of the line before it plus one.
struct Joint {
    at: usize,
    /// What is to be added to the number that counting ends of lines gives.
    lines: u32,
}

/// Some whole lines of a file.
pub struct WholeLines<'a> {
    pub text: &'a [u8],
    pub line: u32,
    /// The line behind it.
    pub next: u32,
}

pub struct Lexer {
    text: Rc<Text>,
    at: usize,
    passed_joints: usize,
    line: u32,
    line_start: usize,
    /// No token so far in this line.
    fresh: bool,
    space: bool,
    peeked: Option<Token>,
    /// A comment that never ends.
    pub open_comment: bool,
}

const THREE: &[&[u8]] = &[b"...", b"<<=", b">>="];
const TWO: &[&[u8]] = &[
    b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||", b"+=", b"-=",
    b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"##", b"%:",
];

impl Text {
    pub fn new(file: &[u8]) -> Text {
        let mut text = Text::default();
        text.join(file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file));
        text
    }

    /// Needs: the pieces are in the order of the file, none within another.
    pub(crate) fn of_pieces<'a>(pieces: impl Iterator<Item = WholeLines<'a>>) -> Text {
        let mut text = Text::default();
        let mut line = 1;
        for piece in pieces {
            if piece.line > line {
                text.joints.push(Joint { at: text.bytes.len(), lines: piece.line - line });
            }
            text.join(piece.text);
            line = piece.next;
        }
        text
    }

    /// Adds `file` without each backslash at the end of a line, and that end of line.
    fn join(&mut self, file: &[u8]) {
        let mut rest = file;
        while let Some(at) = rest.iter().position(|&b| b == b'\\') {
            let blanks = rest[at + 1..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r'));
            let end = at + 1 + blanks.count();
            if rest.get(end) == Some(&b'\n') {
                self.bytes.extend_from_slice(&rest[..at]);
                self.joints.push(Joint { at: self.bytes.len(), lines: 1 });
                rest = &rest[end + 1..];
            } else {
                self.bytes.extend_from_slice(&rest[..at + 1]);
                rest = &rest[at + 1..];
            }
        }
        self.bytes.extend_from_slice(rest);
    }
}

impl Lexer {
    pub fn new(text: &[u8]) -> Lexer {
        Lexer::of(Text::new(text).into())
    }

    pub fn of(text: Rc<Text>) -> Lexer {
        let mut lexer = Lexer {
            text,
            at: 0,
            passed_joints: 0,
            line: 1,
            line_start: 0,
            fresh: true,
            space: false,
            peeked: None,
            open_comment: false,
        };
        lexer.advance(0);
        lexer
    }

    /// The line of what comes next.
    pub fn line(&self) -> u32 {
        self.peeked.map_or(self.line, |token| token.line)
    }

    /// The line behind this one is called `line`.
    pub(crate) fn next_line_is(&mut self, line: u32) {
        self.line = line.wrapping_sub(1);
    }

    pub fn peek(&mut self, symbols: &mut Symbols) -> Option<Token> {
        if self.peeked.is_none() {
            self.peeked = self.next(symbols);
        }
        self.peeked
    }

    pub fn next(&mut self, symbols: &mut Symbols) -> Option<Token> {
        if let Some(token) = self.peeked.take() {
            return Some(token);
        }
        loop {
            if let Some(token) = self.next_in_line(symbols) {
                return Some(token);
            }
            if self.at >= self.text.bytes.len() {
                return None;
            }
            self.end_line();
        }
    }

    /// The next token of this line, `None` at its end.
    pub(crate) fn next_in_line(&mut self, symbols: &mut Symbols) -> Option<Token> {
        self.skip_blanks();
        let first = *self.text.bytes.get(self.at).filter(|&&b| b != b'\n')?;
        let start = self.at;
        let (kind, len) = scan(&self.text.bytes[start..], first);
        let token = Token {
            kind,
            text: symbols.intern(&self.text.bytes[start..start + len]),
            line: self.line,
            column: (start - self.line_start) as u32,
            space: self.space,
            first: self.fresh,
            fixed: false,
            made: false,
        };
        self.fresh = false;
        self.space = false;
        self.advance(start + len);
        Some(token)
    }

    /// The rest of the line as it is written, without blanks around it; `None` if a comment in it
    /// goes on in the next one.
    pub(crate) fn rest_of_line(&mut self) -> Option<&[u8]> {
        self.skip_blanks();
        let start = self.at;
        let len = self.text.bytes[start..].iter().position(|&b| b == b'\n');
        let end = len.map_or(self.text.bytes.len(), |len| start + len);
        self.advance(end);
        let line = self.text.bytes[start..end].trim_ascii_end();
        let find = |mark: &[u8]| line.windows(2).rposition(|two| two == mark);
        let closed = find(b"/*").is_none_or(|open| find(b"*/").is_some_and(|end| end > open));
        closed.then_some(line)
    }

    fn end_line(&mut self) {
        self.at += 1;
        self.line = self.line.wrapping_add(1);
        self.line_start = self.at;
        self.fresh = true;
        self.space = false;
        self.advance(self.at);
    }

    /// Goes to `to`, within the line but for joints.
    fn advance(&mut self, to: usize) {
        self.at = to;
        while let Some(joint) = self.text.joints.get(self.passed_joints).filter(|j| j.at <= to) {
            self.line_start = joint.at;
            self.line = self.line.wrapping_add(joint.lines);
            self.passed_joints += 1;
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            match (self.byte(0), self.byte(1)) {
                (b' ' | b'\t' | b'\r' | 0x0b | 0x0c, _) => self.advance(self.at + 1),
                (b'/', b'/') => {
                    let rest = &self.text.bytes[self.at..];
                    let len = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                    self.advance(self.at + len);
                }
                (b'/', b'*') => self.skip_comment(),
                _ => return,
            }
            self.space = true;
        }
    }

    fn skip_comment(&mut self) {
        self.advance(self.at + 2);
        loop {
            match (self.byte(0), self.byte(1)) {
                (b'*', b'/') => return self.advance(self.at + 2),
                (b'\n', _) => {
                    // The comment is part of one line, whatever lines it covers.
                    let fresh = self.fresh;
                    self.end_line();
                    self.fresh = fresh;
                }
                _ if self.at >= self.text.bytes.len() => {
                    self.open_comment = true;
                    return;
                }
                _ => self.advance(self.at + 1),
            }
        }
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }
}

/// Kind and length of the token that `text` starts with.
pub fn scan(text: &[u8], first: u8) -> (Kind, usize) {
    match first {
        b'0'..=b'9' => (Kind::Number, number_len(text)),
        b'.' if text.get(1).is_some_and(u8::is_ascii_digit) => (Kind::Number, number_len(text)),
        b'"' | b'\'' => literal(text, 0),
        _ if is_name_byte(first) => {
            let len = text.iter().take_while(|&&b| is_name_byte(b)).count();
            let prefix = matches!(&text[..len], b"L" | b"u" | b"U" | b"u8");
            match text.get(len) {
                Some(b'"' | b'\'') if prefix => literal(text, len),
                _ => (Kind::Name, len),
            }
        }
        b'!'..=b'~' if !matches!(first, b'@' | b'`' | b'\\') => {
            let starts = |list: &[&[u8]]| list.iter().any(|word| text.starts_with(word));
            let len = if starts(THREE) { 3 } else { 1 + usize::from(starts(TWO)) };
            (Kind::Punct, len)
        }
        _ => (Kind::Other, 1),
    }
}

pub(crate) fn is_name_byte(b: u8) -> bool {
    NAME_BYTES[usize::from(b)]
}

/// Letters, digits, `_`, `$` and all beyond ASCII. Every byte of a program is asked for, twice.
static NAME_BYTES: [bool; 256] = {
    let mut bytes = [false; 256];
    let mut b = 0;
    while b < 256 {
        let byte = b as u8;
        bytes[b] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
        b += 1;
    }
    bytes
};

fn number_len(text: &[u8]) -> usize {
    let mut len = 1;
    while let Some(&b) = text.get(len) {
        let sign = matches!(b, b'+' | b'-') && matches!(text[len - 1] | 0x20, b'e' | b'p');
        // C23: 1'000
        let separates = b == b'\'' && text.get(len + 1).is_some_and(u8::is_ascii_hexdigit);
        if !is_name_byte(b) && b != b'.' && !sign && !separates {
            break;
        }
        len += 1;
    }
    len
}

/// The literal whose quote stands at `quote`; the quote alone if it is not closed in this line.
fn literal(text: &[u8], quote: usize) -> (Kind, usize) {
    let mut at = quote + 1;
    while let Some(&b) = text.get(at).filter(|&&b| b != b'\n') {
        match b {
            b'\\' if text.get(at + 1).is_some_and(|&b| b != b'\n') => at += 2,
            _ if b == text[quote] => {
                let kind = if b == b'"' { Kind::Text } else { Kind::Char };
                return (kind, at + 1);
            }
            _ => at += 1,
        }
    }
    (Kind::Other, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lex(text: &str) -> Vec<(String, u32, u32, bool)> {
        let (mut lexer, mut symbols) = (Lexer::new(text.as_bytes()), Symbols::default());
        let mut tokens = Vec::new();
        while let Some(t) = lexer.next(&mut symbols) {
            tokens.push((symbols.string(t.text), t.line, t.column, t.first));
        }
        tokens
    }

    fn texts(text: &str) -> Vec<String> {
        lex(text).into_iter().map(|(text, ..)| text).collect()
    }

    #[test]
    fn longest_match_and_literals() {
        assert_eq!(texts("a+++b...>>=x"), ["a", "++", "+", "b", "...", ">>=", "x"]);
        assert_eq!(texts("0x1p-3 1e+5.2u .5 .x"), ["0x1p-3", "1e+5.2u", ".5", ".", "x"]);
        assert_eq!(texts(r#"L"a\"b" u8'c' u"#), [r#"L"a\"b""#, "u8'c'", "u"]);
        assert_eq!(texts("don't\n\"x"), ["don", "'", "t", "\"", "x"]);
    }

    #[test]
    fn places_survive_comments_and_joined_lines() {
        let got = lex("a /* x\n y */ b\n c\\\nd // e \\\n f\n g");
        let want = [("a", 1, 0, true), ("b", 2, 6, false), ("cd", 3, 1, true), ("g", 6, 1, true)];
        let want: Vec<_> = want.map(|(t, l, c, f)| (t.to_string(), l, c, f)).into();
        assert_eq!(got, want);
    }

    #[test]
    fn a_line_is_read_no_further_than_its_end() {
        let (mut lexer, mut symbols) = (Lexer::new(b"a b\nc"), Symbols::default());
        assert!(lexer.next(&mut symbols).is_some());
        assert_eq!(lexer.rest_of_line(), Some(&b"b"[..]));
        assert!(lexer.next_in_line(&mut symbols).is_none());
        lexer.next_line_is(77);
        assert_eq!(lexer.next(&mut symbols).map(|t| t.line), Some(77));
        assert!(!lexer.open_comment && lexer.next(&mut symbols).is_none());
    }
}
