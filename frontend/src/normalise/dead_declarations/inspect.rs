//! What shaking sees and leaves, for tests of others.

use super::{DeclarationPart, Shaken, unused};
use crate::normalise::lex::{Lexed, lex};
use crate::normalise::view::TokenView;
use crate::source::Files;

/// An item at file scope.
pub struct Told {
    pub file: String,
    pub line: u32,
    pub gives: Option<Vec<String>>,
}

fn lexed(input: &[u8]) -> (Lexed, Files) {
    let mut files = Files::default();
    let lexed = lex(input, "a.c", &mut files).unwrap_or_else(|e| panic!("{}", e.message));
    (lexed, files)
}

/// All items, and the names that they give.
pub fn items(input: &[u8]) -> Vec<Told> {
    let (mut lexed, files) = lexed(input);
    let (tokens, edits) = (&lexed.tokens, &mut lexed.edits);
    let items = Shaken(TokenView { input, tokens, edits }).items();
    let told = items.into_iter().map(|item| {
        let span = lexed.lines.span(lexed.tokens[item.range.start].start as usize);
        let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        let gives = item.gives.map(|names| names.into_iter().map(text).collect());
        Told { file: files.name(span.file).to_string(), line: span.line, gives }
    });
    told.collect()
}

/// The tokens that shaking leaves, however few there are, with their places.
pub fn left(input: &[u8], part: DeclarationPart) -> Vec<String> {
    let (mut lexed, files) = lexed(input);
    let (tokens, edits) = (&lexed.tokens, &mut lexed.edits);
    let mut stays = vec![true; tokens.len()];
    for (gone, _) in unused(TokenView { input, tokens, edits }, part) {
        stays[gone].fill(false);
    }
    let told = (0..tokens.len()).filter(|&i| stays[i]).map(|i| {
        let (start, end) = (tokens[i].start as usize, tokens[i].end as usize);
        let span = lexed.lines.span(start);
        let text = String::from_utf8_lossy(&input[start..end]);
        format!("{}:{}:{}: {text}", files.name(span.file), span.line, span.column)
    });
    told.collect()
}
