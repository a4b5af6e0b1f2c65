//! What is wrong with a cat file, and where: file, line, caret, hint.

use std::fmt;

/// A piece of one of the files that were read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    pub file: usize,
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub(crate) fn to(self, last: Span) -> Span {
        Span { end: last.end.max(self.end), ..self }
    }
}

/// A complaint without its text; `Error` adds the line.
#[derive(Clone, Debug)]
pub(crate) struct Complaint {
    pub span: Span,
    pub message: String,
    pub hint: Option<String>,
    /// A name in it is not known: what `try ... with ...` catches.
    pub unknown_name: bool,
}

impl Complaint {
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), hint: None, unknown_name: false }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// A model that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    pub file: String,
    /// From 1; 0 if the file itself could not be read.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    pub width: usize,
    pub text: String,
    pub message: String,
    pub hint: Option<String>,
}

impl Error {
    pub(crate) fn of_file(file: &str, message: String) -> Self {
        let [line, column, width] = [0; 3];
        Self { file: file.into(), line, column, width, text: String::new(), message, hint: None }
    }

    pub(crate) fn new(complaint: Complaint, file: &str, text: &str) -> Self {
        let Complaint { span, message, hint, .. } = complaint;
        let start = span.start.min(text.len());
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let width = text[start..span.end.clamp(start, line_end)].chars().count().max(1);
        Self {
            file: file.into(),
            line: text[..start].matches('\n').count() + 1,
            column: text[line_start..start].chars().count() + 1,
            width,
            text: text[line_start..line_end].to_string(),
            message,
            hint,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            return write!(f, "{}: {}", self.file, self.message);
        }
        let margin = self.line.to_string().len();
        writeln!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)?;
        writeln!(f, "{} | {}", self.line, self.text)?;
        let blank: String = self
            .text
            .chars()
            .take(self.column - 1)
            .map(|c| if c == '\t' { c } else { ' ' })
            .collect();
        write!(f, "{:margin$} | {blank}{}", "", "^".repeat(self.width))?;
        match &self.hint {
            Some(hint) => write!(f, "\n{:margin$} = hint: {hint}", ""),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
