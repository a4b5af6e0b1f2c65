//! The shortest script that still fails: take away ever smaller pieces (Zeller, Hildebrandt: delta
//! debugging, 2002). Any subsequence of a script is a script, so nothing has to be repaired.

use super::replay::replay;
use super::script::Script;
use crate::Config;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does the replay find a fault? A broken invariant inside the theory counts.
pub fn fails(script: &Script, config: Config) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(|| replay(script, config))) {
        Ok(Ok(_)) => None,
        Ok(Err(error)) => Some(error),
        Err(_) => Some("panicked".into()),
    }
}

/// Removes lines as long as `bad` holds.
pub fn shrink(script: &Script, bad: impl Fn(&Script) -> bool) -> Script {
    let mut best = script.clone();
    let mut size = best.0.len().max(1);
    loop {
        let mut at = 0;
        let mut removed = false;
        while at < best.0.len() {
            let mut fewer = best.clone();
            fewer.0.drain(at..(at + size).min(best.0.len()));
            if bad(&fewer) {
                best = fewer;
                removed = true;
            } else {
                at += size;
            }
        }
        if size == 1 && !removed {
            return best;
        }
        size = (size / 2).max(1);
    }
}
