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
pub(crate) const TRUE: Truth = 1;
pub(crate) const FALSE: Truth = -1;

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
                // SAFETY: the types are those of Z3's header: see `functions.in`.
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

include!("functions.in");
