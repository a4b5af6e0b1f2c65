//! Terms and who keeps them.

use super::library::*;
use super::{Result, first_line, nothing, text};
use crate::SolverError;
use std::cell::RefCell;
use std::ffi::{CString, c_uint};

/// The oldest Z3 that has what we call.
const OLDEST: (u32, u32) = (4, 13);

/// A term of one context, which keeps it alive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ast(pub(super) Z3_ast);

/// A sort of one context, which keeps it alive.
#[derive(Clone, Copy, Debug)]
pub struct Sort(Z3_sort);

/// Arguments as Z3 takes them.
trait RawArgument {
    type As;
    fn raw(self) -> Self::As;
}

impl RawArgument for Ast {
    type As = Z3_ast;
    fn raw(self) -> Z3_ast {
        self.0
    }
}

impl RawArgument for Sort {
    type As = Z3_sort;
    fn raw(self) -> Z3_sort {
        self.0
    }
}

impl RawArgument for u32 {
    type As = c_uint;
    fn raw(self) -> c_uint {
        self
    }
}

/// Makes terms.
pub struct Context {
    pub(super) raw: Z3_context,
    kept: RefCell<Vec<Z3_ast>>, // what we hold a reference to
}

impl Context {
    pub fn new() -> Result<Context> {
        load()?;
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

    /// What Z3 says to a script in SMT-LIB's language.
    pub fn script(&self, script: &str) -> Result<String> {
        const CALL: &str = "Z3_eval_smtlib2_string";
        let what = "a zero byte".to_owned();
        let script = CString::new(script).map_err(|_| SolverError::Call { call: CALL, what })?;
        // SAFETY: the script lives during the call; the answer is copied before the next one.
        let said = unsafe { text(Z3_eval_smtlib2_string(self.raw, script.as_ptr())) };
        self.checked(CALL).map(|()| said)
    }

    /// Did the last call succeed?
    pub(super) fn checked(&self, call: &'static str) -> Result<()> {
        // SAFETY: the context lives; the message is copied before the next call.
        unsafe {
            let code = Z3_get_error_code(self.raw);
            if code == 0 {
                return Ok(());
            }
            let what = first_line(&text(Z3_get_error_msg(self.raw, code)));
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
