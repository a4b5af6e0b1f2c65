//! Lines of the files that a trace goes through, each file read once.
//!
//! A file that is not there (the text came through a line marker) has no lines; then the story is
//! told without them.

use ir::Span;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

pub struct Sources<'a> {
    names: &'a [String],
    texts: FxHashMap<usize, SourceText>,
}

impl<'a> Sources<'a> {
    pub fn new(names: &'a [String]) -> Sources<'a> {
        Sources { names, texts: FxHashMap::default() }
    }

    /// The line at a place, without the blanks around it and without a comment behind it.
    pub fn line(&mut self, span: Span) -> Option<String> {
        let file = span.file.index();
        let name = self.names.get(file)?;
        let text = self.texts.entry(file).or_insert_with(|| SourceText::read(name));
        let line = super::printable(&text.line((span.line as usize).checked_sub(1)?)?);
        Some(without_comment(&line).trim().to_owned()).filter(|l| !l.is_empty())
    }
}

/// A file, and where its lines end. A trace needs few of them, so they stay as they are.
struct SourceText {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl SourceText {
    fn read(name: &str) -> SourceText {
        let bytes = std::fs::read(name).unwrap_or_default();
        let newlines = bytes.iter().enumerate().filter(|&(_, &b)| b == b'\n');
        let ends = newlines.map(|(i, _)| i).chain([bytes.len()]).collect();
        SourceText { bytes, ends }
    }

    fn line(&self, index: usize) -> Option<Cow<'_, str>> {
        let start = index.checked_sub(1).map_or(Some(0), |i| Some(self.ends.get(i)? + 1))?;
        Some(String::from_utf8_lossy(&self.bytes[start..*self.ends.get(index)?]))
    }
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
    fn lines_are_counted_from_one() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        std::io::Write::write_all(&mut file, b"int a;\n\n  int\tb; // two\r\nlast").unwrap();
        let names = [file.path().to_str().unwrap().to_string()];
        let mut sources = Sources::new(&names);
        let mut line = |line| {
            let file = ir::FileId(0);
            sources.line(Span { file, line, column: 1 })
        };
        assert_eq!(line(1).as_deref(), Some("int a;"));
        assert_eq!(line(2), None, "it is empty");
        assert_eq!(line(3).as_deref(), Some("int b;"));
        assert_eq!(line(4).as_deref(), Some("last"));
        assert_eq!((line(0), line(5)), (None, None));
    }

    #[test]
    fn a_missing_file_has_no_lines() {
        let names = ["/no/such/file.c".to_string()];
        let span = Span { file: ir::FileId(0), line: 1, column: 1 };
        assert_eq!(Sources::new(&names).line(span), None);
    }
}
