//! Z3's functions, looked up in the shared library when the first context is made.
//!
//! Linked in the usual way, the library costs every run half a millisecond, and nothing works where
//! it is missing. Most runs never ask Z3. It is looked for relative to the program, so that a clone,
//! or an unpacked `bin` and `lib`, can move; then in the folder of the clone, for builds outside of it
//! and `cargo install`; then where the system keeps libraries.
//!
//! Invariant: a `Context` exists only after `load` was successful, and every other call needs one.

use super::Result;
use crate::SolverError;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::PathBuf;
use std::ptr::NonNull;
use std::sync::OnceLock;

/// What Z3 gives out; only Z3 looks inside.
macro_rules! handles {
    ($($name:ident)*) => {
        $(
            #[repr(transparent)]
            #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
            #[allow(non_camel_case_types)]
            pub struct $name(NonNull<c_void>);
        )*
    };
}

handles! {
    Z3_ast Z3_config Z3_context Z3_model Z3_params Z3_solver Z3_solver_callback Z3_sort Z3_stats
    Z3_symbol
}

/// 0 is none.
pub type ErrorCode = c_uint;
type Text = *const c_char;
type OnError = Option<unsafe extern "C" fn(Z3_context, ErrorCode)>;
type OnPush = Option<unsafe extern "C" fn(*mut c_void, Z3_solver_callback)>;
type OnPop = Option<unsafe extern "C" fn(*mut c_void, Z3_solver_callback, c_uint)>;
type OnFresh = Option<unsafe extern "C" fn(*mut c_void, Z3_context) -> *mut c_void>;
type OnFixed = Option<unsafe extern "C" fn(*mut c_void, Z3_solver_callback, Z3_ast, Z3_ast)>;
type OnFinal = Option<unsafe extern "C" fn(*mut c_void, Z3_solver_callback)>;

/// A truth value: these two, or unknown.
pub type Truth = c_int;
pub const TRUE: Truth = 1;
pub const FALSE: Truth = -1;

/// The version that is fetched, then any.
const FILES: [&str; 2] = ["libz3.so.5.4", "libz3.so"];

/// From the folder of the program.
const RELATIVE: [&str; 4] = [
    "../../third-party/z3/lib",    // target/release/obmc
    "../../../third-party/z3/lib", // target/release/deps/obmc-...
    "../lib",                      // bin/obmc beside lib/
    ".",                           // all in one folder
];

/// Where the clone was that this was built in.
const BUILT_IN: Option<&str> = option_env!("OBMC_Z3_FOLDER");

static FUNCTIONS: OnceLock<std::result::Result<Functions, String>> = OnceLock::new();

/// Needs to succeed before anything else of Z3 is called.
pub fn load() -> Result<()> {
    match FUNCTIONS.get_or_init(open) {
        Ok(_) => Ok(()),
        Err(what) => Err(SolverError::Call { call: "loading Z3", what: what.clone() }),
    }
}

fn open() -> std::result::Result<Functions, String> {
    let mut first = None;
    let system = FILES.map(PathBuf::from);
    for file in files_in(&folders()).into_iter().chain(system) {
        // SAFETY: Z3 has no initialiser that needs anything of ours.
        match unsafe { libloading::Library::new(&file) } {
            Ok(library) => return Functions::find(library),
            Err(error) => first = first.or(Some(reason(error))),
        }
    }
    Err(format!("{}; scripts/fetch-z3 brings it", first.unwrap_or_default()))
}

fn folders() -> Vec<PathBuf> {
    let program = std::env::current_exe().and_then(|program| program.canonicalize());
    let folder = program.ok().and_then(|program| Some(program.parent()?.to_path_buf()));
    let beside = folder.iter().flat_map(|folder| RELATIVE.map(|relative| folder.join(relative)));
    beside.chain(BUILT_IN.map(PathBuf::from)).collect()
}

fn files_in(folders: &[PathBuf]) -> Vec<PathBuf> {
    let files = folders.iter().flat_map(|folder| FILES.map(|file| folder.join(file)));
    files.filter(|file| file.exists()).collect()
}

/// The loader's own words, which stand behind libloading's.
fn reason(error: libloading::Error) -> String {
    let source = std::error::Error::source(&error).map(ToString::to_string);
    source.unwrap_or_else(|| error.to_string())
}

fn functions() -> &'static Functions {
    match FUNCTIONS.get() {
        Some(Ok(functions)) => functions,
        _ => unreachable!("a context was made without the library"),
    }
}

/// For each function: its address in a table, and a way to call it under its name.
macro_rules! functions {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $out:ty;)*) => {
        #[allow(non_snake_case)]
        struct Functions {
            $($name: unsafe extern "C" fn($($ty),*) -> $out,)*
        }

        impl Functions {
            fn find(library: libloading::Library) -> std::result::Result<Functions, String> {
                // Never closed: Z3 keeps memory of its own until the process ends.
                let library: &'static libloading::Library = Box::leak(Box::new(library));
                // SAFETY: the types are those of Z3's header, `z3_api.h`.
                unsafe {
                    Ok(Functions {
                        $($name: *library
                            .get(concat!(stringify!($name), "\0").as_bytes())
                            .map_err(|_| concat!("it has no ", stringify!($name), ", so it is too old"))?,)*
                    })
                }
            }
        }

        $(
            /// SAFETY: as Z3's documentation says of the function of this name.
            #[allow(non_snake_case, clippy::too_many_arguments)]
            pub unsafe fn $name($($arg: $ty),*) -> $out {
                // SAFETY: passed on to the caller.
                unsafe { (functions().$name)($($arg),*) }
            }
        )*
    };
}

functions! {
    Z3_dec_ref(a: Z3_context, b: Z3_ast) -> ();
    Z3_del_config(a: Z3_config) -> ();
    Z3_del_context(a: Z3_context) -> ();
    Z3_eval_smtlib2_string(a: Z3_context, b: Text) -> Text;
    Z3_get_bool_value(a: Z3_context, b: Z3_ast) -> Truth;
    Z3_get_error_code(a: Z3_context) -> ErrorCode;
    Z3_get_error_msg(a: Z3_context, b: ErrorCode) -> Text;
    Z3_get_numeral_uint64(a: Z3_context, b: Z3_ast, c: *mut u64) -> bool;
    Z3_get_version(a: *mut c_uint, b: *mut c_uint, c: *mut c_uint, d: *mut c_uint) -> ();
    Z3_inc_ref(a: Z3_context, b: Z3_ast) -> ();
    Z3_mk_and(a: Z3_context, b: c_uint, c: *const Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bool_sort(a: Z3_context) -> Option<Z3_sort>;
    Z3_mk_bv_sort(a: Z3_context, b: c_uint) -> Option<Z3_sort>;
    Z3_mk_bvadd(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvand(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvashr(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvlshr(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvmul(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvneg(a: Z3_context, b: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvnot(a: Z3_context, b: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvor(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvsdiv(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvshl(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvslt(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvsrem(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvsub(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvudiv(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvult(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvurem(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_bvxor(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_concat(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_config() -> Option<Z3_config>;
    Z3_mk_context_rc(a: Z3_config) -> Option<Z3_context>;
    Z3_mk_eq(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_extract(a: Z3_context, b: c_uint, c: c_uint, d: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_false(a: Z3_context) -> Option<Z3_ast>;
    Z3_mk_fpa_add(a: Z3_context, b: Z3_ast, c: Z3_ast, d: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_fpa_div(a: Z3_context, b: Z3_ast, c: Z3_ast, d: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_fpa_eq(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_fpa_is_nan(a: Z3_context, b: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_fpa_leq(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_fpa_lt(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_fpa_mul(a: Z3_context, b: Z3_ast, c: Z3_ast, d: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_fpa_rne(a: Z3_context) -> Option<Z3_ast>;
    Z3_mk_fpa_rtz(a: Z3_context) -> Option<Z3_ast>;
    Z3_mk_fpa_sort_32(a: Z3_context) -> Option<Z3_sort>;
    Z3_mk_fpa_sort_64(a: Z3_context) -> Option<Z3_sort>;
    Z3_mk_fpa_sub(a: Z3_context, b: Z3_ast, c: Z3_ast, d: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_fpa_to_fp_bv(a: Z3_context, b: Z3_ast, c: Z3_sort) -> Option<Z3_ast>;
    Z3_mk_fpa_to_fp_float(a: Z3_context, b: Z3_ast, c: Z3_ast, d: Z3_sort) -> Option<Z3_ast>;
    Z3_mk_fpa_to_fp_signed(a: Z3_context, b: Z3_ast, c: Z3_ast, d: Z3_sort) -> Option<Z3_ast>;
    Z3_mk_fpa_to_fp_unsigned(a: Z3_context, b: Z3_ast, c: Z3_ast, d: Z3_sort) -> Option<Z3_ast>;
    Z3_mk_fpa_to_ieee_bv(a: Z3_context, b: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_fpa_to_sbv(a: Z3_context, b: Z3_ast, c: Z3_ast, d: c_uint) -> Option<Z3_ast>;
    Z3_mk_fresh_const(a: Z3_context, b: Text, c: Z3_sort) -> Option<Z3_ast>;
    Z3_mk_implies(a: Z3_context, b: Z3_ast, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_ite(a: Z3_context, b: Z3_ast, c: Z3_ast, d: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_not(a: Z3_context, b: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_or(a: Z3_context, b: c_uint, c: *const Z3_ast) -> Option<Z3_ast>;
    Z3_mk_params(a: Z3_context) -> Option<Z3_params>;
    Z3_mk_sign_ext(a: Z3_context, b: c_uint, c: Z3_ast) -> Option<Z3_ast>;
    Z3_mk_simple_solver(a: Z3_context) -> Option<Z3_solver>;
    Z3_mk_solver_for_logic(a: Z3_context, b: Z3_symbol) -> Option<Z3_solver>;
    Z3_mk_string_symbol(a: Z3_context, b: Text) -> Option<Z3_symbol>;
    Z3_mk_true(a: Z3_context) -> Option<Z3_ast>;
    Z3_mk_unsigned_int64(a: Z3_context, b: u64, c: Z3_sort) -> Option<Z3_ast>;
    Z3_mk_zero_ext(a: Z3_context, b: c_uint, c: Z3_ast) -> Option<Z3_ast>;
    Z3_model_dec_ref(a: Z3_context, b: Z3_model) -> ();
    Z3_model_eval(a: Z3_context, b: Z3_model, c: Z3_ast, d: bool, e: *mut Z3_ast) -> bool;
    Z3_model_inc_ref(a: Z3_context, b: Z3_model) -> ();
    Z3_params_dec_ref(a: Z3_context, b: Z3_params) -> ();
    Z3_params_inc_ref(a: Z3_context, b: Z3_params) -> ();
    Z3_params_set_bool(a: Z3_context, b: Z3_params, c: Z3_symbol, d: bool) -> ();
    Z3_params_set_uint(a: Z3_context, b: Z3_params, c: Z3_symbol, d: c_uint) -> ();
    Z3_set_error_handler(a: Z3_context, b: OnError) -> ();
    Z3_solver_assert(a: Z3_context, b: Z3_solver, c: Z3_ast) -> ();
    Z3_solver_check_assumptions(a: Z3_context, b: Z3_solver, c: c_uint, d: *const Z3_ast) -> Truth;
    Z3_solver_dec_ref(a: Z3_context, b: Z3_solver) -> ();
    Z3_solver_get_model(a: Z3_context, b: Z3_solver) -> Option<Z3_model>;
    Z3_solver_get_reason_unknown(a: Z3_context, b: Z3_solver) -> Text;
    Z3_solver_get_statistics(a: Z3_context, b: Z3_solver) -> Option<Z3_stats>;
    Z3_solver_inc_ref(a: Z3_context, b: Z3_solver) -> ();
    Z3_solver_interrupt(a: Z3_context, b: Z3_solver) -> ();
    Z3_solver_propagate_consequence(a: Z3_context, b: Z3_solver_callback, c: c_uint, d: *const Z3_ast, e: c_uint, f: *const Z3_ast, g: *const Z3_ast, h: Z3_ast) -> bool;
    Z3_solver_propagate_final(a: Z3_context, b: Z3_solver, c: OnFinal) -> ();
    Z3_solver_propagate_fixed(a: Z3_context, b: Z3_solver, c: OnFixed) -> ();
    Z3_solver_propagate_init(a: Z3_context, b: Z3_solver, c: *mut c_void, d: OnPush, e: OnPop, f: OnFresh) -> ();
    Z3_solver_propagate_register(a: Z3_context, b: Z3_solver, c: Z3_ast) -> ();
    Z3_solver_propagate_register_cb(a: Z3_context, b: Z3_solver_callback, c: Z3_ast) -> ();
    Z3_solver_set_params(a: Z3_context, b: Z3_solver, c: Z3_params) -> ();
    Z3_sort_to_ast(a: Z3_context, b: Z3_sort) -> Option<Z3_ast>;
    Z3_stats_dec_ref(a: Z3_context, b: Z3_stats) -> ();
    Z3_stats_get_key(a: Z3_context, b: Z3_stats, c: c_uint) -> Text;
    Z3_stats_get_uint_value(a: Z3_context, b: Z3_stats, c: c_uint) -> c_uint;
    Z3_stats_inc_ref(a: Z3_context, b: Z3_stats) -> ();
    Z3_stats_is_uint(a: Z3_context, b: Z3_stats, c: c_uint) -> bool;
    Z3_stats_size(a: Z3_context, b: Z3_stats) -> c_uint;
}
