//! How deep a program may nest, so that recursion over its syntax fits on `stack::with_big_stack`.
//!
//! Syntax nests by brackets, by operators (`- - - x`), by statements without braces (`if (x) while
//! (y)`), by labels and by `else if` chains. The first is bounded by its depth. For the others every
//! open bracket carries a weight, the number of tokens directly inside of it since the last `,`,
//! `;` or `}` that ended what stands there, and the sum of the weights is bounded: no construct can
//! nest without paying a token for it. Real programs stay far below.
//!
//! `sizeof (` has a bound of its own: the parser first reads a type behind it and then, if that
//! fails, an expression, which doubles its time with every `sizeof` inside of another.

use super::lex::LexemeKind;

const DEPTH: usize = 9000;
const WEIGHT: usize = 50_000;
const SIZEOFS: usize = 12;

pub struct Limits {
    /// One per open bracket, outermost first, and one for the file.
    levels: Vec<NestingLevel>,
    /// Sum of the weights.
    total: usize,
    /// How many of the brackets belong to a `sizeof`.
    sizeofs: usize,
    /// A statement ended at this level, unless an `else` follows.
    ending: Option<usize>,
    /// Adjacent string literals are one operand.
    after_text: bool,
}

#[derive(Clone, Copy, Default)]
struct NestingLevel {
    weight: usize,
    sizeof: bool,
}

impl Limits {
    pub fn new() -> Limits {
        Limits {
            levels: vec![NestingLevel::default()],
            total: 0,
            sizeofs: 0,
            ending: None,
            after_text: false,
        }
    }

    /// Comes behind `take` of the opening bracket.
    pub fn open(&mut self, sizeof: bool) {
        self.levels.push(NestingLevel { weight: 0, sizeof });
        self.sizeofs += usize::from(sizeof);
    }

    /// Comes before `take` of the closing bracket.
    pub fn close(&mut self) {
        if self.levels.len() > 1 {
            let level = self.levels.pop().unwrap_or_default();
            self.total -= level.weight;
            self.sizeofs -= usize::from(level.sizeof);
        }
    }

    /// Takes the next token: an opening bracket before `open`, a closing one after `close`.
    pub fn take(&mut self, kind: LexemeKind, text: &[u8]) {
        let level = self.levels.len() - 1;
        if self.ending.take() == Some(level) && text != b"else" {
            self.reset(level);
        }
        match text {
            b"," => self.reset(level),
            b";" | b"}" => self.ending = Some(level),
            _ if kind == LexemeKind::Text && self.after_text => {}
            _ => {
                self.levels[level].weight += 1;
                self.total += 1;
            }
        }
        self.after_text = kind == LexemeKind::Text;
    }

    fn reset(&mut self, level: usize) {
        self.total -= self.levels[level].weight;
        self.levels[level].weight = 0;
    }

    pub fn exceeded(&self) -> bool {
        self.levels.len() > DEPTH + 1 || self.total > WEIGHT || self.sizeofs > SIZEOFS
    }
}
