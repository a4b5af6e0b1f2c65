//! One task: a child process with limits, and what it said and used.
//!
//! The child keeps its own limits and reports them. Should it overrun them all the same, it is
//! killed. CPU time and memory are what the kernel counted for it when it ended.

use super::row::{ResultClass, ResultRow};
use super::tasks::BenchTask;
use super::{Plan, fail};
use crate::interrupt::Interrupt;
use crate::report::Failure;
use crate::supervise::Limit;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use wait4::{ResUse, Wait4};

/// How long after its time limit a check may still come to its end.
const GRACE: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(25);

/// The words after `obmc`.
pub fn words(task: &BenchTask, plan: &Plan) -> Vec<String> {
    let mut words = vec!["check".to_string()];
    words.extend(task.files.iter().map(|f| f.display().to_string()));
    words.extend(["--property", task.property, "--json", "--no-trace"].map(String::from));
    words.extend(["--timeout".into(), format!("{}ms", plan.timeout.0.as_millis())]);
    let memory = plan.memlimit.map(|b| format!("{}k", b.0 >> 10));
    words.extend(memory.into_iter().flat_map(|m| ["--memlimit".into(), m]));
    let given = || task.options.iter().chain(&plan.words);
    let model = |word: &String| word.starts_with("--mm") || word.starts_with("--cat");
    if !given().any(model) {
        words.extend(["--mm", "sc"].map(String::from)); // what labels are about
    }
    words.extend(given().cloned());
    words
}

pub fn run(
    program: &Path,
    task: &BenchTask,
    words: &[String],
    plan: &Plan,
) -> Result<ResultRow, Failure> {
    if Interrupt::by_signal().requested() {
        return Err(Failure::Limit(Limit::Interrupt));
    }
    let wrong = |e: std::io::Error| fail(format!("cannot run {}", program.display()), &e);
    let mut said = tempfile::tempfile().map_err(wrong)?;
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).stderr(Stdio::null());
    command.stdout(said.try_clone().map_err(wrong)?);
    let started = Instant::now();
    let mut child = command.spawn().map_err(wrong)?;
    let pid = Pid::from_child(&child);
    let (sender, ended) = channel();
    std::thread::spawn(move || sender.send(child.wait4()));
    let used = wait(&ended, pid, started + plan.timeout.0 + GRACE).map_err(wrong)?;
    let wall = started.elapsed();
    let mut text = String::new();
    let _ = said.rewind().and_then(|()| said.read_to_string(&mut text));
    let verdict = verdict(&text, &used);
    // What it said may be due to that; on a terminal it hears of Ctrl-C when we do.
    if Interrupt::by_signal().requested() || verdict == "unknown (interrupted)" {
        return Err(Failure::Limit(Limit::Interrupt));
    }
    let row = ResultRow {
        name: task.name.clone(),
        files: task.files.clone(),
        property: task.property.into(),
        command: words.into(),
        wanted: Vec::new(),
        verdict,
        class: ResultClass::Unknown,
        exit_code: used.status.code(),
        cpu_seconds: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        wall_seconds: wall.as_secs_f64(),
        peak_memory_bytes: used.rusage.maxrss,
    };
    Ok(row.judged(&task.name, &task.wanted))
}

/// Until the child has ended; late or after an interruption it is killed.
fn wait(
    ended: &Receiver<std::io::Result<ResUse>>,
    pid: Pid,
    deadline: Instant,
) -> std::io::Result<ResUse> {
    loop {
        match ended.recv_timeout(POLL) {
            Ok(used) => return used,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(std::io::Error::other("no job waits for it"));
            }
            Err(RecvTimeoutError::Timeout) => {
                if Interrupt::by_signal().requested() || Instant::now() > deadline {
                    let _ = kill_process(pid, Signal::KILL);
                }
            }
        }
    }
}

/// From the document that the child printed, or how it ended without one.
fn verdict(text: &str, used: &ResUse) -> String {
    let document = serde_json::from_str::<serde_json::Value>(text).ok();
    match document.as_ref().and_then(|d| d["verdict"].as_str()) {
        Some(verdict) => verdict.into(),
        None => match used.status.code() {
            Some(1) => "unknown (usage error)".into(),
            _ => format!("no verdict ({})", used.status),
        },
    }
}
