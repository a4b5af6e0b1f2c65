//! Engines in turns, in one thread: each turn longer than the one before, until one has the answer.
//!
//! Invariant: an engine that has said all it can is not asked again, and the last one that is left gets
//! all the time. Cost: with turns that grow fivefold, those before the last are a quarter of it.

use super::lanes::Shared;
use super::policy::{Member, News, Turns};
use super::ranking::{better, ran_out, settled};
use super::table::Says;
use super::{Portfolio, ranking};
use crate::contract::{Answer, Limits, Query, Reason, Verdict};
use std::time::Duration;

/// With less time left, a turn gets all of it.
const LAST: Duration = Duration::from_secs(1);

/// While other lanes have their first turns.
const POLL: Duration = Duration::from_millis(2);

/// A member that may still say something.
struct Open<'m> {
    member: &'m Member,
    /// Of its next turn.
    length: Duration,
}

pub fn in_turns(
    portfolio: &Portfolio,
    members: &[&Member],
    query: Query<'_>,
    shared: &Shared,
) -> Verdict {
    let mut open: Vec<Open<'_>> = members.iter().map(|member| Open::new(member)).collect();
    let mut first_turns = open.iter().filter(|open| !open.member.is_once()).count();
    if first_turns == 0 {
        shared.first_turns_are_over();
    }
    let mut best: Option<Verdict> = None;
    let mut at = 0;
    while !open.is_empty() && !query.limits.exceeded() {
        at %= open.len();
        let member = open[at].member;
        if member.is_once() && !shared.had_first_turns() {
            if open.len() == 1 {
                std::thread::sleep(POLL);
            }
            at += 1;
            continue;
        }
        if member.unless.iter().any(|news| shared.has_heard(*news)) {
            open.remove(at);
            continue;
        }
        let limits = open[at].slice(open.len() == 1, query.limits);
        let verdict = portfolio.ask(member.engine, Query { limits: &limits, ..query });
        if ranking::is_undefined(&verdict.answer) {
            shared.tell(News::InvalidAccess);
        }
        let goes_on = open[at].takes_another_turn(&verdict.answer);
        if counts(portfolio, member, &verdict) {
            best = Some(better(best, verdict));
        }
        if best.as_ref().is_some_and(|best| settled(&best.answer)) {
            break;
        }
        match goes_on {
            true => at += 1,
            false => _ = open.remove(at),
        }
        if !member.is_once() && first_turns > 0 {
            first_turns -= 1;
            if first_turns == 0 {
                shared.first_turns_are_over();
            }
        }
    }
    best.unwrap_or_else(|| Verdict::new(query.property, Answer::Unknown(Reason::Time)))
}

impl<'m> Open<'m> {
    fn new(member: &'m Member) -> Open<'m> {
        let length = match member.turns {
            Turns::Growing { first, .. } => first,
            Turns::Once => Duration::MAX,
        };
        Open { member, length }
    }

    /// The limits of its next turn.
    fn slice(&self, alone: bool, limits: &Limits) -> Limits {
        match limits.left() {
            _ if alone || self.member.is_once() => limits.clone(),
            left => limits.shortened(share(self.length, left)),
        }
    }

    fn takes_another_turn(&mut self, answer: &Answer) -> bool {
        let Turns::Growing { factor, .. } = self.member.turns else { return false };
        self.length *= factor;
        ran_out(answer)
    }
}

/// A turn of this length, but half of what is left must remain for the others.
fn share(length: Duration, left: Option<Duration>) -> Duration {
    match left {
        None => length,
        Some(left) if left < LAST => left,
        Some(left) => length.min(left / 2),
    }
}

/// Who only proves says nothing by anything else; and a proof that assumes something does not count
/// where nothing may be assumed.
fn counts(portfolio: &Portfolio, member: &Member, verdict: &Verdict) -> bool {
    let good = verdict.assumptions.is_empty() || !portfolio.strict;
    member.engine.says == Says::Anything || (good && matches!(verdict.answer, Answer::Safe))
}
