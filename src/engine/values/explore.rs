//! One attempt: the states of all threads with one precision, each thread by itself.
//!
//! There is no state of the whole program. A thread's step depends on others by what it reads only, so threads are
//! followed one by one, and meet in the table of reads and writes (`table.rs`). A state that was seen before is not
//! followed again.
//!
//! Cost: the states of threads are added, not multiplied.

use super::memory::{CellScope, FlowCell, FlowMemory};
use super::precision::{AccessOrdering, FlowPrecision, GuessedCells};
use super::races::{SiteAccesses, SiteKey};
use super::state::ThreadState;
use super::table::{ReadPlace, ReadTable, SeenWrite};
use super::threads::{AccessSite, MAIN, StartedThreads, ThreadIdx};
use super::value::FlowValue;
use super::view::ThreadView;
use crate::contract::Limits;
use ir::{FuncId, MemoryOrder, Program, Reg, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::weak::Grounding;
use std::collections::{BTreeMap, BTreeSet};

/// States of an attempt, at most.
const MOST_STATES: usize = 40_000;
/// Values of a cell, or of a register at one place, at most.
const MOST_VALUES: usize = 40;
/// States between two looks at the clock.
const LOOK: usize = 64;

/// What all attempts know.
pub struct FlowWorld<'a> {
    pub program: &'a Program,
    pub limits: &'a Limits,
    pub grounding: Grounding,
    pub malloc_may_fail: bool,
    pub memory: FlowMemory,
    pub threads: StartedThreads,
    /// Accesses that the last attempt has seen: their sites by cell.
    pub seen: BTreeMap<FlowCell, Sites>,
}

/// Sites of a cell: all, and those that write.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    pub all: BTreeSet<AccessSite>,
    pub writes: BTreeSet<AccessSite>,
}

/// What keeps an attempt from being a proof.
#[derive(Clone, Debug)]
pub struct FlowProblem {
    pub kind: ProblemKind,
    pub what: String,
    pub span: Span,
    pub guess: GuessedCells,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ProblemKind {
    /// It is not modelled.
    Doubt,
    /// The property may be violated.
    Error,
}

/// How an attempt ends early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttemptStop {
    /// The precision has changed.
    Again,
    Large,
    Late,
}

pub struct Attempt<'w, 'a> {
    pub world: &'w mut FlowWorld<'a>,
    pub precision: &'w mut FlowPrecision,
    table: ReadTable,
    seen: FxHashSet<(ThreadIdx, ThreadState)>,
    /// The same, of states that are about to read.
    reading: FxHashSet<(ThreadIdx, ThreadState)>,
    open: Vec<(ThreadIdx, ThreadState)>,
    reg_values: FxHashMap<(ThreadIdx, u32, Reg), FxHashSet<FlowValue>>,
    own_values: FxHashMap<(ThreadIdx, FlowCell), FxHashSet<FlowValue>>,
    pub accesses: SiteAccesses,
    pub problems: Vec<FlowProblem>,
    pub bodiless: BTreeSet<(FuncId, Span)>,
    started: usize,
}

impl<'w, 'a> Attempt<'w, 'a> {
    pub fn new(world: &'w mut FlowWorld<'a>, precision: &'w mut FlowPrecision) -> Attempt<'w, 'a> {
        Attempt {
            world,
            precision,
            table: ReadTable::default(),
            seen: FxHashSet::default(),
            reading: FxHashSet::default(),
            open: Vec::new(),
            reg_values: FxHashMap::default(),
            own_values: FxHashMap::default(),
            accesses: SiteAccesses::default(),
            problems: Vec::new(),
            bodiless: BTreeSet::new(),
            started: 0,
        }
    }

    pub fn run(&mut self) -> Result<(), AttemptStop> {
        self.open.push((
            MAIN,
            ThreadState::start(BTreeMap::new(), ThreadView::default(), GuessedCells::NONE),
        ));
        while let Some((thread, state)) = self.open.pop() {
            self.started += 1;
            if self.started % LOOK == 0 && self.world.limits.exceeded() {
                return Err(AttemptStop::Late);
            }
            self.follow(thread, state)?;
        }
        self.remember();
        Ok(())
    }

    pub fn states(&self) -> usize {
        self.seen.len() + self.reading.len()
    }

    pub fn follows_order(&self) -> bool {
        self.precision.ordering == AccessOrdering::Followed
    }

    /// For the next attempt.
    fn remember(&mut self) {
        let mut seen: BTreeMap<FlowCell, Sites> = BTreeMap::new();
        for (SiteKey { cell, site, .. }, write) in self.accesses.sites() {
            let sites = seen.entry(cell).or_default();
            sites.all.insert(site);
            sites.writes.extend(write.then_some(site));
        }
        self.world.seen = seen;
    }

    /// A state to go on from, if it is new.
    pub fn push(&mut self, thread: ThreadIdx, mut state: ThreadState) -> Result<(), AttemptStop> {
        self.normalize(thread, &mut state);
        if self.seen.insert((thread, state.clone())) {
            if state.index == 0 {
                self.count(thread, &state)?;
            }
            self.open.push((thread, state));
        }
        match self.states() > MOST_STATES {
            true => Err(AttemptStop::Large),
            false => Ok(()),
        }
    }

    fn normalize(&self, thread: ThreadIdx, state: &mut ThreadState) {
        let shape = &self.world.threads.of(thread).shape;
        state.keep(shape.live.before(state.block, state.index as usize));
    }

    /// A register or an own cell that has too many values is not followed any more.
    fn count(&mut self, thread: ThreadIdx, state: &ThreadState) -> Result<(), AttemptStop> {
        for (reg, value) in &state.regs {
            let values = self.reg_values.entry((thread, state.block.0, *reg)).or_default();
            if values.insert(*value) && values.len() > MOST_VALUES {
                let function = self.world.threads.of(thread).function;
                self.precision.loosen_reg(function, *reg);
                return Err(AttemptStop::Again);
            }
        }
        for (cell, (value, _)) in &state.own {
            let values = self.own_values.entry((thread, *cell)).or_default();
            if values.insert(*value) && values.len() > MOST_VALUES {
                self.precision.loosen(*cell);
                return Err(AttemptStop::Again);
            }
        }
        Ok(())
    }

    /// A state before a read: it goes on with each write that it may see, now and later.
    pub fn read(
        &mut self,
        thread: ThreadIdx,
        mut state: ThreadState,
        place: ReadPlace,
    ) -> Result<(), AttemptStop> {
        self.normalize(thread, &mut state);
        if !self.reading.insert((thread, state.clone())) {
            return Ok(());
        }
        self.table.row(place).reads.push((thread, state.clone()));
        let at_hand = match place {
            ReadPlace::Cell(cell) => self.at_hand(&state, cell),
            ReadPlace::End(_) => None,
        };
        if let Some(write) = at_hand {
            self.continue_read(thread, &state, place, &write)?;
        }
        for write in self.table.row(place).writes.clone() {
            if self.sees(thread, &state, place, &write) {
                self.continue_read(thread, &state, place, &write)?;
            }
        }
        Ok(())
    }

    /// What a read may see besides the writes of others: what the thread has written last itself, or what was there
    /// at first.
    fn at_hand(&self, state: &ThreadState, cell: FlowCell) -> Option<SeenWrite> {
        let (value, site) = match state.own.get(&cell) {
            Some((value, site)) => (*value, *site),
            None => (self.world.memory.initial(self.world.program, cell), AccessSite::INITIAL),
        };
        let write = SeenWrite { site, value, released: None, guess: GuessedCells::NONE };
        (!state.view.is_stale(cell, site)).then_some(write)
    }

    fn sees(
        &self,
        thread: ThreadIdx,
        state: &ThreadState,
        place: ReadPlace,
        write: &SeenWrite,
    ) -> bool {
        let ReadPlace::Cell(cell) = place else { return true };
        let threads = &self.world.threads;
        let exact = self.kind(cell) == CellScope::Exact && self.follows_order();
        let own = threads.of(thread).single && threads.is_of(thread, write.site);
        !exact || !(own || state.view.is_stale(cell, write.site))
    }

    /// A write appears.
    pub fn write(&mut self, place: ReadPlace, write: SeenWrite) -> Result<(), AttemptStop> {
        if !self.table.add(place, write.clone()) {
            return Ok(());
        }
        if let ReadPlace::Cell(cell) = place {
            if self.table.values(place) > MOST_VALUES {
                self.precision.loosen(cell);
                return Err(AttemptStop::Again);
            }
        }
        for (thread, state) in self.table.row(place).reads.clone() {
            if self.sees(thread, &state, place, &write) {
                self.continue_read(thread, &state, place, &write)?;
            }
        }
        Ok(())
    }

    pub fn kind(&self, cell: FlowCell) -> CellScope {
        self.world.memory.kind(&self.world.threads, cell)
    }

    /// What a thread learns that acquires from this one where it is.
    pub fn published(&self, thread: ThreadIdx, state: &ThreadState) -> Option<ThreadView> {
        if !self.follows_order() {
            return None;
        }
        let (threads, seen) = (&self.world.threads, &self.world.seen);
        let passed = seen.values().flat_map(|sites| &sites.all).copied();
        let passed = passed.filter(|site| {
            threads.is_of(thread, *site) && threads.has_passed(thread, state.at(), *site)
        });
        let own = state
            .own
            .iter()
            .filter_map(|(cell, (_, last))| Some((*cell, *last, seen.get(cell)?.writes.clone())));
        Some(state.view.published(passed, own))
    }

    pub fn problem(&mut self, state: &ThreadState, kind: ProblemKind, what: &str, span: Span) {
        let what = what.to_string();
        self.problems.push(FlowProblem { kind, what, span, guess: state.guess });
    }

    pub fn note(
        &mut self,
        thread: ThreadIdx,
        state: &ThreadState,
        cell: FlowCell,
        (write, order, span): (bool, MemoryOrder, Span),
    ) {
        let site = self.world.threads.site(thread, state.at());
        let key = SiteKey { cell, site, thread };
        self.accesses.note(key, write, order, span, &state.view);
    }
}
