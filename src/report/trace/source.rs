//! Lines of the files that a trace goes through, each file read once.
//!
//! A file that is not there (the text came through a line marker) has no lines; then the story is
//! told without them.

use frontend::ir::Span;
use rustc_hash::FxHashMap;

pub struct Sources<'a> {
    names: &'a [String],
    lines: FxHashMap<usize, Vec<String>>,
}

impl<'a> Sources<'a> {
    pub fn new(names: &'a [String]) -> Sources<'a> {
        Sources { names, lines: FxHashMap::default() }
    }

    /// The line at a place, without the blanks around it and without a comment behind it.
    pub fn line(&mut self, span: Span) -> Option<&str> {
        let file = span.file.index();
        let name = self.names.get(file)?;
        let lines = self.lines.entry(file).or_insert_with(|| read(name));
        let line = lines.get((span.line as usize).checked_sub(1)?)?;
        Some(without_comment(line).trim()).filter(|l| !l.is_empty())
    }
}

fn read(name: &str) -> Vec<String> {
    let bytes = std::fs::read(name).unwrap_or_default();
    String::from_utf8_lossy(&bytes).lines().map(super::printable).collect()
}

/// Comments at the end of a line make it long; string literals may contain what looks like one.
fn without_comment(line: &str) -> &str {
    let Some(at) = line.find("//").or_else(|| line.find("/*")) else { return line };
    let quoted = line[..at].matches('"').count() % 2 == 1;
    if quoted || at == 0 { line } else { &line[..at] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_strings_stay() {
        assert_eq!(without_comment("x = 1; // one"), "x = 1; ");
        assert_eq!(without_comment("x = 1; /* one */"), "x = 1; ");
        assert_eq!(without_comment("puts(\"http://x\");"), "puts(\"http://x\");");
    }

    #[test]
    fn a_missing_file_has_no_lines() {
        let names = ["/no/such/file.c".to_string()];
        let span = Span { file: frontend::ir::FileId(0), line: 1, column: 1 };
        assert_eq!(Sources::new(&names).line(span), None);
    }
}
