//! The part of the option table about litmus tests.

use super::{Common, Input};
use crate::request::{Litmus, ModelChoice, Seconds};
use clap::Args;
use ir::types::Machine;
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "Exit codes: 0 every test has an answer, 2 a test or the model cannot be \
    read or is not supported, 7 a test reached its time limit, 1 usage.")]
pub struct LitmusArgs {
    /// Litmus tests, or folders with files *.litmus
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The memory model: sc, tso, pso, rc11, c11, imm, vmm, armv8, arm, power, riscv or lkmm; for
    /// messages udp or tcp [default: that of the test's architecture]
    #[arg(long, value_name = "M", conflicts_with = "cat")]
    mm: Option<String>,
    /// A memory model of your own, in the cat language
    #[arg(long, value_name = "F.cat")]
    cat: Option<PathBuf>,
    /// Say which axiom forbids an outcome, and by which cycle
    #[arg(long)]
    explain: bool,
    /// Write a page with the executions, and every set and relation of the model to switch on
    #[arg(long, value_name = "F.html")]
    graph: Option<PathBuf>,
    /// Count executions by who reads from whom only, not by the order of writes
    #[arg(long)]
    no_co: bool,
    /// Print one JSON document instead of herd7's words
    #[arg(long)]
    json: bool,
    /// How many tests to run at a time
    #[arg(short, long, value_name = "N", default_value = "1")]
    jobs: NonZeroUsize,
    /// Time for each test
    #[arg(long, value_name = "TIME")]
    timeout: Option<Seconds>,
    /// Tell on stderr what is going on; twice for more
    #[arg(short, long, action = clap::ArgAction::Count)]
    verbose: u8,
    /// No progress on the terminal
    #[arg(short, long)]
    quiet: bool,
}

pub(super) fn plan(args: LitmusArgs) -> (Common, Litmus) {
    let model = match (args.mm, args.cat) {
        (Some(name), _) => ModelChoice::Builtin(name),
        (None, Some(path)) => ModelChoice::File(path),
        (None, None) => ModelChoice::ByArchitecture,
    };
    let plan = Litmus {
        files: args.files,
        model,
        json: args.json,
        explain: args.explain,
        graph: args.graph,
        only_rf: args.no_co,
        jobs: args.jobs,
        timeout: args.timeout,
    };
    // No C program of our own.
    let input = Input::of(Vec::new(), Machine::Lp64);
    let (verbose, quiet) = (args.verbose, args.quiet || args.json);
    (Common { input, timeout: None, memlimit: None, verbose, quiet }, plan)
}
