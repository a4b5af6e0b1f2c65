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
    /// Only if the user has said so.
    pub jobs_given: Option<NonZeroUsize>,
    pub timeout: Seconds,
    pub memlimit: Option<Bytes>,
    pub out: PathBuf,
    /// Forget what an earlier run has left in `out`.
    pub fresh: bool,
    /// For each check.
    pub words: Vec<String>,
    /// Who runs the parts of the suite; without, this process runs all of it.
    pub queue: Option<Queue>,
    /// For the queue, where it takes options.
    pub submit: Vec<String>,
    /// Only this part of the suite, for a queue.
    pub part: Option<Shard>,
}

/// Runs commands on other machines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Queue {
    HyperQueue,
    Slurm,
}

/// The tasks whose place in the list leaves this remainder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    pub index: usize,
    pub of: NonZeroUsize,
}

impl Shard {
    pub fn has(self, place: usize) -> bool {
        place % self.of == self.index
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers =
            text.split_once('/').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let part = numbers.map(|(index, of)| Shard { index, of });
        let inside = |part: &Shard| part.index < part.of.get();
        part.filter(inside).ok_or_else(|| format!("`{text}` is no I/N with I below N"))
    }
}
