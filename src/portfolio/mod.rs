//! Who answers: one engine by name, or several by a policy.
//!
//! - `table.rs`: the engines, one row each
//! - `policy.rs`: who works when and for how long, as data
//! - `turns.rs`: engines in turns, in one thread
//! - `lanes.rs`: several such threads at once, until one has the answer
//! - `ranking.rs`: which of two answers is the better one
//! - `minimize`: counterexamples made small before they are told

mod lanes;
mod minimize;
mod policy;
mod ranking;
pub mod table;
mod turns;

use crate::contract::{Answer, Query, Verdict};
use crate::engine::bmc;
use lanes::Shared;
use minimize::minimize;
use policy::{Member, Turns};
use std::num::NonZeroUsize;
use table::Row;
use turns::in_turns;

/// Who is asked.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// All that have a chance, by the policy.
    Auto,
    Only(&'static Row),
}

pub struct Portfolio {
    pub choice: Choice,
    /// Of the symbolic engine.
    pub symbolic: bmc::Config,
    /// A proof that assumes something is none, as long as another engine may find one that does not.
    pub strict: bool,
    /// Engines that may work at the same time.
    pub jobs: NonZeroUsize,
}

impl Portfolio {
    pub fn check(&self, query: Query<'_>) -> Verdict {
        let mut verdict = match self.choice {
            Choice::Only(row) => self.ask(row, query),
            Choice::Auto => self.ask_all(query),
        };
        if let Answer::Unsafe(violation) = verdict.answer {
            query.limits.progress.begin("minimize");
            verdict.answer = Answer::Unsafe(Box::new(minimize(query, *violation)));
        }
        verdict
    }

    fn ask_all(&self, query: Query<'_>) -> Verdict {
        let (property, model) = (query.property, query.settings.model);
        let mut members: Vec<&Member> =
            policy::AUTO.iter().filter(|member| member.engine.knows(property, model)).collect();
        if members.is_empty() {
            return self.ask(&table::BMC, query);
        }
        if query.settings.bounds.are_given() {
            members.retain(|member| !member.unless.contains(&policy::News::BoundsGiven));
        }
        match self.jobs.get().min(members.len()) {
            0 | 1 => in_turns(self, &members, query, &Shared::alone()),
            lanes => lanes::in_parallel(self, &members, query, lanes),
        }
    }

    /// One engine, with the time that it took.
    fn ask(&self, row: &Row, query: Query<'_>) -> Verdict {
        if let Some(unknown) = query.uncovered(row.coverage) {
            return unknown;
        }
        let mut spent = std::time::Duration::ZERO;
        let ask = || (row.make)(&self.symbolic).check(query);
        let mut verdict = crate::contract::timed(|time| spent = time, ask);
        if verdict.times.rows().is_empty() {
            verdict.times.add(row.name, spent);
        }
        verdict
    }
}

impl Member {
    fn is_once(&self) -> bool {
        self.turns == Turns::Once
    }
}
