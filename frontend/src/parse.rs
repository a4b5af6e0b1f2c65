//! C text to lang-c's syntax tree, with errors that speak of the original text.
//!
//! Two parsers make the same tree: `descent` is fast and gives up at what it does not know; lang-c
//! knows more, and says what is wrong with a text.
//!
//! Both recurse, and so does dropping the tree: call `parse` inside of `stack::with_big_stack`, and
//! drop the tree there too. How deep it can get is bounded (`normalise::limits`).
//!
//! - `syntax_error.rs`: syntax errors in words: what was found, what was expected, and what may
//!   be missing

mod descent;
mod syntax_error;

use crate::error::Error;
use crate::normalise::{DeclarationPart, Normalised, normalise_part};
use crate::source::{Files, SourceMap};
use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, parse_preprocessed};
use syntax_error::Syntax;

/// A translation unit whose node offsets mean something to `map`.
pub struct Parsed {
    pub unit: TranslationUnit,
    pub map: SourceMap,
}

/// Parses preprocessed C. `name` is the file that it was read from.
pub fn parse(text: &[u8], name: &str, files: &mut Files) -> Result<Parsed, Error> {
    parse_part(text, name, DeclarationPart::All, files)
}

/// The same with less of a library model.
pub(crate) fn parse_part(
    text: &[u8],
    name: &str,
    part: DeclarationPart,
    files: &mut Files,
) -> Result<Parsed, Error> {
    let Normalised { text, map } = normalise_part(text, name, part, files)?;
    let mut unit = match descent::parse(&text) {
        Some(unit) => unit,
        None => by_lang_c(text, &map, files)?,
    };
    // The first declaration is `normalise::PRELUDE`.
    unit.0.remove(0);
    Ok(Parsed { unit, map })
}

fn by_lang_c(text: String, map: &SourceMap, files: &Files) -> Result<TranslationUnit, Error> {
    match parse_preprocessed(&Config::with_gcc(), text) {
        Ok(parse) => Ok(parse.unit),
        Err(error) => Err(Syntax { text: error.source.as_bytes(), map }.describe(&error, files)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::with_big_stack;
    use std::time::{Duration, Instant};

    fn error(text: &[u8]) -> Error {
        let parsed = with_big_stack(|| parse(text, "t.c", &mut Files::default()).map(|_| ()));
        parsed.expect_err("this is not C")
    }

    #[test]
    fn the_prelude_is_not_part_of_the_unit() {
        let parsed = parse(b"int x; int y;", "t.c", &mut Files::default()).unwrap();
        assert_eq!(parsed.unit.0.len(), 2);
        assert_eq!(parsed.map.span(parsed.unit.0[1].span.start).column, 8);
        assert!(parse(b"", "t.c", &mut Files::default()).unwrap().unit.0.is_empty());
    }

    #[test]
    fn a_missing_semicolon_is_hinted_at() {
        let e = error(b"# 7 \"x.c\"\nint f(void) {\n  int a = 1\n  return a;\n}\n");
        assert_eq!(e.to_string(), "x.c:9:3: unexpected `return`, expected `;`, `,` or `(`");
        assert_eq!(e.hint.as_deref(), Some("a `;` may be missing at the end of line 8"));
    }

    #[test]
    fn an_unknown_type_is_hinted_at() {
        let hint = Some("is `foo_t` a type? its header may be missing");
        for text in [&b"foo_t x;"[..], b"void f(void) { foo_t x; }", b"int f(foo_t *x);"] {
            let e = error(text);
            assert_eq!(e.hint.as_deref(), hint, "{e}");
        }
    }

    #[test]
    fn missing_brackets_are_named() {
        let e = error(b"int f(void) {\n  if (1) {\n  }\n");
        assert_eq!(e.to_string(), "t.c:1:13: `{` is never closed");
        let e = error(b"int f(void) { return (1; }");
        assert_eq!(e.to_string(), "t.c:1:26: expected `)`, found `}`");
        assert_eq!(e.hint.as_deref(), Some("the `(` of line 1 is still open"));
    }

    #[test]
    fn the_end_of_the_file_is_found() {
        assert!(error(b"int x").message.starts_with("unexpected end of file"));
    }

    #[test]
    fn programs_at_the_limit_fit_on_the_stack() {
        let nest = |open: &str, close: &str, n| format!("{}x{}", open.repeat(n), close.repeat(n));
        let texts = [
            format!("int x = {};", nest("(", ")", 4_999)),
            format!("int x = {};", nest("- ", "", 49_900)),
            format!("int x = {};", nest("a ? ", " : b", 12_000)),
            format!("void f(void) {}", nest("{", ";}", 4_999)),
            format!("void f(void) {{ {}; }}", nest("if (x) ", "", 15_000)),
            format!("void f(void) {{ {}; }}", nest("if (x) y; else ", "", 9_800)),
            format!("void f(void) {{ {}; }}", nest("case 1: ", "", 15_000)),
        ];
        for text in texts {
            let run = || parse(text.as_bytes(), "t.c", &mut Files::default()).map(drop);
            with_big_stack(run).unwrap_or_else(|e| panic!("{}: {e}", &text[..30]));
        }
    }

    #[test]
    fn ten_megabytes_of_nonsense_end_quickly() {
        let mut random = Vec::with_capacity(10 << 20);
        let mut dice = obmc_testing::Dice::new(1);
        while random.len() < 10 << 20 {
            random.extend_from_slice(&dice.word().to_le_bytes());
        }
        let repeat = |piece: &str| {
            let head = "int f(void) { x = 1; ".to_owned();
            (head + &piece.repeat((10 << 20) / piece.len())).into_bytes()
        };
        let pieces = [
            "(",
            "-",
            "{",
            "if(x)",
            "for(;;)",
            "if(f(x,y))",
            "if(x) y; else ",
            "[",
            "x?",
            "case 1:",
            "sizeof ",
            "*",
            "do ",
            "a:",
            "typedef ",
            "__attribute__((x)) ",
            "(int)",
            "{;",
            "\\",
            "/*",
            "\"",
            "'",
            "# 1 \"a\"\n#",
            "&&",
            "else ",
            "__label__ ",
            "goto *",
            "1 ",
            "a,",
        ];
        for text in pieces.map(repeat).into_iter().chain([random]) {
            let start = Instant::now();
            let e = error(&text);
            let time = start.elapsed();
            let head = String::from_utf8_lossy(&text[20..40]).into_owned();
            assert!(time < Duration::from_secs(20), "{head}: {time:?}: {e}");
        }
    }
}
