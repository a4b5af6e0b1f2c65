//! Why a test gets no answer.

use std::fmt;

pub(crate) const OUT_OF_TIME: &str = "out of time";
/// The work was more than its limit.
pub(crate) const TOO_MANY_CANDIDATES: &str = "too many candidate executions";

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

    /// It was given up, for lack of time or because there are too many executions.
    pub fn is_limit(&self) -> bool {
        [OUT_OF_TIME, TOO_MANY_CANDIDATES].contains(&self.message.as_str())
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
