//! The part of the option table about running a whole suite.

use super::{Common, Input, usage};
use crate::request::{Bytes, Plan, Queue, Seconds, Shard};
use crate::specification;
use clap::Args;
use ir::types::Machine;
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 no verdict is wrong, 10 a verdict is wrong, 6 a check broke, \
    7 interrupted, 1 usage, 2 tasks that cannot be read."
)]
pub struct BenchArgs {
    /// Folders, programs, lists (.json, or text with a path per line) or SV-COMP task definitions
    /// (.yml)
    #[arg(required = true, value_name = "TASKS")]
    tasks: Vec<PathBuf>,
    /// Only tasks about this property; also what to ask where a list names none [default: all;
    /// unreach-call]
    #[arg(long, value_name = "P")]
    property: Option<String>,
    /// Only tasks whose name contains TEXT
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    filter: String,
    /// How many to run at a time [default: the number of processors]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Time for each task
    #[arg(long, value_name = "TIME", default_value = "60s")]
    timeout: Seconds,
    /// Peak memory for each task
    #[arg(long, value_name = "SIZE")]
    memlimit: Option<Bytes>,
    /// Folder for results.jsonl, results.json and report.html; what is there is not run again
    #[arg(long, value_name = "DIR", default_value = "obmc-bench")]
    out: PathBuf,
    /// Forget what an earlier run has left in that folder
    #[arg(long)]
    fresh: bool,
    /// Who runs the tasks: this machine, or a queue whose machines share this folder: hyperqueue (by
    /// Python's package of that name, and the server that HQ_SERVER_DIR names) or slurm (by sbatch)
    #[arg(long, value_name = "WHERE", default_value = "here", value_parser = ["here", "hyperqueue", "slurm"])]
    on: String,
    /// An option for sbatch, like --submit=--partition=long; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    submit: Vec<String>,
    /// Only the tasks of one part of N, with a book of its own: what a queue runs
    #[arg(long, value_name = "I/N", hide = true)]
    part: Option<Shard>,
    /// Tell on stderr what is going on; twice for more
    #[arg(short, long, action = clap::ArgAction::Count)]
    verbose: u8,
    /// After --: options of obmc check for each task
    #[arg(last = true, value_name = "OPTION")]
    words: Vec<String>,
}

/// What was meant; refuses what `obmc check` would refuse.
pub(super) fn plan(args: BenchArgs) -> Result<(Common, Plan), clap::Error> {
    let property = args.property.map(|name| only(&name)).transpose().map_err(usage)?;
    let processors = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let probe = "obmc check x.c --property unreach-call --json --no-trace --timeout 1s";
    super::parse(probe.split(' ').chain(args.words.iter().map(String::as_str)).map(Into::into))?;
    let plan = Plan {
        lists: args.tasks.clone(),
        property,
        filter: args.filter,
        jobs: args.jobs.unwrap_or(processors),
        timeout: args.timeout,
        memlimit: args.memlimit,
        out: args.out,
        fresh: args.fresh,
        words: args.words,
        jobs_given: args.jobs,
        queue: queue(&args.on),
        submit: args.submit,
        part: args.part,
    };
    // No program of our own: the tasks' are for the children.
    let input = Input::of(args.tasks, Machine::Lp64);
    Ok((Common { input, timeout: None, memlimit: None, verbose: args.verbose, quiet: false }, plan))
}

fn queue(name: &str) -> Option<Queue> {
    match name {
        "hyperqueue" => Some(Queue::HyperQueue),
        "slurm" => Some(Queue::Slurm),
        _ => None,
    }
}

/// The property of that name.
fn only(name: &str) -> Result<&'static str, String> {
    match specification::parse(name)?.properties[..] {
        [property] => Ok(property.name()),
        _ => Err(format!("--property {name}: one property is wanted")),
    }
}
