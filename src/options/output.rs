//! The part of the option table about what a check leaves behind besides its text.

use super::usage;
use crate::output;
use crate::request::{Output, Replay};
use clap::Args;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

#[derive(Args, Debug)]
pub struct OutputArgs {
    /// Write a witness: .graphml is format 1.0, .yml is format 2; may be given twice
    #[arg(long, value_name = "FILE")]
    witness: Vec<PathBuf>,
    /// Write the results in SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Draw the execution: .html, .svg or .dot; may be given several times
    #[arg(long, value_name = "FILE")]
    graph: Vec<PathBuf>,
    /// Build the program with the system's compiler and run it along the same schedule
    #[arg(long)]
    replay: bool,
    /// The same, and keep all that is needed for it in DIR
    #[arg(long, value_name = "DIR")]
    replay_dir: Option<PathBuf>,
}

/// What was meant; refuses files whose ending says nothing.
pub fn output(args: OutputArgs) -> Result<Output, clap::Error> {
    let replay = match (args.replay, args.replay_dir) {
        (_, Some(dir)) => Some(Replay::Keep(dir)),
        (true, None) => Some(Replay::Run),
        (false, None) => None,
    };
    let time = time();
    let output =
        Output { time, witnesses: args.witness, sarif: args.sarif, graphs: args.graph, replay };
    output::accept(&output).map_err(usage)?;
    Ok(output)
}

/// Now, or what `SOURCE_DATE_EPOCH` says for files that are to be the same every time.
fn time() -> SystemTime {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let fixed = fixed.map(Duration::from_secs).and_then(|t| SystemTime::UNIX_EPOCH.checked_add(t));
    fixed.unwrap_or_else(SystemTime::now)
}
