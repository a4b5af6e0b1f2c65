//! Any bytes: no panic, and offsets of the output map monotonically into the input.

#![no_main]

use frontend::stages::{Files, normalise};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Ok(normalised) = normalise(input, "fuzz.c", &mut Files::default()) else { return };
    let mut last = 0;
    for offset in 0..=normalised.text.len() {
        let from = normalised.map.input_offset(offset);
        assert!(last <= from && from <= input.len());
        last = from;
    }
});
