//! The hash of a word (FNV-1a, a byte at a time, so that a scan computes it on its way). The build
//! script makes a table with it, the program looks up in it.

pub const START: u32 = 0x811c_9dc5;

pub fn step(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

pub fn hash(word: &[u8]) -> u32 {
    word.iter().fold(START, |hash, &b| step(hash, b))
}

/// Where to look first in a table of `slots` entries, a power of two.
pub fn slot(hash: u32, slots: usize) -> usize {
    (hash ^ (hash >> 15)) as usize & (slots - 1)
}
