//! What is explored, as the user wants it: plain data that every engine reads.

use super::MemoryModel;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Settings that change what is explored, not how long.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub model: MemoryModel,
    /// The model that `MemoryModel::Cat` stands for.
    pub weak: Option<Arc<solver::weak::Model>>,
    pub bounds: Bounds,
    pub malloc_may_fail: bool,
    pub undefined: Undefined,
    pub minimize: Minimize,
}

/// What becomes of an execution that does what C does not define, in a question about something else.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum)]
pub enum Undefined {
    /// How it goes on is undefined, so nothing is proven.
    #[default]
    Unknown,
    /// It ends there: SAFE is about the executions before, and says so.
    Ends,
    /// The same, but nothing is proven about reaching an error where the program itself leaves its objects.
    Outside,
}

impl Undefined {
    /// Does an execution end there?
    pub fn ends(self) -> bool {
        self != Undefined::Unknown
    }
}

/// Are counterexamples made small before they are shown?
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum)]
pub enum Minimize {
    #[default]
    On,
    Off,
}

/// Bounds of loops that the user gave.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// By the names of loops in the program to check.
    pub per_loop: FxHashMap<String, u32>,
    /// The bound for all other loops, if there is one.
    pub everywhere: Option<u32>,
    /// Loops of which two iterations stand for all (`analysis::wait_loop`), for engines that unroll.
    pub waits: FxHashSet<String>,
}

impl Bounds {
    /// Is an answer within bounds wanted?
    pub fn are_given(&self) -> bool {
        self.everywhere.is_some() || !self.per_loop.is_empty()
    }
}
