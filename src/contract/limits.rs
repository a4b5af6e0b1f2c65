//! How far an engine may go, and when it must stop.
//!
//! An engine looks at its limits every few thousand steps. It stops at the deadline, or when its permit
//! is revoked since another engine of the portfolio has answered. It pauses where the portfolio wants
//! it, and then its clock stands still.

use super::progress::Progress;
use solver::Permit;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How far an engine may go.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The instant after which to give up, by the permit's clock.
    pub deadline: Option<Instant>,
    /// Peak memory in bytes that the engine may use for its own tables.
    pub memory: Option<u64>,
    /// Where to say how far it is.
    pub progress: Progress,
    /// To work on; withdrawn when the answer is not needed any more.
    pub permit: Arc<Permit>,
}

impl Limits {
    /// The same, with at most this much time from now on.
    pub fn shortened(&self, time: Duration) -> Limits {
        let end = self.permit.now() + time;
        Limits { deadline: Some(self.deadline.map_or(end, |d| d.min(end))), ..self.clone() }
    }

    /// The time that is left, if there is a deadline.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(self.permit.now()))
    }

    /// Is it time to stop?
    pub fn exceeded(&self) -> bool {
        self.permit.revoked() || self.left() == Some(Duration::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_or_a_stop_ends_the_work() {
        let limits = Limits::default();
        assert!(!limits.exceeded());
        assert!(limits.shortened(Duration::ZERO).exceeded());
        limits.clone().permit.revoke();
        assert!(limits.exceeded());
    }
}
