//! One line on the terminal that says what is going on, and leaves no trace.
//!
//! A thread of its own looks at the board a few times a second. It shows nothing in the first half of
//! a second, and nothing at all if stdout or stderr is not a terminal. Dropping the line takes it
//! off the terminal before anything else is written there, also on the way out of an error.

use crate::contract::Progress;
use crate::request::Bytes;
use crate::supervise::resident_memory;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Shorter runs need no words.
const DELAY: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(100);

/// Shows a board as long as it lives.
pub struct ProgressLine(Option<(Sender<()>, JoinHandle<()>)>);

impl ProgressLine {
    /// For a run that has just begun. No line if the user does not want one or could not see it.
    pub fn start(progress: &Progress, wanted: bool) -> ProgressLine {
        if !wanted || !std::io::stderr().is_terminal() || !std::io::stdout().is_terminal() {
            return ProgressLine(None);
        }
        let (end, ended) = channel();
        let progress = progress.clone();
        let thread = std::thread::Builder::new().name("progress".into());
        ProgressLine(thread.spawn(move || show(&progress, &ended)).ok().map(|thread| (end, thread)))
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.0.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}

fn show(progress: &Progress, ended: &Receiver<()>) {
    if ended.recv_timeout(DELAY) != Err(RecvTimeoutError::Timeout) {
        return;
    }
    let bar = ProgressBar::new_spinner().with_elapsed(DELAY);
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()).tick_chars("|/-\\ "));
    loop {
        bar.set_message(words(progress));
        bar.tick();
        if ended.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout) {
            break;
        }
    }
    bar.finish_and_clear();
}

fn words(progress: &Progress) -> String {
    let memory = resident_memory().map(|bytes| format!(", {}", Bytes(bytes >> 20 << 20)));
    progress.words() + &memory.unwrap_or_default()
}
