//! What writers and readers of witnesses share: the YAML format as types, and lines of input files.
//!
//! A violation witness leads to a violation step by step. Two formats are in use: GraphML 1.0
//! (`output/witness/graphml.rs` writes, `validate/graphml.rs` reads) and YAML 2.x (`format.rs`).
//!
//! - `invariants.rs`: invariants for correctness witnesses: what global variables can hold at any
//!   time
//! - `places.rs`: lines as witnesses count them: those of the input files

pub mod format;
pub mod invariants;
pub mod places;

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// SHA-256 in hexadecimal digits.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn hashes_are_those_of_sha256sum() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(super::hash(b""), empty);
    }
}
