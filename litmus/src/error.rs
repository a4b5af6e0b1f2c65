//! Why a test gets no answer.

use std::fmt;

/// A test that cannot be read, or that asks for something that is not supported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// From 1; 0 if it is about the test as a whole.
    pub line: usize,
    pub message: String,
}

impl Error {
    pub fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }

    /// About the test as a whole.
    pub fn whole(message: impl Into<String>) -> Self {
        Self::new(0, message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl std::error::Error for Error {}
