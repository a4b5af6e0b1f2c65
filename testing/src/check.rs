//! A check of the program `a.c`, and what its exit code says.

use std::path::Path;
use std::process::{Command, Stdio};

/// Does it hold? `None`: it is open, for one of the reasons with these exit codes. Panics at any other code, with
/// what was printed.
pub fn holds(check: &mut Command, folder: &Path, open: &[i32]) -> Option<bool> {
    let output = check.current_dir(folder).stdin(Stdio::null()).output().expect("obmc starts");
    match output.status.code() {
        Some(0) => Some(true),
        Some(10) => Some(false),
        Some(code) if open.contains(&code) => None,
        code => panic!("{check:?}: {code:?}\n{}", String::from_utf8_lossy(&output.stdout)),
    }
}

/// A number of the environment, or the usual one.
pub fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}
