//! Lines as witnesses count them: those of the input files.
//!
//! Spans follow line markers. In a preprocessed file (`.i`) they so point into files that are not there,
//! while a witness speaks of the lines of the `.i` file itself. Files that we preprocess ourselves
//! have the user's own lines.

use ir::Span;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// Lines of the input files.
#[derive(Clone, Default, Debug)]
pub struct Places {
    files: Vec<InputFile>,
}

#[derive(Clone, Debug)]
struct InputFile {
    name: String,
    /// Of a preprocessed file: from what a marker says (file, line) to the first such line here.
    lines: Option<FxHashMap<(String, u32), u32>>,
}

/// A line of an input file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Line {
    /// Which input file.
    pub file: usize,
    pub number: u32,
}

impl Places {
    pub fn new<'a>(files: impl Iterator<Item = (&'a PathBuf, &'a [u8])>) -> Places {
        let file = |(path, text): (&PathBuf, &[u8])| InputFile {
            name: path.display().to_string(),
            lines: is_preprocessed(path).then(|| marked(&path.display().to_string(), text)),
        };
        Places { files: files.map(file).collect() }
    }

    pub fn file_name(&self, line: Line) -> &str {
        &self.files[line.file].name
    }

    /// The line of a span, if it is one of an input file.
    pub fn of(&self, span: Span, names: &[String]) -> Option<Line> {
        let name = names.get(span.file.index()).filter(|_| span.line > 0)?;
        self.files.iter().enumerate().find_map(|(file, input)| {
            let number = match &input.lines {
                Some(lines) => *lines.get(&(name.clone(), span.line))?,
                None => (input.name == *name).then_some(span.line)?,
            };
            Some(Line { file, number })
        })
    }
}

fn is_preprocessed(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "i")
}

fn marked(name: &str, text: &[u8]) -> FxHashMap<(String, u32), u32> {
    let mut lines = FxHashMap::default();
    let (mut file, mut line) = (name.to_string(), 1);
    for (here, text) in String::from_utf8_lossy(text).lines().enumerate() {
        match marker(text) {
            Some((number, named)) => {
                line = number;
                file = named.unwrap_or(file);
            }
            None => {
                if !text.trim().is_empty() {
                    lines.entry((file.clone(), line)).or_insert(here as u32 + 1);
                }
                line += 1;
            }
        }
    }
    lines
}

/// `# 12 "file.c" 3` or `#line 12`
fn marker(text: &str) -> Option<(u32, Option<String>)> {
    let rest = text.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = rest[..digits].parse().ok()?;
    let name = rest[digits..].trim_start().strip_prefix('"');
    Some((number, name.and_then(|n| n.split('"').next()).map(str::to_string)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::FileId;

    fn at(places: &Places, name: &str, line: u32) -> Option<u32> {
        let span = Span { file: FileId(0), line, column: 1 };
        places.of(span, &[name.to_string()]).map(|l| l.number)
    }

    #[test]
    fn preprocessed_files_count_their_own_lines() {
        let path = PathBuf::from("t.i");
        let text = b"# 7 \"t.c\"\nint x;\n\n# 20 \"t.c\" 3 4\nint y;\n";
        let places = Places::new(std::iter::once((&path, &text[..])));
        assert_eq!(at(&places, "t.c", 7), Some(2));
        assert_eq!(at(&places, "t.c", 8), None);
        assert_eq!(at(&places, "t.c", 20), Some(5));
        assert_eq!(at(&places, "t.i", 2), None);
    }

    #[test]
    fn without_markers_lines_are_lines() {
        let (i, c) = (PathBuf::from("t.i"), PathBuf::from("d/u.c"));
        let text = b"int x;\nint y;\n";
        let places = Places::new([(&i, &text[..]), (&c, &text[..])].into_iter());
        assert_eq!(at(&places, "t.i", 2), Some(2));
        assert_eq!(at(&places, "d/u.c", 900), Some(900));
        assert_eq!(at(&places, "header.h", 1), None);
    }
}
