//! Ctrl-C and SIGTERM: a wish to stop, noticed by the code that waits.
//!
//! A signal only sets a flag. The supervisor (`limits.rs`) and those who wait for other programs look
//! at it every few milliseconds, and then one voice reports what is known, as after any other limit.
//! A second signal changes nothing: `timeout` and some shells send each one twice, to the process and
//! to its group.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

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
        if let Err(error) = signal_hook::flag::register(signal, BY_SIGNAL.clone()) {
            log::warn!("signal {signal} cannot be watched: {error}");
        }
    }
}
