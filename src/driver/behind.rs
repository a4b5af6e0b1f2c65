//! A proof that ends executions at undefined behaviour, where the program does what is undefined.
//!
//! With `--undefined ends` SAFE is about executions without undefined behaviour. That is fit for pointers
//! that come from outside, which a caller would make valid, for arithmetic, and for mutexes that are destroyed
//! too early, where no object is left. Where the program itself uses
//! an uninitialised pointer or leaves an object of its own, and an execution gets there, what lies behind
//! is no execution of C but one of the machine, and other verifiers, by whom competitions label their
//! programs, look at it. So `--undefined outside` claims nothing about whether an error can be reached then.
//! It takes SAFE back and decides nothing else. Cost: a second of the explorer, only where a proof rests on
//! the option.

use crate::contract::{Answer, MemoryModel, Property, Query, Reason, Undefined, Verdict};
use crate::portfolio::{Choice, Portfolio, table};
use ir::Misuse;
use std::time::Duration;

const MOMENT: Duration = Duration::from_secs(1);

/// Why a proof is not told.
pub fn objection(verdict: &Verdict, query: Query<'_>, portfolio: &Portfolio) -> Option<Reason> {
    let Query { property, settings, limits, .. } = query;
    let proven = matches!(verdict.answer, Answer::Safe | Answer::Bounded { .. });
    let interleavings = settings.model == MemoryModel::Sc && property == Property::UnreachCall;
    let asked = settings.undefined == Undefined::Outside && interleavings;
    if !proven || !asked || !verdict.assumptions.iter().any(|r| r.leaves_out_undefined()) {
        return None;
    }
    let limits = limits.shortened(limits.left().map_or(MOMENT, |left| MOMENT.min(left / 2)));
    let explorer = Portfolio { choice: Choice::Only(&table::EXPLORE), ..portfolio.clone() };
    let met = explorer.check(Query { limits: &limits, ..query });
    let ended = met.assumptions.iter().filter_map(|r| Some((r.ended_by()?, r.span)));
    let fit = |what: &str| interp::is_nowhere(what) || is_of_destroyed_mutexes(what);
    let mut own = ended.filter(|(what, _)| !fit(what));
    own.next().map(|(what, span)| Reason::Undefined { what: what.to_string(), span })
}

fn is_of_destroyed_mutexes(what: &str) -> bool {
    let too_early = Misuse::ALL.into_iter().filter(|m| m.is_of_mutexes_destroyed_too_early());
    too_early.map(Misuse::words).any(|words| words == what)
}
