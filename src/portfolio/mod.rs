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

use crate::contract::{Answer, Query, Reason, Verdict};
use crate::engine::bmc;
use ir::Span;
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
            Choice::Only(row) if row.knows(query.property, query.settings.model) => {
                self.ask(row, query)
            }
            Choice::Only(_) => unknown_property(query),
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
            return unknown_property(query);
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
        let mut spent = std::time::Duration::ZERO;
        let ask = || (row.make)(&self.symbolic).check(query);
        let mut verdict = crate::contract::timed(|time| spent = time, ask);
        if verdict.times.rows().is_empty() {
            verdict.times.add(row.name, spent);
        }
        verdict
    }
}

/// No engine knows the property under this memory model.
fn unknown_property(query: Query<'_>) -> Verdict {
    let what = format!("{} under --mm {}", query.property.name(), query.settings.model.name());
    let reason = Reason::Unsupported { what, span: Span::NONE };
    Verdict::new(query.property, Answer::Unknown(reason))
}

impl Member {
    fn is_once(&self) -> bool {
        self.turns == Turns::Once
    }
}
