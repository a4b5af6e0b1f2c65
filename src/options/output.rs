//! The part of the option table about what a check leaves behind besides its text.

use super::usage;
use crate::output::{self, Output, Replay};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct OutputArgs {
    /// Write a witness: .graphml is format 1.0, .yml is format 2; may be given twice
    #[arg(long, value_name = "FILE", hide = true)]
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
    let output = Output { witnesses: args.witness, sarif: args.sarif, graphs: args.graph, replay };
    output::accept(&output).map_err(usage)?;
    Ok(output)
}
