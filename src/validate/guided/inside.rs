//! Where a thread is within an atomic block.
//!
//! A block is one step of the program, but a witness may speak of its statements. So while the block
//! runs, the state is kept at each of its lines that the guide names, just before the line.
//! Cost: a copy of a state for each (states share what they have in common), and only in blocks.

use super::pass::Matcher;
use crate::witness::places::Line;
use interp::{Observer, State, Tid};
use ir::{FuncId, Span};

/// A state in the middle of a step.
pub struct Glimpse {
    /// Before which instruction of the step.
    pub nth: usize,
    pub line: Line,
    pub state: State,
}

pub struct Inside<'m, 'a> {
    matcher: &'m Matcher<'a>,
    /// Of the instruction before.
    last: Option<Line>,
    instructions: usize,
    pub glimpses: Vec<Glimpse>,
}

impl<'m, 'a> Inside<'m, 'a> {
    pub fn new(matcher: &'m Matcher<'a>) -> Inside<'m, 'a> {
        Inside { matcher, last: None, instructions: 0, glimpses: Vec::new() }
    }
}

impl Observer for Inside<'_, '_> {
    fn instruction(&mut self, state: &State, thread: Tid, _: FuncId, _: Span) {
        let nth = self.instructions;
        self.instructions += 1;
        let line = self.matcher.line(self.matcher.interp.user_place(state, thread).1);
        let before = std::mem::replace(&mut self.last, line);
        if let Some(line) = line.filter(|l| before != Some(*l) && self.matcher.lines.contains(l)) {
            self.glimpses.push(Glimpse { nth, line, state: state.clone() });
        }
    }

    fn undone(&mut self, _: Tid) {
        self.glimpses.clear();
    }
}
