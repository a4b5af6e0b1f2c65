//! What can go wrong between C text and IR: always with a place and, where we know one, a hint.

use ir::Span;

/// Input that cannot be read as C. (C that can be read but is not modelled is no error: it becomes
/// an `Unsupported` instruction.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The file's name as the line markers give it, for spans that have no `Program` to ask.
    pub file: String,
    pub span: Span,
    pub message: String,
    pub hint: Option<String>,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.span.line, self.span.column, self.message)
    }
}

impl std::error::Error for Error {}
