//! CaDiCaL with the theory inside (`Method::Prop`) or beside it (`Method::Basic`).
//!
//! Facts become clauses (`blast`). With `Prop`, the theory is CaDiCaL's external propagator
//! (Fazekas and others, IPASIR-UP: User Propagators for CDCL, SAT 2023): only the theory's literals
//! are observed, so that preprocessing still works on the data. With `Basic`, each model is shown to
//! the theory, and its conflicts become clauses.
//!
//! The second stage needs new variables in the middle of a search. They are so rarely needed that we
//! end the search instead: the model is accepted, variables are made, and the same question is asked
//! again; learnt clauses and phases are kept.
//!
//! - `ffi.rs`: the door to CaDiCaL: its callbacks, and the wall that stops panics

mod ffi;
mod propagator;
#[cfg(test)]
mod tests;

use crate::blast::{Blaster, EdgeUse, Literal, Sink};
use crate::bridge::{Bridge, Final};
use crate::reference::BrokenPromise;
use crate::{Backend, Counters, Method, Outcome, Permit, SolverError};
use cadical_sys::{CaDiCal, Status};
use encoder::{Pool, Term};
use ffi::{Door, Room, StopCauses, StopSignal, Tally};
pub use propagator::Decide;
use propagator::{SatLiterals, TheoryPropagator};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;
use theory::Lit;

/// `Basic`: this many conflicts of one model become clauses.
const CONFLICTS_PER_MODEL: usize = 50;

impl Sink for CaDiCal {
    fn clause(&mut self, clause: &[Literal]) {
        for lit in clause {
            self.add(lit.to_dimacs());
        }
        self.add(0);
    }
}

/// How to search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    pub method: Method,
    pub decide: Decide,
    /// The value that a variable is tried with first.
    pub phase: bool,
    /// Does CaDiCaL simplify the clauses between searches?
    pub inprocess: bool,
}

pub struct Cadical {
    solver: CaDiCal,
    blaster: Blaster,
    bridge: Bridge,
    room: Rc<RefCell<Room>>, // the bridge is there while the solver runs
    watch: Rc<StopCauses>,
    method: Method,
    model: Vec<bool>, // by variable, of the last answer `Sat`
}

impl Cadical {
    pub fn new(pool: &Pool, bridge: Bridge, method: Method) -> Result<Cadical, SolverError> {
        Cadical::with_settings(pool, bridge, Settings { method, ..Settings::default() })
    }

    pub fn with_settings(
        pool: &Pool,
        bridge: Bridge,
        settings: Settings,
    ) -> Result<Cadical, SolverError> {
        let mut solver = configured(settings)?;
        let watch = Rc::new(StopCauses::default());
        solver.connect_terminator(StopSignal(watch.clone()));
        let propagator = TheoryPropagator::new(SatLiterals::default(), settings.decide);
        let room = Rc::new(RefCell::new(Room::new(propagator)));
        let method = settings.method;
        if method == Method::Prop {
            solver.connect_external_propagator(Door::new(room.clone(), watch.clone()));
        }
        let blaster = Blaster::default();
        let model = Vec::new();
        let mut cadical = Cadical { solver, blaster, bridge, room, watch, method, model };
        for var in 0..cadical.bridge.variables() {
            let lit = match cadical.bridge.term(var) {
                Some(t) => cadical.blaster.literal(pool, t, EdgeUse::Both, &mut cadical.solver)?,
                None => cadical.blaster.fresh(),
            };
            cadical.name(lit);
        }
        Ok(cadical)
    }

    /// The next theory variable is this literal.
    fn name(&mut self, lit: Literal) {
        self.room.borrow_mut().propagator.names.push(lit);
        let var = Literal::positive(lit.var() as i32).to_dimacs();
        match self.method {
            Method::Prop => self.solver.add_observed_var(var),
            Method::Basic => self.solver.freeze(var),
        }
    }

    fn name_fresh(&mut self, count: u32) {
        for _ in 0..count {
            let lit = self.blaster.fresh();
            self.name(lit);
        }
    }

    /// After `Unsat`: was this assumption needed for it?
    pub fn failed(&mut self, pool: &Pool, assumption: Term) -> Result<bool, SolverError> {
        let lit = self.blaster.literal(pool, assumption, EdgeUse::Positive, &mut self.solver)?;
        Ok(self.solver.failed(lit.to_dimacs()))
    }

    fn check_failure(&self) -> Result<(), SolverError> {
        self.watch.failure().map_or(Ok(()), |what| Err(SolverError::Panic(what)))
    }

    /// One search, with the bridge in the room.
    fn search(&mut self, assumptions: &[Literal]) -> Result<Status, SolverError> {
        let bridge = std::mem::take(&mut self.bridge);
        let entered = self.watch.guard(|| self.room.borrow_mut().enter(bridge));
        if entered.is_some() {
            for lit in assumptions {
                self.solver.assume(lit.to_dimacs());
            }
        }
        let status = if entered.is_some() { self.solver.solve() } else { Status::UNKNOWN };
        let left = self.watch.guard(|| Ok(self.room.borrow_mut().leave()));
        if let Some(bridge) = left.flatten() {
            self.bridge = bridge;
        }
        self.check_failure()?;
        Ok(status)
    }

    fn keep_model(&mut self) {
        let known = self.solver.vars();
        let variables = self.blaster.variables() as i32;
        self.model.clear();
        self.model.push(false);
        for var in 1..=variables {
            self.model.push(var <= known && self.solver.val(var) > 0);
        }
    }

    fn holds(&self, lit: Literal) -> bool {
        self.model[lit.var()] != lit.is_negative()
    }

    /// Is the model an execution? If not, the solver knows more afterwards.
    fn judge(&mut self) -> Result<bool, SolverError> {
        let more = self.room.borrow_mut().propagator.take_more();
        if more > 0 {
            self.name_fresh(more);
            return Ok(false);
        }
        if self.room.borrow().propagator.has_accepted() {
            return Ok(true);
        }
        if self.bridge.is_weak() {
            return self.judge_execution();
        }
        // `Basic`; or CaDiCaL found a model without asking, which we would not trust.
        let lits = self.theory_model();
        let watch = self.watch.clone();
        let verdict = watch.guard(|| final_check(&mut self.bridge, &lits));
        self.check_failure()?;
        match verdict {
            Some(Final::Consistent) => return Ok(true),
            Some(Final::More(n)) => self.name_fresh(n),
            Some(Final::Conflicts(all)) => all.iter().for_each(|conflict| self.refute(conflict)),
            Some(Final::Conflict(first)) => {
                let found = watch.guard(|| more_conflicts(&mut self.bridge, lits, first));
                self.check_failure()?;
                for conflict in found.unwrap_or_default() {
                    self.refute(&conflict);
                }
            }
            None => {}
        }
        Ok(false)
    }

    /// The same under another memory model.
    fn judge_execution(&mut self) -> Result<bool, SolverError> {
        let lits = self.theory_model();
        let watch = self.watch.clone();
        let conflicts = watch.guard(|| Ok::<_, BrokenPromise>(self.bridge.judge(&lits)));
        self.check_failure()?;
        let conflicts = conflicts.unwrap_or_default();
        conflicts.iter().for_each(|conflict| self.refute(conflict));
        Ok(conflicts.is_empty())
    }

    /// The theory's literals that are true in the model.
    fn theory_model(&self) -> Vec<Lit> {
        let room = self.room.borrow();
        let lits = (0..self.bridge.variables()).map(Lit::positive);
        lits.map(|lit| if self.holds(room.propagator.names.of(lit)) { lit } else { !lit }).collect()
    }

    fn refute(&mut self, conflict: &[Lit]) {
        let mut room = self.room.borrow_mut();
        let clause: Vec<Literal> =
            conflict.iter().map(|&lit| !room.propagator.names.of(lit)).collect();
        room.propagator.told.conflicts += 1;
        room.propagator.told.literals += clause.len() as u64;
        drop(room);
        self.solver.clause(&clause);
    }
}

fn configured(settings: Settings) -> Result<CaDiCal, SolverError> {
    let mut solver = CaDiCal::new();
    if !settings.inprocess && !solver.configure("plain") {
        return Err(SolverError::Call { call: "CaDiCaL::configure", what: "plain".to_owned() });
    }
    // Levels must come and go in order: the theory is a stack.
    for (name, value) in [("chrono", 0), ("phase", i32::from(settings.phase))] {
        if !solver.set(name, value) {
            return Err(SolverError::Call { call: "CaDiCaL::set", what: name.to_owned() });
        }
    }
    Ok(solver)
}

/// What the bridge says to these literals.
fn final_check(bridge: &mut Bridge, lits: &[Lit]) -> Result<Final, BrokenPromise> {
    bridge.theory.push();
    for &lit in lits {
        bridge.theory.assign(lit);
    }
    let verdict = bridge.final_check();
    bridge.theory.backtrack(0);
    verdict
}

/// One model often has several things wrong with it: take a literal of each conflict away and look
/// again.
fn more_conflicts(
    bridge: &mut Bridge,
    mut lits: Vec<Lit>,
    first: Vec<Lit>,
) -> Result<Vec<Vec<Lit>>, BrokenPromise> {
    let mut found = vec![first];
    while found.len() < CONFLICTS_PER_MODEL {
        let Some(&blamed) = found.last().and_then(|conflict| conflict.first()) else { break };
        lits.retain(|&lit| lit != blamed);
        bridge.theory.push();
        for &lit in &lits {
            bridge.theory.assign(lit);
        }
        let answer = bridge.propagate();
        bridge.theory.backtrack(0);
        match answer? {
            None => break,
            Some(conflict) => found.push(conflict),
        }
    }
    Ok(found)
}

impl Backend for Cadical {
    fn assert(&mut self, pool: &Pool, fact: Term) -> Result<(), SolverError> {
        self.blaster.assert(pool, fact, &mut self.solver)
    }

    fn solve(
        &mut self,
        pool: &Pool,
        assumptions: &[Term],
        deadline: Option<Instant>,
    ) -> Result<Outcome, SolverError> {
        let mut lits = Vec::with_capacity(assumptions.len());
        for &t in assumptions {
            lits.push(self.blaster.literal(pool, t, EdgeUse::Positive, &mut self.solver)?);
        }
        self.watch.deadline.set(deadline);
        loop {
            match self.search(&lits)? {
                Status::UNSATISFIABLE => return Ok(Outcome::Unsat),
                Status::UNKNOWN if self.watch.is_late() => return Ok(Outcome::TimeOut),
                Status::UNKNOWN => return Err(SolverError::GaveUp("CaDiCaL".to_owned())),
                Status::SATISFIABLE => self.keep_model(),
            }
            if self.judge()? {
                return Ok(Outcome::Sat);
            }
        }
    }

    fn value(&mut self, pool: &Pool, var: Term) -> Result<u64, SolverError> {
        Ok(self
            .blaster
            .value(pool, var, |lit| self.model.get(lit.var()).is_some_and(|_| self.holds(lit))))
    }

    fn work_by(&mut self, permit: Arc<Permit>) {
        *self.watch.permit.borrow_mut() = permit;
    }

    fn count_conflicts(&mut self, counter: Arc<AtomicU64>) {
        self.solver.connect_learner(Tally(counter));
    }

    fn bridge(&self) -> &Bridge {
        &self.bridge
    }

    fn counters(&self) -> Counters {
        let told = self.room.borrow().propagator.told;
        let of = |name| self.solver.get_statistic_value(name).max(0) as u64;
        vec![
            ("gates", self.blaster.gates()),
            ("variables", self.blaster.variables()),
            ("clauses", self.blaster.clauses()),
            ("decisions", of("decisions")),
            ("propagations", of("propagations")),
            ("conflicts", of("conflicts")),
            ("theory propagations", told.propagations),
            ("theory reasons", told.reasons),
            ("theory conflicts", told.conflicts),
            ("theory clause literals", told.literals),
            ("models", self.bridge.stats().models),
        ]
    }
}
