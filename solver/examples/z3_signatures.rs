//! Holds our table of Z3's functions against z3-sys: what differs does not compile.
//!
//! z3-sys would link Z3 into every program that names it, and ours is loaded when it is needed. So this
//! is a library that is compiled with the tests and never linked.

use std::ffi::{c_char, c_int, c_uint, c_void};
use z3_sys::*;

macro_rules! functions {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $out:ty;)*) => {
        /// Each function has the type that our table gives it.
        pub fn agree() {
            $(let _: unsafe extern "C" fn($($ty),*) -> $out = z3_sys::$name;)*
        }
    };
}

include!("../src/z3/ffi/functions.in");

/// An error code is a number to us.
const _: () = assert!(size_of::<ErrorCode>() == size_of::<c_uint>());
/// Handles are pointers to us.
const _: () = assert!(size_of::<Option<Z3_ast>>() == size_of::<*mut c_void>());
