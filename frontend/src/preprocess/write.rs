//! Tokens to text for the parser, with line markers.
//!
//! A token from a file keeps its line and, where what stands before it allows, its column. A token
//! from a macro stands in the line of the macro's name, with a blank on both sides. Which tokens have
//! moved, and from where, is told beside the text: a token from a macro comes from the macro's name.

use crate::source::Moved;
use crate::tokens::token::{Symbols, Token};

/// A longer gap is a marker instead of empty lines.
const MAX_EMPTY_LINES: u32 = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Move {
    Stay,
    Enter,
    Return,
}

#[derive(Default)]
pub struct TextWriter {
    pub out: Vec<u8>,
    pub moved: Vec<Moved>,
    line: u32,
    line_start: usize,
    after_made: bool,
    file: String,
    system: bool,
}

impl TextWriter {
    /// What follows is `line` of `file`.
    pub fn mark(&mut self, line: u32, file: &str, system: bool, how: Move) {
        self.file = file.to_string();
        self.system = system;
        let flag = match how {
            Move::Stay => "",
            Move::Enter => " 1",
            Move::Return => " 2",
        };
        self.marker(line, flag);
    }

    fn marker(&mut self, line: u32, flag: &str) {
        self.end_line();
        self.out.extend_from_slice(b"# ");
        self.out.extend_from_slice(line.to_string().as_bytes());
        self.out.extend_from_slice(b" \"");
        for &b in self.file.as_bytes() {
            if matches!(b, b'\\' | b'"') {
                self.out.push(b'\\');
            }
            self.out.push(b);
        }
        let system: &[u8] = if self.system { b" 3\n" } else { b"\n" };
        self.out.extend([b"\"", flag.as_bytes(), system].concat());
        self.line_start = self.out.len();
        self.line = line;
    }

    pub fn token(&mut self, token: Token, symbols: &Symbols) {
        self.go_to(token.line);
        let column = self.out.len() - self.line_start;
        let gap = (token.column as usize).saturating_sub(column);
        if gap > 0 && !token.made {
            self.out.resize(self.out.len() + gap, b' ');
        } else if column > 0 && (token.space || token.first || token.made || self.after_made) {
            self.out.push(b' ');
        }
        self.note_place(&token);
        self.out.extend_from_slice(symbols.text(token.text));
        self.after_made = token.made;
    }

    /// Behind a token that was moved, all of the line are told.
    fn note_place(&mut self, token: &Token) {
        let column = self.out.len() - self.line_start;
        let in_place = column == token.column as usize && self.line == token.line;
        let after = self.moved.last().is_some_and(|moved| moved.at as usize >= self.line_start);
        if !in_place || after {
            let at = self.out.len() as u32;
            self.moved.push(Moved { at, line: token.line, column: token.column + 1 });
        }
    }

    /// A line of its own.
    pub fn directive(&mut self, line: u32, text: &[u8]) {
        self.go_to(line);
        if self.out.len() > self.line_start {
            self.end_line();
            self.marker(line, "");
        }
        self.out.extend_from_slice(text);
        self.end_line();
        self.line += 1;
    }

    fn end_line(&mut self) {
        if self.out.last().is_some_and(|&b| b != b'\n') {
            self.out.push(b'\n');
        }
        self.line_start = self.out.len();
        self.after_made = false;
    }

    fn go_to(&mut self, line: u32) {
        match line.checked_sub(self.line) {
            Some(gap @ 1..=MAX_EMPTY_LINES) => {
                (0..gap).for_each(|_| self.out.push(b'\n'));
                self.line_start = self.out.len();
                self.after_made = false;
                self.line = line;
            }
            Some(0) => {}
            // Behind a macro whose arguments span lines, the same line may come again.
            None if self.out.len() > self.line_start && line > 0 => {}
            _ => self.marker(line, ""),
        }
    }
}
