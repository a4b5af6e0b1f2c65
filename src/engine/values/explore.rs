//! One attempt: the states of all threads with one precision, each thread by itself.
//!
//! There is no state of the whole program. A thread's step depends on others by what it reads only, so threads are
//! followed one by one, and meet in the table of reads and writes (`table.rs`). A state that was seen before is not
//! followed again.
//!
//! Cost: the states of threads are added, not multiplied.

use super::memory::{CellId, CellKind, Memory};
use super::precision::{Guess, Ordering, Precision};
use super::races::{AccessKey, Accesses};
use super::state::State;
use super::table::{Place, Table, Write};
use super::threads::{MAIN, Site, ThreadIdx, Threads};
use super::value::Value;
use super::view::View;
use crate::contract::Limits;
use ir::{FuncId, Order, Program, Reg, Span};
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
pub struct World<'a> {
    pub program: &'a Program,
    pub limits: &'a Limits,
    pub grounding: Grounding,
    pub malloc_may_fail: bool,
    pub memory: Memory,
    pub threads: Threads,
    /// Accesses that the last attempt has seen: their sites by cell.
    pub seen: BTreeMap<CellId, Sites>,
}

/// Sites of a cell: all, and those that write.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    pub all: BTreeSet<Site>,
    pub writes: BTreeSet<Site>,
}

/// What keeps an attempt from being a proof.
#[derive(Clone, Debug)]
pub struct Problem {
    pub kind: ProblemKind,
    pub what: String,
    pub span: Span,
    pub guess: Guess,
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
pub enum Stop {
    /// The precision has changed.
    Again,
    Large,
    Late,
}

pub struct Attempt<'w, 'a> {
    pub world: &'w mut World<'a>,
    pub precision: &'w mut Precision,
    table: Table,
    seen: FxHashSet<(ThreadIdx, State)>,
    /// The same, of states that are about to read.
    reading: FxHashSet<(ThreadIdx, State)>,
    open: Vec<(ThreadIdx, State)>,
    reg_values: FxHashMap<(ThreadIdx, u32, Reg), FxHashSet<Value>>,
    own_values: FxHashMap<(ThreadIdx, CellId), FxHashSet<Value>>,
    pub accesses: Accesses,
    pub problems: Vec<Problem>,
    pub bodiless: BTreeSet<(FuncId, Span)>,
    started: usize,
}

impl<'w, 'a> Attempt<'w, 'a> {
    pub fn new(world: &'w mut World<'a>, precision: &'w mut Precision) -> Attempt<'w, 'a> {
        Attempt {
            world,
            precision,
            table: Table::default(),
            seen: FxHashSet::default(),
            reading: FxHashSet::default(),
            open: Vec::new(),
            reg_values: FxHashMap::default(),
            own_values: FxHashMap::default(),
            accesses: Accesses::default(),
            problems: Vec::new(),
            bodiless: BTreeSet::new(),
            started: 0,
        }
    }

    pub fn run(&mut self) -> Result<(), Stop> {
        self.open.push((MAIN, State::start(BTreeMap::new(), View::default(), Guess::NONE)));
        while let Some((thread, state)) = self.open.pop() {
            self.started += 1;
            if self.started % LOOK == 0 && self.world.limits.exceeded() {
                return Err(Stop::Late);
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
        self.precision.ordering == Ordering::Followed
    }

    /// For the next attempt.
    fn remember(&mut self) {
        let mut seen: BTreeMap<CellId, Sites> = BTreeMap::new();
        for (AccessKey { cell, site, .. }, write) in self.accesses.sites() {
            let sites = seen.entry(cell).or_default();
            sites.all.insert(site);
            sites.writes.extend(write.then_some(site));
        }
        self.world.seen = seen;
    }

    /// A state to go on from, if it is new.
    pub fn push(&mut self, thread: ThreadIdx, mut state: State) -> Result<(), Stop> {
        self.normalize(thread, &mut state);
        if self.seen.insert((thread, state.clone())) {
            if state.index == 0 {
                self.count(thread, &state)?;
            }
            self.open.push((thread, state));
        }
        match self.states() > MOST_STATES {
            true => Err(Stop::Large),
            false => Ok(()),
        }
    }

    fn normalize(&self, thread: ThreadIdx, state: &mut State) {
        let shape = &self.world.threads.of(thread).shape;
        state.keep(shape.live.before(state.block, state.index as usize));
    }

    /// A register or an own cell that has too many values is not followed any more.
    fn count(&mut self, thread: ThreadIdx, state: &State) -> Result<(), Stop> {
        for (reg, value) in &state.regs {
            let values = self.reg_values.entry((thread, state.block.0, *reg)).or_default();
            if values.insert(*value) && values.len() > MOST_VALUES {
                let function = self.world.threads.of(thread).function;
                self.precision.loosen_reg(function, *reg);
                return Err(Stop::Again);
            }
        }
        for (cell, (value, _)) in &state.own {
            let values = self.own_values.entry((thread, *cell)).or_default();
            if values.insert(*value) && values.len() > MOST_VALUES {
                self.precision.loosen(*cell);
                return Err(Stop::Again);
            }
        }
        Ok(())
    }

    /// A state before a read: it goes on with each write that it may see, now and later.
    pub fn read(&mut self, thread: ThreadIdx, mut state: State, place: Place) -> Result<(), Stop> {
        self.normalize(thread, &mut state);
        if !self.reading.insert((thread, state.clone())) {
            return Ok(());
        }
        self.table.row(place).reads.push((thread, state.clone()));
        let at_hand = match place {
            Place::Cell(cell) => self.at_hand(&state, cell),
            Place::End(_) => None,
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
    fn at_hand(&self, state: &State, cell: CellId) -> Option<Write> {
        let (value, site) = match state.own.get(&cell) {
            Some((value, site)) => (*value, *site),
            None => (self.world.memory.initial(self.world.program, cell), Site::INITIAL),
        };
        let write = Write { site, value, released: None, guess: Guess::NONE };
        (!state.view.is_stale(cell, site)).then_some(write)
    }

    fn sees(&self, thread: ThreadIdx, state: &State, place: Place, write: &Write) -> bool {
        let Place::Cell(cell) = place else { return true };
        let threads = &self.world.threads;
        let exact = self.kind(cell) == CellKind::Exact && self.follows_order();
        let own = threads.of(thread).single && threads.is_of(thread, write.site);
        !exact || !(own || state.view.is_stale(cell, write.site))
    }

    /// A write appears.
    pub fn write(&mut self, place: Place, write: Write) -> Result<(), Stop> {
        if !self.table.add(place, write.clone()) {
            return Ok(());
        }
        if let Place::Cell(cell) = place {
            if self.table.values(place) > MOST_VALUES {
                self.precision.loosen(cell);
                return Err(Stop::Again);
            }
        }
        for (thread, state) in self.table.row(place).reads.clone() {
            if self.sees(thread, &state, place, &write) {
                self.continue_read(thread, &state, place, &write)?;
            }
        }
        Ok(())
    }

    pub fn kind(&self, cell: CellId) -> CellKind {
        self.world.memory.kind(&self.world.threads, cell)
    }

    /// What the thread tells who acquires something from it where it is.
    pub fn published(&self, thread: ThreadIdx, state: &State) -> Option<View> {
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

    pub fn problem(&mut self, state: &State, kind: ProblemKind, what: &str, span: Span) {
        let what = what.to_string();
        self.problems.push(Problem { kind, what, span, guess: state.guess });
    }

    pub fn note(
        &mut self,
        thread: ThreadIdx,
        state: &State,
        cell: CellId,
        (write, order, span): (bool, Order, Span),
    ) {
        let site = self.world.threads.site(thread, state.at());
        let key = AccessKey { cell, site, thread };
        self.accesses.note(key, write, order, span, &state.view);
    }
}
