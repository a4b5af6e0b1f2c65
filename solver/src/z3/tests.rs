//! The suite of all backends, and the door itself.

use super::Z3;
use super::ffi::{Ast, Context, Core, Propagator, PropagatorSearch, Result, Setting, Solver};
use crate::{Backend, Bridge, Method, SolverError};
use encoder::Pool;
use std::rc::Rc;

fn make(pool: &Pool, bridge: Bridge, method: Method) -> Result<Box<dyn Backend>> {
    Ok(Box::new(Z3::new(pool, bridge, method)?))
}

crate::backend_suite!(make);

#[test]
#[ignore = "takes minutes"]
fn many_random_programs() {
    crate::testing::random::many(&make, 1000..2000);
}

/// Fails as told when the first term gets a value.
struct Failing(fn() -> Result<()>);

impl Propagator for Failing {
    fn push(&mut self) {}
    fn pop(&mut self, _: usize) {}
    fn fixed(&mut self, _: &PropagatorSearch, _: Ast, _: bool) -> Result<()> {
        self.0()
    }
    fn last(&mut self, _: &PropagatorSearch) -> Result<()> {
        Ok(())
    }
}

fn solver(fail: fn() -> Result<()>) -> (Rc<Context>, Solver<Failing>) {
    let c = Rc::new(Context::new().unwrap());
    let mut solver = Solver::new(c.clone(), Core::Smt, &[], Failing(fail)).unwrap();
    solver.connect().unwrap();
    let name = c.fresh(c.bool_sort().unwrap()).unwrap();
    solver.register(name).unwrap();
    (c, solver)
}

#[test]
fn a_panic_stops_at_the_door_and_stays() {
    let (c, mut solver) = solver(|| panic!("as told"));
    let failure = SolverError::Panic("as told".into());
    assert_eq!(solver.check(&[]), Err(failure.clone()));
    assert_eq!(solver.check(&[]), Err(failure.clone()));
    assert_eq!(solver.assert(c.false_().unwrap()), Err(failure));
}

#[test]
fn an_error_ends_the_search() {
    let (_, mut solver) = solver(|| Err(SolverError::Unsupported("as told")));
    assert_eq!(solver.check(&[]), Err(SolverError::Unsupported("as told")));
}

#[test]
fn wrong_sorts_are_an_error() {
    let c = Context::new().unwrap();
    let number = c.number(1, c.bits_sort(8).unwrap()).unwrap();
    let error = c.bvadd(number, c.true_().unwrap()).unwrap_err();
    assert!(matches!(error, SolverError::Call { call: "Z3_mk_bvadd", .. }), "{error:?}");
    assert!(c.bvadd(number, number).is_ok(), "an error does not stay");
}

#[test]
fn unknown_settings_are_an_error() {
    let c = Rc::new(Context::new().unwrap());
    let ok: fn() -> Result<()> = || Ok(());
    let settings = &[("no.such", Setting::Flag(true))];
    let result = Solver::new(c.clone(), Core::Smt, settings, Failing(ok)).and_then(|mut solver| {
        solver.assert(c.true_()?)?;
        solver.check(&[])
    });
    assert!(matches!(result, Err(SolverError::Call { .. })), "{result:?}");
}
