//! What the analysis is asked, and why it may have nothing to say.

use crate::contract::Limits;
use ir::Span;

/// What is asked, as far as the analysis must know.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub malloc_may_fail: bool,
    /// There are atomic accesses that do not synchronise.
    pub weak: bool,
    /// Races are looked for.
    pub races: bool,
    /// Accesses outside of living objects are looked for.
    pub memory: bool,
    /// Executions end where a signed number overflows.
    pub overflow_ends: bool,
    pub limits: &'a Limits,
}

/// Why nothing can be said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unclear {
    pub why: String,
    pub span: Span,
}

impl Unclear {
    pub fn new(why: impl Into<String>, span: Span) -> Unclear {
        Unclear { why: why.into(), span }
    }
}
