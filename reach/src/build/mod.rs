//! From a program to a system.
//!
//! Thread functions become graphs without calls, one copy per thread; then locations and actions
//! are found by executing paths with terms. What shapes the system is guessed and confirmed
//! (`guess.rs`). What is not modelled is refused by name, or is a target `Doubt` where it is reached.
//!
//! - `flatten.rs`: calls inlined, short loops unrolled
//! - `guess.rs`: what is taken to be true until a build shows otherwise
//! - `sym.rs`: what is known along one path
//! - `thread.rs`: one thread while it is built
//! - `exec.rs`: actions, step by step; threads
//! - `access.rs`: loads, stores, lifetimes; `memory.rs`: addresses, objects, cells; `outside.rs`:
//!   accesses that C does not define
//! - `value.rs`: operands and computations as terms

mod access;
mod exec;
pub mod flatten;
mod guess;
mod memory;
mod outside;
mod sym;
mod thread;
mod value;

use crate::ask::Budget;
use crate::system::{
    Action, ActionId, Bodiless, Cell, CellId, LocId, Location, Stored, System, Thread, ThreadId,
};
use analysis::live::LivePoints;
use analysis::loops::loops_of;
use analysis::points_to::PointsTo;
use encoder::{Pool, Term};
use fixedbitset::FixedBitSet;
use guess::{Guess, Instance, Key, Maker};
use ir::cfg::Cfg;
use ir::*;
use outside::Definitions;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use sym::Known;
use thread::ThreadBuild;

/// Builds until nothing is new; more are not worth waiting for.
const MAX_BUILDS: usize = 60;

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Errors of unreach-call.
    pub errors: bool,
    pub malloc_may_fail: bool,
    /// A thread stops where it does what C does not define (`--undefined ends`).
    pub undefined_ends: bool,
    /// Is it told where an execution ends, so that no state there is taken for a deadlock?
    pub ends: bool,
    /// Is it kept what is stored to global variables?
    pub stores: bool,
    /// An access compares its address with this many places at most.
    pub most_places: usize,
}

/// Why there is no system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub what: String,
    pub span: Span,
    again: bool,
}

impl Refusal {
    pub fn new(what: impl Into<String>, span: Span) -> Refusal {
        Refusal { what: what.into(), span, again: false }
    }

    /// Another build is needed.
    fn again() -> Refusal {
        Refusal { what: String::new(), span: Span::NONE, again: true }
    }
}

/// What is known of a function's graph.
struct FunctionGraph {
    live: LivePoints,
    heads: FxHashSet<BlockId>,
    joins: FxHashSet<BlockId>,
    looping: FxHashSet<BlockId>,
    /// What each register is computed from.
    defs: Definitions,
    /// Variables that are `const` at some time.
    fixed: FxHashSet<SlotId>,
}

struct Build<'a> {
    program: &'a Program,
    guess: &'a mut Guess,
    config: Config,
    budget: &'a Budget,
    graphs: Rc<FxHashMap<FuncId, FunctionGraph>>,
    pool: Pool,
    cells: Vec<Cell>,
    keys: Vec<Key>,
    by_key: FxHashMap<Key, CellId>,
    used: FxHashMap<Key, BTreeSet<usize>>,
    bodiless: BTreeSet<Bodiless>,
    /// Where threads stop since C does not define how they go on.
    undefined: BTreeSet<(Span, String)>,
    points_to: Option<PointsTo>,
    /// Somebody asks whether a thread has ended.
    has_ended: bool,
    at: At,
}

/// The program as a system.
pub fn build(program: &Program, config: Config, budget: &Budget) -> Result<System, Refusal> {
    let too_large = || Refusal::new("the program is too large when calls are inlined", Span::NONE);
    let program = flatten::flatten(program).ok_or_else(too_large)?;
    let graphs = Rc::new(graphs(&program));
    let mut guess = Guess::default();
    guess.instance(Instance { function: program.entry, by: None });
    for (i, object) in program.objects.iter().enumerate() {
        if object.kind != ObjectKind::ThreadLocal {
            guess.object(Maker::Static(ObjectId(i as u32)), object.size);
        }
    }
    for _ in 0..MAX_BUILDS {
        guess.begin();
        let build = Build::new(&program, &mut guess, config, budget, graphs.clone());
        match build.run() {
            Err(refusal) if !refusal.again => return Err(refusal),
            Ok(system) if !guess.changed => return Ok(system),
            _ => {}
        }
    }
    Err(Refusal::new("what threads share does not settle", Span::NONE))
}

fn graphs(program: &Program) -> FxHashMap<FuncId, FunctionGraph> {
    let roots = analysis::roots(program).into_iter();
    let graph = |id: FuncId| {
        let function = &program.functions[id.index()];
        let loops = loops_of(function, id);
        let mut entered = vec![0; function.blocks.len()];
        let cfg = Cfg::new(function);
        for succ in cfg.succs.iter().flatten() {
            entered[succ.index()] += 1;
        }
        let joins = (0..entered.len()).filter(|b| entered[*b] > 1).map(|b| BlockId(b as u32));
        let insts = function.blocks.iter().flat_map(|b| &b.insts);
        let fixed = insts.filter_map(|inst| match inst.kind {
            InstKind::SlotConst { slot, constant: true } => Some(slot),
            _ => None,
        });
        let graph = FunctionGraph {
            fixed: fixed.collect(),
            defs: Definitions::new(function),
            live: LivePoints::new(function),
            heads: loops.iter().map(|l| l.head).collect(),
            joins: joins.collect(),
            looping: loops.iter().flat_map(|l| l.body.iter().copied()).collect(),
        };
        (id, graph)
    };
    roots.map(graph).collect()
}

impl<'a> Build<'a> {
    fn new(
        program: &'a Program,
        guess: &'a mut Guess,
        config: Config,
        budget: &'a Budget,
        graphs: Rc<FxHashMap<FuncId, FunctionGraph>>,
    ) -> Build<'a> {
        let roots: Vec<FuncId> = graphs.keys().copied().collect();
        let blocks = roots.iter().flat_map(|f| &program.functions[f.index()].blocks);
        let has_ended =
            blocks.flat_map(|b| &b.insts).any(|inst| matches!(inst.kind, InstKind::Ended { .. }));
        Build {
            program,
            guess,
            config,
            budget,
            graphs,
            pool: Pool::new(),
            cells: Vec::new(),
            keys: Vec::new(),
            by_key: FxHashMap::default(),
            used: FxHashMap::default(),
            bodiless: BTreeSet::new(),
            undefined: BTreeSet::new(),
            points_to: None,
            has_ended,
            at: At::NOWHERE,
        }
    }

    fn function(&self, thread: usize) -> &'a Function {
        let id = self.guess.instances[thread].function;
        &self.program.functions[id.index()]
    }

    fn reg_width(&self, thread: usize, reg: Reg) -> u8 {
        self.function(thread).regs[reg.index()].ty.bits(self.program.machine)
    }

    fn run(mut self) -> Result<System, Refusal> {
        self.keep_static_addresses();
        let mut threads = Vec::new();
        // Threads that are found on the way are built in the next build.
        for index in 0..self.guess.instances.len() {
            let function = self.guess.instances[index].function;
            let mut thread = ThreadBuild::new(index, function, self.at_start(index));
            while let Some(at) = thread.work.pop() {
                let late = |_| Refusal::new("not enough time", Span::NONE);
                self.budget.check().map_err(late)?;
                self.explore(&mut thread, at)?;
            }
            threads.push(thread);
        }
        Ok(self.finish(threads))
    }

    fn keep_static_addresses(&mut self) {
        let program = self.program;
        for (_, operand) in program.objects.iter().flat_map(|o| &o.relocations) {
            if let Some((object, offset)) = self.object_of(0, operand) {
                let base = self.guess.objects[object.0].base;
                self.guess.keep(base.wrapping_add_signed(offset));
            }
        }
    }

    fn at_start(&self, index: usize) -> Known {
        let mut known = Known::default();
        if index == 0 {
            known.started = Some(0);
            known.fresh = true;
            return known;
        }
        let arg = self.guess.args.get(&index).and_then(|same| same.number());
        if let (Some(arg), Some(param)) = (arg, self.function(index).params.first()) {
            let width = self.reg_width(index, *param);
            known.regs.insert(*param, arg & encoder::term::mask(width));
        }
        known
    }

    fn finish(self, threads: Vec<ThreadBuild>) -> System {
        let mut system = System {
            by_var: self.cells.iter().zip(0..).map(|(c, i)| (c.var, CellId(i))).collect(),
            pool: self.pool,
            cells: self.cells,
            bodiless: self.bodiless.into_iter().collect(),
            undefined: self.undefined.into_iter().next(),
            ..System::default()
        };
        for (key, cell) in &self.by_key {
            if let Some(object) = whole_global(self.program, self.guess, *key) {
                system.globals.push((*cell, object));
            }
        }
        system.globals.sort_unstable();
        for thread in threads {
            let id = ThreadId(thread.index as u32);
            for (at, stores) in thread.stores.iter().enumerate() {
                let from = LocId(at as u32);
                let stored = |&(guard, key, value): &(Term, Key, Term)| Stored {
                    thread: id,
                    from,
                    guard,
                    cell: self.by_key[&key],
                    value,
                };
                system.stores.extend(stores.iter().map(stored));
            }
            let mut locations = Vec::new();
            for (at, raws) in thread.actions.into_iter().enumerate() {
                let mut actions = Vec::new();
                for raw in raws {
                    actions.push(ActionId(system.actions.len() as u32));
                    let updates = raw.updates.into_iter();
                    let updates = updates.map(|(key, value)| (self.by_key[&key], value));
                    let cells = &system.cells;
                    let changes = |&(cell, value): &(CellId, _)| cells[cell.index()].var != value;
                    system.actions.push(Action {
                        thread: id,
                        from: LocId(at as u32),
                        to: raw.to,
                        guard: raw.guard,
                        updates: updates.filter(changes).collect(),
                        reads: FixedBitSet::new(),
                        writes: FixedBitSet::new(),
                        retreats: false,
                        exact: raw.exact,
                        trail: raw.trail,
                        span: raw.span,
                    });
                }
                locations.push(Location {
                    place: thread.places[at],
                    span: thread.spans[at],
                    actions,
                    total: thread.total[at],
                });
            }
            let function = &self.program.functions[thread.function.index()];
            let started = self.by_key.get(&Key::Started(thread.index)).copied();
            system.threads.push(Thread { name: function.name.clone(), started, locations });
        }
        system.settle();
        system
    }
}

/// The global variable that a cell is, if it is all of it.
fn whole_global(program: &Program, guess: &Guess, key: Key) -> Option<ObjectId> {
    let Key::Piece(object, 0) = key else { return None };
    let Maker::Static(id) = guess.objects[object.0].maker else { return None };
    let size = program.objects[id.index()].size;
    let next = guess.cuts.get(&object)?.range(1..).next();
    (next == Some(&size) && size <= 8).then_some(id)
}
