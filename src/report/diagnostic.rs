//! A message with its place: the source line and a caret under the spot.
//!
//! The file named by the place is read again here, at the very end; if that does not work (it came
//! through a line marker, it is one of our models, it has changed) the message goes without its
//! line. Layout, tabs and wide characters are `annotate-snippets`' business.

use annotate_snippets::{AnnotationKind, Element, Level, Origin, Renderer, Snippet};
use ir::Span;
use std::ops::Range;

/// Longer source lines are not shown: the caret would be out of sight.
const LONGEST_LINE: usize = 400;

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl Place {
    /// The place of a span, if it is one.
    pub fn of(span: Span, files: &[String]) -> Option<Place> {
        let file = files.get(span.file.index()).filter(|_| span.line > 0)?;
        Some(Place { file: file.clone(), line: span.line, column: span.column })
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The word in front of the message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Error,
    Unsafe,
    Unknown,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub kind: Severity,
    pub message: String,
    pub place: Option<Place>,
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error that is not about a place.
    pub fn new(message: impl Into<String>) -> Diagnostic {
        Diagnostic { kind: Severity::Error, message: message.into(), place: None, hint: None }
    }

    pub fn kind(self, kind: Severity) -> Diagnostic {
        Diagnostic { kind, ..self }
    }

    pub fn at(self, file: &str, line: u32, column: u32) -> Diagnostic {
        Diagnostic { place: Some(Place { file: file.into(), line, column }), ..self }
    }

    pub fn place(self, place: Option<Place>) -> Diagnostic {
        Diagnostic { place, ..self }
    }

    pub fn hint(self, hint: impl Into<String>) -> Diagnostic {
        Diagnostic { hint: Some(hint.into()), ..self }
    }

    /// Ends with a newline.
    pub fn render(&self, colour: bool) -> String {
        let level = match self.kind {
            Severity::Error => Level::ERROR,
            Severity::Unsafe => Level::ERROR.with_name("UNSAFE"),
            Severity::Unknown => Level::WARNING.with_name("UNKNOWN"),
        };
        let mut elements: Vec<Element> = self.place.iter().map(show_place).collect();
        elements.extend(self.hint.iter().map(|h| Level::HELP.message(printable(h)).into()));
        let report = [level.primary_title(printable(&self.message)).elements(elements)];
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        format!("{}\n", renderer.render(&report))
    }
}

impl From<frontend::Error> for Diagnostic {
    fn from(error: frontend::Error) -> Diagnostic {
        let place = (error.span.line > 0).then_some(Place {
            file: error.file,
            line: error.span.line,
            column: error.span.column,
        });
        Diagnostic { kind: Severity::Error, message: error.message, place, hint: error.hint }
    }
}

/// One line without control characters, whatever the input had in it.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn show_place(place: &Place) -> Element<'_> {
    match source_line(place) {
        Some((text, range)) => Snippet::source(text)
            .line_start(place.line as usize)
            .path(&place.file)
            .annotation(AnnotationKind::Primary.span(range))
            .into(),
        None => {
            let origin = Origin::path(&place.file).line(place.line as usize);
            origin.char_column(place.column as usize).into()
        }
    }
}

/// The line and what to underline in it.
fn source_line(place: &Place) -> Option<(String, Range<usize>)> {
    let content = std::fs::read(&place.file).ok()?;
    let line = content.split(|&b| b == b'\n').nth((place.line as usize).checked_sub(1)?)?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() > LONGEST_LINE {
        return None;
    }
    let column = place.column.max(1) as usize - 1;
    if !starts_a_token(line, column) {
        return Some(whole_line(line));
    }
    // Columns count bytes; replacing what is not UTF-8 may move them.
    let before = String::from_utf8_lossy(&line[..column]).into_owned();
    let after = String::from_utf8_lossy(&line[column..]).into_owned();
    let range = before.len()..before.len() + word_length(&after);
    Some((before + &after, range))
}

/// Columns of what a macro expands to are those of the expanded text: they may point anywhere in
/// the line that the user wrote, or past it. The end of the line is a place too.
fn starts_a_token(line: &[u8], column: usize) -> bool {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    match line.get(column) {
        None => column == line.len(),
        Some(b) if b.is_ascii_whitespace() => false,
        Some(b) => !(is_word(b) && column > 0 && is_word(&line[column - 1])),
    }
}

fn whole_line(line: &[u8]) -> (String, Range<usize>) {
    let text = String::from_utf8_lossy(line).trim_end().to_string();
    let start = text.len() - text.trim_start().len();
    let range = start..text.len();
    (text, range)
}

/// Length of the name or number at the start, at least one character if there is any.
fn word_length(text: &str) -> usize {
    let word = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    word.max(text.chars().next().map_or(0, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &[u8], line: u32, column: u32, want: &str) {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::io::Write::write_all(&mut file, content).expect("written");
        let name = file.path().display().to_string();
        let got =
            Diagnostic::new("wrong").at(&name, line, column).hint("do it right").render(false);
        assert_eq!(got.replace(&name, "a.c"), want.trim_start_matches('\n'));
    }

    #[test]
    fn the_caret_is_under_the_column() {
        let want = "
error: wrong
 --> a.c:2:9
  |
2 |     int counter = y;
  |         ^^^^^^^
  |
  = help: do it right
";
        check(b"int x;\n    int counter = y;\n", 2, 9, want);
    }

    #[test]
    fn the_end_of_a_line_is_a_place() {
        let want = "
error: wrong
 --> a.c:1:3
  |
1 | x;
  |   ^
  |
  = help: do it right
";
        check(b"x;\n", 1, 3, want);
    }

    #[test]
    fn a_column_that_a_macro_made_up_marks_the_whole_line() {
        let want = "
error: wrong
 --> a.c:1:3
  |
1 |   assert(x == 2);
  |   ^^^^^^^^^^^^^^^
  |
  = help: do it right
";
        for column in [1, 5, 11, 80] {
            check(b"  assert(x == 2); \n", 1, column, want);
        }
    }

    #[test]
    fn bytes_that_are_no_text_do_not_move_the_caret_off() {
        let want = "
error: wrong
 --> a.c:1:3
  |
1 | \u{FFFD} y
  |   ^
  |
  = help: do it right
";
        check(b"\xE4 y\n", 1, 3, want);
    }

    #[test]
    fn without_the_file_there_is_still_the_place() {
        let got = Diagnostic::new("wrong").at("/no/such/file.c", 3, 4).render(false);
        assert_eq!(got, "error: wrong\n --> /no/such/file.c:3:4\n");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let got = Diagnostic::new("a\x1b[31m\nb").render(false);
        assert_eq!(got, "error: a [31m b\n");
    }
}
