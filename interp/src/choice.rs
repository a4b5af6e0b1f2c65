//! The choices that a step leaves open, and who makes them.
//!
//! An input or an uninitialised value is a *symbol* until a step needs to know more about it. Then
//! the step asks: which of these disjoint parts of its domain (`Split`), or which value (`Value`)?
//! The interpreter asks only when there are at least two answers, always in the same order for the
//! same state, so a step is a function of the state and the list of answers. An explorer enumerates
//! all lists; replay gives a recorded one. `allowed` failures of `malloc` are a choice too.

use crate::symbol::Domain;
use crate::value::Tid;
use ir::{At, Span};

/// One question.
#[derive(Clone, Debug)]
pub struct Choice<'a> {
    pub thread: Tid,
    /// The instruction that asks.
    pub span: Span,
    pub kind: ChoiceKind<'a>,
}

#[derive(Clone, Debug)]
pub enum ChoiceKind<'a> {
    /// Which part of a symbol's domain? Answer: an index into `parts` (none is empty).
    Split { symbol: &'a About, parts: &'a [Domain] },
    /// Which value? Answer: the bit pattern (of the symbol's width) of an element of `domain`.
    Value { symbol: &'a About, domain: &'a Domain },
    /// May an allocation fail here? Answer: 0 it succeeds, 1 it returns null.
    AllocFails,
}

/// Where a symbol comes from. No part of a state's identity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// Numbers the symbols of one execution in the order of their creation.
    pub serial: u64,
    /// The instruction that created it.
    pub at: At,
    pub source: ChoiceSource,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChoiceSource {
    /// A `Nondet` instruction with its name (e.g. `__VERIFIER_nondet_int`).
    Input(String),
    /// An uninitialised local, or uninitialised memory.
    Uninitialised,
    /// The same in a heap block: a replay of the compiled program can fill that.
    UninitialisedHeap,
    /// The result of a function without a body, or an argument that the call did not pass.
    Unknown,
}

impl Choice<'_> {
    /// How many answers there are (saturating).
    pub fn answers(&self) -> u128 {
        match &self.kind {
            ChoiceKind::Split { parts, .. } => parts.len() as u128,
            ChoiceKind::Value { domain, .. } => domain.len(),
            ChoiceKind::AllocFails => 2,
        }
    }

    /// The `n`-th answer, for `n < answers()`.
    pub fn answer(&self, n: u128) -> u64 {
        match &self.kind {
            ChoiceKind::Value { domain, .. } => domain.nth(n).unwrap_or(0),
            _ => n as u64,
        }
    }
}

/// Who answers.
pub trait Inputs {
    /// `None`: refuses (say, because the domain is too large to enumerate); the step then returns
    /// `StepResult::Refused` and the state must not be used any more.
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64>;

    /// Asked about each new symbol: is its value known from the start? Such a value is no answer of
    /// `choose`, so a replay of the execution must know it, too.
    fn foresee(&mut self, _: Tid, _: &About, _: &Domain) -> Option<i128> {
        None
    }
}

/// Always takes the first answer: for sequential runs of programs without inputs, and tests.
#[derive(Clone, Copy, Default, Debug)]
pub struct First;

impl Inputs for First {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        Some(choice.answer(0))
    }
}

/// Answers from a list; refuses when it is used up.
#[derive(Clone, Default, Debug)]
pub struct Recorded {
    answers: std::collections::VecDeque<u64>,
}

impl Recorded {
    pub fn new(answers: impl IntoIterator<Item = u64>) -> Recorded {
        Recorded { answers: answers.into_iter().collect() }
    }

    pub fn left(&self) -> usize {
        self.answers.len()
    }
}

impl Inputs for Recorded {
    fn choose(&mut self, _: &Choice<'_>) -> Option<u64> {
        self.answers.pop_front()
    }
}
