//! Ctrl-C and SIGTERM: a wish to stop, noticed by whoever waits.
//!
//! A signal only sets a flag. The supervisor (`limits.rs`) and those who wait for other programs look
//! at it every few milliseconds, and then one voice reports what is known, as after any other limit.
//! A second signal ends the process at once, should the report itself take long.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// Of a process that did not get to its report; the same as for any other limit.
const EXIT: i32 = 7;

static BY_SIGNAL: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// A flag that is raised at most once.
#[derive(Clone, Copy, Debug)]
pub struct Interrupt(&'static AtomicBool);

impl Interrupt {
    /// The one that signals raise, if `listen` was called.
    pub fn by_signal() -> Interrupt {
        Interrupt(&BY_SIGNAL)
    }

    pub fn requested(self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    #[cfg(test)]
    pub fn already() -> Interrupt {
        static RAISED: AtomicBool = AtomicBool::new(true);
        Interrupt(&RAISED)
    }
}

/// From now on signals raise the flag. Where the system does not allow that they end the process.
pub fn listen() {
    for signal in [SIGINT, SIGTERM] {
        // The order matters: the flag of the first signal makes the second one final.
        let last = flag::register_conditional_shutdown(signal, EXIT, BY_SIGNAL.clone());
        let first = last.and_then(|_| flag::register(signal, BY_SIGNAL.clone()));
        if let Err(error) = first {
            log::warn!("signal {signal} cannot be watched: {error}");
        }
    }
}
