//! Engines in turns, in one thread: each turn longer than the one before, until one has the answer.
//!
//! Invariant: an engine that has said all it can is not asked again, and the last one that is left gets
//! all the time. Cost: with turns that grow fivefold, those before the last are a quarter of it.

use super::Portfolio;
use super::lanes::Shared;
use super::policy::{Member, Turns};
use super::ranking::{better, conclusive, ran_out};
use super::table::Says;
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

/// Asks members in turns until one has the answer, or none has more to say.
pub fn in_turns(
    portfolio: &Portfolio,
    members: &[&Member],
    query: Query<'_>,
    shared: &Shared,
) -> Verdict {
    let mut lane = Lane::new(portfolio, members, query, shared);
    while !lane.open.is_empty() && !query.limits.exceeded() && !lane.has_answer() {
        lane.next();
    }
    let late = || Verdict::new(query.property, Answer::Unknown(Reason::Time));
    lane.best.unwrap_or_else(late)
}

struct Lane<'a> {
    portfolio: &'a Portfolio,
    query: Query<'a>,
    shared: &'a Shared,
    open: Vec<Open<'a>>,
    /// Whose turn it is, of `open`.
    at: usize,
    /// Members that have not had their first turn.
    first_turns: usize,
    best: Option<Verdict>,
}

impl<'a> Lane<'a> {
    fn new(
        portfolio: &'a Portfolio,
        members: &[&'a Member],
        query: Query<'a>,
        shared: &'a Shared,
    ) -> Lane<'a> {
        let open: Vec<Open<'_>> = members.iter().map(|member| Open::new(member)).collect();
        let first_turns = open.iter().filter(|open| !open.member.is_once()).count();
        if first_turns == 0 {
            shared.first_turns_are_over();
        }
        Lane { portfolio, query, shared, open, at: 0, first_turns, best: None }
    }

    fn has_answer(&self) -> bool {
        self.best.as_ref().is_some_and(|best| conclusive(&best.answer))
    }

    /// Gives the next member its turn, if it may have one now.
    fn next(&mut self) {
        self.at %= self.open.len();
        let member = self.open[self.at].member;
        if member.is_once() && !self.shared.had_first_turns() {
            if self.open.len() == 1 {
                std::thread::sleep(POLL);
            }
            self.at += 1;
        } else if member.unless.iter().any(|news| self.shared.has_heard(*news)) {
            self.open.remove(self.at);
        } else {
            self.turn(member);
        }
    }

    fn turn(&mut self, member: &Member) {
        let alone = self.open.len() == 1;
        let open = &mut self.open[self.at];
        let limits = open.slice(alone, self.query.limits);
        let verdict = self.portfolio.ask(member.engine, Query { limits: &limits, ..self.query });
        match open.takes_another_turn(&verdict.answer) {
            true => self.at += 1,
            false => _ = self.open.remove(self.at),
        }
        if counts(self.portfolio, member, &verdict) {
            self.shared.hear(&verdict.answer);
            self.best = Some(better(self.best.take(), verdict));
        }
        if !member.is_once() && self.first_turns > 0 {
            self.first_turns -= 1;
            if self.first_turns == 0 {
                self.shared.first_turns_are_over();
            }
        }
    }
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
