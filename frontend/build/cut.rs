//! A header cut into chunks: whole lines that can be read or left out together.
//!
//! A chunk is a `#define` or `#undef`, another directive, or a declaration at file scope (with the
//! directives inside of it). What a chunk gives is judged as `normalise/shake.rs` does, on the text
//! before macro expansion; a shape that is not known gives `None`, and is always read. A test of the
//! library holds the two against each other. Library models are cut in the same way; there, functions
//! with bodies are known shapes too.
//!
//! Invariant: the tokens of the chunks, one after the other, are those of the header, with their
//! places (checked here), and a chunk closes all `#if`s that it opens unless it is that directive.

use super::lex::Lexer;
use super::token::{Kind, Symbols};
use super::words::{is_asm, is_attribute, is_reserved};
use std::collections::BTreeSet;

pub struct Chunk {
    /// Lines count from 1; `end` is the one behind the last.
    pub line: u32,
    pub end: u32,
    /// `None`: it does more than give names, and is always read.
    pub gives: Option<BTreeSet<String>>,
    pub mentions: BTreeSet<String>,
    /// It can make names that stand nowhere.
    pub pastes: bool,
}

#[derive(Clone, PartialEq, Debug)]
struct CutWord {
    text: String,
    kind: Kind,
    place: (u32, u32),
    first: bool,
}

/// What is cut.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Of {
    Header,
    Model,
}

pub fn cut(text: &str, of: Of) -> Result<Vec<Chunk>, String> {
    let words = lex(text, 1)?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut chunks, mut again, mut start) = (Vec::new(), Vec::new(), 0);
    while start < words.len() {
        let end = chunk_end(&words, start)?;
        let chunk = chunk(&words[start..end], of);
        let text = lines[chunk.line as usize - 1..chunk.end as usize - 1].concat();
        again.extend(lex(&text, chunk.line)?);
        chunks.push(chunk);
        start = end;
    }
    let differs = words.iter().zip(&again).find(|(a, b)| a != b);
    match differs {
        Some((word, _)) => Err(format!("{}: this line cannot be read alone", word.place.0)),
        None if words.len() != again.len() => Err("chunks overlap".into()),
        None => Ok(chunks),
    }
}

fn lex(text: &str, line: u32) -> Result<Vec<CutWord>, String> {
    let (mut lexer, mut symbols) = (Lexer::new(text.as_bytes()), Symbols::default());
    let mut words = Vec::new();
    while let Some(token) = lexer.next(&mut symbols) {
        let place = (token.line + line - 1, token.column);
        let text = symbols.string(token.text);
        words.push(CutWord { text, kind: token.kind, place, first: token.first });
    }
    match lexer.open_comment {
        true => Err(format!("{line}: a comment behind these lines goes on")),
        false => Ok(words),
    }
}

fn chunk(words: &[CutWord], of: Of) -> Chunk {
    let mentions = words.iter().filter(|w| w.kind == Kind::Name).map(|w| w.text.clone());
    Chunk {
        line: words[0].place.0,
        end: words[words.len() - 1].place.0 + 1,
        gives: if is_directive(words, 0) { defined(words) } else { declared(words, of) },
        mentions: mentions.collect(),
        pastes: words.iter().any(|w| w.text == "##"),
    }
}

fn is_directive(words: &[CutWord], i: usize) -> bool {
    words[i].first && words[i].text == "#"
}

/// The macro that a directive changes.
fn defined(words: &[CutWord]) -> Option<BTreeSet<String>> {
    match words.get(1)?.text.as_str() {
        "define" | "undef" => Some(BTreeSet::from([words.get(2)?.text.clone()])),
        _ => None,
    }
}

fn line_end(words: &[CutWord], start: usize) -> usize {
    (start + 1..words.len()).find(|&i| words[i].first).unwrap_or(words.len())
}

/// Behind the directive or the declarations that start here.
fn chunk_end(words: &[CutWord], start: usize) -> Result<usize, String> {
    if is_directive(words, start) {
        return Ok(line_end(words, start));
    }
    let mut end = declaration_end(words, start)?;
    while end < words.len() && !words[end].first {
        end = declaration_end(words, end)?;
    }
    Ok(end)
}

fn declaration_end(words: &[CutWord], start: usize) -> Result<usize, String> {
    let (mut depth, mut conditions, mut body, mut i) = (0, 0, false, start);
    while i < words.len() {
        if is_directive(words, i) {
            conditions += match words.get(i + 1).map_or("", |w| &w.text) {
                "if" | "ifdef" | "ifndef" => 1,
                "endif" => -1,
                "elif" | "else" => 0,
                other => return Err(format!("`#{other}` within a declaration")),
            };
            i = line_end(words, i);
            continue;
        }
        let before = i.checked_sub(1).filter(|&b| b >= start).map_or("", |b| &words[b].text);
        match words[i].text.as_str() {
            "(" | "[" => depth += 1,
            "{" => {
                body |= depth == 0 && before == ")";
                depth += 1;
            }
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        let ends = words[i].text == ";" || words[i].text == "}" && body;
        if depth == 0 && ends {
            return match conditions {
                0 => Ok(i + 1),
                _ => Err(format!("{}: a declaration in pieces", words[i].place.0)),
            };
        }
        i += 1;
    }
    Err(format!("{}: a declaration that never ends", words[start].place.0))
}

/// The names that the declarations of a chunk give.
fn declared(words: &[CutWord], of: Of) -> Option<BTreeSet<String>> {
    let (mut plain, mut i) = (Vec::new(), 0);
    while i < words.len() {
        if is_directive(words, i) {
            i = line_end(words, i);
        } else {
            plain.push(words[i].clone());
            i += 1;
        }
    }
    let (mut names, mut start) = (BTreeSet::new(), 0);
    while start < plain.len() {
        let end = declaration_end(&plain, start).ok()?;
        names.extend(shape(&plain[start..end], of)?);
        start = end;
    }
    Some(names)
}

fn is_name(word: &CutWord) -> bool {
    word.kind == Kind::Name && !is_reserved(word.text.as_bytes())
}

/// What one declaration gives, if its shape is known.
fn shape(words: &[CutWord], of: Of) -> Option<Vec<String>> {
    let words = without_attributes(words);
    let mut names = tags(&words);
    if outside_brackets(&words).any(|w| matches!(w.text.as_str(), "," | "=")) {
        return None;
    }
    let last = words.len().checked_sub(2)?;
    match words[0].text.as_str() {
        "typedef" | "extern" if is_name(&words[last]) => names.push(words[last].text.clone()),
        "struct" | "union" | "enum" if words[last].text == "}" || last == 1 => {}
        "typedef" => return None,
        _ => names.push(function(&words, of)?),
    }
    Some(names)
}

fn without_attributes(words: &[CutWord]) -> Vec<CutWord> {
    let (mut left, mut i) = (Vec::new(), 0);
    while i < words.len() {
        let text = words[i].text.as_bytes();
        if is_attribute(text) || is_asm(text) {
            i = skip(words, i + 1);
        } else {
            left.push(words[i].clone());
            i += 1;
        }
    }
    left
}

/// Tags and enumerators, wherever they stand.
fn tags(words: &[CutWord]) -> Vec<String> {
    let mut names = Vec::new();
    for (i, word) in words.iter().enumerate() {
        if !matches!(word.text.as_str(), "struct" | "union" | "enum") {
            continue;
        }
        let tag = words.get(i + 1).filter(|w| is_name(w));
        names.extend(tag.map(|w| w.text.clone()));
        let open = i + 1 + usize::from(tag.is_some());
        if word.text == "enum" && words.get(open).is_some_and(|w| w.text == "{") {
            let inside = &words[open..skip(words, open)];
            names.extend(inside.iter().filter(|w| is_name(w)).map(|w| w.text.clone()));
        }
    }
    names
}

/// `type name(...);` and `static inline type name(...) { ... }`
fn function(words: &[CutWord], of: Of) -> Option<String> {
    let open = words.iter().position(|w| w.text == "(")?;
    let plain = |w: &CutWord| w.kind == Kind::Name || w.text == "*";
    if open < 2 || !words[..open].iter().all(plain) || !is_name(&words[open - 1]) {
        return None;
    }
    let behind = skip(words, open);
    let has = |word: &str| words[..open].iter().any(|w| w.text == word);
    let body = of == Of::Model || has("static") && has("inline");
    let known = match words.get(behind)?.text.as_str() {
        ";" => true,
        "{" => body && skip(words, behind) == words.len(),
        _ => false,
    };
    known.then(|| words[open - 1].text.clone())
}

/// Behind the group that opens at `i`.
fn skip(words: &[CutWord], i: usize) -> usize {
    let mut depth = 0;
    for (at, word) in words.iter().enumerate().skip(i) {
        depth += match word.text.as_str() {
            "(" | "[" | "{" => 1,
            ")" | "]" | "}" => -1,
            _ => 0,
        };
        if depth == 0 {
            return at + 1;
        }
    }
    words.len()
}

fn outside_brackets(words: &[CutWord]) -> impl Iterator<Item = &CutWord> {
    let mut depth = 0;
    words.iter().filter(move |word| {
        let opens = matches!(word.text.as_str(), "(" | "[" | "{");
        let closes = matches!(word.text.as_str(), ")" | "]" | "}");
        depth += i32::from(opens) - i32::from(closes);
        depth == 0 && !closes
    })
}
