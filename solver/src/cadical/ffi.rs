//! The door to CaDiCaL: its callbacks, and the wall that stops panics.
//!
//! `cadical-sys` is safe to call and owns what is connected, so there is no unsafe code here; but an
//! unwinding panic must not reach C++. Each callback is three steps: take propagator and bridge, call
//! a method, give a number back. After a failure all callbacks give harmless answers and the solver
//! is told to stop; what it says then does not count.
//!
//! The bridge is in the room while `solve` runs. CaDiCaL also tells what it finds between calls, as
//! clauses are added; that is at level 0 and waits until the bridge is back. The theory leaves at level
//! 0, and CaDiCaL must backtrack before it assigns anything else: `level` sees to it.

use super::propagator::{Keep, TheoryPropagator};
use crate::blast::Literal;
use crate::bridge::Bridge;
use crate::permit::Permit;
use crate::reference::BrokenPromise;
use cadical_sys::{ExternalPropagator, Learner, Terminator};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Why to stop.
#[derive(Debug, Default)]
pub struct StopCauses {
    pub deadline: Cell<Option<Instant>>,
    pub permit: RefCell<Arc<Permit>>,
    failure: RefCell<Option<String>>,
}

impl StopCauses {
    pub fn failure(&self) -> Option<String> {
        self.failure.borrow().clone()
    }

    pub(crate) fn is_late(&self) -> bool {
        let permit = self.permit.borrow();
        let late = || self.deadline.get().is_some_and(|deadline| permit.now() >= deadline);
        permit.revoked() || late()
    }

    /// Runs `f`; a panic or an error is kept, and `None` comes back.
    pub fn guard<T>(&self, f: impl FnOnce() -> Result<T, BrokenPromise>) -> Option<T> {
        let failed = match catch_unwind(AssertUnwindSafe(f)) {
            Ok(Ok(value)) => return Some(value),
            Ok(Err(broken)) => broken,
            Err(panic) => message(&*panic),
        };
        self.failure.borrow_mut().get_or_insert(failed);
        None
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned()
}

/// Stops the solver.
pub struct StopSignal(pub Rc<StopCauses>);

impl Terminator for StopSignal {
    fn terminated(&mut self) -> bool {
        self.0.failure.borrow().is_some() || self.0.is_late()
    }
}

/// Counts the clauses that the solver learns, one per conflict; it does not want to see them.
pub struct Tally(pub Arc<AtomicU64>);

impl Learner for Tally {
    fn learning(&mut self, _: i32) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        false
    }

    fn learn(&mut self, _: i32) {}
}

/// Where propagator and bridge meet.
#[derive(Debug)]
pub struct Room {
    pub propagator: TheoryPropagator,
    bridge: Option<Bridge>,
    level: usize,          // as CaDiCaL told
    waiting: Vec<Literal>, // assigned at level 0 while the bridge was away
}

impl Room {
    pub fn new(propagator: TheoryPropagator) -> Room {
        Room { propagator, bridge: None, level: 0, waiting: Vec::new() }
    }

    /// The bridge comes in, and hears what has been assigned.
    pub fn enter(&mut self, bridge: Bridge) -> Result<(), BrokenPromise> {
        self.propagator.begin();
        let bridge = self.bridge.insert(bridge);
        for lit in std::mem::take(&mut self.waiting) {
            self.propagator.assign(bridge, lit)?;
        }
        Ok(())
    }

    /// The bridge goes, its theory at level 0.
    pub fn leave(&mut self) -> Option<Bridge> {
        if let Some(bridge) = &mut self.bridge {
            self.propagator.backtrack(bridge, 0);
        }
        self.bridge.take()
    }

    fn assign(&mut self, lits: &[i32]) -> Result<(), BrokenPromise> {
        let expected = self.bridge.as_ref().map_or(0, |bridge| bridge.theory.level());
        if self.level != expected {
            return Err(format!("an assignment at level {}, not {expected}", self.level));
        }
        let lits = lits.iter().map(|&lit| Literal::from_dimacs(lit));
        match &mut self.bridge {
            Some(bridge) => lits.into_iter().try_for_each(|l| self.propagator.assign(bridge, l)),
            None => {
                self.waiting.extend(lits);
                Ok(())
            }
        }
    }
}

/// What is connected to CaDiCaL.
pub struct Door {
    room: Rc<RefCell<Room>>,
    watch: Rc<StopCauses>,
    reason_given: bool, // after a failure: of the clause that must contain the literal asked for
}

impl Door {
    pub fn new(room: Rc<RefCell<Room>>, watch: Rc<StopCauses>) -> Door {
        Door { room, watch, reason_given: false }
    }

    fn room<T>(&self, f: impl FnOnce(&mut Room) -> Result<T, BrokenPromise>) -> Option<T> {
        if self.watch.failure.borrow().is_some() {
            return None;
        }
        self.watch.guard(|| f(&mut self.room.borrow_mut()))
    }

    /// Without a bridge the default is the answer.
    fn both<T: Default>(
        &self,
        f: impl FnOnce(&mut TheoryPropagator, &mut Bridge) -> Result<T, BrokenPromise>,
    ) -> Option<T> {
        self.room(|room| match &mut room.bridge {
            Some(bridge) => f(&mut room.propagator, bridge),
            None => Ok(T::default()),
        })
    }
}

fn number(lit: Option<Literal>) -> i32 {
    lit.map_or(0, Literal::to_dimacs)
}

impl ExternalPropagator for Door {
    /// Reasons can be asked for again as long as they matter: CaDiCaL may forget the clauses.
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        self.room(|room| room.assign(lits));
    }

    fn notify_new_decision_level(&mut self) {
        self.room(|room| match &mut room.bridge {
            Some(bridge) => {
                room.level += 1;
                room.propagator.new_level(bridge);
                Ok(())
            }
            None => Err("a decision outside of solve".to_owned()),
        });
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        self.room(|room| {
            room.level = new_level;
            if let Some(bridge) = &mut room.bridge {
                room.propagator.backtrack(bridge, new_level);
            }
            Ok(())
        });
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        let model: Vec<Literal> = model.iter().map(|&lit| Literal::from_dimacs(lit)).collect();
        self.both(|propagator, bridge| propagator.accepts(bridge, &model)).unwrap_or(true)
    }

    fn cb_decide(&mut self) -> i32 {
        number(self.both(|propagator, bridge| Ok(propagator.decide(bridge))).flatten())
    }

    fn cb_propagate(&mut self) -> i32 {
        number(self.both(|propagator, bridge| propagator.propagate(bridge)).flatten())
    }

    fn cb_add_reason_clause_lit(&mut self, propagated: i32) -> i32 {
        let lit = Literal::from_dimacs(propagated);
        match self.both(|propagator, bridge| propagator.reason(bridge, lit)) {
            Some(next) => number(next),
            None => {
                self.reason_given = !self.reason_given;
                if self.reason_given { propagated } else { 0 }
            }
        }
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        let keep = self.both(|propagator, _| Ok(propagator.has_clause())).flatten();
        *is_forgettable = keep != Some(Keep::Always);
        keep.is_some()
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        number(self.both(|propagator, _| Ok(propagator.next_of_clause())).flatten())
    }
}
