//! Relations between cells that hold whenever a lock is free.
//!
//! `used + free == capacity` is no fact about one variable, so intervals do not see it, and while a
//! thread is between `used--` and `free++` it is not even true. But it is true whenever the lock is
//! free. Such *lock invariants* are guessed (`candidate.rs`, `template.rs`), and those that fail are
//! thrown out until the rest keeps itself up (`houdini.rs`): every thread, taken for itself, finds
//! them true when it takes the lock and must leave them true when it gives it back; and they must be
//! true when the first thread starts another one. Everything else that a thread may see of others is
//! arbitrary, loops are cut (`cut.rs`), so one thread is one formula (`walk.rs`, `sharing.rs`), exact
//! on machine numbers. If with what is left no error has a model the program is safe.
//!
//! Why that is right: look at an execution, step by step, and at the thread that makes the step. By
//! the checks of `sharing.rs`, no thread writes to a guarded cell while others run unless it holds all
//! locks of the cell for writing, none gives back what it does not hold or takes what it holds,
//! locks are not written to otherwise, and threads end without locks. So as long as a thread holds one
//! of a cell's locks the cell is its own to change; when it takes the lock, all that was done to the
//! cells of the lock was done by threads that have given it back since, in a state in which the
//! invariant holds, or by the first thread before it started others. The first check that an
//! execution breaks would be one that the formula of its thread has a model for.
//!
//! The interval analysis comes first and is trusted: with which bytes an access may meet, which lock a
//! call means, when no other thread runs, what is out of reach, and with the intervals it has found. Only
//! globals are looked at, as cells that are shared and as locks. A step of a thread is a lock, too, the
//! last one that is tried: what holds after every step. (Owicki and Gries, 1976, for
//! invariants of resources; Flanagan and Leino, 2001, for guess and check.)
//!
//! - `ghost.rs`: cells that no program has, for proofs that count threads: what they stand for
//! - `guards.rs`: which cells are guarded by what
//! - `count`: how many threads have done something

pub(super) mod candidate;
pub(super) mod count;
mod cut;
pub(super) mod ghost;
pub(super) mod guards;
mod houdini;
mod sharing;
mod state;
mod template;
pub(super) mod walk;

use super::interference::Interference;
use super::log::Log;
use super::question::Unclear;
use super::value::TemplateId;
use crate::contract::Limits;
use candidate::Candidate;
use encoder::Pool;
use guards::Guards;
use houdini::{HoudiniEnd, Marks};
use ir::Span;
use std::collections::BTreeSet;
use std::time::Duration;
use walk::{RelationalWalk, View};

/// Work stops after this much time, or a part of what is left, if not before.
const TIME_LIMIT: Duration = Duration::from_secs(10);
const PART: u32 = 4;
/// Locks and cells that are given up one after the other.
const MAX_ATTEMPTS: usize = 8;
/// Candidates, and terms of one formula, at most.
const MAX_CANDIDATES: usize = 240;
const MAX_TERMS: usize = 2_000_000;

/// Needs: the last iteration of the interval analysis, with errors that it cannot exclude. Gives:
/// they are unreachable.
pub fn prove(interference: &Interference<'_>, log: &Log) -> Result<(), Unclear> {
    let limits = interference.question.limits;
    let part = limits.left().map_or(TIME_LIMIT, |left| left / PART);
    let limits = limits.shortened(part.min(TIME_LIMIT));
    let mut without = BTreeSet::new();
    let mut unclear = Unclear::new("nothing that is guarded", Span::NONE);
    // Locks keep more people out than steps, and ask for less.
    for guess in [GuessLevel::Conditions, GuessLevel::Shapes, GuessLevel::Counts, GuessLevel::Steps]
    {
        for _ in 0..MAX_ATTEMPTS {
            let mut guards = Guards::new(interference, log, &without, guess == GuessLevel::Steps);
            if guess >= GuessLevel::Counts {
                guards = guards.counting(interference, log);
            }
            let nothing_new = guess == GuessLevel::Counts && guards.counts.is_empty();
            if guards.cells.is_empty() || nothing_new {
                break;
            }
            match attempt(View { interference, log, guards: &guards }, guess, &limits)? {
                HoudiniEnd::Proven => return Ok(()),
                HoudiniEnd::Misguided(culprits) => without.extend(culprits),
                HoudiniEnd::Late => {
                    return Err(Unclear::new("no time for lock invariants", Span::NONE));
                }
                HoudiniEnd::Open(span) => {
                    unclear = Unclear::new("no lock invariant excludes an error", span);
                    break;
                }
            }
        }
    }
    Err(unclear)
}

/// What candidates are made of: each guess has what the one before has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum GuessLevel {
    /// The program's own conditions.
    Conditions,
    /// Simple relations between all cells of a lock.
    Shapes,
    /// Numbers of threads.
    Counts,
    /// One condition given another one, and steps as guards.
    Steps,
}

fn candidates(view: View<'_>, guess: GuessLevel) -> Vec<Candidate> {
    let machine = view.interference.flat.program.machine;
    let conditions = candidate::conditions(view.interference, view.log, view.guards);
    let conditions = candidate::distinct(machine, view.guards, conditions);
    let mut all = conditions.clone();
    if guess >= GuessLevel::Counts {
        all.extend(count::guesses(view));
    }
    if guess >= GuessLevel::Shapes {
        all.extend(template::templates(machine, view.guards, &conditions));
    }
    if guess >= GuessLevel::Steps {
        all.extend(template::implications(&conditions));
    }
    let mut all = candidate::distinct(machine, view.guards, all);
    all.truncate(MAX_CANDIDATES);
    all
}

fn attempt(view: View<'_>, guess: GuessLevel, limits: &Limits) -> Result<HoudiniEnd, Unclear> {
    let mut pool = Pool::new();
    let mut marks = Marks::new(candidates(view, guess));
    let mut checks = Vec::new();
    for template in 0..view.interference.templates.len() {
        let template = TemplateId(template as u32);
        RelationalWalk::new(view, template, &mut pool, &mut marks, &mut checks)?.run()?;
        if limits.exceeded() || pool.len() > MAX_TERMS {
            return Ok(HoudiniEnd::Late);
        }
    }
    log::info!("lock invariants: {} checks, {} terms", checks.len(), pool.len());
    let end = houdini::houdini(&mut pool, &marks, &checks, limits);
    end.map_err(|error| Unclear::new(format!("{error:?}"), Span::NONE))
}
