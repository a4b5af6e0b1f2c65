//! C text to lang-c's syntax tree, with errors that speak of the original text.
//!
//! The parser recurses, and so does dropping its tree: call `parse` inside of
//! `stack::with_big_stack`. How deep it can get is bounded (`normalise::limits`).

use crate::error::Error;
use crate::normalise::{Normalised, normalise};
use crate::source::{Files, SourceMap};
use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, SyntaxError, parse_preprocessed};

/// A translation unit whose node offsets mean something to `map`.
pub struct Parsed {
    pub unit: TranslationUnit,
    pub map: SourceMap,
}

/// Parses preprocessed C. `name` is the file that it was read from.
pub fn parse(text: &[u8], name: &str, files: &mut Files) -> Result<Parsed, Error> {
    let Normalised { text, map } = normalise(text, name, files)?;
    match parse_preprocessed(&Config::with_gcc(), text) {
        Ok(mut parse) => {
            // The first declaration is `normalise::PRELUDE`.
            parse.unit.0.remove(0);
            Ok(Parsed { unit: parse.unit, map })
        }
        Err(error) => Err(describe(&error, &map, files)),
    }
}

fn describe(error: &SyntaxError, map: &SourceMap, files: &Files) -> Error {
    files.error(map.span(error.offset), "syntax error", None)
}
