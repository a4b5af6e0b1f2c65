//! Preprocessing tokens: small, copied freely, their spelling interned.

use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The spelling of a token. Equal spellings have equal symbols.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spelling(u32);

impl Spelling {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Name,
    Number,
    /// A string literal with its prefix.
    Text,
    /// A character constant with its prefix.
    Char,
    Punct,
    /// A byte that starts no token, for instance a quote without its partner.
    Other,
    /// Nothing: what an empty argument is beside `##`.
    Nothing,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    pub text: Spelling,
    /// The place in the file, or that of the macro which it comes from. Columns count from 0.
    pub line: u32,
    pub column: u32,
    /// Blanks or a comment before it.
    pub space: bool,
    /// The first of its line.
    pub first: bool,
    /// A macro's name that was met within its own expansion: it stays as it is for ever.
    pub fixed: bool,
    /// From a macro, not from a file.
    pub made: bool,
}

#[derive(Default)]
pub struct Symbols {
    texts: Vec<Rc<[u8]>>,
    known: FxHashMap<Rc<[u8]>, Spelling>,
}

impl Symbols {
    pub fn intern(&mut self, text: &[u8]) -> Spelling {
        if let Some(&symbol) = self.known.get(text) {
            return symbol;
        }
        let symbol = Spelling(self.texts.len() as u32);
        let text: Rc<[u8]> = text.into();
        self.texts.push(text.clone());
        self.known.insert(text, symbol);
        symbol
    }

    pub fn text(&self, symbol: Spelling) -> &[u8] {
        &self.texts[symbol.index()]
    }

    pub fn string(&self, symbol: Spelling) -> String {
        String::from_utf8_lossy(self.text(symbol)).into_owned()
    }
}
