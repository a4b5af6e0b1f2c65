//! The door to Z3: every unsafe line of this backend is here.
//!
//! A `Context` makes terms and owns them until it goes. A `Solver` owns Z3's solver and the safe
//! `Propagator` that its callbacks are for. A callback is three steps: pointer to `&mut`, a safe
//! method, done. A panic or an error of that method stops at the door: it is kept, the search is
//! interrupted, later callbacks do nothing, and every call from then on gives it back.
//!
//! Invariant: Z3 calls back only inside of calls that take `&mut Solver`, so nobody else looks at
//! the propagator at that time; and the propagator outlives Z3's solver.

#![allow(unsafe_code)]

use crate::SolverError;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use z3_sys::*;

pub type Result<T> = std::result::Result<T, SolverError>;

/// The oldest Z3 that has what we call.
const OLDEST: (u32, u32) = (4, 13);

/// A term of one context, which keeps it alive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ast(Z3_ast);

/// A sort of one context, which keeps it alive.
#[derive(Clone, Copy, Debug)]
pub struct Sort(Z3_sort);

/// Arguments as Z3 takes them.
trait Raw {
    type As;
    fn raw(self) -> Self::As;
}

impl Raw for Ast {
    type As = Z3_ast;
    fn raw(self) -> Z3_ast {
        self.0
    }
}

impl Raw for Sort {
    type As = Z3_sort;
    fn raw(self) -> Z3_sort {
        self.0
    }
}

impl Raw for u32 {
    type As = c_uint;
    fn raw(self) -> c_uint {
        self
    }
}

/// Makes terms.
pub struct Context {
    raw: Z3_context,
    kept: RefCell<Vec<Z3_ast>>, // what we hold a reference to
}

impl Context {
    pub fn new() -> Result<Context> {
        let (mut major, mut minor, mut build, mut revision) = (0, 0, 0, 0);
        // SAFETY: the four numbers are written, nothing else.
        unsafe { Z3_get_version(&mut major, &mut minor, &mut build, &mut revision) };
        if (major, minor) < OLDEST {
            let what = format!("this is Z3 {major}.{minor}.{build}, which is too old");
            return Err(SolverError::Call { call: "Z3_get_version", what });
        }
        // SAFETY: a new configuration, used once and given back; no handler, because the default
        // one ends the process: errors are asked for after each call.
        let raw = unsafe {
            let config = Z3_mk_config().ok_or_else(|| nothing("Z3_mk_config"))?;
            let raw = Z3_mk_context_rc(config);
            Z3_del_config(config);
            let raw = raw.ok_or_else(|| nothing("Z3_mk_context_rc"))?;
            Z3_set_error_handler(raw, None);
            raw
        };
        Ok(Context { raw, kept: RefCell::default() })
    }

    /// Did the last call succeed?
    fn checked(&self, call: &'static str) -> Result<()> {
        // SAFETY: the context lives; the message is copied before the next call.
        unsafe {
            let code = Z3_get_error_code(self.raw);
            if code == ErrorCode::Ok {
                return Ok(());
            }
            // Some go on with pages of help.
            let what = text(Z3_get_error_msg(self.raw, code));
            let what = what.lines().next().unwrap_or_default().to_owned();
            Err(SolverError::Call { call, what })
        }
    }

    /// Takes hold of a term that a call has just made.
    fn keep(&self, call: &'static str, made: Option<Z3_ast>) -> Result<Ast> {
        self.checked(call)?;
        let made = made.ok_or_else(|| nothing(call))?;
        // SAFETY: Z3 keeps the last result alive until the next call, which is this one.
        unsafe { Z3_inc_ref(self.raw, made) };
        self.kept.borrow_mut().push(made);
        Ok(Ast(made))
    }

    fn keep_sort(&self, call: &'static str, made: Option<Z3_sort>) -> Result<Sort> {
        // SAFETY: only a cast; a sort is a term to Z3.
        let ast = made.and_then(|sort| unsafe { Z3_sort_to_ast(self.raw, sort) });
        self.keep(call, ast)?;
        made.map(Sort).ok_or_else(|| nothing(call))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: each reference was taken once by `keep`; solvers hold an `Rc` of us, so none lives.
        unsafe {
            for &ast in self.kept.get_mut().iter() {
                Z3_dec_ref(self.raw, ast);
            }
            Z3_del_context(self.raw);
        }
    }
}

/// Safe methods named after what Z3 calls them. Wrong sorts are an error, not undefined behaviour.
macro_rules! makers {
    ($keep:ident, $made:ty: $($name:ident($($arg:ident: $ty:ty),*) = $call:ident;)*) => {
        impl Context {
            $(pub fn $name(&self, $($arg: $ty),*) -> Result<$made> {
                // SAFETY: the context lives and keeps its terms and sorts alive.
                let made = unsafe { $call(self.raw, $($arg.raw()),*) };
                self.$keep(stringify!($call), made)
            })*
        }
    };
}

makers! { keep_sort, Sort:
    bool_sort() = Z3_mk_bool_sort;
    bits_sort(width: u32) = Z3_mk_bv_sort;
    float_sort() = Z3_mk_fpa_sort_32;
    double_sort() = Z3_mk_fpa_sort_64;
}

makers! { keep, Ast:
    true_() = Z3_mk_true;
    false_() = Z3_mk_false;
    not(a: Ast) = Z3_mk_not;
    implies(a: Ast, b: Ast) = Z3_mk_implies;
    ite(c: Ast, a: Ast, b: Ast) = Z3_mk_ite;
    eq(a: Ast, b: Ast) = Z3_mk_eq;
    ult(a: Ast, b: Ast) = Z3_mk_bvult;
    slt(a: Ast, b: Ast) = Z3_mk_bvslt;
    bvnot(a: Ast) = Z3_mk_bvnot;
    bvneg(a: Ast) = Z3_mk_bvneg;
    bvadd(a: Ast, b: Ast) = Z3_mk_bvadd;
    bvsub(a: Ast, b: Ast) = Z3_mk_bvsub;
    bvmul(a: Ast, b: Ast) = Z3_mk_bvmul;
    bvudiv(a: Ast, b: Ast) = Z3_mk_bvudiv;
    bvurem(a: Ast, b: Ast) = Z3_mk_bvurem;
    bvsdiv(a: Ast, b: Ast) = Z3_mk_bvsdiv;
    bvsrem(a: Ast, b: Ast) = Z3_mk_bvsrem;
    bvand(a: Ast, b: Ast) = Z3_mk_bvand;
    bvor(a: Ast, b: Ast) = Z3_mk_bvor;
    bvxor(a: Ast, b: Ast) = Z3_mk_bvxor;
    bvshl(a: Ast, b: Ast) = Z3_mk_bvshl;
    bvlshr(a: Ast, b: Ast) = Z3_mk_bvlshr;
    bvashr(a: Ast, b: Ast) = Z3_mk_bvashr;
    extract(high: u32, low: u32, a: Ast) = Z3_mk_extract;
    concat(high: Ast, low: Ast) = Z3_mk_concat;
    zero_ext(by: u32, a: Ast) = Z3_mk_zero_ext;
    sign_ext(by: u32, a: Ast) = Z3_mk_sign_ext;
    nearest() = Z3_mk_fpa_rne;
    towards_zero() = Z3_mk_fpa_rtz;
    float_of_bits(bits: Ast, sort: Sort) = Z3_mk_fpa_to_fp_bv;
    float_of_float(round: Ast, a: Ast, sort: Sort) = Z3_mk_fpa_to_fp_float;
    float_of_signed(round: Ast, a: Ast, sort: Sort) = Z3_mk_fpa_to_fp_signed;
    float_of_unsigned(round: Ast, a: Ast, sort: Sort) = Z3_mk_fpa_to_fp_unsigned;
    float_bits(a: Ast) = Z3_mk_fpa_to_ieee_bv;
    float_to_signed(round: Ast, a: Ast, width: u32) = Z3_mk_fpa_to_sbv;
    float_add(round: Ast, a: Ast, b: Ast) = Z3_mk_fpa_add;
    float_sub(round: Ast, a: Ast, b: Ast) = Z3_mk_fpa_sub;
    float_mul(round: Ast, a: Ast, b: Ast) = Z3_mk_fpa_mul;
    float_div(round: Ast, a: Ast, b: Ast) = Z3_mk_fpa_div;
    float_eq(a: Ast, b: Ast) = Z3_mk_fpa_eq;
    float_lt(a: Ast, b: Ast) = Z3_mk_fpa_lt;
    float_le(a: Ast, b: Ast) = Z3_mk_fpa_leq;
    is_nan(a: Ast) = Z3_mk_fpa_is_nan;
}

impl Context {
    /// A new constant, unlike all others.
    pub fn fresh(&self, sort: Sort) -> Result<Ast> {
        // SAFETY: the name is copied.
        let made = unsafe { Z3_mk_fresh_const(self.raw, c"v".as_ptr(), sort.0) };
        self.keep("Z3_mk_fresh_const", made)
    }

    pub fn number(&self, value: u64, sort: Sort) -> Result<Ast> {
        // SAFETY: plain numbers.
        let made = unsafe { Z3_mk_unsigned_int64(self.raw, value, sort.0) };
        self.keep("Z3_mk_unsigned_int64", made)
    }

    pub fn and(&self, a: Ast, b: Ast) -> Result<Ast> {
        // SAFETY: two terms, as it says.
        let made = unsafe { Z3_mk_and(self.raw, 2, [a.0, b.0].as_ptr()) };
        self.keep("Z3_mk_and", made)
    }

    /// One of them holds.
    pub fn or(&self, args: &[Ast]) -> Result<Ast> {
        let raw: Vec<Z3_ast> = args.iter().map(|a| a.0).collect();
        // SAFETY: `raw` is as long as it says.
        let made = unsafe { Z3_mk_or(self.raw, raw.len() as c_uint, raw.as_ptr()) };
        self.keep("Z3_mk_or", made)
    }
}

/// Follows Z3's search. The terms that it hears of are those that were registered.
pub trait Propagator {
    fn push(&mut self);
    fn pop(&mut self, levels: usize);
    fn fixed(&mut self, search: &Search, term: Ast, value: bool) -> Result<()>;
    /// Everything has a value: the last chance to object.
    fn last(&mut self, search: &Search) -> Result<()>;
}

/// What a propagator may do to a search while it is called.
pub struct Search<'a> {
    pub context: &'a Context,
    raw: Z3_solver_callback,
}

impl Search<'_> {
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
pub enum Answer {
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
    hook: *mut Hook<P>, // from a box; ours, and Z3's during calls
}

impl<P: Propagator> Solver<P> {
    /// It takes `settings` before anything else.
    pub fn new(
        context: Rc<Context>,
        core: Core,
        settings: &Settings,
        propagator: P,
    ) -> Result<Solver<P>> {
        let c = context.raw;
        // SAFETY: the name is copied; the solver is ours by the reference that we take.
        let raw = unsafe {
            let raw = match core {
                Core::Smt => Z3_mk_simple_solver(c),
                Core::Sat => Z3_mk_string_symbol(c, c"QF_BV".as_ptr())
                    .and_then(|logic| Z3_mk_solver_for_logic(c, logic)),
            };
            let raw = raw.ok_or_else(|| nothing("Z3_mk_solver"))?;
            Z3_solver_inc_ref(c, raw);
            raw
        };
        let hook = Hook { context: context.clone(), solver: raw, propagator, failure: None };
        let mut solver = Solver { context, raw, hook: Box::into_raw(Box::new(hook)) };
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
        self.finish("Z3_solver_assert")
    }

    pub fn check(&mut self, assumptions: &[Ast]) -> Result<Answer> {
        const CALL: &str = "Z3_solver_check_assumptions";
        self.failed()?;
        let raw: Vec<Z3_ast> = assumptions.iter().map(|a| a.0).collect();
        let (c, s) = (self.context.raw, self.raw);
        // SAFETY: `raw` is as long as it says; solver and terms live.
        let answer =
            unsafe { Z3_solver_check_assumptions(c, s, raw.len() as c_uint, raw.as_ptr()) };
        self.failed()?;
        // SAFETY: the text is copied at once.
        let why = || unsafe { text(Z3_solver_get_reason_unknown(c, s)) };
        match answer {
            Z3_L_TRUE => self.context.checked(CALL).map(|()| Answer::Sat),
            Z3_L_FALSE => self.context.checked(CALL).map(|()| Answer::Unsat),
            // An interrupted search may leave an error code; the reason says it better.
            _ => Ok(Answer::Unknown(why())),
        }
    }

    /// Of the last `check`, which said `Sat`.
    pub fn model(&self) -> Result<Model> {
        // SAFETY: the model is ours by the reference that we take.
        unsafe {
            let raw = Z3_solver_get_model(self.context.raw, self.raw);
            self.context.checked("Z3_solver_get_model")?;
            let raw = raw.ok_or_else(|| nothing("Z3_solver_get_model"))?;
            Z3_model_inc_ref(self.context.raw, raw);
            Ok(Model { context: self.context.clone(), raw })
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

    pub fn propagator_mut(&mut self) -> &mut P {
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

/// An assignment.
pub struct Model {
    context: Rc<Context>,
    raw: Z3_model,
}

impl Model {
    /// The value of a term; what the model leaves open is 0.
    pub fn value(&self, term: Ast) -> Result<u64> {
        const CALL: &str = "Z3_model_eval";
        let c = self.context.raw;
        let mut value = term.0;
        // SAFETY: Z3 writes one term, and keeps it alive until we have taken hold of it.
        unsafe {
            let known = Z3_model_eval(c, self.raw, term.0, true, &mut value);
            self.context.checked(CALL)?;
            if !known {
                return Err(nothing(CALL));
            }
            Z3_inc_ref(c, value);
            let mut number = 0;
            let answer = match Z3_get_bool_value(c, value) {
                Z3_L_TRUE => Ok(1),
                Z3_L_FALSE => Ok(0),
                _ if Z3_get_numeral_uint64(c, value, &mut number) => Ok(number),
                _ => Err(nothing(CALL)),
            };
            Z3_dec_ref(c, value);
            answer
        }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: the reference was taken by `Solver::model`.
        unsafe { Z3_model_dec_ref(self.context.raw, self.raw) };
    }
}

fn nothing(call: &'static str) -> SolverError {
    SolverError::Call { call, what: "gave nothing".into() }
}

/// SAFETY: needs null or a C string.
unsafe fn text(s: *const c_char) -> String {
    if s.is_null() {
        return String::new();
    }
    // SAFETY: as said above.
    unsafe { CStr::from_ptr(s) }.to_string_lossy().into_owned()
}

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
        let value = unsafe { Z3_get_bool_value(context.raw, value) } == Z3_L_TRUE;
        propagator.fixed(&Search { context, raw }, Ast(term), value)
    });
}

unsafe extern "C" fn on_final<P: Propagator>(user: *mut c_void, raw: Z3_solver_callback) {
    // SAFETY: as above.
    let Some(hook) = (unsafe { hook::<P>(user) }) else { return };
    hook.guarded(|propagator, context| propagator.last(&Search { context, raw }));
}

/// Z3 would make a second solver (only its parallel mode does): it gets nobody to call.
unsafe extern "C" fn on_fresh(_: *mut c_void, _: Z3_context) -> *mut c_void {
    std::ptr::null_mut()
}
