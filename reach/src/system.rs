//! A program as threads of locations and actions over cells.
//!
//! A *location* stands before a step that other threads can notice. An *action* leads from one
//! location to the next: a guard and a simultaneous substitution, both terms over the cells before it.
//! It holds one step that others can notice (an access to shared memory, or a whole atomic block), with
//! everything around it that they cannot. *Cells* are registers, pieces of memory, and what the
//! threads themselves are: started, ended, joined.
//!
//! Invariant: an execution of the program that violates the property, or does what is not modelled,
//! is an execution of the system to a target that is `Error` or `Doubt`. Where a thread stops for good,
//! its actions end at a location without actions; where the process ends, there is no action.

use crate::linear::narrowed;
use encoder::{Op, Pool, Term};
use fixedbitset::FixedBitSet;
use ir::{At, BlockId, FuncId, ObjectId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(/** A cell of a system. */ CellId);
id!(/** A thread of a system: 0 is the first. */ ThreadId);
id!(/** A location of one thread. */ LocId);
id!(/** An action of a system. */ ActionId);

#[derive(Clone, Debug)]
pub struct Cell {
    pub name: String,
    /// Its value before an action.
    pub var: Term,
    pub kind: CellKind,
    /// What it holds at first, if that is known.
    pub initial: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellKind {
    /// A register, or memory of one thread.
    Own(ThreadId),
    /// Memory that several threads use.
    Shared,
    /// Of threads and lifetimes: few values, always worth tracking.
    Control,
}

/// Where a location stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SourcePoint {
    pub function: FuncId,
    pub block: BlockId,
    pub index: usize,
}

#[derive(Clone, Debug)]
pub struct Location {
    pub place: SourcePoint,
    pub span: Span,
    pub actions: Vec<ActionId>,
    /// Some action of it is enabled in every state: the thread neither waits here, nor ends the
    /// process.
    pub total: bool,
}

/// Locations that every thread has: it is at its end, or goes no further.
pub const END: LocId = LocId(1);
pub(crate) const STUCK: LocId = LocId(2);

#[derive(Clone, Debug)]
pub struct Thread {
    pub name: String,
    /// The cell that says whether it has been started; none for the first thread.
    pub started: Option<CellId>,
    /// The first is where it starts.
    pub locations: Vec<Location>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    To(LocId),
    /// The property is violated.
    Error(Flaw),
    /// What is not modelled, or not defined in C.
    Doubt(Flaw),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    pub what: String,
    pub at: At,
}

#[derive(Clone, Debug)]
pub struct Action {
    pub thread: ThreadId,
    pub from: LocId,
    pub to: Target,
    pub guard: Term,
    /// Each cell once.
    pub updates: Vec<(CellId, Term)>,
    /// Cells in guard and updates, and cells that are updated.
    pub reads: FixedBitSet,
    pub writes: FixedBitSet,
    /// It goes back in its thread's graph: each cycle has such an action.
    pub retreats: bool,
    /// Nothing in it was made weaker than the program.
    pub exact: bool,
    pub trail: Trail,
    pub span: Span,
}

/// How the program executes an action.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Trail {
    /// Instructions and ends of blocks.
    pub length: usize,
    /// What the program is given, in order.
    pub inputs: Vec<InputVariable>,
    /// Threads that it starts, in order.
    pub starts: Vec<ThreadId>,
}

/// A variable that stands for what the program is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputVariable {
    Value(Term),
    /// An allocation fails.
    Fails(Term),
}

/// A call of a function without a body, and where.
pub type Bodiless = (FuncId, Span);

/// What a thread stores somewhere on its way from a location, if it gets there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Stored {
    pub thread: ThreadId,
    pub from: LocId,
    pub guard: Term,
    pub cell: CellId,
    pub value: Term,
}

#[derive(Clone, Debug, Default)]
pub struct System {
    pub pool: Pool,
    pub cells: Vec<Cell>,
    pub threads: Vec<Thread>,
    pub actions: Vec<Action>,
    /// Of variables that are cells.
    pub by_var: FxHashMap<Term, CellId>,
    pub bodiless: Vec<Bodiless>,
    /// The first place where a thread stops since C does not define how it goes on.
    pub undefined: Option<(Span, String)>,
    /// All that is stored to global variables, if that was asked for: also what is overwritten before
    /// others can see it.
    pub stores: Vec<Stored>,
    /// Cells that are global variables as a whole.
    pub globals: Vec<(CellId, ObjectId)>,
}

impl System {
    pub fn cell(&self, id: CellId) -> &Cell {
        &self.cells[id.index()]
    }

    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.index()]
    }

    pub(crate) fn thread_ids(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.threads.len() as u32).map(ThreadId)
    }

    pub(crate) fn cell_ids(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..self.cells.len() as u32).map(CellId)
    }

    pub fn location(&self, thread: ThreadId, at: LocId) -> &Location {
        &self.threads[thread.index()].locations[at.index()]
    }

    /// The cells whose variables occur in a term.
    pub(crate) fn cells_in(&self, term: Term) -> FixedBitSet {
        let mut cells = FixedBitSet::with_capacity(self.cells.len());
        for var in vars(&self.pool, term) {
            if let Some(id) = self.by_var.get(&var) {
                cells.insert(id.index());
            }
        }
        cells
    }

    /// The system as text, for people who debug it.
    pub fn dump(&self) -> String {
        let mut out = String::new();
        for (i, action) in self.actions.iter().enumerate() {
            let thread = &self.threads[action.thread.index()];
            let line = action.span.line;
            out += &format!("a{i} {}#{} {} -> ", thread.name, action.thread.0, action.from.0);
            out += &match &action.to {
                Target::To(to) => format!("{} (line {line})", to.0),
                Target::Error(flaw) => format!("error: {} (line {line})", flaw.what),
                Target::Doubt(flaw) => format!("doubt: {} (line {line})", flaw.what),
            };
            out += &format!("\n  [{}]\n", self.show(action.guard));
            for (cell, value) in &action.updates {
                out += &format!("  {} := {}\n", self.cell(*cell).name, self.show(*value));
            }
        }
        out
    }

    /// Fills in what follows from guards, updates and targets.
    pub fn settle(&mut self) {
        for at in 0..self.actions.len() {
            self.narrow(at);
            let action = &self.actions[at];
            let mut reads = self.cells_in(action.guard);
            let mut writes = FixedBitSet::with_capacity(self.cells.len());
            for (cell, value) in &action.updates {
                reads.union_with(&self.cells_in(*value));
                writes.insert(cell.index());
            }
            let action = &mut self.actions[at];
            (action.reads, action.writes) = (reads, writes);
        }
        for thread in self.thread_ids() {
            self.mark_retreating(thread);
        }
    }

    fn narrow(&mut self, at: usize) {
        let action = &mut self.actions[at];
        action.guard = narrowed(&mut self.pool, action.guard);
        for (_, value) in &mut action.updates {
            *value = narrowed(&mut self.pool, *value);
        }
    }

    /// Depth first: what goes back to where the walk still is.
    fn mark_retreating(&mut self, thread: ThreadId) {
        let count = self.threads[thread.index()].locations.len();
        let (mut seen, mut open) = (vec![false; count], vec![false; count]);
        let mut stack: Vec<(usize, usize)> = vec![(0, 0)];
        seen[0] = true;
        open[0] = true;
        while let Some(top) = stack.last_mut() {
            let (at, next) = *top;
            top.1 += 1;
            let actions = &self.threads[thread.index()].locations[at].actions;
            let Some(&id) = actions.get(next) else {
                open[at] = false;
                stack.pop();
                continue;
            };
            let Target::To(to) = self.actions[id.index()].to else { continue };
            self.actions[id.index()].retreats = open[to.index()];
            if !std::mem::replace(&mut seen[to.index()], true) {
                open[to.index()] = true;
                stack.push((to.index(), 0));
            }
        }
    }

    /// Static cone of influence: updates of cells that no guard depends on are dropped.
    pub fn keep_cone(&mut self) -> usize {
        let mut needed = FixedBitSet::with_capacity(self.cells.len());
        for action in &self.actions {
            needed.union_with(&self.cells_in(action.guard));
        }
        loop {
            let before = needed.count_ones(..);
            for action in &self.actions {
                for (cell, value) in &action.updates {
                    if needed.contains(cell.index()) {
                        needed.union_with(&self.cells_in(*value));
                    }
                }
            }
            if needed.count_ones(..) == before {
                break;
            }
        }
        let mut dropped = 0;
        for action in &mut self.actions {
            let before = action.updates.len();
            action.updates.retain(|(cell, _)| needed.contains(cell.index()));
            dropped += before - action.updates.len();
        }
        self.settle();
        dropped
    }
}

/// The variables of a term.
pub fn vars(pool: &Pool, term: Term) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let (mut found, mut stack) = (Vec::new(), vec![term]);
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        match pool.op(t) {
            Op::Var(_) => found.push(t),
            _ => pool.operands(t, |o| stack.push(o)),
        }
    }
    found.sort_unstable();
    found
}
