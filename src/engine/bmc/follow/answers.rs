//! What the interpreter is told where it asks: the model's values of inputs, and what memory holds at
//! first.

use super::ValueOf;
use super::walker::position;
use encoder::{Encoding, Maker, ProgramPoint, ThreadId};
use interp::{About, Choice, ChoiceKind, Domain, Inputs, Interp, ObjKey, Observer, State, Tid};
use ir::{BlockId, FuncId, Span};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// The model's values, shared by who sees where a thread is and who is asked.
pub struct Answers {
    pub table: FxHashMap<(ThreadId, ProgramPoint), u64>,
    pub thread: ThreadId,
    /// The running instruction, unless it stands in a callee.
    pub at: Option<ProgramPoint>,
    /// By serial.
    pub symbols: FxHashMap<u64, u64>,
    pub given: Vec<u64>,
    pub memory: InitialMemory,
}

/// What memory holds at first, where the program does not say. A load that finds it need not be part of the
/// formula, so its own value means nothing.
pub struct InitialMemory {
    /// By who makes the object: offset, number of bytes, bits.
    first: FxHashMap<Maker, Vec<(u64, u8, u64)>>,
    pub made: FxHashMap<ObjKey, Maker>,
    /// For the symbol that is born next.
    next: Option<u64>,
}

impl InitialMemory {
    pub fn new(encoding: &Encoding, value: ValueOf<'_>) -> InitialMemory {
        let mut first: FxHashMap<Maker, Vec<(u64, u8, u64)>> = FxHashMap::default();
        for u in &encoding.undefined {
            first.entry(u.of).or_default().push((u.offset, u.bytes, value(u.value)));
        }
        InitialMemory { first, made: FxHashMap::default(), next: None }
    }

    /// The bytes of a range; `None` if the model knows none of them.
    fn bytes(&self, maker: &Maker, offset: u64, size: u64) -> Option<u64> {
        let end = offset + size;
        let known = self.first.get(maker)?.iter();
        let mut known =
            known.filter(|(at, bytes, _)| *at < end && offset < at + u64::from(*bytes)).peekable();
        known.peek()?;
        let mut bits = 0;
        for &(at, bytes, value) in known {
            for i in 0..u64::from(bytes) {
                let byte = value >> (8 * i) & 0xff;
                if let Some(place) = (at + i).checked_sub(offset).filter(|p| *p < size.min(8)) {
                    bits |= byte << (8 * place);
                }
            }
        }
        Some(bits)
    }
}

/// Sees where the thread is, and which symbols are born there.
pub struct FollowWatch<'a> {
    pub answers: &'a RefCell<Answers>,
    pub interp: &'a Interp<'a>,
}

impl Observer for FollowWatch<'_> {
    fn instruction(&mut self, state: &State, thread: Tid, _: FuncId, _: Span) {
        // The program counter has moved on already. (Terminators need no answers.)
        let at = position(state, thread);
        let here = |p: ProgramPoint| ProgramPoint {
            block: BlockId(p.block.0),
            index: p.index.saturating_sub(1),
        };
        self.answers.borrow_mut().at = at.map(here);
    }

    fn born(&mut self, _: &State, _: Tid, object: ObjKey, _: u64, _: Span) {
        let mut answers = self.answers.borrow_mut();
        if let Some(at) = answers.at {
            let maker = Maker::Instruction(answers.thread, at);
            answers.memory.made.insert(object, maker);
        }
    }

    fn undefined(&mut self, _: Tid, object: ObjKey, offset: u64, size: u64) {
        let memory = &mut self.answers.borrow_mut().memory;
        let program = || self.interp.static_of(object).map(Maker::Program);
        let maker = memory.made.get(&object).copied().or_else(program);
        memory.next = maker.and_then(|maker| memory.bytes(&maker, offset, size));
    }

    fn symbol(&mut self, _: Tid, about: &About, domain: &Domain) {
        let mut answers = self.answers.borrow_mut();
        let bits = answers.memory.next.take().unwrap_or_else(|| answers.here());
        let bits = bits & ir::arith::mask(domain.bits());
        answers.symbols.insert(about.serial, bits);
    }
}

/// Answers from the model.
pub struct ModelAnswers<'a>(pub &'a RefCell<Answers>);

impl Inputs for ModelAnswers<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        let mut answers = self.0.borrow_mut();
        let bits = |about: &About| answers.symbols.get(&about.serial).copied().unwrap_or(0);
        let answer = match &choice.kind {
            ChoiceKind::AllocFails => answers.here() & 1,
            ChoiceKind::Value { symbol, domain } => {
                Some(bits(symbol)).filter(|b| domain.contains_bits(*b))?
            }
            ChoiceKind::Split { symbol, parts } => {
                let bits = bits(symbol);
                parts.iter().position(|part| part.contains_bits(bits))? as u64
            }
        };
        answers.given.push(answer);
        Some(answer)
    }
}

/// Answers nothing.
pub struct Silence;

impl Inputs for Silence {
    fn choose(&mut self, _: &Choice<'_>) -> Option<u64> {
        None
    }
}

impl Answers {
    /// The model's value for the running instruction; 0 if it has none.
    fn here(&self) -> u64 {
        let at = self.at.and_then(|at| self.table.get(&(self.thread, at)));
        at.copied().unwrap_or(0)
    }
}
