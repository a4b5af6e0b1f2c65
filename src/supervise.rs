//! Time and memory, and how they are kept.
//!
//! The work runs in a thread of its own and hands its results to `supervise`, which looks at the
//! clock and at the process's resident memory every few milliseconds. Engines are expected to stop
//! by themselves at the deadline; if they do not (or the front-end is at work), the supervisor
//! returns without them, and the caller reports and ends the process. So there is one voice and no
//! race about who speaks last. An interruption (Ctrl-C) is one more such limit.
//!
//! What the surroundings allow (`ulimit -v`) is address space, and a failed allocation ends the
//! process without a word: so that limit is held against all that is mapped, resident or not.
//!
//! A panic in the work ends its thread; the supervisor returns it as a value.

use crate::interrupt::Interrupt;
use crate::request::{Bytes, Seconds};
use rustix::process::{Resource, getrlimit};
use std::io::Read;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How long after the deadline an engine may still speak.
const GRACE: Duration = Duration::from_millis(500);
const POLL: Duration = Duration::from_millis(25);
/// Panics may print whole programs.
const LONGEST_WORDS: usize = 200;
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Time,
    Memory,
    /// The user's time limit.
    Interrupt,
}

/// Why the work did not come to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    Limit(Limit),
    Panic(String),
}

/// The limits of one run, from its start.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub started: Instant,
    pub time: Option<Seconds>,
    /// Of resident memory.
    pub memory: Option<Bytes>,
    /// Of all that is mapped, reserved stacks included.
    pub address_space: Option<Bytes>,
    pub interrupt: Interrupt,
}

impl Budget {
    pub fn start(time: Option<Seconds>, memory: Option<Bytes>) -> Budget {
        let interrupt = Interrupt::by_signal();
        Budget { started: Instant::now(), time, memory, address_space: None, interrupt }
    }

    /// The same, within what the surroundings allow.
    pub fn within(self, address_space: Option<Bytes>) -> Budget {
        if let Some(bytes) = address_space {
            frontend::stack::limit_address_space(bytes.0);
        }
        Budget { memory: self.memory.or(address_space), address_space, ..self }
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.time.and_then(|t| self.started.checked_add(t.0))
    }

    fn exceeded(&self) -> Option<Limit> {
        if self.interrupt.requested() {
            return Some(Limit::Interrupt);
        }
        if self.deadline().is_some_and(|d| Instant::now() > d + GRACE) {
            return Some(Limit::Time);
        }
        let above = |used: fn() -> Option<u64>, limit: Option<Bytes>| {
            limit.is_some_and(|limit| used().is_some_and(|used| used > limit.0))
        };
        let memory = above(resident_memory, self.memory);
        (memory || above(mapped_memory, self.address_space)).then_some(Limit::Memory)
    }
}

/// Runs `work` until it ends or a limit is exceeded; `take` receives what it sends, in order.
pub fn supervise<T: Send + 'static>(
    budget: &Budget,
    work: impl FnOnce(Sender<T>) + Send + 'static,
    mut take: impl FnMut(T),
) -> Result<(), Stopped> {
    let (sender, receiver) = channel();
    // Parsers and interpreters of deep C recurse.
    let worker = match frontend::stack::spawn("work", move || work(sender)) {
        Ok(worker) => worker,
        Err(e) => return Err(Stopped::Panic(format!("cannot start a thread: {e}"))),
    };
    listen(budget, &receiver, &mut take)?;
    worker.join().map_err(|payload| Stopped::Panic(last_words(&*payload)))
}

/// Returns once the other side has hung up.
fn listen<T>(
    budget: &Budget,
    receiver: &Receiver<T>,
    take: &mut impl FnMut(T),
) -> Result<(), Stopped> {
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(item) => take(item),
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {
                if let Some(limit) = budget.exceeded() {
                    return Err(Stopped::Limit(limit));
                }
            }
        }
    }
}

/// How a panic's message starts, without its place (which `main` logs).
fn last_words(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| s.to_string());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    text.chars().take(LONGEST_WORDS).collect()
}

/// Peak resident memory of this process, where the system tells.
pub fn peak_memory() -> Option<u64> {
    memory("VmHWM:")
}

/// What this process has in memory now, where the system tells.
pub fn resident_memory() -> Option<u64> {
    memory("VmRSS:")
}

/// All that is mapped now, where the system tells.
fn mapped_memory() -> Option<u64> {
    memory("VmSize:")
}

/// A row of `/proc/self/status`, in bytes.
fn memory(row: &str) -> Option<u64> {
    // The kernel writes it at once; a reader that does not know how long it is would ask eight times.
    let mut status = [0; 8192];
    let length = std::fs::File::open("/proc/self/status").ok()?.read(&mut status).ok()?;
    let status = String::from_utf8_lossy(&status[..length]);
    let line = status.lines().find_map(|l| l.strip_prefix(row))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Most of what the surroundings allow (`ulimit -v`), so that we speak before an allocation fails.
pub fn inherited_address_space() -> Option<Bytes> {
    getrlimit(Resource::As).current.map(|soft| Bytes(soft / 8 * 7))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_arrive_in_order() {
        let mut got = Vec::new();
        let budget = Budget::start(None, None);
        let work = |out: Sender<i32>| (0..3).for_each(|i| out.send(i).expect("listening"));
        assert_eq!(supervise(&budget, work, |i| got.push(i)), Ok(()));
        assert_eq!(got, [0, 1, 2]);
    }

    #[test]
    fn an_overrun_ends_the_wait() {
        let budget = Budget::start(Some(Seconds(Duration::from_millis(1))), None);
        let work = |_out: Sender<()>| std::thread::sleep(Duration::from_secs(60));
        let got = supervise(&budget, work, |()| ());
        assert_eq!(got, Err(Stopped::Limit(Limit::Time)));
        assert!(budget.started.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn too_much_memory_ends_the_wait() {
        let budget = Budget::start(None, Some(Bytes(1)));
        let work = |_out: Sender<()>| std::thread::sleep(Duration::from_secs(60));
        assert_eq!(supervise(&budget, work, |()| ()), Err(Stopped::Limit(Limit::Memory)));
    }

    #[test]
    fn too_much_address_space_ends_the_wait() {
        let resident = Some(Bytes(u64::MAX));
        let budget = Budget { address_space: Some(Bytes(1)), ..Budget::start(None, resident) };
        let work = |_out: Sender<()>| std::thread::sleep(Duration::from_secs(60));
        assert_eq!(supervise(&budget, work, |()| ()), Err(Stopped::Limit(Limit::Memory)));
    }

    #[test]
    fn an_interruption_ends_the_wait() {
        let budget = Budget { interrupt: Interrupt::already(), ..Budget::start(None, None) };
        let mut got = Vec::new();
        let work = |out: Sender<i32>| {
            out.send(1).expect("listening");
            std::thread::sleep(Duration::from_secs(60));
        };
        let ended = supervise(&budget, work, |i| got.push(i));
        assert_eq!((ended, got), (Err(Stopped::Limit(Limit::Interrupt)), vec![1]));
    }

    #[test]
    fn a_panic_is_a_value() {
        let work = |_out: Sender<()>| panic!("on purpose: {}", 1);
        let got = supervise(&Budget::start(None, None), work, |()| ());
        assert_eq!(got, Err(Stopped::Panic("on purpose: 1".into())));
    }

    #[test]
    fn peak_memory_is_known_on_linux() {
        assert!(peak_memory().is_some_and(|b| b > 1 << 20));
    }
}
