//! The explorer: tries all interleavings and all inputs, remembers the states it has seen.
//!
//! It is the oracle: slow, exact, and with a replayed schedule for every violation. The parts:
//! `search` walks depth first through the states, `transition` makes one move, `invisible` (with
//! `may_access` and `points_to`) says which steps need no interleaving, `sleep` which orders were tried
//! already (by `footprint`), `race` finds races (`contract::race_mode` says what one is),
//! `eager` which accesses need none since nothing races with them,
//! `counterexample` makes a schedule of a path, `deepen` divides the time where loops have no bound.
//!
//! What it says: SAFE only if everything was explored with every value of every input that
//! mattered, and nothing was cut off.
//!
//! - `answer.rs`: from what a search has met to an answer
//! - `chance.rs`: random executions, for deep violations of programs with very many states
//! - `buffers`: the same with store buffers, for memory models that have them
//! - `first_path.rs`: how many states there will be, as far as a search can know
//! - `reduced.rs`: counters that grow for ever, modulo a power of two
//! - `relevant.rs`: states that differ only in what is never read again count as one
//! - `robust`: proofs about rc11 and machines: interleavings, and that there are no other executions
//! - `touched`: what transitions read and write
//! - `train.rs`: the first guess of what is eager
//! - `visited.rs`: the visited set: which states were seen, and with which threads asleep
//! - `walk.rs`: depth first through all states of a machine with more than an interpreter's state
//! - `watch.rs`: the explorer's eyes during a step: footprint, race monitor, and calls into the
//!   void
//! - `watchdog.rs`: keeps the limits: looks at the clock and at the memory every few hundred
//!   transitions, and says how far the search is

mod answer;
mod buffers;
mod chance;
mod counterexample;
mod deepen;
mod eager;
mod first_path;
mod footprint;
mod invisible;
mod may_access;
mod race;
mod reduced;
mod relevant;
mod robust;
mod search;
mod sleep;
#[cfg(test)]
mod tests;
mod touched;
mod train;
mod transition;
mod visited;
mod walk;
mod watch;
mod watchdog;

use self::answer::{answered, assumptions, notes, unsupported};
use self::eager::{Eager, Refuted, Windows};
use self::invisible::Invisible;
use self::may_access::MayAccess;
use self::relevant::Explored;
use self::search::{Look, Search, SearchOutcome};
use self::transition::{Runner, World};
use self::watchdog::{Watchdog, WatchdogStop};
use crate::contract::hang;
use crate::contract::inputs::Sampling;
use crate::contract::race_mode::{self, RaceMode};
use crate::contract::{
    Answer, Coverage, Engine, MemoryModel, Property, Query, Reason, Remark, Verdict,
};
use analysis::points_to::{Context, PointsTo};
pub use chance::Chance;
pub use deepen::{Deepen, Given, Shallow};
use interp::{Interp, RaceMonitor};
use ir::{Program, Span};
pub use reduced::Reduced;
use std::borrow::Cow;

/// Whatever the interpreter can watch for, in interleavings.
pub const INTERLEAVINGS: Coverage = &[(MemoryModel::Sc, &Property::ALL)];

/// With store buffers, too, for the models that have them (`buffers`), and proofs about rc11 and machines (`robust`).
pub const COVERAGE: Coverage = &[
    (MemoryModel::Sc, &Property::ALL),
    (MemoryModel::Cat, &[Property::UnreachCall, Property::NoOverflow, Property::NoDeadlock]),
];

/// Random executions show violations of single ones.
pub const BY_CHANCE: Coverage = chance::COVERAGE;

/// Of other models, what one thread's step violates.
pub const MACHINES: Coverage =
    &[(MemoryModel::Cat, &[Property::UnreachCall, Property::NoOverflow])];

/// What a program with other values proves: what is true of the accesses and errors of each execution. (It may
/// leave a wait that the program does not leave, so no deadlocks.)
pub const REDUCED: Coverage = &[
    (MemoryModel::Sc, &[Property::UnreachCall, Property::NoDataRace, Property::NoOverflow]),
    (MemoryModel::Cat, &[Property::UnreachCall]),
];

/// Partial order reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Por {
    Off,
    On,
}

/// Are accesses executed together with what came before them where nothing races with them?
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum)]
pub enum EagerAccesses {
    #[default]
    On,
    Off,
}

/// Do states count as one that differ only in what is never read again?
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum)]
pub enum Merge {
    #[default]
    On,
    Off,
}

/// Small searches are not worth a guess.
const SMALL: usize = 2_000;
/// So many wrong guesses, and there is no other.
const MAX_GUESSES: u32 = 40;

/// The explorer and its settings.
#[derive(Clone, Debug)]
pub struct Explorer {
    pub por: Por,
    pub eager: EagerAccesses,
    pub merge: Merge,
    /// A search up to so many states is done without eager accesses.
    pub small: usize,
    /// An input with more values than this is only sampled, and nothing is proven.
    pub max_domain: u128,
}

impl Default for Explorer {
    fn default() -> Explorer {
        Explorer {
            por: Por::On,
            eager: EagerAccesses::On,
            merge: Merge::On,
            small: SMALL,
            max_domain: Sampling::MAX_DOMAIN,
        }
    }
}

impl Explorer {
    /// Under a memory model that is a machine, or has interleavings only for the program.
    fn with_memory(&self, query: Query<'_>) -> Verdict {
        let Query { property, settings, program, .. } = query;
        let model = settings.weak.as_ref();
        if let Some(buffers) = model.and_then(|model| model.buffers()) {
            return buffers::check(query, buffers, self.max_domain);
        }
        let of_a_step = matches!(property, Property::UnreachCall | Property::NoOverflow);
        if of_a_step && model.is_some_and(|model| robust::speaks_about(model, program)) {
            return robust::check(query, self.max_domain);
        }
        let what = "this memory model with this engine".to_string();
        Verdict::new(property, Answer::Unknown(Reason::Unsupported { what, span: Span::NONE }))
    }
}

impl Engine for Explorer {
    fn check(&self, query: Query<'_>) -> Verdict {
        let Query { program, property, .. } = query;
        query.limits.progress.begin("explore");
        if query.settings.model == MemoryModel::Cat {
            return self.with_memory(query);
        }
        let interp = match Interp::new(program, query.interp_config()) {
            Ok(interp) => interp,
            Err(why) => return unsupported(property, why),
        };
        let points_to = PointsTo::new(program, Context::ModelCalls);
        let clocks = property == Property::NoDataRace
            && race_mode::mode(program, &points_to) == RaceMode::Clocks;
        let may_access = MayAccess::of(program, points_to, clocks);
        let look = Look {
            deadlock: property == Property::NoDeadlock,
            adjacent: property == Property::NoDataRace && !clocks,
            livelock: property == Property::NoLivelock,
        };
        let reduce = self.por == Por::On;
        let invisible = Invisible::new(reduce.then_some(may_access));
        let sampling = Sampling::of(program, self.max_domain);
        let task = SearchTask {
            query,
            interp: &interp,
            invisible: &invisible,
            sampling: &sampling,
            look,
            clocks,
        };
        let allowed = query.settings.model.allows(eager::ASSUMES) && !clocks && !look.livelock;
        let eager = self.eager == EagerAccesses::On && reduce && allowed;
        let small = eager.then_some(self.small);
        if let SearchResult::Verdict(verdict) = task.search(None, Merge::Off, small) {
            return verdict;
        }
        let mut guess = Eager::all(program);
        train::train(&mut guess, task.runner(None, Merge::Off), &sampling);
        let leaks = property == Property::ValidMemsafety;
        let mut merge = if leaks { Merge::Off } else { self.merge };
        for _ in 0..MAX_GUESSES {
            if guess.is_empty() {
                break;
            }
            match task.search(Some(&guess), merge, None) {
                SearchResult::Verdict(verdict) => return verdict,
                SearchResult::Refuted(refuted) => guess.refute(&refuted),
                SearchResult::AllRelevant => merge = Merge::Off,
                SearchResult::Large => break,
            }
        }
        task.search_all(if eager { merge } else { Merge::Off })
    }
}

/// What a search needs.
struct SearchTask<'a> {
    query: Query<'a>,
    interp: &'a Interp<'a>,
    invisible: &'a Invisible<'a>,
    sampling: &'a Sampling,
    look: Look,
    clocks: bool,
}

/// What came out of a search.
enum SearchResult {
    Verdict(Verdict),
    Refuted(Refuted),
    Large,
    AllRelevant,
}

impl SearchTask<'_> {
    fn runner<'g>(&'g self, eager: Option<&'g Eager>, merge: Merge) -> Runner<'g> {
        let exit_matters = self.query.property == Property::ValidMemsafety;
        let touched = merge == Merge::On;
        Runner { interp: self.interp, invisible: self.invisible, eager, exit_matters, touched }
    }

    fn search(&self, eager: Option<&Eager>, merge: Merge, quota: Option<usize>) -> SearchResult {
        let (query, interp, sampling, look) = (self.query, self.interp, self.sampling, self.look);
        let Query { program, property, limits, .. } = query;
        let runner = self.runner(eager, merge);
        // A sleeping thread's steps are edges that are missing where a component must have them all.
        let merges = merge == Merge::On;
        let sleeping = self.invisible.may_access.is_some() && !look.livelock && !merges;
        let mut search = Search::new(runner, sampling, look, sleeping, Watchdog::new(limits));
        search.quota = quota.unwrap_or(usize::MAX);
        search.explored = merges.then(Explored::default);
        let monitor = self.clocks.then(|| RaceMonitor::of(program));
        let windows = eager.map(|_| Windows::default());
        let outcome = match search.run(World { state: interp.initial(), monitor, windows }) {
            SearchOutcome::Refuted(refuted) => {
                log::debug!("eager accesses: refuted after {} states", search.visited.len());
                return SearchResult::Refuted(refuted);
            }
            SearchOutcome::Large => return SearchResult::Large,
            SearchOutcome::AllRelevant => {
                log::debug!("merged states: given up after {} states", search.visited.len());
                return SearchResult::AllRelevant;
            }
            outcome => outcome,
        };
        let ends = query.settings.undefined.ends();
        let answer = answer(interp, sampling, &search, outcome, ends);
        let fair = needs_fairness(&search, &answer);
        let assumptions = assumptions(program, &search.events, ends).into_iter().chain(fair);
        let mut notes = notes(&search.events);
        if matches!(answer, Answer::Unknown(Reason::Time | Reason::Memory)) {
            notes.extend(answer::no_proof(&search.events));
        }
        SearchResult::Verdict(Verdict {
            assumptions: Remark::sorted(assumptions),
            notes,
            stats: stats(&search),
            ..Verdict::new(property, answer)
        })
    }

    /// Without guesses, as far as it takes.
    fn search_all(&self, merge: Merge) -> Verdict {
        match self.search(None, merge, None) {
            SearchResult::Verdict(verdict) => verdict,
            SearchResult::AllRelevant => self.search_all(Merge::Off),
            SearchResult::Refuted(_) | SearchResult::Large => {
                let why = "a search without guesses was refuted".into();
                Verdict::new(self.query.property, Answer::Unknown(Reason::Internal(why)))
            }
        }
    }
}

/// Strongest first: a violation, then whatever kept us from seeing everything.
fn answer(
    interp: &Interp<'_>,
    sampling: &Sampling,
    search: &Search<'_>,
    outcome: SearchOutcome,
    undefined_ends: bool,
) -> Answer {
    match outcome {
        SearchOutcome::Found(found) => match counterexample::confirm(interp, sampling, &found) {
            Ok(violation) => Answer::Unsafe(Box::new(violation)),
            Err(why) => Answer::Unknown(Reason::Internal(why)),
        },
        SearchOutcome::Stopped(WatchdogStop::Time) => Answer::Unknown(Reason::Time),
        SearchOutcome::Stopped(WatchdogStop::Memory) => Answer::Unknown(Reason::Memory),
        // Asked of complete searches only.
        SearchOutcome::Refuted(_) | SearchOutcome::Large | SearchOutcome::AllRelevant => {
            Answer::Unknown(Reason::Time)
        }
        SearchOutcome::Done => explored(interp.program, search, undefined_ends),
    }
}

fn explored(program: &Program, search: &Search<'_>, undefined_ends: bool) -> Answer {
    match answered(program, &search.events, search.sampled.as_ref(), undefined_ends) {
        Answer::Safe | Answer::Bounded { .. } if search.unclear => {
            Answer::Unknown(Reason::Other(hang::UNCLEAR.into()))
        }
        answer => answer,
    }
}

/// Is a circle that threads can leave also left?
fn needs_fairness(search: &Search<'_>, answer: &Answer) -> Option<Remark> {
    let proven = matches!(answer, Answer::Safe | Answer::Bounded { .. });
    let fair = proven && search.components.as_ref().is_some_and(|c| c.left_a_cycle);
    fair.then(|| Remark::new(hang::STRONG_FAIRNESS, Span::NONE))
}

fn stats(search: &Search<'_>) -> Vec<(Cow<'static, str>, u64)> {
    let states = search.visited.len() as u64;
    let bytes = search.visited.bytes() as u64;
    let rows = [
        ("states", states),
        ("transitions", search.stats.transitions),
        ("steps", search.stats.steps),
        ("max depth", search.stats.max_depth),
        ("revisits", search.stats.revisits),
        ("sleep prunes", search.stats.slept),
        ("merged states", search.explored.as_ref().map_or(0, |explored| explored.spared)),
        ("input choices", search.stats.alternatives),
        ("bytes per state", bytes.checked_div(states).unwrap_or(0)),
    ];
    rows.map(|(name, value)| (name.into(), value)).into()
}
