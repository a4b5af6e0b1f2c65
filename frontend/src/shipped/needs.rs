//! Which chunks of our headers a program needs, and which of a model.
//!
//! Reading a few thousand lines of headers takes longer than all else that a small program asks for,
//! and `normalise::dead_declarations` leaves nearly all of it out again. So the preprocessor reads
//! of our headers only the chunks that the program can need. A word needs all chunks that give it
//! (as a macro, a name, a tag), a chunk needs all words that stand in it, and the words of the
//! program are needed.
//!
//! Why nothing changes: every word that the preprocessor meets is one of the program or of a chunk
//! that is needed, unless `##` makes a new one; then everything is needed. So a caller that asks whether a
//! macro is defined, or for its body, gets the answer that the whole header gives. Directives other
//! than `#define` and `#undef` are always read, and so is what they mention: `#if`s take the same
//! branches and files are included in the same order. And a declaration that is not read is one
//! that nothing mentions: `dead_declarations` would have left it out. (A macro of the program that
//! happens to be a parameter's name in such a declaration has no effect on it; one that is a
//! keyword is for the whole header.)
//!
//! Cost: a hash per word of the program and a few steps per chunk that is needed.

use super::hash::{START, hash, slot, step};
use super::tables::{ALWAYS, CHUNKS, GIVERS, MENTIONS, PASTES, SLOTS, WORDS};
use super::{Chunk, Shipped};
use crate::tokens::lex::{WholeLines, is_name_byte};

pub struct Needs {
    /// For each chunk.
    needed: Vec<bool>,
    all: bool,
}

impl Needs {
    /// Of a model: these functions, and all that they mention.
    pub fn functions(model: &'static Shipped, functions: &[&str]) -> Needs {
        let mut needs = Needs { needed: vec![false; CHUNKS.len()], all: false };
        for function in functions {
            let word = format!("{}:{function}", model.name);
            let known = find(word.as_bytes(), hash(word.as_bytes()));
            known.into_iter().for_each(|word| needs.add_word(word));
        }
        needs
    }

    pub fn everything() -> Needs {
        Needs { needed: vec![true; CHUNKS.len()], all: true }
    }

    /// What headers say in every file that includes them.
    pub fn least() -> Needs {
        let mut needed = vec![false; CHUNKS.len()];
        ALWAYS.iter().for_each(|&chunk| needed[usize::from(chunk)] = true);
        Needs { needed, all: false }
    }

    pub(crate) fn is_everything(&self) -> bool {
        self.all
    }

    /// Adds what the words of `text` need, wherever they stand in it. Gives the places behind each
    /// word `include`.
    ///
    /// Needs: `text` is what the preprocessor's lexer reads, so that its names are whole.
    pub fn add(&mut self, text: &[u8]) -> Vec<usize> {
        let mut includes = Vec::new();
        let (mut start, mut hash, mut before) = (0, START, b' ');
        for (at, &b) in text.iter().chain(b" ").enumerate() {
            if is_name_byte(b) {
                hash = step(hash, b);
                before = b;
                continue;
            }
            if start < at {
                if let Some(word) = find(&text[start..at], hash) {
                    self.add_word(word);
                } else if &text[start..at] == b"include" {
                    includes.push(at);
                }
                hash = START;
            }
            self.all |= b == b'#' && before == b'#';
            start = at + 1;
            before = b;
        }
        if PASTES.iter().any(|&chunk| self.needed[usize::from(chunk)]) || self.all {
            *self = Needs::everything();
        }
        includes
    }

    fn add_word(&mut self, word: usize) {
        for &chunk in GIVERS[word] {
            if !std::mem::replace(&mut self.needed[usize::from(chunk)], true) {
                MENTIONS[usize::from(chunk)].iter().for_each(|&w| self.add_word(usize::from(w)));
            }
        }
    }

    #[cfg(test)]
    pub fn has(&self, chunk: u16) -> bool {
        self.needed[usize::from(chunk)]
    }

    /// What is to be read of a header or a model, in order.
    pub fn pieces(&self, header: &'static Shipped) -> impl Iterator<Item = WholeLines<'static>> {
        let chunks = usize::from(header.first)..usize::from(header.end);
        let needed = CHUNKS[chunks.clone()].iter().zip(&self.needed[chunks]);
        needed.filter(|(_, needed)| **needed).map(move |(chunk, _)| piece(header, chunk))
    }
}

fn piece(header: &'static Shipped, chunk: &Chunk) -> WholeLines<'static> {
    let text = &header.text.as_bytes()[chunk.start as usize..chunk.end as usize];
    WholeLines { text, line: chunk.line, next: chunk.next }
}

pub(crate) fn is_given(word: &str) -> bool {
    find(word.as_bytes(), hash(word.as_bytes())).is_some_and(|word| !GIVERS[word].is_empty())
}

/// A word that some chunk gives.
fn find(word: &[u8], hash: u32) -> Option<usize> {
    let mut at = slot(hash, SLOTS.len());
    loop {
        let found = usize::from(SLOTS[at]);
        if WORDS.get(found)?.as_bytes() == word {
            return Some(found);
        }
        at = (at + 1) % SLOTS.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_wherever_they_stand() {
        let mut needs = Needs::least();
        assert_eq!(needs.add(b"#include <a>\nint include"), [8, 24]);
        let before = needs.needed.iter().filter(|&&n| n).count();
        assert_eq!(needs.add(b"included /* RAND_MAX"), []);
        assert_eq!(needs.needed.iter().filter(|&&n| n).count(), before + 1);
    }

    #[test]
    fn names_that_are_made_need_everything() {
        for text in ["a # # b", "__CONCATx", "#"] {
            let mut needs = Needs::least();
            needs.add(text.as_bytes());
            assert!(!needs.is_everything(), "{text}");
        }
        for text in ["a##b", "__CONCAT", "UINT64_C", "##"] {
            let mut needs = Needs::least();
            needs.add(text.as_bytes());
            assert!(needs.is_everything() && needs.needed.iter().all(|&n| n), "{text}");
        }
    }
}
