//! Steps: from a point to the next ones, as terms over the cells and the thread's registers.
//!
//! All paths from a point are followed until they come to a point again outside of atomic blocks; those
//! that come to the same one are one edge. A path that stops for good (a false assumption, the end of
//! the thread) leaves what it has written: an edge to nowhere.

use super::ghosts::{BYTE_BITS, Ghosts, LockCells, WIDE_BITS};
use super::point::{PointId, Points, after};
use crate::engine::modular::interference::Interference;
use crate::engine::modular::interval::Interval;
use crate::engine::modular::log::{Log, Site, Touch};
use crate::engine::modular::question::Unclear;
use crate::engine::modular::relation::guards::Guards;
use crate::engine::modular::sync::Call;
use crate::engine::modular::value::{Region, TemplateId};
use crate::engine::modular::words;
use encoder::{Pool, Sort, Term, arith};
use ir::types::{Machine, Scalar};
use ir::walk::operand_type;
use ir::*;
use std::collections::{BTreeMap, BTreeSet};

/// Paths and instructions of one step at most.
const MAX_PATHS: usize = 2_000;
const MAX_LENGTH: usize = 5_000;
const MAX_EDGES: usize = 2_000;

/// What a step does.
#[derive(Clone)]
pub struct Edge {
    pub from: PointId,
    /// `None`: the thread makes no further step.
    pub to: Option<PointId>,
    pub guard: Term,
    /// The shared ones, and those of the thread.
    pub cells: Vec<Term>,
    pub regs: BTreeMap<Reg, Term>,
    /// Threads that it starts.
    pub started: Vec<Started>,
}

/// A new thread, with what its registers and own cells hold.
#[derive(Clone)]
pub struct Started {
    pub at: PointId,
    pub regs: BTreeMap<Reg, Term>,
    pub own: Vec<Term>,
}

pub struct System {
    pub edges: Vec<Edge>,
    /// Errors in a step from a point.
    pub errors: Vec<(PointId, Term, Span)>,
    /// Points at which no two threads may be at the same time.
    pub conflicts: BTreeSet<(PointId, PointId)>,
}

pub fn steps(
    interference: &Interference<'_>,
    log: &Log,
    (guards, ghosts): (&Guards, &Ghosts),
    points: &Points,
    pool: &mut Pool,
) -> Result<System, Unclear> {
    let mut system = System { edges: Vec::new(), errors: Vec::new(), conflicts: BTreeSet::new() };
    for from in points.ids() {
        let root = interference.template(points.get(from).template).root;
        let function = &interference.flat.program.functions[root.index()];
        let mut walk = StepWalk {
            interference,
            log,
            guards,
            ghosts,
            points,
            pool: &mut *pool,
            from,
            function,
            edges: Vec::new(),
            errors: &mut system.errors,
            at: points.get(from).place,
            span: function.span,
        };
        walk.run()?;
        system.edges.extend(walk.edges);
        if system.edges.len() > MAX_EDGES {
            return Err(Unclear::new("too many steps", function.span));
        }
    }
    Ok(system)
}

/// One path from a point.
#[derive(Clone)]
struct PathState {
    guard: Term,
    regs: BTreeMap<Reg, Term>,
    cells: Vec<Term>,
    started: Vec<Started>,
    depth: u32,
    length: usize,
}

/// Where a path goes on.
type Way = ((BlockId, usize), PathState);

struct StepWalk<'a> {
    interference: &'a Interference<'a>,
    log: &'a Log,
    guards: &'a Guards,
    ghosts: &'a Ghosts,
    points: &'a Points,
    pool: &'a mut Pool,
    from: PointId,
    function: &'a Function,
    edges: Vec<Edge>,
    errors: &'a mut Vec<(PointId, Term, Span)>,
    at: (BlockId, usize),
    span: Span,
}

impl StepWalk<'_> {
    fn run(&mut self) -> Result<(), Unclear> {
        let point = self.points.get(self.from);
        let start = PathState {
            guard: self.pool.bool(true),
            regs: point.mine.clone(),
            cells: point.my_cells.clone(),
            started: Vec::new(),
            depth: 0,
            length: 0,
        };
        let mut paths = 1;
        let mut todo = vec![(point.place, start)];
        while let Some((place, state)) = todo.pop() {
            let next = self.follow(place, state)?;
            paths += next.len().saturating_sub(1);
            if paths > MAX_PATHS {
                return Err(Unclear::new("too many paths between two steps", self.span));
            }
            todo.extend(next);
        }
        Ok(())
    }

    /// Along a path up to a branch.
    fn follow(
        &mut self,
        (block, first): (BlockId, usize),
        mut state: PathState,
    ) -> Result<Vec<Way>, Unclear> {
        let function = self.function;
        let code = &function.blocks[block.index()];
        for index in first..=code.insts.len() {
            if state.depth == 0
                && state.length > 0
                && let Some(to) = self.points.at(self.template(), (block, index))
            {
                self.arrive(Some(to), &state);
                return Ok(Vec::new());
            }
            state.length += 1;
            if state.length > MAX_LENGTH {
                return Err(Unclear::new("a loop in an atomic block", self.span));
            }
            self.at = (block, index);
            let Some(inst) = code.insts.get(index) else { break };
            self.span = inst.span;
            let second_half = state.length == 1 && self.points.get(self.from).waiting;
            if self.is_wait() && !second_half {
                return self.begin_wait(state);
            }
            self.inst(&mut state, &inst.kind)?;
            state.depth = after(state.depth, &inst.kind);
            if self.pool.is_false(state.guard) {
                return Ok(Vec::new());
            }
        }
        self.span = code.end_span;
        self.end(state, &code.end)
    }

    fn template(&self) -> TemplateId {
        self.points.get(self.from).template
    }

    fn site(&self) -> Site {
        (self.template(), self.at.0, self.at.1)
    }

    fn end(&mut self, mut state: PathState, end: &Terminator) -> Result<Vec<Way>, Unclear> {
        let mut ways = Vec::new();
        match end {
            Terminator::Goto(to) => ways.push((*to, state)),
            Terminator::Branch { cond, then, otherwise } => {
                let truth = self.truth(&mut state, cond);
                let opposite = self.pool.not(truth);
                for (to, fact) in [(*then, truth), (*otherwise, opposite)] {
                    let mut way = state.clone();
                    way.guard = self.pool.and(way.guard, fact);
                    ways.push((to, way));
                }
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.operand(&mut state, value);
                for (bits, to) in cases {
                    let bits = self.pool.bits(*bits, self.pool.width(value));
                    let is = self.pool.eq(value, bits);
                    let other = self.pool.not(is);
                    let mut way = state.clone();
                    way.guard = self.pool.and(way.guard, is);
                    state.guard = self.pool.and(state.guard, other);
                    ways.push((*to, way));
                }
                ways.push((*default, state));
            }
            Terminator::Stop(Stop::Bound(_)) => {
                return Err(Unclear::new("recursion", self.span));
            }
            Terminator::Return(_) | Terminator::ExitThread(_) | Terminator::Stop(_) => {
                self.arrive(None, &state);
            }
        }
        let template = self.template();
        let reached = |to: &BlockId| self.log.ranges.contains_key(&(template, *to));
        let ways =
            ways.into_iter().filter(|(to, way)| reached(to) && !self.pool.is_false(way.guard));
        Ok(ways.map(|(to, way)| ((to, 0), way)).collect())
    }

    /// A path ends here.
    fn arrive(&mut self, to: Option<PointId>, state: &PathState) {
        let shared = self.points.cells.len();
        let silent = state.cells[..shared] == self.points.cells[..] && state.started.is_empty();
        if self.pool.is_false(state.guard) || to.is_none() && silent {
            return;
        }
        let mut regs = BTreeMap::new();
        for (reg, ty) in to.map_or(&[][..], |to| &self.points.get(to).regs) {
            let value = match state.regs.get(reg) {
                Some(value) => *value,
                None => self.any(*ty),
            };
            regs.insert(*reg, value);
        }
        let (guard, cells, started) = (state.guard, state.cells.clone(), state.started.clone());
        let edge = Edge { from: self.from, to, guard, cells, regs, started };
        let plain = edge.started.is_empty();
        let same = |e: &&mut Edge| plain && e.to == to && e.started.is_empty();
        let pool = &mut *self.pool;
        match self.edges.iter_mut().find(same) {
            Some(other) => other.merge(pool, edge),
            None => self.edges.push(edge),
        }
    }

    /// Nothing follows on the paths for which this does not hold.
    fn need(&mut self, state: &mut PathState, fact: Term) {
        let mut stuck = state.clone();
        let fails = self.pool.not(fact);
        stuck.guard = self.pool.and(stuck.guard, fails);
        self.arrive(None, &stuck);
        state.guard = self.pool.and(state.guard, fact);
    }

    fn inst(&mut self, state: &mut PathState, kind: &InstKind) -> Result<(), Unclear> {
        match kind {
            InstKind::Assign { dst, value } => {
                let value = self.rvalue(state, value);
                state.regs.insert(*dst, value);
            }
            InstKind::Load { dst, ty, .. } => self.load(state, *dst, *ty),
            InstKind::Store { value, .. } => {
                let value = self.operand(state, value);
                let log: &Log = self.log;
                match log.sites.get(&self.site()) {
                    Some(touches) => {
                        self.overwrite(state, touches, Some(value));
                        self.count_store(state);
                    }
                    None => self.stop(state),
                }
            }
            InstKind::Call { dst, .. } => self.call(state, *dst),
            InstKind::Nondet { dst, ty, bits, .. } => {
                let width = ty.bits(self.machine());
                let any = self.pool.fresh(Sort::Bits((*bits).clamp(1, width)));
                let any = self.pool.zero_ext(any, width);
                state.regs.insert(*dst, any);
            }
            InstKind::Assume(cond) | InstKind::Wait(cond) => {
                let truth = self.truth(state, cond);
                self.need(state, truth);
            }
            InstKind::Error { .. } => {
                let asked = !self.interference.question.races;
                if asked && self.log.error_sites.contains(&self.site()) {
                    self.errors.push((self.from, state.guard, self.span));
                }
            }
            InstKind::Spawn { dst, arg, .. } => {
                let log: &Log = self.log;
                if let Some(touches) = log.sites.get(&self.site()) {
                    self.overwrite(state, touches, None);
                }
                let arg = self.operand(state, arg);
                self.spawn(state, arg)?;
                self.count_start(state);
                self.forget(state, *dst);
            }
            InstKind::Join { dst, .. }
            | InstKind::Ended { dst, .. }
            | InstKind::ThreadSelf { dst }
            | InstKind::ObjectSize { dst, .. } => self.forget(state, *dst),
            InstKind::Alloc { dst, zeroed, .. } => {
                self.make_block(state, *zeroed);
                self.forget(state, *dst);
            }
            InstKind::SlotLive(slot) | InstKind::SlotDead(slot) => {
                let here = Some(Region::Slot(self.template(), *slot));
                for (cell, of) in self.guards.cells() {
                    if of.region() == here {
                        state.cells[cell.0] =
                            self.pool.fresh(Sort::Bits(self.pool.width(state.cells[cell.0])));
                    }
                }
            }
            InstKind::AtomicBegin { .. }
            | InstKind::AtomicEnd
            | InstKind::Fence { .. }
            | InstKind::Free { .. }
            | InstKind::SlotConst { .. } => {}
            InstKind::Unsupported { .. } | InstKind::Undefined { .. } => {
                self.errors.push((self.from, state.guard, self.span));
            }
        }
        Ok(())
    }

    /// No execution gets further.
    fn stop(&mut self, state: &mut PathState) {
        let never = self.pool.bool(false);
        self.need(state, never);
    }

    fn load(&mut self, state: &mut PathState, dst: Reg, ty: Scalar) {
        let log: &Log = self.log;
        let Some(touches) = log.sites.get(&self.site()) else { return self.stop(state) };
        let value = match self.guards.exactly(touches) {
            Some(cell) => state.cells[cell.0],
            None => self.any(ty),
        };
        if let Some(Some(found)) = log.found.get(&self.site()) {
            self.assume_in(state, value, ty, *found);
        }
        state.regs.insert(dst, value);
    }

    /// Something is written: a value that is known, or any.
    fn overwrite(&mut self, state: &mut PathState, touches: &[Touch], value: Option<Term>) {
        let exactly = self.guards.exactly(touches);
        for cell in self.guards.met(touches) {
            state.cells[cell.0] = match value {
                Some(value) if exactly == Some(cell) => value,
                _ => self.pool.fresh(Sort::Bits(self.pool.width(state.cells[cell.0]))),
            };
        }
        for lock in self.guards.met_locks(touches) {
            self.write_lock(state, self.ghosts.locks[lock.0]);
        }
    }

    fn call(&mut self, state: &mut PathState, dst: Option<Reg>) {
        let log: &Log = self.log;
        let sync = log.syncs.get(&self.site());
        let lock = sync.and_then(|sync| self.ghosts.lock(sync.lock));
        let zero = self.pool.bits(0, 32);
        let always = self.pool.bool(true);
        let result = match (sync.map(|sync| sync.call), lock) {
            (Some(Call::Lock(_)), Some(lock)) => {
                self.acquire(state, lock, always);
                Some(zero)
            }
            (Some(Call::Try(_)), Some(lock)) => {
                let result = self.any(Scalar::I32);
                let taken = self.pool.eq(result, zero);
                self.acquire(state, lock, taken);
                Some(result)
            }
            (Some(Call::Unlock), Some(lock)) => {
                self.release(state, lock);
                Some(zero)
            }
            (Some(Call::Wait), Some(lock)) => {
                self.acquire(state, lock, always);
                None
            }
            _ => None,
        };
        match (dst, result) {
            (Some(dst), Some(result)) => {
                let width = self.function.regs[dst.index()].ty.bits(self.machine());
                let result = arith::resize(self.pool, result, width, true);
                state.regs.insert(dst, result);
            }
            (Some(dst), None) => self.forget(state, dst),
            (None, _) => {}
        }
    }

    fn is_wait(&self) -> bool {
        self.log.syncs.get(&self.site()).is_some_and(|sync| sync.call == Call::Wait)
    }

    /// The first half of a wait for a condition: the lock is given back. The second one is `call`.
    fn begin_wait(&mut self, mut state: PathState) -> Result<Vec<Way>, Unclear> {
        let waiting = self.points.waiting(self.template(), self.at);
        let Some(waiting) = waiting.filter(|_| state.depth == 0) else {
            return Err(Unclear::new("a wait in an atomic block", self.span));
        };
        let lock = self.log.syncs.get(&self.site()).and_then(|sync| self.ghosts.lock(sync.lock));
        if let Some(lock) = lock {
            self.release(&mut state, lock);
        }
        self.arrive(Some(waiting), &state);
        Ok(Vec::new())
    }

    fn acquire(&mut self, state: &mut PathState, lock: LockCells, when: Term) {
        let (word, held) = (state.cells[lock.word.0], state.cells[lock.held.0]);
        let again = self.pool.truth(held);
        let again = self.pool.and(when, again);
        self.error_if(state, again);
        let taken = self.pool.truth(word);
        let free = self.pool.not(taken);
        let may = self.pool.implies_term(when, free);
        self.need(state, may);
        let one = self.pool.bits(1, BYTE_BITS);
        state.cells[lock.word.0] = self.pool.ite(when, one, word);
        state.cells[lock.held.0] = self.pool.ite(when, one, held);
    }

    fn release(&mut self, state: &mut PathState, lock: LockCells) {
        let held = self.pool.truth(state.cells[lock.held.0]);
        let not = self.pool.not(held);
        self.error_if(state, not);
        let zero = self.pool.bits(0, BYTE_BITS);
        state.cells[lock.word.0] = zero;
        state.cells[lock.held.0] = zero;
    }

    /// Something else than its functions writes to a lock, while no other thread runs: it may be free
    /// afterwards, or what it was.
    fn write_lock(&mut self, state: &mut PathState, lock: LockCells) {
        let held = self.pool.truth(state.cells[lock.held.0]);
        self.error_if(state, held);
        let zero = self.pool.bits(0, BYTE_BITS);
        let freed = self.pool.fresh(Sort::Bool);
        state.cells[lock.word.0] = self.pool.ite(freed, zero, state.cells[lock.word.0]);
    }

    /// The proof relies on this being out of reach.
    fn error_if(&mut self, state: &PathState, bad: Term) {
        let bad = self.pool.and(state.guard, bad);
        if !self.pool.is_false(bad) {
            self.errors.push((self.from, bad, self.span));
        }
    }

    fn count_store(&mut self, state: &mut PathState) {
        let site = self.site();
        for tally in self.ghosts.tallies.iter().filter(|tally| tally.site == site) {
            let set = self.pool.zero_ext(state.cells[tally.flag.0], WIDE_BITS);
            let one = self.pool.bits(1, WIDE_BITS);
            let more = self.pool.sub(one, set);
            state.cells[tally.sum.0] = self.pool.add(state.cells[tally.sum.0], more);
            state.cells[tally.flag.0] = self.pool.bits(1, BYTE_BITS);
        }
    }

    fn count_start(&mut self, state: &mut PathState) {
        let site = self.site();
        for starts in self.ghosts.starts.iter().filter(|starts| starts.site == site) {
            let one = self.pool.bits(1, WIDE_BITS);
            let number = &mut state.cells[starts.number.0];
            *number = self.pool.add(*number, one);
        }
    }

    fn spawn(&mut self, state: &mut PathState, arg: Term) -> Result<(), Unclear> {
        let children: Vec<_> = self.interference.children(self.site()).collect();
        for child in children {
            let root = self.interference.template(child).root;
            let function = &self.interference.flat.program.functions[root.index()];
            let Some(start) = self.points.start(child) else {
                return Err(Unclear::new("a thread without a start", self.span));
            };
            let mut regs = BTreeMap::new();
            for (reg, ty) in &self.points.get(start).regs {
                let width = ty.bits(self.machine());
                let value = match function.params.first() == Some(reg) {
                    true => arith::resize(self.pool, arg, width, false),
                    false => self.pool.fresh(Sort::Bits(width)),
                };
                regs.insert(*reg, value);
            }
            let shared = self.points.cells.len();
            let mut own = self.points.with_own(self.guards, self.pool)[shared..].to_vec();
            for (term, cell) in own.iter_mut().zip(&self.guards.cells[shared..]) {
                if cell.is_ghost() {
                    *term = self.pool.bits(0, self.pool.width(*term));
                }
            }
            state.started.push(Started { at: start, regs, own });
        }
        Ok(())
    }

    /// A new block holds anything, or zeros.
    fn make_block(&mut self, state: &mut PathState, zeroed: bool) {
        let site = self.site();
        for (cell, _) in self.guards.cells().filter(|(_, cell)| cell.is_made_at(site)) {
            let width = self.pool.width(state.cells[cell.0]);
            state.cells[cell.0] = match zeroed {
                true => self.pool.bits(0, width),
                false => self.pool.fresh(Sort::Bits(width)),
            };
        }
    }

    fn machine(&self) -> Machine {
        self.interference.flat.program.machine
    }

    fn any(&mut self, ty: Scalar) -> Term {
        let width = ty.bits(self.machine());
        self.pool.fresh(Sort::Bits(width))
    }

    fn forget(&mut self, state: &mut PathState, reg: Reg) {
        let any = self.any(self.function.regs[reg.index()].ty);
        state.regs.insert(reg, any);
    }

    fn operand(&mut self, state: &mut PathState, operand: &Operand) -> Term {
        match operand {
            Operand::Const { bits, ty } => {
                let width = ty.bits(self.machine());
                self.pool.bits(*bits, width)
            }
            Operand::Reg(reg) => {
                if !state.regs.contains_key(reg) {
                    self.forget(state, *reg);
                }
                state.regs[reg]
            }
            _ => self.any(Scalar::Ptr),
        }
    }

    fn truth(&mut self, state: &mut PathState, cond: &Operand) -> Term {
        if operand_type(self.function, cond).is_float() {
            return self.pool.fresh(Sort::Bool);
        }
        let value = self.operand(state, cond);
        self.pool.truth(value)
    }

    fn rvalue(&mut self, state: &mut PathState, value: &Rvalue) -> Term {
        let machine = self.machine();
        let operands = words::operands(value).map(|o| o.map(|o| self.operand(state, o)));
        let computed = words::rvalue(
            self.pool,
            machine,
            value,
            operands,
            self.interference.question.overflow_ends,
        );
        if let Some(defined) = computed.defined {
            // Division by zero ends the execution, overflow may.
            self.need(state, defined);
        }
        computed.value
    }

    /// The interval analysis knows the value.
    fn assume_in(&mut self, state: &mut PathState, value: Term, ty: Scalar, range: Interval) {
        if let Some(fact) = words::within(self.pool, self.machine(), value, ty, range) {
            state.guard = self.pool.and(state.guard, fact);
        }
    }
}

impl Edge {
    /// Where the thread, and those that it starts, are afterwards.
    pub fn led_to(&self) -> impl Iterator<Item = PointId> {
        self.to.into_iter().chain(self.started.iter().map(|new| new.at))
    }

    /// This one or, where its guard holds, the other one: the paths exclude each other.
    fn merge(&mut self, pool: &mut Pool, other: Edge) {
        let here = other.guard;
        self.guard = pool.or(self.guard, here);
        for (cell, new) in self.cells.iter_mut().zip(other.cells) {
            *cell = pool.ite(here, new, *cell);
        }
        for (reg, value) in &mut self.regs {
            if let Some(new) = other.regs.get(reg) {
                *value = pool.ite(here, *new, *value);
            }
        }
    }
}
