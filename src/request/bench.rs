//! A suite of tasks to run.

use super::{Bytes, Seconds};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What was asked for.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Folders, programs, lists and task definitions.
    pub lists: Vec<PathBuf>,
    /// Only this property; else all, and `unreach-call` where a list names none.
    pub property: Option<&'static str>,
    /// What the name of a task must contain.
    pub filter: String,
    pub jobs: NonZeroUsize,
    pub timeout: Seconds,
    pub memlimit: Option<Bytes>,
    pub out: PathBuf,
    /// Forget what an earlier run has left in `out`.
    pub fresh: bool,
    /// For each check.
    pub words: Vec<String>,
}
