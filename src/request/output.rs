//! What a check leaves behind: its text, files, and a run of the real program.

use std::path::PathBuf;
use std::time::SystemTime;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Output {
    /// The time that files are dated with.
    pub time: SystemTime,
    pub witnesses: Vec<PathBuf>,
    pub sarif: Option<PathBuf>,
    pub graphs: Vec<PathBuf>,
    pub replay: Option<Replay>,
}

#[derive(Clone, Debug)]
pub enum Replay {
    /// In a temporary folder.
    Run,
    Keep(PathBuf),
}

/// How much of a trace is printed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum)]
pub enum Style {
    /// What concerns several threads
    #[default]
    Compact,
    /// Every step
    Full,
    /// Nothing
    Off,
}
