//! Thread-modular proofs: SAFE for any number of threads and iterations of loops, or nothing.
//!
//! Every template of threads (all that one `Spawn` starts) is analysed once, with an abstraction of
//! what the others do: which locks it holds where, which objects it shares, which values it may see. No
//! execution is enumerated, so loops without bound that start threads cost no more than others. It
//! never says UNSAFE: what it cannot exclude may still be impossible.
//!
//! - `flat.rs`, `own_globals.rs`, `thread_locals.rs`, `thread_jumps.rs`: the program with calls inlined, except
//!   those that lock; counters of loops; numbers of one thread; branches on what is known
//! - `interval.rs`, `grain.rs`, `value.rs`, `memory.rs`, `eval.rs`: values and cells
//! - `state.rs`, `walk.rs`, `step.rs`, `branch.rs`, `access.rs`, `locking.rs`, `threads.rs`: one
//!   template
//! - `interference.rs`: all templates, to a fixpoint; `log.rs`: what was seen; `race.rs`: which
//!   pairs are left
//! - `relation`: relations between cells that hold whenever a lock is free, for errors that are left
//! - `pairs`: invariants of one thread at one point, and points that exclude each other, for errors
//!   that are still left
//!
//! Proofs may rely on accesses staying inside of living objects, and on threads being joined or
//! detached once, where that is not evident. The verdict then says so, as an assumption.
//!
//! - `deadlock.rs`: deadlocks: is there an order in which all threads take their locks?
//! - `validity.rs`: memory safety: does every access stay inside of an object that lives? `blocks.rs`: heap
//!   blocks that one thread has for itself
//! - `overflow.rs`: signed overflow: may the result of a checked operator be outside of its type?
//! - `words.rs`: what instructions compute, as terms
//! - `question.rs`: what the analysis is asked, and why it may have nothing to say
//! - `sync.rs`: locks, by the library functions that take and release them
//!   (`frontend::library::sync`)

mod access;
mod blocks;
mod branch;
mod deadlock;
mod eval;
mod flat;
mod grain;
mod interference;
mod interval;
mod locking;
mod log;
mod memory;
mod overflow;
mod own_globals;
mod pairs;
mod question;
mod race;
mod relation;
mod state;
mod step;
mod sync;
#[cfg(test)]
mod tests;
mod thread_jumps;
mod thread_locals;
mod threads;
mod validity;
mod value;
mod walk;
mod words;

use crate::contract::race_mode::may_be_weak;
use crate::contract::{
    Answer, Coverage, Engine, MemoryModel, Property, Query, Reason, Remark, Verdict, covers,
};
use flat::{Flat, Semaphores};
use interference::Interference;
use ir::{Program, Span};
use log::{Access, Log};
use question::{Question, Unclear};

#[derive(Default)]
pub struct Modular;

/// Of the other properties it knows no proof.
pub const COVERAGE: Coverage = &[(
    MemoryModel::Sc,
    &[
        Property::NoDataRace,
        Property::UnreachCall,
        Property::NoOverflow,
        Property::ValidMemsafety,
        Property::NoDeadlock,
    ],
)];

impl Engine for Modular {
    fn check(&self, query: Query<'_>) -> Verdict {
        let Query { program, property, .. } = query;
        match prove(query) {
            Ok(assumptions) => Verdict { assumptions, ..Verdict::new(property, Answer::Safe) },
            Err(unclear) => {
                let Unclear { why, span } = unclear;
                let is_told = span.line > 0 && !program.is_in_model(span);
                let file = program.files.get(span.file.index()).filter(|_| is_told);
                let place = file.map(|file| format!(" ({file}:{})", span.line));
                let why = format!("no modular proof: {why}{}", place.unwrap_or_default());
                Verdict::new(property, Answer::Unknown(Reason::Other(why)))
            }
        }
    }
}

/// What the proof assumes, if there is one.
fn prove(query: Query<'_>) -> Result<Vec<Remark>, Unclear> {
    let Query { program, property, settings, .. } = query;
    if !covers(COVERAGE, property, settings.model) {
        return Err(Unclear::new("a property that it does not know", Span::NONE));
    }
    if program.functions.iter().any(|f| f.name == "pthread_cancel") {
        return Err(Unclear::new("threads that are cancelled", Span::NONE));
    }
    if program.functions.iter().any(|f| f.name == "__obmc_robust_lock") {
        return Err(Unclear::new("mutexes that outlive their owner", Span::NONE));
    }
    let unclear = match prove_with(query, Semaphores::Locks) {
        Err(unclear) => unclear,
        proven => return proven,
    };
    match program.functions.iter().any(|f| f.name == "sem_post") {
        true => prove_with(query, Semaphores::Numbers).map_err(|_| unclear),
        false => Err(unclear),
    }
}

fn prove_with(query: Query<'_>, semaphores: Semaphores) -> Result<Vec<Remark>, Unclear> {
    let Query { program, property, settings, limits } = query;
    let weak = may_be_weak(program);
    let question = Question {
        malloc_may_fail: settings.malloc_may_fail,
        weak,
        races: property == Property::NoDataRace,
        memory: property == Property::ValidMemsafety,
        overflow_ends: settings.undefined.ends() && property != Property::NoOverflow,
        limits,
    };
    let flat = Flat::new(program, semaphores);
    let mut interference = Interference::new(&flat, question);
    let log = interference.settle()?;
    // What is asked for is proven, not assumed.
    let trusted = log.trusted.iter().filter(|_| !question.memory);
    let trusted: Vec<Span> = trusted.copied().collect();
    match property {
        Property::NoDataRace => {
            if let Some((a, _)) = race::possible(&interference, &log).next() {
                let unclear = |_| Unclear::new("accesses that may race", a.span);
                by_points(&interference, &log).map_err(unclear)?;
            }
        }
        Property::NoOverflow => {
            if let Some(span) = log.overflows.first() {
                // What relates numbers to each other is looked for where errors are.
                let program = analysis::overflow::as_errors(program);
                let errors = Query { program: &program, property: Property::UnreachCall, ..query };
                let unclear = |_| Unclear::new("arithmetic that may overflow", *span);
                return prove(errors).map_err(unclear);
            }
        }
        Property::ValidMemsafety => {
            if let Some((span, what)) = log.flaws.first() {
                return Err(Unclear::new(*what, *span));
            }
            if let Some(span) = log.first_stale_id() {
                return Err(Unclear::new("a thread that may have been joined before", span));
            }
        }
        Property::NoDeadlock => {
            if let Some(unclear) = deadlock::possible(&interference, &log) {
                return Err(unclear);
            }
        }
        _ => {
            if let Some((what, span)) = log.errors.first() {
                let told = |unclear: Unclear| {
                    ::log::info!("{} at line {}", unclear.why, unclear.span.line);
                    Unclear::new(what.clone(), *span)
                };
                by_relations(&interference, &log).map_err(told)?;
            }
        }
    }
    let mut assumed = assumptions(&flat.program, &log, &trusted);
    if let (true, Some(span)) = (question.overflow_ends, log.ends.first()) {
        assumed.push(Remark::ends("signed overflow", *span));
    }
    Ok(Remark::sorted(assumed))
}

/// That errors are out of reach, which intervals do not show.
fn by_relations(interference: &Interference<'_>, log: &Log) -> Result<(), Unclear> {
    let by_locks = || relation::prove(interference, log);
    let mut pairs = match pairs::Pairs::new(interference, log, &[]) {
        Ok(pairs) => pairs,
        Err(unclear) => return by_locks().map_err(|_| unclear),
    };
    // Without locks, and with any number of threads, steps are what there is to look at.
    if log.syncs.is_empty() && interference.templates.iter().any(|t| !t.single) {
        return pairs.first().or_else(|_| by_locks()).or_else(|_| pairs.further());
    }
    by_locks().or_else(|_| pairs.first()).or_else(|_| pairs.further())
}

/// That no two threads are at accesses that may race, by invariants of threads. A race is a state in which
/// two are (`contract::race_mode`), unless there are accesses that do not synchronise.
fn by_points(interference: &Interference<'_>, log: &Log) -> Result<(), Unclear> {
    if interference.question.weak {
        return Err(Unclear::new("accesses that do not synchronise", Span::NONE));
    }
    let conflicts: Vec<(&Access, &Access)> = race::possible(interference, log).collect();
    let mut pairs = pairs::Pairs::new(interference, log, &conflicts)?;
    pairs.first().or_else(|_| pairs.further())
}

/// One sentence for all accesses, at the first of them, and one for each function without a body.
fn assumptions(program: &Program, log: &Log, trusted: &[Span]) -> Vec<Remark> {
    let trust = trusted.iter().min().map(|span| Remark::inside(*span));
    let ids = log.first_stale_id().map(|span| {
        Remark::new(
            "what is joined or detached is a thread that was not joined or detached before",
            span,
        )
    });
    let bodiless = log
        .bodiless
        .iter()
        .map(|(id, span)| Remark::assumed(&program.functions[id.index()], *span));
    Remark::sorted(trust.into_iter().chain(ids).chain(bodiless))
}
