//! The explorer with store buffers: all executions of `--mm tso` and `--mm pso`.
//!
//! Stores go to a buffer of their thread, from which they become visible to others later: in order, or in any
//! order if they are to different locations (Sewell, Sarkar, Owens, Zappa Nardelli, Myreen: x86-TSO, CACM
//! 2010; SPARC's PSO). It is a second, operational account of what the cat models say, and the oracle
//! of the symbolic engine's answers about them. No reduction is used that is about interleavings: states
//! are told apart as they are, buffers included; steps that concern no other thread are done at once.
//!
//! Invariant: SAFE only if every state was seen and nothing was cut off. UNSAFE is a path that was walked
//! once more from the start.
//! Cost: the states are those of interleavings times the contents of the buffers.
//!
//! - `machine.rs`: a state with buffers, and one step of it
//! - `tell.rs`: a path as a counterexample

mod machine;
mod tell;

use super::answer::{answered, unsupported};
use super::walk::{Walk, WalkEnd};
use crate::contract::inputs::Sampling;
use crate::contract::{Answer, Query, Reason, Verdict};
use interp::Interp;
use machine::BufferRules;
use solver::weak::Buffers;

pub fn check(query: Query<'_>, buffers: Buffers, max_domain: u128) -> Verdict {
    // Buffers hold numbers: an input that is stored is chosen when it appears.
    let verdict = explore(query, buffers, max_domain, false);
    match &verdict.answer {
        Answer::Unknown(Reason::Unsupported { what, .. }) if what == machine::NOT_KNOWN => {
            explore(query, buffers, max_domain, true)
        }
        _ => verdict,
    }
}

fn explore(query: Query<'_>, buffers: Buffers, max_domain: u128, eager_inputs: bool) -> Verdict {
    let Query { program, property, settings, limits } = query;
    let config = interp::Config { eager_inputs, ..query.interp_config() };
    let interp = match Interp::new(program, config) {
        Ok(interp) => interp,
        Err(why) => return unsupported(property, why),
    };
    let sampling = Sampling::of(program, max_domain);
    let rules = BufferRules { interp: &interp, buffers };
    let mut search = Walk::new(rules, &sampling, property, limits);
    let ended = search.run();
    let ends = settings.undefined.ends();
    let answer = match ended {
        WalkEnd::Found(found) => match tell::confirm(rules, &found) {
            Ok(violation) => Answer::Unsafe(Box::new(violation)),
            Err(why) => Answer::Unknown(Reason::Internal(why)),
        },
        WalkEnd::Stopped(reason) => Answer::Unknown(reason),
        WalkEnd::Done => answered(program, &search.events, search.sampled.as_ref(), ends),
    };
    search.verdict(query, answer)
}
