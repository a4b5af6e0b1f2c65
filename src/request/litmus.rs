//! Litmus tests to run.

use super::Seconds;
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct Litmus {
    /// Tests, and folders with tests.
    pub files: Vec<PathBuf>,
    pub model: ModelChoice,
    pub json: bool,
    /// Why a forbidden outcome is forbidden.
    pub explain: bool,
    /// A page with the executions.
    pub graph: Option<PathBuf>,
    /// Executions that differ in coherence only count as one.
    pub only_rf: bool,
    pub jobs: NonZeroUsize,
    /// For each test.
    pub timeout: Option<Seconds>,
}

#[derive(Clone, Debug)]
pub enum ModelChoice {
    /// The model of the test's architecture.
    ByArchitecture,
    Builtin(String),
    File(PathBuf),
}
