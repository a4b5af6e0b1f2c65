//! What is going on, for a user who waits.
//!
//! An engine at work writes numbers on a board: which phase, how large, how far. It travels with the
//! limits of a check, and no writer knows a clock. `progress_line.rs` reads it a few
//! times a second and shows one line on the terminal.
//!
//! Cost: an atomic store per phase, per conflict of the solver and per few hundred states.

use ir::{InstKind, Program, Span};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A board that many may hold; the default is one without a reader.
#[derive(Clone, Default, Debug)]
pub struct Progress(Arc<Board>);

#[derive(Default, Debug)]
struct Board {
    /// Other boards that are to be read instead.
    shown: Mutex<Vec<Progress>>,
    phase: Mutex<&'static str>,
    bound: AtomicU64,          // of the loop that goes furthest
    events: AtomicU64,         // in the formula
    states: AtomicU64,         // seen by the explorer
    expected: AtomicU64,       // states in the end, or 0
    conflicts: Arc<AtomicU64>, // of the solver, in this iteration
    /// What an execution gets to that is not modelled, and where: it stays for the whole check.
    not_modelled: Mutex<Option<NotModelled>>,
}

/// What an execution gets to although it is not modelled: no engine will prove anything.
#[derive(Clone, Debug)]
pub struct NotModelled {
    pub what: String,
    pub span: Span,
    /// Those that the span is about.
    pub files: Arc<[String]>,
}

impl Progress {
    pub fn phase(&self, name: &'static str) {
        *self.0.phase.lock().unwrap_or_else(PoisonError::into_inner) = name;
    }

    /// Another engine, or another iteration: what was counted for the last one is old.
    pub fn begin(&self, phase: &'static str) {
        let board = &self.0;
        board.shown.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let conflicts = &*board.conflicts;
        for number in [&board.bound, &board.events, &board.states, &board.expected, conflicts] {
            number.store(0, Ordering::Relaxed);
        }
        self.phase(phase);
    }

    pub fn bound(&self, bound: u64) {
        self.0.bound.store(bound, Ordering::Relaxed);
    }

    pub fn events(&self, events: u64) {
        self.0.events.store(events, Ordering::Relaxed);
    }

    pub fn states(&self, states: u64) {
        self.0.states.store(states, Ordering::Relaxed);
    }

    /// As many states as there will be, by a guess; 0 if there is none.
    pub fn expects(&self, states: u64) {
        self.0.expected.store(states, Ordering::Relaxed);
    }

    /// States so far, and in the end.
    pub fn outlook(&self) -> Option<(u64, u64)> {
        let [states, expected] =
            [&self.0.states, &self.0.expected].map(|number| number.load(Ordering::Relaxed));
        (states > 0 && expected > 0).then_some((states, expected))
    }

    /// An execution of the program gets to something. It counts if that is an instruction which no
    /// engine knows (one may know more than another of addresses, say), and no limit of a library model,
    /// which a proof about any number of threads need not come to; the first one stays.
    pub fn meets(&self, program: &Program, what: &str, span: Span) {
        let mut met = self.0.not_modelled.lock().unwrap_or_else(PoisonError::into_inner);
        if met.is_none() && has_unknown(program, what) && !what.contains(LIMIT) {
            let span = if program.is_in_model(span) { Span::NONE } else { span };
            let files = program.files.clone().into();
            *met = Some(NotModelled { what: what.to_owned(), span, files });
        }
    }

    pub fn not_modelled(&self) -> Option<NotModelled> {
        self.0.not_modelled.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells what another board knows.
    pub fn repeat(&self, known: &NotModelled) {
        let mut met = self.0.not_modelled.lock().unwrap_or_else(PoisonError::into_inner);
        met.get_or_insert_with(|| known.clone());
    }

    /// Where a solver counts its conflicts.
    pub fn conflicts(&self) -> Arc<AtomicU64> {
        self.0.conflicts.clone()
    }

    /// From now on, readers of this board see these ones.
    pub fn show(&self, others: impl Iterator<Item = Progress>) {
        *self.0.shown.lock().unwrap_or_else(PoisonError::into_inner) = others.collect();
    }

    /// The board in words: the phase and what is not zero.
    pub fn words(&self) -> String {
        let shown = self.0.shown.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match shown.is_empty() {
            true => self.own_words(),
            false => shown.iter().map(Progress::words).collect::<Vec<_>>().join(" | "),
        }
    }

    fn own_words(&self) -> String {
        let board = &self.0;
        let mut words = board.phase.lock().unwrap_or_else(PoisonError::into_inner).to_string();
        let bound = board.bound.load(Ordering::Relaxed);
        if bound > 0 {
            words += &format!(", bound {bound}");
        }
        let counts = [
            ("events", &board.events),
            ("states", &board.states),
            ("conflicts", &*board.conflicts),
        ];
        for (name, count) in counts {
            let count = count.load(Ordering::Relaxed);
            if count > 0 {
                words += &format!(", {} {name}", grouped(count));
            }
        }
        words
    }
}

/// In the words of all limits: `detaching more than 63 threads`.
const LIMIT: &str = "more than ";

/// Is there an instruction of the program that is not modelled for this reason?
fn has_unknown(program: &Program, reason: &str) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    blocks
        .flat_map(|block| &block.insts)
        .any(|inst| matches!(&inst.kind, InstKind::Unsupported { what } if what == reason))
}

/// 1,234,567
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let (head, tail) = digits.split_at(first);
    let groups = tail.as_bytes().chunks(3).map(String::from_utf8_lossy);
    let head = (!head.is_empty()).then(|| head.into());
    head.into_iter().chain(groups).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_known_is_told() {
        let progress = Progress::default();
        progress.phase("load");
        assert_eq!(progress.words(), "load");
        progress.begin("solve: error");
        progress.bound(5);
        progress.events(1234);
        progress.conflicts().fetch_add(7, Ordering::Relaxed);
        assert_eq!(progress.words(), "solve: error, bound 5, 1,234 events, 7 conflicts");
        progress.begin("explore");
        progress.states(1_000_000);
        assert_eq!(progress.words(), "explore, 1,000,000 states");
    }

    #[test]
    fn large_numbers_are_grouped() {
        let numbers = [0, 12, 999, 1000, 65_536, 123_456, 1_000_001];
        let words = ["0", "12", "999", "1,000", "65,536", "123,456", "1,000,001"];
        assert_eq!(numbers.map(grouped), words);
    }
}
