//! Symbolic execution: paths one by one, each with its condition and a term for each cell.
//!
//! A step is an action whose guard can hold with the path's condition; a solver says so. Paths end
//! where no step is left, or at a depth; of equivalent paths one is followed (`por/quasi.rs`). A state
//! that was seen before (same locations, terms, condition, and chains of dependence) with at least as
//! many steps to go is not followed again (`Cover::Subsume`). If no path was cut, all executions of the
//! system have been seen. (Cost: paths, times questions to the solver.)

use crate::ask::{Asker, Budget, Stop};
use crate::execution::{Taken, Turn, execution, inputs_of};
use crate::graph::{Vector, moved};
use crate::options::Cover;
use crate::por::Por;
use crate::por::quasi::{Chains, Touches};
use crate::replace::Replace;
use crate::system::{ActionId, END, Flaw, LocId, STUCK, System, Target, ThreadId};
use encoder::{Sort, Term};
use ir::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

#[derive(Clone, Copy, Debug)]
pub struct PathOptions {
    pub por: Por,
    pub cover: Cover,
    /// Are states looked for in which all threads wait for ever?
    pub deadlocks: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct PathStats {
    /// That came to an end.
    pub paths: u64,
    pub steps: u64,
    /// Steps of paths that have an equivalent one.
    pub pruned: u64,
    pub covered: u64,
    pub questions: u64,
}

#[derive(Clone, Debug)]
pub enum PathsFound {
    Error(Flaw),
    Deadlock,
}

/// What was seen up to a depth.
#[derive(Debug, Default)]
pub struct SeenPaths {
    pub found: Option<(PathsFound, Vec<Turn>)>,
    /// What is not modelled was reached, first here.
    pub doubt: Option<Flaw>,
    /// Where paths were cut, and whether any was.
    pub cut: BTreeMap<Span, ()>,
    /// The path to the violation has nothing that was made weaker than the program.
    pub exact: bool,
}

/// A state on the way, with the steps that are still to be tried.
struct PathFrame {
    at: Vector,
    cells: Rc<[Term]>,
    conditions: usize,
    steps: std::vec::IntoIter<Step>,
}

struct Step {
    taken: Taken,
    guard: Term,
    chains: Chains,
}

pub struct Paths<'a> {
    pub system: &'a mut System,
    pub options: PathOptions,
    pub stats: PathStats,
    budget: Budget,
    asker: Asker,
    touches: Touches,
    inputs: Vec<Vec<Term>>,
    /// Inputs by the depth at which they come in.
    fresh: FxHashMap<(Term, usize), Term>,
    /// Steps that were to go, by state.
    visited: FxHashMap<(u64, u64), usize>,
    conditions: Vec<Term>,
    path: Vec<Taken>,
    seen: SeenPaths,
}

impl<'a> Paths<'a> {
    pub fn new(system: &'a mut System, options: PathOptions, budget: Budget) -> Paths<'a> {
        let actions = 0..system.actions.len() as u32;
        let inputs = actions.map(|a| inputs_of(system, ActionId(a))).collect();
        Paths {
            options,
            stats: PathStats::default(),
            asker: Asker::new(budget.clone()),
            budget,
            touches: Touches::new(system),
            inputs,
            fresh: FxHashMap::default(),
            visited: FxHashMap::default(),
            conditions: Vec::new(),
            path: Vec::new(),
            seen: SeenPaths::default(),
            system,
        }
    }

    /// All paths of at most so many steps, until there is a violation.
    pub fn run(&mut self, depth: usize) -> Result<SeenPaths, Stop> {
        self.stats = PathStats::default();
        self.visited.clear();
        self.conditions.clear();
        self.path.clear();
        self.seen = SeenPaths::default();
        let asked = self.asker.asked;
        let done = self.walk(depth);
        self.stats.questions = self.asker.asked - asked;
        done?;
        Ok(std::mem::take(&mut self.seen))
    }

    fn walk(&mut self, depth: usize) -> Result<(), Stop> {
        let threads = self.system.threads.len();
        let start: Vector = vec![LocId(0); threads].into();
        let initial = self.initial();
        let first = self.frame(start, initial, Chains::new(threads), depth)?;
        let mut stack: Vec<PathFrame> = first.into_iter().collect();
        while let Some(top) = stack.last_mut() {
            self.budget.check()?;
            self.conditions.truncate(top.conditions);
            self.path.truncate(stack.len() - 1);
            let Some(top) = stack.last_mut() else { break };
            let Some(step) = top.steps.next() else {
                stack.pop();
                continue;
            };
            let (at, cells) = (top.at.clone(), top.cells.clone());
            if let Some(frame) = self.take(&at, &cells, step, depth)? {
                stack.push(frame);
            }
            if self.seen.found.is_some() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn initial(&mut self) -> Rc<[Term]> {
        let system = &mut *self.system;
        let mut cells = Vec::with_capacity(system.cells.len());
        for cell in &system.cells {
            let width = system.pool.width(cell.var);
            cells.push(match cell.initial {
                Some(value) => system.pool.bits(value, width),
                None => cell.var,
            });
        }
        cells.into()
    }

    /// Goes one step; what is behind it, if it is worth a look.
    fn take(
        &mut self,
        at: &Vector,
        cells: &Rc<[Term]>,
        step: Step,
        depth: usize,
    ) -> Result<Option<PathFrame>, Stop> {
        self.stats.steps += 1;
        let action = step.taken.action;
        if !self.system.pool.is_true(step.guard) {
            self.conditions.push(step.guard);
        }
        let next = moved(self.system, at, action);
        let Some(next) = next else {
            self.path.push(step.taken);
            self.stats.paths += 1;
            self.arrive(action)?;
            return Ok(None);
        };
        let mut map = self.state_map(cells);
        map.extend(step.taken.fresh.iter().copied());
        let mut map = Replace::new(map);
        let mut after = cells.to_vec();
        for (cell, value) in self.system.action(action).updates.clone() {
            after[cell.index()] = map.apply(&mut self.system.pool, value);
        }
        self.path.push(step.taken);
        self.frame(next, after.into(), step.chains, depth)
    }

    /// At an error or a doubt.
    fn arrive(&mut self, action: ActionId) -> Result<(), Stop> {
        match self.system.action(action).to.clone() {
            Target::Error(flaw) => self.found(PathsFound::Error(flaw))?,
            Target::Doubt(flaw) => _ = self.seen.doubt.get_or_insert(flaw),
            Target::To(_) => {}
        }
        Ok(())
    }

    fn found(&mut self, found: PathsFound) -> Result<(), Stop> {
        let turns = execution(self.system, &mut self.asker, &self.path, &self.conditions)?;
        self.seen.exact = self.path.iter().all(|t| self.system.action(t.action).exact);
        self.seen.found = turns.map(|turns| (found, turns));
        Ok(())
    }

    fn state_map(&self, cells: &[Term]) -> FxHashMap<Term, Term> {
        self.system.cells.iter().map(|c| c.var).zip(cells.iter().copied()).collect()
    }

    /// A state with all steps that lead on from it; `None` if there is nothing to do.
    fn frame(
        &mut self,
        at: Vector,
        cells: Rc<[Term]>,
        chains: Chains,
        depth: usize,
    ) -> Result<Option<PathFrame>, Stop> {
        let left = depth - self.path.len();
        if self.options.cover != Cover::Off && self.is_visited(&at, &cells, &chains, left) {
            self.stats.covered += 1;
            return Ok(None);
        }
        let (steps, pruned) = self.steps(&at, &cells, &chains)?;
        if self.options.deadlocks && self.waits(&at, &cells) {
            let guards: Vec<Term> = steps.iter().map(|s| s.guard).chain(pruned.clone()).collect();
            if self.can_stand_still(&guards)? {
                return Ok(None);
            }
        }
        if steps.is_empty() {
            let enabled = self.can_move(&pruned)?;
            self.stats.paths += u64::from(!enabled);
            return Ok(None);
        }
        if left == 0 {
            self.stats.paths += 1;
            for step in &steps {
                self.seen.cut.insert(self.system.action(step.taken.action).span, ());
            }
            return Ok(None);
        }
        let conditions = self.conditions.len();
        Ok(Some(PathFrame { at, cells, conditions, steps: steps.into_iter() }))
    }

    fn is_visited(&mut self, at: &Vector, cells: &[Term], chains: &Chains, left: usize) -> bool {
        let mut conditions = self.conditions.clone();
        conditions.sort_unstable();
        conditions.dedup();
        let hash = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            (salt, at, cells, &conditions, chains).hash(&mut hasher);
            hasher.finish()
        };
        let before = self.visited.entry((hash(1), hash(2))).or_insert(0);
        // Counted from one: none is less than any.
        let known = *before > left;
        *before = (*before).max(left + 1);
        known
    }

    /// The steps to try, errors first, and guards of those that an equivalent path has.
    fn steps(
        &mut self,
        at: &Vector,
        cells: &Rc<[Term]>,
        chains: &Chains,
    ) -> Result<(Vec<Step>, Vec<Term>), Stop> {
        let state = self.state_map(cells);
        let mut plain = Replace::new(state.clone());
        let (mut steps, mut pruned) = (Vec::new(), Vec::new());
        for thread in self.system.thread_ids() {
            let here = at[thread.index()];
            for action in self.system.location(thread, here).actions.clone() {
                let fresh = self.fresh(action);
                let guard = self.system.action(action).guard;
                let guard = if fresh.is_empty() {
                    plain.apply(&mut self.system.pool, guard)
                } else {
                    let all = state.iter().map(|(a, b)| (*a, *b)).chain(fresh.iter().copied());
                    Replace::new(all).apply(&mut self.system.pool, guard)
                };
                if self.system.pool.is_false(guard) {
                    continue;
                }
                let touched = self.touches.of(self.system, action, cells);
                let Some(chains) = chains.step(self.options.por, thread, &touched) else {
                    self.stats.pruned += 1;
                    pruned.push(guard);
                    continue;
                };
                if self.can_hold(guard)? {
                    steps.push(Step { taken: Taken { action, fresh }, guard, chains });
                }
            }
        }
        let goes_on = |s: &Step| matches!(self.system.action(s.taken.action).to, Target::To(_));
        steps.sort_by_key(goes_on);
        Ok((steps, pruned))
    }

    /// New variables for the inputs of an action that comes next.
    fn fresh(&mut self, action: ActionId) -> Vec<(Term, Term)> {
        let depth = self.path.len();
        let mut all = Vec::new();
        for var in &self.inputs[action.index()] {
            let sort: Sort = self.system.pool.sort(*var);
            let new = self.fresh.entry((*var, depth));
            all.push((*var, *new.or_insert_with(|| self.system.pool.fresh(sort))));
        }
        all
    }

    fn can_hold(&mut self, guard: Term) -> Result<bool, Stop> {
        if self.system.pool.is_true(guard) || self.conditions.contains(&guard) {
            return Ok(true);
        }
        let mut facts = self.conditions.clone();
        facts.push(guard);
        self.asker.holds(&self.system.pool, &facts)
    }

    fn can_move(&mut self, guards: &[Term]) -> Result<bool, Stop> {
        for guard in guards {
            if self.can_hold(*guard)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Is there a deadlock here, with some inputs?
    fn can_stand_still(&mut self, guards: &[Term]) -> Result<bool, Stop> {
        let pool = &mut self.system.pool;
        let moves = pool.or_all(guards.iter().copied());
        let none = pool.not(moves);
        if pool.is_false(none) || !self.can_hold(none)? {
            return Ok(false);
        }
        self.conditions.push(none);
        self.stats.paths += 1;
        self.found(PathsFound::Deadlock)?;
        Ok(true)
    }

    /// Would it be a deadlock if no thread could move: is there a thread that waits, and has no execution ended?
    fn waits(&self, at: &Vector, cells: &[Term]) -> bool {
        let waits = |thread: ThreadId| {
            let here = at[thread.index()];
            here != END && (here != LocId(0) || self.is_started(thread, cells))
        };
        let ended = at.contains(&STUCK);
        !ended && self.system.thread_ids().any(waits)
    }

    fn is_started(&self, thread: ThreadId, cells: &[Term]) -> bool {
        match self.system.threads[thread.index()].started {
            None => true,
            Some(cell) => self.system.pool.constant(cells[cell.index()]) != Some(0),
        }
    }
}
