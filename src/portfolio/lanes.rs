//! Engines at the same time: the members of a policy are dealt to lanes, each lane is a thread that
//! asks its members in turns. The first that has the answer stops the others.
//!
//! Invariant: what a member may hear before its turn (`News`) it hears as in a single lane. A member
//! that comes after the first turns of the others waits for them in all lanes.

use super::Portfolio;
use super::policy::{Member, News, Turns};
use super::ranking::{better, conclusive, is_better, is_undefined};
use super::turns::in_turns;
use crate::contract::{Answer, Limits, Query, Reason, Verdict};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What lanes tell each other.
#[derive(Debug)]
pub struct Shared {
    /// The best answer so far.
    best: Mutex<Option<Answer>>,
    /// Lanes whose members have not all had their first turn.
    waiting: AtomicUsize,
    started: Instant,
    /// In no lane the first turns take longer.
    first: Duration,
}

impl Shared {
    /// For a single lane: what comes once comes in the order of the list.
    pub fn alone() -> Shared {
        Shared::of(&[])
    }

    fn of(lanes: &[Vec<&Member>]) -> Shared {
        Shared {
            best: Mutex::default(),
            waiting: AtomicUsize::new(lanes.len()),
            started: Instant::now(),
            first: lanes.iter().map(|lane| first_turns(lane)).max().unwrap_or_default(),
        }
    }

    /// An answer that counts; those of all lanes are ranked as they come.
    pub fn hear(&self, answer: &Answer) {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if best.as_ref().is_none_or(|best| is_better(answer, best)) {
            *best = Some(answer.clone());
        }
    }

    pub fn has_heard(&self, news: News) -> bool {
        let best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        news == News::InvalidAccess && best.as_ref().is_some_and(is_undefined)
    }

    /// In the lane of who calls.
    pub fn first_turns_are_over(&self) {
        let _ =
            self.waiting.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
    }

    /// Have all members had their first turn, or as much time as it would be?
    pub fn had_first_turns(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) == 0 || self.started.elapsed() >= self.first
    }
}

/// The first turns of a lane take so long together.
fn first_turns(lane: &[&Member]) -> Duration {
    let first = |member: &&Member| match member.turns {
        Turns::Growing { first, .. } => first,
        Turns::Once => Duration::ZERO,
    };
    lane.iter().map(first).sum()
}

/// Needs: no more lanes than members.
pub fn in_parallel(
    portfolio: &Portfolio,
    members: &[&Member],
    query: Query<'_>,
    lanes: usize,
) -> Verdict {
    let dealt: Vec<Vec<&Member>> = (0..lanes)
        .map(|lane| members.iter().skip(lane).step_by(lanes).copied().collect())
        .collect();
    let shared = Shared::of(&dealt);
    let stop = Arc::new(AtomicBool::new(false));
    let limits = Limits { stop: stop.clone(), ..query.limits.clone() };
    let query = Query { limits: &limits, ..query };
    let mut best: Option<Verdict> = None;
    std::thread::scope(|scope| {
        let (sender, verdicts) = channel();
        for lane in &dealt {
            let (sender, shared) = (sender.clone(), &shared);
            let work = move || {
                let verdict = in_turns(portfolio, lane, query, shared);
                let _ = sender.send(verdict);
            };
            scope.spawn(move || frontend::stack::with_big_stack(work));
        }
        drop(sender);
        for verdict in verdicts {
            if conclusive(&verdict.answer) {
                stop.store(true, Ordering::Relaxed);
            }
            best = Some(better(best.take(), verdict));
        }
    });
    best.unwrap_or_else(|| Verdict::new(query.property, Answer::Unknown(Reason::Time)))
}
