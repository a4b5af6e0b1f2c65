//! Proofs about rc11 without bounds: all interleavings, and a proof on the way that there is nothing else.
//!
//! In each state of each interleaving it is known which accesses rc11 could show an older write than the
//! last one although every interleaving with the same reads shows the last one (`views.rs`). If there is
//! never such an access, and no data race, every execution of rc11 is an interleaving, so what holds in all
//! of them holds under rc11.
//! (Lahav, Margalit: Robustness against release/acquire semantics, PLDI 2019; with relaxed accesses and fences:
//! Margalit, Lahav, POPL 2021. Here values do not count, which says less. The argument is in
//! docs/soundness.md.)
//!
//! Invariant: SAFE, or nothing.
//! Cost: the states are those of interleavings times what threads can know.
//!
//! Other models have no other executions for programs that keep reads before later writes.
//!
//! - `kept.rs`: which programs these are
//! - `machine.rs`: a state with views and the race monitor, and one step of it
//! - `views.rs`: who must come behind the last write of a cell, and who knows of it

mod kept;
mod machine;
mod views;

use super::answer::{answered, unsupported};
use super::walk::{Walk, WalkEnd};
use crate::contract::inputs::Sampling;
use crate::contract::{Answer, Query, Reason, Verdict};
use interp::Interp;
use ir::Program;
use machine::RobustRules;
use solver::weak::{Grounding, Model};

/// Are all executions of the program under this model executions of rc11?
pub fn speaks_about(model: &Model, program: &Program) -> bool {
    let machine = model.settles() && model.grounding() == Grounding::Dependencies;
    model.is_rc11() || machine && kept::reads_before_writes(program)
}

pub fn check(query: Query<'_>, max_domain: u128) -> Verdict {
    let Query { program, property, settings, limits } = query;
    let interp = match Interp::new(program, query.interp_config()) {
        Ok(interp) => interp,
        Err(why) => return unsupported(property, why),
    };
    let sampling = Sampling::of(program, max_domain);
    let mut search = Walk::new(RobustRules { interp: &interp }, &sampling, property, limits);
    let ends = settings.undefined.ends();
    let answer = match search.run() {
        WalkEnd::Found(_) => Answer::Unknown(Reason::Other("an interleaving violates it".into())),
        WalkEnd::Stopped(reason) => Answer::Unknown(reason),
        WalkEnd::Done => answered(program, &search.events, search.sampled.as_ref(), ends),
    };
    search.verdict(query, answer)
}
