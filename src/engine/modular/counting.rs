//! Cells that threads count with, one at a time.
//!
//! A cell that is only used under one lock (or only in atomic blocks) and only ever changed by what
//! was read there plus a number tells two things:
//!
//! - *Tickets.* If it only goes up, what different threads have drawn from it is different, unless it
//!   wraps around (which is an assumption). So `data[next++]` is a place that only one thread has.
//! - *Counting out.* If it starts with 0, and each of at most `n` threads adds 1 once and later takes
//!   1 away once, then who has seen `n` and after that 0 knows that all threads have taken theirs
//!   away: with `n` in the cell all of them had been there, and none had gone. If the starter adds 1
//!   in each round before it starts a thread, and each thread takes 1 away once, then 0 is enough.
//!   What threads have done before that happens before what follows, by the lock.
//!
//! `Drawn` says what the running critical section has read, `stage` how far the thread has counted.

use super::interval::Interval;
use super::log::{Access, Log};
use super::state::State;
use super::value::{ClassId, Region, Sym, Symbol, Value};
use super::walk::Walk;
use super::world::World;
use frontend::ir::{BinOp, BlockId, Operand, Reg};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell {
    pub region: Region,
    pub offset: i128,
}

/// A cell was read in this critical section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// What the cell holds now, more than when it was read first.
    pub more: i128,
    pub written: bool,
}

/// How far a thread has counted: 0, 1 (has added), 2 (has taken away); from the least to the most.
pub type Stage = (u8, u8);

/// What a thread knows of the cells that it and others count with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counting {
    pub drawn: BTreeMap<Cell, Drawn>,
    pub stage: BTreeMap<Cell, Stage>,
    /// The cell was seen to hold what this register holds.
    pub full: BTreeSet<(Cell, Reg)>,
    /// It was seen to hold 0 after that.
    pub empty: BTreeSet<(Cell, Reg)>,
    /// It was seen to hold 0, and no thread was started since.
    pub zero: BTreeSet<Cell>,
}

/// One way in which a cell is changed: who does it, where, by how much, and at which stage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Step {
    class: ClassId,
    at: (BlockId, usize),
    by: i128,
    stage: Stage,
}

/// What the world knows of them.
#[derive(Default)]
pub struct Counted {
    /// Written in another way.
    pub irregular: BTreeSet<(Region, Interval)>,
    pub steps: BTreeMap<Cell, BTreeSet<Step>>,
}

impl Counting {
    pub fn join(&self, other: &Counting) -> Counting {
        let mut stage = self.stage.clone();
        for (cell, &(lo, hi)) in &other.stage {
            let entry = stage.entry(*cell).or_insert((0, 0));
            *entry = (entry.0.min(lo), entry.1.max(hi));
        }
        for (cell, entry) in &mut stage {
            if !other.stage.contains_key(cell) {
                entry.0 = 0;
            }
        }
        Counting {
            drawn: if self.drawn == other.drawn { self.drawn.clone() } else { BTreeMap::new() },
            stage,
            full: self.full.intersection(&other.full).copied().collect(),
            empty: self.empty.intersection(&other.empty).copied().collect(),
            zero: self.zero.intersection(&other.zero).copied().collect(),
        }
    }
}

impl State {
    fn forget_drawn(&mut self, forget: impl Fn(Cell) -> bool) {
        self.forget_symbols(|symbol| matches!(symbol, Symbol::Drawn(cell) if forget(*cell)));
    }

    /// A critical section may end here: what was read and not written others may read, too.
    pub fn end_of_section(&mut self) {
        let drawn = std::mem::take(&mut self.counting.drawn);
        if drawn.values().any(|d| !d.written) {
            self.forget_drawn(|cell| drawn.get(&cell).is_some_and(|d| !d.written));
        }
    }
}

impl Walk<'_, '_> {
    /// The one place of shared memory that an access under protection goes to.
    fn counting_cell(&self, state: &State, address: &Value) -> Option<Cell> {
        let protected = !state.locks.is_empty() || !state.atomic.is_empty();
        if !protected || self.alone(state) || address.addrs.len() != 1 {
            return None;
        }
        let (base, offset) = address.addrs.iter().next()?;
        let region = base.region;
        let one = self.world.is_unique(region) && self.world.is_shared(region);
        one.then_some(Cell { region, offset: offset.constant()? })
    }

    /// What was loaded, in terms of what the cell held when it was drawn.
    pub fn draw(&mut self, state: &mut State, address: &Value, found: &mut Value) {
        let Some(cell) = self.counting_cell(state, address) else { return };
        if found.as_number().is_none() {
            return;
        }
        let more = match state.counting.drawn.get(&cell) {
            Some(drawn) => drawn.more,
            None => {
                state.forget_drawn(|c| c == cell);
                state.counting.drawn.insert(cell, Drawn { more: 0, written: false });
                0
            }
        };
        let rest = Interval::one(more);
        found.sym = Some(Sym { symbol: Symbol::Drawn(cell), scale: 1, rest });
    }

    /// A store: is it a step of a cell that counts?
    pub fn count_store(&mut self, state: &mut State, address: &Value, value: &Value) {
        if self.alone(state) {
            return;
        }
        let step = self.counting_cell(state, address).and_then(|cell| {
            let drawn = state.counting.drawn.get(&cell)?;
            let sym = value.sym.filter(|s| s.symbol == Symbol::Drawn(cell) && s.scale == 1)?;
            Some((cell, sym.rest.constant()? - drawn.more))
        });
        let Some((cell, step)) = step.filter(|(_, step)| *step != 0) else {
            for (base, at) in &address.addrs {
                state.counting.drawn.retain(|cell, _| cell.region != base.region);
                state.forget_drawn(|cell| cell.region == base.region);
                if self.world.is_shared(base.region) {
                    let at = Interval { lo: at.lo - 16, hi: at.hi + 16 };
                    self.world.changed |= self.world.counted.irregular.insert((base.region, at));
                }
            }
            return;
        };
        if let Some(drawn) = state.counting.drawn.get_mut(&cell) {
            *drawn = Drawn { more: drawn.more + step, written: true };
        }
        self.step(state, cell, step);
    }

    fn step(&mut self, state: &mut State, cell: Cell, by: i128) {
        let stage = state.counting.stage.entry(cell).or_insert((0, 0));
        let step = Step { class: self.class, at: self.at, by, stage: *stage };
        *stage = if by == 1 { (1, 1) } else { (2, 2) };
        state.counting.zero.remove(&cell);
        let steps = self.world.counted.steps.entry(cell).or_default();
        self.world.changed |= steps.insert(step);
    }

    /// What cells that are counted with hold where a loop is entered.
    pub fn enter_loop(&mut self, state: &State) {
        let alone = self.alone(state);
        for head in &self.graph.cfg.succs[self.at.0.index()] {
            for cell in self.world.counted.steps.keys() {
                let at = Interval::one(cell.offset);
                let value = match alone {
                    true => state.memory.load(cell.region, at, 4, &self.world.first()),
                    false => Value::any_number(),
                };
                let key = (self.class, *head, *cell);
                let entry = self.log.entered.entry(key).or_default();
                *entry = entry.join(&value);
            }
        }
    }
}

/// A comparison holds: has a cell been seen to be full, or empty after that?
pub fn observe(state: &mut State, op: BinOp, value: &Value, other: (&Operand, &Value)) {
    let Some(Sym { symbol: Symbol::Drawn(cell), scale: 1, rest: Interval::ZERO }) = value.sym
    else {
        return;
    };
    if op != BinOp::Eq || !state.counting.drawn.contains_key(&cell) {
        return;
    }
    match other {
        (Operand::Reg(reg), _) => {
            state.counting.full.insert((cell, *reg));
        }
        (_, value) if value.is_null() => see_empty(state, cell),
        _ => {}
    }
}

/// A value is known to be 0.
pub fn observe_zero(state: &mut State, value: &Value) {
    if let Some(Sym { symbol: Symbol::Drawn(cell), scale: 1, rest: Interval::ZERO }) = value.sym
        && state.counting.drawn.contains_key(&cell)
    {
        see_empty(state, cell);
    }
}

fn see_empty(state: &mut State, cell: Cell) {
    let counting = &mut state.counting;
    counting.zero.insert(cell);
    let full: Vec<(Cell, Reg)> = counting.full.iter().copied().filter(|f| f.0 == cell).collect();
    counting.empty.extend(full);
}

/// Cells that are used under one lock or in atomic blocks only.
pub struct Guarded {
    by_lock: BTreeSet<Cell>,
    by_block: BTreeSet<Cell>,
}

pub fn guarded(world: &World<'_>, log: &Log) -> Guarded {
    let mut found = Guarded { by_lock: BTreeSet::new(), by_block: BTreeSet::new() };
    for cell in world.counted.steps.keys().copied() {
        let irregular =
            |(region, at): &(Region, Interval)| *region == cell.region && at.contains(cell.offset);
        if world.counted.irregular.iter().any(irregular) {
            continue;
        }
        let uses = || log.accesses.iter().filter(|a| !a.alone && touches(a, cell));
        let locks = uses().map(|a| a.locks.keys().copied().collect::<BTreeSet<_>>());
        let common = locks.reduce(|a, b| a.intersection(&b).copied().collect());
        if common.is_some_and(|c| c.iter().any(|lock| !world.is_broken(*lock))) {
            found.by_lock.insert(cell);
        }
        if uses().all(|a| a.in_block) {
            found.by_block.insert(cell);
        }
    }
    found
}

fn touches(access: &Access, cell: Cell) -> bool {
    let reach = i128::from(access.size) + 8;
    let at = Interval { lo: access.offset.lo - 8, hi: access.offset.hi + reach };
    access.base.region == cell.region && at.contains(cell.offset)
}

impl Guarded {
    /// Does every thread draw a number of its own from the cell?
    pub fn is_ticket(&self, world: &World<'_>, cell: Cell) -> bool {
        let guarded = self.by_lock.contains(&cell) || self.by_block.contains(&cell);
        guarded && steps(world, cell).all(|s| s.by > 0)
    }

    /// Has the thread of `b` counted out, as the one of `a` has seen, and is this before it did?
    pub fn counted_out(&self, world: &World<'_>, log: &Log, a: &Access, b: &Access) -> bool {
        let before = |cell: &Cell| b.stage.get(cell).is_none_or(|stage| stage.1 < 2);
        let fits = |cell: &Cell| before(cell) && self.by_lock.contains(cell);
        let come_and_gone = |(cell, bound): &(Cell, Reg)| {
            fits(cell)
                && up_and_down(world, *cell, b.class)
                && starts_with_zero(world, *cell)
                && at_most(world, b.class, *bound)
        };
        let all_gone = |cell: &Cell| fits(cell) && counted_by_starter(world, log, *cell, b.class);
        a.class == world.class(b.class).parent
            && (a.empty.iter().any(come_and_gone) || a.zero.iter().any(all_gone))
    }
}

fn steps<'w>(world: &'w World<'_>, cell: Cell) -> impl Iterator<Item = &'w Step> {
    world.counted.steps.get(&cell).into_iter().flatten()
}

/// Does only this class change the cell, each thread once up and then once down?
fn up_and_down(world: &World<'_>, cell: Cell, class: ClassId) -> bool {
    let even = |s: &Step| matches!((s.stage, s.by), ((0, 0), 1) | ((1, 1), -1));
    steps(world, cell).all(|s| s.class == class && even(s))
}

/// Does the loop that starts the class add 1 in each round before that, each thread take 1 away once,
/// and nobody else change the cell, which is 0 when the loop begins?
fn counted_by_starter(world: &World<'_>, log: &Log, cell: Cell, class: ClassId) -> bool {
    let of = world.class(class);
    let (Some(head), Some(graph)) = (of.around, world.graph(of.parent)) else { return false };
    let Some(looping) = graph.loop_of_head(head) else { return false };
    let (ups, downs): (Vec<&Step>, Vec<&Step>) =
        steps(world, cell).partition(|s| s.class == of.parent);
    let Some(up) = ups.first() else { return false };
    let one_up = ups.iter().all(|s| s.at == up.at && s.by == 1);
    let in_each_round = looping.every_round.contains(&up.at.0);
    let once_down = downs.iter().all(|s| s.class == class && s.by == -1 && s.stage == (0, 0));
    let zero = log.entered.get(&(of.parent, head, cell)).is_some_and(Value::is_null);
    let first = graph.comes_first(up.at, of.at);
    one_up && in_each_round && once_down && zero && first
}

fn starts_with_zero(world: &World<'_>, cell: Cell) -> bool {
    let first = |m: &super::memory::Memory| {
        m.load(cell.region, Interval::one(cell.offset), 4, &world.first())
    };
    world.handed.as_ref().map(first).is_some_and(|v| v.is_null())
}

/// Are there never more threads of the class than the register says? One for each number from 0 on.
fn at_most(world: &World<'_>, class: ClassId, bound: Reg) -> bool {
    let of = world.class(class);
    of.bound.is_some_and(|sweep| {
        let steady = !world.unsteady.contains(&(of.parent, sweep.counter));
        let from = of.counters.get(&sweep.counter).is_some_and(|c| c.lo >= 0);
        sweep.bound == Operand::Reg(bound) && !sweep.inclusive && steady && from
    })
}
