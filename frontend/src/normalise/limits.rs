//! How deep a program may nest, so that recursion over its syntax fits on `stack::with_big_stack`.
//!
//! Syntax nests by brackets, by operators (`- - - x`), by statements without braces (`if (x) while
//! (y)`), by labels and by `else if` chains. The first is bounded by its depth. For the others every
//! open bracket carries a weight, the number of tokens directly inside of it since the last `,`,
//! `;` or `}` that ended what stands there, and the sum of the weights is bounded: no construct can
//! nest without paying a token for it. Real programs stay far below.

use super::lex::Kind;

const DEPTH: usize = 1000;
const WEIGHT: usize = 20_000;

pub struct Limits {
    /// One per open bracket, outermost first, and one for the file.
    weights: Vec<usize>,
    total: usize,
    /// A statement ended at this level, unless an `else` follows.
    ending: Option<usize>,
    /// Adjacent string literals are one operand.
    after_text: bool,
}

impl Limits {
    pub fn new() -> Limits {
        Limits { weights: vec![0], total: 0, ending: None, after_text: false }
    }

    pub fn open(&mut self) {
        self.weights.push(0);
    }

    pub fn close(&mut self) {
        if self.weights.len() > 1 {
            self.total -= self.weights.pop().unwrap_or(0);
        }
    }

    /// Takes the next token: an opening bracket before `open`, a closing one after `close`.
    pub fn take(&mut self, kind: Kind, text: &[u8]) {
        let level = self.weights.len() - 1;
        if self.ending.take() == Some(level) && text != b"else" {
            self.reset(level);
        }
        match text {
            b"," => self.reset(level),
            b";" | b"}" => self.ending = Some(level),
            _ if kind == Kind::Text && self.after_text => {}
            _ => {
                self.weights[level] += 1;
                self.total += 1;
            }
        }
        self.after_text = kind == Kind::Text;
    }

    fn reset(&mut self, level: usize) {
        self.total -= self.weights[level];
        self.weights[level] = 0;
    }

    pub fn exceeded(&self) -> bool {
        self.weights.len() > DEPTH + 1 || self.total > WEIGHT
    }
}
