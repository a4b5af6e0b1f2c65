//! An execution told to a reader.

use crate::value::Tid;
use frontend::ir::Span;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    pub thread: Tid,
    pub span: Span,
    /// The user function it happens in.
    pub function: String,
    pub text: String,
}
