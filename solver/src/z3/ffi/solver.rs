//! Z3's solver, and the propagator that it calls back.

use super::library::*;
use super::{Ast, Context, Result, Z3Assignment, first_line, nothing, text};
use crate::SolverError;
use std::any::Any;
use std::ffi::{CString, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Follows Z3's search. The terms that it hears of are those that were registered.
pub trait Propagator {
    fn push(&mut self);
    fn pop(&mut self, levels: usize);
    fn fixed(&mut self, search: &PropagatorSearch, term: Ast, value: bool) -> Result<()>;
    /// Everything has a value: the last chance to object.
    fn last(&mut self, search: &PropagatorSearch) -> Result<()>;
}

/// What a propagator may do to a search while it is called.
pub struct PropagatorSearch<'a> {
    pub context: &'a Context,
    raw: Z3_solver_callback,
}

impl PropagatorSearch<'_> {
    /// The premises, which are registered and have values, make `implied` true. Was that news?
    pub fn implies(&self, premises: &[Ast], implied: Ast) -> Result<bool> {
        let raw: Vec<Z3_ast> = premises.iter().map(|a| a.0).collect();
        let none = std::ptr::null();
        // SAFETY: `raw` is as long as it says; we are inside of a callback, so `self.raw` is alive.
        let news = unsafe {
            Z3_solver_propagate_consequence(
                self.context.raw,
                self.raw,
                raw.len() as c_uint,
                raw.as_ptr(),
                0,
                none,
                none,
                implied.0,
            )
        };
        self.context.checked("Z3_solver_propagate_consequence")?;
        Ok(news)
    }

    /// A Boolean term that must get a value, and we hear of it. Until this level is popped.
    pub fn register(&self, term: Ast) -> Result<()> {
        // SAFETY: inside of a callback.
        unsafe { Z3_solver_propagate_register_cb(self.context.raw, self.raw, term.0) };
        self.context.checked("Z3_solver_propagate_register_cb")
    }
}

/// What the callbacks get.
struct Hook<P> {
    context: Rc<Context>,
    solver: Z3_solver,
    propagator: P,
    failure: Option<SolverError>,
}

impl<P> Hook<P> {
    fn guarded(&mut self, act: impl FnOnce(&mut P, &Context) -> Result<()>) {
        if self.failure.is_some() {
            return;
        }
        let (propagator, context) = (&mut self.propagator, &*self.context);
        // What the panic left half done is never looked at again: `failure` stays.
        let result = catch_unwind(AssertUnwindSafe(|| act(propagator, context)))
            .unwrap_or_else(|panic| Err(SolverError::Panic(message(&*panic))));
        if let Err(failure) = result {
            self.failure = Some(failure);
            // SAFETY: the solver is the one that calls us.
            unsafe { Z3_solver_interrupt(self.context.raw, self.solver) };
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverAnswer {
    Sat,
    Unsat,
    /// Why.
    Unknown(String),
}

/// Which of Z3's solvers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Core {
    /// The one that knows propagators.
    Smt,
    /// Turns everything into clauses; faster on bits, but does not ask a propagator.
    Sat,
}

pub struct Solver<P> {
    context: Rc<Context>,
    raw: Z3_solver,
    core: Core,
    facts: Vec<Ast>,    // what was asserted
    hook: *mut Hook<P>, // from a box; ours, and Z3's during calls
}

fn new_solver(context: &Context, core: Core) -> Result<Z3_solver> {
    let c = context.raw;
    // SAFETY: the name is copied; the solver belongs to the caller by the reference that we take.
    unsafe {
        let raw = match core {
            Core::Smt => Z3_mk_simple_solver(c),
            Core::Sat => Z3_mk_string_symbol(c, c"QF_BV".as_ptr())
                .and_then(|logic| Z3_mk_solver_for_logic(c, logic)),
        };
        let raw = raw.ok_or_else(|| nothing("Z3_mk_solver"))?;
        Z3_solver_inc_ref(c, raw);
        Ok(raw)
    }
}

impl<P: Propagator> Solver<P> {
    /// It takes `settings` before anything else.
    pub fn new(
        context: Rc<Context>,
        core: Core,
        settings: &Settings,
        propagator: P,
    ) -> Result<Solver<P>> {
        let raw = new_solver(&context, core)?;
        let hook = Hook { context: context.clone(), solver: raw, propagator, failure: None };
        let hook = Box::into_raw(Box::new(hook));
        let mut solver = Solver { context, raw, core, facts: Vec::new(), hook };
        solver.set(settings)?;
        Ok(solver)
    }

    pub fn set(&mut self, settings: &Settings) -> Result<()> {
        let c = self.context.raw;
        // SAFETY: names are copied, the parameters live until their reference is given back.
        unsafe {
            let params = Z3_mk_params(c).ok_or_else(|| nothing("Z3_mk_params"))?;
            Z3_params_inc_ref(c, params);
            for (name, value) in settings {
                let name = CString::new(*name).unwrap_or_default();
                let Some(name) = Z3_mk_string_symbol(c, name.as_ptr()) else { continue };
                match value {
                    Setting::Flag(value) => Z3_params_set_bool(c, params, name, *value),
                    Setting::Number(value) => Z3_params_set_uint(c, params, name, *value),
                }
            }
            Z3_solver_set_params(c, self.raw, params);
            let result = self.context.checked("Z3_solver_set_params");
            Z3_params_dec_ref(c, params);
            result
        }
    }

    /// From now on the propagator follows the search.
    pub fn connect(&mut self) -> Result<()> {
        let (c, user) = (self.context.raw, self.hook.cast::<c_void>());
        // SAFETY: `hook` is freed after the solver. The callbacks are for this `P`.
        unsafe {
            Z3_solver_propagate_init(
                c,
                self.raw,
                user,
                Some(on_push::<P>),
                Some(on_pop::<P>),
                Some(on_fresh),
            );
            Z3_solver_propagate_fixed(c, self.raw, Some(on_fixed::<P>));
            Z3_solver_propagate_final(c, self.raw, Some(on_final::<P>));
        }
        self.context.checked("Z3_solver_propagate_init")
    }

    /// The propagator hears of a Boolean term, for ever. Needs: no search was made yet.
    pub fn register(&mut self, term: Ast) -> Result<()> {
        // SAFETY: solver and term live.
        unsafe { Z3_solver_propagate_register(self.context.raw, self.raw, term.0) };
        self.finish("Z3_solver_propagate_register")
    }

    pub fn assert(&mut self, fact: Ast) -> Result<()> {
        // SAFETY: solver and term live.
        unsafe { Z3_solver_assert(self.context.raw, self.raw, fact.0) };
        self.facts.push(fact);
        self.finish("Z3_solver_assert")
    }

    /// Starts again from the facts.
    fn renew(&mut self) -> Result<()> {
        let raw = new_solver(&self.context, self.core)?;
        // SAFETY: the old one is ours and not in use; only the hook knows it.
        unsafe {
            Z3_solver_dec_ref(self.context.raw, self.raw);
            (*self.hook).solver = raw;
        }
        self.raw = raw;
        std::mem::take(&mut self.facts).into_iter().try_for_each(|fact| self.assert(fact))
    }

    pub fn check(&mut self, assumptions: &[Ast]) -> Result<SolverAnswer> {
        const CALL: &str = "Z3_solver_check_assumptions";
        self.failed()?;
        let raw: Vec<Z3_ast> = assumptions.iter().map(|a| a.0).collect();
        let (c, s) = (self.context.raw, self.raw);
        // SAFETY: `raw` is as long as it says; solver and terms live.
        let answer =
            unsafe { Z3_solver_check_assumptions(c, s, raw.len() as c_uint, raw.as_ptr()) };
        self.failed()?;
        // SAFETY: the text is copied at once.
        let why = || first_line(&unsafe { text(Z3_solver_get_reason_unknown(c, s)) });
        match answer {
            TRUE => self.context.checked(CALL).map(|()| SolverAnswer::Sat),
            FALSE => self.context.checked(CALL).map(|()| SolverAnswer::Unsat),
            // An interrupted search may leave an error code; the reason says it better.
            _ => {
                let why = why();
                // One that was interrupted while it made clauses has lost some of them.
                if self.core == Core::Sat {
                    self.renew()?;
                }
                Ok(SolverAnswer::Unknown(why))
            }
        }
    }

    /// Of the last `check`, which said `Sat`.
    pub fn model(&self) -> Result<Z3Assignment> {
        // SAFETY: the model is ours by the reference that we take.
        unsafe {
            let raw = Z3_solver_get_model(self.context.raw, self.raw);
            self.context.checked("Z3_solver_get_model")?;
            let raw = raw.ok_or_else(|| nothing("Z3_solver_get_model"))?;
            Z3_model_inc_ref(self.context.raw, raw);
            Ok(Z3Assignment { context: self.context.clone(), raw })
        }
    }

    /// Numbers that Z3 has counted, by name.
    pub fn statistics(&self) -> Vec<(String, u64)> {
        let c = self.context.raw;
        let mut all = Vec::new();
        // SAFETY: the statistics are ours between the two calls; names are copied.
        unsafe {
            let Some(stats) = Z3_solver_get_statistics(c, self.raw) else { return all };
            Z3_stats_inc_ref(c, stats);
            for i in 0..Z3_stats_size(c, stats) {
                if Z3_stats_is_uint(c, stats, i) {
                    let value = Z3_stats_get_uint_value(c, stats, i);
                    all.push((text(Z3_stats_get_key(c, stats, i)), u64::from(value)));
                }
            }
            Z3_stats_dec_ref(c, stats);
        }
        all
    }

    pub fn propagator(&self) -> &P {
        // SAFETY: no call is under way, since those take `&mut self`.
        unsafe { &(*self.hook).propagator }
    }

    pub(crate) fn propagator_mut(&mut self) -> &mut P {
        // SAFETY: as above.
        unsafe { &mut (*self.hook).propagator }
    }

    /// A failure of the propagator is for ever.
    fn failed(&self) -> Result<()> {
        // SAFETY: no call is under way.
        unsafe { (*self.hook).failure.clone() }.map_or(Ok(()), Err)
    }

    fn finish(&self, call: &'static str) -> Result<()> {
        self.failed()?;
        self.context.checked(call)
    }
}

impl<P> Drop for Solver<P> {
    fn drop(&mut self) {
        // SAFETY: Z3 may still call back while its solver goes, so the hook goes after it.
        unsafe {
            Z3_solver_dec_ref(self.context.raw, self.raw);
            drop(Box::from_raw(self.hook));
        }
    }
}

pub enum Setting {
    Flag(bool),
    Number(u32),
}

/// Parameters by name.
pub type Settings = [(&'static str, Setting)];

/// SAFETY: needs null, or the hook of a solver over `P` that is alive and not borrowed.
unsafe fn hook<'a, P>(user: *mut c_void) -> Option<&'a mut Hook<P>> {
    // SAFETY: `connect` made the pointer; Z3 calls back only inside of our calls with `&mut Solver`.
    unsafe { user.cast::<Hook<P>>().as_mut() }
}

unsafe extern "C" fn on_push<P: Propagator>(user: *mut c_void, _: Z3_solver_callback) {
    // SAFETY: Z3 gives back what `connect` gave it.
    let Some(hook) = (unsafe { hook::<P>(user) }) else { return };
    hook.guarded(|propagator, _| {
        propagator.push();
        Ok(())
    });
}

unsafe extern "C" fn on_pop<P: Propagator>(
    user: *mut c_void,
    _: Z3_solver_callback,
    levels: c_uint,
) {
    // SAFETY: as above.
    let Some(hook) = (unsafe { hook::<P>(user) }) else { return };
    hook.guarded(|propagator, _| {
        propagator.pop(levels as usize);
        Ok(())
    });
}

unsafe extern "C" fn on_fixed<P: Propagator>(
    user: *mut c_void,
    raw: Z3_solver_callback,
    term: Z3_ast,
    value: Z3_ast,
) {
    // SAFETY: as above.
    let Some(hook) = (unsafe { hook::<P>(user) }) else { return };
    hook.guarded(|propagator, context| {
        // SAFETY: Z3 keeps both terms alive during the call.
        let value = unsafe { Z3_get_bool_value(context.raw, value) } == TRUE;
        propagator.fixed(&PropagatorSearch { context, raw }, Ast(term), value)
    });
}

unsafe extern "C" fn on_final<P: Propagator>(user: *mut c_void, raw: Z3_solver_callback) {
    // SAFETY: as above.
    let Some(hook) = (unsafe { hook::<P>(user) }) else { return };
    hook.guarded(|propagator, context| propagator.last(&PropagatorSearch { context, raw }));
}

/// Z3 would make a second solver (only its parallel mode does): it gets no callbacks.
unsafe extern "C" fn on_fresh(_: *mut c_void, _: Z3_context) -> *mut c_void {
    std::ptr::null_mut()
}
