//! The explorer on a program whose counters are kept modulo a power of two (`analysis::residues`).
//!
//! A ticket lock in an endless loop has no end of states, but a few low bits of its tickets decide who waits.
//! The reduced program has all executions of the program and others, under every memory model.
//!
//! Invariant: SAFE, or nothing.
//! Cost: a scan where there is nothing to reduce.

use crate::contract::{Answer, Engine, Query, Reason, Remark, Verdict};
use analysis::residues;
use ir::Span;

/// Low bits that are kept, one attempt after the other.
const BITS: [u32; 2] = [2, 4];

/// Asks another engine about reduced programs.
pub struct Reduced<E>(pub E);

impl<E: Engine> Engine for Reduced<E> {
    fn check(&self, query: Query<'_>) -> Verdict {
        for bits in BITS {
            let Some(program) = residues::reduced(query.program, bits) else { break };
            let mut verdict = self.0.check(Query { program: &program, ..query });
            if matches!(verdict.answer, Answer::Safe) {
                let text = format!("proven with counters modulo {}", 1 << bits);
                verdict.notes.push(Remark::new(text, Span::NONE));
                return verdict;
            }
        }
        let why = "low bits of counters do not prove it".to_string();
        Verdict::new(query.property, Answer::Unknown(Reason::Other(why)))
    }
}
