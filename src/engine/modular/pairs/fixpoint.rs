//! Which candidates are left, and which points two threads can be at together.
//!
//! Points are reached and become together, candidates fall: everything only goes one way, from what is
//! true of the first state of the program, until no step says anything new. Each task asks the solver
//! for a state in which all that is left holds and a step leads out of it.

use super::ghosts::Ghosts;
use super::point::{PointId, Points};
use super::rules::{Rules, open, settled};
use super::shape::Candidates;
use super::simulate::Simulation;
use super::step::System;
use crate::contract::Limits;
use crate::engine::modular::interference::Interference;
use crate::engine::modular::relation::candidate::Known;
use crate::engine::modular::relation::count::few;
use crate::engine::modular::relation::guards::{Cell, Guards};
use crate::engine::modular::relation::walk::first;
use crate::engine::modular::value::TemplateId;
use encoder::eval::Evaluator;
use encoder::{Op, Pool, Term, Var};
use ir::types::Machine;
use ir::{Program, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::cadical::Cadical;
use solver::{Backend, Bridge, Method, Outcome, SolverError};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How it comes out.
pub enum FixpointEnd {
    Proven,
    Open(Span),
    Late,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum FixpointTask {
    /// A step, and the thread that makes it.
    Edge(usize),
    /// A step, and another thread at this point.
    Pair(usize, PointId),
}

/// What was known of a rule before the step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Was {
    Assumed,
    Nothing,
}

/// Something that a step may break.
#[derive(Clone, Copy)]
enum Broken {
    Everywhere(usize),
    At(PointId, usize),
}

pub struct Fixpoint<'a> {
    interference: &'a Interference<'a>,
    pool: &'a mut Pool,
    points: &'a Points,
    system: &'a System,
    guards: &'a Guards,
    ghosts: &'a Ghosts,
    limits: &'a Limits,
    backend: Cadical,
    machine: Machine,
    rules: Rules,
    reached: Vec<bool>,
    together: FxHashSet<(PointId, PointId)>,
    /// Edges by the point that they leave.
    leaving: Vec<Vec<usize>>,
    /// Steps in their own thread come first: they say most.
    todo: VecDeque<FixpointTask>,
    later: VecDeque<FixpointTask>,
    queued: FxHashSet<FixpointTask>,
    variables: FxHashMap<Var, Term>,
}

impl<'a> Fixpoint<'a> {
    pub fn new(
        interference: &'a Interference<'a>,
        pool: &'a mut Pool,
        points: &'a Points,
        system: &'a System,
        (guards, ghosts): (&'a Guards, &'a Ghosts),
        candidates: Candidates,
        limits: &'a Limits,
    ) -> Result<Fixpoint<'a>, SolverError> {
        let backend = Cadical::new(pool, Bridge::default(), Method::Basic)?;
        let machine = interference.flat.program.machine;
        let rules = Rules::new(pool, machine, points, candidates);
        let mut leaving = vec![Vec::new(); points.all.len()];
        for (i, edge) in system.edges.iter().enumerate() {
            leaving[edge.from.0].push(i);
        }
        Ok(Fixpoint {
            pool,
            points,
            system,
            guards,
            ghosts,
            limits,
            backend,
            machine,
            interference,
            rules,
            reached: vec![false; points.all.len()],
            together: FxHashSet::default(),
            leaving,
            todo: VecDeque::new(),
            later: VecDeque::new(),
            queued: FxHashSet::default(),
            variables: FxHashMap::default(),
        })
    }

    pub fn run(&mut self) -> Result<FixpointEnd, SolverError> {
        self.begin();
        while let Some(task) = self.todo.pop_front().or_else(|| self.later.pop_front()) {
            self.queued.remove(&task);
            if self.limits.exceeded() {
                return Ok(FixpointEnd::Late);
            }
            let done = match task {
                FixpointTask::Edge(edge) => self.edge(edge)?,
                FixpointTask::Pair(edge, other) => self.pair(edge, other)?,
            };
            if !done {
                return Ok(FixpointEnd::Late);
            }
        }
        self.tell();
        let system = self.system;
        for (from, guard, span) in &system.errors {
            if !self.reached[from.0] {
                continue;
            }
            if !self.assume(*from, None, *guard)? {
                continue;
            }
            match self.ask(&[])? {
                None => return Ok(FixpointEnd::Late),
                Some(true) => return Ok(FixpointEnd::Open(*span)),
                Some(false) => {}
            }
        }
        self.keep_apart()
    }

    /// Can two threads be at points where they must not be?
    fn keep_apart(&mut self) -> Result<FixpointEnd, SolverError> {
        let always = self.pool.bool(true);
        let system = self.system;
        for (x, y) in &system.conflicts {
            if !self.are_together(*x, *y) || !self.assume(*x, Some(*y), always)? {
                continue;
            }
            match self.ask(&[])? {
                None => return Ok(FixpointEnd::Late),
                Some(true) => return Ok(FixpointEnd::Open(Span::NONE)),
                Some(false) => {}
            }
        }
        Ok(FixpointEnd::Proven)
    }

    /// What holds, if the search has come to an end.
    pub fn settled(&self) -> Candidates {
        let at = self.rules.at.iter().map(|rules| settled(rules));
        Candidates { everywhere: settled(&self.rules.everywhere), at: at.collect() }
    }

    fn tell(&self) {
        log::info!("pairs: {} hold everywhere", open(&self.rules.everywhere).count());
        for (i, rules) in self.rules.at.iter().enumerate().filter(|(i, _)| self.reached[*i]) {
            let point = &self.points.all[i];
            let left = open(rules).map(|(_, r)| r.candidate.to_string());
            log::debug!(
                "{:?} {:?}: {}",
                point.template,
                point.place,
                left.collect::<Vec<_>>().join("; ")
            );
        }
    }

    /// The first thread before its first step.
    fn begin(&mut self) {
        let program = &self.interference.flat.program;
        let Some(start) = self.points.start(TemplateId::MAIN) else { return };
        let known: Vec<Option<u64>> =
            self.guards.cells.iter().map(|cell| at_first(program, cell)).collect();
        let mut cells = self.points.get(start).my_cells.clone();
        for (term, bits) in cells.iter_mut().zip(&known) {
            if let Some(bits) = bits {
                *term = self.pool.bits(*bits, self.pool.width(*term));
            }
        }
        let regs = self.points.get(start).mine.clone();
        for rule in self.rules.everywhere.iter_mut().chain(&mut self.rules.at[start.0]) {
            let known = Known { cells: &cells, regs: &regs };
            let term = rule.candidate.term(self.pool, self.machine, known);
            rule.holds = self.pool.is_true(term);
        }
        let (points, system, limits) = (self.points, self.system, self.limits);
        let simulation = Simulation { pool: self.pool, points, system, first: &known, limits };
        simulation.run(start, &mut self.rules);
        self.reach(start);
    }

    fn queue(&mut self, task: FixpointTask) {
        let (FixpointTask::Edge(edge) | FixpointTask::Pair(edge, _)) = task;
        let from = self.system.edges[edge].from;
        let meets = match task {
            FixpointTask::Edge(_) => self.reached[from.0],
            FixpointTask::Pair(_, other) => self.are_together(from, other),
        };
        if meets && self.queued.insert(task) {
            match task {
                FixpointTask::Edge(_) => self.todo.push_back(task),
                FixpointTask::Pair(..) => self.later.push_back(task),
            }
        }
    }

    fn reach(&mut self, point: PointId) {
        if !std::mem::replace(&mut self.reached[point.0], true) {
            for edge in self.leaving[point.0].clone() {
                self.queue(FixpointTask::Edge(edge));
            }
        }
    }

    fn are_together(&self, x: PointId, y: PointId) -> bool {
        self.together.contains(&(x.min(y), x.max(y)))
    }

    fn join(&mut self, x: PointId, y: PointId) {
        if self.points.exclude(x, y) || !self.together.insert((x.min(y), x.max(y))) {
            return;
        }
        for (a, b) in [(x, y), (y, x)] {
            for edge in self.leaving[a.0].clone() {
                self.queue(FixpointTask::Pair(edge, b));
            }
        }
    }

    /// A new solver, which knows of a step from here, with another thread there, all that is left. What
    /// falls while it is asked brings the task back, so it need not forget. `false`: no such state.
    fn assume(
        &mut self,
        from: PointId,
        other: Option<PointId>,
        guard: Term,
    ) -> Result<bool, SolverError> {
        let everywhere = open(&self.rules.everywhere).map(|(_, r)| r.mine);
        let mine = open(&self.rules.at[from.0]).map(|(_, r)| r.mine);
        let there = other;
        let other = other.map_or(&[][..], |other| &self.rules.at[other.0]);
        let others = open(other).map(|(_, r)| r.others);
        let mut facts: Vec<Term> = everywhere.chain(mine).chain(others).chain([guard]).collect();
        facts.extend(self.sums(from, there));
        if facts.iter().any(|t| self.pool.is_false(*t)) {
            return Ok(false);
        }
        self.backend = Cadical::new(self.pool, Bridge::default(), Method::Basic)?;
        self.backend.work_by(self.limits.permit.clone());
        for fact in facts.into_iter().filter(|t| !self.pool.is_true(*t)) {
            self.backend.assert(self.pool, fact)?;
        }
        Ok(true)
    }

    /// What is true of numbers of threads, as long as they are small.
    fn sums(&mut self, from: PointId, other: Option<PointId>) -> Vec<Term> {
        let mine = self.points.get(from);
        let mut threads = vec![(mine.template, &mine.my_cells[..])];
        if let Some(other) = other.map(|other| self.points.get(other)) {
            threads.push((other.template, &other.other_cells[..]));
        }
        let mut facts = Vec::new();
        for starts in &self.ghosts.starts {
            let few = few(starts.number);
            if self.rules.everywhere.iter().any(|rule| rule.holds && rule.candidate == few) {
                facts.extend(self.ghosts.facts(self.pool, self.points, starts, &threads));
            }
        }
        facts
    }

    fn ask(&mut self, assumed: &[Term]) -> Result<Option<bool>, SolverError> {
        Ok(match self.backend.solve(self.pool, assumed, self.limits.deadline)? {
            Outcome::Sat => Some(true),
            Outcome::Unsat => Some(false),
            Outcome::TimeOut => None,
        })
    }

    /// The step in its own thread: where it leads, what it starts, what holds at all points.
    fn edge(&mut self, index: usize) -> Result<bool, SolverError> {
        let edge = &self.system.edges[index];
        let all: Vec<PointId> = edge.led_to().collect();
        let mut pairs = Vec::new();
        for (i, x) in all.iter().enumerate() {
            pairs.extend(all[i + 1..].iter().map(|y| (*x, *y)));
        }
        pairs.retain(|(x, y)| !self.are_together(*x, *y) && !self.points.exclude(*x, *y));
        if !self.assume(edge.from, None, edge.guard)? {
            return Ok(true);
        }
        if !pairs.is_empty() || all.iter().any(|p| !self.reached[p.0]) {
            match self.ask(&[])? {
                None => return Ok(false),
                Some(false) => return Ok(true),
                Some(true) => {
                    all.into_iter().for_each(|point| self.reach(point));
                    pairs.into_iter().for_each(|(x, y)| self.join(x, y));
                }
            }
        }
        let mut checks = Vec::new();
        let shared = &edge.cells[..self.points.cells.len()];
        if shared != self.points.cells {
            let known = Known { cells: shared, regs: &BTreeMap::new() };
            self.check(None, known, Was::Assumed, &mut checks);
        }
        if let Some(to) = edge.to {
            let known = Known { cells: &edge.cells, regs: &edge.regs };
            self.check(Some(to), known, Was::Nothing, &mut checks);
        }
        for new in &edge.started {
            let cells = [shared, &new.own].concat();
            let known = Known { cells: &cells, regs: &new.regs };
            self.check(Some(new.at), known, Was::Nothing, &mut checks);
        }
        self.drop_failing(checks)
    }

    /// The step, as another thread at this point sees it.
    fn pair(&mut self, index: usize, other: PointId) -> Result<bool, SolverError> {
        let edge = &self.system.edges[index];
        let mut new: Vec<PointId> = edge.led_to().collect();
        new.retain(|p| !self.are_together(*p, other) && !self.points.exclude(*p, other));
        let shared = &edge.cells[..self.points.cells.len()];
        if new.is_empty() && shared == self.points.cells
            || !self.assume(edge.from, Some(other), edge.guard)?
        {
            return Ok(true);
        }
        if !new.is_empty() {
            match self.ask(&[])? {
                None => return Ok(false),
                Some(false) => return Ok(true),
                Some(true) => new.into_iter().for_each(|point| self.join(point, other)),
            }
        }
        if shared == self.points.cells {
            return Ok(true);
        }
        let mut checks = Vec::new();
        let there = self.points.get(other);
        let cells = [shared, &there.other_cells[shared.len()..]].concat();
        let known = Known { cells: &cells, regs: &there.others };
        self.check(Some(other), known, Was::Assumed, &mut checks);
        self.drop_failing(checks)
    }

    /// Rules of the point (or of all points) that may fail after the step. Those that were assumed
    /// before it, of a thread that does not move or of all points, stay if they say the same.
    fn check(
        &mut self,
        point: Option<PointId>,
        known: Known<'_>,
        was: Was,
        checks: &mut Vec<(Term, Broken)>,
    ) {
        let rules = point.map_or(&self.rules.everywhere, |point| &self.rules.at[point.0]);
        for (i, rule) in open(rules).filter(|(_, rule)| !rule.settled) {
            let after = rule.candidate.term(self.pool, self.machine, known);
            let fails = self.pool.not(after);
            let same = was == Was::Assumed && after == rule.others;
            if !same && !self.pool.is_false(fails) {
                checks.push((fails, point.map_or(Broken::Everywhere(i), |p| Broken::At(p, i))));
            }
        }
    }

    /// Drops what fails in some state, until nothing does.
    fn drop_failing(&mut self, mut checks: Vec<(Term, Broken)>) -> Result<bool, SolverError> {
        let mut touched = BTreeSet::new();
        let mut all = false;
        while !checks.is_empty() {
            let any = self.pool.or_all(checks.iter().map(|(fails, _)| *fails));
            match self.ask(&[any])? {
                None => return Ok(false),
                Some(false) => break,
                Some(true) => {}
            }
            let failing = self.failing(&checks)?;
            if !failing.contains(&true) {
                return Err(SolverError::GaveUp("a model in which nothing fails".to_owned()));
            }
            for ((_, broken), _) in checks.iter().zip(&failing).filter(|(_, fails)| **fails) {
                match broken {
                    Broken::Everywhere(i) => {
                        self.rules.everywhere[*i].holds = false;
                        all = true;
                    }
                    Broken::At(point, i) => {
                        let rule = &mut self.rules.at[point.0][*i];
                        log::trace!("{point:?}: not {}", rule.candidate);
                        rule.holds = false;
                        touched.insert(*point);
                    }
                }
            }
            let mut failing = failing.into_iter();
            checks.retain(|_| !failing.next().unwrap_or(false));
        }
        // What was behind a rule that has fallen comes to light: who leads here must be asked again.
        let touched: Vec<PointId> =
            if all { self.points.ids().collect() } else { touched.into_iter().collect() };
        touched.into_iter().for_each(|point| self.again(point));
        Ok(true)
    }

    /// Less is known at this point.
    fn again(&mut self, point: PointId) {
        for edge in self.leaving[point.0].clone() {
            self.queue(FixpointTask::Edge(edge));
            for other in self.points.ids() {
                self.queue(FixpointTask::Pair(edge, other));
            }
        }
        for edge in 0..self.system.edges.len() {
            self.queue(FixpointTask::Pair(edge, point));
            if self.system.edges[edge].led_to().any(|p| p == point) {
                self.queue(FixpointTask::Edge(edge));
            }
        }
    }

    /// What of it holds in the last model.
    fn failing(&mut self, checks: &[(Term, Broken)]) -> Result<Vec<bool>, SolverError> {
        if self.variables.len() < self.pool.vars() as usize {
            for term in self.pool.terms() {
                if let Op::Var(var) = self.pool.op(term) {
                    self.variables.insert(var, term);
                }
            }
        }
        let (pool, variables, backend) = (&*self.pool, &self.variables, &mut self.backend);
        let value = |var: Var| {
            variables.get(&var).and_then(|term| backend.value(pool, *term).ok()).unwrap_or(0)
        };
        let mut model = Evaluator::new(pool, value);
        Ok(checks.iter().map(|(fails, _)| model.holds(*fails)).collect())
    }
}

/// What a cell holds at the beginning, if that is known.
pub fn at_first(program: &Program, cell: &Cell) -> Option<u64> {
    if cell.is_ghost() { Some(0) } else { first(program, cell) }
}
