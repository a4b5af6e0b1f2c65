//! Who answers: one engine by name, or several by a policy.
//!
//! - `table.rs`: the engines, one row each
//! - `policy.rs`: who works when and for how long, as data
//! - `schedule.rs`: who works now, on one core or several, until one has the answer
//! - `moment.rs`: how long an engine has worked, whatever else the machine does
//! - `ranking.rs`: which of two answers is the better one
//! - `minimize`: counterexamples made small before they are told

mod minimize;
mod moment;
mod policy;
mod ranking;
mod schedule;
pub mod table;

use crate::contract::{Answer, NotModelled, Query, Reason, Verdict};
use crate::engine::bmc;
use crate::engine::explore::Explorer;
use crate::engine::prove::Prove;
use crate::engine::symex::Symex;
use analysis::loops::user_loops;
use analysis::residues;
use ir::{InstKind, Program};
use minimize::minimize;
use policy::{Circumstance, Member};
use std::num::NonZeroUsize;
use table::Row;

/// Who is asked.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// All that have a chance, by the policy.
    Auto,
    Only(&'static Row),
}

#[derive(Clone)]
pub struct Portfolio {
    pub choice: Choice,
    /// The explorer as it is to work.
    pub explore: Explorer,
    /// Of the symbolic engine.
    pub symbolic: bmc::Config,
    /// The engine for loops without a bound, as it is to work.
    pub prove: Prove,
    pub symex: Symex,
    /// A proof that assumes something is none, as long as another engine may find one that does not.
    pub strict: bool,
    /// Engines that may work at the same time.
    pub jobs: NonZeroUsize,
}

/// Bits of an input whose values can all be tried.
const NARROW: u8 = 8;

/// Are there inputs with many values?
fn has_wide_inputs(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    blocks.flat_map(|block| &block.insts).any(|inst| match inst.kind {
        InstKind::Nondet { bits, .. } => bits > NARROW,
        _ => false,
    })
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
        let bounds_given = query.settings.bounds.are_given();
        let no_loops = user_loops(query.program).is_empty();
        let few_inputs = !has_wide_inputs(query.program);
        let is_so = |it: &Circumstance| match it {
            Circumstance::BoundsGiven => bounds_given,
            Circumstance::NoLoops => no_loops,
            Circumstance::NoCounters => !residues::has_counters(query.program),
            Circumstance::FewInputs => few_inputs,
            Circumstance::InvalidAccess => false,
        };
        let has_a_chance = |member: &&Member| {
            member.engine.knows(property, model) && !member.unless.iter().any(is_so)
        };
        let members: Vec<&Member> = policy::AUTO.iter().filter(has_a_chance).collect();
        match members.is_empty() {
            true => self.ask(&table::BMC, query),
            false => schedule::run(self, &members, query, self.jobs.get()),
        }
    }

    /// One engine, with the time that it took.
    fn ask(&self, row: &Row, query: Query<'_>) -> Verdict {
        if let Some(unknown) = query.uncovered(row.coverage) {
            return unknown;
        }
        let mut spent = std::time::Duration::ZERO;
        let ask = || (row.make)(self).check(query);
        let mut verdict = crate::contract::timed(|time| spent = time, ask);
        if verdict.times.rows().is_empty() {
            verdict.times.add(row.name, spent);
        }
        if let Some(NotModelled { what, span, .. }) = query.limits.progress.not_modelled() {
            schedule::explain(&mut verdict, Reason::Unsupported { what, span });
        }
        verdict
    }
}
