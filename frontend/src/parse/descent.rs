//! A parser by recursive descent that makes lang-c's tree.
//!
//! lang-c tries one rule after the other and goes back when one fails; for small programs it took
//! more than a third of the whole check. Here the next token or two decide. Whatever this parser
//! does not know, it gives up: `None`, and lang-c reads the text from the start, which also gives
//! all error messages. So this parser may know less than lang-c, but where it answers, its tree is
//! the right one: the tests hold it against lang-c's on everything that we have in C.
//!
//! Invariant: nodes start where lang-c's start. Where they end, lang-c often includes blanks; only the
//! ends of compound statements are used, and those are the same.
//!
//! Where lang-c is wrong, C is followed: a parameter hides a type of the same name in the body of
//! its function, `for (T *p; ...)` declares, `typeof(T *)` and `(T){}` are read.
//!
//! Cost: linear, one look at each token or two, besides a hash per name where a type may stand.
//!
//! - `constant.rs`: numbers, characters and strings
//! - `declaration.rs`: declarations, in blocks and at file scope, and function definitions
//! - `declarator.rs`: declarators: the name in the middle, pointers before it, arrays and
//!   functions behind it; and those without a name, in types
//! - `expression.rs`: expressions: by precedence from the comma down to names and constants
//! - `gnu.rs`: what GNU adds: attributes, assembly, `typeof`, statements as expressions, and
//!   builtins with types as arguments
//! - `initializer.rs`: initialisers and the designators in them
//! - `names.rs`: which names are types, scope by scope
//! - `specifier.rs`: what stands before declarators: storage, qualifiers, types
//! - `statement.rs`: statements

mod constant;
mod declaration;
mod declarator;
mod expression;
mod gnu;
mod initializer;
mod names;
mod specifier;
mod statement;
mod token;

use lang_c::ast::{Identifier, TranslationUnit};
use lang_c::span::{Node, Span};
use names::TypedefNames;
use token::{Kind, Token};

/// The tree of a whole text, if this parser knows all that stands there.
pub fn parse(text: &str) -> Option<TranslationUnit> {
    let tokens = token::lex(text.as_bytes())?;
    let mut parser = Parser { text, tokens, at: 0, names: TypedefNames::new() };
    let mut unit = Vec::new();
    while parser.kind() != Kind::End {
        unit.push(parser.external_declaration()?);
    }
    Some(TranslationUnit(unit))
}

struct Parser<'a> {
    text: &'a str,
    /// The last one is `End`, and stays the next one.
    tokens: Vec<Token>,
    at: usize,
    names: TypedefNames<'a>,
}

impl<'a> Parser<'a> {
    /// Of the next token.
    fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    fn kind_ahead(&self, n: usize) -> Kind {
        self.tokens.get(self.at + n).map_or(Kind::End, |t| t.kind)
    }

    /// Of the next token, whatever it is.
    fn word(&self) -> &'a str {
        self.word_ahead(0)
    }

    fn word_ahead(&self, n: usize) -> &'a str {
        let token = self.tokens.get(self.at + n);
        token.map_or("", |t| &self.text[t.start as usize..t.end as usize])
    }

    fn start(&self) -> usize {
        self.tokens[self.at].start as usize
    }

    /// Where the last token that was taken ends.
    fn end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |i| self.tokens[i].end as usize)
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let here = self.kind() == kind;
        if here {
            self.advance();
        }
        here
    }

    fn expect(&mut self, kind: Kind) -> Option<()> {
        self.eat(kind).then_some(())
    }

    /// A node from `start` to the last token that was taken.
    fn node<T>(&self, start: usize, value: T) -> Node<T> {
        Node::new(value, Span::span(start, self.end()))
    }

    /// The next token as a node.
    fn take<T>(&mut self, value: T) -> Node<T> {
        let start = self.start();
        self.advance();
        self.node(start, value)
    }

    fn identifier(&mut self) -> Option<Node<Identifier>> {
        if self.kind() != Kind::Name {
            return None;
        }
        let name = self.word().to_owned();
        Some(self.take(Identifier { name }))
    }

    /// Items with commas between them, at least one.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(Kind::Comma) {
            items.push(item(self)?);
        }
        Some(items)
    }

    fn in_scope<T>(&mut self, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.names.enter();
        let result = inside(self);
        self.names.leave();
        result
    }
}

#[cfg(test)]
mod tests;
