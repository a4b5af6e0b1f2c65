//! A suite on more than one machine, by a queue that exists: HyperQueue or Slurm.
//!
//! The suite is cut into parts, and a part is `obmc bench` again, with `--part I/N` and the same output
//! folder, which all machines must see. Each part keeps a book of its own there; this process takes what
//! is new in them over into its book, again and again, until the queue is done. So a worker that is lost
//! costs the checks that it was at: the worker that takes its part over finds the rest in its book, and so does a
//! second run.
//!
//! - `hyperqueue.py`: hands a job to HyperQueue through its Python package, and waits

use super::book::{Book, PARTS};
use super::fail;
use crate::interrupt::Interrupt;
use crate::report::Failure;
use crate::request::{Plan, Queue};
use crate::supervise::Limit;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How often results are taken over.
const POLL: Duration = Duration::from_millis(500);
/// Parts at most: a queue is slower than a check that takes milliseconds.
const MOST: usize = 256;
/// Kibibytes that a part needs besides its check.
const ROOM: u64 = 64 << 10;
const HYPERQUEUE: &str = include_str!("hyperqueue.py");

/// Has all open tasks run; `tell` hears how many new results there are.
///
/// Needs: the number of all tasks, done or not: parts are cut by their place in the whole list.
pub fn run(
    queue: Queue,
    plan: &Plan,
    (tasks, mut open): (usize, u64),
    book: &mut Book,
    tell: impl Fn(u64),
) -> Result<(), Failure> {
    let parts = tasks.min(MOST);
    let mut job = QueuedJob::submit(queue, plan, parts)?;
    loop {
        let ended = job.has_ended();
        let new = book.take_over(&plan.out.join(PARTS))?;
        tell(new);
        open = open.saturating_sub(new);
        if ended? {
            return Ok(());
        }
        if open == 0 {
            // A queue may take its time to notice.
            job.cancel();
            return Ok(());
        }
        if Interrupt::by_signal().requested() {
            job.cancel();
            return Err(Failure::Limit(Limit::Interrupt));
        }
        std::thread::sleep(POLL);
    }
}

/// What a queue has been given.
enum QueuedJob {
    /// Who waits for it.
    HyperQueue(Child),
    /// Its number.
    Slurm(String),
}

impl QueuedJob {
    fn submit(queue: Queue, plan: &Plan, parts: usize) -> Result<QueuedJob, Failure> {
        let program = std::env::current_exe().map_err(|e| fail("obmc does not find itself", &e))?;
        let folder = std::env::current_dir().map_err(|e| fail("there is no folder here", &e))?;
        let words = words(&program, plan);
        match queue {
            Queue::HyperQueue => hyperqueue(&words, parts, &folder),
            Queue::Slurm => slurm(&words, parts, &folder, plan),
        }
    }

    fn has_ended(&mut self) -> Result<bool, Failure> {
        match self {
            QueuedJob::HyperQueue(waits) => {
                let ended = waits.try_wait().map_err(|e| fail("python3", &e))?;
                match ended.and_then(|status| status.code()) {
                    // Parts that failed are tasks without a result, which the summary counts.
                    Some(0 | 3) => Ok(true),
                    Some(_) => Err(fail("HyperQueue has not taken the job", &said(waits))),
                    None => Ok(ended.is_some()),
                }
            }
            // A job that is long gone is unknown, which is an error there.
            QueuedJob::Slurm(id) => Ok(ask("squeue", &["--noheader", "--jobs", id])
                .is_ok_and(|left| left.trim().is_empty())
                || ask("squeue", &["--noheader"]).is_ok_and(|all| !all.contains(&id[..]))),
        }
    }

    fn cancel(&mut self) {
        match self {
            QueuedJob::HyperQueue(waits) => _ = waits.kill(),
            QueuedJob::Slurm(id) => _ = ask("scancel", &[id]),
        }
    }
}

/// A part of this plan, without its number.
fn words(program: &Path, plan: &Plan) -> Vec<String> {
    let mut words = vec![program.display().to_string(), "bench".into()];
    words.extend(plan.lists.iter().map(|list| list.display().to_string()));
    let mut option = |name: &str, value: String| words.extend([name.to_string(), value]);
    plan.property.into_iter().for_each(|p| option("--property", p.into()));
    option("--filter", plan.filter.clone());
    option("--jobs", "1".into());
    option("--timeout", format!("{}ms", plan.timeout.0.as_millis()));
    plan.memlimit.into_iter().for_each(|b| option("--memlimit", format!("{}k", b.0 >> 10)));
    option("--out", plan.out.display().to_string());
    if !plan.words.is_empty() {
        words.push("--".into());
        words.extend(plan.words.iter().cloned());
    }
    words
}

fn hyperqueue(words: &[String], parts: usize, folder: &Path) -> Result<QueuedJob, Failure> {
    let asked = serde_json::json!({ "words": words, "parts": parts, "folder": folder });
    let wrong = |e: std::io::Error| fail("cannot run python3, which speaks to HyperQueue", &e);
    let mut command = Command::new("python3");
    command.args(["-c", HYPERQUEUE]).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut waits = command.stderr(Stdio::piped()).spawn().map_err(wrong)?;
    if let Some(mut stdin) = waits.stdin.take() {
        stdin.write_all(asked.to_string().as_bytes()).map_err(wrong)?;
    }
    Ok(QueuedJob::HyperQueue(waits))
}

/// The end of what it said on stderr.
fn said(child: &mut Child) -> String {
    let mut text = String::new();
    let _ = child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut text));
    text.trim().lines().last().unwrap_or("it said nothing").to_string()
}

fn slurm(words: &[String], parts: usize, folder: &Path, plan: &Plan) -> Result<QueuedJob, Failure> {
    let mut quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    quoted.insert(2, format!("--part \"$SLURM_ARRAY_TASK_ID/{parts}\""));
    let mut array = format!("--array=0-{}", parts - 1);
    if let Some(jobs) = plan.jobs_given {
        array += &format!("%{jobs}");
    }
    let chdir = format!("--chdir={}", folder.display());
    let wrap = format!("--wrap=exec {}", quoted.join(" "));
    let memory = plan.memlimit.map(|bytes| format!("--mem={}K", bytes.0 / 1024 + ROOM));
    let mut all = vec!["--parsable", "--requeue", "--job-name=obmc", "--output=/dev/null"];
    all.extend(["--cpus-per-task=1", &array, &chdir]);
    all.extend(memory.as_deref());
    all.extend(plan.submit.iter().map(String::as_str));
    all.push(&wrap);
    let answer = ask("sbatch", &all)?;
    // The number, and on some clusters a name behind a semicolon.
    let id = answer.trim().split(';').next().unwrap_or_default();
    Ok(QueuedJob::Slurm(id.to_string()))
}

/// For a POSIX shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// What a program of the queue answers.
fn ask(program: &str, words: &[&str]) -> Result<String, Failure> {
    let output = Command::new(program).args(words).stdin(Stdio::null()).output();
    let output = output.map_err(|e| fail(format!("cannot run {program}"), &e))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(fail(program, &String::from_utf8_lossy(&output.stderr).trim())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        for word in ["plain", "two words", "it's", "$HOME `x` \\", ""] {
            let echo = format!("printf %s {}", quoted(word));
            assert_eq!(ask("sh", &["-c", &echo]).ok().as_deref(), Some(word));
        }
    }
}
