//! Any bytes: a syntax tree or an error with a place, no panic and no stack overflow.

#![no_main]

use frontend::stages::{Files, parse};
use frontend::stack::with_big_stack;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let result = with_big_stack(|| parse(input, "fuzz.c", &mut Files::default()).map(drop));
    if let Err(error) = result {
        assert!(error.span.line > 0 && !error.message.is_empty());
    }
});
